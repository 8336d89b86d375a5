/// Follow-the-leader with both shape targets as plain scalar code, strand by strand; see docs/shape.md. The benchmark
/// and a test compare the engine's kernel with it.
#pragma once

#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <vector>

namespace tendril::bench {

/// Real: float or double, see BaselineHairOf.
template <class Real>
class ShapedBaselineOf {
public:
    /// Strands must have even segments.
    explicit ShapedBaselineOf(const Groom& groom);

    struct Step {
        Pose before, after;   ///< of the frame that carries the roots
        Vec3<Real> gravity;   ///< [m/s^2]
        Real dt;              ///< [s]
        ShapeSettings shape;  ///< only `local`, `global`, `drag` and `load` are used; the damping is 1
    };
    void step(const Step& step, Executor& executor);

    Vec3<Real> position(size_t strand, size_t particle) const { return particles_[first_[strand] + particle].x; }

private:
    struct Particle {
        Vec3<Real> x, v;
        Vec3<Real> target;  ///< direction of the segment in the frame of the one before it
        Real mixed;         ///< coefficient of the rotation to it, c in docs/shape.md
        Vec3<Real> rest;    ///< position in the frame of the root
    };
    struct Strand {
        Vec3<Real> root, along, across;  ///< at rest
        Real segment, length;            ///< [m]
    };
    void step_strand(size_t strand, const Step& step);

    std::vector<Particle> particles_;
    std::vector<size_t> first_;  // strands + 1 entries
    std::vector<Strand> strands_;
};

using ShapedBaseline = ShapedBaselineOf<float>;

}  // namespace tendril::bench
