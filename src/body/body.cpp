#include "body/body.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

constexpr size_t kPoseChannels = 7;
// A pose beyond this is treated as invalid: the squares of its coordinates would not fit into a float [m].
constexpr double kFarthest = 1e9;

bool is_sane(const Vec3d& p)
{
    return std::abs(p.x) <= kFarthest && std::abs(p.y) <= kFarthest && std::abs(p.z) <= kFarthest;  // false for NaN
}

bool is_sane(const Pose& pose)
{
    const Quat& q = pose.rotation;
    const double n = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return is_sane(pose.position) && n > 1e-12 && n < 1e12;
}

// A quaternion and its negative are the same rotation; this picks the one closer to the previous channels.
void put_pose(Pose pose, std::span<const double> before, double* out)
{
    Quat q = normalized(pose.rotation);
    if (!before.empty() && q.x * before[3] + q.y * before[4] + q.z * before[5] + q.w * before[6] < 0)
        q = {-q.x, -q.y, -q.z, -q.w};
    const double values[kPoseChannels] = {pose.position.x, pose.position.y, pose.position.z, q.x, q.y, q.z, q.w};
    std::copy(values, values + kPoseChannels, out);
}

Pose get_pose(const double* c)
{
    return {{c[0], c[1], c[2]}, normalized({c[3], c[4], c[5], c[6]})};
}

/// The rigid part of an affine map, with its axes orthonormalized.
Pose rigid_part(const Affine& a)
{
    const Vec3d x = unit_or(a.x, {1, 0, 0});
    const Vec3d z = unit_or(cross(x, a.y), any_perpendicular(x));
    return {a.origin, rotation_of(x, cross(z, x), z)};
}

/// Whether a character plays a clip that moves any of its nodes.
bool moves_bones(const Character& character, const ClipPlay& play)
{
    if (play.clip < 0 || static_cast<size_t>(play.clip) >= character.clips.size()) return false;
    const std::vector<Channel>& channels = character.clips[static_cast<size_t>(play.clip)].channels;
    return std::any_of(channels.begin(), channels.end(), [](const Channel& c) { return c.times.size() > 1; });
}

double clip_time(const Clip& clip, double time)
{
    const double first = clip.times.front(), span = clip.times.back() - first;
    time *= clip.speed;
    if (!clip.loop || span <= 0) return first + time;
    return first + (time - span * std::floor(time / span));
}

}  // namespace

Body::Body(BodyDescription description)
    : description_(std::move(description)),
      poses_(description_.bones * kPoseChannels),
      vertices_(description_.vertices * 3),
      channels_(std::max(poses_.channels(), vertices_.channels())),
      sampled_(description_.bones),
      valid_poses_(description_.bones)
{
    const Character* character = description_.character.get();
    if (character && !character->bones.empty() && !character->weights.empty() &&
        !moves_bones(*character, description_.play)) {
        std::vector<Affine> bones(skin_size());
        pose_bones(*character, description_.play, 0, bones);
        unbent_.resize(character->mesh.vertices.size());
        skin(*character, bones, unbent_, *make_serial_executor());
    }
    // Ignore keys for which poses are missing.
    const Clip& clip = description_.clip;
    const size_t complete = frames() > 0 ? clip.poses.size() / frames() : 0;
    for (size_t k = 0; k < std::min(clip.times.size(), complete); ++k)
        add_poses(clip.times[k], std::span(clip.poses).subspan(k * frames(), frames()));
}

bool Body::push_poses(double time, std::span<const Pose> poses)
{
    return is_pushed() && add_poses(time, poses);
}

bool Body::pend_poses(std::span<const Pose> poses)
{
    if (!is_pushed() || poses.size() != frames() ||
        !std::all_of(poses.begin(), poses.end(), [](const Pose& p) { return is_sane(p); }))
        return false;
    pending_poses_.assign(poses.begin(), poses.end());
    has_pending_poses_ = true;
    return true;
}

bool Body::pend_vertices(std::span<const Vec3f> vertices, const Vec3d& origin)
{
    const auto is_fine = [&](const Vec3f& v) { return is_sane(origin + to_double(v)); };
    if (!is_pushed() || vertices.size() != description_.vertices ||
        !std::all_of(vertices.begin(), vertices.end(), is_fine))
        return false;
    pending_vertices_.assign(vertices.begin(), vertices.end());
    pending_origin_ = origin;
    has_pending_vertices_ = true;
    return true;
}

void Body::settle_pending(double time)
{
    if (has_pending_poses_) add_poses(time, pending_poses_);
    if (has_pending_vertices_) push_vertices(time, pending_vertices_, pending_origin_);
    has_pending_poses_ = has_pending_vertices_ = false;
}

bool Body::add_poses(double time, std::span<const Pose> poses)
{
    if (poses.size() != frames() || !std::isfinite(time)) return false;
    for (size_t b = 0; b < frames(); ++b) {
        if (!is_sane(poses[b])) return false;
        const auto before =
            poses_.empty() ? std::span<const double>() : poses_.last_values().subspan(b * kPoseChannels, kPoseChannels);
        put_pose(poses[b], before, channels_.data() + b * kPoseChannels);
    }
    poses_.push(time, std::span(channels_).first(poses_.channels()));
    return true;
}

bool Body::push_vertices(double time, std::span<const Vec3f> vertices, const Vec3d& origin)
{
    if (!is_pushed() || vertices.size() != description_.vertices || !std::isfinite(time)) return false;
    for (size_t v = 0; v < vertices.size(); ++v) {
        const Vec3d p = origin + to_double(vertices[v]);
        if (!is_sane(p)) return false;
        channels_[3 * v] = p.x, channels_[3 * v + 1] = p.y, channels_[3 * v + 2] = p.z;
    }
    vertices_.push(time, std::span(channels_).first(vertices_.channels()));
    return true;
}

void Body::jump_to_newest(double time)
{
    if (!is_pushed()) return;
    poses_.keep_newest(time);
    vertices_.keep_newest(time);
}

void Body::forget_before(double time)
{
    if (!is_pushed()) return;
    poses_.forget_before(time);
    vertices_.forget_before(time);
}

bool Body::frames_at(double time)
{
    if (description_.function) {
        std::fill(sampled_.begin(), sampled_.end(), Pose{});
        description_.function(time, sampled_);
    } else if (!poses_.empty()) {
        const auto channels = std::span(channels_).first(poses_.channels());
        poses_.sample(is_pushed() ? time : clip_time(description_.clip, time), channels);
        for (size_t b = 0; b < frames(); ++b) sampled_[b] = get_pose(channels.data() + b * kPoseChannels);
    } else {
        std::fill(sampled_.begin(), sampled_.end(), Pose{});
    }
    const bool sane = std::all_of(sampled_.begin(), sampled_.end(), [](const Pose& pose) { return is_sane(pose); });
    if (sane)
        for (size_t b = 0; b < frames(); ++b)
            valid_poses_[b] = {sampled_[b].position, normalized(sampled_[b].rotation)};
    return sane;
}

bool Body::sample(double time, BodySample& out)
{
    const bool sane = frames_at(time);
    out.time = time;
    out.bones.resize(bones());
    out.skin.resize(skin_size());
    std::copy(valid_poses_.begin(), valid_poses_.end(), out.bones.begin());
    if (out.skin.empty()) return sane;
    pose_bones(*description_.character, description_.play, time, out.skin);
    for (size_t b = 0; b < out.skin.size(); ++b) {
        const Pose bone = rigid_part(out.skin[b]);
        out.bones[frames() + b] = {transform_point(valid_poses_[0], bone.position),
                                   normalized(valid_poses_[0].rotation * bone.rotation)};
    }
    return sane;
}

bool Body::look(double time, BodySample& out)
{
    kept_poses_ = valid_poses_;
    const bool sane = sample(time, out);
    std::swap(valid_poses_, kept_poses_);
    return sane;
}

bool Body::vertices_in(const BodySample& sample, std::span<const uint32_t> which, std::span<Vec3d> out,
                       Executor& executor)
{
    if (const std::vector<Vec3f>* unbent = unbent_vertices()) {
        for (size_t i = 0; i < which.size(); ++i)
            out[i] = transform_point(sample.bones[0], to_double((*unbent)[which[i]]));
        return true;
    }
    if (description_.character) {
        skinned_.resize(which.size());
        skin(*description_.character, sample.skin, which, skinned_, executor);
        for (size_t i = 0; i < which.size(); ++i) out[i] = transform_point(sample.bones[0], to_double(skinned_[i]));
        return true;
    }
    if (vertices_.empty()) return false;
    const auto channels = std::span(channels_).first(vertices_.channels());
    vertices_.sample(sample.time, channels);
    for (size_t i = 0; i < which.size(); ++i) {
        const double* v = channels.data() + 3 * static_cast<size_t>(which[i]);
        out[i] = {v[0], v[1], v[2]};
    }
    return true;
}

const std::vector<Vec3f>* Body::unbent_vertices() const
{
    const Character* c = description_.character.get();
    if (!unbent_.empty()) return &unbent_;
    return c && (c->bones.empty() || c->weights.empty()) ? &c->mesh.vertices : nullptr;
}

std::span<const Vec3f> Body::skinned_vertices(const BodySample& sample, Executor& executor)
{
    if (const std::vector<Vec3f>* unbent = unbent_vertices()) return *unbent;
    skinned_.resize(vertices());
    skin(*description_.character, sample.skin, skinned_, executor);
    return skinned_;
}

MeshView Body::mesh_in(const BodySample& sample, Executor& executor)
{
    if (!description_.character) return {};
    const Character& character = *description_.character;
    const Pose& frame = sample.bones[0];
    const std::span<const Vec3f> skinned = skinned_vertices(sample, executor);
    shown_.resize(skinned.size());
    for (size_t v = 0; v < skinned.size(); ++v) shown_[v] = to_float(rotate(frame.rotation, to_double(skinned[v])));
    return {shown_, character.mesh.triangles, frame.position};
}

void Body::save(std::vector<double>& out) const
{
    if (!is_pushed()) return;
    poses_.save(out);
    vertices_.save(out);
}

bool Body::load(std::span<const double>& in)
{
    return !is_pushed() || (poses_.load(in) && vertices_.load(in));
}

}  // namespace tendril
