/// The internal state of a session.
#pragma once

#include "session/hands.h"
#include "session/moved_bodies.h"
#include "session/shown.h"
#include "tendril/scene_keys.h"
#include "tendril/session.h"

namespace tendril::session {

/// A running scene. A restart replaces all of it.
struct Running {
    World world{{}, nullptr};
    std::vector<SceneBody> bodies;  ///< the bodies of the world, without the hands
    MovedBodies moved;
    Hands hands;
    Shown shown;
    int64_t settle_steps = 0, settled = 0;  ///< number of settling steps, and those already taken
    Vec3f settle_wind{0, 0, 0};
    double asked_time = 0;  ///< requested time; the world has taken the steps that fit into it [s]
    StepReport last;        ///< sum of the steps of the last call that took any
    size_t torn = 0;        ///< segments torn since the last reset
    bool measured = false;  ///< `report` is up to date
    Report report;
    Frame frame;

    /// Lets strands settle for this many seconds of wall-clock time. The result is the same as that of one call of
    /// `World::settle`.
    void settle(double seconds);
    bool is_settling() const { return settled < settle_steps; }
    void take_over(const StepReport& report);
    /// Updates `frame` from the current state of the world.
    void look();
};

struct Session::State {
    std::string text, name, folder;
    Overrides overrides;  ///< those that the session was opened with, and the values set since
    std::shared_ptr<Executor> executor;
    Scene scene;
    std::optional<Vec3d> hand_wind;
    Running running;

    Result<Scene> read(const Overrides& with) const;
    Result<Running> run(const Scene& described) const;
    /// Gives the world the settings of the scene, and the wind that the user blows.
    void apply_settings();
};

/// Whether a key can change without a restart of the scene. `difference` has the exceptions.
bool is_live(const SceneTable& table, const Setting& key);
/// The kind of change that leads from one scene to another.
Change difference(const Scene& from, const Scene& to);

}  // namespace tendril::session
