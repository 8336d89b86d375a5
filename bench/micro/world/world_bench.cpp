#include "tendril/world.h"

#include <benchmark/benchmark.h>

namespace tendril {
namespace {

World head(const WorldSettings& settings)
{
    World world(settings);
    const BodyId body = world.add_body({.name = "head", .function = [](double t, std::span<Pose> bones) {
                                            bones[0].rotation = rotation_about({0, 1, 0}, 0.3 * t);
                                        }});
    SphereStyle style;
    style.strands = 16384;
    style.particles = 32;
    (void)world.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = body});
    world.step();
    return world;
}

void count_particles(benchmark::State& state, const World& world)
{
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * world.particle_count()));
}

void World_Step(benchmark::State& state)
{
    World world = head({});
    for (auto _ : state) world.step();
    count_particles(state, world);
}
BENCHMARK(World_Step)->UseRealTime()->Unit(benchmark::kMillisecond);

void World_StepInTurbulentWind(benchmark::State& state)
{
    WorldSettings settings;
    settings.air = {3, 1};
    settings.wind.velocity = {2, 0, 0};
    settings.wind.turbulence = 1;
    World world = head(settings);
    for (auto _ : state) world.step();
    count_particles(state, world);
}
BENCHMARK(World_StepInTurbulentWind)->UseRealTime()->Unit(benchmark::kMillisecond);

void World_Measure(benchmark::State& state)
{
    World world = head({});
    for (auto _ : state) benchmark::DoNotOptimize(world.measure());
    count_particles(state, world);
}
BENCHMARK(World_Measure)->UseRealTime()->Unit(benchmark::kMillisecond);

void World_Curves(benchmark::State& state)
{
    World world = head({});
    for (auto _ : state) benchmark::DoNotOptimize(world.curves(GroomId{0}).points.data());
    count_particles(state, world);
}
BENCHMARK(World_Curves)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tendril
