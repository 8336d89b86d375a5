// The step loop.
#include "tendril/world.h"

#include "world/state.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tendril {
namespace {

/// Adds the time from its making to its end to a stage.
class StageTimer {
public:
    explicit StageTimer(double& seconds) : seconds_(seconds) {}
    ~StageTimer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

constexpr int kMostHolds = kMaxHolds - 2;
constexpr float kLargestCollider = 1e4f;   // [m]
constexpr double kLongestSettling = 3600;  // [s]

}  // namespace

StepReport World::step()
{
    return step(state_->settings.dt);
}

StepReport World::step(double dt)
{
    for (Body& body : state_->bodies) body.settle_pending(state_->time + usable_step(dt));
    const StepReport report = state_->take_step(dt);
    state_->asked_time = state_->time;
    state_->show_newest = true;
    return report;
}

StepReport World::State::take_step(double dt)
{
    State& w = *this;
    StepReport report;
    dt = usable_step(dt);
    const double passing = w.settling ? 0 : dt;  // for bodies
    w.take_over_settings();
    int substeps = 1;
    {
        StageTimer timer(report.seconds.body);
        substeps = w.substeps_over(passing);
        w.colliders.advance(w.bodies, w.time, passing, substeps, *w.executor, report.bad_poses);
    }
    const double last = w.last_dt;
    w.rescale_to(dt, substeps);
    std::fill(w.foreign_accelerations.begin(), w.foreign_accelerations.end(), Vec3f{0, 0, 0});
    if (w.interaction) {
        StageTimer timer(report.seconds.interaction);
        w.interact({last, dt, dt / substeps});
    }
    for (GroomInstance& groom : w.grooms) {
        Strands& strands = groom.strands;
        SolveInput input;
        input.dt = dt;
        input.keep_previous = w.keeps_history();
        {
            StageTimer timer(report.seconds.roots);
            strands.begin_step();
            input.holds = w.hold_targets(groom, passing, substeps, report.bad_poses);
            input.shape = groom.shape.over_substeps(groom.groom, strands, w.settings.solver.shape, w.settings.gravity,
                                                    dt / substeps, *w.executor);
            input.roots = groom.roots.advance(strands, w.bodies[groom.body], {w.time, passing, substeps}, input.shape,
                                              *w.executor, report.bad_poses);
            input.air = w.air_over_step(strands, dt, substeps);
            input.contact =
                w.colliders.contacts_of(strands, input.roots.origin, w.settings.contact, {dt, w.age}, groom.contacts);
        }
        StageTimer timer(report.seconds.solve);
        const SolveReport solved = w.solver->solve(strands, input, *w.executor);
        strands.end_step();
        report.missed_holds += solved.missed_holds;
        report.worst_gap = std::max(report.worst_gap, solved.worst_gap);
    }
    report.steps = 1;
    report.substeps = substeps;
    w.has_history = w.keeps_history();
    w.age += dt;
    if (w.settling) return report;
    w.time += dt;
    ++w.steps;
    for (Body& body : w.bodies) body.forget_before(w.time - dt);
    return report;
}

void World::settle(double seconds, const Vec3f& wind)
{
    State& w = *state_;
    const double dt = usable_step(w.settings.dt);
    const auto count =
        static_cast<int64_t>(std::isfinite(seconds) ? std::clamp(seconds, 0.0, kLongestSettling) / dt : 0);
    w.settling = true;
    for (int64_t i = 0; i < count; ++i) {
        // A comb for the first half, then time to come to rest.
        w.settling_wind = 2 * i < count && is_finite(wind) ? wind : Vec3f{0, 0, 0};
        w.take_step(dt);
    }
    w.settling = false;
}

StepReport World::advance(double seconds)
{
    State& w = *state_;
    StepReport total;
    if (w.paused || !(seconds > 0) || !std::isfinite(seconds)) return total;
    const double dt = usable_step(w.settings.dt);
    const double longest = std::max(w.settings.longest_frame, dt);
    if (seconds > longest) {
        total.dropped_time = seconds - longest;
        seconds = longest;
    }
    w.asked_time += seconds;
    for (Body& body : w.bodies) body.settle_pending(w.asked_time);
    w.show_newest = false;
    // A billionth of a step forgives the rounding of frame times that add up to whole steps.
    while (w.time + dt * (1 - 1e-9) <= w.asked_time) {
        const StepReport r = w.take_step(dt);
        total.steps += r.steps;
        total.bad_poses += r.bad_poses;
        total.substeps = std::max(total.substeps, r.substeps);
        total.missed_holds = r.missed_holds;
        total.worst_gap = r.worst_gap;
        total.seconds.roots += r.seconds.roots;
        total.seconds.body += r.seconds.body;
        total.seconds.interaction += r.seconds.interaction;
        total.seconds.solve += r.seconds.solve;
    }
    return total;
}

BodyId World::add_body(BodyDescription body)
{
    state_->bodies.emplace_back(std::move(body));
    return {static_cast<uint32_t>(state_->bodies.size() - 1)};
}

Result<size_t> World::add_collider(const Collider& c)
{
    State& w = *state_;
    if (c.body.index >= w.bodies.size() || c.bone >= w.bodies[c.body.index].bones())
        return Error{fmt::format("collider: there is no bone {} of body {}; the world has {} bodies", c.bone,
                                 c.body.index, w.bodies.size())};
    const auto usable = [](float r) { return r >= 0 && r <= kLargestCollider; };
    const auto near = [](const Vec3d& p) { return is_finite(p) && length(p) <= static_cast<double>(kLargestCollider); };
    const double turn2 = c.turn.x * c.turn.x + c.turn.y * c.turn.y + c.turn.z * c.turn.z + c.turn.w * c.turn.w;
    if (c.shape > ColliderShape::kTorus || !(std::abs(turn2 - 1) < 1e-3))
        return Error{"collider: no such shape, or its turn is not a unit quaternion"};
    const bool sound = near(c.half) && c.half.x >= 0 && c.half.y >= 0 && c.half.z >= 0;
    if (!usable(c.radius_a) || !usable(c.radius_b) || !near(c.a) || !near(c.b) || !sound)
        return Error{fmt::format("collider: sizes must be in [0, {}] m and its places within {} m of their bone",
                                 kLargestCollider, kLargestCollider)};
    if (w.colliders.size() >= kMostColliders)
        return Error{fmt::format("collider: {} are the most that a world can have", kMostColliders)};
    w.colliders.add(c);
    return w.colliders.size() - 1;
}

Result<size_t> World::add_skin_collider(const SkinCollider& c)
{
    State& w = *state_;
    if (c.body.index >= w.bodies.size())
        return Error{fmt::format("collider: there is no body {}; the world has {}", c.body.index, w.bodies.size())};
    if (!(c.cell >= 0 && c.cell <= kLargestCollider))
        return Error{fmt::format("collider: cells of {} m; they must be in [0, {}]", c.cell, kLargestCollider)};
    const MeshView rest = w.bodies[c.body.index].mesh_at(w.time, *w.executor);
    if (rest.triangles.empty())
        return Error{fmt::format("collider: body {} has no mesh whose skin could be touched", c.body.index)};
    const auto near = [](const Vec3f& v) { return is_finite(v) && length(v) <= kLargestCollider; };
    if (!std::all_of(rest.vertices.begin(), rest.vertices.end(), near))
        return Error{fmt::format("collider: the mesh of body {} is larger than {} m", c.body.index, kLargestCollider)};
    if (w.colliders.has_skin(c.body.index))
        return Error{fmt::format("collider: the skin of body {} is a collider already", c.body.index)};
    if (w.colliders.size() >= kMostColliders)
        return Error{fmt::format("collider: {} are the most that a world can have", kMostColliders)};
    if (!w.colliders.add(c, rest))
        return Error{
            fmt::format("collider: the mesh of body {} encloses no volume that strands could stay out of; "
                        "add a plane or a box instead",
                        c.body.index)};
    return w.colliders.size() - 1;
}

Result<GroomId> World::add_groom(Groom groom, GroomSettings settings)
{
    State& w = *state_;
    if (w.bodies.empty()) add_body({.name = "world"});
    if (settings.body.index >= w.bodies.size())
        return Error{
            fmt::format("groom: body {} does not exist; the world has {}", settings.body.index, w.bodies.size())};
    auto checked = check_binding(groom, w.bodies[settings.body.index], std::move(settings));
    if (!checked) return Error{checked.error()};
    w.grooms.emplace_back(std::move(groom), *checked);
    w.place_at_rest(w.grooms.back());
    return GroomId{static_cast<uint32_t>(w.grooms.size() - 1)};
}

Result<ChildrenId> World::add_children(GroomId guides, Groom children, GuideMode mode, RootBinding binding)
{
    State& w = *state_;
    if (guides.index >= w.grooms.size())
        return Error{fmt::format("children: groom {} does not exist; the world has {}", guides.index, w.grooms.size())};
    const GroomInstance& groom = w.grooms[guides.index];
    GroomSettings settings;
    settings.body.index = static_cast<uint32_t>(groom.body);
    settings.binding = std::move(binding);
    auto checked = check_binding(children, w.bodies[groom.body], std::move(settings));
    if (!checked) return Error{checked.error()};
    w.children.emplace_back(guides.index, groom.groom, std::move(children), mode, *checked);
    return ChildrenId{static_cast<uint32_t>(w.children.size() - 1)};
}

bool World::push_poses(BodyId body, std::span<const Pose> poses)
{
    return body.index < state_->bodies.size() && state_->bodies[body.index].pend_poses(poses);
}

bool World::push_poses(BodyId body, std::span<const Pose> poses, double time)
{
    return body.index < state_->bodies.size() && state_->bodies[body.index].push_poses(time, poses);
}

bool World::push_vertices(BodyId body, std::span<const Vec3f> vertices, const Vec3d& origin)
{
    return body.index < state_->bodies.size() && state_->bodies[body.index].pend_vertices(vertices, origin);
}

bool World::push_vertices(BodyId body, std::span<const Vec3f> vertices, const Vec3d& origin, double time)
{
    return body.index < state_->bodies.size() && state_->bodies[body.index].push_vertices(time, vertices, origin);
}

Result<HoldId> World::hold(GroomId groom, size_t strand, size_t particle, BodyId body, size_t bone, Vec3d offset)
{
    State& w = *state_;
    if (!w.fits({true, 0, groom.index, body.index, bone, strand, particle, offset}))
        return Error{fmt::format("hold: no particle {} of strand {} in groom {}, or no bone {} of body {}", particle,
                                 strand, groom.index, bone, body.index)};
    const Strands& strands = w.grooms[groom.index].strands;
    const Ends ends = w.grooms[groom.index].groom.ends(strand);
    const bool tip = particle + 1 == static_cast<size_t>(strands.levels(strand));
    if ((particle == 0 && ends != Ends::kFree) || (tip && ends == Ends::kBothHeld))
        return Error{fmt::format("hold: particle {} of strand {} is held by its body already", particle, strand)};
    int others = 0;
    for (const HoldState& h : w.holds) {
        if (!h.active || h.groom != groom.index || h.strand != strand) continue;
        ++others;
        if (h.particle == particle)
            return Error{fmt::format("hold: particle {} of strand {} has a hold; release it first", particle, strand)};
    }
    if (others >= kMostHolds)
        return Error{fmt::format("hold: strand {} has {} holds, which is the most", strand, kMostHolds)};
    const auto unused = std::find_if(w.holds.begin(), w.holds.end(), [](const HoldState& h) { return !h.active; });
    const size_t index = static_cast<size_t>(unused - w.holds.begin());
    if (unused == w.holds.end()) w.holds.emplace_back();
    const uint32_t generation = w.holds[index].generation + 1;
    w.holds[index] = {true, generation, groom.index, body.index, bone, strand, particle, offset};
    return HoldId{static_cast<uint32_t>(index), generation};
}

void World::release(HoldId hold)
{
    if (hold.index >= state_->holds.size()) return;
    HoldState& held = state_->holds[hold.index];
    if (held.generation == hold.generation) held.active = false;
}

bool World::teleport(BodyId id)
{
    State& w = *state_;
    if (id.index >= w.bodies.size()) return false;
    Body& body = w.bodies[id.index];
    body.settle_pending(w.time);
    body.jump_to_newest(w.time);
    for (GroomInstance& groom : w.grooms) {
        if (groom.body != id.index) continue;
        std::vector<Pose> before(groom.strands.strand_count());
        for (size_t s = 0; s < before.size(); ++s) before[s] = groom.roots.carried(s);
        if (!groom.roots.place(groom.strands, body, w.time, *w.executor)) return false;
        groom.strands.carry([&](size_t s) { return between(before[s], groom.roots.carried(s)); });
        groom.roots.place(groom.strands, body, w.time, *w.executor);
        groom.strands.begin_step();
    }
    return true;
}

void World::reset()
{
    for (GroomInstance& groom : state_->grooms) state_->place_at_rest(groom);
    state_->age = 0;
    state_->has_history = true;
}

CurvesView World::curves(GroomId id)
{
    State& w = *state_;
    if (id.index >= w.grooms.size()) return {};
    GroomInstance& groom = w.grooms[id.index];
    const float blend = static_cast<float>(std::clamp((w.asked_time - w.time) / w.last_dt, 0.0, 1.0));
    w.roots_for_output(groom, blend);
    groom.points.resize(groom.groom.point_count());
    groom.velocities.resize(groom.groom.point_count());
    // When stepped by hand, or without history, the newest state is what there is to show.
    const bool blended = !w.show_newest && w.settings.keep_previous;
    const Vec3d origin = groom.output_roots[0];  // floats have their digits where the hair is
    groom.strands.write_curves({groom.output_roots, origin, blended ? blend : 1.0f, w.last_dt,
                                groom.groom.first_points(), groom.points, groom.velocities},
                               *w.executor);
    return {groom.points, groom.velocities, groom.groom.first_points(), origin};
}

CurvesView World::curves(ChildrenId id)
{
    State& w = *state_;
    if (id.index >= w.children.size()) return {};
    ChildrenInstance& children = w.children[id.index];
    const size_t strands = children.strands.groom().strand_count();
    const CurvesView guides = curves(GroomId{static_cast<uint32_t>(children.guides)});
    children.places.resize(strands);
    children.turns.resize(strands);
    children.from_origin.resize(strands);
    children.points.resize(children.strands.groom().point_count());
    Body& body = w.bodies[w.grooms[children.guides].body];
    if (!children.roots.carry(body, std::max(w.asked_time, w.time), children.places, children.turns, *w.executor))
        return {};
    for (size_t s = 0; s < strands; ++s) children.from_origin[s] = to_float(children.places[s] - guides.origin);
    children.strands.interpolate(guides, children.from_origin, children.turns, children.points, *w.executor);
    return {children.points, {}, children.strands.groom().first_points(), guides.origin};
}

MeshView World::mesh(BodyId body, double time)
{
    if (body.index >= state_->bodies.size()) return {};
    return state_->bodies[body.index].mesh_at(time, *state_->executor);
}

std::span<const float> World::depths(GroomId id) const
{
    if (id.index >= state_->grooms.size()) return {};
    return state_->grooms[id.index].depths;
}

std::vector<float> World::clearances(GroomId id)
{
    State& w = *state_;
    if (id.index >= w.grooms.size()) return {};
    const GroomInstance& groom = w.grooms[id.index];
    std::vector<float> out(groom.groom.point_count());
    w.colliders.place(w.bodies, w.time, *w.executor);
    w.colliders.clearances(groom.strands, groom.groom.first_points(), out, *w.executor);
    return out;
}

Metrics World::measure()
{
    State& w = *state_;
    w.take_over_settings();
    Metrics all;
    double segments = 0, depth = 0;
    w.colliders.place(w.bodies, w.time, *w.executor);
    for (GroomInstance& groom : w.grooms) {
        const Metrics m =
            groom.meter.measure(groom.strands, w.settings.gravity, groom.particle_mass, w.last_dt, *w.executor);
        const double n = static_cast<double>(groom.strands.particle_count() - groom.strands.strand_count());
        all.stretch_mean = (all.stretch_mean * segments + m.stretch_mean * n) / (segments + n);
        segments += n;
        all.nonfinite += m.nonfinite;
        all.stretch_max = std::max(all.stretch_max, m.stretch_max);
        all.kinetic += m.kinetic;
        all.potential += m.potential;
        all.fastest = std::max(all.fastest, m.fastest);
        groom.depths.resize(w.colliders.size() > 0 ? groom.groom.point_count() : 0);
        const Penetration p =
            w.colliders.measure(groom.strands, {groom.body, groom.groom.first_points(), groom.depths}, *w.executor);
        all.penetration_max = std::max(all.penetration_max, p.deepest);
        depth += p.sum;
        all.penetrating += p.particles;
        all.pinched += p.pinched;
    }
    if (all.penetrating > 0) all.penetration_mean = depth / static_cast<double>(all.penetrating);
    return all;
}

}  // namespace tendril
