// [Boercsoek20] 4.3 and section 5: curly hair on a head from a file, in real time.
#include "boercsoek20.h"
#include "lab_measure.h"
#include "lab_pictures.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace tendril::app::boercsoek {
namespace {

constexpr const char* kScene = "papers/boercsoek20_head";
constexpr double kFrame = 1.0 / 60;

/// Angles between neighbouring segments, over all strands [rad].
struct Turns {
    double mean = 0, sharpest = 0;  // a tenth of the turns is above `sharpest`
};

Turns turns_of(const World& world)
{
    std::vector<double> all;
    for (size_t s = 0; s < world.groom({0}).strand_count(); ++s) {
        const std::vector<Vec3d> p = points_of(world, s);
        for (size_t i = 1; i + 1 < p.size(); ++i) all.push_back(turn_at(p, i));
    }
    std::sort(all.begin(), all.end());
    return {std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size()), all[all.size() * 9 / 10]};
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
    const struct {
        const char* name;
        Overrides settings;
    } variants[]{{"distances alone", {{"solver.angle_stiffness", "0"}}},
                 {"neither", {{"solver.bend_stiffness", "0"}, {"solver.angle_stiffness", "0"}}},
                 {"distances and angles", {}}};
    Turns turns[3];
    std::vector<Picture> pictures;
    for (size_t k = 0; k < std::size(variants); ++k) {
        Result<LabRun> run = lab.open(kScene, variants[k].settings);
        if (!run) return Error{run.error()};
        for (int i = 0; i < 45; ++i) run->world().step();
        turns[k] = turns_of(run->world());
        Result<Picture> picture = run->picture(360, 320);
        if (!picture) return Error{picture.error()};
        pictures.push_back(labelled(std::move(*picture), variants[k].name));
    }
    Finding finding;
    finding.holds = turns[0].mean > 0.3 && turns[0].mean > 3 * turns[1].mean;
    finding.measured = fmt::format(
        "On a moving head, strands turn by {:.2f} rad from one segment to the next with distances alone, and by {:.2f} "
        "rad without; they were grown straight. But they are kinked rather than curled: a tenth of the turns is above "
        "{:.1f} rad. If angles are also constrained, as in the scene, they turn by {:.2f} rad, with a tenth above "
        "{:.1f}.",
        turns[0].mean, turns[1].mean, turns[0].sharpest, turns[2].mean, turns[2].sharpest);
    finding.numbers = {{"turn_distances", turns[0].mean},
                       {"turn_without", turns[1].mean},
                       {"turn_both", turns[2].mean},
                       {"sharpest_distances", turns[0].sharpest},
                       {"sharpest_both", turns[2].sharpest}};
    finding.figures.push_back({"500 strands of 30 particles", side_by_side(pictures, 3)});
    return finding;
}

Result<Finding> find_real_time(Lab& lab)
{
    Finding finding;
    LabTable table{
        "A frame of 1/60 s on one thread, median processor time: 4 substeps of 10 iterations, contact, interaction",
        {"strands", "particles", "time of a step [ms]", "times real time"},
        {}};
    double seconds[2]{};
    const int sizes[]{500, 1000};
    for (size_t k = 0; k < std::size(sizes); ++k) {
        Result<LabRun> run = lab.open(kScene, {{"groom.strands", fmt::format("{}", sizes[k])}, {"sim.settle", "0"}}, 1);
        if (!run) return Error{run.error()};
        seconds[k] = lab.processor_seconds(*run, lab.size(30, 120));
        table.rows.push_back({fmt::format("{}", sizes[k]), fmt::format("{}", run->world().particle_count()),
                              fmt::format("{:.2f}", 1e3 * seconds[k]), fmt::format("{:.1f}", kFrame / seconds[k])});
        finding.numbers.emplace_back(fmt::format("step_s_{}", sizes[k]), seconds[k]);
    }
    Result<LabRun> run = lab.open(kScene, {{"sim.settle", "0"}});
    if (!run) return Error{run.error()};
    std::vector<Picture> pictures;
    run->simulate(75, [&](World& world) {
        if (world.steps() != 45 && world.steps() != 75) return;
        if (Result<Picture> picture = run->picture(360, 320))
            pictures.push_back(labelled(std::move(*picture), fmt::format("{:.2f} s", world.time())));
    });
    finding.holds = seconds[0] < kFrame;
    finding.measured = fmt::format(
        "500 strands of 30 particles take {:.1f} ms of one core of this machine, of the 16.7 ms of a frame; 1,000, "
        "which were too many for real time in the report, take {:.1f} ms.",
        1e3 * seconds[0], 1e3 * seconds[1]);
    finding.figures.push_back({"Half a second apart", side_by_side(pictures, 2)});
    finding.tables.push_back(std::move(table));
    return finding;
}

Result<Finding> find_obj_head(Lab& lab)
{
    const TemporaryFile file(".obj");
    const Character bust = make_bust();
    if (!write_obj(file.path(), bust.mesh)) return Error{fmt::format("cannot write '{}'", file.path())};
    Result<LabRun> run = lab.open(kScene, {{"body.mesh", "\"" + file.path() + "\""},
                                           {"body.clip", "nod"},
                                           {"body.amplitude", "0.4"},
                                           {"body.period", "2"},
                                           {"body.collide", "field"},
                                           {"sim.settle", "0.5"},
                                           {"render.azimuth", "2.1"}});
    if (!run) return Error{run.error()};
    const SceneGroom& groom = run->scene().grooms[0];
    const Roots roots = roots_on(run->world(), bust.mesh, to_double(groom.scatter.direction));
    double deepest = 0;
    const Series series = run->simulate(lab.size(45, 240));
    for (const Sample& sample : series.samples()) deepest = std::max(deepest, sample.penetration);
    Result<Picture> picture = run->picture(480, 400);
    if (!picture) return Error{picture.error()};
    Finding finding;
    finding.holds =
        run->world().strand_count() == 500 && roots.off < 1e-5 && degrees(roots.steepest) < 90 && deepest < 2e-3;
    finding.measured = fmt::format(
        "{} strands grow on a head that was read from an OBJ file: all roots are within {:.1e} m of its triangles, "
        "which face within {:.0f} degrees of the requested direction; as the head nods, no particle is deeper inside "
        "than {:.2f} mm.",
        run->world().strand_count(), roots.off, degrees(roots.steepest), 1e3 * deepest);
    finding.numbers = {{"roots_off_m", roots.off}, {"steepest_rad", roots.steepest}, {"deepest_m", deepest}};
    finding.figures.push_back({"Hair on a head from an OBJ file", std::move(*picture)});
    return finding;
}

}  // namespace tendril::app::boercsoek
