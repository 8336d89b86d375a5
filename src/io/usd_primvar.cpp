#include "io/usd_primvar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// The segment ends of a curve, and the curve parameters of its points. Segment end i has parameter i.
struct Segments {
    size_t ends = 0;
    double first = 0;      ///< parameter of point 0; may lie before the curve
    double per_point = 1;  ///< parameter step between points
    bool closed = false;   ///< the last segment leads back to end 0
};

Segments segments_of(CurveKind kind, size_t points)
{
    const bool closed = kind.wrap == CurveWrap::kPeriodic;
    if (kind.basis == CurveBasis::kLinear) return {points, 0, 1, closed};
    if (kind.basis == CurveBasis::kBezier)
        return {closed ? points / 3 : points < 4 ? 0 : (points - 4) / 3 + 2, 0, 1.0 / 3, closed};
    // B-splines and Catmull-Rom: segment i starts at point i + 1. Pinned curves have an additional point before the
    // first and after the last one.
    if (closed) return {points, -1, 1, true};
    if (kind.wrap == CurveWrap::kPinned) return {points, 0, 1, false};
    return {points < 4 ? 0 : points - 2, -1, 1, false};
}

/// Access to the values of a primvar by element.
struct PrimvarElements {
    const UsdValue* values = nullptr;
    const UsdValue* indices = nullptr;  ///< null if the values are in element order
    uint32_t width = 1;

    size_t count() const { return indices ? indices->number_count() : values->elements(width); }
    float number(size_t element, uint32_t i) const
    {
        if (indices) element = static_cast<size_t>(indices->number(element));
        return static_cast<float>(values->number(element * width + i));
    }
};

Result<PrimvarElements> read_elements(const UsdLayer& layer, const UsdPrim& prim, std::string_view name, uint32_t width)
{
    PrimvarElements out{find_property(prim, name).first(), nullptr, width};
    if (!out.values) return out;
    if (out.values->number_count() > 0 && out.values->width != width)
        return layer.error(out.values->offset, fmt::format("{} needs {} numbers per element", name, width));
    out.indices = find_property(prim, fmt::format("{}:indices", name)).first();
    for (size_t i = 0; out.indices && i < out.indices->number_count(); ++i) {
        const double index = out.indices->number(i);
        if (!(index >= 0 && index < static_cast<double>(out.values->elements(width))))
            return layer.error(out.indices->offset, fmt::format("index {} of {} is out of range", index, name));
    }
    return out;
}

void repeat(const PrimvarElements& elements, size_t element, size_t times, std::vector<float>& out)
{
    for (size_t n = 0; n < times; ++n)
        for (uint32_t i = 0; i < elements.width; ++i) out.push_back(elements.number(element, i));
}

/// Interpolates the values of one curve, which start at element `begin`, at its points.
void interpolate_varying(const PrimvarElements& elements, size_t begin, const Segments& segments, size_t points,
                         std::vector<float>& out)
{
    const auto ends = static_cast<double>(segments.ends);
    for (size_t p = 0; p < points; ++p) {
        double u = segments.first + segments.per_point * static_cast<double>(p);
        if (segments.closed)
            u = u < 0 ? u + ends : u >= ends ? u - ends : u;
        else
            u = std::clamp(u, 0.0, ends - 1);
        // Multiples of 1/3 are rounded; this restores those that are integers.
        if (std::abs(u - std::round(u)) < 1e-6) u = std::round(u);
        const size_t a = std::min(static_cast<size_t>(u), segments.ends - 1);
        const size_t b = a + 1 < segments.ends ? a + 1 : segments.closed ? 0 : a;
        const auto fraction = static_cast<float>(u - static_cast<double>(a));
        for (uint32_t i = 0; i < elements.width; ++i) {
            const float va = elements.number(begin + a, i);
            out.push_back(fraction > 0 ? va + (elements.number(begin + b, i) - va) * fraction : va);
        }
    }
}

bool interpolate_varying(const PrimvarElements& elements, const UsdTopology& topology, std::vector<float>& out)
{
    size_t needed = 0;
    for (const uint32_t points : topology.counts) needed += segments_of(topology.kind, points).ends;
    if (needed != elements.count()) return false;
    size_t begin = 0;
    for (const uint32_t points : topology.counts) {
        const Segments segments = segments_of(topology.kind, points);
        if (segments.ends > 0)
            interpolate_varying(elements, begin, segments, points, out);
        else
            out.resize(out.size() +
                       static_cast<size_t>(points) * elements.width);  // zeros for a curve with too few points
        begin += segments.ends;
    }
    return true;
}

bool expand(const PrimvarElements& elements, std::string_view interpolation, const UsdTopology& topology,
            std::vector<float>& out)
{
    const size_t count = elements.count();
    if (count == 1) {
        repeat(elements, 0, topology.point_count, out);
    } else if (interpolation == "uniform") {
        if (count != topology.counts.size()) return false;
        for (size_t curve = 0; curve < count; ++curve) repeat(elements, curve, topology.counts[curve], out);
    } else if (interpolation == "vertex") {
        if (count != topology.point_count) return false;
        for (size_t p = 0; p < count; ++p) repeat(elements, p, 1, out);
    } else if (interpolation == "varying" || interpolation == "faceVarying") {
        return interpolate_varying(elements, topology, out);
    } else {
        return false;
    }
    return true;
}

}  // namespace

Result<UsdPrimvar> point_values(const UsdLayer& layer, const UsdPrim& prim, std::string_view name, uint32_t width,
                                std::string_view fallback_interpolation, const UsdTopology& topology)
{
    const Result<PrimvarElements> elements = read_elements(layer, prim, name, width);
    if (!elements) return Error{elements.error()};
    UsdPrimvar out;
    if (!elements->values || elements->count() == 0) return out;
    const std::string_view declared = find_property(prim, name).interpolation;
    out.mismatched = !expand(*elements, declared.empty() ? fallback_interpolation : declared, topology, out.numbers);
    return out;
}

Result<UsdPrimvar> curve_values(const UsdLayer& layer, const UsdPrim& prim, std::string_view name, uint32_t width,
                                const UsdTopology& topology)
{
    const Result<PrimvarElements> elements = read_elements(layer, prim, name, width);
    if (!elements) return Error{elements.error()};
    UsdPrimvar out;
    if (!elements->values || elements->count() == 0) return out;
    const std::string_view declared = find_property(prim, name).interpolation;
    const bool along_curves = declared == "vertex" || declared == "varying" || declared == "faceVarying";
    std::vector<float> along;
    if (along_curves && expand(*elements, declared, topology, along)) {
        size_t first = 0;
        for (const uint32_t points : topology.counts) {
            for (size_t i = 0; i < width; ++i) out.numbers.push_back(points > 0 ? along[first * width + i] : 0.0f);
            first += points;
        }
    } else if (along_curves) {
        out.mismatched = true;
    } else if (elements->count() == topology.counts.size()) {
        for (size_t curve = 0; curve < elements->count(); ++curve) repeat(*elements, curve, 1, out.numbers);
    } else if (elements->count() == 1) {
        repeat(*elements, 0, topology.counts.size(), out.numbers);
    } else {
        out.mismatched = true;
    }
    return out;
}

}  // namespace tendril
