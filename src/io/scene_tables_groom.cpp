// The keys of a groom: its strands, and its own settings, which replace those of the world.
#include "io/scene_tables.h"

namespace tendril {

using namespace describe;

namespace {

std::vector<SettingOf<SceneGroom>> style_keys()
{
    using G = SceneGroom;
    return {
        choice<&G::style>(
            "style", {"rope", "sphere", "straight", "wavy", "curly"},
            "`\"rope\"`: ropes side by side along z, centred on the origin of the body. `\"sphere\"`: straight hair on "
            "the upper part of a body with `mesh = \"sphere\"`. The other styles: hair on the mesh of the body."),
        integer<&G::strands>("strands", {1, kNoLimit},
                             "Number of strands; scenes that do not fit into memory are refused."),
        integer<&G::particles>("particles", {2, 1e6}, "Number of particles per strand."),
        number<&G::length>("length", "m", {1e-4, 1e4}, "Length of a strand."),
        number<&G::length_spread>("length_spread", "", {0, 0.99},
                                  "All styles except `\"rope\"`: lengths vary by up to this share."),
        number<&G::coverage>("coverage", "", {1e-3, 1},
                             "`\"sphere\"`: share of the surface that carries hair, from the pole down."),
        number<&G::spacing>("spacing", "m", {0, 1e4}, "`\"rope\"`: distance between neighbouring ropes."),
        number<&G::span>(
            "span", "", {0.01, 1},
            "`\"rope\"`: distance between the ends divided by the length; below 1 the rest pose is an arc that sags."),
        number<&G::rope_width>("rope_width", "m", {0, 10},
                               "`\"rope\"`: diameter for pictures, contacts and strings. Curves of a file without "
                               "widths also have it if `solver.type` is `\"chain_shape\"`."),
        number<&G::tip_width>("rope_tip_width", "m", {0, 10}, "`\"rope\"`: diameter at the tip; 0: `rope_width`."),
        vector<&G::direction>("direction", "", {-1e6, 1e6},
                              "`\"rope\"`: direction of the rest pose from the root; its length does not matter.",
                              SettingType::kDirection),
        choice<&G::ends>("ends", {"root", "free", "both"},
                         "`\"rope\"`, and curves of a file with `\"chain_shape\"`: the ends that the body holds."),
        number<&G::particle_mass>("particle_mass", "kg", {1e-12, 1e6},
                                  "Mass of a particle. Energies, springs and SPH use it; follow-the-leader does not."),
        text<&G::body>("body", "Name of the body that the strands grow on; empty: the first."),
    };
}

/// Keys of the material of strings.
std::vector<SettingOf<SceneGroom>> string_keys()
{
    using G = SceneGroom;
    using M = StringMaterial;
    std::vector<std::string> names;
    for (const NamedMaterial& m : string_materials()) names.emplace_back(m.name);
    return {
        choice<&G::material>("material", names,
                             "`chain_shape`: material of the strings. The keys that follow replace single properties "
                             "of the material; by default they keep its values."),
        number<&G::own, &M::density>("density", "kg/m^3", {0, 1e5}, "`chain_shape`: density; 0: that of the material."),
        number<&G::own, &M::young>("young", "Pa", {0, 1e13},
                                   "`chain_shape`: slope of stress over strain while elastic; the material's `plastic` "
                                   "scales with it. 0: that of the material."),
        number<&G::own, &M::yield>(
            "yield", "Pa", {0, 1e13},
            "`chain_shape`: stress above which elongation is permanent; 0: that of the material."),
        number<&G::own, &M::plastic>(
            "plastic", "Pa", {0, 1e13},
            "`chain_shape`: slope of stress over strain above `yield`, less than `young`; 0: that of the material."),
        number<&G::own, &M::rupture>("rupture", "Pa", {0, 1e13},
                                     "`chain_shape`: stress at which a segment tears; 0: that of the material."),
        number<&G::own, &M::bend_modulus>("bend_modulus", "Pa", {-1, 1e13},
                                          "`chain_shape`: resistance to bending; times pi r^4/4 it is the bending "
                                          "stiffness. -1: that of the material."),
        number<&G::own, &M::shear_modulus>("shear_modulus", "Pa", {-1, 1e13},
                                           "`chain_shape`: resistance to twisting; times pi r^4/2 it is the torsional "
                                           "rigidity. -1: that of the material."),
        number<&G::strength_variation>("strength_variation", "", {0, 0.99},
                                       "`chain_shape`: `rupture` varies between segments by up to this share."),
        boolean<&G::straight>("straight_rest",
                              "`chain_shape`: strings are straight when relaxed, whatever their initial shape, such as "
                              "that of a rope with a knot."),
        boolean<&G::clamped>(
            "clamped",
            "`chain_shape`: ends that the body holds keep their direction and twist relative to the body as it turns."),
        number<&G::tie>("tie", "m", {0, 10},
                        "`chain_shape`: at the start, particles within this distance of a rigid body are tied to it, "
                        "and ends of strands to the nearest particle of an earlier groom; 0: off."),
    };
}

/// Keys of a groom that is read from a file.
std::vector<SettingOf<SceneGroom>> file_keys()
{
    using G = SceneGroom;
    return {
        text<&G::file>(
            "file",
            "Curves to read instead of generating a style: .tfx, .hair, .data, .obj, .usda or a Tendril cache. A "
            "relative path is looked up in the folder of the scene, then in the working directory."),
        text<&G::bones>("bones",
                        "A .tfxbone file, which lists the bones of the body that carry each strand of `file`."),
        choice<&G::bind>(
            "bind", {"auto", "rigid", "nearest"},
            "How the strands of a file follow the body. `\"rigid\"`: the body as a whole carries all of them. "
            "`\"nearest\"`: each follows the triangle nearest to its root. `\"auto\"`: by `bones` if given; otherwise "
            "as `\"nearest\"` if the body has a mesh, and as `\"rigid\"` if it has none."),
        number<&G::unit_scale>("unit_scale", "m", {0, 1e6},
                               "Metres per unit of the file; 0: as the file states, or 1."),
        choice<&G::up>("up", {"auto", "y", "z"},
                       "Axis of the file that points up; `\"auto\"`: as the file states, or y."),
        integer<&G::resample>(
            "resample", {0, 1e6},
            "Resamples the curves of a file to this many particles per strand; 0: keeps their points."),
        boolean<&G::strict>("strict", "Refuses files that would need repairs."),
        integer<&G::follow_hairs>("follow_hairs", {0, 1000},
                                  "Number of strands that are added around each strand of the file."),
        number<&G::follow_radius>("follow_radius", "m", {0, 1e3},
                                  "Maximum distance of an added strand from the strand of the file."),
    };
}

/// Keys of hair that is grown on a mesh.
std::vector<SettingOf<SceneGroom>> hair_keys()
{
    using G = SceneGroom;
    using H = HairStyle;
    using S = ScatterSettings;
    return {
        choice<&G::scatter, &S::sequence>("sequence", {"random", "halton", "blue_noise"},
                                          "Distribution of the roots over the mesh, from the least to the most even."),
        vector<&G::scatter, &S::direction>(
            "root_direction", "", {-1e6, 1e6},
            "Roots grow only where the normal of the skin is within `root_angle` of this direction.",
            SettingType::kDirection),
        number<&G::scatter, &S::angle>(
            "root_angle", "rad", {0, 3.15},
            "Maximum angle between the normal of the skin and `root_direction`; pi: roots grow everywhere."),
        text<&G::materials>("materials",
                            "Roots grow only on these materials of the mesh, separated by commas; empty: on all."),
        text<&G::groups>("groups", "Roots grow only on these groups of the mesh, separated by commas; empty: on all."),
        text<&G::density_map>(
            "density_map",
            "Image on the UVs of the mesh that sets the density of the roots: white is full density, black is bare."),
        text<&G::length_map>("length_map", "Image on the UVs of the mesh that multiplies the length."),
        text<&G::stiffness_map>(
            "stiffness_map",
            "Image on the UVs of the mesh that multiplies the stiffness of `[shape]`; the roots must have UVs."),
        number<&G::hair, &H::curl_radius>("curl_radius", "m", {0, 1e3}, "Radius of curls, or amplitude of waves."),
        number<&G::hair, &H::curl_pitch>("curl_pitch", "m", {1e-5, 1e4}, "Advance per turn or wave."),
        number<&G::hair, &H::curl_phase>("curl_phase", "", {0, 1},
                                         "How much the phase of curls varies between strands, in turns."),
        vector<&G::hair, &H::direction>("lie_direction", "", {-1e6, 1e6}, "Direction in which hair lies and droops.",
                                        SettingType::kDirection),
        number<&G::hair, &H::lie>("lie", "", {0, 1},
                                  "0: hair stands up along the normal of the skin; 1: it lies on the skin."),
        number<&G::hair, &H::droop>("droop", "rad", {0, 3.15}, "How far the tip bends towards `lie_direction`."),
        number<&G::hair, &H::clump>("clump", "", {0, 1}, "How strongly tips are drawn to the centre of their clump."),
        number<&G::hair, &H::clump_size>("clump_size", "m", {1e-5, 1e4}, "Distance between the centres of clumps."),
        number<&G::hair, &H::frizz>("frizz", "", {0, 1}, "Strength of random sideways offsets along the strand."),
        number<&G::hair, &H::frizz_size>("frizz_size", "m", {1e-5, 1e4}, "Length of one wiggle of the frizz."),
        number<&G::hair, &H::root_width>("root_width", "m", {0, 1}, "Diameter at the root."),
        number<&G::hair, &H::tip_width>("tip_width", "m", {0, 1}, "Diameter at the tip."),
        vector<&G::hair, &H::root_colour>("root_colour", "", {0, 1}, "Colour at the root: red, green and blue."),
        vector<&G::hair, &H::tip_colour>("tip_colour", "", {0, 1}, "Colour at the tip: red, green and blue."),
    };
}

/// Appends the settings of a groom that replace those of the world, as [groom.shape] replaces [shape].
void append_own(std::vector<Setting>& list, const SettingTable& of_world, std::string_view name)
{
    for (Setting setting : of_world.settings) {
        setting.name = std::string(name) + '.' + setting.name;
        setting.short_name = std::string(name) + '.' + setting.short_name;
        setting.part = nullptr;
        setting.setter = [](const Setting& s, void* object, const SettingValue& value) {
            auto& own = static_cast<SceneGroom*>(object)->own_settings;
            if (std::holds_alternative<std::monostate>(value))
                own.erase(s.name);
            else
                own[s.name] = value;
        };
        setting.getter = [](const Setting& s, const void* object) {
            const auto& own = static_cast<const SceneGroom*>(object)->own_settings;
            const auto found = own.find(s.name);
            return found == own.end() ? SettingValue{} : found->second;
        };
        setting.clamper = [](const Setting&, void*, const void*) {};  // values are checked when they are set
        list.push_back(std::move(setting));
    }
}

}  // namespace

SceneTable groom_table()
{
    using G = SceneGroom;
    std::vector<SettingOf<G>> keys = style_keys();
    for (const auto& more : {string_keys(), file_keys(), hair_keys()})
        keys.insert(keys.end(), more.begin(), more.end());
    keys.push_back(number<&G::guides>(
        "guides", "", {0, 1},
        "Share of the strands that are simulated as guides; the others are children, which follow the guides."));
    keys.push_back(choice<&G::guide_mode>("guide_mode", {"single", "three"},
                                          "Whether a child follows the nearest guide or three guides around it."));
    SceneTable table = repeated<&Scene::grooms>(
        "groom",
        "A set of strands; a scene has at least one groom. `[groom.solver]`, `[groom.shape]`, `[groom.air]`, "
        "`[groom.contact]` and `[groom.look]` replace settings of the scene for this groom.",
        keys);
    append_own(table.settings, solver_settings(), "solver");
    append_own(table.settings, shape_settings(), "shape");
    append_own(table.settings, air_settings(), "air");
    append_own(table.settings, contact_settings(), "contact");
    append_own(table.settings, look_settings(), "look");
    return table;
}

}  // namespace tendril
