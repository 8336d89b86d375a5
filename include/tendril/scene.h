/// Scenes: everything that a simulation needs, as data, read from a TOML file and built into a world.
#pragma once

#include "tendril/curve_file.h"
#include "tendril/groom.h"
#include "tendril/hair_style.h"
#include "tendril/picture_kind.h"
#include "tendril/result.h"
#include "tendril/rigid_body.h"
#include "tendril/settings.h"
#include "tendril/world.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tendril {

/// What of a body strands cannot go through.
enum class BodyCollide : uint8_t {
    kNone,
    kShapes,     ///< capsules fitted to its mesh; a sphere for the built-in one
    kField,      ///< its skin, SkinMethod::kField
    kMarching,   ///< SkinMethod::kMarching
    kTriangles,  ///< SkinMethod::kTriangles
};

/// Which shape a body has that moves by itself.
enum class SceneRigid : uint8_t { kNone, kBox, kSphere, kCylinder, kCapsule };

struct SceneBody {
    std::string name = "body";
    std::string mesh = "none";   ///< "none", "sphere", "bust", "creature", or a file
    double unit_scale = 1.0;     ///< metres per unit of the file
    UpAxis up = UpAxis::kY;      ///< of the file
    float radius = 0.1f;         ///< of the sphere [m]
    Vec3d position{0, 0, 0};     ///< at rest [m]
    std::string clip = "still";  ///< still, sway, turn, spin, circle, nod, or a clip of the mesh
    double clip_speed = 1.0;     ///< of a clip of the mesh
    bool clip_loop = true;       ///< else it stays at its end
    Vec3d motion_axis{0, 1, 0};  ///< any length but zero
    double amplitude = 0.1;      ///< [m] for sway and circle, [rad] for turn and nod
    double period = 2.0;         ///< [s]
    double start = 0.0;          ///< time at which the motion sets in, gently over half a period [s]
    double jump_time = -1.0;     ///< from this time on the body is elsewhere, unannounced; negative: never [s]
    Vec3d jump{0, 0, 0};         ///< by this much [m]
    BodyCollide collide = BodyCollide::kNone;
    double collide_cell = 0;  ///< kField, kMarching: fine cells near the skin [m]; 0: a 200th of the mesh's size

    SceneRigid rigid = SceneRigid::kNone;  ///< one that moves by itself; its mesh is that of its shape
    RigidBody solid;                       ///< how
    Vec3d rotation{0, 0, 0};               ///< at the start: about this axis by its length [rad]
    int64_t copies = 1;                    ///< so many of it in a row, called name, name_1, name_2 ...
    Vec3d copy_step{0, 0, 0};              ///< from one to the next [m]
};

enum class SceneShape : uint8_t { kSphere, kCapsule, kBox, kPlane, kTorus };

/// What strands cannot go through.
struct SceneCollider {
    SceneShape shape = SceneShape::kSphere;
    std::string body;              ///< name of the body that carries it; empty: the first
    std::string bone;              ///< name or number of its bone; empty: the body as a whole
    Vec3d a{0, 0, 0}, b{0, 0, 0};  ///< middle, or both ends of the capsule, in the frame of the bone [m]
    double radius = 0.1;           ///< [m]
    double radius_b = -1;          ///< of the capsule at b, negative: as at a; of the torus's tube, negative: a quarter
    Vec3d size{0.2, 0.2, 0.2};     ///< box: its edges [m]
    double round = 0;              ///< box: radius that its edges are rounded with [m]
    Vec3d up{0, 1, 0};             ///< box, plane, torus: where its own y axis points, any length but zero
    double spin = 0;               ///< turn about that axis [rad]
};

enum class StyleType : uint8_t {
    kRope,      ///< ropes side by side, RopeStyle
    kSphere,    ///< straight hair on a sphere, SphereStyle
    kStraight,  ///< hair on the mesh of the body, HairStyle
    kWavy,
    kCurly,
};

/// How strands of a file are bound to their body.
enum class BindType : uint8_t {
    kAuto,     ///< by bones where `bones` is given, else to the nearest triangle where the body has a mesh, else rigid
    kRigid,    ///< all carried by the body as a whole
    kNearest,  ///< each by the triangle nearest to its root
};

struct SceneGroom {
    std::string body;  ///< name of the body it grows on; empty: the first
    std::string file;  ///< curves to read; empty: `style` makes them
    StyleType style = StyleType::kRope;
    int64_t strands = 1;
    int64_t particles = 30;       ///< per strand
    double length = 0.58;         ///< of a strand [m]
    double length_spread = 0.0;   ///< kSphere: lengths vary by up to this share
    double coverage = 0.6;        ///< kSphere: share of the surface that carries hair
    double spacing = 0.1;         ///< kRope: distance of neighbours [m]
    double span = 1.0;            ///< kRope: distance of the ends over the length
    double rope_width = 0.006;    ///< kRope: diameter, for pictures and strings [m]
    double tip_width = 0;         ///< kRope: diameter at the tip [m]; 0: `rope_width`
    Vec3d direction{1, 0, 0};     ///< kRope: of the rest pose
    Ends ends = Ends::kRootHeld;  ///< kRope
    double particle_mass = 1e-6;  ///< [kg]

    // Strings, SolverType::kChainShape
    std::string material = "nylon";             ///< one of string_materials()
    StringMaterial own{0, 0, 0, 0, 0, -1, -1};  ///< what of it is otherwise: numbers above 0, for moduli from 0 on
    double strength_variation = 0;              ///< see GroomSettings
    bool straight = false;
    bool clamped = false;
    /// Particles within this distance of the surface of a rigid body at the start are tied to it, and ends of strands
    /// to the nearest particle of an earlier groom [m]; 0: none.
    double tie = 0;

    // Of a file
    std::string bones;  ///< a .tfxbone file: which bones carry each strand
    BindType bind = BindType::kAuto;
    double unit_scale = 0;         ///< metres per unit; 0: what the file says, or 1
    UpAxis up = UpAxis::kUnknown;  ///< of the file; unknown: what the file says, or y
    int64_t resample = 0;          ///< particles per strand; 0: as in the file
    bool strict = false;           ///< refuse what could be repaired
    int64_t follow_hairs = 0;      ///< more strands around each one
    double follow_radius = 0.005;  ///< how far away [m]

    // Hair on a mesh
    ScatterSettings scatter;
    HairStyle hair;
    std::string density_map, length_map;  ///< pictures; empty: none
    std::string stiffness_map;            ///< the same for the shape, of any hair whose roots are known on the skin
    std::string materials, groups;        ///< names, separated by commas; empty: all

    // Guides
    double guides = 1.0;  ///< share of the strands that is simulated; the others follow
    GuideMode guide_mode = GuideMode::kThree;
};

/// A particle that is held at a point of a body.
struct SceneHold {
    int64_t groom = 0, strand = 0;
    int64_t particle = -1;  ///< negative: counted from the tip, -1 is the tip itself
    std::string body;       ///< name; empty: the first
    Vec3d offset{0, 0, 0};  ///< in the body's frame [m]
    bool clamped = false;   ///< see HoldSettings
    Vec3d slide{0, 0, 0};
    double until = -1;  ///< when it is released [s]; negative: never
};

enum class CameraType : uint8_t {
    kFramed,  ///< all of the first picture fits
    kOrbit,   ///< around `target` at `distance`
    kLookAt,  ///< from `eye` to `target`
};

enum class GroundType : uint8_t {
    kAuto,  ///< where something stands on it: below the lowest body that is not a bust
    kOff,
    kOn,  ///< at `ground_height`
};

/// How pictures of the scene look.
struct SceneRender {
    int64_t width = 960, height = 540;
    Quality quality = Quality::kDraft;
    int64_t samples = 0, bounces = 0;  ///< 0: by the quality
    int64_t every = 1;                 ///< frames from one picture to the next
    double exposure = 0;               ///< in stops
    std::string hair = "brown";        ///< a look by name, or "groom": the colours of the strands
    double width_scale = 0;            ///< strands are drawn so many times as thick; 0: as it takes to see them
    Vec3d skin{0.5, 0.42, 0.38};
    Vec3d string{0.62, 0.42, 0.22}, stripe{0.9, 0.88, 0.82};  ///< colours of strings and of the stripes on them
    int64_t stripes = 1;                                      ///< around a string
    CameraType camera = CameraType::kFramed;
    double azimuth = 0.6, elevation = 0.08;  ///< from +z towards +x, and upwards [rad]
    double distance = 1;                     ///< [m]
    Vec3d eye{0, 0, 2}, target{0, 0, 0};
    double zoom = 1;      ///< kFramed: nearer by this factor
    double field = 0.5;   ///< of view, from bottom to top [rad]
    double aperture = 0;  ///< radius of the lens [m]
    double focus = 0;     ///< distance that is sharp [m]; 0: the target
    double shutter = 0;   ///< open for this share of the time between pictures
    GroundType ground = GroundType::kAuto;
    double ground_height = 0;  ///< [m]
    Overlay overlay = Overlay::kNone;
    double poster = 0.5;  ///< time of the poster, as a share of the film
};

/// What `tendril run` leaves behind.
struct SceneOutput {
    std::string folder = "out";  ///< everything goes to a folder in it that is called as the scene
    bool cache = true;           ///< keep the curves of all frames
    bool frames = false;         ///< keep the single pictures beside the film
};

/// What `tendril compare` says of the scene.
struct SceneCompare {
    std::string published;  ///< what a paper found, to stand beside what is measured; empty: nothing
};

struct Scene {
    std::string name;    ///< of the file, without folder and ending
    std::string folder;  ///< of the file: what its files are looked for in first
    WorldSettings world;
    int64_t frames = 240;  ///< steps that `tendril sim` takes
    uint64_t seed = 1;     ///< of all that is random; `build_world` gives it to wind and contact as well
    std::vector<SceneBody> bodies;
    std::vector<SceneGroom> grooms;
    std::vector<SceneHold> holds;
    std::vector<SceneCollider> colliders;
    double settle = 0;           ///< `build_world` lets the strands find their place for so long [s]
    Vec3f settle_wind{0, 0, 0};  ///< that combs them for the first half [m/s]
    SceneRender render;
    SceneOutput output;
    SceneCompare compare;
};

/// Pairs such as {"solver.velocity_correction", "0.8"}: the value is written as in TOML, text may go without quotes.
/// A key of a table that may be repeated, such as "groom.length", is for all of them, "groom.0.length" for the first.
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// Errors name the file and line or the override, the key, what is allowed, and the nearest key where there is no such.
/// A scene that would not fit into this machine's memory is an error too.
Result<Scene> read_scene(const std::string& file, const Overrides& overrides = {});
Result<Scene> parse_scene(const std::string& text, const std::string& file_name, const Overrides& overrides = {});

/// The file that is meant by a path, or by the name of a scene in one of the folders: with the sub-folder that it is
/// in, or without.
Result<std::string> find_scene(const std::string& name, const std::vector<std::string>& folders);

/// The strands of a groom as they would be simulated, guides and children alike.
Result<GroomData> build_groom(const Scene& scene, size_t groom);

/// For a host that takes bodies into its own hands: what is to move a body of the world in place of its own motion. For
/// characters it moves bone 0, which carries them, while their clip goes on. Bodies that move by themselves are not
/// asked.
using ReplaceMotion = std::function<PoseFunction(size_t body, PoseFunction own)>;

Result<World> build_world(const Scene& scene, std::shared_ptr<Executor> executor = make_thread_executor(),
                          const ReplaceMotion& replace_motion = {});

/// What the world of a scene is set to.
WorldSettings world_settings(const Scene& scene);

/// The scene with every copy of a body written out: the bodies of its world, in order.
Scene with_copies(const Scene& scene);

/// The pose of a scene's body over time: smooth but for the jump, and the same bits everywhere.
PoseFunction motion_of(const SceneBody& body);

/// All keys of a scene file with type, unit, range, default and meaning, as Markdown: what docs/scene.md holds.
std::string scene_reference();

}  // namespace tendril
