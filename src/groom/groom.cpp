#include "tendril/groom.h"

#include <fmt/core.h>

#include <limits>

namespace tendril {
namespace {

// A repeated point gets this share of the strand's mean segment as its rest length.
constexpr double kLeastSegment = 1e-3;
// Coordinates beyond this are taken for garbage: floats resolve only 0.06 m there.
constexpr float kLargestCoordinate = 1e6f;
// A strand shorter than this has no direction that floats could hold.
constexpr double kLeastStrandLength = 1e-6;

bool is_usable(std::span<const Vec3f> points)
{
    double total = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        const Vec3f& p = points[i];
        if (!is_finite(p)) return false;
        if (std::abs(p.x) > kLargestCoordinate || std::abs(p.y) > kLargestCoordinate ||
            std::abs(p.z) > kLargestCoordinate)
            return false;
        if (i > 0) total += length(to_double(p) - to_double(points[i - 1]));
    }
    return points.size() >= 2 && total > kLeastStrandLength;
}

double mean_segment(std::span<const Vec3f> points)
{
    double total = 0;
    for (size_t i = 1; i < points.size(); ++i) total += length(to_double(points[i]) - to_double(points[i - 1]));
    return total / static_cast<double>(points.size() - 1);
}

}  // namespace

Result<Groom> make_groom(GroomData data)
{
    const auto& first = data.first_point;
    if (first.size() < 2) return Error{"groom: no strands; give at least one"};
    if (first.front() != 0 || first.back() != data.points.size())
        return Error{fmt::format("groom: the strands cover points {} to {}, but there are {}", first.front(),
                                 first.back(), data.points.size())};
    for (size_t s = 0; s + 1 < first.size(); ++s)
        if (first[s] > first[s + 1])
            return Error{
                fmt::format("groom: strand {} starts at point {}, behind its end {}", s, first[s], first[s + 1])};
    if (!data.ends.empty() && data.ends.size() + 1 != first.size())
        return Error{fmt::format("groom: {} strands, but ends for {}", first.size() - 1, data.ends.size())};

    Groom groom;
    groom.first_point_.push_back(0);
    groom.points_.reserve(data.points.size());
    groom.rest_lengths_.reserve(data.points.size());
    size_t dropped = 0, repeated = 0;
    for (size_t s = 0; s + 1 < first.size(); ++s) {
        const std::span<const Vec3f> points(data.points.data() + first[s], data.points.data() + first[s + 1]);
        if (!is_usable(points)) {
            ++dropped;
            continue;
        }
        const double least = kLeastSegment * mean_segment(points);
        for (size_t i = 0; i < points.size(); ++i) {
            double rest = i == 0 ? 0 : length(to_double(points[i]) - to_double(points[i - 1]));
            if (i > 0 && rest < least) {
                rest = least;
                ++repeated;
            }
            groom.points_.push_back(points[i]);
            groom.rest_lengths_.push_back(static_cast<float>(rest));
        }
        groom.first_point_.push_back(static_cast<uint32_t>(groom.points_.size()));
        if (!data.ends.empty()) groom.ends_.push_back(data.ends[s]);
    }
    if (groom.strand_count() == 0)
        return Error{fmt::format("groom: none of its {} strands is usable; each needs two different finite points",
                                 first.size() - 1)};
    if (dropped) groom.repairs_.push_back({"strands dropped: not finite, of no length, or of one point", dropped});
    if (repeated) groom.repairs_.push_back({"repeated points given a short segment", repeated});
    return groom;
}

}  // namespace tendril
