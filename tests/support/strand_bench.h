/// A groom and a solver without a world, for tests that access the state of the strands.
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
        : StrandBench(std::move(g), make_solver({.dftl = settings}), dt, substeps, gravity)
    {
    }
    StrandBench(Groom g, std::unique_ptr<Solver> method, double dt, int substeps, const Vec3d& gravity)
        : groom(std::move(g)), strands(groom, RootKind::kOnBone), solver(std::move(method)), dt_(dt)
    {
        const double h = dt / substeps;
        air.assign(static_cast<size_t>(substeps), prepare_air({}, {}, gravity, {0, 0, 0}, 0, h));
        const FrameSubstep still{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
        frame.assign(static_cast<size_t>(substeps), still);
        tips = StrandRows(strands.layout(), 3);
    }

    SolveReport step()
    {
        SolveInput input;
        input.dt = dt_;
        input.air = air;
        input.particle_mass = particle_mass;
        input.roots.frame = frame;
        input.roots.tip_offset = &tips;
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
    StrandRows tips;
    double particle_mass = 1;

private:
    double dt_;
};

}  // namespace tendril::test
