// Tension of strings and its effects: tearing, springing back, permanent elongation.
#include "bench/strings_bench.h"
#include "lab_pictures.h"
#include "rungjiratananon11.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tendril::app {
namespace {

/// A cord that is released: the speed of its end 0.1 s later, the largest energy gain since then as a share
/// of the energy before, and its twist before and at the end.
struct Release {
    double speed = 0, gained = 0, twist_before = 0, twist_after = 0;
    std::vector<double> times, speeds;
    Picture strip;
};

/// Nylon, which does not visibly stretch: by 1 % of its length, below its yield point.
const Overrides kNylon{{"groom.material", "nylon"},
                       {"groom.rope_width", "0.004"},
                       {"body.1.amplitude", "0.015"},
                       {"render.width_scale", "7"}};

/// In the scenes, the end is pulled out for a second and held for another half before the release.
constexpr double kHeldRelease = 1.5;

Result<Release> release_cord(Lab& lab, const std::string& scene, const Overrides& material, double release)
{
    Overrides overrides{{"hold.0.until", fmt::format("{}", release)},
                        {"render.distance", "4.6"},
                        {"render.target", "[0.6, -0.4, 0]"},  // shows the whole range of the motion
                        {"render.field", "0.34"},
                        {"render.width_scale", "2.5"}};
    overrides.insert(overrides.end(), material.begin(), material.end());
    Result<LabRun> run = lab.open(scene, overrides);
    if (!run) return Error{run.error()};
    Release out;
    double stored = 0;
    const size_t tip = run->world().groom({0}).points(0).size() - 1;
    Vec3d before = run->world().position({{0}, 0, tip});
    const auto twist = [](World& world) { return std::abs(twist_of(world).back()); };
    const auto after = [&](World& world) {
        const Vec3d now = world.position({{0}, 0, tip});
        const double since = world.time() - release, speed = length(now - before) / world.settings().dt;
        before = now;
        out.times.push_back(world.time());
        out.speeds.push_back(speed);
        if (since < 0.005) {
            stored = world.measure().energy();
            out.twist_before = twist(world);
        } else if (since < 0.105) {
            out.speed = speed;
            out.gained = std::max(out.gained, (world.measure().energy() - stored) / std::abs(stored));
        }
    };
    Result<Picture> strip =
        film_strip(*run, {release + 0.04, release + 0.1, release + 0.2, release + 0.4}, 2, 520, 230, after);
    if (!strip) return Error{strip.error()};
    out.strip = std::move(*strip);
    run_until(*run, 3, after);
    out.twist_after = twist(run->world());
    return out;
}

/// Five threads that are pulled until all have torn.
struct Torn {
    Scene scene;
    std::vector<StringEvent> tears;
    std::vector<Picture> pictures;
};

Result<Torn> pull_threads(Lab& lab, const Overrides& overrides)
{
    Result<LabRun> run = lab.open("tear", joined({{"render.distance", "4.8"},
                                                  {"render.target", "[0.85, -0.1, 0]"},
                                                  {"render.field", "0.36"},
                                                  {"render.width_scale", "4"}},
                                                 overrides));
    if (!run) return Error{run.error()};
    Torn out;
    out.scene = run->scene();
    const auto picture = [&] {
        if (Result<Picture> one = run->picture(520, 300))
            out.pictures.push_back(labelled(std::move(*one), fmt::format("{:.2f} s", run->world().time())));
    };
    int since = -1;  // steps since a thread tore; negative: none has
    const auto after = [&](World& world) {
        for (const StringEvent& event : world.take_events()) {
            if (event.kind != StringEventKind::kTorn) continue;
            out.tears.push_back(event);
            since = 0;
        }
        if (since >= 0 && ++since == 12) picture();
    };
    run_until(*run, 0.4, after);
    picture();
    while (run->world().time() < 6.9 && (out.tears.size() < 5 || since < 12))
        run_until(*run, run->world().time() + 0.01, after);
    return out;
}

/// The force at which a thread tears, without its variation [N].
double strength_of(const SceneGroom& groom)
{
    return std::numbers::pi * std::pow(groom.rope_width / 2, 2) * groom.own.rupture;
}

/// How a pull has torn the threads.
struct Order {
    bool in_order = false;
    size_t torn = 0;      // threads
    size_t segments = 0;  // all that tore
    double first = 0;     // time of the first tear [s]
    double worst = 0;     // largest deviation of a force from the strength
    double stronger = 0;  // most that a torn segment was stronger than the weakest of its thread
    LabTable table{"",
                   {"thread", "threshold [MPa]", "time [s]", "segment", "weakest segment", "stronger than that by",
                    "force [N]", "area times threshold [N]"},
                   {}};
};

/// The first tear of each thread.
Order order_of(const Torn& torn)
{
    const std::vector<SceneGroom>& grooms = torn.scene.grooms;
    const auto all_strengths =
        bench::drawn_strengths(grooms.size(), static_cast<size_t>(grooms[0].particles), grooms[0].strength_variation,
                               static_cast<uint64_t>(torn.scene.seed));
    Order out;
    out.segments = torn.tears.size();
    if (!torn.tears.empty()) out.first = torn.tears.front().time;
    std::vector<size_t> order;
    for (const StringEvent& tear : torn.tears) {
        const size_t thread = tear.segment.groom.index;
        if (std::find(order.begin(), order.end(), thread) != order.end()) continue;
        order.push_back(thread);
        const std::vector<double>& strengths = all_strengths[thread];
        const auto weakest = std::min_element(strengths.begin(), strengths.end());
        const double strength = strength_of(grooms[thread]), more = strengths[tear.segment.particle] / *weakest - 1;
        out.stronger = std::max(out.stronger, more);
        out.worst = std::max(out.worst, std::abs(tear.tension / strength - 1));
        out.table.rows.push_back({fmt::format("{}", thread + 1),
                                  fmt::format("{:.0f}", 1e-6 * grooms[thread].own.rupture),
                                  fmt::format("{:.2f}", tear.time), fmt::format("{}", tear.segment.particle + 1),
                                  fmt::format("{}", weakest - strengths.begin() + 1), fmt::format("{:.1g}", more),
                                  fmt::format("{:.1f}", tear.tension), fmt::format("{:.1f}", strength)});
    }
    out.torn = order.size();
    out.in_order = order.size() == grooms.size() && std::is_sorted(order.begin(), order.end());
    return out;
}

struct Stretched {
    double left = 0, expected = 0;  // strain
    double volume = 0;              // relative to that at rest
    Picture picture;
};

/// Stretches a cord by a share of its length and releases it.
Result<Stretched> stretch_cord(Lab& lab, double strain, const Overrides& overrides)
{
    Result<LabRun> run = lab.open("papers/rungjiratananon11_plastic",
                                  joined({{"body.1.amplitude", fmt::format("{}", strain)}}, overrides));
    if (!run) return Error{run.error()};
    World& world = run->world();
    const double rest = run->scene().grooms[0].length, width = run->scene().grooms[0].rope_width;
    const auto volume = [&] {
        const std::vector<Vec3d> positions = positions_of(world);
        const auto widths = world.segments({0}).widths;
        double sum = 0;
        for (size_t i = 0; i + 1 < positions.size(); ++i)
            sum += length(positions[i + 1] - positions[i]) * std::pow(static_cast<double>(widths[i]), 2);
        return sum / (rest * width * width);
    };
    Stretched out;
    run_until(*run, 1.9);
    out.volume = volume();  // while it is stretched
    run_until(*run, 4);
    const std::vector<Vec3d> positions = positions_of(world);
    double whole = 0;
    for (size_t i = 0; i + 1 < positions.size(); ++i) whole += length(positions[i + 1] - positions[i]);
    out.left = whole / rest - 1;
    const StringMaterial nylon = *string_material("nylon");
    const double yields = nylon.yield / nylon.young;
    // The strain beyond the yield point, minus the elastic part, which recovers.
    if (strain > yields) out.expected = strain - (nylon.yield + nylon.plastic * (strain - yields)) / nylon.young;
    if (Result<Picture> picture = run->picture(640, 180)) out.picture = std::move(*picture);
    return out;
}

}  // namespace

Result<Finding> find_tearing(Lab& lab)
{
    constexpr double kTie = 1e-6;  // tensions are not accurate enough to tell smaller differences of strength
    struct Variant {
        const char *name, *key;
        Overrides overrides;
    };
    // The threads of the scene are stronger than anything that Eq. 8 sees with the default of k_stiff. With 6 MN/m, all
    // of them tear; with 4 MN/m, one does not.
    const Variant variants[]{
        {"ours", "", {}},
        {"as printed", "printed_", printed()},
        {"as printed, k_stiff = 6 MN/m", "printed_stiff_", printed({{"solver.tension_stiffness", "6e6"}})}};
    Finding finding;
    std::vector<Order> found;
    std::vector<bool> holds;
    for (const Variant& variant : variants) {
        Result<Torn> torn = pull_threads(lab, variant.overrides);
        if (!torn) return Error{torn.error()};
        Order order = order_of(*torn);
        holds.push_back(order.in_order && order.segments == order.torn && order.stronger < kTie && order.worst < 0.01);
        const std::string key = variant.key;
        finding.numbers.emplace_back(key + "torn", static_cast<double>(order.torn));
        finding.numbers.emplace_back(key + "torn_segments", static_cast<double>(order.segments));
        finding.numbers.emplace_back(key + "stronger_than_weakest", order.stronger);
        finding.numbers.emplace_back(key + "worst_share", order.worst);
        order.table.caption = fmt::format("{}: the first tear of each thread", variant.name);
        finding.tables.push_back(order.table);
        finding.figures.push_back(
            {fmt::format("{}: before, and 0.12 s after each tear; the weakest thread is at the bottom", variant.name),
             side_by_side(torn->pictures, 2)});
        found.push_back(std::move(order));
    }
    judge(finding, holds[1] || holds[2], holds[0], "the tension is the multiplier of the length constraint");
    const Order &ours = found[0], &plain = found[1], &stiff = found[2];
    finding.measured = fmt::format(
        "{} of 5 threads tear, {}, at segments that are at most {:.0e} stronger than the weakest of their thread, at "
        "forces within {:.3f} % of their strength. As printed, {} threads tear with the default of k_stiff; with 6 "
        "MN/m, "
        "{} do, {}, the first after {:.2f} s, where the pull begins after 0.5 s: Eq. 8 sees the free fall of a step. "
        "They "
        "tear at the end that is held, at segments up to {:.1e} stronger than the weakest, at forces up to {:.0f} % "
        "off, "
        "and then in {} segments, because the tension that bounces back exceeds the strength of others.",
        ours.torn, ours.in_order ? "the weakest first" : "not in order", ours.stronger, 100 * ours.worst, plain.torn,
        stiff.torn, stiff.in_order ? "the weakest first" : "not in order", stiff.first, stiff.stronger,
        100 * stiff.worst, stiff.segments);
    return finding;
}

Result<Finding> find_flicking(Lab& lab)
{
    struct Case {
        const char *name, *scene, *key;
        Overrides material;
        double release = kHeldRelease;
    };
    // In the middle of the pull, when it is fastest, and with the stiffness EA/l of a segment for k_stiff. With that,
    // the fall of a step would tear the nylon cord at once.
    constexpr double kPulled = 0.5;
    const Overrides stiff = printed({{"solver.tension_stiffness", "34000"}, {"solver.tears", "false"}}),
                    stiff_nylon =
                        joined(printed(kNylon), {{"solver.tension_stiffness", "3.4e6"}, {"solver.tears", "false"}});
    const Case cases[]{{"a: tension is lost", "flick_a", "flick_a", {}},
                       {"b: springs back", "flick_b", "flick_b", {}},
                       {"c: also twisted", "flick_c", "flick_c", {}},
                       {"a, nylon", "flick_a", "flick_a_nylon", kNylon},
                       {"b, nylon", "flick_b", "flick_b_nylon", kNylon},
                       {"a, as printed", "flick_a", "flick_a_printed", printed()},
                       {"b, as printed", "flick_b", "flick_b_printed", printed()},
                       {"c, as printed", "flick_c", "flick_c_printed", printed()},
                       {"a, nylon, as printed", "flick_a", "flick_a_nylon_printed", printed(kNylon)},
                       {"b, nylon, as printed", "flick_b", "flick_b_nylon_printed", printed(kNylon)},
                       {"a, printed, while pulled", "flick_a", "flick_a_printed_pulled", stiff, kPulled},
                       {"b, printed, while pulled", "flick_b", "flick_b_printed_pulled", stiff, kPulled},
                       {"c, printed, while pulled", "flick_c", "flick_c_printed_pulled", stiff, kPulled},
                       {"a, nylon, while pulled", "flick_a", "flick_a_nylon_printed_pulled", stiff_nylon, kPulled},
                       {"b, nylon, while pulled", "flick_b", "flick_b_nylon_printed_pulled", stiff_nylon, kPulled}};
    Finding finding;
    LabTable table{"0.1 s after a cord was released: rubber, stretched by half of its length, and nylon, by 1 %",
                   {"", "speed of the end [m/s]", "energy gained", "turns before", "turns after 1.5 s"},
                   {}};
    Plot plot;
    plot.title = "Speed of the end";
    plot.x_label = "time [s]";
    plot.y_label = "m/s";
    plot.marks = {{1.5, "release"}};
    std::vector<Release> found;
    for (const Case& one : cases) {
        Result<Release> release = release_cord(lab, one.scene, one.material, one.release);
        if (!release) return Error{release.error()};
        table.rows.push_back({one.name, fmt::format("{:.2f}", release->speed),
                              fmt::format("{:.3f} %", 100 * release->gained),
                              fmt::format("{:.2f}", release->twist_before / (2 * std::numbers::pi)),
                              fmt::format("{:.2f}", release->twist_after / (2 * std::numbers::pi))});
        finding.numbers.emplace_back(fmt::format("{}_speed_m_per_s", one.key), release->speed);
        if (one.release == kHeldRelease) {
            plot.x = release->times;
            plot.lines.push_back({one.name, release->speeds});
        }
        finding.figures.push_back(
            {fmt::format("{}: 0.04, 0.1, 0.2 and 0.4 s after the release", one.name), std::move(release->strip)});
        found.push_back(std::move(*release));
    }
    const auto holds = [&](size_t first) {
        const Release &a = found[first], &b = found[first + 1], &c = found[first + 2], &hard_a = found[first + 3],
                      &hard_b = found[first + 4];
        const double gained = std::max({b.gained, c.gained, hard_b.gained});
        return b.speed > 3 * a.speed && c.speed > 3 * a.speed && hard_b.speed > 3 * hard_a.speed && gained < 1e-3 &&
               c.twist_before > 25 && c.twist_after < 0.2 * c.twist_before;
    };
    const auto text = [&](size_t first) {
        return fmt::format(
            "the end of the rubber cord moves at {:.2f} m/s if tension is lost, at {:.2f} m/s if it springs back, and "
            "at {:.2f} m/s if it was twisted, by {:.1f} turns, of which {:.0f} % are left; the end of the nylon cord, "
            "stretched by 1 %, moves at {:.2f} and at {:.2f} m/s; largest gain of energy {:.2g} %",
            found[first].speed, found[first + 1].speed, found[first + 2].speed,
            found[first + 2].twist_before / (2 * std::numbers::pi),
            100 * found[first + 2].twist_after / found[first + 2].twist_before, found[first + 3].speed,
            found[first + 4].speed,
            100 * std::max({found[first + 1].gained, found[first + 2].gained, found[first + 4].gained}));
    };
    judge(finding, holds(5) || holds(10), holds(0), "stretched segments pull by the stress-strain curve");
    finding.measured = fmt::format(
        "Ours: {}. As printed: {}. As printed, with k_stiff = EA/l and a release in the middle of the pull: {}.",
        text(0), text(5), text(10));
    finding.figures.push_back({"The end is pulled out, held, and released", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_plastic(Lab& lab)
{
    Finding finding;
    LabTable table{
        "Nylon yields at 2.2 % and tears at 17 %",
        {"applied", "left", "by the curve", "by the rule of 5.4", "as printed, left", "volume while stretched"},
        {}};
    Plot plot;
    plot.title = "Remaining strain";
    plot.x_label = "applied strain [%]";
    plot.y_label = "%";
    plot.lines = {{"measured", {}},
                  {.name = "by the stress-strain curve", .values = {}, .dashed = true},
                  {.name = "by the rule of section 5.4", .values = {}, .dashed = true},
                  {"as printed", {}}};
    std::vector<Picture> pictures;
    double worst = 0, volume_error = 0, last_left = 0, printed_worst = 0, printed_volume = 0, printed_left = 0,
           printed_first = -1;
    for (const double strain : {0.01, 0.02, 0.05, 0.1, 0.15}) {
        Result<Stretched> one = stretch_cord(lab, strain, {}), as_printed = stretch_cord(lab, strain, printed());
        if (!one) return Error{one.error()};
        if (!as_printed) return Error{as_printed.error()};
        printed_worst = std::max(printed_worst, std::abs(as_printed->left - as_printed->expected) / strain);
        printed_volume = std::max(printed_volume, std::abs(as_printed->volume - 1));
        printed_left = as_printed->left;
        if (printed_first < 0) printed_first = as_printed->left;
        worst = std::max(worst, std::abs(one->left - one->expected) / strain);
        volume_error = std::max(volume_error, std::abs(one->volume - 1));
        plot.x.push_back(100 * strain);
        plot.lines[0].values.push_back(100 * one->left);
        plot.lines[1].values.push_back(100 * one->expected);
        const double rule = one->expected > 0 ? strain : 0;
        plot.lines[2].values.push_back(100 * rule);
        plot.lines[3].values.push_back(100 * as_printed->left);
        table.rows.push_back({fmt::format("{:.0f} %", 100 * strain), fmt::format("{:.2f} %", 100 * one->left),
                              fmt::format("{:.2f} %", 100 * one->expected), fmt::format("{:.2f} %", 100 * rule),
                              fmt::format("{:.2f} %", 100 * as_printed->left), fmt::format("{:.5f}", one->volume)});
        last_left = one->left;
        finding.numbers.emplace_back(fmt::format("left_after_{}", strain), one->left);
        finding.numbers.emplace_back(fmt::format("printed_left_after_{}", strain), as_printed->left);
        if (strain == 0.02 || strain == 0.15)
            pictures.push_back(labelled(
                std::move(one->picture),
                fmt::format("stretched by {:.0f} %, remains longer by {:.1f} %", 100 * strain, 100 * one->left)));
    }
    judge(finding, printed_worst < 0.03 && printed_volume < 1e-3, worst < 0.03 && volume_error < 1e-3,
          "only the plastic part of the strain stays, the elastic part recovers");
    finding.measured = fmt::format(
        "The remaining strain deviates from the curve by at most {:.2f} % of the applied strain: of 15 % applied, "
        "{:.1f} % remain, where the rule of section 5.4 would leave all. The volume is constant within {:.4f} %. As "
        "printed, {:.2f} % remain of 1 % and {:.2f} % of 15 %: Eq. 8 sees no tension in a string that is held "
        "stretched, "
        "and goal positions keep the rest lengths.",
        100 * worst, 100 * last_left, 100 * volume_error, 100 * printed_first, 100 * printed_left);
    finding.figures.push_back(
        {"Two seconds after cords stretched by 2 % and by 15 % were released", side_by_side(pictures, 1)});
    finding.figures.push_back({"Remaining strain against applied strain", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
