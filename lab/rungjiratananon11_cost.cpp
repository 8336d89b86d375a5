// The cost of strings, and whether the search finds all touching pairs.
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

/// Two overlapping cords of one segment, at the positions of a pair that was missed.
struct Overlap {
    bool found = false;  // whether the search finds their contact
    Picture picture;
};

Result<Overlap> run_overlap(Lab& lab, const bench::VoxelFigures::Pair& pair, const char* search)
{
    constexpr double kScale = 0.1;  // [m] per segment
    const auto position = [&](size_t i) { return (pair.ends[i] - pair.ends[0]) * kScale; };
    Result<LabRun> run = lab.open("papers/rungjiratananon11_voxels",
                                  {{"interaction.search", search},
                                   {"groom.rope_width", fmt::format("{}", 2 * pair.radius * kScale)},
                                   {"groom.0.direction", as_list(position(1))},
                                   {"body.1.position", as_list(position(2))},
                                   {"groom.1.direction", as_list(position(3) - position(2))},
                                   {"render.target", as_list((position(1) + position(2) + position(3)) * 0.25)}});
    if (!run) return Error{run.error()};
    Overlap out;
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
        fmt::format(
            "Share of {} touching pairs of segments, with random positions and rotations, that seven voxels miss",
            figures.pairs),
        {"radius [segments]"},
        {}};
    Plot plot;
    plot.title = "Missed touching pairs";
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
    Result<Overlap> seven = run_overlap(lab, figures.example, "seven_voxels"),
                    exact = run_overlap(lab, figures.example, "exact");
    if (!seven) return Error{seven.error()};
    if (!exact) return Error{exact.error()};

    finding.holds = worst == 0;
    finding.measured = fmt::format(
        "With voxels as long as a segment, {:.2f} % of touching pairs are missed at a radius of 1/8 segment, {:.1f} % "
        "at 1/4. The exact search, which is the default here, misses {} of {}.",
        100 * thin, 100 * worst, missed_exactly, figures.rows.size() * figures.pairs);
    // If the exact search also missed some, this program would be at fault.
    if (worst > 0 && missed_exactly == 0 && exact->found)
        finding.reason =
            "segments can touch although no end of one is in the voxel of an end of the other or in one that shares a "
            "face with it. The paper mentions the cases in the plane; in space, and for segments with a thickness, "
            "there are more. With interaction.search = \"exact\", boxes around whole segments are searched instead";
    finding.numbers = {{"missed_share_radius_8th", thin},
                       {"missed_share_worst", worst},
                       {"missed_by_exact_search", static_cast<double>(missed_exactly)},
                       {"example_found_by_seven_voxels", seven->found ? 1.0 : 0.0},
                       {"example_found_exactly", exact->found ? 1.0 : 0.0}};
    finding.figures.push_back(
        {fmt::format("Two overlapping cords of one segment, after a second: left with seven voxels ({}), right with "
                     "the exact search ({})",
                     seven->found ? "found" : "never found", exact->found ? "found, and pushed apart" : "never found"),
         side_by_side({labelled(seven->picture, "seven voxels"), labelled(exact->picture, "exact search")}, 2)});
    finding.figures.push_back({"Missed by seven voxels, by their side in segments; zeros are not shown", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

namespace {

/// The exponent of times that grow with a power of the size, fitted to their logarithms.
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
    lab.ran_bench({{"chain_shape", true}});
    Finding finding;
    LabTable table{
        "Milliseconds per step of 0.01 s: here / printed (Core i7 with 3.2 GHz, 2011). One thread; each column is the "
        "minimum over several rounds, so the stages need not add up",
        {"segments", "integration", "shape matching", "twist", "tension", "collisions", "total", "as printed"},
        {}};
    Plot plot;
    plot.title = "Time of a step";
    plot.x_label = "segments";
    plot.y_label = "ms";
    plot.scale = PlotScale::kLogarithmic;
    plot.x_scale = PlotScale::kLogarithmic;
    plot.lines = {{"here", {}},
                  {"published", {}},
                  {.name = "real time", .values = {}, .dashed = true},
                  {"here, equations as printed", {}}};
    double slowest = 0, slowest_printed = 0;
    const auto both = [](const bench::Samples& ours, double theirs) {
        return fmt::format("{:.3f} / {}", ours.min(), theirs);
    };
    for (size_t i = 0; i < figures.sizes.size(); ++i) {
        const auto& ours = figures.sizes[i];
        const Published& theirs = kPublished[i];
        table.rows.push_back({fmt::format("{}", ours.segments), both(ours.integration, theirs.integration),
                              both(ours.shape, theirs.shape), both(ours.twist, theirs.twist),
                              both(ours.tension, theirs.tension), both(ours.contacts, theirs.contacts),
                              both(ours.total, ours.published), both(ours.printed, ours.published)});
        plot.x.push_back(ours.segments);
        plot.lines[0].values.push_back(ours.total.min());
        plot.lines[1].values.push_back(ours.published);
        plot.lines[2].values.push_back(10);
        plot.lines[3].values.push_back(ours.printed.min());
        slowest = std::max(slowest, ours.total.min());
        slowest_printed = std::max(slowest_printed, ours.printed.min());
        finding.numbers.emplace_back(fmt::format("printed_ms_{}_segments", ours.segments), ours.printed.min());
        finding.numbers.emplace_back(fmt::format("ms_{}_segments", ours.segments), ours.total.min());
    }
    // Other programs can only add time, so the minimum is the best estimate.
    const double power = power_of(plot.x, plot.lines[0].values), published = power_of(plot.x, plot.lines[1].values),
                 printed_power = power_of(plot.x, plot.lines[3].values);
    judge(finding, slowest_printed < 10 && printed_power < 1.15, slowest < 10 && power < 1.15,
          "all lengths of a piece at once, in two substeps");
    finding.measured = fmt::format(
        "The equations as printed take {:.2f} ms for 100 segments and {:.2f} ms for 746, ours {:.2f} and {:.2f} ms: "
        "time "
        "grows with the powers {:.2f} and {:.2f} of their number. The paper prints 1.73 and 6.17 ms, a power of "
        "{:.2f}. "
        "1,000 strings of 100 segments take {:.0f} ms on {} threads with our method.",
        plot.lines[3].values.front(), plot.lines[3].values.back(), plot.lines[0].values.front(),
        plot.lines[0].values.back(), printed_power, power, published, figures.crowd.min(), lab.threads());
    finding.numbers.emplace_back("power", power);
    finding.numbers.emplace_back("power_printed_form", printed_power);
    finding.numbers.emplace_back("power_published", published);
    finding.numbers.emplace_back("ms_crowd", figures.crowd.min());
    finding.figures.push_back({"Time of a step of 10 ms, with self-collision", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
