// Dynamic follow-the-leader as printed, to compare with dftl.cpp, which departs from it. [Mueller12] M. Mueller, T.J.
// Kim, N. Chentanez: Fast Simulation of Inextensible Hair and Fur, VRIPHYS 2012, sections 3.1 to 3.5.
// docs/equations.md lists what the paper leaves open and how it is read here.
//
// Air and shape act on the prediction, as the external forces f of Eq. 1. Held particles stay at their holds.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/printed_dftl.cpp"
#include <hwy/foreach_target.h>

#include "solvers/points-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Constants of all substeps.
struct PrintedDftlStep {
    const DftlSettings* settings;
    float correction;  ///< s of Eq. 9, for every substep
    float kept;        ///< share of the velocity that the drag of a shape leaves
};

/// Solves one block over one substep.
class PrintedDftlPass {
public:
    using F = Points::F;
    /// Rows of this method.
    enum Row : size_t {
        kPredicted,                           ///< the position that corrections are counted from
        kCorrection = kPredicted + 3,         ///< d_i of Eq. 6; in ropes, of the projection from the left
        kFromLeft = kCorrection + 3,          ///< ropes: position after the projection from the left
        kRightCorrection = kFromLeft + 3,     ///< ropes: d_i of the projection from the right
        kContactKick = kRightCorrection + 3,  ///< part of a displacement that a contact keeps from becoming velocity
        kRows = kContactKick + 3
    };

    HWY_INLINE PrintedDftlPass(Points& points, const PrintedDftlStep& step) : points_(points), step_(step) {}

    HWY_INLINE void run(int k)
    {
        points_.predict(k);  // Eq. 1
        if (!step_.settings->dynamic) return_to_start();
        // [Sanchez15] Eq. 14 also takes back how far the printed form of the shape moved the particle.
        const bool with_shape = points_.has_shape() && points_.shape(k).paper();
        if (with_shape) keep_predictions();
        points_.pull_to_shape(k);
        if (!with_shape) keep_predictions();
        if (points_.is_hair())
            project_hair(k);
        else
            project_rope(k);
        const float kept = points_.has_shape() ? step_.kept : 1.0f;
        points_.end_substep(step_.settings->dynamic ? kept : 0.0f,
                            [&](int i) HWY_ATTR { return taken_back(i) + points_.own_vector(kContactKick, i); });
    }

private:
    static HWY_INLINE Vec3<F> none() { return splat<F>(0.0f, 0.0f, 0.0f); }

    /// The static projection of 3.1 has neither velocity nor forces.
    HWY_INLINE void return_to_start()
    {
        for (int i = 0; i < points_.levels(); ++i)
            points_.set_position(i, where_free(i, points_.from(i), points_.at(i)));
    }

    HWY_INLINE void keep_predictions()
    {
        for (int i = 0; i < points_.levels(); ++i) {
            points_.set_own_vector(kPredicted, i, points_.at(i));
            points_.set_own_vector(kCorrection, i, none());
            points_.set_own_vector(kRightCorrection, i, none());
            points_.set_own_vector(kContactKick, i, none());
        }
    }

    /// `free` for the strands whose particle i is not held, `held` for the others.
    HWY_INLINE Vec3<F> where_free(int i, const Vec3<F>& free, const Vec3<F>& held) const
    {
        return select(splat<F>(0.0f) < points_.inverse_mass(i), free, held);
    }
    HWY_INLINE Vec3<F> correction(int i) const { return points_.at(i) - points_.own_vector(kPredicted, i); }

    HWY_INLINE void project_hair(int k)
    {
        const DftlSettings& settings = *step_.settings;
        if (settings.backward_pass && settings.dynamic) {
            project_backward();
            if (settings.backward_takes == BackwardTakes::kForward) keep_predictions();
        }
        // Eq. 6 from the root to the tip; in contact, at the point of the sphere nearest to the prediction (3.1).
        points_.restore_lengths(k, [&](int i, const Vec3<F>& kick) HWY_ATTR {
            points_.set_position(i, where_free(i, points_.at(i), points_.own_vector(kPredicted, i)));
            points_.set_own_vector(kCorrection, i, correction(i));
            points_.set_own_vector(kContactKick, i, where_free(i, kick, none()));
            if (settings.bend_limit > 0 && i + 1 < points_.levels()) limit_bend(i + 1);
        });
    }

    /// Eq. 11, before the length of the same particle: moves it along the line to its grandparent until they are far
    /// enough apart.
    HWY_INLINE void limit_bend(int i)
    {
        const Vec3<F> grandparent = points_.at(i - 2), old = points_.from(i) - points_.from(i - 2);
        const Vec3<F> chord = points_.at(i) - grandparent;
        const F n2 = dot(chord, chord);
        const F least = splat<F>(step_.settings->bend_limit) * (points_.rest_length(i - 1) + points_.rest_length(i));
        const Vec3<F> line = select(has_direction(n2), chord, old);
        const F n = max(dot(line, line), splat<F>(kNoDirection));
        const Vec3<F> moved = select(n2 < least * least, grandparent + line * scale_to_length(least, n), points_.at(i));
        points_.set_position(i, where_free(i, moved, points_.at(i)));
    }

    /// Section 3.4: follow-the-leader itself, from the tip to the particle after the root.
    HWY_INLINE void project_backward()
    {
        for (int i = points_.tip() - 1; i >= 1; --i)
            points_.set_position(i, where_free(i, at_length(i, i + 1), points_.at(i)));
    }

    /// The point at its rest length from the particle `leader`, next to i, on the line to the position of i.
    HWY_INLINE Vec3<F> at_length(int i, int leader) const
    {
        const Vec3<F> to = points_.at(leader), e = points_.at(i) - to;
        const Vec3<F> q = select(has_direction(dot(e, e)), e, points_.from(i) - points_.from(leader));
        const F n2 = max(dot(q, q), splat<F>(kNoDirection));
        return to + q * scale_to_length(points_.rest_length(std::max(i, leader)), n2);
    }

    /// Fig. 2: projects from the left and from the right, and blends the results. Nothing restores lengths after that.
    /// A held end moves with the projection that comes from the other end, and is then put back.
    HWY_INLINE void project_rope(int k)
    {
        const int tip = points_.tip();
        for (int i = 1; i <= tip; ++i) {
            const Vec3<F> projected = at_length(i, i - 1);
            points_.set_position(i, i == tip ? projected : where_free(i, projected, points_.at(i)));
            points_.set_own_vector(kCorrection, i, correction(i));
        }
        for (int i = 0; i <= tip; ++i) {
            points_.set_own_vector(kFromLeft, i, points_.at(i));
            points_.set_position(i, points_.own_vector(kPredicted, i));
        }
        for (int i = tip - 1; i >= 0; --i) {
            const Vec3<F> projected = at_length(i, i + 1);
            points_.set_position(i, i == 0 ? projected : where_free(i, projected, points_.at(i)));
            points_.set_own_vector(kRightCorrection, i, correction(i));
        }
        for (int i = 0; i <= tip; ++i) {
            const F right = right_share(i), left = splat<F>(1.0f) - right;
            const Vec3<F> blended = points_.own_vector(kFromLeft, i) * left + points_.at(i) * right;
            points_.set_position(i, where_free(i, blended, points_.own_vector(kPredicted, i)));
        }
        points_.resolve_contacts(k, [&](int i, const auto&, const Vec3<F>& kick) HWY_ATTR {
            points_.set_own_vector(kContactKick, i, where_free(i, kick, none()));
        });
    }

    /// Weight of the projection from the right. Fig. 2e: each projection has its full weight at the end it started
    /// from; Fig. 2d, and 2c for ropes whose ends are free: the mean.
    HWY_INLINE F right_share(int i) const
    {
        if (step_.settings->end_blend == EndBlend::kAverage || !points_.root_held()) return splat<F>(0.5f);
        return splat<F>(static_cast<float>(i) / static_cast<float>(points_.tip()));
    }

    /// s times the whole correction of the child, d_(i+1) in Eq. 9. In a rope, the projection from the left takes back
    /// d_(i+1) and that from the right d_(i-1), blended as the positions are. Held particles move with their holds.
    HWY_INLINE Vec3<F> taken_back(int i) const
    {
        const int tip = points_.tip();
        Vec3<F> d = i < tip ? points_.own_vector(kCorrection, i + 1) : none();
        if (!points_.is_hair()) {
            const F right = right_share(i);
            d = d * (splat<F>(1.0f) - right);
            if (i > 0) d += points_.own_vector(kRightCorrection, i - 1) * right;
        }
        return where_free(i, bounded(d * splat<F>(step_.correction)), none());
    }

    /// No bound on Eq. 9 is known for ropes with free ends; a limit beyond all that occurs keeps it finite [m].
    static HWY_INLINE Vec3<F> bounded(const Vec3<F>& d)
    {
        constexpr float kMost = 1e9f;
        const auto limit = [](const F& a) HWY_ATTR { return max(splat<F>(-kMost), min(splat<F>(kMost), a)); };
        return {limit(d.x), limit(d.y), limit(d.z)};
    }

    Points& points_;
    const PrintedDftlStep& step_;
};

void SolvePrintedDftl(const PointsTask& task, size_t begin, size_t end)
{
    const DftlSettings& settings = task.settings->dftl;
    const float s = std::clamp(settings.velocity_correction, 0.0f, 1.0f);
    solve_points<PrintedDftlPass>(task, begin, end, PrintedDftlStep{&settings, s, task.input->shape.kept});
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolvePrintedDftl);

std::unique_ptr<Solver> make_printed_dftl_solver(const SolverSettings& settings)
{
    return std::make_unique<PointsSolver>(settings, [](const PointsTask& task, size_t begin, size_t end) {
        HWY_DYNAMIC_DISPATCH(SolvePrintedDftl)(task, begin, end);
    });
}

}  // namespace tendril
#endif
