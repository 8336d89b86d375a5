/// The solver of kTractrixSplit, whose kernels move a second strand beside the visible one.
#pragma once

#include "solvers/points.h"

namespace tendril {

/// The second strand starts as a copy of the strand in the first step and is part of the saved state.
class SecondStrandSolver final : public PointsSolver {
public:
    using PointsSolver::PointsSolver;

    void reset(const Strands& strands) override;
    void carry(const Strands& strands, const Strands::MotionOf& motion) override;
    size_t bytes() const override { return second_.size() * sizeof(float); }
    uint64_t hash(uint64_t h) const override;
    void save(std::vector<std::byte>& out) const override;
    bool load(const Strands& strands, std::span<const std::byte>& in) override;

private:
    void prepare(PointsTask& task, SolveReport&) override;
    void start(const Strands& strands) { strands.copy_edges(second_); }

    ParticleRows second_;
};

}  // namespace tendril
