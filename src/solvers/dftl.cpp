// Dynamic follow-the-leader. [Mueller12] M. Mueller, T.J. Kim, N. Chentanez: Fast Simulation of Inextensible Hair and
// Fur, VRIPHYS 2012. The method itself is in leader-inl.h (hair) and rope-inl.h (ropes). This file applies it to
// blocks; all substeps of a block run before those of the next.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/dftl.cpp"
#include <hwy/foreach_target.h>

#include "solvers/dftl-inl.h"
#include "solvers/dftl.h"
#include "solvers/leader_pipeline-inl.h"

#include "math/elementary.h"

#include <algorithm>
#include <cstring>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Runs the substeps of a block one after another.
template <class F, Hair kHair>
HWY_NOINLINE void solve_hair_block(const DftlTask& task, size_t block)
{
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    BlockCursor<F> strand(task.strands->blocks(task.bucket, block));
    const BlockRootMotion<F> roots(task, strand, bucket.first_block + block, 0);
    Vec3<F> root_position = roots.position(bucket.roots);
    for (int k = 0; k < task.input->substeps(); ++k) {
        const LeaderSubstep step = hair_substep(task, k);
        if (task.settings->backward_pass && step.dynamic) draw_towards_tip(strand, splat<F>(step.air->fall));
        const Vec3<F> u = roots.step(k);
        const FirstSubstepWork first_work{k == 0, k == 0 && task.input->keep_previous};
        if constexpr (kHair == Hair::kPlain)
            follow(strand, Leader<F, kHair>(step, u, root_position), first_work);
        else
            follow(strand,
                   Leader<F, kHair>(step, u, root_position,
                                    shape_pull<kHair == Hair::kStyled>(task, strand, roots, block, k, u)),
                   first_work);
        root_position += u;
    }
}

/// Number of substeps in flight: enough for four registers of strands. More do not fit into the processor's
/// instruction window.
inline constexpr int kSubstepsInFlight = kBlockRegisters < 4 ? 4 / kBlockRegisters : 1;

HWY_NOINLINE void solve_hair_pipelined(const DftlTask& task, size_t begin, size_t end)
{
    using F = Lanes<1>;
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    const int substeps = task.input->substeps();
    BlockCursor<F> strand(task.strands->blocks(task.bucket, begin));
    size_t block = begin;
    int k = 0;
    auto next = [&]() HWY_ATTR {
        const BlockRootMotion<F> roots(task, strand, bucket.first_block + block, 0);
        const LeaderSubstep step = hair_substep(task, k);
        if (k == 0 && task.input->keep_previous)
            for (int i = 1; i < bucket.levels; ++i) strand.store_previous_edge(i, strand.edge(i));
        strand.prefetch_next(k, substeps);
        const PipelinedSubstep<F, Leader<F, Hair::kPlain>> substep(strand, {step, roots.step(k), strand.edge(0)});
        if (++k == substeps) {
            k = 0;
            ++block;
            strand.advance_block();
        }
        return substep;
    };
    follow_pipelined((end - begin) * task.input->air.size(), bucket.levels, next,
                     std::make_integer_sequence<int, kSubstepsInFlight>());
}

HWY_INLINE Hair kind_of_hair(const DftlTask& task)
{
    const LeaderSubstep step = hair_substep(task, 0);
    if (step.bend != Bend::kNone || step.air->resists() || !step.dynamic) return Hair::kAny;
    const ShapeInput& shape = task.input->shape;
    if (!shape.on()) return Hair::kPlain;
    return shape.buckets[task.bucket].blends && !shape.paper ? Hair::kStyled : Hair::kAny;
}

void SolveHair(const DftlTask& task, size_t begin, size_t end)
{
    const Hair hair = kind_of_hair(task);
    size_t block = begin;
    if (hair == Hair::kPlain) {
        if (kSubstepsInFlight > 1 && task.input->substeps() > 1 && !task.settings->backward_pass)
            return solve_hair_pipelined(task, begin, end);
        // Enough blocks at once to hide the latency of the recurrence; strands do not depend on each other.
        constexpr size_t kWide = LaneTraits<WideLanes>::kBlocks;
        for (; block + kWide <= end; block += kWide) solve_hair_block<WideLanes, Hair::kPlain>(task, block);
        for (; block < end; ++block) solve_hair_block<Lanes<1>, Hair::kPlain>(task, block);
    }
    // Other hair has enough work between one square root and the next that neither a pipeline nor two blocks are
    // faster.
    const auto solve =
        hair == Hair::kStyled ? solve_hair_block<Lanes<1>, Hair::kStyled> : solve_hair_block<Lanes<1>, Hair::kAny>;
    for (; block < end; ++block) solve(task, block);
}

void SolveRopes(const DftlTask& task, size_t begin, size_t end)
{
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    auto no_more = [](int, const Vec3<Lanes<1>>&, HoldAt<Lanes<1>>*, int count) HWY_ATTR { return count; };
    auto nothing = [](int, const Vec3<Lanes<1>>&) HWY_ATTR { return None(); };
    for (size_t block = begin; block < end; ++block) {
        BlockCursor<Lanes<1>> strand(task.strands->blocks(task.bucket, block));
        const bool held = bucket.ends == Ends::kBothHeld;
        const RopeEnds<Lanes<1>> ends{BlockRootMotion<Lanes<1>>(task, strand, bucket.first_block + block, 0),
                                      bucket.roots, held, held};
        task.gaps[bucket.first_block + block] = solve_rope(task, strand, ends, no_more, nothing);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
namespace {

HWY_EXPORT(SolveHair);
HWY_EXPORT(SolveRopes);

class DftlSolver final : public Solver {
public:
    explicit DftlSolver(const SolverSettings& settings) : settings_(settings.dftl) {}

    void configure(const SolverSettings& settings) override { settings_ = settings.dftl; }

    SolveReport solve(Strands& strands, const SolveInput& input, Executor& executor) override
    {
        gaps_.assign(strands.block_count(), 0.0f);
        // The setting is per step: more substeps must not multiply the energy that s < 1 adds.
        const float correction =
            static_cast<float>(nth_root(std::clamp(settings_.velocity_correction, 0.0f, 1.0f), input.substeps()));
        DftlTask task{{&strands, &input, strands.block_count()}, &settings_, correction, gaps_.data()};

        const bool touching = input.contact.count > 0;
        set_aside_lone_strands(strands, input.holds, touching);
        for (task.bucket = 0; task.bucket < strands.buckets().size(); ++task.bucket) {
            const Bucket& bucket = strands.buckets()[task.bucket];
            const bool hair = bucket.ends == Ends::kRootHeld;
            parallel_for(executor, bucket.blocks, blocks_per_task(bucket), [&](size_t begin, size_t end) {
                if (hair && touching)
                    solve_touching_hair(task, begin, end);
                else if (hair)
                    HWY_DYNAMIC_DISPATCH(SolveHair)(task, begin, end);
                else if (!touching)
                    HWY_DYNAMIC_DISPATCH(SolveRopes)(task, begin, end);
            });
        }
        solve_lone_strands(task, executor);
        return report();
    }

private:
    // A task is long enough to hide the cost of scheduling. Its number of blocks is even, so that no pair is split.
    static size_t blocks_per_task(const Bucket& bucket)
    {
        constexpr size_t kParticlesPerTask = 16384;
        return std::max<size_t>(2, kParticlesPerTask / (static_cast<size_t>(bucket.levels) * kLanes) & ~size_t{1});
    }

    /// Saves the state of the strands that are solved by themselves: those with holds, and ropes if there are
    /// colliders. The block of such a strand also moves its lane; the saved state replaces the result before the strand
    /// is solved.
    void set_aside_lone_strands(Strands& strands, std::span<const Hold> holds, bool touching)
    {
        lone_.clear();
        for (size_t first = 0, end; first < holds.size(); first = end) {
            for (end = first; end < holds.size() && holds[end].strand == holds[first].strand;) ++end;
            add_lone_strand(strands, holds[first].strand, holds.subspan(first, end - first));
        }
        if (touching) add_ropes(strands, holds);
        size_t saved = 0;
        for (const LoneStrand& lone : lone_) saved += state_size(lone);
        saved_.resize(saved);
        float* to = saved_.data();
        for (LoneStrand& lone : lone_) {
            lone.saved = to;
            for (size_t r = 0; r < state_size(lone); ++r) *to++ = lone.lane.state[r * kLanes];
        }
    }
    static size_t state_size(const LoneStrand& lone) { return static_cast<size_t>(lone.lane.levels) * kStateRows; }

    void add_lone_strand(Strands& strands, size_t strand, std::span<const Hold> holds)
    {
        const Slot slot = strands.slot(strand);
        const Bucket& bucket = strands.buckets()[slot.bucket];
        lone_.push_back({strand, strands.lane(strand), holds, bucket.ends != Ends::kFree,
                         bucket.ends == Ends::kBothHeld, bucket.first_block + slot.block, slot.block, slot.lane});
    }

    /// Adds all strands that are not hair and have no holds.
    void add_ropes(Strands& strands, std::span<const Hold> holds)
    {
        for (size_t strand = 0, hold = 0; strand < strands.strand_count(); ++strand) {
            while (hold < holds.size() && holds[hold].strand < strand) ++hold;
            const bool held = hold < holds.size() && holds[hold].strand == strand;
            if (!held && strands.bucket_of(strand).ends != Ends::kRootHeld) add_lone_strand(strands, strand, {});
        }
    }

    void solve_lone_strands(const DftlTask& common, Executor& executor)
    {
        parallel_for(executor, lone_.size(), 16, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) {
                LoneStrand& lone = lone_[i];
                for (size_t r = 0; r < state_size(lone); ++r) lone.lane.state[r * kLanes] = lone.saved[r];
                DftlTask task = common;
                task.bucket = task.strands->slot(lone.strand).bucket;
                solve_lone_strand(task, lone);
            }
        });
    }

    SolveReport report() const
    {
        SolveReport r;
        for (float gap : gaps_) r.add_gap(gap);
        for (const LoneStrand& lone : lone_) r.add_gap(lone.gap);
        return r;
    }

    DftlSettings settings_;
    std::vector<float> gaps_, saved_;
    std::vector<LoneStrand> lone_;
};

}  // namespace

std::unique_ptr<Solver> make_dftl_solver(const SolverSettings& settings)
{
    return std::make_unique<DftlSolver>(settings);
}

}  // namespace tendril
#endif