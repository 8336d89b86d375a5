// A scene around a file that somebody brings: curves as they are, or a mesh that hair grows on.
#include "session.h"
#include "tendril/collider.h"
#include "tendril/curve_file.h"
#include "tendril/mesh.h"
#include "tendril/render.h"
#include "tendril/scene_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace tendril::web {
namespace {

/// Largest edge of a box.
double size_of(const Box& box)
{
    const Vec3d edges = box.high - box.low;
    return box.empty() ? 0 : std::max({edges.x, edges.y, edges.z});
}

// Heads, people and animals have sizes between these [m].
constexpr double kSmall = 0.15, kLarge = 3;

/// Metres per unit for something of a size in units that a file does not name: the unit that people use, from metres
/// down to millimetres, in which it is about as large as a head or a person; else the power of ten that makes it so.
double likely_unit(double size)
{
    if (!(size > 0)) return 1;
    for (const double unit : {1.0, 0.01, 0.001, 0.0254})
        if (size * unit >= kSmall && size * unit <= kLarge) return unit;
    return std::pow(10.0, std::round(std::log10(0.5 / size)));
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

/// Hair hangs, or lies on what it grows on: where it does so along z, that axis is down.
bool hangs_along_z(const GroomData& data)
{
    Vec3d sum{0, 0, 0};
    double reach = 0;
    for (size_t s = 0; s < data.strand_count(); ++s) {
        if (data.first_point[s] + 1 >= data.first_point[s + 1]) continue;
        const Vec3d d =
            to_double(data.points[data.first_point[s + 1] - 1]) - to_double(data.points[data.first_point[s]]);
        if (!is_finite(d)) continue;
        sum += d;
        reach += length(d);
    }
    return reach > 0 && sum.z < -0.5 * reach && std::abs(sum.y) < 0.3 * reach;
}

/// A scene that strands of some style are shown well in.
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

// More points than this are too many to simulate while somebody looks on.
constexpr double kMostPoints = 400'000;

std::string with_head(const std::string& name, const std::string& comments, const Scene& scene)
{
    std::string title = name;  // a comment has one line
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
        comments += fmt::format("# The file does not say its unit: {:.3g} units of {:.4g} m make it {:.2f} m large.\n",
                                size, unit, size * unit);
    }
    if (curves.up == UpAxis::kUnknown && hangs_along_z(groom->data())) {
        description.up = UpAxis::kZ;
        comments += "# Nor which way is up: its strands hang along z.\n";
    }
    const auto points = static_cast<double>(groom->point_count());
    if (points > kMostPoints) {
        description.guides = std::ceil(1000 * kMostPoints / points) / 1000;
        comments += fmt::format("# {:.0f} points are many: some strands are simulated, the others follow.\n", points);
    }
    if (!groom->data().colours.empty()) scene.render.hair = "groom";
    // There is nothing that it could lie on, so its shape keeps it in place.
    scene.world.solver.shape.local = 200;
    scene.world.solver.shape.global = 20;
    return with_head(name, comments, scene);
}

/// The box of a character as it stands at the beginning of a clip.
Box box_of(const Character& character, const ClipPlay& play)
{
    std::vector<Affine> bones(character.bones.size());
    pose_bones(character, play, 0, bones);
    std::vector<Vec3f> vertices(character.mesh.vertices.size());
    skin(character, bones, vertices, *make_serial_executor());
    return box_of(vertices);
}

Result<std::string> scene_of_mesh(const std::string& name, const Character& character)
{
    const ClipPlay play{character.clips.empty() ? -1 : 0};
    const double size = size_of(box_of(character, play)), unit = likely_unit(size);
    if (!(size > 0)) return Error{fmt::format("{}: the mesh has no size", name)};
    Scene scene = plain_scene();
    SceneBody& body = scene.bodies[0];
    body.mesh = name;
    body.unit_scale = unit;
    if (!character.clips.empty()) body.clip = character.clips[0].name;
    ColliderFit fit;
    fit.play = play;
    if (!fit_colliders(character, {}, fit).empty()) body.collide = BodyCollide::kShapes;
    std::string comments;
    if (unit != 1)
        comments = fmt::format("# {:.3g} units are taken for {:.2f} m: it is as large as a head or a person then.\n",
                               size, size * unit);
    SceneGroom& groom = scene.grooms[0];
    groom.style = StyleType::kStraight;
    groom.strands = 4000;
    groom.particles = 16;
    groom.length = std::round(1e4 * 0.12 * size * unit) / 1e4;
    groom.length_spread = 0.2;
    groom.hair.lie = 0.4f;
    scene.world.solver.shape.local = 200;
    scene.world.solver.shape.global = 20;
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
    if (mesh) {
        const auto character = parse_character(bytes, name);
        if (!character) return Error{character.error()};
        return scene_of_mesh(name, *character);
    }
    auto curves = parse_curves(bytes, name);
    if (!curves) return Error{curves.error()};
    return scene_of_curves(name, std::move(*curves));
}

}  // namespace tendril::web
