// Dynamic follow-the-leader. [Mueller12] M. Mueller, T.J. Kim, N. Chentanez: Fast Simulation of Inextensible Hair and
// Fur, VRIPHYS 2012. The method itself is in leader-inl.h (hair) and rope-inl.h (ropes); this file runs it over the
// blocks, all substeps of a block before the next block is touched.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/dftl.cpp"
#include <hwy/foreach_target.h>

#include "solvers/frame-inl.h"
#include "solvers/leader-inl.h"
#include "solvers/rope-inl.h"
#include "solvers/solver.h"

#include "math/elementary.h"

#include <algorithm>
#include <cstring>
#include <vector>

#ifndef TENDRIL_SOLVERS_DFTL_ONCE
#define TENDRIL_SOLVERS_DFTL_ONCE
namespace tendril {

/// A step as the kernels see it.
struct DftlTask {
    Strands* strands;
    const SolveInput* input;
    const DftlSettings* settings;
    size_t bucket;
    float correction;    ///< s of Eq. 9, per substep
    size_t block_count;  ///< over all buckets
    float* gaps;         ///< per block: largest distance to a hold out of reach
};

/// All holds of one strand, and the scratch to solve it with.
struct HeldStrand {
    BlockRef lane;
    std::span<const Hold> holds;
    bool root_held, tip_held;
    size_t block;  ///< over all buckets
    size_t lane_index;
    float gap = 0;
    float* saved = nullptr;  ///< its state before the step
};

}  // namespace tendril
#endif

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Motion of the roots of one group of blocks; `lane` is 0 for whole blocks.
template <class F>
class Roots {
public:
    HWY_INLINE Roots(const DftlTask& task, const BlockCursor<F>& strand, size_t block, size_t lane)
        : motion_(task.input->roots), offset_(strand.edge(0)), blocks_(task.block_count), block_(block), lane_(lane)
    {
    }

    /// Displacement over substep k.
    HWY_INLINE Vec3<F> step(int k) const
    {
        if (motion_.sampled) return load_rows<F>(sampled(k), kSampledRows * kLanes);
        const FrameSubstep& frame = motion_.frame[k];
        return rotate_by(frame.turned, offset_) + splat<F>(frame.moved);
    }
    /// Where a held tip is at the end of substep k, seen from the root.
    HWY_INLINE Vec3<F> tip(int k) const
    {
        if (motion_.sampled) return load_rows<F>(sampled(k) + 3 * kLanes, kSampledRows * kLanes);
        const Vec3<F> rest = load_rows<F>(motion_.tip_offset + block_ * 3 * kLanes + lane_, 3 * kLanes);
        return rotate_by(motion_.frame[k].rotation, rest);
    }
    /// Place from the strands' origin at the start of the step.
    HWY_INLINE Vec3<F> place(RootKind kind) const
    {
        if (kind != RootKind::kRigid) return offset_;
        // Wind needs no more than a few digits here: the frame's rotation at the end of the first substep will do.
        return rotate_by(motion_.frame[0].rotation, offset_);
    }

    /// The same, exactly: from the origin of the end of substep `k`, the steps of all later substeps taken back.
    HWY_INLINE Vec3<F> place_before_all(int substeps) const
    {
        Vec3<F> place = offset_;
        if (motion_.sampled)
            for (int k = substeps - 1; k >= 0; --k) place = place - step(k);
        return place;
    }
    HWY_INLINE Vec3<F> place_after(int k, const Vec3<F>& before) const
    {
        return motion_.sampled ? before + step(k) : rotate_by(motion_.frame[k].rotation, offset_);
    }

private:
    const float* sampled(int k) const
    {
        return motion_.sampled + (static_cast<size_t>(k) * blocks_ + block_) * kSampledRows * kLanes + lane_;
    }
    const RootMotion& motion_;
    Vec3<F> offset_;
    size_t blocks_, block_, lane_;
};

/// One substep after another.
template <class F, Bend kBend, bool kAir, bool kDynamic>
HWY_NOINLINE void solve_hair_block(const DftlTask& task, size_t block)
{
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    BlockCursor<F> strand(task.strands->blocks(task.bucket, block));
    const Roots<F> roots(task, strand, bucket.first_block + block, 0);
    Vec3<F> place = roots.place(bucket.roots);
    for (int k = 0; k < task.input->substeps(); ++k) {
        const LeaderSubstep step{&task.input->air[k], task.correction, task.settings->bend_limit};
        if (task.settings->backward_pass && kDynamic) draw_towards_tip(strand, splat<F>(step.air->fall));
        const Vec3<F> u = roots.step(k);
        follow(strand, Leader<F, kBend, kAir, kDynamic>(step, u, place), {k == 0, k == 0 && task.input->keep_previous});
        place += u;
    }
}

/// How far a strand reaches from its root.
template <class F>
HWY_INLINE F reach_of(const BlockCursor<F>& strand)
{
    F reach = splat<F>(0.0f);
    for (int i = 1; i < strand.levels(); ++i) reach = reach + strand.rest_length(i);
    return reach;
}

/// The same with shapes around. Drag is always looked at: next to contacts it costs nothing.
template <class F, Bend kBend, bool kDynamic>
HWY_NOINLINE void solve_touching_block(const DftlTask& task, size_t block)
{
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    const ContactInput& contact = task.input->contact;
    BlockCursor<F> strand(task.strands->blocks(task.bucket, block));
    const size_t index = bucket.first_block + block;
    const Roots<F> roots(task, strand, index, 0);
    StrandContact<F> own{LaneTraits<F>::load(contact.layers + index * kLanes, kLanes)};
    if (!contact.thickness.empty()) {
        own.stride = static_cast<size_t>(bucket.levels) * kLanes;
        own.thickness = contact.thickness[task.bucket] + block * own.stride;
    }
    const F reach = reach_of(strand) + own.layer + splat<F>(contact.margin + contact.thickest);
    Vec3<F> place = roots.place_before_all(task.input->substeps());
    for (int k = 0; k < task.input->substeps(); ++k) {
        const LeaderSubstep step{&task.input->air[k], task.correction, task.settings->bend_limit};
        if (task.settings->backward_pass && kDynamic) draw_towards_tip(strand, splat<F>(step.air->fall));
        const Vec3<F> u = roots.step(k);
        place = roots.place_after(k, place);
        uint16_t near[kMostColliders];
        const size_t count = near_shapes(contact, k, place, reach, near);
        const Contacts<F> contacts(contact, k, near, count, own);
        follow(strand, Leader<F, kBend, kDynamic, kDynamic, Contacts<F>>(step, u, place - u, contacts),
               {k == 0, k == 0 && task.input->keep_previous});
    }
}

/// As many substeps at once as keep four registers of strands in flight: more do not fit the processor's window.
inline constexpr int kConvoy = kBlockRegisters < 4 ? 4 / kBlockRegisters : 1;

HWY_NOINLINE void solve_hair_in_convoy(const DftlTask& task, size_t begin, size_t end)
{
    using F = Lanes<1>;
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    const int substeps = task.input->substeps();
    BlockCursor<F> strand(task.strands->blocks(task.bucket, begin));
    size_t block = begin;
    int k = 0;
    auto next = [&]() HWY_ATTR {
        const Roots<F> roots(task, strand, bucket.first_block + block, 0);
        const LeaderSubstep step{&task.input->air[k], task.correction, 0};
        if (k == 0 && task.input->keep_previous)
            for (int i = 1; i < bucket.levels; ++i) strand.keep_edge(i, strand.edge(i));
        strand.prefetch_next(k, substeps);
        const Journey<F, Leader<F, Bend::kNone, false, true>> journey(strand, {step, roots.step(k), strand.edge(0)});
        if (++k == substeps) {
            k = 0;
            ++block;
            strand.advance_block();
        }
        return journey;
    };
    follow_in_convoy((end - begin) * task.input->air.size(), bucket.levels, next,
                     std::make_integer_sequence<int, kConvoy>());
}

template <Bend kBend, bool kAir, bool kDynamic>
HWY_INLINE void solve_hair_blocks(const DftlTask& task, size_t begin, size_t end)
{
    // With bend limit or air there is enough to do between a root and the next that a convoy gains nothing.
    constexpr bool kPlain = kBend == Bend::kNone && !kAir && kDynamic;
    if (kPlain && kConvoy > 1 && task.input->substeps() > 1 && !task.settings->backward_pass) {
        solve_hair_in_convoy(task, begin, end);
        return;
    }
    constexpr size_t kWide = LaneTraits<WideLanes>::kBlocks;
    size_t block = begin;
    for (; block + kWide <= end; block += kWide) solve_hair_block<WideLanes, kBend, kAir, kDynamic>(task, block);
    for (; block < end; ++block) solve_hair_block<Lanes<1>, kBend, kAir, kDynamic>(task, block);
}

template <Bend kBend, bool kDynamic>
HWY_INLINE void solve_touching_blocks(const DftlTask& task, size_t begin, size_t end)
{
    // Two blocks at once gain an eighth, which is worth compiling for the plain case only.
    using Wide = std::conditional_t<kBend == Bend::kNone && kDynamic, WideLanes, Lanes<1>>;
    constexpr size_t kWide = LaneTraits<Wide>::kBlocks;
    size_t block = begin;
    for (; block + kWide <= end; block += kWide) solve_touching_block<Wide, kBend, kDynamic>(task, block);
    for (; block < end; ++block) solve_touching_block<Lanes<1>, kBend, kDynamic>(task, block);
}

void SolveHair(const DftlTask& task, size_t begin, size_t end)
{
    const bool touching = task.input->contact.count > 0;
    const bool air = task.input->air[0].resists(), dynamic = task.settings->dynamic;
    const bool paper = task.settings->bend_order == BendOrder::kPaper;
    const Bend bend = task.settings->bend_limit <= 0 ? Bend::kNone : paper ? Bend::kPaper : Bend::kTogether;
    auto run = [&](auto bend_constant) HWY_ATTR {
        constexpr Bend kBend = decltype(bend_constant)::value;
        if (touching && dynamic)
            solve_touching_blocks<kBend, true>(task, begin, end);
        else if (touching)
            solve_touching_blocks<kBend, false>(task, begin, end);
        else if (!dynamic)
            solve_hair_blocks<kBend, false, false>(task, begin, end);
        else if (air)
            solve_hair_blocks<kBend, true, true>(task, begin, end);
        else
            solve_hair_blocks<kBend, false, true>(task, begin, end);
    };
    if (bend == Bend::kNone) run(std::integral_constant<Bend, Bend::kNone>());
    if (bend == Bend::kTogether) run(std::integral_constant<Bend, Bend::kTogether>());
    if (bend == Bend::kPaper) run(std::integral_constant<Bend, Bend::kPaper>());
}

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

/// All substeps of a rope. `holds_of(k, list)` fills in the holds of substep k besides root and tip.
template <class F, class HoldsOf>
HWY_INLINE float solve_rope(const DftlTask& task, BlockCursor<F>& strand, const Roots<F>& roots, RootKind kind,
                            bool root_held, bool tip_held, const HoldsOf& holds_of)
{
    Vec3<F> place = roots.place(kind), moved = splat<F>(0.0f, 0.0f, 0.0f);
    F gap = splat<F>(0.0f);
    for (int k = 0; k < task.input->substeps(); ++k) {
        const RopeSubstep step{&task.input->air[k], task.correction, task.settings->bend_limit,
                               task.settings->end_blend};
        if (task.input->keep_previous && k == 0)
            for (int i = 1; i < strand.levels(); ++i) strand.keep_edge(i, strand.edge(i));
        HoldAt<F> holds[kMaxHolds];
        int count = 0;
        const Vec3<F> root_step = root_held ? roots.step(k) : splat<F>(0.0f, 0.0f, 0.0f);
        if (root_held) holds[count++] = {0, root_step};
        count = holds_of(k, moved, holds, count);
        if (tip_held) holds[count++] = {strand.levels() - 1, root_step + roots.tip(k)};
        Rope<F> rope(strand, step);
        moved += rope.solve(holds, count, place + moved);
        gap = rope.gap();  // what the last substep left open
    }
    strand.set_scratch(0, kFromLeft, moved);
    return largest(gap);
}

void SolveRopes(const DftlTask& task, size_t begin, size_t end)
{
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    auto no_more = [](int, const Vec3<Lanes<1>>&, HoldAt<Lanes<1>>*, int count) HWY_ATTR { return count; };
    for (size_t block = begin; block < end; ++block) {
        BlockCursor<Lanes<1>> strand(task.strands->blocks(task.bucket, block));
        const Roots<Lanes<1>> roots(task, strand, bucket.first_block + block, 0);
        const bool held = bucket.ends == Ends::kBothHeld;
        task.gaps[bucket.first_block + block] = solve_rope(task, strand, roots, bucket.roots, held, held, no_more);
    }
}

void SolveHeldStrand(const DftlTask& task, HeldStrand& held)
{
    BlockCursor<float> strand(held.lane);
    const Roots<float> roots(task, strand, held.block, held.lane_index);
    auto fill = [&](int k, const Vec3<float>& moved, HoldAt<float>* list, int count) HWY_ATTR {
        for (const Hold& hold : held.holds) {
            const Vec3f& t = hold.target[k];
            list[count++] = {hold.level, Vec3<float>{t.x, t.y, t.z} - moved};
        }
        return count;
    };
    held.gap = solve_rope(task, strand, roots, task.strands->buckets()[task.bucket].roots, held.root_held,
                          held.tip_held, fill);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
namespace {

HWY_EXPORT(SolveHair);
HWY_EXPORT(SolveRopes);
HWY_EXPORT(SolveHeldStrand);

// Holds farther away than this count as missed [m].
constexpr float kGapTolerance = 1e-4f;

class DftlSolver final : public Solver {
public:
    explicit DftlSolver(const DftlSettings& settings) : settings_(settings) {}

    void configure(const SolverSettings& settings) override { settings_ = settings.dftl; }

    SolveReport solve(Strands& strands, const SolveInput& input, Executor& executor) override
    {
        gaps_.assign(strands.block_count(), 0.0f);
        // The setting is per frame: more substeps must not mean more of the energy that s < 1 adds.
        const float correction =
            static_cast<float>(nth_root(std::clamp(settings_.velocity_correction, 0.0f, 1.0f), input.substeps()));
        DftlTask task{&strands, &input, &settings_, 0, correction, strands.block_count(), gaps_.data()};

        set_aside_held_strands(strands, input.holds);
        for (task.bucket = 0; task.bucket < strands.buckets().size(); ++task.bucket) {
            const Bucket& bucket = strands.buckets()[task.bucket];
            const bool hair = bucket.ends == Ends::kRootHeld;
            parallel_for(executor, bucket.blocks, blocks_per_task(bucket), [&](size_t begin, size_t end) {
                if (hair)
                    HWY_DYNAMIC_DISPATCH(SolveHair)(task, begin, end);
                else
                    HWY_DYNAMIC_DISPATCH(SolveRopes)(task, begin, end);
            });
        }
        solve_held_strands(task, executor);
        return report();
    }

private:
    // Enough work per task that handing it out does not show, even blocks so that pairs stay pairs.
    static size_t blocks_per_task(const Bucket& bucket)
    {
        constexpr size_t kParticlesPerTask = 16384;
        return std::max<size_t>(2, kParticlesPerTask / (static_cast<size_t>(bucket.levels) * kLanes) & ~size_t{1});
    }

    /// A strand with holds of its own is solved by itself: its state is put aside, its lane goes along with the block
    /// for nothing, and the state is put back before it is solved.
    void set_aside_held_strands(Strands& strands, std::span<const Hold> holds)
    {
        held_.clear();
        size_t saved = 0, scratch = 0;
        for (size_t first = 0, end; first < holds.size(); first = end) {
            for (end = first; end < holds.size() && holds[end].strand == holds[first].strand;) ++end;
            const size_t strand = holds[first].strand;
            const Bucket& bucket = strands.buckets()[strands.slot(strand).bucket];
            HeldStrand held{strands.lane(strand),
                            holds.subspan(first, end - first),
                            bucket.ends != Ends::kFree,
                            bucket.ends == Ends::kBothHeld,
                            bucket.first_block + strands.slot(strand).block,
                            strands.slot(strand).lane};
            held_.push_back(held);
            saved += static_cast<size_t>(bucket.levels) * kStateRows;
            if (!held.lane.scratch) scratch += static_cast<size_t>(bucket.levels) * kScratchRows * kLanes;
        }
        saved_.resize(saved);
        scratch_.resize(scratch);
        float* to = saved_.data();
        float* own = scratch_.data();
        for (HeldStrand& held : held_) {
            if (!held.lane.scratch) {
                held.lane.scratch = own;
                own += static_cast<size_t>(held.lane.levels) * kScratchRows * kLanes;
            }
            held.saved = to;
            for (size_t r = 0; r < static_cast<size_t>(held.lane.levels) * kStateRows; ++r)
                *to++ = held.lane.state[r * kLanes];
        }
    }

    void solve_held_strands(const DftlTask& common, Executor& executor)
    {
        parallel_for(executor, held_.size(), 16, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) {
                HeldStrand& held = held_[i];
                const size_t rows = static_cast<size_t>(held.lane.levels) * kStateRows;
                for (size_t r = 0; r < rows; ++r) held.lane.state[r * kLanes] = held.saved[r];
                DftlTask task = common;
                task.bucket = task.strands->slot(held.holds[0].strand).bucket;
                HWY_DYNAMIC_DISPATCH(SolveHeldStrand)(task, held);
            }
        });
    }

    SolveReport report() const
    {
        SolveReport r;
        auto add = [&](float gap) {
            r.worst_gap = std::max(r.worst_gap, gap);
            r.missed_holds += gap > kGapTolerance;
        };
        for (float gap : gaps_) add(gap);
        for (const HeldStrand& held : held_) add(held.gap);
        return r;
    }

    DftlSettings settings_;
    std::vector<float> gaps_, saved_, scratch_;
    std::vector<HeldStrand> held_;
};

}  // namespace

std::unique_ptr<Solver> make_dftl_solver(const DftlSettings& settings)
{
    return std::make_unique<DftlSolver>(settings);
}

}  // namespace tendril
#endif
