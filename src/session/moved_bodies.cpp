#include "session/moved_bodies.h"

namespace tendril::session {

Pose MovedBodies::Moved::at(double time) const
{
    Pose pose;
    own(time, {&pose, 1});
    return hand.applied(pose, time);
}

PoseFunction MovedBodies::take_over(size_t body, PoseFunction own)
{
    if (bodies_.size() <= body) bodies_.resize(body + 1);
    auto moved = std::make_shared<Moved>();
    moved->own = std::move(own);
    bodies_[body] = moved;
    return [moved](double time, std::span<Pose> bones) { bones[0] = moved->at(time); };
}

void MovedBodies::move(size_t body, const Pose& by)
{
    const Quat& q = by.rotation;
    const double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (is_movable(body) && is_finite(by.position) && square > 1e-12 && square < 1e12) bodies_[body]->wanted = by;
}

void MovedBodies::lead(double begin, double end)
{
    for (const auto& body : bodies_) {
        if (!body || !body->wanted) continue;
        body->hand.move(*body->wanted, begin, end);
        body->wanted.reset();
    }
}

Pose MovedBodies::pose(size_t body, double time) const
{
    return bodies_[body]->at(time);
}

}  // namespace tendril::session
