/// Scattering by one hair fibre: reflection at the scales (R), transmission (TT), one internal reflection (TRT), and
/// all paths with more internal reflections (TRRT+). The model conserves energy: a fibre without pigment scatters all
/// the light it receives.
///
/// [Marschner03] the kinds of paths, their azimuths, the tilt of the scales.
/// [dEon11]      the energy-conserving longitudinal lobe M_p.
/// [Chiang16]    the offset h of the hit instead of an average over the width, the roughnesses, the residual lobe.
///
/// Directions are unit vectors in the frame of the fibre and point away from it: x along the fibre towards the tip, y
/// and z across it. The offset of a hit across the width, as seen from wo, is h = sin(gamma_o) = dot(x, cross(n, o)),
/// where n is the unit normal of the circular cross-section at the hit and o is the normalized projection of wo onto
/// the cross-section.
#pragma once

#include "tendril/hair_look.h"
#include "tendril/vec3.h"

#include <array>

namespace tendril {

class HairBsdf {
public:
    /// `absorption` is per fibre radius (see `absorption_of`, `absorption_of_colour`); `h` is the offset across the
    /// width, [-1, 1]. Values out of range are clamped.
    HairBsdf(const HairLook& look, const Vec3f& absorption, float h);

    /// The value includes the cosine factor: L(wo) is the integral of eval(wo, wi) * L(wi) over all wi on the sphere,
    /// without a further cosine. It integrates to the share of light that is not absorbed, at most 1.
    ///
    /// The attenuation of each lobe depends on the inclination of wo, as in [Chiang16], not on the mean of both
    /// inclinations, as in [Marschner03]. Only the former conserves energy exactly (the latter loses up to 28 %, at
    /// grazing angles and medium roughness); only the latter is reciprocal. Without tilt, eval(wo, wi) at h equals
    /// eval(wi, wo) at -h if both directions are equally inclined, which is the centre of every lobe. Elsewhere, up to
    /// 60 degrees from the cross-section and averaged over the width, they differ by 3 to 7 % on average, with or
    /// without a tilt of 2 degrees. Trace paths from the camera: the white-furnace test holds for every wo.
    Vec3f eval(const Vec3f& wo, const Vec3f& wi) const;

    /// Probability density, per solid angle, with which `sample` returns wi. Integrates to 1 over the sphere.
    float pdf(const Vec3f& wo, const Vec3f& wi) const;

    /// `eval` and `pdf` at the cost of one, for multiple importance sampling.
    struct Value {
        Vec3f value;
        float pdf;
    };
    Value eval_and_pdf(const Vec3f& wo, const Vec3f& wi) const;

    struct Sample {
        Vec3f wi;
        Vec3f weight;  ///< eval / pdf, multiplies the path's throughput; exactly 1 without pigment and never far above
        float pdf;     ///< 0 if the path ends here; then the weight is 0 too
    };
    /// `u` holds four independent uniform numbers in [0, 1).
    Sample sample(const Vec3f& wo, const std::array<float, 4>& u) const;

private:
    static constexpr int kLobes = 4;  // R, TT, TRT, TRRT+
    struct Lobes;
    Lobes lobes_towards(const Vec3f& wo) const;
    Value evaluate(const Lobes& lobes, const Vec3f& wi) const;

    Vec3f absorption_;
    float h_, gamma_o_, eta_;
    std::array<float, kLobes> inverse_variance_;  // 1 / v_p
    std::array<float, kLobes> scale_;             // the factor of M_p that does not depend on the directions
    std::array<float, kLobes> sin_shift_, cos_shift_;
    float logistic_scale_, logistic_mass_;  // s, and the integral of the logistic over [-pi, pi]
};

/// [Chiang16]: the longitudinal variance of R from beta_m, such that beta_m is perceptually uniform.
float variance_of(float beta);
/// Unpolarised Fresnel reflectance of a smooth dielectric. Stays just below 1, where the geometric series over internal
/// reflections would diverge.
float fresnel(float cos_i, float eta);
/// exp(-x) I_0(x) for x >= 0, where I_0 is the modified Bessel function. The relative error is below 1e-6.
float bessel_i0_scaled(float x);

}  // namespace tendril
