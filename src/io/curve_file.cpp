// Detects the format of a curve file, and converts curves between reading and writing.
#include "tendril/curve_file.h"

#include "io/curve_formats.h"
#include "io/file_bytes.h"
#include "io/foreign_format.h"
#include "io/text_scan.h"
#include "math/vectors.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace tendril {
namespace {

struct FormatName {
    CurveFormat format;
    const char* extension;
    const char* name;
};
// The first entry with an extension is the format that is written for it.
constexpr FormatName kFormats[] = {
    {CurveFormat::kTfx4, ".tfx", "TressFX 4 (.tfx)"},
    {CurveFormat::kTfx3, ".tfx", "TressFX 3 (.tfx)"},
    {CurveFormat::kTfx2, ".tfx", "TressFX 2 (.tfx, text)"},
    {CurveFormat::kTfx1, ".tfx", "TressFX 1 (.tfx, text)"},
    {CurveFormat::kHair, ".hair", "Cem Yuksel's hair (.hair)"},
    {CurveFormat::kData, ".data", "USC hair salon (.data)"},
    {CurveFormat::kObj, ".obj", "Wavefront OBJ lines (.obj)"},
    {CurveFormat::kUsd, ".usda", "USD ASCII curves (.usda)"},
    {CurveFormat::kUsd, ".usd", "USD ASCII curves (.usda)"},
    {CurveFormat::kCache, ".tendril", "Tendril cache (.tendril)"},
};

std::string extension_of(const std::string& file)
{
    const size_t dot = file.find_last_of("./");
    if (dot == std::string::npos || file[dot] != '.') return {};
    std::string extension = file.substr(dot);
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return extension;
}

/// A binary .tfx starts with its version as a float.
bool is_binary_tfx(Bytes bytes)
{
    float version = 0;
    if (bytes.size() < sizeof version) return false;
    std::memcpy(&version, bytes.data(), sizeof version);
    return version == 3.0f || version == 4.0f;
}

/// The first word that is not in a comment.
std::string_view first_word(Bytes bytes)
{
    TextScan scan(as_text(bytes.first(std::min<size_t>(bytes.size(), 65536))));
    for (;;) {
        scan.skip_space();
        if (scan.peek() != '#') return scan.word();
        scan.skip_line();
    }
}

/// The format, if the content alone identifies it.
std::optional<CurveFormat> format_of_content(Bytes bytes)
{
    if (starts_with(bytes, "TENDRILC")) return CurveFormat::kCache;
    if (starts_with(bytes, "HAIR")) return CurveFormat::kHair;
    for (std::string_view usd : {"#usda", "PXR-USDC", "PK\x03\x04"})
        if (starts_with(bytes, usd)) return CurveFormat::kUsd;
    if (is_binary_tfx(bytes)) return CurveFormat::kTfx4;
    const std::string_view word = first_word(bytes);
    if (word == "version" || word == "numStrands") return CurveFormat::kTfx1;
    for (std::string_view obj : {"v", "o", "g", "l", "vn", "vt", "mtllib", "usemtl", "s"})
        if (word == obj) return CurveFormat::kObj;
    return {};
}

/// Weights of four control points at one parameter of a cubic curve.
struct Cubic {
    double weights[4];
    Vec3d blend(const Vec3d* p) const
    {
        return p[0] * weights[0] + p[1] * weights[1] + p[2] * weights[2] + p[3] * weights[3];
    }
};
Cubic cubic_weights(CurveBasis basis, double t)
{
    const double u = 1 - t, t2 = t * t, t3 = t2 * t;
    if (basis == CurveBasis::kBezier) return {{u * u * u, 3 * u * u * t, 3 * u * t2, t3}};
    if (basis == CurveBasis::kBspline)
        return {{u * u * u / 6, (3 * t3 - 6 * t2 + 4) / 6, (-3 * t3 + 3 * t2 + 3 * t + 1) / 6, t3 / 6}};
    return {{(-t3 + 2 * t2 - t) / 2, (3 * t3 - 5 * t2 + 2) / 2, (-3 * t3 + 4 * t2 + t) / 2, (t3 - t2) / 2}};
}

/// The control points of one cubic curve, including those that its wrap mode adds; a segment uses four of them.
std::vector<Vec3d> wrapped(std::span<const Vec3f> points, const CurveKind& kind)
{
    std::vector<Vec3d> p;
    for (const Vec3f& point : points) p.push_back(to_double(point));
    const size_t n = p.size();
    if (kind.wrap == CurveWrap::kPeriodic) {
        const size_t more = kind.basis == CurveBasis::kBezier ? 1 : 3;
        for (size_t i = 0; i < more; ++i) p.push_back(p[i % n]);
    } else if (kind.wrap == CurveWrap::kPinned && kind.basis != CurveBasis::kBezier && n >= 2) {
        // A mirrored point beyond each end makes the curve start and end at its outermost points.
        const Vec3d before = p[0] * 2.0 - p[1], after = p[n - 1] * 2.0 - p[n - 2];
        p.insert(p.begin(), before);
        p.push_back(after);
    }
    return p;
}

/// Replaces the control points by the same number of points on the curve, at equal parameter steps. Curves with too few
/// points for their basis stay as they are.
void evaluate(std::span<Vec3f> points, const CurveKind& kind)
{
    if (points.size() < 2) return;
    const std::vector<Vec3d> p = wrapped(points, kind);
    const size_t stride = kind.basis == CurveBasis::kBezier ? 3 : 1;
    if (p.size() < 4) return;
    const size_t segments = (p.size() - 4) / stride + 1;
    for (size_t i = 0; i < points.size(); ++i) {
        const double x =
            static_cast<double>(segments) * static_cast<double>(i) / static_cast<double>(points.size() - 1);
        const size_t segment = std::min(static_cast<size_t>(x), segments - 1);
        points[i] =
            to_float(cubic_weights(kind.basis, x - static_cast<double>(segment)).blend(p.data() + segment * stride));
    }
}

template <class T>
bool all_finite(const std::vector<T>& values)
{
    return std::all_of(values.begin(), values.end(), [](const T& x) {
        if constexpr (std::is_same_v<T, float>)
            return std::isfinite(x);
        else if constexpr (std::is_same_v<T, Uv>)
            return std::isfinite(x.u) && std::isfinite(x.v);
        else
            return is_finite(x);
    });
}

/// Applies `change` to the strands at rest and in all samples.
template <class F>
void change_strands(CurveFile& curves, const F& change)
{
    for (auto& sample : curves.samples) {
        GroomData frame;
        frame.points = std::move(sample);
        frame.first_point = curves.data.first_point;
        sample = change(frame).points;
    }
    curves.data = change(curves.data);
}

template <class F>
void for_all_points(CurveFile& curves, const F& f)
{
    f(std::span(curves.data.points));
    for (auto& sample : curves.samples) f(std::span(sample));
}

}  // namespace

const char* format_name(CurveFormat format)
{
    for (const FormatName& known : kFormats)
        if (known.format == format) return known.name;
    return "unknown";
}

Result<CurveFormat> format_of_ending(const std::string& file)
{
    const std::string extension = extension_of(file);
    for (const FormatName& known : kFormats)
        if (extension == known.extension) return known.format;
    return Error{fmt::format("{}: unknown file extension; use .tfx, .hair, .data, .obj, .usda or .tendril", file)};
}

Result<CurveFile> parse_curves(std::span<const std::byte> bytes, const std::string& name)
{
    if (bytes.empty()) return Error{fmt::format("{}: the file is empty", name)};
    if (const std::string alembic = alembic_format(bytes); !alembic.empty())
        return Error{
            fmt::format("{}: {}, which Tendril does not read; export the hair as USD text instead, with a name that "
                        "ends in .usda (Blender: File > Export > Universal Scene Description)",
                        name, alembic)};
    auto format = format_of_content(bytes);
    if (!format) {
        const auto by_extension = format_of_ending(name);
        if (!by_extension)
            return Error{
                fmt::format("{}: not a hair format that Tendril reads (.tfx, .hair, .data, .obj, "
                            ".usda, .tendril)",
                            name)};
        format = *by_extension;
    }
    switch (*format) {
        case CurveFormat::kTfx1:
        case CurveFormat::kTfx2:
        case CurveFormat::kTfx3:
        case CurveFormat::kTfx4: return parse_tfx(bytes, name);
        case CurveFormat::kHair: return parse_hair(bytes, name);
        case CurveFormat::kData: return parse_usc_data(bytes, name);
        case CurveFormat::kObj: return parse_obj_curves(bytes, name);
        case CurveFormat::kUsd: return parse_usd(bytes, name);
        case CurveFormat::kCache: return parse_cache(bytes, name);
    }
    return Error{"unreachable"};
}

Result<CurveFile> read_curves(const std::string& file)
{
    const auto opened = open_file(file);
    if (!opened) return Error{opened.error()};
    return parse_curves(opened->bytes(), file);
}

const char* fault_of_numbers(const CurveFile& curves, CurveFormat format)
{
    const GroomData& data = curves.data;
    const bool stores_frames = format == CurveFormat::kUsd || format == CurveFormat::kCache;
    const bool finite = all_finite(data.points) && all_finite(data.widths) && all_finite(data.colours) &&
                        all_finite(data.transparencies) && all_finite(data.root_uvs) &&
                        std::isfinite(curves.metres_per_unit) &&
                        (!stores_frames || std::all_of(curves.samples.begin(), curves.samples.end(),
                                                       [](const auto& sample) { return all_finite(sample); }));
    return finite ? nullptr : "numbers that are not finite cannot be written; --repair leaves out what is not finite";
}

Result<std::vector<std::byte>> curve_bytes(const CurveFile& curves, CurveFormat format)
{
    if (const char* fault = fault_of_numbers(curves, format)) return Error{fault};
    switch (format) {
        case CurveFormat::kTfx4: return tfx4_bytes(curves);
        case CurveFormat::kHair: return hair_bytes(curves);
        case CurveFormat::kData: return usc_data_bytes(curves);
        case CurveFormat::kObj: return obj_curve_bytes(curves);
        case CurveFormat::kUsd: return usd_bytes(curves);
        case CurveFormat::kCache: return cache_bytes(curves);
        case CurveFormat::kTfx1:
        case CurveFormat::kTfx2:
        case CurveFormat::kTfx3: break;
    }
    return Error{fmt::format("{} can be read but not written; write TressFX 4", format_name(format))};
}

Result<size_t> write_curves(const std::string& file, const CurveFile& curves, CurveFormat format)
{
    const auto bytes = curve_bytes(curves, format);
    if (!bytes) return Error{fmt::format("{}: {}", file, bytes.error())};
    return write_file(file, *bytes);
}

void to_polylines(CurveFile& curves)
{
    const GroomData& data = curves.data;
    size_t opened = 0;
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const size_t group = data.groups.empty() ? 0 : data.groups[s];
        if (group >= curves.kinds.size()) continue;
        if (curves.kinds[group].basis == CurveBasis::kLinear) {
            // A strand has no segment from its last point to its first; cubic curves are sampled all the way round.
            opened += curves.kinds[group].wrap == CurveWrap::kPeriodic;
            continue;
        }
        const size_t first = data.first_point[s], count = data.first_point[s + 1] - first;
        for_all_points(curves,
                       [&](std::span<Vec3f> points) { evaluate(points.subspan(first, count), curves.kinds[group]); });
    }
    curves.kinds.clear();
    if (opened > 0) curves.left_out.push_back({"closing segment", opened});
}

void keep_strands(CurveFile& curves, std::span<const uint32_t> strands)
{
    change_strands(curves, [&](const GroomData& data) { return subset(data, strands); });
}

void resample_curves(CurveFile& curves, uint32_t points_per_strand)
{
    change_strands(curves, [&](const GroomData& data) { return resampled(data, points_per_strand); });
}

std::string left_out_text(std::span<const LeftOut> left_out)
{
    std::string text;
    for (const auto& [what, count] : left_out)
        text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, what, count == 1 ? "" : "s");
    return text;
}

std::vector<std::string> left_out_by(CurveFormat format, const CurveFile& curves)
{
    using F = CurveFormat;
    const GroomData& data = curves.data;
    std::vector<std::string> lost;
    const auto check = [&](const char* what, bool present, std::initializer_list<F> supported_by) {
        const bool keeps_all = format == F::kUsd || format == F::kCache;
        if (present && !keeps_all && std::find(supported_by.begin(), supported_by.end(), format) == supported_by.end())
            lost.emplace_back(what);
    };
    check("frames", !curves.samples.empty(), {});
    check("unit", curves.metres_per_unit > 0, {});
    check("up axis", curves.up != UpAxis::kUnknown, {F::kHair});
    check("held ends", !data.ends.empty(), {F::kTfx4});
    check("root UVs", !data.root_uvs.empty(), {F::kTfx4, F::kObj});
    check("groups", data.group_names.size() > 1, {F::kObj});
    check("widths", !data.widths.empty(), {F::kHair, F::kTfx4});
    check("widths along strands", !data.widths.empty() && format == F::kTfx4, {});
    check("colours", !data.colours.empty(), {F::kHair, F::kTfx4, F::kObj});
    check("transparencies", !data.transparencies.empty(), {F::kHair, F::kTfx4});
    return lost;
}

bool tressfx_accepts(size_t points_per_strand)
{
    // A group of 64 threads simulates 64 / points strands.
    return points_per_strand >= 4 && points_per_strand <= 64 && 64 % points_per_strand == 0;
}

double suspected_unit(const GroomData& data)
{
    // No head of hair has both strands this long and this size; hair that reaches the ground and the fur of a large
    // animal have one of them. [m]
    constexpr double kLongStrand = 1.5, kLargeBox = 5, kCentimetre = 0.01, kMillimetre = 0.001;
    std::vector<double> lengths = strand_lengths(data);
    std::erase_if(lengths, [](double length) { return !std::isfinite(length); });
    if (lengths.empty()) return 0;
    const auto median = lengths.begin() + static_cast<ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), median, lengths.end());
    const double size = box_diagonal(data.points);
    if (*median < kLongStrand || size < kLargeBox) return 0;
    return *median * kCentimetre < kLongStrand && size * kCentimetre < kLargeBox ? kCentimetre : kMillimetre;
}

void scale_curves(CurveFile& curves, double factor)
{
    for_all_points(curves, [&](std::span<Vec3f> points) {
        for (Vec3f& p : points) p = to_float(to_double(p) * factor);
    });
    for (float& w : curves.data.widths) w = static_cast<float>(static_cast<double>(w) * factor);
    if (curves.metres_per_unit > 0) curves.metres_per_unit /= factor;
}

void turn_curves(CurveFile& curves, UpAxis from, UpAxis to)
{
    curves.up = to;
    if (from == to || from == UpAxis::kUnknown || to == UpAxis::kUnknown) return;
    for_all_points(curves, [&](std::span<Vec3f> points) {
        for (Vec3f& p : points) p = to == UpAxis::kY ? Vec3f{p.x, p.z, -p.y} : Vec3f{p.x, -p.z, p.y};
    });
}

}  // namespace tendril
