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

/// How all held roots (and held tips) of one groom move over a step.
struct RootMotion {
    std::span<const FrameSubstep> frame;  ///< one per substep, for rigid roots
    /// For sampled roots, one per substep: SampledRootRow. Empty where one bone carries all roots.
    std::span<const StrandRows> sampled;
    /// For roots that one bone carries, of strands that are held at both ends: rest position of the tip from the root.
    const StrandRows* tip_offset = nullptr;
    /// For sampled roots of strands with a shape: RootFrameRow at the start of the step and at the end of every
    /// substep.
    std::span<const StrandRows> frames;
    /// What places are seen from at the end of every substep.
    std::span<const Vec3d> origin;
};
/// How far a sampled root moves in a substep x y z, and where a held tip is at its end, seen from the root x y z [m].
enum SampledRootRow : size_t { kRootStep = 0, kTipFromRoot = 3, kSampledRows = 6 };

/// Most holds of one strand, and most held particles, root and tip included.
inline constexpr size_t kMaxHoldsPerStrand = 14;
inline constexpr int kMaxHeld = static_cast<int>(kMaxHoldsPerStrand) + 2;

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
    double particle_mass = 1e-6;  ///< [kg]
    bool keep_previous = true;    ///< store the edges of the start of the step
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
    bool softened = false;    ///< springs were too stiff for the step and have been softened

    /// Adds what one strand, or one block, is away from its holds [m]; less than a tenth of a millimetre is none.
    void add_gap(float gap)
    {
        worst_gap = gap > worst_gap ? gap : worst_gap;
        missed_holds += gap > 1e-4f;
    }
};

/// Moves the strands of one groom.
class Solver {
public:
    virtual ~Solver() = default;
    /// Settings may change from step to step.
    virtual void configure(const SolverSettings& settings) = 0;
    /// Advances all strands by one step. Never allocates after the first call with the same strands and holds.
    virtual SolveReport solve(Strands& strands, const SolveInput& input, Executor& executor) = 0;

    /// The tension of every segment over the last substep, over the mass of a particle [m/s^2], stored at the particle
    /// it ends at; null where the method does not know it.
    virtual const ParticleRows* tensions() const { return nullptr; }

    // A method may have moving state of its own beside the strands; most have none.
    /// The strands are back at rest.
    virtual void reset(const Strands&) {}
    /// Each strand has been carried by a rigid motion.
    virtual void carry(const Strands&, const Strands::MotionOf&) {}
    virtual size_t bytes() const { return 0; }
    /// Mixes the state into a hash.
    virtual uint64_t hash(uint64_t h) const { return h; }
    virtual void save(std::vector<std::byte>&) const {}
    virtual bool load(const Strands&, std::span<const std::byte>&) { return true; }
};

/// Whether a method moves strands of this store.
bool has_solver(SolverType type);
/// Its solver; null where it has none.
std::unique_ptr<Solver> make_solver(const SolverSettings& settings);

/// Memory of the thread for what a kernel keeps of one block: this many floats on a 64-byte boundary.
float* kernel_workspace(size_t floats);

/// The shape that a method asks for: that of the settings, or for methods with a style of their own (kTressfx,
/// kTractrixSplit) no more than where targets are.
ShapeSettings shape_for(const Behaviour& behaviour);

}  // namespace tendril
