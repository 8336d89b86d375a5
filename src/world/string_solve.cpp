// One step of a world whose grooms are strings: substep by substep, because what they hold on to may be moved by them.
#include "math/vectors.h"
#include "world/state.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// In which the twist of StringSettings::twist_reach evens out: the step of [Rungjiratananon11].
constexpr double kTwistTime = 0.01;  // [s]

}  // namespace

void World::State::add_to_strings(GroomInstance& groom)
{
    std::vector<Vec3d>& places = strings->root_places;
    std::vector<Quat>& turns = strings->root_turns;
    places.resize(groom.groom.strand_count());
    turns.resize(places.size());
    groom.roots.carry(bodies[groom.body], time, places, turns, *executor);
    strings->add(
        groom, [&](size_t s) { return turns[s]; }, last_dt, settings.contact.seed);
}

void World::State::solve_strings(double dt, const Roots::Span& span, StepReport& report)
{
    StringGrooms& g = *strings;
    const StringSettings& s = settings.solver.string;
    const double h = dt / span.substeps;
    for (GroomInstance& groom : grooms) groom.strands.begin_step();
    g.begin_step();
    StringSubstep in{};
    in.h = h;
    in.ties = ties;
    in.half_width = s.half_width;
    in.shape = {static_cast<double>(s.bend_damping), static_cast<double>(s.heavier)};
    in.twist_spread = static_cast<double>(s.twist_reach) * static_cast<double>(s.twist_reach) * h / kTwistTime;
    in.iterations = s.iterations;
    if (settings.interaction.method == InteractionMethod::kContacts) in.contacts = settings.interaction.contacts;
    in.tears = s.tears;
    in.flicks = s.flicks;
    if (rigid) in.give_way = [this, h] { give_way(h); };
    const WindSettings wind = wind_now();
    for (int k = 0; k < span.substeps; ++k) {
        const double at = span.time + span.dt * k / span.substeps;
        const Vec3d origin = g.strings.place.empty() ? Vec3d{0, 0, 0} : g.strings.place[0];
        const AirSubstep now = prepare_air(settings.air, wind, settings.gravity, origin, at, h);
        in.air = &now;
        in.air_origin = origin;
        if (rigid) blow_rigid_bodies(at, h);
        hold_strings(span.end_of(k), h, report.bad_poses);
        in.holds = g.holds;
        in.clamps = g.clamps;
        meet_colliders(k, origin, h);
        in.obstacles = {g.obstacles, origin, static_cast<double>(settings.contact.margin),
                        static_cast<double>(settings.contact.friction)};
        g.stepper.substep(g.strings, in, *executor);
        if (rigid) {
            pull_rigid_bodies(h);
            step_rigid_bodies(at, span.dt / span.substeps, h);
        }
        report.torn += g.stepper.torn.size();
        report.bend_share = std::min(report.bend_share, g.stepper.stiffness_share);
        g.note_events(span.end_of(k));
    }
    if (rigid) tell_rigid_poses(span.time + span.dt);
    for (size_t i = 0; i < grooms.size(); ++i) {
        if (!grooms[i].roots.place(grooms[i].strands, bodies[grooms[i].body], span.time + span.dt, *executor))
            ++report.bad_poses;
        g.end_step(i, grooms[i].strands, h);
    }
}

void World::State::meet_colliders(int substep, const Vec3d& origin, double h)
{
    for (size_t i = 0; i < rigid_bodies.size(); ++i) {
        if (substep > 0) colliders.set_pose(rigid_bodies[i], substep - 1, rigid->motion(i).pose);
        colliders.set_pose(rigid_bodies[i], substep, pose_after(i, h));
    }
    StringGrooms& g = *strings;
    g.obstacles.clear(), g.obstacle_bodies.clear();
    colliders.for_shapes(substep, origin, [&](const ShapeSubstep& shape, size_t body) {
        const auto moved = rigid_index(body);
        // As light as it is at the end of its longest lever: what is taken for too light is only pushed too softly.
        const double lever = moved ? length(rigid->body(*moved).size) / 2 : 0;
        const double lightness =
            moved ? rigid->lightness(*moved, rigid->motion(*moved).pose.position + Vec3d{lever, 0, 0}) : 0;
        g.obstacles.push_back({shape, lightness, body});
        g.obstacle_bodies.push_back(moved ? static_cast<int>(*moved) : -1);
    });
}

double World::State::lightness_for(size_t i, size_t particle, const Vec3d& place) const
{
    const Strings& s = strings->strings;
    double lightness = 0, others = 0;
    const auto look = [&](size_t segment) {
        const Vec3d along = unit_or(s.edge(segment), {0, 1, 0});
        lightness = std::max(lightness, rigid->lightness(i, place, along));
    };
    if (s.whole[particle]) look(particle);
    if (particle > 0 && s.whole[particle - 1]) look(particle - 1);
    // All that it holds may pull at once, in any direction, and none knows of the others: together they must not move
    // it too far.
    for (const HoldState& h : holds) others += h.active && h.body == rigid_bodies[i];
    if (!(lightness > 0) || others > 1) lightness = rigid->lightness(i, place);
    return lightness * std::max(1.0, others);
}

void World::State::let_go_at(const HoldState& h)
{
    if (!strings || settings.solver.string.flicks) return;
    const size_t p = strings->particle(h.groom, h.strand, h.particle);
    for (const StringPiece& piece : strings->strings.pieces)
        if (piece.first <= p && p <= piece.last) let_go(strings->strings, piece);
}

void World::State::hold_roots(size_t index, double at, double h, size_t& bad_poses)
{
    StringGrooms& g = *strings;
    GroomInstance& groom = grooms[index];
    const auto moved = rigid_index(groom.body);
    std::vector<Vec3d>& places = g.root_places;
    std::vector<Quat>& turns = g.root_turns;
    places.resize(groom.groom.strand_count());
    turns.resize(places.size());
    if (moved) {
        const Pose pose = pose_after(*moved, h);
        for (size_t s = 0; s < places.size(); ++s) {
            places[s] = transform_point(pose, to_double(groom.groom.points(s)[0]));
            turns[s] = pose.rotation;
        }
    } else if (!groom.roots.carry(bodies[groom.body], at, places, turns, *executor)) {
        ++bad_poses;
    }
    for (size_t s = 0; s < places.size(); ++s) {
        if (groom.groom.ends(s) == Ends::kFree) continue;
        const auto rest = groom.groom.points(s);
        const size_t last = rest.size() - 1;
        const auto hold = [&](size_t i) {
            const Vec3d place = places[s] + rotate(turns[s], to_double(rest[i]) - to_double(rest[0]));
            const size_t p = g.particle(index, s, i);
            g.add_hold({p, place, moved ? lightness_for(*moved, p, place) : 0.0, {0, 0, 0}, groom.body}, moved,
                       to_double(rest[i]));
        };
        const auto clamp = [&](size_t segment) {
            const size_t p = g.particle(index, s, segment);
            g.add_clamp({p, rotate(turns[s], g.rest_material(p))}, moved);
        };
        hold(0);
        const auto whole = [&](size_t segment) { return g.strings.whole[g.particle(index, s, segment)] != 0; };
        if (groom.clamped && last > 1 && whole(0)) hold(1), clamp(0);
        if (groom.groom.ends(s) != Ends::kBothHeld) continue;
        hold(last);
        if (groom.clamped && last > 2 && whole(last - 1)) hold(last - 1), clamp(last - 1);
    }
}

void World::State::hold_strings(double at, double h, size_t& bad_poses)
{
    StringGrooms& g = *strings;
    g.clear_holds();
    for (size_t i = 0; i < grooms.size(); ++i) hold_roots(i, at, h, bad_poses);
    for (HoldState& held : holds) {
        if (!held.active) continue;
        const auto moved = rigid_index(held.body);
        Pose bone;
        if (moved) {
            bone = pose_after(*moved, h);
        } else {
            poses.resize(bodies[held.body].bones());
            if (!bodies[held.body].poses_at(at, poses)) ++bad_poses;
            bone = poses[held.bone];
        }
        const auto hold = [&](size_t p, const Vec3d& offset) {
            const Vec3d place = transform_point(bone, offset);
            const double lightness = moved ? lightness_for(*moved, p, place) : 0.0;
            g.add_hold({p, place, lightness, rotate(bone.rotation, held.slide), held.body}, moved, offset);
        };
        const size_t p = g.particle(held.groom, held.strand, held.particle);
        hold(p, held.offset);
        const size_t last = grooms[held.groom].groom.points(held.strand).size() - 1;
        if (!held.clamped || last < 2) continue;
        const size_t segment = held.particle == last ? p - 1 : p, other = held.particle == last ? p - 1 : p + 1;
        if (!g.strings.whole[segment]) continue;
        if (dot(held.across, held.across) == 0) {
            const Quat back = conjugate(bone.rotation);
            const Vec3d to_other = unit_or(g.strings.place[other] - g.strings.place[p], {1, 0, 0});
            held.along = rotate(back, to_other * g.strings.rest[segment]);
            held.across = rotate(back, g.material(segment));
        }
        hold(other, held.offset + held.along);
        g.add_clamp({segment, rotate(bone.rotation, held.across)}, moved);
    }
}

}  // namespace tendril
