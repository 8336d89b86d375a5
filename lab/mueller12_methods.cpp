// [Mueller12] section 4, Fig. 7: follow-the-leader compared with position based dynamics and springs.
#include "compare/knobs.h"
#include "compare/reference.h"
#include "compare/search.h"
#include "compare/variant.h"
#include "lab_measure.h"
#include "lab_pictures.h"
#include "mueller12.h"
#include "scene_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace tendril::app::mueller {
namespace {

constexpr const char* kComparedScene = "papers/mueller12_fig7";
constexpr double kAlike = 1.1;  // methods whose deviations differ by less than this factor are equally good

struct Method {
    std::string name, settings;
    double nanoseconds = 0;  // of a step, per particle
    double stretch = 0;      // the largest
    double deviation = 0;    // mean [m]
    int effort = 0;          // iterations or substeps
    Variant variant;
};

/// The order of the methods of a comparison.
enum Compared : size_t { kLeader, kOurLeader, kPbd, kSpring, kPaperPbd, kPaperSpring };

/// The scene and the reference that methods are compared with, on one thread.
struct Bench {
    Lab& lab;
    Subject subject;
    Reference reference;

    static Result<Bench> open(Lab& lab)
    {
        SceneOptions options;
        options.scene = kComparedScene;
        const Result<std::string> file = scene_file(options);
        if (!file) return Error{file.error()};
        const Subject subject{*file, {}, 400, 1, Visible::kNever};
        const Result<Scene> scene = scene_of(subject, {"dftl", kPrinted});
        if (!scene) return Error{scene.error()};
        const Result<World> world = build_unsettled(*scene, make_thread_executor(1));
        if (!world) return Error{world.error()};
        Trajectory path(*world, subject.frames);
        if (const auto run = run_variant(subject, {"dftl", kPrinted}, nullptr, &path); !run) return Error{run.error()};
        Result<Reference> reference = find_reference(subject, path, 0);
        if (!reference) return Error{reference.error()};
        return Bench{lab, subject, std::move(*reference)};
    }

    /// Calls `seen` ten times during the first full circle of the hand, so that no single moment is picked.
    std::optional<Error> play(const Variant& variant, const std::function<void(LabRun&)>& seen) const
    {
        constexpr uint64_t kFirst = 100, kLast = 200, kEvery = 10;  // steps
        Overrides overrides = variant.settings;
        overrides.emplace_back("solver.type", variant.method);
        Result<LabRun> run = lab.open(kComparedScene, overrides, 1);
        if (!run) return Error{run.error()};
        for (uint64_t step = 1; step < kLast; ++step) {
            run->world().step();
            if (step >= kFirst && step % kEvery == 0) seen(*run);
        }
        return {};
    }

    Result<Method> evaluate(const std::string& name, const Variant& variant) const
    {
        const Result<Scene> scene = scene_of(subject, variant);
        if (!scene) return Error{scene.error()};
        const Result<SimReport> report = run_variant(subject, variant, &reference.path);
        if (!report) return Error{report.error()};
        const Result<double> cost = cost_of(subject, variant);
        if (!cost) return Error{cost.error()};
        const Figures figures = report->figures();
        return Method{name,
                      settings_text(variant.method, *scene),
                      *cost,
                      figures.stretch_max,
                      figures.deviation.mean,
                      knobs_of(variant.method).effort.value(*scene),
                      variant};
    }
};

Variant pbd(int iterations)
{
    return Variant{"pbd"}.with("solver.iterations", iterations);
}

Variant springs(int substeps, double stiffness)
{
    return Variant{"mass_spring"}.with("solver.spring_substeps", substeps).with("solver.spring_stiffness", stiffness);
}

/// Follow-the-leader as printed and ours, both other methods with searched settings, and both with those of the paper.
Result<std::vector<Method>> compared_methods(const Bench& bench, bool equal_time, const Variant& printed_pbd,
                                             const Variant& printed_springs)
{
    std::vector<Method> methods;
    const auto add = [&](const char* name, const Variant& variant) -> std::optional<Error> {
        Result<Method> method = bench.evaluate(name, variant);
        if (!method) return Error{method.error()};
        methods.push_back(std::move(*method));
        return {};
    };
    if (const auto wrong = add("follow the leader, printed", {"dftl", kPrinted})) return *wrong;
    if (const auto wrong = add("follow the leader, ours", {"dftl", kOurs})) return *wrong;
    const std::pair<const char*, const char*> others[]{{"pbd", "pbd"}, {"springs", "mass_spring"}};
    for (const auto& [name, type] : others) {
        const Result<Found> found =
            equal_time ? match_cost(bench.subject, type, methods[kLeader].nanoseconds, bench.reference)
                       : match_quality(bench.subject, type, kAlike * methods[kLeader].deviation, bench.reference);
        if (!found) return Error{found.error()};
        if (const auto wrong = add(name, found->variant)) return *wrong;
    }
    if (const auto wrong = add("pbd, the paper's", printed_pbd)) return *wrong;
    if (const auto wrong = add("springs, the paper's", printed_springs)) return *wrong;
    return methods;
}

std::string percent(double share)
{
    return share < 0.01 ? fmt::format("{:.1e}", 100 * share) : fmt::format("{:.0f}", 100 * share);
}

LabTable table_of(const std::string& caption, const std::vector<Method>& methods)
{
    LabTable table{caption,
                   {"method", "settings", "cost per particle and step [ns]", "largest stretch [%]",
                    "mean distance from the converged motion [mm]"},
                   {}};
    for (const Method& one : methods)
        table.rows.push_back({one.name, one.settings, fmt::format("{:.0f}", one.nanoseconds), percent(one.stretch),
                              fmt::format("{:.0f}", 1e3 * one.deviation)});
    return table;
}

/// Draws the methods and then the converged motion, all with one camera that shows the longest rope completely.
Result<Picture> panels_of(const Bench& bench, std::vector<Method> methods)
{
    constexpr uint32_t kWidth = 300, kHeight = 330;
    constexpr double kMargin = 1.15, kAspect = static_cast<double>(kWidth) / kHeight;
    methods.push_back({"converged", "", 0, 0, 0, 0, bench.reference.variant});
    Box box;
    for (const Method& one : methods) {
        const auto wrong = bench.play(one.variant, [&](LabRun& run) {
            for (const Vec3d& point : points_of(run.world())) box.include(point);
        });
        if (wrong) return *wrong;
    }
    const Vec3d middle = (box.low + box.high) * 0.5, size = box.high - box.low;
    const double height = kMargin * std::max(size.y, size.x / kAspect);
    std::vector<Picture> pictures;
    for (const Method& one : methods) {
        Strobe strobe;
        const auto wrong = bench.play(one.variant, [&](LabRun& run) {
            run.look_at(middle + Vec3d{0, 0, height / 2 / std::tan(run.scene().render.field / 2)}, middle);
            if (const Result<Picture> picture = run.picture(kWidth, kHeight)) strobe.add(*picture);
        });
        if (wrong) return *wrong;
        pictures.push_back(labelled(strobe.picture(), one.name));
    }
    return side_by_side(pictures, 4);
}

}  // namespace

Result<Finding> find_equal_time(Lab& lab)
{
    const Result<Bench> bench = Bench::open(lab);
    if (!bench) return Error{bench.error()};
    const Result<std::vector<Method>> found = compared_methods(*bench, true, pbd(2), springs(2, 100));
    if (!found) return Error{found.error()};
    const std::vector<Method>& methods = *found;
    Finding finding;
    double min_stretch = methods[kPbd].stretch;
    for (size_t k = kPbd; k < methods.size(); ++k) min_stretch = std::min(min_stretch, methods[k].stretch);
    judge(finding, methods[kLeader].stretch < 1e-4 && min_stretch > 0.1,
          methods[kOurLeader].stretch < 1e-4 && min_stretch > 0.1, "it works on edges");
    finding.measured = fmt::format(
        "Largest stretch: {:.0e} with follow-the-leader as printed and {:.0e} with ours; {:.0f} % with pbd ({}) and "
        "{:.0f} % with springs ({}), the most that fit into the time of the printed form, or the minimum; {:.0f} % and "
        "{:.0f} % with the paper's two, which take {:.1f} and {:.1f} times as long.",
        methods[kLeader].stretch, methods[kOurLeader].stretch, 100 * methods[kPbd].stretch, methods[kPbd].settings,
        100 * methods[kSpring].stretch, methods[kSpring].settings, 100 * methods[kPaperPbd].stretch,
        100 * methods[kPaperSpring].stretch, methods[kPaperPbd].nanoseconds / methods[kLeader].nanoseconds,
        methods[kPaperSpring].nanoseconds / methods[kLeader].nanoseconds);
    for (const Method& one : methods) finding.numbers.emplace_back("stretch " + one.name, one.stretch);
    Result<Picture> panels = panels_of(*bench, methods);
    if (!panels) return Error{panels.error()};
    finding.figures.push_back(
        {"The hand's first full circle, from 1 to 2 s, every 0.1 s; the table has the cost", std::move(*panels)});
    finding.tables.push_back(
        table_of("At the cost of follow-the-leader as printed, on one thread, or with one iteration or substep if that "
                 "already costs more. The paper's: 2 iterations, or 2 substeps at 100 N/m",
                 methods));
    return finding;
}

Result<Finding> find_equal_quality(Lab& lab)
{
    constexpr int kPrintedIterations = 25, kPrintedSubsteps = 20;
    constexpr double kPrintedCosts[]{12.5, 10};  // 25 and 20 over the 2 of equal time
    constexpr double kSimilar = 1.5, kNear = 2;  // factors either way
    const Result<Bench> bench = Bench::open(lab);
    if (!bench) return Error{bench.error()};
    const Result<std::vector<Method>> found =
        compared_methods(*bench, false, pbd(kPrintedIterations), springs(kPrintedSubsteps, 3000));
    if (!found) return Error{found.error()};
    const std::vector<Method>& methods = *found;
    const auto within = [](double a, double b, double factor) { return a < factor * b && b < factor * a; };
    const auto as_claimed = [&](const Method& leader) {
        const auto cost = [&](size_t k) { return methods[k].nanoseconds / leader.nanoseconds; };
        return within(methods[kPaperPbd].deviation, leader.deviation, kSimilar) &&
               within(methods[kPaperSpring].deviation, leader.deviation, kSimilar) &&
               within(methods[kPbd].effort, kPrintedIterations, kNear) &&
               within(methods[kSpring].effort, kPrintedSubsteps, kNear) &&
               within(cost(kPaperPbd), kPrintedCosts[0], kNear) && within(cost(kPaperSpring), kPrintedCosts[1], kNear);
    };
    const Result<Method> fine =
        bench->evaluate("follow the leader, 8 substeps", Variant{"dftl", kOurs}.with("sim.substeps", 8));
    if (!fine) return Error{fine.error()};
    Finding finding;
    const Method &leader = methods[kLeader], &ours = methods[kOurLeader];
    judge(finding, as_claimed(leader), as_claimed(ours), "it works on edges");
    const auto times = [&](size_t k) { return methods[k].nanoseconds / leader.nanoseconds; };
    const double farthest = std::max(methods[kPaperPbd].deviation, methods[kPaperSpring].deviation);
    if (!finding.holds && kSimilar * std::max(farthest, fine->deviation) < leader.deviation &&
        methods[kPbd].effort < kPrintedIterations / kNear && methods[kSpring].effort < kPrintedSubsteps / kNear)
        finding.reason = fmt::format(
            "fewer are enough, and the printed numbers give more than similar behaviour: in steps of 10 ms, "
            "follow-the-leader is damped so much that {} iterations or {} substeps are as near to the converged motion "
            "(with eight substeps, it is {:.0f} mm off). They still stretch by {:.0f} and {:.0f} %; the paper judges "
            "by eye.",
            methods[kPbd].effort, methods[kSpring].effort, 1e3 * fine->deviation, 100 * methods[kPbd].stretch,
            100 * methods[kSpring].stretch);
    finding.measured = fmt::format(
        "With the paper's 25 iterations and 20 substeps, the mean distance from the converged motion is {:.0f} and "
        "{:.0f} mm, where follow-the-leader is {:.0f} mm off as printed and {:.0f} mm with ours; they stretch by "
        "{:.0f} and {:.0f} % and cost {:.1f} and {:.1f} times as much as the printed form (12.5 and 10 times follow "
        "from the paper's counts), or {:.0f} and {:.0f} times as much as ours. pbd ({}) and springs ({}) are already "
        "as near, at {:.1f} and {:.1f} times the cost.",
        1e3 * methods[kPaperPbd].deviation, 1e3 * methods[kPaperSpring].deviation, 1e3 * leader.deviation,
        1e3 * ours.deviation, 100 * methods[kPaperPbd].stretch, 100 * methods[kPaperSpring].stretch, times(kPaperPbd),
        times(kPaperSpring), methods[kPaperPbd].nanoseconds / ours.nanoseconds,
        methods[kPaperSpring].nanoseconds / ours.nanoseconds, methods[kPbd].settings, methods[kSpring].settings,
        times(kPbd), times(kSpring));
    for (const Method& one : methods) {
        finding.numbers.emplace_back("cost_ratio " + one.name, one.nanoseconds / leader.nanoseconds);
        finding.numbers.emplace_back("deviation_m " + one.name, one.deviation);
    }
    Result<Picture> panels = panels_of(*bench, methods);
    if (!panels) return Error{panels.error()};
    finding.figures.push_back(
        {"The hand's first full circle, from 1 to 2 s, every 0.1 s; pbd and springs are as near to "
         "the converged motion over all 4 s, or nearer",
         std::move(*panels)});
    finding.tables.push_back(
        table_of("As near to the converged motion as follow-the-leader, on one thread. The paper's: 25 iterations, or "
                 "20 substeps at 3000 N/m",
                 methods));
    return finding;
}

}  // namespace tendril::app::mueller
