/// Motion of rigid bodies: impulses, gravity, and free rotation that conserves angular momentum. RigidContacts solves
/// the contacts.
#include "body/rigid/rigid_scene.h"

#include "math/elementary.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tendril {

namespace {

constexpr double kLargestAngle = 1e6;  // limit of sin_cos [rad]

/// Multiplies by a matrix that is diagonal in the given axes.
Vec3d scaled_in(const Quat& axes, const Vec3d& diagonal, const Vec3d& v)
{
    const Vec3d own = rotate(conjugate(axes), v);
    return rotate(axes, {diagonal.x * own.x, diagonal.y * own.y, diagonal.z * own.z});
}

Vec3d inverse(const Vec3d& v)
{
    return {1 / v.x, 1 / v.y, 1 / v.z};
}

/// Rotates q with an angular velocity [rad/s] for a time [s].
Quat turned(const Quat& q, const Vec3d& spin, double time)
{
    const double rate = length(spin);
    if (!(rate > 0)) return q;
    return normalized(rotation_about(spin * (1 / rate), std::min(rate * time, kLargestAngle)) * q);
}

bool is_finite(const RigidMotion& m)
{
    const Quat& q = m.pose.rotation;
    return tendril::is_finite(m.pose.position) && tendril::is_finite(m.velocity) && tendril::is_finite(m.spin) &&
           std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

/// Keeps the bits of a quaternion that is normalized except for rounding, so that a saved state resumes identically.
Quat unit(const Quat& q)
{
    const double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return std::abs(square - 1) < 1e-12 ? q : normalized(q);
}

/// The velocities that lead from one pose to the other within `time`. The spin is that of the chords along which points
/// move, 2 sin(angle / 2) instead of the angle, which needs no inverse trigonometric function.
RigidMotion motion_between(const Pose& from, const Pose& to, double time)
{
    const Quat q = to.rotation * conjugate(from.rotation);
    const double scale = (q.w < 0 ? -2 : 2) / time;
    return {from, (to.position - from.position) * (1 / time), Vec3d{q.x, q.y, q.z} * scale};
}

}  // namespace

std::unique_ptr<RigidScene> RigidScene::create()
{
    std::unique_ptr<RigidContacts> contacts = RigidContacts::create();
    if (!contacts) return nullptr;
    return std::unique_ptr<RigidScene>(new RigidScene(std::move(contacts)));
}

size_t RigidScene::add(const RigidBody& body, const Pose& pose)
{
    assert(body.mass > 0 && body.size.x > 0 && body.size.y > 0 && body.size.z > 0);
    bodies_.push_back({body, rigid_inertia(body), {}});
    set_motion(bodies_.size() - 1, {pose, body.velocity, body.spin});
    contacts_->add_body(body);
    return bodies_.size() - 1;
}

size_t RigidScene::add_obstacle(const Collider& shape, const Pose& pose, const RigidSurface& surface)
{
    obstacles_.push_back({});
    set_obstacle(obstacles_.size() - 1, pose);
    contacts_->add_obstacle(shape, surface);
    return obstacles_.size() - 1;
}

void RigidScene::set_obstacle(size_t obstacle, const Pose& from, const Pose& to)
{
    obstacles_[obstacle] = {{from.position, unit(from.rotation)}, {to.position, unit(to.rotation)}};
}

void RigidScene::set_motion(size_t body, const RigidMotion& motion)
{
    if (!is_finite(motion)) return;
    bodies_[body].motion = motion;
    bodies_[body].motion.pose.rotation = unit(motion.pose.rotation);
}

// With r from the centre of mass to the point, an impulse J gives the point the velocity J / m + (I^-1 (r x J)) x r.
// The second part is a symmetric matrix K. No impulse turns the body about r, so one eigenvalue of K is zero, and the
// other two follow from its trace and the sum of its principal minors.
double RigidScene::inverse_mass(size_t body, const Vec3d& point) const
{
    const Body& b = bodies_[body];
    const Vec3d r = rotate(conjugate(b.motion.pose.rotation), point - b.motion.pose.position);
    const Vec3d w = inverse(b.inertia);
    const double xx = w.y * r.z * r.z + w.z * r.y * r.y, yy = w.z * r.x * r.x + w.x * r.z * r.z,
                 zz = w.x * r.y * r.y + w.y * r.x * r.x;
    const double xy = -w.z * r.x * r.y, yz = -w.x * r.y * r.z, zx = -w.y * r.z * r.x;
    const double half = (xx + yy + zz) / 2;
    const double minors = xx * yy - xy * xy + yy * zz - yz * yz + zz * xx - zx * zx;
    return 1 / b.settings.mass + half + std::sqrt(std::max(half * half - minors, 0.0));
}

double RigidScene::inverse_mass(size_t body, const Vec3d& point, const Vec3d& direction) const
{
    const Body& b = bodies_[body];
    const Vec3d lever = cross(point - b.motion.pose.position, direction);
    return 1 / b.settings.mass + dot(lever, scaled_in(b.motion.pose.rotation, inverse(b.inertia), lever));
}

Vec3d RigidScene::point_velocity(size_t body, const Vec3d& point) const
{
    const RigidMotion& m = bodies_[body].motion;
    return m.velocity + cross(m.spin, point - m.pose.position);
}

void RigidScene::push(size_t body, const Vec3d& point, const Vec3d& impulse)
{
    Body& b = bodies_[body];
    RigidMotion& m = b.motion;
    m.velocity += impulse * (1 / b.settings.mass);
    m.spin += scaled_in(m.pose.rotation, inverse(b.inertia), cross(point - m.pose.position, impulse));
}

void RigidScene::turn(size_t body, const Vec3d& impulse)
{
    Body& b = bodies_[body];
    b.motion.spin += scaled_in(b.motion.pose.rotation, inverse(b.inertia), impulse);
}

void RigidScene::step(double h, const Vec3d& gravity)
{
    touches_.clear();
    states_.clear();
    for (const Body& body : bodies_) {
        RigidState state{body.motion, {0, 0, 0}, {0, 0, 0}};
        state.motion.velocity = state.motion.velocity * exp_minus(body.settings.linear_damping * h);
        state.motion.spin = state.motion.spin * exp_minus(body.settings.angular_damping * h);
        states_.push_back(state);
    }
    obstacle_motions_.clear();
    for (Obstacle& obstacle : obstacles_) {
        obstacle_motions_.push_back(motion_between(obstacle.from, obstacle.to, h));
        obstacle.from = obstacle.to;
    }
    contacts_->solve(states_, obstacle_motions_, gravity, h, touches_);
    for (size_t i = 0; i < bodies_.size(); ++i) advance(bodies_[i], states_[i], h);
}

// Without torque, the angular momentum L is constant, and the spin is I^-1 L for the current axes. The body rotates
// with the spin at the middle of the step, which half a step with the initial spin predicts. Spins stay below |L| /
// smallest moment, so the step is stable for any length.
void RigidScene::advance(Body& body, const RigidState& state, double h) const
{
    RigidMotion m = state.motion;
    const Vec3d inverse_inertia = inverse(body.inertia);
    const Vec3d momentum = scaled_in(m.pose.rotation, body.inertia, m.spin);
    const Vec3d mid_spin = scaled_in(turned(m.pose.rotation, m.spin, h / 2), inverse_inertia, momentum);
    m.pose.position += (m.velocity + state.shift) * h;
    m.pose.rotation = turned(turned(m.pose.rotation, mid_spin, h), state.turn, h);
    m.spin = scaled_in(m.pose.rotation, inverse_inertia, momentum);
    // If the numbers overflow, the body stays where it was, at rest.
    body.motion = is_finite(m) ? m : RigidMotion{body.motion.pose, {0, 0, 0}, {0, 0, 0}};
}

}  // namespace tendril
