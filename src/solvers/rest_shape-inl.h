// Draws a strand to its rest shape, level by level from the root to the tip. See rest_shape.h.

#if defined(TENDRIL_SOLVERS_REST_SHAPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_REST_SHAPE_INL_H_
#undef TENDRIL_SOLVERS_REST_SHAPE_INL_H_
#else
#define TENDRIL_SOLVERS_REST_SHAPE_INL_H_
#endif

#include "solvers/rest_shape.h"
#include "strands/frame-inl.h"

#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Two perpendicular unit vectors.
template <class F>
struct Frame {
    Vec3<F> along, across;
};

/// An edge that turns by less than this share of its length over a substep does not turn at all. Otherwise rounding in
/// the frames, which every segment passes on to the next, would make a strand at rest tremble. Not in the paper's form.
inline constexpr float kStill = 1e-6f;

/// The pull on one strand, or on a group in SIMD lanes, over one substep, applied level by level. `kBlended`: there is
/// a shape, and all strands have the same blends.
template <class F, bool kBlended>
class ShapePull {
public:
    /// No shape.
    HWY_INLINE ShapePull() : input_(nullptr) {}
    /// The pull on the strands of a block of a bucket. `before` and `after` are the frames of the root at the start and
    /// end of the substep, `moved` is its displacement, and l is the length of the first segment.
    HWY_INLINE ShapePull(const ShapeInput& input, const ShapeInput::Rows& rows, const float* own, const float* targets,
                         size_t stride, const F& l, const Frame<F>& before, const Frame<F>& after, const Vec3<F>& moved)
        : input_(&input),
          rows_(&rows),
          stride_(stride),
          targets_(targets),
          frame_(after),
          root_(after),
          root_side_(cross(after.along, after.across)),
          root_turned_((cross(before.along, after.along) + cross(before.across, after.across) +
                        cross(cross(before.along, before.across), root_side_)) *
                       splat<F>(0.5f)),
          parent_to_target_(splat<F>(0.0f, 0.0f, 0.0f)),
          carried_(moved),
          still2_share_(input.paper ? 0.0f : kStill * kStill)
    {
        set_length(l);
        length_ = LaneTraits<F>::load(own + kStrandReach * kLanes, kShapeStrandRows * kLanes);
        strength_ = LaneTraits<F>::load(own + kStrength * kLanes, kShapeStrandRows * kLanes);
        sqrt_strength_ = LaneTraits<F>::load(own + kSqrtStrength * kLanes, kShapeStrandRows * kLanes);
    }

    HWY_INLINE bool on() const { return kBlended || input_ != nullptr; }
    HWY_INLINE bool paper() const { return !kBlended && input_->paper; }

    /// The targets of level i: the distance of the local one, and the edge of the global one.
    struct Aim {
        F distance;
        Vec3<F> edge;
    };
    HWY_INLINE Aim aim(int i, const F& l)
    {
        const float* at = targets_ + static_cast<size_t>(i) * kTargetRows * kLanes;
        for (size_t row = 0; row < kTargetRows; ++row) hwy::Prefetch(at + (kAhead * kTargetRows + row) * kLanes);
        const Vec3<F> t = load_rows<F>(at, stride_), g = load_rows<F>(at + kGlobalTarget * kLanes, stride_);
        const F distance = LaneTraits<F>::load(at + kTargetLength * kLanes, stride_);
        target_turn_ = LaneTraits<F>::load(at + kTargetTurn * kLanes, stride_);
        if (!rows_->even) set_length(l);
        target_direction_ = (frame_.along * t.x + frame_.across * t.y) + cross(frame_.along * t.z, frame_.across);
        return {distance, root_.along * g.x + root_.across * g.y + root_side_ * g.z};
    }
    /// The local target of level i relative to the parent.
    HWY_INLINE Vec3<F> local_target(int i, const F& l)
    {
        const F distance = aim(i, l).distance;
        return target_direction_ * distance;
    }

    /// The edge e as if it had only turned with the root.
    HWY_INLINE Vec3<F> swung(const Vec3<F>& e) const { return e + cross(root_turned_, e); }

    /// Draws the prediction q of level i to its targets. w is the old position of the particle relative to the
    /// projected parent, and e the edge that leads to it, of length l.
    HWY_INLINE void draw(int i, const Vec3<F>& e, const Vec3<F>& w, const F& l, Vec3<F>& q)
    {
        const auto [distance, edge] = aim(i, l);
        // Damping acts relative to the rotation of the root, not to that of the preceding edge: see docs/shape.md.
        const Vec3<F> swung = this->swung(e);
        carried_ += cross(root_turned_, edge);
        global_target_ = edge + parent_to_target_;
        if (kBlended || (rows_->blends && !input_->paper)) {
            const ShapeBlend& blend = rows_->blends[i];
            // The direction of the local target depends on a division and is available last.
            const Vec3<F> rest = (swung * splat<F>(blend.swung) + global_target_ * splat<F>(blend.global)) +
                                 (q * splat<F>(blend.free) + (w + carried_) * splat<F>(blend.carried));
            q = rest + target_direction_ * (distance * splat<F>(blend.local));
            return;
        }
        const ShapeLevel& level = rows_->levels[i];
        if (input_->paper) {
            q = q + (global_target_ - q) * (splat<F>(level.global) * strength_);
            q = q + (target_direction_ * distance - q) * (splat<F>(level.local) * strength_);
            return;
        }
        const F share = input_->by_length ? sqrt_strength_ * length_ * per_l_ : sqrt_strength_;
        const F local = splat<F>(level.local) * share * share, damped = splat<F>(level.local_damping) * share;
        const F global = splat<F>(level.global) * strength_, held = splat<F>(level.global_damping) * sqrt_strength_;
        const F weight = splat<F>(1.0f) + (local + damped) + (global + held);
        const Vec3<F> sum = q + target_direction_ * (local * distance) + swung * damped + global_target_ * global +
                            (w + carried_) * held;
        q = sum * (splat<F>(1.0f) / weight);
    }

    /// Advances the frame along the projected edge f.
    HWY_INLINE void pass(const Vec3<F>& f)
    {
        const Vec3<F> along = f * per_l_;
        const Vec3<F> across = frame_.across - (frame_.along + target_direction_) * target_turn_;
        const F turn = dot(along, across) / max(splat<F>(1.0f) + dot(target_direction_, along), splat<F>(kFoldedBack));
        frame_ = {along, across - (target_direction_ + along) * turn};
        parent_to_target_ = global_target_ - f;
    }

    /// The edge f, or the old edge e where it has hardly turned.
    HWY_INLINE Vec3<F> without_jitter(const Vec3<F>& f, const Vec3<F>& e) const
    {
        const Vec3<F> turn = f - e;
        return select(dot(turn, turn) < still2_, e, f);
    }

    /// The part of its displacement u that a particle keeps as velocity.
    HWY_INLINE Vec3<F> kept(const Vec3<F>& u) const { return u * splat<F>(input_->kept); }

private:
    static constexpr float kFoldedBack = 1e-3f;
    static constexpr size_t kAhead = 4;  // targets are prefetched this many levels ahead

    HWY_INLINE void set_length(const F& l)
    {
        per_l_ = splat<F>(1.0f) / l;
        still2_ = l * l * splat<F>(kBlended ? kStill * kStill : still2_share_);
    }

    const ShapeInput* input_;
    const ShapeInput::Rows* rows_;
    size_t stride_;
    const float* targets_;
    F length_, strength_, sqrt_strength_;
    Frame<F> frame_;  // of the segment that leads to the parent
    Frame<F> root_;
    Vec3<F> root_side_;
    Vec3<F> root_turned_;       // rotation of the root's frame over the substep [rad]
    Vec3<F> parent_to_target_;  // from the parent to its global target
    Vec3<F> carried_;           // displacement of the particle's global target
    float still2_share_;        // kStill squared, or 0
    F per_l_, still2_;          // of the segment: one over its length, and the smallest turn squared [m^2]
    // Of the level that was drawn last:
    F target_turn_;             // kTargetTurn
    Vec3<F> target_direction_;  // direction of its local target
    Vec3<F> global_target_;     // its global target, relative to the parent
};

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
