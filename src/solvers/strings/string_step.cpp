#include "solvers/strings/string_step.h"

#include "math/elementary.h"
#include "math/vectors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace tendril {
namespace {

/// With fewer particles, threads cost more than they save.
constexpr size_t kMinParticlesForThreads = 4000;
constexpr int kMaxFinalSearches = 4;

/// Calls `pass` for batches of consecutive pieces. The batches depend on the number of threads, the results do not.
template <class Pass>
void for_batches(const Strings& s, Executor& executor, const Pass& pass)
{
    const std::span<const StringPiece> pieces = s.pieces;
    auto run = [&](size_t begin, size_t end) {
        const size_t last = std::min(end * StringBatch::kMaxPieces, pieces.size());
        for (size_t p = begin * StringBatch::kMaxPieces; p < last;) {
            size_t next = p + 1;
            const auto alike = [&](const StringPiece& a, const StringPiece& b) {
                return a.segments() == b.segments() && s.owner[a.first] == s.owner[b.first];
            };
            while (next < last && next - p < StringBatch::kMaxPieces && alike(pieces[next], pieces[p])) ++next;
            pass(pieces.subspan(p, next - p));
            p = next;
        }
    };
    const size_t count = (pieces.size() + StringBatch::kMaxPieces - 1) / StringBatch::kMaxPieces;
    if (s.size() < kMinParticlesForThreads)
        run(0, count);
    else
        parallel_for(executor, count, 2, run);
}

bool touches_another(const Strings& s, const StringPiece& piece)
{
    const auto begin = s.touching.begin() + static_cast<ptrdiff_t>(piece.first);
    return std::find(begin, begin + static_cast<ptrdiff_t>(piece.segments()) + 1, 1) !=
           begin + static_cast<ptrdiff_t>(piece.segments()) + 1;
}

/// Displacement of the air in a substep, at a position relative to `air_origin`.
Vec3d air_motion(const AirSubstep& air, const Vec3d& from_origin)
{
    Vec3d motion = to_double(air.wind);
    if (air.turbulent)
        for (const WindWave& w : air.eddies) {
            const double turns = dot(to_double(w.wave), from_origin) + static_cast<double>(w.phase);
            motion += to_double(w.amplitude) * sin_cos(2 * std::numbers::pi * (turns - std::floor(turns))).cos;
        }
    return motion;
}

}  // namespace

void StringStepper::predict(Strings& s, const StringPiece& piece, const StringSubstep& in)
{
    const AirSubstep& air = in.of(s, piece).air;
    const Vec3d fall = to_double(air.fall);
    for (size_t i = piece.first; i <= piece.last; ++i) {
        s.before[i] = s.position[i];
        Vec3d step = s.velocity[i] * in.h + fall + s.acceleration[i] * (in.h * in.h);
        if (air.resists()) {
            const size_t from = i < piece.last ? i : i - 1;
            const Vec3d unit =
                piece.segments() > 0 ? unit_or(s.position[from + 1] - s.position[from], {0, 1, 0}) : Vec3d{0, 1, 0};
            const Vec3d through = air_motion(air, s.position[i] - in.air_origin) - s.velocity[i] * in.h;
            const double normal = static_cast<double>(air.normal), along = dot(through, unit);
            step += through * normal + unit * (along * (static_cast<double>(air.tangential) - normal));
        }
        s.position[i] += step;
    }
}

void StringStepper::finish(Strings& s, StringBatch batch, const StringSubstep& in)
{
    for (const StringPiece& piece : batch)
        for (size_t i = piece.first; i <= piece.last; ++i) s.velocity[i] = (s.position[i] - s.before[i]) * (1 / in.h);
    carry_frames(s, batch);
    for (const StringPiece& piece : batch) yield_material(s, piece);
}

void StringStepper::begin_printed(Strings& s, StringBatch batch, const StringSubstep& in)
{
    for (const StringPiece& piece : batch) {
        bounded_of(s, piece) += apply_printed_forces(s, piece, in.h);
        predict(s, piece, in);
        bounded_of(s, piece) += undo_endless_motion(s, piece);
    }
}

void StringStepper::finish_printed(Strings& s, StringBatch batch, const StringSubstep& in)
{
    for (const StringPiece& piece : batch) {
        bounded_of(s, piece) += undo_endless_motion(s, piece);
        for (size_t i = piece.first; i <= piece.last; ++i) s.velocity[i] = (s.position[i] - s.before[i]) * (1 / in.h);
    }
    carry_frames(s, batch);
    for (const StringPiece& piece : batch) keep_plastic_strain(s, piece);
}

void StringStepper::tear(Strings& s, const StringSubstep& in)
{
    bool any = false;
    for (const StringPiece& piece : s.pieces) {
        if (!in.of(s, piece).tears) continue;
        if (in.of(s, piece).printed) {
            if (!tear_printed(s, piece, torn)) continue;
            any = true;
            if (in.of(s, piece).flicks) bounce_back(s, piece);
            continue;
        }
        if (const auto weakest = find_tear(s, piece)) {
            s.intact[*weakest] = 0;
            torn.push_back(*weakest);
            any = true;
            if (!in.of(s, piece).flicks) release_tension(s, piece);
        }
    }
    if (!any) return;
    find_pieces(s);
    prepare_regions(s, s.half_width);
}

void StringStepper::substep(Strings& s, StringSubstep& in, Executor& executor)
{
    std::fill(s.holder.begin(), s.holder.end(), 0u);
    for (const StringHold& hold : in.holds) {
        s.holder[hold.particle] = static_cast<uint32_t>(hold.body) + 1;
        const bool slides = dot(hold.slide, hold.slide) > 0;
        s.inverse_mass[hold.particle] = slides ? 1 / s.mass[hold.particle] : hold.inverse_mass;
    }
    if (s.half_width != in.half_width) prepare_regions(s, in.half_width);
    stiffness_share = 1;
    shares_.assign(s.pieces.size(), 1.0);
    bounded_of_.assign(s.pieces.size(), 0);
    for_batches(s, executor, [&](StringBatch batch) {
        if (in.of(s, batch.front()).printed) return begin_printed(s, batch, in);
        for (const StringPiece& piece : batch) {
            std::fill(s.acceleration.begin() + static_cast<ptrdiff_t>(piece.first),
                      s.acceleration.begin() + static_cast<ptrdiff_t>(piece.last) + 1, Vec3d{0, 0, 0});
            shares_[static_cast<size_t>(&piece - s.pieces.data())] =
                match_shapes(s, piece, in.of(s, piece).shape, in.h);
        }
        twist_centreline(s, batch);
        for (const StringPiece& piece : batch) {
            predict(s, piece, in);
            begin_lengths(s, piece, in.h);
        }
    });
    for (const double share : shares_) stiffness_share = std::min(stiffness_share, share);

    const auto project_onto_slides = [&] {
        for (const StringHold& hold : in.holds) {
            Vec3d& position = s.position[hold.particle];
            const double along = dot(position - hold.target, hold.slide);
            if (dot(hold.slide, hold.slide) > 0) position = hold.target + hold.slide * along;
        }
    };
    for (const StringHold& hold : in.holds)
        if (dot(hold.slide, hold.slide) == 0) s.position[hold.particle] = hold.target;
    project_onto_slides();
    if (!in.obstacles.list.empty()) collisions.find(s, in.obstacles, executor);
    const bool alone = in.ties.empty() && in.obstacles.list.empty() && !in.move_holders;
    for (int i = 0; i < in.iterations; ++i) {
        for_batches(s, executor, [&](StringBatch batch) {
            if (const auto& printed = in.of(s, batch.front()).printed) {
                if (i > 0) return;  // section 6: one iteration suffices
                for (const StringPiece& piece : batch) {
                    move_to_goals(s, piece, printed->half_width);
                    limit_strain(s, piece, *printed, in.h);
                    bounded_of(s, piece) += undo_endless_motion(s, piece);
                }
                return;
            }
            // The piece was in balance, and nothing can have moved it since.
            const auto in_balance = [&](const StringPiece& piece) {
                return i > 0 && alone && !touches_another(s, piece);
            };
            std::array<StringPiece, StringBatch::kMaxPieces> hard;
            size_t hard_count = 0;
            for (const StringPiece& piece : batch)
                if (!s.hard[piece.first])
                    solve_lengths(s, piece, in.h, 1);
                else if (!in_balance(piece))
                    hard[hard_count++] = piece;
            if (hard_count > 0) pull_lengths(s, StringBatch({hard.data(), hard_count}), in.h);
        });
        if (in.move_holders) in.move_holders();
        for (const StringTie& tie : in.ties) {
            const double a = s.inverse_mass[tie.a], b = s.inverse_mass[tie.b];
            if (!(a + b > 0)) continue;
            const Vec3d apart = (s.position[tie.b] - s.position[tie.a]) * (1 / (a + b));
            s.position[tie.a] += apart * a;
            s.position[tie.b] -= apart * b;
        }
        if (!in.obstacles.list.empty()) collisions.push_out(s, in.obstacles, executor);
        project_onto_slides();
        if (!in.contacts) continue;
        if (i == 0)
            contacts.find(s, *in.contacts, executor);
        else
            contacts.find_more(s, executor);
        contacts.push_apart(s, executor);
    }
    // A push may have moved a string through another one.
    for (int i = 0; in.contacts && i < kMaxFinalSearches && contacts.find_more(s, executor); ++i)
        contacts.push_apart(s, executor);
    if (in.contacts) contacts.prevent_crossings(s, executor);
    if (in.move_holders) in.move_holders();

    for_batches(s, executor, [&](StringBatch batch) {
        if (in.of(s, batch.front()).printed)
            finish_printed(s, batch, in);
        else
            finish(s, batch, in);
    });
    for (const StringClamp& clamp : in.clamps) turn_segment(s, clamp.segment, clamp.across);
    for_batches(s, executor, [&](StringBatch batch) {
        const StringBehaviour& behaviour = in.of(s, batch.front());
        if (!behaviour.printed) return spread_twist(s, batch, behaviour.twist_spread);
        for (const StringPiece& piece : batch)
            bounded_of(s, piece) += spread_twist_by_regions(s, piece, *behaviour.printed);
    });
    bounded = 0;
    for (const size_t count : bounded_of_) bounded += count;
    tear(s, in);
}

double longest_substep(const Strings& s, std::span<const uint8_t> printed)
{
    double rate2 = 0;  // inverse square of the result
    for (const StringPiece& piece : s.pieces) {
        if (s.owner[piece.first] < printed.size() && printed[s.owner[piece.first]]) continue;
        for (size_t i = piece.first; i < piece.last; ++i) {
            const double lightest = std::max(1 / s.mass[i], 1 / s.mass[i + 1]);
            rate2 = std::max(rate2, 4 * s.tension[i] * lightest / s.rest[i]);
            if (i > piece.first) rate2 = std::max(rate2, bend_rate2(s, i));
        }
    }
    return rate2 > 0 ? 1 / std::sqrt(rate2) : std::numeric_limits<double>::infinity();
}

}  // namespace tendril
