/// The interface that all methods of moving strands share: the input of one step, and its report.
#pragma once

#include "solvers/air.h"
#include "solvers/contact/contact.h"
#include "solvers/rest_shape.h"
#include "strands/frame.h"
#include "strands/strands.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"

#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// The motion of the held roots, and held tips, of one groom over a step.
struct RootMotion {
    std::span<const FrameSubstep> frame;  ///< one per substep, for roots that one bone carries
    /// SampledRootRow of sampled roots, one per substep. Empty if one bone carries all roots.
    std::span<const StrandRows> sampled;
    /// For strands that are held at both ends and whose roots one bone carries: rest position of the tip relative to
    /// the root.
    const StrandRows* tip_offset = nullptr;
    /// For sampled roots of strands with a shape: RootFrameRow at the start of the step and at the end of every
    /// substep.
    std::span<const StrandRows> frames;
    /// The origin that positions are relative to, at the end of every substep.
    std::span<const Vec3d> origin;
};
/// Displacement of a sampled root in a substep x y z, and position of a held tip at its end, relative to the root, x y
/// z [m].
enum SampledRootRow : size_t { kRootStep = 0, kTipFromRoot = 3, kSampledRows = 6 };

/// Largest number of holds of one strand, and of its held particles, root and tip included.
inline constexpr size_t kMaxHoldsPerStrand = 14;
inline constexpr int kMaxHeld = static_cast<int>(kMaxHoldsPerStrand) + 2;

/// A particle that is held at a moving point, in addition to the held ends of its strand.
struct Hold {
    uint32_t strand = 0;
    int level = 0;
    std::span<const Vec3f> target;  ///< per substep: hold target relative to the root at the start of the step
};

/// One step for one groom.
struct SolveInput {
    double dt = 0;
    uint64_t step = 0;                ///< number of steps before this one
    std::span<const AirSubstep> air;  ///< one per substep
    RootMotion roots;
    ContactInput contact;
    ShapeInput shape;
    std::span<const Hold> holds;  ///< sorted by strand, then level
    double particle_mass = 1e-6;  ///< [kg]
    bool keep_previous = true;    ///< whether to store the edges at the start of the step
    int substeps() const { return static_cast<int>(air.size()); }
};

/// The input of a kernel for one step: one bucket of the strands.
struct StrandsTask {
    Strands* strands;
    const SolveInput* input;
    size_t block_count;  ///< in all buckets
    size_t bucket = 0;
};

/// Constraints that a step could not satisfy.
struct SolveReport {
    float worst_gap = 0;      ///< largest distance of a held particle from a hold that is out of reach [m]
    size_t missed_holds = 0;  ///< strands with such a hold
    bool softened = false;    ///< springs were too stiff for the step and were softened

    /// Adds the largest gap of one strand or block [m]. Gaps below a tenth of a millimetre are not missed holds.
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

    /// The tension of every segment over the last substep, divided by the mass of a particle [m/s^2] and stored at the
    /// particle where the segment ends. Null if the method does not know it.
    virtual const ParticleRows* tensions() const { return nullptr; }

    // A method may have moving state besides the strands; most have none.
    /// Called when the strands have returned to rest.
    virtual void reset(const Strands&) {}
    /// Called when each strand has been carried by a rigid motion.
    virtual void carry(const Strands&, const Strands::MotionOf&) {}
    virtual size_t bytes() const { return 0; }
    /// Mixes the state into a hash.
    virtual uint64_t hash(uint64_t h) const { return h; }
    virtual void save(std::vector<std::byte>&) const {}
    virtual bool load(const Strands&, std::span<const std::byte>&) { return true; }
};

/// Whether a method has a solver. kChainShape has none: it moves strings, which Strands does not store.
bool has_solver(SolverType type);
/// Makes the solver of a method; null if it has none.
std::unique_ptr<Solver> make_solver(const SolverSettings& settings);

/// Returns the thread's memory for the temporary data of one block: at least this many floats on a 64-byte boundary. A
/// later call may return the same memory or free it.
float* kernel_workspace(size_t floats);

/// The shape settings for a method: those of the groom, or settings that only produce targets for methods that apply
/// the rest pose themselves (kTressfx, kTractrixSplit).
ShapeSettings shape_for(const Behaviour& behaviour);

}  // namespace tendril
