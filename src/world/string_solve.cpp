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
    std::vector<Vec3d> places(groom.groom.strand_count());
    std::vector<Quat> turns(places.size());
    groom.roots.carry(bodies[groom.body], time, places, turns, *executor);
    strings->add(groom, [&](size_t s) { return turns[s]; }, last_dt, settings.contact.seed);
}

void World::State::solve_strings(double dt, const Roots::Span& span, StepReport& report)
{
    StringGrooms& g = *strings;
    const StringSettings& s = settings.solver.string;
    const double h = dt / span.substeps;
    for (GroomInstance& groom : grooms) groom.strands.begin_step();
    g.begin_step();
    for (int k = 0; k < span.substeps; ++k) {
        StringSubstep in{};
        in.h = h;
        const Vec3d origin = g.strings.place.empty() ? Vec3d{0, 0, 0} : g.strings.place[0];
        WindSettings wind = settings.wind;
        if (settling) wind = {}, wind.velocity = settling_wind;
        const AirSubstep now = prepare_air(settings.air, wind, settings.gravity, origin, span.time + h * k, h);
        in.air = &now;
        in.air_origin = origin;
        hold_strings(span.end_of(k), report.bad_poses);
        in.holds = g.holds;
        in.clamps = g.clamps;
        in.half_width = s.half_width;
        in.shape = {static_cast<double>(s.bend_damping), static_cast<double>(s.heavier)};
        const double reach = static_cast<double>(s.twist_reach);
        in.twist_spread = reach * reach * h / kTwistTime;
        in.iterations = s.iterations;
        if (settings.interaction.method == InteractionMethod::kContacts) in.contacts = settings.interaction.contacts;
        meet_colliders(k, origin);
        in.obstacles = {g.obstacles, origin, static_cast<double>(settings.contact.margin),
                        static_cast<double>(settings.contact.friction)};
        in.tears = s.tears;
        in.flicks = s.flicks;
        g.stepper.substep(g.strings, in, *executor);
        report.torn += g.stepper.torn.size();
        report.bend_share = std::min(report.bend_share, g.stepper.stiffness_share);
        g.note_events(span.end_of(k));
    }
    for (size_t i = 0; i < grooms.size(); ++i) {
        if (!grooms[i].roots.place(grooms[i].strands, bodies[grooms[i].body], span.time + span.dt, *executor))
            ++report.bad_poses;
        g.end_step(i, grooms[i].strands, h);
    }
}

void World::State::meet_colliders(int substep, const Vec3d& origin)
{
    strings->obstacles.clear();
    colliders.for_shapes(substep, origin,
                         [&](const ShapeSubstep& shape, size_t) { strings->obstacles.push_back({shape, 0}); });
}

void World::State::hold_roots(size_t index, double at, size_t& bad_poses)
{
    StringGrooms& g = *strings;
    GroomInstance& groom = grooms[index];
    std::vector<Vec3d> places(groom.groom.strand_count());
    std::vector<Quat> turns(places.size());
    if (!groom.roots.carry(bodies[groom.body], at, places, turns, *executor)) ++bad_poses;
    for (size_t s = 0; s < places.size(); ++s) {
        if (groom.groom.ends(s) == Ends::kFree) continue;
        const auto rest = groom.groom.points(s);
        const size_t last = rest.size() - 1;
        const auto hold = [&](size_t i) {
            const Vec3d from_root = to_double(rest[i]) - to_double(rest[0]);
            g.holds.push_back({g.particle(index, s, i), places[s] + rotate(turns[s], from_root)});
        };
        const auto clamp = [&](size_t segment) {
            const size_t p = g.particle(index, s, segment);
            g.clamps.push_back({p, rotate(turns[s], g.rest_material(p))});
        };
        hold(0);
        if (groom.clamped && last > 1) hold(1), clamp(0);
        if (groom.groom.ends(s) != Ends::kBothHeld) continue;
        hold(last);
        if (groom.clamped && last > 2) hold(last - 1), clamp(last - 1);
    }
}

void World::State::hold_strings(double at, size_t& bad_poses)
{
    StringGrooms& g = *strings;
    g.holds.clear(), g.clamps.clear();
    for (size_t i = 0; i < grooms.size(); ++i) hold_roots(i, at, bad_poses);
    for (HoldState& h : holds) {
        if (!h.active) continue;
        poses.resize(bodies[h.body].bones());
        if (!bodies[h.body].poses_at(at, poses)) ++bad_poses;
        const Pose& bone = poses[h.bone];
        const size_t p = g.particle(h.groom, h.strand, h.particle);
        const Vec3d slide = rotate(bone.rotation, h.slide);
        g.holds.push_back({p, transform_point(bone, h.offset), 0, slide});
        const size_t last = grooms[h.groom].groom.points(h.strand).size() - 1;
        if (!h.clamped || last < 2) continue;
        const size_t segment = h.particle == last ? p - 1 : p, other = h.particle == last ? p - 1 : p + 1;
        if (dot(h.across, h.across) == 0) {
            const Quat back = conjugate(bone.rotation);
            const Vec3d to_other = unit_or(g.strings.place[other] - g.strings.place[p], {1, 0, 0});
            h.along = rotate(back, to_other * g.strings.rest[segment]);
            h.across = rotate(back, g.material(segment));
        }
        g.holds.push_back({other, transform_point(bone, h.offset + h.along), 0, slide});
        g.clamps.push_back({segment, rotate(bone.rotation, h.across)});
    }
}

}  // namespace tendril
