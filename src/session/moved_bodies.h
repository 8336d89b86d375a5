/// The bodies of a session's world, their own motion and what hands do to it.
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
    /// For `build_world`: what moves the body number `body`.
    PoseFunction take_over(size_t body, PoseFunction own);

    bool is_movable(size_t body) const { return body < bodies_.size() && bodies_[body]; }
    void move(size_t body, const Pose& by);
    /// Before time passes: what was asked for since is so at the end of it.
    void lead(double begin, double end);
    /// Of a body that is movable.
    Pose pose(size_t body, double time) const;

private:
    struct Moved {
        PoseFunction own;
        HandMotion hand;
        std::optional<Pose> wanted;
        Pose at(double time) const;
    };
    std::vector<std::shared_ptr<Moved>> bodies_;  // null: moves by itself
};

}  // namespace tendril::session
