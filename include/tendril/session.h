/// A running scene that a user picks, pulls and cuts: its world, the strands and meshes that are to be drawn, and the
/// hands that hold them. The live page and plug-ins use it. Thin: everything that moves is moved by the World.
/// apps/web/src/engine/types.ts calls it Simulation.
///
/// One thread at a time. The session or its world owns all memory that is handed out: it stays valid until the next
/// call that is not const, and arrays of `parts` and `meshes` until the scene starts anew.
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

/// Strands that are drawn together, StrandsInfo of the page. Its other fields are in `info_json`.
struct StrandsPart {
    std::span<const uint32_t> first_point;  ///< strands + 1 entries
    /// Diameter at every point as it should be drawn [m]; 0 behind a cut, where nothing is drawn. Not for strings,
    /// whose widths are in every frame.
    std::span<const float> widths;
    std::span<const Vec3f> colours;  ///< per point, linear; empty: the look of the scene
    uint32_t groom = 0;
    bool follow = false;  ///< children
    bool string = false;
    uint32_t widths_version = 0;  ///< another number when widths have changed
};

/// MeshInfo of the page.
struct MeshPart {
    std::span<const uint32_t> triangles;  ///< three per triangle
    uint32_t body = 0;
    size_t vertices = 0;
};

/// Points of a part at the time of a frame. Add `origin` for places in the world.
struct StrandsFrame {
    std::span<const Vec3f> points;
    Vec3d origin{0, 0, 0};
    SegmentsView string;  ///< `widths` as they should be drawn; all empty where the part is no string
};
struct MeshFrame {
    std::span<const Vec3f> vertices;
    Vec3d origin{0, 0, 0};
};

/// What is to be drawn.
struct Frame {
    double time = 0;          ///< [s]
    double settling = 0;      ///< share of `sim.settle` that is still to come; time stands still until then
    int steps = 0;            ///< taken for it
    double milliseconds = 0;  ///< that it took
    std::vector<StrandsFrame> strands;
    std::vector<MeshFrame> meshes;
    std::vector<Pose> bodies;
};

/// Of the last step.
struct Report {
    Metrics metrics;
    size_t missed_holds = 0, torn = 0;
    struct {
        double roots = 0, body = 0, interaction = 0, solve = 0, measure = 0;
    } seconds;  ///< by stage
};

struct Ray {
    Vec3d from{0, 0, 0};
    Vec3d along{0, 0, -1};  ///< of any length but zero
    double cone = 0.01;     ///< half-angle within which a strand counts as hit [rad]
};

struct Hit {
    uint32_t part = 0;  ///< index into `parts`
    uint32_t groom = 0, strand = 0;
    uint32_t particle = 0;  ///< nearest to `point`
    Vec3d point{0, 0, 0};   ///< on the strand
    double distance = 0;    ///< along the ray
};

/// What a change of a value did.
enum class Change : uint8_t {
    kNone,   ///< the value was that already
    kLive,   ///< acts from the next step on
    kLooks,  ///< only `info_json` and the widths and colours of `parts` are new
    kAnew,   ///< the scene has started anew: all that was handed out is gone
};

/// Keys of scene files with types, units, ranges and meanings: SceneTable[] of the page.
std::string keys_json();
/// The TOML of a scene that shows a dropped file of curves or a mesh, which it refers to by `name`. An error of the
/// reader where it cannot be read.
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

    // --- What there is
    /// SceneInfo of the page but for the arrays of `parts` and `meshes`: firstPoint, widths, colours, triangles.
    std::string info_json() const;
    std::span<const StrandsPart> parts() const;
    std::span<const MeshPart> meshes() const;

    // --- Time
    /// Lets time pass in fixed steps; 0 seconds only looks. A scene that has just started and is to settle does that
    /// first, for some hundredths of a second per call, so that there is something to see meanwhile.
    const Frame& advance(double seconds);
    const Frame& step();             ///< one fixed step; what is left of settling comes before it
    const Report& report();          ///< measured when asked for, once per step
    void reset();                    ///< strands at rest and whole, time goes on
    std::optional<Error> restart();  ///< as when opened, with the values that have been set; hands let go

    // --- Values
    /// As `--set` takes them: {"solver.type", "pbd"}. Where the value cannot be, an error, and all stays as it was.
    /// Strings and other strands meet in different ways: where another solver cannot have `interaction.method`, that
    /// becomes "none", and comes back with a solver that can.
    Result<Change> set(const std::string& key, const std::string& value);
    std::string toml() const;  ///< the scene as it is now, as a file; what hands do is not in it

    // --- Hands
    /// The strand nearest to the middle of the ray, or nearer to the eye where several are clearly hit. Strands that
    /// follow others cannot be held, and are not found.
    std::optional<Hit> pick(const Ray& ray);
    /// Holds the particle of a hit, or the one beside it where a body holds that. `clamped`: a string keeps its
    /// direction there and can be twisted. The number of the hand.
    Result<uint32_t> grab(const Hit& hit, bool clamped);
    /// Where what was hit is taken, and twist about the held segment since grabbed [rad].
    void move_hand(uint32_t hand, const Vec3d& to, double twist);
    void release(uint32_t hand);
    /// Cuts all strands within the cone, as deep as scissors of that size reach behind the first. Strings are then in
    /// two. Other strands are simulated as before, but what is behind the cut is neither drawn nor picked, until
    /// `reset` or `restart`. The number of cuts.
    size_t cut(const Ray& ray);
    /// Moves a body by hand on top of its own motion: turned about where that has it, then moved. By the end of the
    /// next `advance`. Nothing where it moves by itself.
    void move_body(uint32_t body, const Vec3d& offset, const Quat& rotation);
    /// Wind by hand in addition to the scene's [m/s]; nothing: none. Values, `toml` and later changes do not know of
    /// it. While it blows there is air that drags, also in a scene without.
    void blow(const std::optional<Vec3d>& wind);

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tendril::session
