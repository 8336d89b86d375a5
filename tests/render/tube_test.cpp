// Tubes are closed and round, have the right width, and their stripes follow the material.
#include "tendril/tube.h"

#include "tendril/render.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tendril {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Strings with widths and material directions.
struct TubeStrings {
    std::vector<Vec3f> points, velocities, across;
    std::vector<float> widths;
    std::vector<uint32_t> first_point{0};

    /// A string along x, twisted by `twist` [rad] from the first segment to the last. The material starts along +y.
    static TubeStrings straight(int segments, float length, float width, double twist = 0)
    {
        TubeStrings s;
        for (int i = 0; i <= segments; ++i) {
            const double angle = segments > 1 ? twist * i / (segments - 1) : 0;
            const auto c = static_cast<float>(std::cos(angle)), n = static_cast<float>(std::sin(angle));
            s.add({length * static_cast<float>(i) / static_cast<float>(segments), 0, 0}, {0, c, n},
                  i < segments ? width : 0);
        }
        s.end_strand();
        return s;
    }
    void add(const Vec3f& point, const Vec3f& direction, float width)
    {
        points.push_back(point);
        across.push_back(direction);
        widths.push_back(width);
    }
    void end_strand() { first_point.push_back(static_cast<uint32_t>(points.size())); }
    CurvesView view() const { return {points, velocities, first_point, {0, 0, 0}}; }
    TubeMesh tubes(const TubeLook& look = {}) const { return make_tubes(view(), widths, across, look); }
};

/// A helix of three turns with varying width.
TubeStrings helix(double twist)
{
    TubeStrings s;
    for (int i = 0; i <= 48; ++i) {
        const double a = kTurn * i / 16, t = twist * i / 47;
        const Vec3d out{std::cos(a), 0, std::sin(a)};
        const Vec3d across = out * std::cos(t) + Vec3d{0, 1, 0} * std::sin(t);
        s.add(to_float(out * 0.2 + Vec3d{0, 0.01 * i, 0}), to_float(across),
              i < 48 ? 0.02f + 0.01f * static_cast<float>(i % 7) / 7 : 0);
    }
    s.end_strand();
    return s;
}

double volume(const TubeMesh& m)
{
    double sum = 0;
    for (const auto& t : m.triangles)
        sum += dot(to_double(m.vertices[t[0]]), cross(to_double(m.vertices[t[1]]), to_double(m.vertices[t[2]]))) / 6;
    return sum;
}

double area(const TubeMesh& m)
{
    double sum = 0;
    for (const auto& t : m.triangles) {
        const Vec3d a = to_double(m.vertices[t[0]]);
        sum += 0.5 * length(cross(to_double(m.vertices[t[1]]) - a, to_double(m.vertices[t[2]]) - a));
    }
    return sum;
}

/// Whether every edge has one triangle on each side, with opposite orientations along the edge.
bool is_watertight(const TubeMesh& m)
{
    std::vector<std::pair<uint32_t, uint32_t>> there, back;
    for (const auto& t : m.triangles)
        for (size_t k = 0; k < 3; ++k) {
            there.emplace_back(t[k], t[(k + 1) % 3]);
            back.emplace_back(t[(k + 1) % 3], t[k]);
        }
    std::sort(there.begin(), there.end());
    std::sort(back.begin(), back.end());
    return there == back && std::adjacent_find(there.begin(), there.end()) == there.end();
}

/// The colour of the first triangle that a ray from `from` hits.
Vec3f colour_seen(const TubeMesh& m, const Vec3d& from, const Vec3d& direction)
{
    double nearest = std::numeric_limits<double>::infinity();
    Vec3f colour{-1, -1, -1};
    for (size_t i = 0; i < m.triangles.size(); ++i) {
        const auto& t = m.triangles[i];
        const Vec3d a = to_double(m.vertices[t[0]]), e = to_double(m.vertices[t[1]]) - a;
        const Vec3d f = to_double(m.vertices[t[2]]) - a, p = cross(direction, f), s = from - a, q = cross(s, e);
        const double det = dot(e, p), u = dot(s, p) / det, v = dot(direction, q) / det, distance = dot(f, q) / det;
        if (!(u >= 0 && v >= 0 && u + v <= 1 && distance > 0 && distance < nearest)) continue;
        nearest = distance;
        colour = m.colours[i];
    }
    return colour;
}

/// The colour at `x` of a string along x, seen from the perpendicular direction at `angle` from y towards z.
Vec3f colour_at(const TubeMesh& m, double x, double angle)
{
    const Vec3d out{0, std::cos(angle), std::sin(angle)};
    return colour_seen(m, Vec3d{x, 0, 0} + out, out * -1.0);
}

TEST(Tube, IsClosedAndFacesOutwards)
{
    TubeStrings torn = helix(9);
    torn.widths[20] = torn.widths[30] = torn.widths[31] = 0;
    for (const TubeStrings& s :
         {TubeStrings::straight(1, 1, 0.1f), TubeStrings::straight(5, 1, 0.1f, 12), helix(0), helix(-100), torn})
        for (const int stripes : {0, 1, 3}) {
            TubeLook look;
            look.stripes = stripes;
            const TubeMesh m = s.tubes(look);
            ASSERT_FALSE(m.triangles.empty());
            EXPECT_EQ(m.colours.size(), m.triangles.size());
            EXPECT_TRUE(is_watertight(m));
            EXPECT_GT(volume(m), 0) << "triangles face outwards";
        }
}

// A cylinder with two caps, which are between flat ones and hemispheres.
TEST(Tube, HasTheVolumeAndAreaOfACylinder)
{
    const double r = 0.02, l = 1, cylinder = std::numbers::pi * r * r * l, side = kTurn * r * l;
    const double caps = kTurn * r * r * r * 2 / 3, cap_area = kTurn * r * r;
    for (const double twist : {0.0, 10.0}) {
        TubeLook look;
        look.sides = 64;
        const TubeMesh fine = TubeStrings::straight(10, 1, 0.04f, twist).tubes(look);
        EXPECT_NEAR(volume(fine), cylinder + 0.6 * caps, 0.01 * cylinder);
        EXPECT_NEAR(area(fine), side + 1.5 * cap_area, 0.01 * side);
        const TubeMesh usual = TubeStrings::straight(10, 1, 0.04f, twist).tubes();
        EXPECT_NEAR(volume(usual), cylinder + 0.6 * caps, 0.05 * cylinder);
    }
    const double left = volume(TubeStrings::straight(10, 1, 0.04f, 25).tubes());
    const double right = volume(TubeStrings::straight(10, 1, 0.04f, -25).tubes());
    EXPECT_NEAR(left / right, 1, 1e-3) << "no facet is folded inwards, whatever the sign of the twist";
    TubeLook twice;
    twice.width_scale = 2;
    EXPECT_NEAR(volume(TubeStrings::straight(10, 1, 0.04f).tubes(twice)), 4 * cylinder, 0.1 * 4 * cylinder);
}

// For points on a circle, every vertex except those of the caps is one tube radius away from the circle.
TEST(Tube, FollowsACircleThroughItsPoints)
{
    constexpr double kRadius = 0.3, kTube = 0.02;
    TubeStrings s;
    for (int i = 0; i <= 20; ++i) {
        const double a = 5.0 * i / 20;
        const Vec3d out{std::cos(a), std::sin(a), 0};
        s.add(to_float(out * kRadius), to_float(out), i < 20 ? static_cast<float>(2 * kTube) : 0);
    }
    s.end_strand();
    const TubeMesh m = s.tubes();
    size_t count = 0;
    for (const Vec3f& v : m.vertices) {
        const double x = v.x, y = v.y, z = v.z, angle = std::atan2(y, x) + (y < 0 ? kTurn : 0);
        if (angle < 0.5 || angle > 4.5) continue;  // the curve is straighter at its ends
        EXPECT_NEAR(std::hypot(std::hypot(x, y) - kRadius, z), kTube, 0.01 * kTube);
        ++count;
    }
    EXPECT_GT(count, 16u * 40u) << "there are rings between the points";
}

TEST(Tube, StripeFollowsTheMaterialDirection)
{
    const TubeLook look;
    const double edge = 0.5 * kTurn * static_cast<double>(look.stripe_share);
    const TubeMesh m = TubeStrings::straight(10, 1, 0.1f).tubes(look);
    for (const double x : {0.03, 0.31, 0.5, 0.77, 0.96}) {
        EXPECT_EQ(colour_at(m, x, 0), look.stripe);
        for (const double side : {-1.0, 1.0}) {
            EXPECT_EQ(colour_at(m, x, side * (edge - 0.02)), look.stripe);
            EXPECT_EQ(colour_at(m, x, side * (edge + 0.02)), look.colour);
        }
        EXPECT_EQ(colour_at(m, x, 0.5 * kTurn), look.colour);
    }
    TubeLook two = look;
    two.stripes = 2;
    const TubeMesh both = TubeStrings::straight(10, 1, 0.1f).tubes(two);
    EXPECT_EQ(colour_at(both, 0.5, 0.5 * kTurn), look.stripe);
    EXPECT_EQ(colour_at(both, 0.5, 0.25 * kTurn), look.colour);
}

TEST(Tube, StripeTurnsWithTheTwistAndItsEdgeIsSmooth)
{
    const TubeLook look;
    const double edge = 0.5 * kTurn * static_cast<double>(look.stripe_share);
    constexpr int kSegments = 10;
    // Half a turn in total, and nearly half a turn per segment, in both directions.
    for (const double twist :
         {0.5 * kTurn, -0.5 * kTurn, 0.45 * kTurn * (kSegments - 1), -0.45 * kTurn * (kSegments - 1)}) {
        const TubeMesh m = TubeStrings::straight(kSegments, 1, 0.1f, twist).tubes(look);
        EXPECT_EQ(colour_at(m, 0.05, 0), look.stripe);
        for (int i = 1; i < 100; i += 3) {
            const double x = 0.01 * i + 1e-4,
                         angle = twist * (x - 0.05) / 0.9;  // material directions are defined at segment centres
            EXPECT_EQ(colour_at(m, x, angle), look.stripe) << x;
            EXPECT_EQ(colour_at(m, x, angle + 0.5 * kTurn), look.colour) << x;
            for (const double side : {-1.0, 1.0}) {
                EXPECT_EQ(colour_at(m, x, angle + side * (edge - 0.06)), look.stripe) << x;
                EXPECT_EQ(colour_at(m, x, angle + side * (edge + 0.06)), look.colour) << x;
            }
        }
    }
}

// A bend does not twist the material: a stripe on the outside of a ring stays there.
TEST(Tube, BendingDoesNotTurnTheStripe)
{
    TubeStrings s;
    for (int i = 0; i <= 12; ++i) {
        const double a = 4.0 * i / 12, b = 4.0 * (i + 0.5) / 12;
        s.add(to_float({std::cos(a), std::sin(a), 0}), to_float({std::cos(b), std::sin(b), 0}), i < 12 ? 0.1f : 0);
    }
    s.end_strand();
    const TubeMesh m = s.tubes();
    for (double a = 0.05; a < 3.95; a += 0.05) {
        const Vec3d out{std::cos(a), std::sin(a), 0};
        EXPECT_EQ(colour_seen(m, out * 2.0, out * -1.0), TubeLook{}.stripe) << a;
        EXPECT_EQ(colour_seen(m, {0, 0, 0}, out), TubeLook{}.colour) << a;
    }
}

TEST(Tube, TornStringIsTwoTubesWithAGap)
{
    TubeStrings s = TubeStrings::straight(10, 1, 0.02f);
    const TubeMesh whole = s.tubes();
    s.widths[4] = 0;
    for (size_t i = 5; i < s.points.size(); ++i) s.points[i].x += 0.3f;  // the gap has opened
    const TubeMesh torn = s.tubes();
    EXPECT_TRUE(is_watertight(torn));
    float left = 0, right = 2;
    for (const Vec3f& v : torn.vertices) (v.x < 0.6f ? left = std::max(left, v.x) : right = std::min(right, v.x));
    EXPECT_NEAR(left, 0.45f, 0.005f) << "half a segment beyond its last point";
    EXPECT_NEAR(right, 0.75f, 0.005f);
    EXPECT_NEAR(volume(torn), volume(whole), 0.03 * volume(whole)) << "the volume is conserved";

    s.widths[3] = 0;  // a point between two gaps
    const TubeMesh twice = s.tubes();
    EXPECT_TRUE(is_watertight(twice));
    EXPECT_LT(volume(twice), 0.95 * volume(torn));
    for (float& w : s.widths) w = 0;
    EXPECT_TRUE(s.tubes().vertices.empty());
}

TEST(Tube, MovesWithItsPoints)
{
    TubeStrings s = TubeStrings::straight(4, 1, 0.1f, 3);
    EXPECT_TRUE(s.tubes().velocities.empty());
    for (const Vec3f& p : s.points) s.velocities.push_back({0, p.x, 1});
    const TubeMesh m = s.tubes();
    ASSERT_EQ(m.velocities.size(), m.vertices.size());
    for (size_t i = 0; i < m.vertices.size(); ++i) {
        EXPECT_NEAR(m.velocities[i].y, std::clamp(m.vertices[i].x, 0.0f, 1.0f), 1e-5f);
        EXPECT_NEAR(m.velocities[i].z, 1, 1e-6f);
    }
}

TEST(Tube, HandlesAnyInput)
{
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const auto is_valid = [](const TubeMesh& m) {
        for (const Vec3f& v : m.vertices)
            if (!is_finite(v)) return false;
        for (const auto& t : m.triangles)
            if (std::max({t[0], t[1], t[2]}) >= m.vertices.size()) return false;
        for (const Vec3f& v : m.velocities)
            if (!is_finite(v)) return false;
        return m.colours.size() == m.triangles.size() && is_watertight(m);
    };
    const TubeStrings good = helix(5);
    EXPECT_TRUE(make_tubes({}, {}, {}, {}).vertices.empty());
    EXPECT_TRUE(make_tubes(good.view(), {}, {}, {}).vertices.empty()) << "without widths there are no segments";
    EXPECT_TRUE(is_valid(make_tubes(good.view(), good.widths, {}, {})));
    EXPECT_FALSE(make_tubes(good.view(), good.widths, {}, {}).vertices.empty())
        << "without material directions there is still a tube";
    EXPECT_TRUE(
        is_valid(make_tubes(good.view(), std::span(good.widths).first(9), std::span(good.across).first(3), {})));

    const Vec3f odd[] = {{nan, 0, 0}, {inf, 0, 0}, {-inf, nan, 1}, {3e38f, 3e38f, 3e38f}, {1e-40f, 0, 0}, {0, 0, 0}};
    for (const Vec3f& value : odd)
        for (const size_t at : {size_t{0}, size_t{1}, size_t{17}, good.points.size() - 1}) {
            TubeStrings s = good;
            s.velocities.assign(s.points.size(), value);
            s.points[at] = s.across[at] = value;
            s.widths[(at + 5) % s.widths.size()] = value.x;
            EXPECT_TRUE(is_valid(s.tubes()));
        }
    TubeStrings same = TubeStrings::straight(5, 0, 0.1f);  // all points coincide
    EXPECT_TRUE(same.tubes().vertices.empty());
    TubeStrings folded = TubeStrings::straight(5, 1, 0.1f);  // back and forth on a line, with coincident points
    folded.points[2] = folded.points[3] = folded.points[0];
    folded.across.assign(folded.across.size(), {1, 0, 0});  // along the string
    EXPECT_TRUE(is_valid(folded.tubes()));
    EXPECT_FALSE(folded.tubes().vertices.empty());

    for (TubeLook look : {TubeLook{.stripes = -3}, TubeLook{.stripes = 1'000'000}, TubeLook{.stripe_share = nan},
                          TubeLook{.stripe_share = 7}, TubeLook{.sides = -1}, TubeLook{.sides = 1 << 30},
                          TubeLook{.width_scale = nan}, TubeLook{.width_scale = inf}, TubeLook{.width_scale = -1}})
        EXPECT_TRUE(is_valid(good.tubes(look)));
    TubeStrings offsets = good;
    offsets.first_point = {5, 2, 90, 1000};
    EXPECT_TRUE(is_valid(offsets.tubes()));
}

TEST(Tube, IsDeterministic)
{
    TubeStrings s = helix(20);
    s.widths[11] = 0;
    const TubeMesh a = s.tubes(), b = s.tubes();
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.colours, b.colours);
}

// If the fibres depended on the number of rings, they would crawl in a film.
TEST(Tube, TornEndsDoNotChangeWhenTheRestBends)
{
    TubeStrings s = TubeStrings::straight(10, 1, 0.02f);
    s.widths[7] = 0;
    const TubeMesh before = s.tubes();
    s.points[1].y += 0.02f;
    const TubeMesh after = s.tubes();
    ASSERT_GT(after.vertices.size(), before.vertices.size()) << "a bend needs more rings";
    const auto tail = [](const TubeMesh& m) { return std::vector<Vec3f>(m.vertices.end() - 100, m.vertices.end()); };
    EXPECT_EQ(tail(before), tail(after));
}

struct Shot {
    TubeMesh mesh;
    Stage stage;
    Camera camera = orbit({0.5, 0, 0}, 2, 0, 0.2);

    explicit Shot(TubeMesh m) : mesh(std::move(m))
    {
        StageMesh on_stage;
        on_stage.vertices = mesh.vertices;
        on_stage.triangles = mesh.triangles;
        on_stage.colours = mesh.colours;
        stage.meshes.push_back(on_stage);
        stage.lighting.backdrop_top = stage.lighting.backdrop_bottom = {0, 0, 0};
    }
    Result<Image> image(Quality quality) const
    {
        RenderSettings settings;
        settings.width = 96, settings.height = 54;
        settings.quality = quality;
        settings.samples = 8;
        return render(stage, camera, settings, *make_serial_executor());
    }
};

TEST(Tube, PictureShowsTheStringAndItsStripes)
{
    TubeLook look;
    look.colour = {0.8f, 0.05f, 0.05f};
    look.stripe = {0.05f, 0.05f, 0.8f};
    const Shot shot(TubeStrings::straight(10, 1, 0.1f, 20).tubes(look));
    for (const Quality quality : {Quality::kDraft, Quality::kGood}) {
        const auto image = shot.image(quality);
        ASSERT_TRUE(image);
        int red = 0, blue = 0, changes = 0;
        bool was_blue = false;
        for (uint32_t x = 0; x < image->width; ++x) {
            const Vec3f& p = image->pixels[static_cast<size_t>(image->height / 2) * image->width + x];
            if (p.x > 3 * p.z) ++red;
            if (p.z > 3 * p.x) ++blue;
            if (p.x > 3 * p.z || p.z > 3 * p.x) changes += was_blue != (p.z > p.x) ? 1 : 0, was_blue = p.z > p.x;
        }
        EXPECT_GT(red, 15);
        EXPECT_GT(blue, 5);
        EXPECT_GE(changes, 4) << "the stripe winds around several times";
    }
}

// Seen from the ground, a thread halfway to the lamp hides a strip of the lamp that is twice as wide as the thread.
// With few shadow rays, some points would miss the thread and others not, which causes patches.
TEST(Tube, DraftThreadCastsAnUnbrokenShadow)
{
    Shot shot(TubeStrings::straight(2, 4, 0.04f).tubes());
    shot.stage.meshes[0].origin = {-2, 1, 0};
    AreaLight lamp;
    lamp.centre = {0, 2, 0};
    lamp.half_width = {0.4, 0, 0};
    lamp.half_height = {0, 0, 0.4};  // their cross product points down
    lamp.radiance = {1, 1, 1};
    shot.stage.lighting.lights = {lamp};
    shot.stage.lighting.sky = shot.stage.lighting.horizon = shot.stage.lighting.floor = {0, 0, 0};
    shot.stage.ground.visible = true;
    shot.camera.eye = {0, 0.5, 0.5};
    shot.camera.target = {0, 0, 0};
    const auto shaded = shot.image(Quality::kDraft);
    shot.stage.meshes[0].origin = {-2, 3, 0};  // above the lamp
    const auto lit = shot.image(Quality::kDraft);
    ASSERT_TRUE(shaded && lit);
    for (size_t p = 0; p < lit->pixels.size(); ++p)
        EXPECT_NEAR(shaded->pixels[p].y / lit->pixels[p].y, 1 - 2 * 0.04 / 0.8, 0.04) << p;
}

TEST(Tube, PictureAcceptsInvalidColoursAndRefusesTooFew)
{
    Shot shot(TubeStrings::straight(10, 1, 0.1f, 20).tubes());
    for (size_t i = 0; i < shot.mesh.colours.size(); i += 3)
        shot.mesh.colours[i] = {std::numeric_limits<float>::quiet_NaN(), 1e30f, -5};
    for (const Quality quality : {Quality::kDraft, Quality::kGood}) {
        const auto image = shot.image(quality);
        ASSERT_TRUE(image);
        for (const Vec3f& p : image->pixels) EXPECT_TRUE(is_finite(p) && p.x >= 0 && p.y >= 0 && p.y < 10);
    }
    shot.stage.meshes[0].colours = shot.stage.meshes[0].colours.first(7);
    const auto refused = shot.image(Quality::kDraft);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), "mesh 0: colours need one entry per triangle or none");
}

}  // namespace
}  // namespace tendril
