#include "solvers/points.h"

#include "math/random.h"

#include <algorithm>
#include <numeric>

namespace tendril {

SolveReport PointsSolver::solve(Strands& strands, const SolveInput& input, Executor& executor)
{
    sort_holds(strands, input.holds);
    gaps_.assign(strands.block_count(), 0.0f);
    PointsTask task{{&strands, &input, strands.block_count()}, &settings_, holds_, gaps_.data()};
    SolveReport report;
    prepare(task, report);
    for (task.bucket = 0; task.bucket < strands.buckets().size(); ++task.bucket)
        parallel_for(executor, strands.buckets()[task.bucket].blocks, 1,
                     [&](size_t begin, size_t end) { kernel_(task, begin, end); });
    for (const float gap : gaps_) report.add_gap(gap);
    return report;
}

void PointsSolver::sort_holds(const Strands& strands, std::span<const Hold> holds)
{
    holds_.clear();
    for (const Hold& hold : holds) {
        const Slot slot = strands.slot(hold.strand);
        holds_.push_back({strands.buckets()[slot.bucket].first_block + slot.block, slot.lane, hold.level, hold.target});
    }
    const auto before = [](const BlockHold& a, const BlockHold& b) {
        return a.block != b.block ? a.block < b.block : a.lane != b.lane ? a.lane < b.lane : a.level < b.level;
    };
    std::sort(holds_.begin(), holds_.end(), before);
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
