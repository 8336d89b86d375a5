// [Mueller12] 3.6 and 3.7: interaction between strands, and contact with a moving body.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "mueller12.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app::mueller {
namespace {

/// Root mean square displacement of the tips of two combs over the second half [m].
struct Combs {
    double driven = 0, resting = 0;
    Picture picture;
};

Result<Combs> combs(Lab& lab, double friction)
{
    Result<LabRun> run = lab.open("papers/mueller12_eq13", {{"interaction.friction", fmt::format("{}", friction)}});
    if (!run) return Error{run.error()};
    Combs out;
    double* sums[]{&out.driven, &out.resting};
    run->simulate(360, [&](World& world) {
        if (world.steps() <= 180) return;
        for (uint32_t g = 0; g < 2; ++g) {
            const size_t strands = world.groom({g}).strand_count();
            for (size_t s = 0; s < strands; ++s) {
                const double x = tip_of(world, s, {g}).x;
                *sums[g] += x * x / static_cast<double>(180 * strands);
            }
        }
        if (world.steps() == 343)
            if (Result<Picture> picture = run->picture(240, 320)) out.picture = std::move(*picture);
    });
    for (double* sum : sums) *sum = std::sqrt(*sum);
    return out;
}

/// Mean horizontal distance of the tips from their centre [m].
double girth(const World& world)
{
    const size_t strands = world.groom({0}).strand_count();
    Vec3d middle{0, 0, 0};
    for (size_t s = 0; s < strands; ++s) middle += tip_of(world, s) * (1.0 / static_cast<double>(strands));
    double sum = 0;
    for (size_t s = 0; s < strands; ++s) {
        const Vec3d d = tip_of(world, s) - middle;
        sum += std::hypot(d.x, d.z);
    }
    return sum / static_cast<double>(strands);
}

/// Hair on a fast-turning head.
struct Turn {
    double deepest = 0, stretch = 0, fastest_skin = 0;
    double touching = 0;  // largest share of particles within 2 mm of the skin
    std::vector<double> time, depth, speed;
    std::vector<Picture> pictures;
};

double fastest_of(const std::vector<Vec3f>& before, const std::vector<Vec3f>& now, double dt)
{
    float farthest = 0;
    for (size_t i = 0; i < std::min(before.size(), now.size()); ++i)
        farthest = std::max(farthest, length(now[i] - before[i]));
    return static_cast<double>(farthest) / dt;
}

Result<Turn> turn(Lab& lab, const char* method)
{
    Result<LabRun> run = lab.open("head_turn", {{"body.collide", method},
                                                {"groom.strands", lab.size("4000", "10000")},
                                                {"groom.guides", lab.size("0.15", "1")},  // 600 are simulated
                                                {"sim.settle", fmt::format("{}", lab.size(1.5, 4.0))},
                                                {"render.width_scale", lab.size("6", "3.8")},
                                                {"render.azimuth", "1.9"}});
    if (!run) return Error{run.error()};
    Turn out;
    std::vector<Vec3f> skin;
    constexpr uint64_t kShown[]{48, 54, 60, 66};  // of the turn back
    const uint64_t steps = lab.size(75, 300);
    const Series series = run->simulate(steps, [&](World& world) {
        const MeshView mesh = world.mesh({0}, world.time());
        const std::vector<Vec3f> now(mesh.vertices.begin(), mesh.vertices.end());
        const double speed = fastest_of(skin, now, world.settings().dt);
        skin = now;
        out.fastest_skin = std::max(out.fastest_skin, speed);
        out.speed.push_back(speed);
        if (world.steps() % 15 == 0) {
            const std::vector<float> distances = world.clearances({0});
            const auto near = std::count_if(distances.begin(), distances.end(), [](float d) { return d < 0.002f; });
            out.touching = std::max(out.touching, static_cast<double>(near) / static_cast<double>(distances.size()));
        }
        if (std::find(std::begin(kShown), std::end(kShown), world.steps()) == std::end(kShown)) return;
        if (Result<Picture> picture = run->picture(300, 300))
            out.pictures.push_back(labelled(std::move(*picture), fmt::format("{:.2f} s", world.time())));
    });
    for (const Sample& sample : series.samples()) {
        if (sample.frames == 0) continue;
        out.time.push_back(sample.time);
        out.depth.push_back(1e3 * sample.penetration);
        out.deepest = std::max(out.deepest, sample.penetration);
        out.stretch = std::max(out.stretch, sample.stretch_max);
    }
    return out;
}

/// A moving field strikes the end of a stick that hangs at rest.
struct Strike {
    double skin = 0, end = 0;  // speed of the field at the impact, and of the end after it [m/s]
    double share() const { return (end - skin) / skin; }
};

Result<Strike> strike(Lab& lab, double restitution)
{
    constexpr double kDt = 0.001, kTouched = 1e-4;
    Result<LabRun> run = lab.open("papers/mueller12_wave", {{"groom.particles", "2"},
                                                            {"body.1.collide", "marching"},
                                                            {"body.1.collide_cell", "0.002"},
                                                            {"contact.restitution", fmt::format("{}", restitution)},
                                                            {"sim.dt", fmt::format("{}", kDt)}});
    if (!run) return Error{run.error()};
    World& world = run->world();
    Strike out;
    double touched = 0;  // time since the contact [s]
    for (int i = 0; i < 300 && touched < 0.005; ++i) {
        const Vec3d end = tip_of(world), ball = world.pose({1}).position;
        world.step();
        if (touched == 0) out.skin = length(world.pose({1}).position - ball) / kDt;
        out.end = length(tip_of(world) - end) / kDt;
        if (touched > 0 || out.end * kDt > kTouched) touched += kDt;
    }
    return out;
}

}  // namespace

Result<Finding> find_friction(Lab& lab)
{
    Finding finding;
    LabTable table{
        "Root mean square displacement of the tips [mm]", {"friction [1/s]", "driven comb", "comb at rest"}, {}};
    Plot plot;
    plot.title = "Displacement of the tips";
    plot.x_label = "friction [1/s]";
    plot.y_label = "mm";
    plot.lines = {{"driven comb", {}}, {"comb at rest", {}}};
    std::vector<Picture> pictures;
    std::vector<Combs> found;
    for (const double friction : {0.0, 0.5, 2.0, 5.0, 20.0}) {
        Result<Combs> one = combs(lab, friction);
        if (!one) return Error{one.error()};
        table.rows.push_back({fmt::format("{}", friction), fmt::format("{:.1f}", 1e3 * one->driven),
                              fmt::format("{:.1f}", 1e3 * one->resting)});
        plot.x.push_back(friction);
        plot.lines[0].values.push_back(1e3 * one->driven);
        plot.lines[1].values.push_back(1e3 * one->resting);
        finding.numbers.emplace_back(fmt::format("resting_m_friction{}", friction), one->resting);
        if (friction == 0 || friction == 5 || friction == 20)
            pictures.push_back(labelled(one->picture, fmt::format("friction {}", friction)));
        found.push_back(std::move(*one));
    }
    bool grows = true;
    for (size_t k = 1; k < found.size(); ++k)
        grows &= found[k].resting > found[k - 1].resting && found[k].driven < found[k - 1].driven;
    const Combs& strongest = found.back();
    finding.holds = grows && found[0].resting < 1e-6 && strongest.resting > 0.8 * strongest.driven;
    finding.measured = fmt::format(
        "Between the ropes of a driven comb, those at rest swing by {:.1f} mm without friction, {:.0f} mm at 5 per "
        "second and {:.0f} mm at 20, where the driven ones swing by {:.0f} mm: they move as one.",
        1e3 * found[0].resting, 1e3 * found[3].resting, 1e3 * strongest.resting, 1e3 * strongest.driven);
    finding.figures.push_back(
        {"Two combs, seen nearly along their rows: one hangs at rest, the other is driven back and forth",
         side_by_side(pictures, 3)});
    finding.figures.push_back({"More friction transfers more of the motion", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_repulsion(Lab& lab)
{
    Finding finding;
    LabTable table{"After 4 s", {"repulsion [m/s^2]", "girth of the hair [mm]", "largest stretch"}, {}};
    std::vector<Picture> pictures;
    std::vector<double> girths;
    double stretch = 0;
    for (const double repulsion : {0.0, 5.0, 10.0, 20.0}) {
        Result<LabRun> run =
            lab.open("papers/mueller12_eq14", {{"interaction.repulsion", fmt::format("{}", repulsion)},
                                               {"groom.strands", fmt::format("{}", lab.size(2000, 10000))}});
        if (!run) return Error{run.error()};
        for (int i = 0; i < 240; ++i) run->world().step();
        girths.push_back(girth(run->world()));
        const double stretched = run->world().measure().stretch_max;
        stretch = std::max(stretch, stretched);
        table.rows.push_back({fmt::format("{}", repulsion), fmt::format("{:.0f}", 1e3 * girths.back()),
                              fmt::format("{:.1e}", stretched)});
        finding.numbers.emplace_back(fmt::format("girth_m_repulsion{}", repulsion), girths.back());
        Result<Picture> picture = run->picture(260, 240);
        if (!picture) return Error{picture.error()};
        pictures.push_back(labelled(std::move(*picture), fmt::format("repulsion {}", repulsion)));
    }
    finding.holds = std::is_sorted(girths.begin(), girths.end()) && girths[2] > 1.2 * girths[0] && stretch < 1e-4;
    finding.measured = fmt::format(
        "{} strands. Mean distance of the tips from their centre: {:.0f} mm without repulsion, {:.0f} mm with 10 "
        "m/s^2. Eq. 14 is printed with a plus sign, which would attract hair to dense regions, and divided by the "
        "step, which would push harder the shorter the step is; here, it is an acceleration against the gradient.",
        lab.size(2000, 10000), 1e3 * girths[0], 1e3 * girths[2]);
    finding.figures.push_back({"The same hair, hanging", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_field(Lab& lab)
{
    Result<Turn> field = turn(lab, "field");
    if (!field) return Error{field.error()};
    Result<Turn> marching = turn(lab, "marching");
    if (!marching) return Error{marching.error()};
    LabTable table{
        "A moving field strikes the end of a stick at rest: (speed of the end - speed of the skin) / speed of the skin",
        {"restitution", "speed of the skin [m/s]", "speed of the end [m/s]", "measured"},
        {}};
    double worst = 0;
    for (const double restitution : {0.0, 0.5, 1.0}) {
        const Result<Strike> one = strike(lab, restitution);
        if (!one) return Error{one.error()};
        worst = std::max(worst, std::abs(one->share() - restitution));
        table.rows.push_back({fmt::format("{}", restitution), fmt::format("{:.2f}", one->skin),
                              fmt::format("{:.2f}", one->end), fmt::format("{:.2f}", one->share())});
    }
    Finding finding;
    finding.holds = std::max(field->deepest, marching->deepest) < 1e-3 &&
                    std::max(field->stretch, marching->stretch) < 1e-4 && field->touching > 0.01 && worst < 0.1;
    finding.measured = fmt::format(
        "{} strands. The skin moves at up to {:.1f} m/s, and up to {:.0f} % of all particles are within 2 mm of it. "
        "Deepest penetration of its triangles: {:.2f} mm with the distances of our own field, {:.2f} mm by fast "
        "marching as in the paper. A particle that a field strikes leaves at the speed of the skin times one plus the "
        "restitution, within {:.2f}; a field without velocities could not do that. (The paper's statement that "
        "distances alone are not enough was not tested, because the engine has no such field.)",
        lab.size(600, 10000), field->fastest_skin, 100 * field->touching, 1e3 * field->deepest, 1e3 * marching->deepest,
        worst);
    finding.numbers = {{"deepest_field_m", field->deepest},
                       {"deepest_marching_m", marching->deepest},
                       {"fastest_skin_m_s", field->fastest_skin},
                       {"restitution_off", worst}};
    finding.tables.push_back(std::move(table));
    Plot depth, speed;
    depth.title = "Deepest penetration of the mesh";
    depth.y_label = "mm";
    depth.lines = {{"field", field->depth}, {.name = "fast marching", .values = marching->depth, .dashed = true}};
    speed.title = "Fastest point of the skin";
    speed.y_label = "m/s";
    speed.lines = {{"skin", field->speed}};
    depth.x_label = speed.x_label = "time [s]";
    depth.x = speed.x = field->time;
    finding.figures.push_back({"A turn by 90 degrees in a quarter of a second", side_by_side(field->pictures, 4)});
    finding.figures.push_back({"Against the triangles of the mesh, cells of 4 mm", {}, depth});
    finding.figures.push_back({"Speed of the skin that the hair collides with", {}, speed});
    return finding;
}

}  // namespace tendril::app::mueller
