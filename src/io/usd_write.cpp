#include "io/curve_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <unordered_map>

namespace tendril {
namespace {

// Frame rates in the order in which they are tried. If none fits, the rate is a power of two, so that dividing a time
// code by it gives back the exact time.
constexpr double kFrameRates[] = {24, 25, 30, 48, 50, 60, 72, 90, 100, 120, 144, 240, 1000};
constexpr double kExactRate = 32;

using Text = fmt::memory_buffer;

template <class... Args>
void put(Text& text, fmt::format_string<Args...> pattern, Args&&... args)
{
    fmt::format_to(std::back_inserter(text), pattern, std::forward<Args>(args)...);
}

void put_number(Text& text, float x)
{
    put(text, "{}", x);
}
void put_number(Text& text, uint32_t x)
{
    put(text, "{}", x);
}
void put_number(Text& text, const Vec3f& v)
{
    put(text, "({}, {}, {})", v.x, v.y, v.z);
}
void put_number(Text& text, const Uv& uv)
{
    put(text, "({}, {})", uv.u, uv.v);
}

template <class T>
void put_list(Text& text, const std::vector<T>& values)
{
    put(text, "[");
    for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0) put(text, ", ");
        put_number(text, values[i]);
    }
    put(text, "]");
}

// ---------------------------------------------------------------------------------------------------------------------
// Preparing the data

/// The strands of one prim.
struct Part {
    std::string name;
    CurveKind kind;
    std::vector<uint32_t> strands;
};

struct Writer {
    const CurveFile& file;
    std::vector<Part> parts;
    std::vector<double> codes;  ///< time codes of the samples
    double rate = 24;
    Text text{};
    std::string indent = {};
};

/// Returns what is wrong with the curves, which the caller may have assembled by hand, or an empty string.
std::string problem_of(const CurveFile& file)
{
    const GroomData& data = file.data;
    const size_t points = data.points.size(), strands = data.strand_count();
    const std::vector<uint32_t>& first = data.first_point;
    if (first.empty() || first.front() != 0 || first.back() != points || !std::is_sorted(first.begin(), first.end()))
        return "the strands do not cover the points";
    const auto fits = [](size_t size, size_t needed) { return size == 0 || size == needed; };
    if (!fits(data.widths.size(), points) || !fits(data.colours.size(), points) ||
        !fits(data.transparencies.size(), points) || !fits(data.root_uvs.size(), strands) ||
        !fits(data.ends.size(), strands) || !fits(data.groups.size(), strands))
        return "the number of values does not match the points or strands";
    for (const uint32_t group : data.groups)
        if (group >= data.group_names.size()) return "a strand is in a group that does not exist";
    if (!file.kinds.empty() && file.kinds.size() != std::max<size_t>(data.group_names.size(), 1))
        return "the number of kinds does not match the groups";
    if (file.samples.size() != file.times.size()) return "the number of samples does not match the times";
    for (size_t i = 0; i < file.samples.size(); ++i) {
        if (file.samples[i].size() != points) return "a sample does not have all points";
        if (!std::isfinite(file.times[i]) || (i > 0 && !(file.times[i] > file.times[i - 1])))
            return "times do not increase";
    }
    const char* not_finite = fault_of_numbers(file, CurveFormat::kUsd);
    return not_finite ? not_finite : "";
}

/// A unique name that is valid in USD: letters, digits and underscores.
std::string identifier(std::string_view name, std::unordered_map<std::string, size_t>& taken)
{
    constexpr size_t kMaxLength = 200;
    if (name.starts_with('/')) name.remove_prefix(1);
    std::string id;
    for (const char c : name.substr(0, kMaxLength)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_', digit = c >= '0' && c <= '9';
        if (id.empty() && digit) id.push_back('_');
        id.push_back(letter || digit ? c : '_');
    }
    if (id.empty()) id = "Hair";
    std::string unique = id;
    while (!taken.emplace(unique, 0).second) unique = fmt::format("{}_{}", id, ++taken[id]);
    return unique;
}

/// One part per group. Strands of a group keep their order; strands of different groups are not interleaved.
std::vector<Part> parts_of(const CurveFile& file)
{
    const GroomData& data = file.data;
    std::vector<Part> parts(data.groups.empty() ? 1 : data.group_names.size());
    for (size_t i = 0; i < parts.size() && !file.kinds.empty(); ++i) parts[i].kind = file.kinds[i];
    for (uint32_t s = 0; s < data.strand_count(); ++s)
        parts[data.groups.empty() ? 0 : data.groups[s]].strands.push_back(s);
    std::unordered_map<std::string, size_t> taken;  // names in use, and the last number that was appended to each
    constexpr std::string_view kRoot = "/Hair/";
    for (size_t i = 0; i < parts.size(); ++i) {
        std::string_view name = data.groups.empty() ? "Hair" : std::string_view(data.group_names[i]);
        if (parts.size() > 1 && name.starts_with(kRoot)) name.remove_prefix(kRoot.size());
        parts[i].name = identifier(name, taken);
    }
    return parts;
}

/// Chooses a common frame rate at which all times, up to rounding, are whole frames; otherwise kExactRate.
void choose_codes(Writer& w)
{
    const auto is_frame = [](double code) { return std::abs(code - std::round(code)) <= 1e-9 * (1 + std::abs(code)); };
    const std::vector<double>& times = w.file.times;
    const auto* rate = std::find_if(std::begin(kFrameRates), std::end(kFrameRates), [&](double r) {
        return std::all_of(times.begin(), times.end(), [&](double t) { return is_frame(t * r); });
    });
    const bool whole = rate != std::end(kFrameRates);
    w.rate = whole ? *rate : kExactRate;
    for (const double t : times) w.codes.push_back(whole ? std::round(t * w.rate) : t * w.rate);
    // Times that are closer together than the rounding would share a frame.
    if (std::adjacent_find(w.codes.begin(), w.codes.end(), std::greater_equal<>()) == w.codes.end()) return;
    w.rate = kExactRate;
    for (size_t i = 0; i < times.size(); ++i) w.codes[i] = times[i] * w.rate;
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

template <class T>
std::vector<T> gathered(const Writer& w, const Part& part, const std::vector<T>& per_point)
{
    std::vector<T> out;
    const std::vector<uint32_t>& first = w.file.data.first_point;
    for (const uint32_t s : part.strands)
        out.insert(out.end(), per_point.begin() + first[s], per_point.begin() + first[s + 1]);
    return out;
}

template <class T>
std::vector<T> gathered_strands(const Part& part, const std::vector<T>& per_strand)
{
    std::vector<T> out;
    for (const uint32_t s : part.strands) out.push_back(per_strand[s]);
    return out;
}

/// Writes `declaration` = values, and the interpolation if there is one.
template <class T>
void put_attribute(Writer& w, std::string_view declaration, const std::vector<T>& values,
                   std::string_view interpolation = {})
{
    put(w.text, "{}{} = ", w.indent, declaration);
    put_list(w.text, values);
    if (!interpolation.empty()) put(w.text, " (\n{0}    interpolation = \"{1}\"\n{0})", w.indent, interpolation);
    put(w.text, "\n");
}

/// Writes `declaration`.timeSamples, with `make(i)` as the value of sample i.
template <class Make>
void put_samples(Writer& w, std::string_view declaration, Make make)
{
    if (w.codes.empty()) return;
    put(w.text, "{}{}.timeSamples = {{\n", w.indent, declaration);
    for (size_t i = 0; i < w.codes.size(); ++i) {
        put(w.text, "{}    {}: ", w.indent, w.codes[i]);
        put_list(w.text, make(i));
        put(w.text, ",\n");
    }
    put(w.text, "{}}}\n", w.indent);
}

/// The corners of a box around all points, enlarged by half the largest width.
std::vector<Vec3f> extent(const std::vector<Vec3f>& points, float width)
{
    if (points.empty()) return {{0, 0, 0}, {0, 0, 0}};
    Vec3f low = points[0], high = points[0];
    for (const Vec3f& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3f margin{width / 2, width / 2, width / 2};
    return {low - margin, high + margin};
}

/// Central differences of the samples [units/s], one-sided at the first and last sample.
std::vector<Vec3f> velocities(const Writer& w, const Part& part, size_t sample)
{
    const size_t a = sample > 0 ? sample - 1 : 0, b = std::min(sample + 1, w.codes.size() - 1);
    const double seconds = w.file.times[b] - w.file.times[a];
    std::vector<Vec3f> from = gathered(w, part, w.file.samples[a]), to = gathered(w, part, w.file.samples[b]);
    for (size_t p = 0; p < to.size(); ++p) {
        const Vec3d v = seconds > 0 ? (to_double(to[p]) - to_double(from[p])) * (1 / seconds) : Vec3d{0, 0, 0};
        to[p] = to_float(v);
        if (!is_finite(to[p])) to[p] = {0, 0, 0};  // overflow of float
    }
    return to;
}

void put_kind(Writer& w, CurveKind kind)
{
    constexpr std::string_view kBases[] = {"", "bezier", "bspline", "catmullRom"};
    constexpr std::string_view kWraps[] = {"nonperiodic", "periodic", "pinned"};
    const bool linear = kind.basis == CurveBasis::kLinear;
    put(w.text, "{}uniform token type = \"{}\"\n", w.indent, linear ? "linear" : "cubic");
    if (!linear) put(w.text, "{}uniform token basis = \"{}\"\n", w.indent, kBases[static_cast<size_t>(kind.basis)]);
    put(w.text, "{}uniform token wrap = \"{}\"\n", w.indent, kWraps[static_cast<size_t>(kind.wrap)]);
}

void put_motion(Writer& w, const Part& part, float width)
{
    const auto sampled = [&](size_t i) { return gathered(w, part, w.file.samples[i]); };
    const std::vector<Vec3f> points = gathered(w, part, w.file.data.points);
    put_attribute(w, "float3[] extent", extent(points, width));
    put_samples(w, "float3[] extent", [&](size_t i) { return extent(sampled(i), width); });
    put_attribute(w, "point3f[] points", points);
    put_samples(w, "point3f[] points", sampled);
    if (w.codes.size() > 1) put_samples(w, "vector3f[] velocities", [&](size_t i) { return velocities(w, part, i); });
}

/// Values that are all equal are written once.
template <class T>
void put_primvar(Writer& w, std::string_view declaration, const std::vector<T>& values)
{
    const auto differs = [&](const T& x) { return std::memcmp(&x, &values.front(), sizeof(T)) != 0; };
    if (values.size() > 1 && std::none_of(values.begin(), values.end(), differs))
        put_attribute(w, declaration, std::vector<T>{values.front()}, "constant");
    else
        put_attribute(w, declaration, values, "vertex");
}

void put_values(Writer& w, const Part& part, const std::vector<float>& widths)
{
    const GroomData& data = w.file.data;
    if (!data.widths.empty()) put_primvar(w, "float[] widths", widths);
    if (!data.colours.empty()) put_primvar(w, "color3f[] primvars:displayColor", gathered(w, part, data.colours));
    if (!data.transparencies.empty()) {
        std::vector<float> opacities = gathered(w, part, data.transparencies);
        for (float& x : opacities) x = 1 - x;
        put_primvar(w, "float[] primvars:displayOpacity", opacities);
    }
    if (!data.root_uvs.empty())
        put_attribute(w, "texCoord2f[] primvars:st", gathered_strands(part, data.root_uvs), "uniform");
    if (!data.ends.empty()) {
        std::vector<uint32_t> ends;
        for (const uint32_t s : part.strands) ends.push_back(static_cast<uint32_t>(data.ends[s]));
        put_attribute(w, "int[] primvars:tendril:ends", ends, "uniform");
    }
}

void put_part(Writer& w, const Part& part)
{
    const GroomData& data = w.file.data;
    std::vector<float> widths;
    if (!data.widths.empty()) widths = gathered(w, part, data.widths);
    const float widest = widths.empty() ? 0 : std::max(0.0f, *std::max_element(widths.begin(), widths.end()));
    std::vector<uint32_t> counts;
    for (const uint32_t s : part.strands) counts.push_back(data.first_point[s + 1] - data.first_point[s]);

    const std::string outer = w.indent;
    put(w.text, "{0}def BasisCurves \"{1}\"\n{0}{{\n", outer, part.name);
    w.indent += "    ";
    put_kind(w, part.kind);
    put_attribute(w, "int[] curveVertexCounts", counts);
    put_motion(w, part, widest);
    put_values(w, part, widths);
    w.indent = outer;
    put(w.text, "{}}}\n", w.indent);
}

void put_head(Writer& w, std::string_view default_prim)
{
    put(w.text, "#usda 1.0\n(\n    defaultPrim = \"{}\"\n", default_prim);
    if (!w.codes.empty()) put(w.text, "    endTimeCode = {}\n    framesPerSecond = {}\n", w.codes.back(), w.rate);
    put(w.text, "    metersPerUnit = {}\n", w.file.metres_per_unit > 0 ? w.file.metres_per_unit : 1.0);
    if (!w.codes.empty()) put(w.text, "    startTimeCode = {}\n    timeCodesPerSecond = {}\n", w.codes.front(), w.rate);
    put(w.text, "    upAxis = \"{}\"\n)\n\n", w.file.up == UpAxis::kZ ? "Z" : "Y");
}

}  // namespace

ByteResult usd_bytes(const CurveFile& curves)
{
    if (const std::string problem = problem_of(curves); !problem.empty()) return Error{"USD: " + problem};
    Writer w{curves, parts_of(curves), {}};
    choose_codes(w);
    // A file has one default prim. Several groups become its children, so that a reference to the file includes them
    // all.
    const bool nested = w.parts.size() > 1;
    put_head(w, nested ? "Hair" : w.parts.empty() ? "Hair" : std::string_view(w.parts[0].name));
    if (nested) {
        put(w.text, "def Xform \"Hair\"\n{{\n");
        w.indent = "    ";
    }
    for (const Part& part : w.parts) put_part(w, part);
    if (nested) put(w.text, "}}\n");
    const auto* begin = reinterpret_cast<const std::byte*>(w.text.data());
    return std::vector<std::byte>(begin, begin + w.text.size());
}

}  // namespace tendril
