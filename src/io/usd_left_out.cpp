#include "io/usd_left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace tendril {
namespace {

// Limits the length of messages about a file with arbitrary names.
constexpr size_t kMaxKinds = 32, kMaxName = 60;

constexpr std::pair<std::string_view, const char*> kArcNouns[] = {{"subLayers", "sublayer"},
                                                                  {"references", "reference"},
                                                                  {"payload", "payload"},
                                                                  {"inherits", "inherited prim"},
                                                                  {"specializes", "specialized prim"}};

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
                                                 "velocities",
                                                 "purpose",
                                                 "visibility",
                                                 "accelerations",
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

void count_attribute(const UsdAttribute& attribute, UsdLeftOut& out)
{
    const std::string_view name = attribute.name;
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

void count_attributes(const UsdPrim& prim, UsdLeftOut& out)
{
    if (!find_property(prim, "points")) return out.add("empty BasisCurves prim");
    std::unordered_set<std::string_view> seen;
    for (const UsdAttribute& attribute : prim.attributes)
        if (seen.insert(attribute.name).second || attribute.samples.size() > 1) count_attribute(attribute, out);
}

/// Opinions of overs and classes have no effect of their own, but the arcs of an over may lead to curves.
void count_prims(const std::vector<UsdPrim>& prims, UsdLeftOut& out)
{
    for (const UsdPrim& prim : prims) {
        if (prim.specifier == UsdSpecifier::kClass || !prim.active) continue;
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

void count_left_out(const UsdLayer& layer, UsdLeftOut& out)
{
    count_arcs(layer.arcs, out);
    count_prims(layer.prims, out);
}

}  // namespace tendril
