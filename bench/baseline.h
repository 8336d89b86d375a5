/// Dynamic follow-the-leader as one would write it down from the paper: an array of particles, strand by strand, plain
/// floats. What the engine's layout and vector kernels gain is told against this.
#pragma once

#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <vector>

namespace tendril::bench {

class BaselineHair {
public:
    /// Strands must have even segments.
    explicit BaselineHair(const Groom& groom);

    struct Step {
        Pose frame;        ///< that carries the roots, at the end of the step
        Vec3f gravity;     ///< [m/s^2]
        float dt;          ///< [s]
        float correction;  ///< s of [Mueller12] Eq. 9
    };
    void step(const Step& step, Executor& executor);

    Vec3f position(size_t strand, size_t particle) const { return particles_[first_[strand] + particle].x; }

private:
    struct Particle {
        Vec3f x, v;
    };
    void step_strand(size_t strand, const Vec3f& root, const Step& step);

    std::vector<Particle> particles_;
    std::vector<size_t> first_;   // strands + 1 entries
    std::vector<Vec3f> roots_;    // in the frame
    std::vector<float> segment_;  // rest length of a strand's segments
};

}  // namespace tendril::bench
