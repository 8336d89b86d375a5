// A substep of the direct method that is too violent for the gradients of its start, or too long for so short segments:
// implicit Euler instead, which takes energy away. Places are those nearest to the predictions at which all segments
// have their lengths; and a strand goes no farther, and no faster, than its energy takes it. See docs/methods.md.

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
    /// Rows of its own: how much of how far a particle goes is no velocity.
    enum Row : size_t { kTaken = 0, kChain = kTaken + 3, kRows = kChain + SpringChain::kRows };
    /// The rows of the method: its multipliers, how far particles go, and the first of those named above.
    struct Rows {
        size_t multiplier, gone, own;
    };

    HWY_INLINE ViolentStep(Points& points, const Rows& rows)
        : points_(points), rows_(rows), chain_(points, rows.own + kChain)
    {
    }

    /// Finds the places, for strands where `wild` is 1; `off()` is 1 for those that do not have their lengths. 1 for
    /// strands that have still not.
    template <class OffLength>
    HWY_INLINE F find_places(const F& wild, const OffLength& off)
    {
        start(wild);
        F left = wild;
        for (int n = 0; n < kMaxIterations && any(splat<F>(0.0f) < left); ++n) {
            iterate(left);
            left = left * off();
        }
        return left;
    }

    /// Lengths and energy as they must be; `left`: of strands whose places are not yet those that they should be.
    HWY_NOINLINE void finish(const F& wild, const F& left)
    {
        if (points_.hangs_on_root()) {
            blend(wild, splat<F>(1.0f));
            take_steps(left);
            limit_way(wild);
        }
        limit_speed(wild);
    }

    /// What the particle's velocity lacks of its step.
    HWY_INLINE Vec3<F> taken(int i) const { return points_.own_vector(rows_.own + kTaken, i); }
    HWY_INLINE void forget_taken()
    {
        for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(rows_.own + kTaken, i, none());
    }

private:
    static constexpr int kMaxIterations = 40, kMaxBlends = 4;
    static constexpr float kMuchMore = 1.1f;  // energy that is not for rounding alone

    static HWY_INLINE Vec3<F> none() { return splat<F>(0.0f, 0.0f, 0.0f); }
    HWY_INLINE Vec3<F> gone(int i) const { return points_.own_vector(rows_.gone, i); }
    HWY_INLINE void set_gone(int i, const Vec3<F>& v) { points_.set_own_vector(rows_.gone, i, v); }
    HWY_INLINE Vec3<F> edge(int i) const { return points_.at(i) - points_.at(i - 1); }
    HWY_INLINE Vec3<F> edge_before(int i) const { return points_.before(i) - points_.before(i - 1); }

    /// From the strand as it was, carried along by its root: there all lengths are right.
    HWY_NOINLINE void start(const F& wild)
    {
        const F zero = splat<F>(0.0f);
        for (int i = 0; i < points_.levels(); ++i) {
            const auto moves = zero < points_.lightness(i) * wild, starts = zero < wild;
            points_.put(i, select(moves, points_.before(i), points_.at(i)));
            set_gone(i, select(starts, points_.step(i), gone(i)));
            points_.set_own(rows_.multiplier, i, select(starts, zero, points_.own(rows_.multiplier, i)));
        }
    }

    /// One step of Newton. Tension makes segments stiff across their direction: without that, particles overshoot by
    /// more the more segments there are in a step's way, and nothing converges. Pressed segments count as if they were
    /// not, so that the matrix is positive definite.
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
            [&](int i) HWY_ATTR { return select(zero < points_.lightness(i), points_.predicted(i), points_.at(i)); },
            [&](int i, const Vec3<F>& step, const F& tension) HWY_ATTR {
                points_.put(i, select(goes, points_.at(i) + step, points_.at(i)));
                set_gone(i, select(goes, gone(i) + step, gone(i)));
                if (i == 0) return;
                const F multiplier = tension / max(points_.rest_length(i), splat<F>(kNoDirection));
                points_.set_own(rows_.multiplier, i, select(goes, multiplier, points_.own(rows_.multiplier, i)));
            });
    }
    HWY_INLINE Vec3<F> with_direction(int i, const Vec3<F>& e) const
    {
        return select(has_direction(dot(e, e)), e, edge_before(i));
    }

    /// Every segment at its length, and turned by a share of how far it has turned. What hangs nowhere keeps its
    /// middle.
    HWY_NOINLINE void blend(const F& wild, const F& share)
    {
        const auto these = splat<F>(0.0f) < wild;
        const Vec3<F> middle = points_.root_held() ? none() : mean([&](int i) HWY_ATTR { return points_.at(i); });
        Vec3<F> start = points_.at(0);
        for (int i = 1; i < points_.levels(); ++i) {
            const Vec3<F> end = points_.at(i), was = edge_before(i);
            const Vec3<F> e = with_direction(i, was + (with_direction(i, end - start) - was) * share);
            const F scale = scale_to_length(points_.rest_length(i), max(dot(e, e), splat<F>(kNoDirection)));
            points_.put(i, select(these, points_.at(i - 1) + e * scale, end));
            start = end;
        }
        if (points_.root_held()) return;
        const Vec3<F> shift = middle - mean([&](int i) HWY_ATTR { return points_.at(i); });
        for (int i = 0; i < points_.levels(); ++i) points_.put(i, select(these, points_.at(i) + shift, points_.at(i)));
    }
    HWY_INLINE void take_steps(const F& these)
    {
        for (int i = 0; i < points_.levels(); ++i)
            set_gone(i, select(splat<F>(0.0f) < these, points_.step(i), gone(i)));
    }
    template <class Value>
    HWY_INLINE Vec3<F> mean(const Value& value) const
    {
        Vec3<F> sum = none();
        for (int i = 0; i < points_.levels(); ++i) sum += value(i);
        return sum * splat<F>(1.0f / static_cast<float>(points_.levels()));
    }

    /// How the frame moves that energies are seen from: with the root, or with the middle of what hangs nowhere.
    struct Frame {
        Vec3<F> before, now;
    };
    HWY_INLINE Frame frame() const
    {
        if (points_.root_held()) return {points_.drift(0), points_.root_step()};
        return {mean([&](int i) HWY_ATTR { return points_.drift(i); }), mean([&](int i) HWY_ATTR { return gone(i); })};
    }

    /// Kinetic energy, and what it may be: as much as there was, and the work of all that acts from outside, the
    /// frame's acceleration being part of it. Forces act over the mean of both steps: free fall has then all that it
    /// may have.
    struct Budget {
        F kinetic, limit;
    };
    HWY_NOINLINE Budget budget(const Frame& frame) const
    {
        const F half = splat<F>(0.5f), zero = splat<F>(0.0f);
        const Vec3<F> jump = frame.now - frame.before;
        Budget sum{zero, zero};
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> was = points_.drift(i) - frame.before, is = gone(i) - frame.now, way = (was + is) * half;
            const auto free = zero < points_.lightness(i);
            const Vec3<F> force = points_.free_step(i) - points_.drift(i) - jump;
            const F work = select(free, dot(force, way) + half * dot(was, was), zero - dot(pull(i), way));
            sum.limit = sum.limit + work;
            sum.kinetic = sum.kinetic + select(free, half * dot(is, is), zero);
        }
        return {sum.kinetic, max(sum.limit, zero)};
    }
    /// Of the segments on both sides of a particle.
    HWY_INLINE Vec3<F> pull(int i) const
    {
        Vec3<F> sum = none();
        if (i < points_.tip()) sum += edge(i + 1) * points_.own(rows_.multiplier, i + 1);
        if (i > 0) sum = sum - edge(i) * points_.own(rows_.multiplier, i);
        return sum;
    }

    /// A strand that has not converged may have been put anywhere. It goes a shorter way until it has energy for that.
    HWY_NOINLINE void limit_way(const F& wild)
    {
        const F zero = splat<F>(0.0f);
        for (int n = 0; n < kMaxBlends; ++n) {
            const Budget b = budget(frame());
            const F far = select(b.limit * splat<F>(kMuchMore) < b.kinetic, wild, zero);
            if (!any(zero < far)) return;
            blend(far, share_of(b));
            take_steps(far);
        }
    }
    static HWY_INLINE F share_of(const Budget& b)
    {
        const F one = splat<F>(1.0f), left = sqrt(b.limit / max(b.kinetic, splat<F>(kNoDirection)));
        return select(b.limit < b.kinetic, left, one);
    }

    HWY_NOINLINE void limit_speed(const F& wild)
    {
        const Frame frame = this->frame();
        const F share = share_of(budget(frame));
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> was = gone(i), is = frame.now + (was - frame.now) * share;
            const auto slower = splat<F>(0.0f) < wild * points_.lightness(i);
            set_gone(i, select(slower, is, was));
            points_.set_own_vector(rows_.own + kTaken, i, select(slower, was - is, none()));
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
