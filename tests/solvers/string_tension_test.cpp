// Tension and its effects on a string: elongation, tearing, springing back.
#include "support/sanitized.h"
#include "support/strings.h"

#include <gtest/gtest.h>

namespace tendril::test {
namespace {

constexpr double kWeightPerMass = 9.81;

/// Hangs a rope of one metre and raises its load from 0 to `mass` over `seconds`.
void hang(StringBench& bench, double mass, const StringMaterial& material, double radius, int segments, double seconds)
{
    bench.add(straight_line(segments, {0, 0, 0}, {0, -1, 0}), radius, material);
    bench.hold(0);
    bench.drag = 10;
    const auto tip = static_cast<size_t>(segments);
    const double own = bench.strings.mass[tip];
    const int parts = 50;
    for (int i = 1; i <= parts; ++i) {
        bench.strings.mass[tip] = own + mass * i / parts;
        bench.strings.inverse_mass[tip] = 1 / bench.strings.mass[tip];
        bench.run_exactly(seconds / parts);
    }
}

// Nylon of 4 mm: 1, 10 and 100 kg are 0.8, 8 and 78 MPa, the last of which exceeds the yield stress.
TEST(StringTension, ARopeShowsTheWeightBelow)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const double mass : {1.0, 10.0, 100.0}) {
        StringBench bench;
        const StringMaterial nylon = *string_material("nylon");
        const int n = 30;
        hang(bench, mass, nylon, 0.002, n, 4);
        bench.run_exactly(2);
        const Strings& s = bench.strings;
        double below = 0, elongation = 0;
        for (size_t i = n; i-- > 0;) {
            below += s.mass[i + 1];
            EXPECT_NEAR(s.tension[i], below * kWeightPerMass, 0.01 * below * kWeightPerMass)
                << mass << " kg, segment " << i;
            const double area = s.stiffness[i] / nylon.young;
            elongation += s.rest[i] * nylon.strain_at(below * kWeightPerMass / area);
        }
        EXPECT_NEAR(-1 - s.position[n].y, elongation, 0.03 * elongation) << mass << " kg";
        // Removes the load.
        bench.strings.mass[n] -= mass;
        bench.strings.inverse_mass[n] = 1 / bench.strings.mass[n];
        bench.drag = 100;
        bench.run_exactly(1.5);
        const double left = -1 - s.position[n].y, permanent = elongation - mass * kWeightPerMass / s.stiffness[0];
        if (mass < 50)
            EXPECT_LT(left, 0.02 * elongation) << mass << " kg";
        else
            EXPECT_NEAR(left, permanent, 0.03 * permanent);
    }
}

TEST(StringTension, RadiusKeepsTheVolume)
{
    StringBench bench;
    hang(bench, 0.5, *string_material("rubber"), 0.002, 20, 1);
    const Strings& s = bench.strings;
    for (size_t i = 0; i < 20; ++i) {
        const double now = s.radius_now(i) * s.radius_now(i) * length(s.edge(i));
        EXPECT_GT(length(s.edge(i)), 1.05 * s.rest[i]);
        EXPECT_NEAR(now, s.radius[i] * s.radius[i] * s.rest[i], 1e-9 * now);
    }
}

TEST(StringTension, TearsWhereTensionOverStrengthIsLargest)
{
    const int n = 50;
    const StringMaterial cotton = *string_material("cotton_thread");
    for (const uint64_t seed : {1, 2, 3, 4}) {
        StringBench bench;
        bench.gravity = {0, 0, 0};
        bench.add(straight_line(n, {0, 0, 0}, {1, 0, 0}), 0.0003, cotton);
        Strings& s = bench.strings;
        vary_strength(s, 0.1, seed);
        const auto weakest =
            static_cast<size_t>(std::min_element(s.strength.begin(), s.strength.begin() + n) - s.strength.begin());
        bench.hold(0), bench.hold(n);
        bench.drag = 5;
        double pulled = 0, mass = 0;
        for (const double m : s.mass) mass += m;
        const double from = 1;
        while (bench.stepper.torn.empty() && bench.time < 4) {
            pulled = s.tension[weakest];
            bench.holds.back().target.x = from + 0.05 * bench.time;
            bench.step(1e-4);
        }
        ASSERT_EQ(bench.stepper.torn.size(), 1u) << seed;
        EXPECT_EQ(bench.stepper.torn[0], weakest) << seed;
        EXPECT_NEAR(pulled, s.strength[weakest], 0.05 * s.strength[weakest]) << seed;
        ASSERT_EQ(s.pieces.size(), 2u);
        EXPECT_EQ(s.pieces[0].last, weakest);
        EXPECT_EQ(s.pieces[1].first, weakest + 1);
        double after = 0;
        for (const double m : s.mass) after += m;
        EXPECT_EQ(after, mass);
        bench.gravity = {0, -kWeightPerMass, 0};
        bench.run(0.2, 1e-4);
        EXPECT_EQ(s.pieces.size(), 2u);
        EXPECT_LT(s.position[weakest].y, -0.01);
        EXPECT_LT(s.position[weakest + 1].y, -0.01);
    }
}

double energy(const StringBench& bench)
{
    const Strings& s = bench.strings;
    double sum = bench.kinetic();
    for (size_t i = 0; i < s.size(); ++i) {
        sum -= s.mass[i] * dot(bench.gravity, s.position[i]);
        if (!s.intact[i]) continue;
        const double stretch = length(s.edge(i)) - s.relaxed_length(i);
        sum += s.stiffness[i] / s.relaxed_length(i) * stretch * stretch / 2;
    }
    return sum;
}

/// Releases the end of a stretched rubber cord and returns its speed after 0.1 s [m/s].
double speed_after_release(bool flicks, double& gained)
{
    StringBench bench;
    const int n = 60;
    bench.behaviour.flicks = flicks;
    bench.add(straight_line(n, {0, 0, 0}, {1.5, 0, 0}), 0.003, *string_material("rubber"));
    bench.hold(0), bench.hold(n);
    bench.drag = 2;
    while (bench.holds.back().target.x < 2) {
        bench.holds.back().target.x += 0.5 * 5e-4;
        bench.step(5e-4);
    }
    bench.run(1, 5e-4);
    bench.drag = 0;
    bench.holds.pop_back();
    bench.strings.inverse_mass[n] = 1 / bench.strings.mass[n];
    if (!flicks) release_tension(bench.strings, bench.strings.pieces[0]);
    const double stored = energy(bench);
    gained = 0;
    double speed = 0;
    for (int i = 0; i < 200; ++i) {
        bench.step(5e-4);
        gained = std::max(gained, energy(bench) - stored);
        speed = length(bench.strings.velocity[n]);
    }
    return speed;
}

TEST(StringTension, AReleasedCordSpringsBack)
{
    double gained = 0, unused = 0;
    const double with = speed_after_release(true, gained), without = speed_after_release(false, unused);
    EXPECT_GT(with, 3 * without) << without;
    EXPECT_LT(gained, 1e-9);
}

// Adding a string used to copy the positions of all others, so that a million strings took hours.
TEST(StringTension, AddingAStringDoesNotTouchTheOthers)
{
    StringBench bench;
    bench.add(straight_line(2, {0, 0, 0}, {0, -1, 0}), 1e-3, {});
    bench.strings.position[0] = {5, 0, 0};
    const Vec3d before = bench.strings.before[0];
    bench.add(straight_line(2, {1, 0, 0}, {0, -1, 0}), 1e-3, {});
    EXPECT_EQ(bench.strings.before[0], before);
    ASSERT_EQ(bench.strings.before.size(), bench.strings.size());
    EXPECT_EQ(bench.strings.before[3], bench.strings.position[3]);
}

}  // namespace
}  // namespace tendril::test
