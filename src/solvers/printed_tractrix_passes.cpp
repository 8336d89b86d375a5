// The tractrix as printed, printed_tractrix.h, on the strands of a block: [Zappe20] Algorithms 2 to 4. "Furthermore
// there is no collision detection" (section 3), and the only hold is the root; other held particles are put at their
// targets at the end, whatever the lengths. See docs/equations.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/printed_tractrix_passes.cpp"
#include <hwy/foreach_target.h>

#include "solvers/points-inl.h"
#include "solvers/printed_tractrix.h"
#include "solvers/second_strand.h"

#include "math/aligned_vector.h"
#include "math/random.h"

#include <vector>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Constants of all substeps.
struct PrintedTractrixStep {
    const PointsTask* task;
    uint64_t seed;  ///< of the step

    const ShapeInput& shape() const { return task->input->shape; }
    /// The share of the way to its rest position by which the force that maintains the style moves a particle over a
    /// substep. The thesis has no formula: it is a spring of stiffness shape.global.
    float style_force(int level) const { return shape().buckets[task->bucket].levels[level].global; }
};

/// Shared by all algorithms: the strands of the block in double precision, one after the other. Between substeps they
/// are stored as edges; the printed move measures the length of a segment anew each time, so rounding would add up.
class PrintedTractrixPass {
public:
    using F = Points::F;
    /// Rows of this method: the prediction of each particle, and the edge that leads to it.
    enum Row : size_t { kTarget, kEdge = kTarget + 3, kRows = kEdge + 3 };

    PrintedTractrixPass(Points& points, const PrintedTractrixStep& step) : points_(points), step_(step)
    {
        for (int i = 1; i < points.levels(); ++i) set_edge(i, points.edge(i));
    }
    HWY_INLINE void write_back()
    {
        points_.write_back();
        for (int i = 1; i < points_.levels(); ++i) points_.set_edge(i, edge(i));
    }

protected:
    HWY_INLINE Vec3<F> edge(int i) const { return points_.own_vector(kEdge, i); }
    HWY_INLINE void set_edge(int i, const Vec3<F>& e) { points_.set_own_vector(kEdge, i, e); }
    HWY_INLINE Vec3<F> target(int i) const { return points_.own_vector(kTarget, i); }

    HWY_INLINE void predict(int k)
    {
        points_.predict(k);
        for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(kTarget, i, points_.at(i));
    }

    /// Calls `move(lane, strand, targets)` for each strand, with the positions of its particles and their predictions.
    /// It changes the positions. `edge_at(i)` and `store(i, edge)` give access to its edges.
    template <class EdgeAt, class Store, class Move>
    HWY_INLINE void move_each(const EdgeAt& edge_at, const Store& store, const Move& move)
    {
        thread_local AlignedVector<float> at, to;
        thread_local std::vector<Vec3d> strand, targets;
        const int levels = points_.levels();
        at.resize(static_cast<size_t>(levels) * kVector);
        to.resize(static_cast<size_t>(levels) * kVector);
        strand.resize(static_cast<size_t>(levels));
        targets.resize(static_cast<size_t>(levels));
        for (int i = 0; i < levels; ++i) {
            store_rows(i > 0 ? edge_at(i) : points_.from(0), vectors(at, i), 0);
            store_rows(target(i), vectors(to, i), 0);
        }
        for (size_t lane = 0; lane < kLanes; ++lane) {
            Vec3d position{0, 0, 0};
            for (int i = 0; i < levels; ++i) {
                strand[static_cast<size_t>(i)] = position += to_double(vector_at(vectors(at, i) + lane));
                targets[static_cast<size_t>(i)] = to_double(vector_at(vectors(to, i) + lane));
            }
            move(lane, std::span<Vec3d>(strand), std::span<const Vec3d>(targets));
            position = {0, 0, 0};
            for (int i = 0; i < levels; ++i) {
                const Vec3d now = strand[static_cast<size_t>(i)];
                put_vector(vectors(to, i) + lane, to_float(now));
                put_vector(vectors(at, i) + lane, to_float(now - position));
                position = now;
            }
        }
        for (int i = 0; i < levels; ++i) {
            points_.set_position(i, load_rows<F>(vectors(to, i), 0));
            if (i > 0) store(i, load_rows<F>(vectors(at, i), 0));
        }
    }
    template <class Move>
    HWY_INLINE void move_each(const Move& move)
    {
        move_each([this](int i) HWY_ATTR { return edge(i); },
                  [this](int i, const Vec3<F>& e) HWY_ATTR { set_edge(i, e); }, move);
    }

    HWY_INLINE void reach_holds()
    {
        if (points_.is_free_past_root()) return;
        for (int i = 0; i < points_.levels(); ++i) {
            points_.set_position(i, select(splat<F>(0.0f) < points_.inverse_mass(i), points_.at(i), target(i)));
            if (i > 0) set_edge(i, points_.at(i) - points_.at(i - 1));
        }
    }

    Points& points_;
    const PrintedTractrixStep& step_;

private:
    static constexpr size_t kVector = 3 * kLanes;
    static HWY_INLINE float* vectors(AlignedVector<float>& of, int i)
    {
        return of.data() + static_cast<size_t>(i) * kVector;
    }
};

/// Algorithm 2: the root leads. A free root falls.
class PrintedRecursivePass : public PrintedTractrixPass {
public:
    using PrintedTractrixPass::PrintedTractrixPass;

    HWY_INLINE void run(int k)
    {
        predict(k);
        move_each([](size_t, std::span<Vec3d> strand, std::span<const Vec3d> desired) {
            printed_drag(strand, 0, strand.size() - 1, desired[0]);
        });
        reach_holds();
        points_.end_substep(1.0f, [](int) HWY_ATTR { return splat<F>(0.0f, 0.0f, 0.0f); });
    }
};

/// Algorithm 3. The "difference in movement" is read as that from the desired position to the one reached: added to the
/// velocity that led to the desired position, it leaves the velocity of the displacement.
class PrintedEmulationPass : public PrintedTractrixPass {
public:
    using PrintedTractrixPass::PrintedTractrixPass;

    HWY_INLINE void run(int k)
    {
        predict(k);
        const uint64_t seed = mix_bits(step_.seed ^ static_cast<uint64_t>(points_.strand(0)));
        const std::span<const int> order = shuffled(points_.levels(), seed + static_cast<uint64_t>(k));
        const bool has_root = points_.root_held();
        move_each([&](size_t, std::span<Vec3d> strand, std::span<const Vec3d> desired) {
            printed_emulation(strand, desired, order, has_root);
        });
        reach_holds();
        if (points_.has_shape())
            end_with_style(points_.carried_pose(k));
        else
            points_.end_substep(1.0f, [](int) HWY_ATTR { return splat<F>(0.0f, 0.0f, 0.0f); });
    }

private:
    /// Adds the force that "moves every particle in the direction of the desired hair style" to the velocities.
    HWY_INLINE void end_with_style(const CarriedPose<F>& style)
    {
        Vec3<F> position = splat<F>(0.0f, 0.0f, 0.0f);
        points_.end_substep(1.0f, [&](int i) HWY_ATTR {
            if (i > 0) position += style.edge(i);
            return (points_.at(i) - position) * splat<F>(step_.style_force(i));
        });
    }
};

/// Algorithm 4: only the tip X_L has a velocity. It leads a second strand, and the visible one is built of the mixed
/// directions. Ropes have no style to mix with, and no second strand.
class PrintedSplitPass : public PrintedTractrixPass {
public:
    using PrintedTractrixPass::PrintedTractrixPass;

    HWY_INLINE void run(int k)
    {
        predict(k);
        const int tip = points_.tip();
        HWY_ALIGN float drift[3 * kLanes];
        store_rows(points_.free_step(tip), drift, 0);
        const auto swing = [&](size_t lane, std::span<Vec3d> strand, std::span<const Vec3d> desired) {
            const Vec3d moved = to_double(vector_at(drift + lane));
            put_vector(drift + lane, to_float(printed_swing(strand, moved, desired[0])));
        };
        if (points_.is_hair() && step_.shape().on()) {
            move_each([this](int i) HWY_ATTR { return points_.second_edge(i); },
                      [this](int i, const Vec3<F>& e) HWY_ATTR { points_.set_second_edge(i, e); }, swing);
            mix(points_.carried_pose(k));
        } else {
            move_each(swing);
        }
        reach_holds();
        const Vec3<F> left = load_rows<F>(drift, 0), none = splat<F>(0.0f, 0.0f, 0.0f);
        points_.end_substep(1.0f, [&](int i) HWY_ATTR { return i == tip ? points_.step(i) - left : none; });
    }

private:
    HWY_INLINE void mix(const CarriedPose<F>& groom)
    {
        Vec3<F> position = points_.at(0);
        for (int i = 1; i <= points_.tip(); ++i) {
            set_edge(i, turned(points_.second_edge(i), groom.edge(i)));
            points_.set_position(i, position += edge(i));
        }
    }
    HWY_NOINLINE Vec3<F> turned(const Vec3<F>& physical, const Vec3<F>& wanted) const
    {
        HWY_ALIGN float a[3 * kLanes];
        HWY_ALIGN float b[3 * kLanes];
        store_rows(physical, a, 0);
        store_rows(wanted, b, 0);
        const auto share = static_cast<double>(step_.task->settings->tractrix.style);
        for (size_t lane = 0; lane < kLanes; ++lane)
            put_vector(a + lane, to_float(rotated_towards(to_double(vector_at(a + lane)),
                                                          to_double(vector_at(b + lane)), share)));
        return load_rows<F>(a, 0);
    }
};

template <class Pass>
HWY_INLINE void solve_printed(const PointsTask& task, size_t begin, size_t end, const PrintedTractrixStep& step)
{
    for (size_t block = begin; block < end; ++block) {
        Points points(task, block, Pass::kRows);
        Pass pass(points, step);
        for (int k = 0; k < task.input->substeps(); ++k) pass.run(k);
        pass.write_back();
    }
}

void SolvePrintedTractrix(const PointsTask& task, size_t begin, size_t end)
{
    const PrintedTractrixStep step{&task, mix_bits(task.settings->tractrix.seed ^ mix_bits(task.input->step))};
    switch (task.settings->type) {
        case SolverType::kTractrixEmulation: return solve_printed<PrintedEmulationPass>(task, begin, end, step);
        case SolverType::kTractrixSplit: return solve_printed<PrintedSplitPass>(task, begin, end, step);
        default: return solve_printed<PrintedRecursivePass>(task, begin, end, step);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolvePrintedTractrix);

std::unique_ptr<Solver> make_printed_tractrix_solver(const SolverSettings& settings)
{
    const PointsKernel run = [](const PointsTask& task, size_t begin, size_t end) {
        HWY_DYNAMIC_DISPATCH(SolvePrintedTractrix)(task, begin, end);
    };
    if (settings.type == SolverType::kTractrixSplit) return std::make_unique<SecondStrandSolver>(settings, run);
    return std::make_unique<PointsSolver>(settings, run);
}

}  // namespace tendril
#endif
