#include "support/strand_bench.h"

#include <benchmark/benchmark.h>

namespace tendril {
namespace {

constexpr uint32_t kStrands = 16384, kParticles = 64;

test::StrandBench hair(const DftlSettings& settings, int substeps)
{
    SphereStyle style;
    style.strands = kStrands;
    style.particles = kParticles;
    return {std::move(*make_groom(*make_sphere_hair(style))), settings, 1.0 / 60, substeps, {0, -9.81, 0}};
}

void run(benchmark::State& state, const DftlSettings& settings, int substeps)
{
    test::StrandBench bench = hair(settings, substeps);
    bench.executor = make_thread_executor();
    for (auto _ : state) bench.step();
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kStrands * kParticles);
}

void Dftl_Step(benchmark::State& state)
{
    run(state, {}, static_cast<int>(state.range(0)));
}
BENCHMARK(Dftl_Step)->Arg(1)->Arg(2)->Arg(8)->UseRealTime()->Unit(benchmark::kMillisecond);

void Dftl_BendLimit(benchmark::State& state)
{
    run(state, {.bend_limit = 0.8f}, 1);
}
BENCHMARK(Dftl_BendLimit)->UseRealTime()->Unit(benchmark::kMillisecond);

void Dftl_BackwardPass(benchmark::State& state)
{
    run(state, {.backward_pass = true}, 1);
}
BENCHMARK(Dftl_BackwardPass)->UseRealTime()->Unit(benchmark::kMillisecond);

void Dftl_RopesHeldAtBothEnds(benchmark::State& state)
{
    RopeStyle style;
    style.strands = 1024;
    style.particles = kParticles;
    style.span = 0.8f;
    style.ends = Ends::kBothHeld;
    test::StrandBench bench(std::move(*make_groom(*make_ropes(style))), DftlSettings(), 1.0 / 60, 1, {0, -9.81, 0});
    std::fill_n(bench.tips.data(), bench.tips.size(), 0.4f);
    bench.executor = make_thread_executor();
    for (auto _ : state) bench.step();
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * style.strands * kParticles);
}
BENCHMARK(Dftl_RopesHeldAtBothEnds)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tendril
