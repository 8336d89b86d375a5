#include "compare/search.h"

#include "interrupt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

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

/// A method with so much work in a step.
Result<Variant> with_effort(const Subject& subject, const std::string& method, int effort)
{
    const Result<Scene> scene = scene_of(subject, {method});
    if (!scene) return Error{scene.error()};
    Variant variant{method};
    for (const auto& [key, value] : effort_keys(knobs_of(method).effort, effort, scene->world.substeps))
        variant = variant.with(key, value);
    return variant;
}

Result<int> most_effort_of(const Subject& subject, const std::string& method)
{
    const Result<Scene> scene = scene_of(subject, {method});
    if (!scene) return Error{scene.error()};
    return most_effort(knobs_of(method).effort, scene->world.substeps);
}

std::string text_of(const Subject& subject, const Variant& variant)
{
    const Result<Scene> scene = scene_of(subject, variant);
    return scene ? settings_text(variant.method, *scene) : std::string();
}

/// A method that refuses what it cannot take is as good as one that blows up. A soft one is faster than the reference
/// without doing so: it falls.
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

/// With the largest stiffness that is stable at this effort, where there is one to be chosen. Nothing if none is.
std::optional<Variant> as_stiff_as_can_be(const Subject& subject, const Variant& variant, const Reference& reference)
{
    const Knobs knobs = knobs_of(variant.method);
    if (!knobs.stiffness) return variant;
    double low = knobs.stiffness->least, high = knobs.stiffness->most;
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

Result<Found> as_dear(const Subject& subject, const std::string& method, double nanoseconds, const Reference& reference)
{
    const auto too_dear = [&](int effort) -> Result<bool> {
        const Result<Variant> variant = with_effort(subject, method, effort);
        if (!variant) return Error{variant.error()};
        const Result<double> cost = cost_of(subject, *variant);
        if (!cost) return Error{cost.error()};
        return *cost > kDearer * nanoseconds;
    };
    const Result<int> most = most_effort_of(subject, method);
    if (!most) return Error{most.error()};
    const Result<int> first = least_number(*most, too_dear);
    if (!first) return Error{first.error()};
    const Result<Variant> variant = with_effort(subject, method, std::max(1, *first - 1));
    if (!variant) return Error{variant.error()};
    const auto stiff = as_stiff_as_can_be(subject, *variant, reference);
    if (!stiff) return none_is_stable(subject, *variant);
    return Found{*stiff, *first == 1 ? std::string("dearer even so") : std::string()};
}

Result<Found> as_good(const Subject& subject, const std::string& method, double deviation, const Reference& reference)
{
    const auto good = [&](int effort) -> Result<bool> {
        const Result<Variant> variant = with_effort(subject, method, effort);
        if (!variant) return Error{variant.error()};
        const auto stiff = as_stiff_as_can_be(subject, *variant, reference);
        if (!stiff) return false;
        const Result<SimReport> report = run_variant(subject, *stiff, &reference.path);
        if (!report) return Error{report.error()};
        return report->figures().deviation.mean <= deviation;
    };
    const Result<int> most = most_effort_of(subject, method);
    if (!most) return Error{most.error()};
    const Result<int> least = least_number(*most, good);
    if (!least) return Error{least.error()};
    const bool reached = *least <= *most;
    const Result<Variant> variant = with_effort(subject, method, reached ? *least : *most);
    if (!variant) return Error{variant.error()};
    const auto stiff = as_stiff_as_can_be(subject, *variant, reference);
    if (!stiff) return none_is_stable(subject, *variant);
    return Found{*stiff, reached ? std::string() : "not as good even so"};
}

}  // namespace tendril::app
