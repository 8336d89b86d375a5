// How a strand is drawn towards its rest shape on its way from the root to the tip. See rest_shape.h.

#if defined(TENDRIL_SOLVERS_REST_SHAPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_REST_SHAPE_INL_H_
#undef TENDRIL_SOLVERS_REST_SHAPE_INL_H_
#else
#define TENDRIL_SOLVERS_REST_SHAPE_INL_H_
#endif

#include "solvers/rest_shape.h"
#include "strands/frame-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Two unit vectors across each other.
template <class F>
struct Frame {
    Vec3<F> along, across;
};

/// An edge that turns by less than this share of its length over a substep does not turn: a strand at rest would
/// otherwise tremble by the rounding of its frames, which every segment hands on to the next.
inline constexpr float kStill = 1e-6f;

/// The pull on one strand, or on a group side by side, over one substep. It goes along with a Leader, level by level.
template <class F>
class ShapePull {
public:
    /// No shape.
    HWY_INLINE ShapePull() : input_(nullptr) {}
    /// `before` and `after` are the frames of the root at the ends of the substep, `moved` its displacement.
    HWY_INLINE ShapePull(const ShapeInput& input, size_t bucket, size_t block, size_t first_block, int levels,
                         size_t lane, const Frame<F>& before, const Frame<F>& after, const Vec3<F>& moved)
        : input_(&input),
          levels_(input.buckets[bucket].levels),
          stride_(static_cast<size_t>(levels) * kTargetRows * kLanes),
          targets_(input.buckets[bucket].targets + block * stride_ + lane),
          frame_(after),
          root_(after),
          root_side_(cross(after.along, after.across)),
          root_turn_{after.along - before.along, after.across - before.across},
          root_side_turn_(root_side_ - cross(before.along, before.across)),
          turned_(splat<F>(0.0f, 0.0f, 0.0f)),
          behind_(turned_),
          carried_(moved)
    {
        const float* own = input.strands + (first_block + block) * kShapeStrandRows * kLanes + lane;
        length_ = LaneTraits<F>::load(own + 6 * kLanes, kShapeStrandRows * kLanes);
        strength_ = LaneTraits<F>::load(own + 7 * kLanes, kShapeStrandRows * kLanes);
        root_strength_ = LaneTraits<F>::load(own + 8 * kLanes, kShapeStrandRows * kLanes);
    }

    HWY_INLINE bool on() const { return input_ != nullptr; }
    HWY_INLINE bool paper() const { return input_->paper; }

    /// Draws the prediction q of level i. Seen from the projected parent, w is where the particle was; e is the edge
    /// that leads to it.
    HWY_INLINE void draw(int i, const Vec3<F>& e, const Vec3<F>& w, const F& l, Vec3<F>& q)
    {
        const ShapeLevel& level = levels_[i];
        const float* at = targets_ + static_cast<size_t>(i) * kTargetRows * kLanes;
        const Vec3<F> t = load_rows<F>(at, stride_), g = load_rows<F>(at + 5 * kLanes, stride_);
        const F distance = LaneTraits<F>::load(at + 3 * kLanes, stride_);
        mixed_ = LaneTraits<F>::load(at + 4 * kLanes, stride_);
        per_l_ = splat<F>(1.0f) / l;
        to_ = frame_.along * t.x + frame_.across * t.y + cross(frame_.along, frame_.across) * t.z;
        swung_ = e + cross(turned_, e);
        edge_ = root_.along * g.x + root_.across * g.y + root_side_ * g.z;
        const Vec3<F> edge_turn = root_turn_.along * g.x + root_turn_.across * g.y + root_side_turn_ * g.z;
        carried_ += edge_turn;
        const Vec3<F> place = edge_ + behind_;  // of the global target, seen from the parent
        if (input_->paper) {
            q = q + (place - q) * (splat<F>(level.global) * strength_);
            q = q + (to_ * distance - q) * (splat<F>(level.local) * strength_);
            return;
        }
        // The masses of the segments of a strand go with their lengths, and so does how far each may give way.
        const F share = input_->by_length ? root_strength_ * length_ * per_l_ : root_strength_;
        const F local = splat<F>(level.local) * share * share, damped = splat<F>(level.local_damping) * share;
        const F global = splat<F>(level.global) * strength_, held = splat<F>(level.global_damping) * root_strength_;
        const F weight = splat<F>(1.0f) + (local + damped) + (global + held);
        const Vec3<F> sum = q + to_ * (local * distance) + swung_ * damped + place * global + (w + carried_) * held;
        q = sum * (splat<F>(1.0f) / weight);
    }

    /// Takes the frame on along the projected edge f.
    HWY_INLINE void pass(const Vec3<F>& f)
    {
        const Vec3<F> along = f * per_l_;
        const Vec3<F> across = frame_.across - (frame_.along + to_) * mixed_;
        const F turn = dot(along, across) / max(splat<F>(1.0f) + dot(to_, along), splat<F>(kFoldedBack));
        frame_ = {along, across - (to_ + along) * turn};
        const F one = splat<F>(1.0f), least = splat<F>(-1.0f);
        const Vec3<F> more = turned_ + cross(swung_, f) * (per_l_ * per_l_);
        turned_ = {max(least, min(one, more.x)), max(least, min(one, more.y)), max(least, min(one, more.z))};
        behind_ += edge_ - f;
    }

    /// The edge f, or the old one e where it has turned by next to nothing.
    HWY_INLINE Vec3<F> without_tremble(const Vec3<F>& f, const Vec3<F>& e, const F& l) const
    {
        const Vec3<F> turn = f - e;
        return select(dot(turn, turn) < l * l * splat<F>(kStill * kStill), e, f);
    }

    /// What a particle that has moved by u loses of that.
    HWY_INLINE Vec3<F> drag(const Vec3<F>& u) const { return u * splat<F>(input_->drag); }

private:
    static constexpr float kFoldedBack = 1e-3f;

    const ShapeInput* input_;
    const ShapeLevel* levels_;
    size_t stride_;
    const float* targets_;
    F length_, strength_, root_strength_;
    Frame<F> frame_;  // of the segment that leads to the parent
    Frame<F> root_;
    Vec3<F> root_side_;
    Frame<F> root_turn_;  // how the root's frame has changed over the substep
    Vec3<F> root_side_turn_;
    Vec3<F> turned_;   // rotation of the parent's frame over the substep [rad]
    Vec3<F> behind_;   // from the parent to its global target
    Vec3<F> carried_;  // how far the global target of the particle has moved
    // Of the level that was drawn last:
    F mixed_, per_l_;
    Vec3<F> to_;     // direction of its local target
    Vec3<F> swung_;  // the old edge, had it turned with the parent's frame
    Vec3<F> edge_;   // from the parent's global target to its own
};

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
