#include "world/state.h"

#include <algorithm>
#include <cmath>
#include <hwy/targets.h>

namespace tendril {
namespace {

/// Of each strand the first ones, as many as every method can take: it may have been a string, which knows no limit.
/// They are sorted.
void keep_most_holds(std::vector<const HoldState*>& held)
{
    size_t kept = 0;
    int of_strand = 0;
    for (size_t i = 0; i < held.size(); ++i) {
        of_strand = i > 0 && held[i]->strand == held[i - 1]->strand ? of_strand + 1 : 1;
        if (of_strand <= kMostHolds) held[kept++] = held[i];
    }
    held.resize(kept);
}

}  // namespace

World::World(const WorldSettings& settings, std::shared_ptr<Executor> executor) : state_(std::make_unique<State>())
{
    state_->settings = usable_settings(settings);
    state_->executor = executor ? std::move(executor) : make_serial_executor();
    state_->solver_type = settings.solver.type;
    state_->interaction = make_interaction(state_->settings.interaction);
    state_->interaction_method = settings.interaction.method;
    state_->last_dt = usable_step(settings.dt);
    state_->last_substeps = usable_substeps(settings.substeps);
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::State::take_over_settings()
{
    settings = usable_settings(settings);
    for (GroomInstance& groom : grooms) {
        if (settings.solver.type != solver_type || !groom.solver) groom.solver = make_solver(settings.solver);
        if (groom.solver) groom.solver->configure(settings.solver);
    }
    solver_type = settings.solver.type;
    if (solver_type != SolverType::kChainShape) strings.reset();
    if (solver_type == SolverType::kChainShape && !strings) {
        strings = std::make_unique<StringGrooms>();
        for (GroomInstance& groom : grooms) add_to_strings(groom);
    }
    if (settings.interaction.method != interaction_method) interaction = make_interaction(settings.interaction);
    interaction_method = settings.interaction.method;
    if (interaction) interaction->configure(settings.interaction);
}

std::optional<Error> World::State::check_springs(const Strands& strands, double mass) const
{
    const WorldSettings s = usable_settings(settings);
    const double h = usable_step(s.dt) / usable_substeps(s.substeps);
    for (const Bucket& bucket : strands.buckets())
        if (auto wrong = check_spring(s.solver, bucket.levels, bucket.ends, mass, h)) return wrong;
    return {};
}

int World::State::substeps_over(double dt, double passing)
{
    int wanted = usable_substeps(settings.substeps) * parts_of_substep(settings.solver);
    if (strings) {
        if (strings->strings.half_width != settings.solver.string.half_width)
            prepare_regions(strings->strings, settings.solver.string.half_width);
        double asked = std::ceil(dt / longest_substep(strings->strings));
        for (size_t i = 0; i < rigid_bodies.size(); ++i) {
            // Bodies that are fast must not jump over strings.
            const Vec3d size = rigid->body(i).size;
            const double way = length(rigid->motion(i).velocity) * dt;
            asked = std::max(asked, std::ceil(way / (0.1 * std::min({size.x, size.y, size.z}))));
        }
        // By powers of two: a step that changes with every wave would make one wave the business of all.
        const int least = wanted, most = std::max(least, settings.solver.string.most_substeps);
        while (wanted < asked && wanted < most) wanted *= 2;
        wanted = std::min(wanted, most);
    }
    const int needed = colliders.begin_step(bodies, time, passing, wanted, *executor);
    // Rescaling stored velocities in the middle of a blow would misjudge them: coarser again when that has passed.
    constexpr double kCalm = 0.25;  // [s]
    if (needed >= refinement) refined_until = time + kCalm;
    if (needed >= refinement || time > refined_until) refinement = needed;
    return wanted * refinement;
}

void World::State::rescale_to(double dt, int substeps)
{
    const double h_old = last_dt / last_substeps, h_new = dt / substeps;
    if (steps > 0 && h_old != h_new)
        for (GroomInstance& groom : grooms)
            if (!strings) groom.strands.rescale_drift(h_old, h_new, last_substeps, has_history);
    last_dt = dt;
    last_substeps = substeps;
}

std::span<const InteractingGroom> World::State::interacting_grooms()
{
    interacting.clear();
    for (GroomInstance& groom : grooms)
        interacting.push_back({&groom.groom, &groom.strands, groom.rest_space, groom.particle_mass});
    return interacting;
}

void World::State::interact(InteractionStep step)
{
    // Without history nobody knows how fast strands are: the first step after it was switched on goes without.
    if (!has_history) return;
    if (!settling) {
        step.foreign = foreign;
        step.foreign_accelerations = foreign_accelerations;
    }
    interaction->apply(interacting_grooms(), step, *executor);
}

WindSettings World::State::wind_now() const
{
    if (!settling) return settings.wind;
    WindSettings comb;
    comb.velocity = settling_wind;
    return comb;
}

std::span<const AirSubstep> World::State::air_over_step(const Strands& strands, double dt, int substeps)
{
    air.resize(static_cast<size_t>(substeps));
    const double h = dt / substeps;
    const WindSettings wind = wind_now();
    for (int k = 0; k < substeps; ++k)
        air[static_cast<size_t>(k)] =
            prepare_air(settings.air, wind, settings.gravity, strands.frame.position, time + h * k, h);
    return air;
}

std::span<const Hold> World::State::hold_targets(GroomInstance& groom, double dt, int substeps, size_t& bad_poses)
{
    const size_t n = static_cast<size_t>(substeps);
    groom.held.clear();
    for (const HoldState& h : holds)
        if (h.active && &grooms[h.groom] == &groom) groom.held.push_back(&h);
    std::sort(groom.held.begin(), groom.held.end(), [](const HoldState* a, const HoldState* b) {
        return a->strand != b->strand ? a->strand < b->strand : a->particle < b->particle;
    });
    keep_most_holds(groom.held);
    groom.holds.resize(groom.held.size());
    groom.hold_targets.resize(groom.held.size() * n);
    for (size_t i = 0; i < groom.held.size(); ++i)
        groom.holds[i] = {static_cast<uint32_t>(groom.held[i]->strand), static_cast<int>(groom.held[i]->particle),
                          std::span<const Vec3f>(groom.hold_targets).subspan(i * n, n)};
    for (size_t b = 0; b < bodies.size(); ++b) {
        const auto on_body = [&](const HoldState* h) { return h->body == b; };
        if (std::none_of(groom.held.begin(), groom.held.end(), on_body)) continue;
        poses.resize(bodies[b].bones());
        for (size_t k = 0; k < n; ++k) {
            if (!bodies[b].poses_at(time + dt * static_cast<double>(k + 1) / substeps, poses)) ++bad_poses;
            for (size_t i = 0; i < groom.held.size(); ++i) {
                const HoldState& h = *groom.held[i];
                if (h.body != b) continue;
                const Vec3d target = transform_point(poses[h.bone], h.offset);
                groom.hold_targets[i * n + k] = to_float(target - groom.strands.root(h.strand));
            }
        }
    }
    return groom.holds;
}

bool World::State::fits(const HoldState& h) const
{
    if (h.groom >= grooms.size() || h.body >= bodies.size() || h.bone >= bodies[h.body].bones()) return false;
    const Strands& strands = grooms[h.groom].strands;
    return h.strand < strands.strand_count() && h.particle < static_cast<size_t>(strands.levels(h.strand)) &&
           is_finite(h.offset);
}

void World::State::place_at_rest(GroomInstance& groom)
{
    if (!groom.roots.place(groom.strands, bodies[groom.body], time, *executor)) return;
    groom.strands.reset(groom.groom, [&](size_t strand) { return groom.roots.carried(strand); });
    if (groom.solver) groom.solver->reset(groom.strands);
    groom.roots.place(groom.strands, bodies[groom.body], time, *executor);
    groom.strands.begin_step();
}

std::string simd_name()
{
    const int64_t usable = HWY_SUPPORTED_TARGETS & HWY_TARGETS;
    return hwy::TargetName(usable & -usable);  // better instruction sets have lower bits
}

}  // namespace tendril
