/// A session is a running scene whose strands a user can pick, pull and cut: its world, the strands and meshes to draw,
/// and the hands that hold strands. The live page and plug-ins use it. It contains no physics; the World moves
/// everything. apps/web/src/engine/types.ts calls it Simulation.
///
/// Use a session from one thread at a time. The session or its world owns all memory that it returns. The memory stays
/// valid until the next call that is not const; the arrays of `parts` and `meshes` stay valid until the scene restarts.
#pragma once

#include "tendril/parallel.h"
#include "tendril/result.h"
#include "tendril/scene.h"
#include "tendril/world.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tendril::session {

/// Strands that are drawn together. The page calls this StrandsInfo; `info_json` has its other fields.
struct StrandsPart {
    std::span<const uint32_t> first_point;  ///< strands + 1 entries
    /// The diameter to draw at every point [m]; 0 behind a cut, where nothing is drawn. Not for strings, whose widths
    /// are in every frame.
    std::span<const float> widths;
    std::span<const Vec3f> colours;  ///< per point, linear; empty: `colour`
    Vec3f colour{0, 0, 0};           ///< of the hair, linear
    SceneLook look;
    uint32_t groom = 0;
    bool follow = false;  ///< whether these are children, which follow the strands of `groom`
    bool string = false;
    uint32_t widths_version = 0;  ///< changes whenever the widths change
};

/// A mesh to draw. The page calls this MeshInfo.
struct MeshPart {
    std::span<const uint32_t> triangles;  ///< three per triangle
    uint32_t body = 0;
    size_t vertices = 0;
};

/// The points of a part at the time of a frame, relative to `origin`.
struct StrandsFrame {
    std::span<const Vec3f> points;
    Vec3d origin{0, 0, 0};
    SegmentsView string;  ///< with the widths to draw; empty unless the part is a string
};
struct MeshFrame {
    std::span<const Vec3f> vertices;
    Vec3d origin{0, 0, 0};
};

/// Everything that moves, at one time.
struct Frame {
    double time = 0;          ///< [s]
    double settling = 0;      ///< share of `sim.settle` that remains; time stands still until it is 0
    int steps = 0;            ///< steps taken for this frame
    double milliseconds = 0;  ///< time that the frame took to compute
    std::vector<StrandsFrame> strands;
    std::vector<MeshFrame> meshes;
    std::vector<Pose> bodies;
};

/// Measurements of the last step.
struct Report {
    Metrics metrics;
    size_t missed_holds = 0;  ///< strands with a hold out of reach
    size_t torn = 0;          ///< segments torn since the last reset
    struct {
        double roots = 0, body = 0, interaction = 0, solve = 0, measure = 0;
    } seconds;  ///< time per step by stage, and for measuring
};

struct Ray {
    Vec3d from{0, 0, 0};
    Vec3d along{0, 0, -1};  ///< direction, of any length but zero
    double cone = 0.01;     ///< half-angle within which a strand counts as hit [rad]
};

struct Hit {
    uint32_t part = 0;  ///< index into `parts`
    uint32_t groom = 0, strand = 0;
    uint32_t particle = 0;  ///< the particle nearest to `point`
    Vec3d point{0, 0, 0};   ///< the hit point on the strand
    double distance = 0;    ///< distance along the ray [m]
};

/// The effect of a change of a value.
enum class Change : uint8_t {
    kNone,   ///< the value stayed the same
    kLive,   ///< takes effect with the next step
    kLooks,  ///< changed only `info_json` and the widths and colours of `parts`
    kAnew,   ///< restarted the scene, so that all memory returned before is invalid
};

/// The keys of scene files with their types, units, ranges and meanings. The page calls this SceneTable[].
std::string keys_json();
/// Returns the TOML of a scene that shows a dropped file of curves or a mesh, which it refers to by `name`. If the file
/// cannot be read, returns the error of the reader.
Result<std::string> scene_for(const std::string& name, std::span<const std::byte> bytes);

class Session {
public:
    /// `name` is for messages; files that the scene refers to are looked for in `folder`.
    static Result<std::unique_ptr<Session>> open(const std::string& toml, const std::string& name,
                                                 const Overrides& overrides, const std::string& folder,
                                                 std::shared_ptr<Executor> executor = make_thread_executor());
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // --- Contents
    /// Describes the scene as JSON. The page calls this SceneInfo; the arrays firstPoint, widths, colours and triangles
    /// are not in it but in `parts` and `meshes`.
    std::string info_json() const;
    std::span<const StrandsPart> parts() const;
    std::span<const MeshPart> meshes() const;

    // --- Time
    /// Advances by `seconds` in fixed steps; with 0 seconds, only returns the current frame. If the scene has `settle`,
    /// strands settle first, a few hundredths of a second per call, so that the user can watch.
    const Frame& advance(double seconds);
    const Frame& step();             ///< takes one fixed step, after the rest of settling
    const Report& report();          ///< measured on request, at most once per step
    void reset();                    ///< returns strands to rest and mends cuts; time continues
    std::optional<Error> restart();  ///< starts the scene again with the current values; hands let go

    // --- Values
    /// Sets a value, as `--set` does: {"solver.type", "pbd"}. Returns an error and changes nothing if the value is not
    /// valid.
    Result<Change> set(const std::string& key, const std::string& value);
    std::string toml() const;  ///< the scene with its current values as a file, without the effects of hands

    // --- Hands
    /// Returns the strand nearest to the ray or, if the ray clearly hits several, the one nearest to the eye. Children
    /// cannot be held and are not picked.
    std::optional<Hit> pick(const Ray& ray);
    /// Holds the particle of a hit, or its neighbour if a body already holds the particle. If `clamped`, a string keeps
    /// its direction there and can be twisted. Returns the number of the hand.
    Result<uint32_t> grab(const Hit& hit, bool clamped);
    /// Moves the point that a hand holds to a position. `twist` is the rotation about the held segment since `grab`
    /// [rad].
    void move_hand(uint32_t hand, const Vec3d& to, double twist);
    void release(uint32_t hand);
    /// Cuts all strands within the cone of the ray, from the nearest strand to the reach of scissors of that size
    /// behind it. A string is cut in two. Other strands are simulated as before, but the part behind the cut is neither
    /// drawn nor picked until `reset` or `restart`. Returns the number of cuts.
    size_t cut(const Ray& ray);
    /// Moves a body by hand in addition to its own motion, by the end of the next `advance`: rotates it about its own
    /// position, then translates it. Does nothing to a body that moves by itself.
    void move_body(uint32_t body, const Vec3d& offset, const Quat& rotation);
    /// Adds `wind` [m/s] to the wind of the scene; without a value, stops it. Values and `toml` do not include it.
    /// While this wind blows, the air has drag, even if the scene sets none.
    void blow(const std::optional<Vec3d>& wind);

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tendril::session
