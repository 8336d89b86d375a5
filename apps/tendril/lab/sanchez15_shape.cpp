// [Sanchez15] Eq. 8-14 as printed: what s_d does to the energy of hair with a shape, and how long strands oscillate.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "sanchez15.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app::sanchez {
namespace {

constexpr const char* kScene = "papers/sanchez15_ball";
constexpr double kMass = 1e-6;  // of a particle, where the scene does not say

double rms_speed(double kinetic, size_t particles)
{
    return std::sqrt(2 * kinetic / (kMass * static_cast<double>(particles)));
}

/// Hair that falls from its rest pose. Kinetic and potential energy can only become less, into the shape: what they
/// gain has been made.
struct Fall {
    Series series;
    double drop = 0;                     // largest loss of potential energy [J]
    double gained = 0;                   // the most above the start, in drops
    double first_second = 0, fifth = 0;  // rms speed [m/s]
};

Result<Fall> fall(Lab& lab, double s)
{
    Result<LabRun> run = lab.open(kScene, {{"groom.style", "wavy"},
                                           {"groom.particles", "24"},
                                           {"groom.length", "0.3"},
                                           {"shape.local", "0.05"},
                                           {"shape.global", "0"},
                                           {"solver.velocity_correction", fmt::format("{}", s)}});
    if (!run) return Error{run.error()};
    constexpr size_t kSecond = 62;  // steps
    Fall out;
    out.series = run->simulate(5 * kSecond);
    const auto& samples = out.series.samples();
    double early = 0, late = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
        out.drop = std::max(out.drop, samples[0].potential - samples[i].potential);
        out.gained = std::max(out.gained, samples[i].energy() - samples[0].energy());
        if (i <= kSecond) early += samples[i].kinetic / kSecond;
        if (i > 4 * kSecond) late += samples[i].kinetic / kSecond;
    }
    out.gained /= out.drop;
    out.first_second = rms_speed(early, run->world().particle_count());
    out.fifth = rms_speed(late, run->world().particle_count());
    return out;
}

/// Curls of so many segments of 1 cm: what still moves in the last second and a half, where all should be at rest.
struct Rest {
    double speed = 0;           // rms of all [m/s]
    std::vector<double> along;  // rms by place along the strand [m/s]
    double stretch = 0;
    Picture picture;
};

constexpr int kSteps = 300, kMeasured = 94;

Result<Rest> rest(Lab& lab, int particles, const char* form, double fade, bool draw)
{
    Result<LabRun> run = lab.open(kScene, {{"groom.particles", fmt::format("{}", particles)},
                                           {"groom.length", fmt::format("{}", 0.01 * (particles - 1))},
                                           {"groom.strands", fmt::format("{}", lab.size(48, 480))},
                                           {"shape.form", form},
                                           {"shape.fade", fmt::format("{}", fade)}});
    if (!run) return Error{run.error()};
    World& world = run->world();
    const size_t strands = world.groom({0}).strand_count(), places = static_cast<size_t>(particles);
    Rest out;
    out.along.assign(places, 0.0);
    std::vector<std::vector<Vec3d>> before(strands);
    for (int i = 0; i < kSteps; ++i) {
        world.step();
        if (i < kSteps - kMeasured - 1) continue;
        for (size_t s = 0; s < strands; ++s) {
            std::vector<Vec3d> now = points_of(world, s);
            for (size_t k = 0; k < places && !before[s].empty(); ++k)
                out.along[k] += dot(now[k] - before[s][k], now[k] - before[s][k]);
            before[s] = std::move(now);
        }
    }
    const double dt = world.settings().dt;
    for (double& square : out.along) {
        square /= static_cast<double>(kMeasured * strands) * dt * dt;
        out.speed += square / static_cast<double>(places);
        square = std::sqrt(square);
    }
    out.speed = std::sqrt(out.speed);
    out.stretch = world.measure().stretch_max;
    if (!draw) return out;
    Result<Picture> picture = run->picture(320, 320);
    if (!picture) return Error{picture.error()};
    out.picture = std::move(*picture);
    return out;
}

}  // namespace

Result<Finding> find_energy(Lab& lab)
{
    Finding finding;
    LabTable table{"Waves with s_l = 0.05 that fall from their rest pose, one step of 0.016 s",
                   {"s_d", "energy gained [drops]", "rms speed of the first second [m/s]", "of the fifth [mm/s]"},
                   {}};
    Plot plot;
    plot.title = "Kinetic and potential energy, over that of the start";
    plot.x_label = "time [s]";
    plot.y_label = "drops";
    std::vector<Fall> falls;
    for (const double s : {0.0, 0.5, 0.8, 0.9, 1.0}) {
        Result<Fall> one = fall(lab, s);
        if (!one) return Error{one.error()};
        table.rows.push_back({fmt::format("{}", s), fmt::format("{:.3f}", one->gained),
                              fmt::format("{:.2f}", one->first_second), fmt::format("{:.2g}", 1e3 * one->fifth)});
        finding.numbers.emplace_back(fmt::format("gained_s{}", s), one->gained);
        finding.numbers.emplace_back(fmt::format("first_second_m_s_s{}", s), one->first_second);
        if (s >= 0.5) {
            PlotLine line{fmt::format("s_d = {}", s), {}};
            const auto& samples = one->series.samples();
            for (size_t i = 0; i < samples.size() && samples[i].time <= 2; ++i)
                line.values.push_back((samples[i].energy() - samples[0].energy()) / one->drop);
            plot.x = times_of(one->series);
            plot.x.resize(line.values.size());
            plot.lines.push_back(std::move(line));
        }
        falls.push_back(std::move(*one));
    }
    bool slower = true;
    for (size_t k = 1; k < falls.size(); ++k) slower &= falls[k].first_second < falls[k - 1].first_second;
    const Fall &none = falls[0], &half = falls[1], &usual = falls[3], &whole = falls[4];
    finding.holds = slower && none.gained > 2 && usual.gained < 0.05 && whole.gained < 0.01 &&
                    half.fifth < 0.01 * half.first_second && usual.fifth < 0.01 * usual.first_second;
    finding.measured = fmt::format(
        "Gained: {:.1f} drops at s_d = 0, {:.2f} at 0.5, {:.3f} at 0.9, {:.3f} at 1. Hair moves at {:.2f} m/s in the "
        "first second at 0.9 and at {:.2f} at 1; in the fifth nothing moves any more, from 0.5 on: what s_d below 1 "
        "adds "
        "is energy made in the fall, and no damping is spared.",
        none.gained, half.gained, usual.gained, whole.gained, usual.first_second, whole.first_second);
    finding.figures.push_back({"What the paper left to be studied: energy against s_d", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_oscillation(Lab& lab)
{
    const struct {
        const char *name, *form;
        double fade;
    } variants[]{
        {"as printed", "paper", 0}, {"as printed, faded to the tip", "paper", 1}, {"stable form", "stable", 0}};
    const int sizes[]{20, 40, 60};
    Finding finding;
    LabTable table{"Curls that should be at rest: rms speed 3 to 5 s after their start [mm/s]",
                   {"s_l = 0.3, s_g = 0.1", "20 particles", "40 particles", "60 particles"},
                   {}};
    Plot plot;
    plot.title = "Speed along strands of 60 particles";
    plot.x_label = "distance from the root [m]";
    plot.y_label = "mm/s";
    std::vector<Picture> pictures;
    double speed[3][3]{}, inner = 0, outer = 0, stretch = 0;
    for (size_t v = 0; v < std::size(variants); ++v) {
        std::vector<std::string> row{variants[v].name};
        for (size_t k = 0; k < std::size(sizes); ++k) {
            const bool longest = sizes[k] == 60;
            Result<Rest> one = rest(lab, sizes[k], variants[v].form, variants[v].fade, longest);
            if (!one) return Error{one.error()};
            speed[v][k] = one->speed;
            stretch = std::max(stretch, one->stretch);
            row.push_back(fmt::format("{:.3g}", 1e3 * one->speed));
            finding.numbers.emplace_back(fmt::format("{} {}", variants[v].name, sizes[k]), one->speed);
            if (!longest) continue;
            if (v == 0) {
                inner = *std::max_element(one->along.begin(), one->along.begin() + 20);
                outer = *std::max_element(one->along.begin() + 40, one->along.end());
            }
            PlotLine line{variants[v].name, one->along};
            for (double& value : line.values) value *= 1e3;
            plot.lines.push_back(std::move(line));
            pictures.push_back(labelled(std::move(one->picture), variants[v].name));
        }
        table.rows.push_back(std::move(row));
    }
    for (int i = 0; i < 60; ++i) plot.x.push_back(0.01 * i);
    const auto& [printed, faded, stable] = speed;
    finding.holds = printed[2] > 5 * printed[0] && printed[2] > 0.02 && outer > inner && faded[1] < 0.5 * printed[1] &&
                    faded[2] < 0.5 * printed[2] && stable[2] < 0.02 * printed[2] && stretch < 1e-4;
    finding.measured = fmt::format(
        "As printed, curls of 20 particles rest ({:.2g} mm/s) and those of 60 flutter for ever at {:.0f} mm/s, {:.1f} "
        "times as fast in their outer third as in the inner. Faded to the tip: {:.0f} mm/s, and {:.2g} instead of "
        "{:.0f} "
        "at 40 particles. So fading is a relief rather than a cure; the form that is the default here rests at {:.2g} "
        "mm/s without it.",
        1e3 * printed[0], 1e3 * printed[2], outer / inner, 1e3 * faded[2], 1e3 * faded[1], 1e3 * printed[1],
        1e3 * stable[2]);
    finding.figures.push_back({"After 4.8 s, coloured by speed: blue rests", side_by_side(pictures, 3)});
    finding.figures.push_back({"Down the chain it adds up", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::sanchez
