// The bust of some 10,000 triangles: refitting the tree to a pose, and queries.
#include "body/mesh_depth.h"
#include "body/moving_tree.h"
#include "math/random.h"
#include "tendril/mesh.h"

#include <benchmark/benchmark.h>

namespace tendril {
namespace {

constexpr size_t kPoints = 300'000;

struct PosedBust {
    Character bust = make_bust();
    std::shared_ptr<const Surface> surface = std::make_shared<Surface>(bust.mesh.vertices, bust.mesh.triangles);
    SurfacePose pose;
    MovingTree tree{*surface, bust.mesh.vertices};

    PosedBust()
    {
        surface->pose(bust.mesh.vertices, pose, *make_serial_executor());
        tree.refit(*surface, pose, *make_serial_executor());
    }

    /// Points above random triangles of the bust, up to `farthest` [m] away.
    std::vector<Vec3f> points(size_t count, double farthest) const
    {
        std::vector<Vec3f> list;
        for (uint32_t i = 0; i < count; ++i) {
            const auto t = static_cast<size_t>(uniform(1, i) * static_cast<double>(bust.mesh.triangles.size()));
            const auto& [a, b, c] = bust.mesh.triangles[t];
            const Vec3f p = bust.mesh.vertices[a];
            const Vec3f n = cross(bust.mesh.vertices[b] - p, bust.mesh.vertices[c] - p);
            const double height = farthest * uniform(2, i) - 0.001;
            list.push_back(p + n * static_cast<float>(height / static_cast<double>(length(n) + 1e-20f)));
        }
        return list;
    }
};

void MovingTree_Refit(benchmark::State& state)
{
    PosedBust posed;
    const auto executor = make_thread_executor(static_cast<int>(state.range(0)));
    for (auto _ : state) posed.tree.refit(*posed.surface, posed.pose, *executor);
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * posed.surface->triangles().size()));
}
BENCHMARK(MovingTree_Refit)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);

void MovingTree_Pose(benchmark::State& state)
{
    PosedBust posed;
    const auto executor = make_thread_executor(static_cast<int>(state.range(0)));
    for (auto _ : state) posed.surface->pose(posed.bust.mesh.vertices, posed.pose, *executor);
}
BENCHMARK(MovingTree_Pose)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);

/// First argument: largest distance of the points from the skin [mm]; second: search radius [mm].
void MovingTree_Nearest(benchmark::State& state)
{
    const PosedBust posed;
    const auto points = posed.points(4096, 1e-3 * static_cast<double>(state.range(0)));
    const float within = 1e-3f * static_cast<float>(state.range(1));
    size_t i = 0, found = 0;
    for (auto _ : state) found += posed.tree.nearest(points[i++ % points.size()], within).has_value();
    state.counters["found"] = static_cast<double>(found) / static_cast<double>(state.iterations());
}
BENCHMARK(MovingTree_Nearest)->Args({3, 10})->Args({10, 30})->Args({100, 1000})->Args({100, 10});

void MovingTree_NearestExact(benchmark::State& state)
{
    const PosedBust posed;
    const auto points = posed.points(4096, 0.003);
    size_t i = 0;
    for (auto _ : state) benchmark::DoNotOptimize(posed.tree.nearest_exact(to_double(points[i++ % points.size()]), 1));
}
BENCHMARK(MovingTree_NearestExact);

void MeshDepth_Update(benchmark::State& state)
{
    const PosedBust posed;
    const auto executor = make_thread_executor(static_cast<int>(state.range(0)));
    MeshDepth depth(posed.surface, posed.bust.mesh.vertices);
    for (auto _ : state) depth.update(posed.bust.mesh.vertices, {0, 0, 0}, *executor);
}
BENCHMARK(MeshDepth_Update)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);

/// Argument: largest distance of the points from the skin [mm].
void MeshDepth_Of300k(benchmark::State& state)
{
    const PosedBust posed;
    const auto executor = make_thread_executor(2);
    const auto points = posed.points(kPoints, 1e-3 * static_cast<double>(state.range(0)));
    MeshDepth depth(posed.surface, posed.bust.mesh.vertices);
    std::vector<double> out(kPoints);
    for (auto _ : state) {
        depth.update(posed.bust.mesh.vertices, {0, 0, 0}, *executor);
        parallel_for(*executor, kPoints, 1024, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) out[i] = depth.depth(to_double(points[i]));
        });
        benchmark::DoNotOptimize(out.data());
    }
}
BENCHMARK(MeshDepth_Of300k)->Arg(5)->Arg(30)->Arg(200)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tendril
