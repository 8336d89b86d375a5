#include "shaped_baseline.h"

#include "baseline.h"
#include "math/vectors.h"

#include <algorithm>
#include <cmath>

namespace tendril::bench {
namespace {

template <class Real>
Vec3<Real> in_frame(const Vec3<Real>& along, const Vec3<Real>& across, const Vec3<Real>& v)
{
    return along * v.x + across * v.y + cross(along, across) * v.z;
}

}  // namespace

template <class Real>
ShapedBaselineOf<Real>::ShapedBaselineOf(const Groom& groom)
{
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        const auto points = groom.points(s);
        const Real l = mean_segment(groom.rest_lengths(s));
        Vec3d along = unit_or(to_double(points[1] - points[0]), {0, -1, 0}), across = any_perpendicular(along);
        strands_.push_back(
            {as<Real>(points[0]), as<Real>(along), as<Real>(across), l, l * static_cast<Real>(points.size() - 1)});
        const Vec3d d = along, n = across, b = cross(d, n);
        first_.push_back(particles_.size());
        for (size_t i = 0; i < points.size(); ++i) {
            const Vec3d r = to_double(points[i] - points[0]);
            Particle p{as<Real>(points[i]), {0, 0, 0}, {1, 0, 0}, 0, as<Real>(Vec3d{dot(r, d), dot(r, n), dot(r, b)})};
            if (i > 0) {
                const Vec3d f = unit_or(to_double(points[i] - points[i - 1]), along);
                const Vec3d t{dot(f, along), dot(f, across), dot(f, cross(along, across))};
                p.target = as<Real>(t);
                p.mixed = static_cast<Real>(t.y / std::max(1 + t.x, 1e-6));
                across = across - (along + f) * static_cast<double>(p.mixed);
                along = f;
            }
            particles_.push_back(p);
        }
    }
    first_.push_back(particles_.size());
}

template <class Real>
void ShapedBaselineOf<Real>::step(const Step& step, Executor& executor)
{
    parallel_for(executor, strands_.size(), 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) step_strand(s, step);
    });
}

template <class Real>
void ShapedBaselineOf<Real>::step_strand(size_t index, const Step& step)
{
    const Strand& strand = strands_[index];
    const auto carried = [](const Pose& pose, const Vec3<Real>& v) {
        return as<Real>(rotate(pose.rotation, as<double>(v)));
    };
    const Vec3<Real> root_d = carried(step.after, strand.along), root_n = carried(step.after, strand.across);
    const Vec3<Real> old_d = carried(step.before, strand.along), old_n = carried(step.before, strand.across);
    const Vec3<Real> root = as<Real>(transform_point(step.after, as<double>(strand.root)));
    const Vec3<Real> old_root = as<Real>(transform_point(step.before, as<double>(strand.root)));

    const Real h = step.dt, l = strand.segment, share = strand.length / l;
    const Real local = Real{step.shape.local} * h * h * Real{0.5} * share * share,
               global = Real{step.shape.global} * h * h;
    const Real local_damping = 2 * std::sqrt(local), global_damping = 2 * std::sqrt(global);
    const Real weight = 1 + local + local_damping + global + global_damping;
    const Real drag = 1 - std::exp(-Real{step.shape.drag} * h);

    Particle* parent = &particles_[first_[index]];
    Particle* const end = parent + (first_[index + 1] - first_[index]);
    const Vec3<Real> turned =
        (cross(old_d, root_d) + cross(old_n, root_n) + cross(cross(old_d, old_n), cross(root_d, root_n))) * Real{0.5};
    Vec3<Real> d = root_d, n = root_n, moved = root - parent->x, old_parent = parent->x;
    parent->x = root;
    for (Particle* p = parent + 1; p < end; ++p) {
        const Vec3<Real> old = p->x, edge = old - old_parent;
        const Vec3<Real> to = in_frame(d, n, p->target), swung = edge + cross(turned, edge);
        const Vec3<Real> goal = root + in_frame(root_d, root_n, p->rest),
                         old_goal = old_root + in_frame(old_d, old_n, p->rest);
        const Vec3<Real> free = old + p->v * h + step.gravity * (h * h);
        Vec3<Real> q = free + (parent->x + to * l) * local + (parent->x + swung) * local_damping + goal * global +
                       (old + goal - old_goal) * global_damping;
        q = q * (1 / weight) - parent->x;
        const Real scale = l / length(q);
        const Vec3<Real> f = q * scale;
        p->x = parent->x + f;
        const Real pull = std::min(scale - 1, Real{0}) * Real{step.shape.load};
        parent->v = (moved * (1 - drag) - q * pull) * (1 / h);
        moved = p->x - old;
        const Vec3<Real> along = f * (1 / l), across = n - (d + to) * p->mixed;
        n = across - (to + along) * (dot(along, across) / std::max(1 + dot(to, along), Real{1e-3f}));
        d = along;
        old_parent = old;
        parent = p;
    }
    parent->v = moved * ((1 - drag) / h);
}

template class ShapedBaselineOf<float>;
template class ShapedBaselineOf<double>;

}  // namespace tendril::bench
