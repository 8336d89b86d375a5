// The split method: the mohawk.
#include "bench/tractrix_bench.h"
#include "both_forms.h"
#include "lab_pictures.h"
#include "zappe20.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace tendril::app {
namespace {

constexpr const char* kMohawk = "papers/zappe20_mohawk";

/// Mean distance between the tips of two runs of the same groom, in lengths of a strand. A run with style 1 is the
/// groom, carried by the head.
double tip_distance(World& a, World& b, double strand_length)
{
    double sum = 0;
    const size_t strands = a.groom({0}).strand_count(), tip = a.groom({0}).points(0).size() - 1;
    for (size_t s = 0; s < strands; ++s) sum += length(a.position({{0}, s, tip}) - b.position({{0}, s, tip}));
    return sum / static_cast<double>(strands) / strand_length;
}

/// Mean distance of the tips from their groomed positions, on a head at rest [m].
double distance_from_groom(World& world)
{
    double sum = 0;
    const Groom& groom = world.groom({0});
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        const auto rest = groom.points(s);
        sum += length(world.position({{0}, s, rest.size() - 1}) - to_double(rest.back()));
    }
    return sum / static_cast<double>(groom.strand_count());
}

/// Mean height of the tips above their roots along their groomed direction, relative to the groom: 1 if all stand as
/// groomed.
double standing(World& world, World& groomed)
{
    double sum = 0;
    const size_t strands = world.groom({0}).strand_count(), tip = world.groom({0}).points(0).size() - 1;
    for (size_t s = 0; s < strands; ++s) {
        const Vec3d wanted = groomed.position({{0}, s, tip}) - groomed.position({{0}, s, 0});
        sum += dot(world.position({{0}, s, tip}) - world.position({{0}, s, 0}), wanted) / dot(wanted, wanted);
    }
    return sum / static_cast<double>(strands);
}

double milliseconds(const StageSeconds& seconds)
{
    return 1e3 * (seconds.roots + seconds.body + seconds.interaction + seconds.solve);
}

/// Speed of the fastest particle on a still head after some steps [m/s].
Result<double> residual_speed(Lab& lab, const Overrides& overrides, uint64_t steps)
{
    Overrides still = overrides;
    still.insert(still.end(), {{"body.clip", "still"}, {"groom.strands", "200"}});
    Result<LabRun> run = lab.open(kMohawk, still);
    if (!run) return Error{run.error()};
    for (uint64_t i = 0; i < steps; ++i) run->world().step();
    return run->world().measure().fastest;
}

}  // namespace

namespace {

/// Steps of the mohawk.
struct Mohawk {
    double split = 0, emulation = 0;  // [ms]
    double stands = 0;                // see standing()
    Picture picture;
};

Result<Mohawk> mohawk(Lab& lab, const char* form)
{
    Result<LabRun> split = lab.open(kMohawk, {{"solver.form", form}}),
                   groomed = lab.open(kMohawk, {{"solver.style", "1"}});
    if (!split) return Error{split.error()};
    if (!groomed) return Error{groomed.error()};
    Mohawk out;
    out.split = milliseconds(lab.time_of_step(*split, lab.size(60, 300)));
    while (groomed->world().steps() < split->world().steps()) groomed->world().step();
    out.stands = standing(split->world(), groomed->world());
    Result<Picture> hero = split->picture(480, 480);
    if (!hero) return Error{hero.error()};
    out.picture = std::move(*hero);
    Result<LabRun> emulation = lab.open(kMohawk, {{"solver.type", "tractrix_emulation"}, {"solver.form", form}});
    if (!emulation) return Error{emulation.error()};
    out.emulation = milliseconds(lab.time_of_step(*emulation, lab.size(4, 30), 1));
    return out;
}

}  // namespace

Result<Finding> find_mohawk(Lab& lab)
{
    constexpr double kFrame = 1e3 / 60;  // [ms]
    Finding finding;
    std::vector<Mohawk> found;
    std::vector<Picture> pictures;
    LabTable table{"2,228 strands of 32 particles: milliseconds per step",
                   {"", "as printed, one strand at a time", "ours, in SIMD lanes", "printed, graphics card"},
                   {{"split method"}, {"emulation"}}};
    for (const LabForm& form : kLabForms) {
        Result<Mohawk> one = mohawk(lab, form.value);
        if (!one) return Error{one.error()};
        finding.numbers.emplace_back(fmt::format("{}_split_ms", form.value), one->split);
        finding.numbers.emplace_back(fmt::format("{}_emulation_ms", form.value), one->emulation);
        finding.numbers.emplace_back(fmt::format("{}_standing", form.value), one->stands);
        table.rows[0].push_back(fmt::format("{:.2f}", one->split));
        table.rows[1].push_back(fmt::format("{:.1f}", one->emulation));
        pictures.push_back(labelled(one->picture, form.name));
        found.push_back(std::move(*one));
    }
    table.rows[0].emplace_back("1.6");
    table.rows[1].emplace_back("about 140 (7 frames per second)");
    const auto fits = [](const Mohawk& one) { return one.split < kFrame && one.stands > 0.5; };
    judge(
        finding, fits(found[0]), fits(found[1]),
        "the half-angle form of the move for sixteen strands at once, with a second strand and a blend of directions");
    finding.measured = fmt::format(
        "{:.1f} ms per step of 16.7 ms on {} threads as printed, {:.2f} ms with our form; the emulation takes {:.0f} "
        "and "
        "{:.1f} ms. Tips are at {:.0f} % of their groomed height above the scalp as printed, {:.0f} % with ours.",
        found[0].split, lab.threads(), found[1].split, found[0].emulation, found[1].emulation, 100 * found[0].stands,
        100 * found[1].stands);
    if (!finding.holds && found[0].stands > 0.5 && found[1].stands > 0.5)
        finding.reason = "this machine is too slow for a graphics card's figures";
    finding.tables.push_back(std::move(table));
    finding.figures.push_back({"The mohawk while the head looks around", side_by_side(pictures, 2)});
    return finding;
}

namespace {

/// A thousand frames, and the residual motion on a still head.
struct Thousand {
    double first = 0, before = 0, last = 0, at_end = 0;  // tips off their groomed position [lengths]
    double stretch = 0;
    double split = 0, emulation = 0;  // fastest particle at rest [m/s]
    std::vector<double> frames, off;  // [% of the length]
    Picture pictures;

    bool as_claimed() const { return at_end < 0.25 && last < 1.1 * before && stretch < 1e-5 && split < 1e-3; }
};

Result<Thousand> thousand(Lab& lab, const char* form)
{
    const Overrides fewer{{"groom.strands", lab.size("400", "2228")}};
    Overrides exactly = fewer, formed = fewer;
    exactly.emplace_back("solver.style", "1");
    formed.emplace_back("solver.form", form);
    Result<LabRun> run = lab.open(kMohawk, formed), groomed = lab.open(kMohawk, exactly);
    if (!run) return Error{run.error()};
    if (!groomed) return Error{groomed.error()};
    const double strand = run->scene().grooms[0].length;
    Thousand out;
    std::vector<Picture> pictures;
    for (int frame = 1; frame <= 1000; ++frame) {
        run->world().step();
        groomed->world().step();
        if (frame == 1 || frame == 333 || frame == 667 || frame == 1000)
            if (Result<Picture> picture = run->picture(320, 320))
                pictures.push_back(labelled(std::move(*picture), fmt::format("frame {}", frame)));
        if (frame != 1 && frame % 5 != 0) continue;
        const double off = tip_distance(run->world(), groomed->world(), strand);
        if (frame == 1) out.first = off;
        if (frame > 500 && frame <= 750) out.before += off / 50;
        if (frame > 750) out.last += off / 50;
        out.at_end = off;
        out.frames.push_back(frame);
        out.off.push_back(100 * off);
        if (frame % 50 == 0) out.stretch = std::max(out.stretch, run->world().measure().stretch_max);
    }
    const Result<double> split = residual_speed(lab, {{"solver.form", form}}, 600);
    const Result<double> emulation = residual_speed(
        lab,
        {{"solver.type", "tractrix_emulation"}, {"solver.form", form}, {"shape.local", "2000"}, {"shape.global", "20"}},
        lab.size(200, 600));
    if (!split) return Error{split.error()};
    if (!emulation) return Error{emulation.error()};
    out.split = *split;
    out.emulation = *emulation;
    out.pictures = side_by_side(pictures, 2);
    return out;
}

}  // namespace

Result<Finding> find_frame_1000(Lab& lab)
{
    Finding finding;
    Plot plot;
    plot.title = "Tips off their groomed position";
    plot.x_label = "frame";
    plot.y_label = "% of the length";
    std::vector<Thousand> found;
    for (const LabForm& form : kLabForms) {
        Result<Thousand> one = thousand(lab, form.value);
        if (!one) return Error{one.error()};
        plot.x = one->frames;
        plot.lines.push_back({form.name, one->off, form.printed()});
        finding.numbers.emplace_back(fmt::format("{}_off_frame_1", form.value), one->first);
        finding.numbers.emplace_back(fmt::format("{}_off_frame_1000", form.value), one->at_end);
        finding.numbers.emplace_back(fmt::format("{}_stretch", form.value), one->stretch);
        finding.numbers.emplace_back(fmt::format("{}_rest_speed_split", form.value), one->split);
        finding.numbers.emplace_back(fmt::format("{}_rest_speed_emulation", form.value), one->emulation);
        finding.figures.push_back(
            {fmt::format("Frames 1, 333, 667 and 1000, {}", form.name), std::move(one->pictures)});
        found.push_back(std::move(*one));
    }
    const Thousand &printed = found[0], &ours = found[1];
    judge(
        finding, printed.as_claimed(), ours.as_claimed(),
        "the half-angle form of the move, with the displacement that the back move leaves as the velocity of the tip");
    finding.measured = fmt::format(
        "As printed, tips are {:.1f} % of their length off at frame 1 and {:.1f} % at frame 1000; {:.2f} % on average "
        "over frames 501 to 750, {:.2f} % after. With our form, {:.1f} and {:.1f} %; {:.2f} and {:.2f} %. Largest "
        "stretch {:.1e} and {:.1e}. On a still head, the fastest particle moves at {:.2g} mm/s as printed and {:.2g} "
        "mm/s with ours; with the emulation and a style, at {:.2g} and {:.2g} mm/s.",
        100 * printed.first, 100 * printed.at_end, 100 * printed.before, 100 * printed.last, 100 * ours.first,
        100 * ours.at_end, 100 * ours.before, 100 * ours.last, printed.stretch, ours.stretch, 1e3 * printed.split,
        1e3 * ours.split, 1e3 * printed.emulation, 1e3 * ours.emulation);
    finding.figures.push_back({"The head looks around all the time", {}, plot});
    return finding;
}

Result<Finding> find_one_number(Lab& lab)
{
    const std::vector<double> styles{0, 0.2, 0.4, 0.6, 0.8, 1};
    constexpr uint64_t kSteps = 120;
    Finding finding;
    Plot plot;
    plot.title = "Distance from the groom";
    plot.x_label = "solver.style";
    plot.y_label = "% of the length";
    plot.x = styles;
    bool fits[2]{};
    std::string text[2];
    for (size_t k = 0; k < std::size(kLabForms); ++k) {
        const LabForm& form = kLabForms[k];
        plot.lines.push_back({form.name, {}, form.printed()});
        std::vector<Picture> pictures;
        std::vector<double> off;
        for (const double style : styles) {
            // On a still head, where the groomed positions are known.
            Result<LabRun> run = lab.open(kMohawk, {{"groom.strands", lab.size("400", "2228")},
                                                    {"body.clip", "still"},
                                                    {"render.distance", "1.1"},
                                                    {"solver.form", form.value},
                                                    {"solver.style", fmt::format("{}", style)}});
            if (!run) return Error{run.error()};
            World& world = run->world();
            for (uint64_t i = 0; i < kSteps; ++i) world.step();
            off.push_back(distance_from_groom(world) / run->scene().grooms[0].length);
            plot.lines.back().values.push_back(100 * off.back());
            finding.numbers.emplace_back(fmt::format("{}_off_at_{}", form.value, style), off.back());
            text[k] += fmt::format("{}{:.{}f}",
                                   style == 0  ? ""
                                   : style < 1 ? ", "
                                               : " and ",
                                   100 * off.back(), off.back() < 0.1 ? 1 : 0);
            if (Result<Picture> picture = run->picture(300, 300))
                pictures.push_back(labelled(std::move(*picture), fmt::format("style {}", style)));
        }
        fits[k] = off.back() < 1e-3;
        for (size_t i = 1; i < off.size(); ++i) fits[k] &= off[i] < off[i - 1];
        finding.figures.push_back({fmt::format("After 2 s, {}", form.name), side_by_side(pictures, 3)});
    }
    judge(finding, fits[0], fits[1], "a blend of unit vectors instead of a rotation by a share of the angle");
    finding.measured = fmt::format(
        "With a style of 0, 0.2, 0.4, 0.6, 0.8 and 1, tips are off by {} % of their length as printed, and by {} % "
        "with "
        "our form.",
        text[0], text[1]);
    finding.figures.push_back({"Distance of the tips from their groomed positions", {}, plot});
    return finding;
}

namespace {

constexpr int kCostSizes[]{8, 16, 32, 64};

/// Processor times of a step as printed, by number of particles [ms].
struct PrintedCost {
    std::vector<double> emulation, split;
    static double power(const std::vector<double>& times)
    {
        return std::log(times.back() / times.front()) / std::log(static_cast<double>(kCostSizes[3]) / kCostSizes[0]);
    }
};

Result<PrintedCost> printed_cost(Lab& lab)
{
    PrintedCost cost;
    for (const int particles : kCostSizes)
        for (const char* method : {"tractrix_emulation", "tractrix_split"}) {
            Result<LabRun> run = lab.open(kMohawk,
                                          {{"groom.strands", lab.size("256", "2228")},
                                           {"groom.particles", fmt::format("{}", particles)},
                                           {"solver.type", method},
                                           {"solver.form", "paper"}},
                                          1);
            if (!run) return Error{run.error()};
            const double ms = 1e3 * lab.processor_seconds(*run, lab.size(5, 15));
            (method[9] == 'e' ? cost.emulation : cost.split).push_back(ms);
        }
    return cost;
}

}  // namespace

Result<Finding> find_growth_of_cost(Lab& lab)
{
    using Size = bench::TractrixFigures::Size;
    const Result<PrintedCost> printed = printed_cost(lab);
    if (!printed) return Error{printed.error()};
    const bench::TractrixFigures figures = bench::measure_tractrix(lab.size(3, 9), [](int) {});
    Finding finding;
    LabTable table{fmt::format("Milliseconds per step on one thread (medians); as printed {} strands, ours 2,228",
                               lab.size("256", "2,228")),
                   {"particles", "emulation as printed", "split as printed", "emulation", "split",
                    "tractrix in follow-the-leader", "follow-the-leader"},
                   {}};
    Plot plot;
    plot.title = "Time of a step";
    plot.x_label = "particles per strand";
    plot.y_label = "ms";
    plot.scale = plot.x_scale = PlotScale::kLogarithmic;
    plot.lines = {{"emulation", {}}, {"split", {}}, {"tractrix in follow-the-leader", {}}, {"follow-the-leader", {}}};
    for (size_t k = 0; k < figures.sizes.size(); ++k) {
        const Size& size = figures.sizes[k];
        const double times[]{size.emulation.median(), size.split.median(), size.ftl.median(), size.dftl.median()};
        std::vector<std::string> row{fmt::format("{}", size.particles)};
        const auto at =
            std::find(std::begin(kCostSizes), std::end(kCostSizes), static_cast<int>(size.particles)) - kCostSizes;
        const auto shown = [&](const std::vector<double>& ms) {
            const auto i = static_cast<size_t>(at);
            row.push_back(i < ms.size() ? fmt::format("{:.2f}", ms[i]) : "");
        };
        shown(printed->emulation);
        shown(printed->split);
        plot.x.push_back(size.particles);
        for (size_t i = 0; i < std::size(times); ++i) {
            plot.lines[i].values.push_back(times[i]);
            row.push_back(fmt::format("{:.3f}", times[i]));
        }
        table.rows.push_back(std::move(row));
    }
    const auto fits = [](double emulation, double split, double share) {
        return emulation > 1.7 && emulation < 2.3 && split < 1.5 && share < 1.0 / 3;
    };
    const double printed_emulation = PrintedCost::power(printed->emulation),
                 printed_split = PrintedCost::power(printed->split),
                 printed_share = printed->split[2] / printed->emulation[2];
    const double emulation = figures.exponent(&Size::emulation), split = figures.exponent(&Size::split);
    const double share = (figures.mohawk().split / figures.mohawk().emulation).median();
    judge(finding, fits(printed_emulation, printed_split, printed_share), fits(emulation, split, share),
          "the half-angle form of the move for sixteen strands at once");
    finding.measured = fmt::format(
        "As printed, the cost of the emulation grows with the power {:.2f} of the particles, that of the split method "
        "with the power {:.2f}; at 32 particles, it takes {:.0f} % of the emulation's time. With our form: {:.2f}, "
        "{:.2f}, {:.0f} %.",
        printed_emulation, printed_split, 100 * printed_share, emulation, split, 100 * share);
    finding.numbers = {{"printed_power_emulation", printed_emulation},
                       {"printed_power_split", printed_split},
                       {"printed_split_over_emulation", printed_share},
                       {"power_emulation", emulation},
                       {"power_split", split},
                       {"split_over_emulation", share}};
    finding.figures.push_back({"Time of a step against the particles of a strand, with our form", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
