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

struct UsdNode {
    const UsdPrim* prim = nullptr;
    const UsdNode* parent = nullptr;
    const UsdXform* xform = nullptr;  ///< null if neither the prim nor an ancestor has one
    UsdBinding skeleton, animation;
};

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
