// Input from the host between steps: poses, holds, foreign particles, teleports, settings.
#include "tendril/world.h"

#include "math/vectors.h"
#include "world/state.h"

#include <fmt/core.h>

#include <cassert>
#include <cmath>
#include <utility>

namespace tendril {

bool World::push_poses(BodyId id, std::span<const Pose> poses)
{
    ++state_->changes;
    WorldBody* body = state_->bodies.find(id);
    return body && !body->rigid && body->body.pend_poses(poses);
}

bool World::push_poses(BodyId id, std::span<const Pose> poses, double time)
{
    ++state_->changes;
    WorldBody* body = state_->bodies.find(id);
    return body && !body->rigid && body->body.push_poses(time, poses);
}

bool World::push_vertices(BodyId id, std::span<const Vec3f> vertices, const Vec3d& origin)
{
    ++state_->changes;
    WorldBody* body = state_->bodies.find(id);
    return body && body->body.pend_vertices(vertices, origin);
}

bool World::push_vertices(BodyId id, std::span<const Vec3f> vertices, const Vec3d& origin, double time)
{
    ++state_->changes;
    WorldBody* body = state_->bodies.find(id);
    return body && body->body.push_vertices(time, vertices, origin);
}

Result<HoldId> World::hold(ParticleId particle, BodyId on, size_t bone, Vec3d offset, const HoldSettings& settings)
{
    State& w = *state_;
    w.apply_settings();
    GroomInstance* groom = w.find_particle(particle);
    WorldBody* body = w.bodies.find(on);
    if (!groom || !body || bone >= body->body.bones())
        return Error{fmt::format("hold: there is no particle {} of strand {} in groom {}, or no bone {} of body {}",
                                 particle.particle, particle.strand, particle.groom.index, bone, on.index)};
    if (!is_finite(offset) || std::isnan(settings.until))
        return Error{"hold: the offset must be finite, and `until` a number"};
    const Ends ends = groom->groom.ends(particle.strand);
    const bool tip = particle.particle + 1 == groom->particles(particle.strand);
    if ((particle.particle == 0 && ends != Ends::kFree) || (tip && ends == Ends::kBothHeld))
        return Error{
            fmt::format("hold: the body already holds particle {} of strand {}", particle.particle, particle.strand)};
    size_t others = 0;
    for (const HoldState& h : w.holds) {
        if (h.groom != groom || h.strand != particle.strand) continue;
        ++others;
        if (h.particle == particle.particle)
            return Error{fmt::format("hold: particle {} of strand {} already has a hold; release it first",
                                     particle.particle, particle.strand)};
    }
    const size_t max_holds = groom->movement->max_holds();
    if (others >= max_holds)
        return Error{fmt::format("hold: strand {} already has {} holds, the maximum", particle.strand, max_holds)};
    HoldState& hold = w.holds.add();
    hold.groom = groom;
    hold.strand = particle.strand;
    hold.particle = particle.particle;
    hold.body = body;
    hold.bone = bone;
    hold.offset = offset;
    hold.clamped = settings.clamped;
    hold.until = settings.until;
    if (is_finite(settings.slide)) hold.slide = unit_or(settings.slide, {0, 0, 0});
    return hold.id;
}

void World::release(HoldId id)
{
    if (HoldState* hold = state_->holds.find(id)) state_->release(*hold);
}

bool World::tie(ParticleId particle, ParticleId other)
{
    State& w = *state_;
    w.apply_settings();
    GroomInstance *a = w.find_particle(particle), *b = w.find_particle(other);
    return a && b && a->movement->tie(*a, particle.strand, particle.particle, *b, other.strand, other.particle);
}

bool World::cut(ParticleId segment)
{
    State& w = *state_;
    w.apply_settings();
    GroomInstance* groom = w.find_particle(segment);
    if (!groom || segment.particle + 1 >= groom->particles(segment.strand)) return false;
    return groom->movement->cut(*groom, segment.strand, segment.particle, w.time);
}

void World::set_foreign_particles(std::span<const ForeignParticle> particles)
{
    state_->foreign.assign(particles.begin(), particles.end());
    state_->foreign_accelerations.assign(particles.size(), {0, 0, 0});
}

bool World::teleport(BodyId id)
{
    State& w = *state_;
    WorldBody* body = w.bodies.find(id);
    if (!body) return false;
    body->body.settle_pending(w.time);
    body->body.jump_to_newest(w.time);
    body->stood_until = w.time;
    for (GroomInstance& groom : w.grooms)
        if (groom.body == body && !w.carry_to_body(groom)) return false;
    return true;
}

bool World::State::carry_to_body(GroomInstance& groom)
{
    ++changes;
    RootPose now;
    if (!sample_roots(groom.anchors, *groom.body, time, now)) return false;
    const RootPose before = std::exchange(groom.roots, std::move(now));
    groom.movement->carry(
        groom,
        [&](size_t s) { return between(groom.anchors.carried(before, s), groom.anchors.carried(groom.roots, s)); },
        *executor);
    return true;
}

void World::reset()
{
    State& w = *state_;
    ++w.changes;
    w.rigid.reset(w.time);
    for (WorldBody& body : w.bodies) body.stood_until = w.time;
    for (GroomInstance& groom : w.grooms)
        if (w.sample_roots(groom.anchors, *groom.body, w.time, groom.roots)) groom.movement->reset(groom, *w.executor);
    w.age = 0;
    w.has_history = true;
}

void World::set_paused(bool paused)
{
    state_->paused = paused;
}

bool World::paused() const
{
    return state_->paused;
}

WorldSettings& World::settings()
{
    return state_->settings;
}

const WorldSettings& World::settings() const
{
    return state_->settings;
}

GroomBehaviour& World::behaviour(GroomId groom)
{
    assert(state_->grooms.find(groom));
    return state_->grooms.find(groom)->settings.behaviour;
}

const GroomBehaviour& World::behaviour(GroomId groom) const
{
    assert(state_->grooms.find(groom));
    return state_->grooms.find(groom)->settings.behaviour;
}

std::optional<Error> World::check() const
{
    for (const GroomInstance& groom : state_->grooms)
        if (auto wrong = state_->check_springs(groom)) return wrong;
    return {};
}

}  // namespace tendril
