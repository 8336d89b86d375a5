/// Strands with rest poses of many kinds, for tests of the shape.
#pragma once

#include "tendril/groom.h"
#include "tendril/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tendril::test {

/// A curve from the root at t = 0 to the tip at t = 1.
struct Style {
    std::string name;
    std::function<Vec3d(double)> at;
};

inline const std::vector<Style>& styles()
{
    static const std::vector<Style> list{
        {"level",
         [](double t) {
             return Vec3d{0.3 * t, 0, 0};
         }},
        {"slanting",
         [](double t) {
             return Vec3d{0.2 * t, 0.2 * t, 0};
         }},
        {"mohawk",
         [](double t) {
             return Vec3d{0.01 * t * t, 0.12 * t, 0};
         }},
        {"wavy",
         [](double t) {
             return Vec3d{0.01 * std::sin(18.8 * t), -0.3 * t, 0.02 * t};
         }},
        {"curls",
         [](double t) {
             return Vec3d{0.012 * std::cos(31.4 * t) - 0.012, -0.25 * t, 0.012 * std::sin(31.4 * t)};
         }},
        {"level curls",
         [](double t) {
             return Vec3d{0.25 * t, 0.012 * std::cos(31.4 * t) - 0.012, 0.012 * std::sin(31.4 * t)};
         }},
        {"hanging",
         [](double t) {
             return Vec3d{0.03 * t, -0.3 * t, 0};
         }},
    };
    return list;
}

/// `count` points at equal arc length along a curve.
inline std::vector<Vec3f> sample(const Style& style, size_t count)
{
    constexpr size_t kFine = 20'000;
    std::vector<double> arc_length(kFine + 1, 0.0);
    for (size_t k = 1; k <= kFine; ++k)
        arc_length[k] = arc_length[k - 1] + length(style.at(static_cast<double>(k) / kFine) -
                                                   style.at((static_cast<double>(k) - 1) / kFine));
    std::vector<Vec3f> points;
    for (size_t i = 0, k = 0; i < count; ++i) {
        const double wanted = arc_length[kFine] * static_cast<double>(i) / static_cast<double>(count - 1);
        while (k < kFine && arc_length[k] < wanted) ++k;
        points.push_back(to_float(style.at(static_cast<double>(k) / kFine)));
    }
    return points;
}

/// A world with one strand of each style on one body.
inline World styled_world(const WorldSettings& settings, size_t particles, PoseFunction motion = {},
                          std::shared_ptr<Executor> executor = make_serial_executor())
{
    World world(settings, std::move(executor));
    const BodyId body = world.add_body({.name = "hand", .function = std::move(motion)});
    GroomData data;
    data.first_point = {0};
    for (const Style& style : styles()) {
        const std::vector<Vec3f> points = sample(style, particles);
        data.points.insert(data.points.end(), points.begin(), points.end());
        data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    }
    auto groom = make_groom(std::move(data));
    EXPECT_TRUE(groom) << groom.error();
    EXPECT_TRUE(world.add_groom(std::move(*groom), {.body = body}));
    return world;
}

inline std::vector<Vec3d> points_of(const World& world, size_t strand)
{
    std::vector<Vec3d> p;
    for (size_t i = 0; i < world.groom({0}).points(strand).size(); ++i) p.push_back(world.position({{0}, strand, i}));
    return p;
}

inline double length_of(const World& world, size_t strand)
{
    double sum = 0;
    for (const float l : world.groom({0}).rest_lengths(strand)) sum += static_cast<double>(l);
    return sum;
}

/// The largest distance between two polylines at equal fractions of their point count [m].
inline double apart(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b)
{
    const auto at = [](const std::vector<Vec3d>& p, double fraction) {
        const double x = fraction * static_cast<double>(p.size() - 1);
        const auto i = std::min(static_cast<size_t>(x), p.size() - 2);
        return p[i] + (p[i + 1] - p[i]) * (x - static_cast<double>(i));
    };
    double largest = 0;
    for (int k = 0; k <= 15; ++k) largest = std::max(largest, length(at(a, k / 15.0) - at(b, k / 15.0)));
    return largest;
}

}  // namespace tendril::test
