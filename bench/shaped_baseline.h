/// Follow-the-leader with both shape targets in plain floats, strand by strand, see docs/shape.md: what the engine's
/// kernel is told against.
#pragma once

#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <vector>

namespace tendril::bench {

class ShapedBaseline {
public:
    explicit ShapedBaseline(const Groom& groom);

    struct Step {
        Pose before, after;  ///< of the frame that carries the roots
        Vec3f gravity;       ///< [m/s^2]
        float dt;            ///< [s]
        ShapeSettings shape;
    };
    void step(const Step& step, Executor& executor);

    Vec3f position(size_t strand, size_t particle) const { return particles_[first_[strand] + particle].x; }

private:
    struct Particle {
        Vec3f x, v;
        Vec3f target;  ///< direction of the segment in the frame before it
        float mixed;   ///< what the turn to it mixes, c in docs/shape.md
        Vec3f rest;    ///< place in the frame of the root
    };
    struct Strand {
        Vec3f root, along, across;  ///< at rest
        float segment, length;      ///< [m]
    };
    void step_strand(size_t strand, const Step& step);

    std::vector<Particle> particles_;
    std::vector<size_t> first_;  // strands + 1 entries
    std::vector<Strand> strands_;
};

}  // namespace tendril::bench
