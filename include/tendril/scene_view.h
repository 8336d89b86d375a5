/// Pictures of a moving scene. Frames are copied from a world or a cache, and drawn with the looks, camera and lamps of
/// the scene.
#pragma once

#include "tendril/curve_file.h"
#include "tendril/picture.h"
#include "tendril/render.h"
#include "tendril/scene.h"
#include "tendril/tube.h"
#include "tendril/world.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace tendril {

class SceneView {
public:
    /// A copy of everything that moves, at one time. The world may continue while the frame is drawn.
    struct Frame {
        struct Strands {
            std::vector<Vec3f> points, velocities, accelerations;
            std::vector<uint8_t> touching;
            std::vector<float> string_widths;  ///< as in SegmentsView; empty unless the strands are strings
            std::vector<Vec3f> string_across;
            Vec3d origin{0, 0, 0};
        };
        struct Body {
            std::vector<Vec3f> vertices, velocities;
            Vec3d origin{0, 0, 0};
        };
        double time = 0;
        std::vector<Strands> strands;  ///< grooms, then children
        std::vector<Body> bodies;
    };

    /// Chooses looks, camera and lamps. They do not change during a film; the camera frames the current state of the
    /// world.
    static Result<SceneView> create(const Scene& scene, World& world, std::shared_ptr<Executor> executor);
    /// For a cache without its scene: only strands, in the groups of the file.
    static Result<SceneView> create(const Scene& look, const CurveFile& cache, std::shared_ptr<Executor> executor);

    /// Whether pictures need the frame before, for the velocities of children or for accelerations.
    bool needs_frame_before() const;
    /// Copies the current state of the world. Velocities that the world does not know come from the frame before, if
    /// there is one.
    Frame frame_of(World& world, const Frame* before) const;
    /// Copies a frame of a cache. Bodies have the poses of `world` at that time.
    Result<Frame> frame_of(const CurveFile& cache, size_t index, World* world) const;

    Result<Image> draw(const Frame& frame, const RenderSettings& settings, const RenderProgress& progress = {}) const;
    /// The render settings of the scene.
    RenderSettings settings() const;
    /// Draws a frame and applies tone mapping.
    Result<Picture> picture(const Frame& frame, const RenderSettings& settings,
                            const RenderProgress& progress = {}) const;

private:
    /// The constant data of a groom or of children.
    struct Strands {
        std::vector<uint32_t> first_point;
        SceneLook look;
        HairLook hair;
        float width_scale = 1;
        std::vector<float> widths, rest_lengths;
        std::vector<Vec3f> colours;
    };
    struct Body {
        std::vector<std::array<uint32_t, 3>> triangles;
    };

    SceneView(const Scene& scene, std::shared_ptr<Executor> executor) : scene_(scene), executor_(std::move(executor)) {}
    void set_up_camera(const Frame& first, World* world);
    std::optional<Error> add_strands(const GroomData& data, const SceneLook& look);
    void add_bodies(Frame& frame, World& world, double time) const;
    /// Data that a stage shows in addition to its frame.
    struct Made {
        std::vector<std::vector<Vec3f>> overlay;
        std::vector<TubeMesh> tubes;
    };
    Stage stage_of(const Frame& frame, Made& made) const;

    Scene scene_;
    std::shared_ptr<Executor> executor_;
    std::vector<Strands> strands_;
    std::vector<Body> bodies_;
    Camera camera_;
    Lighting lighting_;
    Ground ground_;
};

}  // namespace tendril
