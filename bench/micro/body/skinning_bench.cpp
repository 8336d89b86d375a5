#include "tendril/mesh.h"

#include <benchmark/benchmark.h>

namespace tendril {
namespace {

void Skinning_Creature(benchmark::State& state)
{
    const Character character = make_creature();
    const auto executor = make_thread_executor(static_cast<int>(state.range(0)));
    std::vector<Affine> bones(character.bones.size());
    std::vector<Vec3f> out(character.mesh.vertices.size());
    double time = 0;
    for (auto _ : state) {
        pose_bones(character, {0, true, 1.0}, time += 1.0 / 60, bones);
        skin(character, bones, out, *executor);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * out.size()));
}
BENCHMARK(Skinning_Creature)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);

void Skinning_MakeCreature(benchmark::State& state)
{
    for (auto _ : state) benchmark::DoNotOptimize(make_creature().mesh.vertices.size());
}
BENCHMARK(Skinning_MakeCreature)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tendril
