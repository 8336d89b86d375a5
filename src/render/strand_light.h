/// The light that a strand sends to the eye: lamps through the hair before it, light that other strands have passed on,
/// and light from all around.
#pragma once

#include "render/draft_shading.h"
#include "render/light.h"
#include "render/light_volume.h"
#include "render/view.h"
#include "tendril/render.h"

#include <vector>

namespace tendril {

/// No two hairs are alike.
struct StrandTint {
    float brightness = 1;  ///< around one
    float warmth = 0;      ///< around zero; positive is redder
    float shift = 0;       ///< of the highlights [rad]
};
/// Depends on the index of the strand only.
StrandTint tint_of(size_t strand);
Vec3f tinted_by(const StrandTint& tint, const Vec3f& colour);

/// The logarithm of how much light goes on behind a hair: pale hair passes most of it on.
Vec3f log_passed_on(const DraftShading::Tint& tint);

struct StrandPlace {
    Vec3f position;  ///< from the eye
    Vec3f tangent;   ///< unit, towards the tip
    DraftShading::Tint tint;
    Vec3f log_passed;  ///< log_passed_on of its tint
    float shift = 0;   ///< of the highlights [rad]
};

class StrandLight {
public:
    StrandLight(const Stage& stage, const std::vector<Lamp>& lamps, const LightVolume& volume);

    /// Radiance towards the eye.
    Vec3f at(const StrandPlace& place, const DraftShading& shading) const;

private:
    Vec3f from_lamp(size_t lamp, const StrandPlace& place, const Vec3f& tangent, const DraftShading& shading) const;

    const std::vector<Lamp>& lamps_;
    const LightVolume& volume_;
    Vec3f sky_, horizon_, from_below_;
};

}  // namespace tendril
