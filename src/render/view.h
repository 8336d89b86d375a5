/// The camera, seen from its eye: all that is drawn is relative to it, so that floats are enough however far from the
/// origin of the world the stage is.
#pragma once

#include "render/light_math.h"
#include "tendril/render.h"

#include <cstdint>

namespace tendril {

struct View {
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
View make_view(const Camera& camera, uint32_t width, uint32_t height);

}  // namespace tendril
