// Light on strands, for drafts.
//
// [Kajiya89] J. Kajiya, T. Kay: Rendering Fur with Three Dimensional Textures, 1989. [Scheuermann04] T. Scheuermann:
// Practical Real-Time Hair Rendering and Shading, 2004: two shifted highlights. [Zinke08] A. Zinke, C. Yuksel, A.
// Weber, J. Keyser: Dual Scattering Approximation for Fast Multiple Scattering in Hair, 2008.
#include "render/strand_light.h"

#include "math/random.h"

namespace tendril {
namespace {

// By eye: lines carry the mean over a fibre's width, while the eye follows its brightest part. And a lamp is a point
// here, whose glow through the hair would be too narrow and too bright; it belongs to the rim, hence once more the
// share of light that gets there directly.
constexpr float kHighlights = 1.9f;
constexpr float kGlow = 0.22f;

Vec3f exp_of(const Vec3f& v)
{
    return {std::exp(v.x), std::exp(v.y), std::exp(v.z)};
}

}  // namespace

Vec3f log_passed_on(const DraftShading::Tint& tint)
{
    const auto channel = [](float through) { return std::log(0.04f + 0.80f * through); };
    return {channel(tint.through.x), channel(tint.through.y), channel(tint.through.z)};
}

StrandTint tint_of(size_t strand)
{
    constexpr uint64_t kSeed = 7;
    const auto around_zero = [&](uint64_t k) { return static_cast<float>(2 * uniform(kSeed + k, strand) - 1); };
    return {1 + 0.16f * around_zero(0), 0.05f * around_zero(1), 0.09f * around_zero(2)};
}

Vec3f tinted_by(const StrandTint& tint, const Vec3f& colour)
{
    const Vec3f c = tinted(colour, Vec3f{1 + tint.warmth, 1, 1 - tint.warmth} * tint.brightness);
    const auto within = [](float x) { return std::clamp(x, 0.0f, 1.0f); };
    return {within(c.x), within(c.y), within(c.z)};
}

StrandLight::StrandLight(const Stage& stage, const std::vector<Lamp>& lamps, const LightVolume& volume)
    : lamps_(lamps), volume_(volume), sky_(stage.lighting.sky), horizon_(stage.lighting.horizon)
{
    from_below_ = light_from_below(stage);
}

Vec3f StrandLight::from_lamp(size_t k, const StrandPlace& place, const Vec3f& tangent,
                             const DraftShading& shading) const
{
    const Lamp& lamp = lamps_[k];
    const Vec3f way = lamp.centre - place.position;
    const float distance = std::max(length(way), 1e-6f);
    const Vec3f to_lamp = way * (1.0f / distance);
    const float facing = -dot(lamp.normal, to_lamp);
    if (facing <= 0) return {0, 0, 0};
    Matter between = volume_.empty() ? Matter{0, 0} : volume_.towards_lamp(k, place.position);
    // A body fills the cells that its skin goes through, also where hair lies on it: seen from a little way off it only
    // hides the lamp where it really stands between.
    constexpr float kSkin = 2.5f;  // cells
    if (between[kBody] > 0.05f)
        between[kBody] = volume_.towards_lamp(k, place.position + to_lamp * (kSkin * volume_.cell()))[kBody];
    const float past_bodies = std::exp(-between[kBody]);
    if (past_bodies < 1e-3f) return {0, 0, 0};
    const float direct = std::exp(-between[kHair]);
    const Vec3f all = exp_of(place.log_passed * between[kHair]);
    const Vec3f passed_on{std::max(all.x - direct, 0.0f), std::max(all.y - direct, 0.0f),
                          std::max(all.z - direct, 0.0f)};

    const Vec3f to_eye = unit_or(place.position * -1.0f, {0, 0, 1});
    const DraftShading::Light own = shading.shade(tangent, to_eye, to_lamp, place.tint);
    const float cosine = std::sqrt(std::max(1 - dot(tangent, to_lamp) * dot(tangent, to_lamp), 0.0f));
    const Vec3f spread = place.tint.dense * (cosine / kPi);
    const Vec3f highlights = own.reflected - spread;
    const Vec3f light = (own.reflected + highlights * (kHighlights - 1) + own.transmitted * (kGlow * direct)) * direct +
                        tinted(spread, passed_on);
    const float solid_angle = std::min(lamp.area * facing / (distance * distance), 2 * kPi);
    return tinted(lamp.radiance, light) * (solid_angle * past_bodies);
}

Vec3f StrandLight::at(const StrandPlace& place, const DraftShading& shading) const
{
    // Tilting the strand towards the eye shifts its highlights.
    const Vec3f to_eye = unit_or(place.position * -1.0f, {0, 0, 1});
    const Vec3f tangent = unit_or(place.tangent + to_eye * place.shift, place.tangent);
    Vec3f sum{0, 0, 0};
    for (size_t k = 0; k < lamps_.size(); ++k) sum += from_lamp(k, place, tangent, shading);
    AmbientShare hair, bodies;
    if (!volume_.empty()) volume_.ambient(place.position, hair, bodies);
    const Vec3f around = sky_ * (0.4f * hair.up * past_body(bodies.up)) +
                         horizon_ * (0.4f * hair.side * past_body(bodies.side)) +
                         from_below_ * (0.2f * hair.down * past_body(bodies.down));
    // Light from everywhere is also mirrored, and seen through the strand.
    const Vec3f colour = place.tint.dense + Vec3f{0.03f, 0.03f, 0.03f} + place.tint.inside * 0.12f;
    return sum + tinted(colour, around);
}

}  // namespace tendril
