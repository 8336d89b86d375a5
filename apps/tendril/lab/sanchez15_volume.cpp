// [Sanchez15] 3.2 and 5: hair as a fluid, over the ranges of its coefficients that the paper gives.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "sanchez15.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tendril::app::sanchez {
namespace {

Overrides fluid(Lab& lab, double repulsion, double viscosity)
{
    return {{"groom.strands", fmt::format("{}", lab.size(300, 500))},
            {"interaction.method", "sph"},
            {"interaction.units", "paper"},
            {"interaction.stiffness", fmt::format("{}", repulsion)},
            {"interaction.viscosity", fmt::format("{}", viscosity)},
            {"sim.substeps", "1"}};
}

/// Cubes of 1 cm that hold particles.
size_t occupied_voxels(const World& world)
{
    std::set<std::array<int, 3>> voxels;
    for (size_t s = 0; s < world.groom({0}).strand_count(); ++s)
        for (const Vec3d& p : points_of(world, s)) {
            const auto voxel = [](double x) { return static_cast<int>(std::floor(x / 0.01)); };
            voxels.insert({voxel(p.x), voxel(p.y), voxel(p.z)});
        }
    return voxels.size();
}

struct Settled {
    double fastest = 0, mean = 0, stretch = 0;  // mean: rms [m/s]
    size_t nonfinite = 0, voxels = 0;
    Picture picture;
};

/// On a head that stands still, after 2 s.
Result<Settled> settle(Lab& lab, double repulsion, double viscosity, bool draw)
{
    Overrides settings = fluid(lab, repulsion, viscosity);
    settings.insert(settings.end(), {{"body.clip", "still"}, {"sim.settle", "1.6"}});
    Result<LabRun> run = lab.open("mannequin_b", settings);
    if (!run) return Error{run.error()};
    Settled out;
    constexpr int kSettledSteps = 25;
    const double mass = run->scene().grooms[0].particle_mass * static_cast<double>(run->world().particle_count());
    for (int i = 0; i < kSettledSteps; ++i) {
        run->world().step();
        const Metrics m = run->world().measure();
        out.fastest = std::max(out.fastest, m.fastest);
        out.stretch = std::max(out.stretch, m.stretch_max);
        out.nonfinite += m.nonfinite;
        out.mean += 2 * m.kinetic / mass / kSettledSteps;
    }
    out.mean = std::sqrt(out.mean);
    out.voxels = occupied_voxels(run->world());
    if (!draw) return out;
    Result<Picture> picture = run->picture(300, 330);
    if (!picture) return Error{picture.error()};
    out.picture = std::move(*picture);
    return out;
}

/// The largest speed while the head is shaken, and whether all went well.
struct Shaken {
    double fastest = 0;
    bool sound = true;
};

Result<Shaken> shake(Lab& lab, double repulsion, double viscosity)
{
    Overrides settings = fluid(lab, repulsion, viscosity);
    settings.insert(settings.end(),
                    {{"body.clip", "nod"}, {"body.amplitude", "0.6"}, {"body.period", "0.8"}, {"sim.settle", "0.5"}});
    Result<LabRun> run = lab.open("mannequin_b", settings);
    if (!run) return Error{run.error()};
    Shaken out;
    for (int i = 0; i < 75; ++i) {
        run->world().step();
        const Metrics m = run->world().measure();
        out.fastest = std::max(out.fastest, m.fastest);
        out.sound &= m.nonfinite == 0 && m.stretch_max < 1e-4;
    }
    return out;
}

}  // namespace

Result<Finding> find_ranges(Lab& lab)
{
    const double repulsions[]{0, 0.1, 0.5}, viscosities[]{0, 20, 200};
    Finding finding;
    LabTable table{
        "Still head, 2 s: rms and largest speed [mm/s], and cubes of 1 cm that hold hair; then the largest "
        "speed while the head shakes [m/s]",
        {"repulsion", "viscosity", "rms", "largest", "cubes", "shaken"},
        {}};
    std::vector<Picture> pictures;
    double mean = 0, fastest = 0, stretch = 0, calm = 0, wild = 0;
    size_t least = 0, most = 0;
    bool sound = true;
    for (const double repulsion : repulsions)
        for (const double viscosity : viscosities) {
            const bool draw = viscosity == 20;
            Result<Settled> one = settle(lab, repulsion, viscosity, draw);
            if (!one) return Error{one.error()};
            mean = std::max(mean, one->mean);
            fastest = std::max(fastest, one->fastest);
            stretch = std::max(stretch, one->stretch);
            sound &= one->nonfinite == 0;
            std::string shaken = "";
            if (!draw && repulsion != 0.1) {
                const Result<Shaken> moving = shake(lab, repulsion, viscosity);
                if (!moving) return Error{moving.error()};
                sound &= moving->sound;
                (repulsion == 0 && viscosity == 0 ? calm : wild) =
                    std::max(repulsion == 0 && viscosity == 0 ? calm : wild, moving->fastest);
                shaken = fmt::format("{:.2f}", moving->fastest);
            }
            table.rows.push_back({fmt::format("{}", repulsion), fmt::format("{}", viscosity),
                                  fmt::format("{:.2g}", 1e3 * one->mean), fmt::format("{:.2g}", 1e3 * one->fastest),
                                  fmt::format("{}", one->voxels), shaken});
            if (!draw) continue;
            if (repulsion == 0) least = one->voxels;
            if (repulsion == 0.5) most = one->voxels;
            pictures.push_back(labelled(std::move(one->picture), fmt::format("repulsion {}", repulsion)));
        }
    finding.holds = sound && stretch < 1e-4 && mean < 0.05 && fastest < 1 &&
                    wild<2 * calm&& static_cast<double>(most)> 1.2 * static_cast<double>(least);
    finding.measured = fmt::format(
        "With steps of 0.016 s nothing is lost or stretched over the whole range. On a still head hair comes to {:.0f} "
        "mm/s (rms) at most, its fastest particle to {:.2f} m/s; shaken, {:.1f} m/s at most at the corners of the "
        "range "
        "and {:.1f} without. It fills {} cubes of 1 cm at repulsion 0 and {} at 0.5.",
        1e3 * mean, fastest, wild, calm, least, most);
    finding.numbers = {{"rms_m_s", mean},
                       {"fastest_m_s", fastest},
                       {"shaken_m_s", wild},
                       {"shaken_without_m_s", calm},
                       {"cubes_0", static_cast<double>(least)},
                       {"cubes_0.5", static_cast<double>(most)}};
    finding.figures.push_back({"The same hair at viscosity 20", side_by_side(pictures, 3)});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::sanchez
