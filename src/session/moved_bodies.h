/// The bodies of a session's world, with their own motion and that of the hands that move them.
#pragma once

#include "session/hand_motion.h"
#include "tendril/scene.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tendril::session {

class MovedBodies {
public:
    /// For `build_world`: wraps a body's own pose function in one that adds the motion of a hand.
    PoseFunction take_over(size_t body, PoseFunction own);

    bool is_movable(size_t body) const { return body < bodies_.size() && bodies_[body]; }
    void move(size_t body, const Pose& by);
    /// Spreads the moves that were requested since the last call over the time from `begin` to `end` [s].
    void lead(double begin, double end);
    /// The pose of a body, which must be movable.
    Pose pose(size_t body, double time) const;

private:
    struct Moved {
        PoseFunction own;
        HandMotion hand;
        std::optional<Pose> wanted;
        Pose at(double time) const;
    };
    std::vector<std::shared_ptr<Moved>> bodies_;  // null if a hand cannot move the body
};

}  // namespace tendril::session
