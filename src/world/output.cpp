// What comes out of a world: curves between two steps, measurements, counts.
#include "tendril/world.h"

#include "math/bytes.h"
#include "math/random.h"
#include "world/state.h"

#include <algorithm>
#include <cassert>

namespace tendril {

void World::State::roots_for_output(GroomInstance& groom, float blend)
{
    const Strands& strands = groom.strands;
    groom.output_roots.resize(strands.strand_count());
    const bool known =
        groom.roots.positions(bodies[groom.body], std::max(asked_time, time), groom.output_roots, *executor);
    for (size_t s = 0; s < strands.strand_count(); ++s) {
        if (known && groom.groom.ends(s) != Ends::kFree) continue;
        const Vec3d before = strands.root_before(s);
        groom.output_roots[s] = before + (strands.root(s) - before) * static_cast<double>(blend);
    }
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
    groom.strands.write_curves(
        {groom.output_roots, origin, blended ? blend : 1.0f, w.last_dt, !keeps_lengths(w.settings.solver.type),
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

Pose World::pose(BodyId body, size_t bone)
{
    State& w = *state_;
    if (body.index >= w.bodies.size() || bone >= w.bodies[body.index].bones()) return {};
    w.poses.resize(w.bodies[body.index].bones());
    w.bodies[body.index].poses_at(w.time, w.poses);
    return w.poses[bone];
}

Vec3d World::position(GroomId groom, size_t strand, size_t particle) const
{
    assert(groom.index < state_->grooms.size());
    const Strands& strands = state_->grooms[groom.index].strands;
    assert(strand < strands.strand_count() && particle < static_cast<size_t>(strands.levels(strand)));
    return strands.position(strand, static_cast<int>(particle));
}

Metrics World::measure()
{
    State& w = *state_;
    w.take_over_settings();
    Metrics all;
    double segments = 0, depth = 0;
    w.colliders.place(w.bodies, w.time, *w.executor);
    for (GroomInstance& groom : w.grooms) {
        const auto index = static_cast<size_t>(&groom - w.grooms.data());
        const Metrics m = w.strings ? w.strings->measure(index, w.settings.gravity)
                                    : groom.meter.measure(groom.strands, w.settings.gravity, groom.particle_mass,
                                                          w.last_dt, *w.executor);
        const double n = w.strings ? static_cast<double>(w.strings->whole_segments(index))
                                   : static_cast<double>(groom.strands.particle_count() - groom.strands.strand_count());
        if (n > 0) all.stretch_mean = (all.stretch_mean * segments + m.stretch_mean * n) / (segments + n);
        segments += n;
        all.nonfinite += m.nonfinite;
        all.stretch_max = std::max(all.stretch_max, m.stretch_max);
        all.kinetic += m.kinetic;
        all.potential += m.potential;
        all.elastic += m.elastic;
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

StringsView World::strings(GroomId id)
{
    state_->take_over_settings();  // before the first step there are none yet
    if (!state_->strings || id.index >= state_->grooms.size()) return {};
    return state_->strings->view(id.index);
}

std::vector<StringEvent> World::take_events()
{
    if (!state_->strings) return {};
    std::vector<StringEvent> taken = state_->strings->events;
    state_->strings->events.clear();  // and keeps its memory for those of the next steps
    return taken;
}

std::vector<float> World::tensions(GroomId id) const
{
    state_->take_over_settings();
    if (state_->strings && id.index < state_->grooms.size()) {
        const auto of_segments = state_->strings->view(id.index).tensions;
        std::vector<float> out(of_segments.size(), 0.0f);
        for (size_t i = 1; i < out.size(); ++i) out[i] = of_segments[i - 1];
        return out;
    }
    if (id.index >= state_->grooms.size()) return {};
    const GroomInstance& g = state_->grooms[id.index];
    const ParticleRows* tensions = g.solver ? g.solver->tensions() : nullptr;
    if (!tensions) return {};
    std::vector<float> out(g.groom.point_count(), 0.0f);
    for (size_t s = 0; s < g.groom.strand_count(); ++s) {
        float* to = out.data() + g.groom.first_points()[s];
        for (int i = 1; i < g.strands.levels(s); ++i)
            to[i] = tensions->get(s, i, 0) * static_cast<float>(g.particle_mass);
    }
    return out;
}

std::span<const Vec3f> World::foreign_accelerations() const
{
    return state_->foreign_accelerations;
}

uint64_t World::state_hash()
{
    uint64_t h = state_->steps;
    for (GroomInstance& g : state_->grooms) {
        const uint64_t strands = g.strands.hash(*state_->executor);
        h = mix_bits(h ^ (g.solver ? g.solver->hash(strands) : strands));
    }
    if (state_->strings) h = mix_bits(h ^ state_->strings->hash());
    for (size_t i = 0; i < state_->rigid_bodies.size(); ++i)
        h = mix_bits(h ^ hash_bytes(&state_->rigid->motion(i), sizeof(RigidMotion)));
    return h;
}

double World::time() const
{
    return state_->time;
}

uint64_t World::steps() const
{
    return state_->steps;
}

const Groom& World::groom(GroomId groom) const
{
    assert(groom.index < state_->grooms.size());
    return state_->grooms[groom.index].groom;
}

size_t World::groom_count() const
{
    return state_->grooms.size();
}

size_t World::body_count() const
{
    return state_->bodies.size();
}

const Groom& World::children(ChildrenId children) const
{
    assert(children.index < state_->children.size());
    return state_->children[children.index].strands.groom();
}

GroomId World::guides_of(ChildrenId children) const
{
    assert(children.index < state_->children.size());
    return {static_cast<uint32_t>(state_->children[children.index].guides)};
}

size_t World::children_count() const
{
    return state_->children.size();
}

size_t World::collider_count() const
{
    return state_->colliders.size();
}

size_t World::strand_count() const
{
    size_t n = 0;
    for (const GroomInstance& g : state_->grooms) n += g.strands.strand_count();
    return n;
}

size_t World::particle_count() const
{
    size_t n = 0;
    for (const GroomInstance& g : state_->grooms) n += g.strands.particle_count();
    return n;
}

size_t World::bytes() const
{
    size_t n = 0;
    for (const GroomInstance& g : state_->grooms) n += g.strands.bytes();
    return n;
}

}  // namespace tendril
