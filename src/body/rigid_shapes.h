/// Shapes of rigid bodies and obstacles as Bullet knows them.
#pragma once

#include "tendril/collider.h"
#include "tendril/rigid_body.h"

#include <BulletCollision/CollisionShapes/btConvexShape.h>

#include <array>
#include <memory>
#include <vector>

namespace tendril {

inline btVector3 to_bullet(const Vec3d& v)
{
    return {v.x, v.y, v.z};
}

inline Vec3d from_bullet(const btVector3& v)
{
    return {v.x(), v.y(), v.z()};
}

inline btTransform to_bullet(const Pose& pose)
{
    const Quat& q = pose.rotation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), to_bullet(pose.position));
}

/// A convex part of an obstacle, or all of a body.
struct RigidPart {
    std::unique_ptr<btConvexShape> shape;  ///< null: a half-space, below the x-z plane of `place`
    Pose place;                            ///< in the frame that carries it
    double inner_radius = 0;               ///< of the largest ball that fits in [m]
    double skin = 0;                       ///< by which the shape is larger than what it stands for, all around [m]
};

RigidPart body_part(const RigidBody& body);
std::vector<RigidPart> obstacle_parts(const Collider& collider);

/// Points of a body that a plane can touch, in the frame of the body; `down` is a unit vector against the plane's
/// normal. Up to eight.
struct LowPoints {
    std::array<Vec3d, 8> at;
    size_t count = 0;
};
LowPoints low_points(const RigidBody& body, const Vec3d& down);

}  // namespace tendril
