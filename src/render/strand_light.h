/// The light that a strand reflects to the eye in drafts: direct light from lamps, attenuated by the hair in between,
/// light scattered by other strands, and light from the environment.
#pragma once

#include "render/draft_shading.h"
#include "render/light.h"
#include "render/light_volume.h"
#include "render/view.h"
#include "tendril/render.h"

#include <vector>

namespace tendril {

/// Random variation between strands.
struct StrandTint {
    float brightness = 1;  ///< a factor around 1
    float warmth = 0;      ///< around 0; positive is redder
    float shift = 0;       ///< of the highlights [rad]
};
/// The result depends only on the index of the strand.
StrandTint tint_of(size_t strand);
Vec3f tinted_by(const StrandTint& tint, const Vec3f& colour);

/// The logarithm of the share of light that a hair scatters forwards. Pale hair forwards most of it.
Vec3f log_forward_share(const DraftShading::Tint& tint);

struct StrandPoint {
    Vec3f position;  ///< relative to the eye
    Vec3f tangent;   ///< unit length, towards the tip
    DraftShading::Tint tint;
    Vec3f log_forward;  ///< log_forward_share(tint)
    float shift = 0;    ///< of the highlights [rad]
};

class StrandLight {
public:
    StrandLight(const Stage& stage, const std::vector<Lamp>& lamps, const LightVolume& volume);

    /// The radiance towards the eye.
    Vec3f at(const StrandPoint& point, const DraftShading& shading) const;

private:
    Vec3f light_from_lamp(size_t lamp, const StrandPoint& point, const Vec3f& tangent,
                          const DraftShading& shading) const;

    const std::vector<Lamp>& lamps_;
    const LightVolume& volume_;
    Vec3f sky_, horizon_, from_below_;
};

}  // namespace tendril
