// [Sanchez15] Tables 1 and 2: what shape and hair against hair cost, and what the order of particles in memory gains.
#include "bench/layout_bench.h"
#include "lab_pictures.h"
#include "sanchez15.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril::app::sanchez {
namespace {

constexpr double kMilli = 1e3;

double total(const StageSeconds& s)
{
    return s.roots + s.body + s.interaction + s.solve;
}

/// Table 1: frames per second, drawing included, on a Core i7-3770 with a GeForce GTX 650.
struct Printed {
    const char* name;
    const char* scene;
    double plain, shape, both;
};
constexpr Printed kTable1[]{{"Mannequin A", "mannequin_a", 130.3, 124.0, 21.5},
                            {"Mannequin B", "mannequin_b", 174.2, 172.6, 147.4},
                            {"Horse Louis", "horse", 115.0, 108.5, 83.2},
                            {"Bunny", "bunny", 169.2, 164.0, 126.1},
                            {"Hectroll", "hectroll", 315.0, 305.3, 270.1}};

/// Table 2: frames per second, strand by strand and level by level, in the order of the benchmark's sizes.
struct PrintedLayout {
    double strands, levels;
};
constexpr PrintedLayout kTable2[]{{330, 570}, {250, 520}, {84.8, 370}, {40.1, 223}, {10, 74}};

Result<StageSeconds> step_of(Lab& lab, const char* scene, const Overrides& more)
{
    Overrides settings{{"sim.substeps", "1"}, {"sim.settle", "0"}};
    settings.insert(settings.end(), more.begin(), more.end());
    Result<LabRun> run = lab.open(scene, settings);
    if (!run) return Error{run.error()};
    const bool large = run->world().particle_count() > 100'000;
    return lab.quietest_step(*run, lab.size(large ? 7 : 25, 60), 6);
}

const Overrides kPlain{{"shape.local", "0"}, {"shape.global", "0"}, {"interaction.method", "none"}},
    kShape{{"interaction.method", "none"}}, kBoth{{"interaction.method", "sph"}};

/// What the shape alone adds to a step: where nothing is touched. Hair without a shape falls onto the body, and then
/// contacts take longer than the shape would have.
Result<double> shape_seconds(Lab& lab, const char* scene)
{
    double solve[2]{};
    for (const int k : {0, 1}) {
        Overrides settings = k == 0 ? kPlain : kShape;
        settings.emplace_back("body.collide", "none");
        Result<StageSeconds> step = step_of(lab, scene, settings);
        if (!step) return Error{step.error()};
        solve[k] = step->solve;
    }
    return std::max(0.0, solve[1] - solve[0]);
}

}  // namespace

Result<Finding> find_times(Lab& lab)
{
    Finding finding;
    LabTable table{
        "A frame in ms. Paper: with drawing, on a GPU. Here: the simulation alone, a step of 0.016 s on all "
        "threads, the least disturbed of several; hair without shape falls onto the body, where contacts take longer",
        {"scene", "", "follow-the-leader", "with shape", "with hair against hair", "of that the fluid", "the shape"},
        {}};
    Plot plot;
    plot.title = "What each adds to a step here, per scene";
    plot.x_label = "scene of the table";
    plot.y_label = "ms";
    plot.scale = PlotScale::kLogarithmic;
    plot.lines = {{"follow-the-leader", {}}, {"shape adds", {}}, {"hair against hair adds", {}}};
    double slowest = 0, shape_share = 0, fluid_share = 1e9;
    for (const Printed& printed : kTable1) {
        Result<StageSeconds> plain = step_of(lab, printed.scene, kPlain);
        if (!plain) return Error{plain.error()};
        Result<StageSeconds> shaped = step_of(lab, printed.scene, kShape);
        if (!shaped) return Error{shaped.error()};
        Result<StageSeconds> fluid = step_of(lab, printed.scene, kBoth);
        if (!fluid) return Error{fluid.error()};
        Result<double> added = shape_seconds(lab, printed.scene);
        if (!added) return Error{added.error()};
        const auto ms = [](double seconds) { return fmt::format("{:.2f}", kMilli * seconds); };
        const auto printed_ms = [](double fps) { return fmt::format("{:.2f}", kMilli / fps); };
        table.rows.push_back({printed.name, "paper", printed_ms(printed.plain), printed_ms(printed.shape),
                              printed_ms(printed.both), printed_ms(1 / (1 / printed.both - 1 / printed.shape)),
                              printed_ms(1 / (1 / printed.shape - 1 / printed.plain))});
        table.rows.push_back(
            {"", "here", ms(total(*plain)), ms(total(*shaped)), ms(total(*fluid)), ms(fluid->interaction), ms(*added)});
        slowest = std::max(slowest, total(*fluid) * printed.both);
        shape_share = std::max(shape_share, *added / total(*plain));
        fluid_share = std::min(fluid_share, fluid->interaction / std::max(*added, 1e-9));
        plot.x.push_back(static_cast<double>(plot.x.size() + 1));
        plot.lines[0].values.push_back(kMilli * total(*plain));
        plot.lines[1].values.push_back(kMilli * *added);
        plot.lines[2].values.push_back(kMilli * fluid->interaction);
        finding.numbers.emplace_back(fmt::format("{}_plain_s", printed.scene), total(*plain));
        finding.numbers.emplace_back(fmt::format("{}_shape_s", printed.scene), total(*shaped));
        finding.numbers.emplace_back(fmt::format("{}_both_s", printed.scene), total(*fluid));
    }
    finding.holds = slowest < 4 && shape_share < 1 && fluid_share > 2;
    finding.measured = fmt::format(
        "Shape adds at most {:.0f} % to the step of follow-the-leader (the paper: at most 6 % to a frame that is "
        "mostly "
        "drawing); hair against hair costs at least {:.1f} times as much as that. With both, the slowest of the five "
        "takes {:.2f} times the printed frame, on the processor of another machine.",
        100 * shape_share, fluid_share, slowest);
    finding.numbers.emplace_back("shape_share", shape_share);
    finding.numbers.emplace_back("fluid_over_shape", fluid_share);
    finding.figures.push_back({"Hair against hair is the bottleneck here as there", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_layouts(Lab& lab)
{
    const std::vector<bench::LayoutFigures> figures =
        bench::measure_layouts(make_thread_executor(1), lab.size(3, 15), [](int) {});
    if (figures.size() != std::size(kTable2)) return Error{"the benchmark of layouts has other sizes than the paper"};
    Finding finding;
    LabTable table{
        "The same step of follow-the-leader, frames per second in the paper, ns per particle on one thread here",
        {"strands", "particles", "paper: strands", "levels", "speed-up", "here: strands", "16 strands at once",
         "levels", "speed-up", "over 16 at once"},
        {}};
    Plot plot;
    plot.title = "Speed-up of levels over strands";
    plot.x_label = "size of the table";
    plot.y_label = "times";
    plot.lines = {{"paper, GPU", {}}, {"here, SIMD", {}}, {"here, over 16 strands at once", {}}};
    double least = 1e9, least_gather = 1e9, difference = 0;
    for (size_t k = 0; k < figures.size(); ++k) {
        const bench::LayoutFigures& f = figures[k];
        const double gain = f.one.least() / f.levels.least(), gather = f.sixteen.least() / f.levels.least();
        const auto number = [](double value) { return fmt::format("{:.1f}", value); };
        table.rows.push_back({fmt::format("{}", f.strands), fmt::format("{}", f.strands * f.particles),
                              number(kTable2[k].strands), number(kTable2[k].levels),
                              fmt::format("{:.2f}", kTable2[k].levels / kTable2[k].strands), number(f.one.least()),
                              number(f.sixteen.least()), number(f.levels.least()), fmt::format("{:.2f}", gain),
                              fmt::format("{:.2f}", gather)});
        plot.x.push_back(static_cast<double>(k + 1));
        plot.lines[0].values.push_back(kTable2[k].levels / kTable2[k].strands);
        plot.lines[1].values.push_back(gain);
        plot.lines[2].values.push_back(gather);
        least = std::min(least, gain);
        least_gather = std::min(least_gather, gather);
        difference = std::max(difference, f.difference);
        finding.numbers.emplace_back(fmt::format("speed_up_{}x{}", f.strands, f.particles), gain);
    }
    finding.holds = least > 1.7 && difference < 1e-5;
    finding.measured = fmt::format(
        "Level by level is at least {:.1f} times as fast as strand by strand (printed: 1.7 to 7.4) and {:.2f} times as "
        "fast as sixteen strands at once, gathered from where they are. Tips differ by {:.1e} m after 24 steps.",
        least, least_gather, difference);
    finding.numbers.emplace_back("tip_difference_m", difference);
    finding.figures.push_back({"The same order of particles pays on a GPU and on SIMD lanes", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::sanchez
