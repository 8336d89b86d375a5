// From a scene to a world.
#include "io/scene_check.h"
#include "math/elementary.h"
#include "tendril/scene.h"

#include <fmt/format.h>

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

/// The motion of a clip about the body's place, `time` after it set in.
Pose motion_at(const SceneBody& body, const Vec3d& axis, double time)
{
    if (time <= 0) return {};
    const double size = body.amplitude * ease(time, body.period);
    const double now = swing(time, body.period, size);
    switch (body.clip) {
        case MotionType::kStill: break;
        case MotionType::kSway: return {axis * now, {}};
        case MotionType::kTurn: return {{0, 0, 0}, rotation_about(axis, now)};
        case MotionType::kSpin: return {{0, 0, 0}, rotation_about(axis, spin_angle(time, body.period))};
        case MotionType::kCircle: {
            const Vec3d helper = std::abs(axis.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
            const Vec3d u = cross(axis, helper) * (1 / length(cross(axis, helper)));
            return {u * now + cross(axis, u) * swing(time + body.period / 4, body.period, size), {}};
        }
        case MotionType::kNod: {
            const double nod = swing(time, body.period * kNodPeriod, size * kNodShare);
            return {{0, 0, 0}, rotation_about({0, 1, 0}, now) * rotation_about({1, 0, 0}, nod)};
        }
    }
    return {};
}

Result<GroomData> generate(const Scene& scene, const SceneGroom& groom, size_t index)
{
    const auto strands = static_cast<uint32_t>(groom.strands);
    const auto particles = static_cast<uint32_t>(groom.particles);
    const auto length = static_cast<float>(groom.length);
    if (groom.style == StyleType::kRope) {
        RopeStyle style;
        style.strands = strands;
        style.particles = particles;
        style.length = length;
        style.spacing = static_cast<float>(groom.spacing);
        style.direction = to_float(groom.direction);
        style.ends = groom.ends;
        style.span = static_cast<float>(groom.span);
        return make_ropes(style);
    }
    SphereStyle style;
    style.strands = strands;
    style.particles = particles;
    style.length = length;
    style.radius = scene.bodies[body_index(scene, groom.body)].radius;
    style.coverage = static_cast<float>(groom.coverage);
    style.length_spread = static_cast<float>(groom.length_spread);
    style.seed = scene.seed + index;
    return make_sphere_hair(style);
}

Result<GroomId> add_groom(World& world, const Scene& scene, size_t index)
{
    const SceneGroom& description = scene.grooms[index];
    Result<GroomData> data = generate(scene, description, index);
    if (!data) return Error{data.error()};
    Result<Groom> groom = make_groom(std::move(*data));
    if (!groom) return Error{groom.error()};
    GroomSettings settings;
    settings.body.index = static_cast<uint32_t>(body_index(scene, description.body));
    settings.particle_mass = description.particle_mass;
    return world.add_groom(std::move(*groom), settings);
}

Result<HoldId> add_hold(World& world, const Scene& scene, const SceneHold& hold)
{
    const int64_t particles = scene.grooms[static_cast<size_t>(hold.groom)].particles;
    const int64_t particle = hold.particle < 0 ? particles + hold.particle : hold.particle;
    const BodyId body{static_cast<uint32_t>(body_index(scene, hold.body))};
    return world.hold(GroomId{static_cast<uint32_t>(hold.groom)}, static_cast<size_t>(hold.strand),
                      static_cast<size_t>(particle), body, 0, hold.offset);
}

}  // namespace

PoseFunction motion_of(const SceneBody& body)
{
    const double reach = length(body.motion_axis);
    const Vec3d axis = reach > 0 ? body.motion_axis * (1 / reach) : Vec3d{0, 1, 0};
    return [body, axis](double time, std::span<Pose> bones) {
        Pose pose = motion_at(body, axis, time - body.start);
        pose.position = pose.position + body.position;
        if (body.jump_time >= 0 && time >= body.jump_time - kTimeRounding) pose.position = pose.position + body.jump;
        bones[0] = pose;
    };
}

Result<World> build_world(const Scene& scene, std::shared_ptr<Executor> executor)
{
    const std::string name = scene.name.empty() ? "scene" : scene.name;
    if (auto wrong = check_scene(scene, [&](const std::string&) { return std::string(name); })) return *wrong;
    WorldSettings settings = scene.world;
    settings.wind.seed = scene.seed;
    World world(settings, std::move(executor));
    for (const SceneBody& body : scene.bodies) {
        BodyDescription description;
        description.name = body.name;
        description.function = motion_of(body);
        world.add_body(std::move(description));
    }
    for (size_t g = 0; g < scene.grooms.size(); ++g)
        if (const auto added = add_groom(world, scene, g); !added)
            return Error{fmt::format("{}: groom {}: {}", name, g, added.error())};
    for (size_t h = 0; h < scene.holds.size(); ++h)
        if (const auto added = add_hold(world, scene, scene.holds[h]); !added)
            return Error{fmt::format("{}: [[hold]] {}: {}", name, h, added.error())};
    return world;
}

}  // namespace tendril
