#include "report.h"

#include "stopwatch.h"

#include "tendril/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace tendril::app {
namespace {

// The largest stretch of a method that keeps lengths.
constexpr double kMaxStretch = 1e-4;

constexpr float kDeep = 2e-4f;  // deeper penetration is visible [m]

std::string hash_text(uint64_t hash)
{
    return fmt::format("{:016x}", hash);
}

size_t skin_count(const Scene& scene)
{
    const auto has_skin = [](const SceneBody& body) {
        return body.collide != BodyCollide::kNone && body.collide != BodyCollide::kColliders;
    };
    const Scene whole = with_copies(scene);
    return static_cast<size_t>(std::count_if(whole.bodies.begin(), whole.bodies.end(), has_skin));
}

/// Describes what penetration is measured against. Colliders that are fitted to a mesh are not its skin: a strand may
/// be outside of one and inside of the other.
std::string collider_text(const Scene& scene, size_t colliders)
{
    const size_t skins = skin_count(scene), others = colliders - skins;
    const bool fitted = std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const SceneBody& body) {
        return body.collide == BodyCollide::kColliders && body.mesh != "sphere";
    });
    const auto counted = [](size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
    std::string text = others > 0 ? counted(others, "collider") : "";
    if (fitted) text += " (fitted to the skin, not the skin itself)";
    if (skins > 0) text += (others > 0 ? " and " : "") + ("the triangles of " + counted(skins, "skin"));
    return text;
}

}  // namespace

std::string indented(std::string_view text, std::string_view indent)
{
    std::string out;
    if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    for (const char c : text) {
        out += c;
        if (c == '\n') out += indent;
    }
    return out;
}

std::vector<std::string> warnings_of(std::span<const Repair> repairs)
{
    size_t morph_targets = 0;
    for (const Repair& repair : repairs)
        if (repair.what == kMorphTargetsIgnored) morph_targets = std::max(morph_targets, repair.count);
    if (morph_targets == 0) return {};
    return {fmt::format("the {} morph target{} of the mesh {} ignored; the mesh moves only with its skeleton",
                        morph_targets, morph_targets == 1 ? "" : "s", morph_targets == 1 ? "is" : "are")};
}

SimReport::SimReport(const Scene& scene, World& world, int threads, double build_seconds)
    : scene_(scene),
      threads_(threads),
      strands_(world.strand_count()),
      particles_(world.particle_count()),
      colliders_(world.collider_count()),
      bytes_(world.bytes()),
      first_step_(world.steps()),
      build_seconds_(build_seconds)
{
    for (size_t g = 0; g < scene.grooms.size(); ++g) {
        has_strings_ |= has_strings(scene, g);
        const Behaviour behaviour = behaviour_of(scene, g);
        grooms_.push_back({kSolverNames[static_cast<size_t>(behaviour.solver.type)], behaviour.solver.is_printed(),
                           behaviour.contact.margin});
    }
    const auto warn = [&](const std::vector<std::string>& warnings) {
        for (const std::string& warning : warnings)  // grooms of the same file have the same warnings
            if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end()) warnings_.push_back(warning);
    };
    for (size_t g = 0; g < world.groom_count(); ++g) {
        const Groom& groom = world.groom(GroomId{static_cast<uint32_t>(g)});
        repairs_.insert(repairs_.end(), groom.repairs().begin(), groom.repairs().end());
        warn(groom.warnings());
    }
    warn(warnings_of(repairs_));
    warn(mesh_warnings(scene, world));
}

void SimReport::add_step(const StepReport& step)
{
    totals_.sum.steps += step.steps;
    totals_.sum.substeps = std::max(totals_.sum.substeps, step.substeps);
    totals_.sum.bad_poses += step.bad_poses;
    totals_.sum.missed_holds = std::max(totals_.sum.missed_holds, step.missed_holds);
    totals_.sum.worst_gap = std::max(totals_.sum.worst_gap, step.worst_gap);
    totals_.sum.softened = std::max(totals_.sum.softened, step.softened);
    totals_.sum.torn += step.torn;
    totals_.sum.bounded += step.bounded;
    totals_.sum.fields.include(step.fields);
    totals_.sum.bend_share = std::min(totals_.sum.bend_share, step.bend_share);
    totals_.sum.seconds.roots += step.seconds.roots;
    totals_.sum.seconds.body += step.seconds.body;
    totals_.sum.seconds.interaction += step.seconds.interaction;
    totals_.sum.seconds.solve += step.seconds.solve;
    series_.add_step(step);
}

void SimReport::measure(World& world)
{
    const Stopwatch watch;
    const Metrics metrics = world.measure();
    if (colliders_ > 0) count_deep_frames(world);
    add_metrics(metrics, watch.seconds());
}

// Between two measurements, a particle may be deep or not: the result is an upper bound. It is the number of measured
// frames if every frame is measured.
void SimReport::count_deep_frames(const World& world)
{
    const auto frame = static_cast<int64_t>(world.steps());
    if (last_clear_.empty()) {
        last_clear_.assign(particles_, frame - 1);
        totals_.last_measured = frame - 1;
    }
    size_t particle = 0;
    for (size_t g = 0; g < world.groom_count(); ++g)
        for (const float depth : world.depths(GroomId{static_cast<uint32_t>(g)})) {
            int64_t& clear = last_clear_[particle++];
            const bool deep = depth > kDeep, was_deep = clear < totals_.last_measured;
            if (deep || was_deep)
                totals_.longest_deep = std::max(totals_.longest_deep, (deep ? frame : frame - 1) - clear);
            if (!deep) clear = frame;
        }
    totals_.measured_apart = std::max(totals_.measured_apart, frame - totals_.last_measured);
    totals_.last_measured = frame;
}

void SimReport::add_metrics(const Metrics& metrics, double seconds)
{
    totals_.measure_seconds += seconds;
    totals_.nonfinite = std::max(totals_.nonfinite, metrics.nonfinite);
    // Keeps NaN, which std::max would drop.
    if (!(metrics.stretch_max <= totals_.stretch_max)) totals_.stretch_max = metrics.stretch_max;
    if (!(metrics.kept_stretch_max <= totals_.kept_stretch_max)) totals_.kept_stretch_max = metrics.kept_stretch_max;
    totals_.stretch_sum += metrics.stretch_mean;
    totals_.penetration_max = std::max(totals_.penetration_max, metrics.penetration_max);
    totals_.penetrating_max = std::max(totals_.penetrating_max, metrics.penetrating);
    totals_.penetrating_sum += metrics.penetrating;
    totals_.pinched_max = std::max(totals_.pinched_max, metrics.pinched);
    totals_.unknown_side_max = std::max(totals_.unknown_side_max, metrics.unknown_side);
    totals_.depth_sum += metrics.penetration_mean * static_cast<double>(metrics.penetrating);
    totals_.energy_last = metrics.energy();
    totals_.kinetic_last = metrics.kinetic;
    totals_.fastest_last = metrics.fastest;
    totals_.kinetic_sum += metrics.kinetic;
    if (!(metrics.fastest <= totals_.fastest_max)) totals_.fastest_max = metrics.fastest;
    if (totals_.measured == 0) totals_.energy_first = totals_.energy_max = totals_.energy_last;
    totals_.energy_max = std::max(totals_.energy_max, totals_.energy_last);
    ++totals_.measured;
    const uint64_t frame = first_step_ + static_cast<uint64_t>(totals_.sum.steps);
    Metrics measured = metrics;
    if (colliders_ == 0) measured.penetration_max = std::numeric_limits<double>::quiet_NaN();
    series_.add_metrics(frame, static_cast<double>(frame) * scene_.world.dt, measured, seconds);
}

void SimReport::add_deviation(const Deviation& deviation)
{
    ++totals_.compared;
    totals_.deviation_sum += deviation.mean;
    if (!(deviation.max <= totals_.deviation_max)) totals_.deviation_max = deviation.max;
    series_.set_deviation(deviation.mean);
}

void SimReport::add_render(double seconds, uint64_t frames)
{
    totals_.render_seconds += seconds;
    series_.add_render(seconds, frames);
}

std::vector<std::byte> SimReport::save() const
{
    std::vector<std::byte> out;
    const auto append = [&](const auto* data, size_t count) {
        const auto bytes = std::as_bytes(std::span(data, count));
        out.insert(out.end(), bytes.begin(), bytes.end());
    };
    const uint64_t clear = last_clear_.size();
    append(&first_step_, 1);
    append(&totals_, 1);
    append(&clear, 1);
    append(last_clear_.data(), last_clear_.size());
    append(series_.samples().data(), series_.samples().size());
    return out;
}

bool SimReport::restore(std::span<const std::byte> bytes)
{
    const auto take = [&](auto* data, size_t count) {
        if (count > bytes.size() / sizeof *data) return false;
        if (count > 0) std::memcpy(data, bytes.data(), count * sizeof *data);
        bytes = bytes.subspan(count * sizeof *data);
        return true;
    };
    uint64_t clear = 0;
    if (!take(&first_step_, 1) || !take(&totals_, 1) || !take(&clear, 1) || (clear != 0 && clear != particles_))
        return false;
    last_clear_.resize(static_cast<size_t>(clear));
    if (!take(last_clear_.data(), last_clear_.size()) || bytes.size() % sizeof(Sample) != 0) return false;
    std::vector<Sample> samples(bytes.size() / sizeof(Sample));
    if (!take(samples.data(), samples.size())) return false;
    series_.restore(std::move(samples));
    restored_steps_ = totals_.sum.steps;
    return true;
}

void SimReport::finish(World& world, double total_seconds)
{
    total_seconds_ = total_seconds;
    last_step_ = world.steps();
    hash_ = world.state_hash();
    if (totals_.sum.bad_poses > 0)
        repairs_.push_back({"poses that were not finite replaced by the previous ones", totals_.sum.bad_poses});
    if (const FieldSize& fields = totals_.sum.fields; fields.growth() > 1)
        warnings_.push_back(
            fmt::format("a distance field had to use cells of {:.3g} m instead of {:.3g} m to stay within its memory, "
                        "so contact with that skin is less precise; is the body as large as it should be "
                        "(body.unit_scale, or scale keys in its clip)? Otherwise, use a larger body.collide_cell or "
                        "body.collide = \"triangles\"",
                        fields.cell, fields.asked));
}

double SimReport::nanoseconds_per_particle_step() const
{
    const auto& s = totals_.sum.seconds;
    const double count = static_cast<double>(particles_) * totals_.sum.steps;
    return count > 0 ? 1e9 * (s.roots + s.body + s.interaction + s.solve) / count : 0;
}

Figures SimReport::figures() const
{
    const auto mean = [](double sum, size_t count) { return count > 0 ? sum / static_cast<double>(count) : 0.0; };
    Figures out;
    out.nonfinite = totals_.nonfinite;
    out.stretch_max = totals_.stretch_max;
    out.stretch_mean = mean(totals_.stretch_sum, totals_.measured);
    out.penetration_max = totals_.penetration_max;
    out.has_colliders = colliders_ > 0;
    out.kinetic_mean = mean(totals_.kinetic_sum, totals_.measured);
    out.fastest = totals_.fastest_max;
    out.deviation = {mean(totals_.deviation_sum, totals_.compared), totals_.deviation_max};
    return out;
}

std::string SimReport::problem() const
{
    if (totals_.nonfinite > 0) return fmt::format("{} particles are not finite", totals_.nonfinite);
    if (!(totals_.kept_stretch_max <= kMaxStretch))
        return fmt::format("a segment is stretched by {:.2g} of its length; {} is allowed", totals_.kept_stretch_max,
                           kMaxStretch);
    return {};
}

std::string SimReport::json() const
{
    using Json = nlohmann::ordered_json;
    const auto& s = totals_.sum.seconds;
    Json repairs = Json::array();
    for (const Repair& r : repairs_) repairs.push_back({{"what", r.what}, {"count", r.count}});
    const Json stages = {{"roots", s.roots},
                         {"body", s.body},
                         {"interaction", s.interaction},
                         {"solve", s.solve},
                         {"measure", totals_.measure_seconds},
                         {"render", totals_.render_seconds}};
    Json grooms = Json::array();
    for (const GroomFacts& g : grooms_)
        grooms.push_back({{"solver", g.solver}, {"form", g.printed ? "paper" : "stable"}, {"margin_m", g.margin}});
    Json report = {
        {"scene", scene_.name},
        {"version", TENDRIL_VERSION},
        {"solver", kSolverNames[static_cast<size_t>(scene_.world.solver.type)]},
        {"grooms", grooms},
        {"dt", scene_.world.dt},
        {"strands", strands_},
        {"particles", particles_},
        {"frames", last_step_},
        {"first_frame", first_step_},
        {"substeps", scene_.world.substeps},
        {"substeps_max", totals_.sum.substeps},
        {"threads", threads_},
        {"simd", simd_name()},
        {"nonfinite", totals_.nonfinite},
        {"state_hash", hash_text(hash_)},
        {"stretch", {{"max", totals_.stretch_max}, {"mean", figures().stretch_mean}}},
        {"penetration",
         {{"max_m", totals_.penetration_max},
          {"mean_m",
           totals_.penetrating_sum > 0 ? totals_.depth_sum / static_cast<double>(totals_.penetrating_sum) : 0.0},
          {"particles", totals_.penetrating_max},
          {"longest_frames_deeper_than_0.2mm", totals_.longest_deep},
          {"pinched_strands", totals_.pinched_max},
          {"particles_of_unknown_side", totals_.unknown_side_max},
          {"margin_m", scene_.world.contact.margin},
          {"skins", skin_count(scene_)},
          {"shapes", colliders_ - skin_count(scene_)},
          {"measured", colliders_ > 0}}},
        {"energy",
         {{"first", totals_.energy_first},
          {"last", totals_.energy_last},
          {"max", totals_.energy_max},
          {"kinetic_last", totals_.kinetic_last}}},
        {"fastest_last_m_s", totals_.fastest_last},
        {"holds", {{"missed", totals_.sum.missed_holds}, {"worst_gap_m", totals_.sum.worst_gap}}},
        {"softened", totals_.sum.softened},
        {"bytes_per_particle", static_cast<double>(bytes_) / static_cast<double>(particles_)},
        {"time",
         {{"total_s", total_seconds_},
          {"build_s", build_seconds_},
          {"ns_per_particle_step", nanoseconds_per_particle_step()},
          {"stages", stages}}},
        {"repairs", repairs},
        {"warnings", warnings_},
    };
    if (has_strings_)
        report["strings"] = {
            {"torn", totals_.sum.torn}, {"bend_share", totals_.sum.bend_share}, {"bounded", totals_.sum.bounded}};
    if (totals_.compared > 0)
        report["deviation"] = {{"mean_m", figures().deviation.mean}, {"max_m", figures().deviation.max}};
    // The JSON library would put each number of the series on its own line.
    std::string text = report.dump(2);
    text.resize(text.rfind("\n}"));
    return text + ",\n  \"series\": " + series_.json("  ") + "\n}\n";
}

std::string SimReport::solvers_text() const
{
    std::string out;
    for (size_t g = 0; g < grooms_.size(); ++g) {
        const GroomFacts& one = grooms_[g];
        const auto same = [&](const GroomFacts& other) {
            return other.solver == one.solver && other.printed == one.printed;
        };
        if (std::any_of(grooms_.begin(), grooms_.begin() + static_cast<ptrdiff_t>(g), same)) continue;
        out += (out.empty() ? "" : ", ") + one.solver + (one.printed ? " as printed" : "");
    }
    return out;
}

std::string SimReport::margins_text() const
{
    const auto less = [](const GroomFacts& a, const GroomFacts& b) { return a.margin < b.margin; };
    const auto [least, most] = std::minmax_element(grooms_.begin(), grooms_.end(), less);
    const double from = 1e3 * static_cast<double>(least->margin), to = 1e3 * static_cast<double>(most->margin);
    return from == to ? fmt::format("{:.3g}", from) : fmt::format("{:.3g} to {:.3g}", from, to);
}

std::string SimReport::table(const std::vector<std::string>& files) const
{
    std::vector<std::pair<std::string, std::string>> rows{
        {"scene", scene_.name},
        {"solver", solvers_text()},
        {"strands", fmt::format("{}", strands_)},
        {"particles", fmt::format("{}", particles_)},
        {"frames", fmt::format("{} ({} simulated now)", last_step_, totals_.sum.steps - restored_steps_)},
        {"time",
         fmt::format("{:.3f} s, {} thread{}, {}", total_seconds_, threads_, threads_ == 1 ? "" : "s", simd_name())},
        {"speed", fmt::format("{:.3f} ns per particle and step", nanoseconds_per_particle_step())},
        {"worst stretch", fmt::format("{:.2e}", totals_.stretch_max)},
        {"non-finite", fmt::format("{}", totals_.nonfinite)},
        {"fastest now", fmt::format("{:.3g} m/s", totals_.fastest_last)},
        {"energy", fmt::format("{:.4g} J at first, {:.4g} J at last, {:.4g} J at most", totals_.energy_first,
                               totals_.energy_last, totals_.energy_max)},
        {"state hash", hash_text(hash_)},
        {"missed holds", totals_.sum.missed_holds == 0
                             ? std::string("none")
                             : fmt::format("{}, by up to {:.3g} m", totals_.sum.missed_holds, totals_.sum.worst_gap)},
    };
    if (colliders_ > 0)
        rows.push_back(
            {"penetration",
             fmt::format("at most {:.3g} mm, {} particles at once, deeper than 0.2 mm for at "
                         "most {} frames{}; measured against {}; margin {} mm",
                         1e3 * totals_.penetration_max, totals_.penetrating_max, totals_.longest_deep,
                         totals_.measured_apart > 1 ? fmt::format(" (measured every {} frames)", totals_.measured_apart)
                                                    : std::string(),
                         collider_text(scene_, colliders_), margins_text())});
    if (totals_.unknown_side_max > 0)
        rows.push_back({"", fmt::format("{} particles near holes of a skin are not counted, as inside and outside are "
                                        "unknown there",
                                        totals_.unknown_side_max)});
    if (has_strings_)
        rows.push_back({"strings", fmt::format("{} torn; {:.3g} of the bending stiffness with at most {} substeps",
                                               totals_.sum.torn, totals_.sum.bend_share, totals_.sum.substeps)});
    if (totals_.sum.bounded > 0)
        rows.push_back({"", fmt::format("{} values of the equations as printed grew without bound and were limited",
                                        totals_.sum.bounded)});
    for (const Repair& r : repairs_) rows.push_back({"repaired", fmt::format("{}: {}", r.what, r.count)});
    if (repairs_.empty()) rows.push_back({"repaired", "nothing"});
    for (const std::string& file : files) rows.push_back({"written", file});
    std::string out;
    for (const auto& [name, value] : rows) out += fmt::format("{:<15}{}\n", name, value);
    return out;
}

}  // namespace tendril::app
