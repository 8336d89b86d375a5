// What a page is told of keys and scenes, as JSON.
#include "session/session_state.h"
#include "tendril/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace tendril::session {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Vec3d& v)
{
    return {v.x, v.y, v.z};
}

Json json_of(const SceneKey& key, const SceneValue& value)
{
    if (key.type == KeyType::kChoice) return key.choices[static_cast<size_t>(std::get<int64_t>(value))];
    if (const auto* v = std::get_if<Vec3d>(&value)) return json_of(*v);
    if (const auto* t = std::get_if<std::string>(&value)) return *t;
    if (const auto* b = std::get_if<bool>(&value)) return *b;
    if (const auto* i = std::get_if<int64_t>(&value)) return *i;
    return std::get<double>(value);
}

const char* type_name(KeyType type)
{
    switch (type) {
        case KeyType::kNumber: return "number";
        case KeyType::kInteger: return "integer";
        case KeyType::kBoolean: return "boolean";
        case KeyType::kChoice: return "choice";
        case KeyType::kText: return "text";
        case KeyType::kVector: return "vector";
        case KeyType::kDirection: return "direction";
        case KeyType::kGravity: return "gravity";
    }
    return "";
}

/// Of no limit: null.
Json limit(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json key_of(const SceneTable& table, const SceneKey& key)
{
    return {{"name", key.name},
            {"type", type_name(key.type)},
            {"unit", key.unit},
            {"least", limit(key.range.least)},
            {"most", limit(key.range.most)},
            {"choices", key.choices},
            {"meaning", key.meaning},
            {"default", json_of(key, default_of(table, key))},
            {"live", is_live(table, key)}};
}

/// By "solver.type", "groom.0.length".
Json values_of(const Scene& scene)
{
    Json values = Json::object();
    for (const SceneTable& table : scene_tables())
        for (size_t i = 0; i < table.count(scene); ++i)
            for (const SceneKey& key : table.keys) {
                const std::string name = table.repeated ? fmt::format("{}.{}.{}", table.name, i, key.name)
                                                        : fmt::format("{}.{}", table.name, key.name);
                values[name] = json_of(key, value_of(scene, table, i, key));
            }
    return values;
}

Json strands_of(const Shown& shown)
{
    Json list = Json::array();
    for (const StrandsPart& part : shown.parts())
        list.push_back({{"groom", part.groom},
                        {"follow", part.follow},
                        {"strands", part.first_point.size() - 1},
                        {"points", part.widths.size()},
                        {"string", part.string}});
    return list;
}

Json meshes_of(const Running& running, const Scene& scene)
{
    Json list = Json::array();
    for (const MeshPart& mesh : running.shown.meshes())
        list.push_back({{"body", mesh.body},
                        {"name", running.bodies[mesh.body].name},
                        {"vertices", mesh.vertices},
                        {"colour", json_of(scene.render.skin)}});
    return list;
}

Json bodies_of(const Running& running)
{
    Json list = Json::array();
    for (size_t b = 0; b < running.bodies.size(); ++b)
        list.push_back({{"name", running.bodies[b].name}, {"movable", running.moved.is_movable(b)}});
    return list;
}

/// The radius at b, or that of the tube, as the world takes it.
double radius_b(const SceneCollider& c)
{
    if (c.radius_b >= 0) return c.radius_b;
    return c.shape == SceneShape::kTorus ? c.radius / 4 : c.radius;
}

Json colliders_of(const Running& running, const Scene& scene)
{
    constexpr const char* kShapes[] = {"sphere", "capsule", "box", "plane", "torus"};
    Json list = Json::array();
    for (const SceneCollider& c : scene.colliders) {
        size_t body = 0;
        for (size_t b = 0; b < running.bodies.size(); ++b)
            if (running.bodies[b].name == c.body) body = b;
        const SceneBody& carrier = running.bodies[body];
        list.push_back({{"shape", kShapes[static_cast<size_t>(c.shape)]},
                        {"body", body},
                        {"a", json_of(c.a)},
                        {"b", json_of(c.b)},
                        {"radius", c.radius},
                        {"radiusB", radius_b(c)},
                        {"size", json_of(c.size)},
                        {"round", c.round},
                        {"up", json_of(c.up)},
                        {"spin", c.spin},
                        {"visible", carrier.mesh == "none" && carrier.rigid == SceneRigid::kNone}});
    }
    return list;
}

/// What was mended, and how often.
Json repairs_of(const World& world)
{
    Json list = Json::array();
    for (uint32_t g = 0; g < world.groom_count(); ++g)
        for (const Repair& repair : world.groom({g}).repairs())
            list.push_back(fmt::format("{}: {}", repair.what, repair.count));
    return list;
}

}  // namespace

std::string keys_json()
{
    Json tables = Json::array();
    for (const SceneTable& table : scene_tables()) {
        Json keys = Json::array();
        for (const SceneKey& key : table.keys) keys.push_back(key_of(table, key));
        tables.push_back({{"name", table.name},
                          {"meaning", table.meaning},
                          {"repeated", table.repeated},
                          {"keys", std::move(keys)}});
    }
    return tables.dump();
}

std::string Session::info_json() const
{
    const Scene& scene = state_->scene;
    const Running& r = state_->running;
    const Camera& camera = r.shown.camera();
    const Json info = {
        {"name", scene.name},
        {"solver", kSolverNames[static_cast<size_t>(scene.world.solver.type)]},
        {"dt", scene.world.dt},
        {"strands", strands_of(r.shown)},
        {"meshes", meshes_of(r, scene)},
        {"bodies", bodies_of(r)},
        {"colliders", colliders_of(r, scene)},
        {"camera",
         {{"eye", json_of(camera.eye)},
          {"target", json_of(camera.target)},
          {"up", json_of(camera.up)},
          {"field", camera.field}}},
        {"ground", r.shown.ground().visible ? Json(r.shown.ground().height) : Json(nullptr)},
        {"look",
         {{"colour", json_of(to_double(r.shown.hair_colour()))},
          {"string", json_of(scene.render.string)},
          {"stripe", json_of(scene.render.stripe)},
          {"stripes", scene.render.stripes}}},
        {"particles", r.world.particle_count()},
        {"repairs", repairs_of(r.world)},
        {"values", values_of(scene)},
    };
    // A name in a scene may hold any bytes; JSON may not.
    return info.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tendril::session
