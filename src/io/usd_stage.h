/// The prims of a USD layer that a viewer would show, each with its place in the tree and its transform.
#pragma once

#include "io/usd_xform.h"

#include <deque>
#include <unordered_map>

namespace tendril {

struct UsdNode;

/// What a relationship points to. Prims inherit it from their ancestors.
struct UsdBinding {
    const UsdNode* from = nullptr;  ///< the prim that has it; null where there is none
    std::string_view path;          ///< as written
};

struct UsdNode {
    const UsdPrim* prim = nullptr;
    const UsdNode* parent = nullptr;
    const UsdXform* xform = nullptr;  ///< null where neither it nor an ancestor has one
    UsdBinding skeleton, animation;
};

/// Such as /World/Hair.
std::string path_of(const UsdNode& node);

struct UsdStage {
    const UsdLayer* layer = nullptr;
    std::deque<UsdXform> xforms;
    std::deque<UsdNode> nodes;  ///< parents before their children; without classes, overs and what is not active
    std::unordered_map<std::string, const UsdNode*> skeletons;  ///< skeletons and their animations, by path

    /// The skeleton or animation; null where there is none.
    const UsdNode* target(const UsdBinding& binding) const;
};

/// The layer must outlive the stage.
Result<UsdStage> make_stage(const UsdLayer& layer);

}  // namespace tendril
