#include "io/usd_xform.h"

#include "math/elementary.h"

#include <fmt/format.h>

#include <limits>
#include <numbers>

namespace tendril {
namespace {

// Limits the work for a malicious file. Real files have fewer.
constexpr size_t kMaxOps = 64;

constexpr std::string_view kPrefix = "xformOp:", kInvert = "!invert!", kReset = "!resetXformStack!";

/// How many numbers an operation takes, or 0 if it is unknown.
uint32_t width_of(std::string_view kind)
{
    if (kind == "translate" || kind == "scale") return 3;
    if (kind == "orient") return 4;
    if (kind == "transform") return 16;
    for (const std::string_view one :
         {"translateX", "translateY", "translateZ", "scaleX", "scaleY", "scaleZ", "rotateX", "rotateY", "rotateZ"})
        if (kind == one) return 1;
    for (const std::string_view three : {"rotateXYZ", "rotateXZY", "rotateYXZ", "rotateYZX", "rotateZXY", "rotateZYX"})
        if (kind == three) return 3;
    return 0;
}

Affine scaling(const Vec3d& s)
{
    return {{s.x, 0, 0}, {0, s.y, 0}, {0, 0, s.z}, {0, 0, 0}};
}

Vec3d axis(char name)
{
    return {name == 'X' ? 1.0 : 0.0, name == 'Y' ? 1.0 : 0.0, name == 'Z' ? 1.0 : 0.0};
}

Affine axis_rotation(char axis_name, double degrees)
{
    const double angle = std::isfinite(degrees) ? std::fmod(degrees, 360.0) * (std::numbers::pi / 180) : 0.0;
    return rotation_matrix(rotation_about(axis(axis_name), angle));
}

/// rotateXYZ rotates about x first. The angles are always given in the order x, y, z.
Affine euler_rotation(std::string_view order, const UsdBlend& values)
{
    Affine m;
    for (const char name : order)
        m = then(m, axis_rotation(name, blended(values, order.size() == 1 ? 0 : static_cast<size_t>(name - 'X'))));
    return m;
}

Affine matrix_of_op(const UsdXformOp& op, UsdTime time)
{
    const UsdBlend v = values_at(op.values, time);
    if (op.kind == "transform") return matrix_of(v, 0);
    if (op.kind == "orient") return rotation_matrix(rotation_at(v, 0));
    if (op.kind.starts_with("rotate")) return euler_rotation(op.kind.substr(6), v);
    const bool scales = op.kind.starts_with("scale");
    const double neutral = scales ? 1 : 0;
    Vec3d c{neutral, neutral, neutral};
    if (width_of(op.kind) == 3)
        c = {blended(v, 0), blended(v, 1), blended(v, 2)};
    else
        (op.kind.back() == 'X' ? c.x : op.kind.back() == 'Y' ? c.y : c.z) = blended(v, 0);
    return scales ? scaling(c) : Affine{.origin = c};
}

Result<UsdXformOp> read_op(const UsdLayer& layer, const UsdPrim& prim, std::string_view word, size_t offset)
{
    UsdXformOp op;
    op.inverted = word.starts_with(kInvert);
    if (op.inverted) word.remove_prefix(kInvert.size());
    if (!word.starts_with(kPrefix)) return layer.error(offset, fmt::format("'{}' is not a transform operation", word));
    op.kind = word.substr(kPrefix.size());
    op.kind = op.kind.substr(0, op.kind.find(':'));
    const uint32_t width = width_of(op.kind);
    if (width == 0) return layer.error(offset, fmt::format("the transform operation '{}' is unknown", op.kind));
    op.values = find_property(prim, word);
    const auto fits = [width](const UsdValue& value) { return value.elements(width) == 1; };
    const auto wrong_size = [&](const UsdValue& value) {
        return layer.error(value.offset, fmt::format("{} takes {} numbers", word, width));
    };
    if (op.values.value && !fits(*op.values.value)) return wrong_size(*op.values.value);
    for (const UsdSample& sample : op.values.samples)
        if (!fits(sample.value)) return wrong_size(sample.value);
    return op;
}

}  // namespace

Vec3d transform_vector(const Affine& m, const Vec3d& v)
{
    return m.x * v.x + m.y * v.y + m.z * v.z;
}

Affine then(const Affine& a, const Affine& b)
{
    return b * a;
}

Affine inverse(const Affine& m)
{
    const Vec3d yz = cross(m.y, m.z), zx = cross(m.z, m.x), xy = cross(m.x, m.y);
    const double determinant = dot(m.x, yz);
    const double s = determinant != 0 ? 1 / determinant : std::numeric_limits<double>::quiet_NaN();
    Affine out;
    out.x = Vec3d{yz.x, zx.x, xy.x} * s;
    out.y = Vec3d{yz.y, zx.y, xy.y} * s;
    out.z = Vec3d{yz.z, zx.z, xy.z} * s;
    out.origin = transform_vector(out, m.origin) * -1.0;
    return out;
}

double scale_of(const Affine& m)
{
    return (length(m.x) + length(m.y) + length(m.z)) / 3;
}

Affine rotation_matrix(const Quat& unit)
{
    return {rotate(unit, {1, 0, 0}), rotate(unit, {0, 1, 0}), rotate(unit, {0, 0, 1}), {0, 0, 0}};
}

Quat rotation_at(const UsdBlend& q, size_t i)
{
    double cosine = 0, c[4];
    for (size_t k = 4 * i; q.b && k < 4 * i + 4; ++k) cosine += q.a->number(k) * q.b->number(k);
    const double sign = cosine < 0 ? -1 : 1;
    for (size_t k = 0; k < 4; ++k) {
        const double a = q.a->number(4 * i + k);
        c[k] = q.b ? a + (sign * q.b->number(4 * i + k) - a) * q.fraction : a;
    }
    return normalized({c[1], c[2], c[3], c[0]});
}

Affine matrix_of(const UsdBlend& blend, size_t i)
{
    const auto row = [&](size_t r) {
        const size_t at = 16 * i + 4 * r;
        return Vec3d{blended(blend, at), blended(blend, at + 1), blended(blend, at + 2)};
    };
    return {row(0), row(1), row(2), row(3)};
}

Result<UsdXform> read_xform(const UsdLayer& layer, const UsdPrim& prim, const UsdXform* parent)
{
    UsdXform out{parent, {}};
    const UsdValue* order = find_property(prim, "xformOpOrder").first();
    if (!order) return out;
    if (order->words().size() > kMaxOps)
        return layer.error(order->offset, fmt::format("more than {} transform operations", kMaxOps));
    for (const std::string_view word : order->words()) {
        if (word == kReset) {
            out = UsdXform{};
            continue;
        }
        Result<UsdXformOp> op = read_op(layer, prim, word, order->offset);
        if (!op) return Error{op.error()};
        if (op->values) out.ops.push_back(*op);
    }
    return out;
}

Affine to_world(const UsdXform* xform, UsdTime time)
{
    if (!xform) return {};
    if (xform->cached && xform->cached->time == time) return xform->cached->world;
    Affine m;
    for (size_t i = xform->ops.size(); i-- > 0;) {
        const Affine op = matrix_of_op(xform->ops[i], time);
        m = then(m, xform->ops[i].inverted ? inverse(op) : op);
    }
    if (xform->parent) m = then(m, to_world(xform->parent, time));  // the parser limits the depth
    xform->cached = {time, m};
    return m;
}

void add_times(const UsdXform& xform, std::vector<double>& times)
{
    for (const UsdXformOp& op : xform.ops)
        for (const UsdSample& sample : op.values.samples) times.push_back(sample.time);
}

}  // namespace tendril
