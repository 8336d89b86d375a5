// [Mueller12] 3.2 and 3.3, Fig. 4 and 5: a rope that is released horizontally, without and with the velocity
// correction.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "mueller12.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tendril::app::mueller {
namespace {

constexpr const char* kScene = "papers/mueller12_fig4";

Overrides with_correction(double s, const Overrides& form, int substeps = 1)
{
    return joined({{"solver.velocity_correction", fmt::format("{}", s)}, {"sim.substeps", fmt::format("{}", substeps)}},
                  form);
}

// --- Fig. 4

constexpr size_t kStrobeSeconds[]{1, 5, 10, 20};
constexpr uint64_t kStepsPerSecond = 100;
constexpr double kAtRest = 0.01;     // a particle at rest is slower than this share of the fastest one
constexpr double kMassRatio = 0.01;  // mass of a particle over that of the one above it; see find_uneven_masses

/// A rope over time, with one value per second.
struct RestHistory {
    std::vector<double> time, resting;  // number of particles at rest, counted from the hand down
    std::vector<double> fastest;        // [m/s]
    double min_share = 1;        // of the kinetic energy, in the first moving particle; masses decrease by kMassRatio
    double max_share_equal = 0;  // largest share of the kinetic energy in one particle if masses were equal
    std::vector<Picture> strobes;
};

/// `squares`: mean squared speed of each particle over a second.
void add_second(RestHistory& history, const std::vector<double>& squares)
{
    const double fastest = *std::max_element(squares.begin(), squares.end());
    size_t first = 1;
    while (first < squares.size() && squares[first] < kAtRest * kAtRest * fastest) ++first;
    double equal = 0, uneven = 0, mass = 1;
    for (size_t i = first; i < squares.size(); ++i, mass *= kMassRatio) {
        equal += squares[i];
        uneven += mass * squares[i];
    }
    history.time.push_back(static_cast<double>(history.time.size() + 1));
    history.resting.push_back(static_cast<double>(first - 1));
    history.fastest.push_back(std::sqrt(fastest));
    history.min_share = std::min(history.min_share, squares[first] / uneven);
    history.max_share_equal = std::max(history.max_share_equal, fastest / equal);
}

Result<RestHistory> rest_history(Lab& lab, double s, const Overrides& form, uint64_t seconds)
{
    Result<LabRun> run = lab.open(kScene, with_correction(s, form));
    if (!run) return Error{run.error()};
    RestHistory out;
    Strobe strobe;
    std::vector<Vec3d> before = points_of(run->world());
    std::vector<double> squares(before.size(), 0.0);
    for (uint64_t k = 1; k <= seconds * kStepsPerSecond; ++k) {
        run->world().step();
        const std::vector<Vec3d> now = points_of(run->world());
        for (size_t i = 0; i < now.size(); ++i)
            squares[i] += dot(now[i] - before[i], now[i] - before[i]) * kStepsPerSecond;  // over dt^2, times dt
        before = now;
        const uint64_t second = (k + kStepsPerSecond - 1) / kStepsPerSecond, left = second * kStepsPerSecond - k;
        const bool shown =
            std::find(std::begin(kStrobeSeconds), std::end(kStrobeSeconds), second) != std::end(kStrobeSeconds);
        if (s == 0 && shown && left < 24 && left % 2 == 0)
            if (const Result<Picture> picture = run->picture(320, 240)) strobe.add(*picture);
        if (left > 0) continue;
        add_second(out, squares);
        std::fill(squares.begin(), squares.end(), 0.0);
        if (!strobe.empty()) out.strobes.push_back(labelled(strobe.picture(), fmt::format("after {} s", second)));
        strobe = {};
    }
    return out;
}

// --- Fig. 5

/// Energies are relative to the hanging rope, as a share of the initial energy.
struct Decay {
    Series series;
    std::vector<double> energy;            // at the start and after every step
    double gained = 0;                     // largest gain over the start
    double first_swing = 0;                // of the tip to the other side, in the first second [m]
    double decay_time = 0;                 // when the energy falls below 1 % for good [s]
    Picture strobe;                        // the first 0.6 s
    std::vector<std::vector<Vec3d>> path;  // the first second

    double after(double seconds) const { return energy[static_cast<size_t>(std::lround(kStepsPerSecond * seconds))]; }
    /// Mean energy over the first `seconds`.
    double mean(size_t seconds) const
    {
        const auto end = energy.begin() + static_cast<ptrdiff_t>(kStepsPerSecond * seconds);
        return std::accumulate(energy.begin(), end, 0.0) / static_cast<double>(end - energy.begin());
    }
};

Result<Decay> decay(Lab& lab, Overrides settings, const char* direction, bool pictures)
{
    settings.emplace_back("groom.direction", direction);
    // The rope stays below the hand.
    settings.insert(settings.end(),
                    {{"render.eye", "[0, -0.27, 3]"}, {"render.target", "[0, -0.27, 0]"}, {"render.field", "0.32"}});
    Result<LabRun> run = lab.open(kScene, settings);
    if (!run) return Error{run.error()};
    Decay out;
    Strobe strobe;
    out.series = run->simulate(8 * kStepsPerSecond, [&](World& world) {
        if (world.steps() <= kStepsPerSecond) {
            out.first_swing = std::max(out.first_swing, -tip_of(world).x);
            out.path.push_back(points_of(world));
        }
        if (!pictures || world.steps() > 60 || world.steps() % 4 != 0) return;
        if (const Result<Picture> picture = run->picture(320, 240)) strobe.add(*picture);
    });
    out.strobe = strobe.picture();
    const SceneGroom& groom = run->scene().grooms[0];
    const double hanging = -static_cast<double>(groom.particles) * groom.particle_mass * 10 * groom.length / 2;
    const auto& samples = out.series.samples();
    for (const Sample& sample : samples) {
        out.energy.push_back((sample.energy() - hanging) / (samples[0].energy() - hanging));
        out.gained = std::max(out.gained, out.energy.back() - 1);
        if (out.energy.back() > 0.01) out.decay_time = sample.time;
    }
    return out;
}

/// The ways in which the rope is released: horizontally, where it whips, and 30 and 5 degrees from hanging, where it
/// swings.
constexpr const char* kReleases[]{"[1, 0, 0]", "[0.5, -0.866025, 0]", "[0.0871557, -0.996195, 0]"};
constexpr const char* kReleaseNames[]{"horizontal", "30 degrees", "5 degrees"};
constexpr size_t kReleaseCount = std::size(kReleases);

/// The decay after each release.
struct Decays {
    Decay of[kReleaseCount];
};

Result<Decays> decays(Lab& lab, const Overrides& settings, bool pictures)
{
    Decays out;
    for (size_t r = 0; r < kReleaseCount; ++r) {
        Result<Decay> one = decay(lab, settings, kReleases[r], pictures && r == 0);
        if (!one) return Error{one.error()};
        out.of[r] = std::move(*one);
    }
    return out;
}

/// Mean distance in the first second [m].
double mean_apart(const Decay& a, const Decay& b)
{
    double sum = 0, count = 0;
    for (size_t k = 0; k < a.path.size(); ++k)
        for (size_t i = 0; i < a.path[k].size(); ++i, ++count) sum += length(a.path[k][i] - b.path[k][i]);
    return sum / count;
}

/// Processor time of a step of many such ropes [s].
Result<double> step_time(Lab& lab, double s)
{
    Result<LabRun> run = lab.open(kScene, joined(with_correction(s, kPrinted), {{"groom.strands", "1600"}}), 1);
    if (!run) return Error{run.error()};
    return lab.processor_seconds(*run, lab.size(25, 100));
}

/// Whether s = 0.9 damps less than s = 1 for every release: more energy on average over two seconds, when nearly all of
/// it is lost.
bool damps_less(const Decays& less, const Decays& full)
{
    bool all = true;
    for (size_t r = 0; r < kReleaseCount; ++r) all &= less.of[r].mean(2) > full.of[r].mean(2);
    return all;
}

PlotLine energy_line(const std::string& name, const Decay& one)
{
    PlotLine line{name, {}};
    for (size_t k = 0; k <= 3 * kStepsPerSecond; ++k) line.values.push_back(one.energy[k]);
    return line;
}

std::vector<std::string> decay_row(const std::string& name, const Decay& one)
{
    std::vector<std::string> row{name, fmt::format("{:.2f}", one.gained)};
    for (const double t : {0.25, 0.5, 1.0, 2.0, 4.0}) row.push_back(fmt::format("{:.3g}", 100 * one.after(t)));
    row.push_back(one.decay_time < 7.99 ? fmt::format("{:.2f}", one.decay_time) : "over 8");
    return row;
}

}  // namespace

Result<Finding> find_rest_from_the_top(Lab& lab)
{
    constexpr uint64_t kSeconds = 20;
    Finding finding;
    Plot plot;
    plot.title = "Particles at rest, from the hand down";
    plot.x_label = "time [s]";
    plot.y_label = "of 29";
    RestHistory plain;
    double max_resting_corrected = 0, max_resting_ours = 0;
    for (const double s : {0.0, 0.9, 1.0}) {
        // The corrected rope comes to rest as a whole, after which only rounding errors move it.
        Result<RestHistory> one = rest_history(lab, s, kPrinted, s == 0 ? kSeconds : 5);
        if (!one) return Error{one.error()};
        if (s > 0) {
            max_resting_corrected =
                std::max(max_resting_corrected, *std::max_element(one->resting.begin(), one->resting.end()));
            const Result<RestHistory> ours = rest_history(lab, s, kOurs, 5);
            if (!ours) return Error{ours.error()};
            max_resting_ours =
                std::max(max_resting_ours, *std::max_element(ours->resting.begin(), ours->resting.end()));
        }
        plot.lines.push_back({fmt::format("s = {}", s), one->resting, s == 1});  // dashed, as it covers s = 0.9
        plot.lines.back().values.resize(kSeconds, std::nan(""));
        if (s == 0) plain = std::move(*one);
    }
    plot.x = plain.time;
    const double slowest = *std::min_element(plain.fastest.begin(), plain.fastest.end());
    finding.holds = std::is_sorted(plain.resting.begin(), plain.resting.end()) && plain.resting.back() >= 10 &&
                    slowest > 1 && plain.min_share > 0.8 && max_resting_corrected <= 2;
    finding.measured = fmt::format(
        "At s = 0, the upper {:.0f} particles are at rest after 5 s, {:.0f} after 10 s and {:.0f} after 20 s, while "
        "others below are always faster than {:.1f} m/s. With masses that decrease by 1/100, the first moving particle "
        "has at least {:.0f} % of the kinetic energy of all moving ones; with equal masses, no particle would have "
        "more than {:.0f} %. With s of 0.9 and 1, at most {:.0f} come to rest before the whole rope does; with our "
        "form, which is the same at s = 0, at most {:.0f}.",
        plain.resting[4], plain.resting[9], plain.resting[19], slowest, 100 * plain.min_share,
        100 * plain.max_share_equal, max_resting_corrected, max_resting_ours);
    finding.numbers = {{"resting_5s", plain.resting[4]},
                       {"resting_10s", plain.resting[9]},
                       {"resting_20s", plain.resting[19]},
                       {"least_share_uneven", plain.min_share},
                       {"most_share_equal", plain.max_share_equal},
                       {"most_resting_corrected", max_resting_corrected}};
    finding.figures.push_back(
        {"s = 0: twelve moments, 0.02 s apart, overlaid at four times", side_by_side(plain.strobes, 2)});
    finding.figures.push_back(
        {"At s = 0, rest spreads down the rope; at 0.9 and 1, simulated for 5 s, hardly any particle comes to rest "
         "before all do",
         {},
         plot});
    return finding;
}

Result<Finding> find_damping(Lab& lab)
{
    Finding finding;
    LabTable table{"Energy relative to hanging, in % of the initial energy",
                   {"rope", "gained, in units of the initial energy", "after 0.25 s", "0.5 s", "1 s", "2 s", "4 s",
                    "99 % lost after [s]"},
                   {}};
    Plot plot;
    plot.title = "Energy of the rope released horizontally";
    plot.x_label = "time [s]";
    plot.y_label = "share of the initial energy";
    for (size_t k = 0; k <= 3 * kStepsPerSecond; ++k) plot.x.push_back(static_cast<double>(k) / kStepsPerSecond);
    std::vector<Picture> pictures;
    const struct Rope {
        std::string name;
        Overrides settings;
    } ropes[]{
        {"s = 0.9", with_correction(0.9, kPrinted)},
        {"s = 1", with_correction(1, kPrinted)},
        {"s = 0.9, ours", with_correction(0.9, kOurs)},
        {"s = 1, ours", with_correction(1, kOurs)},
        {"s = 1, ours, 8 substeps", with_correction(1, kOurs, 8)},
        {"equal masses (direct, 16 substeps)", joined(with_correction(1, kOurs, 16), {{"solver.type", "direct"}})}};
    std::vector<Decays> found;
    for (const Rope& rope : ropes) {
        const bool drawn = found.size() < 2 || found.size() > 3;
        Result<Decays> one = decays(lab, rope.settings, drawn);
        if (!one) return Error{one.error()};
        for (size_t r = 0; r < kReleaseCount; ++r) {
            table.rows.push_back(decay_row(fmt::format("{}, {}", rope.name, kReleaseNames[r]), one->of[r]));
            const std::string name = fmt::format("{}, {}", rope.name, kReleaseNames[r]);
            finding.numbers.emplace_back("gained " + name, one->of[r].gained);
            finding.numbers.emplace_back("mean_2s " + name, one->of[r].mean(2));
            finding.numbers.emplace_back("gone_s " + name, one->of[r].decay_time);
        }
        if (drawn) {
            plot.lines.push_back(energy_line(rope.name, one->of[0]));
            pictures.push_back(labelled(one->of[0].strobe, rope.name));
        }
        found.push_back(std::move(*one));
    }
    double times[2]{1e9, 1e9};  // of a step at s = 0.9 and 1, the shortest of three
    for (int i = 0; i < 3; ++i)
        for (const size_t k : {0u, 1u}) {
            const Result<double> time = step_time(lab, k == 0 ? 0.9 : 1);
            if (!time) return Error{time.error()};
            times[k] = std::min(times[k], *time);
        }
    const Decays &less = found[0], &full = found[1], &ours_less = found[2], &ours_full = found[3], &fine = found[4],
                 &exact = found[5];
    const double costs = times[0] / times[1];
    double off_less[kReleaseCount], off_full[kReleaseCount];
    bool as_even = true;
    for (size_t r = 0; r < kReleaseCount; ++r) {
        off_less[r] = mean_apart(less.of[r], exact.of[r]);
        off_full[r] = mean_apart(full.of[r], exact.of[r]);
        as_even &= off_less[r] < 1.1 * off_full[r];
    }
    const bool cheap = costs < 1.05;
    judge(finding, damps_less(less, full) && as_even && cheap, damps_less(ours_less, ours_full) && as_even && cheap,
          "Eq. 9 takes back tension alone");
    finding.numbers.emplace_back("cost_ratio", costs);
    const auto line = [](double (*of)(const Decay&), const Decays& a, const Decays& b) {
        return fmt::format("{:.3g} and {:.3g}, {:.3g} and {:.3g}, {:.3g} and {:.3g}", of(a.of[0]), of(b.of[0]),
                           of(a.of[1]), of(b.of[1]), of(a.of[2]), of(b.of[2]));
    };
    const auto mean_energy = [](const Decay& d) { return 100 * d.mean(2); };
    const auto gone = [](const Decay& d) { return d.decay_time; };
    finding.measured = fmt::format(
        "With s = 0.9 and 1, released horizontally, 30 and 5 degrees from hanging: {} % of the energy on average over "
        "two seconds (ours {} %), and 99 % lost after {} s. Part of that is gained: s = 0.9 gains {:.0f}, {:.0f} and "
        "{:.0f} % of the initial energy, s = 1 at most {:.1f} %, and after the horizontal release s = 0.9 is the first "
        "to lose 99 %. Distance from equal masses in the first second: {:.0f} and {:.0f}, {:.0f} and {:.0f}, {:.1f} "
        "and {:.1f} mm. A step at 0.9 takes {:.2f} times as long as at 1. Shorter steps damp less and gain nothing: "
        "with eight substeps at s = 1 (ours), {:.0f}, {:.0f} and {:.0f} % on average.",
        line(mean_energy, less, full), line(mean_energy, ours_less, ours_full), line(gone, less, full),
        100 * less.of[0].gained, 100 * less.of[1].gained, 100 * less.of[2].gained,
        100 * std::max({full.of[0].gained, full.of[1].gained, full.of[2].gained}), 1e3 * off_less[0], 1e3 * off_full[0],
        1e3 * off_less[1], 1e3 * off_full[1], 1e3 * off_less[2], 1e3 * off_full[2], costs, 100 * fine.of[0].mean(2),
        100 * fine.of[1].mean(2), 100 * fine.of[2].mean(2));
    finding.figures.push_back({"The first 0.6 s, every 0.04 s", side_by_side(pictures, 2)});
    finding.figures.push_back({"s below 1 adds energy early; substeps reduce the damping", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::mueller
