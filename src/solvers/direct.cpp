// The direct method: the multipliers of all lengths of a strand at once, from a tridiagonal system. The constraint of a
// segment e is (|e|^2 - l^2)/2, so that no root is needed; gradients at the start of the substep (SHAKE, [Ryckaert77])
// keep energy where those at its end would take it away. See docs/methods.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/direct.cpp"
#include <hwy/foreach_target.h>

#include "solvers/close_lengths-inl.h"
#include "solvers/violent_step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// All lengths of one block over one substep.
class DirectPass {
public:
    using F = Points::F;
    /// Rows of its own: the eliminated system, the multipliers, and what becomes velocity: the sum of impulses, which
    /// has digits that differences of places do not have. Where particles touch something: the plane that they stay on,
    /// how a push against it moves them, by how much it does so without any multipliers, how far the surface moves, and
    /// 0 where friction holds them, else 1.
    enum Row : size_t {
        kAbove,
        kRight,
        kMultiplier,
        kGone,
        kNormal = kGone + 3,
        kHeight = kNormal + 3,
        kYield,
        kShift = kYield + 3,
        kSurface = kShift + 3,
        kLoose = kSurface + 3,
        kViolent,
        kCloser = kViolent + ViolentStep::kRows,
        kRows = kCloser + LengthCloser::kRows
    };

    HWY_INLINE DirectPass(Points& points, int iterations)
        : points_(points),
          violent_(points, {kMultiplier, kGone, kViolent}),
          closer_(points, kCloser),
          tip_(points.levels() - 1),
          iterations_(iterations),
          rounding_(points.reach() * splat<F>(kPlaceRounding))
    {
    }

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        points_.draw_to_shape(k);
        const F wild = solve<Contact::kNone>();
        const bool open = points_.in_the_open(k);
        if (!open) violent_.forget_taken();
        if (any(splat<F>(0.0f) < wild)) start_again(wild);
        if (!open && !points_.eases_out()) stay_on_surfaces(k);
        if (!points_.hangs_on_root())
            finish_between_holds(k);
        else if (!open)
            finish_from_root(k);
        if (points_.keeps_tensions())
            for (int i = 1; i <= tip_; ++i)
                points_.keep_tension(i, points_.own(kMultiplier, i) * points_.rest_length(i));
        points_.take_over_from(kGone);
    }

private:
    // Beyond this, as a share of its length, a segment shows that the step was too violent.
    static constexpr float kMaxStretched = 1e-4f;
    static constexpr int kSoon = 6, kRoundsBetweenHolds = 12, kPlaneRounds = 3;
    // Of places, as a share of how far they can be from the root: shorter differences are no stretch.
    static constexpr float kPlaceRounding = 1.2e-7f;
    static constexpr float kNoLayer = 1e-6f;  // [m]

    HWY_INLINE Vec3<F> edge_before(int i) const { return points_.before(i) - points_.before(i - 1); }
    HWY_INLINE Vec3<F> edge(int i) const { return points_.at(i) - points_.at(i - 1); }
    static HWY_INLINE Vec3<F> none() { return splat<F>(0.0f, 0.0f, 0.0f); }

    enum class Contact { kNone, kPlanes };

    /// How far particle i goes if it is drawn by v.
    template <Contact kContact>
    HWY_INLINE Vec3<F> moved_by(int i, const Vec3<F>& v) const
    {
        if constexpr (kContact == Contact::kNone) return v * points_.lightness(i);
        const Vec3<F> along = v + points_.own_vector(kYield, i) * dot(points_.own_vector(kNormal, i), v);
        return along * (points_.lightness(i) * points_.own(kLoose, i));
    }

    /// Elimination of one row of the system after another: that of an edge e, whose own gradient is `here`.
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
            // Between two held ends there is nothing to move.
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

    /// The multipliers of all lengths, and the points moved by them. 1 for strands that stay stretched.
    template <Contact kContact>
    HWY_INLINE F solve()
    {
        find_multipliers<kContact, true>(0);
        for (int n = 1; n < iterations_; ++n) find_multipliers<kContact, false>(n);
        return apply_multipliers<kContact>();
    }

    /// One step of Newton towards multipliers with which all segments have their lengths; that of segment i draws its
    /// ends together along what the segment was before. `kFirst`: all are zero so far.
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
            if (iteration < 3) points_.ask_ahead(i, iteration);
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
            Vec3<F> gone = unhindered(i) + impulse;
            if constexpr (kContact == Contact::kPlanes) gone += points_.own_vector(kShift, i);
            points_.set_own_vector(kGone, i, gone);
            const Vec3<F> p = points_.at(i) + impulse;
            points_.put(i, p);
            if (i > 0) worst = max(worst, off_length(i, p - parent, kMaxStretched));
            parent = p;
            pull = pull_after;
        }
        return worst;
    }
    HWY_INLINE Vec3<F> unhindered(int i) const
    {
        return select(splat<F>(0.0f) < points_.lightness(i), points_.free_step(i), points_.step(i));
    }

    /// The same along what segments are now, which takes energy away and comes near from anywhere. `share`: 1 for
    /// strands that take the step, 0 for those that do not.
    HWY_NOINLINE void draw_together(const F& share)
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
            move(i, (pull_after - pull) * points_.lightness(i));
            pull_after = pull;
        }
        move(0, pull_after * points_.lightness(0));
    }
    HWY_INLINE void move(int i, const Vec3<F>& by)
    {
        points_.put(i, points_.at(i) + by);
        points_.set_own_vector(kGone, i, points_.own_vector(kGone, i) + by);
    }

    /// 1 where an edge is off its length by more than a share, or has none.
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

    /// Too violent for the old gradients, which may have led anywhere: with those of the present points the system is
    /// positive definite. Where that does not come near soon, there are too many segments for the step.
    HWY_NOINLINE void start_again(const F& wild)
    {
        const auto again = splat<F>(0.0f) < wild;
        for (int i = 0; i <= tip_; ++i) {
            const auto moves = splat<F>(0.0f) < points_.lightness(i) * wild;
            points_.put(i, select(moves, points_.predicted(i), points_.at(i)));
            points_.set_own_vector(kGone, i, select(again, unhindered(i), points_.own_vector(kGone, i)));
            points_.set_own(kMultiplier, i, select(again, splat<F>(0.0f), points_.own(kMultiplier, i)));
        }
        F left = wild;
        for (int n = 0; n < kSoon && any(splat<F>(0.0f) < left); ++n) {
            draw_together(left);
            left = left * stretched(kMaxStretched);
        }
        if (any(splat<F>(0.0f) < left))
            left = violent_.find_places(left, [&]() HWY_ATTR { return stretched(kMaxStretched); });
        violent_.finish(wild, left);
    }

    // --- Touching something
    //
    // A particle on a plane n p = h that would be at v without it is pushed back by N = h - n v, and friction takes
    // mu N of its slip along u: it is at v + (mu u - n) (n v - h). That is linear, so lengths and contacts are one
    // tridiagonal system: tension grows along a surface as it should. Who slides is decided by trying.

    HWY_NOINLINE void stay_on_surfaces(int k)
    {
        for (int i = 0; i <= tip_; ++i) {
            for (size_t row = kNormal; row < kRows; ++row) points_.set_own(row, i, splat<F>(0.0f));
            points_.set_own(kLoose, i, splat<F>(1.0f));
        }
        if (!find_planes(k)) return;
        violent_.forget_taken();
        for (int round = 0; round < kPlaneRounds; ++round) {
            solve_on_planes();
            const bool more = find_planes(k), less = leave_planes();
            if (!more && !less) break;
        }
        const ContactInput& contact = points_.contact();
        slide(contact.static_friction);
        solve_on_planes();
        hold_what_would_turn(contact.friction);
        const F failed = solve_on_planes();
        if (any(splat<F>(0.0f) < failed)) give_up_planes(failed);
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i);
            const auto touches = splat<F>(0.0f) < dot(n, n);
            const Vec3<F> step = points_.step(i);
            const F out = max(splat<F>(0.0f), dot(step - points_.own_vector(kSurface, i), n));
            points_.set_own_vector(kGone, i, select(touches, step - n * out, points_.own_vector(kGone, i)));
        }
    }

    /// Planes for particles that are inside of something now. False if there are no new ones.
    HWY_NOINLINE bool find_planes(int k)
    {
        bool found = false;
        points_.meet_bodies(k, [&](int i, const auto& touch, const Vec3<F>&) HWY_ATTR {
            const Vec3<F> known = points_.own_vector(kNormal, i);
            // Hair with a layer of its own rises to it gently, which planes do not know.
            const auto touched = points_.layer() < dot(touch.normal, touch.normal) * splat<F>(kNoLayer);
            const auto is_new = dot(known, known) < select(touched, splat<F>(0.5f), splat<F>(0.0f));
            found = found || any(is_new);
            points_.set_own_vector(kNormal, i, select(touched, touch.normal, points_.own_vector(kNormal, i)));
            points_.set_own_vector(kYield, i, select(touched, none() - touch.normal, points_.own_vector(kYield, i)));
            points_.set_own_vector(kSurface, i, select(touched, touch.surface, points_.own_vector(kSurface, i)));
            points_.set_own(kHeight, i, select(touched, dot(points_.at(i), touch.normal), points_.own(kHeight, i)));
        });
        return found;
    }

    /// From the predictions on. 1 for strands that stay stretched.
    HWY_NOINLINE F solve_on_planes()
    {
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i), v = points_.predicted(i);
            const F height = points_.own(kHeight, i);
            const Vec3<F> slid = points_.own_vector(kYield, i) * (dot(n, v) - height);
            const Vec3<F> carried = points_.own_vector(kSurface, i), s = points_.from(i) + carried;
            const Vec3<F> stuck = carried - points_.free_step(i) + n * (height - dot(n, s));
            const Vec3<F> shift = select(splat<F>(0.5f) < points_.own(kLoose, i), slid, stuck);
            const auto moves = splat<F>(0.0f) < points_.lightness(i);
            points_.set_own_vector(kShift, i, select(moves, shift, none()));
            points_.put(i, select(moves, v + shift, points_.at(i)));
        }
        return solve<Contact::kPlanes>();
    }

    /// Strands that planes and lengths cannot have at once go as if there were no planes; what comes after puts them
    /// outside.
    HWY_NOINLINE void give_up_planes(const F& failed)
    {
        const auto these = splat<F>(0.0f) < failed;
        for (int i = 0; i <= tip_; ++i) {
            points_.set_own_vector(kNormal, i, select(these, none(), points_.own_vector(kNormal, i)));
            points_.set_own_vector(kYield, i, select(these, none(), points_.own_vector(kYield, i)));
            points_.set_own(kLoose, i, select(these, splat<F>(1.0f), points_.own(kLoose, i)));
        }
        const F wild = solve_on_planes();
        if (any(splat<F>(0.0f) < wild)) start_again(wild);
    }

    /// How far a particle would be above its plane if that did not push.
    HWY_INLINE F height_without_push(int i) const
    {
        Vec3<F> pull = none();
        if (i < tip_) pull += edge_before(i + 1) * points_.own(kMultiplier, i + 1);
        if (i > 0) pull = pull - edge_before(i) * points_.own(kMultiplier, i);
        const Vec3<F> v = points_.predicted(i) + pull * points_.lightness(i);
        return dot(points_.own_vector(kNormal, i), v) - points_.own(kHeight, i);
    }

    /// Planes only push. False if all of them do.
    HWY_INLINE bool leave_planes()
    {
        bool some = false;
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i);
            const auto leaves = splat<F>(0.0f) < height_without_push(i) * dot(n, n);
            some = some || any(leaves);
            points_.set_own_vector(kNormal, i, select(leaves, none(), points_.own_vector(kNormal, i)));
            points_.set_own_vector(kYield, i, select(leaves, none(), points_.own_vector(kYield, i)));
        }
        return some;
    }

    /// Along its plane, as it goes now.
    HWY_INLINE Vec3<F> slip(int i) const
    {
        const Vec3<F> n = points_.own_vector(kNormal, i);
        const Vec3<F> u = points_.own_vector(kGone, i) - points_.own_vector(kSurface, i);
        return u - n * dot(n, u);
    }

    /// Lets friction act against the slip.
    HWY_INLINE void slide(float friction)
    {
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i), u = slip(i);
            const Vec3<F> way = u * (splat<F>(friction) / sqrt(max(dot(u, u), splat<F>(kNoDirection))));
            points_.set_own_vector(kYield, i, select(splat<F>(0.0f) < dot(n, n), way - n, none()));
        }
    }

    /// What friction would turn round stays where it is on the surface, and the rest slides. Particles that pull at
    /// each other do so together: lengths let none of them go alone.
    HWY_INLINE void hold_what_would_turn(float friction)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        F sum = zero;
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> n = points_.own_vector(kNormal, i), way = points_.own_vector(kYield, i) + n;
            const auto touches = zero < dot(n, n);
            if (i > 0) sum = select(zero < points_.own(kMultiplier, i), sum, zero);
            sum = sum + select(touches, dot(slip(i), way), zero);
            points_.set_own(kLoose, i, sum);
            const Vec3<F> slower = way * (splat<F>(friction) / sqrt(max(dot(way, way), splat<F>(kNoDirection))));
            points_.set_own_vector(kYield, i, select(touches, slower - n, none()));
        }
        F together = zero;
        for (int i = tip_; i >= 0; --i) {
            const Vec3<F> n = points_.own_vector(kNormal, i);
            const F own = points_.own(kLoose, i);
            together = i < tip_ ? select(zero < points_.own(kMultiplier, i + 1), together, own) : own;
            points_.set_own(kLoose, i, select(zero < dot(n, n), select(zero < together, one, zero), one));
        }
    }

    /// Every particle at its length from the one before it, outside of bodies. In the open that can wait until the
    /// strand is written back.
    HWY_NOINLINE void finish_from_root(int k)
    {
        points_.restore_lengths(k, [&](int i, const Vec3<F>& kick) HWY_ATTR { take_velocity(i, kick); });
    }
    /// Where that has moved a particle by more than rounding, there was a contact or no convergence: its velocity is
    /// then what it has really moved.
    HWY_INLINE void take_velocity(int i, const Vec3<F>& kick)
    {
        const Vec3<F> step = points_.step(i), gone = points_.own_vector(kGone, i),
                      mended = step - gone - violent_.taken(i);
        const F least = points_.rest_length(i > 0 ? i : 1) * splat<F>(kMaxStretched);
        const auto same = dot(mended, mended) < least * least;
        points_.set_own_vector(kGone, i, select(same, gone, step - kick));
    }

    /// Lengths between two places that are given, and contacts, in turns.
    HWY_NOINLINE void finish_between_holds(int k)
    {
        for (int round = 0; round < kRoundsBetweenHolds; ++round) {
            points_.meet_bodies_into(k, kGone);
            const F off = stretched(0.01f * kMaxStretched);
            if (!any(splat<F>(0.0f) < off)) return;
            draw_together(off);
        }
        const auto off = [&]() HWY_ATTR { return stretched(kMaxStretched); };
        const F left = off();
        if (!any(splat<F>(0.0f) < left)) return;
        // A hold that jumps: how a strand gets there in one step is no velocity.
        closer_.run(left, off);
        // What cannot be reached gives way, lengths do not.
        if (any(splat<F>(0.0f) < off()) || !points_.in_the_open(k)) finish_from_root(k);
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

/// Keeps the tensions of all segments where the settings ask for them.
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
