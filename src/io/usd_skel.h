/// Moves curves with a UsdSkel skeleton by linear blend or dual quaternion skinning.
#pragma once

#include "io/dual_quaternion.h"
#include "io/usd_primvar.h"
#include "io/usd_stage.h"

#include <memory>
#include <optional>

namespace tendril {

using UsdJointIndex = std::unordered_map<std::string_view, uint32_t>;

/// The joints of a skeleton, parents first, and their animation.
struct UsdSkeleton {
    const UsdXform* xform = nullptr;
    UsdJointIndex index;            ///< by joint path
    std::vector<uint32_t> parents;  ///< per joint; its own index if it has none
    std::vector<Affine> inverse_binds, rests;
    std::vector<uint32_t> animated;  ///< per joint, index into the animation or kAtRest
    UsdProperty translations, rotations, scales;

    /// Per joint, the transform from the bind pose to the world at `motion_time`. Skins of the same skeleton share it.
    std::vector<Affine> motions;
    UsdTime motion_time;
    bool has_dual_skins = false;           ///< whether any skin uses dual quaternions
    std::vector<DualMotion> dual_motions;  ///< as `motions`, but only to the space of the skeleton
    Affine world;                          ///< from there to the world

    static constexpr uint32_t kAtRest = UINT32_MAX;
};

/// Each skeleton is read once, no matter how many prims are bound to it.
using UsdSkeletons = std::unordered_map<const UsdNode*, std::shared_ptr<UsdSkeleton>>;

/// How the points of one prim are bound to the joints of a skeleton.
struct UsdSkin {
    std::shared_ptr<UsdSkeleton> skeleton;
    Affine geometry_bind;  ///< from the prim to the skeleton in the bind pose

    // `influences` entries for each point, or one set of `influences` entries for all points.
    std::vector<uint32_t> joints;
    std::vector<float> weights;
    uint32_t influences = 1;
    bool same_for_all = false;     ///< all points have the same weights
    bool dual_quaternion = false;  ///< the skinning method; otherwise linear
    bool unknown_method = false;   ///< the file names another method; the skin is linear
    size_t unnormalized = 0;       ///< sets of weights that did not sum to one
};

/// Nothing if the prim is not below a SkelRoot or not bound to a skeleton.
Result<std::optional<UsdSkin>> read_skin(const UsdStage& stage, const UsdNode& node, const UsdTopology& topology,
                                         UsdSkeletons& skeletons);

/// Transforms points of the prim to the world.
void skin_points(const UsdSkin& skin, UsdTime time, std::span<Vec3f> points);
/// Adds the times at which the animation has samples.
void add_times(const UsdSkeleton& skeleton, std::vector<double>& times);

}  // namespace tendril
