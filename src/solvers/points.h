/// Methods that move the particles of a strand as points that constraints pull at, where follow-the-leader goes from
/// the root to the tip. They share how strands are handed to them, and all substeps of a block (points-inl.h).
#pragma once

#include "solvers/solver.h"

#include <cstddef>
#include <span>

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
};

/// Blocks of a bucket, over all substeps.
using PointsKernel = void (*)(const PointsTask& task, size_t begin, size_t end);

/// A solver that runs one kernel over all strands, hair and ropes alike.
std::unique_ptr<Solver> make_points_solver(const SolverSettings& settings, PointsKernel kernel);

/// So many floats on a 64-byte boundary that belong to the thread: what a kernel keeps of one block.
float* points_workspace(size_t floats);

/// 0 to count - 1 in an order that depends on the seed alone. Belongs to the thread, up to the next call.
std::span<const int> shuffled(int count, uint64_t seed);

/// Position based dynamics [Boercsoek20], and XPBD.
void solve_pbd(const PointsTask& task, size_t begin, size_t end);
/// All multipliers of a strand at once.
void solve_direct(const PointsTask& task, size_t begin, size_t end);
/// Masses and springs with symplectic Euler, and with implicit Euler.
void solve_spring(const PointsTask& task, size_t begin, size_t end);
void solve_implicit_spring(const PointsTask& task, size_t begin, size_t end);
/// Shape constraints in the manner of TressFX.
void solve_tressfx(const PointsTask& task, size_t begin, size_t end);
/// What is dragged along a tractrix [Zappe20], in all its kinds.
void solve_tractrix(const PointsTask& task, size_t begin, size_t end);

}  // namespace tendril
