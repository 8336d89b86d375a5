/// Methods that move the particles of a strand as mass points under constraints or forces, unlike follow-the-leader,
/// which goes from the root to the tip. They share a solver class and the code for a block (points-inl.h).
#pragma once

#include "solvers/solver.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

/// A hold, with the block and lane that store its strand.
struct BlockHold {
    size_t block;  ///< counted over all buckets
    size_t lane;
    int level;
    std::span<const Vec3f> target;  ///< as in Hold
};

/// The input of the kernels for one step.
struct PointsTask : StrandsTask {
    const SolverSettings* settings;
    std::span<const BlockHold> holds;  ///< sorted by block
    float* gaps;                       ///< per block: largest distance of a held particle from its hold [m]
    double spring_rate = 0;            ///< stiffness of springs over the mass of a particle [1/s^2]
    /// Output of kDirect, or null: the tension of every segment over the last substep, divided by the mass of a
    /// particle [m/s^2].
    ParticleRows* tensions = nullptr;
    ParticleRows* second = nullptr;  ///< edges of the second strand, for kTractrixSplit
};

/// Solves all substeps of some blocks of a bucket.
using PointsKernel = void (*)(const PointsTask& task, size_t begin, size_t end);

/// Runs one kernel over all strands, hair and ropes alike.
class PointsSolver : public Solver {
public:
    PointsSolver(const SolverSettings& settings, PointsKernel kernel) : settings_(settings), kernel_(kernel) {}

    void configure(const SolverSettings& settings) final { settings_ = settings; }
    SolveReport solve(Strands& strands, const SolveInput& input, Executor& executor) final;

protected:
    /// Completes the task for methods whose kernel needs additional input.
    virtual void prepare(PointsTask&, SolveReport&) {}
    const SolverSettings& settings() const { return settings_; }

private:
    void sort_holds(const Strands& strands, std::span<const Hold> holds);

    SolverSettings settings_;
    PointsKernel kernel_;
    std::vector<BlockHold> holds_;
    std::vector<float> gaps_;
};

/// The numbers 0 to count - 1 in an order that depends only on the seed. Valid until the next call in the same thread.
std::span<const int> shuffled(int count, uint64_t seed);

}  // namespace tendril
