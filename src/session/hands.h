/// Hands that hold strands. Each hand is a body of the world.
#pragma once

#include "tendril/session.h"

namespace tendril::session {

class Hands {
public:
    /// See Session.
    Result<uint32_t> grab(World& world, const Hit& hit, bool clamped);
    void move(uint32_t hand, const Vec3d& to, double twist);
    void release(World& world, uint32_t hand);

    /// Pushes the poses of all hands at the end of the next step or frame. Hands that have not moved are pushed too:
    /// otherwise the world would take the next push as a motion that began at the last one.
    void tell(World& world);
    /// Forgets all hands, because the world was replaced by a new one.
    void forget();

private:
    struct Hand {
        uint32_t number = 0;
        bool used = false;
        BodyId body;
        HoldId hold;
        Vec3d axis{1, 0, 0};  // along the held segment when it was grabbed
        Pose pose;
    };
    Hand* find(uint32_t number);
    Hand& unused(World& world);

    std::vector<Hand> hands_;
    uint32_t numbers_ = 0;  // the last number that was given to a hand
};

}  // namespace tendril::session
