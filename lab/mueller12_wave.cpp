// [Mueller12] 3.4: how a wave travels up a rope, and the effect of a pass from the tip.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "mueller12.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app::mueller {
namespace {

constexpr const char* kBent = "papers/mueller12_bent";    // its lowest six segments are bent to the side and released
constexpr const char* kStruck = "papers/mueller12_wave";  // a ball strikes its lower end
constexpr uint64_t kWaveSteps = 80;
constexpr double kMoved = 1e-3;     // [m]
constexpr uint64_t kExposures = 7;  // per picture, evenly spaced up to its time
constexpr uint64_t kSeen = 14;      // the step at which waves are compared: 0.14 s

using Ropes = std::vector<std::vector<Vec3d>>;  // at the start and after every step

/// A wave on its way up.
struct Wave {
    std::vector<double> time, height;  // highest particle that has moved by kMoved so far, as a share of the rope
    double arrival = -1;               // at the middle, since the tip began to move [s]; negative: never
    double amplitude = 0;              // largest displacement of the middle [m]
    double energy = 0;                 // largest gain over the start [J]
    Ropes ropes;
    Picture picture;
};

/// The highest particle that has moved, as a share of the rope from its tip.
double height_of(const std::vector<Vec3d>& points, const std::vector<Vec3d>& start)
{
    for (size_t i = 0; i < points.size(); ++i)
        if (length(points[i] - start[i]) > kMoved)
            return static_cast<double>(points.size() - 1 - i) / static_cast<double>(points.size() - 1);
    return 0;
}

void measure_wave(Wave& wave)
{
    const std::vector<Vec3d>& start = wave.ropes[0];
    const size_t middle = start.size() / 2;
    double struck = -1;
    for (size_t k = 1; k < wave.ropes.size(); ++k) {
        const std::vector<Vec3d>& points = wave.ropes[k];
        const double time = 0.01 * static_cast<double>(k), moved = length(points[middle] - start[middle]);
        wave.time.push_back(time);
        wave.height.push_back(std::max(wave.height.empty() ? 0 : wave.height.back(), height_of(points, start)));
        wave.amplitude = std::max(wave.amplitude, moved);
        if (struck < 0 && length(points.back() - start.back()) > kMoved) struck = time - 0.01;
        if (wave.arrival < 0 && moved > kMoved) wave.arrival = time - struck;
    }
}

Result<Wave> wave(Lab& lab, const char* scene, const Overrides& settings, uint64_t pictured)
{
    Result<LabRun> run = lab.open(scene, settings);
    if (!run) return Error{run.error()};
    Wave out;
    Strobe strobe;
    out.ropes.push_back(points_of(run->world()));
    const Series series = run->simulate(kWaveSteps, [&](World& world) {
        out.ropes.push_back(points_of(world));
        if (world.steps() > pictured || world.steps() % (pictured / kExposures) != 0) return;
        if (const Result<Picture> picture = run->picture(240, 360)) strobe.add(*picture);
    });
    out.picture = strobe.picture();
    measure_wave(out);
    for (const Sample& sample : series.samples())
        out.energy = std::max(out.energy, sample.energy() - series.samples()[0].energy());
    return out;
}

/// Potential energy relative to hanging [J], with the scene's masses and lengths.
double energy_over_hanging(const std::vector<Vec3d>& points)
{
    double sum = 0;
    for (size_t i = 1; i < points.size(); ++i) sum += 0.01 * 10 * (points[i].y + 0.02 * static_cast<double>(i));
    return sum;
}

std::vector<std::string> wave_row(const std::string& name, const Wave& one)
{
    const double seen = one.height[kSeen - 1];
    return {name, one.arrival < 0 ? "never" : fmt::format("{:.0f}", 1e3 * one.arrival),
            fmt::format("{:.0f}", 100 * seen), fmt::format("{:.1f}", 1e3 * one.amplitude),
            fmt::format("{:.1f}", 1e3 * one.energy)};
}

LabTable wave_table(const std::string& caption)
{
    return {caption,
            {"rope", "arrival at the middle [ms]", "height after 0.14 s [%]", "amplitude at the middle [mm]",
             "largest energy gain [mJ]"},
            {}};
}

/// The passes of a substep. The second and third are the readings that the text of section 3.4 allows: after a
/// projection from the tip, Eq. 9 takes back the correction of the forward pass, or that of both.
enum class Pass { kForwardAlone, kTakesBackForward, kTakesBackBoth, kOurForward, kOurs };
constexpr const char* kPassNames[]{"forward alone", "both passes, Eq. 9 for the forward one",
                                   "both passes, Eq. 9 for both", "ours, forward alone",
                                   "ours, backward pass that only shortens"};
constexpr Pass kPrintedPasses[]{Pass::kForwardAlone, Pass::kTakesBackForward, Pass::kTakesBackBoth};

bool is_ours(Pass pass)
{
    return pass == Pass::kOurForward || pass == Pass::kOurs;
}

Overrides settings_of(Pass pass, double s)
{
    const bool forward_alone = pass == Pass::kForwardAlone || pass == Pass::kOurForward;
    return {{"solver.form", is_ours(pass) ? "stable" : "paper"},
            {"solver.backward_pass", forward_alone ? "false" : "true"},
            {"solver.backward_takes", pass == Pass::kTakesBackBoth ? "both" : "forward"},
            {"solver.velocity_correction", fmt::format("{}", s)}};
}

/// The true wave, and the wave with each kind of passes.
struct Waves {
    Wave exact, of[std::size(kPassNames)];

    const Wave& with(Pass pass) const { return of[static_cast<size_t>(pass)]; }
    /// The wave of the forward pass alone in the same form.
    const Wave& without(Pass pass) const { return with(is_ours(pass) ? Pass::kOurForward : Pass::kForwardAlone); }
};

Result<Waves> waves(Lab& lab, const char* scene, uint64_t pictured, double s = 0.9)
{
    Waves found;
    Result<Wave> exact = wave(lab, scene, {{"solver.type", "direct"}, {"sim.substeps", "16"}}, pictured);
    if (!exact) return Error{exact.error()};
    found.exact = std::move(*exact);
    for (size_t pass = 0; pass < std::size(kPassNames); ++pass) {
        Result<Wave> one = wave(lab, scene, settings_of(static_cast<Pass>(pass), s), pictured);
        if (!one) return Error{one.error()};
        found.of[pass] = std::move(*one);
    }
    return found;
}

LabTable table_of_waves(const std::string& caption, const Waves& found)
{
    LabTable table = wave_table(caption);
    table.rows.push_back(wave_row("true wave (direct, 16 substeps)", found.exact));
    for (size_t pass = 0; pass < std::size(kPassNames); ++pass)
        table.rows.push_back(wave_row(kPassNames[pass], found.of[pass]));
    return table;
}

Picture row_of_waves(const Waves& found)
{
    return side_by_side(
        {labelled(found.exact.picture, "true"), labelled(found.with(Pass::kOurForward).picture, "ours, forward alone"),
         labelled(found.with(Pass::kOurs).picture, "ours, backward first"),
         labelled(found.with(Pass::kTakesBackForward).picture, "printed, Eq. 9 for one"),
         labelled(found.with(Pass::kTakesBackBoth).picture, "printed, Eq. 9 for both")},
        5);
}

std::string arrival_text(const Wave& one)
{
    return one.arrival < 0 ? "never" : fmt::format("after {:.0f} ms", 1e3 * one.arrival);
}

Plot plot_of_heights(const Wave& exact)
{
    Plot plot;
    plot.title = "Height of the wave on the rope";
    plot.x_label = "time [s]";
    plot.y_label = "share of the rope, from the tip";
    plot.x = exact.time;
    plot.lines.push_back({.name = "true wave", .values = exact.height, .dashed = true});
    return plot;
}

/// Whether a backward pass brings the wave to the middle in time and high enough, compared with the forward pass alone,
/// without additional energy.
bool arrives_as_it_should(const Waves& found, Pass pass)
{
    const Wave &one = found.with(pass), &forward = found.without(pass), &exact = found.exact;
    return forward.arrival > 1.5 * exact.arrival && one.arrival > 0 &&
           std::abs(one.arrival - exact.arrival) < 0.2 * exact.arrival && one.amplitude > 2 * forward.amplitude &&
           one.amplitude < 1.2 * exact.amplitude && one.energy < exact.energy + 1e-3;
}

/// Whether the wave is sooner and higher than with the forward pass alone, without additional energy.
bool is_better(const Waves& found, Pass pass)
{
    const Wave &one = found.with(pass), &forward = found.without(pass);
    return one.arrival > 0 && one.arrival < forward.arrival && one.amplitude > forward.amplitude &&
           one.energy < found.exact.energy + 1e-3;
}

}  // namespace

Result<Finding> find_backward_pass(Lab& lab)
{
    const Result<Waves> bent = waves(lab, kBent, kSeen);
    if (!bent) return Error{bent.error()};
    const Result<Waves> struck = waves(lab, kStruck, 42);
    if (!struck) return Error{struck.error()};
    const Wave &forward = bent->with(Pass::kForwardAlone), &ours = bent->with(Pass::kOurs),
               &one = bent->with(Pass::kTakesBackForward), &both_taken = bent->with(Pass::kTakesBackBoth);
    Finding finding;
    judge(finding,
          arrives_as_it_should(*bent, Pass::kTakesBackForward) || arrives_as_it_should(*bent, Pass::kTakesBackBoth),
          arrives_as_it_should(*bent, Pass::kOurs), "its backward pass only shortens overstretched segments");
    const auto sentence = [](const Waves& found) {
        const Wave &plain = found.with(Pass::kOurForward), &shortens = found.with(Pass::kOurs);
        return fmt::format(
            "the true wave reaches the middle {}, that of our forward pass alone {} and that with our backward pass "
            "{}; "
            "the middle moves by {:.0f}, {:.0f} and {:.0f} mm",
            arrival_text(found.exact), arrival_text(plain), arrival_text(shortens), 1e3 * found.exact.amplitude,
            1e3 * plain.amplitude, 1e3 * shortens.amplitude);
    };
    finding.measured = fmt::format(
        "When the bent end of a rope is released, {}. As printed, the wave arrives {} with the forward pass alone "
        "({:.0f} mm); after the backward pass, it arrives {} if Eq. 9 takes back the correction of the forward pass "
        "({:.1f} mm), and {} if it takes back both ({:.0f} mm, {:.0f} mJ gained). The benefit depends on the wave: "
        "when "
        "a ball strikes the end, {}.",
        sentence(*bent), arrival_text(forward), 1e3 * forward.amplitude, arrival_text(one), 1e3 * one.amplitude,
        arrival_text(both_taken), 1e3 * both_taken.amplitude, 1e3 * both_taken.energy, sentence(*struck));
    finding.numbers = {{"arrival_true_s", bent->exact.arrival},
                       {"arrival_forward_s", forward.arrival},
                       {"arrival_ours_s", ours.arrival},
                       {"arrival_takes_back_forward_s", one.arrival},
                       {"arrival_takes_back_both_s", both_taken.arrival},
                       {"most_true_m", bent->exact.amplitude},
                       {"most_forward_m", forward.amplitude},
                       {"most_ours_m", ours.amplitude},
                       {"most_takes_back_forward_m", one.amplitude},
                       {"most_takes_back_both_m", both_taken.amplitude}};
    finding.tables = {table_of_waves("The lowest six of 29 segments are bent by 60 degrees and released", *bent),
                      table_of_waves("A ball strikes the lower end", *struck)};
    Plot plot = plot_of_heights(bent->exact);
    for (size_t pass = 0; pass < std::size(kPassNames); ++pass)
        plot.lines.push_back({kPassNames[pass], bent->of[pass].height});
    finding.figures.push_back(
        {"The first 0.14 s after the release of the bent end, every 0.02 s", row_of_waves(*bent)});
    finding.figures.push_back({"Height of the particles that have moved by a millimetre", {}, plot});
    finding.figures.push_back({"A ball strikes the end: the first 0.42 s, every 0.06 s", row_of_waves(*struck)});
    return finding;
}

Result<Finding> find_printed_passes(Lab& lab)
{
    Finding finding;
    LabTable table = wave_table("The lowest six of 29 segments are bent by 60 degrees and released");
    // Whether a reading does what is claimed; whether the wave of the first dies out and that of the second gains
    // energy.
    bool better = false, dies_out = true, gains_energy = true;
    Waves found[2];  // at s = 0.9 and 1
    for (const double s : {0.9, 1.0}) {
        Result<Waves> at = waves(lab, kBent, kSeen, s);
        if (!at) return Error{at.error()};
        if (s != 1) table.rows.push_back(wave_row("true wave (direct, 16 substeps)", at->exact));
        for (const Pass pass : kPrintedPasses)
            table.rows.push_back(
                wave_row(fmt::format("s = {}, {}", s, kPassNames[static_cast<size_t>(pass)]), at->with(pass)));
        const Wave &plain = at->with(Pass::kForwardAlone), &one = at->with(Pass::kTakesBackForward),
                   &other = at->with(Pass::kTakesBackBoth);
        better |= is_better(*at, Pass::kTakesBackForward) || is_better(*at, Pass::kTakesBackBoth);
        dies_out &= one.arrival < 0 && one.amplitude < 0.1 * plain.amplitude;
        gains_energy &= other.energy > 3 * (at->exact.energy + 1e-3);
        finding.numbers.emplace_back(fmt::format("most_forward_s{}_m", s), plain.amplitude);
        finding.numbers.emplace_back(fmt::format("most_takes_back_forward_s{}_m", s), one.amplitude);
        finding.numbers.emplace_back(fmt::format("most_takes_back_both_s{}_m", s), other.amplitude);
        finding.numbers.emplace_back(fmt::format("energy_takes_back_both_s{}_J", s), other.energy);
        found[s == 1] = std::move(*at);
    }
    finding.holds = better;
    if (!better && dies_out && gains_energy)
        finding.reason =
            "a projection from the tip also pushes parents away from approaching children. If Eq. 9 takes back the "
            "correction of the forward pass, this destroys the wave; if it takes back that of both passes, the wave "
            "lives on energy that the method creates. A backward pass that only shortens stretched segments has the "
            "effect that the paper wants: mueller12/sec3_4.";
    const Wave &less = found[0].with(Pass::kTakesBackBoth), &full = found[1].with(Pass::kTakesBackBoth);
    finding.measured = fmt::format(
        "If Eq. 9 takes back the correction of the forward pass, the wave {}. If it takes back that of both passes, it "
        "reaches the middle {} at s = 0.9 and {} at 1, and the rope gains {:.0f} and {:.0f} mJ (the true wave shows "
        "{:.1f}), where {:.0f} were released.",
        dies_out ? "never arrives" : "arrives", arrival_text(less), arrival_text(full), 1e3 * less.energy,
        1e3 * full.energy, 1e3 * found[0].exact.energy, 1e3 * energy_over_hanging(less.ropes[0]));
    finding.tables.push_back(std::move(table));
    Plot plot = plot_of_heights(found[0].exact);
    for (const Pass pass : kPrintedPasses)
        plot.lines.push_back({kPassNames[static_cast<size_t>(pass)], found[0].with(pass).height});
    finding.figures.push_back({"s = 0.9: height of the particles that have moved by a millimetre", {}, plot});
    return finding;
}

}  // namespace tendril::app::mueller
