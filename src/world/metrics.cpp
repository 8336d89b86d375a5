#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "world/metrics.cpp"
#include <hwy/foreach_target.h>

#include "strands/block-inl.h"
#include "strands/frame-inl.h"

#include "world/metrics.h"

#include <algorithm>
#include <cmath>

#ifndef TENDRIL_WORLD_METRICS_ONCE
#define TENDRIL_WORLD_METRICS_ONCE
namespace tendril {

struct MeterTask {
    using Sums = Meter::BlockSums;
    Strands* strands;
    size_t bucket;
    Vec3f gravity;
    FrameSubstep frame;  ///< motion of the frame over the whole step, for roots on one bone
    Sums* sums;
};

/// Sums of the kernel, by lane.
struct LaneSums {
    float stretch_max[kLanes], stretch[kLanes], moved2[kLanes], fastest2[kLanes], height[kLanes], finite[kLanes];
};

}  // namespace tendril
#endif

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

using F = Lanes<1>;

template <class V>
HWY_INLINE V absolute(const V& a)
{
    return max(a, splat<V>(0.0f) - a);
}

/// Measures the strands of a block in one pass from root to tip.
HWY_NOINLINE void measure_block(const BlockRef& ref, const BlockRoots<F>& roots, const Vec3f& g, LaneSums& out)
{
    BlockCursor<F> strand(ref);
    using T = LaneTraits<F>;
    Vec3<F> moved = roots.moved, position = roots.position;
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
    const Vec3<F> gravity = splat<F>(g);
    F worst = zero, stretch = zero, moved2 = dot(moved, moved), fastest = moved2,
      height = zero - dot(gravity, position), finite = zero;
    for (int i = 0; i < strand.levels(); ++i) {
        strand.prefetch(i);
        const Vec3<F> e = strand.edge(i), d = strand.drift(i);
        // x - x is 0 if x is finite, and NaN otherwise.
        const F sum = e.x + e.y + e.z + d.x + d.y + d.z;
        finite = finite + select(sum - sum < one, one, zero);
        if (i == 0) continue;
        const F off = absolute(sqrt(dot(e, e)) / strand.rest_length(i) - one);
        worst = max(worst, off);
        stretch = stretch + off;
        moved += e - strand.edge_before(i);
        position += e;
        const F m2 = dot(moved, moved);
        moved2 = moved2 + m2;
        fastest = max(fastest, m2);
        height = height - dot(gravity, position);
    }
    T::store(worst, out.stretch_max, 0);
    T::store(stretch, out.stretch, 0);
    T::store(moved2, out.moved2, 0);
    T::store(fastest, out.fastest2, 0);
    T::store(height, out.height, 0);
    T::store(finite, out.finite, 0);
}

void MeasureBlocks(const MeterTask& task, size_t begin, size_t end)
{
    Strands& strands = *task.strands;
    const Bucket& bucket = strands.buckets()[task.bucket];
    for (size_t block = begin; block < end; ++block) {
        const BlockRef ref = strands.blocks(task.bucket, block);
        const BlockRoots<F> roots = block_roots(strands, task.bucket, block, task.frame, BlockCursor<F>(ref).edge(0));
        HWY_ALIGN LaneSums lanes;
        measure_block(ref, roots, task.gravity, lanes);
        MeterTask::Sums sums;
        for (size_t lane = 0; lane < kLanes; ++lane) {
            if (strands.strand_at(task.bucket, block, lane) < 0) continue;
            const size_t levels = static_cast<size_t>(bucket.levels);
            const size_t bad = levels - static_cast<size_t>(lanes.finite[lane]);
            sums.nonfinite += bad;
            sums.particles += levels;
            sums.segments += levels - 1;
            if (bad) continue;
            sums.stretch_max = std::max<double>(sums.stretch_max, lanes.stretch_max[lane]);
            sums.stretch += lanes.stretch[lane];
            sums.speed2 += lanes.moved2[lane];
            sums.fastest2 = std::max<double>(sums.fastest2, lanes.fastest2[lane]);
            sums.height += lanes.height[lane];
        }
        task.sums[bucket.first_block + block] = sums;
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(MeasureBlocks);

Metrics Meter::measure(Strands& strands, const Vec3d& gravity, double mass, double dt, Executor& executor)
{
    sums_.resize(strands.block_count());
    for (size_t b = 0; b < strands.buckets().size(); ++b) {
        const MeterTask task{&strands, b, to_float(gravity), frame_step(strands.frame_before, strands.frame),
                             sums_.data()};
        parallel_for(executor, strands.buckets()[b].blocks, 16, [&](size_t begin, size_t end) {
            HWY_DYNAMIC_DISPATCH(MeasureBlocks)(task, begin, end);
        });
    }
    Metrics m;
    BlockSums total;
    for (const BlockSums& s : sums_) {
        m.nonfinite += s.nonfinite;
        m.stretch_max = std::max(m.stretch_max, s.stretch_max);
        total.stretch += s.stretch;
        total.segments += s.segments;
        total.particles += s.particles;
        total.speed2 += s.speed2;
        total.fastest2 = std::max(total.fastest2, s.fastest2);
        total.height += s.height;
    }
    m.stretch_mean = total.segments ? total.stretch / static_cast<double>(total.segments) : 0;
    m.kinetic = 0.5 * mass * total.speed2 / (dt * dt);
    m.potential = mass * (total.height - static_cast<double>(total.particles) * dot(gravity, strands.frame.position));
    m.fastest = std::sqrt(total.fastest2) / dt;
    return m;
}

}  // namespace tendril
#endif
