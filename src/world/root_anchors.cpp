#include "world/root_anchors.h"

#include "math/vectors.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// Roots within this distance of their triangle count as lying on it [m]; they do not need its frame.
constexpr double kOnSkin = 1e-7;

/// The frame of a triangle: its first edge, its normal, and the direction perpendicular to both.
struct Face {
    Vec3d origin, along, across, normal;

    Quat rotation() const { return rotation_of(along, across, normal); }
    Vec3d to_world(const Vec3d& p) const { return origin + along * p.x + across * p.y + normal * p.z; }
    Vec3d to_local(const Vec3d& p) const
    {
        const Vec3d r = p - origin;
        return {dot(r, along), dot(r, across), dot(r, normal)};
    }
};

Vec3d blend(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3f& weights)
{
    return a * static_cast<double>(weights.x) + b * static_cast<double>(weights.y) + c * static_cast<double>(weights.z);
}

Face face_of(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3f& weights)
{
    Face f;
    f.origin = blend(a, b, c, weights);
    f.along = unit_or(b - a, {1, 0, 0});
    f.normal = unit_or(cross(b - a, c - a), any_perpendicular(f.along));
    f.across = cross(f.normal, f.along);
    return f;
}

/// Reduces a binding to the vertices that its triangles use. Returns the indices of those vertices.
std::vector<uint32_t> keep_used_vertices(TriangleBinding& faces)
{
    std::vector<uint32_t> used;
    for (const auto& t : faces.triangles) used.insert(used.end(), t.begin(), t.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (auto& t : faces.triangles)
        for (uint32_t& v : t) v = static_cast<uint32_t>(std::lower_bound(used.begin(), used.end(), v) - used.begin());
    std::vector<Vec3f> rest;
    rest.reserve(used.size());
    for (uint32_t v : used) rest.push_back(faces.rest[v]);
    faces.rest = std::move(rest);
    return used;
}

}  // namespace

RootAnchors::RootAnchors(const Groom& groom, RootBinding binding) : binding_(std::move(binding))
{
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        root_points_.push_back(groom.points(s).front());
        tip_points_.push_back(groom.points(s).back());
    }
    if (const auto* bones = std::get_if<WeightedBoneBinding>(&binding_)) {
        auto in_bones = [&](size_t s, const Vec3f& p) {
            std::array<Vec3d, 4> local;
            for (size_t k = 0; k < 4; ++k) {
                const Pose& rest = bones->rest[bones->weights[s][k].bone];
                local[k] = rotate(conjugate(rest.rotation), to_double(p) - rest.position);
            }
            return local;
        };
        for (size_t s = 0; s < groom.strand_count(); ++s) {
            root_in_bone_.push_back(in_bones(s, root_points_[s]));
            tip_in_bone_.push_back(in_bones(s, tip_points_[s]));
        }
    } else if (auto* faces = std::get_if<TriangleBinding>(&binding_)) {
        used_ = keep_used_vertices(*faces);
        for (size_t s = 0; s < groom.strand_count(); ++s) {
            const auto& t = faces->triangles[s];
            const Face face = face_of(to_double(faces->rest[t[0]]), to_double(faces->rest[t[1]]),
                                      to_double(faces->rest[t[2]]), faces->weights[s]);
            rest_face_.push_back({to_float(face.along), to_float(face.across), to_float(face.normal)});
            root_in_face_.push_back(face.to_local(to_double(root_points_[s])));
            tip_in_face_.push_back(face.to_local(to_double(tip_points_[s])));
            on_skin_.push_back(length(root_in_face_[s]) < kOnSkin && groom.ends(s) != tendril::Ends::kBothHeld);
        }
    }
}

bool RootAnchors::sample(Body& body, const BodySample& sample, RootPose& out, Executor& executor) const
{
    if (!std::holds_alternative<TriangleBinding>(binding_)) {
        out.bones = sample.bones;
        return true;
    }
    out.vertices.resize(used_.size());
    return body.vertices_in(sample, used_, out.vertices, executor);
}

RootAnchors::Ends RootAnchors::ends(const RootPose& pose, size_t s) const
{
    if (const auto* bones = std::get_if<WeightedBoneBinding>(&binding_)) {
        Ends e{{0, 0, 0}, {0, 0, 0}};
        for (size_t k = 0; k < 4; ++k) {
            const auto& w = bones->weights[s][k];
            e.root += transform_point(pose.bones[w.bone], root_in_bone_[s][k]) * static_cast<double>(w.weight);
            e.tip += transform_point(pose.bones[w.bone], tip_in_bone_[s][k]) * static_cast<double>(w.weight);
        }
        return e;
    }
    const auto& faces = std::get<TriangleBinding>(binding_);
    const auto& t = faces.triangles[s];
    const auto& v = pose.vertices;
    if (on_skin_[s]) {
        const Vec3d root = blend(v[t[0]], v[t[1]], v[t[2]], faces.weights[s]);
        return {root, root};
    }
    const Face face = face_of(v[t[0]], v[t[1]], v[t[2]], faces.weights[s]);
    return {face.to_world(root_in_face_[s]), face.to_world(tip_in_face_[s])};
}

Vec3d RootAnchors::root(const RootPose& pose, size_t s) const
{
    if (const auto* binding = one_bone()) return transform_point(pose.bones[binding->bone], to_double(root_points_[s]));
    return ends(pose, s).root;
}

uint32_t RootAnchors::main_bone(size_t s) const
{
    const auto& list = std::get<WeightedBoneBinding>(binding_).weights[s];
    return std::max_element(list.begin(), list.end(), [](auto& a, auto& b) { return a.weight < b.weight; })->bone;
}

Pose RootAnchors::carried(const RootPose& pose, size_t s) const
{
    if (const auto* binding = one_bone()) return pose.bones[binding->bone];
    if (const auto* bones = std::get_if<WeightedBoneBinding>(&binding_)) {
        const uint32_t main = main_bone(s);
        return between(bones->rest[main], pose.bones[main]);
    }
    const auto& faces = std::get<TriangleBinding>(binding_);
    const auto& t = faces.triangles[s];
    const Face rest = face_of(to_double(faces.rest[t[0]]), to_double(faces.rest[t[1]]), to_double(faces.rest[t[2]]),
                              faces.weights[s]);
    const Face now = face_of(pose.vertices[t[0]], pose.vertices[t[1]], pose.vertices[t[2]], faces.weights[s]);
    return between({rest.origin, rest.rotation()}, {now.origin, now.rotation()});
}

RootAnchors::Turn RootAnchors::turn(const RootPose& pose, size_t s) const
{
    if (const auto* faces = std::get_if<TriangleBinding>(&binding_)) {
        const auto& t = faces->triangles[s];
        const Face now = face_of(pose.vertices[t[0]], pose.vertices[t[1]], pose.vertices[t[2]], faces->weights[s]);
        return {rest_face_[s], {to_float(now.along), to_float(now.across), to_float(now.normal)}};
    }
    const Quat q = carried(pose, s).rotation;
    const std::array<Vec3f, 3> axes{Vec3f{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    auto turned = [&](const Vec3f& v) { return to_float(rotate(q, to_double(v))); };
    return {axes, {turned(axes[0]), turned(axes[1]), turned(axes[2])}};
}

}  // namespace tendril
