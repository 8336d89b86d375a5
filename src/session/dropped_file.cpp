// Makes a scene for a file that a user drops on the page: its curves, or its mesh with hair grown on it.
#include "tendril/curve_file.h"
#include "tendril/mesh.h"
#include "tendril/render.h"
#include "tendril/scene_keys.h"
#include "tendril/session.h"
#include "tendril/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>

namespace tendril::session {
namespace {

/// Largest edge of a box.
double size_of(const Box& box)
{
    const Vec3d edges = box.high - box.low;
    return box.empty() ? 0 : std::max({edges.x, edges.y, edges.z});
}

/// Guesses the unit of a file that does not name it, from the size of its contents. Returns metres per unit: that of
/// metres, centimetres or millimetres, whichever gives the size closest to a head or a person, or else a power of ten.
double likely_unit(double size)
{
    constexpr double kTypical = 0.6, kMaxOff = 10;  // size [m], and the largest factor from it
    if (!(size > 0)) return 1;
    const auto off = [&](double unit) { return std::abs(std::log(size * unit / kTypical)); };
    double best = 1;
    for (const double unit : {0.01, 0.001})
        if (off(unit) < off(best)) best = unit;
    return off(best) < std::log(kMaxOff) ? best : std::pow(10.0, std::round(std::log10(kTypical / size)));
}

std::string ending_of(const std::string& name)
{
    const size_t dot = name.rfind('.');
    std::string ending = dot == name.npos ? "" : name.substr(dot);
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

Box box_of(std::span<const Vec3f> points)
{
    Box box;
    for (const Vec3f& p : points)
        if (is_finite(p)) box.include(to_double(p));
    return box;
}

/// A scene with settings that suit most grooms.
Scene plain_scene()
{
    Scene scene;
    scene.world.dt = 1.0 / 60;
    scene.world.substeps = 4;
    scene.world.air = {3.0f, 1.5f};
    scene.bodies.emplace_back();
    scene.grooms.emplace_back();
    return scene;
}

// Largest number of points that is simulated interactively.
constexpr double kMaxPoints = 400'000;

std::string with_head(const std::string& name, const std::string& comments, const Scene& scene)
{
    std::string title = name;  // a comment must stay on one line
    std::replace_if(
        title.begin(), title.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
    return fmt::format("# {}\n{}\n{}", title, comments, write_scene(scene));
}

Result<std::string> scene_of_curves(const std::string& name, CurveFile curves)
{
    to_polylines(curves);
    const auto groom = make_groom(curves.data);
    if (!groom) return Error{fmt::format("{}: {}", name, groom.error())};
    const double size = size_of(box_of(groom->data().points));
    Scene scene = plain_scene();
    SceneGroom& description = scene.grooms[0];
    description.file = name;
    std::string comments;
    double unit = curves.metres_per_unit;
    if (!(unit > 0)) {
        description.unit_scale = unit = likely_unit(size);
        comments +=
            fmt::format("# The file does not name its unit. With {:.4g} m per unit, its {:.3g} units are {:.2f} m.\n",
                        unit, size, size * unit);
    }
    const auto points = static_cast<double>(groom->point_count());
    if (points > kMaxPoints) {
        description.guides = std::ceil(1000 * kMaxPoints / points) / 1000;
        comments += fmt::format("# With {:.0f} points, only some strands are simulated; the others follow.\n", points);
    }
    if (!groom->data().colours.empty()) scene.render.look.hair = "groom";
    // There is no body that the strands could lie on, so their shape keeps them in place.
    scene.world.shape.local = 200;
    scene.world.shape.global = 20;
    return with_head(name, comments, scene);
}

/// The bounding box of a character at the start of a clip.
Box box_of(const Character& character, const ClipPlay& play)
{
    std::vector<Affine> bones(character.bones.size());
    pose_bones(character, play, 0, bones);
    std::vector<Vec3f> vertices(character.mesh.vertices.size());
    skin(character, bones, vertices, *make_serial_executor());
    return box_of(vertices);
}

/// Whether the mesh encloses a volume, so that its skin can be a collider.
bool has_inside(Character character, const ClipPlay& play)
{
    BodyDescription description;
    description.character = std::make_shared<const Character>(std::move(character));
    description.play = play;
    World world({}, make_serial_executor());
    const BodyId body = world.add_body(std::move(description));
    return static_cast<bool>(world.add_skin_collider({body}));
}

Result<std::string> scene_of_mesh(const std::string& name, std::span<const std::byte> bytes)
{
    auto character = parse_character(bytes, name);
    if (!character) return Error{character.error()};
    const ClipPlay play{character->clips.empty() ? -1 : 0};
    const double size = size_of(box_of(*character, play)), unit = likely_unit(size);
    if (!(size > 0)) return Error{fmt::format("{}: the mesh has no size", name)};
    Scene scene = plain_scene();
    SceneBody& body = scene.bodies[0];
    body.mesh = name;
    body.unit_scale = unit;
    if (!character->clips.empty()) body.clip = character->clips[0].name;
    if (unit != 1) character = parse_character(bytes, name, {.unit_scale = unit});
    if (character && has_inside(std::move(*character), play)) body.collide = BodyCollide::kField;
    std::string comments;
    if (unit != 1)
        comments = fmt::format(
            "# The mesh is {:.3g} units large. They are taken as {:.2f} m, the size of a head or a person.\n", size,
            size * unit);
    SceneGroom& groom = scene.grooms[0];
    groom.style = StyleType::kStraight;
    groom.strands = 4000;
    groom.particles = 16;
    groom.length = std::round(1e4 * 0.12 * size * unit) / 1e4;
    groom.length_spread = 0.2;
    groom.hair.lie = 0.4f;
    scene.world.shape.local = 200;
    scene.world.shape.global = 20;
    scene.world.interaction.method = InteractionMethod::kGrid;
    return with_head(name, comments, scene);
}

bool has_faces(std::span<const std::byte> bytes)
{
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    const std::string_view all(text, bytes.size());
    return all.substr(0, 2) == "f " || all.find("\nf ") != all.npos;
}

}  // namespace

Result<std::string> scene_for(const std::string& name, std::span<const std::byte> bytes)
{
    const std::string ending = ending_of(name);
    const bool mesh =
        ending == ".glb" || ending == ".gltf" || ending == ".tfxmesh" || (ending == ".obj" && has_faces(bytes));
    if (mesh) return scene_of_mesh(name, bytes);
    auto curves = parse_curves(bytes, name);
    if (!curves) return Error{curves.error()};
    return scene_of_curves(name, std::move(*curves));
}

}  // namespace tendril::session
