/// The rest shape that strands are drawn to. [Sanchez15] R. Sanchez-Banderas, H. Barreiro, I. Garcia-Fernandez, M.
/// Perez: Real-Time Inextensible Hair with Volume and Shape, CEIG 2015; the frames are those of [Han12] D. Han, T.
/// Harada: Real-time Hair Simulation with Efficient Hair Style Preservation, VRIPHYS 2012.
///
/// A strand carries a frame from its root to its tip: a unit vector `along` the segment and one `across` it. In the
/// rest pose the smallest rotation takes the frame of one segment to that of the next, so the direction of a segment in
/// the preceding frame fully describes the rotation. In motion the frame is turned in the same way, and then by the
/// smallest rotation onto the actual segment. The local target of a particle is its rest position in the frame of the
/// preceding segment; the global target is its rest position as carried by the root.
#pragma once

#include "strands/strands.h"
#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tendril {

/// Rows of a target, per particle: direction of the local target in the preceding frame x y z, its distance [m], the
/// coefficient c of the turn to it (docs/shape.md), edge of the global target in the frame of the root x y z [m].
enum TargetRow : size_t { kLocalTarget = 0, kTargetLength = 3, kTargetTurn = 4, kGlobalTarget = 5, kTargetRows = 8 };
/// Rows of the frame of a root: along x y z, across x y z.
enum RootFrameRow : size_t { kRootAlong = 0, kRootAcross = 3, kRootFrameRows = 6 };
/// Rows per strand: the rest frame of the root, the length of the strand [m], its strength, and the square root of
/// that.
enum ShapeStrandRow : size_t { kStrandReach = kRootFrameRows, kStrength, kSqrtStrength, kShapeStrandRows };

/// How strongly a particle is drawn over one substep, relative to its inertia: k and c of
/// q = (q + k T + c m) / (1 + k + c). T is the target; m is the position that the particle would have if it had moved
/// with its global target, or if its edge had only turned with the root. In the paper's form `local` and `global` are
/// the paper's coefficients, and the others are unused.
struct ShapeLevel {
    float local, local_damping, global, global_damping;
};

/// The same as weights that add up to 1: of the prediction, and of the two targets and their m.
struct ShapeBlend {
    float free, local, swung, global, carried;
};

/// The shape of one groom's hair in all substeps of a step.
struct ShapeInput {
    struct Rows {
        const float* targets;      ///< of the first block, kTargetRows per particle
        const ShapeLevel* levels;  ///< one per level, before scaling for each strand
        const ShapeBlend* blends;  ///< one per level if they are the same for all strands, otherwise null
        bool even;                 ///< all segments of a strand have the same length
    };
    std::span<const Rows> buckets;        ///< empty if strands have no shape
    const StrandRows* strands = nullptr;  ///< kShapeStrandRows
    bool by_length = true;                ///< `local` grows with the square of strand length over segment length
    bool paper = false;                   ///< [Sanchez15] Eq. 8-14 as printed
    float load = 1;                       ///< share of its child's pull that a particle receives
    float kept = 1;                       ///< share of its motion that a particle keeps over a substep
    bool on() const { return !buckets.empty(); }
};

/// The targets of a groom, which all its instances with the same settings share.
struct ShapeTargets {
    /// The input that the targets depend on.
    std::shared_ptr<const StrandLayout> layout;
    std::vector<float> strength;
    ShapeSettings settings;
    Vec3d gravity{0, 0, 0};

    ParticleRows targets;
    StrandRows strands;

    bool fit(const ShapeSettings& wanted, const Vec3d& gravity) const;
};

/// Lets instances share the targets that are in use.
class ShapeCache {
public:
    /// `strength` is a factor on the stiffness of each strand; empty: all 1.
    std::shared_ptr<const ShapeTargets> find_or_make(const Groom& groom, const Strands& strands,
                                                     std::span<const float> strength, const ShapeSettings& settings,
                                                     const Vec3d& gravity, Executor& executor);

private:
    std::vector<std::weak_ptr<const ShapeTargets>> made_;
};

/// The rest shape of one instance of a groom.
class RestShape {
public:
    explicit RestShape(std::vector<float> strength = {},
                       std::shared_ptr<ShapeCache> cache = std::make_shared<ShapeCache>())
        : strength_(std::move(strength)), cache_(std::move(cache))
    {
    }

    /// Returns the shape for substeps of h seconds. Computes new targets if the settings require them.
    ShapeInput over_substeps(const Groom& groom, const Strands& strands, const ShapeSettings& settings,
                             const Vec3d& gravity, double h, Executor& executor);

private:
    std::vector<float> strength_;
    std::shared_ptr<ShapeCache> cache_;
    std::shared_ptr<const ShapeTargets> targets_;
    std::vector<ShapeLevel> levels_;  // bucket by bucket
    std::vector<ShapeBlend> blends_;
    std::vector<ShapeInput::Rows> buckets_;
};

}  // namespace tendril
