#include "tractrix_bench.h"

#include "dftl_bench.h"

#include <algorithm>
#include <cmath>

namespace tendril::bench {
namespace {

constexpr uint32_t kMohawkParticles = 32;
constexpr double kMinTime = 0.02;  // [s], so that other programs disturb short and long steps alike

World make_mohawk(uint32_t particles, SolverType type)
{
    World world = make_head_world(kMohawkStrands, particles, make_serial_executor());
    world.settings().solver.type = type;
    return world;
}

/// Time of the solver for a step [ms].
double step_ms(World& world)
{
    double seconds = 0;
    int steps = 0;
    for (; seconds < kMinTime; ++steps) seconds += world.step().seconds.solve;
    return 1e3 * seconds / steps;
}

}  // namespace

const TractrixFigures::Size& TractrixFigures::mohawk() const
{
    return *std::find_if(sizes.begin(), sizes.end(), [](const Size& s) { return s.particles == kMohawkParticles; });
}

double TractrixFigures::exponent(Samples Size::*times) const
{
    const Size &first = sizes.front(), &last = sizes.back();
    return std::log((last.*times / first.*times).median()) / std::log(1.0 * last.particles / first.particles);
}

TractrixFigures measure_tractrix(int rounds, const std::function<void(int)>& progress)
{
    TractrixFigures figures;
    for (const uint32_t particles : {8u, 16u, kMohawkParticles, 64u}) {
        figures.sizes.emplace_back();
        figures.sizes.back().particles = particles;
    }
    std::vector<Measurement> list;
    for (TractrixFigures::Size& size : figures.sizes) {
        const auto add = [&](SolverType type, Samples& samples) {
            auto world = std::make_shared<World>(make_mohawk(size.particles, type));
            list.push_back({[world] { return step_ms(*world); }, &samples});
        };
        add(SolverType::kTractrixEmulation, size.emulation);
        add(SolverType::kTractrixSplit, size.split);
        add(SolverType::kTractrixFtl, size.ftl);
        add(SolverType::kDftl, size.dftl);
    }
    measure_in_turns(list, rounds, progress);
    return figures;
}

}  // namespace tendril::bench
