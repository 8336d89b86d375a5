#include "pictures_bench.h"

#include "render/draft.h"
#include "render/embree_scene.h"
#include "tendril/hair_style.h"

namespace tendril::bench {
namespace {

/// Long hair on the bust, and the camera of a portrait.
struct Portrait {
    Mesh bust = make_bust().mesh;
    GroomData hair;
    Stage stage;
    Camera camera = orbit({0, 0.1, 0}, 1.1, 0.5, 0.1, 0.42);

    Portrait(uint32_t strands, uint32_t particles, float width_scale)
    {
        ScatterSettings scatter;
        scatter.count = strands;
        scatter.groups = {"scalp"};
        HairStyle style;
        style.particles = particles;
        style.length = 0.35f;
        style.curl = CurlPattern::kWavy;
        style.lie = 0.5f;
        style.droop = 1.8f;
        hair = std::move(grow_hair(bust, *scatter_roots(bust, scatter), style)->data);
        StageStrands set;
        set.curves = {hair.points, {}, hair.first_point, {0, 0, 0}};
        set.widths = hair.widths;
        set.width_scale = width_scale;
        stage.strands = {set};
        StageMesh mesh;
        mesh.vertices = bust.vertices;
        mesh.triangles = bust.triangles;
        stage.meshes = {mesh};
        stage.lighting = studio_light(bounds(stage), 0);
    }
    Portrait(const Portrait&) = delete;  // the stage points into it
    Portrait& operator=(const Portrait&) = delete;
};

}  // namespace

PictureFigures measure_pictures(int rounds, Executor& executor, const std::function<void(int)>& progress)
{
    const Portrait some(10'000, 30, 4), many(100'000, 32, 1);
    const RenderSettings settings;
    const double pixel = many.camera.field / settings.height;
    const auto seconds = [](const std::function<void()>& work) { return [work] { return time_of(work); }; };
    PictureFigures figures;
    const std::vector<Measurement> list{
        {seconds([&] { (void)draw_draft(some.stage, some.camera, settings, executor, {}); }), &figures.draft},
        {seconds([&] { (void)draw_draft(many.stage, many.camera, settings, executor, {}); }), &figures.draft_large},
        {seconds([&] { const EmbreeScene scene(many.stage, many.camera, {pixel}, executor); }), &figures.curves}};
    measure_in_turns(list, rounds, progress);
    return figures;
}

}  // namespace tendril::bench
