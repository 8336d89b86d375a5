// What strings cost, and whether the search for touching pairs finds them all.
#include "bench/strings_bench.h"
#include "bench/voxels_bench.h"
#include "lab_pictures.h"
#include "rungjiratananon11.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app {
namespace {

std::string as_list(const Vec3d& v)
{
    return fmt::format("[{:.9f}, {:.9f}, {:.9f}]", v.x, v.y, v.z);
}

/// Two cords as long as a segment that lie inside of each other, in the places of a pair that was missed: whether they
/// are found, and what becomes of them.
struct Lying {
    bool found = false;
    Picture picture;
};

Result<Lying> lie(Lab& lab, const bench::VoxelFigures::Pair& pair, const char* search)
{
    constexpr double kScale = 0.1;  // [m] per segment
    const auto place = [&](size_t i) { return (pair.ends[i] - pair.ends[0]) * kScale; };
    Result<LabRun> run = lab.open("papers/rungjiratananon11_voxels",
                                  {{"interaction.search", search},
                                   {"groom.rope_width", fmt::format("{}", 2 * pair.radius * kScale)},
                                   {"groom.0.direction", as_list(place(1))},
                                   {"body.1.position", as_list(place(2))},
                                   {"groom.1.direction", as_list(place(3) - place(2))},
                                   {"render.target", as_list((place(1) + place(2) + place(3)) * 0.25)}});
    if (!run) return Error{run.error()};
    Lying out;
    run_until(*run, 1, [&](World& world) {
        for (const StringEvent& event : world.take_events()) out.found |= event.kind == StringEventKind::kTouched;
    });
    if (Result<Picture> picture = run->picture(360, 300)) out.picture = std::move(*picture);
    return out;
}

}  // namespace

Result<Finding> find_seven_voxels(Lab& lab)
{
    const bench::VoxelFigures figures = bench::measure_voxels(lab.size<size_t>(20000, 62500), lab.size<size_t>(5, 10));
    Finding finding;
    LabTable table{
        fmt::format("Share of {} touching pairs of segments, placed and turned at random, that seven voxels miss",
                    figures.pairs),
        {"radius [segments]"},
        {}};
    Plot plot;
    plot.title = "Touching pairs that are missed";
    plot.x_label = "radius [segments]";
    plot.y_label = "%";
    plot.scale = PlotScale::kLogarithmic;
    for (const double voxel : figures.voxels) {
        table.head.push_back(fmt::format("voxel {}", voxel));
        plot.lines.push_back({fmt::format("side {}", voxel), {}});
    }
    table.head.push_back("exact search");
    double worst = 0, thin = 0;
    size_t missed_exactly = 0;
    for (const bench::VoxelFigures::Row& row : figures.rows) {
        std::vector<std::string> cells{fmt::format("{}", row.radius)};
        plot.x.push_back(row.radius);
        for (size_t v = 0; v < row.missed.size(); ++v) {
            const double share = static_cast<double>(row.missed[v]) / static_cast<double>(figures.pairs);
            worst = std::max(worst, share);
            if (v == 0 && row.radius == 0.125) thin = share;
            plot.lines[v].values.push_back(100 * share);
            cells.push_back(fmt::format("{:.4f} %", 100 * share));
        }
        missed_exactly += row.missed_exactly;
        cells.push_back(fmt::format("{} missed", row.missed_exactly));
        table.rows.push_back(std::move(cells));
    }
    Result<Lying> seven = lie(lab, figures.example, "seven_voxels"), exact = lie(lab, figures.example, "exact");
    if (!seven) return Error{seven.error()};
    if (!exact) return Error{exact.error()};

    finding.holds = worst == 0;
    finding.measured = fmt::format(
        "With voxels as long as a segment {:.2f} % of touching pairs are missed at a radius of 1/8 segment, {:.1f} % "
        "at "
        "1/4. The exact search that is the default here misses {} of {}.",
        100 * thin, 100 * worst, missed_exactly, figures.rows.size() * figures.pairs);
    // Where the exact search misses any, too, ours is at fault.
    if (worst > 0 && missed_exactly == 0 && exact->found)
        finding.reason =
            "segments can touch while no end of one is in the voxel of an end of the other or in one that shares a "
            "face with it. The paper points to the cases in the plane; in space, and for segments that have a "
            "thickness, there are more. With interaction.search = \"exact\" boxes around whole segments are searched "
            "instead";
    finding.numbers = {{"missed_share_radius_8th", thin},
                       {"missed_share_worst", worst},
                       {"missed_by_exact_search", static_cast<double>(missed_exactly)},
                       {"example_found_by_seven_voxels", seven->found ? 1.0 : 0.0},
                       {"example_found_exactly", exact->found ? 1.0 : 0.0}};
    finding.figures.push_back(
        {fmt::format(
             "Two cords of one segment that lie in each other, after a second: left with seven voxels ({}), right "
             "with the exact search ({})",
             seven->found ? "found" : "never found", exact->found ? "found, and pushed apart" : "never found"),
         side_by_side({labelled(seven->picture, "seven voxels"), labelled(exact->picture, "exact search")}, 2)});
    finding.figures.push_back(
        {"Missed by seven voxels, by their side in segments; what is not shown is none", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

namespace {

/// x of times that go with sizes to the power of x: the line that fits their logarithms best.
double power_of(const std::vector<double>& sizes, const std::vector<double>& times)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(sizes.size());
    for (size_t i = 0; i < sizes.size(); ++i) {
        const double a = std::log(sizes[i]), b = std::log(times[i]);
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace

Result<Finding> find_stage_times(Lab& lab)
{
    struct Published {
        double integration, shape, twist, tension, contacts;
    };
    constexpr Published kPublished[]{{0.011, 0.086, 0.098, 0.221, 1.31},
                                     {0.022, 0.168, 0.184, 0.424, 1.36},
                                     {0.029, 0.221, 0.237, 0.564, 1.37},
                                     {0.128, 0.501, 0.739, 1.67, 3.13}};
    const bench::StringFigures figures =
        bench::measure_strings(make_thread_executor(lab.threads()), lab.size(5, 15), [](int) {});
    Finding finding;
    LabTable table{
        "Milliseconds per step of 0.01 s: here / printed (Core i7 with 3.2 GHz, 2011). The least of some rounds, each "
        "column by itself, one thread: stages need not add up",
        {"segments", "integration", "shape matching", "twist", "tension", "collisions", "total"},
        {}};
    Plot plot;
    plot.title = "Time of a step";
    plot.x_label = "segments";
    plot.y_label = "ms";
    plot.scale = PlotScale::kLogarithmic;
    plot.x_scale = PlotScale::kLogarithmic;
    plot.lines = {{"here", {}}, {"printed", {}}, {.name = "real time", .values = {}, .dashed = true}};
    double slowest = 0;
    const auto beside = [](const bench::Samples& ours, double theirs) {
        return fmt::format("{:.3f} / {}", ours.least(), theirs);
    };
    for (size_t i = 0; i < figures.sizes.size(); ++i) {
        const auto& ours = figures.sizes[i];
        const Published& theirs = kPublished[i];
        table.rows.push_back({fmt::format("{}", ours.segments), beside(ours.integration, theirs.integration),
                              beside(ours.shape, theirs.shape), beside(ours.twist, theirs.twist),
                              beside(ours.tension, theirs.tension), beside(ours.contacts, theirs.contacts),
                              beside(ours.total, ours.published)});
        plot.x.push_back(ours.segments);
        plot.lines[0].values.push_back(ours.total.least());
        plot.lines[1].values.push_back(ours.published);
        plot.lines[2].values.push_back(10);
        slowest = std::max(slowest, ours.total.least());
        finding.numbers.emplace_back(fmt::format("ms_{}_segments", ours.segments), ours.total.least());
    }
    // What else the machine does only adds: the least is what the step takes.
    const double power = power_of(plot.x, plot.lines[0].values), printed = power_of(plot.x, plot.lines[1].values);
    finding.holds = slowest < 10 && power < 1.15;
    finding.measured = fmt::format(
        "{:.2f} ms for 100 segments and {:.2f} ms for 746: time goes with their number to the power of {:.2f}. Printed "
        "are 1.73 and 6.17 ms, a power of {:.2f}. 1,000 strings of 100 segments take {:.0f} ms on {} threads.",
        plot.lines[0].values.front(), plot.lines[0].values.back(), power, printed, figures.crowd.least(),
        lab.threads());
    finding.numbers.emplace_back("power", power);
    finding.numbers.emplace_back("power_printed", printed);
    finding.numbers.emplace_back("ms_crowd", figures.crowd.least());
    finding.figures.push_back({"Time of a step of 10 ms, with self-collision", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
