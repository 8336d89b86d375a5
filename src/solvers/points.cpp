#include "solvers/points.h"

#include "math/random.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tendril {
namespace {

class PointsSolver final : public Solver {
public:
    PointsSolver(const SolverSettings& settings, PointsKernel kernel) : settings_(settings), kernel_(kernel) {}

    void configure(const SolverSettings& settings) override { settings_ = settings; }

    SolveReport solve(Strands& strands, const SolveInput& input, Executor& executor) override
    {
        if (settings_.type == SolverType::kTractrixSplit) strands.keep_second();
        sort_holds(strands, input.holds);
        gaps_.assign(strands.block_count(), 0.0f);
        PointsTask task{{&strands, &input, strands.block_count()}, &settings_, holds_, gaps_.data()};
        for (task.bucket = 0; task.bucket < strands.buckets().size(); ++task.bucket)
            parallel_for(executor, strands.buckets()[task.bucket].blocks, 1,
                         [&](size_t begin, size_t end) { kernel_(task, begin, end); });
        SolveReport report;
        for (const float gap : gaps_) report.add_gap(gap);
        return report;
    }

private:
    void sort_holds(const Strands& strands, std::span<const Hold> holds)
    {
        holds_.clear();
        for (const Hold& hold : holds) {
            const Slot slot = strands.slot(hold.strand);
            holds_.push_back(
                {strands.buckets()[slot.bucket].first_block + slot.block, slot.lane, hold.level, hold.target});
        }
        const auto before = [](const BlockHold& a, const BlockHold& b) {
            return a.block != b.block ? a.block < b.block : a.lane != b.lane ? a.lane < b.lane : a.level < b.level;
        };
        std::sort(holds_.begin(), holds_.end(), before);
    }

    SolverSettings settings_;
    PointsKernel kernel_;
    std::vector<BlockHold> holds_;
    std::vector<float> gaps_;
};

}  // namespace

std::unique_ptr<Solver> make_points_solver(const SolverSettings& settings, PointsKernel kernel)
{
    return std::make_unique<PointsSolver>(settings, kernel);
}

float* points_workspace(size_t floats)
{
    thread_local AlignedFloats workspace;
    if (workspace.size() < floats) workspace = AlignedFloats(floats);
    return workspace.data();
}

std::span<const int> shuffled(int count, uint64_t seed)
{
    thread_local std::vector<int> order;
    order.resize(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (uint64_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[static_cast<size_t>(uniform(seed, left) * static_cast<double>(left))]);
    return order;
}

}  // namespace tendril
