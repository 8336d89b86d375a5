#include "io/scene_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tendril {
namespace {

// ---------------------------------------------------------------------------------------------------------------------
// From a path of pointers to members, such as <&Scene::world, &WorldSettings::dt>, to functions that read and write.

template <auto First, auto... Rest>
auto& member(auto& object)
{
    if constexpr (sizeof...(Rest) == 0)
        return object.*First;
    else
        return member<Rest...>(object.*First);
}

template <class T>
T to_member(const SceneKey& key, const SceneValue& value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return key.type == KeyType::kChoice ? key.choices[std::get<int64_t>(value)] : std::get<std::string>(value);
    else if constexpr (std::is_same_v<T, Vec3f>)
        return to_float(std::get<Vec3d>(value));
    else if constexpr (std::is_same_v<T, Vec3d> || std::is_same_v<T, bool>)
        return std::get<T>(value);
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(std::get<double>(value));
    else
        return static_cast<T>(std::get<int64_t>(value));
}

/// 0.9f as 0.9, not as 0.89999998.
double shortest_decimal(float value)
{
    for (double scale = 1; scale <= 1e9; scale *= 10) {
        const double decimal = std::round(static_cast<double>(value) * scale) / scale;
        if (static_cast<float>(decimal) == value) return decimal;
    }
    return value;
}

template <class T>
SceneValue from_member(const SceneKey& key, const T& value)
{
    if constexpr (std::is_same_v<T, std::string>) {
        if (key.type != KeyType::kChoice) return value;
        return std::find(key.choices.begin(), key.choices.end(), value) - key.choices.begin();
    } else if constexpr (std::is_same_v<T, Vec3f>) {
        return Vec3d{shortest_decimal(value.x), shortest_decimal(value.y), shortest_decimal(value.z)};
    } else if constexpr (std::is_same_v<T, Vec3d> || std::is_same_v<T, bool>) {
        return value;
    } else if constexpr (std::is_same_v<T, float>) {
        return shortest_decimal(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<double>(value);
    } else {
        return static_cast<int64_t>(value);
    }
}

template <class Class, class Member>
Class class_of(Member Class::*);

/// A key of a table that stands for an Object: a key cannot get into the wrong table.
template <class Object>
struct KeyOf {
    SceneKey key;
};

template <auto First, auto... Rest>
auto make_key(std::string_view name, KeyType type, std::string_view meaning)
{
    using Object = decltype(class_of(First));
    KeyOf<Object> made;
    made.key.name = name;
    made.key.type = type;
    made.key.meaning = meaning;
    made.key.set = [](const SceneKey& key, void* object, const SceneValue& value) {
        auto& target = member<First, Rest...>(*static_cast<Object*>(object));
        target = to_member<std::remove_reference_t<decltype(target)>>(key, value);
    };
    made.key.get = [](const SceneKey& key, const void* object) {
        return from_member(key, member<First, Rest...>(*static_cast<const Object*>(object)));
    };
    return made;
}

template <auto... Path>
auto number(std::string_view name, std::string_view unit, KeyRange range, std::string_view meaning)
{
    auto made = make_key<Path...>(name, KeyType::kNumber, meaning);
    made.key.unit = unit;
    made.key.range = range;
    return made;
}

template <auto... Path>
auto integer(std::string_view name, KeyRange range, std::string_view meaning)
{
    auto made = make_key<Path...>(name, KeyType::kInteger, meaning);
    made.key.range = range;
    return made;
}

template <auto... Path>
auto boolean(std::string_view name, std::string_view meaning)
{
    return make_key<Path...>(name, KeyType::kBoolean, meaning);
}

template <auto... Path>
auto text(std::string_view name, std::string_view meaning)
{
    return make_key<Path...>(name, KeyType::kText, meaning);
}

template <auto... Path>
auto choice(std::string_view name, const std::vector<std::string>& choices, std::string_view meaning,
            const std::vector<std::string>& later = {})
{
    auto made = make_key<Path...>(name, KeyType::kChoice, meaning);
    made.key.choices = choices;
    made.key.later = later;
    return made;
}

template <auto... Path>
auto vector(std::string_view name, std::string_view unit, KeyRange range, std::string_view meaning,
            KeyType type = KeyType::kVector)
{
    auto made = make_key<Path...>(name, type, meaning);
    made.key.unit = unit;
    made.key.range = range;
    return made;
}

template <class Object>
std::vector<SceneKey> plain_keys(const std::vector<KeyOf<Object>>& typed)
{
    std::vector<SceneKey> keys;
    keys.reserve(typed.size());
    for (const KeyOf<Object>& k : typed) keys.push_back(k.key);
    return keys;
}

/// A table that is there once, for the scene itself or a part of it.
template <auto... Path, class Object>
SceneTable single(std::string_view name, std::string_view meaning, const std::vector<KeyOf<Object>>& keys)
{
    SceneTable table{name, meaning, plain_keys(keys)};
    table.count = [](const Scene&) -> size_t { return 1; };
    table.object = [](Scene& scene, size_t) -> void* {
        Object* part = nullptr;
        if constexpr (sizeof...(Path) == 0)
            part = &scene;
        else
            part = &member<Path...>(scene);
        return part;
    };
    return table;
}

/// A table for the elements of a list of the scene.
template <auto List, class Object>
SceneTable repeated(std::string_view name, std::string_view meaning, const std::vector<KeyOf<Object>>& keys)
{
    SceneTable table{name, meaning, plain_keys(keys)};
    table.repeated = true;
    table.count = [](const Scene& scene) { return (scene.*List).size(); };
    table.object = [](Scene& scene, size_t index) -> void* {
        std::vector<Object>& list = scene.*List;
        if (index == list.size()) list.emplace_back();
        return &list[index];
    };
    return table;
}

// ---------------------------------------------------------------------------------------------------------------------
// The table. Limits that the structs do not have are there so that no value can overflow a float.

constexpr double kAnyNumber = std::numeric_limits<double>::infinity();

SceneTable sim_table()
{
    using W = WorldSettings;
    return single(
        "sim", "Time and gravity.",
        std::vector{
            number<&Scene::world, &W::dt>("dt", "s", {1e-4, 1},
                                          "One step, which is one frame; the promises hold from 0.001 to 0.2."),
            integer<&Scene::world, &W::substeps>("substeps", {1, 1000}, "Substeps per step; more of them damp less."),
            integer<&Scene::frames>("frames", {0, 1e9}, "Steps to take; `--frames` on the command line comes first."),
            vector<&Scene::world, &W::gravity>("gravity", "m/s^2", {-1e6, 1e6},
                                               "Gravity; a single number g means `[0, -g, 0]`.", KeyType::kGravity),
            integer<&Scene::seed>("seed", {0, kAnyNumber},
                                  "Of all that is random: lengths of strands, eddies of the wind."),
            number<&Scene::settle>("settle", "s", {0, 3600},
                                   "Before the first frame strands find their place for so long, while bodies stay as "
                                   "they are at time 0 and the wind waits."),
            vector<&Scene::settle_wind>("settle_wind", "m/s", {-1000, 1000},
                                        "A wind that combs the strands over the first half of `settle`."),
        });
}

/// Keys of a groom that is read from a file.
std::vector<KeyOf<SceneGroom>> file_keys()
{
    using G = SceneGroom;
    return {
        text<&G::file>(
            "file",
            "Curves to read instead of a style: .tfx, .hair, .data, .obj, .usda or a Tendril cache. Files are "
            "looked for beside the scene, then where you are."),
        text<&G::bones>("bones", "A .tfxbone file: which bones of the body carry each strand of `file`."),
        choice<&G::bind>("bind", {"auto", "rigid", "nearest"},
                         "How strands of a file follow the body. `\"auto\"`: by `bones` where given, else each by the "
                         "triangle nearest to its root where the body has a mesh, else all rigidly."),
        number<&G::unit_scale>("unit_scale", "m", {0, 1e6},
                               "Metres per unit of the file; 0: what the file says, or 1."),
        choice<&G::up>("up", {"auto", "y", "z"}, "Which axis of the file points up; auto: what the file says, or y."),
        integer<&G::resample>("resample", {0, 1e6}, "Particles per strand of a file; 0: as they are."),
        boolean<&G::strict>("strict", "Refuse files that would have to be repaired."),
        integer<&G::follow_hairs>("follow_hairs", {0, 1000}, "More strands to grow around each one of the file."),
        number<&G::follow_radius>("follow_radius", "m", {0, 1e3}, "How far away they may be."),
    };
}

/// Keys of hair that is grown on a mesh.
std::vector<KeyOf<SceneGroom>> hair_keys()
{
    using G = SceneGroom;
    using H = HairStyle;
    using S = ScatterSettings;
    return {
        choice<&G::scatter, &S::sequence>("sequence", {"random", "halton", "blue_noise"},
                                          "How roots are spread over the mesh, from the least to the most even."),
        vector<&G::scatter, &S::direction>("root_direction", "", {-1e6, 1e6},
                                           "Roots only where the skin faces this way, see `root_angle`.",
                                           KeyType::kDirection),
        number<&G::scatter, &S::angle>("root_angle", "rad", {0, 3.15},
                                       "How far the skin may face away; pi: everywhere."),
        text<&G::materials>("materials", "Only on these materials of the mesh, separated by commas; empty: all."),
        text<&G::groups>("groups", "Only on these groups of the mesh, separated by commas; empty: all."),
        text<&G::density_map>("density_map", "A picture wrapped around the mesh: white grows hair, black is bare."),
        text<&G::length_map>("length_map", "A picture wrapped around the mesh that multiplies the length."),
        text<&G::stiffness_map>(
            "stiffness_map",
            "A picture wrapped around the mesh that multiplies the stiffness of `[shape]`; the strands must have UVs."),
        number<&G::hair, &H::curl_radius>("curl_radius", "m", {0, 1e3}, "Radius of curls, half the height of waves."),
        number<&G::hair, &H::curl_pitch>("curl_pitch", "m", {1e-5, 1e4}, "Advance per turn or wave."),
        number<&G::hair, &H::curl_phase>("curl_phase", "", {0, 1}, "How much the start of the turns differs."),
        vector<&G::hair, &H::direction>("lie_direction", "", {-1e6, 1e6}, "Where lying and drooping hair points to.",
                                        KeyType::kDirection),
        number<&G::hair, &H::lie>("lie", "", {0, 1}, "0: hair stands up, 1: it lies on the skin."),
        number<&G::hair, &H::droop>("droop", "rad", {0, 3.15}, "How far the tip bends over to `lie_direction`."),
        number<&G::hair, &H::clump>("clump", "", {0, 1}, "How far tips are drawn to the middle of their clump."),
        number<&G::hair, &H::clump_size>("clump_size", "m", {1e-5, 1e4}, "Distance of the middles of clumps."),
        number<&G::hair, &H::frizz>("frizz", "", {0, 1}, "Random sideways motion along the strand."),
        number<&G::hair, &H::frizz_size>("frizz_size", "m", {1e-5, 1e4}, "Length of one wiggle of the frizz."),
        number<&G::hair, &H::root_width>("root_width", "m", {0, 1}, "Diameter at the root."),
        number<&G::hair, &H::tip_width>("tip_width", "m", {0, 1}, "Diameter at the tip."),
        vector<&G::hair, &H::root_colour>("root_colour", "", {0, 1}, "Red, green and blue at the root."),
        vector<&G::hair, &H::tip_colour>("tip_colour", "", {0, 1}, "Red, green and blue at the tip."),
    };
}

std::vector<KeyOf<SceneGroom>> style_keys()
{
    using G = SceneGroom;
    return {
        choice<&G::style>(
            "style", {"rope", "sphere", "straight", "wavy", "curly"},
            "`\"rope\"`: ropes side by side along z from the body's origin; `\"sphere\"`: straight hair on the upper "
            "part of a body with `mesh = \"sphere\"`; the others: hair on the mesh of the body."),
        integer<&G::strands>("strands", {1, kAnyNumber}, "How many; what does not fit into the memory is refused."),
        integer<&G::particles>("particles", {2, 1e6}, "Particles per strand."),
        number<&G::length>("length", "m", {1e-4, 1e4}, "Length of a strand."),
        number<&G::length_spread>("length_spread", "", {0, 0.99}, "Hair: lengths vary by up to this share."),
        number<&G::coverage>("coverage", "", {1e-3, 1},
                             "`\"sphere\"`: share of the surface that carries hair, from the pole down."),
        number<&G::spacing>("spacing", "m", {0, 1e4}, "`\"rope\"`: distance of neighbours."),
        number<&G::span>(
            "span", "", {0.01, 1},
            "`\"rope\"`: distance of the ends over the length; below 1 the rest pose is an arc that hangs."),
        number<&G::rope_width>("rope_width", "m", {0, 10}, "`\"rope\"`: diameter, for pictures only."),
        vector<&G::direction>("direction", "", {-1e6, 1e6}, "`\"rope\"`: where the rest pose points to; any length.",
                              KeyType::kDirection),
        choice<&G::ends>("ends", {"root", "free", "both"}, "`\"rope\"`: which ends the body holds."),
        number<&G::particle_mass>("particle_mass", "kg", {1e-12, 1e6},
                                  "For energies only: follow-the-leader knows no masses."),
        text<&G::body>("body", "Name of the body it grows on; empty: the first."),
    };
}

SceneTable groom_table()
{
    using G = SceneGroom;
    std::vector<KeyOf<G>> keys = style_keys();
    for (const auto& more : {file_keys(), hair_keys()}) keys.insert(keys.end(), more.begin(), more.end());
    keys.push_back(number<&G::guides>(
        "guides", "", {0, 1}, "Share of the strands that is simulated; the others follow them in what comes out."));
    keys.push_back(choice<&G::guide_mode>("guide_mode", {"single", "three"},
                                          "Strands follow the nearest guide, or three around them."));
    return repeated<&Scene::grooms>("groom", "Strands. A scene has at least one groom.", keys);
}

SceneTable body_table()
{
    using B = SceneBody;
    return repeated<&Scene::bodies>(
        "body", "What strands grow on or are held by. Without a body they are fixed to the origin.",
        std::vector{
            text<&B::name>("name", "By which grooms and holds refer to it."),
            text<&B::mesh>(
                "mesh",
                "Its shape: `\"none\"`, `\"sphere\"`, the built-in `\"bust\"` (head and shoulders) or "
                "`\"creature\"`, or a file: .glb, .gltf, .obj or .tfxmesh, looked for beside the scene, then "
                "where you are."),
            number<&B::unit_scale>("unit_scale", "m", {1e-9, 1e6}, "Metres per unit of the file."),
            choice<&B::up>("up", {"auto", "y", "z"}, "Which axis of the file points up; auto is y."),
            number<&B::radius>("radius", "m", {1e-4, 1e4}, "Radius of the sphere."),
            vector<&B::position>("position", "m", {-1e8, 1e8}, "Where it is at rest."),
            text<&B::clip>("clip",
                           "How it moves: the name of a clip of the mesh, or one of `\"still\"`: not at all; "
                           "`\"sway\"`: to and fro along the axis; `\"turn\"`: to and fro about it; `\"spin\"`: round "
                           "and round about it; `\"circle\"`: on a circle across it, without turning; `\"nod\"`: as a "
                           "head that turns about y and nods about x."),
            number<&B::clip_speed>("clip_speed", "", {0, 1000}, "Speed of a clip of the mesh; 2 is twice as fast."),
            boolean<&B::clip_loop>("clip_loop", "A clip of the mesh starts again at its end, else it stays there."),
            vector<&B::motion_axis>("motion_axis", "", {-1e6, 1e6}, "The axis of the motion; any length.",
                                    KeyType::kDirection),
            number<&B::amplitude>("amplitude", "m or rad", {0, 1e6},
                                  "How far: m for sway and circle, rad for turn and nod; the nod is 0.4 of it."),
            number<&B::period>("period", "s", {0.01, 1e6},
                               "Time of one to and fro or one round; of the nod 0.61 of it."),
            number<&B::start>("start", "s", {0, 1e9}, "When the motion sets in, gently over half a period."),
            number<&B::jump_time>(
                "jump_time", "s", {-1, 1e9},
                "From then on the body is elsewhere, which the strands are not told; negative: never."),
            vector<&B::jump>("jump", "m", {-1e8, 1e8}, "How far it jumps."),
            choice<&B::collide>(
                "collide", {"none", "shapes", "field", "marching", "triangles"},
                "How strands stay outside of the mesh. `\"shapes\"`: capsules fitted to its bones, fast and smooth; "
                "`\"field\"`: its skin, by a distance field that follows it; `\"marching\"`: the same by fast "
                "marching, slower; `\"triangles\"`: its triangles themselves, most exact and much slower."),
            number<&B::collide_cell>("collide_cell", "m", {0, 100},
                                     "Cells of the field near the skin; 0: a 200th of the mesh's size."),
        });
}

SceneTable wind_table()
{
    using W = WindSettings;
    return single<&Scene::world, &WorldSettings::wind>(
        "wind", "How the air moves. Without drag, see `[air]`, wind does nothing.",
        std::vector{
            vector<&W::velocity>("velocity", "m/s", {-1000, 1000}, "Mean wind."),
            number<&W::gust>("gust", "", {0, 1}, "Gusts change the mean wind by up to this share."),
            number<&W::gust_period>("gust_period", "s", {0.01, 1e6}, "Typical time between gusts."),
            number<&W::turbulence>("turbulence", "m/s", {0, 1000}, "Root mean square of the eddies' speed."),
            number<&W::turbulence_size>("turbulence_size", "m", {1e-3, 1e6}, "Size of the largest eddies."),
            number<&W::start>("start", "s", {0, 1e9}, "When the wind sets in, if it has a `duration`."),
            number<&W::duration>("duration", "s", {0, 1e9},
                                 "How long it blows, fading in and out over 0.3 s of it; 0: always."),
        });
}

SceneTable contact_table()
{
    using C = ContactSettings;
    return single<&Scene::world, &WorldSettings::contact>(
        "contact", "How hair meets colliders, see `[[collider]]` and `body.collide`.",
        std::vector{
            number<&C::friction>("friction", "", {0, 100},
                                 "Coulomb's coefficient of what slides; hair on skin is about 0.2 to 0.4."),
            number<&C::static_friction>("static_friction", "", {0, 100},
                                        "Coulomb's coefficient of what lies still; at least `friction`."),
            number<&C::ease>(
                "ease", "s", {0, 3600},
                "Strands whose rest pose is inside of something are pushed out over this time; 0: at once."),
            number<&C::stick>("stick", "m/s", {0, 10},
                              "On a body at rest, strands that touch it and are slower than this stay until forces out "
                              "of balance have gathered more speed; 0: never."),
            number<&C::restitution>("restitution", "", {0, 1},
                                    "Share of the speed with which a strand leaves a surface that it has hit faster "
                                    "than 0.2 m/s. Hair does not bounce."),
            number<&C::margin>("margin", "m", {0, 1}, "How far strands stay away from the surface."),
            number<&C::layer>("layer", "m", {0, 1},
                              "Each strand stays away by a distance of its own up to this in addition: a stand-in for "
                              "hair on hair, so that a head of it has a thickness."),
        });
}

SceneTable collider_table()
{
    using C = SceneCollider;
    return repeated<&Scene::colliders>(
        "collider",
        "What strands cannot go through. Where a shape is fast, substeps are refined so that it travels at most a "
        "quarter of its radius in one, 16 times at most.",
        std::vector{
            choice<&C::shape>(
                "shape", {"sphere", "capsule", "box", "plane", "torus"},
                "Around `a`; a capsule goes from `a` to `b`; a plane through `a` has everything below it."),
            text<&C::body>("body", "Name of the body that carries it; empty: the first."),
            text<&C::bone>("bone",
                           "Name of the bone of the body's mesh that carries it, such as `\"head\"`, or its number in "
                           "the body; empty: the body as a whole."),
            vector<&C::a>("a", "m", {-1e4, 1e4},
                          "Centre or first end, in the frame of the body, for bones where the mesh is as stored."),
            vector<&C::b>("b", "m", {-1e4, 1e4}, "Capsule: the other end."),
            number<&C::radius>("radius", "m", {0, 1e4}, "Radius, at `a`; of the circle of a torus."),
            number<&C::radius_b>("radius_b", "m", {-1, 1e4},
                                 "Capsule: radius at `b`; negative: as at `a`. Torus: of its tube; negative: a quarter "
                                 "of `radius`."),
            vector<&C::size>("size", "m", {0, 1e4}, "Box: the lengths of its edges."),
            number<&C::round>("round", "m", {0, 1e4}, "Box: radius that its edges are rounded with."),
            vector<&C::up>("up", "", {-1e6, 1e6},
                           "Box, plane, torus: where its own y axis points; of any length but zero."),
            number<&C::spin>("spin", "rad", {-1e6, 1e6}, "Box, torus: turn about that axis."),
        });
}

SceneTable air_table()
{
    using A = AirSettings;
    return single<&Scene::world, &WorldSettings::air>(
        "air", "How the air resists. A rate is one over the time in which motion through still air dies away.",
        std::vector{
            number<&A::drag_normal>("drag_normal", "1/s", {0, 1e6}, "Across the strand; hair in air is about 2 to 5."),
            number<&A::drag_tangential>("drag_tangential", "1/s", {0, 1e6},
                                        "Along the strand; about half of the normal rate for thin fibres."),
        });
}

SceneTable solver_table()
{
    using S = SolverSettings;
    using D = DftlSettings;
    return single<&Scene::world, &WorldSettings::solver>(
        "solver", "Which method moves the strands. Equations are those of [Mueller12].",
        std::vector{
            choice<&S::type>("type", {"dftl"}, "`\"dftl\"`: dynamic follow-the-leader.",
                             {"direct", "pbd", "xpbd", "mass_spring", "tressfx", "tractrix_emulation", "tractrix_split",
                              "chain_shape"}),
            number<&S::dftl, &D::velocity_correction>("velocity_correction", "", {0, 1},
                                                      "Share of the child's correction that the velocity gives back "
                                                      "over one step, s in Eq. 9; 1 never gains energy, "
                                                      "below it damps less."),
            number<&S::dftl, &D::bend_limit>(
                "bend_limit", "", {0, 1},
                "Least distance of particles two edges apart over their summed rest "
                "length, s in Eq. 11; 0 bends freely, 1 is a stick. In ropes with more than their "
                "root held it acts behind the last hold."),
            choice<&S::dftl, &D::bend_order>("bend_order", {"together", "paper"},
                                             "Bend limit and length: both at once, or one after the other as printed."),
            boolean<&S::dftl, &D::backward_pass>(
                "backward_pass",
                "Waves travel from the tip to the root sooner, section 3.4. For strands that are "
                "held at their root alone."),
            choice<&S::dftl, &D::end_blend>(
                "end_blend", {"weighted", "average"},
                "Ropes held at both ends: how the projections from either end are blended, Fig. 2."),
            boolean<&S::dftl, &D::dynamic>("dynamic",
                                           "Off: strands follow their root and have no motion of their own, section "
                                           "3.1. For strands that are held at "
                                           "their root alone."),
        });
}

SceneTable shape_table()
{
    using S = ShapeSettings;
    return single<&Scene::world, &WorldSettings::solver, &SolverSettings::shape>(
        "shape",
        "How hair keeps the shape of its rest pose, [Sanchez15]. Acts on strands that are held at their root alone.",
        std::vector{
            number<&S::local>("local", "1/s^2", {0, 1e9},
                              "Stiffness against bending away from the rest shape. The tip of a straight, level strand "
                              "sags by gravity over this: 1000 is 1 cm, 100 is soft, 10,000 stands up; 0: none."),
            number<&S::global>("global", "1/s^2", {0, 1e9},
                               "Stiffness that draws every particle to its rest place as the root carries it. It gives "
                               "way by gravity over this; 0: none."),
            number<&S::fade>("fade", "", {0, 1},
                             "Share of both stiffnesses that is lost at the tip, linearly from the root."),
            number<&S::damping>("damping", "", {0, 100},
                                "Of motion relative to the targets, in units of what just keeps it from swinging."),
            number<&S::drag>("drag", "1/s", {0, 1e6}, "Rate at which motion dies away as if in thick air."),
            number<&S::load>("load", "", {0, 1},
                             "Share of the pull of its child that a particle is given per substep, in place of "
                             "`solver.velocity_correction` where that is larger. Above 0.65 weak curls flutter."),
            boolean<&S::sag_free>("sag_free",
                                  "The groomed shape is where hair rests under gravity, not where its fall begins."),
            choice<&S::form>("form", {"stable", "paper"},
                             "One implicit pull towards both targets, or Eq. 8-14 as printed, with which curls flutter "
                             "by themselves."),
            choice<&S::units>("units", {"si", "paper"},
                              "`\"paper\"`: `local` and `global` are the coefficients of [Sanchez15] below 1, for its "
                              "step of 0.016 s."),
        });
}

SceneTable hold_table()
{
    using H = SceneHold;
    return repeated<&Scene::holds>(
        "hold", "Particles that are held at a point of a body, in addition to the roots.",
        std::vector{
            integer<&H::groom>("groom", {0, 1e6}, "Which groom, counted from 0."),
            integer<&H::strand>("strand", {0, 4294967295.0}, "Which strand of it, counted from 0."),
            integer<&H::particle>("particle", {-1e6, 1e6},
                                  "Which particle from the root, counted from 0; -1 is the tip."),
            text<&H::body>("body", "Name of the body that holds it; empty: the first."),
            vector<&H::offset>("offset", "m", {-1e6, 1e6}, "Where, in the frame of the body."),
        });
}

std::vector<KeyOf<InteractionSettings>> grid_keys()
{
    using I = InteractionSettings;
    using G = GridSettings;
    return {
        number<&I::grid, &G::cell>("cell", "m", {0, 100},
                                   "Grid: size of a cell; 0: 1.5 to 4 segments of the grooms, so that a cell holds "
                                   "several particles."),
        number<&I::grid, &G::friction>("friction", "1/s", {0, 1e6},
                                       "Grid: how fast differences of velocity between strands in the same place die "
                                       "away, whatever the step."),
        number<&I::grid, &G::repulsion>("repulsion", "m/s^2", {0, 1e6},
                                        "Grid: acceleration away from the denser side that crowded hair reaches at "
                                        "most."),
        number<&I::grid, &G::tolerance>("tolerance", "", {1, 100},
                                        "Grid: hair is crowded where it is denser than in its rest pose by this "
                                        "factor."),
    };
}

std::vector<KeyOf<InteractionSettings>> sph_keys()
{
    using I = InteractionSettings;
    using S = SphSettings;
    return {
        number<&I::sph, &S::smoothing_length>("smoothing_length", "m", {0, 1},
                                              "Fluid: how far particles act on each other; 0: as far as half of them "
                                              "have 30 neighbours at rest, 1.5 segments at most."),
        number<&I::sph, &S::stiffness>("stiffness", "m^2/s^2", {0, 1e9},
                                       "Fluid: pressure per density above that at rest, the square of the speed of a "
                                       "push. What the step cannot take is limited."),
        number<&I::sph, &S::viscosity>("viscosity", "m^2/s", {0, 1e9},
                                       "Fluid: how quickly differences of velocity even out; neighbours share their "
                                       "motion within smoothing_length^2 / (15 viscosity)."),
        integer<&I::sph, &S::most_neighbours>("most_neighbours", {1, 512},
                                              "Fluid: neighbours that a particle acts on at most, the nearest."),
        choice<&I::sph, &S::units>("units", {"si", "paper"},
                                   "Fluid: `\"paper\"`: `stiffness` and `viscosity` are the coefficients of "
                                   "[Sanchez15], 0 to 0.5 and 0 to 200, and every particle has mass 1."),
    };
}

SceneTable interaction_table()
{
    using I = InteractionSettings;
    std::vector<KeyOf<I>> keys{
        choice<&I::method>("method", {"none", "grid", "sph"},
                           "`\"none\"`: strands do not feel each other; `\"grid\"`: friction and repulsion through "
                           "the density of the hair on a grid; `\"sph\"`: pressure and viscosity of a fluid whose "
                           "particles they are.",
                           {"contacts"}),
    };
    for (auto&& more : {grid_keys(), sph_keys()}) keys.insert(keys.end(), more.begin(), more.end());
    return single<&Scene::world, &WorldSettings::interaction>("interaction", "Hair against hair.", keys);
}

std::vector<KeyOf<SceneRender>> camera_keys()
{
    using R = SceneRender;
    return {
        choice<&R::camera>("camera", {"framed", "orbit", "look_at"},
                           "`\"framed\"`: as near as shows all of the first picture; `\"orbit\"`: around `target` at "
                           "`distance`; `\"look_at\"`: from `eye` to `target`."),
        number<&R::azimuth>("azimuth", "rad", {-100, 100}, "Framed and orbit: where from, from +z towards +x."),
        number<&R::elevation>("elevation", "rad", {-1.57, 1.57}, "Framed and orbit: how far from above."),
        number<&R::zoom>("zoom", "", {0.01, 100}, "Framed: nearer by this factor."),
        number<&R::distance>("distance", "m", {1e-4, 1e6}, "Orbit: from the target."),
        vector<&R::target>("target", "m", {-1e8, 1e8}, "Orbit and look_at: what is in the middle of the picture."),
        vector<&R::eye>("eye", "m", {-1e8, 1e8}, "Look_at: where the camera is."),
        number<&R::field>("field", "rad", {0.01, 3}, "Field of view from bottom to top; 0.5 is a portrait lens."),
        number<&R::aperture>("aperture", "m", {0, 10},
                             "Radius of the lens: what is not in focus blurs; good and final only. 0: all is sharp."),
        number<&R::focus>("focus", "m", {0, 1e6}, "Distance that is sharp; 0: the target."),
        number<&R::shutter>("shutter", "", {0, 1},
                            "Open for this share of the time between pictures: what moves blurs; 0: not at all."),
    };
}

SceneTable render_table()
{
    using R = SceneRender;
    std::vector<KeyOf<R>> keys{
        integer<&R::width>("width", {1, 16384}, "Pixels from left to right."),
        integer<&R::height>("height", {1, 16384}, "Pixels from top to bottom."),
        choice<&R::quality>("quality", {"draft", "good", "final"},
                            "`\"draft\"`: drawn, fast and without noise; `\"good\"` and `\"final\"`: light is followed "
                            "over a few or many bounces."),
        integer<&R::samples>("samples", {0, 1e6}, "Good and final: paths per pixel; 0: 32 and 256."),
        integer<&R::bounces>("bounces", {0, 1000}, "Good and final: bounces of a path; 0: 30 and 100."),
        integer<&R::every>("every", {1, 1e6}, "Frames from one picture to the next; films play in real time."),
        number<&R::exposure>("exposure", "", {-20, 20}, "In stops: 1 is twice as bright."),
        text<&R::hair>("hair",
                       "Colour of the hair: black, brown, blonde, red, grey, white, or groom: the colours that the "
                       "strands have."),
        number<&R::width_scale>("width_scale", "", {0, 1e3},
                                "Strands are drawn so many times as thick, so that few may stand for many; 0: as their "
                                "number and the picture ask for."),
        vector<&R::skin>("skin", "", {0, 1}, "Red, green and blue of the bodies."),
    };
    for (const auto& key : camera_keys()) keys.push_back(key);
    keys.push_back(choice<&R::ground>("ground", {"auto", "off", "on"},
                                      "A floor; auto: under bodies that stand, which the bust does not."));
    keys.push_back(number<&R::ground_height>("ground_height", "m", {-1e8, 1e8}, "Where it is when it is `\"on\"`."));
    keys.push_back(choice<&R::overlay>("overlay", {"none", "id", "speed", "stretch", "tension", "contact"},
                                       "Colours strands by what they do, blue for little and red for much."));
    keys.push_back(number<&R::poster>("poster", "", {0, 1}, "Which picture is the poster, as a share of the film."));
    return single<&Scene::render>("render", "How pictures look.", keys);
}

SceneTable output_table()
{
    using O = SceneOutput;
    return single<&Scene::output>(
        "output", "What `tendril run` leaves behind.",
        std::vector{
            text<&O::folder>("folder", "Everything goes to a folder in this one that is called as the scene."),
            boolean<&O::cache>("cache", "Keep the curves of all frames."),
            boolean<&O::frames>("frames", "Keep the single pictures beside the film."),
        });
}

std::string range_text(const KeyRange& range, std::string_view unit)
{
    const bool low = std::isfinite(range.least), high = std::isfinite(range.most);
    std::string text;
    if (low && high)
        text = fmt::format("in [{:.10g}, {:.10g}]", range.least, range.most);
    else if (low)
        text = fmt::format("of at least {:.10g}", range.least);
    if (!unit.empty()) text += fmt::format(" {}", unit);
    return text;
}

}  // namespace

const std::vector<SceneTable>& scene_tables()
{
    static const std::vector<SceneTable> tables{sim_table(),      groom_table(),   body_table(),        hold_table(),
                                                collider_table(), contact_table(), air_table(),         wind_table(),
                                                solver_table(),   shape_table(),   interaction_table(), render_table(),
                                                output_table()};
    return tables;
}

const SceneTable* find_table(std::string_view name)
{
    for (const SceneTable& table : scene_tables())
        if (table.name == name) return &table;
    return nullptr;
}

const SceneKey* find_key(const SceneTable& table, std::string_view name)
{
    for (const SceneKey& key : table.keys)
        if (key.name == name) return &key;
    return nullptr;
}

std::string requirement(const SceneKey& key)
{
    const std::string range = range_text(key.range, key.unit);
    switch (key.type) {
        case KeyType::kNumber: return "a number " + range;
        case KeyType::kInteger: return "an integer " + range;
        case KeyType::kBoolean: return "true or false";
        case KeyType::kText: return "text in quotes";
        case KeyType::kVector: return "three numbers, each " + range;
        case KeyType::kDirection: return "three numbers that are not all zero";
        case KeyType::kGravity: return "three numbers, or one for downward, each " + range;
        case KeyType::kChoice: break;
    }
    std::string words;
    for (size_t i = 0; i < key.choices.size(); ++i) {
        if (i > 0) words += i + 1 == key.choices.size() ? " or " : ", ";
        words += '"' + key.choices[i] + '"';
    }
    return words;
}

std::string value_text(const SceneKey& key, const SceneValue& value)
{
    if (key.type == KeyType::kChoice) return '"' + key.choices[std::get<int64_t>(value)] + '"';
    if (const auto* v = std::get_if<Vec3d>(&value)) return fmt::format("[{}, {}, {}]", v->x, v->y, v->z);
    if (const auto* t = std::get_if<std::string>(&value)) return '"' + *t + '"';
    if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
    if (const auto* i = std::get_if<int64_t>(&value)) return fmt::format("{}", *i);
    return fmt::format("{}", std::get<double>(value));
}

}  // namespace tendril
