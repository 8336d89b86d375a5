// Tension of strings, and what it does: tearing, springing back, elongations that stay.
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

Result<Release> let_go(Lab& lab, const std::string& scene)
{
    constexpr double kRelease = 1.5;
    Result<LabRun> run = lab.open(
        scene, {{"render.distance", "3.2"}, {"render.target", "[1.05, -0.35, 0]"}, {"groom.rope_width", "0.012"}});
    if (!run) return Error{run.error()};
    Release out;
    double stored = 0;
    const size_t tip = run->world().groom({0}).points(0).size() - 1;
    Vec3d before{0, 0, 0};
    const auto twist = [](World& world) { return std::abs(twist_of(world).back()); };
    const auto after = [&](World& world) {
        const Vec3d now = world.position({0}, 0, tip);
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
    Result<Picture> strip = film_strip(*run, {1.5, 1.54, 1.6, 1.8, 2.2}, 5, 240, 240, after);
    if (!strip) return Error{strip.error()};
    out.strip = std::move(*strip);
    run_until(*run, 3, after);
    out.twist_after = twist(run->world());
    return out;
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
        const auto widths = world.strings({0}).widths;
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
    if (Result<Picture> picture = run->picture(480, 160)) out.picture = std::move(*picture);
    return out;
}

}  // namespace

Result<Finding> find_tearing(Lab& lab)
{
    Result<LabRun> run = lab.open("tear", {{"render.distance", "2.4"}, {"render.target", "[0.88, 0.1, 0]"}});
    if (!run) return Error{run.error()};
    std::vector<StringEvent> tears;
    std::vector<Picture> pictures;
    const auto picture = [&] {
        if (Result<Picture> one = run->picture(480, 320)) pictures.push_back(std::move(*one));
    };
    int since = -1;  // steps after a thread has torn
    const auto after = [&](World& world) {
        for (const StringEvent& event : world.take_events()) {
            if (event.kind != StringEventKind::kTorn) continue;
            tears.push_back(event);
            since = 0;
        }
        if (since >= 0 && ++since == 12) picture();
    };
    run_until(*run, 0.4, after);
    picture();
    while (run->world().time() < 6.9 && (tears.size() < 5 || since < 12))
        run_until(*run, run->world().time() + 0.01, after);

    Finding finding;
    LabTable table{"Where and when each thread tears",
                   {"thread", "threshold [MPa]", "time [s]", "segment", "force [N]", "area times threshold [N]"},
                   {}};
    bool in_order = tears.size() == 5;
    double worst = 0;
    for (size_t i = 0; i < tears.size(); ++i) {
        const SceneGroom& groom = run->scene().grooms[tears[i].groom];
        const double strength = std::numbers::pi * std::pow(groom.rope_width / 2, 2) * groom.own.rupture;
        in_order &= tears[i].groom == i;
        worst = std::max(worst, std::abs(tears[i].tension / strength - 1));
        table.rows.push_back({fmt::format("{}", tears[i].groom + 1), fmt::format("{:.0f}", 1e-6 * groom.own.rupture),
                              fmt::format("{:.2f}", tears[i].time), fmt::format("{}", tears[i].particle + 1),
                              fmt::format("{:.0f}", tears[i].tension), fmt::format("{:.0f}", strength)});
    }
    finding.holds = in_order && worst < 0.05;
    finding.measured = fmt::format("{} of 5 threads tear, {}, at forces within {:.2f} % of their strength.",
                                   tears.size(), in_order ? "the weakest first" : "not in order", 100 * worst);
    if (!finding.holds) finding.reason = "threads did not tear in order or at their strength";
    finding.numbers = {{"torn", static_cast<double>(tears.size())}, {"worst_share", worst}};
    finding.figures.push_back(
        {"Before, and 0.12 s after each thread has torn; the weakest is at the bottom", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_flicking(Lab& lab)
{
    Finding finding;
    LabTable table{"0.1 s after a cord that was drawn out by half of its length was let go",
                   {"", "speed of the end [m/s]", "energy gained", "turns before", "turns after 1.5 s"},
                   {}};
    Plot plot;
    plot.title = "Speed of the end";
    plot.x_label = "time [s]";
    plot.y_label = "m/s";
    std::vector<Release> found;
    std::vector<Picture> strips;
    const std::pair<const char*, const char*> scenes[]{
        {"flick_a", "a: tension is lost"}, {"flick_b", "b: springs back"}, {"flick_c", "c: and was twisted"}};
    for (const auto& [scene, name] : scenes) {
        Result<Release> one = let_go(lab, scene);
        if (!one) return Error{one.error()};
        table.rows.push_back({name, fmt::format("{:.2f}", one->speed), fmt::format("{:.3f} %", 100 * one->gained),
                              fmt::format("{:.2f}", one->twist_before / (2 * std::numbers::pi)),
                              fmt::format("{:.2f}", one->twist_after / (2 * std::numbers::pi))});
        finding.numbers.emplace_back(fmt::format("{}_speed_m_per_s", scene), one->speed);
        plot.x = one->times;
        plot.lines.push_back({name, one->speeds});
        strips.push_back(std::move(one->strip));
        found.push_back(std::move(*one));
    }
    const Release &a = found[0], &b = found[1], &c = found[2];
    finding.holds = b.speed > 3 * a.speed && c.speed > 3 * a.speed && b.gained < 1e-3 && c.gained < 1e-3 &&
                    c.twist_before > 25 && c.twist_after < 0.2 * c.twist_before;
    finding.measured = fmt::format(
        "The end moves at {:.2f} m/s where tension is lost, at {:.1f} m/s where it springs back, at {:.1f} m/s "
        "twisted; "
        "{:.0f} % of the twist are left.",
        a.speed, b.speed, c.speed, 100 * c.twist_after / c.twist_before);
    if (!finding.holds) finding.reason = "a cord that is let go does not spring back as it should";
    finding.figures.push_back(
        {"a, b and c when they are let go, and 0.04, 0.1, 0.3 and 0.7 s later", side_by_side(strips, 1)});
    finding.figures.push_back({"The end is drawn out, waits, and is let go at 1.5 s", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_plastic(Lab& lab)
{
    Finding finding;
    LabTable table{"Nylon yields at 2.2 % and tears at 17 %", {"drawn", "left", "expected", "volume while drawn"}, {}};
    Plot plot;
    plot.title = "Strain that stays";
    plot.x_label = "strain drawn [%]";
    plot.y_label = "%";
    plot.lines = {{"measured", {}}, {"by the stress-strain curve", {}}};
    std::vector<Picture> pictures;
    double worst = 0, swollen = 0;
    for (const double strain : {0.01, 0.02, 0.05, 0.1, 0.15}) {
        Result<Drawn> one = draw_out(lab, strain);
        if (!one) return Error{one.error()};
        worst = std::max(worst, std::abs(one->left - one->expected) / strain);
        swollen = std::max(swollen, std::abs(one->volume - 1));
        plot.x.push_back(100 * strain);
        plot.lines[0].values.push_back(100 * one->left);
        plot.lines[1].values.push_back(100 * one->expected);
        table.rows.push_back({fmt::format("{:.0f} %", 100 * strain), fmt::format("{:.2f} %", 100 * one->left),
                              fmt::format("{:.2f} %", 100 * one->expected), fmt::format("{:.5f}", one->volume)});
        finding.numbers.emplace_back(fmt::format("left_after_{}", strain), one->left);
        if (strain == 0.02 || strain == 0.15) pictures.push_back(std::move(one->picture));
    }
    finding.holds = worst < 0.03 && swollen < 1e-3;
    finding.measured =
        fmt::format("What stays is within {:.2f} % of the strain drawn of the curve; the volume within {:.4f} %.",
                    100 * worst, 100 * swollen);
    if (!finding.holds) finding.reason = "elongations that stay differ from the stress-strain curve";
    finding.figures.push_back(
        {"Two seconds after they were drawn out by 2 % and by 15 % and let go", side_by_side(pictures, 1)});
    finding.figures.push_back({"Strain that is left, against what the cord was drawn out by", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
