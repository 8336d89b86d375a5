// The built-in motions of the bodies in a scene.
#include "io/scene_motion.h"

#include "math/elementary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
// A head nods with a smaller angle than it turns, and with a different period.
constexpr double kNodAmplitudeRatio = 0.4;
constexpr double kNodPeriodRatio = 0.61;
// Step times are sums, so rounding may leave them this much short of the intended time [s].
constexpr double kTimeRounding = 1e-9;

/// Rises from 0 to 1 over half a period, with zero speed and acceleration at both ends.
double ease(double time, double period)
{
    const double s = std::clamp(2 * time / period, 0.0, 1.0);
    return s * s * s * (10 + s * (6 * s - 15));
}

/// Rises from 0 to 1 over a period at constant speed, except for smooth first and last tenths.
double ramp(double time, double period)
{
    constexpr double kSmoothPart = 0.1;
    const double s = std::clamp(time / period, 0.0, 1.0), e = kSmoothPart;
    const auto accelerate = [e](double x) { return x < e ? x * x / (2 * e) : x - e / 2; };
    return s < 0.5 ? accelerate(s) / (1 - e) : 1 - accelerate(1 - s) / (1 - e);
}

/// A sine wave. Whole periods are subtracted first, because sin_cos is accurate only for moderate angles.
double swing(double time, double period, double amplitude)
{
    const double turns = time / period;
    return amplitude * sin_cos(kTwoPi * (turns - std::floor(turns))).sin;
}

/// The angle of a rotation whose speed rises as `ease` does, reduced to two turns. A quaternion has a period of two
/// turns, so it does not jump where the angle wraps around.
double spin_angle(double time, double period)
{
    const double s = std::clamp(2 * time / period, 0.0, 1.0);
    const double eased = s * s * s * s * (2.5 + s * (s - 3));  // the integral of the ease from 0 to s
    const double turns = eased / 2 + std::max(0.0, time / period - 0.5);
    return kTwoPi * (turns - 2 * std::floor(turns / 2));
}

/// The pose relative to the position of the body, `time` after the motion has started.
Pose motion_at(const SceneBody& body, MotionType type, const Vec3d& axis, double time)
{
    if (time <= 0) return {};
    const double reached = body.amplitude * ramp(time, body.period);
    const double amplitude = body.amplitude * ease(time, body.period);
    const double offset = swing(time, body.period, amplitude);
    switch (type) {
        case MotionType::kStill: break;
        case MotionType::kSway: return {axis * offset, {}};
        case MotionType::kTurn: return {{0, 0, 0}, rotation_about(axis, offset)};
        case MotionType::kSpin: return {{0, 0, 0}, rotation_about(axis, spin_angle(time, body.period))};
        case MotionType::kCircle: {
            const Vec3d helper = std::abs(axis.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
            const Vec3d u = cross(axis, helper) * (1 / length(cross(axis, helper)));
            return {u * offset + cross(axis, u) * swing(time + body.period / 4, body.period, amplitude), {}};
        }
        case MotionType::kPull: return {axis * reached, {}};
        case MotionType::kTwist: {
            const double turns = reached / kTwoPi;  // reduced to two turns, as in spin_angle
            return {{0, 0, 0}, rotation_about(axis, kTwoPi * (turns - 2 * std::floor(turns / 2)))};
        }
        case MotionType::kNod: {
            const double nod = swing(time, body.period * kNodPeriodRatio, amplitude * kNodAmplitudeRatio);
            return {{0, 0, 0}, rotation_about({0, 1, 0}, offset) * rotation_about({1, 0, 0}, nod)};
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
    const double axis_length = length(body.motion_axis);
    const Vec3d axis = axis_length > 0 ? body.motion_axis * (1 / axis_length) : Vec3d{0, 1, 0};
    const MotionType type = motion_type(body.clip).value_or(MotionType::kStill);
    return [body, type, axis](double time, std::span<Pose> bones) {
        Pose pose = motion_at(body, type, axis, time - body.start);
        pose.position = pose.position + body.position;
        if (body.jump_time >= 0 && time >= body.jump_time - kTimeRounding) pose.position = pose.position + body.jump;
        bones[0] = pose;
    };
}

}  // namespace tendril
