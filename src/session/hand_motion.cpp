#include "session/hand_motion.h"

#include <algorithm>

namespace tendril::session {

void HandMotion::move(const Pose& to, double begin, double end)
{
    from_ = at(begin);
    to_ = {to.position, normalized(to.rotation)};
    begin_ = begin;
    end_ = end;
    moved_ = true;
    // A quaternion and its negative are the same rotation. Interpolate along the shorter arc.
    Quat& a = from_.rotation;
    const Quat& b = to_.rotation;
    if (a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0) a = {-a.x, -a.y, -a.z, -a.w};
}

Pose HandMotion::at(double time) const
{
    const double share = end_ > begin_ ? std::clamp((time - begin_) / (end_ - begin_), 0.0, 1.0) : 1.0;
    if (share >= 1) return to_;
    const Quat &a = from_.rotation, &b = to_.rotation;
    const auto mix = [share](double u, double v) { return u + (v - u) * share; };
    return {from_.position + (to_.position - from_.position) * share,
            normalized({mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)})};
}

Pose HandMotion::applied(const Pose& own, double time) const
{
    if (!moved_) return own;  // the same bits
    const Pose hand = at(time);
    return {own.position + hand.position, hand.rotation * own.rotation};
}

}  // namespace tendril::session
