#include "render/draft.h"

#include "math/random.h"
#include "render/path_tracer.h"
#include "support/meshes.h"
#include "support/thread_executor.h"
#include "tendril/mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace tendril {
namespace {

RenderSettings size(uint32_t width, uint32_t height)
{
    RenderSettings settings;
    settings.width = width;
    settings.height = height;
    return settings;
}

Image draw(const Stage& stage, const Camera& camera, const RenderSettings& settings)
{
    return draw_draft(stage, camera, settings, *make_serial_executor(), {});
}

double sum_of(const Image& image)
{
    double sum = 0;
    for (const Vec3f& p : image.pixels) sum += p.y;
    return sum;
}

Vec3f mean_of(const Image& image)
{
    Vec3f sum{0, 0, 0};
    for (const Vec3f& p : image.pixels) sum += p;
    return sum * (1.0f / static_cast<float>(image.pixels.size()));
}

/// The largest difference between two pictures in any pixel, ignoring a margin at the left and right.
float max_difference(const Image& a, const Image& b, size_t margin = 0)
{
    float most = 0;
    for (size_t p = 0; p < a.pixels.size(); ++p) {
        const size_t column = p % a.width;
        if (column < margin || column + margin >= a.width) continue;
        const Vec3f d = a.pixels[p] - b.pixels[p];
        most = std::max({most, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    }
    return most;
}

/// White strands on black. A pixel covers one millimetre in the plane z = 0.
struct Chart {
    static constexpr uint32_t kPixels = 100;
    static constexpr float kPixel = 1e-3f;

    std::vector<Vec3f> points;
    std::vector<uint32_t> first_point{0};
    float width = 0.3f * kPixel;
    float z = 0;

    /// Coordinates are in pixels from the centre.
    void add(const std::vector<std::array<double, 2>>& strand)
    {
        for (const auto& p : strand)
            points.push_back({static_cast<float>(p[0]) * kPixel, static_cast<float>(p[1]) * kPixel, z});
        first_point.push_back(static_cast<uint32_t>(points.size()));
    }
    Stage stage() const
    {
        Stage stage;
        StageStrands strands;
        strands.curves = {points, {}, first_point, {0, 0, 0}};
        strands.look.eumelanin = strands.look.pheomelanin = 0;  // white
        strands.width = width;
        strands.unlit = true;
        stage.strands = {strands};
        stage.lighting.backdrop_top = stage.lighting.backdrop_bottom = {0, 0, 0};
        return stage;
    }
    static Camera camera()
    {
        Camera camera;
        camera.eye = {0, 0, 10};
        camera.field = 2 * std::atan(0.5 * kPixels * kPixel / 10);
        return camera;
    }
    Image image() const { return draw(stage(), camera(), size(kPixels, kPixels)); }
};

/// Points of a straight line from (x0, y0) to (x1, y1).
std::vector<std::array<double, 2>> straight(double x0, double y0, double x1, double y1, int segments)
{
    std::vector<std::array<double, 2>> line;
    for (int i = 0; i <= segments; ++i) {
        const double t = static_cast<double>(i) / segments;
        line.push_back({x0 + (x1 - x0) * t, y0 + (y1 - y0) * t});
    }
    return line;
}

TEST(Draft, EmptyStageShowsTheBackdrop)
{
    Stage stage;
    const Image image = draw(stage, {}, size(8, 4));
    ASSERT_EQ(image.pixels.size(), 32u);
    for (uint32_t y = 0; y < 4; ++y) {
        const float share = (static_cast<float>(y) + 0.5f) / 4;
        const Vec3f expected = stage.lighting.backdrop_top * (1 - share) + stage.lighting.backdrop_bottom * share;
        EXPECT_NEAR(image.pixels[y * 8 + 3].x, expected.x, 1e-6f);
        EXPECT_NEAR(image.pixels[y * 8 + 3].z, expected.z, 1e-6f);
    }
}

// The total light of a line is its width times its length, wherever it runs between the pixels, so nothing crawls.
TEST(Draft, LineBrightnessIsWidthTimesLength)
{
    constexpr double kLength = 60;
    for (const double width : {0.05, 0.3, 0.8, 2.5})
        for (const double angle : {0.0, 0.02, 0.3, std::numbers::pi / 4, 1.2, std::numbers::pi / 2}) {
            double least = 1e9, most = 0;
            for (int shift = 0; shift < 7; ++shift) {
                const double sx = 0.37 * shift, sy = 0.143 * shift;
                const double cx = 0.5 * kLength * std::cos(angle), cy = 0.5 * kLength * std::sin(angle);
                Chart chart;
                chart.width = static_cast<float>(width) * Chart::kPixel;
                chart.add(straight(sx - cx, sy - cy, sx + cx, sy + cy, 7));
                const double sum = sum_of(chart.image());
                least = std::min(least, sum);
                most = std::max(most, sum);
            }
            EXPECT_NEAR(least, width * kLength, 0.02 * width * kLength) << width << " at " << angle;
            EXPECT_LT(most - least, 0.01 * width * kLength) << width << " at " << angle;
        }
}

TEST(Draft, ArcBrightnessIsWidthTimesLength)
{
    constexpr double kRadius = 30, kTurn = 5;
    for (int shift = 0; shift < 5; ++shift) {
        std::vector<std::array<double, 2>> arc;
        for (int i = 0; i <= 29; ++i) {
            const double a = kTurn * i / 29;
            arc.push_back({kRadius * std::cos(a) + 0.31 * shift, kRadius * std::sin(a) + 0.17 * shift});
        }
        Chart chart;
        chart.add(arc);
        EXPECT_NEAR(sum_of(chart.image()), 0.3 * kRadius * kTurn, 0.02 * 0.3 * kRadius * kTurn);
    }
}

// Segments of one strand must not overlap where they meet.
TEST(Draft, JointsShowNoDots)
{
    for (const double y : {7.0, 31.0}) {
        Chart one, many;
        one.width = many.width = 1.4f * Chart::kPixel;
        one.add(straight(-38.3, -y, 31.2, y, 1));
        many.add(straight(-38.3, -y, 31.2, y, 150));
        EXPECT_LT(max_difference(one.image(), many.image(), 25), 0.003f);  // between the ends
    }
}

TEST(Draft, MeshesHideStrandsBehindThem)
{
    const std::vector<Vec3f> corners{{-0.02f, -0.02f, 0}, {0.02f, -0.02f, 0}, {0.02f, 0.02f, 0}, {-0.02f, 0.02f, 0}};
    const std::vector<std::array<uint32_t, 3>> triangles{{0, 1, 2}, {0, 2, 3}};
    const auto light_of = [&](float z) {
        Chart chart;
        chart.z = z;
        chart.add(straight(-40, 0.2, 40, 0.2, 9));
        Stage stage = chart.stage();
        stage.meshes.push_back({corners, triangles, {0, 0, 0}, {}, {0, 0, 0}});
        return sum_of(draw(stage, Chart::camera(), size(Chart::kPixels, Chart::kPixels)));
    };
    EXPECT_NEAR(light_of(0.05f), 0.3 * 80, 0.5);   // in front of the square
    EXPECT_NEAR(light_of(-0.05f), 0.3 * 40, 0.5);  // the square is half as wide as the strand is long
}

/// Hair on a sphere above the ground, in studio light.
struct DraftScene {
    GroomData hair;
    Mesh ball = make_sphere_mesh(0.1f, 16);
    std::vector<Vec3f> velocities;
    Stage stage;
    Camera camera = orbit({0, 0, 0}, 1.6, 0.3, 0.5);

    explicit DraftScene(uint32_t strands = 400)
    {
        SphereStyle style;
        style.strands = strands;
        style.particles = 8;
        style.length = 0.12f;
        hair = *make_sphere_hair(style);
        velocities.assign(hair.points.size(), {0.4f, 0, 0});
        StageStrands set;
        set.curves = {hair.points, velocities, hair.first_point, {0, 0, 0}};
        set.width = 1e-3f;
        stage.strands = {set};
        stage.meshes.push_back({ball.vertices, ball.triangles, {0, 0, 0}, {}, {0.5f, 0.4f, 0.4f}});
        stage.ground = {true, -0.3, {0.5f, 0.5f, 0.5f}};
        stage.lighting = studio_light(bounds(stage), 0);
    }
};

TEST(Draft, PixelsDoNotDependOnTheNumberOfThreads)
{
    DraftScene scene;
    scene.camera.shutter = 0.02;
    const RenderSettings settings = size(150, 90);
    const Image one = draw(scene.stage, scene.camera, settings);
    EXPECT_GT(max_difference(one, draw(Stage{{}, {}, {}, scene.stage.lighting}, scene.camera, settings)), 0.1f);
    for (const unsigned threads : {2u, 3u, 8u}) {
        test::HostExecutor executor(threads);
        const Image other = draw_draft(scene.stage, scene.camera, settings, executor, {});
        EXPECT_EQ(max_difference(one, other), 0) << threads;
    }
}

TEST(Draft, HairCastsAShadowOnTheGround)
{
    DraftScene scene(3000);
    scene.stage.meshes.clear();
    AreaLight lamp;
    lamp.centre = {0, 2, 0};
    lamp.half_width = {0.2, 0, 0};
    lamp.half_height = {0, 0, 0.2};  // their cross product points down
    lamp.radiance = {20, 20, 20};
    scene.stage.lighting.lights = {lamp};
    // From below the hair, the ground fills the view. The eye must be above the ground to see it.
    scene.camera.eye = {0, -0.2, 0.2};
    scene.camera.target = {0, -0.3, 0};
    scene.camera.field = 0.2;
    const double shaded = sum_of(draw(scene.stage, scene.camera, size(20, 20)));
    scene.stage.strands.clear();
    const double lit = sum_of(draw(scene.stage, scene.camera, size(20, 20)));
    EXPECT_LT(shaded, 0.75 * lit);
    EXPECT_GT(shaded, 0.02 * lit);
}

TEST(Draft, HairIsDarkerBehindHair)
{
    const auto light_of = [](uint32_t walls) {
        // The eye sees the first wall of strands; the others are between it and the lamp.
        std::vector<Vec3f> points;
        std::vector<uint32_t> first_point{0};
        for (uint32_t wall = 0; wall < walls; ++wall)
            for (int i = 0; i < 100; ++i) {
                const float x = static_cast<float>(i) * 2e-3f - 0.1f, z = -0.02f * static_cast<float>(wall);
                for (int k = 0; k < 5; ++k) points.push_back({x, 0.05f * static_cast<float>(k) - 0.1f, z});
                first_point.push_back(static_cast<uint32_t>(points.size()));
            }
        Stage stage;
        StageStrands strands;
        strands.curves = {points, {}, first_point, {0, 0, 0}};
        strands.width = 2e-3f;
        stage.strands = {strands};
        stage.lighting.sky = stage.lighting.horizon = stage.lighting.backdrop_top =
            stage.lighting.backdrop_bottom = {0, 0, 0};
        AreaLight lamp;
        lamp.centre = {0.5, 0, -2};  // emits along +z
        lamp.radiance = {5, 5, 5};
        stage.lighting.lights = {lamp};
        return sum_of(draw(stage, orbit({0, 0, 0}, 1, 0, 0, 0.1), size(16, 16)));
    };
    EXPECT_GT(light_of(1), 0.1);
    EXPECT_LT(light_of(4), 0.5 * light_of(1));
}

// Light penetrates this hair by less than the width of a cell of the draft renderer's grid.
TEST(Draft, ThickHairIsAsBrightAsPathTraced)
{
    constexpr size_t kStrands = 20000;
    const auto random_offset = [](uint64_t k, size_t s, float width) {
        return static_cast<float>(uniform(k, s) - 0.5) * width;
    };
    std::vector<Vec3f> points;
    std::vector<uint32_t> first_point{0};
    for (size_t s = 0; s < kStrands; ++s) {
        const float x = random_offset(1, s, 0.2f), z = random_offset(2, s, 0.02f);
        points.insert(points.end(), {{x, -0.1f, z}, {x, 0.1f, z}});
        first_point.push_back(static_cast<uint32_t>(points.size()));
    }
    Stage stage;
    StageStrands strands;
    strands.curves = {points, {}, first_point, {0, 0, 0}};
    strands.width = 4e-4f;
    strands.look = *hair_look("brown");
    stage.strands = {strands};
    stage.lighting.sky = stage.lighting.horizon = stage.lighting.floor = stage.lighting.backdrop_top =
        stage.lighting.backdrop_bottom = {0, 0, 0};
    AreaLight lamp;
    lamp.centre = {0.7, 0.5, 2};
    lamp.half_width = {-0.5, 0, 0};  // emits along -z
    lamp.radiance = {5, 5, 5};
    stage.lighting.lights = {lamp};
    const Camera camera = orbit({0, 0, 0}, 1, 0, 0, 0.1);
    RenderSettings settings = size(16, 16);
    const Vec3f draft = mean_of(draw(stage, camera, settings));
    settings.samples = 64;
    settings.bounces = 60;
    const Vec3f traced = mean_of(trace_paths(stage, camera, settings, *make_serial_executor(), {}));
    for (const auto& [d, t] : {std::pair{draft.x, traced.x}, {draft.y, traced.y}, {draft.z, traced.z}}) {
        EXPECT_LT(d, 1.8f * t);
        EXPECT_GT(d, t / 1.8f);
    }
}

TEST(Draft, PictureDoesNotChangeFarFromTheOrigin)
{
    DraftScene scene;
    const Image near = draw(scene.stage, scene.camera, size(96, 54));
    const Vec3d far{262144, 0,
                    -131072};  // powers of two, so that the grid cells keep their positions relative to the hair
    scene.stage.strands[0].curves.origin = far;
    scene.stage.meshes[0].origin = far;
    scene.camera.eye = scene.camera.eye + far;
    scene.camera.target = scene.camera.target + far;
    for (AreaLight& light : scene.stage.lighting.lights) light.centre = light.centre + far;
    EXPECT_NEAR(sum_of(draw(scene.stage, scene.camera, size(96, 54))), sum_of(near), 0.005 * sum_of(near));
}

TEST(Draft, BlurSpreadsAndConservesLight)
{
    Chart chart;
    chart.add(straight(0.3, -30, 0.3, 30, 9));
    std::vector<Vec3f> velocities(chart.points.size(), Vec3f{10 * Chart::kPixel, 0, 0});
    Stage stage = chart.stage();
    stage.strands[0].curves.velocities = velocities;
    Camera camera = Chart::camera();
    camera.shutter = 1;
    const Image sharp = chart.image(), blurred = draw(stage, camera, size(Chart::kPixels, Chart::kPixels));
    const auto brightest = [](const Image& image) {
        float most = 0;
        for (const Vec3f& p : image.pixels) most = std::max(most, p.y);
        return most;
    };
    EXPECT_NEAR(sum_of(blurred), sum_of(sharp), 0.02 * sum_of(sharp));
    EXPECT_LT(brightest(blurred), 0.4f * brightest(sharp));
}

TEST(Draft, StopsWhenProgressReturnsFalse)
{
    const DraftScene scene;
    int calls = 0;
    const Image image = draw_draft(scene.stage, scene.camera, size(64, 36), *make_serial_executor(),
                                   [&](double) { return ++calls < 2; });
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(image.pixels.size(), 64u * 36u);
}

void expect_finite(const Image& image)
{
    for (const Vec3f& p : image.pixels) ASSERT_TRUE(is_finite(p));
}

TEST(Draft, SurvivesInvalidStrands)
{
    constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN(),
                    kInf = std::numeric_limits<float>::infinity();
    DraftScene scene;
    const std::vector<Vec3f> points{{0, 0, 0},      {0, kNotANumber, 0}, {0, 0.1f, 0},      {0, 0.2f, 0},
                                    {kInf, 0, 0},   {1e30f, 0, 0},       {0, 0, 1e9f},      {0, 0, 0.1f},
                                    {0, 0, 0.1f},   {0, 0, 5},           {0, 0, -5},        {0, 0.05f, -0.1f},
                                    {0, 0, 1e-30f}, {0.2f, 0, 1.6f},     {0.1f, 0.1f, 1.7f}};
    const std::vector<uint32_t> first_point{0, 1, 1, 5, 9, 12, 15};  // includes strands with one point and with none
    const std::vector<float> widths{0, kNotANumber, 1e-3f, -1, 1, 1e10f, kInf, 0, 1e-3f, 1e-3f, 1e-3f, 1, 1, 1, 1e-4f};
    StageStrands odd;
    odd.curves = {points, {}, first_point, {0, 0, 0}};
    scene.stage.strands.push_back(odd);
    odd.widths = widths;
    scene.stage.strands.push_back(odd);
    odd.unlit = true;
    scene.stage.strands.push_back(odd);
    scene.stage.strands.push_back(StageStrands{});
    expect_finite(draw(scene.stage, scene.camera, size(64, 36)));
    scene.camera.eye = {0, 0.05, 0};  // among the strands
    expect_finite(draw(scene.stage, scene.camera, size(64, 36)));
}

TEST(Draft, SurvivesDegenerateCamerasSizesAndMeshes)
{
    DraftScene scene;
    const std::vector<Vec3f> corners{{0, 0, 0}, {1, 0, 0}, {std::numeric_limits<float>::quiet_NaN(), 0, 0}};
    const std::vector<std::array<uint32_t, 3>> triangles{{0, 1, 2}, {0, 1, 7}, {0, 0, 0}};
    scene.stage.meshes.push_back({corners, triangles, {0, 0, 0}, {}, {0.5f, 0.5f, 0.5f}});
    scene.stage.lighting.lights.push_back({{0, 1, 0}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}});
    expect_finite(draw(scene.stage, scene.camera, size(1, 1)));
    expect_finite(draw(scene.stage, scene.camera, size(3, 70)));
    Camera camera = scene.camera;
    camera.target = camera.eye;
    expect_finite(draw(scene.stage, camera, size(20, 10)));
    camera = scene.camera;
    camera.up = camera.eye - camera.target;
    expect_finite(draw(scene.stage, camera, size(20, 10)));
    camera.eye = {1e9, 0, 0};
    expect_finite(draw(scene.stage, camera, size(20, 10)));
}

}  // namespace
}  // namespace tendril
