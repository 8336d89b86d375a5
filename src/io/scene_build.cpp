// From a scene to a world.
#include "io/scene_check.h"
#include "io/scene_groom.h"
#include "io/scene_motion.h"
#include "io/scene_strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>
#include <optional>

namespace tendril {
namespace {

/// A body that moves as its clip says: as a whole, or as a character that plays it.
Result<BodyDescription> describe(const SceneBody& body, const BodyShape& shape)
{
    BodyDescription description;
    description.name = body.name;
    description.function = motion_of(body);
    description.character = shape.character;
    if (motion_type(body.clip)) return description;
    if (!shape.character)
        return Error{fmt::format("there is no clip '{}': body '{}' has no mesh", body.clip, body.name)};
    const auto clip = find_clip(*shape.character, body.clip);
    if (!clip) return Error{fmt::format("{}; any body can: {}", clip.error(), fmt::join(motion_names(), ", "))};
    description.play = {*clip, body.clip_loop, body.clip_speed};
    return description;
}

/// Those strands of a binding that are in a list.
RootBinding chosen(const RootBinding& binding, std::span<const uint32_t> strands)
{
    const auto pick = [&](auto& to, const auto& from) {
        to.clear();
        for (uint32_t s : strands) to.push_back(from[s]);
    };
    RootBinding part = binding;
    if (auto* bones = std::get_if<BoneBinding>(&part)) pick(bones->weights, std::get<BoneBinding>(binding).weights);
    if (auto* faces = std::get_if<TriangleBinding>(&part)) {
        pick(faces->triangles, std::get<TriangleBinding>(binding).triangles);
        pick(faces->weights, std::get<TriangleBinding>(binding).weights);
    }
    return part;
}

/// Guides are simulated, all other strands follow them.
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

Result<GroomId> add_groom(World& world, const Scene& scene, size_t index, const std::vector<BodyShape>& shapes)
{
    const SceneGroom& description = scene.grooms[index];
    const size_t body = body_index(scene, description.body);
    auto strands = load_groom(scene, index, shapes.empty() ? BodyShape{} : shapes[body]);
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
    HoldSettings settings{hold.clamped, hold.slide};
    if (hold.until >= 0) settings.until = hold.until;
    return world.hold({groom, strand, static_cast<size_t>(particle)}, body, 0, hold.offset, settings);
}

/// The number of a bone in the body: the bones of a character come after the body's own frame.
Result<size_t> find_bone(const std::string& bone, const BodyShape& shape)
{
    if (bone.empty()) return size_t{0};
    std::vector<std::string> names;
    if (shape.character)
        for (const Bone& b : shape.character->bones) names.push_back(shape.character->nodes[b.node].name);
    const auto found = std::find(names.begin(), names.end(), bone);
    if (found != names.end()) return static_cast<size_t>(found - names.begin()) + 1;
    size_t number = 0;
    const auto [end, problem] = std::from_chars(bone.data(), bone.data() + bone.size(), number);
    if (problem == std::errc() && end == bone.data() + bone.size() && number <= names.size()) return number;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return Error{fmt::format("there is no bone '{}'; the body has {}", bone, names.empty() ? "none" : list)};
}

/// The shortest turn of the y axis to a direction.
Quat rotation_to(const Vec3d& up)
{
    const Vec3d y = up * (1 / length(up)), mixed = cross(Vec3d{0, 1, 0}, y);
    if (!(y.y > -1 + 1e-12)) return rotation_about({1, 0, 0}, std::numbers::pi);
    return normalized(Quat{mixed.x, mixed.y, mixed.z, 1 + y.y});
}

Result<ColliderId> add_collider(World& world, const Scene& scene, const SceneCollider& c,
                                const std::vector<BodyShape>& shapes)
{
    const size_t body = body_index(scene, c.body);
    const auto bone = find_bone(c.bone, shapes[body]);
    if (!bone) return Error{bone.error()};
    Collider collider;
    collider.body.index = static_cast<uint32_t>(body);
    collider.bone = *bone;
    collider.a = collider.b = c.a;
    collider.radius_a = collider.radius_b = static_cast<float>(c.radius);
    collider.turn = rotation_to(c.up) * rotation_about({0, 1, 0}, c.spin);
    switch (c.shape) {
        case SceneShape::kSphere: break;
        case SceneShape::kCapsule:
            collider.b = c.b;
            if (c.radius_b >= 0) collider.radius_b = static_cast<float>(c.radius_b);
            break;
        case SceneShape::kBox:
            collider.shape = ColliderShape::kBox;
            collider.half = c.size * 0.5;
            collider.radius_a = static_cast<float>(c.round);
            break;
        case SceneShape::kPlane: collider.shape = ColliderShape::kPlane; break;
        case SceneShape::kTorus:
            collider.shape = ColliderShape::kTorus;
            collider.radius_b = static_cast<float>(c.radius_b >= 0 ? c.radius_b : c.radius / 4);
            break;
    }
    return world.add_collider(collider);
}

/// What a body's own mesh is to strands.
std::optional<Error> add_body_colliders(World& world, const SceneBody& body, BodyId id, const BodyShape& shape)
{
    if (body.collide == BodyCollide::kNone) return {};
    if (body.collide != BodyCollide::kShapes) {
        SkinCollider skin{id, SkinMethod::kField, static_cast<float>(body.collide_cell)};
        if (body.collide == BodyCollide::kMarching) skin.method = SkinMethod::kMarching;
        if (body.collide == BodyCollide::kTriangles) skin.method = SkinMethod::kTriangles;
        const auto added = world.add_skin_collider(skin);
        return added ? std::nullopt : std::optional(Error{fmt::format("body '{}': {}", body.name, added.error())});
    }
    const std::vector<Collider> ball = {{.body = id, .radius_a = body.radius, .radius_b = body.radius}};
    ColliderFit fit;
    if (const auto clip = find_clip(*shape.character, body.clip)) fit.play.clip = *clip;
    const std::vector<Collider> list = body.mesh == "sphere" ? ball : fit_colliders(*shape.character, id, fit);
    if (list.empty()) return Error{fmt::format("body '{}': no capsules can be fitted to its mesh", body.name)};
    for (const Collider& collider : list)
        if (const auto added = world.add_collider(collider); !added) return Error{added.error()};
    return {};
}

/// Those of the bodies, then those of the scene.
std::optional<Error> add_colliders(World& world, const Scene& scene, const std::vector<BodyShape>& shapes)
{
    for (size_t b = 0; b < scene.bodies.size(); ++b)
        if (auto wrong = add_body_colliders(world, scene.bodies[b], {static_cast<uint32_t>(b)}, shapes[b]))
            return wrong;
    for (size_t c = 0; c < scene.colliders.size(); ++c)
        if (const auto added = add_collider(world, scene, scene.colliders[c], shapes); !added)
            return Error{fmt::format("[[collider]] {}: {}", c, added.error())};
    return {};
}

}  // namespace

WorldSettings world_settings(const Scene& scene)
{
    WorldSettings settings = scene.world;
    settings.wind.seed = settings.contact.seed = settings.solver.tractrix.seed = scene.seed;
    return settings;
}

Result<World> build_world(const Scene& described, std::shared_ptr<Executor> executor,
                          const ReplaceMotion& replace_motion)
{
    const Scene scene = with_copies(described);
    const std::string name = scene.name.empty() ? "scene" : scene.name;
    if (auto wrong = check_scene(scene, [&](const std::string&) { return std::string(name); })) return *wrong;
    World world(world_settings(scene), std::move(executor));
    std::vector<BodyShape> shapes;
    for (const SceneBody& body : scene.bodies) {
        if (body.rigid != SceneRigid::kNone) {
            shapes.emplace_back();
            const auto added = world.add_rigid_body(rigid_of(body), start_of(body), body.name);
            if (!added) return Error{fmt::format("{}: body '{}': {}", name, body.name, added.error())};
            continue;
        }
        auto shape = load_body(scene, body);
        if (!shape) return Error{fmt::format("{}: body '{}': {}", name, body.name, shape.error())};
        shapes.push_back(std::move(*shape));
        auto description = describe(body, shapes.back());
        if (!description) return Error{fmt::format("{}: body '{}': {}", name, body.name, description.error())};
        if (replace_motion) description->function = replace_motion(shapes.size() - 1, std::move(description->function));
        world.add_body(std::move(*description));
    }
    for (size_t g = 0; g < scene.grooms.size(); ++g)
        if (const auto added = add_groom(world, scene, g, shapes); !added)
            return Error{fmt::format("{}: groom {}: {}", name, g, added.error())};
    for (size_t h = 0; h < scene.holds.size(); ++h)
        if (const auto added = add_hold(world, scene, scene.holds[h]); !added)
            return Error{fmt::format("{}: [[hold]] {}: {}", name, h, added.error())};
    if (const auto wrong = add_colliders(world, scene, shapes)) return Error{name + ": " + wrong->message};
    if (const auto wrong = tie_strings(world, scene)) return Error{name + ": " + wrong->message};
    world.prepare();
    world.settle(scene.settle, scene.settle_wind);
    return world;
}

}  // namespace tendril
