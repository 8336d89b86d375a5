// Distance, normal and motion of the nearest surface at a place, from a signed distance field: for one particle or for
// a lane group. [Mueller12] 3.7: the distance times the normalised gradient is the way to the surface.

#if defined(TENDRIL_BODY_FIELD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_BODY_FIELD_INL_H_
#undef TENDRIL_BODY_FIELD_INL_H_
#else
#define TENDRIL_BODY_FIELD_INL_H_
#endif

#include "body/field_view.h"
#include "math/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// A place as the cell it is in and how far along its sides; outside of the grid, of the nearest place inside.
template <class F>
struct FieldPlace {
    Vec3<F> share;  ///< [0, 1] along the sides of the cell
    IntOf<F> node;  ///< number of the cell's lowest node
    Vec3<F> out;    ///< from the nearest place inside of the grid [m]; zero inside
};

template <class F>
HWY_INLINE FieldPlace<F> locate(const FieldView& field, const Vec3<F>& place)
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
    const Vec3<F> size = {splat<F>(static_cast<float>(field.nodes_x - 1)),
                          splat<F>(static_cast<float>(field.nodes_y - 1)),
                          splat<F>(static_cast<float>(field.nodes_z - 1))};
    const Vec3<F> u = (place - splat<F>(field.low)) * splat<F>(field.per_cell);
    const Vec3<F> in = {min(max(u.x, zero), size.x), min(max(u.y, zero), size.y), min(max(u.z, zero), size.z)};
    const Vec3<F> cell = {min(floor(in.x), size.x - one), min(floor(in.y), size.y - one),
                          min(floor(in.z), size.z - one)};
    // There are fewer than 2^24 nodes: the number is exact in floats.
    const F node = (cell.z * (size.y + one) + cell.y) * (size.x + one) + cell.x;
    return {in - cell, to_int(node), (u - in) * splat<F>(field.cell)};
}

/// The numbers at the corners of a cell of two by two by two nodes.
template <class F>
struct CellCorners {
    F c000, c100, c010, c110, c001, c101, c011, c111;  // x, y, z
};

template <class F>
HWY_INLINE CellCorners<F> gather_corners(const float* values, const IntOf<F>& at, const IntOf<F>& next_x,
                                         const IntOf<F>& next_y, const IntOf<F>& next_z)
{
    const IntOf<F> y = at + next_y, z = at + next_z, yz = y + next_z;
    return {gather(values, at), gather(values, at + next_x), gather(values, y),  gather(values, y + next_x),
            gather(values, z),  gather(values, z + next_x),  gather(values, yz), gather(values, yz + next_x)};
}

template <class F>
HWY_INLINE F mix(const F& a, const F& b, const F& share)
{
    return a + (b - a) * share;
}

/// What is interpolated between the corners.
template <class F>
HWY_INLINE F trilinear(const CellCorners<F>& v, const Vec3<F>& s)
{
    return mix(mix(mix(v.c000, v.c100, s.x), mix(v.c010, v.c110, s.x), s.y),
               mix(mix(v.c001, v.c101, s.x), mix(v.c011, v.c111, s.x), s.y), s.z);
}

template <class F>
struct FieldSample {
    F distance;      ///< signed [m]: negative inside
    Vec3<F> normal;  ///< unit vector away from the surface; zero where there is no direction
};

/// The derivatives of the trilinear interpolant give the normal. Beyond the grid the distance grows by the way out, and
/// the normal leans outwards.
template <class F>
HWY_INLINE FieldSample<F> sample_field(const FieldView& field, const Vec3<F>& place)
{
    FieldPlace<F> p = locate(field, place);
    IntOf<F> at = p.node, next_y = splat_int<F>(field.nodes_x), next_z = splat_int<F>(field.nodes_x * field.nodes_y);
    if (field.bricks) {
        const IntOf<F> brick = gather(field.bricks, p.node);
        const auto refined = splat<F>(-0.5f) < as_float(brick);
        const F steps = splat<F>(static_cast<float>(FieldView::kBrickSteps)), last = steps - splat<F>(1.0f);
        const Vec3<F> s = p.share * steps;
        const Vec3<F> cell = {min(floor(s.x), last), min(floor(s.y), last), min(floor(s.z), last)};
        const F side = splat<F>(static_cast<float>(FieldView::kBrickNodes));
        at = select(refined, brick + to_int((cell.z * side + cell.y) * side + cell.x), at);
        next_y = select(refined, splat_int<F>(FieldView::kBrickNodes), next_y);
        next_z = select(refined, splat_int<F>(FieldView::kBrickNodes * FieldView::kBrickNodes), next_z);
        p.share = select(refined, s - cell, p.share);
    }
    const CellCorners<F> v = gather_corners<F>(field.values, at, splat_int<F>(1), next_y, next_z);

    // One axis after the other, so that differences and sums are shared.
    const F x00 = v.c100 - v.c000, x10 = v.c110 - v.c010, x01 = v.c101 - v.c001, x11 = v.c111 - v.c011;
    const F v00 = v.c000 + x00 * p.share.x, v10 = v.c010 + x10 * p.share.x;
    const F v01 = v.c001 + x01 * p.share.x, v11 = v.c011 + x11 * p.share.x;
    const F y0 = v10 - v00, y1 = v11 - v01;
    const F v0 = v00 + y0 * p.share.y, v1 = v01 + y1 * p.share.y;
    const F z = v1 - v0;
    Vec3<F> gradient = {mix(mix(x00, x10, p.share.y), mix(x01, x11, p.share.y), p.share.z), mix(y0, y1, p.share.z), z};
    F distance = v0 + z * p.share.z;

    const F out2 = dot(p.out, p.out);
    const auto beyond = splat<F>(0.0f) < out2;
    if (any(beyond)) {
        const F out = sqrt(out2);
        distance = distance + out;
        // Scaled to the slope of a cell, so that both weigh the same.
        const F lean = splat<F>(field.cell) / select(beyond, out, splat<F>(1.0f));
        gradient = select(beyond, gradient + p.out * lean, gradient);
    }
    const F slope2 = dot(gradient, gradient);
    const auto sloped = splat<F>(1e-30f) < slope2;
    const F scale = select(sloped, splat<F>(1.0f) / sqrt(select(sloped, slope2, splat<F>(1.0f))), splat<F>(0.0f));
    return {distance, gradient * scale};
}

/// What the surface nearest to a place does, in the unit of what the field was built with.
template <class F>
HWY_INLINE Vec3<F> field_motion(const FieldView& field, const Vec3<F>& place)
{
    const FieldPlace<F> p = locate(field, place);
    const IntOf<F> at = p.node * splat_int<F>(4);  // four numbers per node
    const IntOf<F> next_x = splat_int<F>(4), next_y = splat_int<F>(4 * field.nodes_x),
                   next_z = splat_int<F>(4 * field.nodes_x * field.nodes_y);
    return {trilinear(gather_corners<F>(field.motion, at, next_x, next_y, next_z), p.share),
            trilinear(gather_corners<F>(field.motion + 1, at, next_x, next_y, next_z), p.share),
            trilinear(gather_corners<F>(field.motion + 2, at, next_x, next_y, next_z), p.share)};
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
