#include "world/string_movement.h"

#include "math/bytes.h"
#include "math/elementary.h"
#include "math/vectors.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// Width of strings whose groom has no widths [m].
constexpr float kDefaultWidth = 1e-3f;

/// Calls `f` for every array of the moving state until it returns false.
template <class S, class F>
bool for_arrays(S& s, const F& f)
{
    return f(s.position) && f(s.velocity) && f(s.mass) && f(s.touching) && f(s.intact) && f(s.elongation) &&
           f(s.strength) && f(s.tension) && f(s.across) && f(s.angle) && f(s.frame_turn) && f(s.region_turn);
}

}  // namespace

size_t StringMovement::member_index(const GroomInstance& groom) const
{
    const auto found =
        std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.groom == &groom; });
    return static_cast<size_t>(found - members_.begin());
}

void StringMovement::add(GroomInstance& groom)
{
    members_.push_back({&groom, strings_.size(), {}, {}, {}, {}});
    splice(strings_.size(), 0, strings_at_rest(members_.size() - 1));
}

void StringMovement::remove(GroomInstance& groom)
{
    const size_t i = member_index(groom);
    splice(members_[i].first, groom.groom.point_count(), {});
    members_.erase(members_.begin() + static_cast<ptrdiff_t>(i));
    size_t first = 0;
    for (size_t m = 0; m < members_.size(); ++m) {
        members_[m].first = first;
        const size_t count = members_[m].groom->groom.point_count();
        std::fill_n(strings_.owner.begin() + static_cast<ptrdiff_t>(first), count, static_cast<uint32_t>(m));
        first += count;
    }
    std::erase_if(ties_, [&](const Tie& tie) { return tie.a.groom == groom.id || tie.b.groom == groom.id; });
}

void StringMovement::splice(size_t first, size_t count, const Strings& part)
{
    splice_strings(strings_, first, count, part);
    const auto begin = started_.erase(started_.begin() + static_cast<ptrdiff_t>(first),
                                      started_.begin() + static_cast<ptrdiff_t>(first + count));
    started_.insert(begin, part.position.begin(), part.position.end());
    stepper_.contacts.forget();
    touched_.clear();
}

Strings StringMovement::strings_at_rest(size_t index) const
{
    const Member& m = members_[index];
    const Groom& groom = m.groom->groom;
    const GroomSettings& settings = m.groom->settings;
    Strings strings;
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        const size_t count = groom.points(s).size(), first = strings.size();
        const Pose carried = m.groom->anchors.carried(m.groom->roots, s);
        std::vector<Vec3d> rest(count);
        std::vector<float> widths(count, kDefaultWidth);
        const auto& all = groom.data().widths;
        for (size_t i = 0; i < count; ++i) {
            rest[i] = to_double(groom.points(s)[i]);
            if (!all.empty() && all[groom.first_points()[s] + i] > 0) widths[i] = all[groom.first_points()[s] + i];
        }
        add_string(strings, rest, widths, settings.material, static_cast<uint32_t>(index));
        const Vec3d root =
            groom.ends(s) == Ends::kFree ? transform_point(carried, rest[0]) : m.groom->anchors.root(m.groom->roots, s);
        for (size_t i = 0; i < count; ++i) {
            const size_t p = first + i;
            strings.before[p] = strings.position[p] = root + rotate(carried.rotation, rest[i] - rest[0]);
            strings.across[p] = rotate(carried.rotation, strings.across[p]);
            strings.region_turn.push_back(carried.rotation);
            if (i + 1 < count) strings.rest[p] = static_cast<double>(groom.rest_lengths(s)[i + 1]);
            if (i > 0 && settings.straight)
                strings.rest_position[p] = strings.rest_position[p - 1] + Vec3d{strings.rest[p - 1], 0, 0};
        }
    }
    vary_strength(strings, settings.strength_variation, m.groom->behaviour.contact.seed + index + 1, m.first);
    return strings;
}

GroomMotion StringMovement::motion(const GroomInstance& groom) const
{
    const auto first = static_cast<ptrdiff_t>(member(groom).first);
    const auto end = first + static_cast<ptrdiff_t>(groom.groom.point_count());
    const auto part = [&](const std::vector<Vec3d>& all) {
        return std::vector<Vec3d>(all.begin() + first, all.begin() + end);
    };
    return {part(started_), part(strings_.position), part(strings_.velocity)};
}

void StringMovement::set_motion(GroomInstance& groom, const GroomMotion& motion)
{
    const size_t first = member(groom).first;
    for (size_t i = 0; i < motion.now.size(); ++i) {
        strings_.before[first + i] = strings_.position[first + i];
        strings_.position[first + i] = motion.now[i];
        strings_.velocity[first + i] = motion.velocity[i];
        started_[first + i] = motion.before[i];
    }
    for (const StringPiece& piece : strings_.pieces)
        if (piece.first >= first && piece.last < first + motion.now.size()) carry_frames(strings_, piece);
    stepper_.contacts.forget();
}

Vec3d StringMovement::material(size_t i) const
{
    const Vec3d along = unit_or(strings_.edge(i), {1, 0, 0}), u = strings_.across[i];
    constexpr double kTurn = 6.283185307179586;
    const double turns = strings_.angle[i] / kTurn;
    const SinCos turn = sin_cos(kTurn * (turns - std::floor(turns)));
    return u * turn.cos + cross(along, u) * turn.sin;
}

void StringMovement::carry(GroomInstance& groom, const MotionOf& motion, Executor&)
{
    const Member& m = member(groom);
    for (size_t s = 0; s < groom.groom.strand_count(); ++s) {
        const Pose by = motion(s);
        for (size_t p = particle(m, s, 0); p < particle(m, s, groom.particles(s)); ++p) {
            strings_.position[p] = transform_point(by, strings_.position[p]);
            started_[p] = transform_point(by, started_[p]);
            strings_.velocity[p] = rotate(by.rotation, strings_.velocity[p]);
            strings_.across[p] = rotate(by.rotation, strings_.across[p]);
            strings_.region_turn[p] = normalized(by.rotation * strings_.region_turn[p]);
        }
    }
    stepper_.contacts.forget();
}

void StringMovement::reset(GroomInstance& groom, Executor&)
{
    splice(member(groom).first, groom.groom.point_count(), strings_at_rest(member_index(groom)));
    events_.clear();
}

void StringMovement::released(const HoldState& hold)
{
    const Member& m = member(*hold.groom);
    const size_t p = particle(m, hold.strand, hold.particle);
    for (const StringPiece& piece : strings_.pieces)
        if (piece.first <= p && p <= piece.last) release(m, piece);
}

void StringMovement::release(const Member& m, const StringPiece& piece)
{
    const SolverSettings& solver = m.groom->behaviour.solver;
    if (solver.is_printed() && solver.string.flicks) bounce_back(strings_, piece);
    if (!solver.is_printed() && !solver.string.flicks) release_tension(strings_, piece);
}

bool StringMovement::cut(GroomInstance& groom, size_t strand, size_t segment, double time)
{
    const size_t i = particle(member(groom), strand, segment);
    if (!strings_.intact[i]) return false;
    for (const StringPiece& piece : strings_.pieces)
        if (piece.first <= i && i < piece.last) release(member(groom), piece);
    strings_.intact[i] = 0;
    find_pieces(strings_);
    strings_.half_width = 0;
    record(event_at(StringEventKind::kCut, i, time));
    return true;
}

bool StringMovement::tie(GroomInstance& a, size_t a_strand, size_t a_particle, GroomInstance& b, size_t b_strand,
                         size_t b_particle)
{
    const Tie made{{a.id, a_strand, a_particle}, {b.id, b_strand, b_particle}};
    if (made.a == made.b || b.movement != this) return false;
    ties_.push_back(made);
    return true;
}

void StringMovement::write_curves(const GroomInstance& groom, const CurvesRequest& request, std::span<Vec3f> points,
                                  std::span<Vec3f> velocities, Executor&) const
{
    const Member& m = member(groom);
    const double blend = static_cast<double>(request.blend);
    for (size_t s = 0; s < groom.groom.strand_count(); ++s) {
        Vec3d x = request.roots[s] - request.origin;
        for (size_t i = 0; i < groom.particles(s); ++i) {
            const size_t p = particle(m, s, i), to = p - m.first;
            if (i > 0) {
                const Vec3d was = started_[p] - started_[p - 1], is = strings_.position[p] - strings_.position[p - 1];
                const Vec3d e = was + (is - was) * blend;
                const double l = length(was) + (length(is) - length(was)) * blend, n = length(e);
                x += e * (n > 0 ? l / n : 0.0);
            }
            points[to] = to_float(x);
            velocities[to] = to_float((strings_.position[p] - started_[p]) * (1 / request.dt));
        }
    }
}

Movement::RootStep StringMovement::root_step(const GroomInstance& groom, size_t strand) const
{
    const size_t p = particle(member(groom), strand, 0);
    return {started_[p], strings_.position[p]};
}

void StringMovement::positions(const GroomInstance& groom, size_t strand, std::span<Vec3d> out) const
{
    const size_t first = particle(member(groom), strand, 0);
    std::copy_n(strings_.position.begin() + static_cast<ptrdiff_t>(first), out.size(), out.begin());
}

Movement::Measured StringMovement::measure(GroomInstance& groom, const Vec3d& gravity, double, Executor&)
{
    Measured out;
    Metrics& m = out.metrics;
    const Strings& s = strings_;
    const size_t first = member(groom).first, end = first + groom.groom.point_count();
    double stretch = 0;
    for (size_t i = first; i < end; ++i) {
        if (!is_finite(s.position[i]) || !is_finite(s.velocity[i])) ++m.nonfinite;
        const double speed2 = dot(s.velocity[i], s.velocity[i]);
        m.kinetic += s.mass[i] * speed2 / 2;
        m.potential -= s.mass[i] * dot(gravity, s.position[i]);
        m.fastest = std::max(m.fastest, std::sqrt(speed2));
        if (!s.intact[i]) continue;
        const double l = length(s.edge(i)), off = std::abs(l / s.rest[i] - 1), ease = s.relaxed_length(i);
        m.stretch_max = std::max(m.stretch_max, off);
        stretch += off;
        ++out.segments;
        m.elastic += s.stiffness[i] / ease * (l - ease) * (l - ease) / 2;
        if (i == first || !s.intact[i - 1]) continue;
        const double between = (s.rest[i - 1] + s.rest[i]) / 2;
        m.elastic += s.twist_stiffness[i] / between * s.twist(i) * s.twist(i) / 2;
    }
    if (out.segments > 0) m.stretch_mean = stretch / out.segments;
    return out;
}

std::vector<float> StringMovement::tensions(const GroomInstance& groom) const
{
    const size_t first = member(groom).first;
    std::vector<float> out(groom.groom.point_count(), 0.0f);
    for (size_t i = 1; i < out.size(); ++i)
        if (strings_.intact[first + i - 1]) out[i] = static_cast<float>(strings_.tension[first + i - 1]);
    return out;
}

SegmentsView StringMovement::segments(const GroomInstance& groom)
{
    Member& m = member(groom);
    const size_t count = groom.groom.point_count();
    m.widths.assign(count, 0.0f), m.angles.assign(count, 0.0f), m.tensions.assign(count, 0.0f);
    m.across.assign(count, Vec3f{0, 0, 0});
    double twist = 0;
    for (size_t k = 0; k < count; ++k) {
        const size_t i = m.first + k;
        if (!strings_.intact[i]) continue;
        twist = k > 0 && strings_.intact[i - 1] ? twist + strings_.twist(i) : 0;
        m.widths[k] = static_cast<float>(2 * strings_.radius_now(i));
        m.across[k] = to_float(material(i));
        m.angles[k] = static_cast<float>(twist);
        m.tensions[k] = static_cast<float>(strings_.tension[i]);
    }
    return {m.widths, m.across, m.angles, m.tensions};
}

size_t StringMovement::bytes() const
{
    size_t n = 0;
    for_arrays(strings_, [&](const auto& array) {
        n += array.size() * sizeof(array[0]);
        return true;
    });
    return n + started_.size() * sizeof(Vec3d);
}

uint64_t StringMovement::hash(uint64_t h, Executor&) const
{
    if (members_.empty()) return h;
    uint64_t own = strings_.size();
    for_arrays(strings_, [&](const auto& array) {
        own = mix_bits(own ^ hash_bytes(array.data(), array.size() * sizeof(array[0])));
        return true;
    });
    // Only the printed form uses these.
    if (std::any_of(strings_.bounces.begin(), strings_.bounces.end(), [](uint8_t b) { return b != 0; }))
        own = mix_bits(own ^ hash_bytes(strings_.bounces.data(), strings_.bounces.size()));
    return mix_bits(h ^ own);
}

void StringMovement::save(std::vector<std::byte>& out) const
{
    for_arrays(strings_, [&](const auto& array) {
        append_bytes(out, array.data(), array.size());
        return true;
    });
    append_bytes(out, strings_.bounces.data(), strings_.bounces.size());
    append_bytes(out, started_.data(), started_.size());
    const uint64_t counts[2] = {touched_.size(), ties_.size()};
    append_bytes(out, counts, 2);
    append_bytes(out, touched_.data(), touched_.size());
    append_bytes(out, ties_.data(), ties_.size());
}

bool StringMovement::load(std::span<const std::byte>& in)
{
    if (!for_arrays(strings_, [&](auto& array) { return take_bytes(in, array.data(), array.size()); })) return false;
    uint64_t counts[2] = {};
    if (!take_bytes(in, strings_.bounces.data(), strings_.bounces.size())) return false;
    if (!take_bytes(in, started_.data(), started_.size()) || !take_bytes(in, counts, 2) ||
        counts[0] > in.size() / sizeof(SegmentPair))
        return false;
    touched_.resize(counts[0]);
    if (!take_bytes(in, touched_.data(), touched_.size()) || counts[1] > in.size() / sizeof(Tie)) return false;
    ties_.resize(counts[1]);
    if (!take_bytes(in, ties_.data(), ties_.size())) return false;
    const auto known = [&](const ParticleId& p) {
        return std::any_of(members_.begin(), members_.end(), [&](const Member& m) {
            return m.groom->id == p.groom && p.strand < m.groom->groom.strand_count() &&
                   p.particle < m.groom->particles(p.strand);
        });
    };
    if (!std::all_of(ties_.begin(), ties_.end(), [&](const Tie& tie) { return known(tie.a) && known(tie.b); }))
        return false;
    find_pieces(strings_);
    strings_.half_width = 0;
    stepper_.contacts.forget();
    stepper_.torn.clear();
    events_.clear();
    return true;
}

}  // namespace tendril
