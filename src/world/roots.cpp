#include "world/roots.h"

#include "math/vectors.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// A root nearer to its triangle than this is on it [m]: then the triangle's frame need not be known.
constexpr double kOnSkin = 1e-7;

/// A frame that turns with a triangle: first edge, normal, and what is across both.
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
    f.normal = unit_or(cross(b - a, c - a), any_across(f.along));
    f.across = cross(f.normal, f.along);
    return f;
}

/// Reduces a binding to the vertices that its triangles name; which they were.
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

Result<GroomSettings> check_binding(const Groom& groom, const Body& body, GroomSettings settings)
{
    const auto no_number = [](const auto& x) { return !is_finite(x); };
    if (!(settings.particle_mass > 0)) return Error{"groom: particle_mass must be above 0"};
    const StringMaterial& m = settings.material;
    for (const double x : {m.density, m.young, m.yield, m.plastic, m.rupture})
        if (!(x > 0) || !std::isfinite(x)) return Error{"groom: numbers of its material must be above 0 and finite"};
    if (!(m.bend_modulus >= 0 && m.shear_modulus >= 0) || !std::isfinite(m.bend_modulus + m.shear_modulus) ||
        !(m.plastic < m.young))
        return Error{"groom: moduli of its material must be at least 0, and plastic below young"};
    if (!(settings.strength_variation >= 0 && settings.strength_variation < 1))
        return Error{"groom: strength_variation must be in [0, 1)"};
    if (!settings.stiffness.empty() && settings.stiffness.size() != groom.strand_count())
        return Error{fmt::format("groom: stiffness for {} strands, but there are {}", settings.stiffness.size(),
                                 groom.strand_count())};
    for (const float factor : settings.stiffness)
        if (!(factor >= 0) || !std::isfinite(factor)) return Error{"groom: a stiffness is not a number from 0 on"};
    if (const auto* rigid = std::get_if<RigidBinding>(&settings.binding)) {
        if (rigid->bone >= body.bones())
            return Error{
                fmt::format("groom: bound to bone {}, but body '{}' has {}", rigid->bone, body.name(), body.bones())};
    } else if (auto* bones = std::get_if<BoneBinding>(&settings.binding)) {
        if (bones->weights.size() != groom.strand_count() || bones->rest.size() != body.bones())
            return Error{
                fmt::format("groom: bone weights for {} strands and rest poses for {} bones, but there are {} and {}",
                            bones->weights.size(), bones->rest.size(), groom.strand_count(), body.bones())};
        for (const Pose& pose : bones->rest)
            if (no_number(pose.position) ||
                !(length(Vec3d{pose.rotation.x, pose.rotation.y, pose.rotation.z}) + std::abs(pose.rotation.w) > 1e-6))
                return Error{"groom: a rest pose of a bone is not finite or its rotation is zero"};
        for (auto& list : bones->weights) {
            float sum = 0;
            for (const auto& w : list) {
                if (w.bone >= body.bones() || !(w.weight >= 0) || !std::isfinite(w.weight))
                    return Error{fmt::format("groom: weight {} of bone {} is not usable; the body has {} bones",
                                             w.weight, w.bone, body.bones())};
                sum += w.weight;
            }
            if (!(sum > 0)) return Error{"groom: a strand has no bone weight above 0"};
            for (auto& w : list) w.weight /= sum;
        }
    } else if (const auto* faces = std::get_if<TriangleBinding>(&settings.binding)) {
        if (faces->triangles.size() != groom.strand_count() || faces->weights.size() != groom.strand_count() ||
            faces->rest.size() != body.vertices())
            return Error{fmt::format(
                "groom: {} triangles, {} weights and {} rest vertices, but there are {} strands and {} vertices",
                faces->triangles.size(), faces->weights.size(), faces->rest.size(), groom.strand_count(),
                body.vertices())};
        if (std::any_of(faces->weights.begin(), faces->weights.end(), no_number) ||
            std::any_of(faces->rest.begin(), faces->rest.end(), no_number))
            return Error{"groom: a barycentric weight or a rest vertex is not finite"};
        if (!body.has_vertices())
            return Error{fmt::format("groom: push the vertices of body '{}' before you add hair to it", body.name())};
        for (const auto& t : faces->triangles)
            if (t[0] >= body.vertices() || t[1] >= body.vertices() || t[2] >= body.vertices())
                return Error{fmt::format("groom: a triangle names a vertex beyond the body's {}", body.vertices())};
    }
    return settings;
}

Roots::Roots(const Groom& groom, const Strands& strands, const GroomSettings& settings) : Roots(groom, settings)
{
    if (!rigid()) return;
    tip_offset_ = StrandRows(strands.layout(), 3);
    for (size_t s = 0; s < groom.strand_count(); ++s) tip_offset_.set_vector(s, 0, tip_points_[s] - root_points_[s]);
}

Roots::Roots(const Groom& groom, const GroomSettings& settings) : settings_(settings)
{
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        root_points_.push_back(groom.points(s).front());
        tip_points_.push_back(groom.points(s).back());
    }
    if (const auto* bones = std::get_if<BoneBinding>(&settings_.binding)) {
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
    } else if (auto* faces = std::get_if<TriangleBinding>(&settings_.binding)) {
        used_ = keep_used_vertices(*faces);
        for (size_t s = 0; s < groom.strand_count(); ++s) {
            const auto& t = faces->triangles[s];
            const Face face = face_of(to_double(faces->rest[t[0]]), to_double(faces->rest[t[1]]),
                                      to_double(faces->rest[t[2]]), faces->weights[s]);
            rest_face_.push_back({to_float(face.along), to_float(face.across), to_float(face.normal)});
            root_in_face_.push_back(face.to_local(to_double(root_points_[s])));
            tip_in_face_.push_back(face.to_local(to_double(tip_points_[s])));
            on_skin_.push_back(length(root_in_face_[s]) < kOnSkin && groom.ends(s) != Ends::kBothHeld);
        }
    }
}

bool Roots::sample(Body& body, double time, Executor& executor)
{
    if (std::holds_alternative<TriangleBinding>(settings_.binding)) {
        vertices_.resize(used_.size());
        return body.vertices_at(time, used_, vertices_, executor);
    }
    poses_.resize(body.bones());
    return body.poses_at(time, poses_);
}

Roots::Anchor Roots::anchor(size_t s) const
{
    if (const auto* bones = std::get_if<BoneBinding>(&settings_.binding)) {
        Anchor a{{0, 0, 0}, {0, 0, 0}};
        for (size_t k = 0; k < 4; ++k) {
            const auto& w = bones->weights[s][k];
            a.root += transform_point(poses_[w.bone], root_in_bone_[s][k]) * static_cast<double>(w.weight);
            a.tip += transform_point(poses_[w.bone], tip_in_bone_[s][k]) * static_cast<double>(w.weight);
        }
        return a;
    }
    const auto& faces = std::get<TriangleBinding>(settings_.binding);
    const auto& t = faces.triangles[s];
    if (on_skin_[s]) {
        const Vec3d root = blend(vertices_[t[0]], vertices_[t[1]], vertices_[t[2]], faces.weights[s]);
        return {root, root};
    }
    const Face face = face_of(vertices_[t[0]], vertices_[t[1]], vertices_[t[2]], faces.weights[s]);
    return {face.to_world(root_in_face_[s]), face.to_world(tip_in_face_[s])};
}

Vec3d Roots::root_place(size_t s) const
{
    if (const auto* binding = std::get_if<RigidBinding>(&settings_.binding))
        return transform_point(poses_[binding->bone], to_double(root_points_[s]));
    return anchor(s).root;
}

Pose Roots::carried(size_t s) const
{
    if (const auto* rigid_binding = std::get_if<RigidBinding>(&settings_.binding)) return poses_[rigid_binding->bone];
    if (const auto* bones = std::get_if<BoneBinding>(&settings_.binding)) {
        const auto& list = bones->weights[s];
        const auto& main =
            *std::max_element(list.begin(), list.end(), [](auto& a, auto& b) { return a.weight < b.weight; });
        const Pose &rest = bones->rest[main.bone], &now = poses_[main.bone];
        return between(rest, now);
    }
    const auto& faces = std::get<TriangleBinding>(settings_.binding);
    const auto& t = faces.triangles[s];
    const Face rest = face_of(to_double(faces.rest[t[0]]), to_double(faces.rest[t[1]]), to_double(faces.rest[t[2]]),
                              faces.weights[s]);
    const Face now = face_of(vertices_[t[0]], vertices_[t[1]], vertices_[t[2]], faces.weights[s]);
    return between({rest.origin, rest.rotation()}, {now.origin, now.rotation()});
}

bool Roots::place(Strands& strands, Body& body, double time, Executor& executor)
{
    if (!sample(body, time, executor)) return false;
    if (const auto* binding = std::get_if<RigidBinding>(&settings_.binding)) {
        strands.frame = poses_[binding->bone];
        return true;
    }
    strands.frame = Pose{anchor(0).root, {}};
    parallel_for(executor, strands.strand_count(), 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s)
            if (strands.bucket_of(s).roots == RootKind::kSampled) strands.set_root(s, anchor(s).root);
    });
    return true;
}

bool Roots::positions(Body& body, double time, std::span<Vec3d> out, Executor& executor)
{
    // What the strands were last placed by is put aside: a teleport needs it.
    std::swap(poses_, output_poses_);
    std::swap(vertices_, output_vertices_);
    const bool known = sample(body, time, executor);
    if (known)
        parallel_for(executor, out.size(), 1024, [&](size_t begin, size_t end) {
            for (size_t s = begin; s < end; ++s) out[s] = root_place(s);
        });
    std::swap(poses_, output_poses_);
    std::swap(vertices_, output_vertices_);
    return known;
}

bool Roots::carry(Body& body, double time, std::span<Vec3d> places, std::span<Quat> turns, Executor& executor)
{
    const bool known = sample(body, time, executor);
    parallel_for(executor, places.size(), 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) {
            places[s] = root_place(s);
            turns[s] = carried(s).rotation;
        }
    });
    return known;
}

Roots::Turn Roots::turn_of(size_t s) const
{
    if (std::holds_alternative<TriangleBinding>(settings_.binding)) {
        const auto& faces = std::get<TriangleBinding>(settings_.binding);
        const auto& t = faces.triangles[s];
        const Face now = face_of(vertices_[t[0]], vertices_[t[1]], vertices_[t[2]], faces.weights[s]);
        return {rest_face_[s], {to_float(now.along), to_float(now.across), to_float(now.normal)}};
    }
    const Quat q = carried(s).rotation;
    const std::array<Vec3f, 3> axes{Vec3f{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    auto turned = [&](const Vec3f& v) { return to_float(rotate(q, to_double(v))); };
    return {axes, {turned(axes[0]), turned(axes[1]), turned(axes[2])}};
}

void Roots::write_frames(const Strands& strands, const ShapeInput& shape, StrandRows& out, Executor& executor) const
{
    parallel_for(executor, strands.strand_count(), 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) {
            if (strands.bucket_of(s).ends != Ends::kRootHeld) continue;
            const auto turn = turn_of(s);
            for (const size_t row : {kRootAlong, kRootAcross})
                out.set_vector(s, row, turn(shape.strands->vector(s, row)));
        }
    });
}

RootMotion Roots::advance(Strands& strands, Body& body, const Span& span, const ShapeInput& shape, Executor& executor,
                          size_t& bad_poses)
{
    const size_t substeps = static_cast<size_t>(span.substeps);
    RootMotion motion;
    frame_.resize(substeps);
    origin_.assign(substeps, strands.frame.position);
    while (!rigid() && sampled_.size() < substeps) sampled_.emplace_back(strands.layout(), kSampledRows);
    const bool with_frames = !rigid() && shape.on();
    if (with_frames) {
        while (frames_.size() < substeps + 1) frames_.emplace_back(strands.layout(), kRootFrameRows);
        if (!sample(body, span.time, executor)) ++bad_poses;
        write_frames(strands, shape, frames_[0], executor);
        motion.frames = frames_;
    }
    for (size_t k = 0; k < substeps; ++k) {
        if (!sample(body, span.end_of(static_cast<int>(k)), executor)) ++bad_poses;
        if (const auto* binding = std::get_if<RigidBinding>(&settings_.binding)) {
            const Pose after = poses_[binding->bone];
            frame_[k] = frame_step(strands.frame, after);
            strands.frame = after;
            origin_[k] = after.position;
            continue;
        }
        StrandRows& of_substep = sampled_[k];
        parallel_for(executor, strands.strand_count(), 256, [&](size_t begin, size_t end) {
            for (size_t s = begin; s < end; ++s) {
                if (strands.bucket_of(s).roots != RootKind::kSampled) continue;
                const Anchor a = anchor(s);
                of_substep.set_vector(s, kRootStep, to_float(a.root - strands.root(s)));
                of_substep.set_vector(s, kTipFromRoot, to_float(a.tip - a.root));
                strands.set_root(s, a.root);
            }
        });
        if (with_frames) write_frames(strands, shape, frames_[k + 1], executor);
    }
    motion.frame = frame_;
    motion.origin = origin_;
    if (rigid())
        motion.tip_offset = &tip_offset_;
    else
        motion.sampled = sampled_;
    return motion;
}

}  // namespace tendril
