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

template <class T, class F>
HWY_INLINE T mix(const T& a, const T& b, const F& share)
{
    return a + (b - a) * share;
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
    // The corners of the cell, two at a time: named by their y and z.
    const SideBySide<F> c00 = gather_two(field.values, at), c10 = gather_two(field.values, at + next_y);
    const SideBySide<F> c01 = gather_two(field.values, at + next_z),
                        c11 = gather_two(field.values, at + next_y + next_z);

    // One axis after the other, so that differences and sums are shared.
    const F x00 = c00.second - c00.first, x10 = c10.second - c10.first;
    const F x01 = c01.second - c01.first, x11 = c11.second - c11.first;
    const F v00 = c00.first + x00 * p.share.x, v10 = c10.first + x10 * p.share.x;
    const F v01 = c01.first + x01 * p.share.x, v11 = c11.first + x11 * p.share.x;
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
    const auto at_node = [&](const IntOf<F>& node) {
        const IntOf<F> at = node * splat_int<F>(4);  // four numbers per node
        const SideBySide<F> xy = gather_two(field.motion, at);
        return Vec3<F>{xy.first, xy.second, gather(field.motion + 2, at)};
    };
    const auto along_x = [&](const IntOf<F>& node) {
        return mix(at_node(node), at_node(node + splat_int<F>(1)), p.share.x);
    };
    const auto across = [&](const IntOf<F>& node) {
        return mix(along_x(node), along_x(node + splat_int<F>(field.nodes_x)), p.share.y);
    };
    return mix(across(p.node), across(p.node + splat_int<F>(field.nodes_x * field.nodes_y)), p.share.z);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
