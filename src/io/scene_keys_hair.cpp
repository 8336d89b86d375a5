// Keys of hair: what it is, how it keeps its shape, how it meets hair.
#include "io/scene_key_tables.h"

namespace tendril {

using namespace keys;

namespace {

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
        number<&G::rope_width>("rope_width", "m", {0, 10},
                               "`\"rope\"`: diameter, for pictures, contacts and strings; also of curves of a file "
                               "without widths where `solver.type` is `\"chain_shape\"`."),
        number<&G::tip_width>("rope_tip_width", "m", {0, 10}, "`\"rope\"`: diameter at the tip; 0: `rope_width`."),
        vector<&G::direction>("direction", "", {-1e6, 1e6}, "`\"rope\"`: where the rest pose points to; any length.",
                              KeyType::kDirection),
        choice<&G::ends>("ends", {"root", "free", "both"},
                         "`\"rope\"`, and curves of a file with `\"chain_shape\"`: which ends the body holds."),
        number<&G::particle_mass>("particle_mass", "kg", {1e-12, 1e6},
                                  "For energies and springs; follow-the-leader knows no masses."),
        text<&G::body>("body", "Name of the body it grows on; empty: the first."),
    };
}

/// What strings are made of.
std::vector<KeyOf<SceneGroom>> string_keys()
{
    using G = SceneGroom;
    using M = StringMaterial;
    std::vector<std::string> names;
    for (const NamedMaterial& m : string_materials()) names.emplace_back(m.name);
    return {
        choice<&G::material>("material", names,
                             "`chain_shape`: what it is made of. The keys below it change single numbers of the "
                             "material; where they are left as they are, it has its own."),
        number<&G::own, &M::density>("density", "kg/m^3", {0, 1e5}, "`chain_shape`: 0: that of the material."),
        number<&G::own, &M::young>("young", "Pa", {0, 1e13},
                                   "`chain_shape`: slope of stress over strain while elastic; 0: the material's."),
        number<&G::own, &M::yield>("yield", "Pa", {0, 1e13},
                                   "`chain_shape`: stress above which an elongation stays; 0: the material's."),
        number<&G::own, &M::plastic>("plastic", "Pa", {0, 1e13},
                                     "`chain_shape`: slope of stress over strain above that; 0: the material's."),
        number<&G::own, &M::rupture>("rupture", "Pa", {0, 1e13},
                                     "`chain_shape`: stress at which it tears; 0: the material's."),
        number<&G::own, &M::bend_modulus>("bend_modulus", "Pa", {-1, 1e13},
                                          "`chain_shape`: times pi r^4/4 the bending stiffness; -1: the material's."),
        number<&G::own, &M::shear_modulus>("shear_modulus", "Pa", {-1, 1e13},
                                           "`chain_shape`: times pi r^4/2 the torsional rigidity; -1: the material's."),
        number<&G::strength_variation>("strength_variation", "", {0, 0.99},
                                       "`chain_shape`: `rupture` differs between segments by up to this share."),
        boolean<&G::straight>("straight_rest",
                              "`chain_shape`: at ease it is straight, whatever shape it begins in: a rope with a knot "
                              "in it."),
        boolean<&G::clamped>("clamped",
                             "`chain_shape`: ends that the body holds keep their direction as it turns, and twist goes "
                             "with it."),
        number<&G::tie>("tie", "m", {0, 10},
                        "`chain_shape`: particles that are within this distance of a rigid body at the start are tied "
                        "to it, and ends of strands to the nearest particle of a groom before; 0: none."),
    };
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

std::vector<KeyOf<InteractionSettings>> contact_keys()
{
    using I = InteractionSettings;
    using C = StringContactSettings;
    return {
        number<&I::contacts, &C::friction>("string_friction", "", {0, 100},
                                           "Contacts: Coulomb's coefficient; of ropes on ropes about 0.3 to 0.5."),
        choice<&I::contacts, &C::search>("search", {"exact", "seven_voxels"},
                                         "Contacts: how pairs are looked for. `\"seven_voxels\"` is the search of "
                                         "[Rungjiratananon11], which misses some."),
        number<&I::contacts, &C::voxel>("voxel", "", {1, 100},
                                        "Contacts: side of a voxel in units of the longest segment."),
        boolean<&I::contacts, &C::continuous>(
            "continuous", "Contacts: also looks for strings that have gone through each other within a substep."),
    };
}

std::vector<KeyOf<InteractionSettings>> sph_keys()
{
    using I = InteractionSettings;
    using S = SphSettings;
    return {
        number<&I::sph, &S::smoothing_length>(
            "smoothing_length", "m", {0, 1},
            "Fluid: how far particles act on each other, at least 0.0001; 0: as far as "
            "half of them have 30 neighbours at rest, 1.5 segments at most."),
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

}  // namespace

SceneTable groom_table()
{
    using G = SceneGroom;
    std::vector<KeyOf<G>> keys = style_keys();
    for (const auto& more : {string_keys(), file_keys(), hair_keys()})
        keys.insert(keys.end(), more.begin(), more.end());
    keys.push_back(number<&G::guides>(
        "guides", "", {0, 1}, "Share of the strands that is simulated; the others follow them in what comes out."));
    keys.push_back(choice<&G::guide_mode>("guide_mode", {"single", "three"},
                                          "Strands follow the nearest guide, or three around them."));
    return repeated<&Scene::grooms>("groom", "Strands. A scene has at least one groom.", keys);
}

SceneTable shape_table()
{
    using S = ShapeSettings;
    return single<&Scene::world, &WorldSettings::shape>(
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
            number<&S::damping>(
                "damping", "", {0, 100},
                "Of the turning of segments and of motion relative to the global targets, in units of what "
                "just keeps it from swinging. With 1 and more no wave grows on its way to the tip; "
                "below 0.5 weak hair flutters."),
            number<&S::drag>("drag", "1/s", {0, 1e6}, "Rate at which motion dies away as if in thick air."),
            number<&S::load>("load", "", {0, 1},
                             "Share of the pull of its child that a particle is given per substep, in place of "
                             "`solver.velocity_correction` where that is larger. With more, weak hair hangs straighter "
                             "and its look depends more on the step."),
            boolean<&S::sag_free>("sag_free",
                                  "The groomed shape is where hair rests under gravity, not where its fall begins."),
            choice<&S::form>(
                "form", {"stable", "paper"},
                "One implicit pull towards both targets, or Eq. 8-14 as printed, with which curls that were moved "
                "flutter for ever; only `local`, `global` and `fade` act there."),
            choice<&S::units>("units", {"si", "paper"},
                              "`\"paper\"`: `local` and `global` are the coefficients of [Sanchez15] below 1, for its "
                              "step of 0.016 s."),
        });
}

SceneTable interaction_table()
{
    using I = InteractionSettings;
    std::vector<KeyOf<I>> keys{
        choice<&I::method>("method", {"none", "grid", "sph", "contacts"},
                           "`\"none\"`: strands do not feel each other; `\"grid\"`: friction and repulsion through "
                           "the density of the hair on a grid; `\"sph\"`: pressure and viscosity of a fluid whose "
                           "particles they are; `\"contacts\"`: segments push and rub one by one, for strings "
                           "(`solver.type = \"chain_shape\"`)."),
    };
    for (auto&& more : {grid_keys(), sph_keys(), contact_keys()}) keys.insert(keys.end(), more.begin(), more.end());
    return single<&Scene::world, &WorldSettings::interaction>("interaction", "Hair against hair.", keys);
}

}  // namespace tendril
