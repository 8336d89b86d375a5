/// Values of a BasisCurves prim, such as widths and colours, brought from their interpolation to its points.
#pragma once

#include "io/usd_text.h"
#include "tendril/curve_file.h"

namespace tendril {

/// How the points of a prim make curves.
struct UsdTopology {
    CurveKind kind;
    std::vector<uint32_t> counts;  ///< points of each curve
    size_t point_count = 0;
};

/// Numbers for every point, or for every curve, flat; empty where the prim has none or their count fits nothing.
struct UsdPrimvar {
    std::vector<float> numbers;
    bool unfit = false;  ///< there are values, but not as many as their interpolation needs
};

/// `name` with `width` numbers per element, at the default time; "primvars:" names may be indexed by name:indices.
/// A single value is taken as constant, whatever is declared. Varying values sit at the ends of the segments of a cubic
/// curve: each control point takes the value at the curve parameter that it stands over, linear between segment ends.
Result<UsdPrimvar> point_values(const UsdLayer& layer, const UsdPrim& prim, std::string_view name, uint32_t width,
                                std::string_view fallback_interpolation, const UsdTopology& topology);
/// The same for one value per curve: interpolation constant or uniform only.
Result<UsdPrimvar> curve_values(const UsdLayer& layer, const UsdPrim& prim, std::string_view name, uint32_t width,
                                const UsdTopology& topology);

}  // namespace tendril
