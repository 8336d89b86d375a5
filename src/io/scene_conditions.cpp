// When the keys of a scene have an effect. Tables of the world are judged for each groom, as a groom may have its own
// settings. The settings of each method, [solver.dftl] and so on, have no conditions: a scene is meant to be run with
// several methods, and may hold the settings of all of them. For the same reason, keys of [render] may depend on each
// other but not on the quality, which the command line chooses.
#include "io/scene_conditions.h"

#include "io/scene_motion.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril {
namespace {

using Strings = std::vector<std::string_view>;

const SceneGroom& groom_at(const Scene& scene, size_t g)
{
    return scene.grooms[g];
}
bool reads_file(const Scene& scene, size_t g)
{
    return !groom_at(scene, g).file.empty();
}
bool has_style(const Scene& scene, size_t g, StyleType style)
{
    return !reads_file(scene, g) && groom_at(scene, g).style == style;
}
bool is_rope(const Scene& scene, size_t g)
{
    return has_style(scene, g, StyleType::kRope);
}
bool is_on_mesh(const Scene& scene, size_t g)
{
    return !reads_file(scene, g) && !is_rope(scene, g) && !has_style(scene, g, StyleType::kSphere);
}
bool is_file_of_strings(const Scene& scene, size_t g)
{
    return reads_file(scene, g) && has_strings(scene, g);
}
bool has_shape(const Scene& scene, size_t g)
{
    const ShapeSettings shape = behaviour_of(scene, g).shape;
    return shape.local > 0 || shape.global > 0;
}
bool has_drag(const Scene& scene, size_t g)
{
    const AirSettings air = behaviour_of(scene, g).air;
    return air.drag_normal > 0 || air.drag_tangential > 0;
}

bool is_rigid(const SceneBody& body)
{
    return body.rigid != SceneRigid::kNone;
}
bool has_mesh_file(const SceneBody& body)
{
    return body.mesh != "none" && body.mesh != "sphere" && body.mesh != "bust" && body.mesh != "creature";
}
/// Whether the body has a built-in motion, except for these.
bool moves(const SceneBody& body, std::initializer_list<MotionType> except)
{
    const auto type = motion_type(body.clip);
    return !is_rigid(body) && type && std::find(except.begin(), except.end(), *type) == except.end();
}
bool has_kind(const Scene& scene, size_t c, std::initializer_list<SceneColliderKind> kinds)
{
    return std::find(kinds.begin(), kinds.end(), scene.colliders[c].kind) != kinds.end();
}
bool has_colliders(const Scene& scene, size_t)
{
    const auto collides = [](const SceneBody& b) { return b.collide != BodyCollide::kNone || is_rigid(b); };
    return !scene.colliders.empty() || std::any_of(scene.bodies.begin(), scene.bodies.end(), collides);
}

/// Keys with a common condition.
struct ConditionalKeys {
    std::string_view table;
    Strings keys;  ///< full names; "grid." stands for all keys that begin with it, "" for all keys
    KeyCondition condition;
};

void add_groom_conditions(std::vector<ConditionalKeys>& list)
{
    list.insert(
        list.end(),
        {{"groom",
          {"style", "strands", "particles", "length"},
          {"without `file`", [](const Scene& s, size_t g) { return !reads_file(s, g); }}},
         {"groom",
          {"length_spread"},
          {"with a `style` other than `\"rope\"`, and without `file`",
           [](const Scene& s, size_t g) { return !reads_file(s, g) && !is_rope(s, g); }}},
         {"groom",
          {"coverage"},
          {"with `style = \"sphere\"`, and without `file`",
           [](const Scene& s, size_t g) { return has_style(s, g, StyleType::kSphere); }}},
         {"groom",
          {"spacing", "span", "direction", "rope_tip_width"},
          {"with `style = \"rope\"`, and without `file`", is_rope}},
         {"groom",
          {"rope_width", "ends"},
          {"with `style = \"rope\"`, or for a `file` with `solver.type = \"chain_shape\"`",
           [](const Scene& s, size_t g) { return is_rope(s, g) || is_file_of_strings(s, g); }}},
         {"groom",
          {"material", "density", "young", "yield", "plastic", "rupture", "bend_modulus", "shear_modulus",
           "strength_variation", "straight_rest", "clamped", "tie"},
          {"with `solver.type = \"chain_shape\"`", has_strings}},
         {"groom", {"bind", "unit_scale", "up", "resample", "strict", "follow_hairs"}, {"with `file`", reads_file}},
         {"groom",
          {"bones"},
          {"with `file` and `bind = \"auto\"`",
           [](const Scene& s, size_t g) { return reads_file(s, g) && groom_at(s, g).bind == BindType::kAuto; }}},
         {"groom",
          {"follow_radius"},
          {"with `file` and `follow_hairs` above 0",
           [](const Scene& s, size_t g) { return reads_file(s, g) && groom_at(s, g).follow_hairs > 0; }}},
         {"groom",
          {"sequence", "root_angle", "materials", "groups", "lie", "droop", "clump", "frizz", "root_width", "tip_width",
           "root_colour", "tip_colour"},
          {"with `style = \"straight\"`, `\"wavy\"` or `\"curly\"`, and without `file`", is_on_mesh}},
         {"groom",
          {"density_map", "length_map"},
          {"with `style = \"straight\"`, `\"wavy\"` or `\"curly\"`, and without `file`", is_on_mesh,
           KeyCondition::Harm::kLosesMap}},
         {"groom",
          {"root_direction"},
          {"with `root_angle` below pi, `style = \"straight\"`, `\"wavy\"` or `\"curly\"`, and without `file`",
           [](const Scene& s, size_t g) {
               return is_on_mesh(s, g) && static_cast<double>(groom_at(s, g).scatter.angle) < 3.14159;
           }}},
         {"groom",
          {"curl_radius", "curl_pitch", "curl_phase"},
          {"with `style = \"wavy\"` or `\"curly\"`, and without `file`",
           [](const Scene& s, size_t g) {
               return has_style(s, g, StyleType::kWavy) || has_style(s, g, StyleType::kCurly);
           }}},
         {"groom",
          {"lie_direction"},
          {"with `lie` or `droop` above 0, `style = \"straight\"`, `\"wavy\"` or `\"curly\"`, and without `file`",
           [](const Scene& s, size_t g) {
               return is_on_mesh(s, g) && (groom_at(s, g).hair.lie > 0 || groom_at(s, g).hair.droop > 0);
           }}},
         {"groom",
          {"clump_size"},
          {"with `clump` above 0, `style = \"straight\"`, `\"wavy\"` or `\"curly\"`, and without `file`",
           [](const Scene& s, size_t g) { return is_on_mesh(s, g) && groom_at(s, g).hair.clump > 0; }}},
         {"groom",
          {"frizz_size"},
          {"with `frizz` above 0, `style = \"straight\"`, `\"wavy\"` or `\"curly\"`, and without `file`",
           [](const Scene& s, size_t g) { return is_on_mesh(s, g) && groom_at(s, g).hair.frizz > 0; }}},
         {"groom",
          {"stiffness_map"},
          {"with `shape.local` or `shape.global` above 0",
           [](const Scene& s, size_t g) {
               const SolverType type = behaviour_of(s, g).solver.type;
               return has_shape(s, g) || type == SolverType::kTressfx || type == SolverType::kTractrixSplit;
           }}},
         {"groom", {"guide_mode"}, {"with `guides` below 1", [](const Scene& s, size_t g) {
                                        return groom_at(s, g).guides < 1;
                                    }}}});
}

void add_body_conditions(std::vector<ConditionalKeys>& list)
{
    using M = MotionType;
    list.insert(
        list.end(),
        {{"body",
          {"size", "mass", "friction", "restitution", "linear_damping", "angular_damping", "velocity", "spin",
           "rotation"},
          {"for a rigid body, see `rigid`", [](const Scene& s, size_t b) { return is_rigid(s.bodies[b]); }}},
         {"body",
          {"mesh", "clip", "jump_time"},
          {"without `rigid`", [](const Scene& s, size_t b) { return !is_rigid(s.bodies[b]); }}},
         {"body",
          {"unit_scale", "up"},
          {"for a `mesh` from a file, and without `rigid`",
           [](const Scene& s, size_t b) { return has_mesh_file(s.bodies[b]) && !is_rigid(s.bodies[b]); }}},
         {"body",
          {"radius"},
          {"with `mesh = \"sphere\"`, and without `rigid`",
           [](const Scene& s, size_t b) { return s.bodies[b].mesh == "sphere" && !is_rigid(s.bodies[b]); }}},
         {"body",
          {"clip_speed", "clip_loop"},
          {"if `clip` is a clip of the mesh, and without `rigid`",
           [](const Scene& s, size_t b) { return !motion_type(s.bodies[b].clip) && !is_rigid(s.bodies[b]); }}},
         {"body",
          {"motion_axis"},
          {"if `clip` is `\"sway\"`, `\"turn\"`, `\"spin\"`, `\"circle\"`, `\"pull\"` or `\"twist\"`, and without "
           "`rigid`",
           [](const Scene& s, size_t b) {
               return moves(s.bodies[b], {M::kStill, M::kNod});
           }}},
         {"body",
          {"amplitude"},
          {"if `clip` is a built-in motion other than `\"still\"` and `\"spin\"`, and without `rigid`",
           [](const Scene& s, size_t b) {
               return moves(s.bodies[b], {M::kStill, M::kSpin});
           }}},
         {"body",
          {"period", "start"},
          {"if `clip` is a built-in motion other than `\"still\"`, and without `rigid`",
           [](const Scene& s, size_t b) { return moves(s.bodies[b], {M::kStill}); }}},
         {"body",
          {"jump"},
          {"with `jump_time` of at least 0, and without `rigid`",
           [](const Scene& s, size_t b) { return s.bodies[b].jump_time >= 0 && !is_rigid(s.bodies[b]); }}},
         {"body",
          {"collide_cell"},
          {"with `collide = \"field\"` or `\"marching\"`",
           [](const Scene& s, size_t b) {
               return s.bodies[b].collide == BodyCollide::kField || s.bodies[b].collide == BodyCollide::kMarching;
           }}},
         {"body", {"copy_step"}, {"with `copies` above 1", [](const Scene& s, size_t b) {
                                      return s.bodies[b].copies > 1;
                                  }}}});
}

void add_collider_conditions(std::vector<ConditionalKeys>& list)
{
    using K = SceneColliderKind;
    const auto is_string = [](const Scene& s, size_t h) {
        const int64_t g = s.holds[h].groom;
        return g < 0 || g >= static_cast<int64_t>(s.grooms.size()) || has_strings(s, static_cast<size_t>(g));
    };
    list.insert(
        list.end(),
        {{"hold", {"clamped", "slide"}, {"for a groom with `solver.type = \"chain_shape\"`", is_string}},
         {"collider",
          {"b"},
          {"with `shape = \"capsule\"`", [](const Scene& s, size_t c) { return has_kind(s, c, {K::kCapsule}); }}},
         {"collider",
          {"radius"},
          {"with `shape = \"sphere\"`, `\"capsule\"` or `\"torus\"`",
           [](const Scene& s, size_t c) {
               return has_kind(s, c, {K::kSphere, K::kCapsule, K::kTorus});
           }}},
         {"collider",
          {"radius_b"},
          {"with `shape = \"capsule\"` or `\"torus\"`",
           [](const Scene& s, size_t c) {
               return has_kind(s, c, {K::kCapsule, K::kTorus});
           }}},
         {"collider",
          {"size", "round"},
          {"with `shape = \"box\"`", [](const Scene& s, size_t c) { return has_kind(s, c, {K::kBox}); }}},
         {"collider",
          {"up"},
          {"with `shape = \"box\"`, `\"plane\"` or `\"torus\"`",
           [](const Scene& s, size_t c) {
               return has_kind(s, c, {K::kBox, K::kPlane, K::kTorus});
           }}},
         {"collider", {"spin"}, {"with `shape = \"box\"` or `\"torus\"`", [](const Scene& s, size_t c) {
                                     return has_kind(s, c, {K::kBox, K::kTorus});
                                 }}}});
}

void add_world_conditions(std::vector<ConditionalKeys>& list)
{
    using I = InteractionMethod;
    list.insert(
        list.end(),
        {{"sim", {"settle_wind"}, {"with `settle` above 0", [](const Scene& s, size_t) { return s.settle > 0; }}},
         {"contact", {""}, {"with colliders, see `[[collider]]`, `body.collide` and `body.rigid`", has_colliders}},
         {"wind", {"velocity", "turbulence", "duration"}, {"with drag, see `[air]`", has_drag}},
         {"wind",
          {"gust"},
          {"with `velocity`, and with drag, see `[air]`",
           [](const Scene& s, size_t g) { return has_drag(s, g) && length(s.world.wind.velocity) > 0; }}},
         {"wind",
          {"gust_period"},
          {"with `gust` above 0 and `velocity`, and with drag, see `[air]`",
           [](const Scene& s, size_t g) {
               return has_drag(s, g) && s.world.wind.gust > 0 && length(s.world.wind.velocity) > 0;
           }}},
         {"wind",
          {"turbulence_size"},
          {"with `turbulence` above 0, and with drag, see `[air]`",
           [](const Scene& s, size_t g) { return has_drag(s, g) && s.world.wind.turbulence > 0; }}},
         {"wind",
          {"start"},
          {"with `duration` above 0, and with drag, see `[air]`",
           [](const Scene& s, size_t g) { return has_drag(s, g) && s.world.wind.duration > 0; }}},
         {"shape",
          {"fade", "damping", "drag", "load", "sag_free", "form", "units"},
          {"with `local` or `global` above 0", has_shape}},
         {"interaction",
          {"grid.s_friction", "grid.s_repulsion"},
          {"with `method = \"grid\"` and `form = \"paper\"`",
           [](const Scene& s, size_t) {
               return s.world.interaction.method == I::kGrid && s.world.interaction.form == Form::kPaper;
           }}},
         {"interaction",
          {"grid.friction", "grid.repulsion", "grid.tolerance"},
          {"with `method = \"grid\"` and `form = \"stable\"`",
           [](const Scene& s, size_t) {
               return s.world.interaction.method == I::kGrid && s.world.interaction.form == Form::kStable;
           }}},
         {"interaction",
          {"grid."},
          {"with `method = \"grid\"`", [](const Scene& s, size_t) { return s.world.interaction.method == I::kGrid; }}},
         {"interaction",
          {"sph."},
          {"with `method = \"sph\"`", [](const Scene& s, size_t) { return s.world.interaction.method == I::kSph; }}},
         {"interaction",
          {"contacts.voxel"},
          {"with `search = \"seven_voxels\"`, a `method` other than `\"none\"` and `solver.type = \"chain_shape\"`",
           [](const Scene& s, size_t g) {
               return s.world.interaction.method != I::kNone && has_strings(s, g) &&
                      s.world.interaction.contacts.search == PairSearch::kSevenVoxels;
           }}},
         {"interaction",
          {"contacts."},
          {"with a `method` other than `\"none\"` and `solver.type = \"chain_shape\"`",
           [](const Scene& s, size_t g) { return s.world.interaction.method != I::kNone && has_strings(s, g); }}}});
}

void add_render_conditions(std::vector<ConditionalKeys>& list)
{
    list.insert(
        list.end(),
        {{"render",
          {"zoom"},
          {"with `camera = \"framed\"`",
           [](const Scene& s, size_t) { return s.render.camera == CameraType::kFramed; }}},
         {"render",
          {"distance"},
          {"with `camera = \"orbit\"`", [](const Scene& s, size_t) { return s.render.camera == CameraType::kOrbit; }}},
         {"render",
          {"azimuth", "elevation"},
          {"with `camera = \"framed\"` or `\"orbit\"`",
           [](const Scene& s, size_t) { return s.render.camera != CameraType::kLookAt; }}},
         {"render",
          {"target"},
          {"with `camera = \"orbit\"` or `\"look_at\"`",
           [](const Scene& s, size_t) { return s.render.camera != CameraType::kFramed; }}},
         {"render",
          {"eye"},
          {"with `camera = \"look_at\"`",
           [](const Scene& s, size_t) { return s.render.camera == CameraType::kLookAt; }}},
         {"render",
          {"focus"},
          {"with `aperture` above 0", [](const Scene& s, size_t) { return s.render.aperture > 0; }}},
         {"render",
          {"ground_height"},
          {"with `ground = \"on\"`", [](const Scene& s, size_t) { return s.render.ground == GroundType::kOn; }}},
         {"render",
          {"look.string", "look.stripe", "look.stripes"},
          {"with `solver.type = \"chain_shape\"`", has_strings}}});
}

const std::vector<ConditionalKeys>& conditional_keys()
{
    static const std::vector<ConditionalKeys> list = [] {
        std::vector<ConditionalKeys> made;
        add_groom_conditions(made);
        add_body_conditions(made);
        add_collider_conditions(made);
        add_world_conditions(made);
        add_render_conditions(made);
        return made;
    }();
    return list;
}

/// Whether a key acts for at least one groom of the scene.
bool acts_for_a_groom(const KeyCondition& condition, const Scene& scene)
{
    for (size_t g = 0; g < scene.grooms.size(); ++g)
        if (condition.holds(scene, g)) return true;
    return scene.grooms.empty();
}

std::string without_backticks(std::string_view text)
{
    std::string plain(text);
    std::erase(plain, '`');
    return plain;
}

}  // namespace

const KeyCondition* acts_when(const SceneTable& table, const Setting& key)
{
    std::string_view name = table.name, of_key = key.name;
    if (const Setting* of_world = key_of_world(table, key)) {  // [groom.shape] has the conditions of [shape]
        const size_t dot = of_key.find('.');
        name = of_key.substr(0, dot);
        of_key = of_world->name;
        if (name == "look") name = "render";
    }
    for (const ConditionalKeys& list : conditional_keys()) {
        if (list.table != name) continue;
        for (const std::string_view listed : list.keys) {
            const bool group = listed.empty() || listed.back() == '.';
            if (group ? of_key.substr(0, listed.size()) == listed : of_key == listed) return &list.condition;
        }
    }
    return nullptr;
}

bool acts(const Scene& scene, const SceneTable& table, size_t index, const Setting& key)
{
    const KeyCondition* condition = acts_when(table, key);
    if (!condition) return true;
    const SettingValue value = value_of(scene, table, index, key);
    if (const auto* text = std::get_if<std::string>(&value); text && text->empty()) return true;
    return table.repeated ? condition->holds(scene, index) : acts_for_a_groom(*condition, scene);
}

IdleKeys describe_idle(const std::vector<IdleKey>& keys)
{
    IdleKeys out;
    std::vector<const KeyCondition*> done;
    for (const IdleKey& first : keys) {
        const KeyCondition* condition = acts_when(*first.table, *first.key);
        if (std::find(done.begin(), done.end(), condition) != done.end()) continue;
        done.push_back(condition);
        std::vector<std::string> names;
        for (const IdleKey& other : keys) {
            const std::string name = fmt::format("{}.{}", other.table->name, other.key->name);
            if (acts_when(*other.table, *other.key) == condition &&
                std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
        }
        const bool one = names.size() == 1;
        const std::string text =
            fmt::format("{}: {} {} no effect; {} only {}", first.location, fmt::join(names, ", "), one ? "has" : "have",
                        one ? "it acts" : "they act", without_backticks(condition->when));
        if (condition->harm == KeyCondition::Harm::kLosesMap)
            out.errors.push_back(text);
        else
            out.warnings.push_back(text);
    }
    return out;
}

}  // namespace tendril
