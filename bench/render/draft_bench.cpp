#include "render/draft.h"

#include "tendril/hair_style.h"
#include "tendril/mesh.h"

#include <benchmark/benchmark.h>

namespace tendril {
namespace {

/// Curly hair on the bust, as in scenes/bust.toml, in the studio.
struct BustStage {
    Mesh bust = make_bust().mesh;
    GroomData hair;
    Stage stage;
    Camera camera;

    explicit BustStage(uint32_t strands)
    {
        ScatterSettings scatter;
        scatter.count = strands;
        scatter.groups = {"scalp"};
        HairStyle style;
        style.particles = 30;
        style.length = 0.22f;
        style.droop = 2.2f;
        style.shape = HairShape::kCurly;
        style.curl_radius = 0.004f;
        style.clump = 0.4f;
        hair = std::move(grow_hair(bust, *scatter_roots(bust, scatter), style)->data);
        StageStrands set;
        set.curves = {hair.points, {}, hair.first_point, {0, 0, 0}};
        set.widths = hair.widths;
        set.width_scale = 4;
        stage.strands = {set};
        stage.meshes.push_back({bust.vertices, bust.triangles, {0, 0, 0}, {}, {0.5f, 0.42f, 0.38f}});
        stage.lighting = studio_light(bounds(stage), 0);
        camera = framed(std::array{bounds(stage).low, bounds(stage).high}, 0.5, 0.1, 16.0 / 9.0);
    }
};

void Draft_Bust(benchmark::State& state)
{
    const BustStage bust(static_cast<uint32_t>(state.range(0)));
    const auto executor = make_thread_executor();
    for (auto _ : state) benchmark::DoNotOptimize(draw_draft(bust.stage, bust.camera, {}, *executor, {}).pixels.data());
}
BENCHMARK(Draft_Bust)->Arg(10000)->Arg(100000)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tendril
