/// Renders strands and bodies without a window or a GPU. A `Stage` holds everything visible, a `Camera` the viewpoint.
/// `render` makes the image: it rasterizes drafts and path-traces better qualities with Embree.
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

/// A set of strands on the stage. The caller owns the arrays and must keep them until `render` returns.
struct StageStrands {
    CurvesView curves;               ///< without velocities there is no motion blur
    std::span<const float> widths;   ///< per point [m]; empty: `width`
    std::span<const Vec3f> colours;  ///< per point, the colour of dense hair; empty: from the pigments of `look`
    HairLook look = {};
    float width = 8e-5f;       ///< of all strands, if `widths` is empty [m], > 0
    float width_scale = 1.0f;  ///< multiplies all widths, > 0; few thick strands can stand in for many thin ones
    bool unlit = false;        ///< shows `colours` without shading, for overlays
};

struct StageMesh {
    std::span<const Vec3f> vertices;
    std::span<const std::array<uint32_t, 3>> triangles;
    Vec3d origin{0, 0, 0};                ///< vertices are relative to it [m]
    std::span<const Vec3f> velocities;    ///< per vertex [m/s], or empty
    Vec3f colour{0.5f, 0.42f, 0.38f};     ///< diffuse reflectance, [0, 1]
    std::span<const Vec3f> colours = {};  ///< per triangle; empty: `colour`
};

/// A rectangle that emits light from one side.
struct AreaLight {
    Vec3d centre{0, 0, 0};
    Vec3d half_width{0.5, 0, 0}, half_height{0, 0.5, 0};  ///< it emits along their cross product
    Vec3f radiance{1, 1, 1};                              ///< [W/(m^2 sr)] up to a common factor
};

/// Light from the environment and from lamps.
struct Lighting {
    Vec3f sky{0.35f, 0.37f, 0.4f};                                                  ///< radiance from above
    Vec3f horizon{0.25f, 0.25f, 0.26f};                                             ///< radiance from the sides
    Vec3f floor{0.13f, 0.125f, 0.12f};                                              ///< radiance from below
    Vec3f backdrop_top{0.30f, 0.31f, 0.33f}, backdrop_bottom{0.55f, 0.55f, 0.56f};  ///< background of the picture
    std::vector<AreaLight> lights;
};

/// A matte horizontal floor that fades into the backdrop with distance.
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
    double field = 0.5;   ///< vertical field of view [rad], (0, pi)
    double aperture = 0;  ///< lens radius [m], >= 0; 0: everything is in focus
    double focus = 0;     ///< focus distance [m], >= 0; 0: the distance to the target
    double shutter = 0;   ///< exposure time [s], >= 0; the stage moves by its velocities meanwhile
};

struct Box {
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    bool empty() const { return low.x > high.x; }
    void include(const Vec3d& p);
};
/// The bounding box of all strands and meshes. Ignores points that are not finite.
Box bounds(const Stage& stage);

/// Places the camera on a sphere around the target: azimuth from +z towards +x, elevation above the horizon [rad].
Camera orbit(const Vec3d& target, double distance, double azimuth, double elevation, double field = 0.5);
/// The nearest camera in that direction that shows all points, centred and with a small margin.
Camera framed(std::span<const Vec3d> points, double azimuth, double elevation, double aspect, double field = 0.5);

/// Three-point lighting (key, fill, rim) with soft lamps, for a subject in the box that looks along `azimuth`.
Lighting studio_light(const Box& box, double azimuth);

struct RenderSettings {
    uint32_t width = 960, height = 540;  ///< [1, 16384]
    Quality quality = Quality::kDraft;
    uint32_t samples = 0;  ///< paths per pixel for kGood and kFinal; 0: chosen by the quality
    uint32_t bounces = 0;  ///< largest number of bounces of a path; 0: chosen by the quality
    uint64_t seed = 1;
};

/// Called between passes with the completed share, [0, 1]. Return false to stop; the image then holds the work so far.
using RenderProgress = std::function<bool(double done)>;

/// The same stage gives the same pixels for any number of threads. Fails if a setting is out of range, if array sizes
/// do not match, or if memory runs out.
Result<Image> render(const Stage& stage, const Camera& camera, const RenderSettings& settings,
                     Executor& executor = *make_thread_executor(), const RenderProgress& progress = {});

}  // namespace tendril
