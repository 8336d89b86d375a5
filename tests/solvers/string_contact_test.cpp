// Strings against strings.
#include "math/vectors.h"
#include "support/sanitized.h"
#include "support/strings.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tendril::test {
namespace {

/// A thread across another one, dragged through it at 20 m/s: 2 cm per substep, with threads of 2 mm.
TEST(StringContact, FastStringsDoNotPassThroughEachOther)
{
    const int n = 40;
    for (const bool continuous : {true, false}) {
        StringBench bench;
        bench.gravity = {0, 0, 0};
        const StringMaterial cotton = *string_material("cotton_thread");
        bench.add(straight_line(n, {0, 0.105, -0.5}, {0, 0.105, 0.5}), 0.001, cotton);
        bench.add(straight_line(n, {-0.5, 0, 0.003}, {0.5, 0, 0.003}), 0.001, cotton);
        for (const size_t i : {0, n, n + 1, 2 * n + 1}) bench.hold(i);
        bench.in.contacts = StringContactSettings{};
        bench.in.contacts->continuous = continuous;
        bench.in.iterations = 8;
        bench.in.tears = false;
        for (int i = 0; i < 15; ++i) {
            for (const int k : {0, 1}) bench.holds[static_cast<size_t>(k)].target.y -= 0.02;
            bench.step(1e-3);
        }
        // Behind the other one at its ends, but not where they cross.
        const double first = bench.strings.place[n / 2].y, second = bench.strings.place[n + 1 + n / 2].y;
        if (continuous) EXPECT_GT(first, second);
        else EXPECT_LT(first, second);  // the test could fail
    }
}

TEST(StringContact, OneStringLiesOnAnother)
{
    StringBench bench;
    const int n = 40;
    const StringMaterial cotton = *string_material("cotton_thread");
    bench.add(straight_line(n, {-0.2, 0, 0}, {0.2, 0, 0}), 0.002, cotton);
    bench.add(straight_line(n, {0, 0.01, -0.2}, {0, 0.01, 0.2}), 0.002, cotton);
    bench.hold(0), bench.hold(n);
    bench.in.contacts = StringContactSettings{};
    bench.in.iterations = 4;
    bench.drag = 3;
    bench.run(2, 5e-4);
    const Strings& s = bench.strings;
    double nearest = 1;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = n + 1; j < 2 * n + 1; ++j) {
            const auto [a, b] = nearest_points(s.place[i], s.place[i + 1], s.place[j], s.place[j + 1]);
            nearest = std::min(nearest, length(s.place[i] + s.edge(i) * a - s.place[j] - s.edge(j) * b));
        }
    EXPECT_NEAR(nearest, 0.004, 0.0004);
    EXPECT_GT(s.place[n + 1 + n / 2].y, s.place[n / 2].y);  // it hangs over the first one
    EXPECT_LT(s.place[n + 1].y, -0.1);
    EXPECT_LT(s.place[2 * n + 1].y, -0.1);
}

/// The centreline of an overhand knot, drawn out to straight ends.
std::vector<Vec3d> overhand_knot(int segments, double size)
{
    std::vector<Vec3d> fine;
    for (int i = 0; i <= 4000; ++i) {
        const double t = -1.0 + 2.0 * i / 4000;  // a cubic in x, a quartic in y and a quintic in z: the long trefoil
        const double u = 2.2 * t;
        fine.push_back(Vec3d{u * u * u - 3 * u, u * u * u * u - 4 * u * u, (u * u * u * u * u) / 5 - 2 * u} * (size / 2));
    }
    std::vector<double> along{0};
    for (size_t i = 1; i < fine.size(); ++i) along.push_back(along.back() + length(fine[i] - fine[i - 1]));
    std::vector<Vec3d> places;
    for (int i = 0; i <= segments; ++i) {
        const double want = along.back() * i / segments;
        const auto at = std::min<size_t>(static_cast<size_t>(std::lower_bound(along.begin(), along.end(), want) - along.begin()), fine.size() - 1);
        places.push_back(fine[at]);
    }
    return places;
}

/// How often the string crosses itself, seen across the line between its ends from where it does so least.
int least_crossings(const Strings& s)
{
    int least = 1000;
    const Vec3d along = unit_or(s.place.back() - s.place.front(), {1, 0, 0}), across = any_across(along);
    for (int view = 0; view < 60; ++view) {
        const double phi = std::numbers::pi * view / 60;
        const Vec3d d = across * std::cos(phi) + cross(along, across) * std::sin(phi);
        int count = 0;
        for (size_t i = 0; i + 1 < s.size(); ++i)
            for (size_t j = i + 2; j + 1 < s.size(); ++j) {
                // The four ends alternate around the line of sight.
                const Vec3d p = s.edge(i), q = s.edge(j), c = s.place[j] - s.place[i];
                const double span = dot(cross(p, q), d);
                if (span == 0) continue;
                const double a = dot(cross(c, q), d) / span, b = dot(cross(c, p), d) / span;
                count += a >= 0 && a < 1 && b >= 0 && b < 1;
            }
        least = std::min(least, count);
    }
    return least;
}

TEST(StringContact, AKnotHoldsUnderLoad)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    StringBench bench;
    const int n = 100;
    StringMaterial rope = *string_material("nylon");
    rope.bend_modulus = 2e7;
    bench.add(overhand_knot(n, 0.05), 0.004, rope);
    Strings& s = bench.strings;
    const int before = least_crossings(s);
    ASSERT_GE(before, 3);
    bench.gravity = {0, 0, 0};
    bench.hold(0), bench.hold(n);
    bench.in.contacts = StringContactSettings{};
    bench.in.iterations = 10;
    bench.drag = 5;
    const Vec3d out = (s.place[n] - s.place[0]) * (1 / length(s.place[n] - s.place[0]));
    // Drawn tight by its ends until they feel 20 N, then held for ten seconds.
    double worst = 0;
    for (int i = 0; i < 40000; ++i) {
        const double pull = s.tension[0];
        if (pull < 20) bench.holds[0].target -= out * (0.1 * 2.5e-4), bench.holds[1].target += out * (0.1 * 2.5e-4);
        bench.step(2.5e-4);
        worst = std::max(worst, pull);
    }
    EXPECT_EQ(s.pieces.size(), 1u);
    EXPECT_GT(worst, 15);
    EXPECT_GT(s.tension[0], 10);
    EXPECT_GE(least_crossings(s), 3);
}

}  // namespace
}  // namespace tendril::test
