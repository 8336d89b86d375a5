// Tension of strings and its effects: tearing, springing back, permanent elongation.
#include "bench/strings_bench.h"
#include "lab_pictures.h"
#include "rungjiratananon11.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tendril::app {
namespace {

/// A cord that is released after 1.5 s: the speed of its end 0.1 s later, the largest energy gain since then as a share
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

Result<Release> release_cord(Lab& lab, const std::string& scene, const Overrides& material)
{
    constexpr double kRelease = 1.5;
    Overrides overrides{{"render.distance", "4.6"},
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
        const double since = world.time() - kRelease, speed = length(now - before) / world.settings().dt;
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
    Result<Picture> strip = film_strip(*run, {1.54, 1.6, 1.7, 1.9}, 2, 520, 230, after);
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

Result<Torn> pull_threads(Lab& lab)
{
    const Overrides overrides{{"render.distance", "4.8"},
                              {"render.target", "[0.85, -0.1, 0]"},
                              {"render.field", "0.36"},
                              {"render.width_scale", "4"}};
    Result<LabRun> run = lab.open("tear", overrides);
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

struct Stretched {
    double left = 0, expected = 0;  // strain
    double volume = 0;              // relative to that at rest
    Picture picture;
};

/// Stretches a cord by a share of its length and releases it.
Result<Stretched> stretch_cord(Lab& lab, double strain)
{
    Result<LabRun> run =
        lab.open("papers/rungjiratananon11_plastic", {{"body.1.amplitude", fmt::format("{}", strain)}});
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
    Result<Torn> torn = pull_threads(lab);
    if (!torn) return Error{torn.error()};
    const std::vector<StringEvent>& tears = torn->tears;
    const std::vector<SceneGroom>& grooms = torn->scene.grooms;
    const auto all_strengths =
        bench::drawn_strengths(grooms.size(), static_cast<size_t>(grooms[0].particles), grooms[0].strength_variation,
                               static_cast<uint64_t>(torn->scene.seed));
    Finding finding;
    LabTable table{"Position and time of each tear",
                   {"thread", "threshold [MPa]", "time [s]", "segment", "weakest segment", "stronger than that by",
                    "force [N]", "area times threshold [N]"},
                   {}};
    bool in_order = tears.size() == grooms.size();
    double worst = 0, stronger = 0;
    for (size_t i = 0; i < tears.size(); ++i) {
        const SceneGroom& groom = grooms[tears[i].segment.groom.index];
        const std::vector<double>& strengths = all_strengths[tears[i].segment.groom.index];
        const auto weakest = std::min_element(strengths.begin(), strengths.end());
        const double strength = strength_of(groom), more = strengths[tears[i].segment.particle] / *weakest - 1;
        in_order &= tears[i].segment.groom.index == i;
        stronger = std::max(stronger, more);
        worst = std::max(worst, std::abs(tears[i].tension / strength - 1));
        table.rows.push_back({fmt::format("{}", tears[i].segment.groom.index + 1),
                              fmt::format("{:.0f}", 1e-6 * groom.own.rupture), fmt::format("{:.2f}", tears[i].time),
                              fmt::format("{}", tears[i].segment.particle + 1),
                              fmt::format("{}", weakest - strengths.begin() + 1), fmt::format("{:.1g}", more),
                              fmt::format("{:.1f}", tears[i].tension), fmt::format("{:.1f}", strength)});
    }
    finding.holds = in_order && stronger < kTie && worst < 0.01;
    finding.measured = fmt::format(
        "{} of 5 threads tear, {}, at segments that are at most {:.0e} stronger than the weakest of their thread, at "
        "forces within {:.3f} % of their strength.",
        tears.size(), in_order ? "the weakest first" : "not in order", stronger, 100 * worst);
    finding.numbers = {
        {"torn", static_cast<double>(tears.size())}, {"stronger_than_weakest", stronger}, {"worst_share", worst}};
    finding.figures.push_back(
        {"Before, and 0.12 s after each tear; the weakest thread is at the bottom", side_by_side(torn->pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_flicking(Lab& lab)
{
    struct Case {
        const char *name, *scene, *key;
        Overrides material;
    };
    const Case cases[]{{"a: tension is lost", "flick_a", "flick_a", {}},
                       {"b: springs back", "flick_b", "flick_b", {}},
                       {"c: also twisted", "flick_c", "flick_c", {}},
                       {"a, nylon", "flick_a", "flick_a_nylon", kNylon},
                       {"b, nylon", "flick_b", "flick_b_nylon", kNylon}};
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
        Result<Release> release = release_cord(lab, one.scene, one.material);
        if (!release) return Error{release.error()};
        table.rows.push_back({one.name, fmt::format("{:.2f}", release->speed),
                              fmt::format("{:.3f} %", 100 * release->gained),
                              fmt::format("{:.2f}", release->twist_before / (2 * std::numbers::pi)),
                              fmt::format("{:.2f}", release->twist_after / (2 * std::numbers::pi))});
        finding.numbers.emplace_back(fmt::format("{}_speed_m_per_s", one.key), release->speed);
        plot.x = release->times;
        plot.lines.push_back({one.name, release->speeds});
        finding.figures.push_back(
            {fmt::format("{}: 0.04, 0.1, 0.2 and 0.4 s after the release", one.name), std::move(release->strip)});
        found.push_back(std::move(*release));
    }
    const Release &a = found[0], &b = found[1], &c = found[2], &hard_a = found[3], &hard_b = found[4];
    const double gained = std::max({b.gained, c.gained, hard_b.gained});
    finding.holds = b.speed > 3 * a.speed && c.speed > 3 * a.speed && hard_b.speed > 3 * hard_a.speed &&
                    gained < 1e-3 && c.twist_before > 25 && c.twist_after < 0.2 * c.twist_before;
    finding.measured = fmt::format(
        "The end of the rubber cord moves at {:.2f} m/s if tension is lost, at {:.1f} m/s if it springs back, and at "
        "{:.1f} m/s if it was twisted; {:.0f} % of the twist is left. The end of the nylon cord, stretched by 1 %, "
        "moves at {:.2f} and at {:.1f} m/s.",
        a.speed, b.speed, c.speed, 100 * c.twist_after / c.twist_before, hard_a.speed, hard_b.speed);
    finding.figures.push_back({"The end is pulled out, held, and released", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_plastic(Lab& lab)
{
    Finding finding;
    LabTable table{"Nylon yields at 2.2 % and tears at 17 %",
                   {"applied", "left", "by the curve", "as printed in section 5.4", "volume while stretched"},
                   {}};
    Plot plot;
    plot.title = "Remaining strain";
    plot.x_label = "applied strain [%]";
    plot.y_label = "%";
    plot.lines = {{"measured", {}},
                  {.name = "by the stress-strain curve", .values = {}, .dashed = true},
                  {.name = "as printed in section 5.4", .values = {}, .dashed = true}};
    std::vector<Picture> pictures;
    double worst = 0, volume_error = 0, last_left = 0;
    for (const double strain : {0.01, 0.02, 0.05, 0.1, 0.15}) {
        Result<Stretched> one = stretch_cord(lab, strain);
        if (!one) return Error{one.error()};
        worst = std::max(worst, std::abs(one->left - one->expected) / strain);
        volume_error = std::max(volume_error, std::abs(one->volume - 1));
        plot.x.push_back(100 * strain);
        plot.lines[0].values.push_back(100 * one->left);
        plot.lines[1].values.push_back(100 * one->expected);
        const double printed = one->expected > 0 ? strain : 0;
        plot.lines[2].values.push_back(100 * printed);
        table.rows.push_back({fmt::format("{:.0f} %", 100 * strain), fmt::format("{:.2f} %", 100 * one->left),
                              fmt::format("{:.2f} %", 100 * one->expected), fmt::format("{:.2f} %", 100 * printed),
                              fmt::format("{:.5f}", one->volume)});
        last_left = one->left;
        finding.numbers.emplace_back(fmt::format("left_after_{}", strain), one->left);
        if (strain == 0.02 || strain == 0.15)
            pictures.push_back(labelled(
                std::move(one->picture),
                fmt::format("stretched by {:.0f} %, remains longer by {:.1f} %", 100 * strain, 100 * one->left)));
    }
    finding.holds = worst < 0.03 && volume_error < 1e-3;
    finding.measured = fmt::format(
        "The remaining strain deviates from the curve by at most {:.2f} % of the applied strain: of 15 % applied, "
        "{:.1f} % remain, where the rule of section 5.4 would leave all. The volume is constant within {:.4f} %.",
        100 * worst, 100 * last_left, 100 * volume_error);
    finding.figures.push_back(
        {"Two seconds after cords stretched by 2 % and by 15 % were released", side_by_side(pictures, 1)});
    finding.figures.push_back({"Remaining strain against applied strain", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
