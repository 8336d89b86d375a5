// Twist along a string, and how it deforms the string.
#include "lab_pictures.h"
#include "rungjiratananon11.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <tuple>

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

/// A run with our method, and with the equations as printed: with the sum of Eq. 2, and with the mean as a goal.
struct Variant {
    const char *name, *key;
    Overrides overrides;
};

/// For cords at rest: regions of several widths, and the time after which twist has come to rest [s].
struct AtRestVariant : Variant {
    std::vector<double> times;
};

std::vector<AtRestVariant> variants_at_rest()
{
    const std::vector<double> soon{0.5, 1.5, 4.5};
    std::vector<AtRestVariant> all{{{"ours", "ours", {}}, soon}, {{"as printed", "printed", printed()}, soon}};
    const std::tuple<const char*, const char*, const char*, double> widths[] = {
        {"printed, with the mean as goal, half-width 1", "printed_mean_1", "1", 90},
        {"printed, with the mean as goal, half-width 3", "printed_mean_3", "3", 45},
        {"printed, with the mean as goal, half-width 10", "printed_mean_10", "10", 20}};
    for (const auto& [name, key, width, rest] : widths)
        all.push_back({{name, key, printed_with_goals({{"solver.twist_half_width", width}})}, {0.5, 1.5, rest}});
    return all;
}

std::vector<Variant> variants()
{
    return {{"ours", "ours", {}},
            {"as printed", "printed", printed()},
            {"printed, with the mean as goal", "printed_mean", printed_with_goals()}};
}

/// The twist of a cord at rest, and that which its rigidity gives.
struct AtRest {
    std::vector<double> twist, expected;  // of segments relative to the first [rad]
    double worst = 0;                     // largest deviation, as each claim measures it
    size_t bounded = 0;                   // angles that were limited
    Picture strip;
};

/// Turns one end of a cord and lets it come to rest.
Result<AtRest> twist_cord(Lab& lab, const char* scene, const Overrides& overrides, const std::vector<double>& times)
{
    Result<LabRun> run = lab.open(
        scene,
        joined({{"render.field", "0.17"}, {"render.distance", "2"}, {"render.target", "[0.51, 0, 0]"}}, overrides));
    if (!run) return Error{run.error()};
    AtRest out;
    std::vector<Picture> pictures;
    for (const double time : times) {
        while (run->world().time() < time - 1e-9) out.bounded += run->world().step().bounded;
        Result<Picture> picture = run->picture(kWide, kFlat);
        if (!picture) return Error{picture.error()};
        pictures.push_back(labelled(std::move(*picture), fmt::format("{:.4g} s", time)));
    }
    out.strip = side_by_side(pictures, 1);
    out.twist = twist_of(run->world());
    const SceneGroom& groom = run->scene().grooms[0];
    const double tip = groom.tip_width > 0 ? groom.tip_width : groom.rope_width;
    out.expected = {0};  // summed over the joints, then scaled
    const size_t last = out.twist.size() - 1;
    for (size_t i = 1; i <= last; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(last + 1);
        out.expected.push_back(out.expected.back() + std::pow(groom.rope_width + (tip - groom.rope_width) * share, -4));
    }
    const double scale = out.twist[last] / out.expected[last];
    for (double& angle : out.expected) angle *= scale;
    return out;
}

/// Plots the measured and the expected twist of cords at rest.
Plot plot_of(const std::vector<AtRest>& found)
{
    Plot plot;
    plot.title = "Twist along the string";
    plot.x_label = "share of the length";
    plot.y_label = "turns";
    plot.x = along_the_string(found[0].twist.size());
    const auto line = [&](const std::string& name, const std::vector<double>& angles, bool dashed) {
        PlotLine made{.name = name, .values = {}, .dashed = dashed};
        for (const double angle : angles) made.values.push_back(angle / kTurn);
        plot.lines.push_back(std::move(made));
    };
    line("ours", found[0].twist, false);
    // As printed, it is out of range.
    line("mean as goal, half-width 1", found[2].twist, false);
    line("mean as goal, half-width 3", found[3].twist, false);
    line("mean as goal, half-width 10", found[4].twist, false);
    line("expected", found[0].expected, true);
    return plot;
}

}  // namespace

Result<Finding> find_buckling(Lab& lab)
{
    constexpr double kLength = 0.3, kCritical = 8.986819, kCriticalAngle = 13.835, kBuckled = 0.2;
    Finding finding;
    Plot plot;
    plot.title = "Largest deflection within 3 s";
    plot.x_label = "torque M L / EI";
    plot.y_label = "% of the length";
    plot.marks = {{kCritical, fmt::format("critical: {:.2f}", kCritical)}};
    std::vector<std::string> texts;
    std::vector<bool> holds;
    for (const Variant& variant : variants()) {
        std::vector<Picture> pictures;
        PlotLine line{variant.name, {}};
        double below = 0, above = 0;
        plot.x.clear();
        for (const double share : {0.8, 0.9, 1.0, 1.1, 1.2}) {
            Result<LabRun> run =
                lab.open("papers/rungjiratananon11_buckling",
                         joined({{"body.0.amplitude", fmt::format("{}", share * kCriticalAngle)}}, variant.overrides));
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
            line.values.push_back(100 * off);
            finding.numbers.emplace_back(fmt::format("{}_off_line_at_{:.1f}", variant.key, share), off);
        }
        plot.lines.push_back(std::move(line));
        holds.push_back(below < 0.02 && above > 0.1);
        texts.push_back(fmt::format("{:.4f} and {:.4f} %", 100 * below, 100 * above));
        finding.figures.push_back(
            {fmt::format("{}: with 0.9 and 1.1 times the critical torque", variant.name), side_by_side(pictures, 1)});
    }
    judge(finding, holds[1], holds[0], "the force is the gradient of the twist energy");
    finding.measured = fmt::format(
        "Deflection at 0.9 and 1.1 times the critical torque, in % of the length: ours {}; as printed {}; with the "
        "force as printed and the mean over regions as the goal of the twist {}.",
        texts[0], texts[1], texts[2]);
    finding.figures.push_back({"Deflection of the cord against the torque", {}, plot});
    return finding;
}

namespace {

/// A cord between a clamp that turns and one that approaches.
struct Coiling {
    double at_one = 0, off = 0;  // largest distance from the line in the first second and at all [m]
    double touched = 0;          // time of the first touch [s]; 0: none
    size_t touching = 0, bounded = 0;
    int crossings = 0;                     // at the end
    int open_crossings = 0;                // most before anything touched
    std::vector<double> times, distances;  // [s], [m]
    Picture strip;
};

Result<Coiling> coil_cord(Lab& lab, const char* scene, const Overrides& overrides, const std::vector<double>& times)
{
    Result<LabRun> run = lab.open(scene, joined({{"render.field", "0.25"}}, overrides));
    if (!run) return Error{run.error()};
    Coiling out;
    std::vector<Picture> pictures;
    for (const double time : times) {
        while (run->world().time() < time - 1e-9) {
            out.bounded += run->world().step().bounded;
            World& world = run->world();
            const double now = farthest_from_x_axis(world);
            out.times.push_back(world.time());
            out.distances.push_back(now);
            out.off = std::max(out.off, now);
            if (world.time() < 1.005) out.at_one = out.off;
            for (const StringEvent& event : world.take_events()) {
                if (event.kind != StringEventKind::kTouched) continue;
                ++out.touching;
                if (out.touched == 0) out.touched = world.time();
            }
            if (out.touched == 0 && world.steps() % 50 == 0)
                out.open_crossings = std::max(out.open_crossings, min_crossings(positions_of(world)));
        }
        Result<Picture> picture = run->picture(kWide, kFlat);
        if (!picture) return Error{picture.error()};
        pictures.push_back(labelled(std::move(*picture), fmt::format("{:.4g} s", time)));
    }
    out.strip = side_by_side(pictures, 1);
    out.crossings = min_crossings(positions_of(run->world()));
    return out;
}

}  // namespace

Result<Finding> find_loop(Lab& lab)
{
    const std::vector<double> times =
        lab.full() ? std::vector{1.0, 5.0, 7.0, 9.0, 12.0} : std::vector{1.0, 5.0, 7.0, 8.5};
    Finding finding;
    Plot plot;
    plot.title = "Deflection";
    plot.x_label = "time [s]";
    plot.y_label = "cm";
    std::vector<Coiling> found;
    std::vector<bool> holds;
    for (const Variant& variant : variants()) {
        Result<Coiling> one =
            coil_cord(lab, "twist_loop", joined({{"render.target", "[0.48, 0, 0]"}}, variant.overrides), times);
        if (!one) return Error{one.error()};
        plot.x = one->times;
        PlotLine line{variant.name, {}};
        for (const double distance : one->distances) line.values.push_back(100 * distance);
        plot.lines.push_back(std::move(line));
        holds.push_back(one->at_one < 0.002 && one->touched > 0 && one->off > 0.04);
        finding.numbers.emplace_back(fmt::format("{}_off_after_half_a_turn_m", variant.key), one->at_one);
        finding.numbers.emplace_back(fmt::format("{}_touches_at_s", variant.key), one->touched);
        finding.numbers.emplace_back(fmt::format("{}_farthest_m", variant.key), one->off);
        finding.figures.push_back(
            {fmt::format("{}: after {} s", variant.name, fmt::join(times, ", ")), std::move(one->strip)});
        found.push_back(std::move(*one));
    }
    const auto text = [](const Coiling& c) {
        return fmt::format(
            "{:.3f} mm off the line after half a turn and up to {:.1f} cm later, {}", 1e3 * c.at_one, 100 * c.off,
            c.touched > 0 ? fmt::format("touches itself at {:.2f} s", c.touched) : std::string("never touches itself"));
    };
    judge(finding, holds[1], holds[0],
          "twist is conducted along the string and bends it by the gradient of the twist energy");
    finding.measured = fmt::format(
        "Ours: {}. As printed, {} angles grow beyond 1000 turns and are limited: {}. With the mean over regions as the "
        "goal of the twist: {}.",
        text(found[0]), found[1].bounded, text(found[1]), text(found[2]));
    finding.figures.push_back({"Distance of the cord from the line between its clamps", {}, plot});
    return finding;
}

Result<Finding> find_coil(Lab& lab)
{
    const std::vector<double> times =
        lab.full() ? std::vector{4.0, 6.0, 8.0, 10.0, 14.0} : std::vector{4.0, 8.0, 10.0, 12.0};
    Finding finding;
    LabTable table{"After the last of the times",
                   {"", "crossings from every viewpoint", "touches", "most crossings before a touch"},
                   {}};
    std::vector<Variant> all = variants();
    for (const int width : {3, 8})
        all.push_back({width == 3 ? "printed, mean, regions of half-width 3" : "printed, mean, regions of half-width 8",
                       width == 3 ? "printed_mean_w3" : "printed_mean_w8",
                       printed_with_goals({{"solver.half_width", fmt::format("{}", width)},
                                           {"solver.twist_half_width", fmt::format("{}", 4 * width)}})});
    std::vector<Coiling> found;
    bool as_printed = false, ours = false;
    for (const Variant& variant : all) {
        Result<Coiling> one =
            coil_cord(lab, "telephone_cord", joined({{"render.target", "[0.46, 0, 0]"}}, variant.overrides), times);
        if (!one) return Error{one.error()};
        const bool holds = one->crossings >= 4 && one->touching == 0;
        (found.empty() ? ours : as_printed) |= holds;
        table.rows.push_back({variant.name, fmt::format("{}", one->crossings), fmt::format("{}", one->touching),
                              fmt::format("{}", one->open_crossings)});
        finding.numbers.emplace_back(fmt::format("{}_crossings", variant.key), one->crossings);
        finding.numbers.emplace_back(fmt::format("{}_touches", variant.key), static_cast<double>(one->touching));
        finding.numbers.emplace_back(fmt::format("{}_open_crossings", variant.key), one->open_crossings);
        finding.figures.push_back(
            {fmt::format("{}: after {} s", variant.name, fmt::join(times, ", ")), std::move(one->strip)});
        found.push_back(std::move(*one));
    }
    // Other widths of the regions, rigidities and distances.
    int tried = 0, open = 0;
    for (const char* width : {"2", "5"})
        for (const char* twist_width : {"5", "20"})
            for (const char* shear : {"3e5", "5e6"})
                for (const char* way : {"0.35", "0.55"}) {
                    if (!lab.full() && tried >= 4) continue;
                    Result<Coiling> one = coil_cord(lab, "telephone_cord",
                                                    printed_with_goals({{"solver.half_width", width},
                                                                        {"solver.twist_half_width", twist_width},
                                                                        {"groom.shear_modulus", shear},
                                                                        {"body.1.amplitude", way}}),
                                                    {12.0});
                    if (!one) return Error{one.error()};
                    ++tried;
                    open = std::max(open, one->open_crossings);
                    as_printed |= one->crossings >= 4 && one->touching == 0;
                }
    judge(finding, as_printed, ours, "twist bends the string by the gradient of the twist energy");
    finding.measured = fmt::format(
        "Ours: {} crossings from every viewpoint, {} touches. As printed: {} and {}; {} angles grow beyond 1000 turns, "
        "are "
        "limited, and throw the cord about. With the mean over regions as the goal of the twist: {} and {}; with "
        "regions "
        "of 3 and 12, {} and {}; of 8 and 32, {} and {}; in {} more runs with other regions, rigidities and distances, "
        "at most {} crossings before the first touch.",
        found[0].crossings, found[0].touching, found[1].crossings, found[1].touching, found[1].bounded,
        found[2].crossings, found[2].touching, found[3].crossings, found[3].touching, found[4].crossings,
        found[4].touching, tried, open);
    if (!finding.holds)
        finding.reason =
            "with our force, the slack of a straight cord whose ends approach forms one loop, and the twist winds the "
            "two "
            "sides of the loop around each other, as in rubber bands. The equations as printed were tried: the sum of "
            "Eq. "
            "2 grows without bound. With its mean, the force of Eq. 4 acts only where twist is uneven, beside the "
            "clamps, "
            "and bends the cord into open waves or into a few coils there, which touch. The paper does not say what "
            "its "
            "string is made of, how wide its regions are or how its ends were moved";
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_even_twist(Lab& lab)
{
    std::vector<AtRest> found;
    Finding finding;
    std::vector<bool> holds;
    for (const AtRestVariant& variant : variants_at_rest()) {
        Result<AtRest> one = twist_cord(lab, "torsion_uniform", variant.overrides, variant.times);
        if (!one) return Error{one.error()};
        const double total = one->twist.back();
        for (size_t i = 0; i < one->twist.size(); ++i)
            one->worst = std::max(one->worst, std::abs(one->twist[i] - one->expected[i]) / std::abs(total));
        holds.push_back(one->worst < 0.01 && std::abs(std::abs(total) / kTurn - 3) < 0.01);
        finding.numbers.emplace_back(fmt::format("{}_turns", variant.key), std::abs(total) / kTurn);
        finding.numbers.emplace_back(fmt::format("{}_worst_share", variant.key), one->worst);
        finding.figures.push_back(
            {fmt::format("{}: after {} s; the stripes show the twist", variant.name, fmt::join(variant.times, ", ")),
             one->strip});
        found.push_back(std::move(*one));
    }
    judge(finding, holds[1], holds[0], "rigidity conducts twist from segment to segment");
    finding.measured = fmt::format(
        "{:.3f} turns in total, within {:.2f} % of a straight line. As printed, {} angles grow beyond 1000 turns and "
        "are limited. With the mean over regions as the goal of the twist, it is within {:.2f}, {:.1f} and {:.0f} % "
        "with "
        "half-widths of 1, 3 and 10.",
        std::abs(found[0].twist.back()) / kTurn, 100 * found[0].worst, found[1].bounded, 100 * found[2].worst,
        100 * found[3].worst, 100 * found[4].worst);
    finding.figures.push_back({"Twist relative to the first segment", {}, plot_of(found)});
    return finding;
}

Result<Finding> find_varying_twist(Lab& lab)
{
    std::vector<AtRest> found;
    std::vector<double> ratios;
    Finding finding;
    std::vector<bool> holds;
    for (const AtRestVariant& variant : variants_at_rest()) {
        Result<AtRest> one = twist_cord(lab, "torsion_varying", variant.overrides, variant.times);
        if (!one) return Error{one.error()};
        const std::vector<double>&twist = one->twist, &expected = one->expected;
        const size_t last = twist.size() - 1;
        for (size_t i = 1; i <= last; ++i) {
            const double joint = expected[i] - expected[i - 1];
            one->worst = std::max(one->worst, std::abs((twist[i] - twist[i - 1]) / joint - 1));
        }
        ratios.push_back((twist[last] - twist[last - 1]) / (twist[1] - twist[0]));
        holds.push_back(one->worst < 0.03);
        finding.numbers.emplace_back(fmt::format("{}_thin_over_thick", variant.key), ratios.back());
        finding.numbers.emplace_back(fmt::format("{}_worst_share", variant.key), one->worst);
        finding.figures.push_back(
            {fmt::format("{}: after {} s; the stripes show the twist", variant.name, fmt::join(variant.times, ", ")),
             one->strip});
        found.push_back(std::move(*one));
    }
    judge(finding, holds[1], holds[0], "rigidity conducts twist from segment to segment");
    finding.measured = fmt::format(
        "A joint at the thin end has {:.1f} times the twist of one at the thick end; the twist of all joints is "
        "inversely "
        "proportional to the rigidity within {:.2f} %. As printed, {} angles grow beyond 1000 turns and are limited. "
        "With "
        "the mean over regions as the goal, and regions of up to 1, 3 and 10 segments in proportion to the rigidity, a "
        "thin joint has {:.1f}, {:.1f} and {:.1f} times the twist, and joints deviate from the inverse by up to "
        "{:.0f}, "
        "{:.0f} and {:.0f} %.",
        ratios[0], 100 * found[0].worst, found[1].bounded, ratios[2], ratios[3], ratios[4], 100 * found[2].worst,
        100 * found[3].worst, 100 * found[4].worst);
    finding.figures.push_back({"Twist relative to the first segment", {}, plot_of(found)});
    return finding;
}

namespace {

/// The twist of a cord whose clamp is turned by 1 rad within 10 ms.
struct Spread {
    double settled = 0;  // time until all angles are within 5 % of the total of their final values [s]
    double off = 0;      // largest deviation from a straight line at the end, as a share of the total
    double largest = 0;  // largest angle [rad]
    std::vector<double> times, deviations;
};

Result<Spread> spread_twist_in(Lab& lab, const Overrides& overrides)
{
    constexpr double kStep = 2e-3, kTurned = 0.01, kEnd = 2;  // [s]
    Result<LabRun> run = lab.open("torsion_uniform", joined({{"sim.dt", fmt::format("{}", kStep)},
                                                             {"body.0.amplitude", "1"},
                                                             {"body.0.period", fmt::format("{}", kTurned)}},
                                                            overrides));
    if (!run) return Error{run.error()};
    Spread out;
    std::vector<std::vector<double>> all;
    run_until(*run, kEnd, [&](World& world) {
        std::vector<double> twist = twist_of(world);
        const std::vector<double> shares = along_the_string(twist.size());
        out.off = 0;
        for (size_t i = 0; i < twist.size(); ++i) {
            out.off = std::max(out.off, std::abs(twist[i] / twist.back() - shares[i]));
            out.largest = std::max(out.largest, std::abs(twist[i]));
        }
        out.times.push_back(world.time());
        out.deviations.push_back(100 * out.off);
        all.push_back(std::move(twist));
    });
    for (size_t step = 0; step < all.size(); ++step)
        for (size_t i = 0; i < all[step].size(); ++i)
            if (std::abs(all[step][i] - all.back()[i]) > 0.05 * std::abs(all.back().back()))
                out.settled = out.times[step] - kTurned;
    return out;
}

}  // namespace

Result<Finding> find_twist_spread(Lab& lab)
{
    struct Family {
        const char *name, *key, *width;
        Overrides overrides;
    };
    const Family families[]{
        {"ours, reach", "reach", "solver.twist_reach", {}},
        {"printed, half-width", "printed_width", "solver.twist_half_width", printed()},
        {"printed with goals, half-width", "printed_mean_width", "solver.twist_half_width", printed_with_goals()}};
    Finding finding;
    LabTable table{
        "A clamp is turned by 1 rad within 10 ms; the time until all angles are within 5 % of the total of their final "
        "values",
        {"", "segments", "time [ms]", "off the line at the end", "largest angle [rad]"},
        {}};
    Plot plot;
    plot.title = "Largest deviation from even twist";
    plot.x_label = "time [s]";
    plot.y_label = "% of the total";
    std::vector<std::vector<Spread>> found;
    std::vector<bool> holds;
    for (const Family& family : families) {
        std::vector<Spread> own;
        for (const int width : {5, 10, 20}) {
            Result<Spread> one =
                spread_twist_in(lab, joined(family.overrides, {{family.width, fmt::format("{}", width)}}));
            if (!one) return Error{one.error()};
            plot.x = one->times;
            if (family.overrides.size() != printed().size())
                plot.lines.push_back({fmt::format("{} {}", family.name, width), one->deviations});
            table.rows.push_back({family.name, fmt::format("{}", width), fmt::format("{:.1f}", 1e3 * one->settled),
                                  fmt::format("{:.2f} %", 100 * one->off), fmt::format("{:.3g}", one->largest)});
            finding.numbers.emplace_back(fmt::format("even_after_s_{}_{}", family.key, width), one->settled);
            own.push_back(std::move(*one));
        }
        const bool ends = std::all_of(own.begin(), own.end(), [](const Spread& s) { return s.off < 0.01; });
        holds.push_back(ends && own[0].settled > 3 * own[1].settled && own[1].settled > 3 * own[2].settled);
        found.push_back(std::move(own));
    }
    judge(finding, holds[1], holds[0], "rigidity conducts twist from segment to segment, over solver.twist_reach");
    const std::vector<Spread>&ours = found[0], &sum = found[1], &goals = found[2];
    finding.measured = fmt::format(
        "Twist has settled after {:.0f}, {:.1f} and {:.1f} ms with a reach of 5, 10 and 20 segments: {:.2f} and {:.2f} "
        "times sooner with twice the reach. At the end, it is within {:.2f} % of a straight line. As printed, a turn "
        "by "
        "1 rad grows to {:.3g} rad and is limited there. With the mean over regions as the goal, twist settles after "
        "{:.0f}, {:.1f} and {:.1f} ms with half-widths of 5, 10 and 20, but {:.0f}, {:.0f} and {:.0f} % off the line.",
        1e3 * ours[0].settled, 1e3 * ours[1].settled, 1e3 * ours[2].settled, ours[0].settled / ours[1].settled,
        ours[1].settled / ours[2].settled, 100 * std::max({ours[0].off, ours[1].off, ours[2].off}), sum[0].largest,
        1e3 * goals[0].settled, 1e3 * goals[1].settled, 1e3 * goals[2].settled, 100 * goals[0].off, 100 * goals[1].off,
        100 * goals[2].off);
    finding.figures.push_back({"Deviation from even twist over time", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
