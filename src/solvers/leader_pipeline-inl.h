// Several substeps of follow-the-leader in flight at once, which hides the latency of the recurrence along the strand.

#if defined(TENDRIL_SOLVERS_LEADER_PIPELINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_LEADER_PIPELINE_INL_H_
#undef TENDRIL_SOLVERS_LEADER_PIPELINE_INL_H_
#else
#define TENDRIL_SOLVERS_LEADER_PIPELINE_INL_H_
#endif

#include "solvers/leader-inl.h"

#include <array>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// One substep of one group of strands in progress, from the root to the tip.
template <class F, class LeaderType>
class PipelinedSubstep {
public:
    using Prediction = typename LeaderType::Prediction;

    HWY_INLINE PipelinedSubstep(const BlockCursor<F>& strand, const LeaderType& leader)
        : strand_(strand), leader_(leader), left_(strand.levels())
    {
        advance();
    }

    HWY_INLINE Prediction predict() { return leader_.predict(strand_, 0); }
    HWY_INLINE void project(const Prediction& p)
    {
        leader_.project(strand_, 0, p);
        advance();
    }
    /// Number of levels left.
    HWY_INLINE int left() const { return left_; }
    HWY_INLINE void finish() { leader_.finish(strand_, -1); }

private:
    HWY_INLINE void advance()
    {
        strand_.advance();
        --left_;
    }

    BlockCursor<F> strand_;  // its level 0 is the next level
    LeaderType leader_;
    int left_;
};

/// Runs a substep for a number of levels without the others. Takes and returns it by value, so that the others may stay
/// in registers.
template <class J>
HWY_NOINLINE J run_levels(int levels, J substep)
{
    for (; levels > 0; --levels) substep.project(substep.predict());
    if (substep.left() == 0) substep.finish();
    return substep;
}

/// Replaces a substep that has reached the tip with the next one. Returns false if there is none.
template <class J, class Next>
HWY_INLINE bool continue_or_replace(J& substep, size_t& waiting, const Next& next)
{
    if (HWY_LIKELY(substep.left() > 0)) return true;
    if (waiting == 0) return false;
    --waiting;
    substep.finish();
    substep = next();
    return true;
}

/// Runs `count` substeps in the order in which `next` returns them: all substeps of a block, then those of the next
/// block. Several are in flight, each two levels behind the one before it, where that one has written its final values.
/// A substep that reaches the tip is replaced by a new one behind the last. The operations, and so the bits, are those
/// of running them one after another; but the recurrences overlap, so that their square roots and divisions do not
/// stall the processor.
template <class Next, int... n>
HWY_INLINE void follow_pipelined(size_t count, int levels, const Next& next, std::integer_sequence<int, n...>)
{
    constexpr int kLag = 2, kCount = sizeof...(n);
    using J = decltype(next());
    if (count < kCount || levels <= kLag * kCount) {
        for (; count > 0; --count) run_levels(levels - 1, next());
        return;
    }
    std::array<J, kCount> in_flight{run_levels(kLag * (kCount - 1 - n), next())...};
    size_t waiting = count - kCount;
    int leading = -1;  // index of the substep farthest ahead, once none is waiting
    while (leading < 0) {
        const std::array<typename J::Prediction, kCount> p{in_flight[n].predict()...};
        (in_flight[n].project(p[n]), ...);
        ((leading = continue_or_replace(in_flight[n], waiting, next) ? leading : n), ...);
    }
    auto finish_from = [&](auto m) HWY_ATTR {
        (run_levels(in_flight[(m + n) % kCount].left(), in_flight[(m + n) % kCount]), ...);
    };
    ((leading == n ? finish_from(std::integral_constant<int, n>()) : void()), ...);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
