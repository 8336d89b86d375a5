#include "io/scene_check.h"

#include "io/scene_motion.h"
#include "solvers/spring_limit.h"
#include "tendril/detail/nearest.h"

#include <fmt/format.h>

#include <cmath>
#include <unistd.h>

namespace tendril {
namespace {

// Measured: the state, the groom it was made from and the points while they are made.
constexpr double kBytesPerParticle = 64;
// Strands are stored in blocks of so many side by side.
constexpr int64_t kLanes = 16;
// Offsets of points are 32 bits wide.
constexpr double kMostParticles = 4294967295.0;

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

std::optional<Error> check_size(const Scene& scene, const PlaceOf& place_of)
{
    const double memory = physical_memory();
    double need = 0;
    for (size_t g = 0; g < scene.grooms.size(); ++g) {
        const SceneGroom& groom = scene.grooms[g];
        if (!groom.file.empty()) continue;  // a file brings its own count, and cannot claim more than it holds
        const double particles = static_cast<double>(groom.strands) * static_cast<double>(groom.particles);
        const double full_blocks = std::ceil(static_cast<double>(groom.strands) / kLanes) * kLanes;
        need += full_blocks * static_cast<double>(groom.particles) * kBytesPerParticle;
        const std::string product = fmt::format("{}: groom.strands x groom.particles = {} x {} particles",
                                                place_of(of_groom(g, "strands")), groom.strands, groom.particles);
        if (need > memory)
            return Error{fmt::format("{} need about {}, this machine has {}; ask for fewer", product, bytes_text(need),
                                     bytes_text(memory))};
        if (particles > kMostParticles)
            return Error{
                fmt::format("{} are more than the {:.0f} that one groom can hold; ask for fewer or for two grooms",
                            product, kMostParticles)};
    }
    return {};
}

std::optional<Error> check_body_name(const Scene& scene, const std::string& name, const std::string& place)
{
    if (name.empty() || body_index(scene, name) < scene.bodies.size()) return {};
    std::vector<std::string> names;
    for (const SceneBody& body : scene.bodies) names.push_back(body.name);
    const std::string nearest = nearest_name(name, names);
    const std::string hint = !nearest.empty() ? fmt::format("did you mean '{}'?", nearest)
                             : names.empty()  ? "add a [body] of that name"
                                              : fmt::format("there are: {}", fmt::join(names, ", "));
    return Error{fmt::format("{}: there is no body '{}'; {}", place, name, hint)};
}

std::optional<Error> check_bodies(const Scene& scene, const PlaceOf& place_of)
{
    for (size_t b = 0; b < scene.bodies.size(); ++b)
        if (body_index(scene, scene.bodies[b].name) != b)
            return Error{fmt::format("{}: two bodies are called '{}'; give each a name of its own",
                                     place_of(fmt::format("body.{}.name", b)), scene.bodies[b].name)};
    return {};
}

/// Bodies without a skeleton know only the built-in motions.
std::optional<Error> check_clips(const Scene& scene, const PlaceOf& place_of)
{
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        if (body.rigid != SceneRigid::kNone || motion_type(body.clip) || (body.mesh != "none" && body.mesh != "sphere"))
            continue;
        std::string words;
        for (const std::string& name : motion_names()) words += (words.empty() ? "\"" : ", \"") + name + '"';
        const std::string nearest = nearest_name(body.clip, motion_names());
        return Error{fmt::format("{}: body.clip must be one of {}, not \"{}\"{}",
                                 place_of(fmt::format("body.{}.clip", b)), words, body.clip,
                                 nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?")};
    }
    return {};
}

std::optional<Error> check_groom(const Scene& scene, size_t g, const PlaceOf& place_of)
{
    const SceneGroom& groom = scene.grooms[g];
    if (auto wrong = check_body_name(scene, groom.body, place_of(of_groom(g, "body")))) return wrong;
    if (groom.resample == 1)
        return Error{fmt::format("{}: groom.resample must be 0 or at least 2", place_of(of_groom(g, "resample")))};
    if (!groom.file.empty() || groom.style == StyleType::kRope) return {};
    const size_t b = body_index(scene, groom.body);
    const std::string mesh = b < scene.bodies.size() ? scene.bodies[b].mesh : "none";
    if (groom.style == StyleType::kSphere && mesh != "sphere")
        return Error{fmt::format("{}: groom.style = \"sphere\" needs a body with mesh = \"sphere\" to grow on",
                                 place_of(of_groom(g, "style")))};
    if (mesh == "none")
        return Error{fmt::format("{}: hair needs a body with a mesh to grow on; try body.mesh = \"bust\"",
                                 place_of(of_groom(g, "style")))};
    return {};
}

/// Strings meet by contacts, and only they do.
std::optional<Error> check_strings(const Scene& scene, const PlaceOf& place_of)
{
    const InteractionMethod method = scene.world.interaction.method;
    const bool strings = scene.world.solver.type == SolverType::kChainShape;
    if (strings && method != InteractionMethod::kNone && method != InteractionMethod::kContacts)
        return Error{
            fmt::format("{}: strings (solver.type = \"chain_shape\") meet by interaction.method = "
                        "\"contacts\", or \"none\"",
                        place_of("interaction.0.method"))};
    if (!strings && method == InteractionMethod::kContacts)
        return Error{fmt::format("{}: interaction.method = \"contacts\" is for solver.type = \"chain_shape\"",
                                 place_of("interaction.0.method"))};
    return {};
}

std::optional<Error> check_hold(const Scene& scene, size_t h, const PlaceOf& place_of)
{
    const SceneHold& hold = scene.holds[h];
    const auto at = [&](const char* key) { return place_of(fmt::format("hold.{}.{}", h, key)); };
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

std::optional<Error> check_colliders(const Scene& scene, const PlaceOf& place_of)
{
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        if (body.collide != BodyCollide::kNone && body.mesh == "none")
            return Error{fmt::format("{}: the body has no mesh to collide with; add [[collider]] tables",
                                     place_of(fmt::format("body.{}.collide", b)))};
    }
    for (size_t c = 0; c < scene.colliders.size(); ++c) {
        const std::string place = place_of(fmt::format("collider.{}.body", c));
        if (scene.bodies.empty()) return Error{fmt::format("{}: a collider needs a [body] to carry it", place)};
        if (auto wrong = check_body_name(scene, scene.colliders[c].body, place)) return wrong;
        if (!(length(scene.colliders[c].up) > 0))
            return Error{fmt::format("{}: collider.up has no direction; give it a length above zero",
                                     place_of(fmt::format("collider.{}.up", c)))};
    }
    return {};
}

/// The paper's coefficients are shares.
std::optional<Error> check_shape(const Scene& scene, const PlaceOf& place_of)
{
    const ShapeSettings& shape = scene.world.shape;
    if (shape.units != ShapeUnits::kPaper && shape.form != ShapeForm::kPaper) return {};
    const std::pair<const char*, float> keys[] = {{"local", shape.local}, {"global", shape.global}};
    for (const auto& [key, value] : keys)
        if (value >= 1)
            return Error{fmt::format("{}: shape.{} = {} must be below 1 with the paper's units or form",
                                     place_of(fmt::format("shape.0.{}", key)), key, value)};
    return {};
}

/// Of `pbd` they are shares, where `xpbd` has stiffnesses.
std::optional<Error> check_pbd(const Scene& scene, const PlaceOf& place_of)
{
    if (scene.world.solver.type != SolverType::kPbd) return {};
    const PbdSettings& pbd = scene.world.solver.pbd;
    const std::pair<const char*, float> keys[] = {{"bend_stiffness", pbd.bend_stiffness},
                                                  {"angle_stiffness", pbd.angle_stiffness}};
    for (const auto& [key, value] : keys)
        if (value > 1)
            return Error{
                fmt::format("{}: solver.{} = {} must be in [0, 1] with solver.type = \"pbd\"; with \"xpbd\" it "
                            "is a stiffness",
                            place_of(fmt::format("solver.0.{}", key)), key, value)};
    return {};
}

/// Springs that the step cannot take; what is read from files is checked when it is there.
std::optional<Error> check_springs(const Scene& scene, const PlaceOf& place_of)
{
    const double h = scene.world.dt / scene.world.substeps;
    for (const SceneGroom& groom : scene.grooms) {
        if (!groom.file.empty()) continue;
        const Ends ends = groom.style == StyleType::kRope ? groom.ends : Ends::kRootHeld;
        const auto wrong =
            check_spring(scene.world.solver, static_cast<int>(groom.particles), ends, groom.particle_mass, h);
        if (wrong) return Error{fmt::format("{}: {}", place_of("solver.0.spring_stiffness"), wrong->message)};
    }
    return {};
}

}  // namespace

size_t body_index(const Scene& scene, const std::string& name)
{
    if (name.empty()) return 0;
    size_t b = 0;
    while (b < scene.bodies.size() && scene.bodies[b].name != name) ++b;
    return b;
}

std::optional<Error> check_scene(const Scene& scene, const PlaceOf& place_of)
{
    if (scene.grooms.empty()) return Error{fmt::format("{}: the scene has no strands; add a [groom]", place_of(""))};
    if (auto wrong = check_size(scene, place_of)) return wrong;
    if (auto wrong = check_bodies(scene, place_of)) return wrong;
    if (auto wrong = check_clips(scene, place_of)) return wrong;
    if (auto wrong = check_shape(scene, place_of)) return wrong;
    if (auto wrong = check_pbd(scene, place_of)) return wrong;
    if (auto wrong = check_springs(scene, place_of)) return wrong;
    if (auto wrong = check_strings(scene, place_of)) return wrong;
    for (size_t g = 0; g < scene.grooms.size(); ++g)
        if (auto wrong = check_groom(scene, g, place_of)) return wrong;
    for (size_t h = 0; h < scene.holds.size(); ++h)
        if (auto wrong = check_hold(scene, h, place_of)) return wrong;
    return check_colliders(scene, place_of);
}

}  // namespace tendril
