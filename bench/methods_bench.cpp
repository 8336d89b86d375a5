#include "methods_bench.h"

#include "dftl_bench.h"

#include <iterator>

namespace tendril::bench {
namespace {

constexpr uint32_t kStrands = 16'384, kParticles = 32;

HairOnHead make_for(size_t method)
{
    SolverSettings settings;
    settings.type = static_cast<SolverType>(method);
    return HairOnHead(make_hair(kStrands, kParticles), settings);
}

}  // namespace

std::vector<MethodFigures> measure_methods(int rounds, Executor& executor, const std::function<void(int)>& progress)
{
    constexpr int kSteps = 4;
    std::vector<HairOnHead> hair;
    std::vector<MethodFigures> figures(std::size(kSolverNames));
    std::vector<Measurement> list;
    for (size_t m = 0; m < figures.size(); ++m) {
        figures[m].name = kSolverNames[m];
        hair.push_back(make_for(m));
    }
    for (size_t m = 0; m < figures.size(); ++m)
        list.push_back({[&, m] {
                            double seconds = 0;
                            for (int k = 0; k < kSteps; ++k) seconds += hair[m].step({}, executor);
                            return 1e9 / (static_cast<double>(kStrands) * kParticles * kSteps) * seconds;
                        },
                        &figures[m].step});
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
