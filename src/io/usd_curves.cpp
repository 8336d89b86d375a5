#include "io/curve_formats.h"
#include "io/text_scan.h"
#include "io/usd_left_out.h"
#include "io/usd_primvar.h"
#include "io/usd_skel.h"
#include "io/usd_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace tendril {
namespace {

// Fallback values of the USD schema.
constexpr double kFallbackMetresPerUnit = 0.01;
constexpr double kFallbackCodesPerSecond = 24;
constexpr float kFallbackGrey = 0.18f;

// All prims are evaluated at all times at which any of them has a sample. The memory for that is limited to a constant
// plus a multiple of the size of the text [bytes].
constexpr size_t kMaxSampleBytes = size_t{1} << 28, kMaxSampleBytesPerByte = 64;

/// A BasisCurves prim, checked.
struct CurvePrim {
    const UsdNode* node = nullptr;
    UsdTopology topology;
    UsdProperty points;
    std::optional<UsdSkin> skin;
    size_t first_point = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// One prim

/// The value of a token attribute, or the fallback of the schema.
std::string_view token(const UsdPrim& prim, std::string_view name, std::string_view fallback)
{
    const UsdValue* value = find_property(prim, name).first();
    return value && value->words().size() == 1 ? value->words()[0] : fallback;
}

Result<CurveKind> read_kind(const UsdLayer& layer, const UsdPrim& prim)
{
    const auto unknown_word = [&](std::string_view name, std::string_view word) {
        return layer.error(prim.offset, fmt::format("unknown {} \"{}\" of curves \"{}\"", name, word, prim.name));
    };
    CurveKind kind;
    const std::string_view wrap = token(prim, "wrap", "nonperiodic");
    if (wrap == "periodic")
        kind.wrap = CurveWrap::kPeriodic;
    else if (wrap == "pinned")
        kind.wrap = CurveWrap::kPinned;
    else if (wrap != "nonperiodic")
        return unknown_word("wrap", wrap);
    const std::string_view type = token(prim, "type", "cubic"), basis = token(prim, "basis", "bezier");
    if (type == "linear") return kind;
    if (type != "cubic") return unknown_word("type", type);
    if (basis == "bezier")
        kind.basis = CurveBasis::kBezier;
    else if (basis == "bspline")
        kind.basis = CurveBasis::kBspline;
    else if (basis == "catmullRom")
        kind.basis = CurveBasis::kCatmullRom;
    else
        return unknown_word("basis", basis);
    return kind;
}

Result<UsdTopology> read_topology(const UsdLayer& layer, const UsdPrim& prim, const UsdValue& points)
{
    UsdTopology out;
    const Result<CurveKind> kind = read_kind(layer, prim);
    if (!kind) return Error{kind.error()};
    out.kind = *kind;
    const UsdValue* counts = find_property(prim, "curveVertexCounts").first();
    if (!counts) return layer.error(prim.offset, fmt::format("curves \"{}\" have no curveVertexCounts", prim.name));
    const size_t available = points.number_count() / 3;
    for (size_t i = 0; i < counts->number_count(); ++i) {
        const double count = counts->number(i);
        if (!(count >= 0 && count <= UINT32_MAX) || count != std::floor(count))
            return layer.error(counts->offset, fmt::format("curve {} has a vertex count of {}", i, count));
        out.counts.push_back(static_cast<uint32_t>(count));
        out.point_count += out.counts.back();
    }
    if (out.point_count != available)
        return layer.error(counts->offset, fmt::format("curveVertexCounts sum up to {}, but there are {} points",
                                                       out.point_count, available));
    return out;
}

/// Checks that points are triples and that all samples have the same number of them.
Result<size_t> check_points(const UsdLayer& layer, const UsdProperty& points)
{
    const size_t expected = points.first()->number_count();
    const auto problem = [&](const UsdValue& value) -> std::string {
        if (value.number_count() > 0 && value.width != 3) return "points must be triples of numbers";
        if (value.number_count() == expected) return {};
        return fmt::format("a time sample has {} points where others have {}; the number of points must not change",
                           value.number_count() / 3, expected / 3);
    };
    if (const std::string reason = problem(*points.first()); !reason.empty())
        return layer.error(points.first()->offset, reason);
    for (const UsdSample& sample : points.samples)
        if (const std::string reason = problem(sample.value); !reason.empty())
            return layer.error(sample.value.offset, reason);
    return expected / 3;
}

Result<CurvePrim> read_prim(const UsdStage& stage, const UsdNode& node, const UsdProperty& points,
                            UsdSkeletons& skeletons)
{
    if (const auto checked = check_points(*stage.layer, points); !checked) return Error{checked.error()};
    Result<UsdTopology> topology = read_topology(*stage.layer, *node.prim, *points.first());
    if (!topology) return Error{topology.error()};
    Result<std::optional<UsdSkin>> skin = read_skin(stage, node, *topology, skeletons);
    if (!skin) return Error{skin.error()};
    return CurvePrim{&node, std::move(*topology), points, std::move(*skin)};
}

/// Writes the points of a prim in world space. Points without a transform keep their bits.
void write_world_points(const CurvePrim& prim, UsdTime time, std::span<Vec3f> out)
{
    if (out.empty()) return;
    const UsdBlend blend = values_at(prim.points, time);
    const auto number = [&](size_t i) { return static_cast<float>(blended(blend, i)); };
    for (size_t p = 0; p < out.size(); ++p) out[p] = {number(3 * p), number(3 * p + 1), number(3 * p + 2)};
    if (prim.skin) return skin_points(*prim.skin, time, out);
    const Affine world = to_world(prim.node->xform, time);
    if (world == Affine{}) return;
    for (Vec3f& point : out) point = to_float(transform_point(world, to_double(point)));
}

// ---------------------------------------------------------------------------------------------------------------------
// All prims together

Error no_curves(const UsdLayer& layer, std::span<const LeftOut> left_out)
{
    const std::string others = left_out.empty() ? "" : fmt::format("; not read: {}", left_out_text(left_out));
    return Error{
        fmt::format("{}: no BasisCurves with points in this layer{} (usdcat --flatten in.usd -o out.usda merges "
                    "sublayers, references, payloads and variants into one layer)",
                    layer.name, others)};
}

Result<std::vector<CurvePrim>> read_prims(const UsdStage& stage)
{
    std::vector<CurvePrim> prims;
    UsdSkeletons skeletons;
    size_t points = 0;
    for (const UsdNode& node : stage.nodes) {
        if (node.prim->type != "BasisCurves") continue;
        const UsdProperty property = find_property(*node.prim, "points");
        if (!property || !is_drawn(node)) continue;  // without points, they come from another layer
        Result<CurvePrim> prim = read_prim(stage, node, property, skeletons);
        if (!prim) return Error{prim.error()};
        prim->first_point = points;
        points += prim->topology.point_count;
        if (points > UINT32_MAX) return stage.layer->error(node.prim->offset, "more points than 32 bits can count");
        prims.push_back(std::move(*prim));
    }
    return prims;
}

/// Appends the values of one prim to those of the prims before it. Prims without values get `fallback`.
void append(std::vector<float>& all, size_t width, size_t before, const UsdPrimvar& more, float fallback)
{
    if (more.numbers.empty()) return;
    all.resize(before * width, fallback);
    all.insert(all.end(), more.numbers.begin(), more.numbers.end());
}

/// Flat values of all prims, while they are collected.
struct CollectedValues {
    std::vector<float> widths, colours, opacities, uvs, ends;
    std::vector<const CurvePrim*> without_widths;
    size_t mismatched = 0;
};

/// The attribute with the root UVs. Those that Blender writes for hair on a surface have a name of their own.
std::string_view root_uv_name(const UsdPrim& prim, UsdLeftOut& left_out)
{
    constexpr std::string_view kUsual = "primvars:st", kBlender = "primvars:surface_uv_coordinate";
    if (!find_property(prim, kBlender)) return kUsual;
    if (!find_property(prim, kUsual)) return kBlender;
    left_out.add(attribute_noun(kBlender));
    return kUsual;
}

Result<size_t> collect_values(const UsdLayer& layer, const CurvePrim& prim, size_t strands, CollectedValues& all,
                              UsdLeftOut& left_out)
{
    struct Source {
        std::string_view name;
        uint32_t width;
        std::string_view interpolation;
        std::vector<float>& numbers;
        float fallback;
    };
    const UsdPrim& usd = *prim.node->prim;
    // The primvar form of an attribute overrides its plain form, and has its own fallback for the interpolation.
    const bool plain = !find_property(usd, "primvars:widths");
    const Source widths{plain ? "widths" : "primvars:widths", 1, plain ? "vertex" : "constant", all.widths, 0};
    for (const Source& source : {widths, Source{"primvars:displayColor", 3, "constant", all.colours, kFallbackGrey},
                                 Source{"primvars:displayOpacity", 1, "constant", all.opacities, 1}}) {
        Result<UsdPrimvar> values =
            point_values(layer, usd, source.name, source.width, source.interpolation, prim.topology);
        if (!values) return Error{values.error()};
        all.mismatched += values->mismatched;
        const bool is_width = &source.numbers == &all.widths;
        if (is_width && values->numbers.empty()) all.without_widths.push_back(&prim);
        if (values->mismatched) continue;
        const double scale = is_width ? scale_of(to_world(prim.node->xform, {})) : 1;
        if (std::abs(scale - 1) > 1e-6)
            for (float& width : values->numbers) width = static_cast<float>(width * scale);
        append(source.numbers, source.width, prim.first_point, *values, source.fallback);
    }
    for (const Source& source : {Source{root_uv_name(usd, left_out), 2, "", all.uvs, 0},
                                 Source{"primvars:tendril:ends", 1, "", all.ends, 0}}) {
        const Result<UsdPrimvar> values = curve_values(layer, usd, source.name, source.width, prim.topology);
        if (!values) return Error{values.error()};
        all.mismatched += values->mismatched;
        if (!values->mismatched) append(source.numbers, source.width, strands, *values, source.fallback);
    }
    return all.mismatched;
}

/// Says how skins differ from what the file states.
void store_skin_repairs(const std::vector<CurvePrim>& prims, CurveFile& file)
{
    size_t unnormalized = 0, unknown = 0;
    for (const CurvePrim& prim : prims) {
        if (!prim.skin) continue;
        unnormalized += prim.skin->unnormalized;
        unknown += prim.skin->unknown_method ? prim.topology.counts.size() : 0;
    }
    if (unnormalized > 0) file.data.repairs.push_back({"joint weights scaled to sum to one", unnormalized});
    if (unknown > 0)
        file.data.repairs.push_back(
            {"curves with an unknown skinningMethod, skinned linearly (classicLinear and dualQuaternion are known)",
             unknown});
}

void store_repairs(const CollectedValues& all, CurveFile& file)
{
    if (all.mismatched > 0)
        file.data.repairs.push_back(
            {"widths or primvars left out because their count does not match their interpolation", all.mismatched});
    size_t without_widths = 0;
    for (const CurvePrim* prim : all.without_widths) without_widths += prim->topology.counts.size();
    if (without_widths > 0 && !all.widths.empty())
        file.data.repairs.push_back({"curves without widths given the median width of the others", without_widths});
}

/// Gives points of prims without widths the median width of all others; with a width of zero, they would be invisible.
void fill_widths(CollectedValues& all, size_t points)
{
    if (all.widths.empty()) return;
    all.widths.resize(points, 0.0f);
    std::vector<float> given;
    size_t at = 0;
    for (const CurvePrim* prim : all.without_widths) {
        given.insert(given.end(), all.widths.begin() + static_cast<ptrdiff_t>(at),
                     all.widths.begin() + static_cast<ptrdiff_t>(prim->first_point));
        at = prim->first_point + prim->topology.point_count;
    }
    given.insert(given.end(), all.widths.begin() + static_cast<ptrdiff_t>(at), all.widths.end());
    std::erase_if(given, [](float width) { return !std::isfinite(width); });
    if (given.empty()) return;
    const auto middle = given.begin() + static_cast<ptrdiff_t>(given.size() / 2);
    std::nth_element(given.begin(), middle, given.end());
    for (const CurvePrim* prim : all.without_widths)
        std::fill_n(all.widths.begin() + static_cast<ptrdiff_t>(prim->first_point), prim->topology.point_count,
                    *middle);
}

void store_values(CollectedValues&& all, size_t points, size_t strands, CurveFile& file)
{
    GroomData& data = file.data;
    fill_widths(all, points);
    data.widths = std::move(all.widths);
    if (!all.colours.empty()) all.colours.resize(3 * points, kFallbackGrey);
    for (size_t i = 0; i + 2 < all.colours.size(); i += 3)
        data.colours.push_back({all.colours[i], all.colours[i + 1], all.colours[i + 2]});
    if (!all.opacities.empty()) all.opacities.resize(points, 1.0f);
    for (const float opacity : all.opacities) data.transparencies.push_back(1 - opacity);
    if (!all.uvs.empty()) all.uvs.resize(2 * strands, 0.0f);
    for (size_t i = 0; i + 1 < all.uvs.size(); i += 2) data.root_uvs.push_back({all.uvs[i], all.uvs[i + 1]});
    if (!all.ends.empty()) all.ends.resize(strands, 0.0f);
    for (const float ends : all.ends)
        data.ends.push_back(ends == 1 ? Ends::kFree : ends == 2 ? Ends::kBothHeld : Ends::kRootHeld);
}

Result<size_t> fill_groom(const UsdLayer& layer, const std::vector<CurvePrim>& prims, UsdLeftOut& left_out,
                          CurveFile& file)
{
    GroomData& data = file.data;
    CollectedValues values;
    data.first_point.push_back(0);
    data.points.resize(prims.back().first_point + prims.back().topology.point_count);
    for (const CurvePrim& prim : prims) {
        if (const auto done = collect_values(layer, prim, data.strand_count(), values, left_out); !done)
            return Error{done.error()};
        for (const uint32_t count : prim.topology.counts) data.first_point.push_back(data.first_point.back() + count);
        data.groups.resize(data.strand_count(), static_cast<uint32_t>(data.group_names.size()));
        data.group_names.push_back(path_of(*prim.node));
        file.kinds.push_back(prim.topology.kind);
        write_world_points(prim, {}, std::span(data.points).subspan(prim.first_point, prim.topology.point_count));
    }
    store_repairs(values, file);
    store_skin_repairs(prims, file);
    store_values(std::move(values), data.points.size(), data.strand_count(), file);
    return data.points.size();
}

/// Everything that moves points over time.
struct Motion {
    std::vector<double> codes;  ///< time codes at which anything has a sample, increasing
    size_t parts = 0;           ///< joints and transform operations that are evaluated for each time code
};

/// Visits skeletons and transforms that several prims share only once.
Motion motion_of(const std::vector<CurvePrim>& prims)
{
    Motion motion;
    std::unordered_set<const void*> seen;
    const auto add_xforms = [&](const UsdXform* xform) {
        for (; xform && seen.insert(xform).second; xform = xform->parent) {
            add_times(*xform, motion.codes);
            motion.parts += xform->ops.size();
        }
    };
    for (const CurvePrim& prim : prims) {
        for (const UsdSample& sample : prim.points.samples) motion.codes.push_back(sample.time);
        const UsdSkeleton* skeleton = prim.skin ? prim.skin->skeleton.get() : nullptr;
        add_xforms(skeleton ? skeleton->xform : prim.node->xform);
        if (!skeleton || !seen.insert(skeleton).second) continue;
        add_times(*skeleton, motion.codes);
        motion.parts += skeleton->parents.size();
    }
    std::sort(motion.codes.begin(), motion.codes.end());
    motion.codes.erase(std::unique(motion.codes.begin(), motion.codes.end()), motion.codes.end());
    return motion;
}

Result<size_t> fill_samples(const UsdLayer& layer, const std::vector<CurvePrim>& prims, CurveFile& file)
{
    // Without timeCodesPerSecond, time codes are frames.
    const double rate = layer.number("timeCodesPerSecond", layer.number("framesPerSecond", kFallbackCodesPerSecond));
    if (!(rate > 0 && std::isfinite(rate))) return Error{layer.name + ": timeCodesPerSecond must be above 0"};
    const Motion motion = motion_of(prims);
    const size_t points = file.data.points.size();
    const size_t max_bytes = kMaxSampleBytes + kMaxSampleBytesPerByte * layer.text.size();
    if (motion.codes.size() > max_bytes / ((points + motion.parts + 1) * sizeof(Vec3f)))
        return Error{
            fmt::format("{}: {} time samples of {} points take too much memory; export a shorter range of frames",
                        layer.name, motion.codes.size(), points)};
    for (const double code : motion.codes) {
        const double time = code / rate;
        if (!std::isfinite(time) || (!file.times.empty() && !(time > file.times.back())))
            return Error{layer.name + ": times in seconds do not increase; check timeCodesPerSecond"};
        file.times.push_back(time);
        std::vector<Vec3f>& sample = file.samples.emplace_back(points);
        for (const CurvePrim& prim : prims)
            write_world_points(prim, code, std::span(sample).subspan(prim.first_point, prim.topology.point_count));
    }
    return motion.codes.size();
}

Result<size_t> read_units(const UsdLayer& layer, UsdLeftOut& left_out, CurveFile& file)
{
    file.metres_per_unit = layer.number("metersPerUnit", kFallbackMetresPerUnit);
    if (!(file.metres_per_unit > 0 && std::isfinite(file.metres_per_unit)))
        return Error{layer.name + ": metersPerUnit must be above 0"};
    const UsdValue* up = layer.field("upAxis");
    const std::string_view axis = up && up->words().size() == 1 ? up->words()[0] : "Y";
    file.up = axis == "Y" ? UpAxis::kY : axis == "Z" ? UpAxis::kZ : UpAxis::kUnknown;
    file.states_unit = layer.field("metersPerUnit") != nullptr;
    if (file.up == UpAxis::kUnknown) left_out.add("unknown upAxis");
    file.states_up = up != nullptr;
    return size_t{0};
}

}  // namespace

Result<CurveFile> parse_usd(Bytes bytes, const std::string& name)
{
    const std::string_view text = as_text(bytes);
    if (text.starts_with("PXR-USDC"))
        return Error{name +
                     ": binary USD; export it as text, with a name that ends in .usda (Blender: File > Export > "
                     "Universal Scene Description), or convert it with: usdcat in.usdc -o out.usda"};
    if (text.starts_with("PK\x03\x04"))
        return Error{name + ": zipped USD; convert it to text with: usdcat in.usdz -o out.usda"};
    const Result<UsdLayer> layer = parse_usd_text(text, name);
    if (!layer) return Error{layer.error()};
    const Result<UsdStage> stage = make_stage(*layer);
    if (!stage) return Error{stage.error()};
    const Result<std::vector<CurvePrim>> prims = read_prims(*stage);
    if (!prims) return Error{prims.error()};
    UsdLeftOut left_out;
    count_left_out(*stage, left_out);
    if (prims->empty()) return no_curves(*layer, left_out.take());

    CurveFile file;
    file.format = CurveFormat::kUsd;
    if (const auto done = read_units(*layer, left_out, file); !done) return Error{done.error()};
    if (const auto done = fill_groom(*layer, *prims, left_out, file); !done) return Error{done.error()};
    if (const auto done = fill_samples(*layer, *prims, file); !done) return Error{done.error()};
    file.left_out = left_out.take();
    return file;
}

}  // namespace tendril
