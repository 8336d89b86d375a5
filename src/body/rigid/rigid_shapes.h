/// Converts the shapes of rigid bodies and obstacles to Bullet.
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

/// A convex part of an obstacle, or a whole body.
struct RigidPart {
    std::unique_ptr<btConvexShape> shape;  ///< null: a half-space, below the x-z plane of `pose`
    Pose pose;                             ///< in the frame that carries it
    double inner_radius = 0;               ///< of the largest inscribed sphere [m]
    double skin = 0;                       ///< by how much the Bullet shape is larger on every side [m]
};

RigidPart body_part(const RigidBody& body);
std::vector<RigidPart> obstacle_parts(const Collider& collider);

/// Up to eight points of a body that a plane can touch, in the frame of the body; `down` is a unit vector opposite to
/// the plane's normal.
struct LowPoints {
    std::array<Vec3d, 8> at;
    size_t count = 0;
};
LowPoints low_points(const RigidBody& body, const Vec3d& down);

}  // namespace tendril
