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
constexpr double kConverged = 0.02;  // what half of the substeps change, as a share of the deviation that matters
// Motion may be chaotic: where doubling does not bring the next nearer by this factor for so many times, it will not.
constexpr double kNearer = 0.7;
constexpr int kMostInVain = 2;

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

Result<Reference> find_reference(const Subject& subject, const Trajectory& matters, int substeps)
{
    const EffortKnob knob = knobs_of(kMethod).effort;
    const Result<Scene> scene = scene_of(subject, {kMethod});
    if (!scene) return Error{scene.error()};
    int next = substeps > 0 ? std::max(1, substeps / 2) : std::min(knob.most / 2, kFirst * knob.value(*scene));
    Result<Reference> last = reference_with(subject, next);
    if (!last || interrupted()) return last;
    std::optional<Reference> best;
    int in_vain = 0;
    while (true) {
        next = substeps > 0 ? substeps : 2 * next;
        Result<Reference> reference = reference_with(subject, next);
        if (!reference || interrupted()) return reference;
        reference->change = reference->path.deviation_of(last->path).mean;
        reference->deviation = reference->path.deviation_of(matters).mean;
        if (reference->converged() || substeps > 0) return reference;
        in_vain = best && reference->change > kNearer * last->change ? in_vain + 1 : 0;
        if (!best || reference->change < best->change) best.emplace(*reference);
        if (in_vain == kMostInVain || 2 * next > knob.most) return *best;
        last = std::move(reference);
    }
}

}  // namespace tendril::app
