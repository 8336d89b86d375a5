#include "compare/search.h"

#include "interrupt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace tendril::app {
namespace {

constexpr double kEqualCost = 1.05;      // costs within this factor are equal, because clocks are not exact
constexpr double kTooFast = 5;           // times the largest speed of the reference: the method has blown up
constexpr double kStiffnessStep = 1.05;  // precision of the largest stiffness, as a factor

/// The smallest number in [1, max] from which on a condition holds, found by doubling and then bisecting; `max` + 1 if
/// it never holds.
Result<int> min_number(int max, const std::function<Result<bool>(int)>& holds)
{
    int low = 0, high = 1;  // the condition does not hold at low
    while (true) {
        const Result<bool> there = holds(high);
        if (!there) return Error{there.error()};
        if (*there) break;
        low = high;
        if (high == max || interrupted()) return max + 1;
        high = std::min(2 * high, max);
    }
    while (high - low > 1 && !interrupted()) {
        const int middle = low + (high - low) / 2;
        const Result<bool> there = holds(middle);
        if (!there) return Error{there.error()};
        (*there ? high : low) = middle;
    }
    return high;
}

/// A method with the given effort.
Result<Variant> with_effort(const Subject& subject, const std::string& method, int effort)
{
    const Result<Scene> scene = scene_of(subject, {method});
    if (!scene) return Error{scene.error()};
    Variant variant{method};
    for (const auto& [key, value] : effort_keys(knobs_of(method).effort, effort, scene->world.substeps))
        variant = variant.with(key, value);
    return variant;
}

Result<int> max_effort_of(const Subject& subject, const std::string& method)
{
    const Result<Scene> scene = scene_of(subject, {method});
    if (!scene) return Error{scene.error()};
    return max_effort(knobs_of(method).effort, scene->world.substeps);
}

std::string text_of(const Subject& subject, const Variant& variant)
{
    const Result<Scene> scene = scene_of(subject, variant);
    return scene ? settings_text(variant.method, *scene) : std::string();
}

/// A method that rejects its settings counts as unstable. A soft method may be faster than the reference without
/// blowing up, because it falls.
bool is_stable(const Subject& subject, const Variant& variant, const Reference& reference)
{
    const Result<Scene> scene = scene_of(subject, variant);
    if (!scene) return false;
    const Result<SimReport> report = run_variant(subject, variant, nullptr);
    if (!report) return false;
    const Figures figures = report->figures();
    const double falling = length(scene->world.gravity) * scene->world.dt * static_cast<double>(subject.frames);
    return figures.nonfinite == 0 && figures.fastest <= kTooFast * reference.report.figures().fastest + falling;
}

/// The variant with the largest stiffness that is stable at its effort, or unchanged if it has no stiffness. Empty if
/// none is stable.
std::optional<Variant> stiffest(const Subject& subject, const Variant& variant, const Reference& reference)
{
    const Knobs knobs = knobs_of(variant.method);
    if (!knobs.stiffness) return variant;
    double low = knobs.stiffness->min, high = knobs.stiffness->max;
    const auto stable = [&](double stiffness) {
        return is_stable(subject, variant.with(knobs.stiffness->key, stiffness), reference);
    };
    bool found = false;
    while (high > kStiffnessStep * low && !interrupted()) {
        const double middle = std::sqrt(low * high);
        const bool is = stable(middle);
        (is ? low : high) = middle;
        found = found || is;
    }
    if (!found && !stable(low)) return {};
    return variant.with(knobs.stiffness->key, low);
}

Error none_is_stable(const Subject& subject, const Variant& variant)
{
    return {fmt::format("no stiffness is stable with {}", text_of(subject, variant))};
}

}  // namespace

Result<Found> match_cost(const Subject& subject, const std::string& method, double nanoseconds,
                         const Reference& reference)
{
    const auto too_expensive = [&](int effort) -> Result<bool> {
        const Result<Variant> variant = with_effort(subject, method, effort);
        if (!variant) return Error{variant.error()};
        const Result<double> cost = cost_of(subject, *variant);
        if (!cost) return Error{cost.error()};
        return *cost > kEqualCost * nanoseconds;
    };
    const Result<int> max = max_effort_of(subject, method);
    if (!max) return Error{max.error()};
    const Result<int> first = min_number(*max, too_expensive);
    if (!first) return Error{first.error()};
    const Result<Variant> variant = with_effort(subject, method, std::max(1, *first - 1));
    if (!variant) return Error{variant.error()};
    const auto stiff = stiffest(subject, *variant, reference);
    if (!stiff) return none_is_stable(subject, *variant);
    return Found{*stiff, *first == 1 ? std::string("more expensive even so") : std::string()};
}

Result<Found> match_quality(const Subject& subject, const std::string& method, double deviation,
                            const Reference& reference)
{
    const auto good = [&](int effort) -> Result<bool> {
        const Result<Variant> variant = with_effort(subject, method, effort);
        if (!variant) return Error{variant.error()};
        const auto stiff = stiffest(subject, *variant, reference);
        if (!stiff) return false;
        const Result<SimReport> report = run_variant(subject, *stiff, &reference.path);
        if (!report) return Error{report.error()};
        return report->figures().deviation.mean <= deviation;
    };
    const Result<int> max = max_effort_of(subject, method);
    if (!max) return Error{max.error()};
    const Result<int> min = min_number(*max, good);
    if (!min) return Error{min.error()};
    const bool reached = *min <= *max;
    const Result<Variant> variant = with_effort(subject, method, reached ? *min : *max);
    if (!variant) return Error{variant.error()};
    const auto stiff = stiffest(subject, *variant, reference);
    if (!stiff) return none_is_stable(subject, *variant);
    return Found{*stiff, reached ? std::string() : "not as good even so"};
}

}  // namespace tendril::app
