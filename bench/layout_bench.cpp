#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "layout_bench.cpp"
#include <hwy/foreach_target.h>

#include "layout_bench.h"

#include "dftl_bench.h"
#include "solvers/air.h"
#include "solvers/leader-inl.h"

#include <algorithm>
#include <array>

#ifndef TENDRIL_BENCH_LAYOUT_ONCE
#define TENDRIL_BENCH_LAYOUT_ONCE
namespace tendril::bench {

inline constexpr size_t kRecord = 8;  // floats of a particle: edge, drift, and two for padding to whole quads

/// Strands one after another, [strand][level][ex ey ez dx dy dz - -].
struct StrandMajor {
    float* particles;
    const float* segments;  ///< by strand
    int levels;
    const AirSubstep* air;
};

}  // namespace tendril::bench
#endif

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// One strand, as Leader accesses it.
class OneStrand {
public:
    using F = float;

    HWY_INLINE OneStrand(const bench::StrandMajor& strands, size_t first)
        : at_(strands.particles + first * static_cast<size_t>(strands.levels) * bench::kRecord),
          length_(strands.segments[first])
    {
    }
    HWY_INLINE void arrive(int) {}
    HWY_INLINE Vec3<F> edge(int level) const { return load(level * kStep); }
    HWY_INLINE Vec3<F> drift(int level) const { return load(level * kStep + 3); }
    HWY_INLINE void set_edge(int level, const Vec3<F>& v) { store(v, level * kStep); }
    HWY_INLINE void set_drift(int level, const Vec3<F>& v) { store(v, level * kStep + 3); }
    HWY_INLINE F rest_length(int) const { return length_; }

private:
    static constexpr ptrdiff_t kStep = bench::kRecord;
    HWY_INLINE Vec3<F> load(ptrdiff_t i) const { return {at_[i], at_[i + 1], at_[i + 2]}; }
    HWY_INLINE void store(const Vec3<F>& v, ptrdiff_t i) { at_[i] = v.x, at_[i + 1] = v.y, at_[i + 2] = v.z; }

    float* at_;
    F length_;
};

/// Sixteen neighbouring strands at once. The records of a level are transposed into rows and back, quad by quad, each
/// read and written once: the best that this layout allows.
class SixteenStrands {
public:
    using F = Lanes<1>;

    HWY_INLINE SixteenStrands(const bench::StrandMajor& strands, size_t first)
        : stride_(static_cast<size_t>(strands.levels) * bench::kRecord),
          at_(strands.particles + first * stride_),
          length_(LaneTraits<F>::load(strands.segments + first, 0)),
          last_edge_(splat<F>(0.0f, 0.0f, 0.0f))
    {
    }
    HWY_INLINE void arrive(int level)
    {
        HWY_ALIGN float quads[2][4 * kLanes];
        const float* from = at_ + static_cast<size_t>(level) * bench::kRecord;
        for (size_t lane = 0; lane < kLanes; ++lane, from += stride_) {
            hn::Store(hn::Load(Quad(), from), Quad(), quads[0] + 4 * lane);
            hn::Store(hn::Load(Quad(), from + 4), Quad(), quads[1] + 4 * lane);
        }
        F unused[2];
        for (int r = 0; r < F::kRegisters; ++r) {
            const size_t first = static_cast<size_t>(r) * 4 * kRegisterLanes;
            hn::LoadInterleaved4(LaneTag(), quads[0] + first, edge_.x.v[r], edge_.y.v[r], edge_.z.v[r], drift_.x.v[r]);
            hn::LoadInterleaved4(LaneTag(), quads[1] + first, drift_.y.v[r], drift_.z.v[r], unused[0].v[r],
                                 unused[1].v[r]);
        }
    }
    HWY_INLINE Vec3<F> edge(int) const { return edge_; }
    HWY_INLINE Vec3<F> drift(int) const { return drift_; }
    HWY_INLINE void set_edge(int, const Vec3<F>& v) { last_edge_ = v; }
    /// Writes the edge and the drift of a level; set the edge first.
    HWY_INLINE void set_drift(int level, const Vec3<F>& v)
    {
        HWY_ALIGN float quads[2][4 * kLanes];
        const auto none = hn::Zero(LaneTag());
        for (int r = 0; r < F::kRegisters; ++r) {
            const size_t first = static_cast<size_t>(r) * 4 * kRegisterLanes;
            hn::StoreInterleaved4(last_edge_.x.v[r], last_edge_.y.v[r], last_edge_.z.v[r], v.x.v[r], LaneTag(),
                                  quads[0] + first);
            hn::StoreInterleaved4(v.y.v[r], v.z.v[r], none, none, LaneTag(), quads[1] + first);
        }
        float* to = at_ + static_cast<size_t>(level) * bench::kRecord;
        for (size_t lane = 0; lane < kLanes; ++lane, to += stride_) {
            hn::Store(hn::Load(Quad(), quads[0] + 4 * lane), Quad(), to);
            hn::Store(hn::Load(Quad(), quads[1] + 4 * lane), Quad(), to + 4);
        }
    }
    HWY_INLINE F rest_length(int) const { return length_; }

private:
    using Quad = hn::CappedTag<float, 4>;

    size_t stride_;
    float* at_;
    F length_;
    Vec3<F> edge_, drift_;
    Vec3<F> last_edge_;  // the edge that was set last
};

template <class Strand>
HWY_NOINLINE void step_long(const bench::StrandMajor& strands, size_t first)
{
    using F = typename Strand::F;
    Strand strand(strands, first);
    const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
    Leader<F, Hair::kPlain> leader({strands.air, 1.0f, 0, Bend::kNone, true}, none, none);
    for (int i = 1; i < strands.levels; ++i) {
        strand.arrive(i);
        leader.project(strand, i, leader.predict(strand, i));
    }
    leader.finish(strand, strands.levels - 1);
}

void StepOne(const bench::StrandMajor& strands, size_t begin, size_t end)
{
    for (size_t s = begin; s < end; ++s) step_long<OneStrand>(strands, s);
}

void StepSixteen(const bench::StrandMajor& strands, size_t begin, size_t end)
{
    for (size_t s = begin; s < end; s += kLanes) step_long<SixteenStrands>(strands, s);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {

HWY_EXPORT(StepOne);
HWY_EXPORT(StepSixteen);

namespace bench {
namespace {

constexpr size_t kParticlesPerTask = 16'384;

/// Hair on a still head in both layouts.
class TwoLayouts {
public:
    TwoLayouts(uint32_t strands, uint32_t particles)
        : groom_(make_hair(strands, particles)),
          levels_(groom_, RootKind::kOnBone),
          long_(static_cast<size_t>(strands) * particles * kRecord),
          segments_(strands),
          solver_(make_solver({.dftl = {.velocity_correction = 1.0f}})),
          air_{prepare_air({}, {}, kGravity, {0, 0, 0}, 0, kSubstep)},
          frame_{frame_step({}, {})}
    {
        for (size_t s = 0; s < strands; ++s) {
            segments_.data()[s] = levels_.rest_length(s, 1);
            const std::vector<Vec3f> edges = levels_.rest_edges(groom_, s);
            for (size_t i = 1; i < particles; ++i) {
                float* at = long_.data() + (s * particles + i) * kRecord;
                at[0] = edges[i].x, at[1] = edges[i].y, at[2] = edges[i].z;
            }
        }
    }

    double step_levels(Executor& executor)
    {
        levels_.begin_step();
        SolveInput input;
        input.dt = kSubstep;
        input.keep_previous = false;
        input.air = air_;
        input.roots.frame = frame_;
        input.roots.origin = origin_;
        return time_of([&] { solver_->solve(levels_, input, executor); });
    }
    double step_one(Executor& executor)
    {
        return time_of([&] {
            parallel_for(executor, groom_.strand_count(), kParticlesPerTask / particles(),
                         [&](size_t begin, size_t end) {
                             HWY_DYNAMIC_DISPATCH(StepOne)
                             (strands(), begin, end);
                         });
        });
    }
    double step_sixteen(Executor& executor)
    {
        return time_of([&] {
            parallel_for(executor, groom_.strand_count() / kLanes, kParticlesPerTask / particles() / kLanes,
                         [&](size_t begin, size_t end) {
                             HWY_DYNAMIC_DISPATCH(StepSixteen)(strands(), begin * kLanes, end * kLanes);
                         });
        });
    }

    /// Largest difference of the edges at the tips [m].
    double difference() const
    {
        double largest = 0;
        for (size_t s = 0; s < groom_.strand_count(); ++s) {
            const float* at = long_.data() + ((s + 1) * particles() - 1) * kRecord;
            const Vec3f e = levels_.edge(s, static_cast<int>(particles()) - 1);
            largest = std::max(largest, length(to_double(e - Vec3f{at[0], at[1], at[2]})));
        }
        return largest;
    }

private:
    size_t particles() const { return groom_.points(0).size(); }
    StrandMajor strands() { return {long_.data(), segments_.data(), static_cast<int>(particles()), air_.data()}; }

    Groom groom_;
    Strands levels_;
    AlignedFloats long_, segments_;
    std::unique_ptr<Solver> solver_;
    std::array<AirSubstep, 1> air_;
    std::array<FrameSubstep, 1> frame_;
    std::array<Vec3d, 1> origin_{};
};

/// The difference between both layouts after the same steps [m].
double difference_at(uint32_t particles, Executor& executor)
{
    TwoLayouts hair(64, particles);
    for (int k = 0; k < 24; ++k) {
        hair.step_levels(executor);
        k % 2 ? hair.step_one(executor) : hair.step_sixteen(executor);
    }
    return hair.difference();
}

}  // namespace

std::vector<LayoutFigures> measure_layouts(std::shared_ptr<Executor> executor, int rounds,
                                           const std::function<void(int)>& progress)
{
    constexpr std::array<std::array<uint32_t, 2>, 5> kSizes{
        {{1'024, 8}, {1'024, 32}, {4'096, 32}, {4'096, 64}, {16'384, 64}}};
    std::vector<LayoutFigures> figures(kSizes.size());
    std::vector<std::unique_ptr<TwoLayouts>> hair;
    std::vector<Measurement> list;
    for (size_t i = 0; i < kSizes.size(); ++i) {
        const auto [strands, particles] = kSizes[i];
        figures[i].strands = strands;
        figures[i].particles = particles;
        figures[i].difference = difference_at(particles, *executor);
        TwoLayouts* both = hair.emplace_back(std::make_unique<TwoLayouts>(strands, particles)).get();
        const double to_ns = 1e9 / (static_cast<double>(strands) * particles);
        const int calls = std::max(2, static_cast<int>(2'000'000 / (strands * particles)));
        auto mean = [=, executor = executor](double (TwoLayouts::*step)(Executor&)) {
            double sum = 0;
            for (int k = 0; k < calls; ++k) (both->*step)(*executor);
            for (int k = 0; k < calls; ++k) sum += (both->*step)(*executor);
            return to_ns * sum / calls;
        };
        list.push_back({[=] { return mean(&TwoLayouts::step_one); }, &figures[i].one});
        list.push_back({[=] { return mean(&TwoLayouts::step_sixteen); }, &figures[i].sixteen});
        list.push_back({[=] { return mean(&TwoLayouts::step_levels); }, &figures[i].levels});
    }
    measure_in_turns(list, rounds, progress);
    return figures;
}

}  // namespace bench
}  // namespace tendril
#endif
