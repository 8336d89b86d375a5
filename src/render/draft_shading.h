/// The fast shading of drafts: the light of one lamp that a strand in dense hair reflects to the viewer. It needs only
/// the tangent of the strand.
///
/// [Kajiya89]      the diffuse term, from the sine between tangent and light.
/// [Scheuermann04] a white highlight shifted by the scales, and a coloured one shifted the other way.
/// [Marschner03]   the origin, position and width of the two highlights, and the transmitted light.
///
/// The lobes are those of hair_bsdf.h, averaged over the width. Each takes square roots and one exponential instead of
/// Bessel functions, powers and angles. The colour of dense hair and one constant stand in for multiple scattering.
#pragma once

#include "render/hair_bsdf.h"
#include "render/light_math.h"
#include "tendril/hair_look.h"
#include "tendril/vec3.h"

#include <algorithm>
#include <cmath>

namespace tendril {

/// Build one per look and one `Tint` per colour, then call `shade` for every point and lamp.
class DraftShading {
public:
    explicit DraftShading(const HairLook& look);

    struct Tint {
        Vec3f dense;    ///< light scattered from strand to strand
        Vec3f through;  ///< light transmitted through one strand (TT)
        Vec3f inside;   ///< light reflected once inside a strand (TRT)
    };
    /// `dense_colour` is the colour of dense hair, [0, 1].
    Tint tint(const Vec3f& dense_colour) const;

    /// Radiance towards the viewer per irradiance on a plane facing the lamp [1/sr].
    struct Light {
        Vec3f reflected;    ///< the diffuse term and both highlights
        Vec3f transmitted;  ///< glow of backlit hair. Scale it by the share of the lamp's light that reaches the
                            ///< strand; otherwise all backlit hair glows instead of only its rim
    };
    /// All vectors are unit vectors; `tangent` points towards the tip.
    Light shade(const Vec3f& tangent, const Vec3f& to_viewer, const Vec3f& to_light, const Tint& tint) const;

private:
    /// A longitudinal lobe, M_p of [dEon11], shifted by the tilt of the scales.
    struct Lobe {
        float inverse_variance = 1, scale = 1;
        float sin_shift = 0, cos_shift = 1;

        float operator()(float sin_v, float cos_v, float sin_l, float cos_l) const;
    };
    static Lobe make_lobe(float variance, float shift);

    float side_roughness_;
    float mean_reflectance_;  // Fresnel reflectance for light perpendicular to the strand, averaged over the width
    float mean_path_;         // mean path length through a strand [radii]
    Lobe white_, coloured_, forward_;
};

inline DraftShading::Lobe DraftShading::make_lobe(float variance, float shift)
{
    const float k = 1 / variance;
    return {k, k / -std::expm1(-2 * k), std::sin(shift), std::cos(shift)};
}

inline DraftShading::DraftShading(const HairLook& look) : side_roughness_(look.side_roughness)
{
    // The same widths and shifts as in the physical model, see hair_bsdf.cpp.
    const float v = variance_of(std::clamp(look.roughness, 0.05f, 1.0f));
    const float a = std::clamp(look.tilt, 0.0f, 0.2f);
    white_ = make_lobe(v, 2 * a);
    forward_ = make_lobe(0.25f * v, -a);
    coloured_ = make_lobe(4 * v, -4 * a);

    constexpr int kRays = 16;
    const float eta = std::clamp(look.refraction, 1.1f, 2.0f);
    mean_reflectance_ = mean_path_ = 0;
    for (int i = 0; i < kRays; ++i) {
        const float h = (static_cast<float>(i) + 0.5f) / kRays;
        mean_reflectance_ += fresnel(std::sqrt(1 - h * h), eta) / kRays;
        mean_path_ += 2 * std::sqrt(1 - h * h / (eta * eta)) / kRays;
    }
}

inline DraftShading::Tint DraftShading::tint(const Vec3f& dense_colour) const
{
    const Vec3f absorbed = absorption_of_colour(dense_colour, side_roughness_);
    const Vec3f t{std::exp(-mean_path_ * absorbed.x), std::exp(-mean_path_ * absorbed.y),
                  std::exp(-mean_path_ * absorbed.z)};
    return {dense_colour, t, {t.x * t.x, t.y * t.y, t.z * t.z}};
}

inline float DraftShading::Lobe::operator()(float sin_v, float cos_v, float sin_l, float cos_l) const
{
    const float s = sin_v * cos_shift + cos_v * sin_shift, c = std::abs(cos_v * cos_shift - sin_v * sin_shift);
    const float chord = (cos_l - c) * (cos_l - c) + (sin_l + s) * (sin_l + s);
    // exp(-x) I_0(x) tends to 1 for small x and to 1 / sqrt(2 pi x) for large x. This blend has both limits and is
    // within 12 % in between.
    const float bessel = 1 / std::sqrt(1 + 2 * kPi * inverse_variance * cos_l * c);
    return scale * std::exp(-0.5f * inverse_variance * chord) * bessel;
}

inline DraftShading::Light DraftShading::shade(const Vec3f& tangent, const Vec3f& to_viewer, const Vec3f& to_light,
                                               const Tint& tint) const
{
    const float sin_v = std::clamp(dot(tangent, to_viewer), -1.0f, 1.0f);
    const float sin_l = std::clamp(dot(tangent, to_light), -1.0f, 1.0f);
    const float cos_v = std::sqrt(1 - sin_v * sin_v), cos_l = std::sqrt(1 - sin_l * sin_l);
    // Cosine of the azimuth between viewer and lamp. Along the strand it is meaningless but harmless.
    const float cos_phi =
        std::clamp((dot(to_viewer, to_light) - sin_v * sin_l) / std::max(cos_v * cos_l, 1e-6f), -1.0f, 1.0f);

    // Fresnel reflectance after [Schlick94], from the angle to the specular cone.
    const float cos_d = std::sqrt(std::max(0.5f * (1 + cos_v * cos_l + sin_v * sin_l), 0.0f));
    const float g = 1 - std::min(cos_d, 1.0f), g2 = g * g;
    const float reflectance = mean_reflectance_ + (1 - mean_reflectance_) * g2 * g2 * g,
                transmittance = (1 - reflectance) * (1 - reflectance);

    // Azimuthal terms. R falls off as cos(phi / 2) [Marschner03]. The others are the simplest bell curves of integral
    // 1: towards the lamp for internally reflected light, away from it for transmitted light.
    const float towards = 0.5f * (1 + cos_phi), away = 1 - towards, away2 = away * away;
    const float n_white = 0.25f * std::sqrt(towards), n_coloured = towards / kPi;
    const float n_forward = away2 * away2 * (64 / (35 * kPi));

    // In dense hair, half of the specular light hits another strand before it leaves the hair.
    constexpr float kEscaping = 0.5f;
    const float white = kEscaping * reflectance * n_white * white_(sin_v, cos_v, sin_l, cos_l);
    const float coloured = kEscaping * transmittance * reflectance * n_coloured * coloured_(sin_v, cos_v, sin_l, cos_l);
    const float forward = transmittance * n_forward * forward_(sin_v, cos_v, sin_l, cos_l);
    const float diffuse = (1 - reflectance) * cos_l / kPi;
    return {tint.dense * diffuse + tint.inside * coloured + Vec3f{white, white, white}, tint.through * forward};
}

}  // namespace tendril
