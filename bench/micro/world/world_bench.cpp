#include "tendril/hair_style.h"
#include "tendril/parallel.h"
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

/// Curves of two sets of children, with velocities, and of their guides. All roots are on triangles of the bust. The
/// arguments are the number of guides of each set, and of threads.
void World_CurvesOfChildren(benchmark::State& state)
{
    constexpr uint32_t kChildren = 50'000;
    World world({}, make_thread_executor(static_cast<int>(state.range(1))));
    auto character = std::make_shared<const Character>(make_bust());
    BodyDescription description;
    description.character = character;
    description.play.clip = 0;
    const BodyId body = world.add_body(std::move(description));
    std::vector<ChildrenId> children;
    for (const uint64_t set : {1u, 2u}) {
        const auto grow = [&](uint32_t count, uint64_t seed) {
            ScatterSettings scatter;
            scatter.count = count;
            scatter.seed = seed;
            scatter.groups = {"scalp"};
            HairStyle style;
            style.particles = 16;
            style.seed = seed;
            return *grow_hair(character->mesh, *scatter_roots(character->mesh, scatter), style);
        };
        const auto guides_per_set = static_cast<uint32_t>(state.range(0));
        GrownHair guides = grow(guides_per_set, set), strands = grow(kChildren, set + 2);
        GroomSettings settings;
        settings.body = body;
        settings.binding = std::move(guides.binding);
        const GroomId groom = *world.add_groom(*make_groom(std::move(guides.data)), settings);
        children.push_back(*world.add_children(groom, *make_groom(std::move(strands.data)), GuideMode::kThree,
                                               std::move(strands.binding)));
    }
    for (auto _ : state) {
        state.PauseTiming();
        world.step();
        state.ResumeTiming();
        for (const ChildrenId id : children) benchmark::DoNotOptimize(world.curves(id).points.data());
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * children.size() * kChildren * 16));
}
BENCHMARK(World_CurvesOfChildren)
    ->ArgNames({"guides", "threads"})
    ->ArgsProduct({{1000, 5000}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tendril
