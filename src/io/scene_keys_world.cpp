// Keys of the world as a whole: time, the air, the solver.
#include "io/scene_key_tables.h"

#include <iterator>

namespace tendril {

using namespace keys;

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

SceneTable solver_table()
{
    using S = SolverSettings;
    using D = DftlSettings;
    using P = PbdSettings;
    using M = SpringSettings;
    using T = TressfxSettings;
    using C = StringSettings;
    return single<&Scene::world, &WorldSettings::solver>(
        "solver", "Which method moves the strands. Equations are those of [Mueller12].",
        std::vector{
            choice<&S::type>(
                "type", {std::begin(kSolverNames), std::end(kSolverNames)},
                "`\"dftl\"`: dynamic follow-the-leader. `\"pbd\"`: position based dynamics "
                "[Boercsoek20]; `\"xpbd\"`: the same with stiffness in physical units. `\"direct\"`: all lengths "
                "of a strand at once, without stretch and with hardly any damping. `\"mass_spring\"`: springs along "
                "segments with symplectic Euler; `\"implicit_spring\"`: the same with implicit Euler, stable at any "
                "stiffness. `\"tressfx\"`: position based dynamics with constraints of the style [Zappe20]. "
                "`\"tractrix\"`: strands are dragged by their root; `\"tractrix_emulation\"`, `\"tractrix_split\"`: "
                "hair "
                "by that [Zappe20]; `\"tractrix_ftl\"`: follow-the-leader by it. `\"chain_shape\"`: strings of a "
                "material that stretch, bend, twist and tear [Rungjiratananon11]."),
            number<&S::dftl, &D::velocity_correction>("velocity_correction", "", {0, 1},
                                                      "Share of the child's correction that the velocity gives back "
                                                      "over one step, s in Eq. 9. Below 1 strands swing out farther "
                                                      "at first, by energy that is made: a rope that was let go level "
                                                      "gained 1 % on its way at 1, and 18 % at 0.9."),
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
            integer<&S::pbd, &P::iterations>("iterations", {1, 1000},
                                             "`pbd`, `xpbd`: passes over all constraints in a substep; `tressfx`: over "
                                             "all lengths."),
            integer<&S::direct, &DirectSettings::iterations>("newton_iterations", {1, 100},
                                                             "`direct`: steps towards the multipliers in a substep."),
            number<&S::pbd, &P::stiffness>(
                "stiffness", "", {0, 1},
                "`pbd`: share of the error in its length that a segment gives up in a substep, "
                "whatever the iterations."),
            number<&S::pbd, &P::stretch_stiffness>(
                "stretch_stiffness", "1/s^2", {0, 1e12},
                "`xpbd`: stiffness of a segment over the mass of a particle; 0: as stiff as "
                "the iterations can make it."),
            integer<&S::pbd, &P::bend_offset>(
                "bend_offset", {2, 64}, "`pbd`, `xpbd`: bending by distance acts on particles so many segments apart."),
            number<&S::pbd, &P::bend_distance>(
                "bend_distance", "", {0, 1},
                "`pbd`, `xpbd`: they are drawn to this share of the length between them; 1 "
                "straightens, less curls."),
            number<&S::pbd, &P::bend_stiffness>(
                "bend_stiffness", "", {0, 1e12},
                "How stiffly, 0: not. `pbd`: [0, 1] as `stiffness`; `xpbd`: [1/s^2] over the mass of "
                "a particle."),
            number<&S::pbd, &P::angle>(
                "angle", "rad", {0, 3.14159265},
                "`pbd`, `xpbd`: bending by angle turns neighbouring segments to this; 0 is straight."),
            number<&S::pbd, &P::angle_stiffness>("angle_stiffness", "", {0, 1e12},
                                                 "How stiffly, in the unit of `bend_stiffness`."),
            number<&S::pbd, &P::damping>("damping", "1/s", {0, 1e6},
                                         "`pbd`, `xpbd`, `tressfx`: rate at which all motion dies away."),
            number<&S::pbd, &P::mass_variation>("mass_variation", "", {0, 0.9},
                                                "`pbd`, `xpbd`: masses of particles differ by up to this share."),
            number<&S::spring, &M::stiffness>(
                "spring_stiffness", "N/m", {0, 1e12},
                "`mass_spring`, `implicit_spring`: force per elongation of a segment, between particles of "
                "`groom.particle_mass`; 0: half of what the step can take, or with `implicit_spring` one that hardly "
                "stretches. `mass_spring` refuses more than its step can take."),
            number<&S::spring, &M::damping>(
                "spring_damping", "", {0, 10},
                "`mass_spring`, `implicit_spring`: of motion along a segment, in units of what just keeps one "
                "particle on one segment from swinging."),
            integer<&S::spring, &M::substeps>("spring_substeps", {1, 100}, "`mass_spring`: parts of each substep."),
            integer<&S::spring, &M::iterations>(
                "spring_iterations", {1, 100},
                "`implicit_spring`: steps of Newton in a substep; 1 is the linearised method."),
            number<&S::tressfx, &T::global_stiffness>(
                "global_stiffness", "", {0, 1},
                "`tressfx`: share of the way to its place in the style that a particle next to the root goes in a "
                "substep; it falls to nothing at the end of `global_range`."),
            number<&S::tressfx, &T::global_range>("global_range", "", {0, 1},
                                                  "`tressfx`: share of the strand that this acts on, from the root."),
            number<&S::tressfx, &T::local_stiffness>(
                "local_stiffness", "", {0, 1}, "`tressfx`: share of its error that a bend gives up in an iteration."),
            integer<&S::tressfx, &T::local_iterations>("local_iterations", {0, 1000},
                                                       "`tressfx`: passes over all bends in a substep."),
            number<&S::tressfx, &T::shock_acceleration>(
                "shock_acceleration", "m/s^2", {0, 1e9},
                "`tressfx`: a root that accelerates by more takes its strand along."),
            number<&S::tressfx, &T::shock_follow>("shock_follow", "", {0, 1},
                                                  "`tressfx`: share of the root's jump by which it does so."),
            number<&S::tressfx, &T::shock_damping>("shock_damping", "1/s", {0, 1e6},
                                                   "`tressfx`: rate at which motion then dies away in addition."),
            number<&S::tractrix, &TractrixSettings::style>(
                "style", "", {0, 1},
                "`tractrix_split`: how far hair is turned from where it hangs to where the groom has it."),
            integer<&S::string, &C::half_width>(
                "half_width", {1, 32},
                "`chain_shape`: particles up to so many segments to either side are matched to their rest shape "
                "together; wider regions hold stiffer strings with the same substep."),
            number<&S::string, &C::bend_damping>(
                "bend_damping", "", {0, 1},
                "`chain_shape`: of bending, in units of what keeps the shortest waves from swinging."),
            number<&S::string, &C::heavier>("heavier", "", {1, 100},
                                            "`chain_shape`: particles that touch another string count for so many when "
                                            "shapes are matched; the paper takes 3."),
            number<&S::string, &C::twist_reach>("twist_reach", "", {1, 1e4},
                                                "`chain_shape`: over so many segments twist evens out within 0.01 s."),
            integer<&S::string, &C::iterations>("string_iterations", {1, 100},
                                                "`chain_shape`: of lengths and contacts in a substep."),
            integer<&S::string, &C::most_substeps>(
                "most_substeps", {1, 1000},
                "`chain_shape`: substeps are as many as show true tensions and take the bending stiffness whole, but "
                "no more than this (or `sim.substeps`, where that is more); strings are then softer than their "
                "material, which the report says."),
            boolean<&S::string, &C::tears>("tears", "`chain_shape`: strings tear."),
            boolean<&S::string, &C::flicks>("flicks",
                                            "`chain_shape`: what is torn or let go springs back; else its tension is "
                                            "gone in that moment."),
        });
}

}  // namespace tendril
