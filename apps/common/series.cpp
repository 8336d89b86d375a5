#include "series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app {
namespace {

// A simulation may run for days; beyond this number, pairs of neighbours are merged.
constexpr size_t kMaxSamples = 8192;

StageSeconds sum(const StageSeconds& a, const StageSeconds& b)
{
    return {a.roots + b.roots, a.body + b.body,       a.interaction + b.interaction,
            a.solve + b.solve, a.measure + b.measure, a.render + b.render};
}

/// The later of two neighbours, with the maxima, means and times of both.
Sample merged(const Sample& a, const Sample& b)
{
    Sample out = b;
    if (!(a.stretch_max <= b.stretch_max)) out.stretch_max = a.stretch_max;  // also keeps NaN
    out.stretch_mean = 0.5 * (a.stretch_mean + b.stretch_mean);
    out.fastest = std::max(a.fastest, b.fastest);
    out.penetration = std::max(a.penetration, b.penetration);
    out.deviation = 0.5 * (a.deviation + b.deviation);
    out.frames = a.frames + b.frames;
    out.seconds = sum(a.seconds, b.seconds);
    return out;
}

/// Keeps the first sample, which is the start of the scene.
void halve(std::vector<Sample>& samples)
{
    size_t kept = 1;
    for (size_t i = 1; i < samples.size(); i += 2)
        samples[kept++] = i + 1 < samples.size() ? merged(samples[i], samples[i + 1]) : samples[i];
    samples.resize(kept);
}

std::string json_number(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

}  // namespace

void Series::add_step(const StepReport& step)
{
    const auto& s = step.seconds;
    next_.frames += step.steps;
    next_.seconds = sum(next_.seconds, {s.roots, s.body, s.interaction, s.solve, 0, 0});
}

void Series::add_metrics(uint64_t frame, double time, const Metrics& metrics, double seconds)
{
    next_.frame = frame;
    next_.time = time;
    next_.stretch_max = metrics.stretch_max;
    next_.stretch_mean = metrics.stretch_mean;
    next_.kinetic = metrics.kinetic;
    next_.potential = metrics.potential;
    next_.elastic = metrics.elastic;
    next_.fastest = metrics.fastest;
    next_.penetration = metrics.penetration_max;
    next_.seconds.measure += seconds;
    samples_.push_back(next_);
    next_ = {};
    if (samples_.size() > kMaxSamples) halve(samples_);
}

void Series::add_render(double seconds, uint64_t frames)
{
    const size_t count = std::min<size_t>(samples_.size(), frames);
    for (size_t i = samples_.size() - count; i < samples_.size(); ++i)
        samples_[i].seconds.render += seconds / static_cast<double>(count);
}

void Series::set_deviation(double mean)
{
    if (!samples_.empty()) samples_.back().deviation = mean;
}

bool Series::has_penetration() const
{
    return std::any_of(samples_.begin(), samples_.end(), [](const Sample& s) { return std::isfinite(s.penetration); });
}

bool Series::has_deviation() const
{
    return std::any_of(samples_.begin(), samples_.end(), [](const Sample& s) { return std::isfinite(s.deviation); });
}

std::string Series::json(std::string_view indent) const
{
    std::string out = "{";
    const auto add = [&](const char* name, const auto& value) {
        out += fmt::format("{}\n{}  \"{}\": [", out.size() > 1 ? "," : "", indent, name);
        for (size_t i = 0; i < samples_.size(); ++i)
            out += (i > 0 ? ", " : "") + json_number(static_cast<double>(value(samples_[i])));
        out += "]";
    };
    add("frame", [](const Sample& s) { return s.frame; });
    add("time_s", [](const Sample& s) { return s.time; });
    add("stretch_max", [](const Sample& s) { return s.stretch_max; });
    add("stretch_mean", [](const Sample& s) { return s.stretch_mean; });
    add("kinetic_j", [](const Sample& s) { return s.kinetic; });
    add("potential_j", [](const Sample& s) { return s.potential; });
    add("elastic_j", [](const Sample& s) { return s.elastic; });
    add("energy_j", [](const Sample& s) { return s.energy(); });
    add("fastest_m_s", [](const Sample& s) { return s.fastest; });
    if (has_penetration()) add("penetration_m", [](const Sample& s) { return s.penetration; });
    if (has_deviation()) add("deviation_m", [](const Sample& s) { return s.deviation; });
    const auto names = stages_per_frame({});
    for (size_t k = 0; k < names.size(); ++k)
        add(fmt::format("{}_s", names[k].first).c_str(),
            [k](const Sample& s) { return stages_per_frame(s)[k].second; });
    return out + fmt::format("\n{}}}", indent);
}

std::vector<std::pair<const char*, double>> stages_per_frame(const Sample& sample)
{
    const StageSeconds& s = sample.seconds;
    const double share = 1.0 / std::max(1, sample.frames);
    return {{"roots", share * s.roots}, {"body", share * s.body},       {"interaction", share * s.interaction},
            {"solve", share * s.solve}, {"measure", share * s.measure}, {"render", share * s.render}};
}

}  // namespace tendril::app
