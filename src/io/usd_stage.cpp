#include "io/usd_stage.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril {
namespace {

// Keeps the total size of all paths within a small multiple of the size of the text [characters].
constexpr size_t kMaxPath = 1024;

UsdBinding binding_of(const UsdNode& node, std::string_view relationship, const UsdBinding& inherited)
{
    const UsdValue* value = find_property(*node.prim, relationship).first();
    return value && !value->words().empty() ? UsdBinding{&node, value->words()[0]} : inherited;
}

/// The sources of an ancestor, replaced by those that the prim has itself.
UsdSkinSources sources_of(const UsdPrim& prim, UsdSkinSources sources)
{
    for (const auto& [name, source] : {std::pair{kSkinJoints, &UsdSkinSources::joints},
                                       {kJointIndices, &UsdSkinSources::joint_indices},
                                       {kJointWeights, &UsdSkinSources::joint_weights},
                                       {kGeometryBind, &UsdSkinSources::geometry_bind},
                                       {kSkinningMethod, &UsdSkinSources::method}})
        if (find_property(prim, name)) sources.*source = &prim;
    return sources;
}

std::string_view word_of(const UsdValue& value)
{
    return value.words().size() == 1 ? value.words()[0] : std::string_view();
}

std::string_view word_of(const UsdProperty& property)
{
    return word_of(*property.first());
}

Result<const UsdNode*> add_node(UsdStage& stage, const UsdPrim& prim, const UsdNode* parent)
{
    Result<UsdXform> xform = read_xform(*stage.layer, prim, parent ? parent->xform : nullptr);
    if (!xform) return Error{xform.error()};
    UsdNode& node = stage.nodes.emplace_back(UsdNode{&prim, parent, xform->parent, {}, {}, {}});
    if (!xform->ops.empty()) node.xform = &stage.xforms.emplace_back(std::move(*xform));
    node.skeleton = binding_of(node, "skel:skeleton", parent ? parent->skeleton : UsdBinding{});
    node.animation = binding_of(node, "skel:animationSource", parent ? parent->animation : UsdBinding{});
    node.skin = sources_of(prim, parent ? parent->skin : UsdSkinSources{});
    const UsdProperty purpose = find_property(prim, "purpose");
    node.purpose = purpose ? word_of(purpose) : parent ? parent->purpose : std::string_view();
    node.invisible = (parent && parent->invisible) || is_invisible(prim);
    if (prim.type == "Skeleton" || prim.type == "SkelAnimation") stage.skeletons.emplace(path_of(node), &node);
    return &node;
}

/// Adds prims and all of their descendants. The parser limits the depth of the recursion.
Result<size_t> add_nodes(UsdStage& stage, const std::vector<UsdPrim>& prims, const UsdNode* parent, size_t path_size)
{
    for (const UsdPrim& prim : prims) {
        if (prim.specifier != UsdSpecifier::kDef || !prim.active) continue;
        const size_t size = path_size + 1 + prim.name.size();
        if (size > kMaxPath)
            return stage.layer->error(prim.offset,
                                      fmt::format("the path of a prim is longer than {} characters", kMaxPath));
        const Result<const UsdNode*> node = add_node(stage, prim, parent);
        if (!node) return Error{node.error()};
        if (draws_children_itself(prim)) continue;
        if (const auto below = add_nodes(stage, prim.children, *node, size); !below) return Error{below.error()};
    }
    return stage.nodes.size();
}

/// Resolves a path relative to a prim: /absolute, child, ../sibling.
std::string resolved(const UsdNode& from, std::string_view path)
{
    if (path.starts_with('/')) return std::string(path.substr(0, kMaxPath));
    const UsdNode* base = &from;
    for (; path.starts_with("../"); path.remove_prefix(3)) base = base ? base->parent : nullptr;
    return fmt::format("{}/{}", base ? path_of(*base) : std::string(), path.substr(0, kMaxPath));
}

}  // namespace

std::string path_of(const UsdNode& node)
{
    std::string path;
    for (const UsdNode* at = &node; at; at = at->parent) path.insert(0, fmt::format("/{}", at->prim->name));
    return path;
}

const UsdNode* UsdStage::target(const UsdBinding& binding) const
{
    if (!binding.from) return nullptr;
    const auto found = skeletons.find(resolved(*binding.from, binding.path));
    return found == skeletons.end() ? nullptr : found->second;
}

bool is_drawn(const UsdNode& node)
{
    return !node.invisible && node.purpose != "guide";
}

bool is_invisible(const UsdPrim& prim)
{
    const UsdProperty visibility = find_property(prim, "visibility");
    const auto hides = [](const UsdValue& value) { return word_of(value) == "invisible"; };
    return visibility && (!visibility.value || hides(*visibility.value)) &&
           std::all_of(visibility.samples.begin(), visibility.samples.end(),
                       [&](const UsdSample& sample) { return hides(sample.value); });
}

bool draws_children_itself(const UsdPrim& prim)
{
    return prim.type == "PointInstancer";
}

Result<UsdStage> make_stage(const UsdLayer& layer)
{
    UsdStage stage;
    stage.layer = &layer;
    if (const auto added = add_nodes(stage, layer.prims, nullptr, 0); !added) return Error{added.error()};
    return stage;
}

}  // namespace tendril
