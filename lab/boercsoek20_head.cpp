// [Boercsoek20] 4.3 and section 5: curly hair on a head from a file, in real time.
#include "boercsoek20.h"
#include "both_forms.h"
#include "lab_measure.h"
#include "lab_pictures.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace tendril::app::boercsoek {
namespace {

constexpr const char* kScene = "papers/boercsoek20_head";
constexpr double kFrame = 1.0 / 60;

/// The printed form with the damping of the scene: exp(-1/240) per substep, between the report's 0.98 and 0.999.
const Overrides kPrinted{{"solver.form", "paper"}, {"solver.velocity_kept", "0.996"}};

Overrides printed_with(Overrides more)
{
    more.insert(more.end(), kPrinted.begin(), kPrinted.end());
    return more;
}

/// How strands bend from one segment to the next. A curl keeps its sense; a kinked strand bends to and fro.
struct Curls {
    double turn = 0;    // mean angle between neighbouring segments [rad]
    double steady = 0;  // share of bends whose axis is within 90 degrees of that of the bend before
    double axes = 0;    // mean cosine of the angle between these axes
    double radius = 0;  // median radius of the circle through three particles [m]

    bool curly() const { return turn > 0.3 && steady > 0.8 && axes > 0.5 && radius > 0.005 && radius < 0.03; }
};

Curls curls_of(const World& world)
{
    constexpr double kStraight = 0.05;  // bends below this have no axis worth the name [rad]
    Curls out;
    std::vector<double> radii;
    double joints = 0, pairs = 0;
    for (size_t s = 0; s < world.groom({0}).strand_count(); ++s) {
        const std::vector<Vec3d> p = points_of(world, s);
        Vec3d before{0, 0, 0};
        for (size_t i = 1; i + 1 < p.size(); ++i) {
            const double turn = turn_at(p, i);
            const Vec3d across = cross(p[i] - p[i - 1], p[i + 1] - p[i]);
            out.turn += turn;
            ++joints;
            radii.push_back(length(p[i + 1] - p[i - 1]) / (2 * std::max(std::sin(turn), 1e-9)));
            if (turn < kStraight) {
                before = {0, 0, 0};
                continue;
            }
            const Vec3d axis = across * (1 / length(across));
            if (dot(before, before) > 0) {
                out.steady += dot(axis, before) > 0;
                out.axes += dot(axis, before);
                ++pairs;
            }
            before = axis;
        }
    }
    out.turn /= joints;
    out.steady /= std::max(pairs, 1.0);
    out.axes /= std::max(pairs, 1.0);
    out.radius = median(std::move(radii));
    return out;
}

/// A file that the destructor removes.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& ending)
        : path_((std::filesystem::temp_directory_path() / fmt::format("tendril_lab_{}{}", getpid(), ending)).string())
    {
    }
    ~TemporaryFile()
    {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// Writes the lines that the report's reader supports, and groups.
bool write_obj(const std::string& file, const Mesh& mesh)
{
    std::ofstream out(file);
    out << "# the built-in head\n";
    for (const Vec3f& v : mesh.vertices) out << fmt::format("v {} {} {}\n", v.x, v.y, v.z);
    uint32_t group = ~0u;
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!mesh.groups.empty() && mesh.groups[t] != group) {
            group = mesh.groups[t];
            out << "g " << mesh.group_names[group] << "\n";
        }
        const auto& [a, b, c] = mesh.triangles[t];
        out << fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    out.flush();
    return out.good();
}

/// How well the roots meet the conditions of the report.
struct Roots {
    double off = 0;       // largest distance from a triangle [m]
    double steepest = 0;  // largest angle between the normal under a root and the requested direction [rad]
};

/// Checks the roots by brute force, as a reference for the scattering.
Roots roots_on(const World& world, const Mesh& mesh, const Vec3d& facing)
{
    Roots out;
    const Vec3d unit = facing * (1 / length(facing));
    for (size_t s = 0; s < world.groom({0}).strand_count(); ++s) {
        const Vec3d root = to_double(world.groom({0}).points(s)[0]);
        double nearest = 1e9, angle = 0;
        for (const auto& [i, j, k] : mesh.triangles) {
            const Vec3d a = to_double(mesh.vertices[i]), u = to_double(mesh.vertices[j]) - a,
                        v = to_double(mesh.vertices[k]) - a, n = cross(u, v), r = root - a;
            const double area = dot(n, n);
            if (area == 0) continue;
            const double beta = dot(cross(r, v), n) / area, gamma = dot(cross(u, r), n) / area;
            if (beta < -1e-3 || gamma < -1e-3 || beta + gamma > 1.001) continue;
            const double distance = std::abs(dot(r, n)) / std::sqrt(area);
            if (distance >= nearest) continue;
            nearest = distance;
            angle = std::acos(std::clamp(dot(n, unit) / std::sqrt(area), -1.0, 1.0));
        }
        out.off = std::max(out.off, nearest);
        out.steepest = std::max(out.steepest, angle);
    }
    return out;
}

}  // namespace

Result<Finding> find_look(Lab& lab)
{
    const auto pairs = [](const char* offset, const char* distance) {
        return printed_with(
            {{"solver.bend_offset", offset}, {"solver.bend_distance", distance}, {"solver.bend_stiffness", "0.1"}});
    };
    enum { kStraight = 4, kDistances, kBoth };
    const struct {
        const char* name;
        Overrides settings;
    } variants[]{{"as printed, 2 apart at 45 %", pairs("2", "0.45")},
                 {"as printed, 4 apart at 60 %", pairs("4", "0.6")},
                 {"as printed, 5 apart at 75 %", pairs("5", "0.75")},
                 {"as printed, 8 apart at 40 %", pairs("8", "0.4")},
                 {"as printed, no such pairs", printed_with({{"solver.bend_stiffness", "0"}})},
                 {"ours, 5 apart at 75 %", {{"solver.angle_stiffness", "0"}}},
                 {"ours, and angles", {}}};
    Finding finding;
    LabTable table{"500 strands of 30 particles that were grown straight, on a moving head",
                   {"pairs pulled to this share of their length", "mean turn [rad]",
                    "bends in the sense of the one before", "mean cosine of their axes", "median radius [mm]"},
                   {}};
    std::vector<Curls> curls;
    std::vector<Picture> pictures;
    for (const auto& [name, settings] : variants) {
        Result<LabRun> run = lab.open(kScene, settings);
        if (!run) return Error{run.error()};
        for (int i = 0; i < 45; ++i) run->world().step();
        const Curls one = curls_of(run->world());
        table.rows.push_back({name, fmt::format("{:.2f}", one.turn), fmt::format("{:.0f} %", 100 * one.steady),
                              fmt::format("{:.2f}", one.axes), fmt::format("{:.1f}", 1e3 * one.radius)});
        finding.numbers.emplace_back(fmt::format("turn {}", name), one.turn);
        finding.numbers.emplace_back(fmt::format("steady {}", name), one.steady);
        finding.numbers.emplace_back(fmt::format("axes {}", name), one.axes);
        finding.numbers.emplace_back(fmt::format("radius_m {}", name), one.radius);
        Result<Picture> picture = run->picture(360, 320);
        if (!picture) return Error{picture.error()};
        if (curls.size() != kStraight) pictures.push_back(labelled(std::move(*picture), name));
        curls.push_back(one);
    }
    const auto fits = [&](size_t k) { return curls[k].curly() && curls[k].turn > 3 * curls[kStraight].turn; };
    const bool printed = fits(0) || fits(1) || fits(2) || fits(3);
    judge(finding, printed, fits(kDistances) || fits(kBoth),
          fits(kDistances) ? "a stiffness that does not depend on the iterations"
                           : "angles between neighbouring segments as well, which section 7.2 proposes");
    const auto text = [&](size_t k) {
        return fmt::format("{:.2f} rad, {:.0f} % in the sense of the bend before", curls[k].turn,
                           100 * curls[k].steady);
    };
    finding.measured = fmt::format(
        "Strands bend from one segment to the next by, as printed, {} with pairs 2 apart; {} with 4; {} with 5; {} "
        "with "
        "8; and by {:.2f} rad without. With our form and pairs 5 apart: {}; if angles are constrained as well, as in "
        "the "
        "scene: {} with a mean cosine of {:.2f} between the axes, and a radius of {:.0f} mm.",
        text(0), text(1), text(2), text(3), curls[kStraight].turn, text(kDistances), text(kBoth), curls[kBoth].axes,
        1e3 * curls[kBoth].radius);
    double steadiest = 0;
    for (size_t k = 0; k < 4; ++k) steadiest = std::max(steadiest, curls[k].steady);
    if (!finding.holds && steadiest < 0.8)
        finding.reason = fmt::format(
            "a distance between particles says nothing about the side to which a strand bends: strands are kinked to "
            "and fro rather than curled, and at most {:.0f} % of the bends continue in the sense of the one before. "
            "Neither do angles between segments: with them it is {:.0f} %, but the plane of the bends still turns too "
            "much. Hair that was groomed curly keeps its curls by [shape] (sanchez15/fig4)",
            100 * steadiest, 100 * curls[kBoth].steady);
    finding.tables.push_back(std::move(table));
    finding.figures.push_back({"The same strands on a moving head", side_by_side(pictures, 3)});
    return finding;
}

Result<Finding> find_real_time(Lab& lab)
{
    Finding finding;
    LabTable table{
        "A frame of 1/60 s on one thread, median processor time: 4 substeps of 10 iterations, contact, interaction",
        {"strands", "particles", "time of a step as printed [ms]", "times real time", "ours [ms]"},
        {}};
    double seconds[2]{}, ours[2]{};
    const int sizes[]{500, 1000};
    for (size_t k = 0; k < std::size(sizes); ++k) {
        const Overrides size{{"groom.strands", fmt::format("{}", sizes[k])}, {"sim.settle", "0"}};
        Result<LabRun> stable = lab.open(kScene, size, 1);
        if (!stable) return Error{stable.error()};
        ours[k] = lab.processor_seconds(*stable, lab.size(30, 120));
        finding.numbers.emplace_back(fmt::format("ours_step_s_{}", sizes[k]), ours[k]);
        Result<LabRun> run = lab.open(kScene, printed_with(size), 1);
        if (!run) return Error{run.error()};
        seconds[k] = lab.processor_seconds(*run, lab.size(30, 120));
        table.rows.push_back({fmt::format("{}", sizes[k]), fmt::format("{}", run->world().particle_count()),
                              fmt::format("{:.2f}", 1e3 * seconds[k]), fmt::format("{:.1f}", kFrame / seconds[k]),
                              fmt::format("{:.2f}", 1e3 * ours[k])});
        finding.numbers.emplace_back(fmt::format("step_s_{}", sizes[k]), seconds[k]);
    }
    Result<LabRun> run = lab.open(kScene, printed_with({{"sim.settle", "0"}}));
    if (!run) return Error{run.error()};
    std::vector<Picture> pictures;
    run->simulate(75, [&](World& world) {
        if (world.steps() != 45 && world.steps() != 75) return;
        if (Result<Picture> picture = run->picture(360, 320))
            pictures.push_back(labelled(std::move(*picture), fmt::format("{:.2f} s", world.time())));
    });
    judge(finding, seconds[0] < kFrame, ours[0] < kFrame, "a kernel that runs our form");
    finding.measured = fmt::format(
        "As printed, 500 strands of 30 particles take {:.1f} ms of one core of this machine, of the 16.7 ms of a "
        "frame; "
        "1,000, about the number that was too large for real time in the report, take {:.1f} ms. With our form, {:.1f} "
        "and {:.1f} ms.",
        1e3 * seconds[0], 1e3 * seconds[1], 1e3 * ours[0], 1e3 * ours[1]);
    finding.figures.push_back({"Half a second apart", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_obj_head(Lab& lab)
{
    const TemporaryFile file(".obj");
    const Character bust = make_bust();
    if (!write_obj(file.path(), bust.mesh)) return Error{fmt::format("cannot write '{}'", file.path())};
    const Overrides head{{"body.mesh", "\"" + file.path() + "\""},
                         {"body.clip", "nod"},
                         {"body.amplitude", "0.4"},
                         {"body.period", "2"},
                         {"body.collide", "field"},
                         {"sim.settle", "0.5"},
                         {"render.azimuth", "2.1"}};
    Roots roots;
    double deepest[2]{};
    size_t strands = 0;
    Finding finding;
    for (size_t k = 0; k < std::size(kLabForms); ++k) {
        const bool printed = kLabForms[k].printed();
        Result<LabRun> run = lab.open(kScene, printed ? printed_with(head) : head);
        if (!run) return Error{run.error()};
        if (printed) {
            roots = roots_on(run->world(), bust.mesh, to_double(run->scene().grooms[0].scatter.direction));
            strands = run->world().strand_count();
        }
        const Series series = run->simulate(lab.size(45, 240));
        for (const Sample& sample : series.samples()) deepest[k] = std::max(deepest[k], sample.penetration);
        finding.numbers.emplace_back(fmt::format("{}_deepest_m", kLabForms[k].value), deepest[k]);
        if (!printed) continue;
        Result<Picture> picture = run->picture(480, 400);
        if (!picture) return Error{picture.error()};
        finding.figures.push_back({"Hair on a head from an OBJ file, as printed", std::move(*picture)});
    }
    const bool rooted = strands == 500 && roots.off < 1e-5 && degrees(roots.steepest) < 90;
    judge(finding, rooted && deepest[0] < 2e-3, rooted && deepest[1] < 2e-3,
          "contacts that are found and resolved once more after the iterations");
    finding.measured = fmt::format(
        "{} strands grow on a head that was read from an OBJ file: all roots are within {:.1e} m of its triangles, "
        "which face within {:.0f} degrees of the requested direction; as the head nods, no particle is deeper inside "
        "than {:.2f} mm as printed, and {:.2f} mm with our form.",
        strands, roots.off, degrees(roots.steepest), 1e3 * deepest[0], 1e3 * deepest[1]);
    finding.numbers.insert(finding.numbers.end(), {{"roots_off_m", roots.off}, {"steepest_rad", roots.steepest}});
    return finding;
}

}  // namespace tendril::app::boercsoek
