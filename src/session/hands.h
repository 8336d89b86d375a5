/// Hands that hold strands: a body of the world for each, which goes where the hand goes.
#pragma once

#include "tendril/session.h"

namespace tendril::session {

class Hands {
public:
    /// See Session.
    Result<uint32_t> grab(World& world, const Hit& hit, bool clamped);
    void move(uint32_t hand, const Vec3d& to, double twist);
    void release(World& world, uint32_t hand);

    /// Before time passes: says where all hands are when it has. Also those that have not moved: the world would take
    /// what it is told next for a motion that began when it was told last.
    void tell(World& world);
    /// The world is another one, which knows of no hands.
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
    uint32_t numbers_ = 0;  // given so far
};

}  // namespace tendril::session
