// Bodies that hang on strings: plates of a mobile, crates, knots, a bridge.
#include "lab_pictures.h"
#include "rungjiratananon11.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace tendril::app {
namespace {

/// The direction of an axis of a body, seen from above [rad].
double yaw_of(World& world, BodyId body, const Vec3d& axis)
{
    const Vec3d x = rotate(world.pose(body).rotation, axis);
    return std::atan2(-x.z, x.x);
}

/// An angle that is tracked over whole turns [rad].
class Yaw {
public:
    void follow(double now)
    {
        const double last = turns_.empty() ? now : turns_.back();
        turns_.push_back(last + std::remainder(now - last, 2 * std::numbers::pi));
    }
    const std::vector<double>& turns() const { return turns_; }
    /// The number of reversals by more than `threshold` [rad], from sample `first` on.
    int reversals(size_t first, double threshold) const
    {
        int count = 0, direction = 0;
        double extreme = turns_[first];
        for (size_t i = first; i < turns_.size(); ++i) {
            const double change = turns_[i] - extreme;
            if (direction == 0 ? std::abs(change) > threshold : change * direction < -threshold) {
                count += direction != 0;
                direction = change > 0 ? 1 : -1;
                extreme = turns_[i];
            } else if (change * direction > 0) {
                extreme = turns_[i];
            }
        }
        return count;
    }

private:
    std::vector<double> turns_;
};

constexpr uint32_t kRod = 1, kFirstPlate = 2;  // after the ceiling
constexpr size_t kPlates = 4;

/// Softer strings and stronger turbulence than in the scene, so that plates turn far.
const Overrides kGustier{{"groom.shear_modulus", "3e7"},
                         {"wind.turbulence", "4"},
                         {"render.width_scale", "3"},  // strings of 3 mm are thinner than a pixel
                         {"render.distance", "2.9"},
                         {"render.target", "[0, -0.1, 0]"}};

struct Mobile {
    std::vector<double> times;
    std::vector<Yaw> plates{kPlates};
    size_t airless = 0;  // the first sample without air
    Picture strip;
};

/// The mobile in the wind; after a time, the air is removed.
Result<Mobile> blow(Lab& lab, const Overrides& overrides, bool pictures)
{
    Result<LabRun> run = lab.open("mobile", overrides);
    if (!run) return Error{run.error()};
    const double windy = lab.size(2.5, 4.0), end = lab.size(6.0, 10.0);
    Mobile out;
    const auto after = [&](World& world) {
        out.times.push_back(world.time());
        const double rod = yaw_of(world, {kRod}, {0, -1, 0});  // it lies on its side
        for (uint32_t k = 0; k < kPlates; ++k) out.plates[k].follow(yaw_of(world, {kFirstPlate + k}, {1, 0, 0}) - rod);
    };
    const auto go = [&](double from, double to) -> std::optional<Error> {
        if (!pictures) {
            run_until(*run, to, after);
            return std::nullopt;
        }
        Result<Picture> strip = film_strip(*run, {(from + to) / 2, to}, 2, 400, 400, after);
        if (!strip) return Error{strip.error()};
        out.strip = out.strip.bytes.empty() ? std::move(*strip) : side_by_side({out.strip, *strip}, 1);
        return std::nullopt;
    };
    if (auto problem = go(0, windy)) return *problem;
    out.airless = out.times.size();
    run->world().settings().wind = {};
    run->world().settings().air = {};  // drag would damp all motion within a second
    if (auto problem = go(windy, end)) return *problem;
    return out;
}

/// The number of reversals of each plate without air.
std::vector<int> reversals_of(const Mobile& mobile)
{
    std::vector<int> counts;
    for (const Yaw& plate : mobile.plates) counts.push_back(plate.reversals(mobile.airless, 0.1));
    return counts;
}

/// A plate on one string, turned and released: its period, and that of a torsion pendulum [s].
struct Pendulum {
    double period = 0, expected = 0;
};

Result<Pendulum> swing(Lab& lab)
{
    Result<LabRun> run = lab.open("papers/rungjiratananon11_pendulum");
    if (!run) return Error{run.error()};
    World& world = run->world();
    const SceneGroom& groom = run->scene().grooms[0];
    const SceneBody& plate = run->scene().bodies[1];
    const double rigidity = groom.own.shear_modulus * std::numbers::pi / 2 * std::pow(groom.rope_width / 2, 4);
    const double inertia = plate.solid.mass / 12 * (std::pow(plate.solid.size.x, 2) + std::pow(plate.solid.size.z, 2));
    // The segments at both ends are clamped, and twist begins between segments.
    const double segments = static_cast<double>(groom.particles - 1);
    const double free = groom.length * (segments - 1) / segments;
    Pendulum out;
    out.expected = 2 * std::numbers::pi * std::sqrt(inertia * free / rigidity);
    Yaw yaw;
    double first = 0, last = 0;
    int crossings = 0;
    run_until(*run, 6, [&](World&) {
        yaw.follow(yaw_of(world, {1}, {1, 0, 0}));
        const auto& turns = yaw.turns();
        if (turns.size() < 2) return;
        const double before = turns[turns.size() - 2], now = turns.back();
        if (before > 0 || now <= 0) return;
        // The angle increases through zero between two steps.
        last = world.time() - world.settings().dt * now / (now - before);
        if (crossings++ == 0) first = last;
    });
    if (crossings > 1) out.period = (last - first) / (crossings - 1);
    return out;
}

}  // namespace

Result<Finding> find_mobile(Lab& lab)
{
    Result<Mobile> with = blow(lab, kGustier, true);
    if (!with) return Error{with.error()};
    Overrides limp = kGustier;
    limp.emplace_back("groom.shear_modulus", "0");
    Result<Mobile> without = blow(lab, limp, false);
    if (!without) return Error{without.error()};
    Result<Pendulum> pendulum = swing(lab);
    if (!pendulum) return Error{pendulum.error()};
    Plot plot;
    plot.title = "Rotation of the plates";
    plot.x_label = "time [s]";
    plot.y_label = "turns";
    plot.x = with->times;
    for (size_t k = 0; k < kPlates; ++k) {
        plot.lines.push_back({fmt::format("plate {}", k + 1), {}});
        for (const double turn : with->plates[k].turns())
            plot.lines.back().values.push_back(turn / (2 * std::numbers::pi));
    }
    plot.lines.push_back({"plate 1, no rigidity", {}});
    for (const double turn : without->plates[0].turns())
        plot.lines.back().values.push_back(turn / (2 * std::numbers::pi));
    plot.marks = {{with->times[with->airless - 1], "no wind, no air"}};

    const std::vector<int> counts = reversals_of(*with), limp_counts = reversals_of(*without);
    const int min_count = *std::min_element(counts.begin(), counts.end());
    const int max_limp = *std::max_element(limp_counts.begin(), limp_counts.end());
    const double off = pendulum->period / pendulum->expected - 1;
    Finding finding;
    finding.holds = min_count >= 2 && max_limp < 2 && std::abs(off) < 0.03;
    finding.measured = fmt::format(
        "Without air, the plates turn back {} times, without torsional rigidity {} times. "
        "The plate on one string has a period of {:.3f} s; 2 pi sqrt(I L/GJ) gives {:.3f} s.",
        fmt::join(counts, ", "), fmt::join(limp_counts, ", "), pendulum->period, pendulum->expected);
    finding.numbers = {{"least_reversals", min_count},
                       {"most_reversals_without_rigidity", max_limp},
                       {"pendulum_period_s", pendulum->period},
                       {"pendulum_expected_s", pendulum->expected}};
    finding.figures.push_back({"Top: in the wind; bottom: after the air was removed", with->strip});
    finding.figures.push_back({"Rotation about the vertical, relative to the rod", {}, plot});
    return finding;
}

Result<Finding> find_tension(Lab& lab)
{
    constexpr double kGravity = 9.81;
    Finding finding;
    LabTable table{"Tension over the weight below",
                   {"crate [kg]", "m g [N]", "measured, lowest segment [N]", "largest error of 40 segments"},
                   {}};
    Plot plot;
    plot.title = "Tension over the weight below";
    plot.x_label = "segment, from the hook";
    plot.y_label = "measured over m g";
    std::vector<Picture> pictures;
    double worst = 0;
    for (const double mass : {0.5, 5.0, 50.0}) {
        const double side = 0.2 * std::cbrt(mass / 5);  // [m]; all crates have the density of the scene's
        Result<LabRun> run =
            lab.open("papers/rungjiratananon11_tension", {{"body.1.mass", fmt::format("{}", mass)},
                                                          {"body.1.size", fmt::format("[{0}, {0}, {0}]", side)},
                                                          {"body.1.position", fmt::format("[0, {}, 0]", -2 - side / 2)},
                                                          {"hold.0.offset", fmt::format("[0, {}, 0]", side / 2)}});
        if (!run) return Error{run.error()};
        run_until(*run, 4);
        const SceneGroom& groom = run->scene().grooms[0];
        const auto segments = static_cast<size_t>(groom.particles) - 1;
        const double segment = string_material(groom.material)->density * std::numbers::pi *
                               std::pow(groom.rope_width / 2, 2) * groom.length / static_cast<double>(segments);
        const std::vector<float> tensions = run->world().tensions({0});
        PlotLine line{fmt::format("{} kg", mass), {}};
        std::vector<double> numbers;
        double off = 0;
        for (size_t i = 1; i <= segments; ++i) {
            const double below = mass + segment * (static_cast<double>(segments - i) + 0.5);
            const double ratio = static_cast<double>(tensions[i]) / (below * kGravity);
            off = std::max(off, std::abs(ratio - 1));
            numbers.push_back(static_cast<double>(i));
            line.values.push_back(ratio);
        }
        worst = std::max(worst, off);
        plot.x = numbers;
        plot.lines.push_back(std::move(line));
        table.rows.push_back({fmt::format("{}", mass), fmt::format("{:.2f}", mass * kGravity),
                              fmt::format("{:.2f}", static_cast<double>(tensions[segments])),
                              fmt::format("{:.3f} %", 100 * off)});
        if (Result<Picture> picture = run->picture(220, 460))
            pictures.push_back(labelled(std::move(*picture),
                                        fmt::format("{} kg: {:.1f} N", mass, static_cast<double>(tensions[segments]))));
    }
    finding.holds = worst < 0.02;
    finding.measured = fmt::format("All segments carry the weight below them within {:.2f} %.", 100 * worst);
    finding.numbers = {{"worst_share", worst}};
    finding.figures.push_back(
        {"0.5, 5 and 50 kg on a rope of 2 m, and its tension at the crate", side_by_side(pictures, 3)});
    finding.figures.push_back({"Along the rope", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

namespace {

/// The position where a string is nearest to itself, as in a knot.
Vec3d crossing_of(const std::vector<Vec3d>& positions)
{
    constexpr size_t kApart = 6;  // segments; neighbours do not count
    double nearest = std::numeric_limits<double>::max();
    Vec3d crossing = positions[0];
    for (size_t i = 0; i < positions.size(); ++i)
        for (size_t j = i + kApart; j < positions.size(); ++j) {
            if (length(positions[j] - positions[i]) >= nearest) continue;
            nearest = length(positions[j] - positions[i]);
            crossing = (positions[i] + positions[j]) * 0.5;
        }
    return crossing;
}

}  // namespace

Result<Finding> find_knot(Lab& lab)
{
    constexpr double kWeight = 3 * 9.81, kTight = 2;  // [N], [s]
    constexpr double kMean = 100;                     // steps of 0.01 s
    Result<LabRun> run = lab.open("knot");
    if (!run) return Error{run.error()};
    Plot plot;
    plot.title = "Distance between the ends";
    plot.x_label = "time [s]";
    plot.y_label = "m";
    plot.lines = {{"distance", {}}};
    const double end = lab.size(5.0, 10.0);
    double tight = 0, later = 0, above = 0, below = 0;  // means over the second after kTight and over the last second
    const auto after = [&](World& world) {
        const std::vector<Vec3d> positions = positions_of(world);
        const double now = length(positions.back() - positions.front());
        plot.x.push_back(world.time());
        plot.lines[0].values.push_back(now);
        constexpr double share = 1.0 / kMean;
        const double step = static_cast<double>(world.steps());
        if (step > kTight * 100 && step <= kTight * 100 + kMean) tight += share * now;
        if (step <= end * 100 - kMean) return;
        const std::vector<float> tensions = world.tensions({0});
        later += share * now;
        above += share * static_cast<double>(tensions[2]);
        below += share * static_cast<double>(tensions[tensions.size() - 2]);
    };
    const int tied = min_crossings(positions_of(run->world()));
    // The camera follows the knot, and is nearer once it is tight.
    constexpr double kWide = 0.75, kNear = 0.25;  // [m]
    std::vector<Picture> pictures;
    for (const auto& [time, away] : {std::pair{0.02, kWide}, {0.3, kWide}, {kTight, kNear}, {end, kNear}}) {
        run_until(*run, time, after);
        const Vec3d knot = crossing_of(positions_of(run->world()));
        run->look_at(knot + Vec3d{0.5, 0.1, 0.85} * away, knot);
        Result<Picture> picture = run->picture(260, 360);
        if (!picture) return Error{picture.error()};
        pictures.push_back(
            labelled(std::move(*picture), fmt::format("{} s{}", time, away == kNear ? ", 3 times nearer" : "")));
    }
    const int crossings = min_crossings(positions_of(run->world()));
    const double slipped = std::abs(later - tight);
    Finding finding;
    finding.holds = tied == 3 && crossings == 3 && slipped < 0.002 && std::abs(above / kWeight - 1) < 0.1 &&
                    std::abs(below / kWeight - 1) < 0.1;
    finding.measured = fmt::format(
        "{} crossings at the start, {} after {:.0f} s; once tight, it slips by {:.2f} mm; {:.1f} N above and {:.1f} N "
        "below the knot, where the crate weighs {:.1f} N.",
        tied, crossings, end, 1e3 * slipped, above, below, kWeight);
    finding.numbers = {
        {"crossings", crossings}, {"slipped_m", slipped}, {"tension_above_n", above}, {"tension_below_n", below}};
    finding.figures.push_back(
        {fmt::format("At the start, after 0.3 s, 2 s and {:.0f} s", end), side_by_side(pictures, 4)});
    finding.figures.push_back({"The rope gets longer as the knot tightens", {}, plot});
    return finding;
}

namespace {

constexpr uint32_t kFirstBoard = 6;  // after the bodies that ropes are tied to
constexpr size_t kBoards = 23, kCrates = 3;

/// The heights of the boards and then of the crates [m].
std::vector<double> heights_of(World& world)
{
    std::vector<double> heights;
    for (uint32_t k = 0; k < kBoards + kCrates; ++k) heights.push_back(world.pose({kFirstBoard + k}).position.y);
    return heights;
}

}  // namespace

Result<Finding> find_bridge(Lab& lab)
{
    constexpr double kSecondCrate = 2.9,
                     kHalfABoard = 0.03;  // [s] just before it lands; [m] includes the rope's margin
    constexpr double kFallen = 1;         // [m]
    Result<LabRun> run = lab.open("bridge", {{"render.eye", "[8, 1.6, -5.2]"}, {"render.target", "[0.2, -0.8, 0.1]"}});
    if (!run) return Error{run.error()};
    Plot plot;
    plot.title = "Damage to the bridge";
    plot.x_label = "time [s]";
    plot.y_label = "count";
    plot.lines = {{"segments torn", {}}, {"boards more than 1 m lower", {}}};
    std::vector<StringEvent> tears;
    std::vector<double> before;  // heights
    size_t early = 0, nonfinite = 0, fallen = 0;
    double deepest = 0, drop = 0, crate = 0;
    const auto after = [&](World& world) {
        for (const StringEvent& event : world.take_events())
            if (event.kind == StringEventKind::kTorn) tears.push_back(event);
        const std::vector<double> heights = heights_of(world);
        if (world.time() < kSecondCrate) {
            before = heights;
            early = tears.size();
        }
        fallen = 0;
        for (size_t k = 0; k < kBoards; ++k) {
            drop = std::max(drop, before[k] - heights[k]);
            fallen += before[k] - heights[k] > kFallen;
        }
        crate = heights.back();
        plot.x.push_back(world.time());
        plot.lines[0].values.push_back(static_cast<double>(tears.size()));
        plot.lines[1].values.push_back(static_cast<double>(fallen));
        if (world.steps() % 10 != 0) return;
        const Metrics metrics = world.measure();
        nonfinite += metrics.nonfinite;
        if (world.time() < kSecondCrate) deepest = std::max(deepest, metrics.penetration_max);
    };
    std::vector<double> times{1.7, 3.2, 4.3, 4.45, 4.6, 4.8};
    if (lab.full()) times.insert(times.end(), {5.2, 6});
    Result<Picture> strip = film_strip(*run, times, 2, 480, 300, after);
    if (!strip) return Error{strip.error()};
    const bool one_by_one = !tears.empty() && tears.back().time > tears.front().time;
    Finding finding;
    finding.holds =
        early == 0 && one_by_one && fallen > 0 && crate < -kFallen && nonfinite == 0 && deepest < kHalfABoard;
    finding.measured = fmt::format("{} segments tear before the second crate lands, {} in all", early, tears.size());
    if (one_by_one) finding.measured += fmt::format(", from {:.2f} to {:.2f} s", tears.front().time, tears.back().time);
    finding.measured += fmt::format(
        ". At {:.1f} s, {} of {} boards are more than a metre lower than before, the lowest by {:.1f} m, and the third "
        "crate is {:.1f} m below the bridge. Before that, ropes penetrate boards by at most {:.1f} mm.",
        run->world().time(), fallen, kBoards, drop, -crate, 1e3 * deepest);
    finding.numbers = {{"torn", static_cast<double>(tears.size())},
                       {"torn_early", static_cast<double>(early)},
                       {"first_torn_s", tears.empty() ? 0 : tears.front().time},
                       {"boards_fallen", static_cast<double>(fallen)},
                       {"largest_drop_m", drop},
                       {"crate_height_m", crate},
                       {"deepest_m", deepest}};
    finding.figures.push_back({fmt::format("After {} s", fmt::join(times, ", ")), *strip});
    finding.figures.push_back({"Torn segments and fallen boards", {}, plot});
    return finding;
}

}  // namespace tendril::app
