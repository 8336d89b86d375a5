// Describes keys and scenes as JSON, for the page.
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

Json json_of(const Setting& key, const SettingValue& value)
{
    if (std::holds_alternative<std::monostate>(value)) return nullptr;
    if (key.type == SettingType::kChoice) return key.choices[static_cast<size_t>(std::get<int64_t>(value))];
    if (const auto* v = std::get_if<Vec3d>(&value)) return json_of(*v);
    if (const auto* t = std::get_if<std::string>(&value)) return *t;
    if (const auto* b = std::get_if<bool>(&value)) return *b;
    if (const auto* i = std::get_if<int64_t>(&value)) return *i;
    return std::get<double>(value);
}

const char* type_name(SettingType type)
{
    switch (type) {
        case SettingType::kNumber: return "number";
        case SettingType::kInteger: return "integer";
        case SettingType::kBoolean: return "boolean";
        case SettingType::kChoice: return "choice";
        case SettingType::kText: return "text";
        case SettingType::kVector: return "vector";
        case SettingType::kDirection: return "direction";
        case SettingType::kGravity: return "gravity";
    }
    return "";
}

/// Null if there is no limit.
Json limit(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// The nested table that a key is in; empty: none.
std::string group_of(const Setting& key)
{
    const size_t dot = key.name.find('.');
    return dot == key.name.npos ? "" : key.name.substr(0, dot);
}

Json key_of(const SceneTable& table, const Setting& key)
{
    return {{"name", key.short_name},
            {"group", group_of(key)},
            {"type", type_name(key.type)},
            {"unit", key.unit},
            {"least", limit(key.range.min)},
            {"most", limit(key.range.max)},
            {"choices", key.choices},
            {"meaning", key.meaning},
            {"default", json_of(key, default_of(table, key))},
            {"live", is_live(table, key)}};
}

/// The values of a scene, by names such as "solver.type" and "groom.0.length". A setting that a groom shares with the
/// world is null.
Json values_of(const Scene& scene)
{
    Json values = Json::object();
    for (const SceneTable& table : scene_tables())
        for (size_t i = 0; i < table.count(scene); ++i)
            for (const Setting& key : table.settings) {
                const std::string name = table.repeated ? fmt::format("{}.{}.{}", table.name, i, key.short_name)
                                                        : fmt::format("{}.{}", table.name, key.short_name);
                values[name] = json_of(key, key.get(table.object(const_cast<Scene&>(scene), i)));  // only looked up
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
                        {"string", part.string},
                        {"look",
                         {{"colour", json_of(to_double(part.colour))},
                          {"string", json_of(part.look.string)},
                          {"stripe", json_of(part.look.stripe)},
                          {"stripes", part.look.stripes}}}});
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

/// The radius at b, or of the tube of a torus, with the default that the world uses.
double radius_b(const SceneCollider& c)
{
    if (c.radius_b >= 0) return c.radius_b;
    return c.kind == SceneColliderKind::kTorus ? c.radius / 4 : c.radius;
}

Json colliders_of(const Running& running, const Scene& scene)
{
    constexpr const char* kKinds[] = {"sphere", "capsule", "box", "plane", "torus"};
    Json list = Json::array();
    for (const SceneCollider& c : scene.colliders) {
        size_t body = 0;
        for (size_t b = 0; b < running.bodies.size(); ++b)
            if (running.bodies[b].name == c.body) body = b;
        const SceneBody& carrier = running.bodies[body];
        list.push_back({{"shape", kKinds[static_cast<size_t>(c.kind)]},
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

/// The repairs of all grooms, with their counts, and their warnings.
Json repairs_of(const World& world)
{
    Json list = Json::array();
    for (uint32_t g = 0; g < world.groom_count(); ++g) {
        for (const Repair& repair : world.groom({g}).repairs())
            list.push_back(fmt::format("{}: {}", repair.what, repair.count));
        for (const std::string& warning : world.groom({g}).warnings()) list.push_back(warning);
    }
    return list;
}

}  // namespace

std::string keys_json()
{
    Json tables = Json::array();
    for (const SceneTable& table : scene_tables()) {
        Json keys = Json::array();
        for (const Setting& key : table.settings) keys.push_back(key_of(table, key));
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
        {"particles", r.world.particle_count()},
        {"repairs", repairs_of(r.world)},
        {"values", values_of(scene)},
    };
    // Names in a scene may contain any bytes, but JSON must be valid UTF-8.
    return info.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tendril::session
