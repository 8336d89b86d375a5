/// What every method of moving strands shares: what it is given for one step, and what it says about it.
#pragma once

#include "solvers/air.h"
#include "solvers/contact.h"
#include "solvers/rest_shape.h"
#include "strands/frame.h"
#include "strands/strands.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"

#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// How all held roots (and held tips) of one groom move over a step. Rows of 16 lanes are 64-byte aligned.
struct RootMotion {
    std::span<const FrameSubstep> frame;  ///< one per substep, for rigid roots
    /// For sampled roots: [substep][block][root step x y z, tip from root x y z][16], else null. The first half is how
    /// far the root moves, the second where a held tip is, seen from the root, at the end of the substep.
    const float* sampled = nullptr;
    /// For rigid strands that are held at both ends: rest position of the tip from the root, [block][3][16].
    const float* tip_offset = nullptr;
    /// For sampled roots of strands with a shape: [substep + 1][block][along x y z, across x y z][16], the frames of
    /// the roots at the start and at the end of every substep, else null.
    const float* frames = nullptr;
    /// What places are seen from at the end of every substep.
    std::span<const Vec3d> origin;
};
inline constexpr size_t kSampledRows = 6;

/// Most holds of one strand, its root and tip included.
inline constexpr int kMaxHolds = 16;

/// A particle that is held at a moving point, besides what the strand's ends say.
struct Hold {
    uint32_t strand = 0;
    int level = 0;
    std::span<const Vec3f> target;  ///< per substep: where it should be, seen from the root at the start of the step
};

/// One step for one groom.
struct SolveInput {
    double dt = 0;
    uint64_t step = 0;                ///< how many were before it
    std::span<const AirSubstep> air;  ///< one per substep
    RootMotion roots;
    ContactInput contact;
    ShapeInput shape;
    std::span<const Hold> holds;  ///< sorted by strand, then level
    double spring_rate = 0;       ///< stiffness of springs over the mass of a particle [1/s^2]
    bool keep_previous = true;    ///< store the edges of the start of the step
    /// Where kDirect says by how much every segment is pulled at over the last substep, over the mass of a particle
    /// [m/s^2]: [block][level][16] over all buckets; or null.
    float* tensions = nullptr;
    int substeps() const { return static_cast<int>(air.size()); }
};

/// A step as kernels see it: one bucket of the strands.
struct StrandsTask {
    Strands* strands;
    const SolveInput* input;
    size_t block_count;  ///< over all buckets
    size_t bucket = 0;
};

/// What could not be met.
struct SolveReport {
    float worst_gap = 0;      ///< largest distance of a held particle from its hold that is out of reach [m]
    size_t missed_holds = 0;  ///< strands with such a hold

    /// Adds what one strand, or one block, is away from its holds [m]; less than a tenth of a millimetre is none.
    void add_gap(float gap)
    {
        worst_gap = gap > worst_gap ? gap : worst_gap;
        missed_holds += gap > 1e-4f;
    }
};

class Solver {
public:
    virtual ~Solver() = default;
    /// Settings may change from step to step.
    virtual void configure(const SolverSettings& settings) = 0;
    /// Advances all strands by one step. Never allocates after the first call with the same strands and holds.
    virtual SolveReport solve(Strands& strands, const SolveInput& input, Executor& executor) = 0;
};

std::unique_ptr<Solver> make_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_dftl_solver(const DftlSettings& settings);

/// The shape that a method asks for: that of the settings, or for methods with a style of their own (kTressfx,
/// kTractrixSplit) no more than where targets are.
ShapeSettings shape_for(const SolverSettings& settings);

}  // namespace tendril
