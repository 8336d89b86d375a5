/// The shape that strands are drawn towards. [Sanchez15] R. Sanchez-Banderas, H. Barreiro, I. Garcia-Fernandez, M.
/// Perez: Real-Time Inextensible Hair with Volume and Shape, CEIG 2015; the frames are those of [Han12] D. Han, T.
/// Harada: Real-time Hair Simulation with Efficient Hair Style Preservation, VRIPHYS 2012.
///
/// A strand carries a frame from its root to its tip: a unit vector `along` the segment and one `across` it. In the
/// rest pose the frame is turned from segment to segment by the smallest rotation, so that the direction of a segment
/// in the frame before it says all about the turn. In motion the frame is turned in the same way, and then by the
/// smallest rotation onto the segment as it is. The local target of a particle is its rest place in the frame of the
/// segment before; the global target is its rest place carried by the root.
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

/// Rows of a target, per particle: direction of the local target in the frame before x y z, its distance [m], how much
/// of the frame's two vectors is mixed by the turn to it, edge of the global target in the frame of the root x y z [m].
enum TargetRow : size_t { kLocalTarget = 0, kTargetLength = 3, kTargetTurn = 4, kGlobalTarget = 5, kTargetRows = 8 };
/// Rows of the frame of a root: along x y z, across x y z.
enum RootFrameRow : size_t { kRootAlong = 0, kRootAcross = 3, kRootFrameRows = 6 };
/// Rows per strand: the frame of the root at rest, then its length [m], its strength, and the root of that.
enum ShapeStrandRow : size_t { kStrandReach = kRootFrameRows, kStrength, kRootStrength, kShapeStrandRows };

/// How strongly a particle is drawn over one substep, relative to its inertia: k and c of q = (q + k T + c m) / (1 + k
/// + c), with T the target and m where the particle would be had it moved with the global target, or had its edge only
/// turned with the root. In the paper's form `local` and `global` are its coefficients, and nothing else is used.
struct ShapeLevel {
    float local, local_damping, global, global_damping;
};

/// The same as shares of the whole: of the prediction, and of the two targets and their m.
struct ShapeBlend {
    float free, local, swung, global, carried;
};

/// Over all substeps of a step, for the hair of one groom.
struct ShapeInput {
    struct Rows {
        const float* targets;      ///< of its first block, kTargetRows per particle
        const ShapeLevel* levels;  ///< one per level; still to be scaled for each strand
        const ShapeBlend* blends;  ///< one per level where they are the same for all strands, else null
        bool even;                 ///< all segments of a strand have one length
    };
    std::span<const Rows> buckets;        ///< empty: strands have no shape
    const StrandRows* strands = nullptr;  ///< kShapeStrandRows
    bool by_length = true;                ///< `local` goes with the squared share of a segment in its strand
    bool paper = false;                   ///< [Sanchez15] Eq. 8-14 as printed
    float load = 1;                       ///< share of the pull of its child that a particle is given
    float kept = 1;                       ///< share of its motion that it keeps
    bool on() const { return !buckets.empty(); }
};

/// The targets of a groom, which all its instances with the same settings share.
struct ShapeTargets {
    /// What the targets depend on.
    std::shared_ptr<const StrandLayout> layout;
    std::vector<float> strength;
    ShapeSettings settings;
    Vec3d gravity{0, 0, 0};

    ParticleRows targets;
    StrandRows strands;

    bool serve(const ShapeSettings& wanted, const Vec3d& gravity) const;
};

/// The targets that are in use.
class ShapeCache {
public:
    /// `strength` multiplies the stiffness, by strand; empty: all 1.
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

    /// For substeps of h seconds. Computes the targets again when the settings ask for others.
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
