#include "solvers/string_contact.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// Segments of one string that are nearer than this along it, in units of what keeps two apart, are no pair: in a bend
/// they would always touch.
constexpr double kNeighbours = 1.6;

Vec3d at(const std::vector<Vec3d>& places, uint32_t i, double share)
{
    return places[i] + (places[i + 1] - places[i]) * share;
}

bool neighbours(const Strings& s, const SegmentPair& pair, double apart)
{
    if (s.string[pair.a] != s.string[pair.b]) return false;
    return (pair.b - pair.a - 1) * s.rest[pair.a] < kNeighbours * apart;
}

MovingSegment moving(const Strings& s, uint32_t i)
{
    return {{s.before[i], s.before[i + 1]}, {s.place[i], s.place[i + 1]}};
}

}  // namespace

void StringContacts::find_candidates(const Strings& s, const StringContactSettings& settings, Executor& executor)
{
    double thickest = 0, fastest = 0, moved = 0;
    const bool known = known_.size() == s.size();
    for (size_t i = 0; i < s.size(); ++i) {
        thickest = std::max(thickest, s.radius[i]);
        fastest = std::max(fastest, travel_[i]);
        if (known) moved = std::max(moved, length(s.before[i] - known_[i]));
    }
    if (known && moved + fastest <= margin_ / 2) return;
    // As far as they may come in a few substeps: looking again costs more than looking at some in vain.
    margin_ = 2 * thickest + 8 * fastest;
    const auto found =
        search_.find({s.before, s.whole}, 2 * thickest + margin_, settings.search, executor, settings.voxel);
    candidates_.assign(found.begin(), found.end());
    known_ = s.before;
}

void StringContacts::find(Strings& s, const StringContactSettings& settings, Executor& executor)
{
    settings_ = settings;
    travel_.resize(s.size());
    for (size_t i = 0; i < s.size(); ++i) travel_[i] = length(s.place[i] - s.before[i]);
    find_candidates(s, settings, executor);
    contacts_.clear();
    touches_.assign(candidates_.size(), 0);
    std::fill(s.touching.begin(), s.touching.end(), uint8_t{0});
    look_again(s);
}

bool StringContacts::look_again(Strings& s)
{
    bool more = false;
    for (size_t i = 0; i < s.size(); ++i) travel_[i] = length(s.place[i] - s.before[i]);
    for (size_t k = 0; k < candidates_.size(); ++k) {
        const SegmentPair& pair = candidates_[k];
        if (touches_[k] || !s.whole[pair.a] || !s.whole[pair.b] || !look_at(s, pair)) continue;
        touches_[k] = more = true;
        s.touching[pair.a] = s.touching[pair.a + 1] = s.touching[pair.b] = s.touching[pair.b + 1] = 1;
    }
    return more;
}

bool StringContacts::look_at(Strings& s, const SegmentPair& pair)
{
    const auto [a, b] = pair;
    const double apart = s.radius_now(a) + s.radius_now(b);
    if (neighbours(s, pair, apart)) return false;
    const SegmentPoints first = nearest_points(s.before[a], s.before[a + 1], s.before[b], s.before[b + 1]);
    const Vec3d between_before = at(s.before, a, first.s) - at(s.before, b, first.t);
    const double way = std::max(travel_[a], travel_[a + 1]) + std::max(travel_[b], travel_[b + 1]);
    const double distance = length(between_before);
    if (distance > apart + way) return false;
    if (settings_.continuous && distance < way) {
        if (const auto met = first_meeting(moving(s, a), moving(s, b))) {
            const auto [share, other] = met->points;
            const Vec3d came = at(s.before, a, share) - at(s.before, b, other);
            const MovingSegment p = moving(s, a), q = moving(s, b);
            Vec3d n = cross(p.at(1, met->time) - p.at(0, met->time), q.at(1, met->time) - q.at(0, met->time));
            n = unit_or(n, unit_or(came, {0, 1, 0}));
            contacts_.push_back({pair, met->points, dot(n, came) < 0 ? n * -1.0 : n, apart, 0, {0, 0, 0}});
            return true;
        }
    }
    const SegmentPoints last = nearest_points(s.place[a], s.place[a + 1], s.place[b], s.place[b + 1]);
    const Vec3d between = at(s.place, a, last.s) - at(s.place, b, last.t);
    if (dot(between, between) > apart * apart) return false;
    // Where they lie on each other their direction has no digits; before they did it had.
    const Vec3d n = unit_or(between, unit_or(between_before, {0, 1, 0}));
    contacts_.push_back(
        {pair, last, dot(n, between_before) < 0 && distance > 0.1 * apart ? n * -1.0 : n, apart, 0, {0, 0, 0}});
    return true;
}

void StringContacts::push_apart(Strings& s)
{
    for (StringContact& c : contacts_) {
        const auto [a, b] = c.pair;
        const double shares[4] = {1 - c.points.s, c.points.s, c.points.t - 1, -c.points.t};
        const size_t particles[4] = {a, a + size_t{1}, b, b + size_t{1}};
        double lightness = 0;
        Vec3d between{0, 0, 0}, moved{0, 0, 0};
        for (int k = 0; k < 4; ++k) {
            lightness += shares[k] * shares[k] * s.lightness[particles[k]];
            between += s.place[particles[k]] * shares[k];
            moved += (s.place[particles[k]] - s.before[particles[k]]) * shares[k];
        }
        if (!(lightness > 0)) continue;
        const auto go = [&](const Vec3d& impulse) {
            for (int k = 0; k < 4; ++k) s.place[particles[k]] += impulse * (shares[k] * s.lightness[particles[k]]);
        };
        const double push = std::max(0.0, c.push + (c.apart - dot(c.normal, between)) / lightness);
        const Vec3d pushed = c.normal * (push - c.push);
        c.push = push;
        go(pushed);
        moved += pushed * lightness;
        const Vec3d slide = moved - c.normal * dot(c.normal, moved);
        Vec3d rub = c.rub - slide * (1 / lightness);
        const double most = settings_.friction * push, size = length(rub);
        if (size > most) rub = rub * (most / size);
        go(rub - c.rub);
        c.rub = rub;
    }
}

}  // namespace tendril
