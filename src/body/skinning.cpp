// Clips, bone poses and linear blend skinning. Interpolation follows the glTF 2.0 specification, appendix C.

#include "math/elementary.h"
#include "tendril/detail/nearest.h"
#include "tendril/mesh.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tendril {
namespace {

Vec3d transform_direction(const Affine& a, const Vec3d& v)
{
    return a.x * v.x + a.y * v.y + a.z * v.z;
}

// --- interpolation

using Value = std::array<double, 4>;

Value value_at(const Channel& channel, size_t index)
{
    const auto& v = channel.values[index];
    return {v[0], v[1], v[2], v[3]};
}

/// atan(x) for x in [0, 1] from roots and a series, so that it has the same bits everywhere. Each halving of the angle
/// maps x to x / (1 + sqrt(1 + x^2)); after three halvings the first omitted term is below 1e-18.
double arc_tangent(double x)
{
    for (int i = 0; i < 3; ++i) x = x / (1 + std::sqrt(1 + x * x));
    double power = x, sum = x;
    for (int k = 3; k <= 15; k += 2) {
        power *= -x * x;
        sum += power / k;
    }
    return 8 * sum;
}

double norm(const Value& v)
{
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
}

Value weighted_sum(const Value& a, double u, const Value& b, double v)
{
    return {a[0] * u + b[0] * v, a[1] * u + b[1] * v, a[2] * u + b[2] * v, a[3] * u + b[3] * v};
}

/// Spherical linear interpolation along the shorter arc between two unit quaternions.
Value slerp(const Value& a, Value b, double u)
{
    if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0) b = {-b[0], -b[1], -b[2], -b[3]};
    // The lengths of difference and sum give small angles without the cancellation of the dot product.
    const double sum = norm(weighted_sum(a, 1, b, 1));
    if (!(sum > 0)) return a;
    const double angle = 2 * arc_tangent(std::min(1.0, norm(weighted_sum(a, 1, b, -1)) / sum));
    if (angle < 1e-6) return weighted_sum(a, 1 - u, b, u);
    const double sin_angle = sin_cos(angle).sin;
    return weighted_sum(a, sin_cos((1 - u) * angle).sin / sin_angle, b, sin_cos(u * angle).sin / sin_angle);
}

Value cubic(const Channel& channel, size_t key, double u, double interval)
{
    const Value v0 = value_at(channel, 3 * key + 1), out0 = value_at(channel, 3 * key + 2);
    const Value in1 = value_at(channel, 3 * key + 3), v1 = value_at(channel, 3 * key + 4);
    const double u2 = u * u, u3 = u2 * u;
    const Value ends = weighted_sum(v0, 2 * u3 - 3 * u2 + 1, v1, 3 * u2 - 2 * u3);
    const Value tangents = weighted_sum(out0, interval * (u3 - 2 * u2 + u), in1, interval * (u3 - u2));
    return weighted_sum(ends, 1, tangents, 1);
}

Value sample(const Channel& channel, double time)
{
    const bool is_cubic = channel.interpolation == Interpolation::kCubic;
    const auto key_value = [&](size_t key) { return value_at(channel, is_cubic ? 3 * key + 1 : key); };
    const auto after = std::upper_bound(channel.times.begin(), channel.times.end(), time,
                                        [](double t, float key) { return t < static_cast<double>(key); });
    if (after == channel.times.begin()) return key_value(0);
    const size_t key = static_cast<size_t>(after - channel.times.begin()) - 1;
    if (after == channel.times.end() || channel.interpolation == Interpolation::kStep) return key_value(key);
    const double start = static_cast<double>(channel.times[key]), interval = static_cast<double>(*after) - start;
    const double u = (time - start) / interval;
    if (is_cubic) return cubic(channel, key, u, interval);
    if (channel.target == ChannelTarget::kRotation) return slerp(key_value(key), key_value(key + 1), u);
    return weighted_sum(key_value(key), 1 - u, key_value(key + 1), u);
}

double clip_time(const ClipPlay& play, double duration, double time)
{
    const double t = time * play.speed;
    if (!(duration > 0) || !std::isfinite(t)) return 0;
    if (play.loop) return std::clamp(t - std::floor(t / duration) * duration, 0.0, duration);
    return std::clamp(t, 0.0, duration);
}

// --- nodes

struct LocalTransform {
    Vec3d translation;
    Quat rotation;
    Vec3d scale;
};

std::vector<LocalTransform> local_transforms(const Character& character, const ClipPlay& play, double time)
{
    std::vector<LocalTransform> transforms;
    transforms.reserve(character.nodes.size());
    for (const Node& node : character.nodes) transforms.push_back({node.translation, node.rotation, node.scale});
    if (play.clip < 0 || static_cast<size_t>(play.clip) >= character.clips.size()) return transforms;

    const CharacterClip& clip = character.clips[static_cast<size_t>(play.clip)];
    const double t = clip_time(play, clip.duration, time);
    for (const Channel& channel : clip.channels) {
        if (channel.times.empty()) continue;
        const Value v = sample(channel, t);
        LocalTransform& transform = transforms[channel.node];
        if (channel.target == ChannelTarget::kTranslation) transform.translation = {v[0], v[1], v[2]};
        if (channel.target == ChannelTarget::kRotation) transform.rotation = normalized(Quat{v[0], v[1], v[2], v[3]});
        if (channel.target == ChannelTarget::kScale) transform.scale = {v[0], v[1], v[2]};
    }
    return transforms;
}

Affine affine_of(const LocalTransform& transform)
{
    return {rotate(transform.rotation, {transform.scale.x, 0, 0}),
            rotate(transform.rotation, {0, transform.scale.y, 0}),
            rotate(transform.rotation, {0, 0, transform.scale.z}), transform.translation};
}

// --- skinning

/// Four floats in one SIMD register. The compiler's vector type is used because the optimizer splits an equivalent
/// loop, which then takes twice the time.
using Four = float __attribute__((vector_size(16)));

/// The columns of a bone's matrix, with the fourth number of each unused: blending and transforming then use whole SIMD
/// registers, and a bone fills one cache line.
struct alignas(64) BoneColumns {
    Four x, y, z, shift;
};

Four four(const Vec3d& v)
{
    const Vec3f f = to_float(v);
    return Four{f.x, f.y, f.z, 0};
}

/// Bones in float. Vertices are taken relative to `rest` and result relative to `moved`, two points of the character,
/// so that a character far from the origin keeps its precision.
struct FloatBones {
    std::vector<BoneColumns> bones;
    Vec3f rest{0, 0, 0}, moved{0, 0, 0};
};

FloatBones to_float_bones(const Mesh& mesh, std::span<const Affine> bones)
{
    FloatBones result;
    result.rest = mesh.vertices.front();
    result.moved = to_float(transform_point(bones.front(), to_double(result.rest)));
    result.bones.resize(bones.size());
    for (size_t b = 0; b < bones.size(); ++b) {
        const Vec3d shift = transform_point(bones[b], to_double(result.rest)) - to_double(result.moved);
        result.bones[b] = {four(bones[b].x), four(bones[b].y), four(bones[b].z), four(shift)};
    }
    return result;
}

Vec3f skin_vertex(const FloatBones& bones, const VertexWeights& weights, const Vec3f& vertex)
{
    const Vec3f p = vertex - bones.rest;
    const BoneColumns& b0 = bones.bones[weights.bones[0]];
    const BoneColumns& b1 = bones.bones[weights.bones[1]];
    const BoneColumns& b2 = bones.bones[weights.bones[2]];
    const BoneColumns& b3 = bones.bones[weights.bones[3]];
    const auto [w0, w1, w2, w3] = weights.weights;
    const Four x = (b0.x * w0 + b1.x * w1) + (b2.x * w2 + b3.x * w3);
    const Four y = (b0.y * w0 + b1.y * w1) + (b2.y * w2 + b3.y * w3);
    const Four z = (b0.z * w0 + b1.z * w1) + (b2.z * w2 + b3.z * w3);
    const Four shift = (b0.shift * w0 + b1.shift * w1) + (b2.shift * w2 + b3.shift * w3);
    const Four sum = (x * p.x + y * p.y) + (z * p.z + shift);
    return bones.moved + Vec3f{sum[0], sum[1], sum[2]};
}

constexpr size_t kSkinnedAtOnce = 4096;  // vertices, some 50 microseconds of work: well above the cost of a task

/// out[i] receives the vertex `vertex_of(i)`.
template <class VertexOf>
void skin_range(const Character& character, std::span<const Affine> bones, std::span<Vec3f> out, Executor& executor,
                const VertexOf& vertex_of)
{
    const std::vector<Vec3f>& vertices = character.mesh.vertices;
    if (bones.empty() || character.weights.empty() || vertices.empty()) {
        for (size_t i = 0; i < out.size(); ++i) out[i] = vertices[vertex_of(i)];
        return;
    }
    assert(bones.size() == character.bones.size() && character.weights.size() == vertices.size());
    const FloatBones float_bones = to_float_bones(character.mesh, bones);
    parallel_for(executor, out.size(), kSkinnedAtOnce, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const size_t v = vertex_of(i);
            out[i] = skin_vertex(float_bones, character.weights[v], vertices[v]);
        }
    });
}

}  // namespace

Affine operator*(const Affine& a, const Affine& b)
{
    return {transform_direction(a, b.x), transform_direction(a, b.y), transform_direction(a, b.z),
            transform_point(a, b.origin)};
}

Vec3d transform_point(const Affine& a, const Vec3d& p)
{
    return transform_direction(a, p) + a.origin;
}

Result<int> find_clip(const Character& character, const std::string& name)
{
    std::vector<std::string> names;
    for (const CharacterClip& clip : character.clips) {
        if (clip.name == name) return static_cast<int>(names.size());
        names.push_back(clip.name);
    }
    if (names.empty()) return Error{fmt::format("no clip \"{}\": the character has no clips", name)};
    const std::string nearest = nearest_name(name, names);
    return Error{fmt::format("no clip \"{}\"{}; there are: {}", name,
                             nearest.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", nearest),
                             fmt::join(names, ", "))};
}

void pose_bones(const Character& character, const ClipPlay& play, double time, std::span<Affine> out)
{
    assert(out.size() == character.bones.size());
    const std::vector<LocalTransform> transforms = local_transforms(character, play, time);
    std::vector<Affine> world(transforms.size());
    for (size_t n = 0; n < transforms.size(); ++n) {
        const int parent = character.nodes[n].parent;
        assert(parent < static_cast<int>(n));
        world[n] =
            parent < 0 ? affine_of(transforms[n]) : world[static_cast<size_t>(parent)] * affine_of(transforms[n]);
    }
    for (size_t b = 0; b < out.size(); ++b) out[b] = world[character.bones[b].node] * character.bones[b].inverse_bind;
}

void skin(const Character& character, std::span<const Affine> bones, std::span<Vec3f> out, Executor& executor)
{
    assert(out.size() == character.mesh.vertices.size());
    skin_range(character, bones, out, executor, [](size_t i) { return i; });
}

void skin(const Character& character, std::span<const Affine> bones, std::span<const uint32_t> which,
          std::span<Vec3f> out, Executor& executor)
{
    assert(out.size() == which.size());
    skin_range(character, bones, out, executor, [which](size_t i) { return static_cast<size_t>(which[i]); });
}

}  // namespace tendril
