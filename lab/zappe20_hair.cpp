// The split method: the mohawk.
#include "bench/tractrix_bench.h"
#include "lab_pictures.h"
#include "zappe20.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

Result<Finding> find_mohawk(Lab& lab)
{
    constexpr double kFrame = 1e3 / 60;  // [ms]
    Result<LabRun> split = lab.open(kMohawk), groomed = lab.open(kMohawk, {{"solver.style", "1"}});
    if (!split) return Error{split.error()};
    if (!groomed) return Error{groomed.error()};
    const int steps = lab.size(60, 300);
    const double ms = milliseconds(lab.time_of_step(*split, steps));
    while (groomed->world().steps() < split->world().steps()) groomed->world().step();
    const double stands = standing(split->world(), groomed->world());
    Result<Picture> hero = split->picture(720, 720);
    if (!hero) return Error{hero.error()};
    Result<LabRun> emulation = lab.open(kMohawk, {{"solver.type", "tractrix_emulation"}});
    if (!emulation) return Error{emulation.error()};
    const double slow = milliseconds(lab.time_of_step(*emulation, lab.size(8, 60)));

    Finding finding;
    finding.holds = ms < kFrame && stands > 0.5;
    finding.measured = fmt::format(
        "{:.2f} ms per step of 16.7 ms on {} threads; the emulation takes {:.1f} ms. Tips are at {:.0f} % of their "
        "groomed height above the scalp.",
        ms, lab.threads(), slow, 100 * stands);
    finding.numbers = {{"split_ms", ms}, {"emulation_ms", slow}, {"standing", stands}};
    finding.tables.push_back({"2,228 strands of 32 particles",
                              {"", "here, processor", "printed, graphics card"},
                              {{"split method", fmt::format("{:.2f} ms", ms), "1.6 ms"},
                               {"emulation", fmt::format("{:.1f} ms", slow), "about 140 ms (7 frames per second)"}}});
    finding.figures.push_back({"The mohawk while the head looks around", *hero});
    return finding;
}

Result<Finding> find_frame_1000(Lab& lab)
{
    const Overrides fewer{{"groom.strands", lab.size("800", "2228")}};
    Overrides exactly = fewer;
    exactly.emplace_back("solver.style", "1");
    Result<LabRun> run = lab.open(kMohawk, fewer), groomed = lab.open(kMohawk, exactly);
    if (!run) return Error{run.error()};
    if (!groomed) return Error{groomed.error()};
    const double strand = run->scene().grooms[0].length;
    Plot plot;
    plot.title = "Tips off their groomed position";
    plot.x_label = "frame";
    plot.y_label = "% of the length";
    plot.lines = {{"mean distance", {}}};
    std::vector<Picture> pictures;
    double before = 0, last = 0, at_end = 0, first = 0, stretch = 0;
    for (int frame = 1; frame <= 1000; ++frame) {
        run->world().step();
        groomed->world().step();
        if (frame == 1 || frame == 333 || frame == 667 || frame == 1000)
            if (Result<Picture> picture = run->picture(320, 320))
                pictures.push_back(labelled(std::move(*picture), fmt::format("frame {}", frame)));
        if (frame != 1 && frame % 5 != 0) continue;
        const double off = tip_distance(run->world(), groomed->world(), strand);
        if (frame == 1) first = off;
        if (frame > 500 && frame <= 750) before += off / 50;
        if (frame > 750) last += off / 50;
        at_end = off;
        plot.x.push_back(frame);
        plot.lines[0].values.push_back(100 * off);
        if (frame % 50 == 0) stretch = std::max(stretch, run->world().measure().stretch_max);
    }
    const Result<double> split = residual_speed(lab, {}, 600);
    const Result<double> emulation = residual_speed(
        lab, {{"solver.type", "tractrix_emulation"}, {"shape.local", "2000"}, {"shape.global", "20"}}, 600);
    if (!split) return Error{split.error()};
    if (!emulation) return Error{emulation.error()};

    Finding finding;
    finding.holds = at_end < 0.25 && last < 1.1 * before && stretch < 1e-5 && *split < 1e-3;
    finding.measured = fmt::format(
        "Tips are {:.1f} % of their length off at frame 1 and {:.1f} % at frame 1000; {:.2f} % on average over frames "
        "501 to 750, {:.2f} % after. Largest stretch {:.1e}. At rest, the fastest particle moves at {:.2g} mm/s with "
        "the split method, and at {:.2g} mm/s with the emulation and a style.",
        100 * first, 100 * at_end, 100 * before, 100 * last, stretch, 1e3 * *split, 1e3 * *emulation);
    finding.numbers = {{"off_frame_1", first},
                       {"off_frame_1000", at_end},
                       {"stretch", stretch},
                       {"rest_speed_split", *split},
                       {"rest_speed_emulation", *emulation}};
    finding.figures.push_back({"Frames 1, 333, 667 and 1000", side_by_side(pictures, 2)});
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
    plot.lines = {{"tips, mean", {}}};
    std::vector<Picture> pictures;
    std::vector<double> off;
    for (const double style : styles) {
        // On a still head, where the groomed positions are known.
        Result<LabRun> run = lab.open(kMohawk, {{"groom.strands", lab.size("800", "2228")},
                                                {"body.clip", "still"},
                                                {"render.distance", "1.1"},
                                                {"solver.style", fmt::format("{}", style)}});
        if (!run) return Error{run.error()};
        World& world = run->world();
        for (uint64_t i = 0; i < kSteps; ++i) world.step();
        off.push_back(distance_from_groom(world) / run->scene().grooms[0].length);
        plot.x.push_back(style);
        plot.lines[0].values.push_back(100 * off.back());
        finding.numbers.emplace_back(fmt::format("off_at_{}", style), off.back());
        if (Result<Picture> picture = run->picture(300, 300))
            pictures.push_back(labelled(std::move(*picture), fmt::format("style {}", style)));
    }
    bool falls = true;
    for (size_t i = 1; i < off.size(); ++i) falls &= off[i] < off[i - 1];
    finding.holds = falls && off.back() < 1e-3;
    finding.measured = fmt::format(
        "Tips are off by {:.0f}, {:.0f}, {:.0f}, {:.0f}, {:.0f} and {:.1f} % of their length with a style of 0, 0.2, "
        "0.4, 0.6, 0.8 and 1.",
        100 * off[0], 100 * off[1], 100 * off[2], 100 * off[3], 100 * off[4], 100 * off[5]);
    finding.figures.push_back({"0, 0.2, 0.4; 0.6, 0.8 and 1, after 2 s", side_by_side(pictures, 3)});
    finding.figures.push_back({"Distance of the tips from their groomed positions", {}, plot});
    return finding;
}

Result<Finding> find_growth_of_cost(Lab& lab)
{
    using Size = bench::TractrixFigures::Size;
    const bench::TractrixFigures figures = bench::measure_tractrix(lab.size(3, 9), [](int) {});
    Finding finding;
    LabTable table{"2,228 strands on one thread, milliseconds per step (medians)",
                   {"particles", "emulation", "split", "tractrix in follow-the-leader", "follow-the-leader"},
                   {}};
    Plot plot;
    plot.title = "Time of a step";
    plot.x_label = "particles per strand";
    plot.y_label = "ms";
    plot.scale = plot.x_scale = PlotScale::kLogarithmic;
    plot.lines = {{"emulation", {}}, {"split", {}}, {"tractrix in follow-the-leader", {}}, {"follow-the-leader", {}}};
    for (const Size& size : figures.sizes) {
        const double times[]{size.emulation.median(), size.split.median(), size.ftl.median(), size.dftl.median()};
        std::vector<std::string> row{fmt::format("{}", size.particles)};
        plot.x.push_back(size.particles);
        for (size_t i = 0; i < std::size(times); ++i) {
            plot.lines[i].values.push_back(times[i]);
            row.push_back(fmt::format("{:.3f}", times[i]));
        }
        table.rows.push_back(std::move(row));
    }
    const double emulation = figures.exponent(&Size::emulation), split = figures.exponent(&Size::split);
    const double share = (figures.mohawk().split / figures.mohawk().emulation).median();
    finding.holds = emulation > 1.7 && emulation < 2.3 && split < 1.5 && share < 1.0 / 3;
    finding.measured = fmt::format(
        "The cost of the emulation grows with the power {:.2f} of the particles, that of the split method with the "
        "power {:.2f}; at 32 particles, it takes {:.0f} % of the emulation's time.",
        emulation, split, 100 * share);
    finding.numbers = {{"power_emulation", emulation}, {"power_split", split}, {"split_over_emulation", share}};
    finding.figures.push_back({"Time of a step against the particles of a strand", {}, plot});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app
