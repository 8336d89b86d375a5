// [Mueller12] section 4: whole characters, Fig. 6, 8 and 9, and the cost of their stages, Table 1.
#include "lab_pictures.h"
#include "mueller12.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app::mueller {
namespace {

constexpr double kMilli = 1e3;

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

/// The equations of the solver and of the grid as printed, with a friction of 6 per second as a share per step.
const Overrides kPrintedScene{
    {"solver.form", "paper"}, {"interaction.form", "paper"}, {"interaction.s_friction", "0.095"}};

/// The furry monster with the paper's means of keeping volume: limited bends and repulsion, but no shape.
Result<LabRun> monster(Lab& lab, Overrides settings)
{
    settings = joined(settings, {{"render.exposure", "0.4"},
                                 {"render.zoom", "1.08"},
                                 {"shape.local", "0"},
                                 {"shape.global", "0"},
                                 {"solver.bend_limit", "0.95"},
                                 {"contact.layer", "0"},
                                 {"sim.substeps", "2"},
                                 {"sim.settle", fmt::format("{}", lab.size(0.7, 2.0))}});
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
    double solve, density, distance;
};
constexpr Printed kTable1[]{{"Monster", "monster", 80.2, 57.2, 47.9},
                            {"Afghan", "afghan", 14.8, 11.2, 33.2},
                            {"Girl", "girl", 20.0, 27.0, 40.0}};

/// Time of a frame by the stages of that table [ms].
struct Stages {
    double solve = 0, density = 0, distance = 0;  // distance includes collisions
    double roots = 0;

    double all() const { return solve + density + distance + roots; }
    const char* most_expensive() const
    {
        if (distance > std::max(solve, density)) return "distance field";
        return solve > density ? "solve" : "density";
    }
};

/// The fastest time of each stage, which other programs disturb least.
class FastestStages {
public:
    void add(const StepReport& step)
    {
        const auto& s = step.seconds;
        solve = std::min(solve, kMilli * s.solve);
        density = std::min(density, kMilli * s.interaction);
        field = std::min(field, kMilli * s.body);
        roots = std::min(roots, kMilli * s.roots);
    }
    double solve = 1e9, density = 1e9, field = 1e9, roots = 1e9;  // [ms]
};

/// On one thread; steps with and without collisions alternate.
Result<Stages> stages_of(Lab& lab, const char* scene)
{
    const Overrides settings{{"sim.substeps", "1"}, {"sim.settle", "0"}};
    Overrides no_collisions = settings;
    no_collisions.emplace_back("body.collide", "none");
    Result<LabRun> run = lab.open(scene, settings, 1), free = lab.open(scene, no_collisions, 1);
    if (!run) return Error{run.error()};
    if (!free) return Error{free.error()};
    FastestStages with, without;
    const int warm_up = 5, steps = lab.size(15, 60);
    for (int i = 0; i < warm_up + steps; ++i) {
        const StepReport one = run->world().step(), other = free->world().step();
        if (i < warm_up) continue;
        with.add(one);
        without.add(other);
    }
    const double solve = std::min(with.solve, without.solve);
    return Stages{solve, with.density, with.field + with.solve - solve, with.roots};
}

std::vector<std::string> stages_row(const std::string& name, const std::string& whose, const Stages& stages)
{
    const auto cell = [&](double ms) {
        return fmt::format("{:.1f} ({:.0f} %)", ms, 100 * ms / (stages.solve + stages.density + stages.distance));
    };
    return {name,
            whose,
            cell(stages.solve),
            cell(stages.density),
            cell(stages.distance),
            stages.most_expensive(),
            fmt::format("{:.1f}", stages.all())};
}

}  // namespace

Result<Finding> find_head(Lab& lab)
{
    Finding finding;
    LabTable table{"A step of 1/60 s on one thread: median processor time",
                   {"form", "strands", "particles", "time of a step [ms]", "per particle [ns]"},
                   {}};
    double seconds[2]{}, per_particle[2][3]{}, stretch[2]{};  // printed, ours
    const int sizes[]{1000, 10000, 100000};
    std::vector<Picture> pictures;
    for (const size_t form : {0u, 1u}) {
        const Overrides& equations = form == 0 ? kPrinted : kOurs;
        for (size_t k = 0; k < std::size(sizes); ++k) {
            Result<LabRun> run =
                lab.open("head_10k", joined({{"groom.strands", fmt::format("{}", sizes[k])}}, equations), 1);
            if (!run) return Error{run.error()};
            const double step = lab.processor_seconds(*run, lab.size(15, 60));
            per_particle[form][k] = step / static_cast<double>(run->world().particle_count());
            if (k == 1) seconds[form] = step;
            table.rows.push_back({form == 0 ? "printed" : "ours", fmt::format("{}", sizes[k]),
                                  fmt::format("{}", run->world().particle_count()),
                                  fmt::format("{:.2f}", kMilli * step),
                                  fmt::format("{:.1f}", 1e9 * per_particle[form][k])});
        }
        Result<LabRun> run = lab.open("head_10k", joined({{"render.hair", "red"},
                                                          {"render.camera", "orbit"},
                                                          {"render.exposure", "0.2"},
                                                          {"render.target", "[0, -0.07, 0]"},
                                                          {"render.distance", "1.3"},
                                                          {"render.elevation", "0.25"}},
                                                         equations));
        if (!run) return Error{run.error()};
        constexpr uint64_t kShown[]{12, 16, 22, 30, 60, 75};  // the hair starts upright and falls
        const Series series = run->simulate(lab.size(75, 300), [&](World& world) {
            if (form != 0 || std::find(std::begin(kShown), std::end(kShown), world.steps()) == std::end(kShown)) return;
            if (Result<Picture> picture = run->picture(300, 300))
                pictures.push_back(labelled(std::move(*picture), fmt::format("{:.2f} s", world.time())));
        });
        for (const Sample& sample : series.samples()) stretch[form] = std::max(stretch[form], sample.stretch_max);
    }
    const auto as_claimed = [&](size_t form) {
        return seconds[form] < 0.1 && stretch[form] < 1e-4 && per_particle[form][2] < 3 * per_particle[form][1];
    };
    judge(finding, as_claimed(0), as_claimed(1), "a kernel that works on edges");
    const auto sentence = [&](size_t form) {
        return fmt::format(
            "{:.1f} ms per step on one thread, {:.0f} steps per second; a particle costs {:.1f} ns, or "
            "{:.1f} ns with 100,000 strands; the largest stretch is {:.1e}",
            kMilli * seconds[form], 1 / seconds[form], 1e9 * per_particle[form][1], 1e9 * per_particle[form][2],
            stretch[form]);
    };
    finding.measured =
        fmt::format("10,000 strands of 30 particles. As printed: {}. With ours: {}.", sentence(0), sentence(1));
    finding.numbers = {{"step_s_printed", seconds[0]},
                       {"step_s_ours", seconds[1]},
                       {"ns_per_particle_10k_printed", 1e9 * per_particle[0][1]},
                       {"ns_per_particle_100k_printed", 1e9 * per_particle[0][2]},
                       {"ns_per_particle_10k_ours", 1e9 * per_particle[1][1]},
                       {"ns_per_particle_100k_ours", 1e9 * per_particle[1][2]},
                       {"stretch_printed", stretch[0]},
                       {"stretch_ours", stretch[1]}};
    finding.figures.push_back({"10,000 x 30 on a head that turns and nods, as printed", side_by_side(pictures, 3)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_afghan(Lab& lab)
{
    struct Walk {
        double stretch = 0, deepest = 0, fastest = 0;
        size_t fibres = 0, particles = 0;
        bool as_claimed() const { return stretch < 1e-4 && deepest < 2e-3 && fibres == 6600 && particles == 47000; }
    } found[2];  // printed, ours
    std::vector<Picture> pictures;
    for (const size_t form : {0u, 1u}) {
        Result<LabRun> run = lab.open("afghan", joined({{"sim.settle", fmt::format("{}", lab.size(0.5, 2.0))},
                                                        {"sim.substeps", fmt::format("{}", lab.size(2, 4))}},
                                                       form == 0 ? kPrintedScene : kOurs));
        if (!run) return Error{run.error()};
        const Series series = run->simulate(lab.size(30, 240), [&](World& world) {
            if (world.steps() != 30) return;
            if (Result<Picture> picture = run->picture(420, 300))
                pictures.push_back(labelled(std::move(*picture), form == 0 ? "printed" : "ours"));
        });
        Walk& walk = found[form];
        for (const Sample& sample : series.samples()) {
            walk.stretch = std::max(walk.stretch, sample.stretch_max);
            walk.deepest = std::max(walk.deepest, sample.penetration);
            walk.fastest = std::max(walk.fastest, sample.fastest);
        }
        walk.fibres = run->world().strand_count();
        walk.particles = run->world().particle_count();
    }
    Finding finding;
    judge(finding, found[0].as_claimed(), found[1].as_claimed(), "Eq. 9 takes back tension alone");
    const auto sentence = [](const Walk& walk) {
        return fmt::format(
            "largest stretch {:.1e}, deepest particle {:.2f} mm inside the skin while the fur moves at up "
            "to {:.1f} m/s",
            walk.stretch, kMilli * walk.deepest, walk.fastest);
    };
    finding.measured =
        fmt::format("{} fibres with {} particles, with {} substeps. As printed: {}. With ours: {}.", found[0].fibres,
                    found[0].particles, lab.size(2, 4), sentence(found[0]), sentence(found[1]));
    finding.numbers = {{"stretch_printed", found[0].stretch},     {"deepest_printed_m", found[0].deepest},
                       {"fastest_printed_m_s", found[0].fastest}, {"stretch_ours", found[1].stretch},
                       {"deepest_ours_m", found[1].deepest},      {"fastest_ours_m_s", found[1].fastest}};
    finding.figures.push_back({"A moment of a walk", side_by_side(pictures, 2)});
    return finding;
}

Result<Finding> find_monster(Lab& lab)
{
    Finding finding;
    LabTable table{"Mean distance of the fur from the skin of the walking monster",
                   {"form", "repulsion [m/s^2]", "thickness [mm]"},
                   {}};
    std::vector<Picture> pictures;
    constexpr double kRepulsion = 10, kDt = 1.0 / 60;
    // As printed with and without repulsion, and with the sign turned; ours with and without.
    const struct Fur {
        const char* name;
        bool printed;
        double repulsion;
    } furs[]{{"printed", true, 0},
             {"printed", true, kRepulsion},
             {"printed with a minus", true, -kRepulsion},
             {"ours", false, 0},
             {"ours", false, kRepulsion}};
    std::vector<double> found;
    size_t fibres = 0, particles = 0;
    for (const Fur& fur : furs) {
        // s_repulsion / dt is the change of velocity in a step.
        const Overrides printed =
            joined(kPrintedScene, {{"interaction.s_repulsion", fmt::format("{:.6g}", fur.repulsion * kDt * kDt)}});
        Result<LabRun> run = monster(
            lab, fur.printed ? printed : Overrides{{"interaction.repulsion", fmt::format("{}", fur.repulsion)}});
        if (!run) return Error{run.error()};
        const int steps = lab.size(20, 120);
        for (int i = 0; i < steps; ++i) run->world().step();
        found.push_back(thickness(run->world()));
        fibres = run->world().strand_count();
        particles = run->world().particle_count();
        table.rows.push_back(
            {fur.name, fmt::format("{}", std::abs(fur.repulsion)), fmt::format("{:.1f}", kMilli * found.back())});
        finding.numbers.emplace_back(fmt::format("thickness_m {} {}", fur.name, std::abs(fur.repulsion)), found.back());
        Result<Picture> picture = run->picture(420, 300);
        if (!picture) return Error{picture.error()};
        pictures.push_back(labelled(std::move(*picture), fmt::format("{}, {}: {:.1f} mm", fur.name,
                                                                     std::abs(fur.repulsion), kMilli * found.back())));
    }
    const bool as_many = !lab.full() || (fibres == 29000 && particles == 247000);
    judge(finding, as_many && found[1] > 1.1 * found[0], as_many && found[4] > 1.1 * found[3],
          "repulsion acts against the gradient, as an acceleration, and only in crowds");
    finding.measured = fmt::format(
        "{} fibres with {} particles, with limited bends (0.95) and without the scene's shape. Thickness of the fur "
        "without repulsion and with the scene's 10 m/s^2, or as much per step: {:.1f} and {:.1f} mm as printed, {:.1f} "
        "mm with the sign of Eq. 14 turned; {:.1f} and {:.1f} mm with ours.",
        fibres, particles, kMilli * found[0], kMilli * found[1], kMilli * found[2], kMilli * found[3],
        kMilli * found[4]);
    finding.figures.push_back({"The furry monster without and with repulsion", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_times(Lab& lab)
{
    Finding finding;
    LabTable table{
        "Time of a frame [ms], one thread, one substep as in the paper, without rendering; ours is the fastest of "
        "several. Collisions are the additional time of a solve with them. Girl: the paper does not give its size; "
        "ours has 10,000 x 30 particles",
        {"scene", "", "solve", "density", "distance field and collisions", "most expensive", "simulation"},
        {}};
    size_t alike = 0, by_field = 0;
    std::string comparison;
    // Ratios to the printed time: all stages, the solve, the field with collisions.
    double slowest = 0, slowest_solve = 0, min_field = 1e9, max_field = 0;
    for (const Printed& printed : kTable1) {
        const Result<Stages> ours = stages_of(lab, printed.scene);
        if (!ours) return Error{ours.error()};
        const Stages theirs{printed.solve, printed.density, printed.distance, 0};
        table.rows.push_back(stages_row(printed.name, "paper", theirs));
        table.rows.push_back(stages_row("", "here", *ours));
        alike += std::string(theirs.most_expensive()) == ours->most_expensive();
        by_field += ours->distance > 4 * ours->solve && ours->distance > ours->density;
        comparison += fmt::format("{}{}: {} in the paper, {} here", comparison.empty() ? "" : "; ", printed.name,
                                  theirs.most_expensive(), ours->most_expensive());
        slowest = std::max(slowest, ours->all() / theirs.all());
        slowest_solve = std::max(slowest_solve, ours->solve / theirs.solve);
        min_field = std::min(min_field, ours->distance / theirs.distance);
        max_field = std::max(max_field, ours->distance / theirs.distance);
        finding.numbers.emplace_back(fmt::format("{}_ratio", printed.name), ours->all() / theirs.all());
        for (const auto& [name, value] : {std::pair{"solve", ours->solve}, std::pair{"density", ours->density},
                                          std::pair{"distance", ours->distance}})
            finding.numbers.emplace_back(fmt::format("{}_{}_ms", printed.name, name), value);
    }
    finding.holds = alike == std::size(kTable1);
    if (!finding.holds && by_field == std::size(kTable1))
        finding.reason = fmt::format(
            "here, the distance field and collisions are the most expensive stage of every scene: the solve without "
            "them takes at most {:.2f} times the printed time, and they take {:.1f} to {:.1f} times. Section 3.5 of "
            "the paper also says that they become the bottleneck.",
            slowest_solve, min_field, max_field);
    finding.measured = fmt::format(
        "The most expensive stage: {}. For comparison, on a different processor: the three scenes take at most {:.2f} "
        "times the printed time.",
        comparison, slowest);
    finding.tables.push_back(std::move(table));
    Result<LabRun> girl =
        lab.open("girl", {{"sim.settle", fmt::format("{}", lab.size(1.0, 4.0))}, {"render.azimuth", "2.2"}});
    if (!girl) return Error{girl.error()};
    Result<Picture> picture = girl->picture(480, 360);
    if (!picture) return Error{picture.error()};
    finding.figures.push_back(
        {"The scene girl: 10,000 x 30 with friction, repulsion and a distance field", std::move(*picture)});
    return finding;
}

}  // namespace tendril::app::mueller
