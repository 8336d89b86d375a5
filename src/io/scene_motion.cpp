// How the bodies of a scene move by themselves.
#include "io/scene_motion.h"

#include "math/elementary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
// The motion of a head: it nods less far than it turns, and not in time with it.
constexpr double kNodShare = 0.4;
constexpr double kNodPeriod = 0.61;
// Times of steps are sums, and may be that much short of the time that is meant [s].
constexpr double kTimeRounding = 1e-9;

/// From 0 to 1 over half a period, with speed and acceleration 0 at either end.
double ease(double time, double period)
{
    const double s = std::clamp(2 * time / period, 0.0, 1.0);
    return s * s * s * (10 + s * (6 * s - 15));
}

/// From 0 to 1 over a period at an even speed, but for a gentle start and end over a tenth of it.
double once(double time, double period)
{
    constexpr double kGentle = 0.1;
    const double s = std::clamp(time / period, 0.0, 1.0), e = kGentle;
    const auto begun = [e](double x) { return x < e ? x * x / (2 * e) : x - e / 2; };
    return s < 0.5 ? begun(s) / (1 - e) : 1 - begun(1 - s) / (1 - e);
}

/// A swing that sets in gently. Whole turns are taken off first: the sine is exact for small angles only.
double swing(double time, double period, double amplitude)
{
    const double turns = time / period;
    return amplitude * sin_cos(kTwoPi * (turns - std::floor(turns))).sin;
}

/// The angle of a rotation whose speed sets in as `ease` does, within two turns: its quaternion then never changes
/// sign.
double spin_angle(double time, double period)
{
    const double s = std::clamp(2 * time / period, 0.0, 1.0);
    const double eased = s * s * s * s * (2.5 + s * (s - 3));  // the integral of the ease from 0 to s
    const double turns = eased / 2 + std::max(0.0, time / period - 0.5);
    return kTwoPi * (turns - 2 * std::floor(turns / 2));
}

/// The motion about the body's place, `time` after it set in.
Pose motion_at(const SceneBody& body, MotionType type, const Vec3d& axis, double time)
{
    if (time <= 0) return {};
    const double done = body.amplitude * once(time, body.period);
    const double size = body.amplitude * ease(time, body.period);
    const double now = swing(time, body.period, size);
    switch (type) {
        case MotionType::kStill: break;
        case MotionType::kSway: return {axis * now, {}};
        case MotionType::kTurn: return {{0, 0, 0}, rotation_about(axis, now)};
        case MotionType::kSpin: return {{0, 0, 0}, rotation_about(axis, spin_angle(time, body.period))};
        case MotionType::kCircle: {
            const Vec3d helper = std::abs(axis.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
            const Vec3d u = cross(axis, helper) * (1 / length(cross(axis, helper)));
            return {u * now + cross(axis, u) * swing(time + body.period / 4, body.period, size), {}};
        }
        case MotionType::kPull: return {axis * done, {}};
        case MotionType::kTwist: {
            const double turns = done / kTwoPi;  // within two: the quaternion then never changes sign
            return {{0, 0, 0}, rotation_about(axis, kTwoPi * (turns - 2 * std::floor(turns / 2)))};
        }
        case MotionType::kNod: {
            const double nod = swing(time, body.period * kNodPeriod, size * kNodShare);
            return {{0, 0, 0}, rotation_about({0, 1, 0}, now) * rotation_about({1, 0, 0}, nod)};
        }
    }
    return {};
}

}  // namespace

const std::vector<std::string>& motion_names()
{
    static const std::vector<std::string> names{"still", "sway", "turn", "spin", "circle", "nod", "pull", "twist"};
    return names;
}

std::optional<MotionType> motion_type(const std::string& name)
{
    const auto& names = motion_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return {};
    return static_cast<MotionType>(found - names.begin());
}

PoseFunction motion_of(const SceneBody& body)
{
    const double reach = length(body.motion_axis);
    const Vec3d axis = reach > 0 ? body.motion_axis * (1 / reach) : Vec3d{0, 1, 0};
    const MotionType type = motion_type(body.clip).value_or(MotionType::kStill);
    return [body, type, axis](double time, std::span<Pose> bones) {
        Pose pose = motion_at(body, type, axis, time - body.start);
        pose.position = pose.position + body.position;
        if (body.jump_time >= 0 && time >= body.jump_time - kTimeRounding) pose.position = pose.position + body.jump;
        bones[0] = pose;
    };
}

}  // namespace tendril
