/// An animated body: evaluates the poses of its bones and the positions of its vertices at any time.
#pragma once

#include "body/track.h"
#include "tendril/body.h"

#include <span>
#include <vector>

namespace tendril {

/// Where a body is at a moment.
struct BodySample {
    double time = 0;
    std::vector<Pose> bones;   ///< the body's own frames, then the bones of its character
    std::vector<Affine> skin;  ///< what the bones of the character do to its mesh
};

class Body {
public:
    explicit Body(BodyDescription description);

    const std::string& name() const { return description_.name; }
    size_t bones() const { return frames() + skin_size(); }
    size_t vertices() const
    {
        return description_.character ? description_.character->mesh.vertices.size() : description_.vertices;
    }
    bool is_pushed() const { return !description_.function && description_.clip.times.empty(); }

    /// Records where the host says the body is at `time`. Returns false and changes nothing if the count is wrong, or
    /// if a number is not finite or beyond 1e9 m.
    bool push_poses(double time, std::span<const Pose> poses);
    bool push_vertices(double time, std::span<const Vec3f> vertices, const Vec3d& origin);
    /// Makes the newest push the position of the body at `time`, so that no motion leads there.
    void jump_to_newest(double time);
    void forget_before(double time);

    /// The same for a time that is not known yet; `settle_pending` supplies it.
    bool pend_poses(std::span<const Pose> poses);
    bool pend_vertices(std::span<const Vec3f> vertices, const Vec3d& origin);
    void settle_pending(double time);

    /// Where the body is at a time. False where its source gives a pose that is not finite or beyond 1e9 m; `out` then
    /// has the last sound one.
    bool sample(double time, BodySample& out);
    /// The same, but a later `sample` does not fall back on it.
    bool look(double time, BodySample& out);
    /// Some of the vertices at the moment of a sample, by index. False where no vertices have been pushed.
    bool vertices_in(const BodySample& sample, std::span<const uint32_t> which, std::span<Vec3d> out,
                     Executor& executor);
    /// The whole mesh of the character at the moment of a sample; empty where there is none. Valid until the next call.
    MeshView mesh_in(const BodySample& sample, Executor& executor);
    /// The mesh of a character whose bones do not move, in the frame of bone 0, which carries it; else null.
    const std::vector<Vec3f>* unbent_vertices() const;
    bool has_vertices() const { return description_.character || !vertices_.empty(); }

    void save(std::vector<double>& out) const;
    bool load(std::span<const double>& in);

private:
    size_t frames() const { return description_.bones; }
    size_t skin_size() const { return description_.character ? description_.character->bones.size() : 0; }
    bool add_poses(double time, std::span<const Pose> poses);
    bool frames_at(double time);  ///< fills valid_poses_
    /// The vertices of the character at a sample, in the frame of bone 0. Valid until the next call.
    std::span<const Vec3f> skinned_vertices(const BodySample& sample, Executor& executor);

    BodyDescription description_;
    Track poses_, vertices_;
    std::vector<double> channels_;
    std::vector<Pose> sampled_, valid_poses_, kept_poses_;
    std::vector<Vec3f> unbent_;  // the skinned mesh of a character whose bones do not move; else empty
    std::vector<Vec3f> skinned_, shown_;
    std::vector<Pose> pending_poses_;
    std::vector<Vec3f> pending_vertices_;
    Vec3d pending_origin_{0, 0, 0};
    bool has_pending_poses_ = false, has_pending_vertices_ = false;
};

}  // namespace tendril
