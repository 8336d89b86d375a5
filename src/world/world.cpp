// The step loop.
#include "tendril/world.h"

#include "world/stage_timer.h"
#include "world/state.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

constexpr double kMaxSettling = 3600;  // [s]

/// Adds a step to the report of several. Missed holds are those of the last step.
void add_step(StepReport& total, const StepReport& step)
{
    total.steps += step.steps;
    total.substeps = std::max(total.substeps, step.substeps);
    total.missed_holds = step.missed_holds;
    total.worst_gap = step.worst_gap;
    total.softened = std::max(total.softened, step.softened);
    total.bad_poses += step.bad_poses;
    total.torn += step.torn;
    total.bounded += step.bounded;
    total.fields.include(step.fields);
    total.bend_share = std::min(total.bend_share, step.bend_share);
    total.seconds.roots += step.seconds.roots;
    total.seconds.body += step.seconds.body;
    total.seconds.interaction += step.seconds.interaction;
    total.seconds.solve += step.seconds.solve;
}

}  // namespace

World::World(const WorldSettings& settings, std::shared_ptr<Executor> executor) : state_(std::make_unique<State>())
{
    state_->settings = usable_settings(settings);
    state_->executor = executor ? std::move(executor) : make_serial_executor();
    state_->interaction = make_interaction(state_->settings.interaction);
    state_->interaction_method = settings.interaction.method;
    state_->interaction_form = settings.interaction.form;
    state_->last_dt = usable_step(settings.dt);
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

StepReport World::step()
{
    return step(state_->settings.dt);
}

StepReport World::step(double dt)
{
    for (WorldBody& body : state_->bodies) body.body.settle_pending(state_->time + usable_step(dt));
    const StepReport report = state_->take_step(dt);
    state_->requested_time = state_->time;
    state_->show_newest = true;
    return report;
}

StepReport World::State::take_step(double asked_dt)
{
    StepReport report;
    ++changes;
    const double dt = usable_step(asked_dt);
    const double last = last_dt;
    apply_settings();
    release_expired_holds();
    TimeSpan span{time, settling_wind ? 0 : dt, 1};
    {
        StageTimer timer(report.seconds.body);
        span.substeps = plan_substeps(dt);
        report.bad_poses = bodies.sample(span);
        move_rigid_bodies(span, dt);
        if (refine_substeps(span)) report.bad_poses = bodies.sample(span);
        colliders.advance(span, *executor);
        report.fields = colliders.field_size();
    }
    WorldStep step{.settings = settings,
                   .span = span,
                   .dt = dt,
                   .number = steps,
                   .age = age,
                   .keep_previous = keeps_history(),
                   .has_history = has_history,
                   .wind = current_wind(),
                   .settling = settling_wind.has_value(),
                   .bodies = bodies,
                   .colliders = colliders,
                   .rigid = rigid,
                   .holds = holds,
                   .executor = *executor,
                   .report = report};
    for (const auto& movement : movements) movement->begin(step);
    interact(last, dt, report);
    for (const auto& movement : movements) movement->solve(step);

    report.steps = 1;
    report.substeps = span.substeps;
    last_dt = dt;
    has_history = keeps_history();
    age += dt;
    if (settling_wind) return report;
    time += dt;
    ++steps;
    for (WorldBody& body : bodies) body.body.forget_before(time - dt);
    return report;
}

void World::State::interact(double last, double dt, StepReport& report)
{
    std::fill(foreign_accelerations.begin(), foreign_accelerations.end(), Vec3f{0, 0, 0});
    // The velocities come from the history, so the first step after the interaction was switched on has none.
    if (!interaction || !has_history) return;
    StageTimer timer(report.seconds.interaction);
    InteractionStep step{last, dt};
    if (!settling_wind) {
        step.foreign = foreign;
        step.foreign_accelerations = foreign_accelerations;
    }
    interaction->apply(interacting_grooms(), step, *executor);
}

void World::prepare()
{
    State& w = *state_;
    w.apply_settings();
    if (w.interaction) w.interaction->prepare(w.interacting_grooms(), *w.executor);
    for (const auto& movement : w.movements) movement->prepare(w.settings, *w.executor);
}

bool World::settle(double seconds, const Vec3f& wind, const std::function<bool(double share)>& go_on)
{
    State& w = *state_;
    const double dt = usable_step(w.settings.dt);
    const auto count = static_cast<int64_t>(std::isfinite(seconds) ? std::clamp(seconds, 0.0, kMaxSettling) / dt : 0);
    bool wanted = true;
    for (int64_t i = 0; i < count && wanted; ++i) {
        // The wind combs the hair during the first half; then the hair comes to rest.
        w.settling_wind = 2 * i < count && is_finite(wind) ? wind : Vec3f{0, 0, 0};
        w.take_step(dt);
        w.settling_wind.reset();
        wanted = !go_on || go_on(static_cast<double>(i + 1) / static_cast<double>(count));
    }
    if (count > 0)
        for (WorldBody& body : w.bodies) body.stood_until = w.time;
    return wanted;
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
    w.requested_time += seconds;
    for (WorldBody& body : w.bodies) body.body.settle_pending(w.requested_time);
    w.show_newest = false;
    // The tolerance of a billionth of a step absorbs the rounding of frame times that add up to whole steps.
    while (w.time + dt * (1 - 1e-9) <= w.requested_time) add_step(total, w.take_step(dt));
    return total;
}

}  // namespace tendril
