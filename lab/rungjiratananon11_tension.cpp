// Tension of strings, and what it does: tearing, springing back, elongations that stay.
#include "bench/strings_bench.h"
#include "lab_pictures.h"
#include "rungjiratananon11.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tendril::app {
namespace {

/// A cord that is let go after 1.5 s: how fast its end is 0.1 s later, by how much energy has grown since then at most
/// as a share of what there was, and its twist before and at the end.
struct Release {
    double speed = 0, gained = 0, twist_before = 0, twist_after = 0;
    std::vector<double> times, speeds;
    Picture strip;
};

/// Nylon, which to the eye does not stretch: drawn out by 1 % of its length, below its yield point.
const Overrides kHardlyStretches{{"groom.material", "nylon"},
                                 {"groom.rope_width", "0.004"},
                                 {"body.1.amplitude", "0.015"},
                                 {"render.width_scale", "7"}};

Result<Release> let_go(Lab& lab, const std::string& scene, const Overrides& material)
{
    constexpr double kRelease = 1.5;
    Overrides overrides{{"render.distance", "4.6"},
                        {"render.target", "[0.6, -0.4, 0]"},  // from what it springs past to where it is let go
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

/// Five threads that were pulled until all had torn.
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
    int since = -1;  // steps after a thread has torn
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

/// The force at which a thread tears, but for its variation [N].
double strength_of(const SceneGroom& groom)
{
    return std::numbers::pi * std::pow(groom.rope_width / 2, 2) * groom.own.rupture;
}

struct Drawn {
    double left = 0, expected = 0;  // strain
    double volume = 0;              // over that at rest
    Picture picture;
};

/// A cord is drawn out by a share of its length, and let go.
Result<Drawn> draw_out(Lab& lab, double strain)
{
    Result<LabRun> run =
        lab.open("papers/rungjiratananon11_plastic", {{"body.1.amplitude", fmt::format("{}", strain)}});
    if (!run) return Error{run.error()};
    World& world = run->world();
    const double rest = run->scene().grooms[0].length, width = run->scene().grooms[0].rope_width;
    const auto volume = [&] {
        const std::vector<Vec3d> places = places_of(world);
        const auto widths = world.segments({0}).widths;
        double sum = 0;
        for (size_t i = 0; i + 1 < places.size(); ++i)
            sum += length(places[i + 1] - places[i]) * std::pow(static_cast<double>(widths[i]), 2);
        return sum / (rest * width * width);
    };
    Drawn out;
    run_until(*run, 1.9);
    out.volume = volume();  // as long as it is drawn
    run_until(*run, 4);
    const std::vector<Vec3d> places = places_of(world);
    double whole = 0;
    for (size_t i = 0; i + 1 < places.size(); ++i) whole += length(places[i + 1] - places[i]);
    out.left = whole / rest - 1;
    const StringMaterial nylon = *string_material("nylon");
    const double yields = nylon.yield / nylon.young;
    // What is beyond the yield point, but for what the stress there gives back.
    if (strain > yields) out.expected = strain - (nylon.yield + nylon.plastic * (strain - yields)) / nylon.young;
    if (Result<Picture> picture = run->picture(640, 180)) out.picture = std::move(*picture);
    return out;
}

}  // namespace

Result<Finding> find_tearing(Lab& lab)
{
    constexpr double kTie = 1e-6;  // strengths that differ by less are equal for what is known of tensions
    Result<Torn> torn = pull_threads(lab);
    if (!torn) return Error{torn.error()};
    const std::vector<StringEvent>& tears = torn->tears;
    const std::vector<SceneGroom>& grooms = torn->scene.grooms;
    const auto drawn = bench::drawn_strengths(grooms.size(), static_cast<size_t>(grooms[0].particles),
                                              grooms[0].strength_variation, static_cast<uint64_t>(torn->scene.seed));
    Finding finding;
    LabTable table{"Where and when each thread tears",
                   {"thread", "threshold [MPa]", "time [s]", "segment", "its weakest", "stronger than that by",
                    "force [N]", "area times threshold [N]"},
                   {}};
    bool in_order = tears.size() == grooms.size();
    double worst = 0, stronger = 0;
    for (size_t i = 0; i < tears.size(); ++i) {
        const SceneGroom& groom = grooms[tears[i].segment.groom.index];
        const std::vector<double>& strengths = drawn[tears[i].segment.groom.index];
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
        "{} of 5 threads tear, {}, at segments that are stronger than the weakest of their thread by {:.0e} at most, "
        "at "
        "forces within {:.3f} % of their strength.",
        tears.size(), in_order ? "the weakest first" : "not in order", stronger, 100 * worst);
    finding.numbers = {
        {"torn", static_cast<double>(tears.size())}, {"stronger_than_weakest", stronger}, {"worst_share", worst}};
    finding.figures.push_back({"Before, and 0.12 s after each thread has torn; the weakest is at the bottom",
                               side_by_side(torn->pictures, 2)});
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
                       {"c: and was twisted", "flick_c", "flick_c", {}},
                       {"a, nylon", "flick_a", "flick_a_nylon", kHardlyStretches},
                       {"b, nylon", "flick_b", "flick_b_nylon", kHardlyStretches}};
    Finding finding;
    LabTable table{"0.1 s after a cord was let go: rubber, drawn out by half of its length, and nylon, by 1 %",
                   {"", "speed of the end [m/s]", "energy gained", "turns before", "turns after 1.5 s"},
                   {}};
    Plot plot;
    plot.title = "Speed of the end";
    plot.x_label = "time [s]";
    plot.y_label = "m/s";
    plot.marks = {{1.5, "let go"}};
    std::vector<Release> found;
    for (const Case& one : cases) {
        Result<Release> release = let_go(lab, one.scene, one.material);
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
        "The end of the rubber cord moves at {:.2f} m/s where tension is lost, at {:.1f} m/s where it springs back, at "
        "{:.1f} m/s twisted; {:.0f} % of the twist are left. That of nylon, drawn by 1 %, at {:.2f} and at {:.1f} m/s.",
        a.speed, b.speed, c.speed, 100 * c.twist_after / c.twist_before, hard_a.speed, hard_b.speed);
    finding.figures.push_back({"The end is drawn out, waits, and is let go", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_plastic(Lab& lab)
{
    Finding finding;
    LabTable table{"Nylon yields at 2.2 % and tears at 17 %",
                   {"drawn", "left", "by the curve", "as section 5.4 prints it", "volume while drawn"},
                   {}};
    Plot plot;
    plot.title = "Strain that stays";
    plot.x_label = "strain drawn [%]";
    plot.y_label = "%";
    plot.lines = {{"measured", {}},
                  {.name = "by the stress-strain curve", .values = {}, .dashed = true},
                  {.name = "as section 5.4 prints it", .values = {}, .dashed = true}};
    std::vector<Picture> pictures;
    double worst = 0, swollen = 0, farthest = 0;
    for (const double strain : {0.01, 0.02, 0.05, 0.1, 0.15}) {
        Result<Drawn> one = draw_out(lab, strain);
        if (!one) return Error{one.error()};
        worst = std::max(worst, std::abs(one->left - one->expected) / strain);
        swollen = std::max(swollen, std::abs(one->volume - 1));
        plot.x.push_back(100 * strain);
        plot.lines[0].values.push_back(100 * one->left);
        plot.lines[1].values.push_back(100 * one->expected);
        const double printed = one->expected > 0 ? strain : 0;
        plot.lines[2].values.push_back(100 * printed);
        table.rows.push_back({fmt::format("{:.0f} %", 100 * strain), fmt::format("{:.2f} %", 100 * one->left),
                              fmt::format("{:.2f} %", 100 * one->expected), fmt::format("{:.2f} %", 100 * printed),
                              fmt::format("{:.5f}", one->volume)});
        farthest = one->left;
        finding.numbers.emplace_back(fmt::format("left_after_{}", strain), one->left);
        if (strain == 0.02 || strain == 0.15)
            pictures.push_back(labelled(std::move(one->picture), fmt::format("drawn by {:.0f} %, longer by {:.1f} %",
                                                                             100 * strain, 100 * one->left)));
    }
    finding.holds = worst < 0.03 && swollen < 1e-3;
    finding.measured = fmt::format(
        "What stays is within {:.2f} % of the strain drawn of the curve: of 15 % drawn {:.1f} % stay, where the rule "
        "of "
        "section 5.4 would leave all. The volume is kept within {:.4f} %.",
        100 * worst, 100 * farthest, 100 * swollen);
    finding.figures.push_back(
        {"Two seconds after they were drawn out by 2 % and by 15 % and let go", side_by_side(pictures, 1)});
    finding.figures.push_back({"Strain that is left, against what the cord was drawn out by", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
