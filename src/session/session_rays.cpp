// Picking, grabbing and cutting strands along rays from the eye.
#include "session/ray_hits.h"
#include "session/session_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::session {
namespace {

/// Hits within this share of the cone are clear. Among clear hits, `pick` takes the one nearest to the eye.
constexpr double kClear = 0.5;
/// Reach of the scissors behind the first strand that they cut, in units of the radius of the cone there.
constexpr double kScissors = 10;

DrawnCurves curves_of(const Running& r, size_t k)
{
    const StrandsPart& part = r.shown.parts()[k];
    const StrandsFrame& now = r.frame.strands[k];
    return {now.points, part.first_point, part.string ? now.string.widths : part.widths, now.origin, part.string};
}

}  // namespace

std::optional<Hit> Session::pick(const Ray& ray)
{
    const Running& r = state_->running;
    const double clear = kClear * std::tan(std::clamp(ray.cone, 0.0, 1.5));
    std::optional<SegmentHit> best;
    size_t best_part = 0;
    const auto is_better = [&](const SegmentHit& a, size_t part) {
        if (!best) return true;
        if (best_part == part && best->strand == a.strand) return a.off_axis < best->off_axis;
        if (a.angle <= clear && best->angle <= clear) return a.depth < best->depth;
        return a.angle < best->angle;
    };
    for (size_t k = 0; k < r.shown.parts().size(); ++k) {
        if (r.shown.parts()[k].follow) continue;
        for_hits(curves_of(r, k), ray, [&](const SegmentHit& hit) {
            if (!is_better(hit, k)) return;
            best = hit;
            best_part = k;
        });
    }
    if (!best) return {};
    const DrawnCurves curves = curves_of(r, best_part);
    const uint32_t first = curves.first_point[best->strand] + best->segment;
    const Vec3d a = to_double(curves.points[first]), b = to_double(curves.points[first + 1]);
    Hit hit;
    hit.part = static_cast<uint32_t>(best_part);
    hit.groom = r.shown.parts()[best_part].groom;
    hit.strand = best->strand;
    hit.particle = best->segment + (best->share > 0.5 ? 1 : 0);
    hit.point = curves.origin + a + (b - a) * best->share;
    hit.distance = best->depth;
    return hit;
}

Result<uint32_t> Session::grab(const Hit& hit, bool clamped)
{
    Running& r = state_->running;
    if (hit.part >= r.shown.parts().size() || r.shown.parts()[hit.part].follow)
        return Error{"children cannot be held, because they are not simulated; hold a guide"};
    return r.hands.grab(r.world, hit, clamped);
}

size_t Session::cut(const Ray& ray)
{
    Running& r = state_->running;
    struct Cut {
        size_t part = 0;
        SegmentHit hit;
    };
    std::vector<Cut> cuts;  // one per strand, at the point nearest to the ray
    for (size_t k = 0; k < r.shown.parts().size(); ++k)
        for_hits(curves_of(r, k), ray, [&](const SegmentHit& hit) {
            const bool same = !cuts.empty() && cuts.back().part == k && cuts.back().hit.strand == hit.strand;
            if (!same) cuts.push_back({k, hit});
            if (same && hit.off_axis < cuts.back().hit.off_axis) cuts.back().hit = hit;
        });
    double nearest = std::numeric_limits<double>::max();
    for (const Cut& c : cuts) nearest = std::min(nearest, c.hit.depth);
    const double reach = nearest * (1 + kScissors * std::tan(std::clamp(ray.cone, 0.0, 1.5)));
    size_t count = 0;
    for (const Cut& c : cuts) {
        if (c.hit.depth > reach) continue;
        const StrandsPart& part = r.shown.parts()[c.part];
        count += part.string ? r.world.cut({{part.groom}, c.hit.strand, c.hit.segment})
                             : r.shown.hide_behind(c.part, c.hit.strand, c.hit.segment);
    }
    if (count > 0) r.look();
    return count;
}

}  // namespace tendril::session
