/// From a scene that moves to pictures of it: frames copied out of a world or a cache, drawn as the scene says.
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

/// Pictures of one scene: its looks, its camera and its lamps, and frames of what moves.
class SceneView {
public:
    /// Everything that moves, at one time. A copy: the world may go on while it is drawn.
    struct Frame {
        struct Strands {
            std::vector<Vec3f> points, velocities, accelerations;
            std::vector<uint8_t> touching;
            std::vector<float> string_widths;  ///< of strings: see SegmentsView; else empty
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

    /// Looks, camera and lamps. They stay as they are for the whole film, so the camera is set up for the frame that
    /// the world shows now.
    static Result<SceneView> create(const Scene& scene, World& world, std::shared_ptr<Executor> executor);
    /// Of a cache whose scene is not known: strands alone, in the groups of the file.
    static Result<SceneView> create(const Scene& look, const CurveFile& cache, std::shared_ptr<Executor> executor);

    /// Whether pictures show something that only two frames tell: speeds of strands that follow others, accelerations.
    bool needs_frame_before() const;
    /// The world as it is now. Speeds that it does not know come from the frame before, where there is one.
    Frame frame_of(World& world, const Frame* before) const;
    /// A frame of a cache; bodies are where the world would have them at that time.
    Result<Frame> frame_of(const CurveFile& cache, size_t index, World* world) const;

    Result<Image> draw(const Frame& frame, const RenderSettings& settings, const RenderProgress& progress = {}) const;
    /// As the scene says.
    RenderSettings settings() const;
    /// Tone-mapped.
    Result<Picture> picture(const Frame& frame, const RenderSettings& settings,
                            const RenderProgress& progress = {}) const;

private:
    /// What does not change of a groom or of children.
    struct Strands {
        std::vector<uint32_t> first_point;
        bool follows = false;  // others, and does not know its speed
        float width_scale = 1;
        std::vector<float> widths, rest_lengths;
        std::vector<Vec3f> colours;
    };
    struct Body {
        std::vector<std::array<uint32_t, 3>> triangles;
    };

    SceneView(const Scene& scene, std::shared_ptr<Executor> executor) : scene_(scene), executor_(std::move(executor)) {}
    std::optional<Error> choose_look();
    void set_up_camera(const Frame& first, World* world);
    void add_strands(const Groom& groom);
    void add_bodies(Frame& frame, World& world, double time) const;
    /// What a stage shows and its frame does not hold.
    struct Made {
        std::vector<std::vector<Vec3f>> overlay;
        std::vector<TubeMesh> tubes;
    };
    Stage stage_of(const Frame& frame, Made& made) const;

    Scene scene_;
    std::shared_ptr<Executor> executor_;
    HairLook look_;
    std::vector<Strands> strands_;
    std::vector<Body> bodies_;
    Camera camera_;
    Lighting lighting_;
    Ground ground_;
};

}  // namespace tendril
