#include "reference.h"

#include "interrupt.h"
#include "knobs.h"
#include "scene_options.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tendril::app {
namespace {

constexpr const char* kMethod = "direct";
constexpr int kFirst = 8;            // times the substeps of the scene
constexpr double kConverged = 0.02;  // what half of the substeps change, as a share of the deviation that matters

Result<Reference> reference_with(const Subject& subject, int substeps)
{
    const Variant variant = Variant{kMethod}.with(knobs_of(kMethod).effort.key, substeps);
    const Result<Scene> scene = scene_of(subject, variant);
    if (!scene) return Error{scene.error()};
    const Result<World> world = build_unsettled(*scene, subject.threads);
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
    std::optional<Reference> last;
    while (true) {
        Result<Reference> reference = reference_with(subject, next);
        if (!reference || interrupted()) return reference;
        if (last) {
            reference->change = reference->path.deviation_of(last->path).mean;
            reference->deviation = reference->path.deviation_of(matters).mean;
            if (reference->converged() || substeps > 0 || 2 * next > knob.most) return reference;
        }
        last.emplace(std::move(*reference));
        next = substeps > 0 ? substeps : 2 * next;
    }
}

}  // namespace tendril::app
