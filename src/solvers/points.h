/// Methods that move the particles of a strand as points that constraints pull at, where follow-the-leader goes from
/// the root to the tip. They share how strands are handed to them, and all substeps of a block (points-inl.h).
#pragma once

#include "solvers/solver.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

/// A hold, by where its strand is stored.
struct BlockHold {
    size_t block;  ///< over all buckets
    size_t lane;
    int level;
    std::span<const Vec3f> target;  ///< as in Hold
};

/// A step as the kernels see it.
struct PointsTask : StrandsTask {
    const SolverSettings* settings;
    std::span<const BlockHold> holds;  ///< sorted by block
    float* gaps;                       ///< per block: largest distance of a held particle from its hold [m]
    double spring_rate = 0;            ///< stiffness of springs over the mass of a particle [1/s^2]
    /// Where kDirect stores the tension of every segment over the last substep, over the mass of a particle [m/s^2], or
    /// null.
    ParticleRows* tensions = nullptr;
    ParticleRows* second = nullptr;  ///< edges of the second strand, for kTractrixSplit
};

/// Blocks of a bucket, over all substeps.
using PointsKernel = void (*)(const PointsTask& task, size_t begin, size_t end);

/// Runs one kernel over all strands, hair and ropes alike.
class PointsSolver : public Solver {
public:
    PointsSolver(const SolverSettings& settings, PointsKernel kernel) : settings_(settings), kernel_(kernel) {}

    void configure(const SolverSettings& settings) final { settings_ = settings; }
    SolveReport solve(Strands& strands, const SolveInput& input, Executor& executor) final;

protected:
    /// Completes the task where the kernel of a method needs more than all have.
    virtual void prepare(PointsTask&, SolveReport&) {}
    const SolverSettings& settings() const { return settings_; }

private:
    void sort_holds(const Strands& strands, std::span<const Hold> holds);

    SolverSettings settings_;
    PointsKernel kernel_;
    std::vector<BlockHold> holds_;
    std::vector<float> gaps_;
};

/// 0 to count - 1 in an order that depends on the seed alone. Belongs to the thread, up to the next call.
std::span<const int> shuffled(int count, uint64_t seed);

}  // namespace tendril
