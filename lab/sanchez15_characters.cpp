// [Sanchez15] Fig. 1 and 3 to 5: whole characters whose hair keeps its style in motion.
#include "both_forms.h"
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

/// Pairs as printed and with our form.
struct Forms {
    Pair printed, ours;
};

/// The same shot as printed. Our form has a stiffness of the scene.
Shot as_printed(const Shot& shot, const Coefficients& shape)
{
    return {shot.scene, with(shot.settings, printed_overrides(shape)), shot.steps, shot.width, shot.height};
}

Result<Forms> play_forms(Lab& lab, const Shot& shot, const Coefficients& shape)
{
    Result<Pair> printed = play_both(lab, as_printed(shot, shape));
    if (!printed) return Error{printed.error()};
    Result<Pair> ours = play_both(lab, shot);
    if (!ours) return Error{ours.error()};
    return Forms{std::move(*printed), std::move(*ours)};
}

LabTable pair_table()
{
    return {"At the end of the motion, with the shape and without it",
            {"scene", "form", "strands", "particles", "distance from the style [mm]", "without shape [mm]",
             "largest stretch"},
            {}};
}

void add_row(LabTable& table, Finding& finding, const char* name, const Forms& forms)
{
    for (const LabForm& form : kLabForms) {
        const Pair& pair = form.printed() ? forms.printed : forms.ours;
        table.rows.push_back({name, form.name, fmt::format("{}", pair.with.strands),
                              fmt::format("{}", pair.with.particles), fmt::format("{:.1f}", 1e3 * pair.with.off_style),
                              fmt::format("{:.1f}", 1e3 * pair.without.off_style),
                              fmt::format("{:.1e}", std::max(pair.with.stretch, pair.without.stretch))});
        finding.numbers.emplace_back(fmt::format("{}_{}_off_style_m", form.value, name), pair.with.off_style);
        finding.numbers.emplace_back(fmt::format("{}_{}_off_style_without_m", form.value, name),
                                     pair.without.off_style);
    }
}

constexpr const char* kOurShape = "the stable form of the shape, and a fluid whose forces are limited for the step";

/// "12.3 mm from its style as printed, without shape 45.6 mm (with our form 7.8 and 90.1 mm)"
std::string distances(const Forms& forms)
{
    return fmt::format(
        "{:.1f} mm from its style as printed, without shape {:.1f} mm (with our form {:.1f} and {:.1f} mm)",
        1e3 * forms.printed.with.off_style, 1e3 * forms.printed.without.off_style, 1e3 * forms.ours.with.off_style,
        1e3 * forms.ours.without.off_style);
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
    Result<Forms> mannequin = play_forms(lab, long_hair, kUsual);
    if (!mannequin) return Error{mannequin.error()};
    Result<Forms> animal = play_forms(lab, horse, kUsual);
    if (!animal) return Error{animal.error()};
    Finding finding;
    LabTable table = pair_table();
    add_row(table, finding, "mannequin_a", *mannequin);
    add_row(table, finding, "horse", *animal);
    const auto fits = [](const Pair& a, const Pair& b) {
        constexpr double kThird = 1.0 / 3;
        return a.sound() && b.sound() && a.kept() > kThird && b.kept() > kThird;
    };
    judge(finding, fits(mannequin->printed, animal->printed), fits(mannequin->ours, animal->ours), kOurShape);
    finding.measured = fmt::format(
        "On a turning head, long hair is {}; mane and tail of a walking animal {}. Largest "
        "stretch {:.1e}.",
        distances(*mannequin), distances(*animal),
        std::max({mannequin->printed.with.stretch, animal->printed.with.stretch, mannequin->ours.with.stretch,
                  animal->ours.with.stretch}));
    finding.figures.push_back(
        {"The mannequin's long hair, and an animal with mane and tail",
         side_by_side({labelled(mannequin->printed.with.picture, "mannequin_a, as printed"),
                       labelled(animal->printed.with.picture, "horse, as printed"),
                       labelled(mannequin->ours.with.picture, "ours"), labelled(animal->ours.with.picture, "ours")},
                      2)});
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
    Result<Forms> creature = play_forms(lab, fur, kStrong);
    if (!creature) return Error{creature.error()};
    Result<Forms> bunny = play_forms(lab, ball, kStrong);
    if (!bunny) return Error{bunny.error()};
    Finding finding;
    LabTable table = pair_table();
    add_row(table, finding, "fur", *creature);
    add_row(table, finding, "bunny", *bunny);
    const auto deepest_of = [](const Pair& a, const Pair& b) { return std::max(a.with.deepest, b.with.deepest); };
    const auto fits = [&](const Pair& a, const Pair& b) {
        return a.sound() && b.sound() && a.kept() > 0.3 && b.kept() > 0.3 && deepest_of(a, b) < 2e-3 &&
               a.with.particles + b.with.particles > 30000;
    };
    const double deepest = deepest_of(creature->printed, bunny->printed),
                 ours = deepest_of(creature->ours, bunny->ours);
    judge(finding, fits(creature->printed, bunny->printed), fits(creature->ours, bunny->ours), kOurShape);
    finding.measured = fmt::format(
        "Fur of 3 cm on a walking creature is {}; on a nodding ball, {}. The deepest particle is {:.2f} mm inside the "
        "skin as printed, {:.2f} mm with ours, with a signed distance field on the creature.",
        distances(*creature), distances(*bunny), 1e3 * deepest, 1e3 * ours);
    finding.numbers.emplace_back("paper_deepest_m", deepest);
    finding.numbers.emplace_back("stable_deepest_m", ours);
    finding.figures.push_back(
        {"Short fur on a walking creature, and on a ball as large as the bunny of Table 1",
         side_by_side({labelled(creature->printed.with.picture, "fur, as printed"),
                       labelled(bunny->printed.with.picture, "bunny, as printed"),
                       labelled(creature->ours.with.picture, "ours"), labelled(bunny->ours.with.picture, "ours")},
                      2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_styles(Lab& lab)
{
    // The paper also draws more strands than it simulates; here, four out of five are children.
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
                   {"style", "form", "groomed", "with shape", "without"},
                   {}};
    std::vector<Picture> pictures;
    double groomed[3]{}, shaped[2][3]{}, plain[2][3]{};
    bool fits[2]{true, true};
    for (size_t k = 0; k < std::size(styles); ++k) {
        const Shot shot{"mannequin_b",
                        with(common, {{"groom.style", styles[k].style}, {"render.hair", styles[k].hair}}), 40, 300,
                        330};
        Result<LabRun> rest = lab.open(shot.scene, with(shot.settings, {{"sim.settle", "0"}}));
        if (!rest) return Error{rest.error()};
        Result<Forms> forms = play_forms(lab, shot, kStrong);
        if (!forms) return Error{forms.error()};
        groomed[k] = mean_turning(all_points(rest->world()));
        for (size_t f = 0; f < std::size(kLabForms); ++f) {
            const LabForm& form = kLabForms[f];
            Pair& pair = form.printed() ? forms->printed : forms->ours;
            shaped[f][k] = pair.with.curl;
            plain[f][k] = pair.without.curl;
            fits[f] &= pair.sound() && (k == 0 || shaped[f][k] > shaped[f][k - 1]);
            if (k > 0) fits[f] &= shaped[f][k] > 0.7 * groomed[k] && plain[f][k] < 0.5 * groomed[k];
            table.rows.push_back({styles[k].style, form.name, fmt::format("{:.1f}", groomed[k]),
                                  fmt::format("{:.1f}", shaped[f][k]), fmt::format("{:.1f}", plain[f][k])});
            finding.numbers.emplace_back(fmt::format("{}_{}_kept", form.value, styles[k].style),
                                         shaped[f][k] / groomed[k]);
            if (form.printed()) pictures.push_back(labelled(std::move(pair.with.picture), styles[k].style));
        }
    }
    judge(finding, fits[0], fits[1], kOurShape);
    const auto kept = [&](const double(&turning)[3]) {
        return fmt::format("{:.0f} and {:.0f} %", 100 * turning[1] / groomed[1], 100 * turning[2] / groomed[2]);
    };
    finding.measured = fmt::format(
        "On a turning head, waves and curls keep {} of their turning as printed, without shape {}; with our form {}, "
        "without shape {}. 500 strands are simulated, 2,500 drawn.",
        kept(shaped[0]), kept(plain[0]), kept(shaped[1]), kept(plain[1]));
    finding.figures.push_back(
        {"As printed: three styles of the same 500 simulated strands", side_by_side(pictures, 3)});
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
    Result<Forms> hectroll = play_forms(lab, doll, kStrong);
    if (!hectroll) return Error{hectroll.error()};
    Result<Forms> monster = play_forms(lab, beast, kStrong);
    if (!monster) return Error{monster.error()};
    Finding finding;
    LabTable table = pair_table();
    add_row(table, finding, "hectroll", *hectroll);
    add_row(table, finding, "monster", *monster);
    const auto fits = [](const Pair& a, const Pair& b) {
        return a.sound() && b.sound() && a.kept() > 0.8 && b.kept() > 0.3;
    };
    judge(finding, fits(hectroll->printed, monster->printed), fits(hectroll->ours, monster->ours), kOurShape);
    finding.measured = fmt::format(
        "A shock of hair with a strong shape, on a human bust instead of the paper's doll, is {} as the head turns; "
        "the "
        "fur of a shaggy beast, the built-in walking creature, {}.",
        distances(*hectroll), distances(*monster));
    finding.figures.push_back(
        {"A bust with a doll's shock of hair, and the built-in creature with long fur",
         side_by_side({labelled(hectroll->printed.with.picture, "hectroll, as printed"),
                       labelled(monster->printed.with.picture, "monster, as printed"),
                       labelled(hectroll->ours.with.picture, "ours"), labelled(monster->ours.with.picture, "ours")},
                      2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::sanchez
