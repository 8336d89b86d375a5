/// How one fibre scatters light: reflected at its scales (R), passed through (TT), reflected once inside (TRT), and all
/// that takes more turns (TRRT+). No energy is made, and what a fibre without pigment receives it gives away whole.
///
/// [Marschner03] the four kinds of paths, their azimuths, the tilt of the scales.
/// [dEon11]      the longitudinal lobe M_p that conserves energy.
/// [Chiang16]    the place h of the hit across the width instead of a mean over it, roughnesses, residual lobe.
///
/// Directions are unit vectors in the fibre's frame and point away from it: x along the fibre towards the tip, y and z
/// across. The offset of a hit across the width, as wo sees it, is h = sin(gamma_o) = dot(x, cross(n, o)), n being the
/// unit normal of the round section at the hit and o the unit direction of wo's part across the fibre.
#pragma once

#include "tendril/hair_look.h"
#include "tendril/vec3.h"

#include <array>

namespace tendril {

class HairBsdf {
public:
    /// Absorption per radius (see `absorption_of`, `absorption_of_colour`); h across the width, [-1, 1]. Values out of
    /// range are taken to the nearest end of it.
    HairBsdf(const HairLook& look, const Vec3f& absorption, float h);

    /// The cosine is already in it: L(wo) = integral of eval(wo, wi) * L(wi) over the solid angle of wi on the whole
    /// sphere; multiply by no further cosine. Integrates to the share of light that is not absorbed, at most 1.
    ///
    /// The share of each lobe is that of wo's inclination, as in [Chiang16], not of the mean of both inclinations as in
    /// [Marschner03]. Only the former keeps energy exactly (the latter loses up to 28 %, at grazing angles and medium
    /// roughness); only the latter is reciprocal. So, without tilt, eval of (wo, wi) at h equals eval of (wi, wo) at -h
    /// where both are equally inclined, which is the middle of every lobe; elsewhere, up to 60 degrees from the plane
    /// across and averaged over the width, they differ by 3 to 7 % in the mean, with or without a tilt of 2 degrees.
    /// Follow light from the camera, as the furnace is white for every wo.
    Vec3f eval(const Vec3f& wo, const Vec3f& wi) const;

    /// Per solid angle, of `sample` to give wi; integrates to 1 over the sphere.
    float pdf(const Vec3f& wo, const Vec3f& wi) const;

    /// Both at the cost of one, for light found by two strategies.
    struct Value {
        Vec3f value;
        float pdf;
    };
    Value eval_and_pdf(const Vec3f& wo, const Vec3f& wi) const;

    struct Sample {
        Vec3f wi;
        Vec3f weight;  ///< eval / pdf, exactly 1 without pigment and never much above; multiplies the path's throughput
        float pdf;     ///< 0 where the path ends; the weight is 0 then too
    };
    /// Four independent uniform numbers in [0, 1).
    Sample sample(const Vec3f& wo, const std::array<float, 4>& u) const;

private:
    static constexpr int kLobes = 4;  // R, TT, TRT, TRRT+
    struct Lobes;
    Lobes lobes_towards(const Vec3f& wo) const;
    Value evaluate(const Lobes& lobes, const Vec3f& wi) const;

    Vec3f absorption_;
    float h_, gamma_o_, eta_;
    std::array<float, kLobes> inverse_variance_;  // 1 / v_p
    std::array<float, kLobes> scale_;             // the factor of M_p that no direction changes
    std::array<float, kLobes> sin_shift_, cos_shift_;
    float logistic_scale_, logistic_mass_;  // s, and the share of the logistic within [-pi, pi]
};

/// [Chiang16]: the longitudinal variance of R from beta_m; even steps of beta_m look even.
float variance_of(float beta);
/// Unpolarised reflectance of a smooth dielectric. Kept just below 1, because the geometric series over internal
/// reflections has no sum at 1.
float fresnel(float cos_i, float eta);
/// exp(-x) I_0(x), I_0 the modified Bessel function, for x >= 0; relative error below 1e-6.
float bessel_i0_scaled(float x);

}  // namespace tendril
