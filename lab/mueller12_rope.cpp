// [Mueller12] 3.5 and Fig. 2: a rope between two hands, and one that resists bending.
#include "lab_measure.h"
#include "lab_pictures.h"
#include "mueller12.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

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
Result<double> free_fall_error(Lab& lab, const Overrides& form)
{
    Result<LabRun> run =
        lab.open("papers/mueller12_fig2",
                 joined({{"groom.ends", "free"}, {"air.drag_normal", "0"}, {"air.drag_tangential", "0"}}, form));
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

Overrides limited(double limit, const Overrides& form)
{
    return joined({{"solver.bend_limit", fmt::format("{}", limit)}, {"solver.bend_order", "together"}}, form);
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

/// A rope between two hands with both blends, and a free one.
struct Bridges {
    Bridge weighted, average;
    double fallen = 0;  // see free_fall_error

    double asymmetry() const { return std::max(weighted.asymmetry, average.asymmetry); }
    double stretch() const { return std::max(weighted.stretch, average.stretch); }
    bool as_claimed() const
    {
        return asymmetry() < 1e-3 && stretch() < 1e-4 && fallen < 1e-3 &&
               std::abs(weighted.sag - kCatenary) < std::abs(average.sag - kCatenary);
    }

    static constexpr double kCatenary = 0.265438;  // sag of a chain at a span of 0.8, in units of its length
};

Result<Bridges> bridges(Lab& lab, const Overrides& form)
{
    Result<Bridge> weighted = bridge(lab, joined({{"solver.end_blend", "weighted"}}, form)),
                   average = bridge(lab, joined({{"solver.end_blend", "average"}}, form));
    if (!weighted) return Error{weighted.error()};
    if (!average) return Error{average.error()};
    const Result<double> fallen = free_fall_error(lab, form);
    if (!fallen) return Error{fallen.error()};
    return Bridges{std::move(*weighted), std::move(*average), *fallen};
}

}  // namespace

Result<Finding> find_both_ends(Lab& lab)
{
    const Result<Bridges> printed = bridges(lab, kPrinted), ours = bridges(lab, kOurs);
    if (!printed) return Error{printed.error()};
    if (!ours) return Error{ours.error()};
    const Result<Bridge> equal = bridge(lab, {{"solver.type", "direct"}});
    if (!equal) return Error{equal.error()};
    Finding finding;
    LabTable table{"A metre of rope over a span of 0.8 m, after 10 s; a catenary sags by 0.265 m",
                   {"blend", "asymmetry [mm]", "sag [m]", "largest stretch", "speed [mm/s]"},
                   {}};
    std::vector<Picture> pictures;
    const std::pair<const char*, const Bridge*> rows[]{{"weighted, Fig. 2e, printed", &printed->weighted},
                                                       {"average, Fig. 2d, printed", &printed->average},
                                                       {"weighted, ours", &ours->weighted},
                                                       {"average, ours", &ours->average},
                                                       {"equal masses (direct)", &*equal}};
    for (const auto& [name, one] : rows) {
        table.rows.push_back({name, fmt::format("{:.3f}", 1e3 * one->asymmetry), fmt::format("{:.4f}", one->sag),
                              fmt::format("{:.1e}", one->stretch), fmt::format("{:.2f}", 1e3 * one->speed)});
        pictures.push_back(labelled(one->picture, name));
    }
    judge(finding, printed->as_claimed(), ours->as_claimed(), "passes that restore all lengths follow the blend");
    const auto sentence = [](const Bridges& of) {
        return fmt::format(
            "left and right differ by {:.3f} mm (weighted) and {:.3f} mm (average), the rope sags by "
            "{:.3f} and {:.3f} m, segments are off their length by up to {:.2g} and {:.2g} %, and after a "
            "second a free rope is {:.2g} mm from a falling stone",
            1e3 * of.weighted.asymmetry, 1e3 * of.average.asymmetry, of.weighted.sag, of.average.sag,
            100 * of.weighted.stretch, 100 * of.average.stretch, 1e3 * of.fallen);
    };
    finding.measured = fmt::format(
        "As printed, {}. With ours, {}. The catenary sags by 0.265 m; with ours, the weighted blend is nearer to it, "
        "and neither is exact.",
        sentence(*printed), sentence(*ours));
    for (const auto& [name, of] : {std::pair{"printed", &*printed}, std::pair{"ours", &*ours}}) {
        finding.numbers.emplace_back(fmt::format("asymmetry_{}_m", name), of->asymmetry());
        finding.numbers.emplace_back(fmt::format("stretch_{}", name), of->stretch());
        finding.numbers.emplace_back(fmt::format("sag_weighted_{}_m", name), of->weighted.sag);
        finding.numbers.emplace_back(fmt::format("sag_average_{}_m", name), of->average.sag);
        finding.numbers.emplace_back(fmt::format("free_fall_error_{}_m", name), of->fallen);
    }
    finding.figures.push_back({"Settled between two hands", side_by_side(pictures, 3)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_bend_limit(Lab& lab)
{
    Finding finding;
    LabTable table{"Angle between neighbouring segments [degrees]",
                   {"s", "Eq. 12 as printed", "2 arcsin s", "sharpest, printed", "sharpest, ours"},
                   {}};
    std::vector<Picture> pictures;
    double off_printed = 0, off_ours = 0, off_eq12 = 0, stretch = 0;
    for (const double s : {0.3, 0.6, 0.8, 0.9, 0.99}) {
        const Result<Bend> printed = sharpest_bend(lab, limited(s, kPrinted)),
                           ours = sharpest_bend(lab, limited(s, kOurs));
        if (!printed) return Error{printed.error()};
        if (!ours) return Error{ours.error()};
        const double geometry = degrees(2 * std::asin(s)), eq12 = 90 - 2 * degrees(std::acos(s)),
                     found = degrees(printed->angle);
        off_printed = std::max(off_printed, std::abs(found - geometry));
        off_eq12 = std::max(off_eq12, std::abs(found - eq12));
        off_ours = std::max(off_ours, std::abs(degrees(ours->angle) - geometry));
        stretch = std::max({stretch, printed->stretch, ours->stretch});
        table.rows.push_back({fmt::format("{}", s), fmt::format("{:.1f}", eq12), fmt::format("{:.1f}", geometry),
                              fmt::format("{:.1f}", found), fmt::format("{:.1f}", degrees(ours->angle))});
        finding.numbers.emplace_back(fmt::format("sharpest_printed_s{}_degrees", s), found);
        finding.numbers.emplace_back(fmt::format("sharpest_ours_s{}_degrees", s), degrees(ours->angle));
        if (s != 0.3 && s != 0.9) continue;
        for (const auto& [name, form, bend] :
             {std::tuple{"printed", &kPrinted, &*printed}, std::tuple{"ours", &kOurs, &*ours}}) {
            Result<Picture> picture = picture_of(lab, limited(s, *form), *bend);
            if (!picture) return Error{picture.error()};
            pictures.push_back(labelled(std::move(*picture),
                                        fmt::format("s = {}, {}: {:.0f} degrees", s, name, degrees(bend->angle))));
        }
    }
    judge(finding, off_printed < 0.5 && stretch < 1e-4, off_ours < 0.5 && stretch < 1e-4,
          "the distance and the length are satisfied at once");
    finding.measured = fmt::format(
        "The sharpest bend in 4 s of violent dragging is up to {:.1f} degrees from 2 arcsin s as printed, where the "
        "length that comes second undoes the limit, and up to {:.1f} degrees from Eq. 12; with ours, within {:.2f} "
        "degrees of 2 arcsin s for every s. The largest stretch is {:.0e}. Eq. 12 is printed with pi/2 instead of pi "
        "and gives negative angles below s = 0.71.",
        off_printed, off_eq12, off_ours, stretch);
    finding.figures.push_back({"The sharpest bend in 4 s, with two limits", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::mueller
