#include "solvers/strings/string_collide.h"

#include "solvers/contact/collider-inl.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

namespace kernel = HWY_NAMESPACE;

/// Contact points per segment: its first particle, and points between it and the second.
constexpr int kPointsPerSegment = 4;
constexpr size_t kPiecesPerTask = 8;
/// Smaller penetration is resolved at once instead of being eased out [m].
constexpr double kMinEasedDepth = 1e-5;

Vec3d point_at(const std::vector<Vec3d>& positions, size_t i, double share)
{
    return share == 0 ? positions[i] : positions[i] + (positions[i + 1] - positions[i]) * share;
}

/// Whether a body holds the string at either end of a segment, or one particle farther.
bool held_near(const Strings& s, const StringPiece& piece, size_t segment, size_t body)
{
    const size_t first = std::max(piece.first + 1, segment) - 1, last = std::min(piece.last, segment + 2);
    for (size_t i = first; i <= last; ++i)
        if (s.holder[i] == body + 1) return true;
    return false;
}

struct Nearest {
    double distance;
    Vec3d normal, motion;
};

Nearest nearest_surface(const ColliderSubstep& collider, const Vec3d& from_origin, double within)
{
    const Vec3f x = to_float(from_origin);
    auto hit = kernel::nothing_within(static_cast<float>(within));
    if (!kernel::take_nearer_collider(collider, kernel::Vec3<float>{x.x, x.y, x.z}, 0.0f, hit))
        return {within, {0, 1, 0}, {0, 0, 0}};
    if (kernel::does_not_deform(collider)) hit.motion = kernel::motion_at(collider, kernel::Vec3<float>{x.x, x.y, x.z});
    return {static_cast<double>(hit.distance), to_double({hit.normal.x, hit.normal.y, hit.normal.z}),
            to_double({hit.motion.x, hit.motion.y, hit.motion.z})};
}

/// The penetration that a point of a segment may keep over the substep, because it was deeper inside at its start [m].
double retained_penetration(const Strings& s, const StringObstacles& obstacles, size_t segment, double share,
                            const ColliderSubstep& collider)
{
    const StringSurface& surface = obstacles.surfaces[s.owner[segment]];
    if (!(surface.retained > 0)) return 0;
    const double away = s.radius[segment] + surface.margin;
    // The collider is in its pose at the end of the substep, so the point follows it there.
    const Vec3d start = point_at(s.before, segment, share) - obstacles.origin;
    const Vec3d motion = nearest_surface(collider, start, away + static_cast<double>(collider.max_travel)).motion;
    const double depth = away - nearest_surface(collider, start + motion, away).distance;
    return depth > kMinEasedDepth ? depth * surface.retained : 0;
}

}  // namespace

void StringCollisions::find(const Strings& s, const StringObstacles& obstacles, Executor& executor)
{
    near_.resize(s.pieces.size());
    parallel_for(executor, s.pieces.size(), kPiecesPerTask, [&](size_t begin, size_t end) {
        for (size_t p = begin; p < end; ++p) {
            const StringPiece& piece = s.pieces[p];
            near_[p].clear();
            for (size_t i = piece.first; i <= piece.last; ++i) {
                const bool last = i == piece.last;
                const Vec3d x = s.position[i] - obstacles.origin;
                const double displacement = length(s.position[i] - s.before[i]), l = last ? 0 : length(s.edge(i));
                const double away = s.radius[i] + obstacles.surfaces[s.owner[i]].margin;
                for (size_t o = 0; o < obstacles.list.size(); ++o) {
                    if (held_near(s, piece, i, obstacles.list[o].body)) continue;
                    const ColliderSubstep& collider = obstacles.list[o].collider;
                    const double reach = away + l + 2 * displacement + static_cast<double>(collider.max_travel);
                    const double ball = static_cast<double>(collider.bounding_radius) + reach;
                    const Vec3d d = x - to_double(collider.centre);
                    if (dot(d, d) > ball * ball) continue;
                    if (nearest_surface(collider, x, reach).distance >= reach) continue;
                    for (int k = 0; k < (last ? 1 : kPointsPerSegment); ++k) {
                        const double share = static_cast<double>(k) / kPointsPerSegment;
                        const double retained = retained_penetration(s, obstacles, i, share, collider);
                        near_[p].push_back({i, share, o, retained, {}, 0, {0, 0, 0}, {0, 0, 0}});
                    }
                }
            }
        }
    });
}

void StringCollisions::push_out(Strings& s, const StringObstacles& obstacles, Executor& executor)
{
    parallel_for(executor, near_.size(), kPiecesPerTask, [&](size_t begin, size_t end) {
        for (size_t p = begin; p < end; ++p)
            for (ObstacleContact& c : near_[p]) {
                const size_t i = c.segment;
                const double one = 1 - c.share, two = c.share, w_one = s.inverse_mass[i];
                const double w_two = two > 0 ? s.inverse_mass[i + 1] : 0;
                const StringObstacle& obstacle = obstacles.list[c.obstacle];
                const double own = one * one * w_one + two * two * w_two, both = own + obstacle.inverse_mass;
                if (!(own > 0)) continue;
                const Vec3d x = point_at(s.position, i, c.share);
                const double away = s.radius[i] + obstacles.surfaces[s.owner[i]].margin;
                const Nearest near = nearest_surface(obstacle.collider, x - obstacles.origin, away + c.push * both);
                // Earlier pushes have moved the body, but not its collider.
                const double penetration = away - c.retained - near.distance - obstacle.inverse_mass * c.push;
                const double push = std::max(0.0, c.push + penetration / both);
                const auto go = [&](const Vec3d& impulse) {
                    s.position[i] += impulse * (one * w_one);
                    if (two > 0) s.position[i + 1] += impulse * (two * w_two);
                };
                const Vec3d out = near.normal * (push - c.push);
                c.position = x;
                c.pushed += out;
                c.push = push;
                go(out);
                const Vec3d moved = point_at(s.position, i, c.share) - point_at(s.before, i, c.share) - near.motion +
                                    (c.pushed + c.friction_impulse) * obstacle.inverse_mass;
                const Vec3d slide = moved - near.normal * dot(near.normal, moved);
                Vec3d friction_impulse = c.friction_impulse - slide * (1 / both);
                const double limit = obstacles.surfaces[s.owner[i]].friction * push, size = length(friction_impulse);
                if (size > limit) friction_impulse = friction_impulse * (limit / size);
                go(friction_impulse - c.friction_impulse);
                c.friction_impulse = friction_impulse;
            }
    });
}

}  // namespace tendril
