/// Curves that a UsdSkel skeleton moves, by linear blend skinning.
#pragma once

#include "io/usd_primvar.h"
#include "io/usd_stage.h"

#include <memory>
#include <optional>

namespace tendril {

using UsdJointIndex = std::unordered_map<std::string_view, uint32_t>;

/// Joints, parents first, and how they move.
struct UsdSkeleton {
    const UsdXform* xform = nullptr;
    UsdJointIndex index;            ///< by the path of the joint
    std::vector<uint32_t> parents;  ///< the joint's own index where it has none
    std::vector<Affine> inverse_binds, rests;
    std::vector<uint32_t> animated;  ///< index into the animation, or kAtRest
    UsdProperty translations, rotations, scales;

    /// What each joint does to a point of the bind pose, at `motion_time`. Skins of the same skeleton share it.
    std::vector<Affine> motions;
    UsdTime motion_time;

    static constexpr uint32_t kAtRest = UINT32_MAX;
};

/// Skeletons are read once, however many prims hang on them.
using UsdSkeletons = std::unordered_map<const UsdNode*, std::shared_ptr<UsdSkeleton>>;

/// How the points of one prim hang on the joints of a skeleton.
struct UsdSkin {
    std::shared_ptr<UsdSkeleton> skeleton;
    Affine geometry_bind;  ///< from the prim to the skeleton, in the pose in which it was bound

    // Per point `influences` entries, or `influences` for all points together.
    std::vector<uint32_t> joints;
    std::vector<float> weights;
    uint32_t influences = 1;
    bool rigid = false;  ///< all points have the same weights
};

/// None where the prim does not stand below a SkelRoot or is not bound to a skeleton.
Result<std::optional<UsdSkin>> read_skin(const UsdStage& stage, const UsdNode& node, const UsdTopology& topology,
                                         UsdSkeletons& skeletons);

/// Brings points of the prim to the world.
void skin_points(const UsdSkin& skin, UsdTime time, std::span<Vec3f> points);
/// Adds the times at which the animation has samples.
void add_times(const UsdSkeleton& skeleton, std::vector<double>& times);

}  // namespace tendril
