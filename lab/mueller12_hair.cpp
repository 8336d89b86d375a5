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

/// The equations of the solver and of the grid as printed.
const Overrides kAllPrinted{{"solver.form", "paper"}, {"interaction.form", "paper"}};

/// A rate of friction, and the weight s_friction that leaves as much of a difference of velocities after a step of 1/60
/// s.
Overrides with_friction(double rate, bool printed)
{
    if (!printed) return {{"interaction.friction", fmt::format("{}", rate)}};
    return joined({{"interaction.s_friction", fmt::format("{:.6g}", 1 - std::exp(-rate / 60))}}, kAllPrinted);
}

Result<Combs> combs(Lab& lab, const Overrides& settings)
{
    Result<LabRun> run = lab.open("papers/mueller12_eq13", settings);
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

/// Eq. 14 as printed, with the sign turned, and ours.
enum Sign : size_t { kPlus, kMinus, kOurSign, kSigns };
constexpr const char* kSignNames[kSigns]{"printed", "printed with a minus", "ours"};

/// The s_repulsion of Eq. 14 that changes velocities in a step of 1/60 s as an acceleration does [m].
double per_step(double acceleration)
{
    return acceleration / 3600;
}

/// Hair that stands up in its rest pose, after it has hung for 4 s.
struct Hanging {
    double girth = 0, stretch = 0;
    Picture picture;
};

Result<Hanging> hanging_hair(Lab& lab, Sign sign, double repulsion, bool pictured)
{
    Overrides settings{{"groom.strands", fmt::format("{}", lab.size(2000, 10000))}};
    const double s = per_step(sign == kMinus ? -repulsion : repulsion);
    if (sign == kOurSign)
        settings.emplace_back("interaction.repulsion", fmt::format("{}", repulsion));
    else  // the friction of the scene is 5 per second
        settings =
            joined(settings,
                   joined({{"interaction.s_friction", "0.08"}, {"interaction.s_repulsion", fmt::format("{:.6g}", s)}},
                          kAllPrinted));
    Result<LabRun> run = lab.open("papers/mueller12_eq14", settings);
    if (!run) return Error{run.error()};
    for (int i = 0; i < 240; ++i) run->world().step();
    Hanging out{girth(run->world()), run->world().measure().stretch_max, {}};
    if (!pictured) return out;
    Result<Picture> picture = run->picture(260, 240);
    if (!picture) return Error{picture.error()};
    out.picture = std::move(*picture);
    return out;
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

Result<Turn> turn(Lab& lab, const char* method, const char* form)
{
    Result<LabRun> run = lab.open("head_turn", {{"solver.form", form},
                                                {"body.collide", method},
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

Result<Strike> strike(Lab& lab, double restitution, const char* form)
{
    constexpr double kDt = 0.001, kTouched = 1e-4;
    Result<LabRun> run = lab.open("papers/mueller12_wave", {{"solver.form", form},
                                                            {"groom.particles", "2"},
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
    LabTable table{"Root mean square displacement of the tips [mm]",
                   {"friction [1/s]", "s_friction", "driven comb, printed", "at rest, printed", "driven comb, ours",
                    "at rest, ours"},
                   {}};
    Plot plot;
    plot.title = "Displacement of the tips";
    plot.x_label = "friction [1/s]";
    plot.y_label = "mm";
    plot.lines = {{"driven comb, printed", {}},
                  {"comb at rest, printed", {}},
                  {.name = "driven comb, ours", .values = {}, .dashed = true},
                  {.name = "comb at rest, ours", .values = {}, .dashed = true}};
    std::vector<Picture> pictures;
    std::vector<Combs> found[2];  // printed, ours
    for (const double friction : {0.0, 0.5, 2.0, 5.0, 20.0}) {
        std::vector<std::string> row{fmt::format("{}", friction), fmt::format("{:.3f}", 1 - std::exp(-friction / 60))};
        plot.x.push_back(friction);
        for (const size_t form : {0u, 1u}) {
            Result<Combs> one = combs(lab, with_friction(friction, form == 0));
            if (!one) return Error{one.error()};
            row.push_back(fmt::format("{:.1f}", 1e3 * one->driven));
            row.push_back(fmt::format("{:.1f}", 1e3 * one->resting));
            plot.lines[2 * form].values.push_back(1e3 * one->driven);
            plot.lines[2 * form + 1].values.push_back(1e3 * one->resting);
            finding.numbers.emplace_back(
                fmt::format("resting_m_friction{}_{}", friction, form == 0 ? "printed" : "ours"), one->resting);
            if (form == 0 && (friction == 0 || friction == 5 || friction == 20))
                pictures.push_back(labelled(one->picture, fmt::format("s_friction {}", row[1])));
            found[form].push_back(std::move(*one));
        }
        table.rows.push_back(std::move(row));
    }
    const auto as_claimed = [](const std::vector<Combs>& of) {
        bool grows = true;
        for (size_t k = 1; k < of.size(); ++k)
            grows &= of[k].resting > of[k - 1].resting && of[k].driven < of[k - 1].driven;
        return grows && of[0].resting < 1e-6 && of.back().resting > 0.8 * of.back().driven;
    };
    judge(finding, as_claimed(found[0]), as_claimed(found[1]),
          "the grid averages measured motion instead of the velocities that Eq. 9 stores");
    const auto sentence = [](const std::vector<Combs>& of) {
        return fmt::format(
            "{:.1f} mm without friction, {:.0f} mm at 5 per second and {:.0f} mm at 20, where the driven "
            "ones swing by {:.0f} mm",
            1e3 * of[0].resting, 1e3 * of[3].resting, 1e3 * of[4].resting, 1e3 * of[4].driven);
    };
    finding.measured = fmt::format(
        "Between the ropes of a driven comb, those at rest swing as printed by {}; with ours, by {}. (The weights "
        "s_friction of 0.08 and 0.28 per step of 1/60 s are rates of 5 and 20 per second.)",
        sentence(found[0]), sentence(found[1]));
    finding.figures.push_back(
        {"Two combs, seen nearly along their rows: one hangs at rest, the other is driven back and forth; as printed",
         side_by_side(pictures, 3)});
    finding.figures.push_back({"More friction transfers more of the motion", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_repulsion(Lab& lab)
{
    Finding finding;
    LabTable table{"After 4 s",
                   {"repulsion [m/s^2]", "s_repulsion [mm]", "girth, printed [mm]", "girth, printed with a minus [mm]",
                    "girth, ours [mm]", "largest stretch"},
                   {}};
    std::vector<Picture> pictures;
    std::vector<double> girths[kSigns];
    double stretch = 0;
    for (const double repulsion : {0.0, 5.0, 10.0, 20.0}) {
        std::vector<std::string> row{fmt::format("{}", repulsion), fmt::format("{:.2f}", 1e3 * per_step(repulsion))};
        double largest = 0;
        for (const Sign sign : {kPlus, kMinus, kOurSign}) {
            if (sign == kMinus && repulsion != 10) {
                row.emplace_back();
                continue;
            }
            Result<Hanging> one = hanging_hair(lab, sign, repulsion, repulsion == 0 || repulsion == 10);
            if (!one) return Error{one.error()};
            girths[sign].push_back(one->girth);
            largest = std::max(largest, one->stretch);
            row.push_back(fmt::format("{:.0f}", 1e3 * one->girth));
            finding.numbers.emplace_back(fmt::format("girth_m_repulsion{} {}", repulsion, kSignNames[sign]),
                                         one->girth);
            if (repulsion == 0 || repulsion == 10)
                pictures.push_back(
                    labelled(std::move(one->picture), fmt::format("{}, {}", repulsion, kSignNames[sign])));
        }
        stretch = std::max(stretch, largest);
        row.push_back(fmt::format("{:.1e}", largest));
        table.rows.push_back(std::move(row));
    }
    const std::vector<double>&plus = girths[kPlus], &ours = girths[kOurSign];
    const auto as_claimed = [&](const std::vector<double>& of) {
        return std::is_sorted(of.begin(), of.end()) && of[2] > 1.2 * of[0] && stretch < 1e-4;
    };
    judge(finding, as_claimed(plus), as_claimed(ours),
          "repulsion acts against the gradient, as an acceleration, and only in crowds");
    finding.measured = fmt::format(
        "{} strands. Mean distance of the tips from their centre without repulsion, with 10 and with 20 m/s^2, or as "
        "much per step: {:.0f}, {:.0f} and {:.0f} mm as printed, where the plus sign of Eq. 14 gathers hair in "
        "bundles; {:.0f}, {:.0f} and {:.0f} mm with ours. With a minus in Eq. 14, {:.0f} mm at 10. Eq. 14 also divides "
        "by the step and so pushes harder the shorter the step is.",
        lab.size(2000, 10000), 1e3 * plus[0], 1e3 * plus[2], 1e3 * plus[3], 1e3 * ours[0], 1e3 * ours[2], 1e3 * ours[3],
        1e3 * girths[kMinus][0]);
    finding.figures.push_back(
        {"The same hair, hanging, without repulsion and with 10 m/s^2", side_by_side(pictures, 3)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_field(Lab& lab)
{
    // The paper's own field is that of fast marching.
    Result<Turn> marching = turn(lab, "marching", "paper");
    if (!marching) return Error{marching.error()};
    Result<Turn> field = turn(lab, "field", "stable");
    if (!field) return Error{field.error()};
    LabTable table{
        "A moving field strikes the end of a stick at rest: (speed of the end - speed of the skin) / speed of the skin",
        {"form", "restitution", "speed of the skin [m/s]", "speed of the end [m/s]", "measured"},
        {}};
    double worst[2]{};  // printed, ours
    for (const size_t form : {0u, 1u})
        for (const double restitution : {0.0, 0.5, 1.0}) {
            const Result<Strike> one = strike(lab, restitution, form == 0 ? "paper" : "stable");
            if (!one) return Error{one.error()};
            worst[form] = std::max(worst[form], std::abs(one->share() - restitution));
            table.rows.push_back({form == 0 ? "printed" : "ours", fmt::format("{}", restitution),
                                  fmt::format("{:.2f}", one->skin), fmt::format("{:.2f}", one->end),
                                  fmt::format("{:.2f}", one->share())});
        }
    const auto as_claimed = [](const Turn& one, double off) {
        return one.deepest < 1e-3 && one.stretch < 1e-4 && one.touching > 0.01 && off < 0.1;
    };
    Finding finding;
    judge(finding, as_claimed(*marching, worst[0]), as_claimed(*field, worst[1]), "our own field and velocities");
    finding.measured = fmt::format(
        "{} strands. The skin moves at up to {:.1f} m/s, and up to {:.0f} % of all particles are within 2 mm of it. "
        "Deepest penetration of its triangles: {:.2f} mm as printed, with a field by fast marching; {:.2f} mm with our "
        "equations and our own field. A particle that a field strikes leaves at the speed of the skin times one plus "
        "the restitution, within {:.2f} as printed and {:.2f} with ours; a field without velocities could not do that. "
        "(The paper's statement that distances alone are not enough was not tested, because the engine has no such "
        "field.)",
        lab.size(600, 10000), marching->fastest_skin, 100 * marching->touching, 1e3 * marching->deepest,
        1e3 * field->deepest, worst[0], worst[1]);
    finding.numbers = {{"deepest_printed_m", marching->deepest}, {"stretch_printed", marching->stretch},
                       {"deepest_ours_m", field->deepest},       {"fastest_skin_m_s", marching->fastest_skin},
                       {"restitution_off_printed", worst[0]},    {"restitution_off_ours", worst[1]}};
    finding.tables.push_back(std::move(table));
    Plot depth, speed;
    depth.title = "Deepest penetration of the mesh";
    depth.y_label = "mm";
    depth.lines = {{"printed, fast marching", marching->depth},
                   {.name = "ours, own field", .values = field->depth, .dashed = true}};
    speed.title = "Fastest point of the skin";
    speed.y_label = "m/s";
    speed.lines = {{"skin", marching->speed}};
    depth.x_label = speed.x_label = "time [s]";
    depth.x = speed.x = marching->time;
    finding.figures.push_back(
        {"A turn by 90 degrees in a quarter of a second, as printed", side_by_side(marching->pictures, 4)});
    finding.figures.push_back({"Against the triangles of the mesh, cells of 4 mm", {}, depth});
    finding.figures.push_back({"Speed of the skin that the hair collides with", {}, speed});
    return finding;
}

}  // namespace tendril::app::mueller
