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

/// The last two are the readings that section 3.4 allows: Eq. 9 takes back the correction of the forward pass, or that
/// of both passes.
enum class Pass { kForwardAlone, kTakesBackForward, kTakesBackBoth };

/// Section 3.4 literally, which the engine does not offer: from the tip up, each parent is moved to its distance from
/// its child; then each child to its distance from its parent.
Wave plain_wave(const std::vector<Vec3d>& start, Pass pass, double correction = 0.9)
{
    constexpr double kDt = 0.01, kFall = 10, kMass = 0.01;
    const size_t n = start.size();
    std::vector<Vec3d> x = start, v(n, Vec3d{0, 0, 0});
    std::vector<double> rest(n, 0.0);
    for (size_t i = 1; i < n; ++i) rest[i] = length(start[i] - start[i - 1]);
    const auto towards = [](const Vec3d& from, const Vec3d& to, double l) {
        const Vec3d edge = to - from;
        return from + edge * (l / length(edge));
    };
    Wave out;
    out.ropes.push_back(x);
    for (uint64_t k = 0; k < kWaveSteps; ++k) {
        std::vector<Vec3d> p = x, q = x, d(n + 1, Vec3d{0, 0, 0});
        for (size_t i = 1; i < n; ++i) p[i] = x[i] + v[i] * kDt + Vec3d{0, -kFall * kDt * kDt, 0};
        const std::vector<Vec3d> predicted = p;
        for (size_t i = n - 1; pass != Pass::kForwardAlone && i >= 2; --i) p[i - 1] = towards(p[i], p[i - 1], rest[i]);
        for (size_t i = 1; i < n; ++i) {
            q[i] = towards(q[i - 1], p[i], rest[i]);
            d[i] = q[i] - (pass == Pass::kTakesBackBoth ? predicted[i] : p[i]);
        }
        double energy = 0;
        for (size_t i = 1; i < n; ++i) {
            const Vec3d u = (q[i] - x[i]) * (1 / kDt);
            v[i] = u - d[i + 1] * (correction / kDt);
            energy += kMass * (dot(u, u) / 2 + kFall * (q[i].y - start[i].y));
        }
        out.energy = std::max(out.energy, energy);
        x = q;
        out.ropes.push_back(x);
    }
    measure_wave(out);
    return out;
}

/// Potential energy relative to hanging [J], with the scene's masses and lengths.
double energy_over_hanging(const std::vector<Vec3d>& points)
{
    double sum = 0;
    for (size_t i = 1; i < points.size(); ++i) sum += 0.01 * 10 * (points[i].y + 0.02 * static_cast<double>(i));
    return sum;
}

/// Largest distance between two ropes over time [m].
double max_distance(const Ropes& a, const Ropes& b)
{
    double farthest = 0;
    for (size_t k = 0; k < std::min(a.size(), b.size()); ++k)
        for (size_t i = 0; i < a[k].size(); ++i) farthest = std::max(farthest, length(a[k][i] - b[k][i]));
    return farthest;
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

Overrides passes(const char* backward)
{
    return {{"solver.backward_pass", backward}};
}

/// The true wave, the wave of the forward pass alone, and the wave with a pass from the tip.
struct Waves {
    Wave exact, forward, backward;
};

Result<Waves> waves(Lab& lab, const char* scene, uint64_t pictured)
{
    Result<Wave> exact = wave(lab, scene, {{"solver.type", "direct"}, {"sim.substeps", "16"}}, pictured),
                 forward = wave(lab, scene, passes("false"), pictured),
                 backward = wave(lab, scene, passes("true"), pictured);
    for (const Result<Wave>* one : {&exact, &forward, &backward})
        if (!*one) return Error{one->error()};
    return Waves{std::move(*exact), std::move(*forward), std::move(*backward)};
}

LabTable table_of_waves(const std::string& caption, const Waves& found)
{
    LabTable table = wave_table(caption);
    table.rows = {wave_row("true wave (direct, 16 substeps)", found.exact), wave_row("forward alone", found.forward),
                  wave_row("backward pass that only shortens", found.backward)};
    return table;
}

Picture row_of_waves(const Waves& found)
{
    return side_by_side({labelled(found.forward.picture, "forward alone"),
                         labelled(found.backward.picture, "backward first"), labelled(found.exact.picture, "true")},
                        3);
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

}  // namespace

Result<Finding> find_backward_pass(Lab& lab)
{
    const Result<Waves> bent = waves(lab, kBent, kSeen);
    if (!bent) return Error{bent.error()};
    const Result<Waves> struck = waves(lab, kStruck, 42);
    if (!struck) return Error{struck.error()};
    const Wave &exact = bent->exact, &forward = bent->forward, &backward = bent->backward;
    Finding finding;
    finding.holds = forward.arrival > 1.5 * exact.arrival && backward.arrival > 0 &&
                    std::abs(backward.arrival - exact.arrival) < 0.2 * exact.arrival &&
                    backward.amplitude > 2 * forward.amplitude && backward.amplitude < 1.2 * exact.amplitude &&
                    backward.energy < exact.energy + 1e-3;
    finding.measured = fmt::format(
        "When the bent end of a rope is released, the true wave reaches the middle after {:.0f} ms, the wave of the "
        "forward pass alone after {:.0f} ms and that with a backward pass after {:.0f} ms; the middle moves by {:.0f}, "
        "{:.0f} and {:.0f} mm. The benefit depends on the wave: when a ball strikes the end, {:.0f}, {:.0f} and {:.0f} "
        "ms, {:.0f}, {:.0f} and {:.0f} mm.",
        1e3 * exact.arrival, 1e3 * forward.arrival, 1e3 * backward.arrival, 1e3 * exact.amplitude,
        1e3 * forward.amplitude, 1e3 * backward.amplitude, 1e3 * struck->exact.arrival, 1e3 * struck->forward.arrival,
        1e3 * struck->backward.arrival, 1e3 * struck->exact.amplitude, 1e3 * struck->forward.amplitude,
        1e3 * struck->backward.amplitude);
    finding.numbers = {{"arrival_true_s", exact.arrival},        {"arrival_forward_s", forward.arrival},
                       {"arrival_backward_s", backward.arrival}, {"most_true_m", exact.amplitude},
                       {"most_forward_m", forward.amplitude},    {"most_backward_m", backward.amplitude}};
    finding.tables = {table_of_waves("The lowest six of 29 segments are bent by 60 degrees and released", *bent),
                      table_of_waves("A ball strikes the lower end", *struck)};
    Plot plot = plot_of_heights(exact);
    plot.lines.push_back({"forward alone", forward.height});
    plot.lines.push_back({"backward, then forward", backward.height});
    finding.figures.push_back(
        {"The first 0.14 s after the release of the bent end, every 0.02 s", row_of_waves(*bent)});
    finding.figures.push_back({"Height of the particles that have moved by a millimetre", {}, plot});
    finding.figures.push_back({"A ball strikes the end: the first 0.42 s, every 0.06 s", row_of_waves(*struck)});
    return finding;
}

Result<Finding> find_printed_passes(Lab& lab)
{
    const Result<Waves> bent = waves(lab, kBent, kSeen);
    if (!bent) return Error{bent.error()};
    const std::vector<Vec3d>& start = bent->forward.ropes[0];
    const double checked = max_distance(plain_wave(start, Pass::kForwardAlone).ropes, bent->forward.ropes);
    const double allowed = bent->exact.energy + 1e-3;
    Finding finding;
    LabTable table = wave_table("The lowest six of 29 segments are bent by 60 degrees and released");
    table.rows.push_back(wave_row("true wave (direct, 16 substeps)", bent->exact));
    Plot plot = plot_of_heights(bent->exact);
    // Whether a reading does what is claimed; whether the wave of the first dies out and that of the second gains
    // energy.
    bool better = false, dies_out = true, gains_energy = true;
    Wave both[2];  // at s = 0.9 and 1
    for (const double s : {0.9, 1.0}) {
        const Wave plain = plain_wave(start, Pass::kForwardAlone, s),
                   one = plain_wave(start, Pass::kTakesBackForward, s);
        both[s == 1] = plain_wave(start, Pass::kTakesBackBoth, s);
        const Wave& other = both[s == 1];
        for (const Wave* w : {&one, &other})
            better |=
                w->arrival > 0 && w->arrival < plain.arrival && w->amplitude > plain.amplitude && w->energy < allowed;
        dies_out &= one.arrival < 0 && one.amplitude < 0.1 * plain.amplitude;
        gains_energy &= other.energy > 3 * allowed;
        table.rows.push_back(wave_row(fmt::format("s = {}, forward alone", s), plain));
        table.rows.push_back(wave_row(fmt::format("s = {}, both passes, Eq. 9 for the forward one", s), one));
        table.rows.push_back(wave_row(fmt::format("s = {}, both passes, Eq. 9 for both", s), other));
        finding.numbers.emplace_back(fmt::format("most_forward_s{}_m", s), plain.amplitude);
        finding.numbers.emplace_back(fmt::format("most_takes_back_forward_s{}_m", s), one.amplitude);
        finding.numbers.emplace_back(fmt::format("most_takes_back_both_s{}_m", s), other.amplitude);
        finding.numbers.emplace_back(fmt::format("energy_takes_back_both_s{}_J", s), other.energy);
        if (s == 1) continue;
        plot.lines.push_back({"forward alone", plain.height});
        plot.lines.push_back({"both, Eq. 9 for the forward one", one.height});
        plot.lines.push_back({"both, Eq. 9 for both", other.height});
    }
    finding.holds = checked < 1e-4 && better;
    if (checked < 1e-4 && !better && dies_out && gains_energy)
        finding.reason =
            "a projection from the tip also pushes parents away from approaching children. If Eq. 9 takes back the "
            "correction of the forward pass, this destroys the wave; if it takes back that of both passes, the wave "
            "lives on energy that the method creates. A backward pass that only shortens stretched segments has the "
            "effect that the paper wants: mueller12/sec3_4.";
    finding.measured = fmt::format(
        "If Eq. 9 takes back the correction of the forward pass, the wave {}. If it takes back that of both passes, it "
        "reaches the middle {} at s = 0.9 and {} at 1, and the rope gains {:.0f} and {:.0f} mJ (the true wave shows "
        "{:.1f}), where {:.0f} were released. The engine does not offer these passes; a separate program of Eq. 1 to 9 "
        "does, which is within {:.1g} mm of the engine for the forward pass alone.",
        dies_out ? "never arrives" : "arrives", arrival_text(both[0]), arrival_text(both[1]), 1e3 * both[0].energy,
        1e3 * both[1].energy, 1e3 * bent->exact.energy, 1e3 * energy_over_hanging(start), 1e3 * checked);
    finding.numbers.emplace_back("plain_off_engine_m", checked);
    finding.tables.push_back(std::move(table));
    finding.figures.push_back({"s = 0.9: height of the particles that have moved by a millimetre", {}, plot});
    return finding;
}

}  // namespace tendril::app::mueller
