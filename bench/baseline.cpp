// [Mueller12] M. Mueller, T.J. Kim, N. Chentanez: Fast Simulation of Inextensible Hair and Fur, VRIPHYS 2012.
#include "baseline.h"

#include <algorithm>

namespace tendril::bench {

BaselineHair::BaselineHair(const Groom& groom)
{
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        first_.push_back(particles_.size());
        roots_.push_back(groom.points(s)[0]);
        segment_.push_back(groom.rest_lengths(s)[1]);
        for (const Vec3f& x : groom.points(s)) particles_.push_back({x, {0, 0, 0}});
    }
    first_.push_back(particles_.size());
}

void BaselineHair::step(const Step& step, Executor& executor)
{
    const Vec3f row_x = to_float(rotate(conjugate(step.frame.rotation), {1, 0, 0}));
    const Vec3f row_y = to_float(rotate(conjugate(step.frame.rotation), {0, 1, 0}));
    const Vec3f row_z = to_float(rotate(conjugate(step.frame.rotation), {0, 0, 1}));
    const Vec3f moved = to_float(step.frame.position);
    parallel_for(executor, roots_.size(), 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) step_strand(s, transform(row_x, row_y, row_z, roots_[s]) + moved, step);
    });
}

void BaselineHair::step_strand(size_t strand, const Vec3f& root, const Step& step)
{
    const float rest_length = segment_[strand], per_second = 1 / step.dt;
    const Vec3f fall = step.gravity * (step.dt * step.dt);
    Particle* parent = &particles_[first_[strand]];
    Particle* const end = &particles_[first_[strand + 1] - 1] + 1;
    Vec3f parent_velocity = (root - parent->x) * per_second;
    parent->x = root;
    for (Particle* p = parent + 1; p < end; ++p) {
        const Vec3f old = p->x;
        const Vec3f predicted = old + p->v * step.dt + fall;  // Eq. 1
        const Vec3f offset = predicted - parent->x;
        const float scale = rest_length / length(offset);
        p->x = parent->x + offset * scale;  // Eq. 2-3
        // Eq. 4 with Eq. 9; of d = offset (scale - 1) only what pulls is taken back, as in the engine.
        parent->v = parent_velocity - offset * (std::min(scale - 1, 0.0f) * step.correction * per_second);
        parent_velocity = (p->x - old) * per_second;
        parent = p;
    }
    parent->v = parent_velocity;
}

}  // namespace tendril::bench
