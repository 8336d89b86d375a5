#include "strands/strands.h"

#include <benchmark/benchmark.h>

#include <vector>

namespace tendril {
namespace {

Groom hair()
{
    SphereStyle style;
    style.strands = 16384;
    style.particles = 32;
    return std::move(*make_groom(*make_sphere_hair(style)));
}

void Strands_Build(benchmark::State& state)
{
    const Groom groom = hair();
    for (auto _ : state) benchmark::DoNotOptimize(Strands(groom, RootKind::kOnBone).particle_count());
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * groom.point_count()));
}
BENCHMARK(Strands_Build)->Unit(benchmark::kMillisecond);

void Strands_Hash(benchmark::State& state)
{
    const Groom groom = hair();
    const Strands strands(groom, RootKind::kOnBone);
    const auto executor = make_thread_executor();
    for (auto _ : state) benchmark::DoNotOptimize(strands.hash(*executor));
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * groom.point_count()));
}
BENCHMARK(Strands_Hash)->UseRealTime()->Unit(benchmark::kMillisecond);

void Strands_WriteCurves(benchmark::State& state)
{
    const Groom groom = hair();
    const Strands strands(groom, RootKind::kOnBone);
    const auto executor = make_thread_executor();
    std::vector<Vec3d> roots;
    for (size_t s = 0; s < groom.strand_count(); ++s) roots.push_back(strands.root(s));
    std::vector<Vec3f> points(groom.point_count()), velocities(groom.point_count());
    for (auto _ : state)
        strands.write_curves({roots, {0, 0, 0}, 0.5f, 0.01, false, groom.first_points(), points, velocities},
                             *executor);
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * groom.point_count()));
}
BENCHMARK(Strands_WriteCurves)->UseRealTime()->Unit(benchmark::kMillisecond);

void Strands_SaveAndLoad(benchmark::State& state)
{
    const Groom groom = hair();
    Strands strands(groom, RootKind::kOnBone);
    std::vector<std::byte> bytes;
    for (auto _ : state) {
        bytes.clear();
        strands.save(bytes);
        std::span<const std::byte> in(bytes);
        if (!strands.load(in)) state.SkipWithError("does not load");
    }
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes.size()));
}
BENCHMARK(Strands_SaveAndLoad)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tendril
