// Output of a world: interpolated curves, measurements, counts.
#include "tendril/world.h"

#include "math/bytes.h"
#include "world/state.h"

#include <algorithm>
#include <cassert>

namespace tendril {

void World::State::update_output_roots(GroomInstance& groom, float blend)
{
    RootPose pose;
    const bool known = sample_roots(groom.anchors, *groom.body, std::max(requested_time, time), pose);
    groom.output_roots.resize(groom.groom.strand_count());
    parallel_for(*executor, groom.output_roots.size(), 1024, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) {
            if (known && groom.groom.ends(s) != Ends::kFree) {
                groom.output_roots[s] = groom.anchors.root(pose, s);
            } else {
                const auto [before, now] = groom.movement->root_step(groom, s);
                groom.output_roots[s] = before + (now - before) * static_cast<double>(blend);
            }
        }
    });
}

CurvesView World::curves(GroomId id)
{
    State& w = *state_;
    GroomInstance* found = w.grooms.find(id);
    if (!found) return {};
    GroomInstance& groom = *found;
    w.update_curves(groom);
    return w.curves_of(groom);
}

void World::State::update_curves(GroomInstance& groom)
{
    const float blend = static_cast<float>(std::clamp((requested_time - time) / last_dt, 0.0, 1.0));
    update_output_roots(groom, blend);
    groom.points.resize(groom.groom.point_count());
    groom.velocities.resize(groom.groom.point_count());
    // Without history, or if the host calls `step` itself, curves show the newest state.
    const bool blended = !show_newest && settings.keep_previous;
    const Vec3d origin = groom.output_roots[0];  // floats are most precise near the hair
    groom.movement->write_curves(groom, {groom.output_roots, origin, blended ? blend : 1.0f, last_dt}, groom.points,
                                 groom.velocities, *executor);
    groom.curves_key = curves_key(groom);
}

GroomInstance::CurvesKey World::State::curves_key(const GroomInstance& groom) const
{
    return {changes, requested_time, settings.keep_previous, !groom.behaviour.solver.keeps_lengths()};
}

CurvesView World::State::curves_of(const GroomInstance& groom)
{
    return {groom.points, groom.velocities, groom.groom.first_points(), groom.output_roots[0]};
}

CurvesView World::curves(ChildrenId id)
{
    State& w = *state_;
    ChildrenInstance* found = w.children.find(id);
    if (!found) return {};
    ChildrenInstance& children = *found;
    GroomInstance& groom = *children.guides;
    if (!w.update_child_roots(children)) return {};
    // The host has usually just asked for the curves of the guides.
    if (groom.curves_key != w.curves_key(groom)) w.update_curves(groom);
    const CurvesView guides = w.curves_of(groom);
    children.points.resize(children.strands.groom().point_count());
    children.velocities.resize(children.points.size());
    children.root_frames.place(children.roots, children.roots_before, guides.origin, *w.executor);
    children.strands.interpolate(
        guides, w.last_dt, [&](size_t first, ChildRoots& out) { children.root_frames.compute(first, out); },
        children.points, children.velocities, *w.executor);
    return {children.points, children.velocities, children.strands.groom().first_points(), guides.origin};
}

bool World::State::update_child_roots(ChildrenInstance& instance)
{
    const double now = std::max(requested_time, time), before = now - last_dt;
    WorldBody& body = *instance.guides->body;
    if (!sample_roots(instance.anchors, body, now, instance.roots)) return false;
    // The tolerance absorbs the rounding of times.
    const bool moved = steps > 0 && before > body.stood_until - 1e-6 * last_dt;
    if (!moved || !sample_roots(instance.anchors, body, before, instance.roots_before))
        instance.roots_before = instance.roots;
    return true;
}

MeshView World::mesh(BodyId id, double time)
{
    WorldBody* body = state_->bodies.find(id);
    if (!body) return {};
    BodySample sample;
    body->body.look(time, sample);
    return body->body.mesh_in(sample, *state_->executor);
}

Pose World::pose(BodyId id, size_t bone)
{
    WorldBody* body = state_->bodies.find(id);
    if (!body || bone >= body->body.bones()) return {};
    BodySample sample;
    body->body.look(state_->time, sample);
    return sample.bones[bone];
}

Vec3d World::position(ParticleId particle) const
{
    const GroomInstance* groom = state_->find_particle(particle);
    assert(groom);
    std::vector<Vec3d> strand(particle.particle + 1);
    groom->movement->positions(*groom, particle.strand, strand);
    return strand.back();
}

Metrics World::measure()
{
    State& w = *state_;
    w.apply_settings();
    Metrics all;
    double segments = 0, depth = 0;
    w.colliders.place(w.time, *w.executor);
    for (GroomInstance& groom : w.grooms) {
        const auto [m, n] = groom.movement->measure(groom, w.settings.gravity, w.last_dt, *w.executor);
        if (n > 0) all.stretch_mean = (all.stretch_mean * segments + m.stretch_mean * n) / (segments + n);
        segments += n;
        all.nonfinite += m.nonfinite;
        all.stretch_max = std::max(all.stretch_max, m.stretch_max);
        if (groom.behaviour.solver.keeps_lengths())
            all.kept_stretch_max = std::max(all.kept_stretch_max, m.stretch_max);
        if (groom.enabled) all.kinetic += m.kinetic;
        all.potential += m.potential;
        all.elastic += m.elastic;
        if (groom.enabled) all.fastest = std::max(all.fastest, m.fastest);
        groom.depths.resize(w.colliders.active().empty() ? 0 : groom.groom.point_count());
        const auto positions = [&](size_t s, std::span<Vec3d> out) { groom.movement->positions(groom, s, out); };
        const Penetration p = w.colliders.measure(groom.groom, *groom.body, positions, groom.depths, *w.executor);
        all.penetration_max = std::max(all.penetration_max, p.deepest);
        depth += p.sum;
        all.penetrating += p.particles;
        all.pinched += p.pinched;
        all.unknown_side += p.unknown;
    }
    if (all.penetrating > 0) all.penetration_mean = depth / static_cast<double>(all.penetrating);
    return all;
}

std::span<const float> World::depths(GroomId id) const
{
    const GroomInstance* groom = state_->grooms.find(id);
    return groom ? std::span<const float>(groom->depths) : std::span<const float>();
}

std::vector<float> World::clearances(GroomId id)
{
    State& w = *state_;
    GroomInstance* groom = w.grooms.find(id);
    if (!groom) return {};
    std::vector<float> out(groom->groom.point_count());
    w.colliders.place(w.time, *w.executor);
    const auto positions = [&](size_t s, std::span<Vec3d> to) { groom->movement->positions(*groom, s, to); };
    w.colliders.clearances(groom->groom, positions, out, *w.executor);
    return out;
}

SegmentsView World::segments(GroomId id)
{
    state_->apply_settings();
    GroomInstance* groom = state_->grooms.find(id);
    return groom ? groom->movement->segments(*groom) : SegmentsView{};
}

std::vector<StringEvent> World::take_events()
{
    std::vector<StringEvent> taken;
    for (const auto& movement : state_->movements) movement->take_events(taken);
    return taken;
}

std::vector<float> World::tensions(GroomId id) const
{
    const GroomInstance* groom = state_->grooms.find(id);
    return groom ? groom->movement->tensions(*groom) : std::vector<float>();
}

std::span<const Vec3f> World::foreign_accelerations() const
{
    return state_->foreign_accelerations;
}

uint64_t World::state_hash()
{
    uint64_t h = state_->steps;
    for (const auto& movement : state_->movements) h = movement->hash(h, *state_->executor);
    const auto mix_switches = [&h](const auto& list, uint64_t kind) {
        for (size_t i = 0; i < list.size(); ++i)
            if (!list[i].enabled) h = mix_bits(h ^ (3 * i + kind));
    };
    mix_switches(state_->grooms, 0);
    mix_switches(state_->bodies, 1);
    mix_switches(state_->colliders, 2);
    return state_->rigid.hash(h);
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
    assert(state_->grooms.find(groom));
    return state_->grooms.find(groom)->groom;
}

const GroomSettings& World::settings(GroomId groom) const
{
    assert(state_->grooms.find(groom));
    return state_->grooms.find(groom)->settings;
}

std::vector<GroomId> World::grooms() const
{
    std::vector<GroomId> ids;
    for (const GroomInstance& groom : state_->grooms) ids.push_back(groom.id);
    return ids;
}

std::vector<BodyId> World::bodies() const
{
    std::vector<BodyId> ids;
    for (const WorldBody& body : state_->bodies) ids.push_back(body.id);
    return ids;
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
    assert(state_->children.find(children));
    return state_->children.find(children)->strands.groom();
}

std::span<const ChildGuides> World::child_guides(ChildrenId children) const
{
    assert(state_->children.find(children));
    return state_->children.find(children)->strands.guides();
}

GroomId World::guides_of(ChildrenId children) const
{
    assert(state_->children.find(children));
    return state_->children.find(children)->guides->id;
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
    for (const GroomInstance& g : state_->grooms) n += g.groom.strand_count();
    return n;
}

size_t World::particle_count() const
{
    size_t n = 0;
    for (const GroomInstance& g : state_->grooms) n += g.groom.point_count();
    return n;
}

size_t World::bytes() const
{
    size_t n = 0;
    for (const auto& movement : state_->movements) n += movement->bytes();
    return n;
}

}  // namespace tendril
