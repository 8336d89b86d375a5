#include "world/string_grooms.h"

#include "math/bytes.h"
#include "math/elementary.h"
#include "math/vectors.h"
#include "world/state.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// What strings without a width are taken for: a thread [m].
constexpr float kWidth = 1e-3f;
constexpr size_t kMostEvents = 100'000;  // that nobody has taken

/// Calls `f` for every array that changes over time.
template <class S, class F>
bool for_arrays(S& s, const F& f)
{
    return f(s.place) && f(s.velocity) && f(s.mass) && f(s.touching) && f(s.whole) && f(s.elongation) &&
           f(s.strength) && f(s.tension) && f(s.across) && f(s.angle) && f(s.frame_turn) && f(s.region_turn);
}

}  // namespace

void StringGrooms::add(const GroomInstance& instance, const std::function<Quat(size_t strand)>& turned, double dt,
                       uint64_t seed)
{
    const Groom& groom = instance.groom;
    const size_t base = strings.size();
    first_.push_back(base);
    first_points_.emplace_back(groom.first_points().begin(), groom.first_points().end());
    shown_.emplace_back();
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        const size_t count = groom.points(s).size(), first = strings.size();
        std::vector<Vec3d> rest(count), before(count), now(count);
        std::vector<float> widths(count, kWidth);
        const Quat turn = turned(s);
        const auto& all = groom.data().widths;
        Vec3d was = instance.strands.root_before(s);
        for (size_t i = 0; i < count; ++i) {
            rest[i] = to_double(groom.points(s)[i]);
            if (!all.empty() && all[groom.first_points()[s] + i] > 0) widths[i] = all[groom.first_points()[s] + i];
            now[i] = i == 0 ? instance.strands.root(s)
                            : now[i - 1] + to_double(instance.strands.edge(s, static_cast<int>(i)));
            if (i > 0) was += to_double(instance.strands.edge_before(s, static_cast<int>(i)));
            before[i] = was;
        }
        add_string(strings, rest, widths, instance.material);
        rest_across_.insert(rest_across_.end(), strings.across.begin() + static_cast<ptrdiff_t>(first),
                            strings.across.end());
        for (size_t i = 0; i < count; ++i) {
            const size_t p = first + i;
            // The frames go with the strand as its root has carried it, and from there to where it is.
            strings.before[p] = now[0] + rotate(turn, rest[i] - rest[0]);
            strings.across[p] = rotate(turn, rest_across_[p]);
            strings.region_turn.push_back(turn);
            strings.place[p] = now[i];
            strings.velocity[p] = (now[i] - before[i]) * (1 / dt);
            if (i + 1 < count) strings.rest[p] = static_cast<double>(groom.rest_lengths(s)[i + 1]);
            if (i > 0 && instance.straight)
                strings.rest_place[p] = strings.rest_place[p - 1] + Vec3d{strings.rest[p - 1], 0, 0};
        }
    }
    vary_strength(strings, base, strings.size(), instance.strength_variation, seed + first_.size());
    for (const StringPiece& piece : strings.pieces)
        if (piece.first >= base) carry_frames(strings, piece);
    strings.half_width = 0;
    stepper.contacts.forget();
    begin_step();
}

Vec3d StringGrooms::material(size_t i) const
{
    const Vec3d along = unit_or(strings.edge(i), {1, 0, 0}), u = strings.across[i];
    constexpr double kTurn = 6.283185307179586;
    const double turns = strings.angle[i] / kTurn;
    const SinCos turn = sin_cos(kTurn * (turns - std::floor(turns)));
    return u * turn.cos + cross(along, u) * turn.sin;
}

void StringGrooms::begin_step()
{
    started_ = strings.place;
    for (size_t i = 0; i < strings.size(); ++i) strings.lightness[i] = 1 / strings.mass[i];
    std::fill(strings.clamped.begin(), strings.clamped.end(), uint8_t{0});
}

void StringGrooms::end_step(size_t groom, Strands& strands, double h)
{
    for (size_t s = 0; s + 1 < first_points_[groom].size(); ++s) {
        const size_t first = particle(groom, s, 0), count = first_points_[groom][s + 1] - first_points_[groom][s];
        const auto of_strand = [&](const std::vector<Vec3d>& all) { return std::span(all).subspan(first, count); };
        strands.put(s, of_strand(started_), of_strand(strings.place), of_strand(strings.velocity), h);
    }
    strands.follow_hair();
}

void StringGrooms::find_strand(size_t segment, uint32_t& groom, uint32_t& strand, uint32_t& particle) const
{
    const auto g = static_cast<size_t>(std::upper_bound(first_.begin(), first_.end(), segment) - first_.begin()) - 1;
    const auto& starts = first_points_[g];
    const auto within = static_cast<uint32_t>(segment - first_[g]);
    const auto s = static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), within) - starts.begin()) - 1;
    groom = static_cast<uint32_t>(g);
    strand = static_cast<uint32_t>(s);
    particle = within - starts[s];
}

StringEvent StringGrooms::event_at(StringEventKind kind, size_t segment, double time) const
{
    StringEvent event{kind, time};
    find_strand(segment, event.groom, event.strand, event.particle);
    event.place = (strings.place[segment] + strings.place[segment + 1]) * 0.5;
    return event;
}

void StringGrooms::note(const StringEvent& event)
{
    if (events.size() < kMostEvents) events.push_back(event);
}

void StringGrooms::note_events(double time)
{
    for (const size_t segment : stepper.torn) {
        StringEvent event = event_at(StringEventKind::kTorn, segment, time);
        event.tension = strings.tension[segment];
        note(event);
    }
    stepper.torn.clear();
    touching_.clear();
    for (const StringContact& c : stepper.contacts.contacts())
        if (c.push > 0) touching_.push_back(c.pair);
    std::sort(touching_.begin(), touching_.end());
    for (const SegmentPair& pair : touching_) {
        // Neighbours of what touched before are the same contact that has slid on.
        const auto near = [&](const SegmentPair& old) {
            const auto apart = [](uint32_t a, uint32_t b) { return a > b ? a - b : b - a; };
            return apart(old.a, pair.a) <= 1 && apart(old.b, pair.b) <= 1;
        };
        const auto from = std::lower_bound(touched_.begin(), touched_.end(), SegmentPair{pair.a - (pair.a > 0), 0});
        const auto to = std::lower_bound(touched_.begin(), touched_.end(), SegmentPair{pair.a + 2, 0});
        if (std::any_of(from, to, near)) continue;
        StringEvent event = event_at(StringEventKind::kTouched, pair.a, time);
        find_strand(pair.b, event.other_groom, event.other_strand, event.other_particle);
        note(event);
    }
    std::swap(touched_, touching_);
}

void StringGrooms::cut(size_t groom, size_t strand, size_t segment, bool flicks, double time)
{
    const size_t i = particle(groom, strand, segment);
    if (!strings.whole[i]) return;
    for (const StringPiece& piece : strings.pieces)
        if (piece.first <= i && i < piece.last && !flicks) let_go(strings, piece);
    strings.whole[i] = 0;
    find_pieces(strings);
    strings.half_width = 0;
    note(event_at(StringEventKind::kCut, i, time));
}

void StringGrooms::carry(size_t groom, size_t strand, const Pose& motion)
{
    const auto& starts = first_points_[groom];
    for (size_t p = first_[groom] + starts[strand]; p < first_[groom] + starts[strand + 1]; ++p) {
        strings.place[p] = transform_point(motion, strings.place[p]);
        started_[p] = transform_point(motion, started_[p]);
        strings.velocity[p] = rotate(motion.rotation, strings.velocity[p]);
        strings.across[p] = rotate(motion.rotation, strings.across[p]);
        strings.region_turn[p] = normalized(motion.rotation * strings.region_turn[p]);
    }
    stepper.contacts.forget();
}

size_t StringGrooms::whole_segments(size_t groom) const
{
    const auto begin = strings.whole.begin() + static_cast<ptrdiff_t>(first_[groom]);
    return static_cast<size_t>(std::count(begin, begin + static_cast<ptrdiff_t>(particles_of(groom)), uint8_t{1}));
}

Metrics StringGrooms::measure(size_t groom, const Vec3d& gravity) const
{
    Metrics m;
    const Strings& s = strings;
    const size_t first = first_[groom], end = first + particles_of(groom);
    double stretch = 0;
    for (size_t i = first; i < end; ++i) {
        if (!is_finite(s.place[i]) || !is_finite(s.velocity[i])) ++m.nonfinite;
        const double speed2 = dot(s.velocity[i], s.velocity[i]);
        m.kinetic += s.mass[i] * speed2 / 2;
        m.potential -= s.mass[i] * dot(gravity, s.place[i]);
        m.fastest = std::max(m.fastest, std::sqrt(speed2));
        if (!s.whole[i]) continue;
        const double l = length(s.edge(i)), off = std::abs(l / s.rest[i] - 1), ease = s.ease_length(i);
        m.stretch_max = std::max(m.stretch_max, off);
        stretch += off;
        m.elastic += s.stiffness[i] / ease * (l - ease) * (l - ease) / 2;
        if (i == first || !s.whole[i - 1]) continue;
        const double between = (s.rest[i - 1] + s.rest[i]) / 2;
        m.elastic += s.twist_stiffness[i] / between * s.twist(i) * s.twist(i) / 2;
    }
    const size_t segments = whole_segments(groom);
    if (segments > 0) m.stretch_mean = stretch / static_cast<double>(segments);
    return m;
}

StringsView StringGrooms::view(size_t groom)
{
    const size_t first = first_[groom], count = particles_of(groom);
    Shown& shown = shown_[groom];
    shown.widths.assign(count, 0.0f), shown.angles.assign(count, 0.0f), shown.tensions.assign(count, 0.0f);
    shown.across.assign(count, Vec3f{0, 0, 0});
    double twist = 0;
    for (size_t k = 0; k < count; ++k) {
        const size_t i = first + k;
        if (!strings.whole[i]) continue;
        twist = k > 0 && strings.whole[i - 1] ? twist + strings.twist(i) : 0;
        shown.widths[k] = static_cast<float>(2 * strings.radius_now(i));
        shown.across[k] = to_float(material(i));
        shown.angles[k] = static_cast<float>(twist);
        shown.tensions[k] = static_cast<float>(strings.tension[i]);
    }
    return {shown.widths, shown.across, shown.angles, shown.tensions};
}

uint64_t StringGrooms::hash() const
{
    uint64_t h = strings.size();
    for_arrays(strings, [&](const auto& array) {
        h = mix_bits(h ^ hash_bytes(array.data(), array.size() * sizeof(array[0])));
        return true;
    });
    return h;
}

void StringGrooms::save(std::vector<std::byte>& out) const
{
    for_arrays(strings, [&](const auto& array) {
        append_bytes(out, array.data(), array.size());
        return true;
    });
    append_bytes(out, started_.data(), started_.size());
    const uint64_t touched = touched_.size();
    append_bytes(out, &touched, 1);
    append_bytes(out, touched_.data(), touched_.size());
}

bool StringGrooms::load(std::span<const std::byte>& in)
{
    if (!for_arrays(strings, [&](auto& array) { return take_bytes(in, array.data(), array.size()); })) return false;
    uint64_t touched = 0;
    if (!take_bytes(in, started_.data(), started_.size()) || !take_bytes(in, &touched, 1)) return false;
    if (touched > in.size() / sizeof(SegmentPair)) return false;
    touched_.resize(touched);
    if (!take_bytes(in, touched_.data(), touched_.size())) return false;
    find_pieces(strings);
    strings.half_width = 0;
    stepper.contacts.forget();
    stepper.torn.clear();
    events.clear();
    return true;
}

}  // namespace tendril
