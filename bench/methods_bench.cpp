#include "methods_bench.h"

#include "dftl_bench.h"

#include <iterator>

namespace tendril::bench {
namespace {

constexpr uint32_t kMethodStrands = 16'384, kMethodParticles = 32;
constexpr uint32_t kStrings = 256;  // their step costs thousands of times as much

/// Takes a step by one method and returns the time of the solver [s].
using TimedStep = std::function<double()>;

/// A method with a solver, which moves the strands of a particle store.
TimedStep solver_step(SolverType type, std::shared_ptr<Executor> executor)
{
    SolverSettings settings;
    settings.type = type;
    auto hair = std::make_shared<HairOnHead>(make_hair(kMethodStrands, kMethodParticles), settings);
    return [hair, executor] { return hair->step({}, *executor); };
}

/// Strings have no such solver; a world moves them, in as many substeps as they need.
TimedStep string_step(std::shared_ptr<Executor> executor, int& substeps)
{
    auto world = std::make_shared<World>(make_head_world(kStrings, kMethodParticles, std::move(executor)));
    world->settings().dt = kSubstep;
    world->settings().solver.type = SolverType::kChainShape;
    return [world, &substeps] {
        const StepReport report = world->step();
        substeps = report.substeps;
        return report.seconds.solve;
    };
}

}  // namespace

std::vector<MethodFigures> measure_methods(int rounds, std::shared_ptr<Executor> executor,
                                           const std::function<void(int)>& progress)
{
    constexpr int kSteps = 4;
    std::vector<MethodFigures> figures(std::size(kSolverNames));
    std::vector<Measurement> list;
    for (size_t m = 0; m < figures.size(); ++m) {
        const auto type = static_cast<SolverType>(m);
        const bool strings = type == SolverType::kChainShape;
        figures[m].name = kSolverNames[m];
        figures[m].strands = strings ? kStrings : kMethodStrands;
        const double to_ns = 1e9 / (static_cast<double>(figures[m].strands) * kMethodParticles * kSteps);
        list.push_back(
            {[to_ns, step = strings ? string_step(executor, figures[m].substeps) : solver_step(type, executor)] {
                 double seconds = 0;
                 for (int k = 0; k < kSteps; ++k) seconds += step();
                 return to_ns * seconds;
             },
             &figures[m].step});
    }
    measure_in_turns(list, rounds, progress);
    for (MethodFigures& f : figures) f.leader = figures[0].step;
    return figures;
}

Samples measure_pbd_world(int rounds, std::shared_ptr<Executor> executor, const std::function<void(int)>& progress)
{
    constexpr int kSteps = 30;
    World world = make_head_world(500, 30, std::move(executor));
    world.settings().solver.type = SolverType::kPbd;
    world.settings().solver.pbd.iterations = 20;
    Collider skull;
    skull.radius_a = skull.radius_b = 0.1f;
    (void)*world.add_collider(skull);
    Samples ms;
    const std::vector<Measurement> list{{[&] {
                                             return 1e3 / kSteps * time_of([&] {
                                                        for (int k = 0; k < kSteps; ++k) world.step();
                                                    });
                                         },
                                         &ms}};
    measure_in_turns(list, rounds, progress);
    return ms;
}

}  // namespace tendril::bench
