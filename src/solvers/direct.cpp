// The direct method computes the multipliers of all length constraints of a strand from one tridiagonal system. The
// constraint of a segment e is (|e|^2 - l^2)/2, which needs no square root. Gradients at the start of the substep
// (SHAKE, [Ryckaert77]) conserve energy; gradients at its end would dissipate it. See docs/direct.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/direct.cpp"
#include <hwy/foreach_target.h>

#include "solvers/close_lengths-inl.h"
#include "solvers/violent_step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Solves the lengths of one block over one substep.
class DirectPass {
public:
    using F = Points::F;
    /// Rows of this method: the eliminated system, the multipliers, and the displacement that becomes velocity. The
    /// latter is a sum of impulses, which is more precise than a difference of positions. For particles in contact: the
    /// plane n p = h that they stay on, the vector mu u - n (see "Contact" below), their displacement by the plane
    /// without any multipliers, the displacement of the surface, and 0 where friction holds them, else 1.
    enum Row : size_t {
        kAbove,
        kRight,
        kMultiplier,
        kDisplacement,
        kNormal = kDisplacement + 3,
        kHeight = kNormal + 3,
        kReaction,
        kShift = kReaction + 3,
        kSurface = kShift + 3,
        kSlides = kSurface + 3,
        kViolent,
        kCloser = kViolent + ViolentStep::kRows,
        kRows = kCloser + LengthCloser::kRows
    };

    HWY_INLINE DirectPass(Points& points, int iterations)
        : points_(points),
          violent_(points, {kMultiplier, kDisplacement, kViolent}),
          closer_(points, kCloser),
          tip_(points.levels() - 1),
          iterations_(iterations),
          rounding_(points.reach() * splat<F>(kPositionRounding))
    {
    }

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        points_.pull_to_shape(k);
        const F diverged = solve<Contact::kNone>();
        const bool open = points_.no_colliders_near(k);
        if (!open) violent_.clear_removed();
        if (any(splat<F>(0.0f) < diverged)) restart(diverged);
        if (!open && !points_.eases_out()) stay_on_surfaces(k);
        if (!points_.is_free_past_root())
            finish_between_holds(k, diverged);
        else if (!open)
            finish_from_root(k);
        if (points_.keeps_tensions())
            for (int i = 1; i <= tip_; ++i)
                points_.store_tension(i, points_.own(kMultiplier, i) * points_.rest_length(i));
        points_.end_substep_from(kDisplacement);
    }

private:
    // A relative length error above this means that the step was too violent.
    static constexpr float kMaxStretched = 1e-4f;
    static constexpr int kRestartIterations = 6, kRoundsBetweenHolds = 12, kPlaneRounds = 3;
    // Rounding error of positions relative to the reach of the strand; smaller differences are not stretch.
    static constexpr float kPositionRounding = 1.2e-7f;
    static constexpr float kNoLayer = 1e-6f;   // thinner layers count as none [m]
    static constexpr float kFarthest = 1e12f;  // no body moves as far in a substep [m]

    HWY_INLINE Vec3<F> edge_before(int i) const { return points_.before(i) - points_.before(i - 1); }
    HWY_INLINE Vec3<F> edge(int i) const { return points_.at(i) - points_.at(i - 1); }
    static HWY_INLINE Vec3<F> none() { return splat<F>(0.0f, 0.0f, 0.0f); }

    enum class Contact { kNone, kPlanes };

    /// The displacement of particle i under the impulse v, including the reaction of its plane.
    template <Contact kContact>
    HWY_INLINE Vec3<F> moved_by(int i, const Vec3<F>& v) const
    {
        if constexpr (kContact == Contact::kNone) return v * points_.inverse_mass(i);
        const Vec3<F> along = v + points_.own_vector(kReaction, i) * dot(points_.own_vector(kNormal, i), v);
        return along * (points_.inverse_mass(i) * points_.own(kSlides, i));
    }

    /// Eliminates the system row by row. Row i belongs to the edge e; `before`, `here` and `after` are the gradients of
    /// the previous segment, this one and the next.
    template <Contact kContact>
    class Elimination {
    public:
        explicit HWY_INLINE Elimination(DirectPass& pass) : pass_(pass) {}
        HWY_INLINE void take(int i, const Vec3<F>& e, const Vec3<F>& before, const Vec3<F>& here, const Vec3<F>& after)
        {
            const F zero = splat<F>(0.0f), l = pass_.points_.rest_length(i);
            const auto drawn = [&](int particle, const Vec3<F>& v)
                                   HWY_ATTR { return dot(e, pass_.template moved_by<kContact>(particle, v)); };
            const F error = (dot(e, e) - l * l) * splat<F>(0.5f), below = zero - drawn(i - 1, before);
            const F pivot = drawn(i - 1, here) + drawn(i, here) - below * above_;
            // The pivot is 0 between two held particles.
            const F per = select(zero < pivot * pivot, splat<F>(1.0f) / pivot, zero);
            right_ = (error - below * right_) * per;
            above_ = (zero - drawn(i, after)) * per;
            pass_.points_.set_own(kRight, i, right_);
            pass_.points_.set_own(kAbove, i, above_);
        }

    private:
        DirectPass& pass_;
        F above_ = splat<F>(0.0f), right_ = above_;
    };

    /// Solves for the multipliers of all lengths and moves the points by them. Returns 1 for strands that stay
    /// stretched.
    template <Contact kContact>
    HWY_INLINE F solve()
    {
        find_multipliers<kContact, true>(0);
        for (int n = 1; n < iterations_; ++n) find_multipliers<kContact, false>(n);
        return apply_multipliers<kContact>();
    }

    /// One Newton iteration for the multipliers at which all segments have their rest lengths. The multiplier of
    /// segment i pulls its ends together along its edge at the start of the substep. `kFirst`: all multipliers are
    /// still 0.
    template <Contact kContact, bool kFirst>
    HWY_INLINE void find_multipliers(int iteration)
    {
        Elimination<kContact> rows(*this);
        Vec3<F> before = none(), here = edge_before(1), pull = none(), p = points_.at(0);
        if (!kFirst) {
            pull = here * points_.own(kMultiplier, 1);
            p = p + moved_by<kContact>(0, pull);
        }
        for (int i = 1; i <= tip_; ++i) {
            const Vec3<F> after = i < tip_ ? edge_before(i + 1) : none();
            Vec3<F> q = points_.at(i);
            if (!kFirst) {
                const Vec3<F> pull_after = i < tip_ ? after * points_.own(kMultiplier, i + 1) : none();
                q = q + moved_by<kContact>(i, pull_after - pull);
                pull = pull_after;
            }
            rows.take(i, q - p, before, here, after);
            if (iteration < 3) points_.prefetch_next(i, iteration);
            before = here;
            here = after;
            p = q;
        }
        F change = splat<F>(0.0f);
        for (int i = tip_; i >= 1; --i) {
            change = points_.own(kRight, i) - points_.own(kAbove, i) * change;
            points_.set_own(kMultiplier, i, kFirst ? change : points_.own(kMultiplier, i) + change);
        }
    }

    template <Contact kContact>
    HWY_INLINE F apply_multipliers()
    {
        F worst = splat<F>(0.0f);
        Vec3<F> pull = none(), parent = none();
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> pull_after = i < tip_ ? edge_before(i + 1) * points_.own(kMultiplier, i + 1) : none();
            const Vec3<F> impulse = moved_by<kContact>(i, pull_after - pull);
            Vec3<F> displacement = unconstrained_step(i) + impulse;
            if constexpr (kContact == Contact::kPlanes) displacement += points_.own_vector(kShift, i);
            points_.set_own_vector(kDisplacement, i, displacement);
            const Vec3<F> p = points_.at(i) + impulse;
            points_.set_position(i, p);
            if (i > 0) worst = max(worst, off_length(i, p - parent, kMaxStretched));
            parent = p;
            pull = pull_after;
        }
        return worst;
    }
    HWY_INLINE Vec3<F> unconstrained_step(int i) const
    {
        return select(splat<F>(0.0f) < points_.inverse_mass(i), points_.free_step(i), points_.step(i));
    }

    /// One iteration with gradients at the current positions, which dissipates energy but approaches the solution from
    /// anywhere. `share` is 1 for strands that take part and 0 for others.
    HWY_NOINLINE void project_lengths(const F& share)
    {
        Elimination<Contact::kNone> rows(*this);
        Vec3<F> before = none(), here = edge(1);
        for (int i = 1; i <= tip_; ++i) {
            const Vec3<F> after = i < tip_ ? edge(i + 1) : none();
            rows.take(i, here, before, here, after);
            before = here;
            here = after;
        }
        F multiplier = splat<F>(0.0f);
        Vec3<F> pull_after = none();
        for (int i = tip_; i >= 1; --i) {
            multiplier = points_.own(kRight, i) - points_.own(kAbove, i) * multiplier;
            points_.set_own(kMultiplier, i, points_.own(kMultiplier, i) + multiplier * share);
            const Vec3<F> pull = edge(i) * (multiplier * share);
            move(i, (pull_after - pull) * points_.inverse_mass(i));
            pull_after = pull;
        }
        move(0, pull_after * points_.inverse_mass(0));
    }
    HWY_INLINE void move(int i, const Vec3<F>& by)
    {
        points_.set_position(i, points_.at(i) + by);
        points_.set_own_vector(kDisplacement, i, points_.own_vector(kDisplacement, i) + by);
    }

    /// 1 where the length of an edge is off by more than a share of its rest length, or is not a number.
    HWY_INLINE F off_length(int i, const Vec3<F>& e, float share) const
    {
        const F l = points_.rest_length(i), off = dot(e, e) - l * l;
        const F most = l * max(l * splat<F>(share), rounding_) * splat<F>(2.0f);
        return select(off * off < most * most, splat<F>(0.0f), splat<F>(1.0f));
    }
    /// 1 for strands with such an edge.
    HWY_NOINLINE F stretched(float share) const
    {
        F worst = splat<F>(0.0f);
        for (int i = 1; i <= tip_; ++i) worst = max(worst, off_length(i, edge(i), share));
        return worst;
    }

    /// For strands whose step was too violent: the old gradients may have led anywhere. Starts again from the
    /// predictions with gradients at the current positions, which make the system positive definite. If that does not
    /// converge quickly, the strand has too many segments for the step, and ViolentStep takes over.
    HWY_NOINLINE void restart(const F& diverged)
    {
        const auto again = splat<F>(0.0f) < diverged;
        for (int i = 0; i <= tip_; ++i) {
            const auto moves = splat<F>(0.0f) < points_.inverse_mass(i) * diverged;
            points_.set_position(i, select(moves, points_.predicted(i), points_.at(i)));
            points_.set_own_vector(kDisplacement, i,
                                   select(again, unconstrained_step(i), points_.own_vector(kDisplacement, i)));
            points_.set_own(kMultiplier, i, select(again, splat<F>(0.0f), points_.own(kMultiplier, i)));
        }
        F left = diverged;
        for (int n = 0; n < kRestartIterations && any(splat<F>(0.0f) < left); ++n) {
            project_lengths(left);
            left = left * stretched(kMaxStretched);
        }
        if (any(splat<F>(0.0f) < left))
            left = violent_.find_positions(left, [&]() HWY_ATTR { return stretched(kMaxStretched); });
        violent_.finish(diverged, left);
    }

    // --- Contact
    //
    // Let v be the position that a particle would have without the plane n p = h. The plane pushes it back by
    // N = h - n v, and friction takes mu N from its slip along u, so it ends at v + (mu u - n) (n v - h). This is
    // linear in v, so lengths and contacts form one tridiagonal system, and tension grows along a surface as it should.
    // Trial solutions decide which particles slide.

    HWY_NOINLINE void stay_on_surfaces(int k)
    {
        for (int i = 0; i <= tip_; ++i) {
            for (size_t row = kNormal; row < kRows; ++row) points_.set_own(row, i, splat<F>(0.0f));
            points_.set_own(kSlides, i, splat<F>(1.0f));
        }
        if (!find_planes(k)) return;
        violent_.clear_removed();
        for (int round = 0; round < kPlaneRounds; ++round) {
            solve_on_planes();
            const bool more = find_planes(k), less = drop_pulling_planes();
            if (!more && !less) break;
        }
        const ContactInput& contact = points_.contact();
        slide(contact.static_friction);
        solve_on_planes();
        stick_or_slide(contact.friction);
        const F failed = solve_on_planes();
        if (any(splat<F>(0.0f) < failed)) give_up_planes(failed);
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i);
            const auto touches = splat<F>(0.0f) < dot(n, n);
            const Vec3<F> step = points_.step(i);
            const F out = max(splat<F>(0.0f), dot(step - points_.own_vector(kSurface, i), n));
            points_.set_own_vector(kDisplacement, i,
                                   select(touches, step - n * out, points_.own_vector(kDisplacement, i)));
        }
    }

    /// Finds planes for particles that are inside a collider now. Returns false if there are no new ones.
    HWY_NOINLINE bool find_planes(int k)
    {
        bool found = false;
        points_.resolve_contacts(k, [&](int i, const auto& touch, const Vec3<F>&) HWY_ATTR {
            const Vec3<F> known = points_.own_vector(kNormal, i);
            // Hair with a layer rises to it gradually, which planes cannot express.
            const auto touched = points_.layer() < dot(touch.normal, touch.normal) * splat<F>(kNoLayer);
            const auto is_new = dot(known, known) < select(touched, splat<F>(0.5f), splat<F>(0.0f));
            found = found || any(is_new);
            points_.set_own_vector(kNormal, i, select(touched, touch.normal, points_.own_vector(kNormal, i)));
            points_.set_own_vector(kReaction, i,
                                   select(touched, none() - touch.normal, points_.own_vector(kReaction, i)));
            points_.set_own_vector(kSurface, i, select(touched, touch.surface, points_.own_vector(kSurface, i)));
            points_.set_own(kHeight, i, select(touched, dot(points_.at(i), touch.normal), points_.own(kHeight, i)));
        });
        return found;
    }

    /// Solves lengths and planes, starting from the predictions. Returns 1 for strands that stay stretched.
    HWY_NOINLINE F solve_on_planes()
    {
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i), v = points_.predicted(i);
            const F height = points_.own(kHeight, i);
            const Vec3<F> slid = points_.own_vector(kReaction, i) * (dot(n, v) - height);
            const Vec3<F> carried = points_.own_vector(kSurface, i), s = points_.from(i) + carried;
            const Vec3<F> stuck = carried - points_.free_step(i) + n * (height - dot(n, s));
            const Vec3<F> shift = select(splat<F>(0.5f) < points_.own(kSlides, i), slid, stuck);
            const auto moves = splat<F>(0.0f) < points_.inverse_mass(i);
            points_.set_own_vector(kShift, i, select(moves, shift, none()));
            points_.set_position(i, select(moves, v + shift, points_.at(i)));
        }
        return solve<Contact::kPlanes>();
    }

    /// Strands that cannot satisfy planes and lengths at once are solved without planes; the final pass moves them out
    /// of colliders.
    HWY_NOINLINE void give_up_planes(const F& failed)
    {
        const auto these = splat<F>(0.0f) < failed;
        for (int i = 0; i <= tip_; ++i) {
            points_.set_own_vector(kNormal, i, select(these, none(), points_.own_vector(kNormal, i)));
            points_.set_own_vector(kReaction, i, select(these, none(), points_.own_vector(kReaction, i)));
            points_.set_own(kSlides, i, select(these, splat<F>(1.0f), points_.own(kSlides, i)));
        }
        const F diverged = solve_on_planes();
        if (any(splat<F>(0.0f) < diverged)) restart(diverged);
    }

    /// The height of a particle above its plane if the plane did not push.
    HWY_INLINE F height_without_push(int i) const
    {
        Vec3<F> pull = none();
        if (i < tip_) pull += edge_before(i + 1) * points_.own(kMultiplier, i + 1);
        if (i > 0) pull = pull - edge_before(i) * points_.own(kMultiplier, i);
        const Vec3<F> v = points_.predicted(i) + pull * points_.inverse_mass(i);
        return dot(points_.own_vector(kNormal, i), v) - points_.own(kHeight, i);
    }

    /// Drops planes that would have to pull. Returns false if there are none.
    HWY_INLINE bool drop_pulling_planes()
    {
        bool some = false;
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i);
            const auto leaves = splat<F>(0.0f) < height_without_push(i) * dot(n, n);
            some = some || any(leaves);
            points_.set_own_vector(kNormal, i, select(leaves, none(), points_.own_vector(kNormal, i)));
            points_.set_own_vector(kReaction, i, select(leaves, none(), points_.own_vector(kReaction, i)));
        }
        return some;
    }

    /// The displacement of a particle along its plane, relative to the surface.
    HWY_INLINE Vec3<F> slip(int i) const
    {
        const Vec3<F> n = points_.own_vector(kNormal, i);
        const Vec3<F> u = points_.own_vector(kDisplacement, i) - points_.own_vector(kSurface, i);
        return u - n * dot(n, u);
    }

    /// Makes friction act against the slip.
    HWY_INLINE void slide(float friction)
    {
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i), u = slip(i);
            const Vec3<F> mu_u = u * (splat<F>(friction) / sqrt(max(dot(u, u), splat<F>(kNoDirection))));
            points_.set_own_vector(kReaction, i, select(splat<F>(0.0f) < dot(n, n), mu_u - n, none()));
        }
    }

    /// Particles whose slip static friction would reverse stick to the surface; the others slide with `friction`.
    /// Particles that pull at each other stick or slide together, because lengths do not let one of them go alone.
    HWY_INLINE void stick_or_slide(float friction)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        F sum = zero;
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i), mu_u = points_.own_vector(kReaction, i) + n;
            const auto touches = zero < dot(n, n);
            if (i > 0) sum = select(zero < points_.own(kMultiplier, i), sum, zero);
            sum = sum + select(touches, dot(slip(i), mu_u), zero);
            points_.set_own(kSlides, i, sum);
            const Vec3<F> slower = mu_u * (splat<F>(friction) / sqrt(max(dot(mu_u, mu_u), splat<F>(kNoDirection))));
            points_.set_own_vector(kReaction, i, select(touches, slower - n, none()));
        }
        F together = zero;
        for (int i = tip_; i >= 0; --i) {
            const Vec3<F> n = points_.own_vector(kNormal, i);
            const F own = points_.own(kSlides, i);
            together = i < tip_ ? select(zero < points_.own(kMultiplier, i + 1), together, own) : own;
            points_.set_own(kSlides, i, select(zero < dot(n, n), select(zero < together, one, zero), one));
        }
    }

    /// Puts every particle at its rest length from the previous one and outside colliders. Without colliders in reach
    /// this can wait until the strand is written back.
    HWY_NOINLINE void finish_from_root(int k)
    {
        points_.restore_lengths(k, [&](int i, const Vec3<F>& kick) HWY_ATTR { take_velocity(i, kick); });
    }
    /// If that moved a particle by more than kMaxStretched of its segment, there was a contact or no convergence. Its
    /// velocity is then its actual displacement.
    HWY_INLINE void take_velocity(int i, const Vec3<F>& kick)
    {
        const Vec3<F> step = points_.step(i), displacement = points_.own_vector(kDisplacement, i),
                      correction = step - displacement - violent_.removed(i);
        const F least = points_.rest_length(i > 0 ? i : 1) * splat<F>(kMaxStretched);
        const auto same = dot(correction, correction) < least * least;
        points_.set_own_vector(kDisplacement, i, select(same, displacement, step - kick));
    }

    /// For strands with holds beyond the root: alternates between contacts and lengths.
    HWY_NOINLINE void finish_between_holds(int k, const F& diverged)
    {
        if (any(splat<F>(0.0f) < diverged)) replace_lost_positions();
        for (int round = 0; round < kRoundsBetweenHolds; ++round) {
            points_.resolve_contacts_into(k, kDisplacement);
            const F off = stretched(0.01f * kMaxStretched);
            if (!any(splat<F>(0.0f) < off)) return;
            project_lengths(off);
        }
        const auto off = [&]() HWY_ATTR { return stretched(kMaxStretched); };
        const F left = off();
        if (!any(splat<F>(0.0f) < left)) return;
        // A hold has jumped. The displacement that restores the lengths in one step does not count as velocity.
        replace_lost_positions();
        closer_.run(left, off);
        replace_lost_positions();
        // Holds out of reach give way, lengths do not.
        if (any(splat<F>(0.0f) < off()) || !points_.no_colliders_near(k)) finish_from_root(k);
    }

    /// Where holds jump by millions of segment lengths, iterations may end beyond the range of floats. Such particles
    /// return to the old pose, which the root carries along.
    HWY_NOINLINE void replace_lost_positions()
    {
        const F farthest2 = splat<F>(kFarthest * kFarthest);
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> p = points_.at(i), displacement = points_.own_vector(kDisplacement, i);
            const auto here = dot(p, p) < farthest2, moves = dot(displacement, displacement) < farthest2;  // not NaN
            points_.set_position(i, select(here, p, points_.before(i)));
            const auto keeps =
                splat<F>(0.5f) < select(here, select(moves, splat<F>(1.0f), splat<F>(0.0f)), splat<F>(0.0f));
            points_.set_own_vector(kDisplacement, i, select(keeps, displacement, points_.step(i)));
        }
    }

    Points& points_;
    ViolentStep violent_;
    LengthCloser closer_;
    int tip_, iterations_;
    F rounding_;  // [m]
};

void SolveDirect(const PointsTask& task, size_t begin, size_t end)
{
    solve_points<DirectPass>(task, begin, end, task.settings->direct.iterations);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolveDirect);

namespace {

/// Stores the tensions of all segments if the settings ask for them.
class DirectSolver final : public PointsSolver {
public:
    explicit DirectSolver(const SolverSettings& settings) : PointsSolver(settings, run) {}

    const ParticleRows* tensions() const override { return tensions_.empty() ? nullptr : &tensions_; }

private:
    static void run(const PointsTask& task, size_t begin, size_t end)
    {
        HWY_DYNAMIC_DISPATCH(SolveDirect)(task, begin, end);
    }
    void prepare(PointsTask& task, SolveReport&) override
    {
        const bool kept = settings().direct.keep_tensions;
        if (kept == tensions_.empty()) tensions_ = kept ? ParticleRows(task.strands->layout(), 1) : ParticleRows();
        task.tensions = kept ? &tensions_ : nullptr;
    }

    ParticleRows tensions_;
};

}  // namespace

std::unique_ptr<Solver> make_direct_solver(const SolverSettings& settings)
{
    return std::make_unique<DirectSolver>(settings);
}

}  // namespace tendril
#endif
