// Builds a world from a scene.
#include "io/scene_check.h"
#include "io/scene_groom.h"
#include "io/scene_motion.h"
#include "io/scene_strings.h"
#include "io/scene_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>
#include <optional>

namespace tendril {
namespace {

/// Describes a body with a built-in motion, or with a character that plays a clip.
Result<BodyDescription> description_of(const SceneBody& body, const BodyMesh& mesh)
{
    BodyDescription description;
    description.name = body.name;
    description.function = motion_of(body);
    description.character = mesh.character;
    if (motion_type(body.clip)) return description;
    if (!mesh.character)
        return Error{fmt::format("there is no clip '{}': body '{}' has no mesh", body.clip, body.name)};
    const auto clip = find_clip(*mesh.character, body.clip);
    if (!clip) return Error{fmt::format("{}; any body can: {}", clip.error(), fmt::join(motion_names(), ", "))};
    description.play = {*clip, body.clip_loop, body.clip_speed};
    return description;
}

/// The binding of the strands in a list.
RootBinding chosen(const RootBinding& binding, std::span<const uint32_t> strands)
{
    const auto pick = [&](auto& to, const auto& from) {
        to.clear();
        for (uint32_t s : strands) to.push_back(from[s]);
    };
    RootBinding part = binding;
    if (auto* bones = std::get_if<WeightedBoneBinding>(&part))
        pick(bones->weights, std::get<WeightedBoneBinding>(binding).weights);
    if (auto* faces = std::get_if<TriangleBinding>(&part)) {
        pick(faces->triangles, std::get<TriangleBinding>(binding).triangles);
        pick(faces->weights, std::get<TriangleBinding>(binding).weights);
    }
    return part;
}

/// Adds the guides as a groom and all other strands as its children.
Result<GroomId> add_guided(World& world, const SceneStrands& strands, GroomSettings settings, GuideMode mode)
{
    std::vector<uint32_t> others;
    for (uint32_t s = 0; s < strands.groom.strand_count(); ++s)
        if (!std::binary_search(strands.guides.begin(), strands.guides.end(), s)) others.push_back(s);
    settings.binding = chosen(strands.binding, strands.guides);
    settings.stiffness.clear();
    if (!strands.stiffness.empty())
        for (uint32_t s : strands.guides) settings.stiffness.push_back(strands.stiffness[s]);
    GroomData guide_data = subset(strands.groom.data(), strands.guides);
    guide_data.repairs = strands.groom.repairs();
    guide_data.warnings = strands.groom.warnings();
    auto guides = make_groom(std::move(guide_data));
    if (!guides) return Error{guides.error()};
    auto id = world.add_groom(std::move(*guides), settings);
    if (!id || others.empty()) return id;
    auto children = make_groom(subset(strands.groom.data(), others));
    if (!children) return Error{children.error()};
    const auto added = world.add_children(*id, std::move(*children), mode, chosen(strands.binding, others));
    if (!added) return Error{added.error()};
    return id;
}

Result<GroomId> add_groom(World& world, const Scene& scene, size_t index, const std::vector<BodyMesh>& meshes)
{
    const SceneGroom& description = scene.grooms[index];
    const size_t body = body_index(scene, description.body);
    auto strands = load_groom(scene, index, meshes.empty() ? BodyMesh{} : meshes[body]);
    if (!strands) return Error{strands.error()};
    GroomSettings settings;
    settings.body.index = static_cast<uint32_t>(body);
    settings.particle_mass = description.particle_mass;
    auto material = material_of(description);
    if (!material) return Error{material.error()};
    settings.material = *material;
    settings.strength_variation = description.strength_variation;
    settings.straight = description.straight;
    settings.clamped = description.clamped;
    settings.behaviour = own_behaviour(scene, index);
    if (!strands->guides.empty()) return add_guided(world, *strands, std::move(settings), description.guide_mode);
    settings.binding = std::move(strands->binding);
    settings.stiffness = std::move(strands->stiffness);
    return world.add_groom(std::move(strands->groom), std::move(settings));
}

Result<HoldId> add_hold(World& world, const Scene& scene, const SceneHold& hold)
{
    const BodyId body{static_cast<uint32_t>(body_index(scene, hold.body))};
    const GroomId groom{static_cast<uint32_t>(hold.groom)};
    const auto strand = static_cast<size_t>(hold.strand);
    if (strand >= world.groom(groom).strand_count())
        return Error{
            fmt::format("strand {} does not exist; the groom has {}", strand, world.groom(groom).strand_count())};
    const auto particles = static_cast<int64_t>(world.groom(groom).points(strand).size());
    const int64_t particle = hold.particle < 0 ? particles + hold.particle : hold.particle;
    if (particle < 0 || particle >= particles)
        return Error{fmt::format("particle {} does not exist; the strand has {}", hold.particle, particles)};
    HoldSettings settings{hold.clamped, hold.slide};
    if (hold.until >= 0) settings.until = hold.until;
    return world.hold({groom, strand, static_cast<size_t>(particle)}, body, 0, hold.offset, settings);
}

/// Finds the index of a bone in the body. The bones of a character come after the body's own frame.
Result<size_t> find_bone(const std::string& bone, const BodyMesh& mesh)
{
    if (bone.empty()) return size_t{0};
    std::vector<std::string> names;
    if (mesh.character)
        for (const Bone& b : mesh.character->bones) names.push_back(mesh.character->nodes[b.node].name);
    const auto found = std::find(names.begin(), names.end(), bone);
    if (found != names.end()) return static_cast<size_t>(found - names.begin()) + 1;
    size_t number = 0;
    const auto [end, problem] = std::from_chars(bone.data(), bone.data() + bone.size(), number);
    if (problem == std::errc() && end == bone.data() + bone.size() && number <= names.size()) return number;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return Error{fmt::format("there is no bone '{}'; the body has {}", bone, names.empty() ? "none" : list)};
}

/// The smallest rotation that turns the y axis to a direction.
Quat rotation_to(const Vec3d& up)
{
    const Vec3d y = up * (1 / length(up)), mixed = cross(Vec3d{0, 1, 0}, y);
    if (!(y.y > -1 + 1e-12)) return rotation_about({1, 0, 0}, std::numbers::pi);
    return normalized(Quat{mixed.x, mixed.y, mixed.z, 1 + y.y});
}

Result<ColliderId> add_collider(World& world, const Scene& scene, const SceneCollider& c,
                                const std::vector<BodyMesh>& meshes)
{
    const size_t body = body_index(scene, c.body);
    const auto bone = find_bone(c.bone, meshes[body]);
    if (!bone) return Error{bone.error()};
    Collider collider;
    collider.body.index = static_cast<uint32_t>(body);
    collider.bone = *bone;
    collider.a = collider.b = c.a;
    collider.radius_a = collider.radius_b = static_cast<float>(c.radius);
    collider.turn = rotation_to(c.up) * rotation_about({0, 1, 0}, c.spin);
    switch (c.kind) {
        case SceneColliderKind::kSphere: break;
        case SceneColliderKind::kCapsule:
            collider.b = c.b;
            if (c.radius_b >= 0) collider.radius_b = static_cast<float>(c.radius_b);
            break;
        case SceneColliderKind::kBox:
            collider.kind = ColliderKind::kBox;
            collider.half = c.size * 0.5;
            collider.radius_a = static_cast<float>(c.round);
            break;
        case SceneColliderKind::kPlane: collider.kind = ColliderKind::kPlane; break;
        case SceneColliderKind::kTorus:
            collider.kind = ColliderKind::kTorus;
            collider.radius_b = static_cast<float>(c.radius_b >= 0 ? c.radius_b : c.radius / 4);
            break;
    }
    return world.add_collider(collider);
}

/// Adds the colliders of a body's own mesh.
std::optional<Error> add_body_colliders(World& world, const SceneBody& body, BodyId id, const BodyMesh& mesh)
{
    if (body.collide == BodyCollide::kNone) return {};
    if (body.collide != BodyCollide::kColliders) {
        SkinCollider skin{id, SkinMethod::kField, static_cast<float>(body.collide_cell)};
        if (body.collide == BodyCollide::kMarching) skin.method = SkinMethod::kMarching;
        if (body.collide == BodyCollide::kTriangles) skin.method = SkinMethod::kTriangles;
        const auto added = world.add_skin_collider(skin);
        return added ? std::nullopt : std::optional(Error{fmt::format("body '{}': {}", body.name, added.error())});
    }
    const std::vector<Collider> ball = {{.body = id, .radius_a = body.radius, .radius_b = body.radius}};
    ColliderFit fit;
    if (const auto clip = find_clip(*mesh.character, body.clip)) fit.play.clip = *clip;
    const std::vector<Collider> list = body.mesh == "sphere" ? ball : fit_colliders(*mesh.character, id, fit);
    if (list.empty()) return Error{fmt::format("body '{}': no capsules can be fitted to its mesh", body.name)};
    for (const Collider& collider : list)
        if (const auto added = world.add_collider(collider); !added) return Error{added.error()};
    return {};
}

/// Adds the colliders of all bodies, then those of the scene.
std::optional<Error> add_colliders(World& world, const Scene& scene, const std::vector<BodyMesh>& meshes)
{
    for (size_t b = 0; b < scene.bodies.size(); ++b)
        if (auto wrong = add_body_colliders(world, scene.bodies[b], {static_cast<uint32_t>(b)}, meshes[b]))
            return wrong;
    for (size_t c = 0; c < scene.colliders.size(); ++c)
        if (const auto added = add_collider(world, scene, scene.colliders[c], meshes); !added)
            return Error{fmt::format("[[collider]] {}: {}", c, added.error())};
    return {};
}

/// Sets a groom's own value if its key belongs to this table, as "shape.local" belongs to "shape".
template <class Settings>
void set_own(const SettingTable& table, const Settings& of_world, std::optional<Settings>& own, std::string_view key,
             const SettingValue& value)
{
    const size_t dot = key.find('.');
    if (key.substr(0, dot) != table.name) return;
    if (!own) own = of_world;
    find_setting(table, key.substr(dot + 1))->set(&*own, value);
}

}  // namespace

WorldSettings world_settings(const Scene& scene)
{
    WorldSettings settings = scene.world;
    settings.wind.seed = settings.contact.seed = settings.solver.tractrix.seed = scene.seed;
    return settings;
}

GroomBehaviour own_behaviour(const Scene& scene, size_t groom)
{
    const WorldSettings world = world_settings(scene);
    GroomBehaviour own;
    for (const auto& [key, value] : scene.grooms[groom].own_settings) {
        set_own(solver_settings(), world.solver, own.solver, key, value);
        set_own(shape_settings(), world.shape, own.shape, key, value);
        set_own(air_settings(), world.air, own.air, key, value);
        set_own(contact_settings(), world.contact, own.contact, key, value);
    }
    return own;
}

Behaviour behaviour_of(const Scene& scene, size_t groom)
{
    const GroomBehaviour own = own_behaviour(scene, groom);
    const WorldSettings world = world_settings(scene);
    return {own.solver.value_or(world.solver), own.shape.value_or(world.shape), own.air.value_or(world.air),
            own.contact.value_or(world.contact)};
}

SceneLook look_of(const Scene& scene, size_t groom)
{
    std::optional<SceneLook> own;
    for (const auto& [key, value] : scene.grooms[groom].own_settings)
        set_own(look_settings(), scene.render.look, own, key, value);
    return own.value_or(scene.render.look);
}

bool has_strings(const Scene& scene, size_t groom)
{
    return behaviour_of(scene, groom).solver.type == SolverType::kChainShape;
}

Result<World> build_world(const Scene& described, std::shared_ptr<Executor> executor,
                          const ReplaceMotion& replace_motion)
{
    const Scene scene = with_copies(described);
    const std::string name = scene.name.empty() ? "scene" : scene.name;
    if (auto wrong = check_scene(scene, [&](const std::string&) { return std::string(name); })) return *wrong;
    World world(world_settings(scene), std::move(executor));
    std::vector<BodyMesh> meshes;
    for (const SceneBody& body : scene.bodies) {
        if (body.rigid != SceneRigid::kNone) {
            meshes.emplace_back();
            const auto added = world.add_rigid_body(rigid_of(body), start_of(body), body.name);
            if (!added) return Error{fmt::format("{}: body '{}': {}", name, body.name, added.error())};
            continue;
        }
        auto mesh = load_body(scene, body);
        if (!mesh) return Error{fmt::format("{}: body '{}': {}", name, body.name, mesh.error())};
        meshes.push_back(std::move(*mesh));
        auto description = description_of(body, meshes.back());
        if (!description) return Error{fmt::format("{}: body '{}': {}", name, body.name, description.error())};
        if (replace_motion) description->function = replace_motion(meshes.size() - 1, std::move(description->function));
        world.add_body(std::move(*description));
    }
    for (size_t g = 0; g < scene.grooms.size(); ++g)
        if (const auto added = add_groom(world, scene, g, meshes); !added)
            return Error{fmt::format("{}: groom {}: {}", name, g, added.error())};
    for (size_t h = 0; h < scene.holds.size(); ++h)
        if (const auto added = add_hold(world, scene, scene.holds[h]); !added)
            return Error{fmt::format("{}: [[hold]] {}: {}", name, h, added.error())};
    if (const auto wrong = add_colliders(world, scene, meshes)) return Error{name + ": " + wrong->message};
    if (const auto wrong = tie_strings(world, scene)) return Error{name + ": " + wrong->message};
    world.prepare();
    world.settle(scene.settle, scene.settle_wind);
    return world;
}

}  // namespace tendril
