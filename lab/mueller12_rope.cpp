// [Mueller12] 3.5 and Fig. 2: a rope between two hands, and one that resists bending.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "mueller12.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app::mueller {
namespace {

/// A rope between two hands after it has settled.
struct Bridge {
    double asymmetry = 0, sag = 0, stretch = 0, speed = 0;
    Picture picture;
};

Result<Bridge> bridge(Lab& lab, const Overrides& overrides)
{
    Result<LabRun> run = lab.open("papers/mueller12_fig2", overrides);
    if (!run) return Error{run.error()};
    Bridge out;
    const Series series = run->simulate(1000);
    for (const Sample& sample : series.samples()) {
        out.stretch = std::max(out.stretch, sample.stretch_max);
        out.speed = sample.fastest;
    }
    const std::vector<Vec3d> p = points_of(run->world());
    for (size_t i = 0; i < p.size(); ++i) {
        const Vec3d &a = p[i], &b = p[p.size() - 1 - i];
        out.asymmetry = std::max({out.asymmetry, std::abs(a.y - b.y), std::abs(a.x + b.x - p.front().x - p.back().x)});
        out.sag = std::max(out.sag, -a.y);
    }
    Result<Picture> picture = run->picture(360, 240);
    if (!picture) return Error{picture.error()};
    out.picture = std::move(*picture);
    return out;
}

/// Distance of the centre of a free rope from a falling stone after a second [m].
Result<double> free_fall_error(Lab& lab)
{
    Result<LabRun> run = lab.open("papers/mueller12_fig2",
                                  {{"groom.ends", "free"}, {"air.drag_normal", "0"}, {"air.drag_tangential", "0"}});
    if (!run) return Error{run.error()};
    const auto middle = [&] {
        Vec3d sum{0, 0, 0};
        const std::vector<Vec3d> points = points_of(run->world());
        for (const Vec3d& p : points) sum += p * (1.0 / static_cast<double>(points.size()));
        return sum;
    };
    const Vec3d start = middle();
    run->simulate(100);
    return length(middle() - start - Vec3d{0, -10 * 0.01 * 0.01 * 100 * 101 / 2, 0});  // as symplectic Euler falls
}

/// The sharpest bend of a dragged rope over time, as the angle between segments [rad], and the largest stretch.
struct Bend {
    double angle = 4, stretch = 0;
    uint64_t step = 0;  // of the sharpest bend
    Vec3d position{0, 0, 0};
};

Overrides limited(double limit, const char* order)
{
    return {{"solver.bend_limit", fmt::format("{}", limit)}, {"solver.bend_order", order}};
}

Result<Bend> sharpest_bend(Lab& lab, const Overrides& settings)
{
    Result<LabRun> run = lab.open("papers/mueller12_eq11", settings);
    if (!run) return Error{run.error()};
    Bend out;
    const Series series = run->simulate(400, [&](World& world) {
        const std::vector<Vec3d> points = points_of(world);
        for (size_t i = 1; i + 1 < points.size(); ++i) {
            const double angle = 3.14159265358979323846 - turn_at(points, i);
            if (angle > out.angle - 1e-4) continue;
            out.angle = angle;
            out.step = world.steps();
            out.position = points[i];
        }
    });
    for (const Sample& sample : series.samples()) out.stretch = std::max(out.stretch, sample.stretch_max);
    return out;
}

/// A close-up of the sharpest bend.
Result<Picture> picture_of(Lab& lab, const Overrides& settings, const Bend& bend)
{
    Result<LabRun> run = lab.open("papers/mueller12_eq11", settings);
    if (!run) return Error{run.error()};
    for (uint64_t i = 0; i < bend.step; ++i) run->world().step();
    run->look_at(bend.position + Vec3d{0, 0, 0.7}, bend.position);
    return run->picture(280, 240);
}

}  // namespace

Result<Finding> find_both_ends(Lab& lab)
{
    constexpr double kCatenary = 0.265438;  // sag of a chain at a span of 0.8, in units of its length
    const struct {
        const char* name;
        Overrides settings;
    } variants[]{{"weighted, Fig. 2e", {{"solver.end_blend", "weighted"}}},
                 {"average, Fig. 2d", {{"solver.end_blend", "average"}}},
                 {"equal masses (direct)", {{"solver.type", "direct"}}}};
    Finding finding;
    LabTable table{"A metre of rope over a span of 0.8 m, after 10 s; a catenary sags by 0.265 m",
                   {"blend", "asymmetry [mm]", "sag [m]", "largest stretch", "speed [mm/s]"},
                   {}};
    std::vector<Picture> pictures;
    Bridge bridges[3];
    for (size_t k = 0; k < std::size(variants); ++k) {
        Result<Bridge> one = bridge(lab, variants[k].settings);
        if (!one) return Error{one.error()};
        table.rows.push_back({variants[k].name, fmt::format("{:.3f}", 1e3 * one->asymmetry),
                              fmt::format("{:.4f}", one->sag), fmt::format("{:.1e}", one->stretch),
                              fmt::format("{:.2f}", 1e3 * one->speed)});
        pictures.push_back(labelled(one->picture, variants[k].name));
        bridges[k] = std::move(*one);
    }
    const Result<double> fallen = free_fall_error(lab);
    if (!fallen) return Error{fallen.error()};
    const Bridge &weighted = bridges[0], &average = bridges[1];
    const double off_weighted = std::abs(weighted.sag - kCatenary), off_average = std::abs(average.sag - kCatenary);
    finding.holds = std::max(weighted.asymmetry, average.asymmetry) < 1e-3 &&
                    std::max(weighted.stretch, average.stretch) < 1e-4 && *fallen < 1e-3 && off_weighted < off_average;
    finding.measured = fmt::format(
        "Left and right differ by {:.3f} mm (weighted) and {:.3f} mm (average). Sag {:.3f} and {:.3f} m; the catenary "
        "has 0.265. The weighted blend is the better one, and neither is exact. After a second, a free rope is {:.2f} "
        "mm from a falling stone.",
        1e3 * weighted.asymmetry, 1e3 * average.asymmetry, weighted.sag, average.sag, 1e3 * *fallen);
    finding.numbers = {{"asymmetry_weighted_m", weighted.asymmetry},
                       {"asymmetry_average_m", average.asymmetry},
                       {"sag_weighted_m", weighted.sag},
                       {"sag_average_m", average.sag},
                       {"free_fall_error_m", *fallen}};
    finding.figures.push_back({"Settled between two hands", side_by_side(pictures, 3)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_bend_limit(Lab& lab)
{
    Finding finding;
    LabTable table{"Angle between neighbouring segments [degrees]",
                   {"s", "Eq. 12 as printed", "2 arcsin s", "sharpest, solved together", "sharpest, paper's order"},
                   {}};
    std::vector<Picture> pictures;
    double worst = 0, stretch = 0;
    for (const double s : {0.3, 0.6, 0.8, 0.9, 0.99}) {
        const Result<Bend> together = sharpest_bend(lab, limited(s, "together")),
                           paper = sharpest_bend(lab, limited(s, "paper"));
        if (!together) return Error{together.error()};
        if (!paper) return Error{paper.error()};
        const double geometry = degrees(2 * std::asin(s)), found = degrees(together->angle);
        worst = std::max(worst, std::abs(found - geometry));
        stretch = std::max({stretch, together->stretch, paper->stretch});
        table.rows.push_back({fmt::format("{}", s), fmt::format("{:.1f}", 90 - 2 * degrees(std::acos(s))),
                              fmt::format("{:.1f}", geometry), fmt::format("{:.1f}", found),
                              fmt::format("{:.1f}", degrees(paper->angle))});
        finding.numbers.emplace_back(fmt::format("sharpest_s{}_degrees", s), found);
        if (s == 0.6) continue;
        Result<Picture> picture = picture_of(lab, limited(s, "together"), *together);
        if (!picture) return Error{picture.error()};
        pictures.push_back(labelled(std::move(*picture), fmt::format("s = {}: {:.0f} degrees", s, found)));
    }
    finding.holds = worst < 0.5 && stretch < 1e-4;
    finding.measured = fmt::format(
        "The sharpest bend in 4 s of violent dragging is within {:.2f} degrees of 2 arcsin s for every s, with a "
        "stretch of at most {:.0e}. Eq. 12 is printed with pi/2 instead of pi and gives negative angles below s = "
        "0.71. In the paper's order, the length constraint undoes the limit; that order is only an option.",
        worst, stretch);
    finding.figures.push_back({"The sharpest bend in 4 s, with four limits", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::mueller
