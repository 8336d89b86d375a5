/// What a session consists of.
#pragma once

#include "session/hands.h"
#include "session/moved_bodies.h"
#include "session/shown.h"
#include "tendril/scene_keys.h"
#include "tendril/session.h"

namespace tendril::session {

/// A scene that runs. All of it is made anew together.
struct Running {
    World world{{}, nullptr};
    std::vector<SceneBody> bodies;  ///< of the world, but for hands
    MovedBodies moved;
    Hands hands;
    Shown shown;
    int64_t settle_steps = 0, settled = 0;  ///< how many there are to be, and have been
    Vec3f settle_wind{0, 0, 0};
    double asked_time = 0;  ///< up to which time has passed; the world has taken the steps that fit into it [s]
    StepReport last;        ///< of the last call in which steps were taken, all together
    size_t torn = 0;        ///< segments since strings were whole
    bool measured = false;
    Report report;
    Frame frame;

    /// Lets strands find their place, as `World::settle` would in one go, for so many seconds of the clock.
    void settle(double seconds);
    bool is_settling() const { return settled < settle_steps; }
    void take_over(const StepReport& report);
    /// Looks at the world as it is now.
    void look();
};

struct Session::State {
    std::string text, name, folder;
    Overrides overrides;  ///< those that it was opened with, and what has been set since
    std::shared_ptr<Executor> executor;
    Scene scene;
    InteractionMethod put_aside = InteractionMethod::kNone;  ///< see Session::set
    std::optional<Vec3d> hand_wind;
    Running running;

    Result<Scene> read(const Overrides& with) const;
    Result<Running> run(const Scene& described) const;
    /// Of the scene, with what hands blow.
    WorldSettings settings() const;
};

/// Whether a change of a key does not make the scene start anew; but see `difference`.
bool is_live(const SceneTable& table, const SceneKey& key);
/// What it takes to get from one scene to another.
Change difference(const Scene& from, const Scene& to);

}  // namespace tendril::session
