#include "report.h"

#include "tendril/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tendril::app {
namespace {

// Promise 1: no segment is further from its rest length, as a share of it.
constexpr double kMostStretch = 1e-4;

const char* solver_name(SolverType type)
{
    switch (type) {
        case SolverType::kDftl: return "dftl";
    }
    return "unknown";
}

std::string hash_text(uint64_t hash)
{
    return fmt::format("{:016x}", hash);
}

}  // namespace

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
    for (size_t g = 0; g < world.groom_count(); ++g)
        for (const Repair& repair : world.groom(GroomId{static_cast<uint32_t>(g)}).repairs())
            repairs_.push_back(repair);
}

void SimReport::add_step(const StepReport& step)
{
    sum_.steps += step.steps;
    sum_.bad_poses += step.bad_poses;
    sum_.missed_holds = std::max(sum_.missed_holds, step.missed_holds);
    sum_.worst_gap = std::max(sum_.worst_gap, step.worst_gap);
    sum_.seconds.roots += step.seconds.roots;
    sum_.seconds.body += step.seconds.body;
    sum_.seconds.interaction += step.seconds.interaction;
    sum_.seconds.solve += step.seconds.solve;
}

void SimReport::add_metrics(const Metrics& metrics, double seconds)
{
    measure_seconds_ += seconds;
    nonfinite_ = std::max(nonfinite_, metrics.nonfinite);
    // A stretch that is not a number is the worst there is; std::max would drop it.
    if (!(metrics.stretch_max <= stretch_max_)) stretch_max_ = metrics.stretch_max;
    stretch_sum_ += metrics.stretch_mean;
    penetration_max_ = std::max(penetration_max_, metrics.penetration_max);
    penetrating_max_ = std::max(penetrating_max_, metrics.penetrating);
    penetrating_sum_ += metrics.penetrating;
    depth_sum_ += metrics.penetration_mean * static_cast<double>(metrics.penetrating);
    energy_last_ = metrics.energy();
    kinetic_last_ = metrics.kinetic;
    fastest_last_ = metrics.fastest;
    if (measured_ == 0) energy_first_ = energy_max_ = energy_last_;
    energy_max_ = std::max(energy_max_, energy_last_);
    ++measured_;
}

void SimReport::finish(World& world, double total_seconds)
{
    total_seconds_ = total_seconds;
    last_step_ = world.steps();
    hash_ = world.state_hash();
    if (sum_.bad_poses > 0)
        repairs_.push_back({"poses that were not finite replaced by the ones before", sum_.bad_poses});
}

double SimReport::nanoseconds_per_particle_step() const
{
    const auto& s = sum_.seconds;
    const double count = static_cast<double>(particles_) * sum_.steps;
    return count > 0 ? 1e9 * (s.roots + s.body + s.interaction + s.solve) / count : 0;
}

std::string SimReport::problem() const
{
    if (nonfinite_ > 0) return fmt::format("{} particles are not finite", nonfinite_);
    if (!(stretch_max_ <= kMostStretch))
        return fmt::format("a segment is stretched by {:.2g} of its length; {} is allowed", stretch_max_, kMostStretch);
    return {};
}

std::string SimReport::json() const
{
    using Json = nlohmann::ordered_json;
    const auto& s = sum_.seconds;
    Json repairs = Json::array();
    for (const Repair& r : repairs_) repairs.push_back({{"what", r.what}, {"count", r.count}});
    const Json stages = {{"roots", s.roots},
                         {"body", s.body},
                         {"interaction", s.interaction},
                         {"solve", s.solve},
                         {"measure", measure_seconds_}};
    const Json report = {
        {"scene", scene_.name},
        {"version", TENDRIL_VERSION},
        {"solver", solver_name(scene_.world.solver.type)},
        {"dt", scene_.world.dt},
        {"strands", strands_},
        {"particles", particles_},
        {"frames", last_step_},
        {"first_frame", first_step_},
        {"substeps", scene_.world.substeps},
        {"threads", threads_},
        {"simd", simd_name()},
        {"nonfinite", nonfinite_},
        {"state_hash", hash_text(hash_)},
        {"stretch",
         {{"max", stretch_max_}, {"mean", measured_ > 0 ? stretch_sum_ / static_cast<double>(measured_) : 0.0}}},
        {"penetration",
         {{"max_m", penetration_max_},
          {"mean_m", penetrating_sum_ > 0 ? depth_sum_ / static_cast<double>(penetrating_sum_) : 0.0},
          {"particles", penetrating_max_},
          {"measured", colliders_ > 0}}},
        {"energy",
         {{"first", energy_first_}, {"last", energy_last_}, {"max", energy_max_}, {"kinetic_last", kinetic_last_}}},
        {"fastest_last_m_s", fastest_last_},
        {"holds", {{"missed", sum_.missed_holds}, {"worst_gap_m", sum_.worst_gap}}},
        {"bytes_per_particle", static_cast<double>(bytes_) / static_cast<double>(particles_)},
        {"time",
         {{"total_s", total_seconds_},
          {"build_s", build_seconds_},
          {"ns_per_particle_step", nanoseconds_per_particle_step()},
          {"stages", stages}}},
        {"repairs", repairs},
    };
    return report.dump(2) + "\n";
}

std::string SimReport::table(const std::vector<std::string>& files) const
{
    std::vector<std::pair<std::string, std::string>> rows{
        {"scene", scene_.name},
        {"strands", fmt::format("{}", strands_)},
        {"particles", fmt::format("{}", particles_)},
        {"frames", fmt::format("{} ({} simulated now)", last_step_, sum_.steps)},
        {"time", fmt::format("{:.3f} s, {} threads, {}", total_seconds_, threads_, simd_name())},
        {"speed", fmt::format("{:.3f} ns per particle and step", nanoseconds_per_particle_step())},
        {"worst stretch", fmt::format("{:.2e}", stretch_max_)},
        {"non-finite", fmt::format("{}", nonfinite_)},
        {"fastest now", fmt::format("{:.3g} m/s", fastest_last_)},
        {"energy", fmt::format("{:.4g} J at first, {:.4g} J at last, {:.4g} J at most", energy_first_, energy_last_,
                               energy_max_)},
        {"state hash", hash_text(hash_)},
        {"missed holds", sum_.missed_holds == 0
                             ? std::string("none")
                             : fmt::format("{}, by up to {:.3g} m", sum_.missed_holds, sum_.worst_gap)},
    };
    if (colliders_ > 0)
        rows.push_back({"penetration", fmt::format("{:.3g} mm at most, {} particles at once; {} colliders",
                                                   1e3 * penetration_max_, penetrating_max_, colliders_)});
    for (const Repair& r : repairs_) rows.push_back({"repaired", fmt::format("{}: {}", r.what, r.count)});
    if (repairs_.empty()) rows.push_back({"repaired", "nothing"});
    for (const std::string& file : files) rows.push_back({"written", file});
    std::string out;
    for (const auto& [name, value] : rows) out += fmt::format("{:<15}{}\n", name, value);
    return out;
}

}  // namespace tendril::app
