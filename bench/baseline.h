/// Dynamic follow-the-leader as a direct transcription of the paper: an array of particles, strand by strand, scalar
/// numbers. The benchmark compares the engine's layout and vector kernels with it, and a test compares the motion step
/// by step (tests/solvers/baseline_test.cpp).
#pragma once

#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendril::bench {

/// Converts a vector to another precision.
template <class Real, class Other>
Vec3<Real> as(const Vec3<Other>& v)
{
    return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

/// The rest length of even segments as the engine computes it: the mean, which rounding affects least.
float mean_segment(std::span<const float> rest_lengths);

/// Real: float, as in the engine, or double, which shows the effect of rounding alone.
template <class Real>
class BaselineHairOf {
public:
    /// Strands must have even segments.
    explicit BaselineHairOf(const Groom& groom);

    struct Step {
        Pose frame;          ///< of the roots at the end of the step
        Vec3<Real> gravity;  ///< [m/s^2]
        Real dt;             ///< [s]
        Real correction;     ///< s of [Mueller12] Eq. 9
    };
    void step(const Step& step, Executor& executor);

    Vec3<Real> position(size_t strand, size_t particle) const { return particles_[first_[strand] + particle].x; }

private:
    struct Particle {
        Vec3<Real> x, v;
    };
    void step_strand(size_t strand, const Vec3<Real>& root, const Step& step);

    std::vector<Particle> particles_;
    std::vector<size_t> first_;      // strands + 1 entries
    std::vector<Vec3<Real>> roots_;  // in the frame
    std::vector<Real> segment_;      // rest length of a strand's segments
};

using BaselineHair = BaselineHairOf<float>;

}  // namespace tendril::bench
