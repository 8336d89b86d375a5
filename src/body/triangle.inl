// The nearest point on a triangle, and the side of the surface on which a query point is. This file is included twice:
// by body/surface.h for plain numbers, and by body/triangle-inl.h once per instruction set, where F is a group of
// lanes.

/// A triangle in its own coordinates, in which it lies in the plane z = 0: a at the origin, b on the x axis, c above
/// it. Half of the nearest-point computation is then done once per triangle instead of once per point.
template <class F>
struct FlatTriangle {
    Vec3<F> a;                       ///< its first corner
    Vec3<F> axis_x, axis_y, normal;  ///< orthonormal, also for a triangle without area
    F bx, cx, cy;                    ///< b = (bx, 0), c = (cx, cy); bx, cy >= 0
    F per_bx, per_cy;                ///< 1 / bx, 1 / cy; 0 where those are 0
    F per_bc2, per_ca2;              ///< 1 / squared edge length; 0 for an edge of length 0
};

template <class F>
struct NearestOnTriangle {
    F x, y;       ///< the nearest point, in the triangle's own coordinates
    F height;     ///< of the query point above the triangle's plane [m]; negative behind it
    F distance2;  ///< squared distance to the nearest point [m^2]
    F feature;    ///< where it lies: 0 the face; 1 + k the edge from corner k to the next; 4 + k corner k
};

/// The feature at the position `along` an edge: one of its two corners or the edge itself.
template <class F>
TENDRIL_INLINE F feature_along(const F& along, const F& end, float inside, float from, float to)
{
    const F feature = select(along < end, splat<F>(inside), splat<F>(to));
    return select(splat<F>(0.0f) < along, feature, splat<F>(from));
}

/// Projects onto the plane if p lies above the face, else onto the nearest of the three edges.
template <class F>
TENDRIL_INLINE NearestOnTriangle<F> nearest_on(const FlatTriangle<F>& t, const Vec3<F>& p)
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
    const Vec3<F> q = p - t.a;
    const F x = dot(q, t.axis_x), y = dot(q, t.axis_y), z = dot(q, t.normal);
    // Edge ab is the x axis from 0 to bx.
    const F ab = min(max(x, zero), t.bx), ab_x = x - ab;
    const F ab2 = ab_x * ab_x + y * y;
    const F bcx = t.cx - t.bx, bx = x - t.bx;
    const F bc = min(max((bx * bcx + y * t.cy) * t.per_bc2, zero), one);
    const F bc_x = bx - bcx * bc, bc_y = y - t.cy * bc;
    const F bc2 = bc_x * bc_x + bc_y * bc_y;
    const F ac = min(max((x * t.cx + y * t.cy) * t.per_ca2, zero), one);
    const F ac_x = x - t.cx * ac, ac_y = y - t.cy * ac;
    const F ac2 = ac_x * ac_x + ac_y * ac_y;

    const auto by_bc = bc2 < ab2;
    NearestOnTriangle<F> r;
    F side2 = select(by_bc, bc2, ab2);
    r.x = select(by_bc, t.bx + bcx * bc, ab);
    r.y = select(by_bc, t.cy * bc, zero);
    r.feature = select(by_bc, feature_along(bc, one, 2, 5, 6), feature_along(ab, t.bx, 1, 4, 5));
    const auto by_ac = ac2 < side2;
    side2 = select(by_ac, ac2, side2);
    r.x = select(by_ac, t.cx * ac, r.x);
    r.y = select(by_ac, t.cy * ac, r.y);
    r.feature = select(by_ac, feature_along(ac, one, 3, 4, 6), r.feature);
    const auto inside = zero < min(min(y, bcx * y - t.cy * bx), t.cy * x - t.cx * y);  // left of all three edges
    r.x = select(inside, x, r.x);
    r.y = select(inside, y, r.y);
    r.feature = select(inside, zero, r.feature);
    r.height = z;
    r.distance2 = z * z + select(inside, zero, side2);
    return r;
}

/// Barycentric coordinates of a point in the triangle's own coordinates.
template <class F>
TENDRIL_INLINE Vec3<F> barycentrics(const FlatTriangle<F>& t, const F& x, const F& y)
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
    const F c = min(max(y * t.per_cy, zero), one);
    const F b = min(max((x - c * t.cx) * t.per_bx, zero), one - c);
    return {one - b - c, b, c};
}

/// Pseudonormals of the features of a triangle, which tell inside from outside [Baerentzen05]: the unit normal of the
/// face, the sum over the faces at an edge, the sum weighted by angles at a corner. Only the direction matters.
template <class F>
struct FeatureNormals {
    Vec3<F> face;
    Vec3<F> edge[3];
    Vec3<F> corner[3];
};

/// Positive if p is outside, negative if it is inside, by the pseudonormal of the nearest feature. If the triangle is
/// the nearest one, the sign is correct everywhere around a closed surface. The magnitude has no meaning.
template <class F>
TENDRIL_INLINE F signed_side(const FlatTriangle<F>& t, const FeatureNormals<F>& n, const Vec3<F>& p,
                             const NearestOnTriangle<F>& at)
{
    const Vec3<F> away = p - t.a - t.axis_x * at.x - t.axis_y * at.y;
    F side = dot(away, n.face);
    for (int k = 0; k < 3; ++k) {
        side = select(splat<F>(0.5f + static_cast<float>(k)) < at.feature, dot(away, n.edge[k]), side);
    }
    for (int k = 0; k < 3; ++k) {
        side = select(splat<F>(3.5f + static_cast<float>(k)) < at.feature, dot(away, n.corner[k]), side);
    }
    return side;
}
