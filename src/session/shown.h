/// What of a world is drawn, and how: strands with their widths and colours, meshes, the camera.
#pragma once

#include "tendril/hair_look.h"
#include "tendril/render.h"
#include "tendril/session.h"

namespace tendril::session {

class Shown {
public:
    Shown() = default;
    Shown(Shown&&) = default;  // what parts point to moves along; a copy's would not
    Shown& operator=(Shown&&) = default;
    /// Of a world as it begins. Bodies beyond `bodies` are hands, which are not drawn.
    static Result<Shown> create(const Scene& scene, World& world, size_t bodies);
    /// Takes over how the scene looks now, for the same world.
    std::optional<Error> look_like(const Scene& scene, const World& world);

    /// Into `frame`: all that moves, at a time that has been asked for.
    void look(World& world, double time, Frame& frame);

    /// Hides what of a strand is behind a segment. False where it was hidden already.
    bool hide_behind(size_t part, uint32_t strand, uint32_t segment);
    void show_all();

    std::span<const StrandsPart> parts() const { return parts_; }
    std::span<const MeshPart> meshes() const { return meshes_; }
    const Camera& camera() const { return camera_; }
    const Ground& ground() const { return ground_; }
    const Vec3f& hair_colour() const { return hair_colour_; }

private:
    struct Widths {
        std::vector<float> whole, drawn;  // without and with cuts
        std::vector<float> string;        // of a frame, where they are not those of the world
        float scale = 1;
    };
    const Groom& groom_of(const World& world, size_t part) const;

    std::vector<StrandsPart> parts_;  // grooms, then children
    std::vector<Widths> widths_;      // by part
    size_t grooms_ = 0;
    std::vector<MeshPart> meshes_;
    std::vector<Vec3d> places_;  // that the camera is set up for
    Camera camera_;
    Ground ground_;
    Vec3f hair_colour_{0, 0, 0};
};

}  // namespace tendril::session
