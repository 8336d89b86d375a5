// Input validation of the renderer, and camera placement.
#include "tendril/render.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tendril::test {
namespace {

/// A position in the picture relative to its centre, in units of half the height.
struct PicturePoint {
    double x, y;
};

PicturePoint projected(const Camera& camera, const Vec3d& p)
{
    const Vec3d back = (camera.eye - camera.target) * (1 / length(camera.eye - camera.target));
    const Vec3d side = cross(camera.up, back), right = side * (1 / length(side)), up = cross(back, right);
    const Vec3d q = p - camera.eye;
    const double scale = 1 / (-dot(q, back) * std::tan(camera.field / 2));
    return {dot(q, right) * scale, dot(q, up) * scale};
}

TEST(Camera, FramesAllPointsAndFillsThePicture)
{
    const std::vector<Vec3d> points{{0, 0, 0}, {0.3, 0.1, -0.2}, {-0.1, 1.5, 0.4}, {0.2, 0.7, 0.3}};
    for (double azimuth : {0.0, 0.6, 2.5})
        for (double aspect : {0.5, 1.0, 2.0}) {
            const Camera camera = framed(points, azimuth, 0.2, aspect);
            double low_x = 1e9, high_x = -1e9, low_y = 1e9, high_y = -1e9;
            for (const Vec3d& p : points) {
                const PicturePoint s = projected(camera, p);
                low_x = std::min(low_x, s.x / aspect), high_x = std::max(high_x, s.x / aspect);
                low_y = std::min(low_y, s.y), high_y = std::max(high_y, s.y);
            }
            const double most = std::max({high_x, -low_x, high_y, -low_y});
            EXPECT_LT(most, 1) << "all points are in the picture";
            EXPECT_GT(most, 0.8) << "the points fill the picture";
            EXPECT_NEAR(low_x + high_x, 0, 0.05) << "the points are centred";
            EXPECT_NEAR(low_y + high_y, 0, 0.05);
        }
    EXPECT_TRUE(is_finite(framed({}, 0, 0, 1).eye));
    const Vec3d one{5, 5, 5};
    EXPECT_TRUE(is_finite(framed({&one, 1}, 0, 0, 1).eye));
}

TEST(Camera, OrbitsAroundItsTarget)
{
    const Camera front = orbit({1, 2, 3}, 4, 0, 0), side = orbit({1, 2, 3}, 4, std::acos(0.0), 0);
    EXPECT_NEAR(length(front.eye - Vec3d{1, 2, 7}), 0, 1e-12) << "azimuth 0 is +z";
    EXPECT_NEAR(length(side.eye - Vec3d{5, 2, 3}), 0, 1e-12) << "azimuth increases towards +x";
}

TEST(Renderer, RefusesInvalidInput)
{
    const std::vector<Vec3f> points{{0, 0, 0}, {0, 1, 0}};
    const std::vector<uint32_t> good{0, 2}, bad{0, 3};
    const std::vector<float> widths{1e-3f};
    Stage stage;
    stage.strands.resize(1);
    const auto error = [&](const Camera& camera, RenderSettings settings) {
        const auto image = render(stage, camera, settings, *make_serial_executor());
        return image ? std::string() : image.error();
    };
    RenderSettings settings;
    settings.width = settings.height = 8;
    const Camera camera = orbit({0, 0, 0}, 3, 0, 0);
    stage.strands[0].curves = {points, {}, good, {0, 0, 0}};
    EXPECT_EQ(error(camera, settings), "");
    stage.strands[0].curves.first_point = bad;
    EXPECT_EQ(error(camera, settings),
              "strands 0: first_point must run from 0 to the number of points without decreasing");
    stage.strands[0].curves.first_point = good;
    stage.strands[0].widths = widths;
    EXPECT_EQ(error(camera, settings), "strands 0: widths, colours and velocities need one entry per point or none");
    stage.strands[0].widths = {};
    const std::vector<std::array<uint32_t, 3>> triangles{{0, 1, 2}};
    stage.meshes.resize(1);
    stage.meshes[0].vertices = points;
    stage.meshes[0].triangles = triangles;
    EXPECT_EQ(error(camera, settings), "mesh 0: a triangle refers to vertex 2, but there are only 2 vertices");
    stage.meshes.clear();
    Camera lost = camera;
    lost.eye = lost.target;
    EXPECT_EQ(error(lost, settings), "camera: the eye is at the target");
    settings.width = 0;
    EXPECT_EQ(error(camera, settings), "a picture of 0 x 8 pixels cannot be rendered; both must be in [1, 16384]");
}

}  // namespace
}  // namespace tendril::test
