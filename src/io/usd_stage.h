/// The prims of a USD layer that a viewer would show, each with its parent and its transform.
#pragma once

#include "io/usd_xform.h"

#include <deque>
#include <unordered_map>

namespace tendril {

struct UsdNode;

/// The target of a relationship. Prims inherit it from their ancestors.
struct UsdBinding {
    const UsdNode* from = nullptr;  ///< the prim that has the relationship, or null if there is none
    std::string_view path;          ///< the target as written in the layer
};

/// The properties of UsdSkel that a prim inherits, whatever their interpolation. Each is on the nearest prim that has
/// it: the prim itself or an ancestor; null if none has.
struct UsdSkinSources {
    const UsdPrim* joints = nullptr;
    const UsdPrim* joint_indices = nullptr;
    const UsdPrim* joint_weights = nullptr;
    const UsdPrim* geometry_bind = nullptr;
    const UsdPrim* method = nullptr;
};
inline constexpr std::string_view kSkinJoints = "skel:joints", kJointIndices = "primvars:skel:jointIndices",
                                  kJointWeights = "primvars:skel:jointWeights",
                                  kGeometryBind = "primvars:skel:geomBindTransform",
                                  kSkinningMethod = "primvars:skel:skinningMethod";

struct UsdNode {
    const UsdPrim* prim = nullptr;
    const UsdNode* parent = nullptr;
    const UsdXform* xform = nullptr;  ///< null if neither the prim nor an ancestor has one
    UsdBinding skeleton, animation;
    UsdSkinSources skin;
    std::string_view purpose = {};  ///< the one of the nearest prim that states it
    bool invisible = false;         ///< the prim or an ancestor is invisible
};

/// Whether a viewer draws the prim: guides are only shown while a rig is edited.
bool is_drawn(const UsdNode& node);
/// Whether visibility is "invisible" by default and at all times.
bool is_invisible(const UsdPrim& prim);

/// The path of a prim, such as /World/Hair.
std::string path_of(const UsdNode& node);

struct UsdStage {
    const UsdLayer* layer = nullptr;
    std::deque<UsdXform> xforms;
    std::deque<UsdNode> nodes;  ///< parents before children; without classes, overs and inactive prims
    std::unordered_map<std::string, const UsdNode*> skeletons;  ///< skeletons and skeleton animations, by path

    /// The skeleton or animation that a binding refers to, or null.
    const UsdNode* target(const UsdBinding& binding) const;
};

/// Whether the children of a prim are not drawn where they are, because they are prototypes of its instances.
bool draws_children_itself(const UsdPrim& prim);

/// The layer must outlive the stage.
Result<UsdStage> make_stage(const UsdLayer& layer);

}  // namespace tendril
