// The point of a triangle nearest to a point, and on which side of the surface it is. It is included twice: by
// body/surface.h for plain numbers, and by body/triangle-inl.h once per instruction set, where F is a group of lanes.

/// A triangle in coordinates of its own, where it lies in the plane z = 0: a at the origin, b on the x axis, c above
/// it. Half of the work of finding the nearest point is then done once per triangle instead of once per point.
template <class F>
struct FlatTriangle {
    Vec3<F> a;                       ///< its first corner
    Vec3<F> axis_x, axis_y, normal;  ///< perpendicular unit vectors, also for a triangle without an area
    F bx, cx, cy;                    ///< b = (bx, 0), c = (cx, cy); bx, cy >= 0
    F per_bx, per_cy;                ///< 1 / bx, 1 / cy; 0 where those are 0
    F per_bc2, per_ca2;              ///< 1 / squared length of an edge, 0 where it has none
};

/// Parts of a triangle: its inside, edge k from corner k to the next, corner k.
enum TrianglePart { kFacePart = 0, kEdgePart = 1, kCornerPart = 4 };

template <class F>
struct NearestOnTriangle {
    F x, y;       ///< the nearest point in the triangle's own coordinates
    F height;     ///< of the point asked about above the triangle's plane [m]; negative behind it
    F distance2;  ///< squared distance to the nearest point [m^2]
    F part;       ///< where the nearest point lies, a TrianglePart plus k
};

/// The nearest point, by the plane where the point lies above the inside, else by the nearest of the three edges.
template <class F>
TENDRIL_INLINE NearestOnTriangle<F> nearest_on(const FlatTriangle<F>& t, const Vec3<F>& p)
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
    const auto edge_part = [&](const F& along, const F& end, float edge, float from, float to) {
        return select(zero < along, select(along < end, splat<F>(edge), splat<F>(to)), splat<F>(from));
    };
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
    const F two2 = select(by_bc, bc2, ab2);
    const auto by_ac = ac2 < two2;
    const auto inside = zero < min(min(y, bcx * y - t.cy * bx), t.cy * x - t.cx * y);  // left of all three edges
    const auto pick = [&](const F& of_ab, const F& of_bc, const F& of_ac, const F& of_face) {
        return select(inside, of_face, select(by_ac, of_ac, select(by_bc, of_bc, of_ab)));
    };
    return {pick(ab, t.bx + bcx * bc, t.cx * ac, x), pick(zero, t.cy * bc, t.cy * ac, y), z,
            z * z + select(inside, zero, select(by_ac, ac2, two2)),
            pick(edge_part(ab, t.bx, 1, 4, 5), edge_part(bc, one, 2, 5, 6), edge_part(ac, one, 3, 4, 6), zero)};
}

/// A place in the plane of a triangle in coordinates of its own, as shares of its corners.
template <class F>
TENDRIL_INLINE Vec3<F> corner_shares(const FlatTriangle<F>& t, const F& x, const F& y)
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
    const F c = min(max(y * t.per_cy, zero), one);
    const F b = min(max((x - c * t.cx) * t.per_bx, zero), one - c);
    return {one - b - c, b, c};
}

/// Normals of the parts of a triangle that tell inside from outside [Baerentzen05]: the unit normal of the face, sums
/// over the faces at an edge, sums weighted by their angle at a corner. Only the direction counts.
template <class F>
struct PartNormals {
    Vec3<F> face;
    Vec3<F> edge[3];
    Vec3<F> corner[3];
};

/// Positive where p is outside, negative where it is inside, by the pseudonormal of the part nearest to it. Right
/// everywhere around a closed surface when the triangle is the nearest one. Its size means nothing.
template <class F>
TENDRIL_INLINE F outside_of(const FlatTriangle<F>& t, const PartNormals<F>& n, const Vec3<F>& p,
                            const NearestOnTriangle<F>& at)
{
    const Vec3<F> away = p - t.a - t.axis_x * at.x - t.axis_y * at.y;
    F side = dot(away, n.face);
    for (int k = 0; k < 3; ++k) {
        side = select(splat<F>(0.5f + static_cast<float>(k)) < at.part, dot(away, n.edge[k]), side);
    }
    for (int k = 0; k < 3; ++k) {
        side = select(splat<F>(3.5f + static_cast<float>(k)) < at.part, dot(away, n.corner[k]), side);
    }
    return side;
}
