// [Sanchez15] Fig. 2: follow-the-leader with neither, one or both of shape and interaction.
#include "both_forms.h"
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

constexpr double kDown = 2.8, kUp = 4.1;  // the clip nods [s]
constexpr double kVoxel = 0.01;           // [m]

/// The positions of all particles in the frame of the head, which three roots define.
std::vector<Vec3d> in_head_frame(const World& world)
{
    const size_t strands = world.groom({0}).strand_count();
    const auto root = [&](size_t s) { return world.position({{0}, s, 0}); };
    const auto unit = [](const Vec3d& v) { return v * (1 / length(v)); };
    const Vec3d origin = root(0);
    const Vec3d x = unit(root(strands / 3) - origin), z = unit(cross(x, root(2 * strands / 3) - origin)),
                y = cross(z, x);
    std::vector<Vec3d> positions;
    for (size_t s = 0; s < strands; ++s)
        for (const Vec3d& point : points_of(world, s)) {
            const Vec3d p = point - origin;
            positions.push_back({dot(p, x), dot(p, y), dot(p, z)});
        }
    return positions;
}

size_t occupied_voxels(const std::vector<Vec3d>& positions)
{
    std::set<std::array<int, 3>> voxels;
    const auto voxel = [](double x) { return static_cast<int>(std::floor(x / kVoxel)); };
    for (const Vec3d& p : positions) voxels.insert({voxel(p.x), voxel(p.y), voxel(p.z)});
    return voxels.size();
}

double mean_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b)
{
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += length(a[i] - b[i]);
    return sum / static_cast<double>(a.size());
}

struct Look {
    size_t voxels = 0;     // with hair, settled
    double off_style = 0;  // mean distance from the style, settled [m]
    double off_nod = 0;    // the same during the nod [m]
    double mobility = 0;   // rms displacement of the tips relative to the head during the nod [m]
    double stretch = 0;
    Picture picture;  // settled
};

Overrides figure2_overrides(Lab& lab, const Overrides& more)
{
    Overrides settings{{"groom.strands", fmt::format("{}", lab.size(700, 5000))},
                       {"render.width_scale", fmt::format("{}", lab.size(13, 5))},
                       {"render.azimuth", "2"}};  // the face is not of interest
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

struct Variant {
    const char *name, *scene;
    Overrides settings;
};

/// The four variants of the figure, with the paper's interaction instead of the grid of the scene files; and a
/// control that separates the effects of a soft shape and of interaction.
const Variant kFigure2[]{{"a: neither", "fig2_plain", {}},
                         {"b: interaction", "fig2_volume", {{"interaction.method", "sph"}}},
                         {"c: shape", "fig2_shape", {}},
                         {"d: both, with a soft shape", "fig2_both", {{"interaction.method", "sph"}}},
                         {"control: the soft shape of d alone", "fig2_both", {{"interaction.method", "none"}}}};
enum : size_t { kNeither, kVolume, kStiff, kWith, kSoft };

/// The shape of the variants as printed. The paper gives no coefficients for its figure.
constexpr Coefficients kNone{"0", "0"}, kSoftShape{"0.05", "0.01"};
constexpr Coefficients kFigure2Shapes[]{kNone, kNone, kStrong, kSoftShape, kSoftShape};

Variant in_form(size_t k, const LabForm& form)
{
    Variant variant = kFigure2[k];
    if (!form.printed()) return variant;
    const Overrides printed = printed_overrides(kFigure2Shapes[k]);
    variant.settings.insert(variant.settings.end(), printed.begin(), printed.end());
    return variant;
}

Result<Look> look_at(Lab& lab, const Variant& variant, const std::vector<Vec3d>& style)
{
    Result<LabRun> run = lab.open(variant.scene, figure2_overrides(lab, variant.settings));
    if (!run) return Error{run.error()};
    World& world = run->world();
    Look look;
    Result<Picture> picture = run->picture(360, 330);
    if (!picture) return Error{picture.error()};
    look.picture = std::move(*picture);
    const std::vector<Vec3d> settled = in_head_frame(world);
    look.voxels = occupied_voxels(settled);
    look.off_style = mean_distance(settled, style);
    const Groom& groom = world.groom({0});
    double frames = 0;
    while (world.time() < kUp - 1e-9) {
        world.step();
        if (world.time() < kDown - 1e-9) continue;
        const std::vector<Vec3d> now = in_head_frame(world);
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

/// The statements of the paper about its figure, each tested with variants that differ in the respective property.
bool figure2_as_claimed(const std::vector<Look>& looks)
{
    const Look &plain = looks[kNeither], &volume = looks[kVolume], &stiff = looks[kStiff], &both = looks[kWith],
               &soft = looks[kSoft];
    const bool volume_but_no_style = volume.voxels > plain.voxels && volume.off_style > 0.5 * plain.off_style;
    const bool shape_but_stiff =
        stiff.voxels > plain.voxels && stiff.off_style < 0.5 * plain.off_style && stiff.mobility < 0.5 * plain.mobility;
    const bool soft_loses_volume = soft.voxels < stiff.voxels && both.voxels > soft.voxels;
    const bool both_keep = both.voxels > plain.voxels && both.off_style < 0.5 * plain.off_style &&
                           both.off_nod < 0.5 * plain.off_nod && both.mobility > 1.5 * stiff.mobility;
    return volume_but_no_style && shape_but_stiff && soft_loses_volume && both_keep;
}

}  // namespace

Result<Finding> find_four_variants(Lab& lab)
{
    Result<LabRun> groomed = lab.open("fig2_plain", figure2_overrides(lab, {{"sim.settle", "0"}}));
    if (!groomed) return Error{groomed.error()};
    const std::vector<Vec3d> style = in_head_frame(groomed->world());
    Finding finding;
    LabTable table{"Settled, and while the head nods",
                   {"variant", "form", "cubes of 1 cm with hair", "distance from the style [mm]",
                    "distance from the style, nodding [mm]", "motion of the tips [mm]"},
                   {}};
    bool fits[2]{};
    std::string texts[2];
    for (size_t f = 0; f < std::size(kLabForms); ++f) {
        const LabForm& form = kLabForms[f];
        std::vector<Look> looks;
        std::vector<Picture> pictures;
        double stretch = 0;
        for (size_t k = 0; k < std::size(kFigure2); ++k) {
            const Variant variant = in_form(k, form);
            Result<Look> look = look_at(lab, variant, style);
            if (!look) return Error{look.error()};
            table.rows.push_back(
                {variant.name, form.name, fmt::format("{}", look->voxels), fmt::format("{:.1f}", 1e3 * look->off_style),
                 fmt::format("{:.1f}", 1e3 * look->off_nod), fmt::format("{:.1f}", 1e3 * look->mobility)});
            const std::string name = fmt::format("{}_{}", form.value, k == kSoft ? "fig2_soft" : variant.scene);
            finding.numbers.emplace_back(name + "_voxels", static_cast<double>(look->voxels));
            finding.numbers.emplace_back(name + "_off_style_m", look->off_style);
            finding.numbers.emplace_back(name + "_mobility_m", look->mobility);
            if (k != kSoft) pictures.push_back(labelled(look->picture, variant.name));
            stretch = std::max(stretch, look->stretch);
            looks.push_back(std::move(*look));
        }
        fits[f] = figure2_as_claimed(looks) && stretch < 1e-4;
        const auto list = [&](const char* format, double unit, auto quantity) {
            std::string out;
            for (size_t k = 0; k < looks.size(); ++k)
                out += fmt::format("{}{}",
                                   k == 0                 ? ""
                                   : k + 1 < looks.size() ? ", "
                                                          : " and ",
                                   fmt::format(fmt::runtime(format), unit * static_cast<double>(looks[k].*quantity)));
            return out;
        };
        texts[f] = fmt::format("{} cubes of 1 cm, {} mm from the style, tips move by {} mm during the nod",
                               list("{:.0f}", 1, &Look::voxels), list("{:.0f}", 1e3, &Look::off_style),
                               list("{:.0f}", 1e3, &Look::mobility));
        finding.figures.push_back({fmt::format("The same style, settled, {}", form.name), side_by_side(pictures, 2)});
    }
    judge(finding, fits[0], fits[1], "the stable form of the shape, and a fluid whose forces are limited for the step");
    finding.measured = fmt::format(
        "With neither, interaction, a stiff shape, a soft shape with interaction, and the soft shape alone. As "
        "printed: "
        "{}. With our form: {}.",
        texts[0], texts[1]);
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::sanchez
