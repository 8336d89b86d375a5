#include "compare/reference.h"

#include "compare/knobs.h"
#include "interrupt.h"
#include "scene_options.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tendril::app {
namespace {

constexpr const char* kMethod = "direct";
constexpr int kFirst = 8;            // times the substeps of the scene
constexpr double kConverged = 0.02;  // change from half the substeps, as a share of the deviation of interest
// Chaotic motion does not converge: give up if doubling does not reduce the change by this factor this many times.
constexpr double kNearer = 0.7;
constexpr int kMaxFailures = 2;

Result<Reference> reference_with(const Subject& subject, int substeps)
{
    const Variant variant = Variant{kMethod}.with(knobs_of(kMethod).effort.key, substeps);
    const Result<Scene> scene = scene_of(subject, variant);
    if (!scene) return Error{scene.error()};
    const Result<World> world = build_unsettled(*scene, make_thread_executor(subject.threads));
    if (!world) return Error{world.error()};
    Trajectory path(*world, subject.frames);
    Result<SimReport> report = run_variant(subject, variant, nullptr, &path);
    if (!report) return Error{report.error()};
    return Reference{variant, substeps, std::move(*report), std::move(path)};
}

}  // namespace

bool Reference::converged() const
{
    return change <= kConverged * deviation;
}

Result<Reference> find_reference(const Subject& subject, const Trajectory& observed, int substeps)
{
    const EffortKnob knob = knobs_of(kMethod).effort;
    const Result<Scene> scene = scene_of(subject, {kMethod});
    if (!scene) return Error{scene.error()};
    int next = substeps > 0 ? std::max(1, substeps / 2) : std::min(knob.max / 2, kFirst * knob.value(*scene));
    Result<Reference> last = reference_with(subject, next);
    if (!last || interrupted()) return last;
    std::optional<Reference> best;
    int failures = 0;
    while (true) {
        next = substeps > 0 ? substeps : 2 * next;
        Result<Reference> reference = reference_with(subject, next);
        if (!reference || interrupted()) return reference;
        reference->change = reference->path.deviation_of(last->path).mean;
        reference->deviation = reference->path.deviation_of(observed).mean;
        if (reference->converged() || substeps > 0) return reference;
        failures = best && reference->change > kNearer * last->change ? failures + 1 : 0;
        if (!best || reference->change < best->change) best.emplace(*reference);
        if (failures == kMaxFailures || 2 * next > knob.max) return *best;
        last = std::move(reference);
    }
}

}  // namespace tendril::app
