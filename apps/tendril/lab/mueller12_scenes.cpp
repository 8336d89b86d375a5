// [Mueller12] section 4: whole characters, Fig. 6, 8 and 9, and what their stages cost, Table 1.
#include "lab_pictures.h"
#include "mueller12.h"
#include "stopwatch.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril::app::mueller {
namespace {

constexpr double kMilli = 1e3;

double total(const StageSeconds& s)
{
    return s.roots + s.body + s.interaction + s.solve;
}

/// Mean distance of all particles from the skin [m].
double thickness(World& world)
{
    double sum = 0;
    size_t count = 0;
    for (uint32_t g = 0; g < world.groom_count(); ++g)
        for (const float d : world.clearances({g})) {
            sum += static_cast<double>(d);
            ++count;
        }
    return sum / static_cast<double>(std::max<size_t>(count, 1));
}

/// The furry monster with what the paper had to keep its volume: bends that are limited, and repulsion, but no shape.
Result<LabRun> monster(Lab& lab, double repulsion)
{
    Overrides settings{{"interaction.repulsion", fmt::format("{}", repulsion)},
                       {"shape.local", "0"},
                       {"shape.global", "0"},
                       {"solver.bend_limit", "0.95"},
                       {"contact.layer", "0"},
                       {"sim.substeps", "2"},
                       {"sim.settle", fmt::format("{}", lab.size(0.7, 2.0))}};
    if (!lab.full()) {
        settings.emplace_back("groom.0.strands", "3750");
        settings.emplace_back("groom.1.strands", "3500");
    }
    return lab.open("monster", settings);
}

/// A row of the paper's table, in milliseconds on one core of a Core i7 at 3.1 GHz.
struct Printed {
    const char* name;
    const char* scene;
    double all, solve, density, distance, rendering;
};
constexpr Printed kPrinted[]{{"Monster", "monster", 435.3, 80.2, 57.2, 47.9, 250.0},
                             {"Afghan", "afghan", 89.2, 14.8, 11.2, 33.2, 30.0},
                             {"Girl", "girl", 227.0, 20.0, 27.0, 40.0, 140.0}};

}  // namespace

Result<Finding> find_head(Lab& lab)
{
    Finding finding;
    LabTable table{"A step of 1/60 s on one thread: processor time, the median",
                   {"strands", "particles", "time of a step [ms]", "per particle [ns]"},
                   {}};
    double seconds = 0, per_particle[3]{};
    const int sizes[]{1000, 10000, 100000};
    for (size_t k = 0; k < std::size(sizes); ++k) {
        Result<LabRun> run = lab.open("head_10k", {{"groom.strands", fmt::format("{}", sizes[k])}}, 1);
        if (!run) return Error{run.error()};
        const double step = lab.processor_seconds(*run, lab.size(15, 60));
        per_particle[k] = step / static_cast<double>(run->world().particle_count());
        if (k == 1) seconds = step;
        table.rows.push_back({fmt::format("{}", sizes[k]), fmt::format("{}", run->world().particle_count()),
                              fmt::format("{:.2f}", kMilli * step), fmt::format("{:.1f}", 1e9 * per_particle[k])});
    }
    Result<LabRun> run = lab.open("head_10k");
    if (!run) return Error{run.error()};
    double stretch = 0;
    std::vector<Picture> pictures;
    const Series series = run->simulate(lab.size(75, 300), [&](World& world) {
        if (world.steps() != 45 && world.steps() != 75) return;
        if (Result<Picture> picture = run->picture(360, 300)) pictures.push_back(std::move(*picture));
    });
    for (const Sample& sample : series.samples()) stretch = std::max(stretch, sample.stretch_max);
    finding.holds = seconds < 0.1 && stretch < 1e-4 && per_particle[2] < 3 * per_particle[1];
    finding.measured = fmt::format(
        "10,000 strands of 30 particles take {:.1f} ms a step on one thread: {:.0f} steps a second. A particle costs "
        "{:.1f} ns, of 100,000 strands {:.1f} ns. Largest stretch {:.1e}.",
        kMilli * seconds, 1 / seconds, 1e9 * per_particle[1], 1e9 * per_particle[2], stretch);
    finding.numbers = {{"step_s", seconds},
                       {"ns_per_particle_10k", 1e9 * per_particle[1]},
                       {"ns_per_particle_100k", 1e9 * per_particle[2]},
                       {"stretch", stretch}};
    finding.figures.push_back({"10,000 x 30 on a head that turns and nods", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_afghan(Lab& lab)
{
    Result<LabRun> run = lab.open("afghan", {{"sim.settle", fmt::format("{}", lab.size(0.5, 2.0))},
                                             {"sim.substeps", fmt::format("{}", lab.size(2, 4))}});
    if (!run) return Error{run.error()};
    double stretch = 0, deepest = 0, fastest = 0;
    std::vector<Picture> pictures;
    const Series series = run->simulate(lab.size(30, 240), [&](World& world) {
        if (world.steps() != 10 && world.steps() != 30) return;
        if (Result<Picture> picture = run->picture(420, 300)) pictures.push_back(std::move(*picture));
    });
    for (const Sample& sample : series.samples()) {
        stretch = std::max(stretch, sample.stretch_max);
        deepest = std::max(deepest, sample.penetration);
        fastest = std::max(fastest, sample.fastest);
    }
    Finding finding;
    finding.holds = stretch < 1e-4 && deepest < 2e-3 && run->world().particle_count() >= 47000;
    finding.measured = fmt::format(
        "{} fibres of {} particles in all: largest stretch {:.1e}, deepest particle {:.2f} mm inside of the skin while "
        "the fur moves at up to {:.1f} m/s.",
        run->world().strand_count(), run->world().particle_count(), stretch, kMilli * deepest, fastest);
    finding.numbers = {{"stretch", stretch}, {"deepest_m", deepest}};
    finding.figures.push_back({"Two moments of a walk", side_by_side(pictures, 2)});
    return finding;
}

Result<Finding> find_monster(Lab& lab)
{
    Finding finding;
    LabTable table{"Mean distance of the fur from the skin, as it walks", {"repulsion [m/s^2]", "thickness [mm]"}, {}};
    std::vector<Picture> pictures;
    double found[2]{};
    size_t fibres = 0;
    for (const int k : {0, 1}) {
        const double repulsion = k == 0 ? 0 : 20;
        Result<LabRun> run = monster(lab, repulsion);
        if (!run) return Error{run.error()};
        const int steps = lab.size(20, 120);
        for (int i = 0; i < steps; ++i) run->world().step();
        found[k] = thickness(run->world());
        fibres = run->world().strand_count();
        table.rows.push_back({fmt::format("{}", repulsion), fmt::format("{:.1f}", kMilli * found[k])});
        Result<Picture> picture = run->picture(420, 300);
        if (!picture) return Error{picture.error()};
        pictures.push_back(labelled(std::move(*picture), k == 0 ? "without repulsion" : "with repulsion"));
    }
    finding.holds = found[1] > 1.1 * found[0];
    finding.measured = fmt::format(
        "{} fibres with limited bends (0.95) and without the shape that the scene has: the fur is {:.1f} mm thick "
        "without repulsion and {:.1f} mm with it.",
        fibres, kMilli * found[0], kMilli * found[1]);
    finding.numbers = {{"thickness_without_m", found[0]}, {"thickness_with_m", found[1]}};
    finding.figures.push_back({"The furry monster without and with repulsion", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_times(Lab& lab)
{
    Finding finding;
    LabTable table{
        "A frame in ms, one thread, one substep as in the paper; ours is the least disturbed of several. Ours handles "
        "collisions in the solve, the paper with "
        "the distance field; Girl: the paper does not give its size, ours has 10,000 x 30 particles. Pictures: theirs "
        "by a graphics card, ours by the processor, with set-up",
        {"scene", "", "simulation", "solve", "density", "distance field", "roots", "picture"},
        {}};
    double worst = 0;
    for (const Printed& printed : kPrinted) {
        Result<LabRun> run = lab.open(printed.scene, {{"sim.substeps", "1"}, {"sim.settle", "0"}}, 1);
        if (!run) return Error{run.error()};
        const StageSeconds ours = lab.quietest_step(*run, lab.size(11, 60), 8);
        const Stopwatch watch;
        Result<Picture> picture = run->picture(960, 540);
        const double drawing = watch.seconds();
        if (!picture) return Error{picture.error()};
        const auto ms = [](double seconds) { return fmt::format("{:.1f}", kMilli * seconds); };
        const double theirs = printed.all - printed.rendering;
        table.rows.push_back({printed.name, "paper", fmt::format("{:.1f}", theirs), fmt::format("{}", printed.solve),
                              fmt::format("{}", printed.density), fmt::format("{}", printed.distance), "",
                              fmt::format("{}", printed.rendering)});
        table.rows.push_back({"", "here", ms(total(ours)), ms(ours.solve), ms(ours.interaction), ms(ours.body),
                              ms(ours.roots), ms(drawing)});
        worst = std::max(worst, kMilli * total(ours) / theirs);
        finding.numbers.emplace_back(fmt::format("{}_ratio", printed.name), kMilli * total(ours) / theirs);
    }
    finding.holds = worst < 3;
    finding.measured = fmt::format(
        "The slowest of three scenes takes {:.2f} times the printed time of its simulation, on another processor.",
        worst);
    finding.tables.push_back(std::move(table));
    Result<LabRun> girl = lab.open("girl", {{"sim.settle", fmt::format("{}", lab.size(1.0, 4.0))}});
    if (!girl) return Error{girl.error()};
    Result<Picture> picture = girl->picture(480, 360);
    if (!picture) return Error{picture.error()};
    finding.figures.push_back(
        {"The scene `girl`: 10,000 x 30 with friction, repulsion and a distance field", std::move(*picture)});
    return finding;
}

}  // namespace tendril::app::mueller
