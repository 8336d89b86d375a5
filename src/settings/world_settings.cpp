// Time, gravity, wind, and interaction between strands.
#include "settings/describe.h"

namespace tendril {

using namespace describe;

namespace {

std::vector<SettingOf<InteractionSettings>> method_settings()
{
    return {
        choice<&InteractionSettings::method>(
            "method", {"none", "grid", "sph", "contacts"},
            "`\"none\"`: strands do not interact. `\"grid\"`: friction and repulsion through the density of the hair "
            "on a grid, [Mueller12] 3.6. `\"sph\"`: pressure and viscosity, as in a fluid that consists of their "
            "particles, [Sanchez15] 3.2. `\"contacts\"`: segments push and rub one by one, [Rungjiratananon11] section "
            "6. Strings (`solver.type = \"chain_shape\"`) always interact by contacts, unless the method is "
            "`\"none\"`; hair supports `\"grid\"` and `\"sph\"`."),
        choice<&InteractionSettings::form>(
            "form", {"stable", "paper"},
            "`\"paper\"`: the grid acts by [Mueller12] Eq. 13 and 14 as printed, with `s_friction` and `s_repulsion`, "
            "and SPH by the forces of [Mueller03] without limits, see [equations.md](equations.md)."),
    };
}

std::vector<SettingOf<GridSettings>> grid_settings()
{
    using G = GridSettings;
    return {
        number<&G::cell>("cell", "m", {0, 100},
                         "Size of a cell. 0: 1.5 to 4 mean segment lengths, so that a cell holds several particles."),
        number<&G::friction>("friction", "1/s", {0, 1e6},
                             "Rate at which velocity differences between strands at the same position die away, "
                             "whatever the step; 0: off. 2 lets hair move as one within half a second and still shows "
                             "its strands."),
        number<&G::repulsion>("repulsion", "m/s^2", {0, 1e6},
                              "Maximum acceleration of crowded hair away from the denser side; 0: off. Half of gravity "
                              "keeps the volume of a head of hair without inflating it. A step moves no particle by "
                              "more than half a cell."),
        number<&G::tolerance>("tolerance", "", {1, 100},
                              "Hair is crowded where its density exceeds that of its rest pose by this factor. Above "
                              "1, because the density on a grid varies by a few percent with the position of the hair "
                              "on it."),
        number<&G::s_friction>("s_friction", "", {0, 1},
                               "`form = \"paper\"`, instead of `friction`: share of its velocity that a particle "
                               "replaces by that of the grid in every step, s_friction in Eq. 13."),
        number<&G::s_repulsion>(
            "s_repulsion", "m", {-1, 1},
            "`form = \"paper\"`, instead of `repulsion`: displacement that a step adds, s_repulsion "
            "in Eq. 14. As printed, a positive value pulls hair to the denser side; a negative one "
            "pushes it away."),
    };
}

std::vector<SettingOf<SphSettings>> sph_settings()
{
    using S = SphSettings;
    return {
        number<&S::smoothing_length>("smoothing_length", "m", {0, 1},
                                     "Range h of the forces between particles, at least 0.0001. 0: chosen from the "
                                     "rest pose, so that half of the particles have 30 neighbours, at most 1.5 "
                                     "segments. The cost grows with its cube."),
        number<&S::stiffness>(
            "stiffness", "m^2/s^2", {0, 1e9},
            "Pressure per density above that at rest, k in p = k (rho - rho_rest): the square of the speed at which a "
            "push travels through hair. With 1, hair at 1.5 times its density supports 3 cm of itself."),
        number<&S::viscosity>("viscosity", "m^2/s", {0, 1e9},
                              "Kinematic viscosity: neighbours share their motion within smoothing_length^2 / (15 "
                              "viscosity), 0.07 s with the default and 1 cm."),
        with_short_name("most_neighbours",
                        integer<&S::max_neighbours>("max_neighbours", {1, 512},
                                                    "Maximum number of neighbours that a particle acts on, the nearest "
                                                    "ones. Momentum is conserved even where lists are cut.")),
        choice<&S::units>("units", {"si", "paper"},
                          "`\"paper\"`: `stiffness` and `viscosity` are the coefficients of [Sanchez15], 0 to 0.5 and "
                          "0 to 200, and every particle has mass 1."),
    };
}

std::vector<SettingOf<StringContactSettings>> string_contact_settings()
{
    using C = StringContactSettings;
    return {
        with_short_name("string_friction",
                        number<&C::friction>("friction", "", {0, 100},
                                             "Coulomb coefficient; ropes on ropes have about 0.3 to 0.5.")),
        choice<&C::search>("search", {"exact", "seven_voxels"},
                           "How pairs are found. `\"seven_voxels\"` is the search of [Rungjiratananon11], which misses "
                           "some, see docs/strings.md."),
        number<&C::voxel>("voxel", "", {1, 100},
                          "`\"seven_voxels\"`: size of a voxel in units of the longest segment."),
        boolean<&C::continuous>("continuous", "Also finds strings that have passed through each other in a substep."),
    };
}

}  // namespace

const SettingTable& step_settings()
{
    using W = WorldSettings;
    static const SettingTable table =
        table_of("sim", "Time and gravity.",
                 std::vector{
                     number<&W::dt>("dt", "s", {1e-4, 1},
                                    "Duration of a step; in a scene, also of a frame. The guarantees of the methods "
                                    "hold from 0.001 to 0.2."),
                     integer<&W::substeps>("substeps", {1, 1000}, "Substeps per step; more substeps damp less."),
                     vector<&W::gravity>("gravity", "m/s^2", {-1e6, 1e6},
                                         "Gravity; a single number g means `[0, -g, 0]`.", SettingType::kGravity),
                 });
    return table;
}

const SettingTable& wind_settings()
{
    using W = WindSettings;
    static const SettingTable table = table_of(
        "wind", "Motion of the air. Wind acts through drag, see `[air]`; without drag it has no effect.",
        std::vector{
            vector<&W::velocity>("velocity", "m/s", {-1000, 1000}, "Mean wind."),
            number<&W::gust>("gust", "", {0, 1}, "Gusts change the mean wind by up to this share."),
            number<&W::gust_period>("gust_period", "s", {0.01, 1e6}, "Typical time between gusts."),
            number<&W::turbulence>("turbulence", "m/s", {0, 1000}, "Root mean square speed of the eddies."),
            number<&W::turbulence_size>("turbulence_size", "m", {1e-3, 1e6}, "Size of the largest eddies."),
            number<&W::start>("start", "s", {0, 1e9}, "Time at which the wind starts, if it has a `duration`."),
            number<&W::duration>(
                "duration", "s", {0, 1e9},
                "Duration of the wind, including up to 0.3 s each for fading in and out; 0: it always blows."),
        });
    return table;
}

const SettingTable& interaction_settings()
{
    static const SettingTable table = [] {
        using I = InteractionSettings;
        SettingTable made = table_of("interaction", "Interaction between strands.", method_settings());
        made.groups = {
            {"grid", "Interaction between strands through a grid, see docs/interaction.md."},
            {"sph",
             "Hair as a fluid. Any value is stable: the interaction limits what its step does not allow, see "
             "docs/sph.md."},
            {"contacts", "Strings against strings and against themselves."},
        };
        append_nested<&I::grid>(made.settings, "grid", grid_settings());
        append_nested<&I::sph>(made.settings, "sph", sph_settings());
        append_nested<&I::contacts>(made.settings, "contacts", string_contact_settings());
        return made;
    }();
    return table;
}

}  // namespace tendril
