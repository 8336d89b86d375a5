// [Sanchez15] Fig. 2: follow-the-leader with neither, one, and both of shape and hair against hair.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "sanchez15.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>

namespace tendril::app::sanchez {
namespace {

constexpr uint64_t kDownFrame = 168, kUpFrame = 246;  // the clip nods from 2.8 s to 4.1 s
constexpr double kVoxel = 0.01;                       // [m]

/// Places of all particles as the head sees them now. Its frame is that of three roots, which it carries.
std::vector<Vec3d> seen_by_head(const World& world)
{
    const size_t strands = world.groom({0}).strand_count();
    const auto root = [&](size_t s) { return world.position({0}, s, 0); };
    const auto unit = [](const Vec3d& v) { return v * (1 / length(v)); };
    const Vec3d origin = root(0);
    const Vec3d x = unit(root(strands / 3) - origin), z = unit(cross(x, root(2 * strands / 3) - origin)),
                y = cross(z, x);
    std::vector<Vec3d> places;
    for (size_t s = 0; s < strands; ++s)
        for (const Vec3d& point : points_of(world, s)) {
            const Vec3d p = point - origin;
            places.push_back({dot(p, x), dot(p, y), dot(p, z)});
        }
    return places;
}

size_t occupied_voxels(const std::vector<Vec3d>& places)
{
    std::set<std::array<int, 3>> voxels;
    const auto voxel = [](double x) { return static_cast<int>(std::floor(x / kVoxel)); };
    for (const Vec3d& p : places) voxels.insert({voxel(p.x), voxel(p.y), voxel(p.z)});
    return voxels.size();
}

double mean_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b)
{
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += length(a[i] - b[i]);
    return sum / static_cast<double>(a.size());
}

struct Look {
    size_t voxels = 0;     // that hold hair, settled
    double off_style = 0;  // mean distance from the style, settled [m]
    double off_nod = 0;    // the same during the nod [m]
    double mobility = 0;   // how far tips are, during the nod, from where the head would carry them: rms [m]
    double stretch = 0;
    Picture picture;  // settled
};

Overrides sizes(Lab& lab)
{
    return {{"groom.strands", fmt::format("{}", lab.size(1000, 5000))},
            {"render.width_scale", fmt::format("{}", lab.size(8, 4))}};
}

Result<Look> look_at(Lab& lab, const char* scene, const std::vector<Vec3d>& style)
{
    Result<LabRun> run = lab.open(scene, sizes(lab));
    if (!run) return Error{run.error()};
    World& world = run->world();
    Look look;
    Result<Picture> picture = run->picture(360, 330);
    if (!picture) return Error{picture.error()};
    look.picture = std::move(*picture);
    const std::vector<Vec3d> settled = seen_by_head(world);
    look.voxels = occupied_voxels(settled);
    look.off_style = mean_distance(settled, style);
    const Groom& groom = world.groom({0});
    double frames = 0;
    for (uint64_t frame = 1; frame <= kUpFrame; ++frame) {
        world.step();
        if (frame < kDownFrame) continue;
        const std::vector<Vec3d> now = seen_by_head(world);
        look.off_nod += mean_distance(now, style);
        double square = 0;
        for (size_t s = 0; s < groom.strand_count(); ++s) {
            const size_t tip = groom.first_points()[s + 1] - 1;
            square += dot(now[tip] - settled[tip], now[tip] - settled[tip]);
        }
        look.mobility += square / static_cast<double>(groom.strand_count());
        ++frames;
    }
    look.stretch = world.measure().stretch_max;
    look.off_nod /= frames;
    look.mobility = std::sqrt(look.mobility / frames);
    return look;
}

}  // namespace

Result<Finding> find_four_variants(Lab& lab)
{
    Overrides unmoved = sizes(lab);
    unmoved.emplace_back("sim.settle", "0");
    Result<LabRun> groomed = lab.open("fig2_plain", unmoved);
    if (!groomed) return Error{groomed.error()};
    const std::vector<Vec3d> style = seen_by_head(groomed->world());

    const struct {
        const char *name, *scene;
    } variants[]{{"a: neither", "fig2_plain"},
                 {"b: hair against hair", "fig2_volume"},
                 {"c: shape", "fig2_shape"},
                 {"d: both", "fig2_both"}};
    Finding finding;
    LabTable table{"Settled, and while the head nods",
                   {"variant", "cubes of 1 cm with hair", "off the style [mm]", "off the style, nodding [mm]",
                    "tips move by [mm]"},
                   {}};
    std::vector<Look> looks;
    std::vector<Picture> pictures;
    double stretch = 0;
    for (const auto& variant : variants) {
        Result<Look> look = look_at(lab, variant.scene, style);
        if (!look) return Error{look.error()};
        table.rows.push_back({variant.name, fmt::format("{}", look->voxels),
                              fmt::format("{:.1f}", 1e3 * look->off_style), fmt::format("{:.1f}", 1e3 * look->off_nod),
                              fmt::format("{:.1f}", 1e3 * look->mobility)});
        finding.numbers.emplace_back(fmt::format("{}_voxels", variant.scene), static_cast<double>(look->voxels));
        finding.numbers.emplace_back(fmt::format("{}_off_style_m", variant.scene), look->off_style);
        finding.numbers.emplace_back(fmt::format("{}_mobility_m", variant.scene), look->mobility);
        pictures.push_back(labelled(look->picture, variant.name));
        stretch = std::max(stretch, look->stretch);
        looks.push_back(std::move(*look));
    }
    const Look &plain = looks[0], &volume = looks[1], &shape = looks[2], &both = looks[3];
    bool kept = true;
    for (const Look* with : {&shape, &both})
        for (const Look* without : {&plain, &volume})
            kept &= with->off_style < without->off_style && with->off_nod < without->off_nod;
    const bool fuller = std::min({volume.voxels, shape.voxels, both.voxels}) > plain.voxels;
    finding.holds = kept && fuller && shape.mobility < both.mobility && stretch < 1e-4;
    finding.measured = fmt::format(
        "Hair fills {} cubes of 1 cm by itself, {} with hair against hair, {} with shape and {} with both. Off the "
        "style "
        "by {:.0f}, {:.0f}, {:.0f} and {:.0f} mm. In the nod tips swing by {:.0f} mm with shape alone and by {:.0f} mm "
        "with both.",
        plain.voxels, volume.voxels, shape.voxels, both.voxels, 1e3 * plain.off_style, 1e3 * volume.off_style,
        1e3 * shape.off_style, 1e3 * both.off_style, 1e3 * shape.mobility, 1e3 * both.mobility);
    finding.figures.push_back({"One and the same style, settled", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::sanchez
