#include "math/random.h"
#include "tendril/mesh.h"

#include <benchmark/benchmark.h>

namespace tendril {
namespace {

constexpr size_t kVertices = 100'000;
constexpr uint32_t kBones = 60;

/// Vertices along a chain of bones, four to each.
Character chain()
{
    Character c;
    for (uint32_t b = 0; b < kBones; ++b) {
        Node node;
        node.parent = static_cast<int>(b) - 1;
        node.translation = {0, 0.02, 0};
        node.rotation = rotation_about({1, 0, 0}, 0.01);
        c.nodes.push_back(node);
        c.bones.push_back({b, {}});
    }
    for (size_t v = 0; v < kVertices; ++v) {
        c.mesh.vertices.push_back(
            {static_cast<float>(uniform(1, v)), static_cast<float>(uniform(2, v)), static_cast<float>(uniform(3, v))});
        const uint32_t first = static_cast<uint32_t>(v * (kBones - 3) / kVertices);
        c.weights.push_back({{first, first + 1, first + 2, first + 3}, {0.4f, 0.3f, 0.2f, 0.1f}});
    }
    return c;
}

void Skinning_100kVerticesOfFourBones(benchmark::State& state)
{
    const Character character = chain();
    const auto executor = make_thread_executor(static_cast<int>(state.range(0)));
    std::vector<Affine> bones(kBones);
    std::vector<Vec3f> out(kVertices);
    for (auto _ : state) {
        pose_bones(character, {}, 0, bones);
        skin(character, bones, out, *executor);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kVertices));
}
BENCHMARK(Skinning_100kVerticesOfFourBones)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

void Skinning_MakeCreature(benchmark::State& state)
{
    for (auto _ : state) benchmark::DoNotOptimize(make_creature().mesh.vertices.size());
}
BENCHMARK(Skinning_MakeCreature)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tendril
