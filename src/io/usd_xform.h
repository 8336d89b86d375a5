/// Where the prims of a USD layer stand: their transform operations, combined down the tree, at any time.
#pragma once

#include "io/usd_text.h"
#include "tendril/mesh.h"

namespace tendril {

/// The rows of a USD matrix without its last column are the axes and the origin of an Affine.
Vec3d transform_vector(const Affine& m, const Vec3d& v);
/// First a, then b.
Affine then(const Affine& a, const Affine& b);
/// Not a number where there is none, so that what it is applied to is noticed.
Affine inverse(const Affine& m);
/// By how much lengths grow, averaged over the axes.
double scale_of(const Affine& m);
Affine rotation_matrix(const Quat& unit);
/// Element i of a value of width 4, the real part first. Blended along the chord, on the side where the two are nearer.
Quat rotation_at(const UsdBlend& blend, size_t i);
/// Element i of a value of width 16.
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
    std::vector<UsdXformOp> ops;  ///< the first one acts last

    /// The last answer of `to_world`: prims that stand side by side ask for the same time one after another.
    struct Known {
        UsdTime time;
        Affine world;
    };
    mutable std::optional<Known> known = {};
};

/// The operations of a prim, checked. Operations that are named but have no value do nothing.
Result<UsdXform> read_xform(const UsdLayer& layer, const UsdPrim& prim, const UsdXform* parent);

/// From the prim to the world.
Affine to_world(const UsdXform* xform, UsdTime time);
/// Adds the times at which operations of this prim have samples; not those of its ancestors.
void add_times(const UsdXform& xform, std::vector<double>& times);

}  // namespace tendril
