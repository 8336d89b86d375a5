/// Reads values of a BasisCurves prim, such as widths and colours, and expands their interpolation to its points.
#pragma once

#include "io/usd_text.h"
#include "tendril/curve_file.h"

namespace tendril {

/// How the points of a prim are grouped into curves.
struct UsdTopology {
    CurveKind kind;
    std::vector<uint32_t> counts;  ///< number of points of each curve
    size_t point_count = 0;
};

/// Flat numbers for every point or every curve. Empty if the prim has none or their count does not match.
struct UsdPrimvar {
    std::vector<float> numbers;
    bool mismatched = false;  ///< the prim has values, but not as many as their interpolation needs
};

/// Reads `name`, with `width` numbers per element, at the default time, for every point. A primvar may be indexed by
/// name:indices. A single value counts as constant, whatever interpolation is declared. Varying values belong to the
/// segment ends of a cubic curve; each control point gets the value at its curve parameter, interpolated linearly
/// between segment ends.
Result<UsdPrimvar> point_values(const UsdLayer& layer, const UsdPrim& prim, std::string_view name, uint32_t width,
                                std::string_view fallback_interpolation, const UsdTopology& topology);
/// The same for every curve. Of values that vary along a curve, it gets the one at its root. Without a declared
/// interpolation, there may be one value for all curves or one for each.
Result<UsdPrimvar> curve_values(const UsdLayer& layer, const UsdPrim& prim, std::string_view name, uint32_t width,
                                const UsdTopology& topology);

}  // namespace tendril
