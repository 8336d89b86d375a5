/// What a hand does to a body on top of its own motion.
#pragma once

#include "tendril/body.h"

namespace tendril::session {

class HandMotion {
public:
    /// From where the hand has it at `begin` on, evenly, to be at `to` at `end` [s].
    void move(const Pose& to, double begin, double end);
    /// A pose of the body's own, turned about its place and moved.
    Pose applied(const Pose& own, double time) const;

private:
    Pose at(double time) const;

    bool moved_ = false;
    Pose from_, to_;
    double begin_ = 0, end_ = 0;
};

}  // namespace tendril::session
