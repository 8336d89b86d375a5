/// The camera and the lamps of a draft, as seen from the eye: all that is drawn is relative to it, so that floats are
/// enough however far from the origin of the world the stage is.
#pragma once

#include "render/draft_math.h"
#include "tendril/render.h"

#include <vector>

namespace tendril {

struct DraftView {
    Vec3d eye;
    Vec3f right, up, forward;  ///< unit vectors
    float focal;               ///< pixels per metre at a distance of one metre
    float centre_x, centre_y;  ///< the middle of the picture [pixels]
    uint32_t width, height;

    /// Pixels, and the distance along `forward` [m]. Pixel (0, 0) has its centre at (0.5, 0.5).
    struct Place {
        float x, y, depth;
    };
    Place place(const Vec3f& p) const
    {
        const float depth = dot(p, forward), scale = focal / depth;
        return {centre_x + dot(p, right) * scale, centre_y - dot(p, up) * scale, depth};
    }
    /// A ray through a place in the picture, as long as it takes to get one metre deep.
    Vec3f ray(float x, float y) const
    {
        return forward + right * ((x - centre_x) / focal) + up * ((centre_y - y) / focal);
    }
};

/// Cameras that look nowhere get a direction all the same.
DraftView make_view(const Camera& camera, uint32_t width, uint32_t height);

struct DraftLamp {
    Vec3f centre, half_width, half_height;  ///< from the eye
    Vec3f normal;                           ///< where it shines to
    Vec3f radiance;
    float area;

    /// Where a point of its surface is, u and v in [-1, 1].
    Vec3f point(float u, float v) const { return centre + half_width * u + half_height * v; }
};

/// Lamps without area or with broken numbers are left out.
std::vector<DraftLamp> make_lamps(const Lighting& lighting, const Vec3d& eye);

}  // namespace tendril
