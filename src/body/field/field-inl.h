// Signed distance, normal and motion of the nearest surface from a distance field, for one particle or for a lane
// group. [Mueller12] 3.7: distance times normalized gradient is the vector from the surface to the query point.

#if defined(TENDRIL_BODY_FIELD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_BODY_FIELD_INL_H_
#undef TENDRIL_BODY_FIELD_INL_H_
#else
#define TENDRIL_BODY_FIELD_INL_H_
#endif

#include "body/field/field_view.h"
#include "math/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// The cell that contains a point, or that of the nearest point of the grid if it lies outside.
template <class F>
struct FieldCell {
    Vec3<F> fraction;  ///< [0, 1] along the sides of the cell
    IntOf<F> node;     ///< index of the cell's lowest node
    Vec3<F> outside;   ///< from the nearest point of the grid to the point [m]; zero inside
};

template <class F>
HWY_INLINE FieldCell<F> locate(const FieldView& field, const Vec3<F>& point)
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
    const Vec3<F> size = {splat<F>(static_cast<float>(field.nodes_x - 1)),
                          splat<F>(static_cast<float>(field.nodes_y - 1)),
                          splat<F>(static_cast<float>(field.nodes_z - 1))};
    const Vec3<F> u = (point - splat<F>(field.low)) * splat<F>(field.per_cell);
    const Vec3<F> in = {min(max(u.x, zero), size.x), min(max(u.y, zero), size.y), min(max(u.z, zero), size.z)};
    const Vec3<F> cell = {min(floor(in.x), size.x - one), min(floor(in.y), size.y - one),
                          min(floor(in.z), size.z - one)};
    // There are at most 2^24 nodes, so the index is exact in floats.
    const F node = (cell.z * (size.y + one) + cell.y) * (size.x + one) + cell.x;
    return {in - cell, to_int(node), (u - in) * splat<F>(field.cell)};
}

template <class T, class F>
HWY_INLINE T mix(const T& a, const T& b, const F& share)
{
    return a + (b - a) * share;
}

template <class F>
struct FieldSample {
    F distance;      ///< signed [m], negative inside
    Vec3<F> normal;  ///< unit vector away from the surface; zero where the gradient vanishes
};

/// The normal is the gradient of the trilinear interpolant. Outside the grid, the distance grows by the distance to the
/// grid and the normal tilts outwards.
template <class F>
HWY_INLINE FieldSample<F> sample_field(const FieldView& field, const Vec3<F>& point)
{
    FieldCell<F> p = locate(field, point);
    IntOf<F> at = p.node, next_y = splat_int<F>(field.nodes_x), next_z = splat_int<F>(field.nodes_x * field.nodes_y);
    if (field.bricks) {
        const IntOf<F> brick = gather(field.bricks, p.node);
        const auto refined = splat<F>(-0.5f) < as_float(brick);
        const F steps = splat<F>(static_cast<float>(FieldView::kBrickSteps)), last = steps - splat<F>(1.0f);
        const Vec3<F> s = p.fraction * steps;
        const Vec3<F> cell = {min(floor(s.x), last), min(floor(s.y), last), min(floor(s.z), last)};
        const F side = splat<F>(static_cast<float>(FieldView::kBrickNodes));
        at = select(refined, brick + to_int((cell.z * side + cell.y) * side + cell.x), at);
        next_y = select(refined, splat_int<F>(FieldView::kBrickNodes), next_y);
        next_z = select(refined, splat_int<F>(FieldView::kBrickNodes * FieldView::kBrickNodes), next_z);
        p.fraction = select(refined, s - cell, p.fraction);
    }
    // The corners of the cell, in pairs along x that are named by their y and z.
    const GatheredPair<F> c00 = gather_two(field.values, at), c10 = gather_two(field.values, at + next_y);
    const GatheredPair<F> c01 = gather_two(field.values, at + next_z),
                          c11 = gather_two(field.values, at + next_y + next_z);

    // Interpolate one axis after the other to share differences and sums.
    const F x00 = c00.second - c00.first, x10 = c10.second - c10.first;
    const F x01 = c01.second - c01.first, x11 = c11.second - c11.first;
    const F v00 = c00.first + x00 * p.fraction.x, v10 = c10.first + x10 * p.fraction.x;
    const F v01 = c01.first + x01 * p.fraction.x, v11 = c11.first + x11 * p.fraction.x;
    const F y0 = v10 - v00, y1 = v11 - v01;
    const F v0 = v00 + y0 * p.fraction.y, v1 = v01 + y1 * p.fraction.y;
    const F z = v1 - v0;
    Vec3<F> gradient = {mix(mix(x00, x10, p.fraction.y), mix(x01, x11, p.fraction.y), p.fraction.z),
                        mix(y0, y1, p.fraction.z), z};
    F distance = v0 + z * p.fraction.z;

    const F outside2 = dot(p.outside, p.outside);
    const auto is_outside = splat<F>(0.0f) < outside2;
    if (any(is_outside)) {
        const F out = sqrt(outside2);
        distance = distance + out;
        // Scaled to the slope across a cell, so that both directions have the same weight.
        const F scale_outside = splat<F>(field.cell) / select(is_outside, out, splat<F>(1.0f));
        gradient = select(is_outside, gradient + p.outside * scale_outside, gradient);
    }
    const F slope2 = dot(gradient, gradient);
    const auto sloped = splat<F>(1e-30f) < slope2;
    const F scale = select(sloped, splat<F>(1.0f) / sqrt(select(sloped, slope2, splat<F>(1.0f))), splat<F>(0.0f));
    return {distance, gradient * scale};
}

/// Motion of the surface nearest to a point, in the unit of the motion with which the field was built.
template <class F>
HWY_INLINE Vec3<F> field_motion(const FieldView& field, const Vec3<F>& point)
{
    const FieldCell<F> p = locate(field, point);
    const auto at_node = [&](const IntOf<F>& node) {
        const IntOf<F> at = node * splat_int<F>(4);  // four floats per node
        const GatheredPair<F> xy = gather_two(field.motion, at);
        return Vec3<F>{xy.first, xy.second, gather(field.motion + 2, at)};
    };
    const auto along_x = [&](const IntOf<F>& node) {
        return mix(at_node(node), at_node(node + splat_int<F>(1)), p.fraction.x);
    };
    const auto along_y = [&](const IntOf<F>& node) {
        return mix(along_x(node), along_x(node + splat_int<F>(field.nodes_x)), p.fraction.y);
    };
    return mix(along_y(p.node), along_y(p.node + splat_int<F>(field.nodes_x * field.nodes_y)), p.fraction.z);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
