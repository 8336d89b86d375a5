/// An animated body: evaluates the poses of its bones and the positions of its vertices at any time.
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
    size_t bones() const { return frames() + bone_transforms_.size(); }
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

    /// Returns false if the source gave a pose that is not finite or beyond 1e9 m; `out` then holds the last valid one.
    bool poses_at(double time, std::span<Pose> out);
    /// Positions of the vertices listed in `which`.
    bool vertices_at(double time, std::span<const uint32_t> which, std::span<Vec3d> out, Executor& executor);
    /// The whole mesh of the character at `time`.
    MeshView mesh_at(double time, Executor& executor);
    /// The vertices of a character that no bone deforms, in the frame of mesh_frame_at(); null for other bodies.
    const std::vector<Vec3f>* rigid_vertices() const;
    /// The pose of the frame that carries the character.
    Pose mesh_frame_at(double time);
    bool has_vertices() const { return description_.character || !vertices_.empty(); }

    void save(std::vector<double>& out) const;
    bool load(std::span<const double>& in);

private:
    size_t frames() const { return description_.bones; }
    bool add_poses(double time, std::span<const Pose> poses);
    bool frames_at(double time);  ///< fills valid_poses_

    BodyDescription description_;
    Track poses_, vertices_;
    std::vector<double> channels_;
    std::vector<Pose> sampled_, valid_poses_;
    std::vector<Affine> bone_transforms_;  // of the character's bones
    std::vector<Vec3f> skinned_, posed_mesh_;
    std::vector<Pose> pending_poses_;
    std::vector<Vec3f> pending_vertices_;
    Vec3d pending_origin_{0, 0, 0};
    bool has_pending_poses_ = false, has_pending_vertices_ = false;
};

}  // namespace tendril
