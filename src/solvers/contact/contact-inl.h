// Contact of particles with colliders, for one strand or a group of strands in SIMD lanes. [Mueller12] 3.1, with length
// and contact satisfied together. Edges and predictions are relative to the projected parent.

#if defined(TENDRIL_SOLVERS_CONTACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_CONTACT_INL_H_
#undef TENDRIL_SOLVERS_CONTACT_INL_H_
#else
#define TENDRIL_SOLVERS_CONTACT_INL_H_
#endif

#include "math/simd-inl.h"
#include "solvers/contact/collider-inl.h"
#include "solvers/contact/contact.h"

#include <algorithm>
#include <iterator>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

// How steeply a strand climbs from the skin to its own layer: the sine of 30 degrees.
inline constexpr float kRise = 0.5f;
// From the second pass on, penetration below this is ignored [m]; rounding of positions would otherwise cause more
// passes.
inline constexpr float kSlop = 4e-6f;
// Share of the clearance in each pass over the candidates. A sphere needs one pass and a check, several colliders need
// more. Between two surfaces there may be no room for the clearance, so it decreases from the third pass on.
inline constexpr float kClearanceShares[] = {1, 1, 0.5f, 0, 0, 0};
inline constexpr int kMaxPasses = std::size(kClearanceShares);
// One search for candidates covers this many segments.
inline constexpr float kLevelsAhead = 3.5f;
// Minimum length of a prediction that a contact has pushed, in units of the rest length.
inline constexpr float kShortest = 0.1f;
// Penetration below this is not eased out but resolved at once [m]; otherwise the small errors of moving surfaces would
// add up.
inline constexpr float kMinEasedDepth = 2e-4f;
// Motion by more than this share of a collider's detail is traced along its path.
inline constexpr float kFastMotion = 0.25f;
// Maximum number of steps along that path, and the distance that counts as contact, in units of the detail.
inline constexpr int kTraceSteps = 12;
inline constexpr float kContactTolerance = 0.01f;
// Iterations that search for the deepest point of a segment.
inline constexpr int kCutIterations = 4;

/// Any vector perpendicular to v, not much shorter than v.
template <class F>
HWY_INLINE Vec3<F> perpendicular_to(const Vec3<F>& v)
{
    const F zero = splat<F>(0.0f);
    return select(v.x * v.x < v.y * v.y + v.z * v.z, Vec3<F>{zero, v.z, zero - v.y}, Vec3<F>{zero - v.z, zero, v.x});
}

/// The circle in which the sphere of radius l around the parent meets the ball of a hit. With k its curvature and d its
/// distance at the edge f, |f| = l, the centre of the ball is at m = f - (d + 1/k) n, and a point x of the circle
/// satisfies 2 x m = l^2 + m^2 - 1/k^2. Times k that is x M = k (l^2 + d^2/2) - (1 + k d) f n + d with
/// M = k f - (1 + k d) n, which holds for planes as well. If sphere and ball do not meet, the circle is the point as
/// far outside as l allows.
template <class F>
class Circle {
public:
    HWY_INLINE Circle(const Hit<F>& hit, const Vec3<F>& f, const F& l) : curvature_(hit.curvature), l2_(l * l)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const F grown = one + hit.curvature * hit.distance;
        m_ = f * hit.curvature - hit.normal * grown;
        // If the parent is at the centre, outwards is towards the particle.
        m_ = select(dot(m_, m_) < splat<F>(1e-12f), f * (splat<F>(-1e-6f) / l), m_);
        const F n2 = max(dot(m_, m_), splat<F>(kNoDirection)), n = sqrt(n2);
        per_n2_ = one / n2;
        const F met = hit.curvature * (l2_ + splat<F>(0.5f) * hit.distance * hit.distance) -
                      grown * dot(f, hit.normal) + hit.distance;
        above_ = (met + met - hit.curvature * l2_) / (n + one);
        const F limit = l * n, height = max(zero - limit, min(limit, met));
        height_ = height * per_n2_;
        side2_ = max(zero, l2_ - height * height_);
    }

    /// The point of the circle nearest to q.
    HWY_INLINE Vec3<F> nearest(const Vec3<F>& q) const
    {
        Vec3<F> side = q - m_ * (dot(q, m_) * per_n2_);
        const auto aimed = dot(side, side) < l2_ * splat<F>(1e-10f);  // straight at the centre: any side is as good
        side = select(aimed, perpendicular_to(m_), side);
        side = side - m_ * (dot(side, m_) * per_n2_);  // repeated, because cancellation may have spoilt the first
        return m_ * height_ + side * sqrt(side2_ / max(dot(side, side), splat<F>(kNoDirection)));
    }

    /// Outward unit normal at a point of the circle.
    HWY_INLINE Vec3<F> normal(const Vec3<F>& point) const
    {
        const Vec3<F> out = point * curvature_ - m_;
        return out * (splat<F>(1.0f) / sqrt(max(dot(out, out), splat<F>(kNoDirection))));
    }

    /// Distance of the parent from the surface; negative inside.
    HWY_INLINE F parent_distance() const { return above_; }

private:
    F curvature_, l2_;
    Vec3<F> m_;
    F per_n2_;
    F height_;  // position of its centre along m_, in units of m_
    F side2_;   // its squared radius
    F above_;
};

/// The contact properties of a group of strands.
template <class F>
struct StrandContact {
    F layer;                           ///< additional distance from colliders [m]
    const float* thickness = nullptr;  ///< radii [level][16] [m], `stride` floats per block; or null
    size_t stride = 0;
};

/// Resolves the contacts of a group of strands with colliders in one substep.
template <class F>
class Contacts {
public:
    /// `near` has the indices of the `count` colliders that the strands could touch. It must outlive this object.
    HWY_INLINE Contacts(const ContactInput& input, int substep, const uint16_t* near, size_t count,
                        const StrandContact<F>& strand)
        : input_(&input),
          colliders_(input.in(substep).data()),
          near_(near),
          count_(count),
          strand_(strand),
          clearance_(strand.layer + splat<F>(input.margin)),
          covered_(splat<F>(0.0f))
    {
    }

    /// Requests that `touched` becomes positive for strands that touch a collider.
    HWY_INLINE void record_touch(F& touched) { touched_ = &touched; }

    /// Radius of the particle at a level [m].
    HWY_INLINE F thickness(int level) const
    {
        if (strand_.thickness == nullptr) return splat<F>(0.0f);
        return LaneTraits<F>::load(strand_.thickness + static_cast<size_t>(level) * kLanes, strand_.stride);
    }

    /// A particle at distance l from its parent, which is at `parent`; w is its old position relative to the parent.
    struct Particle {
        Vec3<F> parent, w;
        F l, thickness;
    };

    /// Changes the predicted edge q of a particle so that at length l it is outside of all colliders; `scale` brings q
    /// to that length. Returns the kick: the part of the displacement that pushed the particle out and must not become
    /// velocity.
    HWY_NOINLINE Vec3<F> keep_out(const Particle& at, Vec3<F>& q, F& scale);

    /// Collects the colliders within `reach` of `point` for the queries that follow.
    HWY_INLINE void collect_candidates(const Vec3<F>& point, const F& reach) { find_candidates(point, reach); }

    /// Distance of a particle at x, less its clearance, from the nearest of these colliders [m].
    HWY_INLINE F distance_at(const Vec3<F>& x, const F& thickness)
    {
        particle_clearance_ = clearance_ + thickness;
        Hit<F> hit = nothing_within(splat<F>(1e9f));
        find_nearest<Query::kDistance>(x, hit);
        return hit.distance;
    }

    /// The contact of a particle: the normal of the surface, zero without contact, and the displacement of the surface.
    struct Touch {
        Vec3<F> normal, surface;
        F approach;  ///< displacement towards the surface that the prediction had [m]
    };

    /// Contact of a particle without a length constraint: changes its `step` from x so that it ends outside of the
    /// colliders.
    HWY_NOINLINE Touch resolve_free_particle(const Vec3<F>& x, Vec3<F>& step, const F& thickness);

    /// The kick of a particle in contact that has made a step; see keep_out.
    HWY_INLINE Vec3<F> kick(const Touch& touch, const Vec3<F>& step) const
    {
        return touch.normal * normal_kick(dot(step - touch.surface, touch.normal), touch.approach);
    }

private:
    /// Replaces the prediction where `inside` is set.
    template <class M>
    static HWY_INLINE void replace(const M& inside, const Vec3<F>& by, const F& l, Vec3<F>& q, F& scale)
    {
        q = select(inside, by, q);
        const F n2 = max(dot(q, q), splat<F>(kNoDirection));
        scale = select(inside, scale_to_length(l, n2), scale);
    }

    /// Collects the colliders that any strand of the group could touch within the length `reach` from `parent`.
    HWY_NOINLINE void find_candidates(const Vec3<F>& parent, const F& reach);

    enum class Query { kDistance, kMotion };
    /// Finds the surface nearest to x among the first `count` candidates, and replaces `hit` where it is nearer.
    template <Query kQuery>
    HWY_INLINE void take_nearest(const Vec3<F>& x, int count, Hit<F>& hit) const
    {
        for (int i = 0; i < count; ++i) {
            const ColliderSubstep& s = colliders_[candidates_[i]];
            [[maybe_unused]] const F before = hit.distance;
            if (!take_nearer_collider(s, x, particle_clearance_, hit)) continue;
            if constexpr (kQuery == Query::kDistance) continue;
            if (does_not_deform(s)) hit.motion = select(hit.distance < before, motion_at(s, x), hit.motion);
        }
    }
    /// The same, not inlined because it is long: for callers where the cost of a call does not matter.
    template <Query kQuery>
    HWY_NOINLINE void find_nearest(const Vec3<F>& x, int count, Hit<F>& hit) const
    {
        take_nearest<kQuery>(x, count, hit);
    }
    template <Query kQuery>
    HWY_INLINE void find_nearest(const Vec3<F>& x, Hit<F>& hit) const
    {
        find_nearest<kQuery>(x, candidate_count_, hit);
    }

    /// The first pass: puts the particle on the surface, nearest to its prediction, and applies friction. Returns false
    /// if no strand of the group was inside.
    HWY_INLINE bool resolve_first(const Particle& at, Vec3<F>& q, F& scale, Touch& touch) const
    {
        const F zero = splat<F>(0.0f);
        const Vec3<F> f = q * scale;
        Hit<F> hit = nothing_within(zero);
        take_nearest<Query::kMotion>(at.parent + f, candidate_count_, hit);
        if (moves_far(at, f)) trace_path(at, f, hit);
        if (any(splat<F>(min_radius_) < at.l)) find_cut(at, f, hit);
        if (!any(hit.distance < zero)) return false;
        if (input_->retained > 0) ease_out(at, hit);
        const Circle<F> circle = circle_of(at, f, hit);
        const auto inside = hit.distance < zero;
        if (!any(inside)) return false;

        const Vec3<F> g = circle.nearest(q), n = circle.normal(g), still = at.w + hit.motion;
        const Vec3<F> slower = with_friction(without_push(q, g, n, at), n, still);
        touch.approach = zero - dot(q - still, n);
        replace(inside, with_pull(circle.nearest(slower), slower), at.l, q, scale);
        touch.normal = select(inside, n, splat<F>(0.0f, 0.0f, 0.0f));
        touch.surface = hit.motion;
        return true;
    }

    /// A later pass: a particle that was pushed out of one ball may have entered another, or a farther part of a cone.
    HWY_INLINE bool resolve_again(const Particle& at, Vec3<F>& q, F& scale) const
    {
        const Vec3<F> f = q * scale;
        const F slop = splat<F>(0.0f) - splat<F>(kSlop);
        Hit<F> hit = nothing_within(slop);
        find_nearest<Query::kMotion>(at.parent + f, hit);
        if (any(splat<F>(min_radius_) < at.l)) find_cut(at, f, hit);
        if (!any(hit.distance < slop)) return false;
        if (input_->retained > 0) ease_out(at, hit);
        const Circle<F> circle = circle_of(at, f, hit);
        const auto inside = hit.distance < slop;
        if (!any(inside)) return false;
        replace(inside, with_pull(circle.nearest(q), q), at.l, q, scale);
        return true;
    }

    /// Lets a particle that was inside before the substep keep a share of its penetration (ContactInput::retained), so
    /// that a rest pose that penetrates is pushed out without a jump. A particle that was outside stays outside.
    HWY_NOINLINE void ease_out(const Particle& at, Hit<F>& hit) const;

    /// The circle for a hit. From a parent below its layer a strand climbs gradually to the layer, but it leaves the
    /// surface at once.
    HWY_INLINE Circle<F> circle_of(const Particle& at, const Vec3<F>& f, Hit<F>& hit) const
    {
        const F zero = splat<F>(0.0f);
        const Circle<F> circle(hit, f, at.l);
        const F lower = min(strand_.layer, zero - circle.parent_distance() - splat<F>(kRise) * at.l);
        if (!any(zero < lower)) return circle;
        hit.distance = hit.distance + max(zero, lower);
        return Circle<F>(hit, f, at.l);
    }

    HWY_INLINE bool moves_far(const Particle& at, const Vec3<F>& f) const
    {
        const float far = kFastMotion * detail_ - max_travel_;
        const Vec3<F> moved = f - at.w;
        return far <= 0 || any(splat<F>(far * far) < dot(moved, moved));
    }

    /// Traces the path of the particle from the position to which the surface would have carried it, and takes the
    /// point where it entered, so that no particle passes through a collider or leaves it at the far side. A step along
    /// the path is as long as the free distance.
    HWY_NOINLINE void trace_path(const Particle& at, const Vec3<F>& f, Hit<F>& hit) const;

    /// Finds where the segment to the particle is deepest in a collider, even if its ends are outside. Along a segment
    /// the distance falls and rises again; tangents from both sides meet near the minimum, and on a sharp edge exactly
    /// there. A penetration d at the fraction t of the segment corresponds to d/t at its end.
    HWY_NOINLINE void find_cut(const Particle& at, const Vec3<F>& f, Hit<F>& hit) const;

    /// Keeps only the component of the prediction q along the edge g: the pull, which Eq. 9 takes back from the parent.
    HWY_INLINE Vec3<F> with_pull(const Vec3<F>& g, const Vec3<F>& q) const
    {
        return g * max(dot(q, g) * per_l_ * per_l_, splat<F>(kShortest));
    }

    /// The kick of a particle at the edge f. The length constraint lets it move only perpendicular to f, so the kick is
    /// along the normal made perpendicular to f.
    HWY_INLINE Vec3<F> edge_kick(const Particle& at, const Vec3<F>& f, const Touch& touch) const
    {
        const Vec3<F> along = f * per_l_, moved = f - at.w - touch.surface;
        const F k = dot(touch.normal, along), out = normal_kick(dot(moved, touch.normal), touch.approach);
        return (touch.normal - along * k) * (out / max(splat<F>(1.0f) - k * k, splat<F>(0.1f)));
    }

    /// The part of an outward displacement that must not become velocity. After a fast approach, restitution leaves a
    /// share of the approach as outward velocity.
    HWY_INLINE F normal_kick(const F& moved_out, const F& approach) const
    {
        const F out = max(splat<F>(0.0f), moved_out);
        if (!(input_->restitution > 0)) return out;
        const auto bounces = splat<F>(input_->bounce_above) < approach;
        return select(bounces, moved_out - approach * splat<F>(input_->restitution), out);
    }

    struct Push {
        Vec3<F> q;  ///< the prediction without the push of the contact: the edge, lengthened by the tension
        F depth;    ///< length of the push [m]
    };

    /// Both constraints hold at g, so a push along the normal n and a pull along the edge moved q there:
    /// g - q = depth n - tension g/l.
    HWY_INLINE Push without_push(const Vec3<F>& q, const Vec3<F>& g, const Vec3<F>& n, const Particle& at) const
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const Vec3<F> along = g * per_l_, d = g - q;
        const F k = dot(n, along), dn = dot(d, n), df = dot(d, along);
        // Push and pull cannot be told apart where the edge is along the normal.
        const F share = one / max(one - k * k, splat<F>(0.1f));
        const F depth = max(zero, (dn - k * df) * share);
        const F tension = (k * dn - df) * share;
        return {along * max(at.l + tension, at.l * splat<F>(kShortest)), depth};
    }

    /// Coulomb friction: a particle that static friction can hold stays where it is on the surface; otherwise friction
    /// reduces its motion along the surface. `still` is the position relative to the parent that the particle would
    /// have if it had moved with the surface.
    HWY_INLINE Vec3<F> with_friction(const Push& push, const Vec3<F>& n, const Vec3<F>& still) const
    {
        const F one = splat<F>(1.0f);
        const Vec3<F> moved = push.q - still;
        const Vec3<F> slide = moved - n * dot(moved, n);
        const F speed = sqrt(max(dot(slide, slide), splat<F>(kNoDirection)));
        const auto slides = splat<F>(input_->static_friction) * push.depth < speed;
        const F held = select(slides, min(one, splat<F>(input_->friction) * push.depth / speed), one);
        return push.q - slide * held;
    }

    F* touched_ = nullptr;
    const ContactInput* input_;
    const ColliderSubstep* colliders_;
    const uint16_t* near_;
    size_t count_;
    StrandContact<F> strand_;
    F clearance_;
    F particle_clearance_, per_l_;  // of the particle: clearance including its thickness [m], and one over its length
    F covered_;                     // length of strand that the candidates still cover [m]
    int candidate_count_ = 0;
    int sharp_count_ = 0;  // number of candidates that a segment with both ends outside may cut; they come first
    float detail_ = 0, min_radius_ = 0, max_travel_ = 0;  // minimum, minimum and maximum over the candidates
    uint16_t candidates_[kMaxColliders];
};

template <class F>
HWY_NOINLINE Vec3<F> Contacts<F>::keep_out(const Particle& at, Vec3<F>& q, F& scale)
{
    const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
    if (any(covered_ < at.l)) find_candidates(at.parent, at.l * splat<F>(kLevelsAhead));
    covered_ = covered_ - at.l;
    if (candidate_count_ == 0) return none;
    particle_clearance_ = clearance_ + at.thickness;
    per_l_ = splat<F>(1.0f) / at.l;
    Touch touch;
    if (!resolve_first(at, q, scale, touch)) return none;
    if (touched_) *touched_ = max(*touched_, dot(touch.normal, touch.normal));
    const F clearance = particle_clearance_ - at.thickness;
    for (int pass = 1; pass < kMaxPasses; ++pass) {
        particle_clearance_ = clearance * splat<F>(kClearanceShares[pass]) + at.thickness;
        if (!resolve_again(at, q, scale)) break;
    }
    return edge_kick(at, q * scale, touch);
}

template <class F>
HWY_NOINLINE typename Contacts<F>::Touch Contacts<F>::resolve_free_particle(const Vec3<F>& x, Vec3<F>& step,
                                                                            const F& thickness)
{
    const F zero = splat<F>(0.0f);
    particle_clearance_ = clearance_ + thickness;
    Touch touch{splat<F>(0.0f, 0.0f, 0.0f), splat<F>(0.0f, 0.0f, 0.0f), zero};
    for (int pass = 0; pass < kMaxPasses; ++pass) {
        Hit<F> hit = nothing_within(zero);
        find_nearest<Query::kMotion>(x + step, hit);
        const auto inside = hit.distance < zero;
        if (!any(inside)) break;
        Vec3<F> out = step - hit.normal * hit.distance;
        if (pass == 0) {
            const F depth = zero - hit.distance;
            touch = {select(inside, hit.normal, touch.normal), hit.motion, zero - dot(step - hit.motion, hit.normal)};
            out = with_friction({out, depth}, hit.normal, hit.motion);
        }
        step = select(inside, out, step);
    }
    return touch;
}

template <class F>
HWY_NOINLINE void Contacts<F>::find_candidates(const Vec3<F>& parent, const F& reach)
{
    covered_ = reach;
    candidate_count_ = sharp_count_ = 0;
    detail_ = min_radius_ = 1e9f;
    max_travel_ = 0;
    const F far = reach * splat<F>(1.0001f);  // allows for rounding in the sum of segments
    const F clearance = clearance_ + splat<F>(input_->thickest);
    for (size_t i = 0; i < count_; ++i) {
        const ColliderSubstep& s = colliders_[near_[i]];
        if (!within_reach(s, parent, clearance, far)) continue;
        candidates_[candidate_count_++] = near_[i];
        if (any(splat<F>(s.min_radius * kLevelsAhead) < reach))
            std::swap(candidates_[sharp_count_++], candidates_[candidate_count_ - 1]);
        detail_ = std::min(detail_, s.detail);
        min_radius_ = std::min(min_radius_, s.min_radius);
        max_travel_ = std::max(max_travel_, s.max_travel);
    }
}

template <class F>
HWY_NOINLINE void Contacts<F>::ease_out(const Particle& at, Hit<F>& hit) const
{
    const F zero = splat<F>(0.0f);
    Hit<F> before = nothing_within(zero);
    find_nearest<Query::kDistance>(at.parent + at.w + hit.motion, before);
    const F depth = select(before.distance < splat<F>(-kMinEasedDepth), zero - before.distance, zero);
    hit.distance = hit.distance + depth * splat<F>(input_->retained);
}

template <class F>
HWY_NOINLINE void Contacts<F>::trace_path(const Particle& at, const Vec3<F>& f, Hit<F>& hit) const
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f), near = splat<F>(kContactTolerance * detail_);
    Hit<F> start = nothing_within(splat<F>(1e9f));
    find_nearest<Query::kMotion>(at.parent + at.w, start);
    const Vec3<F> still = at.w + start.motion, path = f - still;
    const F n2 = dot(path, path);
    const auto far = splat<F>(kFastMotion * kFastMotion * detail_ * detail_) < n2;
    if (!any(far)) return;
    const F per_length = one / sqrt(max(n2, splat<F>(kNoDirection)));
    F t = zero, open = select(far, one, zero);  // open: 1 while the particle has not entered
    for (int step = 0; step < kTraceSteps; ++step) {
        const Vec3<F> x = still + path * t;
        Hit<F> seen = nothing_within(splat<F>(1e9f));
        find_nearest<Query::kDistance>(at.parent + x, seen);
        // A particle that starts inside has no point of entry.
        if (step == 0) open = select(seen.distance < zero, zero, open);
        const auto arrived = seen.distance < select(zero < open, near, splat<F>(-1e9f));
        const F depth = dot(f - x, seen.normal) + seen.distance;
        const auto enters = depth < select(arrived, zero, splat<F>(-1e9f));
        hit.distance = select(enters, depth, hit.distance);
        hit.normal = select(enters, seen.normal, hit.normal);
        hit.curvature = select(enters, zero, hit.curvature);
        hit.motion = select(enters, start.motion, hit.motion);
        open = select(enters, zero, open);
        t = t + max(seen.distance, near) * per_length;
        open = select(t < one, open, zero);
        if (!any(zero < open)) break;
    }
}

template <class F>
HWY_NOINLINE void Contacts<F>::find_cut(const Particle& at, const Vec3<F>& f, Hit<F>& hit) const
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
    // A segment cannot cut a collider that is farther from one of its ends than the segment is long.
    Hit<F> first = nothing_within(at.l), last = first;
    find_nearest<Query::kDistance>(at.parent, sharp_count_, first);
    // A root in the skin inevitably cuts it, and short segments may cut: neither is tested.
    const F least = select(splat<F>(min_radius_) < at.l, splat<F>(-2 * kSlop), splat<F>(1e9f));
    const auto open = least < select(first.distance < at.l, first.distance, splat<F>(-1e9f));
    if (!any(open)) return;
    find_nearest<Query::kMotion>(at.parent + f, sharp_count_, last);
    if (!any(last.distance < select(open, at.l, splat<F>(-1e9f)))) return;
    F t0 = zero, d0 = first.distance, s0 = dot(first.normal, f);
    F t1 = one, d1 = last.distance, s1 = dot(last.normal, f);
    for (int iteration = 0; iteration < kCutIterations; ++iteration) {
        const F turn = s1 - s0;  // positive where the distance falls and rises again
        const auto bowl = zero < select(s0 < zero, select(zero < s1, select(open, turn, zero), zero), zero);
        if (!any(bowl)) return;
        F t = (d0 - d1 + s1 * t1 - s0 * t0) / max(turn, splat<F>(1e-12f));
        const F edge = (t1 - t0) * splat<F>(0.02f);
        t = max(t0 + edge, min(t1 - edge, t));
        Hit<F> seen = nothing_within(at.l + at.l);
        find_nearest<Query::kMotion>(at.parent + f * t, sharp_count_, seen);
        const F lever = seen.distance / t;
        const auto deeper = lever < select(bowl, hit.distance, splat<F>(-1e9f));
        hit.distance = select(deeper, lever, hit.distance);
        hit.normal = select(deeper, seen.normal, hit.normal);
        hit.curvature = select(deeper, zero, hit.curvature);
        hit.motion = select(deeper, seen.motion, hit.motion);
        const F slope = dot(seen.normal, f);
        const auto falls = slope < zero;
        t0 = select(falls, t, t0), d0 = select(falls, seen.distance, d0), s0 = select(falls, slope, s0);
        t1 = select(falls, t1, t), d1 = select(falls, d1, seen.distance), s1 = select(falls, s1, slope);
    }
}

// This applies to the long functions only: those defined inside the class are compiled for every method.
extern template class Contacts<Lanes<1>>;  // in contact_kernels.cpp

/// Smallest and largest value of all lanes.
template <class F>
HWY_INLINE void lane_range(const F& a, float& low, float& high)
{
    constexpr size_t kCount = std::is_same_v<F, float> ? 1 : LaneTraits<F>::kBlocks * kLanes;
    HWY_ALIGN float values[kCount];
    LaneTraits<F>::store(a, values, kLanes);
    const auto [smallest, largest] = std::minmax_element(values, values + kCount);
    low = *smallest;
    high = *largest;
}

/// Lists the colliders that strands of length `reach` with roots at `root` could touch. Returns their number.
template <class F>
HWY_INLINE size_t near_colliders(const ContactInput& input, int substep, const Vec3<F>& root, const F& reach,
                                 uint16_t* near)
{
    float low[3], high[3], unused;
    lane_range(root.x - reach, low[0], unused), lane_range(root.x + reach, unused, high[0]);
    lane_range(root.y - reach, low[1], unused), lane_range(root.y + reach, unused, high[1]);
    lane_range(root.z - reach, low[2], unused), lane_range(root.z + reach, unused, high[2]);
    size_t count = 0;
    const auto colliders = input.in(substep);
    for (size_t i = 0; i < colliders.size(); ++i) {
        const ColliderSubstep& s = colliders[i];
        const float centre[3] = {s.centre.x, s.centre.y, s.centre.z};
        float away2 = 0;
        for (int k = 0; k < 3; ++k) {
            const float d = std::max(0.0f, std::max(low[k] - centre[k], centre[k] - high[k]));
            away2 += d * d;
        }
        if (away2 <= s.bounding_radius * s.bounding_radius) near[count++] = static_cast<uint16_t>(i);
    }
    return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
