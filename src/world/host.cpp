// What the host tells a world between its steps: poses, holds, foreign particles, jumps.
#include "tendril/world.h"

#include "math/vectors.h"
#include "world/state.h"

#include <fmt/core.h>

#include <algorithm>

namespace tendril {

bool World::push_poses(BodyId body, std::span<const Pose> poses)
{
    return body.index < state_->bodies.size() && !state_->rigid_index(body.index) &&
           state_->bodies[body.index].pend_poses(poses);
}

bool World::push_poses(BodyId body, std::span<const Pose> poses, double time)
{
    return body.index < state_->bodies.size() && !state_->rigid_index(body.index) &&
           state_->bodies[body.index].push_poses(time, poses);
}

bool World::push_vertices(BodyId body, std::span<const Vec3f> vertices, const Vec3d& origin)
{
    return body.index < state_->bodies.size() && state_->bodies[body.index].pend_vertices(vertices, origin);
}

bool World::push_vertices(BodyId body, std::span<const Vec3f> vertices, const Vec3d& origin, double time)
{
    return body.index < state_->bodies.size() && state_->bodies[body.index].push_vertices(time, vertices, origin);
}

Result<HoldId> World::hold(GroomId groom, size_t strand, size_t particle, BodyId body, size_t bone, Vec3d offset,
                           const HoldSettings& settings)
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
    if (others >= kMostHolds && w.settings.solver.type != SolverType::kChainShape)
        return Error{fmt::format("hold: strand {} has {} holds, which is the most", strand, kMostHolds)};
    const auto unused = std::find_if(w.holds.begin(), w.holds.end(), [](const HoldState& h) { return !h.active; });
    const size_t index = static_cast<size_t>(unused - w.holds.begin());
    if (unused == w.holds.end()) w.holds.emplace_back();
    const uint32_t generation = w.holds[index].generation + 1;
    w.holds[index] = {true, generation, groom.index, body.index, bone, strand, particle, offset};
    w.holds[index].clamped = settings.clamped;
    w.holds[index].until = settings.until;
    if (is_finite(settings.slide)) w.holds[index].slide = unit_or(settings.slide, {0, 0, 0});
    return HoldId{static_cast<uint32_t>(index), generation};
}

void World::release(HoldId hold)
{
    if (hold.index >= state_->holds.size()) return;
    HoldState& held = state_->holds[hold.index];
    if (held.generation != hold.generation || !held.active) return;
    held.active = false;
    state_->let_go_at(held);
}

void World::State::release_holds()
{
    for (HoldState& h : holds)
        if (h.active && time >= h.until - 1e-9) {
            h.active = false;
            let_go_at(h);
        }
}

bool World::tie(GroomId groom, size_t strand, size_t particle, GroomId other, size_t other_strand,
                size_t other_particle)
{
    State& w = *state_;
    w.take_over_settings();
    const auto exists = [&](GroomId g, size_t s, size_t i) {
        return w.strings && g.index < w.grooms.size() && s < w.grooms[g.index].groom.strand_count() &&
               i < w.grooms[g.index].groom.points(s).size();
    };
    if (!exists(groom, strand, particle) || !exists(other, other_strand, other_particle)) return false;
    const StringTie made{w.strings->particle(groom.index, strand, particle),
                         w.strings->particle(other.index, other_strand, other_particle)};
    if (made.a == made.b) return false;
    w.ties.push_back(made);
    return true;
}

bool World::cut(GroomId groom, size_t strand, size_t particle)
{
    State& w = *state_;
    w.take_over_settings();
    if (!w.strings || groom.index >= w.grooms.size() || strand >= w.grooms[groom.index].groom.strand_count() ||
        particle + 1 >= w.grooms[groom.index].groom.points(strand).size() ||
        !w.strings->strings.whole[w.strings->particle(groom.index, strand, particle)])
        return false;
    w.strings->cut(groom.index, strand, particle, w.settings.solver.string.flicks, w.time);
    return true;
}

void World::set_foreign_particles(std::span<const ForeignParticle> particles)
{
    state_->foreign.assign(particles.begin(), particles.end());
    state_->foreign_accelerations.assign(particles.size(), {0, 0, 0});
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
        const auto motion = [&](size_t s) { return between(before[s], groom.roots.carried(s)); };
        groom.strands.carry(motion);
        if (groom.solver) groom.solver->carry(groom.strands, motion);
        if (w.strings)
            for (size_t s = 0; s < before.size(); ++s)
                w.strings->carry(static_cast<size_t>(&groom - w.grooms.data()), s, motion(s));
        groom.roots.place(groom.strands, body, w.time, *w.executor);
        groom.strands.begin_step();
    }
    return true;
}

void World::reset()
{
    for (GroomInstance& groom : state_->grooms) state_->place_at_rest(groom);
    for (size_t i = 0; i < state_->rigid_bodies.size(); ++i) {
        const RigidBody& body = state_->rigid->body(i);
        state_->rigid->set_motion(i, {state_->rigid_starts[i], body.velocity, body.spin});
    }
    if (state_->rigid) state_->tell_rigid_poses(state_->time);
    state_->strings.reset();  // made anew, whole and at ease, with the next step
    state_->age = 0;
    state_->has_history = true;
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

std::optional<Error> World::check() const
{
    for (const GroomInstance& groom : state_->grooms)
        if (auto wrong = state_->check_springs(groom.strands, groom.particle_mass)) return wrong;
    return {};
}

}  // namespace tendril
