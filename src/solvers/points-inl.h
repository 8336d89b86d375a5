// A group of strands side by side as points, over the substeps of a step: where particles were, where they would go,
// and what of that becomes velocity. A method is what happens in between.

#if defined(TENDRIL_SOLVERS_POINTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_POINTS_INL_H_
#undef TENDRIL_SOLVERS_POINTS_INL_H_
#else
#define TENDRIL_SOLVERS_POINTS_INL_H_
#endif

#include "solvers/air-inl.h"
#include "solvers/points.h"
#include "solvers/step-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// The points of one block. Places are seen from the root: from where it will be at the end of the substep if it is
/// held, else from where it was at the start.
class Points {
public:
    using F = Lanes<1>;

    /// `own_rows`: how many rows per level a method keeps for itself.
    Points(const PointsTask& task, size_t block, size_t own_rows);

    HWY_INLINE int levels() const { return levels_; }
    HWY_INLINE F rest_length(int i) const { return strand_.rest_length(i); }
    /// How far from the root particles can get.
    HWY_INLINE F reach() const { return reach_of(strand_); }
    HWY_INLINE bool has_shape() const { return is_hair() && task_.input->shape.on(); }
    HWY_INLINE bool is_hair() const { return bucket_.ends == Ends::kRootHeld; }
    /// Nothing but the root is held, or not even that.
    HWY_INLINE bool hangs_on_root() const { return bucket_.ends != Ends::kBothHeld && holds_.empty(); }

    /// Asks for the k-th of three parts of what the next block reads at a level. For passes that take long: what is
    /// read when it is needed would be waited for.
    HWY_INLINE void ask_ahead(int i, int k) const { strand_.prefetch_next_rows(i, k); }

    /// Makes masses differ by up to a share, by strand and level.
    void vary_masses(float share);

    HWY_INLINE int tip() const { return levels_ - 1; }
    HWY_INLINE bool root_held() const { return bucket_.ends != Ends::kFree; }
    /// The strand stored in a lane, or -1.
    int64_t strand(size_t lane) const { return task_.strands->strand_at(task_.bucket, block_, lane); }

    /// Where particle i was, and where it goes.
    HWY_INLINE Vec3<F> before(int i) const { return get(kBefore, i); }
    /// How far a held root goes in the substep; zero where it is free.
    HWY_INLINE const Vec3<F>& root_step() const { return root_step_; }
    HWY_INLINE Vec3<F> at(int i) const { return get(kAt, i); }
    /// Where it was, from where `at` is seen.
    HWY_INLINE Vec3<F> from(int i) const { return before(i) - root_step_; }
    HWY_INLINE void put(int i, const Vec3<F>& p) { set(kAt, i, p); }
    /// One over its mass, in units of what most particles have; 0 where it is held.
    HWY_INLINE F lightness(int i) const { return LaneTraits<F>::load(rows_ + kLightness * row_ + at_level(i), 0); }
    /// A row of the method's own, or three of them.
    HWY_INLINE F own(size_t row, int i) const { return LaneTraits<F>::load(own_at(row, i), 0); }
    HWY_INLINE void set_own(size_t row, int i, const F& a) { LaneTraits<F>::store(a, own_at(row, i), 0); }
    HWY_INLINE Vec3<F> own_vector(size_t row, int i) const { return {own(row, i), own(row + 1, i), own(row + 2, i)}; }
    HWY_INLINE void set_own_vector(size_t row, int i, const Vec3<F>& v)
    {
        set_own(row, i, v.x), set_own(row + 1, i, v.y), set_own(row + 2, i, v.z);
    }

    /// Where particles would go in substep k if nothing held them together; held ones go where they must.
    void predict(int k);

    /// The rest shape over substep k, to be walked from the root to the tip.
    HWY_INLINE auto shape(int k) const { return shape_pull<false>(task_, strand_, roots_, block_, k, root_step_); }

    /// The shape draws the predictions, as it does those of follow-the-leader.
    void draw_to_shape(int k);

    /// The groom as the root carries it, at the end of substep k. Hair only, where its shape is given.
    HWY_INLINE CarriedPose<F> carried_pose(int k) const { return {task_, roots_, block_, k}; }
    /// The edges of the second strand.
    HWY_INLINE Vec3<F> second_edge(int i) const { return load_rows<F>(second_at(i), 0); }
    HWY_INLINE void set_second_edge(int i, const Vec3<F>& e) { store_rows(e, second_at(i), 0); }

    /// Keeps particles out of bodies, with friction; `touching(i, touch, kick)` is told what those of a level touch,
    /// and what they must not keep as velocity.
    template <class Touching>
    HWY_INLINE void meet_bodies(int k, Touching&& touching)
    {
        uint16_t near[kMaxColliders];
        const Around around = look_around(k, near);
        if (around.count == 0) return;
        Contacts<F> contacts(task_.input->contact, k, near, around.count, around.own);
        contacts.look_around(place_, around.reach);
        for (int i = root_held() ? 1 : 0; i < levels_; ++i) {
            const Vec3<F> x = from(i);
            Vec3<F> step = at(i) - x;
            const auto touch = contacts.meet(place_ + x, step, contacts.thickness(i));
            if (!any(splat<F>(0.0f) < dot(touch.normal, touch.normal))) continue;
            put(i, select(splat<F>(0.0f) < lightness(i), x + step, at(i)));
            touching(i, touch, contacts.pushed_out(touch, step));
        }
    }

    /// The same for methods that keep how far particles go in three rows of their own, `gone`, with digits that places
    /// do not have: what touches something has gone where that let it.
    void meet_bodies_into(int k, size_t gone);

    HWY_INLINE const ContactInput& contact() const { return task_.input->contact; }
    /// By which strands stay away from bodies in addition [m].
    HWY_INLINE F layer() const { return own_contact<F>(task_, block_, 0).layer; }
    /// What was inside of bodies from the beginning is pushed out little by little.
    HWY_INLINE bool eases_out() const { return contact().retained > 0; }
    /// No body is within reach in substep k.
    HWY_INLINE bool in_the_open(int k) const
    {
        uint16_t near[kMaxColliders];
        return look_around(k, near).count == 0;
    }

    /// Puts every particle at its rest length from the one before it, from the root to the tip, and outside of bodies
    /// as follow-the-leader does. `done(i, kick)` is told what the particle must not keep as velocity.
    template <class Done>
    HWY_INLINE void restore_lengths(int k, const Done& done)
    {
        uint16_t near[kMaxColliders];
        const Around around = look_around(k, near);
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        Contacts<F> contacts(task_.input->contact, k, near, around.count, around.own);
        if (!root_held() && around.count > 0) {
            contacts.look_around(place_, around.reach);
            Vec3<F> step = at(0);
            const auto touch = contacts.meet(place_, step, contacts.thickness(0));
            put(0, step);
            done(0, contacts.pushed_out(touch, step));
        }
        for (int i = 1; i < levels_; ++i) {
            const Vec3<F> parent = at(i - 1);
            const F l = rest_length(i);
            Vec3<F> kick = none, q = sound_edge(i, at(i) - parent);
            F scale = length_scale(i, q);
            if (around.count > 0)
                kick = contacts.keep_out({place_ + parent, from(i) - parent, l, contacts.thickness(i)}, q, scale);
            put(i, parent + q * scale);
            done(i, kick);
        }
    }

    /// How far it went in the substep before, less what was no velocity.
    HWY_INLINE Vec3<F> drift(int i) const { return strand_.drift(i); }
    /// How much farther a held root goes than in the substep before; zero where it is free.
    HWY_INLINE Vec3<F> root_jump() const { return root_held() ? root_step_ - drift(0) : splat<F>(0.0f, 0.0f, 0.0f); }
    /// How far particle i would have gone if nothing held it, with all digits; not for those that are held.
    HWY_INLINE Vec3<F> free_step(int i) const { return get(kFree, i); }
    /// Where that would have taken it.
    HWY_INLINE Vec3<F> predicted(int i) const { return before(i) + free_step(i) - root_step_; }
    /// How far particle i goes.
    HWY_INLINE Vec3<F> step(int i) const { return at(i) - before(i) + root_step_; }

    /// What particles have moved becomes their velocity, less what `kick(i)` says is none; `kept`: the share that is
    /// left of it.
    template <class Kick>
    HWY_INLINE void take_over(float kept, const Kick& kick)
    {
        const Vec3<F> root = at(0);  // zero where it is held
        for (int i = 0; i < levels_; ++i) {
            const Vec3<F> p = at(i);
            strand_.set_drift(i, (step(i) - kick(i)) * splat<F>(kept));
            set(kBefore, i, p - root);
        }
        if (root_held()) return;
        moved_ += root;
        place_ += root;
    }

    /// The same where three rows of the method's own say how far particles have gone.
    HWY_INLINE void take_over_from(size_t gone)
    {
        take_over(1.0f, [&](int i) HWY_ATTR { return step(i) - own_vector(gone, i); });
    }

    /// Says that segment i pulls its ends together by their way over a substep.
    HWY_INLINE void keep_tension(int i, const F& way) const
    {
        const double h = task_.input->dt / task_.input->substeps();
        float* to = task_.tensions->block(task_.bucket, block_) + at_level(i);
        LaneTraits<F>::store(way * splat<F>(static_cast<float>(1 / (h * h))), to, 0);
    }
    HWY_INLINE bool keeps_tensions() const { return task_.tensions != nullptr; }

    /// After the last substep. A difference of places far from the root has few digits of a short edge: where lengths
    /// are promised, it gives the direction only.
    void write_back();

private:
    enum Row : size_t { kBefore = 0, kAt = 3, kFree = 6, kLightness = 9, kRows = 10 };

    HWY_INLINE Vec3<F> sound_edge(int i, const Vec3<F>& q) const
    {
        return select(has_direction(dot(q, q)), q, before(i) - before(i - 1));
    }
    HWY_INLINE F length_scale(int i, const Vec3<F>& e) const
    {
        return scale_to_length(rest_length(i), max(dot(e, e), splat<F>(kNoDirection)));
    }

    /// Shapes that the strands could touch in substep k, and what they bring along.
    struct Around {
        StrandContact<F> own;
        F reach;
        size_t count;
    };
    Around look_around(int k, uint16_t* near) const;

    HWY_INLINE size_t index() const { return bucket_.first_block + block_; }
    HWY_INLINE float* second_at(int i) const { return task_.second->block(task_.bucket, block_) + 3 * at_level(i); }
    static HWY_INLINE size_t at_level(int i) { return static_cast<size_t>(i) * kLanes; }
    HWY_INLINE float* own_at(size_t row, int i) const { return rows_ + (kRows + row) * row_ + at_level(i); }
    HWY_INLINE Vec3<F> get(Row row, int i) const { return load_rows<F>(rows_ + row * row_ + 3 * at_level(i), 0); }
    HWY_INLINE void set(Row row, int i, const Vec3<F>& v) { store_rows(v, rows_ + row * row_ + 3 * at_level(i), 0); }
    static Vec3f lane_of(const Vec3<F>& v, size_t lane)
    {
        HWY_ALIGN float values[3 * kLanes];
        store_rows(v, values, 0);
        return vector_at(values + lane);
    }

    /// How far held particles are from where they must be after the last substep, at most.
    float gap() const;

    void weigh();

    const PointsTask& task_;
    const Bucket& bucket_;
    size_t block_;
    BlockCursor<F> strand_;
    BlockRootMotion<F> roots_;
    int levels_;
    size_t row_;  // floats of one row over all levels
    float* rows_;
    std::span<const BlockHold> holds_;
    Vec3<F> place_;      // of the root: at the end of the substep where it is held
    Vec3<F> root_step_;  // over the substep; zero where it is free
    Vec3<F> moved_;      // by the root since the start of the step
};

/// All substeps of some blocks by a method: `Pass` is made for a block, and `run` for every substep.
template <class Pass, class Step>
HWY_INLINE void solve_points(const PointsTask& task, size_t begin, size_t end, const Step& step)
{
    for (size_t block = begin; block < end; ++block) {
        Points points(task, block, Pass::kRows);
        Pass pass(points, step);
        for (int k = 0; k < task.input->substeps(); ++k) pass.run(k);
        points.write_back();
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
