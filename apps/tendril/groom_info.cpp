#include "groom_info.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tendril::app {
namespace {

/// Where a unit or an axis is known from.
const char* origin_of(bool stated)
{
    return stated ? "says the file" : "the default of its format";
}

std::string up_axis(const CurveFile& curves)
{
    if (curves.up == UpAxis::kUnknown) return "the file does not say";
    return fmt::format("{}, {}", curves.up == UpAxis::kY ? "y" : "z", origin_of(curves.states_up));
}

/// Guesses the unit in which the size is plausible for a head of hair, from a few centimetres to a few metres.
std::string guess_unit(const CurveFile& curves, double suspected, double diagonal)
{
    if (curves.metres_per_unit > 0)
        return fmt::format("{} m, {}", curves.metres_per_unit, origin_of(curves.states_unit));
    if (suspected > 0) return fmt::format("{} m, a guess from the size", suspected);
    if (diagonal >= 0.05 && diagonal < 5) return "1 m, a guess from the size";
    if (diagonal >= 5 && diagonal < 500) return "0.01 m, a guess from the size";
    if (diagonal >= 500 && diagonal < 50000) return "0.001 m, a guess from the size";
    return "unknown";
}

std::string kind_of(const CurveFile& curves)
{
    const char* const names[] = {"linear", "cubic bezier", "cubic bspline", "cubic catmullRom"};
    std::vector<std::string> kinds;
    for (const CurveKind& kind : curves.kinds) {
        const std::string name = names[static_cast<size_t>(kind.basis)];
        if (std::find(kinds.begin(), kinds.end(), name) == kinds.end()) kinds.push_back(name);
    }
    if (kinds.empty() || (kinds.size() == 1 && kinds[0] == "linear")) return "linear";
    return fmt::format("{} (these are control points)", fmt::join(kinds, ", "));
}

void measure_lengths(const GroomData& data, GroomInfo& info)
{
    std::vector<double> lengths;
    info.shortest_segment = INFINITY;
    info.min_points = data.points.size();
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const size_t first = data.first_point[s], end = data.first_point[s + 1];
        info.min_points = std::min(info.min_points, end - first);
        info.max_points = std::max(info.max_points, end - first);
        double total = 0;
        for (size_t i = first + 1; i < end; ++i) {
            const double l = length(to_double(data.points[i]) - to_double(data.points[i - 1]));
            if (!std::isfinite(l)) continue;
            total += l;
            info.shortest_segment = std::min(info.shortest_segment, l);
            info.longest_segment = std::max(info.longest_segment, l);
        }
        lengths.push_back(total);
    }
    if (!std::isfinite(info.shortest_segment)) info.shortest_segment = 0;
    if (lengths.empty()) return;
    std::sort(lengths.begin(), lengths.end());
    info.shortest = lengths.front();
    info.median = lengths[lengths.size() / 2];
    info.longest = lengths.back();
}

void measure_box(const GroomData& data, GroomInfo& info)
{
    info.low = {INFINITY, INFINITY, INFINITY};
    info.high = {-INFINITY, -INFINITY, -INFINITY};
    for (const Vec3f& point : data.points) {
        if (!is_finite(point)) continue;
        const Vec3d p = to_double(point);
        info.low = {std::min(info.low.x, p.x), std::min(info.low.y, p.y), std::min(info.low.z, p.z)};
        info.high = {std::max(info.high.x, p.x), std::max(info.high.y, p.y), std::max(info.high.z, p.z)};
    }
    if (!is_finite(info.low)) info.low = info.high = {0, 0, 0};
}

std::string triple(const Vec3d& v)
{
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

}  // namespace

GroomInfo describe_curves(const std::string& file, const CurveFile& curves)
{
    const GroomData& data = curves.data;
    GroomInfo info;
    info.file = file;
    info.format = format_name(curves.format);
    info.kind = kind_of(curves);
    info.strands = data.strand_count();
    info.points = data.points.size();
    info.frames = curves.times.size();
    CurveFile lines;
    lines.data = data;
    lines.kinds = curves.kinds;
    lines.left_out = curves.left_out;
    to_polylines(lines);
    measure_lengths(lines.data, info);
    measure_box(lines.data, info);
    const double suspected = suspected_unit(lines.data);
    info.unit = guess_unit(curves, suspected, length(info.high - info.low));
    info.up = up_axis(curves);
    info.left_out = lines.left_out;
    if (suspected > 0 && !(curves.metres_per_unit > 0))
        info.warnings.push_back(
            fmt::format("a scene takes the unit as 1 m; set groom.unit_scale = {0}, and body.unit_scale = {0} if the "
                        "mesh of the body has the same unit",
                        suspected));
    const auto has = [&](const char* name, bool there) {
        if (there) info.extras.emplace_back(name);
    };
    has("widths", !data.widths.empty());
    has("colours", !data.colours.empty());
    has("transparencies", !data.transparencies.empty());
    has("root UVs", !data.root_uvs.empty());
    has("both ends held", std::find(data.ends.begin(), data.ends.end(), Ends::kBothHeld) != data.ends.end());
    if (curves.follow_hairs > 0) info.extras.push_back(fmt::format("{} follow hairs per strand", curves.follow_hairs));
    if (data.group_names.size() > 1) info.extras.push_back(fmt::format("{} groups", data.group_names.size()));
    if (const auto groom = make_groom(std::move(lines.data)))
        info.repairs = groom->repairs();
    else
        info.repairs = {{groom.error(), data.strand_count()}};
    return info;
}

std::string info_text(const std::vector<GroomInfo>& infos)
{
    std::string out;
    for (const GroomInfo& info : infos) {
        const std::string each = info.min_points == info.max_points
                                     ? fmt::format("{}", info.max_points)
                                     : fmt::format("{} to {}", info.min_points, info.max_points);
        out += fmt::format("{}\n", info.file);
        const auto row = [&](const char* name, const std::string& value) {
            out += fmt::format("  {:<15}{}\n", name, value);
        };
        row("format", info.format);
        row("strands", fmt::format("{} x {} points, {} in all, {}", info.strands, each, info.points, info.kind));
        row("lengths", fmt::format("{:.6g} to {:.6g}, median {:.6g}", info.shortest, info.longest, info.median));
        row("segments", fmt::format("{:.6g} to {:.6g}", info.shortest_segment, info.longest_segment));
        row("box", fmt::format("{} to {}", triple(info.low), triple(info.high)));
        row("unit", info.unit);
        row("up", info.up);
        if (!info.extras.empty()) row("also has", fmt::format("{}", fmt::join(info.extras, ", ")));
        if (info.frames > 0) row("frames", fmt::format("{}", info.frames));
        for (const Repair& repair : info.repairs) row("to repair", fmt::format("{}: {}", repair.what, repair.count));
        if (info.repairs.empty()) row("to repair", "nothing");
        if (!info.left_out.empty()) row("left out", left_out_text(info.left_out));
        for (const std::string& warning : info.warnings) row("warning", warning);
    }
    return out;
}

std::string info_json(const std::vector<GroomInfo>& infos)
{
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    const auto vector = [](const Vec3d& v) { return Json::array({v.x, v.y, v.z}); };
    for (const GroomInfo& info : infos) {
        Json repairs = Json::array(), left_out = Json::array();
        for (const auto& [what, count] : info.left_out) left_out.push_back({{"what", what}, {"count", count}});
        for (const Repair& r : info.repairs) repairs.push_back({{"what", r.what}, {"count", r.count}});
        list.push_back({{"file", info.file},
                        {"format", info.format},
                        {"strands", info.strands},
                        {"points", info.points},
                        {"points_per_strand", {info.min_points, info.max_points}},
                        {"kind", info.kind},
                        {"length", {{"min", info.shortest}, {"median", info.median}, {"max", info.longest}}},
                        {"segment", {{"min", info.shortest_segment}, {"max", info.longest_segment}}},
                        {"box", {vector(info.low), vector(info.high)}},
                        {"unit", info.unit},
                        {"up", info.up},
                        {"also", info.extras},
                        {"frames", info.frames},
                        {"repairs", repairs},
                        {"left_out", left_out},
                        {"warnings", info.warnings}});
    }
    return list.dump(2) + "\n";
}

}  // namespace tendril::app
