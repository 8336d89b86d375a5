// Hair by the tractrix. [Zappe20] M. Zappe: Simulation of hair with the tractrix curve, 2020. See docs/tractrix.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tractrix.cpp"
#include <hwy/foreach_target.h>

#include "solvers/close_lengths-inl.h"
#include "solvers/leader-inl.h"
#include "solvers/second_strand.h"
#include "solvers/tractrix-inl.h"

#include "math/elementary.h"
#include "math/random.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Constants of all substeps.
struct TractrixStep {
    const SolverSettings* settings;
    uint64_t seed;     ///< of the step
    float correction;  ///< s of [Mueller12] Eq. 9 for a substep
    float kept;        ///< share of the velocity that remains if there is a shape
    bool styled;       ///< the rest pose is available
};

TractrixStep prepare_tractrix(const PointsTask& task)
{
    const SolverSettings& s = *task.settings;
    const ShapeInput& shape = task.input->shape;
    const double correction = std::clamp(static_cast<double>(s.dftl.velocity_correction), 0.0, 1.0);
    const auto per_substep = static_cast<float>(nth_root(correction, task.input->substeps()));
    return {&s, mix_bits(s.tractrix.seed ^ mix_bits(task.input->step)), std::min(per_substep, shape.load), shape.kept,
            shape.on()};
}

/// Shared by all variants: the targets of particles, dragging towards holds, and the end of a substep.
class TractrixPass {
public:
    using F = Points::F;
    /// Rows of this method: the target of each particle, and the part of its displacement that is not velocity.
    enum Row : size_t { kTarget, kKick = kTarget + 3, kCloser = kKick + 3, kRows = kCloser + LengthCloser::kRows };

    TractrixPass(Points& points, const TractrixStep& step) : points_(points), step_(step), closer_(points, kCloser) {}

protected:
    static constexpr int kRoundsBetweenHolds = 24;
    // Tolerance relative to a segment, and rounding error of positions relative to the reach of the strand.
    static constexpr float kTolerance = 1e-5f, kPositionRounding = 2.4e-7f;

    /// Stores the predictions as targets and moves particles back to their old positions.
    HWY_NOINLINE void store_targets()
    {
        for (int i = 0; i <= points_.tip(); ++i) {
            points_.set_own_vector(kTarget, i, points_.at(i));
            points_.set_own_vector(kKick, i, splat<F>(0.0f, 0.0f, 0.0f));
            points_.set_position(i, points_.from(i));
        }
    }
    HWY_INLINE Vec3<F> target(int i) const { return points_.own_vector(kTarget, i); }
    /// The given position, or the target if the particle is held.
    HWY_INLINE Vec3<F> held_or(int i, const Vec3<F>& position) const
    {
        return select(splat<F>(0.0f) < points_.inverse_mass(i), position, target(i));
    }
    /// Drags all particles after i, up to `end`.
    HWY_NOINLINE void drag(int i, const Vec3<F>& from, int end)
    {
        drag_after(points_, i, from, end, [](int, const Vec3<F>& position) HWY_ATTR { return position; });
    }
    HWY_NOINLINE void drag_between_holds(int i, const Vec3<F>& from, int end)
    {
        drag_after(points_, i, from, end,
                   [&](int j, const Vec3<F>& position) HWY_ATTR { return held_or(j, position); });
    }
    /// Moves a particle and drags all others along.
    HWY_INLINE void lead(int i, const Vec3<F>& to)
    {
        const Vec3<F> from = points_.at(i);
        points_.set_position(i, to);
        drag(i, from, points_.tip());
        drag(i, from, 0);
    }

    /// Drags the strand from its tip and from its root in turns until holds and lengths agree. This comes close, except
    /// for a straight strand that is pushed along its own axis, which only moves along itself. LengthCloser removes the
    /// remaining error.
    HWY_NOINLINE void reach_holds()
    {
        for (int round = 0; round < kRoundsBetweenHolds && any(splat<F>(0.0f) < off_length()); ++round)
            for (const int first : {points_.tip(), 0}) {
                const Vec3<F> from = points_.at(first);
                points_.set_position(first, held_or(first, from));
                drag_between_holds(first, from, points_.tip() - first);
            }
        const F off = off_length();
        if (!any(splat<F>(0.0f) < off)) return;
        for (int i = 0; i <= points_.tip(); ++i) points_.set_position(i, held_or(i, points_.at(i)));
        closer_.run(off, [&]() HWY_ATTR { return off_length(); });
    }

    /// Satisfies holds, keeps particles out of colliders, and above all restores lengths.
    HWY_NOINLINE void settle(int k)
    {
        if (!points_.is_free_past_root()) reach_holds();
        points_.restore_lengths(k, [&](int i, const Vec3<F>& kick) HWY_ATTR {
            points_.set_own_vector(kKick, i, points_.own_vector(kKick, i) + kick);
        });
    }
    HWY_INLINE void finish(int k, float kept)
    {
        settle(k);
        points_.end_substep(kept, [&](int i) HWY_ATTR { return points_.own_vector(kKick, i); });
    }

    Points& points_;
    const TractrixStep& step_;

private:
    LengthCloser closer_;

    /// 1 for strands with a particle that is away from its hold or off its length.
    HWY_NOINLINE F off_length() const
    {
        F worst = splat<F>(0.0f);
        const F rounding = points_.reach() * splat<F>(kPositionRounding);
        for (int i = 0; i <= points_.tip(); ++i) {
            const Vec3<F> gap = held_or(i, points_.at(i)) - points_.at(i);
            const Vec3<F> e = i > 0 ? points_.at(i) - points_.at(i - 1) : gap;
            const F l = points_.rest_length(i > 0 ? i : 1), l2 = l * l;
            const F off = i > 0 ? dot(e, e) - l2 : splat<F>(0.0f);
            const F tolerance = max(l * splat<F>(kTolerance), rounding), tolerance2 = tolerance * tolerance;
            const auto fine = off * off < l2 * tolerance2 * splat<F>(4.0f);
            worst = select(fine, worst, splat<F>(1.0f));
            worst = select(dot(gap, gap) < tolerance2, worst, splat<F>(1.0f));
        }
        return worst;
    }
};

/// The root leads. A free root falls.
class RecursivePass : public TractrixPass {
public:
    using TractrixPass::TractrixPass;

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        store_targets();
        const Vec3<F> from = points_.at(0);
        points_.set_position(0, target(0));
        drag_between_holds(0, from, points_.tip());
        points_.pull_to_shape(k);
        finish(k, 1.0f);
    }
};

/// [Zappe20] Algorithm 3: every particle leads the strand to its own prediction, in random order; the root leads last.
/// As in all point methods, the corrections of the predictions become velocity.
class EmulationPass : public TractrixPass {
public:
    using TractrixPass::TractrixPass;

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        points_.pull_to_shape(k);
        store_targets();
        const uint64_t seed = mix_bits(step_.seed ^ static_cast<uint64_t>(points_.strand(0)));
        for (const int i : shuffled(points_.levels(), seed + static_cast<uint64_t>(k))) lead(i, target(i));
        if (points_.root_held()) lead(0, target(0));
        finish(k, 1.0f);
    }
};

/// [Zappe20] Algorithm 4: only the tip has a velocity. It leads a second strand, the root drags that strand back, and
/// the visible strand lies between the second one and the groom.
class SplitPass : public TractrixPass {
public:
    enum Row : size_t { kSecond = TractrixPass::kRows, kRows = kSecond + 3 };

    HWY_INLINE SplitPass(Points& points, const TractrixStep& step) : TractrixPass(points, step), second_{points}
    {
        Vec3<F> position = splat<F>(0.0f, 0.0f, 0.0f);
        for (int i = 0; i <= points.tip(); ++i) {
            if (i > 0) position += points.second_edge(i);
            second_.set_position(i, position);
        }
    }

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        store_targets();
        if (!step_.styled || !points_.is_hair()) return run_unstyled(k);
        const int tip = points_.tip();
        for (int i = 0; i <= tip; ++i) second_.set_position(i, second_.at(i) - points_.root_step());
        const Vec3<F> was = second_.at(tip);
        swing(held_or(tip, was + points_.free_step(tip)));
        const Vec3<F> swung = second_.at(tip) - was;
        mix(points_.carried_pose(k));
        settle(k);
        points_.end_substep(
            1.0f, [&](int i) HWY_ATTR { return i == tip ? points_.step(tip) - swung : points_.own_vector(kKick, i); });
    }

private:
    /// The positions of the second strand.
    struct Second {
        Points& points;
        HWY_INLINE Vec3<F> at(int i) const { return points.own_vector(kSecond, i); }
        HWY_INLINE void set_position(int i, const Vec3<F>& p) { points.set_own_vector(kSecond, i, p); }
        HWY_INLINE F rest_length(int i) const { return points.rest_length(i); }
    };

    /// Without a rest pose to blend in, the strand that is moved is the visible one.
    HWY_NOINLINE void run_unstyled(int k)
    {
        lead(points_.tip(), target(points_.tip()));
        if (points_.root_held()) lead(0, target(0));
        finish(k, 1.0f);
    }

    /// Moves the second strand: the tip leads, then the root.
    HWY_NOINLINE void swing(const Vec3<F>& tip_to)
    {
        const auto there = [](int, const Vec3<F>& position) HWY_ATTR { return position; };
        const int tip = points_.tip();
        Vec3<F> from = second_.at(tip);
        second_.set_position(tip, tip_to);
        drag_after(second_, tip, from, 0, there);
        from = second_.at(0);
        second_.set_position(0, splat<F>(0.0f, 0.0f, 0.0f));
        drag_after(second_, 0, from, tip, there);
        Vec3<F> before = second_.at(0), position = before;
        for (int i = 1; i <= tip; ++i) {
            const Vec3<F> here = second_.at(i), e = with_length(here - before, i, points_.second_edge(i));
            points_.set_second_edge(i, e);
            second_.set_position(i, position += e);
            before = here;
        }
    }

    /// Computes the visible strand: every segment lies between the directions of the second strand and of the groom.
    HWY_INLINE void mix(const CarriedPose<F>& groom)
    {
        const F share = splat<F>(step_.settings->tractrix.style);
        Vec3<F> position = splat<F>(0.0f, 0.0f, 0.0f);
        points_.set_position(0, position);
        for (int i = 1; i <= points_.tip(); ++i) {
            const Vec3<F> physical = points_.second_edge(i), styled = groom.edge(i);
            position += with_length(physical + (styled - physical) * share, i, physical);
            points_.set_position(i, held_or(i, position));
        }
    }

    /// The edge of the segment above particle i at its rest length, or `other` if the edge has no direction.
    HWY_INLINE Vec3<F> with_length(const Vec3<F>& e, int i, const Vec3<F>& other) const
    {
        const F n2 = dot(e, e), l = points_.rest_length(i);
        return select(has_direction(n2), e * scale_to_length(l, max(n2, splat<F>(kNoDirection))), other);
    }

    Second second_;
};

/// Dynamic follow-the-leader [Mueller12] with another projection. Seen from the prediction of a particle, its parent
/// has moved by s. The plain projection turns the edge e towards e - s at once; here s drags it.
class FtlPass : public TractrixPass {
public:
    using TractrixPass::TractrixPass;

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        points_.pull_to_shape(k);
        const Vec3<F> root = points_.at(0);
        store_targets();
        points_.set_position(0, root);
        for (int i = 1; i <= points_.tip(); ++i) follow(i);
        finish(k, step_.kept);
    }

private:
    HWY_INLINE void follow(int i)
    {
        const Vec3<F> e = points_.before(i) - points_.before(i - 1);
        const Vec3<F> s = points_.step(i - 1) - points_.free_step(i), q = e - s;
        const F l = points_.rest_length(i);
        points_.set_position(i, held_or(i, points_.at(i - 1) + dragged(e, s, l)));
        // Eq. 9 takes back the same correction as with the plain projection, the pull along q. The additional rotation
        // stays; it is the advantage of this projection.
        const Vec3<F> taken_back = tension_part(q, l) * splat<F>(step_.correction);
        points_.set_own_vector(kKick, i - 1, points_.own_vector(kKick, i - 1) + taken_back);
    }
};

void SolveTractrix(const PointsTask& task, size_t begin, size_t end)
{
    const TractrixStep step = prepare_tractrix(task);
    switch (task.settings->type) {
        case SolverType::kTractrixEmulation: return solve_points<EmulationPass>(task, begin, end, step);
        case SolverType::kTractrixSplit: return solve_points<SplitPass>(task, begin, end, step);
        case SolverType::kTractrixFtl: return solve_points<FtlPass>(task, begin, end, step);
        default: return solve_points<RecursivePass>(task, begin, end, step);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolveTractrix);

namespace {

void run(const PointsTask& task, size_t begin, size_t end)
{
    HWY_DYNAMIC_DISPATCH(SolveTractrix)(task, begin, end);
}

}  // namespace

std::unique_ptr<Solver> make_tractrix_solver(const SolverSettings& settings)
{
    if (settings.type == SolverType::kTractrixSplit) return std::make_unique<SecondStrandSolver>(settings, run);
    return std::make_unique<PointsSolver>(settings, run);
}

}  // namespace tendril
#endif
