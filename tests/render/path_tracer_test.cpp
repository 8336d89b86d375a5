// The path tracer: energy, shadows, blur, and the same pixels for any number of threads.
#include "render/path_tracer.h"

#include "math/random.h"
#include "render/embree_scene.h"
#include "support/thread_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tendril::test {
namespace {

/// Random straight strands in a cube of 14 cm.
struct Tuft {
    std::vector<Vec3f> points, velocities;
    std::vector<uint32_t> first_point{0};

    explicit Tuft(size_t strands, size_t particles = 8)
    {
        for (size_t s = 0; s < strands; ++s) {
            const auto random = [&](uint64_t k) { return static_cast<float>(uniform(k, s) - 0.5) * 0.14f; };
            const Vec3f a{random(1), random(2), random(3)}, b{random(4), random(5), random(6)};
            for (size_t i = 0; i < particles; ++i) {
                const float w = static_cast<float>(i) / static_cast<float>(particles - 1);
                points.push_back(a * (1 - w) + b * w);
            }
            first_point.push_back(static_cast<uint32_t>(points.size()));
        }
    }
    StageStrands strands() const
    {
        StageStrands s;
        s.curves = {points, velocities, first_point, {0, 0, 0}};
        s.width = 1e-3f;
        return s;
    }
};

/// A horizontal square with a side of 2 m.
struct Floor {
    std::vector<Vec3f> vertices{{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    std::vector<std::array<uint32_t, 3>> triangles{{0, 2, 1}, {0, 3, 2}};
    std::vector<Vec3f> velocities;

    StageMesh mesh(float height) const
    {
        StageMesh m;
        m.vertices = vertices;
        m.triangles = triangles;
        m.velocities = velocities;
        m.origin = {0, static_cast<double>(height), 0};
        return m;
    }
};

Lighting white_everywhere()
{
    Lighting lighting;
    for (Vec3f* colour :
         {&lighting.sky, &lighting.horizon, &lighting.floor, &lighting.backdrop_top, &lighting.backdrop_bottom})
        *colour = {1, 1, 1};
    return lighting;
}

RenderSettings small(uint32_t samples, uint32_t bounces, uint32_t size = 24)
{
    RenderSettings settings;
    settings.width = settings.height = size;
    settings.samples = samples;
    settings.bounces = bounces;
    return settings;
}

Image trace(const Stage& stage, const Camera& camera, const RenderSettings& settings, int threads = 2)
{
    return trace_paths(stage, camera, settings, *make_thread_executor(threads), {});
}

float mean(const Image& image)
{
    double sum = 0;
    for (const Vec3f& p : image.pixels) sum += static_cast<double>(p.x + p.y + p.z) / 3;
    return static_cast<float>(sum / static_cast<double>(image.pixels.size()));
}

// Under uniform light from all directions, hair without pigment is invisible.
TEST(PathTracer, WhiteHairVanishesInAFurnace)
{
    const Tuft tuft(400);
    Stage stage;
    stage.strands = {tuft.strands()};
    stage.strands[0].look.eumelanin = 0;
    stage.lighting = white_everywhere();
    const Image image = trace(stage, orbit({0, 0, 0}, 0.3, 0.4, 0.3), small(32, 400));
    EXPECT_NEAR(mean(image), 1, 0.01);

    stage.strands[0].look.eumelanin = 1;
    EXPECT_LT(mean(trace(stage, orbit({0, 0, 0}, 0.3, 0.4, 0.3), small(32, 400))), 0.8) << "pigment absorbs light";
}

TEST(PathTracer, AnyNumberOfThreadsGivesTheSamePixels)
{
    const Tuft tuft(200);
    const Floor floor;
    Stage stage;
    stage.strands = {tuft.strands()};
    stage.meshes = {floor.mesh(-0.1f)};
    stage.lighting = studio_light(bounds(stage), 0);
    const Camera camera = orbit({0, 0, 0}, 0.5, 0.3, 0.2);
    const Image one = trace(stage, camera, small(8, 6, 40), 1);
    for (int threads : {2, 3, 8}) EXPECT_EQ(trace(stage, camera, small(8, 6, 40), threads).pixels, one.pixels);
}

TEST(PathTracer, LampsCastShadows)
{
    const Floor floor;
    Floor lid;
    for (Vec3f& v : lid.vertices) v = v * 0.5f;
    Stage stage;
    stage.meshes = {floor.mesh(0)};
    stage.lighting = {};
    stage.lighting.sky = stage.lighting.horizon = stage.lighting.floor = {0, 0, 0};
    AreaLight lamp;
    lamp.centre = {0, 2, 0};
    lamp.half_width = {0.05, 0, 0};
    lamp.half_height = {0, 0, 0.05};  // x cross z points down
    lamp.radiance = {100, 100, 100};
    stage.lighting.lights = {lamp};
    const Camera camera = orbit({0, 0, 0}, 0.8, 0, 0.3, 0.2);
    const float lit = mean(trace(stage, camera, small(16, 1)));
    stage.meshes.push_back(lid.mesh(0.3f));
    const float shaded = mean(trace(stage, camera, small(16, 1)));
    // Lambert: the lamp's radiance times its solid angle times the reflectance over pi.
    EXPECT_NEAR(lit, 100 * 0.01 / 4 * 0.433 / 3.1416, 0.01);
    EXPECT_LT(shaded, 0.1f * lit) << "a little light comes in from the sides";
}

TEST(PathTracer, BlursMotionAndOutOfFocusStrands)
{
    Tuft tuft(1, 2);
    tuft.points = {{0, -0.1f, 0}, {0, 0.1f, 0}};
    Stage stage;
    stage.strands = {tuft.strands()};
    stage.strands[0].unlit = true;
    stage.strands[0].look.eumelanin = 8;
    stage.lighting = white_everywhere();
    Camera camera = orbit({0, 0, 0}, 0.4, 0, 0);
    const auto darkened = [&] {
        const Image image = trace(stage, camera, small(64, 1));
        return std::count_if(image.pixels.begin(), image.pixels.end(), [](const Vec3f& p) { return p.x < 0.999f; });
    };
    const auto sharp = darkened();
    camera.aperture = 0.03;
    camera.focus = 0.2;
    EXPECT_GT(darkened(), 2 * sharp);
    camera.aperture = 0;
    tuft.velocities.assign(2, Vec3f{1, 0, 0});
    stage.strands[0].curves.velocities = tuft.velocities;
    camera.shutter = 0.05;
    EXPECT_GT(darkened(), 2 * sharp);
}

TEST(PathTracer, IgnoresInvalidPoints)
{
    Tuft tuft(30);
    const float bad = std::nanf("");
    tuft.points[3] = {bad, 0, 0};
    tuft.points[20] = {0, 1e30f, 0};
    for (size_t i = 40; i < 48; ++i) tuft.points[i] = {bad, bad, bad};
    Stage stage;
    stage.strands = {tuft.strands()};
    stage.lighting = studio_light({}, 0);
    const Image image = trace(stage, orbit({0, 0, 0}, 0.3, 0, 0), small(4, 4));
    for (const Vec3f& p : image.pixels) ASSERT_TRUE(is_finite(p));
    stage.strands[0].curves = {};
    EXPECT_GT(mean(trace(stage, orbit({0, 0, 0}, 0.3, 0, 0), small(1, 1))), 0) << "only the backdrop is left";
}

// Grooms with more than a million points are drawn with straight segments. For straight strands the result is the same.
TEST(PathTracer, StraightSegmentsAreHitWhereCurvesAre)
{
    const Tuft tuft(60);
    std::vector<Vec3f> colours;
    for (size_t i = 0; i < tuft.points.size(); ++i) colours.push_back({static_cast<float>(i % 8) / 8, 0.5f, 0.2f});
    Stage stage;
    stage.strands = {tuft.strands()};
    stage.strands[0].colours = colours;
    const Camera camera = orbit({0, 0, 0}, 0.4, 0.2, 0.1);
    const auto executor = make_serial_executor();
    const EmbreeScene curved(stage, camera, {1e-3}, *executor), straight(stage, camera, {1e-3, 0}, *executor);
    int hits = 0, same = 0;
    for (uint64_t i = 0; i < 4000; ++i) {
        const auto random = [&](uint64_t k) { return static_cast<float>(uniform(k, i) - 0.5) * 0.12f; };
        const Vec3f to_target = Vec3f{random(1), random(2), 0} - to_float(camera.eye);
        Ray ray;
        ray.direction = to_target * (1 / length(to_target));
        const RayHit a = curved.intersect(ray), b = straight.intersect(ray);
        if (a.kind != HitKind::kFibre) continue;
        ++hits;
        if (a.kind != b.kind || a.strand != b.strand) continue;  // the ray hit the edge of the strand
        ++same;
        ASSERT_NEAR(a.distance, b.distance, 2e-3f) << "ribbons differ where a strand points at the eye";
        ASSERT_NEAR(a.h, b.h, 0.1f);
        ASSERT_GT(dot(a.tangent_or_normal, b.tangent_or_normal), 0.9999f);
        ASSERT_NEAR(a.colour.x, b.colour.x, 0.02f);
    }
    EXPECT_GT(hits, 300);
    EXPECT_GT(same, 0.99 * hits);
}

TEST(PathTracer, StopsBetweenPasses)
{
    Stage stage;
    int calls = 0;
    const Image image =
        trace_paths(stage, orbit({0, 0, 0}, 1, 0, 0), small(64, 1), *make_serial_executor(), [&](double) {
            ++calls;
            return false;
        });
    EXPECT_EQ(calls, 1);
    EXPECT_NEAR(image.pixels[0].x, stage.lighting.backdrop_top.x, 0.02f) << "the image holds the work so far";
}

}  // namespace
}  // namespace tendril::test
