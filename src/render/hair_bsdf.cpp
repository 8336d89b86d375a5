// See hair_bsdf.h for the papers. Angles: theta is the inclination from the normal plane of the fibre (sin theta = x),
// phi the azimuth in that plane, and gamma the angle between the projected ray and the surface normal.
#include "render/hair_bsdf.h"

#include "render/light_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

float square(float x)
{
    return x * x;
}

float safe_sqrt(float x)
{
    return std::sqrt(std::max(x, 0.0f));
}

/// [Chiang16]: the scale of the logistic from beta_n. sqrt(pi / 8) matches the width of a Gaussian.
float logistic_scale_of(float beta)
{
    const float b2 = square(beta), b4 = square(b2), b22 = square(square(b4)) * b4 * b2;
    return std::sqrt(kPi / 8) * (0.265f * beta + 1.194f * b2 + 5.372f * b22);
}

/// Wraps an angle of up to a few turns to [-pi, pi].
float wrapped(float angle)
{
    return angle - 2 * kPi * std::round(angle / (2 * kPi));
}

/// A_p: the attenuation of each kind of path. f is the Fresnel reflectance at the point of entry and, because the
/// cross-section is a circle, at every later surface hit. t is the transmittance of one crossing; the sum is 1 for
/// t = 1.
std::array<float, 4> attenuation(float f, float t)
{
    const float tt = square(1 - f) * t, trt = tt * t * f;
    return {f, tt, trt, trt * t * f / (1 - t * f)};
}

}  // namespace

float variance_of(float beta)
{
    const float b4 = square(square(beta)), b20 = square(square(b4)) * b4;
    return square(0.726f * beta + 0.812f * square(beta) + 3.7f * b20);
}

float fresnel(float cos_i, float eta)
{
    const float cos_t = safe_sqrt(1 - (1 - square(cos_i)) / square(eta));
    const float parallel = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
    const float across = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
    return std::min(0.5f * (square(parallel) + square(across)), 1 - 1e-5f);
}

float bessel_i0_scaled(float x)
{
    // The polynomials of [Abramowitz64] 9.8.1 and 9.8.2.
    if (x < 3.75f) {
        const float t = square(x / 3.75f);
        const float i0 =
            1 + t * (3.5156229f +
                     t * (3.0899424f + t * (1.2067492f + t * (0.2659732f + t * (0.0360768f + t * 0.0045813f)))));
        return std::exp(-x) * i0;
    }
    const float t = 3.75f / x;
    const float high = -0.02057706f + t * (0.02635537f + t * (-0.01647633f + t * 0.00392377f));
    const float low = 0.39894228f + t * (0.01328592f + t * (0.00225319f + t * (-0.00157565f + t * 0.00916281f)));
    return (low + t * t * t * t * t * high) / std::sqrt(x);
}

/// The terms that depend on wo but not on wi.
struct HairBsdf::Lobes {
    std::array<float, kLobes> sin_theta, cos_theta;  // of wo, shifted by the tilt of the scales
    std::array<Vec3f, kLobes> share;                 // A_p
    std::array<float, kLobes> chance;                // that `sample` chooses the lobe
    std::array<float, kLobes - 1> azimuth;           // phi_i - phi_o of the ideal specular path
    float wo_y, wo_z;
};

HairBsdf::HairBsdf(const HairLook& look, const Vec3f& absorption, float h)
    : absorption_{std::max(absorption.x, 0.0f), std::max(absorption.y, 0.0f), std::max(absorption.z, 0.0f)},
      h_(std::clamp(h, -1.0f, 1.0f)),
      gamma_o_(std::asin(h_)),
      eta_(std::clamp(look.refraction, 1.1f, 2.0f))
{
    // TT is half and TRT twice as wide as R [Marschner03] Table 1; TRRT+ is as wide as TRT [Chiang16].
    const float v = variance_of(std::clamp(look.roughness, 0.05f, 1.0f));
    inverse_variance_ = {1 / v, 4 / v, 0.25f / v, 0.25f / v};
    for (int p = 0; p < kLobes; ++p) scale_[p] = inverse_variance_[p] / -std::expm1(-2 * inverse_variance_[p]);
    logistic_scale_ = logistic_scale_of(std::clamp(look.side_roughness, 0.05f, 1.0f));
    logistic_mass_ = std::tanh(kPi / (2 * logistic_scale_));

    // Scales rise from the fibre towards the tip, so their normals lean towards the root by the tilt a. This shifts R
    // towards the root by 2 a, TT towards the tip by a and TRT by 4 a: (3 p - 2) a [dEon11]. On a curved head the white
    // highlight therefore appears nearer to the tips than the coloured one.
    const float a = std::clamp(look.tilt, 0.0f, 0.2f);
    sin_shift_[1] = -std::sin(a), cos_shift_[1] = std::cos(a);
    sin_shift_[0] = -2 * sin_shift_[1] * cos_shift_[1], cos_shift_[0] = square(cos_shift_[1]) - square(sin_shift_[1]);
    sin_shift_[2] = -2 * sin_shift_[0] * cos_shift_[0], cos_shift_[2] = square(cos_shift_[0]) - square(sin_shift_[0]);
    sin_shift_[3] = 0, cos_shift_[3] = 1;
}

HairBsdf::Lobes HairBsdf::lobes_towards(const Vec3f& wo) const
{
    Lobes lobes;
    const float sin_o = std::clamp(wo.x, -1.0f, 1.0f), cos_o = std::min(std::sqrt(wo.y * wo.y + wo.z * wo.z), 1.0f);
    lobes.wo_y = wo.y, lobes.wo_z = wo.z;
    for (int p = 0; p < kLobes; ++p) {
        lobes.sin_theta[p] = sin_o * cos_shift_[p] + cos_o * sin_shift_[p];
        // A lobe shifted past the axis of the fibre continues on the other side with the same inclination, so the
        // cosine stays positive.
        lobes.cos_theta[p] = std::abs(cos_o * cos_shift_[p] - sin_o * sin_shift_[p]);
    }

    // The projected ray refracts as if the index were eta' = sqrt(eta^2 - sin^2 theta) / cos theta (Bravais,
    // [Marschner03]). This form avoids the division, which fails along the fibre.
    const float sin_gamma_t = h_ * cos_o / std::sqrt(square(eta_) - square(sin_o));
    const float cos_gamma_t = safe_sqrt(1 - square(sin_gamma_t));
    const float gamma_t = std::asin(sin_gamma_t);
    for (int p = 0; p < kLobes - 1; ++p)
        lobes.azimuth[p] = 2 * static_cast<float>(p) * gamma_t - 2 * gamma_o_ + static_cast<float>(p) * kPi;

    // One crossing is 2 cos(gamma_t) radii long in the cross-section and longer by 1 / cos(theta_t) in space.
    const float crossing = 2 * cos_gamma_t / safe_sqrt(1 - square(sin_o / eta_));
    const float f = fresnel(cos_o * safe_sqrt(1 - square(h_)), eta_);
    const auto red = attenuation(f, std::exp(-absorption_.x * crossing));
    const auto green = attenuation(f, std::exp(-absorption_.y * crossing));
    const auto blue = attenuation(f, std::exp(-absorption_.z * crossing));
    float total = 0;
    for (int p = 0; p < kLobes; ++p) {
        lobes.share[p] = {red[p], green[p], blue[p]};
        // The mean over the channels; with luminance, a fibre that transmits only blue would rarely be sampled.
        lobes.chance[p] = (red[p] + green[p] + blue[p]) / 3;
        total += lobes.chance[p];
    }
    for (float& chance : lobes.chance) chance /= total;  // R is never 0
    return lobes;
}

HairBsdf::Value HairBsdf::evaluate(const Lobes& lobes, const Vec3f& wi) const
{
    const float sin_i = std::clamp(wi.x, -1.0f, 1.0f), cos_i = std::min(std::sqrt(wi.y * wi.y + wi.z * wi.z), 1.0f);
    const float phi = std::atan2(lobes.wo_y * wi.z - lobes.wo_z * wi.y, lobes.wo_y * wi.y + lobes.wo_z * wi.z);
    Value sum{{0, 0, 0}, 0};
    for (int p = 0; p < kLobes; ++p) {
        // [dEon11]: M_p = exp(-sin sin / v) I_0(cos cos / v) / (2 v sinh(1 / v)), the von Mises-Fisher lobe around the
        // mirrored wo, averaged over the azimuth. After factoring the exponentials out of I_0 and sinh, the exponents
        // sum to -(1 - cos(theta_i + theta_o)) / v, which is half the squared chord over v. This form neither overflows
        // nor cancels.
        const float k = inverse_variance_[p];
        const float chord = square(cos_i - lobes.cos_theta[p]) + square(sin_i + lobes.sin_theta[p]);
        const float m = scale_[p] * std::exp(-0.5f * k * chord) * bessel_i0_scaled(k * cos_i * lobes.cos_theta[p]);
        // [Chiang16]: a trimmed logistic; the residual lobe is uniform in azimuth.
        float n = 1 / (2 * kPi);
        if (p < kLobes - 1) {
            const float e = std::exp(-std::abs(wrapped(phi - lobes.azimuth[p])) / logistic_scale_);
            n = e / (logistic_scale_ * square(1 + e) * logistic_mass_);
        }
        sum.value += lobes.share[p] * (m * n);
        sum.pdf += lobes.chance[p] * m * n;
    }
    return sum;
}

HairBsdf::Value HairBsdf::eval_and_pdf(const Vec3f& wo, const Vec3f& wi) const
{
    return evaluate(lobes_towards(wo), wi);
}

Vec3f HairBsdf::eval(const Vec3f& wo, const Vec3f& wi) const
{
    return eval_and_pdf(wo, wi).value;
}

float HairBsdf::pdf(const Vec3f& wo, const Vec3f& wi) const
{
    return eval_and_pdf(wo, wi).pdf;
}

HairBsdf::Sample HairBsdf::sample(const Vec3f& wo, const std::array<float, 4>& u) const
{
    const Lobes lobes = lobes_towards(wo);
    int p = 0;
    for (float rest = u[0] - lobes.chance[0]; p < kLobes - 1 && rest >= 0; rest -= lobes.chance[p]) ++p;

    // Sample the angle d to the mirrored wo by inverting its distribution:
    // 1 - cos d = -v log(u + (1 - u) exp(-2 / v)).
    const float k = inverse_variance_[p];
    const float mass = std::max(u[1] + (1 - u[1]) * std::exp(-2 * k), std::numeric_limits<float>::min());
    const float drop = std::clamp(-std::log(mass) / k, 0.0f, 2.0f);
    const float sin_d = safe_sqrt(drop * (2 - drop));
    const float sin_i = std::clamp(
        (drop - 1) * lobes.sin_theta[p] + sin_d * std::cos(2 * kPi * u[2]) * lobes.cos_theta[p], -1.0f, 1.0f);
    const float cos_i = safe_sqrt(1 - square(sin_i));

    // The inverse of the trimmed logistic's distribution is an inverse hyperbolic tangent.
    float phi = std::atan2(wo.z, wo.y) + 2 * kPi * u[3];
    if (p < kLobes - 1) {
        const float offset = 2 * logistic_scale_ * std::atanh((2 * u[3] - 1) * logistic_mass_);
        phi = std::atan2(wo.z, wo.y) + lobes.azimuth[p] + std::clamp(offset, -kPi, kPi);
    }

    const Vec3f wi{sin_i, cos_i * std::cos(phi), cos_i * std::sin(phi)};
    const Value value = evaluate(lobes, wi);
    // Denormal values have too few digits for a meaningful quotient.
    if (value.pdf < std::numeric_limits<float>::min()) return {wi, {0, 0, 0}, 0};
    return {wi, {value.value.x / value.pdf, value.value.y / value.pdf, value.value.z / value.pdf}, value.pdf};
}

}  // namespace tendril
