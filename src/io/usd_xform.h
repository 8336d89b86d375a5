/// The transforms of USD prims: their transform operations, combined with those of their ancestors, at any time.
#pragma once

#include "io/usd_text.h"
#include "tendril/mesh.h"

namespace tendril {

/// Transforms a vector, without translation.
Vec3d transform_vector(const Affine& m, const Vec3d& v);
/// The transform that applies a first and b second.
Affine then(const Affine& a, const Affine& b);
/// The inverse. NaN if the matrix is singular, so that the points that it is applied to are noticed as invalid.
Affine inverse(const Affine& m);
/// The scale of lengths, averaged over the axes.
double scale_of(const Affine& m);
Affine rotation_matrix(const Quat& unit);
/// Element i of a value of width 4, the real part first. Interpolated linearly along the shorter arc and normalized.
Quat rotation_at(const UsdBlend& blend, size_t i);
/// Element i of a value of width 16. The rows of a USD matrix, without its last column, are the axes and the origin.
Affine matrix_of(const UsdBlend& blend, size_t i);

/// One operation of xformOpOrder.
struct UsdXformOp {
    std::string_view kind;  ///< translate, scale, rotateXYZ, ...
    UsdProperty values;
    bool inverted = false;
};

/// The operations of one prim, on top of those of its parent.
struct UsdXform {
    const UsdXform* parent = nullptr;
    std::vector<UsdXformOp> ops;  ///< the first one is applied last

    /// The last result of `to_world`. Sibling prims ask for the same time one after another.
    struct CachedWorld {
        UsdTime time;
        Affine world;
    };
    mutable std::optional<CachedWorld> cached = {};
};

/// Reads and checks the operations of a prim. Operations that are listed but have no value are ignored.
Result<UsdXform> read_xform(const UsdLayer& layer, const UsdPrim& prim, const UsdXform* parent);

/// The transform from the prim to the world.
Affine to_world(const UsdXform* xform, UsdTime time);
/// Adds the times at which the operations of this prim have samples, without those of its ancestors.
void add_times(const UsdXform& xform, std::vector<double>& times);

}  // namespace tendril
