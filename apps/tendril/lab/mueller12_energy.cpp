// [Mueller12] 3.2 and 3.3, Fig. 1, 4 and 5: a rope that is let go level, with and without the correction of velocities.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "mueller12.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app::mueller {
namespace {

constexpr const char* kScene = "papers/mueller12_fig4";
constexpr size_t kSteps = 500;  // 5 s
constexpr size_t kFirstSecond = 100;

/// Energies are seen from the start, in units of the energy of the drop: from level to hanging. Swings are distances of
/// the tip from where it hangs.
struct Fall {
    Series series;
    double gained = 0;                     // the most above the start
    double early_kinetic = 0;              // mean over the first second
    double first_swing = 0;                // to the other side, in the first second [m]
    double late_swing = 0;                 // in the fifth second [m]
    std::vector<std::vector<Vec3d>> path;  // the first second
    Picture strobe;                        // the first 0.6 s
};

Result<Fall> fall(Lab& lab, const Overrides& overrides, bool pictures)
{
    Result<LabRun> run = lab.open(kScene, overrides);
    if (!run) return Error{run.error()};
    Fall out;
    Strobe strobe;
    out.series = run->simulate(kSteps, [&](World& world) {
        const Vec3d tip = tip_of(world);
        if (world.steps() <= kFirstSecond) {
            out.path.push_back(points_of(world));
            out.first_swing = std::max(out.first_swing, -tip.x);
        }
        if (world.time() > 4) out.late_swing = std::max(out.late_swing, std::abs(tip.x));
        if (!pictures || world.steps() > 60 || world.steps() % 4 != 0) return;
        if (const Result<Picture> picture = run->picture(280, 210)) strobe.add(*picture);
    });
    out.strobe = strobe.picture();
    const SceneGroom& groom = run->scene().grooms[0];
    const double drop = static_cast<double>(groom.particles) * groom.particle_mass * 10 * groom.length / 2;
    const auto& samples = out.series.samples();
    for (const Sample& sample : samples) {
        out.gained = std::max(out.gained, (sample.energy() - samples[0].energy()) / drop);
        if (sample.time <= 1) out.early_kinetic += sample.kinetic / drop / kFirstSecond;
    }
    return out;
}

Overrides corrected(double s, int substeps = 1)
{
    return {{"solver.velocity_correction", fmt::format("{}", s)}, {"sim.substeps", fmt::format("{}", substeps)}};
}

/// Of all particles that both have, over all times [m].
struct Apart {
    double mean = 0, most = 0;
};

Apart apart(const Fall& a, const Fall& b)
{
    Apart out;
    size_t count = 0;
    for (size_t t = 0; t < std::min(a.path.size(), b.path.size()); ++t)
        for (size_t i = 0; i < std::min(a.path[t].size(), b.path[t].size()); ++i) {
            const double d = length(a.path[t][i] - b.path[t][i]);
            out.mean += d;
            out.most = std::max(out.most, d);
            ++count;
        }
    out.mean /= static_cast<double>(std::max<size_t>(count, 1));
    return out;
}

}  // namespace

Result<Finding> find_uneven_masses(Lab& lab)
{
    const Overrides equal{{"solver.type", "direct"}, {"sim.substeps", "16"}};
    const Overrides shorter{{"groom.particles", "10"}, {"groom.length", "0.18"}};
    const struct {
        const char* name;
        Overrides settings;
    } variants[]{{"s = 0: projection alone", corrected(0)},
                 {"s = 0.9", corrected(0.9)},
                 {"s = 1", corrected(1)},
                 {"equal masses (direct)", equal}};
    Result<Fall> exact = fall(lab, equal, false);
    if (!exact) return Error{exact.error()};
    Finding finding;
    LabTable table{
        "The first second of the fall",
        {"rope", "its first ten particles notice the other twenty by [mm]", "mean distance from equal masses [mm]"},
        {}};
    std::vector<Picture> pictures;
    double felt[4]{}, off[4]{};
    for (size_t k = 0; k < std::size(variants); ++k) {
        const Result<Fall> whole = fall(lab, variants[k].settings, true);
        if (!whole) return Error{whole.error()};
        Overrides part = variants[k].settings;
        part.insert(part.end(), shorter.begin(), shorter.end());
        const Result<Fall> head = fall(lab, part, false);
        if (!head) return Error{head.error()};
        felt[k] = apart(*whole, *head).most;
        off[k] = apart(*whole, *exact).mean;
        table.rows.push_back(
            {variants[k].name, fmt::format("{:.3g}", 1e3 * felt[k]), fmt::format("{:.3g}", 1e3 * off[k])});
        pictures.push_back(labelled(whole->strobe, variants[k].name));
    }
    finding.holds =
        felt[0] < 1e-5 && felt[1] > 0.01 && felt[2] > 0.01 && felt[3] > 0.01 && off[1] < off[0] && off[2] < off[0];
    finding.measured = fmt::format(
        "Without correction the first ten particles move within {:.2g} mm as if the other twenty were not there; with "
        "s = 1 they notice them by {:.0f} mm, with equal masses by {:.0f} mm. Mean distance from the rope of equal "
        "masses: {:.0f} mm at s = 0, {:.0f} at 0.9, {:.0f} at 1.",
        1e3 * felt[0], 1e3 * felt[2], 1e3 * felt[3], 1e3 * off[0], 1e3 * off[1], 1e3 * off[2]);
    finding.numbers = {{"felt_s0", felt[0]}, {"felt_s1", felt[2]}, {"felt_direct", felt[3]},
                       {"off_s0", off[0]},   {"off_s0.9", off[1]}, {"off_s1", off[2]}};
    finding.figures.push_back({"The first 0.6 s, every 0.04 s", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_energy(Lab& lab)
{
    Finding finding;
    LabTable table{"Energy that the rope gains over its start in 5 s, in units of its drop",
                   {"s", "1 substep", "2 substeps", "8 substeps"},
                   {}};
    Plot plot;
    plot.title = "Total energy, one substep";
    plot.x_label = "time [s]";
    plot.y_label = "J";
    double plain[3]{};  // at 0, 0.9 and 1
    double most_at_one = 0;
    for (const double s : {0.0, 0.5, 0.8, 0.9, 0.95, 1.0}) {
        std::vector<std::string> row{fmt::format("{}", s)};
        for (const int substeps : {1, 2, 8}) {
            const Result<Fall> one = fall(lab, corrected(s, substeps), false);
            if (!one) return Error{one.error()};
            row.push_back(fmt::format("{:.3f}", one->gained));
            finding.numbers.emplace_back(fmt::format("gained_s{}_substeps{}", s, substeps), one->gained);
            if (s == 1) most_at_one = std::max(most_at_one, one->gained);
            if (substeps > 1) continue;
            if (s == 0) plain[0] = one->gained;
            if (s == 0.9) plain[1] = one->gained;
            if (s == 1) plain[2] = one->gained;
            if (s < 0.8) continue;  // far off the scale
            plot.x = times_of(one->series);
            plot.lines.push_back(
                line_of(fmt::format("s = {}", s), one->series, [](const Sample& sample) { return sample.energy(); }));
        }
        table.rows.push_back(std::move(row));
    }
    finding.holds = plain[0] > 5 && plain[1] < 0.3 && most_at_one < 0.05;
    finding.measured = fmt::format(
        "Gained with one substep: {:.1f} drops at s = 0, {:.2f} at 0.9, {:.3f} at 1; at 1 with any substeps at most "
        "{:.3f}.",
        plain[0], plain[1], plain[2], most_at_one);
    finding.figures.push_back({"Energy over time: s below 1 makes some before it is lost", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_damping(Lab& lab)
{
    Finding finding;
    LabTable table{
        "Mean kinetic energy of the first second in units of the drop / swing in the fifth second in % of the "
        "first swing",
        {"s", "1 substep", "2 substeps", "8 substeps"},
        {}};
    Plot plot;
    plot.title = "What is left of the swing after 4 s";
    plot.x_label = "s";
    plot.y_label = "% of the first swing";
    plot.lines = {{"1 substep", {}}, {"2 substeps", {}}, {"8 substeps", {}}};
    const int substeps[]{1, 2, 8};
    double kinetic[2]{}, first[2]{}, left_one = 0, left_eight = 0;  // at 0.9 and 1; at 1
    std::vector<Picture> pictures;
    for (const double s : {0.8, 0.9, 0.95, 1.0}) {
        std::vector<std::string> row{fmt::format("{}", s)};
        plot.x.push_back(s);
        for (size_t k = 0; k < std::size(substeps); ++k) {
            const bool shown = s >= 0.9 && s != 0.95 && k != 1;
            const Result<Fall> one = fall(lab, corrected(s, substeps[k]), shown);
            if (!one) return Error{one.error()};
            const double left = one->late_swing / one->first_swing;
            row.push_back(fmt::format("{:.3f} / {:.0f} %", one->early_kinetic, 100 * left));
            plot.lines[k].values.push_back(100 * left);
            finding.numbers.emplace_back(fmt::format("kinetic_s{}_substeps{}", s, substeps[k]), one->early_kinetic);
            finding.numbers.emplace_back(fmt::format("left_s{}_substeps{}", s, substeps[k]), left);
            if (k == 0 && (s == 0.9 || s == 1)) {
                kinetic[s == 1] = one->early_kinetic;
                first[s == 1] = one->first_swing;
            }
            if (k == 0 && s == 1) left_one = left;
            if (k == 2 && s == 1) left_eight = left;
            if (shown)
                pictures.push_back(labelled(
                    one->strobe, fmt::format("s = {}, {} substep{}", s, substeps[k], substeps[k] == 1 ? "" : "s")));
        }
        table.rows.push_back(std::move(row));
    }
    finding.holds = kinetic[0] > kinetic[1] && first[0] > first[1] && left_one < 0.1 && left_eight > 0.5;
    finding.measured = fmt::format(
        "First swing to the other side: {:.0f} mm at s = 0.9, {:.0f} mm at 1; mean kinetic energy of the first second "
        "{:.3f} and {:.3f} of the drop. But that is energy made, not kept: after 4 s either has lost its swing ({:.0f} "
        "% "
        "left at s = 1). Eight substeps keep {:.0f} %.",
        1e3 * first[0], 1e3 * first[1], kinetic[0], kinetic[1], 100 * left_one, 100 * left_eight);
    finding.figures.push_back({"The first 0.6 s, every 0.04 s", side_by_side(pictures, 2)});
    finding.figures.push_back({"Substeps take the damping away, s hardly does", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::mueller
