// Resampling of curves and selection of strands.
#include "groom/polyline.h"
#include "groom/strand_data.h"

#include <cmath>

namespace tendril {
namespace {

template <class T>
void append_range(std::vector<T>& to, const std::vector<T>& from, size_t begin, size_t end)
{
    if (from.empty()) return;
    to.insert(to.end(), from.begin() + static_cast<ptrdiff_t>(begin), from.begin() + static_cast<ptrdiff_t>(end));
}

}  // namespace

std::vector<double> strand_lengths(const GroomData& data)
{
    std::vector<double> lengths(data.strand_count());
    for (size_t s = 0; s < lengths.size(); ++s) lengths[s] = polyline_length(strand_points(data, s));
    return lengths;
}

GroomData subset(const GroomData& data, std::span<const uint32_t> strands)
{
    GroomData out;
    out.group_names = data.group_names;
    out.repairs = data.repairs;
    out.warnings = data.warnings;
    out.first_point.push_back(0);
    for (uint32_t s : strands) {
        const size_t begin = data.first_point[s], end = data.first_point[s + 1];
        append_range(out.points, data.points, begin, end);
        append_range(out.widths, data.widths, begin, end);
        append_range(out.colours, data.colours, begin, end);
        append_range(out.transparencies, data.transparencies, begin, end);
        append_range(out.ends, data.ends, s, s + 1);
        append_range(out.root_uvs, data.root_uvs, s, s + 1);
        append_range(out.groups, data.groups, s, s + 1);
        out.first_point.push_back(static_cast<uint32_t>(out.points.size()));
    }
    return out;
}

GroomData resampled(const GroomData& data, uint32_t points_per_strand)
{
    GroomData out;
    out.ends = data.ends;
    out.root_uvs = data.root_uvs;
    out.groups = data.groups;
    out.group_names = data.group_names;
    out.repairs = data.repairs;
    out.warnings = data.warnings;
    out.first_point.push_back(0);
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const auto points = strand_points(data, s);
        const size_t first = data.first_point[s], begin = out.points.size();
        const double total_length = polyline_length(points);
        if (points.size() < 2 || points_per_strand < 2 || !std::isfinite(total_length)) {
            const size_t end = data.first_point[s + 1];
            append_range(out.points, data.points, first, end);
            append_range(out.widths, data.widths, first, end);
            append_range(out.colours, data.colours, first, end);
            append_range(out.transparencies, data.transparencies, first, end);
        } else {
            for (const PolylinePoint& point : even_points(points, points_per_strand)) {
                out.points.push_back(point.interpolate(points));
                if (!data.widths.empty())
                    out.widths.push_back(point.interpolate(std::span(data.widths).subspan(first)));
                if (!data.colours.empty())
                    out.colours.push_back(point.interpolate(std::span(data.colours).subspan(first)));
                if (!data.transparencies.empty())
                    out.transparencies.push_back(point.interpolate(std::span(data.transparencies).subspan(first)));
            }
            stretch_to(std::span(out.points).subspan(begin), total_length);
        }
        out.first_point.push_back(static_cast<uint32_t>(out.points.size()));
    }
    return out;
}

}  // namespace tendril
