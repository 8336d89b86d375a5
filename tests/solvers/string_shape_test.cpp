// Chain shape matching: strings bend like beams and return to their rest shape.
#include "support/sanitized.h"
#include "support/strings.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tendril::test {
namespace {

/// Sag of the tip of a cantilever of length 1 under gravity, in units of w L^4 / (8 EI).
double sag_of_cantilever(int half_width)
{
    StringBench bench;
    const int n = 24;
    bench.add(straight_line(n, {0, 0, 0}, {1, 0, 0}), 0.005, stiff_material());
    bench.hold(0), bench.hold(1);
    Strings& s = bench.strings;
    const double l = 1.0 / n, free = 1 - l, weight = s.mass[5] / l;
    // The stiffness at which it sags by a hundredth, whatever its material.
    const double stiffness = weight * 9.81 * std::pow(free, 4) / 8 / 0.01;
    std::fill(s.bend_stiffness.begin(), s.bend_stiffness.end(), stiffness);
    bench.in.half_width = half_width;
    bench.behaviour.shape.damping = 0.2;
    bench.drag = 8;
    prepare_regions(s, half_width);
    const double h = 0.8 * longest_substep(s);
    bench.run(kSanitized ? 0.01 : 1.5, h);
    return -s.position[n].y / 0.01;
}

TEST(StringShape, ACantileverSagsAsABeamDoes)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    // The clamp is the first segment; half of the second one has its curvature too.
    EXPECT_NEAR(sag_of_cantilever(1), 1, 0.1);
    // Wider regions see the mean curvature, which is below the peak at the clamp.
    EXPECT_NEAR(sag_of_cantilever(2), 1, 0.25);
    EXPECT_NEAR(sag_of_cantilever(4), 1, 0.6);
}

/// A coil with chords of 12 mm; `open` opens its turns.
std::vector<Vec3d> helix(int segments, double open = 1)
{
    std::vector<Vec3d> points;
    const double chord = 2 * 0.03 * std::sin(0.35 / 2), all = std::hypot(chord, 0.006);
    const double radius = chord / open / (2 * std::sin(0.35 / open / 2));
    for (int i = 0; i <= segments; ++i) {
        const double turn = 0.35 / open * i;
        points.push_back(
            {radius * std::cos(turn), std::sqrt(all * all - chord * chord / open / open) * i, radius * std::sin(turn)});
    }
    return points;
}

double largest_acceleration(Strings& s)
{
    std::fill(s.acceleration.begin(), s.acceleration.end(), Vec3d{0, 0, 0});
    match_shapes(s, s.pieces[0], {0, 1}, 1e-5);
    double most = 0;
    for (const Vec3d& a : s.acceleration) most = std::max(most, length(a));
    return most;
}

TEST(StringShape, ABentRestShapeFeelsNothingWhereverItIsCarried)
{
    for (const int w : {1, 2, 5}) {
        StringBench bench;
        bench.add(helix(60), 0.003, stiff_material());
        Strings& s = bench.strings;
        prepare_regions(s, w);
        const double scale = s.region_rate[20] * s.rest[0];
        EXPECT_LT(largest_acceleration(s), 1e-6 * scale) << w;
        // Carried in small rotations, as in a simulation.
        for (int turn = 0; turn < 40; ++turn) {
            const Quat q = rotation_about({0.6, 0, 0.8}, 0.15);
            for (Vec3d& p : s.position) p = rotate(q, p) + Vec3d{0.1, 0, 0};
            EXPECT_LT(largest_acceleration(s), 1e-5 * scale) << w << ", " << turn;
        }
        s.position[30] += Vec3d{0.002, 0, 0};
        EXPECT_GT(largest_acceleration(s), 1e-2 * scale) << w;
    }
}

TEST(StringShape, ACoilComesBack)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    StringBench bench;
    const int n = 30;
    bench.gravity = {0, 0, 0};
    StringMaterial wire = stiff_material();
    wire.bend_modulus = 1e7;
    bench.add(helix(n), 0.003, wire);
    Strings& s = bench.strings;
    const std::vector<Vec3d> rest = s.position;
    for (const size_t i : {0, 1, 2}) bench.hold(i);
    const auto open = helix(n, 1.4);
    for (size_t i = 3; i < s.size(); ++i) s.position[i] = rest[2] + open[i] - open[2];
    start_frames(s, s.pieces[0]);
    bench.drag = 3;
    bench.in.half_width = 2;
    bench.behaviour.shape.damping = 0.3;
    bench.behaviour.tears = false;
    prepare_regions(s, 2);
    bench.run(5, 0.7 * longest_substep(s));
    double off = 0;
    for (size_t i = 0; i < s.size(); ++i) off = std::max(off, length(s.position[i] - rest[i]));
    EXPECT_LT(off, 0.005);  // of a coil 0.18 m long
}

TEST(StringShape, DegenerateRegionsAreHarmless)
{
    for (const auto& points : {std::vector<Vec3d>(8, Vec3d{1, 2, 3}), straight_line(7, {0, 0, 0}, {0, 0, 1e-9})}) {
        StringBench bench;
        bench.add(points, 0.002, stiff_material());
        bench.hold(0);
        for (int i = 0; i < 20; ++i) bench.step(1e-3);
        for (const Vec3d& p : bench.strings.position) EXPECT_TRUE(is_finite(p));
    }
}

// No substep of this length can resolve such a tension: it must damp motion, not add any.
TEST(StringShape, AStringThatIsPulledTooHardForItsSubstepStaysCalm)
{
    StringBench bench;
    const int n = 60;
    bench.add(straight_line(n, {0, 0, 0}, {1, 0, 0}), 0.001, *string_material("steel_cable"));
    bench.hold(0), bench.hold(n);
    bench.behaviour.tears = false;
    for (int i = 0; i < 300; ++i) {
        bench.holds.back().target.x = 1 + 0.005 * std::min(1.0, i / 100.0);
        bench.step(1e-3);  // twenty times as long as its tension permits
    }
    const Strings& s = bench.strings;
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(s.tension[i], 0.005 * s.stiffness[i], 0.02 * 0.005 * s.stiffness[i]);
    EXPECT_LT(bench.kinetic(), 1e-6);
}

}  // namespace
}  // namespace tendril::test
