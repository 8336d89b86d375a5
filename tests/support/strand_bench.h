/// One groom and one solver without a world, for tests that need access to the state.
#pragma once

#include "solvers/solver.h"
#include "strands/strands.h"
#include "tendril/groom.h"

#include <memory>
#include <vector>

namespace tendril::test {

class StrandBench {
public:
    StrandBench(Groom g, const DftlSettings& settings, double dt, int substeps, const Vec3d& gravity)
        : StrandBench(std::move(g), make_dftl_solver(settings), dt, substeps, gravity)
    {
    }
    StrandBench(Groom g, std::unique_ptr<Solver> method, double dt, int substeps, const Vec3d& gravity)
        : groom(std::move(g)), strands(groom, true), solver(std::move(method)), dt_(dt)
    {
        const double h = dt / substeps;
        air.assign(static_cast<size_t>(substeps), prepare_air({}, {}, gravity, {0, 0, 0}, 0, h));
        const FrameSubstep still{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
        frame.assign(static_cast<size_t>(substeps), still);
        for (const Bucket& b : strands.buckets()) blocks_ += b.blocks;
        tips = AlignedFloats(blocks_ * 3 * kLanes);
    }

    SolveReport step()
    {
        SolveInput input;
        input.dt = dt_;
        input.air = air;
        input.spring_rate = spring_rate;
        input.roots.frame = frame;
        input.roots.tip_offset = tips.data();
        strands.begin_step();
        const SolveReport report = solver->solve(strands, input, *executor);
        strands.end_step();
        return report;
    }

    Groom groom;
    Strands strands;
    std::unique_ptr<Solver> solver;
    std::shared_ptr<Executor> executor = make_serial_executor();
    std::vector<AirSubstep> air;
    std::vector<FrameSubstep> frame;
    AlignedFloats tips;
    double spring_rate = 0;

private:
    double dt_;
    size_t blocks_ = 0;
};

}  // namespace tendril::test
