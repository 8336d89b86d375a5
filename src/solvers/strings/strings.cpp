#include "solvers/strings/strings.h"

#include "math/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

constexpr double kShortest = 1e-6;  // shorter segments count as this [m]

}  // namespace

double Strings::radius_now(size_t i) const
{
    const double strain = length(edge(i)) / rest[i] - 1;
    return radius[i] / std::sqrt(std::max(1 + strain, 0.25));
}

double Strings::torque_on(size_t i) const
{
    const double behind = i > 0 && intact[i - 1] ? torque[i] : 0;
    const double ahead = intact[i] && i + 1 < size() && intact[i + 1] ? torque[i + 1] : 0;
    return ahead - behind;
}

void add_string(Strings& s, std::span<const Vec3d> positions, std::span<const float> widths,
                const StringMaterial& material, uint32_t owner)
{
    const size_t count = positions.size(), size = s.size() + count;
    const auto area = [&](size_t i) {
        const double r = static_cast<double>(widths[i]) / 2;
        return std::numbers::pi * r * r;
    };
    const uint32_t string = s.string.empty() ? 0 : s.string.back() + 1;
    for (size_t i = 0; i < count; ++i) {
        s.string.push_back(string);
        s.owner.push_back(owner);
        const double behind = i > 0 ? std::max(length(positions[i] - positions[i - 1]), kShortest) : 0;
        const double ahead = i + 1 < count ? std::max(length(positions[i + 1] - positions[i]), kShortest) : 0;
        const double mass = material.density * area(i) * (behind + ahead) / 2;
        s.position.push_back(positions[i]);
        s.before.push_back(positions[i]);
        s.rest_position.push_back(positions[i]);
        s.mass.push_back(mass);
        s.inverse_mass.push_back(1 / mass);
        s.intact.push_back(i + 1 < count);
        s.active.push_back(i + 1 < count);
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
    for (auto* zero : {&s.velocity, &s.acceleration, &s.by_lengths, &s.across}) zero->resize(size, {0, 0, 0});
    for (auto* zero : {&s.elongation, &s.tension, &s.angle, &s.frame_turn, &s.rest_twist, &s.torque})
        zero->resize(size);
    for (auto* zero : {&s.hard, &s.touching, &s.bounces, &s.clamped}) zero->resize(size);
    s.holder.resize(size);
    s.pieces.push_back({size - count, size - 1});
    start_frames(s, s.pieces.back());
    s.rest_across.insert(s.rest_across.end(), s.across.end() - static_cast<ptrdiff_t>(count), s.across.end());
}

void splice_strings(Strings& s, size_t first, size_t count, const Strings& part)
{
    const auto splice = [&](auto& to, const auto& from) {
        const auto begin =
            to.erase(to.begin() + static_cast<ptrdiff_t>(first), to.begin() + static_cast<ptrdiff_t>(first + count));
        to.insert(begin, from.begin(), from.end());
    };
    const auto all = [&](auto... arrays) { (..., splice(s.*arrays, part.*arrays)); };
    using S = Strings;
    all(&S::position, &S::velocity, &S::before, &S::mass, &S::inverse_mass, &S::acceleration, &S::by_lengths,
        &S::string, &S::owner, &S::holder, &S::hard, &S::touching, &S::bounces, &S::intact, &S::rest, &S::elongation,
        &S::radius, &S::stiffness, &S::yield, &S::hardening, &S::strength, &S::tension, &S::across, &S::rest_across,
        &S::angle, &S::clamped, &S::frame_turn, &S::rest_twist, &S::bend_stiffness, &S::twist_stiffness, &S::torque,
        &S::rest_position, &S::region_turn);
    // Renumbers the strings in order. A string ends where its number or its owner changes.
    uint32_t number = 0;
    for (size_t i = 0; i < s.size(); ++i) {
        const uint32_t old = s.string[i];
        const bool ends = i + 1 == s.size() || s.string[i + 1] != old || s.owner[i + 1] != s.owner[i];
        s.string[i] = number;
        number += ends;
    }
    find_pieces(s);
    s.half_width = 0;
}

void vary_strength(Strings& s, double share, uint64_t seed, size_t first)
{
    for (size_t i = 0; i < s.strength.size(); ++i) s.strength[i] *= 1 + share * (2 * uniform(seed, first + i) - 1);
}

void find_pieces(Strings& s)
{
    s.pieces.clear();
    s.active.resize(s.size());
    for (size_t first = 0, i = 0; i < s.size(); ++i) {
        const bool off = s.owner[i] < s.off.size() && s.off[s.owner[i]];
        s.active[i] = s.intact[i] && !off;
        if (s.intact[i]) continue;
        if (!off) s.pieces.push_back({first, i});
        first = i + 1;
    }
}

}  // namespace tendril
