#include "solvers/strings/string_contact.h"

#include "math/chunks.h"
#include "math/vectors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace tendril {
namespace {

/// Segments of one string that are nearer along it than this, in units of the distance that touching segments have, are
/// no pair: in a bend they would always touch.
constexpr double kNeighbours = 1.6;
/// Share of the initial overlap that a substep corrects; more would throw strings apart.
constexpr double kOverlapCorrection = 0.2;
/// No particle moves farther than the overlap over this. Beside a held particle, which leaves no lever arm, it would
/// have to.
constexpr double kLever = 0.25;
/// Candidates are kept until a segment leaves its search box. The box extends its path by the motion of this many
/// substeps and is wider by a margin, in units of the largest radius, and by a share of the path. Wider boxes need
/// fewer searches but find more pairs; the values are measured.
constexpr float kSubstepsAhead = 2.0f;
constexpr double kMarginRadii = 0.25;
constexpr float kMarginShare = 0.3f;
/// Distance that a particle may be moved, in units of the largest radius, before near pairs are chosen again.
constexpr double kStray = 0.35;
// Sizes of chunks, which do not depend on the number of threads.
constexpr size_t kParticles = 2048, kCandidates = 8192, kNear = 256, kPushes = 128;
constexpr size_t kSamples = 256;  // about this many particles are enough for the centre of all
constexpr uint8_t kColours = 64;  // one thread pushes the last colour, whose contacts may share particles

Vec3d at(const std::vector<Vec3d>& positions, uint32_t i, double share)
{
    return positions[i] + (positions[i + 1] - positions[i]) * share;
}

bool neighbours(const Strings& s, const SegmentPair& pair)
{
    if (s.string[pair.a] != s.string[pair.b]) return false;
    return (pair.b - pair.a - 1) * s.rest[pair.a] < kNeighbours * (s.radius[pair.a] + s.radius[pair.b]);
}

MovingSegment moving(const Strings& s, uint32_t i)
{
    return {{s.before[i], s.before[i + 1]}, {s.position[i], s.position[i + 1]}};
}

double distance_of(const std::vector<Vec3d>& positions, const SegmentPair& pair)
{
    const auto [a, b] = pair;
    const SegmentPoints near = nearest_points(positions[a], positions[a + 1], positions[b], positions[b + 1]);
    return length(at(positions, a, near.s) - at(positions, b, near.t));
}

/// Largest distance by which two points of a pair can approach each other over the substep.
double max_approach(const Strings& s, const SegmentPair& pair)
{
    double most2 = 0;
    for (const uint32_t i : {pair.a, pair.a + 1})
        for (const uint32_t j : {pair.b, pair.b + 1}) {
            const Vec3d displacement = s.position[i] - s.before[i] - s.position[j] + s.before[j];
            most2 = std::max(most2, dot(displacement, displacement));
        }
    return std::sqrt(most2);
}

Vec3d middle_of(const std::vector<Vec3d>& positions)
{
    const size_t stride = positions.size() / kSamples + 1;
    Vec3d sum{0, 0, 0};
    double count = 0;
    for (size_t i = 0; i < positions.size(); i += stride, ++count) sum += positions[i];
    return sum * (1 / count);
}

SegmentBox wider(const SegmentBox& box, float by)
{
    const Vec3f corner{by, by, by};
    return {box.low - corner, box.high + corner};
}

}  // namespace

/// Computes a box around the path of each segment over the substep, with room for a displacement of kStray, up to which
/// the boxes stay valid.
void StringContacts::compute_boxes(const Strings& s, Executor& executor)
{
    boxes_.resize(s.size());
    boxed_positions_.resize(s.size());
    const double stray = kStray * thickest_;
    for_chunks(s.size(), kParticles, executor, [&](size_t, size_t begin, size_t end) {
        const auto box_at = [&](size_t i) {
            const Vec3f from = to_float(s.before[i] - middle_before_), to = to_float(s.position[i] - middle_);
            return SegmentBox{component_min(from, to), component_max(from, to)};
        };
        SegmentBox here = box_at(begin);
        for (size_t i = begin; i < end; ++i) {
            boxed_positions_[i] = s.position[i];
            if (!s.active[i] || i + 1 == s.size()) {
                if (i + 1 < end) here = box_at(i + 1);
                continue;
            }
            const SegmentBox next = box_at(i + 1);
            const SegmentBox both{component_min(here.low, next.low), component_max(here.high, next.high)};
            // Bound on the rounding of floats at this distance from the origin.
            const Vec3f farthest = component_max(component_max(both.high, both.low), Vec3f{0, 0, 0} - both.low);
            const float blur = 1e-6f * std::max({farthest.x, farthest.y, farthest.z});
            boxes_[i] = wider(both, static_cast<float>(radius_[i] + stray) + blur);
            here = next;
        }
    });
}

void StringContacts::search(const Strings& s, Executor& executor)
{
    compute_boxes(s, executor);
    search_boxes_.resize(s.size());
    const Vec3d common = middle_ - middle_before_;
    const auto margin = static_cast<float>(kMarginRadii * thickest_);
    for_chunks(s.size(), kParticles, executor, [&](size_t, size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            if (!s.active[i]) continue;
            const Vec3f a = to_float(s.position[i] - s.before[i] - common),
                        b = to_float(s.position[i + 1] - s.before[i + 1] - common);
            const Vec3f ahead = component_max(component_max(a, b), {0, 0, 0}) * kSubstepsAhead,
                        back = component_min(component_min(a, b), {0, 0, 0}) * kSubstepsAhead;
            const float aside = kMarginShare * std::sqrt(std::max(dot(a, a), dot(b, b)));
            search_boxes_[i] = wider({boxes_[i].low + back, boxes_[i].high + ahead}, margin + aside);
        }
    });
    std::span<const SegmentPair> found;
    if (settings_.search == PairSearch::kExact) {
        found = search_.find_overlapping(search_boxes_, s.active, executor);
    } else {
        float reach = 0;
        for (size_t i = 0; i < s.size(); ++i)
            if (s.active[i]) reach = std::max(reach, length(search_boxes_[i].high - search_boxes_[i].low));
        found = search_.find({s.before, s.active}, static_cast<double>(reach), settings_.search, executor,
                             static_cast<double>(settings_.voxel));
    }
    candidates_.clear();
    for (const SegmentPair& pair : found)
        if (!neighbours(s, pair)) candidates_.push_back(pair);
    touches_.assign(candidates_.size(), 0);
    for (const StringContact& c : contacts_) {
        const auto found_at = std::lower_bound(candidates_.begin(), candidates_.end(), c.pair);
        if (found_at != candidates_.end() && *found_at == c.pair)
            touches_[static_cast<size_t>(found_at - candidates_.begin())] = 1;
    }
}

/// Chooses the candidates that may touch in this substep, and searches for new ones if others might.
void StringContacts::refresh(const Strings& s, Executor& executor)
{
    bool known = search_boxes_.size() == s.size();
    if (known) {
        compute_boxes(s, executor);
        for (size_t i = 0; i < s.size() && known; ++i) known = !s.active[i] || search_boxes_[i].contains(boxes_[i]);
    }
    if (!known) search(s, executor);
    strayed_ = 0;
    const double stray = kStray * thickest_;
    near_of_chunk_.resize(std::max(near_of_chunk_.size(), candidates_.size() / kCandidates + 1));
    for (auto& near : near_of_chunk_) near.clear();
    for_chunks(candidates_.size(), kCandidates, executor, [&](size_t chunk, size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            const auto [a, b] = candidates_[k];
            if (!boxes_[a].overlaps(boxes_[b]) || !s.active[a] || !s.active[b]) continue;
            const double distance = distance_of(s.before, {a, b});
            const double clearance = distance - radius_[a] - radius_[b] - max_approach(s, {a, b});
            if (clearance < 2 * stray) near_of_chunk_[chunk].push_back({static_cast<uint32_t>(k), distance, clearance});
        }
    });
    near_.clear();
    for (const auto& near : near_of_chunk_) near_.insert(near_.end(), near.begin(), near.end());
}

void StringContacts::find(Strings& s, const StringContactSettings& settings, Executor& executor)
{
    settings_ = settings;
    used_colours_.resize(s.size());
    for (const StringContact& c : contacts_)
        for (const uint32_t i : {c.pair.a, c.pair.a + 1, c.pair.b, c.pair.b + 1}) used_colours_[i] = 0;
    contacts_.clear(), colour_.clear();
    radius_.resize(s.size());
    for_chunks(s.size(), kParticles, executor, [&](size_t, size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            s.touching[i] = 0;
            const double radius = s.active[i] ? s.radius_now(i) : 0;
            radius_[i] = radius >= 0 ? radius : s.radius[i];  // it is not a number for a segment without length
        }
    });
    thickest_ = *std::max_element(radius_.begin(), radius_.end());
    touches_.assign(candidates_.size(), 0);
    middle_before_ = middle_of(s.before);
    middle_ = middle_of(s.position);
    refresh(s, executor);
    test_near_pairs(s, executor);
}

bool StringContacts::find_more(Strings& s, Executor& executor)
{
    strayed2_.assign(s.size() / kParticles + 1, 0);
    for_chunks(s.size(), kParticles, executor, [&](size_t chunk, size_t begin, size_t end) {
        double most2 = 0;
        for (size_t i = begin; i < end; ++i) {
            const Vec3d displacement = s.position[i] - boxed_positions_[i];
            most2 = std::max(most2, dot(displacement, displacement));
        }
        strayed2_[chunk] = most2;
    });
    strayed_ = std::sqrt(*std::max_element(strayed2_.begin(), strayed2_.end()));
    if (!(strayed_ <= kStray * thickest_)) refresh(s, executor);
    return test_near_pairs(s, executor);
}

bool StringContacts::test_near_pairs(Strings& s, Executor& executor)
{
    found_of_chunk_.resize(std::max(found_of_chunk_.size(), near_.size() / kNear + 1));
    for (auto& found : found_of_chunk_) found.clear();
    for_chunks(near_.size(), kNear, executor, [&](size_t chunk, size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            const auto [candidate, distance, clearance] = near_[k];
            if (clearance > 2 * strayed_ || touches_[candidate]) continue;
            if (test_pair(s, candidates_[candidate], distance, found_of_chunk_[chunk])) touches_[candidate] = 1;
        }
    });
    const size_t before = contacts_.size();
    for (const auto& found : found_of_chunk_) contacts_.insert(contacts_.end(), found.begin(), found.end());
    if (contacts_.size() == before) return false;
    for (size_t k = before; k < contacts_.size(); ++k) {
        const auto [a, b] = contacts_[k].pair;
        s.touching[a] = s.touching[a + 1] = s.touching[b] = s.touching[b + 1] = 1;
    }
    colour(before);
    return true;
}

bool StringContacts::test_pair(const Strings& s, const SegmentPair& pair, double distance,
                               std::vector<StringContact>& found) const
{
    const uint32_t a = pair.a, b = pair.b;
    const double apart = radius_[a] + radius_[b], approach = max_approach(s, pair);
    if (distance > apart + approach) return false;
    const auto add = [&](const SegmentPoints& points, const Vec3d& normal) {
        const double gap = dot(normal, at(s.before, a, points.s) - at(s.before, b, points.t));
        const double overlap = std::clamp(apart - gap, 0.0, apart);
        found.push_back({pair, points, normal, apart - (1 - kOverlapCorrection) * overlap, 0, {0, 0, 0}});
    };
    if (settings_.continuous && distance < approach) {
        const MovingSegment p = moving(s, a), q = moving(s, b);
        if (const auto met = first_hit(p, q)) {
            const Vec3d came = at(s.before, a, met->points.s) - at(s.before, b, met->points.t);
            Vec3d n = cross(p.at(1, met->time) - p.at(0, met->time), q.at(1, met->time) - q.at(0, met->time));
            n = unit_or(n, unit_or(came, {0, 1, 0}));
            add(met->points, dot(n, came) < 0 ? n * -1.0 : n);
            return true;
        }
    }
    const SegmentPoints last = nearest_points(s.position[a], s.position[a + 1], s.position[b], s.position[b + 1]);
    const Vec3d between = at(s.position, a, last.s) - at(s.position, b, last.t);
    if (dot(between, between) > apart * apart) return false;
    const SegmentPoints first = nearest_points(s.before[a], s.before[a + 1], s.before[b], s.before[b + 1]);
    const Vec3d between_before = at(s.before, a, first.s) - at(s.before, b, first.t);
    // If they coincide, their direction has no precision; at the start of the substep it had.
    const Vec3d n = unit_or(between, unit_or(between_before, {0, 1, 0}));
    add(last, dot(n, between_before) < 0 && distance > 0.1 * apart ? n * -1.0 : n);
    return true;
}

/// Gives each contact from `first` on a colour that no other contact of its particles has, and orders all contacts by
/// colour.
void StringContacts::colour(size_t first)
{
    for (size_t k = first; k < contacts_.size(); ++k) {
        const auto [a, b] = contacts_[k].pair;
        const int free =
            std::countr_one(used_colours_[a] | used_colours_[a + 1] | used_colours_[b] | used_colours_[b + 1]);
        const auto own = static_cast<uint8_t>(std::min(free, kColours - 1));
        for (const uint32_t i : {a, a + 1, b, b + 1}) used_colours_[i] |= uint64_t{1} << own;
        colour_.push_back(own);
    }
    first_of_colour_.assign(kColours + 1, 0);
    for (const uint8_t c : colour_) ++first_of_colour_[c + 1];
    for (size_t c = 0; c < kColours; ++c) first_of_colour_[c + 1] += first_of_colour_[c];
    order_.resize(contacts_.size());
    std::array<uint32_t, kColours> next{};
    std::copy_n(first_of_colour_.begin(), kColours, next.begin());
    for (size_t k = 0; k < contacts_.size(); ++k) order_[next[colour_[k]]++] = static_cast<uint32_t>(k);
}

namespace {

void push_pair_apart(Strings& s, StringContact& c, double friction)
{
    const auto [a, b] = c.pair;
    const double shares[4] = {1 - c.points.s, c.points.s, c.points.t - 1, -c.points.t};
    const size_t particles[4] = {a, a + size_t{1}, b, b + size_t{1}};
    double inverse_mass = 0, least = 0;
    Vec3d between{0, 0, 0}, moved{0, 0, 0};
    for (int k = 0; k < 4; ++k) {
        inverse_mass += shares[k] * shares[k] * s.inverse_mass[particles[k]];
        least += kLever * std::abs(shares[k]) * s.inverse_mass[particles[k]];
        between += s.position[particles[k]] * shares[k];
        moved += (s.position[particles[k]] - s.before[particles[k]]) * shares[k];
    }
    inverse_mass = std::max(inverse_mass, least);
    if (!(inverse_mass > 0)) return;
    const double push = std::max(0.0, c.push + (c.apart - dot(c.normal, between)) / inverse_mass);
    const Vec3d pushed = c.normal * (push - c.push);
    moved += pushed * inverse_mass;
    const Vec3d slide = moved - c.normal * dot(c.normal, moved);
    Vec3d friction_impulse = c.friction_impulse - slide * (1 / inverse_mass);
    const double most = friction * push, size = length(friction_impulse);
    if (size > most) friction_impulse = friction_impulse * (most / size);
    const Vec3d impulse = pushed + friction_impulse - c.friction_impulse;
    for (int k = 0; k < 4; ++k) s.position[particles[k]] += impulse * (shares[k] * s.inverse_mass[particles[k]]);
    c.push = push;
    c.friction_impulse = friction_impulse;
}

}  // namespace

void StringContacts::push_apart(Strings& s, Executor& executor)
{
    if (contacts_.empty()) return;
    for (size_t c = 0; c < kColours; ++c) {
        const size_t first = first_of_colour_[c], count = first_of_colour_[c + 1] - first;
        const size_t chunk = c + 1 < kColours ? kPushes : std::max<size_t>(count, 1);
        for_chunks(count, chunk, executor, [&](size_t, size_t begin, size_t end) {
            for (size_t k = begin; k < end; ++k)
                push_pair_apart(s, contacts_[order_[first + k]], static_cast<double>(settings_.friction));
        });
    }
}

uint32_t StringContacts::clump_of(uint32_t i)
{
    while (clump_[i] != i) i = clump_[i] = clump_[clump_[i]];
    return i;
}

void StringContacts::prevent_crossings(Strings& s, Executor& executor)
{
    if (!settings_.continuous) return;
    clump_.clear();
    // This ends, because clumps only grow and nothing within one moves relative to the rest.
    for (bool grown = true; grown;) {
        grown = false;
        find_more(s, executor);
        for (const Near& near : near_) {
            const auto [a, b] = candidates_[near.candidate];
            if (near.clearance > 2 * strayed_) continue;
            if (near.distance >= max_approach(s, {a, b}) || !first_hit(moving(s, a), moving(s, b))) continue;
            if (clump_.empty()) {
                clump_.resize(s.size());
                std::iota(clump_.begin(), clump_.end(), 0u);
            }
            for (const uint32_t i : {a + 1, b, b + 1}) {
                const uint32_t one = clump_of(a), other = clump_of(i);
                grown |= one != other;
                clump_[std::max(one, other)] = std::min(one, other);
            }
        }
        if (grown) move_clumps(s);
    }
}

/// Moves all particles of a clump by the mean of their displacements, weighted by mass, or by the mean of the held ones
/// if there are any.
void StringContacts::move_clumps(Strings& s)
{
    clump_motions_.assign(s.size(), {});
    for (uint32_t i = 0; i < s.size(); ++i) {
        ClumpMotion& motion = clump_motions_[clump_of(i)];
        const Vec3d moved = s.position[i] - s.before[i];
        ++motion.count;
        if (s.inverse_mass[i] > 0) {
            motion.free += moved * s.mass[i];
            motion.mass += s.mass[i];
        } else {
            motion.held += moved;
            ++motion.held_count;
        }
    }
    for (uint32_t i = 0; i < s.size(); ++i) {
        const ClumpMotion& motion = clump_motions_[clump_of(i)];
        if (motion.count < 2 || !(s.inverse_mass[i] > 0)) continue;
        s.position[i] = s.before[i] + (motion.held_count > 0 ? motion.held * (1.0 / motion.held_count)
                                                             : motion.free * (1 / motion.mass));
    }
}

}  // namespace tendril
