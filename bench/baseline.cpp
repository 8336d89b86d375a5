// [Mueller12] M. Mueller, T.J. Kim, N. Chentanez: Fast Simulation of Inextensible Hair and Fur, VRIPHYS 2012.
#include "baseline.h"

#include <algorithm>

namespace tendril::bench {
// Floats make even segments differ in their last digits. Entry 0 belongs to the root.
float mean_segment(std::span<const float> rest_lengths)
{
    double sum = 0;
    for (const float l : rest_lengths.subspan(1)) sum += static_cast<double>(l);
    return static_cast<float>(sum / static_cast<double>(rest_lengths.size() - 1));
}

template <class Real>
BaselineHairOf<Real>::BaselineHairOf(const Groom& groom)
{
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        first_.push_back(particles_.size());
        roots_.push_back(as<Real>(groom.points(s)[0]));
        segment_.push_back(mean_segment(groom.rest_lengths(s)));
        for (const Vec3f& x : groom.points(s)) particles_.push_back({as<Real>(x), {0, 0, 0}});
    }
    first_.push_back(particles_.size());
}

template <class Real>
void BaselineHairOf<Real>::step(const Step& step, Executor& executor)
{
    const auto row_x = as<Real>(rotate(conjugate(step.frame.rotation), {1, 0, 0}));
    const auto row_y = as<Real>(rotate(conjugate(step.frame.rotation), {0, 1, 0}));
    const auto row_z = as<Real>(rotate(conjugate(step.frame.rotation), {0, 0, 1}));
    const auto moved = as<Real>(step.frame.position);
    parallel_for(executor, roots_.size(), 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) step_strand(s, transform(row_x, row_y, row_z, roots_[s]) + moved, step);
    });
}

template <class Real>
void BaselineHairOf<Real>::step_strand(size_t strand, const Vec3<Real>& root, const Step& step)
{
    const Real rest_length = segment_[strand], per_second = 1 / step.dt;
    const Vec3<Real> fall = step.gravity * (step.dt * step.dt);
    Particle* parent = &particles_[first_[strand]];
    Particle* const end = &particles_[first_[strand + 1] - 1] + 1;
    Vec3<Real> parent_velocity = (root - parent->x) * per_second;
    parent->x = root;
    for (Particle* p = parent + 1; p < end; ++p) {
        const Vec3<Real> old = p->x;
        const Vec3<Real> predicted = old + p->v * step.dt + fall;  // Eq. 1
        const Vec3<Real> offset = predicted - parent->x;
        const Real scale = rest_length / length(offset);
        p->x = parent->x + offset * scale;  // Eq. 2-3
        // Eq. 4 with Eq. 9; of d = offset (scale - 1), only a pull is taken back, as in the engine.
        parent->v = parent_velocity - offset * (std::min(scale - 1, Real{0}) * step.correction * per_second);
        parent_velocity = (p->x - old) * per_second;
        parent = p;
    }
    parent->v = parent_velocity;
}

template class BaselineHairOf<float>;
template class BaselineHairOf<double>;

}  // namespace tendril::bench
