/// Hair on a moving head for benchmarks, stepped by a solver alone or by a whole world.
#pragma once

#include "solvers/solver.h"
#include "strands/strands.h"
#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"
#include "tendril/world.h"
#include "world/strand_roots.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tendril::bench {

/// All benchmarks use substeps of the same length, so that they can share strands: stored motion is per substep.
inline constexpr double kSubstep = 1.0 / 480;
inline constexpr Vec3d kGravity{0, -9.81, 0};

/// Straight hair on a sphere, and ropes held at both ends.
Groom make_hair(uint32_t strands, uint32_t particles);
Groom make_held_ropes(uint32_t strands, uint32_t particles);

/// Turns about y and sways, so that no root stands still.
Pose head_pose(double time);

/// A variant of the step.
struct DftlVariant {
    int substeps = 1;
    bool keep_previous = false;
    DftlSettings dftl = {.velocity_correction = 1.0f};  // stays bounded over long measurements
    ShapeSettings shape = {};
    AirSettings air;
    WindSettings wind;
};

/// A groom on the head with the particle store and the solver, but without a world.
class HairOnHead {
public:
    explicit HairOnHead(Groom groom, const SolverSettings& method = {});

    /// Takes one step and returns the time of the solver [s].
    double step(const DftlVariant& variant, Executor& executor);

    const Groom& groom() const { return groom_; }
    Strands& strands() { return strands_; }
    Pose frame() const { return strands_.frame; }

private:
    Groom groom_;
    Strands strands_;
    WorldBody body_;
    RootAnchors anchors_;
    RootPose pose_;
    StrandRoots roots_;
    RestShape shape_;
    Behaviour behaviour_;
    std::unique_ptr<Solver> solver_;
    std::vector<AirSubstep> air_;
    double time_ = 0;
};

/// The same hair in a world, with default settings.
World make_head_world(uint32_t strands, uint32_t particles, std::shared_ptr<Executor> executor);

/// Largest distance between tips of the engine and of the plain baseline after some steps from rest [m]. Shows that
/// both compute the same motion.
double difference_to_baseline();

}  // namespace tendril::bench
