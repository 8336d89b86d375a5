// [Sanchez15] Fig. 2: the effect of interaction and of shape on the same style, each alone and both together.
#include "math/vectors.h"
#include "support/sanitized.h"
#include "tendril/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tendril::test {
namespace {

constexpr int kDownFrame = 168, kUpFrame = 246;  // the clip nods from 2.8 s to 4.1 s
constexpr double kVoxel = 0.01;                  // [m]

/// A frame that moves with the head, defined by three vertices of the skull.
class HeadFrame {
public:
    explicit HeadFrame(World& world)
    {
        const MeshView mesh = world.mesh({0}, 0);
        const auto farthest = [&](auto&& coordinate) {
            return static_cast<size_t>(std::ranges::max_element(mesh.vertices, {}, coordinate) - mesh.vertices.begin());
        };
        const auto side = [](float sign) { return [sign](const Vec3f& v) { return v.y > 0.2f ? sign * v.x : -1.0f; }; };
        corners_ = {farthest([](const Vec3f& v) { return v.y; }), farthest(side(1)), farthest(side(-1))};
    }
    /// The current positions of all points of the groom in the frame of the head.
    std::vector<Vec3d> positions(World& world) const
    {
        const MeshView mesh = world.mesh({0}, world.time());
        const auto corner = [&](size_t i) { return to_double(mesh.vertices[corners_[i]]) + mesh.origin; };
        const Vec3d top = corner(0), x = unit_or(corner(1) - corner(2), {1, 0, 0});
        const Vec3d z = unit_or(cross(x, top - corner(2)), {0, 0, 1}), y = cross(z, x);
        std::vector<Vec3d> out;
        const CurvesView curves = world.curves(GroomId{0});
        for (const Vec3f& point : curves.points) {
            const Vec3d p = to_double(point) + curves.origin - top;
            out.push_back({dot(p, x), dot(p, y), dot(p, z)});
        }
        return out;
    }

private:
    std::array<size_t, 3> corners_{};
};

World build(const char* name, Overrides overrides = {})
{
    overrides.emplace_back("groom.strands", "400");
    const auto scene = read_scene(std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + name + ".toml", overrides);
    EXPECT_TRUE(scene) << scene.error();
    auto world = build_world(*scene);
    EXPECT_TRUE(world) << world.error();
    return std::move(*world);
}

/// The rest pose in the frame of the head.
std::vector<Vec3d> groomed_style()
{
    World world = build("fig2_plain", {{"sim.settle", "0"}});
    return HeadFrame(world).positions(world);
}

size_t occupied_voxels(std::span<const Vec3d> points)
{
    std::set<std::array<int, 3>> voxels;
    const auto voxel = [](double x) { return static_cast<int>(std::floor(x / kVoxel)); };
    for (const Vec3d& p : points) voxels.insert({voxel(p.x), voxel(p.y), voxel(p.z)});
    return voxels.size();
}

double mean_distance(std::span<const Vec3d> a, std::span<const Vec3d> b)
{
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += length(a[i] - b[i]);
    return sum / static_cast<double>(a.size());
}

struct Fig2Result {
    size_t voxels = 0;         ///< number of voxels with hair after settling
    double off_style = 0;      ///< mean distance of settled hair from the style [m]
    double off_style_nod = 0;  ///< the same during the nod [m]
    double mobility = 0;       ///< RMS motion of the tips relative to the head during the nod [m]
    double stretch = 0;        ///< at the end of the nod
};

Fig2Result run_scene(const char* name, const std::vector<Vec3d>& style)
{
    World world = build(name);
    const HeadFrame head(world);
    const std::vector<Vec3d> settled = head.positions(world);
    Fig2Result result;
    result.voxels = occupied_voxels(settled);
    result.off_style = mean_distance(settled, style);
    const Groom& groom = world.groom({0});
    int frames = 0;
    for (int frame = 1; frame <= kUpFrame; ++frame) {
        world.step();
        if (frame < kDownFrame) continue;
        const std::vector<Vec3d> now = head.positions(world);
        result.off_style_nod += mean_distance(now, style);
        double square = 0;
        for (size_t s = 0; s < groom.strand_count(); ++s) {
            const size_t tip = groom.first_points()[s + 1] - 1;
            square += dot(now[tip] - settled[tip], now[tip] - settled[tip]);
        }
        result.mobility += square / static_cast<double>(groom.strand_count());
        ++frames;
    }
    result.stretch = world.measure().stretch_max;
    result.off_style_nod /= frames;
    result.mobility = std::sqrt(result.mobility / frames);
    return result;
}

TEST(Figure2, ShapeKeepsTheStyleAndRepulsionTheVolume)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const std::vector<Vec3d> style = groomed_style();
    const Fig2Result plain = run_scene("fig2_plain", style), volume = run_scene("fig2_volume", style),
                     shape = run_scene("fig2_shape", style), both = run_scene("fig2_both", style);
    for (const auto& [name, result] :
         {std::pair{"plain", plain}, std::pair{"volume", volume}, std::pair{"shape", shape}, std::pair{"both", both}}) {
        SCOPED_TRACE(name);
        EXPECT_LE(result.stretch, 1e-4);
        RecordProperty(name, testing::PrintToString(result.voxels) + " voxels, off style by " +
                                 testing::PrintToString(result.off_style) + " m and " +
                                 testing::PrintToString(result.off_style_nod) + " m in the nod, tips move " +
                                 testing::PrintToString(result.mobility) + " m");
    }
    EXPECT_GT(volume.voxels, plain.voxels);
    EXPECT_GT(shape.voxels, plain.voxels);
    EXPECT_GT(both.voxels, plain.voxels);
    for (const Fig2Result& kept : {shape, both})
        for (const Fig2Result& lost : {plain, volume}) {
            EXPECT_LT(kept.off_style, lost.off_style);
            EXPECT_LT(kept.off_style_nod, lost.off_style_nod);
        }
    EXPECT_LT(shape.mobility, both.mobility);
}

}  // namespace
}  // namespace tendril::test
