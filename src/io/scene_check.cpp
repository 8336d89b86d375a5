#include "io/scene_check.h"

#include "io/scene_motion.h"
#include "solvers/spring_limit.h"
#include "strands/layout.h"
#include "tendril/detail/nearest.h"

#include <fmt/format.h>

#include <cmath>
#include <unistd.h>

namespace tendril {
namespace {

// Measured memory of a particle: its state, its share of the groom, and its points while they are generated [bytes].
constexpr double kBytesPerParticle = 64;
// Offsets of points are 32 bits wide.
constexpr double kMaxParticles = 4294967295.0;

double physical_memory()
{
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string bytes_text(double bytes)
{
    const char* const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    size_t unit = 0;
    while (bytes >= 1000 && unit < 6) {
        bytes /= 1000;
        ++unit;
    }
    return bytes < 10 ? fmt::format("{:.1f} {}", bytes, units[unit]) : fmt::format("{:.0f} {}", bytes, units[unit]);
}

std::string of_groom(size_t index, const char* key)
{
    return fmt::format("groom.{}.{}", index, key);
}

std::optional<Error> check_size(const Scene& scene, const KeyLocation& location)
{
    const double memory = physical_memory();
    double need = 0;
    for (size_t g = 0; g < scene.grooms.size(); ++g) {
        const SceneGroom& groom = scene.grooms[g];
        if (!groom.file.empty()) continue;  // the size of a file limits its number of particles
        const double particles = static_cast<double>(groom.strands) * static_cast<double>(groom.particles);
        need += stored_strands(static_cast<double>(groom.strands)) * static_cast<double>(groom.particles) *
                kBytesPerParticle;
        const std::string product = fmt::format("{}: groom.strands x groom.particles = {} x {} particles",
                                                location(of_groom(g, "strands")), groom.strands, groom.particles);
        if (need > memory)
            return Error{fmt::format("{} need about {}, this machine has {}; ask for fewer", product, bytes_text(need),
                                     bytes_text(memory))};
        if (particles > kMaxParticles)
            return Error{
                fmt::format("{} are more than the {:.0f} that one groom can hold; ask for fewer or for two grooms",
                            product, kMaxParticles)};
    }
    return {};
}

std::optional<Error> check_body_name(const Scene& scene, const std::string& name, const std::string& where)
{
    if (name.empty() || body_index(scene, name) < scene.bodies.size()) return {};
    std::vector<std::string> names;
    for (const SceneBody& body : scene.bodies) names.push_back(body.name);
    const std::string nearest = nearest_name(name, names);
    const std::string hint = !nearest.empty() ? fmt::format("did you mean '{}'?", nearest)
                             : names.empty()  ? "add a [body] of that name"
                                              : fmt::format("there are: {}", fmt::join(names, ", "));
    return Error{fmt::format("{}: there is no body '{}'; {}", where, name, hint)};
}

std::optional<Error> check_bodies(const Scene& scene, const KeyLocation& location)
{
    for (size_t b = 0; b < scene.bodies.size(); ++b)
        if (body_index(scene, scene.bodies[b].name) != b)
            return Error{fmt::format("{}: two bodies are called '{}'; give each a name of its own",
                                     location(fmt::format("body.{}.name", b)), scene.bodies[b].name)};
    return {};
}

/// Bodies without a skeleton can play only the built-in motions.
std::optional<Error> check_clips(const Scene& scene, const KeyLocation& location)
{
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        if (body.rigid != SceneRigid::kNone || motion_type(body.clip) || (body.mesh != "none" && body.mesh != "sphere"))
            continue;
        std::string words;
        for (const std::string& name : motion_names()) words += (words.empty() ? "\"" : ", \"") + name + '"';
        const std::string nearest = nearest_name(body.clip, motion_names());
        return Error{fmt::format("{}: body.clip must be one of {}, not \"{}\"{}",
                                 location(fmt::format("body.{}.clip", b)), words, body.clip,
                                 nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?")};
    }
    return {};
}

std::optional<Error> check_groom(const Scene& scene, size_t g, const KeyLocation& location)
{
    const SceneGroom& groom = scene.grooms[g];
    if (auto wrong = check_body_name(scene, groom.body, location(of_groom(g, "body")))) return wrong;
    if (groom.resample == 1)
        return Error{fmt::format("{}: groom.resample must be 0 or at least 2", location(of_groom(g, "resample")))};
    if (!groom.file.empty() || groom.style == StyleType::kRope) return {};
    const size_t b = body_index(scene, groom.body);
    const std::string mesh = b < scene.bodies.size() ? scene.bodies[b].mesh : "none";
    if (groom.style == StyleType::kSphere && mesh != "sphere")
        return Error{fmt::format("{}: groom.style = \"sphere\" needs a body with mesh = \"sphere\" to grow on",
                                 location(of_groom(g, "style")))};
    if (mesh == "none")
        return Error{fmt::format("{}: hair needs a body with a mesh to grow on; try body.mesh = \"bust\"",
                                 location(of_groom(g, "style")))};
    return {};
}

std::optional<Error> check_hold(const Scene& scene, size_t h, const KeyLocation& location)
{
    const SceneHold& hold = scene.holds[h];
    const auto at = [&](const char* key) { return location(fmt::format("hold.{}.{}", h, key)); };
    if (hold.groom < 0 || hold.groom >= static_cast<int64_t>(scene.grooms.size()))
        return Error{fmt::format("{}: hold.groom = {} does not exist; the scene has {} (counted from 0)", at("groom"),
                                 hold.groom, scene.grooms.size())};
    const SceneGroom& groom = scene.grooms[static_cast<size_t>(hold.groom)];
    if (!groom.file.empty()) return check_body_name(scene, hold.body, at("body"));
    if (hold.strand < 0 || hold.strand >= groom.strands)
        return Error{fmt::format("{}: hold.strand = {} does not exist; the groom has {} (counted from 0)", at("strand"),
                                 hold.strand, groom.strands)};
    if (hold.particle < -groom.particles || hold.particle >= groom.particles)
        return Error{
            fmt::format("{}: hold.particle = {} does not exist; a strand has {} (counted from 0, or from -1 back)",
                        at("particle"), hold.particle, groom.particles)};
    return check_body_name(scene, hold.body, at("body"));
}

std::optional<Error> check_colliders(const Scene& scene, const KeyLocation& location)
{
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        if (body.collide != BodyCollide::kNone && body.rigid != SceneRigid::kNone)
            return Error{fmt::format("{}: a rigid body brings its own collider; leave out body.collide",
                                     location(fmt::format("body.{}.collide", b)))};
        if (body.collide != BodyCollide::kNone && body.mesh == "none")
            return Error{fmt::format("{}: the body has no mesh to collide with; add [[collider]] tables",
                                     location(fmt::format("body.{}.collide", b)))};
    }
    for (size_t c = 0; c < scene.colliders.size(); ++c) {
        const std::string where = location(fmt::format("collider.{}.body", c));
        if (scene.bodies.empty()) return Error{fmt::format("{}: a collider needs a [body] to carry it", where)};
        if (auto wrong = check_body_name(scene, scene.colliders[c].body, where)) return wrong;
        if (!(length(scene.colliders[c].up) > 0))
            return Error{fmt::format("{}: collider.up has no direction; give it a length above zero",
                                     location(fmt::format("collider.{}.up", c)))};
    }
    return {};
}

struct NamedSetting {
    std::string location, name;  ///< such as "hair.toml:7" and "groom.shape.local"
};

/// A setting that applies to a groom: in the groom's own table, or in that of the world. Names in scenes leave the
/// group out, such as "pbd.".
NamedSetting setting_of(const Scene& scene, size_t g, const std::string& table, const std::string& group,
                        const std::string& key, const KeyLocation& location)
{
    const std::string own = fmt::format("{}.{}{}", table, group, key), name = fmt::format("{}.{}", table, key);
    if (scene.grooms[g].own_settings.count(own)) return {location(of_groom(g, own.c_str())), "groom." + name};
    return {location(fmt::format("{}.0.{}{}", table, group, key)), name};
}

/// The coefficients of the paper are shares, so they must be below 1.
std::optional<Error> check_shape(const Scene& scene, size_t g, const KeyLocation& location)
{
    const ShapeSettings shape = behaviour_of(scene, g).shape;
    if (shape.units != ShapeUnits::kPaper && shape.form != Form::kPaper) return {};
    const std::pair<const char*, float> keys[] = {{"local", shape.local}, {"global", shape.global}};
    for (const auto& [key, value] : keys)
        if (value >= 1) {
            const NamedSetting setting = setting_of(scene, g, "shape", "", key, location);
            return Error{fmt::format("{}: {} = {} must be below 1 with the paper's units or form", setting.location,
                                     setting.name, value)};
        }
    return {};
}

/// The bending stiffnesses are shares for `pbd`, so they must not exceed 1; for `xpbd` they are physical stiffnesses.
std::optional<Error> check_pbd(const Scene& scene, size_t g, const KeyLocation& location)
{
    const SolverSettings solver = behaviour_of(scene, g).solver;
    if (solver.type != SolverType::kPbd) return {};
    const PbdSettings& pbd = solver.pbd;
    const std::pair<const char*, float> keys[] = {{"bend_stiffness", pbd.bend_stiffness},
                                                  {"angle_stiffness", pbd.angle_stiffness}};
    for (const auto& [key, value] : keys)
        if (value > 1) {
            const NamedSetting setting = setting_of(scene, g, "solver", "pbd.", key, location);
            return Error{
                fmt::format("{}: {} = {} must be in [0, 1] with solver.type = \"pbd\"; with \"xpbd\" it is a stiffness",
                            setting.location, setting.name, value)};
        }
    return {};
}

/// Refuses springs that are too stiff for the step. Grooms from files are checked once they have been read.
std::optional<Error> check_springs(const Scene& scene, size_t g, const KeyLocation& location)
{
    const double h = scene.world.dt / scene.world.substeps;
    const SceneGroom& groom = scene.grooms[g];
    if (!groom.file.empty()) return {};
    const Ends ends = groom.style == StyleType::kRope ? groom.ends : Ends::kRootHeld;
    const auto wrong =
        check_spring(behaviour_of(scene, g).solver, static_cast<int>(groom.particles), ends, groom.particle_mass, h);
    if (!wrong) return {};
    return Error{fmt::format("{}: {}", setting_of(scene, g, "solver", "spring.", "stiffness", location).location,
                             wrong->message)};
}

}  // namespace

size_t body_index(const Scene& scene, const std::string& name)
{
    if (name.empty()) return 0;
    size_t b = 0;
    while (b < scene.bodies.size() && scene.bodies[b].name != name) ++b;
    return b;
}

std::optional<Error> check_scene(const Scene& scene, const KeyLocation& location)
{
    if (scene.grooms.empty()) return Error{fmt::format("{}: the scene has no strands; add a [groom]", location(""))};
    if (auto wrong = check_size(scene, location)) return wrong;
    if (auto wrong = check_bodies(scene, location)) return wrong;
    if (auto wrong = check_clips(scene, location)) return wrong;
    for (size_t g = 0; g < scene.grooms.size(); ++g) {
        if (auto wrong = check_shape(scene, g, location)) return wrong;
        if (auto wrong = check_pbd(scene, g, location)) return wrong;
        if (auto wrong = check_springs(scene, g, location)) return wrong;
        if (auto wrong = check_groom(scene, g, location)) return wrong;
    }
    for (size_t h = 0; h < scene.holds.size(); ++h)
        if (auto wrong = check_hold(scene, h, location)) return wrong;
    return check_colliders(scene, location);
}

}  // namespace tendril
