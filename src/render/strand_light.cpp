// Strand lighting for drafts.
//
// [Kajiya89] J. Kajiya, T. Kay: Rendering Fur with Three Dimensional Textures, 1989. [Scheuermann04] T. Scheuermann:
// Practical Real-Time Hair Rendering and Shading, 2004: two shifted highlights. [Zinke08] A. Zinke, C. Yuksel, A.
// Weber, J. Keyser: Dual Scattering Approximation for Fast Multiple Scattering in Hair, 2008.
#include "render/strand_light.h"

#include "math/random.h"

namespace tendril {
namespace {

// Tuned by eye. A line has the mean radiance over a fibre's width, while the eye notices its brightest part, so
// highlights are amplified. Lamps are points here, so transmitted light would be too narrow and too bright. It belongs
// at the rim of the hair, so it is scaled by the direct share once more.
constexpr float kHighlightGain = 1.9f;
constexpr float kTransmission = 0.22f;

Vec3f exp_of(const Vec3f& v)
{
    return {std::exp(v.x), std::exp(v.y), std::exp(v.z)};
}

}  // namespace

Vec3f log_forward_share(const DraftShading::Tint& tint)
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
    const auto clamped = [](float x) { return std::clamp(x, 0.0f, 1.0f); };
    return {clamped(c.x), clamped(c.y), clamped(c.z)};
}

StrandLight::StrandLight(const Stage& stage, const std::vector<Lamp>& lamps, const LightVolume& volume)
    : lamps_(lamps), volume_(volume), sky_(stage.lighting.sky), horizon_(stage.lighting.horizon)
{
    from_below_ = light_from_below(stage);
}

Vec3f StrandLight::light_from_lamp(size_t k, const StrandPoint& point, const Vec3f& tangent,
                                   const DraftShading& shading) const
{
    const Lamp& lamp = lamps_[k];
    const Vec3f offset = lamp.centre - point.position;
    const float distance = std::max(length(offset), 1e-6f);
    const Vec3f to_lamp = offset * (1.0f / distance);
    const float facing = -dot(lamp.normal, to_lamp);
    if (facing <= 0) return {0, 0, 0};
    HairAndBody depth = volume_.empty() ? HairAndBody{0, 0} : volume_.towards_lamp(k, point.position);
    // Cells at the surface of a body also shade the hair that lies on it. Looking up the depth a little closer to the
    // lamp leaves only bodies that really occlude the lamp.
    constexpr float kBodyMargin = 2.5f;  // cells
    if (depth[kOfBody] > 0.05f)
        depth[kOfBody] = volume_.towards_lamp(k, point.position + to_lamp * (kBodyMargin * volume_.cell()))[kOfBody];
    const float body_transmittance = std::exp(-depth[kOfBody]);
    if (body_transmittance < 1e-3f) return {0, 0, 0};
    const float direct = std::exp(-depth[kOfHair]);
    const Vec3f forwarded = exp_of(point.log_forward * depth[kOfHair]);
    const Vec3f scattered{std::max(forwarded.x - direct, 0.0f), std::max(forwarded.y - direct, 0.0f),
                          std::max(forwarded.z - direct, 0.0f)};

    const Vec3f to_eye = unit_or(point.position * -1.0f, {0, 0, 1});
    const DraftShading::Light own = shading.shade(tangent, to_eye, to_lamp, point.tint);
    const float cosine = std::sqrt(std::max(1 - dot(tangent, to_lamp) * dot(tangent, to_lamp), 0.0f));
    const Vec3f diffuse = point.tint.dense * (cosine / kPi);
    const Vec3f highlights = own.reflected - diffuse;
    const Vec3f light =
        (own.reflected + highlights * (kHighlightGain - 1) + own.transmitted * (kTransmission * direct)) * direct +
        tinted(diffuse, scattered);
    const float solid_angle = std::min(lamp.area * facing / (distance * distance), 2 * kPi);
    return tinted(lamp.radiance, light) * (solid_angle * body_transmittance);
}

Vec3f StrandLight::at(const StrandPoint& point, const DraftShading& shading) const
{
    // Tilting the tangent towards the eye shifts the highlights.
    const Vec3f to_eye = unit_or(point.position * -1.0f, {0, 0, 1});
    const Vec3f tangent = unit_or(point.tangent + to_eye * point.shift, point.tangent);
    Vec3f sum{0, 0, 0};
    for (size_t k = 0; k < lamps_.size(); ++k) sum += light_from_lamp(k, point, tangent, shading);
    AmbientShare hair, bodies;
    if (!volume_.empty()) volume_.ambient(point.position, hair, bodies);
    const Vec3f environment = sky_ * (0.4f * hair.up * ambient_past_bodies(bodies.up)) +
                              horizon_ * (0.4f * hair.side * ambient_past_bodies(bodies.side)) +
                              from_below_ * (0.2f * hair.down * ambient_past_bodies(bodies.down));
    // Environment light is also reflected specularly and inside the strand.
    const Vec3f colour = point.tint.dense + Vec3f{0.03f, 0.03f, 0.03f} + point.tint.inside * 0.12f;
    return sum + tinted(colour, environment);
}

}  // namespace tendril
