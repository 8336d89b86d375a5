// The step loop.
#include "tendril/world.h"

#include "world/state.h"

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

constexpr double kLongestSettling = 3600;  // [s]

/// What holds missed is that of the last step.
void add_step(StepReport& total, const StepReport& step)
{
    total.steps += step.steps;
    total.substeps = std::max(total.substeps, step.substeps);
    total.missed_holds = step.missed_holds;
    total.worst_gap = step.worst_gap;
    total.softened = std::max(total.softened, step.softened);
    total.bad_poses += step.bad_poses;
    total.torn += step.torn;
    total.bend_share = std::min(total.bend_share, step.bend_share);
    total.seconds.roots += step.seconds.roots;
    total.seconds.body += step.seconds.body;
    total.seconds.interaction += step.seconds.interaction;
    total.seconds.solve += step.seconds.solve;
}

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
    StepReport report;
    dt = usable_step(dt);
    const double passing = settling ? 0 : dt;  // for bodies
    take_over_settings();
    release_holds();
    if (rigid && !strings) {
        step_rigid_bodies(time, passing, dt);
        tell_rigid_poses(time + passing);
    }
    int substeps = 1;
    {
        StageTimer timer(report.seconds.body);
        substeps = substeps_over(dt, passing);
        colliders.advance(bodies, time, passing, substeps, *executor, report.bad_poses);
    }
    const double last = last_dt;
    rescale_to(dt, substeps);
    std::fill(foreign_accelerations.begin(), foreign_accelerations.end(), Vec3f{0, 0, 0});
    if (interaction) {
        StageTimer timer(report.seconds.interaction);
        interact({last, dt, dt / substeps});
    }
    const Roots::Span span{time, passing, substeps};
    if (strings) {
        StageTimer timer(report.seconds.solve);
        solve_strings(dt, span, report);
    } else {
        solve_strands(dt, span, report);
    }
    report.steps = 1;
    report.substeps = substeps;
    has_history = keeps_history();
    age += dt;
    if (settling) return report;
    time += dt;
    ++steps;
    for (Body& body : bodies) body.forget_before(time - dt);
    return report;
}

void World::State::solve_strands(double dt, const Roots::Span& span, StepReport& report)
{
    for (GroomInstance& groom : grooms) {
        SolveInput input;
        {
            StageTimer timer(report.seconds.roots);
            groom.strands.begin_step();
            input = lead(groom, dt, span, report.bad_poses);
        }
        StageTimer timer(report.seconds.solve);
        const SolveReport solved = groom.solver->solve(groom.strands, input, *executor);
        groom.strands.end_step();
        report.softened += solved.softened;
        report.missed_holds += solved.missed_holds;
        report.worst_gap = std::max(report.worst_gap, solved.worst_gap);
    }
}

SolveInput World::State::lead(GroomInstance& groom, double dt, const Roots::Span& span, size_t& bad_poses)
{
    SolveInput input;
    input.dt = dt;
    input.keep_previous = keeps_history();
    input.holds = hold_targets(groom, span.dt, span.substeps, bad_poses);
    input.step = steps;
    input.shape = groom.shape.over_substeps(groom.groom, groom.strands, shape_for(settings.solver), settings.gravity,
                                            dt / span.substeps, *executor);
    input.roots = groom.roots.advance(groom.strands, bodies[groom.body], span, input.shape, *executor, bad_poses);
    input.air = air_over_step(groom.strands, dt, span.substeps);
    input.contact =
        colliders.contacts_of(groom.strands, input.roots.origin, settings.contact, {dt, age}, groom.contacts);
    input.particle_mass = groom.particle_mass;
    return input;
}

void World::prepare()
{
    State& w = *state_;
    w.take_over_settings();
    if (w.interaction) w.interaction->prepare(w.interacting_grooms(), *w.executor);
    const double h =
        usable_step(w.settings.dt) / usable_substeps(w.settings.substeps) / parts_of_substep(w.settings.solver);
    for (GroomInstance& groom : w.grooms)
        groom.shape.over_substeps(groom.groom, groom.strands, shape_for(w.settings.solver), w.settings.gravity, h,
                                  *w.executor);
}

bool World::settle(double seconds, const Vec3f& wind, const std::function<bool(double share)>& go_on)
{
    State& w = *state_;
    const double dt = usable_step(w.settings.dt);
    const auto count =
        static_cast<int64_t>(std::isfinite(seconds) ? std::clamp(seconds, 0.0, kLongestSettling) / dt : 0);
    bool wanted = true;
    for (int64_t i = 0; i < count && wanted; ++i) {
        w.settling = true;
        // A comb for the first half, then time to come to rest.
        w.settling_wind = 2 * i < count && is_finite(wind) ? wind : Vec3f{0, 0, 0};
        w.take_step(dt);
        w.settling = false;
        wanted = !go_on || go_on(static_cast<double>(i + 1) / static_cast<double>(count));
    }
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
    w.asked_time += seconds;
    for (Body& body : w.bodies) body.settle_pending(w.asked_time);
    w.show_newest = false;
    // A billionth of a step forgives the rounding of frame times that add up to whole steps.
    while (w.time + dt * (1 - 1e-9) <= w.asked_time) add_step(total, w.take_step(dt));
    return total;
}

}  // namespace tendril
