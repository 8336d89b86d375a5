// Twist along a string, and how it deforms the string.
#include "lab_pictures.h"
#include "rungjiratananon11.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tendril::app {
namespace {

constexpr uint32_t kWide = 640, kFlat = 200;  // pictures of horizontal cords
constexpr double kTurn = 2 * std::numbers::pi;

std::vector<double> along_the_string(size_t segments)
{
    std::vector<double> shares;
    for (size_t i = 0; i < segments; ++i) shares.push_back(static_cast<double>(i) / static_cast<double>(segments - 1));
    return shares;
}

/// Plots the measured and the expected twist of a cord at rest.
Finding compare_twist(World& world, const std::vector<double>& expected)
{
    Finding finding;
    Plot plot;
    plot.title = "Twist along the string";
    plot.x_label = "share of the length";
    plot.y_label = "turns";
    const std::vector<double> twist = twist_of(world);
    plot.x = along_the_string(twist.size());
    plot.lines = {{"measured", {}}, {.name = "expected", .values = {}, .dashed = true}};
    for (size_t i = 0; i < twist.size(); ++i) {
        plot.lines[0].values.push_back(twist[i] / kTurn);
        plot.lines[1].values.push_back(expected[i] / kTurn);
    }
    finding.figures.push_back({"Twist relative to the first segment", {}, plot});
    return finding;
}

const Overrides kHorizontalCord{{"render.field", "0.17"}, {"render.distance", "2"}, {"render.target", "[0.51, 0, 0]"}};

}  // namespace

Result<Finding> find_buckling(Lab& lab)
{
    constexpr double kLength = 0.3, kCritical = 8.986819, kCriticalAngle = 13.835, kBuckled = 0.2;
    Finding finding;
    Plot plot;
    plot.title = "Largest deflection within 3 s";
    plot.x_label = "torque M L / EI";
    plot.y_label = "% of the length";
    plot.lines = {{"measured", {}}};
    plot.marks = {{kCritical, fmt::format("critical: {:.2f}", kCritical)}};
    std::vector<Picture> pictures;
    double below = 0, above = 0;
    for (const double share : {0.8, 0.9, 1.0, 1.1, 1.2}) {
        Result<LabRun> run = lab.open("papers/rungjiratananon11_buckling",
                                      {{"body.0.amplitude", fmt::format("{}", share * kCriticalAngle)}});
        if (!run) return Error{run.error()};
        const bool shown = share == 0.9 || share == 1.1;
        double off = 0;
        Picture picture;
        run_until(*run, 3, [&](World& world) {
            const bool buckles = off < kBuckled;
            off = std::max(off, farthest_from_x_axis(world) / kLength);
            // When it forms its loop, or at the end.
            if (!shown || (off < kBuckled ? world.time() < 2.99 : !buckles)) return;
            if (Result<Picture> one = run->picture(480, 240)) picture = std::move(*one);
        });
        if (shown)
            pictures.push_back(labelled(std::move(picture), fmt::format("{:.1f} of the critical torque", share)));
        if (share == 0.9) below = off;
        if (share == 1.1) above = off;
        plot.x.push_back(share * kCritical);
        plot.lines[0].values.push_back(100 * off);
        finding.numbers.emplace_back(fmt::format("off_line_at_{:.1f}", share), off);
    }
    finding.holds = below < 0.02 && above > 0.1;
    finding.measured =
        fmt::format("Deflection: {:.4f} % of the length at 0.9 times the critical torque, {:.0f} % at 1.1 times.",
                    100 * below, 100 * above);
    finding.figures.push_back({"With 0.9 and 1.1 times the critical torque", side_by_side(pictures, 1)});
    finding.figures.push_back({"Deflection of the cord against the torque", {}, plot});
    return finding;
}

Result<Finding> find_loop(Lab& lab)
{
    Result<LabRun> run = lab.open("twist_loop", {{"render.field", "0.25"}, {"render.target", "[0.48, 0, 0]"}});
    if (!run) return Error{run.error()};
    Plot plot;
    plot.title = "Deflection";
    plot.x_label = "time [s]";
    plot.y_label = "cm";
    plot.lines = {{"farthest particle", {}}};
    double at_one = 0, off = 0, touched = 0;
    const auto after = [&](World& world) {
        const double now = farthest_from_x_axis(world);
        plot.x.push_back(world.time());
        plot.lines[0].values.push_back(100 * now);
        off = std::max(off, now);
        if (world.time() < 1.005) at_one = off;
        for (const StringEvent& event : world.take_events())
            if (event.kind == StringEventKind::kTouched && touched == 0) touched = world.time();
    };
    const std::vector<double> times =
        lab.full() ? std::vector{1.0, 5.0, 7.0, 9.0, 12.0} : std::vector{1.0, 5.0, 7.0, 8.5};
    Result<Picture> strip = film_strip(*run, times, 1, kWide, kFlat, after);
    if (!strip) return Error{strip.error()};
    Finding finding;
    finding.holds = at_one < 0.002 && touched > 0 && off > 0.04;
    finding.measured = fmt::format(
        "{:.2f} mm off the line after half a turn; the string touches itself at {:.2f} s and is up to {:.1f} cm off "
        "the line.",
        1e3 * at_one, touched, 100 * off);
    finding.numbers = {{"off_after_half_a_turn_m", at_one}, {"touches_at_s", touched}, {"farthest_m", off}};
    finding.figures.push_back({fmt::format("After {} s", fmt::join(times, ", ")), *strip});
    finding.figures.push_back({"Distance of the cord from the line between its clamps", {}, plot});
    return finding;
}

Result<Finding> find_coil(Lab& lab)
{
    Result<LabRun> run = lab.open("telephone_cord", {{"render.field", "0.25"}, {"render.target", "[0.46, 0, 0]"}});
    if (!run) return Error{run.error()};
    size_t touching = 0;
    const auto after = [&](World& world) {
        for (const StringEvent& event : world.take_events()) touching += event.kind == StringEventKind::kTouched;
    };
    const std::vector<double> times =
        lab.full() ? std::vector{4.0, 6.0, 8.0, 10.0, 14.0} : std::vector{4.0, 8.0, 10.0, 12.0};
    Result<Picture> strip = film_strip(*run, times, 1, kWide, kFlat, after);
    if (!strip) return Error{strip.error()};
    const int crossings = min_crossings(positions_of(run->world()));
    Finding finding;
    const bool coils = crossings >= 4;
    finding.holds = coils && touching == 0;
    finding.measured = fmt::format(
        "It has at least {} crossings from every viewpoint; parts of it began to touch each other {} times.", crossings,
        touching);
    if (coils && touching > 0)
        finding.reason =
            "it coils up, but around itself: as the ends of a straight elastic string approach each other, its slack "
            "forms one loop, and the twist winds the two sides of the loop around each other, as in rubber bands. No "
            "tension or drag that was tried led to an open spiral over the whole length, and the paper does not say "
            "what its string is made of or how it was moved";
    finding.numbers = {{"crossings", crossings}, {"touches", static_cast<double>(touching)}};
    finding.figures.push_back({fmt::format("After {} s", fmt::join(times, ", ")), *strip});
    return finding;
}

Result<Finding> find_even_twist(Lab& lab)
{
    Result<LabRun> run = lab.open("torsion_uniform", kHorizontalCord);
    if (!run) return Error{run.error()};
    Result<Picture> strip = film_strip(*run, {0.5, 1.5, 4.5}, 1, kWide, kFlat);
    if (!strip) return Error{strip.error()};
    const std::vector<double> twist = twist_of(run->world()), shares = along_the_string(twist.size());
    std::vector<double> expected;
    double worst = 0;
    for (size_t i = 0; i < twist.size(); ++i) {
        expected.push_back(twist.back() * shares[i]);
        worst = std::max(worst, std::abs(twist[i] - expected[i]) / std::abs(twist.back()));
    }
    Finding finding = compare_twist(run->world(), expected);
    finding.holds = worst < 0.01 && std::abs(std::abs(twist.back()) / kTurn - 3) < 0.01;
    finding.measured = fmt::format("{:.3f} turns in total, within {:.2f} % of that of a straight line.",
                                   std::abs(twist.back()) / kTurn, 100 * worst);
    finding.numbers = {{"turns", std::abs(twist.back()) / kTurn}, {"worst_share", worst}};
    finding.figures.insert(finding.figures.begin(), {"After 0.5, 1.5 and 4.5 s; the stripes show the twist", *strip});
    return finding;
}

Result<Finding> find_varying_twist(Lab& lab)
{
    Result<LabRun> run = lab.open("torsion_varying", kHorizontalCord);
    if (!run) return Error{run.error()};
    Result<Picture> strip = film_strip(*run, {0.5, 1.5, 4.5}, 1, kWide, kFlat);
    if (!strip) return Error{strip.error()};
    const std::vector<double> twist = twist_of(run->world());
    const SceneGroom& groom = run->scene().grooms[0];
    const size_t last = twist.size() - 1;
    std::vector<double> expected{0};  // summed over the joints, then scaled
    for (size_t i = 1; i <= last; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(last + 1);
        expected.push_back(expected.back() +
                           std::pow(groom.rope_width + (groom.tip_width - groom.rope_width) * share, -4));
    }
    const double scale = twist[last] / expected[last];
    double worst = 0;
    for (double& angle : expected) angle *= scale;
    for (size_t i = 1; i <= last; ++i) {
        const double joint = expected[i] - expected[i - 1];
        worst = std::max(worst, std::abs((twist[i] - twist[i - 1]) / joint - 1));
    }
    const double ratio = (twist[last] - twist[last - 1]) / (twist[1] - twist[0]);
    Finding finding = compare_twist(run->world(), expected);
    finding.holds = worst < 0.03;
    finding.measured = fmt::format(
        "A joint at the thin end has {:.1f} times the twist of one at the thick end; the twist of all joints "
        "is inversely proportional to the rigidity within {:.2f} %.",
        ratio, 100 * worst);
    finding.numbers = {{"thin_over_thick", ratio}, {"worst_share", worst}};
    finding.figures.insert(finding.figures.begin(), {"After 0.5, 1.5 and 4.5 s; the stripes show the twist", *strip});
    return finding;
}

Result<Finding> find_twist_spread(Lab& lab)
{
    constexpr double kStep = 2e-3, kTurned = 0.01, kEnd = 2;  // [s]
    Finding finding;
    LabTable table{
        "A clamp is turned by 1 rad within 10 ms; the time until all angles are within 5 % of the total of their final "
        "values",
        {"reach [segments]", "time [ms]", "off the line at the end"},
        {}};
    Plot plot;
    plot.title = "Largest deviation from even twist";
    plot.x_label = "time [s]";
    plot.y_label = "% of the total";
    std::vector<double> even_after;
    double worst_end = 0;
    for (const int reach : {5, 10, 20}) {
        Result<LabRun> run = lab.open("torsion_uniform", {{"solver.twist_reach", fmt::format("{}", reach)},
                                                          {"sim.dt", fmt::format("{}", kStep)},
                                                          {"body.0.amplitude", "1"},
                                                          {"body.0.period", fmt::format("{}", kTurned)}});
        if (!run) return Error{run.error()};
        double even = 0, off = 0;
        PlotLine line{fmt::format("reach {}", reach), {}};
        std::vector<double> times;
        run_until(*run, kEnd, [&](World& world) {
            const std::vector<double> twist = twist_of(world), shares = along_the_string(twist.size());
            off = 0;
            for (size_t i = 0; i < twist.size(); ++i)
                off = std::max(off, std::abs(twist[i] / twist.back() - shares[i]));
            if (off > 0.05) even = world.time() - kTurned;
            times.push_back(world.time());
            line.values.push_back(100 * off);
        });
        even_after.push_back(even);
        worst_end = std::max(worst_end, off);
        plot.x = times;
        plot.lines.push_back(std::move(line));
        table.rows.push_back(
            {fmt::format("{}", reach), fmt::format("{:.1f}", 1e3 * even), fmt::format("{:.2f} %", 100 * off)});
        finding.numbers.emplace_back(fmt::format("even_after_s_reach_{}", reach), even);
    }
    const double once = even_after[0] / even_after[1], again = even_after[1] / even_after[2];
    finding.holds = once > 3 && again > 3 && worst_end < 0.01;
    finding.measured = fmt::format(
        "Twist is even after {:.0f}, {:.1f} and {:.1f} ms with a reach of 5, 10 and 20 segments: {:.2f} and {:.2f} "
        "times sooner with twice the reach. At the end, it is within {:.2f} % of a straight line.",
        1e3 * even_after[0], 1e3 * even_after[1], 1e3 * even_after[2], once, again, 100 * worst_end);
    finding.figures.push_back({"Deviation from even twist over time", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
