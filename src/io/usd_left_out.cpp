#include "io/usd_left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace tendril {
namespace {

// Limits the length of messages about a file with arbitrary names.
constexpr size_t kMaxKinds = 32, kMaxName = 60;

constexpr std::pair<std::string_view, const char*> kArcNouns[] = {
    {"subLayers", "sublayer"},      {"references", "reference"},         {"payload", "payload"},
    {"inherits", "inherited prim"}, {"specializes", "specialized prim"}, {"clips", "value clip set"},
    {"relocates", "relocates list"}};

/// Prims that are read, that only group others, or that are counted by the material bindings to them.
constexpr std::string_view kKnownTypes[] = {"",         "Xform",         "Scope",    "BasisCurves", "SkelRoot",
                                            "Skeleton", "SkelAnimation", "Material", "Shader",      "NodeGraph"};

/// Attributes of BasisCurves of which one value is read, even if they have several over time.
constexpr std::string_view kValues[] = {"widths",
                                        "primvars:widths",
                                        "primvars:displayColor",
                                        "primvars:displayOpacity",
                                        "primvars:st",
                                        "primvars:surface_uv_coordinate",
                                        "primvars:tendril:ends"};
/// Other attributes that are read, or that follow from those that are.
constexpr std::string_view kKnownAttributes[] = {"type",
                                                 "basis",
                                                 "wrap",
                                                 "curveVertexCounts",
                                                 "points",
                                                 "extent",
                                                 "purpose",
                                                 "visibility",
                                                 "orientation",
                                                 "proxyPrim",
                                                 "doubleSided",
                                                 "extentsHint",
                                                 "skel:joints",
                                                 "subdivisionScheme",
                                                 "xformOpOrder",
                                                 "skel:skeleton",
                                                 "skel:animationSource",
                                                 "ids"};
constexpr std::string_view kKnownPrefixes[] = {"xformOp:", "primvars:skel:"};

std::string printable(std::string_view name)
{
    std::string text(name.substr(0, kMaxName));
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c <= 0x20 || c >= 0x7f; }, '?');
    return text;
}

void count_arcs(const std::vector<UsdArc>& arcs, UsdLeftOut& out)
{
    for (const UsdArc& arc : arcs)
        for (const auto& [name, noun] : kArcNouns)
            if (arc.name == name && arc.targets > 0) out.add(noun, arc.targets);
}

void count_attribute(const UsdAttribute& attribute, bool moves, UsdLeftOut& out)
{
    const std::string_view name = attribute.name;
    // Between samples of points, the velocities follow from them.
    if (name == "velocities" || name == "accelerations") {
        if (!moves) out.add(attribute_noun(name));
        return;
    }
    if (is_one_of(kValues, name)) {
        if (attribute.samples.size() > 1) out.add(printable(name) + " animation");
        return;
    }
    const bool known = is_one_of(kKnownAttributes, name) || name.starts_with("material:binding") ||
                       name.ends_with(":indices") ||
                       std::any_of(std::begin(kKnownPrefixes), std::end(kKnownPrefixes),
                                   [name](std::string_view prefix) { return name.starts_with(prefix); });
    if (!known) out.add(attribute_noun(name));
}

/// Whether an attribute has different values over time.
bool changes(const UsdProperty& property)
{
    const auto differs = [&](const UsdSample& sample) { return sample.value.data != property.first()->data; };
    return std::any_of(property.samples.begin(), property.samples.end(), differs);
}

void count_attributes(const UsdPrim& prim, UsdLeftOut& out)
{
    for (const std::string_view name : prim.connected) out.add(printable(name) + " connection");
    const UsdProperty points = find_property(prim, "points");
    if (!points) return out.add("empty BasisCurves prim");
    for (const char* const name : {"curveVertexCounts", "visibility"})
        if (changes(find_property(prim, name))) out.add(std::string(name) + " animation");
    std::unordered_set<std::string_view> seen;
    for (const UsdAttribute& attribute : prim.attributes)
        if (seen.insert(attribute.name).second || attribute.samples.size() > 1)
            count_attribute(attribute, points.samples.size() > 1, out);
}

/// Opinions of overs and classes have no effect of their own, but the arcs of an over may lead to curves.
void count_prims(const std::vector<UsdPrim>& prims, UsdLeftOut& out)
{
    for (const UsdPrim& prim : prims) {
        if (prim.specifier == UsdSpecifier::kClass) continue;
        if (!prim.active) {
            out.add("inactive prim");
            continue;
        }
        count_arcs(prim.arcs, out);
        if (prim.variant_sets > 0) out.add("variant set", prim.variant_sets);
        if (prim.specifier == UsdSpecifier::kDef) {
            if (!is_one_of(kKnownTypes, prim.type)) out.add(printable(prim.type) + " prim");
            if (prim.type == "BasisCurves") count_attributes(prim, out);
            const auto binds = [](const UsdAttribute& a) { return a.name.starts_with("material:binding"); };
            if (std::any_of(prim.attributes.begin(), prim.attributes.end(), binds)) out.add("material binding");
        }
        if (!draws_children_itself(prim)) count_prims(prim.children, out);  // the parser limits the depth
    }
}

void count_hidden_curves(const UsdStage& stage, UsdLeftOut& out)
{
    for (const UsdNode& node : stage.nodes)
        if (node.prim->type == "BasisCurves" && !is_drawn(node))
            out.add(node.invisible ? "invisible BasisCurves prim" : "guide BasisCurves prim");
}

}  // namespace

void UsdLeftOut::add(const std::string& what, size_t count)
{
    const bool fits = list_.size() < kMaxKinds || index_.count(what) > 0;
    const auto [entry, added] = index_.try_emplace(fits ? what : "other part", list_.size());
    if (added) list_.push_back({entry->first, 0});
    list_[entry->second].count += count;
}

std::string attribute_noun(std::string_view name)
{
    return printable(name) + " attribute";
}

void count_left_out(const UsdStage& stage, UsdLeftOut& out)
{
    count_arcs(stage.layer->arcs, out);
    count_prims(stage.layer->prims, out);
    count_hidden_curves(stage, out);
}

}  // namespace tendril
