// [Sanchez15] Fig. 1 and 3 to 5: whole characters whose hair keeps its style in motion.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "sanchez15.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app::sanchez {
namespace {

const Overrides kNoShape{{"shape.local", "0"}, {"shape.global", "0"}};
// The interaction of the paper; the scene files use the cheaper grid of [Mueller12].
const std::pair<std::string, std::string> kFluid{"interaction.method", "sph"};

/// A scene to run; the picture is taken after the last step.
struct Shot {
    const char* scene;
    Overrides settings;
    uint64_t steps = 30;
    uint32_t width = 360, height = 330;
};

struct Outcome {
    double stretch = 0, deepest = 0;
    size_t nonfinite = 0, strands = 0, particles = 0;
    double off_style = 0;  // mean distance from the style, carried by the body, at the end [m]
    double curl = 0;       // mean turning per strand at the end [rad]
    Picture picture;
};

std::vector<std::vector<Vec3d>> all_points(const World& world)
{
    std::vector<std::vector<Vec3d>> strands;
    for (uint32_t g = 0; g < world.groom_count(); ++g)
        for (size_t s = 0; s < world.groom({g}).strand_count(); ++s) strands.push_back(points_of(world, s, {g}));
    return strands;
}

double mean_turning(const std::vector<std::vector<Vec3d>>& strands)
{
    double sum = 0;
    for (const auto& points : strands)
        for (size_t i = 1; i + 1 < points.size(); ++i) sum += turn_at(points, i);
    return sum / static_cast<double>(strands.size());
}

Overrides with(Overrides settings, const Overrides& more)
{
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

Result<Outcome> play(Lab& lab, const Shot& shot, bool draw)
{
    Result<LabRun> run = lab.open(shot.scene, shot.settings);
    if (!run) return Error{run.error()};
    World& world = run->world();
    Outcome out;
    out.strands = world.strand_count();
    out.particles = world.particle_count();
    const uint64_t steps = lab.full() ? 4 * shot.steps : shot.steps;
    for (uint64_t i = 1; i <= steps; ++i) {
        world.step();
        if (i % 5 != 0 && i != steps) continue;
        const Metrics m = world.measure();
        out.stretch = std::max(out.stretch, m.stretch_max);
        out.deepest = std::max(out.deepest, m.penetration_max);
        out.nonfinite += m.nonfinite;
    }
    if (draw) {
        Result<Picture> picture = run->picture(shot.width, shot.height);
        if (!picture) return Error{picture.error()};
        out.picture = std::move(*picture);
    }
    const auto now = all_points(world);
    out.curl = mean_turning(now);
    world.reset();  // to its style, at the current pose of the body
    const auto style = all_points(world);
    size_t count = 0;
    for (size_t s = 0; s < now.size(); ++s)
        for (size_t i = 1; i < now[s].size(); ++i, ++count) out.off_style += length(now[s][i] - style[s][i]);
    out.off_style /= static_cast<double>(count);
    return out;
}

std::string size_of(int count, int of_paper, const Lab& lab)
{
    return fmt::format("{}", lab.full() ? of_paper : count);
}

/// Runs with and without shape. `kept` is the share of the distance from the style that shape removes.
struct Pair {
    Outcome with, without;
    double kept() const { return 1 - with.off_style / without.off_style; }
    bool sound() const
    {
        return std::max(with.stretch, without.stretch) < 1e-4 && with.nonfinite + without.nonfinite == 0;
    }
};

Result<Pair> play_both(Lab& lab, const Shot& shot)
{
    Result<Outcome> shaped = play(lab, shot, true);
    if (!shaped) return Error{shaped.error()};
    Result<Outcome> plain = play(lab, {shot.scene, with(shot.settings, kNoShape), shot.steps}, false);
    if (!plain) return Error{plain.error()};
    return Pair{std::move(*shaped), std::move(*plain)};
}

LabTable pair_table()
{
    return {"At the end of the motion, with the shape and without it",
            {"scene", "strands", "particles", "distance from the style [mm]", "without shape [mm]", "largest stretch"},
            {}};
}

void add_row(LabTable& table, Finding& finding, const char* name, const Pair& pair)
{
    table.rows.push_back({name, fmt::format("{}", pair.with.strands), fmt::format("{}", pair.with.particles),
                          fmt::format("{:.1f}", 1e3 * pair.with.off_style),
                          fmt::format("{:.1f}", 1e3 * pair.without.off_style),
                          fmt::format("{:.1e}", std::max(pair.with.stretch, pair.without.stretch))});
    finding.numbers.emplace_back(fmt::format("{}_off_style_m", name), pair.with.off_style);
    finding.numbers.emplace_back(fmt::format("{}_off_style_without_m", name), pair.without.off_style);
}

}  // namespace

Result<Finding> find_mannequin_and_horse(Lab& lab)
{
    const Shot long_hair{"mannequin_a",
                         {{"groom.0.strands", size_of(1800, 10768, lab)},
                          {"groom.1.strands", size_of(700, 4232, lab)},
                          {"sim.settle", size_of(1, 3, lab)},
                          {"sim.substeps", size_of(2, 4, lab)},
                          {"render.width_scale", size_of(6, 0, lab)},
                          kFluid},
                         40};
    const Shot horse{"horse", {{"sim.settle", size_of(1, 2, lab)}, {"sim.substeps", size_of(2, 4, lab)}, kFluid}, 40};
    Result<Pair> mannequin = play_both(lab, long_hair);
    if (!mannequin) return Error{mannequin.error()};
    Result<Pair> animal = play_both(lab, horse);
    if (!animal) return Error{animal.error()};
    Finding finding;
    LabTable table = pair_table();
    add_row(table, finding, "mannequin_a", *mannequin);
    add_row(table, finding, "horse", *animal);
    constexpr double kThird = 1.0 / 3;
    finding.holds = mannequin->sound() && animal->sound() && mannequin->kept() > kThird && animal->kept() > kThird;
    finding.measured = fmt::format(
        "On a turning head, long hair is {:.0f} mm from its style, without shape {:.0f} mm; mane and tail of a walking "
        "animal, {:.1f} and {:.1f} mm. Largest stretch {:.1e}.",
        1e3 * mannequin->with.off_style, 1e3 * mannequin->without.off_style, 1e3 * animal->with.off_style,
        1e3 * animal->without.off_style, std::max(mannequin->with.stretch, animal->with.stretch));
    finding.figures.push_back(
        {"The mannequin's long hair, and an animal with mane and tail",
         side_by_side({labelled(mannequin->with.picture, "mannequin_a"), labelled(animal->with.picture, "horse")}, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_fur(Lab& lab)
{
    const Shot fur{"fur",
                   {{"groom.strands", size_of(6000, 20000, lab)},
                    {"sim.settle", "1"},
                    {"sim.substeps", size_of(2, 8, lab)},
                    {"shape.local", "2500"},
                    {"shape.global", "150"},
                    {"shape.fade", "0.4"},
                    {"render.hair", "blonde"},  // contrasts with the skin
                    {"render.skin", "[0.2, 0.13, 0.08]"},
                    {"render.width_scale", size_of(6, 4, lab)},
                    {"render.zoom", "1.15"},
                    kFluid},
                   24};
    const Shot ball{"bunny", {{"sim.settle", "1"}, {"sim.substeps", size_of(2, 4, lab)}, kFluid}, 24};
    Result<Pair> creature = play_both(lab, fur);
    if (!creature) return Error{creature.error()};
    Result<Pair> bunny = play_both(lab, ball);
    if (!bunny) return Error{bunny.error()};
    Finding finding;
    LabTable table = pair_table();
    add_row(table, finding, "fur", *creature);
    add_row(table, finding, "bunny", *bunny);
    const double deepest = std::max(creature->with.deepest, bunny->with.deepest);
    finding.holds = creature->sound() && bunny->sound() && creature->kept() > 0.3 && bunny->kept() > 0.3 &&
                    deepest < 2e-3 && creature->with.particles + bunny->with.particles > 30000;
    finding.measured = fmt::format(
        "Fur of 3 cm is {:.1f} mm from its style on a walking creature and {:.1f} mm on a nodding ball, without shape "
        "{:.1f} and {:.1f} mm. The deepest particle is {:.2f} mm inside the skin, with a signed distance field on the "
        "creature.",
        1e3 * creature->with.off_style, 1e3 * bunny->with.off_style, 1e3 * creature->without.off_style,
        1e3 * bunny->without.off_style, 1e3 * deepest);
    finding.numbers.emplace_back("deepest_m", deepest);
    finding.figures.push_back(
        {"Short fur on a walking creature, and on a ball as large as the bunny of Table 1",
         side_by_side({labelled(creature->with.picture, "fur"), labelled(bunny->with.picture, "bunny")}, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_styles(Lab& lab)
{
    // Four strands out of five are children, as in the paper.
    const Overrides common{{"groom.strands", "2500"},
                           {"groom.guides", "0.2"},
                           {"groom.guide_mode", "single"},
                           {"groom.particles", "24"},
                           {"groom.curl_pitch", "0.05"},
                           {"shape.local", "300"},
                           {"shape.global", "4"},
                           {"sim.settle", size_of(1, 3, lab)},
                           {"sim.substeps", size_of(2, 4, lab)},
                           {"render.width_scale", "5"},
                           {"render.target", "[0.08, 0.15, 0]"},
                           {"render.distance", "1.3"},
                           kFluid};
    const struct {
        const char *style, *hair;
    } styles[]{{"straight", "black"}, {"wavy", "red"}, {"curly", "blonde"}};
    Finding finding;
    LabTable table{"Total turning of a strand from root to tip, in motion [rad]",
                   {"style", "groomed", "with shape", "without"},
                   {}};
    std::vector<Picture> pictures;
    double groomed[3]{}, shaped[3]{}, plain[3]{};
    bool sound = true;
    for (size_t k = 0; k < std::size(styles); ++k) {
        const Shot shot{"mannequin_b",
                        with(common, {{"groom.style", styles[k].style}, {"render.hair", styles[k].hair}}), 40, 300,
                        330};
        Result<LabRun> rest = lab.open(shot.scene, with(shot.settings, {{"sim.settle", "0"}}));
        if (!rest) return Error{rest.error()};
        Result<Pair> pair = play_both(lab, shot);
        if (!pair) return Error{pair.error()};
        groomed[k] = mean_turning(all_points(rest->world()));
        shaped[k] = pair->with.curl;
        plain[k] = pair->without.curl;
        sound &= pair->sound();
        table.rows.push_back({styles[k].style, fmt::format("{:.1f}", groomed[k]), fmt::format("{:.1f}", shaped[k]),
                              fmt::format("{:.1f}", plain[k])});
        finding.numbers.emplace_back(fmt::format("{}_kept", styles[k].style), shaped[k] / groomed[k]);
        pictures.push_back(labelled(std::move(pair->with.picture), styles[k].style));
    }
    finding.holds = sound && shaped[0] < shaped[1] && shaped[1] < shaped[2];
    for (const int k : {1, 2}) finding.holds &= shaped[k] > 0.7 * groomed[k] && plain[k] < 0.5 * groomed[k];
    finding.measured = fmt::format(
        "On a turning head, waves keep {:.0f} % of their turning and curls {:.0f} %; without shape, {:.0f} and {:.0f} "
        "%. 500 strands are simulated, 2,500 drawn.",
        100 * shaped[1] / groomed[1], 100 * shaped[2] / groomed[2], 100 * plain[1] / groomed[1],
        100 * plain[2] / groomed[2]);
    finding.figures.push_back({"Three styles of the same 500 simulated strands", side_by_side(pictures, 3)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_characters(Lab& lab)
{
    const Shot doll{"hectroll", {{"sim.substeps", size_of(2, 4, lab)}, kFluid}, 60};
    const Shot beast{"monster",
                     {{"groom.0.strands", size_of(3000, 15000, lab)},
                      {"groom.1.strands", size_of(3000, 14000, lab)},
                      {"sim.settle", size_of(0, 2, lab)},
                      {"sim.substeps", size_of(2, 4, lab)},
                      kFluid},
                     24};
    Result<Pair> hectroll = play_both(lab, doll);
    if (!hectroll) return Error{hectroll.error()};
    Result<Pair> monster = play_both(lab, beast);
    if (!monster) return Error{monster.error()};
    Finding finding;
    LabTable table = pair_table();
    add_row(table, finding, "hectroll", *hectroll);
    add_row(table, finding, "monster", *monster);
    finding.holds = hectroll->sound() && monster->sound() && hectroll->kept() > 0.8 && monster->kept() > 0.3;
    finding.measured = fmt::format(
        "A shock of hair with a strong shape, on a human bust instead of the paper's doll, is {:.1f} mm from its style "
        "as the head turns, and {:.0f} mm without shape; the fur of a shaggy beast, the built-in walking creature, "
        "{:.1f} and {:.1f} mm.",
        1e3 * hectroll->with.off_style, 1e3 * hectroll->without.off_style, 1e3 * monster->with.off_style,
        1e3 * monster->without.off_style);
    finding.figures.push_back(
        {"A bust with a doll's shock of hair, and the built-in creature with long fur",
         side_by_side({labelled(hectroll->with.picture, "hectroll"), labelled(monster->with.picture, "monster")}, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::sanchez
