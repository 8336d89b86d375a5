/// The camera projection. Everything drawn is relative to the eye, so floats suffice however far the stage is from the
/// world origin.
#pragma once

#include "render/light_math.h"
#include "tendril/render.h"

#include <cstdint>

namespace tendril {

struct View {
    Vec3d eye;
    Vec3f right, up, forward;  ///< unit vectors
    float focal;               ///< pixels per metre at a depth of one metre
    float centre_x, centre_y;  ///< centre of the picture [pixels]
    uint32_t width, height;

    /// A projected position [pixels] and its depth along `forward` [m]. The centre of pixel (0, 0) is at (0.5, 0.5).
    struct Projection {
        float x, y, depth;
    };
    Projection project(const Vec3f& p) const
    {
        const float depth = dot(p, forward), scale = focal / depth;
        return {centre_x + dot(p, right) * scale, centre_y - dot(p, up) * scale, depth};
    }
    /// The ray through a position in the picture, scaled to a depth of one metre.
    Vec3f ray(float x, float y) const
    {
        return forward + right * ((x - centre_x) / focal) + up * ((centre_y - y) / focal);
    }
};

/// A camera whose target is at its eye looks along -z.
View make_view(const Camera& camera, uint32_t width, uint32_t height);

}  // namespace tendril
