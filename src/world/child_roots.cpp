#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "world/child_roots.cpp"
#include <hwy/foreach_target.h>

#include "world/child_roots.h"

#include "math/simd-inl.h"

#include <hwy/cache_control.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {
namespace {

using F = Lanes<1>;
static_assert(ChildRoots::kCount == kBlockLanes);

HWY_INLINE Vec3<F> load_vector(const std::array<ChildRoots::Row, 3>& rows)
{
    return {load_anywhere(rows[0].data()), load_anywhere(rows[1].data()), load_anywhere(rows[2].data())};
}

HWY_INLINE void store_vector(const Vec3<F>& v, ChildRoots::Row* rows)
{
    store_anywhere(v.x, rows[0].data()), store_anywhere(v.y, rows[1].data()), store_anywhere(v.z, rows[2].data());
}

HWY_INLINE Vec3<F> unit_or(const Vec3<F>& v, const Vec3<F>& fallback)
{
    const F n2 = dot(v, v), one = splat<F>(1.0f);
    const auto valid = has_direction(n2);
    return select(valid, v * (one / sqrt(select(valid, n2, one))), fallback);
}

HWY_INLINE Vec3<F> corner(const FaceGroup& group, size_t k, const float* vertices)
{
    IntLanes<1> at;
    for (int i = 0; i < kBlockRegisters; ++i)
        at.v[i] = hn::LoadU(IntTag(), group.corners[k].data() + i * kRegisterLanes);
    return {gather(vertices, at), gather(vertices + 1, at), gather(vertices + 2, at)};
}

/// Computes the positions of the roots and their rotations, as RootAnchors does one by one.
HWY_INLINE Vec3<F> place_group(const FaceGroup& group, const float* vertices, std::array<ChildRoots::Row, 9>& turn)
{
    const Vec3<F> a = corner(group, 0, vertices), b = corner(group, 1, vertices), c = corner(group, 2, vertices);
    const Vec3<F> x = splat<F>(1.0f, 0.0f, 0.0f), y = splat<F>(0.0f, 1.0f, 0.0f);
    const Vec3<F> along = unit_or(b - a, x);
    const Vec3<F> other = select(along.x * along.x < splat<F>(0.5f), x, y);
    const Vec3<F> normal = unit_or(cross(along, c - a), unit_or(cross(along, other), y));
    const Vec3<F> across = cross(normal, along);
    const Vec3<F> weights = load_vector(group.weights), offset = load_vector(group.offset);
    const std::array<ChildRoots::Row, 9>& rest = group.rest_axes;
    for (size_t column = 0; column < 3; ++column) {
        const Vec3<F> v = along * load_anywhere(rest[column].data()) + across * load_anywhere(rest[3 + column].data()) +
                          normal * load_anywhere(rest[6 + column].data());
        store_anywhere(v.x, turn[column].data());
        store_anywhere(v.y, turn[3 + column].data());
        store_anywhere(v.z, turn[6 + column].data());
    }
    return a * weights.x + b * weights.y + c * weights.z + along * offset.x + across * offset.y + normal * offset.z;
}

}  // namespace

void PlaceOnFaces(const FaceGroup& group, const float* vertices, const float* vertices_before, ChildRoots& out)
{
    // Prefetching beyond the last group does no harm.
    const auto* next = reinterpret_cast<const std::byte*>(&group + 1);
    for (size_t at = 0; at < sizeof(FaceGroup); at += 64) hwy::Prefetch(next + at);
    const Vec3<F> now = place_group(group, vertices, out.turn);
    const Vec3<F> before = place_group(group, vertices_before, out.turn_before);
    store_vector(now, out.position.data());
    store_vector(now - before, out.moved.data());
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {

HWY_EXPORT(PlaceOnFaces);

namespace {

Affine affine_of(const Pose& pose, const Vec3d& origin)
{
    return {rotate(pose.rotation, {1, 0, 0}), rotate(pose.rotation, {0, 1, 0}), rotate(pose.rotation, {0, 0, 1}),
            pose.position - origin};
}

std::array<float, 9> matrix_of(const Affine& a)
{
    const Vec3f x = to_float(a.x), y = to_float(a.y), z = to_float(a.z);
    return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

template <size_t N, class Row>
void set_lane(std::array<Row, N>& rows, size_t lane, const std::array<typename Row::value_type, N>& values)
{
    for (size_t r = 0; r < N; ++r) rows[r][lane] = values[r];
}

void set_lane(std::array<ChildRoots::Row, 3>& rows, size_t lane, const Vec3f& v)
{
    rows[0][lane] = v.x, rows[1][lane] = v.y, rows[2][lane] = v.z;
}

}  // namespace

ChildRootFrames::ChildRootFrames(const Groom& children, std::span<const uint32_t> order, const RootAnchors& anchors)
{
    const size_t strands = order.size();
    if (const auto* faces = std::get_if<TriangleBinding>(&anchors.binding())) {
        faces_.resize((strands + ChildRoots::kCount - 1) / ChildRoots::kCount);
        for (size_t k = 0; k < strands; ++k) {
            const uint32_t s = order[k];
            FaceGroup& group = faces_[k / ChildRoots::kCount];
            const size_t lane = k % ChildRoots::kCount;
            const auto& corners = faces->triangles[s];
            const auto at = [&](size_t corner) { return static_cast<int32_t>(3 * corners[corner]); };
            const auto& [x, y, z] = anchors.rest_face(s);
            set_lane(group.corners, lane, {at(0), at(1), at(2)});
            set_lane(group.weights, lane, faces->weights[s]);
            set_lane(group.offset, lane, to_float(anchors.root_in_face(s)));
            set_lane(group.rest_axes, lane, {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z});
        }
    } else if (const auto* bones = std::get_if<WeightedBoneBinding>(&anchors.binding())) {
        rest_bones_ = bones->rest;
        for (const uint32_t s : order)
            on_bones_.push_back({bones->weights[s], anchors.root_in_bones(s), anchors.main_bone(s)});
    } else {
        const auto bone = static_cast<uint32_t>(anchors.one_bone()->bone);
        for (const uint32_t s : order) on_bones_.push_back({{{{bone, 1}}}, {to_double(children.points(s)[0])}, bone});
    }
}

void ChildRootFrames::place(const RootPose& now, const RootPose& before, const Vec3d& origin, Executor& executor)
{
    if (faces_.empty()) {
        place_bones(now, origin, bones_);
        place_bones(before, origin, bones_before_);
        return;
    }
    const auto place = [&](const std::vector<Vec3d>& vertices, std::vector<float>& out) {
        out.resize(3 * vertices.size());
        parallel_for(executor, vertices.size(), 1024, [&](size_t begin, size_t end) {
            for (size_t v = begin; v < end; ++v) {
                const Vec3f p = to_float(vertices[v] - origin);
                out[3 * v] = p.x, out[3 * v + 1] = p.y, out[3 * v + 2] = p.z;
            }
        });
    };
    place(now.vertices, vertices_);
    place(before.vertices, vertices_before_);
}

void ChildRootFrames::place_bones(const RootPose& pose, const Vec3d& origin, std::vector<Bone>& bones) const
{
    bones.resize(pose.bones.size());
    for (size_t b = 0; b < bones.size(); ++b) {
        const Pose turned = rest_bones_.empty() ? pose.bones[b] : between(rest_bones_[b], pose.bones[b]);
        bones[b] = {affine_of(pose.bones[b], origin), matrix_of(affine_of(turned, {0, 0, 0}))};
    }
}

void ChildRootFrames::compute_on_bones(size_t first, ChildRoots& out) const
{
    const size_t count = std::min(ChildRoots::kCount, on_bones_.size() - first);
    for (size_t lane = 0; lane < count; ++lane) {
        const OnBones& root = on_bones_[first + lane];
        const auto position = [&root](const std::vector<Bone>& bones) {
            Vec3d sum{0, 0, 0};
            for (size_t k = 0; k < 4; ++k)
                if (root.weights[k].weight != 0)
                    sum += transform_point(bones[root.weights[k].bone].pose, root.position[k]) *
                           static_cast<double>(root.weights[k].weight);
            return sum;
        };
        const Vec3d now = position(bones_);
        set_lane(out.position, lane, to_float(now));
        set_lane(out.moved, lane, to_float(now - position(bones_before_)));
        set_lane(out.turn, lane, bones_[root.main].turn);
        set_lane(out.turn_before, lane, bones_before_[root.main].turn);
    }
}

void ChildRootFrames::compute(size_t first, ChildRoots& out) const
{
    if (faces_.empty()) return compute_on_bones(first, out);
    const FaceGroup& group = faces_[first / ChildRoots::kCount];
    HWY_DYNAMIC_DISPATCH(PlaceOnFaces)(group, vertices_.data(), vertices_before_.data(), out);
}

}  // namespace tendril
#endif
