/// The motion of a hand, which is added to a body's own motion.
#pragma once

#include "tendril/body.h"

namespace tendril::session {

class HandMotion {
public:
    /// Moves the hand uniformly from its pose at the time `begin` to the pose `to` at the time `end` [s].
    void move(const Pose& to, double begin, double end);
    /// Returns the body's own pose, rotated about its position and then translated by the hand.
    Pose applied(const Pose& own, double time) const;

private:
    Pose at(double time) const;

    bool moved_ = false;
    Pose from_, to_;
    double begin_ = 0, end_ = 0;
};

}  // namespace tendril::session
