// A group of strands side by side as points, over the substeps of a step: where particles were, where they would go,
// and what of that becomes velocity. A method is what happens in between.

#if defined(TENDRIL_SOLVERS_POINTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_POINTS_INL_H_
#undef TENDRIL_SOLVERS_POINTS_INL_H_
#else
#define TENDRIL_SOLVERS_POINTS_INL_H_
#endif

#include "math/random.h"
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
    HWY_INLINE Points(const PointsTask& task, size_t block, size_t own_rows)
        : task_(task),
          bucket_(task.strands->buckets()[task.bucket]),
          block_(block),
          strand_(task.strands->blocks(task.bucket, block)),
          roots_(task, strand_, bucket_.first_block + block, 0),
          levels_(strand_.levels()),
          row_(static_cast<size_t>(levels_) * kLanes),
          rows_(points_workspace((kRows + own_rows) * row_)),
          place_(roots_.place(bucket_.roots)),
          moved_(splat<F>(0.0f, 0.0f, 0.0f))
    {
        if (root_held()) place_ = roots_.place_before_all(task.input->substeps());
        const auto [first, last] =
            std::equal_range(task.holds.begin(), task.holds.end(), BlockHold{index(), 0, 0, {}},
                             [](const BlockHold& a, const BlockHold& b) { return a.block < b.block; });
        holds_ = {first, last};
        Vec3<F> x = splat<F>(0.0f, 0.0f, 0.0f);
        for (int i = 0; i < levels_; ++i) {
            if (i > 0) x += strand_.edge(i);
            if (i > 0 && task.input->keep_previous) strand_.keep_edge(i, strand_.edge(i));
            set(kBefore, i, x);
        }
        weigh();
    }

    HWY_INLINE int levels() const { return levels_; }
    HWY_INLINE F rest_length(int i) const { return strand_.rest_length(i); }
    HWY_INLINE bool has_shape() const { return is_hair() && task_.input->shape.on(); }
    HWY_INLINE bool is_hair() const { return bucket_.ends == Ends::kRootHeld; }
    /// Nothing but the root is held, or not even that.
    HWY_INLINE bool hangs_on_root() const { return bucket_.ends != Ends::kBothHeld && holds_.empty(); }

    /// Asks for the k-th of three parts of what the next block reads at a level. For passes that take long: what is
    /// read when it is needed would be waited for.
    HWY_INLINE void ask_ahead(int i, int k) const { strand_.prefetch_next_rows(i, k); }

    /// Makes masses differ by up to a share, by strand and level.
    void vary_masses(float share)
    {
        for (int i = 0; i < levels_; ++i)
            for (size_t lane = 0; lane < kLanes; ++lane) {
                const double mass =
                    1 + static_cast<double>(share) *
                            (2 * uniform(static_cast<uint64_t>(strand(lane)), static_cast<uint64_t>(i)) - 1);
                rows_[kLightness * row_ + at_level(i) + lane] /= static_cast<float>(mass);
            }
    }

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
    HWY_INLINE void predict(int k)
    {
        const AirSubstep& air = task_.input->air[k];
        root_step_ = root_held() ? roots_.step(k) : splat<F>(0.0f, 0.0f, 0.0f);
        for (int i = root_held() ? 1 : 0; i < levels_; ++i) {
            const Vec3<F> drift = strand_.drift(i), x = before(i);
            Vec3<F> step = drift + splat<F>(air.fall);
            if (air.resists()) {
                const int child = i > 0 ? i : 1;
                const Vec3<F> e = before(child) - before(child - 1);
                const F per_length = splat<F>(1.0f) / sqrt(max(dot(e, e), splat<F>(kNoDirection)));
                step += drag(air, drift, e * per_length, place_ + x);
            }
            put(i, x + step - root_step_);
            set(kFree, i, step);
        }
        if (root_held()) put(0, splat<F>(0.0f, 0.0f, 0.0f));
        if (bucket_.ends == Ends::kBothHeld) put(levels_ - 1, roots_.tip(k));
        moved_ += root_step_;
        for (const BlockHold& hold : holds_) {
            float* to = rows_ + kAt * row_ + 3 * at_level(hold.level) + hold.lane;
            const Vec3f target = hold.target[k] - lane_of(moved_, hold.lane);
            put_vector(to, target);
        }
        place_ = root_held() ? roots_.place_after(k, place_) : place_;
    }

    /// The rest shape over substep k, to be walked from the root to the tip.
    HWY_INLINE auto shape(int k) const { return shape_pull<false>(task_, strand_, roots_, block_, k, root_step_); }

    /// The shape draws the predictions, as it does those of follow-the-leader.
    HWY_INLINE void draw_to_shape(int k)
    {
        if (!has_shape()) return;
        auto shape = this->shape(k);
        for (int i = 1; i < levels_; ++i) {
            const Vec3<F> parent = at(i - 1), e = before(i) - before(i - 1);
            const F l = rest_length(i);
            const Vec3<F> free = at(i) - parent;
            Vec3<F> q = free;
            shape.draw(i, e, from(i) - parent, l, q);
            const Vec3<F> drawn = select(splat<F>(0.0f) < lightness(i), q - free, splat<F>(0.0f, 0.0f, 0.0f));
            put(i, at(i) + drawn);
            set(kFree, i, get(kFree, i) + drawn);
            const F n2 = max(dot(q, q), splat<F>(kNoDirection));
            shape.pass(q * scale_to_length(l, n2));
        }
    }

    /// The groom as the root carries it, at the end of substep k. Hair only, where its shape is given.
    HWY_INLINE CarriedPose<F> carried_pose(int k) const { return {task_, roots_, block_, k}; }
    /// The edges of the second strand.
    HWY_INLINE Vec3<F> second_edge(int i) const { return strand_.second_edge(i); }
    HWY_INLINE void set_second_edge(int i, const Vec3<F>& e) { strand_.set_second_edge(i, e); }

    /// Keeps particles out of bodies, with friction; `touching(i, touch, kick)` is told what those of a level touch,
    /// and what they must not keep as velocity.
    template <class Touching>
    HWY_INLINE void meet_bodies(int k, Touching&& touching)
    {
        uint16_t near[kMostColliders];
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

    HWY_INLINE const ContactInput& contact() const { return task_.input->contact; }
    /// By which strands stay away from bodies in addition [m].
    HWY_INLINE F layer() const { return own_contact<F>(task_, block_, 0).layer; }
    /// What was inside of bodies from the beginning is pushed out little by little.
    HWY_INLINE bool eases_out() const { return contact().retained > 0; }
    /// No body is within reach in substep k.
    HWY_INLINE bool in_the_open(int k) const
    {
        uint16_t near[kMostColliders];
        return look_around(k, near).count == 0;
    }

    /// Puts every particle at its rest length from the one before it, from the root to the tip, and outside of bodies
    /// as follow-the-leader does. `done(i, kick)` is told what the particle must not keep as velocity.
    template <class Done>
    HWY_INLINE void restore_lengths(int k, const Done& done)
    {
        uint16_t near[kMostColliders];
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

    /// Says that segment i pulls its ends together by their way over a substep.
    HWY_INLINE void keep_tension(int i, const F& way) const
    {
        const double h = task_.input->dt / task_.input->substeps();
        float* to = task_.input->tensions + bucket_.first_number(block_) + at_level(i);
        LaneTraits<F>::store(way * splat<F>(static_cast<float>(1 / (h * h))), to, 0);
    }
    HWY_INLINE bool keeps_tensions() const { return task_.input->tensions != nullptr; }

    /// After the last substep. A difference of places far from the root has few digits of a short edge: where lengths
    /// are promised, it gives the direction only.
    HWY_INLINE void write_back()
    {
        const bool keeps = keeps_lengths(task_.settings->type);
        for (int i = 1; i < levels_; ++i) {
            const Vec3<F> e = before(i) - before(i - 1);
            const F n2 = max(dot(e, e), splat<F>(kNoDirection));
            strand_.set_edge(i, keeps ? e * scale_to_length(rest_length(i), n2) : e);
        }
        if (bucket_.roots == RootKind::kFree) strand_.set_root_moved(moved_);
        task_.gaps[index()] = gap();
    }

private:
    enum Row : size_t { kBefore = 0, kAt = 3, kFree = 6, kLightness = 9, kRows = 10 };

    HWY_INLINE Vec3<F> sound_edge(int i, const Vec3<F>& q) const
    {
        const F n2 = dot(q, q);
        const auto sound = n2 < select(splat<F>(kNoDirection) < n2, splat<F>(1e30f), splat<F>(0.0f));
        return select(sound, q, before(i) - before(i - 1));
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
    HWY_INLINE Around look_around(int k, uint16_t* near) const
    {
        const ContactInput& contact = task_.input->contact;
        Around around{};
        around.own.layer = around.reach = splat<F>(0.0f);
        if (contact.count == 0) return around;
        around.own = own_contact<F>(task_, block_, 0);
        around.reach =
            reach_of(strand_) * splat<F>(2.0f) + around.own.layer + splat<F>(contact.margin + contact.thickest);
        around.count = near_shapes(contact, k, place_, around.reach, near);
        return around;
    }

    HWY_INLINE size_t index() const { return bucket_.first_block + block_; }
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
    HWY_INLINE float gap() const
    {
        const int last = task_.input->substeps() - 1, tip = levels_ - 1;
        float worst = 0;
        if (bucket_.ends == Ends::kBothHeld)
            for (size_t lane = 0; lane < strands_in(bucket_, block_); ++lane)
                worst = std::max(worst, length(lane_of(before(tip) - roots_.tip(last), lane)));
        for (const BlockHold& hold : holds_) {
            const Vec3f at = lane_of(before(hold.level) + moved_, hold.lane);
            worst = std::max(worst, length(at - hold.target[last]));
        }
        return worst;
    }

    HWY_INLINE void weigh()
    {
        for (int i = 0; i < levels_; ++i)
            LaneTraits<F>::store(splat<F>(1.0f), rows_ + kLightness * row_ + at_level(i), 0);
        const F none = splat<F>(0.0f);
        if (root_held()) LaneTraits<F>::store(none, rows_ + kLightness * row_, 0);
        if (bucket_.ends == Ends::kBothHeld)
            LaneTraits<F>::store(none, rows_ + kLightness * row_ + at_level(levels_ - 1), 0);
        for (const BlockHold& hold : holds_) rows_[kLightness * row_ + at_level(hold.level) + hold.lane] = 0;
    }

    const PointsTask& task_;
    const Bucket& bucket_;
    size_t block_;
    BlockCursor<F> strand_;
    Roots<F> roots_;
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
