// [Sanchez15] Eq. 8-14 as printed: the effect of s_d on the energy of hair with a shape, and the oscillation of long
// strands.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "sanchez15.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tendril::app::sanchez {
namespace {

constexpr const char* kScene = "papers/sanchez15_ball";
constexpr double kMass = 1e-6;  // of a particle, the default

double rms_speed(double kinetic, size_t particles)
{
    return std::sqrt(2 * kinetic / (kMass * static_cast<double>(particles)));
}

/// Hair that falls from its rest pose. The sum of kinetic and potential energy can only decrease, into the shape; any
/// gain is an error of the method.
struct Fall {
    Series series;
    double drop = 0;                     // largest loss of potential energy [J]
    double gained = 0;                   // largest gain over the start, in drops
    double first_second = 0, fifth = 0;  // rms speed [m/s]
};

/// Two kinds of hair, each with a weak shape and with the strongest that the paper recommends.
struct Hair {
    const char *name, *style;
    int particles;
    double length, local, global;
};
constexpr Hair kHair[]{{"waves, weak shape", "wavy", 24, 0.3, 0.05, 0},
                       {"curls, weak shape", "curly", 60, 0.59, 0.05, 0},
                       {"waves, at the limit", "wavy", 24, 0.3, 0.3, 0.1},
                       {"curls, at the limit", "curly", 60, 0.59, 0.3, 0.1}};
constexpr double kDampings[]{0, 0.5, 0.8, 0.9, 1};

Result<Fall> fall(Lab& lab, const Hair& hair, double s)
{
    Result<LabRun> run = lab.open(kScene, {{"groom.style", hair.style},
                                           {"groom.particles", fmt::format("{}", hair.particles)},
                                           {"groom.length", fmt::format("{}", hair.length)},
                                           {"shape.local", fmt::format("{}", hair.local)},
                                           {"shape.global", fmt::format("{}", hair.global)},
                                           {"solver.velocity_correction", fmt::format("{}", s)}});
    if (!run) return Error{run.error()};
    constexpr size_t kSecond = 62;  // steps
    Fall out;
    out.series = run->simulate(5 * kSecond);
    const auto& samples = out.series.samples();
    double early = 0, late = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
        out.drop = std::max(out.drop, samples[0].potential - samples[i].potential);
        out.gained = std::max(out.gained, samples[i].energy() - samples[0].energy());
        if (i <= kSecond) early += samples[i].kinetic / kSecond;
        if (i > 4 * kSecond) late += samples[i].kinetic / kSecond;
    }
    out.gained /= out.drop;
    out.first_second = rms_speed(early, run->world().particle_count());
    out.fifth = rms_speed(late, run->world().particle_count());
    return out;
}

/// The residual motion of curls in the last second and a half, when all should be at rest.
struct Rest {
    double rate = 0;            // rms turning rate of a segment relative to the one before it [rad/s]
    std::vector<double> along;  // the same for each joint of the strand
    double stretch = 0;
    Picture picture;
    double inner() const { return rms(0, along.size() / 3); }
    double outer() const { return rms(along.size() - along.size() / 3, along.size()); }

private:
    double rms(size_t begin, size_t end) const
    {
        double square = 0;
        for (size_t i = begin; i < end; ++i) square += along[i] * along[i];
        return std::sqrt(square / static_cast<double>(end - begin));
    }
};

/// A form of the shape, its strength, and how much of it is lost at the tip.
struct ShapeVariant {
    const char *name, *form;
    double strength, fade;
};
constexpr ShapeVariant kShapes[]{{"as printed", "paper", 1, 0},
                                 {"as printed, faded to the tip", "paper", 1, 1},
                                 {"as printed, half as strong everywhere", "paper", 0.5, 0},
                                 {"stable form", "stable", 1, 0}};
constexpr int kTessellations[]{20, 40, 60, 120};
constexpr double kLocal = 0.3, kGlobal = 0.1;
constexpr int kSteps = 300, kMeasured = 94;
constexpr int kExposures = 8;  // of the last steps, in one picture

/// The angle by which the segment after point i has turned relative to the one before it [rad]; 0 for a strand that
/// swings without bending.
double turned(const std::vector<Vec3d>& before, const std::vector<Vec3d>& now, size_t i)
{
    const auto unit = [](const Vec3d& v) { return v * (1 / length(v)); };
    const Vec3d a = unit(before[i] - before[i - 1]), b = unit(now[i] - now[i - 1]);
    const Vec3d axis = cross(a, b), old = unit(before[i + 1] - before[i]), fresh = unit(now[i + 1] - now[i]);
    const double cosine = dot(a, b);
    const Vec3d carried = old * cosine + cross(axis, old) + axis * (dot(axis, old) / (1 + cosine));
    return std::atan2(length(cross(carried, fresh)), dot(carried, fresh));
}

Overrides curls_of(Lab& lab, int particles, const ShapeVariant& shape, const Overrides& more = {})
{
    Overrides settings{{"groom.particles", fmt::format("{}", particles)},
                       {"groom.strands", fmt::format("{}", lab.size(48, 480))},
                       {"shape.form", shape.form},
                       {"shape.local", fmt::format("{}", kLocal * shape.strength)},
                       {"shape.global", fmt::format("{}", kGlobal * shape.strength)},
                       {"shape.fade", fmt::format("{}", shape.fade)},
                       {"render.overlay", "none"},
                       {"render.hair", "white"},
                       {"render.width_scale", "30"}};
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

Result<Rest> rest(Lab& lab, const Overrides& settings, bool draw = false)
{
    Result<LabRun> run = lab.open(kScene, settings);
    if (!run) return Error{run.error()};
    World& world = run->world();
    const size_t strands = world.groom({0}).strand_count(), joints = world.groom({0}).points(0).size() - 2;
    Rest out;
    out.along.assign(joints, 0.0);
    std::vector<std::vector<Vec3d>> before(strands);
    Strobe strobe;
    for (int i = 0; i < kSteps; ++i) {
        world.step();
        if (i < kSteps - kMeasured - 1) continue;
        for (size_t s = 0; s < strands; ++s) {
            std::vector<Vec3d> now = points_of(world, s);
            for (size_t k = 0; k < joints && !before[s].empty(); ++k)
                out.along[k] += std::pow(turned(before[s], now, k + 1), 2);
            before[s] = std::move(now);
        }
        if (!draw || i < kSteps - kExposures) continue;
        if (const Result<Picture> picture = run->picture(360, 360)) strobe.add(*picture);
    }
    out.picture = strobe.picture();
    const double dt = world.settings().dt;
    for (double& square : out.along) {
        square /= static_cast<double>(kMeasured * strands) * dt * dt;
        out.rate += square / static_cast<double>(joints);
        square = std::sqrt(square);
    }
    out.rate = std::sqrt(out.rate);
    out.stretch = world.measure().stretch_max;
    return out;
}

/// One kind of hair with all values of s_d.
struct Falls {
    Fall by[std::size(kDampings)];
    const Fall& usual() const { return by[3]; }
    bool unstable_without() const { return by[0].gained > 2; }
    bool stable() const { return usual().gained < 0.05 && usual().fifth < 0.01 * usual().first_second; }
    bool faster_with_less() const
    {
        return by[2].first_second > by[3].first_second && by[3].first_second > by[4].first_second;
    }
    bool still_damped() const { return by[2].fifth < 0.01 * by[2].first_second; }
    bool flutters() const { return usual().gained < 0.05 && usual().fifth > 0.1 * usual().first_second; }
    bool rests_only_with_all() const
    {
        const auto left = [this](size_t k) { return by[k].fifth / by[k].first_second; };
        return left(4) < 0.01 && std::min({left(0), left(1), left(2), left(3)}) > 0.01;
    }
    bool slower_with_less() const { return by[2].first_second < by[4].first_second; }
};

/// The known behaviour of the printed form: a weak shape behaves as claimed; with a strong shape, curls flutter below
/// s_d = 1, and a smaller s_d makes hair slower.
bool energy_as_known(const std::vector<Falls>& hair)
{
    bool as_known = true;
    for (const size_t weak : {0, 1})
        as_known &= hair[weak].unstable_without() && hair[weak].stable() && hair[weak].faster_with_less() &&
                    hair[weak].still_damped();
    for (const size_t strong : {2, 3}) as_known &= hair[strong].unstable_without() && hair[strong].slower_with_less();
    return as_known && hair[2].stable() && hair[3].flutters() && hair[3].rests_only_with_all();
}

void add_fall(LabTable& table, Finding& finding, const Hair& hair, double s, const Fall& fall)
{
    table.rows.push_back({hair.name, fmt::format("{}", hair.local), fmt::format("{}", hair.global),
                          fmt::format("{}", s), fmt::format("{:.3f}", fall.gained),
                          fmt::format("{:.2f}", fall.first_second), fmt::format("{:.2g}", 1e3 * fall.fifth)});
    const std::string name = fmt::format("{}_l{}_g{}_s{}", hair.style, hair.local, hair.global, s);
    finding.numbers.emplace_back(name + "_gained", fall.gained);
    finding.numbers.emplace_back(name + "_first_second_m_s", fall.first_second);
    finding.numbers.emplace_back(name + "_fifth_m_s", fall.fifth);
}

void add_energy_line(Plot& plot, const Hair& hair, double s, const Fall& fall)
{
    PlotLine line{fmt::format("s_l = {}, s_g = {}, s_d = {}", hair.local, hair.global, s), {}};
    const auto& samples = fall.series.samples();
    for (size_t i = 0; i < samples.size() && samples[i].time <= 2; ++i)
        line.values.push_back((samples[i].energy() - samples[0].energy()) / fall.drop);
    plot.x = times_of(fall.series);
    plot.x.resize(line.values.size());
    plot.lines.push_back(std::move(line));
}

/// Residual rates of hair that should be at rest [rad/s], by shape and tessellation, and of other curls that explain
/// them.
struct Rates {
    enum { kPrinted, kFaded, kHalved, kStable };
    double all[std::size(kShapes)][std::size(kTessellations)]{};
    double outwards = 1e9;                // outer over inner third as printed, the minimum over all tessellations
    double chain[2]{};                    // as printed, 20 and 60 segments of 1 cm
    double gentle = 0, gentle_faded = 0;  // curls of 15 cm per turn, 60 particles
    double stretch = 0;

    void add(size_t shape, size_t k, const Rest& rest)
    {
        all[shape][k] = rest.rate;
        stretch = std::max(stretch, rest.stretch);
        if (shape == kPrinted) outwards = std::min(outwards, rest.outer() / rest.inner());
    }
    /// The largest share of the printed rate at 60 and 120 particles.
    double share(size_t shape) const
    {
        return std::max(all[shape][2] / all[kPrinted][2], all[shape][3] / all[kPrinted][3]);
    }
    bool sound() const { return stretch < 1e-4 && outwards > 1.5 && share(kStable) < 0.02; }
    bool grows() const { return std::is_sorted(all[kPrinted], std::end(all[kPrinted])); }
    bool falls() const { return std::is_sorted(all[kPrinted], std::end(all[kPrinted]), std::greater<>()); }
    bool cured() const
    {
        return share(kFaded) < 0.2 && all[kFaded][2] < all[kHalved][2] && all[kFaded][3] < all[kHalved][3];
    }
    /// The known behaviour: finer strands flutter less, longer ones more; fading reduces the flutter, but at some sizes
    /// no more than halving does, and it disturbs gentle curls that were at rest.
    bool as_known() const
    {
        bool relieved = true;
        for (size_t k = 0; k < std::size(kTessellations); ++k) relieved &= all[kFaded][k] < all[kPrinted][k];
        return sound() && falls() && relieved && chain[1] > 5 * chain[0] && all[kHalved][2] < all[kFaded][2] &&
               gentle < 0.01 * all[kPrinted][2] && gentle_faded > 10 * gentle;
    }
};

/// Longer strands of the same segments, and gentler curls.
Result<Rates> other_curls(Lab& lab, Rates rates)
{
    const Overrides gentle{{"groom.curl_pitch", "0.15"}};
    const auto longer = [](int n) { return Overrides{{"groom.length", fmt::format("{}", 0.01 * (n - 1))}}; };
    const struct {
        double* rate;
        Overrides settings;
    } runs[]{{&rates.chain[0], curls_of(lab, 20, kShapes[Rates::kPrinted], longer(20))},
             {&rates.chain[1], curls_of(lab, 60, kShapes[Rates::kPrinted], longer(60))},
             {&rates.gentle, curls_of(lab, 60, kShapes[Rates::kPrinted], gentle)},
             {&rates.gentle_faded, curls_of(lab, 60, kShapes[Rates::kFaded], gentle)}};
    for (const auto& run : runs) {
        Result<Rest> one = rest(lab, run.settings);
        if (!one) return Error{one.error()};
        *run.rate = one->rate;
    }
    return rates;
}

Plot oscillation_plot()
{
    Plot plot;
    plot.title = "Along curls that should be at rest";
    plot.x_label = "share of the length, from the root";
    plot.y_label = "turning rate [rad/s]";
    plot.scale = PlotScale::kLogarithmic;
    for (int joint = 1; joint < 59; ++joint) plot.x.push_back(joint / 59.0);
    return plot;
}

LabTable other_table(const Rates& rates)
{
    const auto number = [](double value) { return fmt::format("{:.3g}", value); };
    return {"The same rate of other curls [rad/s]",
            {"curls", "rate"},
            {{"20 segments of 1 cm, as printed", number(rates.chain[0])},
             {"60 segments of 1 cm, as printed", number(rates.chain[1])},
             {"gentle: groom.curl_pitch = 0.15, 60 particles, as printed", number(rates.gentle)},
             {"gentle, faded to the tip", number(rates.gentle_faded)}}};
}

void conclude(Finding& finding, const Rates& rates)
{
    const auto& [printed, faded, halved, stable] = rates.all;
    finding.holds = rates.sound() && rates.grows() && rates.cured();
    finding.measured = fmt::format(
        "As printed, curls of 59 cm in 20, 40, 60 and 120 particles flutter at {:.2g}, {:.2g}, {:.2g} and {:.2g} "
        "rad/s indefinitely, at least {:.1f} times as much in their outer third as in the inner. Faded to the tip: "
        "{:.2g}, {:.2g}, {:.2g} and {:.1g}; half as strong everywhere instead: {:.2g}, {:.2g}, {:.2g} and {:.2g}. The "
        "stable form: at most {:.1g}.",
        printed[0], printed[1], printed[2], printed[3], rates.outwards, faded[0], faded[1], faded[2], faded[3],
        halved[0], halved[1], halved[2], halved[3], *std::max_element(stable, std::end(stable)));
    if (rates.as_known())
        finding.reason = fmt::format(
            "the flutter does grow down the chain, but finer strands of the same length flutter less, not more: it "
            "grows with a longer chain of equal segments ({:.2g} rad/s with 60 of 1 cm, {:.2g} with 20). Fading "
            "reduces the flutter but does not remove it: it leaves {:.0f} % at 20 particles and {:.0f} % at 60, where "
            "halving the coefficients everywhere leaves {:.0f} %, and it disturbs gentle curls that rest as printed "
            "({:.2g} rad/s, {:.2g} with fading). The default form of the shape comes to rest without it",
            rates.chain[1], rates.chain[0], 100 * faded[0] / printed[0], 100 * faded[2] / printed[2],
            100 * halved[2] / printed[2], rates.gentle, rates.gentle_faded);
    finding.numbers.emplace_back("outer_over_inner", rates.outwards);
    finding.numbers.emplace_back("chain_20", rates.chain[0]);
    finding.numbers.emplace_back("chain_60", rates.chain[1]);
    finding.numbers.emplace_back("gentle", rates.gentle);
    finding.numbers.emplace_back("gentle_faded", rates.gentle_faded);
}

}  // namespace

Result<Finding> find_energy(Lab& lab)
{
    Finding finding;
    LabTable table{
        "Hair that falls from its rest pose, steps of 0.016 s, in papers/sanchez15_ball: waves of 24 particles and 30 "
        "cm, curls of 60 particles and 59 cm",
        {"hair", "s_l", "s_g", "s_d", "energy gained [drops]", "rms speed of the first second [m/s]",
         "of the fifth [mm/s]"},
        {}};
    Plot plot;
    plot.title = "Energy of curls relative to the start";
    plot.x_label = "time [s]";
    plot.y_label = "drops";
    std::vector<Falls> hair;
    for (const Hair& one : kHair) {
        Falls& falls = hair.emplace_back();
        for (size_t k = 0; k < std::size(kDampings); ++k) {
            Result<Fall> made = fall(lab, one, kDampings[k]);
            if (!made) return Error{made.error()};
            falls.by[k] = std::move(*made);
            add_fall(table, finding, one, kDampings[k], falls.by[k]);
            if (one.particles == 60 && kDampings[k] >= 0.8) add_energy_line(plot, one, kDampings[k], falls.by[k]);
        }
    }
    const auto all = [&](bool (Falls::*is)() const) {
        return std::all_of(hair.begin(), hair.end(), [&](const Falls& one) { return (one.*is)(); });
    };
    finding.holds = all(&Falls::unstable_without) && all(&Falls::stable) && all(&Falls::faster_with_less) &&
                    all(&Falls::still_damped);
    const auto &weak = hair[1].usual(), &strong = hair[3].usual();
    finding.measured = fmt::format(
        "Curls gain {:.0f} drops and more at s_d = 0; none of the four gains more than {:.3f} at 0.9. With a weak "
        "shape, they move at {:.2f}, {:.2f} and {:.2f} m/s in the first second at 0.8, 0.9 and 1, and in the fifth at "
        "{:.2g} mm/s at 0.9. With s_l = 0.3 and s_g = 0.1, they move at {:.2f}, {:.2f} and {:.2f} m/s, and at 0.9 "
        "still at {:.0f} mm/s in the fifth.",
        std::min(hair[1].by[0].gained, hair[3].by[0].gained),
        std::max({hair[0].usual().gained, weak.gained, hair[2].usual().gained, strong.gained}),
        hair[1].by[2].first_second, weak.first_second, hair[1].by[4].first_second, 1e3 * weak.fifth,
        hair[3].by[2].first_second, strong.first_second, hair[3].by[4].first_second, 1e3 * strong.fifth);
    if (energy_as_known(hair))
        finding.reason = fmt::format(
            "it is true for a weak shape. With the largest coefficients that the paper recommends, hair never has more "
            "energy than at its start at 0.9, but tight curls do not come to rest: at s_d = 0.9 they keep {:.0f} % of "
            "their speed as a flutter, and only s_d = 1 ends it. A smaller s_d does not restore motion there either: "
            "from 1 to 0.8, hair becomes slower. The default form of the shape comes to rest (sanchez15/oscillation)",
            100 * strong.fifth / strong.first_second);
    finding.figures.push_back({"Left to future work in the paper: energy against s_d", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_oscillation(Lab& lab)
{
    Finding finding;
    LabTable table{
        "Curls of 59 cm that should be at rest: rms turning rate of a segment relative to the one before it, 3.3 to "
        "4.8 s after their start [rad/s]. s_l = 0.3, s_g = 0.1, s_d = 0.9, no air; a turn of the curl is 3 segments "
        "with 20 particles and 20 with 120",
        {"", "20 particles", "40", "60", "120"},
        {}};
    Plot plot = oscillation_plot();
    std::vector<Picture> pictures;
    Rates rates;
    for (size_t h = 0; h < std::size(kShapes); ++h) {
        std::vector<std::string> row{kShapes[h].name};
        for (size_t k = 0; k < std::size(kTessellations); ++k) {
            const bool draw = kTessellations[k] == 60;
            Result<Rest> one = rest(lab, curls_of(lab, kTessellations[k], kShapes[h]), draw);
            if (!one) return Error{one.error()};
            rates.add(h, k, *one);
            row.push_back(fmt::format("{:.2g}", one->rate));
            finding.numbers.emplace_back(fmt::format("{} {}", kShapes[h].name, kTessellations[k]), one->rate);
            if (!draw) continue;
            pictures.push_back(labelled(std::move(one->picture), kShapes[h].name));
            plot.lines.push_back({kShapes[h].name, std::move(one->along)});
            for (double& value : plot.lines.back().values) value = std::max(value, 1e-6);
        }
        table.rows.push_back(std::move(row));
    }
    Result<Rates> complete = other_curls(lab, rates);
    if (!complete) return Error{complete.error()};
    conclude(finding, *complete);
    finding.figures.push_back(
        {"60 particles: the last 8 steps of 4.8 s overlaid. Hair at rest is sharp, moving hair is blurred",
         side_by_side(pictures, 2)});
    finding.figures.push_back(
        {"60 particles: the flutter grows down the chain; values below 1e-6 are shown as 1e-6", {}, plot});
    finding.tables.push_back(std::move(table));
    finding.tables.push_back(other_table(*complete));
    return finding;
}

}  // namespace tendril::app::sanchez
