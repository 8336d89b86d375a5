#include "world/state.h"

#include "solvers/spring_limit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tendril {
namespace {

/// Substeps stay refined for at least this long [s]. Returning to fewer substeps rescales the stored velocities, which
/// is inaccurate in the middle of an impact.
constexpr double kRefinementTime = 0.05;
constexpr int kMaxCommonSubsteps = 1000;

Behaviour behaviour_of(const GroomInstance& groom, const WorldSettings& world)
{
    const GroomBehaviour& own = groom.settings.behaviour;
    return usable_behaviour({own.solver.value_or(world.solver), own.shape.value_or(world.shape),
                             own.air.value_or(world.air), own.contact.value_or(world.contact)});
}

}  // namespace

void World::State::apply_settings()
{
    settings = usable_settings(settings);
    for (GroomInstance& groom : grooms) {
        groom.behaviour = behaviour_of(groom, settings);
        Movement& wanted = movement_for(groom.behaviour.solver.type);
        if (&wanted != groom.movement) hand_over(groom, wanted);
    }
    if (settings.interaction.method != interaction_method || settings.interaction.form != interaction_form)
        interaction = make_interaction(settings.interaction);
    interaction_method = settings.interaction.method;
    interaction_form = settings.interaction.form;
    if (interaction) interaction->configure(settings.interaction);
}

Movement& World::State::movement_for(SolverType method) const
{
    for (const auto& movement : movements)
        if (movement->moves(method)) return *movement;
    return *movements.back();
}

void World::State::hand_over(GroomInstance& groom, Movement& to)
{
    ++changes;
    std::optional<GroomMotion> motion;
    if (groom.movement) {
        motion = groom.movement->motion(groom);
        groom.movement->remove(groom);
    }
    groom.movement = &to;
    to.add(groom);
    if (motion) to.set_motion(groom, *motion);
}

int World::State::plan_substeps(double dt)
{
    const int wanted = settings.substeps;
    int common = wanted;
    for (GroomInstance& groom : grooms) {
        groom.substeps = groom.movement->substeps(groom, wanted, dt, rigid);
        const int both = std::lcm(common, groom.substeps);
        common = both <= kMaxCommonSubsteps ? both : std::max(common, groom.substeps);
    }
    return common;
}

void World::State::move_rigid_bodies(const TimeSpan& span, double dt)
{
    const bool pulled = std::any_of(movements.begin(), movements.end(),
                                    [](const auto& movement) { return movement->moves_rigid_bodies(); });
    if (pulled || rigid.empty()) return;
    if (!settling_wind) rigid.apply_wind(settings.air, settings.wind, time, dt);
    rigid.step(colliders, 0, span.substeps, dt, settings);
    rigid.push_poses(time + span.dt);
    for (size_t i = 0; i < rigid.size(); ++i) Bodies::sample(rigid.body(i), span);
}

bool World::State::refine_substeps(TimeSpan& span)
{
    colliders.begin_step(span, *executor);
    int most = 1;
    for (GroomInstance& groom : grooms) {
        const int needed = needed_refinement(groom);
        if (needed >= groom.refinement) groom.refined_until = time + kRefinementTime;
        if (needed >= groom.refinement || time > groom.refined_until) groom.refinement = needed;
        most = std::max(most, groom.refinement);
    }
    span.substeps *= most;
    for (GroomInstance& groom : grooms) {
        groom.substeps *= groom.refinement;
        if (span.substeps % groom.substeps != 0) groom.substeps = span.substeps;
    }
    return most > 1;
}

int World::State::needed_refinement(GroomInstance& groom) const
{
    if (!groom.enabled || !colliders.any_fast()) return 1;
    const auto limit_of = [](const GroomInstance& g) { return g.behaviour.contact.max_refinement; };
    if (!groom.movement->couples_grooms()) return colliders.refinement(groom.movement->reach(groom), limit_of(groom));
    // All grooms of the movement take the same substeps.
    int needed = 1;
    for (const GroomInstance& g : grooms)
        if (g.movement == groom.movement && g.enabled)
            needed = std::max(needed, colliders.refinement(g.movement->reach(g), limit_of(g)));
    return needed;
}

std::span<const InteractingGroom> World::State::interacting_grooms()
{
    interacting.clear();
    for (const auto& movement : movements) movement->list_interacting(interacting);
    return interacting;
}

WindSettings World::State::current_wind() const
{
    if (!settling_wind) return settings.wind;
    WindSettings comb;
    comb.velocity = *settling_wind;
    return comb;
}

void World::State::release_expired_holds()
{
    std::vector<HoldState*> expired;
    for (HoldState& hold : holds)
        if (time >= hold.until - 1e-9) expired.push_back(&hold);
    for (HoldState* hold : expired) release(*hold);
}

void World::State::release(HoldState& hold)
{
    hold.groom->movement->released(hold);
    holds.remove(hold);
}

bool World::State::sample_roots(const RootAnchors& anchors, WorldBody& body, double at, RootPose& out)
{
    BodySample sample;
    const bool valid = body.body.look(at, sample);
    return anchors.sample(body.body, sample, out, *executor) && valid;
}

std::optional<Error> World::State::check_springs(const GroomInstance& groom) const
{
    const WorldSettings usable = usable_settings(settings);
    const double h = usable.dt / usable.substeps;
    const Behaviour behaviour = behaviour_of(groom, usable);
    for (size_t s = 0; s < groom.groom.strand_count(); ++s)
        if (auto wrong = check_spring(behaviour.solver, static_cast<int>(groom.particles(s)), groom.groom.ends(s),
                                      groom.settings.particle_mass, h))
            return wrong;
    return {};
}

GroomInstance* World::State::find_particle(const ParticleId& particle) const
{
    GroomInstance* groom = grooms.find(particle.groom);
    const bool exists =
        groom && particle.strand < groom->groom.strand_count() && particle.particle < groom->particles(particle.strand);
    return exists ? groom : nullptr;
}

}  // namespace tendril
