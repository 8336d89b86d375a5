#include "search.h"

#include "interrupt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tendril::app {
namespace {

constexpr double kDearer = 1.05;         // times as dear is as dear: a clock is not exact
constexpr double kTooFast = 5;           // times as fast as the reference ever is: it has blown up
constexpr double kStiffnessStep = 1.05;  // how exactly the largest stiffness is found, as a factor

/// The least number in [1, most] from which on something holds: doubling until it does, then halving the gap.
/// `most` + 1 where it never does.
Result<int> least_number(int most, const std::function<Result<bool>(int)>& holds)
{
    int low = 0, high = 1;  // it does not hold at low
    while (true) {
        const Result<bool> there = holds(high);
        if (!there) return Error{there.error()};
        if (*there) break;
        low = high;
        if (high == most || interrupted()) return most + 1;
        high = std::min(2 * high, most);
    }
    while (high - low > 1 && !interrupted()) {
        const int middle = low + (high - low) / 2;
        const Result<bool> there = holds(middle);
        if (!there) return Error{there.error()};
        (*there ? high : low) = middle;
    }
    return high;
}

/// A method that refuses what it cannot take is as good as one that blows up.
bool is_stable(const Subject& subject, const Variant& variant, const Reference& reference)
{
    const Result<SimReport> report = run_variant(subject, variant, nullptr);
    if (!report) return false;
    const Figures figures = report->figures();
    return figures.nonfinite == 0 && figures.fastest <= kTooFast * reference.report.figures().fastest;
}

/// With the largest stiffness that is stable at this effort, where there is one to be chosen.
Variant as_stiff_as_can_be(const Subject& subject, const std::string& method, int effort, const Reference& reference)
{
    const Knobs knobs = knobs_of(method);
    Variant variant = Variant{method}.with(knobs.effort.key, effort);
    if (!knobs.stiffness) return variant;
    double low = knobs.stiffness->least, high = knobs.stiffness->most;
    while (high > kStiffnessStep * low && !interrupted()) {
        const double middle = std::sqrt(low * high);
        (is_stable(subject, variant.with(knobs.stiffness->key, middle), reference) ? low : high) = middle;
    }
    return variant.with(knobs.stiffness->key, low);
}

}  // namespace

Result<Found> as_dear(const Subject& subject, const std::string& method, double nanoseconds, const Reference& reference)
{
    const EffortKnob knob = knobs_of(method).effort;
    const auto too_dear = [&](int effort) -> Result<bool> {
        const Result<double> cost = cost_of(subject, Variant{method}.with(knob.key, effort));
        if (!cost) return Error{cost.error()};
        return *cost > kDearer * nanoseconds;
    };
    const Result<int> first = least_number(knob.most, too_dear);
    if (!first) return Error{first.error()};
    const int effort = std::max(1, *first - 1);
    return Found{as_stiff_as_can_be(subject, method, effort, reference),
                 *first == 1 ? fmt::format("dearer even with one {}", knob.one) : std::string()};
}

Result<Found> as_good(const Subject& subject, const std::string& method, double deviation, const Reference& reference)
{
    const EffortKnob knob = knobs_of(method).effort;
    const auto good = [&](int effort) -> Result<bool> {
        const Variant variant = as_stiff_as_can_be(subject, method, effort, reference);
        const Result<SimReport> report = run_variant(subject, variant, &reference.path);
        if (!report) return Error{report.error()};
        return report->figures().deviation.mean <= deviation;
    };
    const Result<int> least = least_number(knob.most, good);
    if (!least) return Error{least.error()};
    const bool reached = *least <= knob.most;
    return Found{as_stiff_as_can_be(subject, method, reached ? *least : knob.most, reference),
                 reached ? std::string() : fmt::format("not as good even with {} {}", knob.most, knob.many)};
}

}  // namespace tendril::app
