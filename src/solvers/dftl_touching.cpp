// Dynamic follow-the-leader with colliders, and of single strands, see dftl.h. The method is in leader-inl.h,
// rope-inl.h and contact-inl.h.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/dftl_touching.cpp"
#include <hwy/foreach_target.h>

#include "solvers/contact/contact-inl.h"
#include "solvers/dftl-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Strands that touch a collider and have hardly moved over the step return to their previous positions but keep their
/// current velocity. A strand that is out of balance gathers speed and moves off. A strand that merely creeps, because
/// a leader does not feel the friction of its followers, gathers none and stays.
template <class F>
HWY_NOINLINE void stop_creeping(BlockCursor<F>& strand, const F& touched, float stick)
{
    Vec3<F> moved = splat<F>(0.0f, 0.0f, 0.0f);
    F largest2 = splat<F>(0.0f);
    for (int i = 1; i < strand.levels(); ++i) {
        moved += strand.edge(i) - strand.edge_before(i);
        largest2 = max(largest2, dot(moved, moved));
    }
    const auto stuck = largest2 < select(splat<F>(0.0f) < touched, splat<F>(stick * stick), splat<F>(0.0f));
    if (!any(stuck)) return;
    for (int i = 1; i < strand.levels(); ++i) strand.set_edge(i, select(stuck, strand.edge_before(i), strand.edge(i)));
}

/// Runs the substeps of a block one after another.
template <class F>
HWY_NOINLINE void solve_touching_block(const DftlTask& task, size_t block)
{
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    const ContactInput& contact = task.input->contact;
    BlockCursor<F> strand(task.strands->blocks(task.bucket, block));
    const size_t index = bucket.first_block + block;
    const BlockRootMotion<F> roots(task, strand, index, 0);
    const StrandContact<F> own = own_contact<F>(task, block, 0);
    const F reach = reach_of(strand) + own.layer + splat<F>(contact.margin + contact.thickest);
    Vec3<F> root_position = roots.position_before_all(task.input->substeps());
    F touched = splat<F>(0.0f), root_moved = touched;
    float travel = 0;
    for (int k = 0; k < task.input->substeps(); ++k) {
        const LeaderSubstep step = hair_substep(task, k);
        if (task.settings->backward_pass && step.dynamic) draw_towards_tip(strand, splat<F>(step.air->fall));
        const Vec3<F> u = roots.step(k);
        root_moved = root_moved + dot(u, u);
        root_position = roots.position_after(k, root_position);
        uint16_t near[kMaxColliders];
        const size_t count = near_colliders(contact, k, root_position, reach, near);
        for (size_t i = 0; i < count; ++i) travel = std::max(travel, contact.in(k)[near[i]].max_travel);
        Contacts<F> contacts(contact, k, near, count, own);
        contacts.record_touch(touched);
        follow(strand,
               Leader<F, Hair::kAny, Contacts<F>>(step, u, root_position - u,
                                                  shape_pull<false>(task, strand, roots, block, k, u), contacts),
               {k == 0, k == 0 && task.input->keep_previous});
    }
    const bool body_rests = travel == 0 && !any(splat<F>(0.0f) < root_moved);
    if (body_rests && contact.stick > 0 && task.input->keep_previous) stop_creeping(strand, touched, contact.stick);
}

void SolveTouchingHair(const DftlTask& task, size_t begin, size_t end)
{
    // Never two blocks at once: the candidates and the number of contact passes are chosen for all strands of a group
    // together, so groups must be the same for any number of threads and any instruction set.
    for (size_t block = begin; block < end; ++block) solve_touching_block<Lanes<1>>(task, block);
}

void SolveLoneStrand(const DftlTask& task, LoneStrand& lone)
{
    BlockCursor<float> strand(lone.lane);
    const RopeEnds<float> ends{BlockRootMotion<float>(task, strand, lone.block, lone.lane_index),
                               task.strands->buckets()[task.bucket].roots, lone.root_held, lone.tip_held};
    auto fill = [&](int k, const Vec3<float>& moved, HoldAt<float>* list, int count) HWY_ATTR {
        for (const Hold& hold : lone.holds) {
            const Vec3f& t = hold.target[k];
            list[count++] = {hold.level, Vec3<float>{t.x, t.y, t.z} - moved};
        }
        return count;
    };
    const ContactInput& contact = task.input->contact;
    if (contact.count == 0) {
        lone.gap = solve_rope(task, strand, ends, fill, [](int, const Vec3<float>&) HWY_ATTR { return None(); });
        return;
    }
    StrandContact<float> own = own_contact<float>(task, lone.block_in_bucket, lone.lane_index);
    const float reach = 2 * reach_of(strand) + own.layer + contact.margin + contact.thickest;
    uint16_t near[kMaxColliders];
    lone.gap = solve_rope(task, strand, ends, fill, [&](int k, const Vec3<float>& root) HWY_ATTR {
        return Contacts<float>(contact, k, near, near_colliders(contact, k, root, reach, near), own);
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
namespace {

HWY_EXPORT(SolveTouchingHair);
HWY_EXPORT(SolveLoneStrand);

}  // namespace

void solve_touching_hair(const DftlTask& task, size_t begin, size_t end)
{
    HWY_DYNAMIC_DISPATCH(SolveTouchingHair)(task, begin, end);
}

void solve_lone_strand(const DftlTask& task, LoneStrand& lone)
{
    HWY_DYNAMIC_DISPATCH(SolveLoneStrand)(task, lone);
}

}  // namespace tendril
#endif
