/// Pictures of strands and bodies without a window or a GPU. A `Stage` says what is to be seen, a `Camera` from where;
/// `render` makes the image: drafts by drawing, better ones by following light with Embree.
#pragma once

#include "tendril/groom.h"
#include "tendril/hair_look.h"
#include "tendril/parallel.h"
#include "tendril/picture.h"
#include "tendril/picture_kind.h"
#include "tendril/result.h"
#include "tendril/vec3.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tendril {

/// Strands on the stage. The memory is the caller's and must stay until the picture is done.
struct StageStrands {
    CurvesView curves;               ///< velocities may be empty: then they are not blurred
    std::span<const float> widths;   ///< diameter at every point [m]; empty: `width`
    std::span<const Vec3f> colours;  ///< of dense hair at every point; empty: the pigments of `look`
    HairLook look = {};
    float width = 8e-5f;       ///< diameter where there are no widths [m], > 0
    float width_scale = 1.0f;  ///< of all diameters: fewer strands may be drawn thicker to cover as much, > 0
    bool unlit = false;        ///< show `colours` as they are: for overlays
};

struct StageMesh {
    std::span<const Vec3f> vertices;
    std::span<const std::array<uint32_t, 3>> triangles;
    Vec3d origin{0, 0, 0};                ///< vertices are seen from here
    std::span<const Vec3f> velocities;    ///< per vertex [m/s], or empty
    Vec3f colour{0.5f, 0.42f, 0.38f};     ///< diffuse reflectance, [0, 1]
    std::span<const Vec3f> colours = {};  ///< the same for every triangle; empty: `colour`
};

/// A rectangle that shines to one side.
struct AreaLight {
    Vec3d centre{0, 0, 0};
    Vec3d half_width{0.5, 0, 0}, half_height{0, 0.5, 0};  ///< it shines along their cross product
    Vec3f radiance{1, 1, 1};                              ///< [W/(m^2 sr)] up to a common factor
};

/// Light from all around and from lamps.
struct Lighting {
    Vec3f sky{0.35f, 0.37f, 0.4f};                                                  ///< radiance from above
    Vec3f horizon{0.25f, 0.25f, 0.26f};                                             ///< and from the sides
    Vec3f floor{0.13f, 0.125f, 0.12f};                                              ///< and from below
    Vec3f backdrop_top{0.30f, 0.31f, 0.33f}, backdrop_bottom{0.55f, 0.55f, 0.56f};  ///< what the camera sees behind all
    std::vector<AreaLight> lights;
};

/// A matt floor at a height, which fades into the backdrop far away.
struct Ground {
    bool visible = false;
    double height = 0;  ///< [m]
    Vec3f colour{0.5f, 0.5f, 0.5f};
};

struct Stage {
    std::vector<StageStrands> strands;
    std::vector<StageMesh> meshes;
    Ground ground;
    Lighting lighting;
};

struct Camera {
    Vec3d eye{0, 0, 1}, target{0, 0, 0}, up{0, 1, 0};
    double field = 0.5;   ///< of view, from bottom to top [rad], (0, pi)
    double aperture = 0;  ///< radius of the lens [m], >= 0; 0: all is sharp
    double focus = 0;     ///< distance that is sharp [m]; 0: the target
    double shutter = 0;   ///< how long it is open [s], >= 0; the stage moves by its velocities meanwhile
};

struct Box {
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    bool empty() const { return low.x > high.x; }
    void include(const Vec3d& p);
};
/// Of all strands and meshes. Points that are not finite do not count.
Box bounds(const Stage& stage);

/// On a sphere around the target: azimuth from +z towards +x, elevation above the horizon [rad].
Camera orbit(const Vec3d& target, double distance, double azimuth, double elevation, double field = 0.5);
/// From that direction, as near as shows all points with a little space around them, which are in the middle.
Camera framed(std::span<const Vec3d> points, double azimuth, double elevation, double aspect, double field = 0.5);

/// Three soft lamps around the box, as a photographer would set them up for a subject that looks along `azimuth`.
Lighting studio_light(const Box& box, double azimuth);

struct RenderSettings {
    uint32_t width = 960, height = 540;  ///< [1, 16384]
    Quality quality = Quality::kDraft;
    uint32_t samples = 0;  ///< paths per pixel for good and final; 0: by the quality
    uint32_t bounces = 0;  ///< of a path; 0: by the quality
    uint64_t seed = 1;
};

/// Called between passes with the share that is done, [0, 1]; false stops, and the picture is what there is by then.
using RenderProgress = std::function<bool(double done)>;

/// The same stage gives the same pixels for any number of threads. An error where a size is out of range, arrays do not
/// fit together, or memory runs out.
Result<Image> render(const Stage& stage, const Camera& camera, const RenderSettings& settings,
                     Executor& executor = *make_thread_executor(), const RenderProgress& progress = {});

}  // namespace tendril
