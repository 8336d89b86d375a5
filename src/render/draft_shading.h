/// The fast shading of drafts: what a strand in dense hair sends to the viewer from one lamp, out of tangents alone.
///
/// [Kajiya89]      the diffuse term, by the sine between tangent and light.
/// [Scheuermann04] a white highlight shifted by the scales, and one in the hair's colour shifted the other way.
/// [Marschner03]   why there are two, where they lie and how wide they are, and the light that passes through.
///
/// The lobes are those of hair_bsdf.h averaged over the width, with roots and one exponential each in place of Bessel
/// functions, powers and angles. What light does between strands is in the colour of dense hair and in one constant.
#pragma once

#include "render/hair_bsdf.h"
#include "render/light_math.h"
#include "tendril/hair_look.h"
#include "tendril/vec3.h"

#include <algorithm>
#include <cmath>

namespace tendril {

/// Built once per look; the tint once per colour; then `shade` for every place and lamp.
class DraftShading {
public:
    explicit DraftShading(const HairLook& look);

    struct Tint {
        Vec3f dense;    ///< light that went from strand to strand
        Vec3f through;  ///< passed through one strand
        Vec3f inside;   ///< reflected once inside of one
    };
    /// From the colour of dense hair, [0, 1].
    Tint tint(const Vec3f& dense_colour) const;

    /// Radiance towards the viewer per irradiance on a plane that faces the lamp [1/sr].
    struct Light {
        Vec3f reflected;    ///< diffuse and the two highlights
        Vec3f transmitted;  ///< glow against the light: scale it by the share of the lamp that reaches the strand, or
                            ///< all hair glows that is lit from behind, instead of its rim
    };
    /// Unit vectors: along the strand to the tip, to the viewer, to the lamp.
    Light shade(const Vec3f& tangent, const Vec3f& to_viewer, const Vec3f& to_light, const Tint& tint) const;

private:
    /// A longitudinal lobe: M_p of [dEon11], turned by the scales.
    struct Lobe {
        float inverse_variance = 1, scale = 1;
        float sin_shift = 0, cos_shift = 1;

        float operator()(float sin_v, float cos_v, float sin_l, float cos_l) const;
    };
    static Lobe make_lobe(float variance, float shift);

    float side_roughness_;
    float mirror_;    // reflected by the scales at right angles, mean over the width
    float crossing_;  // mean way through a strand [radii]
    Lobe white_, coloured_, forward_;
};

inline DraftShading::Lobe DraftShading::make_lobe(float variance, float shift)
{
    const float k = 1 / variance;
    return {k, k / -std::expm1(-2 * k), std::sin(shift), std::cos(shift)};
}

inline DraftShading::DraftShading(const HairLook& look) : side_roughness_(look.side_roughness)
{
    // The widths and shifts of the physical model, see hair_bsdf.cpp.
    const float v = variance_of(std::clamp(look.roughness, 0.05f, 1.0f));
    const float a = std::clamp(look.tilt, 0.0f, 0.2f);
    white_ = make_lobe(v, 2 * a);
    forward_ = make_lobe(0.25f * v, -a);
    coloured_ = make_lobe(4 * v, -4 * a);

    constexpr int kRays = 16;
    const float eta = std::clamp(look.refraction, 1.1f, 2.0f);
    mirror_ = crossing_ = 0;
    for (int i = 0; i < kRays; ++i) {
        const float h = (static_cast<float>(i) + 0.5f) / kRays;
        mirror_ += fresnel(std::sqrt(1 - h * h), eta) / kRays;
        crossing_ += 2 * std::sqrt(1 - h * h / (eta * eta)) / kRays;
    }
}

inline DraftShading::Tint DraftShading::tint(const Vec3f& dense_colour) const
{
    const Vec3f absorbed = absorption_of_colour(dense_colour, side_roughness_);
    const Vec3f t{std::exp(-crossing_ * absorbed.x), std::exp(-crossing_ * absorbed.y),
                  std::exp(-crossing_ * absorbed.z)};
    return {dense_colour, t, {t.x * t.x, t.y * t.y, t.z * t.z}};
}

inline float DraftShading::Lobe::operator()(float sin_v, float cos_v, float sin_l, float cos_l) const
{
    const float s = sin_v * cos_shift + cos_v * sin_shift, c = std::abs(cos_v * cos_shift - sin_v * sin_shift);
    const float chord = (cos_l - c) * (cos_l - c) + (sin_l + s) * (sin_l + s);
    // exp(-x) I_0(x) is 1 for small x and 1 / sqrt(2 pi x) for large x; this joins both, within 12 % in between.
    const float bessel = 1 / std::sqrt(1 + 2 * kPi * inverse_variance * cos_l * c);
    return scale * std::exp(-0.5f * inverse_variance * chord) * bessel;
}

inline DraftShading::Light DraftShading::shade(const Vec3f& tangent, const Vec3f& to_viewer, const Vec3f& to_light,
                                               const Tint& tint) const
{
    const float sin_v = std::clamp(dot(tangent, to_viewer), -1.0f, 1.0f);
    const float sin_l = std::clamp(dot(tangent, to_light), -1.0f, 1.0f);
    const float cos_v = std::sqrt(1 - sin_v * sin_v), cos_l = std::sqrt(1 - sin_l * sin_l);
    // Of the azimuth between viewer and lamp; without a meaning, but harmless, along the strand.
    const float cos_phi =
        std::clamp((dot(to_viewer, to_light) - sin_v * sin_l) / std::max(cos_v * cos_l, 1e-6f), -1.0f, 1.0f);

    // Grazing light is reflected more, after [Schlick94], by the angle to the mirroring cone.
    const float cos_d = std::sqrt(std::max(0.5f * (1 + cos_v * cos_l + sin_v * sin_l), 0.0f));
    const float g = 1 - std::min(cos_d, 1.0f), g2 = g * g;
    const float mirrored = mirror_ + (1 - mirror_) * g2 * g2 * g, entered = (1 - mirrored) * (1 - mirrored);

    // Around the strand: R falls as cos(phi / 2) over the width [Marschner03]; the others by the simplest bells of
    // integral 1, towards the lamp for light reflected inside and away from it for light that passed through.
    const float towards = 0.5f * (1 + cos_phi), away = 1 - towards, away2 = away * away;
    const float n_white = 0.25f * std::sqrt(towards), n_coloured = towards / kPi;
    const float n_forward = away2 * away2 * (64 / (35 * kPi));

    // In dense hair, half of what is mirrored meets another strand before it gets out.
    constexpr float kOut = 0.5f;
    const float white = kOut * mirrored * n_white * white_(sin_v, cos_v, sin_l, cos_l);
    const float coloured = kOut * entered * mirrored * n_coloured * coloured_(sin_v, cos_v, sin_l, cos_l);
    const float forward = entered * n_forward * forward_(sin_v, cos_v, sin_l, cos_l);
    const float diffuse = (1 - mirrored) * cos_l / kPi;
    return {tint.dense * diffuse + tint.inside * coloured + Vec3f{white, white, white}, tint.through * forward};
}

}  // namespace tendril
