#include "cache_output.h"

#include <fmt/format.h>

namespace tendril::app {
namespace {

/// Calls `f(view, groom, name)` for all grooms and children.
template <class F>
void for_all_strands(World& world, const F& f)
{
    for (uint32_t g = 0; g < world.groom_count(); ++g)
        f([&] { return world.curves(GroomId{g}); }, world.groom(GroomId{g}), fmt::format("groom_{}", g));
    for (uint32_t c = 0; c < world.children_count(); ++c)
        f([&] { return world.curves(ChildrenId{c}); }, world.children(ChildrenId{c}), fmt::format("children_{}", c));
}

/// Appends optional arrays; `all` becomes false once a groom lacks the array.
template <class T>
void append(std::vector<T>& to, const std::vector<T>& from, size_t before, bool& all)
{
    all = all && !from.empty() && to.size() == before;
    if (all) to.insert(to.end(), from.begin(), from.end());
}

/// The data that does not change over the frames.
CurveFile head_of(World& world)
{
    CurveFile curves;
    curves.metres_per_unit = 1;
    curves.up = UpAxis::kY;
    GroomData& data = curves.data;
    data.first_point.push_back(0);
    bool widths = true, colours = true, transparencies = true, uvs = true;
    for_all_strands(world, [&](const auto&, const Groom& groom, const std::string& name) {
        const size_t points = data.points.size(), strands = data.strand_count();
        const GroomData& more = groom.data();
        append(data.widths, more.widths, points, widths);
        append(data.colours, more.colours, points, colours);
        append(data.transparencies, more.transparencies, points, transparencies);
        append(data.root_uvs, more.root_uvs, strands, uvs);
        for (size_t s = 0; s < groom.strand_count(); ++s) {
            data.ends.push_back(groom.ends(s));
            data.groups.push_back(static_cast<uint32_t>(data.group_names.size()));
            data.first_point.push_back(static_cast<uint32_t>(points + groom.first_points()[s + 1]));
        }
        data.points.insert(data.points.end(), more.points.begin(), more.points.end());
        data.group_names.push_back(name);
    });
    if (!widths) data.widths.clear();
    if (!colours) data.colours.clear();
    if (!transparencies) data.transparencies.clear();
    if (!uvs) data.root_uvs.clear();
    return curves;
}

}  // namespace

Result<CacheOutput> CacheOutput::create(const OutputPath& file, World& world)
{
    auto writer = CacheWriter::create(file.path(), head_of(world));
    if (!writer) return Error{writer.error()};
    return CacheOutput(std::move(*writer));
}

Result<CacheOutput> CacheOutput::resume(const OutputPath& file, World& world)
{
    auto writer = CacheWriter::resume(file.path(), head_of(world));
    if (!writer) return Error{writer.error()};
    return CacheOutput(std::move(*writer));
}

Result<size_t> CacheOutput::add_frame(World& world)
{
    points_.clear();
    Vec3d origin{0, 0, 0};
    for_all_strands(world, [&](const auto& look, const Groom&, const std::string&) {
        const CurvesView view = look();
        if (points_.empty()) origin = view.origin;
        const Vec3d shift = view.origin - origin;
        if (shift == Vec3d{0, 0, 0})
            points_.insert(points_.end(), view.points.begin(), view.points.end());
        else
            for (const Vec3f& p : view.points) points_.push_back(to_float(to_double(p) + shift));
    });
    return writer_.append(world.time(), origin, points_);
}

}  // namespace tendril::app
