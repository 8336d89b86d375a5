#include "table.h"

#include "tendril/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tendril::app {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

/// Aligns text left and numbers, which begin after the second column, right.
std::string aligned(const std::vector<Cells>& rows)
{
    std::vector<size_t> widths;
    for (const Cells& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (size_t c = 0; c < row.size() && row.size() > 2; ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    std::string out;
    for (const Cells& row : rows) {
        std::string line;
        for (size_t c = 0; c < row.size(); ++c) {
            const bool text = c < 2 || c + 1 == widths.size();
            line += text ? fmt::format("{:<{}}  ", row[c], widths[c]) : fmt::format("{:>{}}  ", row[c], widths[c]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

std::string plural(size_t count, const char* what)
{
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// A JSON object without its closing brace, so that more can follow.
std::string open_object(const Json& object)
{
    std::string text = object.dump(2);
    text.resize(text.rfind("\n}"));
    return text;
}

}  // namespace

double Comparison::energy_kept(const Row& row) const
{
    const double whole = reference->report.figures().kinetic_mean;
    return whole > 0 ? row.report->figures().kinetic_mean / whole : 1;
}

std::string Comparison::reference_text() const
{
    const double share = reference->deviation > 0 ? 100 * reference->change / reference->deviation : 0;
    return fmt::format("{} with {} substeps; half as many change it by {:.3g} mm, {:.2g} % of the deviation of {}: {}",
                       reference->variant.method, reference->substeps, 1e3 * reference->change, share, base,
                       reference->converged() ? "converged" : "NOT converged, deviations mean little");
}

std::string Comparison::table(const std::vector<std::string>& files) const
{
    std::vector<Cells> cells{{"method", "settings", "cost [ns]", "stretch max", "mean", "energy kept", "inside [mm]",
                              "deviation [mm]", "[% of length]", ""}};
    const double length = reference->path.mean_length();
    for (const Row& row : rows) {
        if (!row.report) {
            cells.push_back({row.variant.method, row.problem});
            continue;
        }
        const Figures f = row.report->figures();
        std::string note = row.note;
        if (const std::string problem = row.report->problem(); !problem.empty())
            note += (note.empty() ? "" : "; ") + problem;
        cells.push_back({row.variant.method, row.settings, fmt::format("{:.1f}", row.nanoseconds),
                         fmt::format("{:.2g}", f.stretch_max), fmt::format("{:.2g}", f.stretch_mean),
                         fmt::format("{:.0f} %", 100 * energy_kept(row)),
                         f.has_colliders ? fmt::format("{:.2g}", 1e3 * f.penetration_max) : "-",
                         fmt::format("{:.3g}", 1e3 * f.deviation.mean),
                         fmt::format("{:.2g}", 100 * f.deviation.mean / length), note});
    }
    std::string out = fmt::format("{}: {}, {} particles in {}, {} of {:.4g} s, {}, {}\n\n", scene.name, mode, particles,
                                  plural(strands, "strand"), plural(subject.frames, "frame"), scene.world.dt,
                                  plural(static_cast<size_t>(subject.threads), "thread"), simd_name());
    out += aligned(cells);
    out +=
        "\ncost          time of a step per particle\n"
        "energy kept   mean kinetic energy relative to the reference\n"
        "deviation     mean distance of particles from the reference\n";
    out += fmt::format("reference     {}\n", reference_text());
    if (!scene.compare.published.empty()) out += fmt::format("published     {}\n", scene.compare.published);
    for (const std::string& file : files) out += fmt::format("written       {}\n", file);
    return out;
}

std::string Comparison::json() const
{
    const double length = reference->path.mean_length();
    const Json head = {{"scene", scene.name},
                       {"version", TENDRIL_VERSION},
                       {"mode", mode},
                       {"base", base},
                       {"strands", strands},
                       {"particles", particles},
                       {"frames", subject.frames},
                       {"dt", scene.world.dt},
                       {"threads", subject.threads},
                       {"simd", simd_name()},
                       {"strand_length_m", length},
                       {"reference",
                        {{"method", reference->variant.method},
                         {"substeps", reference->substeps},
                         {"half_the_substeps_change_m", reference->change},
                         {"base_deviation_m", reference->deviation},
                         {"converged", reference->converged()},
                         {"strands_compared", reference->path.strands()}}},
                       {"published", scene.compare.published}};
    std::string out = open_object(head) + ",\n  \"methods\": [";
    for (size_t r = 0; r < rows.size(); ++r) {
        const Row& row = rows[r];
        Json settings = Json::object();
        for (const auto& [key, value] : row.variant.settings) settings[key] = value;
        Json method = {{"method", row.variant.method}, {"settings", settings}, {"note", row.note}};
        std::string text;
        if (row.report) {
            const Figures f = row.report->figures();
            method["described"] = row.settings;
            method["ns_per_particle_step"] = row.nanoseconds;
            method["stretch"] = {{"max", f.stretch_max}, {"mean", f.stretch_mean}};
            method["energy_kept"] = energy_kept(row);
            method["penetration_max_m"] = f.has_colliders ? Json(f.penetration_max) : Json();
            method["deviation"] = {{"mean_m", f.deviation.mean},
                                   {"share_of_length", f.deviation.mean / length},
                                   {"max_m", f.deviation.max}};
            text = open_object(method) + ",\n  \"report\": " + indented(row.report->json(), "  ") + "\n}";
        } else {
            method["problem"] = row.problem;
            text = method.dump(2);
        }
        out += (r > 0 ? ",\n    " : "\n    ") + indented(text, "    ");
    }
    return out + "\n  ]\n}\n";
}

std::vector<NamedPlot> Comparison::plots() const
{
    std::vector<NamedSeries> series;
    for (const Row& row : rows)
        if (row.report) series.push_back({row.variant.method + ", " + row.settings, &row.report->series()});
    if (reference) series.push_back({"reference", &reference->report.series()});
    return comparison_plots(series, scene.name);
}

}  // namespace tendril::app
