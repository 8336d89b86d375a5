// A group of strands in SIMD lanes as points, over the substeps of a step: old positions, predictions, and the update
// of velocities. Methods differ in what they do between prediction and update.

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

/// The points of one block. Positions are relative to the root: to its position at the end of the substep if it is
/// held, otherwise to that at the start.
class Points {
public:
    using F = Lanes<1>;

    /// `own_rows` is the number of rows per level that a method keeps for itself.
    Points(const PointsTask& task, size_t block, size_t own_rows);

    HWY_INLINE int levels() const { return levels_; }
    HWY_INLINE F rest_length(int i) const { return strand_.rest_length(i); }
    /// Largest possible distance of a particle from the root.
    HWY_INLINE F reach() const { return reach_of(strand_); }
    HWY_INLINE bool has_shape() const { return is_hair() && task_.input->shape.on(); }
    HWY_INLINE bool is_hair() const { return bucket_.ends == Ends::kRootHeld; }
    /// Whether no particle is held, or only the root.
    HWY_INLINE bool is_free_past_root() const { return bucket_.ends != Ends::kBothHeld && holds_.empty(); }

    /// Prefetches the k-th of three parts of the next block's data at a level. For long passes, after which that data
    /// would otherwise have to be waited for.
    HWY_INLINE void prefetch_next(int i, int k) const { strand_.prefetch_next_rows(i, k); }

    /// Varies masses by up to a share, by strand and level.
    void vary_masses(float share);

    HWY_INLINE int tip() const { return levels_ - 1; }
    HWY_INLINE bool root_held() const { return bucket_.ends != Ends::kFree; }
    /// The strand stored in a lane, or -1 if there is none.
    int64_t strand(size_t lane) const { return task_.strands->strand_at(task_.bucket, block_, lane); }

    /// Old position of particle i, relative to the old position of the root.
    HWY_INLINE Vec3<F> before(int i) const { return get(kBefore, i); }
    /// Displacement of a held root in the substep; zero if the root is free.
    HWY_INLINE const Vec3<F>& root_step() const { return root_step_; }
    /// New position of particle i.
    HWY_INLINE Vec3<F> at(int i) const { return get(kAt, i); }
    /// Old position of particle i, relative to the same point as `at`.
    HWY_INLINE Vec3<F> from(int i) const { return before(i) - root_step_; }
    HWY_INLINE void set_position(int i, const Vec3<F>& p) { set(kAt, i, p); }
    /// Inverse mass of particle i, 1 for most particles; 0 if it is held.
    HWY_INLINE F inverse_mass(int i) const { return LaneTraits<F>::load(rows_ + kInverseMass * row_ + at_level(i), 0); }
    /// Rows of the method: one row, or three that form a vector.
    HWY_INLINE F own(size_t row, int i) const { return LaneTraits<F>::load(own_at(row, i), 0); }
    HWY_INLINE void set_own(size_t row, int i, const F& a) { LaneTraits<F>::store(a, own_at(row, i), 0); }
    HWY_INLINE Vec3<F> own_vector(size_t row, int i) const { return {own(row, i), own(row + 1, i), own(row + 2, i)}; }
    HWY_INLINE void set_own_vector(size_t row, int i, const Vec3<F>& v)
    {
        set_own(row, i, v.x), set_own(row + 1, i, v.y), set_own(row + 2, i, v.z);
    }

    /// Predicts positions for substep k without constraints; held particles move to their hold targets.
    void predict(int k);

    /// The pull of the rest shape over substep k, to be applied from the root to the tip.
    HWY_INLINE auto shape(int k) const { return shape_pull<false>(task_, strand_, roots_, block_, k, root_step_); }

    /// The displacement by a force over substep k that drag leaves of it, as the exact solution for a constant force
    /// has it. Explicit forces need it: they would overshoot if drag acted on the velocity alone.
    HWY_INLINE Vec3<F> against_air(int k, int i, const Vec3<F>& pushed) const
    {
        const AirSubstep& air = task_.input->air[k];
        return air.resists() ? against_drag(air, pushed, direction_before(i)) : pushed;
    }

    /// Pulls the predictions towards the rest shape, as follow-the-leader does.
    void pull_to_shape(int k);

    /// The rest pose as the root carries it, at the end of substep k. Only for hair with a shape.
    HWY_INLINE CarriedPose<F> carried_pose(int k) const { return {task_, roots_, block_, k}; }
    /// The edges of the second strand, see PointsTask.
    HWY_INLINE Vec3<F> second_edge(int i) const { return load_rows<F>(second_at(i), 0); }
    HWY_INLINE void set_second_edge(int i, const Vec3<F>& e) { store_rows(e, second_at(i), 0); }

    /// Pushes particles out of colliders, with friction. Calls `touching(i, touch, kick)` for each level with contacts;
    /// the kick is the part of the displacement that must not become velocity.
    template <class Touching>
    HWY_INLINE void resolve_contacts(int k, Touching&& touching)
    {
        uint16_t near[kMaxColliders];
        const NearColliders nearby = find_near_colliders(k, near);
        if (nearby.count == 0) return;
        Contacts<F> contacts(task_.input->contact, k, near, nearby.count, nearby.own);
        contacts.collect_candidates(root_position_, nearby.reach);
        for (int i = root_held() ? 1 : 0; i < levels_; ++i) {
            const Vec3<F> x = from(i);
            Vec3<F> step = at(i) - x;
            const auto touch = contacts.resolve_free_particle(root_position_ + x, step, contacts.thickness(i));
            if (!any(splat<F>(0.0f) < dot(touch.normal, touch.normal))) continue;
            set_position(i, select(splat<F>(0.0f) < inverse_mass(i), x + step, at(i)));
            touching(i, touch, contacts.kick(touch, step));
        }
    }

    /// The same for methods that keep displacements in three of their rows, which are more precise than differences of
    /// positions: stores the displacements of particles in contact in the rows from `displacements`.
    void resolve_contacts_into(int k, size_t displacements);

    HWY_INLINE const ContactInput& contact() const { return task_.input->contact; }
    /// Additional distance that strands keep from colliders [m].
    HWY_INLINE F layer() const { return own_contact<F>(task_, block_, 0).layer; }
    /// Whether particles that started inside a collider are still being eased out.
    HWY_INLINE bool eases_out() const { return contact().retained > 0; }
    /// Whether no collider is within reach in substep k.
    HWY_INLINE bool no_colliders_near(int k) const
    {
        uint16_t near[kMaxColliders];
        return find_near_colliders(k, near).count == 0;
    }

    /// Puts every particle at its rest length from the preceding one, from the root to the tip, and outside of
    /// colliders, as follow-the-leader does. Calls `done(i, kick)` for each particle; for the kick see
    /// `resolve_contacts`.
    template <class Done>
    HWY_INLINE void restore_lengths(int k, const Done& done)
    {
        uint16_t near[kMaxColliders];
        const NearColliders nearby = find_near_colliders(k, near);
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        Contacts<F> contacts(task_.input->contact, k, near, nearby.count, nearby.own);
        if (!root_held() && nearby.count > 0) {
            contacts.collect_candidates(root_position_, nearby.reach);
            Vec3<F> step = at(0);
            const auto touch = contacts.resolve_free_particle(root_position_, step, contacts.thickness(0));
            set_position(0, step);
            done(0, contacts.kick(touch, step));
        }
        for (int i = 1; i < levels_; ++i) {
            const Vec3<F> parent = at(i - 1);
            const F l = rest_length(i);
            Vec3<F> kick = none, q = valid_edge(i, at(i) - parent);
            F scale = length_scale(i, q);
            if (nearby.count > 0)
                kick =
                    contacts.keep_out({root_position_ + parent, from(i) - parent, l, contacts.thickness(i)}, q, scale);
            set_position(i, parent + q * scale);
            done(i, kick);
        }
    }

    /// Stored velocity of particle i times the substep.
    HWY_INLINE Vec3<F> drift(int i) const { return strand_.drift(i); }
    /// Change of a held root's displacement since the last substep; zero if the root is free.
    HWY_INLINE Vec3<F> root_jump() const { return root_held() ? root_step_ - drift(0) : splat<F>(0.0f, 0.0f, 0.0f); }
    /// Predicted displacement of particle i, at full precision; not valid for held particles.
    HWY_INLINE Vec3<F> free_step(int i) const { return get(kFree, i); }
    /// Predicted position of particle i.
    HWY_INLINE Vec3<F> predicted(int i) const { return before(i) + free_step(i) - root_step_; }
    /// Displacement of particle i.
    HWY_INLINE Vec3<F> step(int i) const { return at(i) - before(i) + root_step_; }

    /// Ends the substep: displacements without `kick(i)` become velocities, of which the share `kept` is left, and new
    /// positions become old ones.
    template <class Kick>
    HWY_INLINE void end_substep(float kept, const Kick& kick)
    {
        const Vec3<F> root = at(0);  // zero if it is held
        for (int i = 0; i < levels_; ++i) {
            const Vec3<F> p = at(i);
            strand_.set_drift(i, (step(i) - kick(i)) * splat<F>(kept));
            set(kBefore, i, p - root);
        }
        if (root_held()) return;
        moved_ += root;
        root_position_ += root;
    }

    /// The same with the displacements that the method keeps in three of its rows.
    HWY_INLINE void end_substep_from(size_t displacements)
    {
        end_substep(1.0f, [&](int i) HWY_ATTR { return step(i) - own_vector(displacements, i); });
    }

    /// Stores the tension of segment i, given the displacement that it causes over a substep [m].
    HWY_INLINE void store_tension(int i, const F& pull) const
    {
        const double h = task_.input->dt / task_.input->substeps();
        float* to = task_.tensions->block(task_.bucket, block_) + at_level(i);
        LaneTraits<F>::store(pull * splat<F>(static_cast<float>(1 / (h * h))), to, 0);
    }
    HWY_INLINE bool keeps_tensions() const { return task_.tensions != nullptr; }

    /// The edges as they are stored. A method that keeps edges writes them after `write_back`, at their full precision.
    HWY_INLINE Vec3<F> edge(int i) const { return strand_.edge(i); }
    HWY_INLINE void set_edge(int i, const Vec3<F>& e) { strand_.set_edge(i, e); }

    /// Writes the edges after the last substep. The difference of two positions far from the root has few digits left
    /// for a short edge: methods that keep lengths take only its direction.
    void write_back();

private:
    enum Row : size_t { kBefore = 0, kAt = 3, kFree = 6, kInverseMass = 9, kRows = 10 };

    /// The old direction of the strand at particle i.
    HWY_INLINE Vec3<F> direction_before(int i) const
    {
        const int child = i > 0 ? i : 1;
        const Vec3<F> e = before(child) - before(child - 1);
        return e * (splat<F>(1.0f) / sqrt(max(dot(e, e), splat<F>(kNoDirection))));
    }

    HWY_INLINE Vec3<F> valid_edge(int i, const Vec3<F>& q) const
    {
        return select(has_direction(dot(q, q)), q, before(i) - before(i - 1));
    }
    HWY_INLINE F length_scale(int i, const Vec3<F>& e) const
    {
        return scale_to_length(rest_length(i), max(dot(e, e), splat<F>(kNoDirection)));
    }

    /// The number of colliders that the strands could touch in a substep, and the contact properties of the strands.
    struct NearColliders {
        StrandContact<F> own;
        F reach;
        size_t count;
    };
    NearColliders find_near_colliders(int k, uint16_t* near) const;

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

    /// Largest distance of a held particle from its hold target after the last substep [m].
    float gap() const;

    void set_inverse_masses();

    const PointsTask& task_;
    const Bucket& bucket_;
    size_t block_;
    BlockCursor<F> strand_;
    BlockRootMotion<F> roots_;
    int levels_;
    size_t row_;  // floats of one row over all levels
    float* rows_;
    std::span<const BlockHold> holds_;
    Vec3<F> root_position_;  // position of the root; if it is held, at the end of the substep
    Vec3<F> root_step_;      // displacement of the root over the substep; zero if it is free
    Vec3<F> moved_;          // displacement of the root since the start of the step
};

/// Solves all substeps of some blocks with a method. Makes a `Pass` for each block and calls its `run` for each
/// substep.
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
