#include "tendril/groom.h"

#include "groom/strand_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// A repeated point gets this share of the strand's mean segment length as its rest length.
constexpr double kMinSegmentShare = 1e-3;
// Larger coordinates are considered invalid: floats resolve only 0.06 m there.
constexpr float kLargestCoordinate = 1e6f;
// A shorter strand has no direction that floats could represent [m].
constexpr double kMinStrandLength = 1e-6;
// A strand shorter than this share of the median is considered an error of the exporter.
constexpr double kMinShareOfMedian = 1e-3;

bool is_usable(const Vec3f& p)
{
    return std::abs(p.x) <= kLargestCoordinate && std::abs(p.y) <= kLargestCoordinate &&
           std::abs(p.z) <= kLargestCoordinate;  // false for NaN
}

/// An attribute must be empty or have one entry per strand or point.
std::optional<Error> check_count(const char* what, size_t entries, size_t expected, const char* of)
{
    if (entries == 0 || entries == expected) return {};
    return Error{fmt::format("groom: there are {} {}, but {} {}", expected, of, entries, what)};
}

double median(std::vector<double> values)
{
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

struct Selection {
    std::vector<uint32_t> kept;
    size_t not_finite = 0, too_short = 0;
};

Selection select_valid(const GroomData& data)
{
    const size_t strands = data.strand_count();
    std::vector<double> lengths = strand_lengths(data), usable;
    std::vector<bool> finite(strands);
    for (size_t s = 0; s < strands; ++s) {
        const auto points = strand_points(data, s);
        finite[s] = std::all_of(points.begin(), points.end(), is_usable);
        if (finite[s] && lengths[s] > kMinStrandLength) usable.push_back(lengths[s]);
    }
    const double min_length = std::max(kMinStrandLength, kMinShareOfMedian * median(std::move(usable)));
    Selection selection;
    for (size_t s = 0; s < strands; ++s) {
        if (!finite[s])
            ++selection.not_finite;
        else if (!(lengths[s] > min_length))
            ++selection.too_short;
        else
            selection.kept.push_back(static_cast<uint32_t>(s));
    }
    return selection;
}

/// Measures all segments and lengthens those that are too short. Returns the number of lengthened segments.
size_t measure_segments(const GroomData& data, std::vector<float>& out)
{
    size_t repeated = 0;
    out.reserve(data.points.size());
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const auto points = strand_points(data, s);
        const size_t begin = out.size();
        double total = 0;
        out.push_back(0);
        for (size_t i = 1; i < points.size(); ++i) {
            const double l = length(to_double(points[i]) - to_double(points[i - 1]));
            total += l;
            out.push_back(static_cast<float>(l));
        }
        const auto min_length = static_cast<float>(kMinSegmentShare * total / static_cast<double>(points.size() - 1));
        for (size_t i = begin + 1; i < out.size(); ++i)
            if (out[i] < min_length) {
                out[i] = min_length;
                ++repeated;
            }
    }
    return repeated;
}

}  // namespace

std::optional<Error> check_shape(const GroomData& data)
{
    const auto& first = data.first_point;
    if (first.size() < 2) return Error{"groom: no strands; give at least one"};
    if (first.front() != 0 || first.back() != data.points.size())
        return Error{fmt::format("groom: the strands cover points {} to {}, but there are {} points", first.front(),
                                 first.back(), data.points.size())};
    for (size_t s = 0; s + 1 < first.size(); ++s)
        if (first[s] > first[s + 1])
            return Error{
                fmt::format("groom: strand {} starts at point {}, after its end {}", s, first[s], first[s + 1])};
    const size_t strands = first.size() - 1, points = data.points.size();
    for (const auto& wrong : {check_count("ends", data.ends.size(), strands, "strands"),
                              check_count("root UVs", data.root_uvs.size(), strands, "strands"),
                              check_count("groups", data.groups.size(), strands, "strands"),
                              check_count("widths", data.widths.size(), points, "points"),
                              check_count("colours", data.colours.size(), points, "points"),
                              check_count("transparencies", data.transparencies.size(), points, "points")})
        if (wrong) return wrong;
    for (uint32_t g : data.groups)
        if (g >= data.group_names.size())
            return Error{
                fmt::format("groom: a strand is in group {}, but there are {} groups", g, data.group_names.size())};
    return {};
}

Result<Groom> make_groom(GroomData data, RepairPolicy dirt)
{
    if (auto wrong = check_shape(data)) return *wrong;
    const size_t strands = data.strand_count();
    Selection selection = select_valid(data);
    if (selection.kept.empty())
        return Error{
            fmt::format("groom: none of the {} strands is usable; each needs two different finite points", strands)};
    Groom::Shared groom;
    groom.repairs = std::move(data.repairs);
    groom.warnings = std::move(data.warnings);
    if (selection.kept.size() < strands) {
        groom.data = subset(data, selection.kept);
        groom.source = std::move(selection.kept);
    } else {
        groom.data = std::move(data);
    }
    const size_t repeated = measure_segments(groom.data, groom.rest_lengths);
    auto repaired = [&](const char* what, size_t count) {
        if (count > 0) groom.repairs.push_back({what, count});
    };
    repaired("strands dropped: a point is not finite", selection.not_finite);
    repaired("strands dropped: almost no length", selection.too_short);
    repaired("repeated points given a short segment", repeated);
    if (dirt == RepairPolicy::kRefuse && !groom.repairs.empty())
        return Error{fmt::format("groom: {}: {}; without strict checking this is repaired", groom.repairs[0].what,
                                 groom.repairs[0].count)};
    return Groom(std::make_shared<const Groom::Shared>(std::move(groom)));
}

}  // namespace tendril
