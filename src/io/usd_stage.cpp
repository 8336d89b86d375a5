#include "io/usd_stage.h"

#include <fmt/format.h>

namespace tendril {
namespace {

// The paths of all prims together must stay within a small multiple of the text.
constexpr size_t kMostPath = 1024;

/// Adds prims and all below them. As deep as the parser lets prims nest.
Result<size_t> add_nodes(UsdStage& stage, const std::vector<UsdPrim>& prims, const UsdNode* parent, size_t path_size)
{
    for (const UsdPrim& prim : prims) {
        if (prim.specifier != UsdSpecifier::kDef || !prim.active) continue;
        const size_t size = path_size + 1 + prim.name.size();
        if (size > kMostPath)
            return stage.layer->error(prim.offset, fmt::format("the path of a prim is longer than {}", kMostPath));
        const UsdXform* inherited = parent ? parent->xform : nullptr;
        Result<UsdXform> xform = read_xform(*stage.layer, prim, inherited);
        if (!xform) return Error{xform.error()};
        if (!xform->ops.empty())
            inherited = &stage.xforms.emplace_back(std::move(*xform));
        else
            inherited = xform->parent;
        stage.nodes.push_back({&prim, parent, inherited});
        const UsdNode* node = &stage.nodes.back();
        if (prim.type == "Skeleton" || prim.type == "SkelAnimation") stage.skeletons.emplace(path_of(*node), node);
        if (const auto below = add_nodes(stage, prim.children, node, size); !below) return Error{below.error()};
    }
    return stage.nodes.size();
}

/// A path as written, seen from a prim: /absolute, child, ../sibling.
std::string resolved(const UsdNode& from, std::string_view path)
{
    if (path.starts_with('/')) return std::string(path.substr(0, kMostPath));
    const UsdNode* base = &from;
    for (; path.starts_with("../"); path.remove_prefix(3)) base = base ? base->parent : nullptr;
    return fmt::format("{}/{}", base ? path_of(*base) : std::string(), path.substr(0, kMostPath));
}

}  // namespace

std::string path_of(const UsdNode& node)
{
    std::string path;
    for (const UsdNode* at = &node; at; at = at->parent) path.insert(0, fmt::format("/{}", at->prim->name));
    return path;
}

const UsdNode* UsdStage::target(const UsdNode& node, std::string_view relationship) const
{
    for (const UsdNode* at = &node; at; at = at->parent) {
        const UsdValue* value = find_property(*at->prim, relationship).first();
        if (!value || value->words().empty()) continue;
        const auto found = skeletons.find(resolved(*at, value->words()[0]));
        return found == skeletons.end() ? nullptr : found->second;
    }
    return nullptr;
}

Result<UsdStage> make_stage(const UsdLayer& layer)
{
    UsdStage stage;
    stage.layer = &layer;
    if (const auto added = add_nodes(stage, layer.prims, nullptr, 0); !added) return Error{added.error()};
    return stage;
}

}  // namespace tendril
