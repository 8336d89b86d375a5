#include "solvers/strings.h"

#include "math/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

constexpr double kShortest = 1e-6;  // segments that are shorter count as this [m]

}  // namespace

double Strings::radius_now(size_t i) const
{
    const double strain = length(edge(i)) / rest[i] - 1;
    return radius[i] / std::sqrt(std::max(1 + strain, 0.25));
}

double Strings::torque_on(size_t i) const
{
    const double behind = i > 0 && whole[i - 1] ? torque[i] : 0;
    const double ahead = whole[i] && i + 1 < size() && whole[i + 1] ? torque[i + 1] : 0;
    return ahead - behind;
}

void add_string(Strings& s, std::span<const Vec3d> places, std::span<const float> widths,
                const StringMaterial& material)
{
    const size_t count = places.size(), size = s.size() + count;
    const auto area = [&](size_t i) {
        const double r = static_cast<double>(widths[i]) / 2;
        return std::numbers::pi * r * r;
    };
    const uint32_t string = s.string.empty() ? 0 : s.string.back() + 1;
    for (size_t i = 0; i < count; ++i) {
        s.string.push_back(string);
        const double behind = i > 0 ? std::max(length(places[i] - places[i - 1]), kShortest) : 0;
        const double ahead = i + 1 < count ? std::max(length(places[i + 1] - places[i]), kShortest) : 0;
        const double mass = material.density * area(i) * (behind + ahead) / 2;
        s.place.push_back(places[i]);
        s.rest_place.push_back(places[i]);
        s.mass.push_back(mass);
        s.lightness.push_back(1 / mass);
        s.whole.push_back(i + 1 < count);
        s.rest.push_back(ahead);
        const double across = i + 1 < count ? (area(i) + area(i + 1)) / 2 : area(i);
        s.radius.push_back(std::sqrt(across / std::numbers::pi));
        s.stiffness.push_back(material.young * across);
        s.yield.push_back(material.yield * across);
        s.hardening.push_back(material.hardening() * across);
        s.strength.push_back(material.rupture * across);
        const double r4 = area(i) * area(i) / std::numbers::pi;
        s.bend_stiffness.push_back(material.bend_modulus * r4 / 4);
        s.twist_stiffness.push_back(material.shear_modulus * r4 / 2);
    }
    s.before = s.place;
    for (auto* zero : {&s.velocity, &s.acceleration, &s.by_lengths, &s.across}) zero->resize(size, {0, 0, 0});
    for (auto* zero : {&s.elongation, &s.tension, &s.angle, &s.frame_turn, &s.rest_twist, &s.torque})
        zero->resize(size);
    for (auto* zero : {&s.hard, &s.touching, &s.clamped}) zero->resize(size);
    s.holder.resize(size);
    s.pieces.push_back({size - count, size - 1});
    start_frames(s, s.pieces.back());
}

void vary_strength(Strings& s, size_t first, size_t last, double share, uint64_t seed)
{
    for (size_t i = first; i < last; ++i) s.strength[i] *= 1 + share * (2 * uniform(seed, i) - 1);
}

void find_pieces(Strings& s)
{
    s.pieces.clear();
    for (size_t first = 0, i = 0; i < s.size(); ++i) {
        if (s.whole[i]) continue;
        s.pieces.push_back({first, i});
        first = i + 1;
    }
}

}  // namespace tendril
