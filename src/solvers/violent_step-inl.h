// A substep of the direct method that is too violent for gradients at its start, or too long for its short segments.
// Implicit Euler takes over, which dissipates energy: it finds the positions nearest to the predictions at which all
// segments have their rest lengths. A strand moves no farther and no faster than its energy permits. See
// docs/direct.md.

#if defined(TENDRIL_SOLVERS_VIOLENT_STEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_VIOLENT_STEP_INL_H_
#undef TENDRIL_SOLVERS_VIOLENT_STEP_INL_H_
#else
#define TENDRIL_SOLVERS_VIOLENT_STEP_INL_H_
#endif

#include "solvers/spring_chain-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

class ViolentStep {
public:
    using F = Points::F;
    /// Rows of this class: the part of a displacement that does not count as velocity.
    enum Row : size_t { kRemoved = 0, kChain = kRemoved + 3, kRows = kChain + SpringChain::kRows };
    /// Rows of the method: its multipliers, its displacements, and the first of the rows above.
    struct Rows {
        size_t multiplier, displacement, own;
    };

    HWY_INLINE ViolentStep(Points& points, const Rows& rows)
        : points_(points), rows_(rows), chain_(points, rows.own + kChain)
    {
    }

    /// Finds the positions of strands where `diverged` is 1. `off()` returns 1 for strands whose lengths are off.
    /// Returns 1 for strands that have not converged.
    template <class OffLength>
    HWY_INLINE F find_positions(const F& diverged, const OffLength& off)
    {
        start(diverged);
        F left = diverged;
        for (int n = 0; n < kMaxIterations && any(splat<F>(0.0f) < left); ++n) {
            iterate(left);
            left = left * off();
        }
        return left;
    }

    /// Restores lengths and limits the energy. `left` is 1 for strands whose positions have not converged.
    HWY_NOINLINE void finish(const F& diverged, const F& left)
    {
        if (points_.is_free_past_root()) {
            blend(diverged, splat<F>(1.0f));
            take_steps(left);
            limit_displacement(diverged);
        }
        limit_speed(diverged);
    }

    /// The part of the displacement that does not count as velocity.
    HWY_INLINE Vec3<F> removed(int i) const { return points_.own_vector(rows_.own + kRemoved, i); }
    HWY_INLINE void clear_removed()
    {
        for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(rows_.own + kRemoved, i, none());
    }

private:
    static constexpr int kMaxIterations = 40, kMaxBlends = 4;
    static constexpr float kEnergyTolerance = 1.1f;  // a smaller excess of energy may be rounding

    static HWY_INLINE Vec3<F> none() { return splat<F>(0.0f, 0.0f, 0.0f); }
    HWY_INLINE Vec3<F> displacement(int i) const { return points_.own_vector(rows_.displacement, i); }
    HWY_INLINE void set_displacement(int i, const Vec3<F>& v) { points_.set_own_vector(rows_.displacement, i, v); }
    HWY_INLINE Vec3<F> edge(int i) const { return points_.at(i) - points_.at(i - 1); }
    HWY_INLINE Vec3<F> edge_before(int i) const { return points_.before(i) - points_.before(i - 1); }

    /// Starts from the old pose, carried along by the root, in which all lengths are right.
    HWY_NOINLINE void start(const F& diverged)
    {
        const F zero = splat<F>(0.0f);
        for (int i = 0; i < points_.levels(); ++i) {
            const auto moves = zero < points_.inverse_mass(i) * diverged, starts = zero < diverged;
            points_.set_position(i, select(moves, points_.before(i), points_.at(i)));
            set_displacement(i, select(starts, points_.step(i), displacement(i)));
            points_.set_own(rows_.multiplier, i, select(starts, zero, points_.own(rows_.multiplier, i)));
        }
    }

    /// One Newton iteration. Tension makes segments stiff across their direction. Without this term the iteration
    /// overshoots, by more the more segment lengths a particle moves in a step, and does not converge. Compressed
    /// segments count as free of tension, which keeps the matrix positive definite.
    HWY_NOINLINE void iterate(const F& left)
    {
        const F zero = splat<F>(0.0f);
        const auto goes = zero < left;
        chain_.solve(
            [&](int i) HWY_ATTR {
                const Vec3<F> e = with_direction(i, edge(i));
                const F n = sqrt(max(dot(e, e), splat<F>(kNoDirection))), l = points_.rest_length(i);
                const F tension = points_.own(rows_.multiplier, i) * l;
                return SpringChain::Spring{e * (splat<F>(1.0f) / n), n - l, max(zero, tension) / n, zero, tension};
            },
            [&](int i) HWY_ATTR { return select(zero < points_.inverse_mass(i), points_.predicted(i), points_.at(i)); },
            [&](int i, const Vec3<F>& step, const F& tension) HWY_ATTR {
                points_.set_position(i, select(goes, points_.at(i) + step, points_.at(i)));
                set_displacement(i, select(goes, displacement(i) + step, displacement(i)));
                if (i == 0) return;
                const F multiplier = tension / max(points_.rest_length(i), splat<F>(kNoDirection));
                points_.set_own(rows_.multiplier, i, select(goes, multiplier, points_.own(rows_.multiplier, i)));
            });
    }
    HWY_INLINE Vec3<F> with_direction(int i, const Vec3<F>& e) const
    {
        return select(has_direction(dot(e, e)), e, edge_before(i));
    }

    /// Puts every segment at its rest length and rotates it by only a share of its rotation in this step. A strand that
    /// nothing holds keeps its centre.
    HWY_NOINLINE void blend(const F& diverged, const F& share)
    {
        const auto these = splat<F>(0.0f) < diverged;
        const Vec3<F> middle = points_.root_held() ? none() : mean([&](int i) HWY_ATTR { return points_.at(i); });
        Vec3<F> start = points_.at(0);
        for (int i = 1; i < points_.levels(); ++i) {
            const Vec3<F> end = points_.at(i), was = edge_before(i);
            const Vec3<F> e = with_direction(i, was + (with_direction(i, end - start) - was) * share);
            const F scale = scale_to_length(points_.rest_length(i), max(dot(e, e), splat<F>(kNoDirection)));
            points_.set_position(i, select(these, points_.at(i - 1) + e * scale, end));
            start = end;
        }
        if (points_.root_held()) return;
        const Vec3<F> shift = middle - mean([&](int i) HWY_ATTR { return points_.at(i); });
        for (int i = 0; i < points_.levels(); ++i)
            points_.set_position(i, select(these, points_.at(i) + shift, points_.at(i)));
    }
    HWY_INLINE void take_steps(const F& these)
    {
        for (int i = 0; i < points_.levels(); ++i)
            set_displacement(i, select(splat<F>(0.0f) < these, points_.step(i), displacement(i)));
    }
    template <class Value>
    HWY_INLINE Vec3<F> mean(const Value& value) const
    {
        Vec3<F> sum = none();
        for (int i = 0; i < points_.levels(); ++i) sum += value(i);
        return sum * splat<F>(1.0f / static_cast<float>(points_.levels()));
    }

    /// Displacement, in the last substep and in this one, of the frame that energies are measured in. It moves with the
    /// root, or with the centre of a strand that nothing holds.
    struct Frame {
        Vec3<F> before, now;
    };
    HWY_INLINE Frame frame() const
    {
        if (points_.root_held()) return {points_.drift(0), points_.root_step()};
        return {mean([&](int i) HWY_ATTR { return points_.drift(i); }),
                mean([&](int i) HWY_ATTR { return displacement(i); })};
    }

    /// Kinetic energy and its limit: the previous kinetic energy plus the work of all external forces, including the
    /// acceleration of the frame. Forces act over the mean of the last displacement and this one, so that free fall
    /// reaches the limit exactly.
    struct Budget {
        F kinetic, limit;
    };
    HWY_NOINLINE Budget budget(const Frame& frame) const
    {
        const F half = splat<F>(0.5f), zero = splat<F>(0.0f);
        const Vec3<F> jump = frame.now - frame.before;
        Budget sum{zero, zero};
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> was = points_.drift(i) - frame.before, is = displacement(i) - frame.now,
                          mean_step = (was + is) * half;
            const auto free = zero < points_.inverse_mass(i);
            const Vec3<F> force = points_.free_step(i) - points_.drift(i) - jump;
            const F work = select(free, dot(force, mean_step) + half * dot(was, was), zero - dot(pull(i), mean_step));
            sum.limit = sum.limit + work;
            sum.kinetic = sum.kinetic + select(free, half * dot(is, is), zero);
        }
        return {sum.kinetic, max(sum.limit, zero)};
    }
    /// The pull of both adjacent segments on a particle.
    HWY_INLINE Vec3<F> pull(int i) const
    {
        Vec3<F> sum = none();
        if (i < points_.tip()) sum += edge(i + 1) * points_.own(rows_.multiplier, i + 1);
        if (i > 0) sum = sum - edge(i) * points_.own(rows_.multiplier, i);
        return sum;
    }

    /// A strand that has not converged may be anywhere. Shortens its displacement until its energy permits it.
    HWY_NOINLINE void limit_displacement(const F& diverged)
    {
        const F zero = splat<F>(0.0f);
        for (int n = 0; n < kMaxBlends; ++n) {
            const Budget b = budget(frame());
            const F excessive = select(b.limit * splat<F>(kEnergyTolerance) < b.kinetic, diverged, zero);
            if (!any(zero < excessive)) return;
            blend(excessive, share_of(b));
            take_steps(excessive);
        }
    }
    static HWY_INLINE F share_of(const Budget& b)
    {
        const F one = splat<F>(1.0f), left = sqrt(b.limit / max(b.kinetic, splat<F>(kNoDirection)));
        return select(b.limit < b.kinetic, left, one);
    }

    HWY_NOINLINE void limit_speed(const F& diverged)
    {
        const Frame frame = this->frame();
        const F share = share_of(budget(frame));
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> was = displacement(i), is = frame.now + (was - frame.now) * share;
            const auto slower = splat<F>(0.0f) < diverged * points_.inverse_mass(i);
            set_displacement(i, select(slower, is, was));
            points_.set_own_vector(rows_.own + kRemoved, i, select(slower, was - is, none()));
        }
    }

    Points& points_;
    Rows rows_;
    SpringChain chain_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
