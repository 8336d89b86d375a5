// Code that the kernels of follow-the-leader share: the substeps of ropes and hair. See dftl.h.

#if defined(TENDRIL_SOLVERS_DFTL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_DFTL_INL_H_
#undef TENDRIL_SOLVERS_DFTL_INL_H_
#else
#define TENDRIL_SOLVERS_DFTL_INL_H_
#endif

#include "solvers/dftl.h"
#include "solvers/leader-inl.h"
#include "solvers/rope-inl.h"
#include "solvers/step-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

template <class F>
HWY_INLINE float largest(const F& a)
{
    HWY_ALIGN float values[kLanes];
    LaneTraits<F>::store(a, values, 0);
    return *std::max_element(values, values + kLanes);
}

HWY_INLINE float largest(float a)
{
    return a;
}

/// The ends of a rope, and the motion of its root.
template <class F>
struct RopeEnds {
    BlockRootMotion<F> roots;
    RootKind kind;
    bool root_held, tip_held;
};

/// Solves all substeps of a rope and returns the largest gap of the last one [m]. `holds_of(k, moved, list, count)`
/// appends the holds of substep k other than root and tip, and returns the new count. `bodies_of(k, root)` returns the
/// Contacts of the substep, or None.
template <class F, class HoldsOf, class BodiesOf>
HWY_INLINE float solve_rope(const DftlTask& task, BlockCursor<F>& strand, const RopeEnds<F>& ends,
                            const HoldsOf& holds_of, const BodiesOf& bodies_of)
{
    const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
    Vec3<F> moved = none;
    Vec3<F> held = ends.root_held ? ends.roots.position_before_all(task.input->substeps()) : none;
    F gap = splat<F>(0.0f);
    for (int k = 0; k < task.input->substeps(); ++k) {
        const RopeSubstep step{&task.input->air[k], task.correction, task.settings->bend_limit,
                               task.settings->end_blend};
        if (task.input->keep_previous && k == 0)
            for (int i = 1; i < strand.levels(); ++i) strand.store_previous_edge(i, strand.edge(i));
        HoldAt<F> holds[kMaxHeld];
        int count = 0;
        const Vec3<F> root_step = ends.root_held ? ends.roots.step(k) : none;
        if (ends.root_held) holds[count++] = {0, root_step};
        count = holds_of(k, moved, holds, count);
        if (ends.tip_held) holds[count++] = {strand.levels() - 1, root_step + ends.roots.tip(k)};
        if (ends.root_held) held = ends.roots.position_after(k, held);
        const Vec3<F> root = ends.root_held ? held - root_step : ends.roots.position(ends.kind) + moved;
        const auto bodies = bodies_of(k, root);
        Rope<F, std::remove_const_t<decltype(bodies)>> rope(strand, step, bodies);
        moved += rope.solve(holds, count, root);
        gap = rope.gap();
    }
    strand.set_root_moved(moved);
    return largest(gap);
}

/// The input of substep k of hair.
HWY_INLINE LeaderSubstep hair_substep(const DftlTask& task, int k)
{
    const DftlSettings& s = *task.settings;
    const Bend bend = s.bend_limit <= 0                   ? Bend::kNone
                      : s.bend_order == BendOrder::kPaper ? Bend::kPaper
                                                          : Bend::kTogether;
    const ShapeInput& shape = task.input->shape;
    float correction = shape.on() ? std::min(task.correction, shape.load) : task.correction;
    // s_d of [Sanchez15] Eq. 14 is that of a step of the paper, which a substep is.
    if (shape.on() && shape.paper) correction = std::clamp(s.velocity_correction, 0.0f, 1.0f);
    return {&task.input->air[k], correction, s.bend_limit, bend, s.dynamic};
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
