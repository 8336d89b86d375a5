/// The animated thing that strands grow on: gives the pose of its bones, or the place of its vertices, at any time.
#pragma once

#include "body/track.h"
#include "tendril/body.h"

#include <span>
#include <vector>

namespace tendril {

class Body {
public:
    explicit Body(BodyDescription description);

    const std::string& name() const { return description_.name; }
    size_t bones() const { return frames() + skin_.size(); }
    size_t vertices() const
    {
        return description_.character ? description_.character->mesh.vertices.size() : description_.vertices;
    }
    bool is_pushed() const { return !description_.function && description_.clip.times.empty(); }

    /// What the host says about a moment. False, and nothing changes, where a number is not finite or the count is
    /// wrong.
    bool push_poses(double time, std::span<const Pose> poses);
    bool push_vertices(double time, std::span<const Vec3f> vertices, const Vec3d& origin);
    /// The newest push is where the body is at `time`, not where it moved to.
    void jump_to_newest(double time);
    void forget_before(double time);

    /// The same, for a moment that is not known yet: `settle_pending` says which.
    bool pend_poses(std::span<const Pose> poses);
    bool pend_vertices(std::span<const Vec3f> vertices, const Vec3d& origin);
    void settle_pending(double time);

    /// False where the source gave a pose that is not finite or beyond 1e9 m; `out` is then the last one that was.
    bool poses_at(double time, std::span<Pose> out);
    /// Some of the vertices, by index.
    bool vertices_at(double time, std::span<const uint32_t> which, std::span<Vec3d> out, Executor& executor);
    /// The whole mesh of the character, where it is.
    MeshView mesh_at(double time, Executor& executor);
    /// The mesh of a character that no bone bends, in the frame that carries it; else null.
    const std::vector<Vec3f>* rigid_vertices() const;
    /// That frame.
    Pose mesh_frame_at(double time);
    bool has_vertices() const { return description_.character || !vertices_.empty(); }

    void save(std::vector<double>& out) const;
    bool load(std::span<const double>& in);

private:
    size_t frames() const { return description_.bones; }
    bool add_poses(double time, std::span<const Pose> poses);
    bool frames_at(double time);  ///< into good_

    BodyDescription description_;
    Track poses_, vertices_;
    std::vector<double> channels_;
    std::vector<Pose> scratch_, good_;
    std::vector<Affine> skin_;  // of the character's bones
    std::vector<Vec3f> skinned_, shown_;
    std::vector<Pose> pending_poses_;
    std::vector<Vec3f> pending_vertices_;
    Vec3d pending_origin_{0, 0, 0};
    bool poses_pend_ = false, vertices_pend_ = false;
};

}  // namespace tendril
