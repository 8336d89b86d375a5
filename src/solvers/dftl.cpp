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

/// A strand that is solved by itself: its holds, and the scratch to solve it with.
struct LoneStrand {
    size_t strand;
    BlockRef lane;
    std::span<const Hold> holds;
    bool root_held, tip_held;
    size_t block;  ///< over all buckets
    size_t block_in_bucket, lane_index;
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

/// What the strands of a block, or the one in a lane, bring along to their contacts.
template <class F>
HWY_INLINE StrandContact<F> own_contact(const DftlTask& task, size_t block, size_t lane)
{
    const ContactInput& contact = task.input->contact;
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    StrandContact<F> own{LaneTraits<F>::load(contact.layers + (bucket.first_block + block) * kLanes + lane, kLanes)};
    if (contact.thickness.empty()) return own;
    own.stride = static_cast<size_t>(bucket.levels) * kLanes;
    own.thickness = contact.thickness[task.bucket] + block * own.stride + lane;
    return own;
}

/// Strands that touch something and have hardly moved over the step are put back to where they were, with the velocity
/// that they have now. What is out of balance gathers speed and goes; but friction that a leader does not feel, which
/// lets a strand creep, does not gather any.
template <class F>
HWY_NOINLINE void hold_still(BlockCursor<F>& strand, const F& touched, float stick)
{
    Vec3<F> moved = splat<F>(0.0f, 0.0f, 0.0f);
    F most2 = splat<F>(0.0f);
    for (int i = 1; i < strand.levels(); ++i) {
        moved += strand.edge(i) - strand.edge_before(i);
        most2 = max(most2, dot(moved, moved));
    }
    const auto stuck = most2 < select(splat<F>(0.0f) < touched, splat<F>(stick * stick), splat<F>(0.0f));
    if (!any(stuck)) return;
    for (int i = 1; i < strand.levels(); ++i) strand.set_edge(i, select(stuck, strand.edge_before(i), strand.edge(i)));
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
    const StrandContact<F> own = own_contact<F>(task, block, 0);
    const F reach = reach_of(strand) + own.layer + splat<F>(contact.margin + contact.thickest);
    Vec3<F> place = roots.place_before_all(task.input->substeps());
    F touched = splat<F>(0.0f), root_moved = touched;
    float travel = 0;
    for (int k = 0; k < task.input->substeps(); ++k) {
        const LeaderSubstep step{&task.input->air[k], task.correction, task.settings->bend_limit};
        if (task.settings->backward_pass && kDynamic) draw_towards_tip(strand, splat<F>(step.air->fall));
        const Vec3<F> u = roots.step(k);
        root_moved = root_moved + dot(u, u);
        place = roots.place_after(k, place);
        uint16_t near[kMostColliders];
        const size_t count = near_shapes(contact, k, place, reach, near);
        for (size_t i = 0; i < count; ++i) travel = std::max(travel, contact.in(k)[near[i]].travel);
        Contacts<F> contacts(contact, k, near, count, own);
        contacts.tell(touched);
        follow(strand, Leader<F, kBend, kDynamic, kDynamic, Contacts<F>>(step, u, place - u, contacts),
               {k == 0, k == 0 && task.input->keep_previous});
    }
    const bool body_rests = travel == 0 && !any(splat<F>(0.0f) < root_moved);
    if (body_rests && contact.stick > 0 && task.input->keep_previous) hold_still(strand, touched, contact.stick);
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

/// What a rope is solved with besides its holds.
template <class F>
struct RopeEnds {
    Roots<F> roots;
    RootKind kind;
    bool root_held, tip_held;
};

/// All substeps of a rope. `holds_of(k, moved, list, count)` fills in the holds of substep k besides root and tip;
/// `bodies_of(k, root)` says what it may touch.
template <class F, class HoldsOf, class BodiesOf>
HWY_INLINE float solve_rope(const DftlTask& task, BlockCursor<F>& strand, const RopeEnds<F>& ends,
                            const HoldsOf& holds_of, const BodiesOf& bodies_of)
{
    const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
    Vec3<F> moved = none;
    Vec3<F> held = ends.root_held ? ends.roots.place_before_all(task.input->substeps()) : none;
    F gap = splat<F>(0.0f);
    for (int k = 0; k < task.input->substeps(); ++k) {
        const RopeSubstep step{&task.input->air[k], task.correction, task.settings->bend_limit,
                               task.settings->end_blend};
        if (task.input->keep_previous && k == 0)
            for (int i = 1; i < strand.levels(); ++i) strand.keep_edge(i, strand.edge(i));
        HoldAt<F> holds[kMaxHolds];
        int count = 0;
        const Vec3<F> root_step = ends.root_held ? ends.roots.step(k) : none;
        if (ends.root_held) holds[count++] = {0, root_step};
        count = holds_of(k, moved, holds, count);
        if (ends.tip_held) holds[count++] = {strand.levels() - 1, root_step + ends.roots.tip(k)};
        if (ends.root_held) held = ends.roots.place_after(k, held);
        const Vec3<F> root = ends.root_held ? held - root_step : ends.roots.place(ends.kind) + moved;
        const auto bodies = bodies_of(k, root);
        Rope<F, std::remove_const_t<decltype(bodies)>> rope(strand, step, bodies);
        moved += rope.solve(holds, count, root);
        gap = rope.gap();  // what the last substep left open
    }
    strand.set_scratch(0, kFromLeft, moved);
    return largest(gap);
}

void SolveRopes(const DftlTask& task, size_t begin, size_t end)
{
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    auto no_more = [](int, const Vec3<Lanes<1>>&, HoldAt<Lanes<1>>*, int count) HWY_ATTR { return count; };
    auto nothing = [](int, const Vec3<Lanes<1>>&) HWY_ATTR { return Nothing(); };
    for (size_t block = begin; block < end; ++block) {
        BlockCursor<Lanes<1>> strand(task.strands->blocks(task.bucket, block));
        const bool held = bucket.ends == Ends::kBothHeld;
        const RopeEnds<Lanes<1>> ends{Roots<Lanes<1>>(task, strand, bucket.first_block + block, 0), bucket.roots, held,
                                      held};
        task.gaps[bucket.first_block + block] = solve_rope(task, strand, ends, no_more, nothing);
    }
}

void SolveLoneStrand(const DftlTask& task, LoneStrand& lone)
{
    BlockCursor<float> strand(lone.lane);
    const RopeEnds<float> ends{Roots<float>(task, strand, lone.block, lone.lane_index),
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
        lone.gap = solve_rope(task, strand, ends, fill, [](int, const Vec3<float>&) HWY_ATTR { return Nothing(); });
        return;
    }
    StrandContact<float> own = own_contact<float>(task, lone.block_in_bucket, lone.lane_index);
    const float reach = 2 * reach_of(strand) + own.layer + contact.margin + contact.thickest;
    uint16_t near[kMostColliders];
    lone.gap = solve_rope(task, strand, ends, fill, [&](int k, const Vec3<float>& root) HWY_ATTR {
        return Contacts<float>(contact, k, near, near_shapes(contact, k, root, reach, near), own);
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
namespace {

HWY_EXPORT(SolveHair);
HWY_EXPORT(SolveRopes);
HWY_EXPORT(SolveLoneStrand);

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

        const bool touching = input.contact.count > 0;
        set_aside_lone_strands(strands, input.holds, touching);
        for (task.bucket = 0; task.bucket < strands.buckets().size(); ++task.bucket) {
            const Bucket& bucket = strands.buckets()[task.bucket];
            const bool hair = bucket.ends == Ends::kRootHeld;
            parallel_for(executor, bucket.blocks, blocks_per_task(bucket), [&](size_t begin, size_t end) {
                if (hair)
                    HWY_DYNAMIC_DISPATCH(SolveHair)(task, begin, end);
                else if (!touching)
                    HWY_DYNAMIC_DISPATCH(SolveRopes)(task, begin, end);
            });
        }
        solve_lone_strands(task, executor);
        return report();
    }

private:
    // Enough work per task that handing it out does not show, even blocks so that pairs stay pairs.
    static size_t blocks_per_task(const Bucket& bucket)
    {
        constexpr size_t kParticlesPerTask = 16384;
        return std::max<size_t>(2, kParticlesPerTask / (static_cast<size_t>(bucket.levels) * kLanes) & ~size_t{1});
    }

    /// A strand with holds of its own is solved by itself, and so is a rope that may touch something: its state is put
    /// aside, its lane goes along with the block for nothing, and the state is put back before it is solved.
    void set_aside_lone_strands(Strands& strands, std::span<const Hold> holds, bool touching)
    {
        lone_.clear();
        for (size_t first = 0, end; first < holds.size(); first = end) {
            for (end = first; end < holds.size() && holds[end].strand == holds[first].strand;) ++end;
            add_lone_strand(strands, holds[first].strand, holds.subspan(first, end - first));
        }
        if (touching) add_ropes(strands, holds);
        size_t saved = 0, scratch = 0;
        for (const LoneStrand& lone : lone_) {
            saved += static_cast<size_t>(lone.lane.levels) * kStateRows;
            if (!lone.lane.scratch) scratch += static_cast<size_t>(lone.lane.levels) * kScratchRows * kLanes;
        }
        saved_.resize(saved);
        scratch_.resize(scratch);
        float* to = saved_.data();
        float* own = scratch_.data();
        for (LoneStrand& lone : lone_) {
            if (!lone.lane.scratch) {
                lone.lane.scratch = own;
                own += static_cast<size_t>(lone.lane.levels) * kScratchRows * kLanes;
            }
            lone.saved = to;
            for (size_t r = 0; r < static_cast<size_t>(lone.lane.levels) * kStateRows; ++r)
                *to++ = lone.lane.state[r * kLanes];
        }
    }

    void add_lone_strand(Strands& strands, size_t strand, std::span<const Hold> holds)
    {
        const Slot slot = strands.slot(strand);
        const Bucket& bucket = strands.buckets()[slot.bucket];
        lone_.push_back({strand, strands.lane(strand), holds, bucket.ends != Ends::kFree,
                         bucket.ends == Ends::kBothHeld, bucket.first_block + slot.block, slot.block, slot.lane});
    }

    /// All strands that are not hair and have no holds.
    void add_ropes(Strands& strands, std::span<const Hold> holds)
    {
        for (size_t strand = 0, hold = 0; strand < strands.strand_count(); ++strand) {
            while (hold < holds.size() && holds[hold].strand < strand) ++hold;
            const bool held = hold < holds.size() && holds[hold].strand == strand;
            if (!held && strands.buckets()[strands.slot(strand).bucket].ends != Ends::kRootHeld)
                add_lone_strand(strands, strand, {});
        }
    }

    void solve_lone_strands(const DftlTask& common, Executor& executor)
    {
        parallel_for(executor, lone_.size(), 16, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) {
                LoneStrand& lone = lone_[i];
                const size_t rows = static_cast<size_t>(lone.lane.levels) * kStateRows;
                for (size_t r = 0; r < rows; ++r) lone.lane.state[r * kLanes] = lone.saved[r];
                DftlTask task = common;
                task.bucket = task.strands->slot(lone.strand).bucket;
                HWY_DYNAMIC_DISPATCH(SolveLoneStrand)(task, lone);
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
        for (const LoneStrand& lone : lone_) add(lone.gap);
        return r;
    }

    DftlSettings settings_;
    std::vector<float> gaps_, saved_, scratch_;
    std::vector<LoneStrand> lone_;
};

}  // namespace

std::unique_ptr<Solver> make_dftl_solver(const DftlSettings& settings)
{
    return std::make_unique<DftlSolver>(settings);
}

}  // namespace tendril
#endif
