// [Sanchez15] 5: all combinations of the limits that the paper gives for its five coefficients.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "sanchez15.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace tendril::app::sanchez {
namespace {

/// A coefficient and its limits.
struct Coefficient {
    const char* name;
    float low, high;
    float& (*in)(WorldSettings& settings);
};
enum { kRepulsion, kViscosity, kLocalShape, kGlobalShape, kDamping, kCoefficients };
constexpr Coefficient kRanges[]{
    {"repulsion", 0, 0.5f, [](WorldSettings& w) -> float& { return w.interaction.sph.stiffness; }},
    {"viscosity", 0, 200, [](WorldSettings& w) -> float& { return w.interaction.sph.viscosity; }},
    {"s_l", 0, 0.3f, [](WorldSettings& w) -> float& { return w.shape.local; }},
    {"s_g", 0, 0.1f, [](WorldSettings& w) -> float& { return w.shape.global; }},
    {"s_d", 0.85f, 0.95f, [](WorldSettings& w) -> float& { return w.solver.dftl.velocity_correction; }}};
constexpr unsigned kCorners = 1U << kCoefficients;  // bit k: coefficient k is at its upper limit
constexpr int kPairs = kCorners / 2;                // pairs of corners that differ in one coefficient

bool is_high(unsigned corner, int coefficient)
{
    return (corner >> coefficient & 1U) != 0;
}

Overrides ranges_overrides(Lab& lab)
{
    return {{"groom.strands", fmt::format("{}", lab.size(200, 500))},
            {"interaction.method", "sph"},
            {"interaction.units", "paper"},
            {"interaction.form", "paper"},
            {"interaction.smoothing_length", "0.03"},
            {"shape.form", "paper"},
            {"shape.units", "paper"},
            {"shape.local", "0.3"},
            {"shape.global", "0.1"},
            {"sim.substeps", "1"},
            {"sim.settle", "0"},
            {"body.clip", "nod"},
            {"body.amplitude", "0.6"},
            {"body.period", "0.8"},
            {"render.azimuth", "2"},
            {"render.target", "[0, 0.13, -0.08]"},
            {"render.distance", "1.3"},
            {"render.width_scale", "18"}};
}

using Points = std::vector<std::vector<Vec3d>>;

Points points_of_all(const World& world)
{
    Points strands(world.groom({0}).strand_count());
    for (size_t s = 0; s < strands.size(); ++s) strands[s] = points_of(world, s);
    return strands;
}

using Cube = std::array<int, 3>;

Cube cube_of(const Vec3d& p, double side)
{
    const auto index = [side](double x) { return static_cast<int>(std::floor(x / side)); };
    return {index(p.x), index(p.y), index(p.z)};
}

size_t cubes_with_hair(const Points& strands)
{
    std::set<Cube> cubes;
    for (const auto& points : strands)
        for (const Vec3d& p : points) cubes.insert(cube_of(p, 0.02));
    return cubes.size();
}

/// Variance of the displacements of particles within cubes of 3 cm, the range of the interaction: how little
/// neighbouring hair moves together [m^2].
double relative_motion(const Points& before, const Points& now)
{
    struct Sum {
        Vec3d moved{0, 0, 0};
        double square = 0, count = 0;
    };
    std::map<Cube, Sum> cubes;
    for (size_t s = 0; s < now.size(); ++s)
        for (size_t i = 1; i < now[s].size(); ++i) {
            const Vec3d d = now[s][i] - before[s][i];
            Sum& sum = cubes[cube_of(now[s][i], 0.03)];
            sum.moved = sum.moved + d;
            sum.square += dot(d, d);
            sum.count += 1;
        }
    double variance = 0, count = 0;
    for (const auto& [cube, sum] : cubes) {
        variance += sum.square - dot(sum.moved, sum.moved) / sum.count;
        count += sum.count;
    }
    return variance / count;
}

struct Corner {
    double resting = 0;    // rms speed when settled [m/s]
    double cubes = 0;      // of 2 cm with hair, settled
    double relative = 0;   // rms speed relative to the surroundings, shaken [m/s]
    double off_style = 0;  // mean distance from the style, settled and shaken [m]
    double fastest = 0;    // shaken [m/s]
    double stretch = 0;
    size_t nonfinite = 0;
    Picture picture;
};

double mean_distance(const Points& a, const Points& b)
{
    double sum = 0, count = 0;
    for (size_t s = 0; s < a.size(); ++s)
        for (size_t i = 1; i < a[s].size(); ++i, ++count) sum += length(a[s][i] - b[s][i]);
    return sum / count;
}

void shake(World& world, Corner& out)
{
    constexpr int kShakes = 50;  // a period
    Points before = points_of_all(world);
    for (int i = 0; i < kShakes; ++i) {
        world.step();
        const Metrics m = world.measure();
        out.fastest = std::max(out.fastest, m.fastest);
        out.stretch = std::max(out.stretch, m.stretch_max);
        out.nonfinite += m.nonfinite;
        Points now = points_of_all(world);
        out.relative += relative_motion(before, now) / kShakes;
        before = std::move(now);
    }
    out.relative = std::sqrt(out.relative) / world.settings().dt;
    const Points now = points_of_all(world);
    world.reset();  // to its style, at the current pose of the head
    out.off_style = mean_distance(now, points_of_all(world));
}

/// Rms speed at the end of settling [m/s].
double resting_speed(LabRun& run)
{
    constexpr double kSettling = 3;  // [s]
    constexpr int kRestSteps = 20;
    World& world = run.world();
    world.settle(kSettling);
    double energy = 0;
    for (int i = 0; i < kRestSteps; ++i) {
        world.settle(world.settings().dt);
        energy += world.measure().kinetic / kRestSteps;
    }
    const double mass = run.scene().grooms[0].particle_mass * static_cast<double>(world.particle_count());
    return std::sqrt(2 * energy / mass);
}

Result<Corner> corner_of(LabRun& run, const std::vector<std::byte>& groomed, unsigned corner, bool draw)
{
    World& world = run.world();
    if (const Result<uint64_t> loaded = world.load(groomed); !loaded) return Error{loaded.error()};
    for (int k = 0; k < kCoefficients; ++k)
        kRanges[k].in(world.settings()) = is_high(corner, k) ? kRanges[k].high : kRanges[k].low;
    Corner out;
    out.resting = resting_speed(run);
    out.cubes = static_cast<double>(cubes_with_hair(points_of_all(world)));
    if (draw) {
        Result<Picture> picture = run.picture(300, 330);
        if (!picture) return Error{picture.error()};
        out.picture = std::move(*picture);
    }
    shake(world, out);
    return out;
}

/// The effect of a larger coefficient on a quantity, over all limits of the other coefficients.
struct Effect {
    double low = 0, high = 0;  // means over the sixteen corners at each limit
    int more = 0, less = 0;    // pairs of corners, differing only in this coefficient, where it increases or decreases
};

Effect effect_of(const std::vector<Corner>& corners, int coefficient, double Corner::*quantity)
{
    Effect effect;
    for (unsigned c = 0; c < kCorners; ++c) {
        if (is_high(c, coefficient)) continue;
        const double low = corners[c].*quantity, high = corners[c | 1U << coefficient].*quantity;
        effect.low += 2 * low / kCorners;
        effect.high += 2 * high / kCorners;
        ++(high > low ? effect.more : effect.less);
    }
    return effect;
}

/// The number of pairs without s_g in which s_l brings hair nearer to its style.
int nearer_without_global(const std::vector<Corner>& corners)
{
    int count = 0;
    for (unsigned c = 0; c < kCorners; ++c)
        if (!is_high(c, kLocalShape) && !is_high(c, kGlobalShape))
            count += corners[c | 1U << kLocalShape].off_style < corners[c].off_style ? 1 : 0;
    return count;
}

struct Effects {
    Effect volume, together, local, global, rest;  // of the five coefficients, in their order
    explicit Effects(const std::vector<Corner>& corners)
        : volume(effect_of(corners, kRepulsion, &Corner::cubes)),
          together(effect_of(corners, kViscosity, &Corner::relative)),
          local(effect_of(corners, kLocalShape, &Corner::off_style)),
          global(effect_of(corners, kGlobalShape, &Corner::off_style)),
          rest(effect_of(corners, kDamping, &Corner::resting))
    {
    }
    /// Whether all coefficients except s_l have the claimed effect in each pair.
    bool others_as_claimed() const { return volume.more == kPairs && together.less == kPairs && global.less == kPairs; }
};

/// Three significant digits, or all digits before the decimal point.
std::string figures_text(double value)
{
    return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

LabTable effects_table(const Effects& effects)
{
    LabTable table{
        "From the lower to the upper limit of each coefficient: means over the sixteen combinations of the limits of "
        "the others",
        {"coefficient", "from", "to", "quantity", "at the lower limit", "at the upper limit", "pairs with more",
         "with less"},
        {}};
    const struct {
        const char* what;
        const Effect& effect;
        double unit;
    } rows[]{{"cubes of 2 cm with hair, settled", effects.volume, 1},
             {"rms speed within cubes of 3 cm, head shaken [m/s]", effects.together, 1},
             {"distance from the style, head shaken [mm]", effects.local, 1e3},
             {"distance from the style, head shaken [mm]", effects.global, 1e3},
             {"rms speed after 3 s on a still head [mm/s]", effects.rest, 1e3}};
    for (int k = 0; k < kCoefficients; ++k)
        table.rows.push_back({kRanges[k].name, fmt::format("{}", kRanges[k].low), fmt::format("{}", kRanges[k].high),
                              rows[k].what, figures_text(rows[k].unit * rows[k].effect.low),
                              figures_text(rows[k].unit * rows[k].effect.high), fmt::format("{}", rows[k].effect.more),
                              fmt::format("{}", rows[k].effect.less)});
    return table;
}

LabTable corners_table(const std::vector<Corner>& corners)
{
    LabTable table{
        "mannequin_b with sim.substeps = 1, shape.form, shape.units, interaction.form and interaction.units = "
        "\"paper\", "
        "interaction.method = \"sph\", interaction.smoothing_length = 0.03, body.clip = \"nod\" by 0.6 rad in 0.8 s",
        {"repulsion", "viscosity", "s_l", "s_g", "s_d", "cubes", "at rest [mm/s]", "within cubes [m/s]",
         "distance from the style [mm]", "fastest, shaken [m/s]"},
        {}};
    for (unsigned c = 0; c < corners.size(); ++c) {
        std::vector<std::string> row;
        for (int k = 0; k < kCoefficients; ++k)
            row.push_back(fmt::format("{}", is_high(c, k) ? kRanges[k].high : kRanges[k].low));
        const Corner& one = corners[c];
        row.insert(row.end(), {fmt::format("{}", one.cubes), fmt::format("{:.1f}", 1e3 * one.resting),
                               fmt::format("{:.3f}", one.relative), fmt::format("{:.1f}", 1e3 * one.off_style),
                               fmt::format("{:.1f}", one.fastest)});
        table.rows.push_back(std::move(row));
    }
    return table;
}

constexpr double kAtRest = 0.05;  // [m/s]

/// The number of corners that do not come to rest; 0 if one of them is not of the known kind: slightly too fast, with
/// the strongest repulsion and the largest s_d.
size_t known_restless(const std::vector<Corner>& corners)
{
    size_t count = 0;
    for (unsigned c = 0; c < corners.size(); ++c) {
        if (corners[c].resting < kAtRest) continue;
        if (!is_high(c, kRepulsion) || !is_high(c, kDamping) || corners[c].resting > 4 * kAtRest) return 0;
        ++count;
    }
    return count;
}

void conclude_ranges(Finding& finding, const std::vector<Corner>& corners, const Effects& effects)
{
    const auto restless = std::max_element(corners.begin(), corners.end(),
                                           [](const Corner& a, const Corner& b) { return a.resting < b.resting; });
    double stretch = 0;
    size_t nonfinite = 0;
    for (const Corner& one : corners) {
        stretch = std::max(stretch, one.stretch);
        nonfinite += one.nonfinite;
    }
    const bool others = nonfinite == 0 && stretch < 1e-4 && effects.others_as_claimed();
    const bool rests = restless->resting < kAtRest;
    finding.holds = others && rests && effects.local.less == kPairs;
    finding.measured = fmt::format(
        "With repulsion, hair fills {:.1f} times as many cubes, more in {} of 16 pairs; viscosity reduces the motion "
        "within cubes by {:.0f} %, in {} pairs; s_g reduces the distance from the style from {:.0f} to {:.0f} mm, in "
        "{} pairs; s_l from {:.0f} to {:.0f} mm, in {}, {} of which are without s_g. On a still head, the fastest "
        "corner keeps {:.0f} mm/s. The fluid has none of the limits that keep our form stable.",
        effects.volume.high / effects.volume.low, effects.volume.more,
        100 * (1 - effects.together.high / effects.together.low), effects.together.less, 1e3 * effects.global.low,
        1e3 * effects.global.high, effects.global.less, 1e3 * effects.local.low, 1e3 * effects.local.high,
        effects.local.less, nearer_without_global(corners), 1e3 * restless->resting);
    const size_t count = known_restless(corners);
    if (others && nearer_without_global(corners) == kPairs / 2 && (rests || count > 0)) {
        finding.reason = "repulsion, viscosity and s_g have the claimed effect at all limits";
        if (effects.local.less < kPairs)
            finding.reason +=
                ", and s_l if s_g is 0. With s_g = 0.1, it moves hair away from the style again: Eq. 12 comes after "
                "Eq. 11 and moves hair to where the segment before it points";
        if (!rests)
            finding.reason += fmt::format(
                ". With a repulsion of 0.5 and s_d = 0.95, hair does not come to rest at {} of 8 corners and keeps up "
                "to {:.0f} mm/s (rms); at s_d = 0.85 it does everywhere",
                count, 1e3 * restless->resting);
    }
    finding.numbers = {{"volume_gain", effects.volume.high / effects.volume.low},
                       {"relative_motion_kept", effects.together.high / effects.together.low},
                       {"off_style_s_l", effects.local.high / effects.local.low},
                       {"off_style_s_g", effects.global.high / effects.global.low},
                       {"restless_m_s", restless->resting},
                       {"stretch", stretch}};
}

}  // namespace

Result<Finding> find_ranges(Lab& lab)
{
    Result<LabRun> run = lab.open("mannequin_b", ranges_overrides(lab));
    if (!run) return Error{run.error()};
    const std::vector<std::byte> groomed = run->world().save();
    const std::pair<unsigned, const char*> drawn[]{
        {0U, "neither"},
        {1U << kRepulsion, "repulsion 0.5"},
        {1U << kLocalShape | 1U << kGlobalShape, "s_l 0.3, s_g 0.1"},
        {1U << kRepulsion | 1U << kLocalShape | 1U << kGlobalShape, "repulsion and shape"}};
    std::vector<Corner> corners;
    std::vector<Picture> pictures;
    for (unsigned c = 0; c < kCorners; ++c) {
        const auto shown =
            std::find_if(std::begin(drawn), std::end(drawn), [c](const auto& d) { return d.first == c; });
        Result<Corner> one = corner_of(*run, groomed, c, shown != std::end(drawn));
        if (!one) return Error{one.error()};
        if (shown != std::end(drawn)) pictures.push_back(labelled(std::move(one->picture), shown->second));
        corners.push_back(std::move(*one));
    }
    Finding finding;
    const Effects effects(corners);
    conclude_ranges(finding, corners, effects);
    finding.figures.push_back({"Settled, at limits of the ranges: viscosity 0, s_d = 0.85", side_by_side(pictures, 2)});
    finding.tables.push_back(effects_table(effects));
    finding.tables.push_back(corners_table(corners));
    return finding;
}

}  // namespace tendril::app::sanchez
