/// What is drawn of a world: strands with their widths and colours, meshes, and the camera.
#pragma once

#include "tendril/hair_look.h"
#include "tendril/render.h"
#include "tendril/session.h"

namespace tendril::session {

class Shown {
public:
    Shown() = default;
    Shown(Shown&&) = default;  // move-only: the pointers in `parts_` stay valid after a move but not after a copy
    Shown& operator=(Shown&&) = default;
    /// For a world at its start. Only the first `bodies` bodies are drawn; the others are hands.
    static Result<Shown> create(const Scene& scene, World& world, size_t bodies);
    /// Applies the looks of a changed scene to the same world.
    std::optional<Error> look_like(const Scene& scene, const World& world);

    /// Writes the strands and meshes at a requested time into `frame`.
    void look(World& world, double time, Frame& frame);

    /// Hides the part of a strand behind a segment. Returns false if it was already hidden.
    bool hide_behind(size_t part, uint32_t strand, uint32_t segment);
    void show_all();

    std::span<const StrandsPart> parts() const { return parts_; }
    std::span<const MeshPart> meshes() const { return meshes_; }
    const Camera& camera() const { return camera_; }
    const Ground& ground() const { return ground_; }

private:
    struct Widths {
        std::vector<float> whole, drawn;  // without and with cuts
        std::vector<float> string;        // scaled widths of strings in the current frame
        float scale = 1;
    };
    const Groom& groom_of(const World& world, size_t part) const;

    std::vector<StrandsPart> parts_;  // grooms, then children
    std::vector<Widths> widths_;      // by part
    size_t grooms_ = 0;
    std::vector<MeshPart> meshes_;
    std::vector<Vec3d> positions_;  // positions that the camera must see
    Camera camera_;
    Ground ground_;
};

}  // namespace tendril::session
