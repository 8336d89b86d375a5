// What hangs on strings: plates of a mobile, crates, knots, a bridge.
#include "rungjiratananon11.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tendril::app {
namespace {

/// Where an axis of a body points, seen from above [rad].
double yaw_of(World& world, BodyId body, const Vec3d& axis)
{
    const Vec3d x = rotate(world.pose(body).rotation, axis);
    return std::atan2(-x.z, x.x);
}

/// An angle that is followed over whole turns [rad].
class Yaw {
public:
    void follow(double now)
    {
        const double last = turns_.empty() ? now : turns_.back();
        turns_.push_back(last + std::remainder(now - last, 2 * std::numbers::pi));
    }
    const std::vector<double>& turns() const { return turns_; }
    /// How often it turns back from sample `first` on, by more than this [rad].
    int reversals(size_t first, double least) const
    {
        int count = 0, way = 0;
        double extreme = turns_[first];
        for (size_t i = first; i < turns_.size(); ++i) {
            const double gone = turns_[i] - extreme;
            if (way == 0 ? std::abs(gone) > least : gone * way < -least) {
                count += way != 0;
                way = gone > 0 ? 1 : -1;
                extreme = turns_[i];
            } else if (gone * way > 0) {
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

/// Softer strings and wilder eddies than the scene has, so that plates turn far.
const Overrides kGustier{{"groom.shear_modulus", "3e7"},
                         {"wind.turbulence", "4"},
                         {"render.distance", "2.2"},
                         {"render.target", "[0, -0.02, 0]"}};

struct Mobile {
    std::vector<double> times;
    std::vector<Yaw> plates{kPlates};
    size_t calm = 0;  // the sample at which there is no air any more
    Picture strip;
};

/// The mobile in the wind; after a time there is no air any more.
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
        Result<Picture> strip = film_strip(*run, {(from + to) / 2, to}, 2, 360, 300, after);
        if (!strip) return Error{strip.error()};
        out.strip = out.strip.bytes.empty() ? std::move(*strip) : side_by_side({out.strip, *strip}, 1);
        return std::nullopt;
    };
    if (auto problem = go(0, windy)) return *problem;
    out.calm = out.times.size();
    run->world().settings().wind = {};
    run->world().settings().air = {};  // it would damp all motion within a second
    if (auto problem = go(windy, end)) return *problem;
    return out;
}

int fewest_reversals(const Mobile& mobile)
{
    int least = std::numeric_limits<int>::max();
    for (const Yaw& plate : mobile.plates) least = std::min(least, plate.reversals(mobile.calm, 0.1));
    return least;
}

/// A plate on one string, turned by hand and let go: its period over that of a torsion pendulum.
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
        // Upwards through zero, between two steps.
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
    plot.title = "Turn of the plates";
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

    const int twisting = fewest_reversals(*with), free = fewest_reversals(*without);
    const double off = pendulum->period / pendulum->expected - 1;
    Finding finding;
    finding.holds = twisting >= 2 && free < 2 && std::abs(off) < 0.03;
    finding.measured = fmt::format(
        "Without air every plate turns back {} times or more, without torsional rigidity the least has {}. "
        "The "
        "plate on one string has a period of {:.3f} s; sqrt(I L/GJ) gives {:.3f} s.",
        twisting, free, pendulum->period, pendulum->expected);
    if (!finding.holds) finding.reason = "the strings do not turn the plates back as their rigidity says";
    finding.numbers = {{"least_reversals", twisting},
                       {"least_reversals_without_rigidity", free},
                       {"pendulum_period_s", pendulum->period},
                       {"pendulum_expected_s", pendulum->expected}};
    finding.figures.push_back({"In the wind, and without", with->strip});
    finding.figures.push_back(
        {fmt::format("Turn about the vertical, against the rod; wind and air are gone after {:.1f} s",
                     with->times[with->calm - 1]),
         {},
         plot});
    return finding;
}

Result<Finding> find_tension(Lab& lab)
{
    constexpr double kGravity = 9.81;
    Finding finding;
    LabTable table{"Tension over the weight of what hangs below",
                   {"crate [kg]", "m g [N]", "measured, lowest segment [N]", "worst of 40 segments"},
                   {}};
    Plot plot;
    plot.title = "Tension over the weight below";
    plot.x_label = "segment, from the hook";
    plot.y_label = "measured over m g";
    std::vector<Picture> pictures;
    double worst = 0;
    for (const double mass : {0.5, 5.0, 50.0}) {
        Result<LabRun> run = lab.open("papers/rungjiratananon11_tension", {{"body.1.mass", fmt::format("{}", mass)}});
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
        if (Result<Picture> picture = run->picture(240, 420)) pictures.push_back(std::move(*picture));
    }
    finding.holds = worst < 0.02;
    finding.measured = fmt::format("All segments carry what hangs below them within {:.2f} %.", 100 * worst);
    if (!finding.holds) finding.reason = "tensions are not those of a rope at rest";
    finding.numbers = {{"worst_share", worst}};
    finding.figures.push_back({"0.5, 5 and 50 kg; red is the highest tension of each", side_by_side(pictures, 3)});
    finding.figures.push_back({"Along the rope", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_knot(Lab& lab)
{
    constexpr double kWeight = 3 * 9.81, kTight = 2;  // [N], [s]
    constexpr double kMean = 100;                     // steps of 0.01 s
    Result<LabRun> run = lab.open("knot", {{"render.distance", "1.5"}, {"render.target", "[0, -0.82, 0.1]"}});
    if (!run) return Error{run.error()};
    Plot plot;
    plot.title = "From end to end";
    plot.x_label = "time [s]";
    plot.y_label = "m";
    plot.lines = {{"distance of the ends", {}}};
    const double end = lab.size(5.0, 10.0);
    double tight = 0, later = 0, above = 0, below = 0;  // means over the second after kTight and over the last second
    const auto after = [&](World& world) {
        const std::vector<Vec3d> places = places_of(world);
        const double now = length(places.back() - places.front());
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
    const int tied = least_crossings(places_of(run->world()));
    Result<Picture> strip = film_strip(*run, {0.02, 0.3, kTight, end}, 4, 240, 420, after);
    if (!strip) return Error{strip.error()};
    const int crossings = least_crossings(places_of(run->world()));
    const double slipped = std::abs(later - tight);
    Finding finding;
    finding.holds = tied == 3 && crossings == 3 && slipped < 0.002 && std::abs(above / kWeight - 1) < 0.1 &&
                    std::abs(below / kWeight - 1) < 0.1;
    finding.measured = fmt::format(
        "{} crossings at the start, {} after {:.0f} s; once tight it slips by {:.2f} mm; {:.1f} N above and {:.1f} N "
        "below "
        "the knot, where the crate weighs {:.1f} N.",
        tied, crossings, end, 1e3 * slipped, above, below, kWeight);
    if (!finding.holds) finding.reason = "the knot has slipped or come undone";
    finding.numbers = {
        {"crossings", crossings}, {"slipped_m", slipped}, {"tension_above_n", above}, {"tension_below_n", below}};
    finding.figures.push_back({fmt::format("At the start, after 0.3 s, 2 s and {:.0f} s", end), *strip});
    finding.figures.push_back({"The rope gets longer as the knot is drawn tight", {}, plot});
    return finding;
}

Result<Finding> find_bridge(Lab& lab)
{
    constexpr double kThirdCrate = 4.2, kHalfABoard = 0.03;  // [s] just before it lands; [m] and the rope's own margin
    Result<LabRun> run = lab.open("bridge");
    if (!run) return Error{run.error()};
    Plot plot;
    plot.title = "Segments torn";
    plot.x_label = "time [s]";
    plot.y_label = "segments";
    plot.lines = {{"torn so far", {}}};
    size_t torn = 0, early = 0, nonfinite = 0;
    double first = 0, deepest = 0;
    const auto after = [&](World& world) {
        for (const StringEvent& event : world.take_events()) {
            if (event.kind != StringEventKind::kTorn) continue;
            if (torn++ == 0) first = event.time;
            early += event.time < kThirdCrate;
        }
        plot.x.push_back(world.time());
        plot.lines[0].values.push_back(static_cast<double>(torn));
        if (world.steps() % 10 != 0) return;
        const Metrics metrics = world.measure();
        nonfinite += metrics.nonfinite;
        if (world.time() < kThirdCrate) deepest = std::max(deepest, metrics.penetration_max);
    };
    std::vector<double> times{1.0, 1.6, 4.2, 4.4, 4.6, 4.9};
    if (lab.full()) times.insert(times.end(), {5.6, 9.0});
    Result<Picture> strip = film_strip(*run, times, 2, 480, 300, after);
    if (!strip) return Error{strip.error()};
    Finding finding;
    finding.holds = torn > 0 && early == 0 && nonfinite == 0 && deepest < kHalfABoard;
    finding.measured = fmt::format(
        "No segment tears before the third crate, then {} do, the first at {:.2f} s. Ropes are "
        "{:.1f} mm deep in boards at most.",
        torn, first, 1e3 * deepest);
    if (early > 0) finding.measured = fmt::format("{} segments tear before the third crate, {} in all.", early, torn);
    if (!finding.holds) finding.reason = "the bridge does not bear and tear as it should";
    finding.numbers = {{"torn", static_cast<double>(torn)}, {"first_torn_s", first}, {"deepest_m", deepest}};
    finding.figures.push_back({fmt::format("After {} s", fmt::join(times, ", ")), *strip});
    finding.figures.push_back({"Segments of rope that have torn", {}, plot});
    return finding;
}

}  // namespace tendril::app
