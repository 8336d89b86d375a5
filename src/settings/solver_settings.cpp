// The choice of the method, and the settings of each method.
#include "settings/describe.h"

#include <iterator>

namespace tendril {

using namespace describe;

namespace {

std::vector<SettingOf<SolverSettings>> type_settings()
{
    return {
        choice<&SolverSettings::type>(
            "type", {std::begin(kSolverNames), std::end(kSolverNames)},
            "`\"dftl\"`: dynamic follow-the-leader. `\"pbd\"`: position based dynamics [Boercsoek20]. `\"xpbd\"`: the "
            "same with stiffness in physical units. `\"direct\"`: solves all lengths of a strand at once, without "
            "stretch and with hardly any damping. `\"mass_spring\"`: a spring along each segment, integrated with "
            "symplectic Euler. `\"implicit_spring\"`: the same with implicit Euler, stable at any stiffness. "
            "`\"tressfx\"`: position based dynamics with shape constraints [Zappe20]. `\"tractrix\"`: the root drags "
            "the strand. `\"tractrix_emulation\"`, `\"tractrix_split\"`: hair built on it [Zappe20]. "
            "`\"tractrix_ftl\"`: follow-the-leader built on it. `\"chain_shape\"`: strings of a material that "
            "stretch, bend, twist and tear [Rungjiratananon11]."),
        choice<&SolverSettings::form>(
            "form", {"stable", "paper"},
            "`\"stable\"`: our equations, which depart from those of the paper where they do not work. `\"paper\"`: "
            "the "
            "equations as printed, to compare with, see [equations.md](equations.md). For `dftl`, `pbd`, `tractrix`, "
            "`tractrix_emulation`, `tractrix_split` and `chain_shape`; the others have one form."),
    };
}

std::vector<SettingOf<DftlSettings>> dftl_settings()
{
    using D = DftlSettings;
    return {
        number<&D::velocity_correction>(
            "velocity_correction", "", {0, 1},
            "Share of the child's correction that is subtracted from the velocity over one step, s in Eq. 9; each "
            "substep uses s^(1/substeps). 1 hides the uneven masses fully and gains hardly any energy: 1 % for a rope "
            "that was released horizontally. Smaller values swing out farther at first and gain more, 18 % at 0.9, "
            "which is the paper's compromise."),
        number<&D::bend_limit>(
            "bend_limit", "", {0, 1},
            "Minimum distance between particles two segments apart, divided by the sum of the two rest "
            "lengths, s in Eq. 11. 0 bends freely; 1 makes a stick that never quite comes to rest. In strands "
            "with holds other than the root, it acts only beyond the last one."),
        choice<&D::bend_order>("bend_order", {"together", "paper"},
                               "Whether the bend limit and the length are satisfied at once, or one after the other as "
                               "printed, where the length undoes part of the limit."),
        boolean<&D::backward_pass>(
            "backward_pass",
            "Lets waves travel from the tip to the root faster (section 3.4): before the projection, a pass from the "
            "tip shortens overstretched segments. For strands that are held at the root alone."),
        choice<&D::end_blend>("end_blend", {"weighted", "average"},
                              "How the projections from either end are blended in a rope that is held at both ends, "
                              "Fig. 2."),
        boolean<&D::dynamic>("dynamic",
                             "Off: the static projection of section 3.1 alone; strands follow their root and have no "
                             "motion of their own. For strands that are held at the root alone."),
    };
}

std::vector<SettingOf<PbdSettings>> pbd_settings()
{
    using P = PbdSettings;
    return {
        integer<&P::iterations>("iterations", {1, 1000},
                                "Passes over all constraints per substep; for `tressfx`, passes over all lengths."),
        number<&P::stiffness>(
            "stiffness", "", {0, 1},
            "`pbd`: share of the error in its length that a segment loses per substep, the paper's k. It is used as 1 "
            "- (1 - k)^(1/iterations), so iterations change the convergence but not the stiffness."),
        number<&P::stretch_stiffness>("stretch_stiffness", "1/s^2", {0, 1e12},
                                      "`xpbd`: stiffness of a segment divided by the mass of a particle; 0: as stiff "
                                      "as the iterations can make it."),
        integer<&P::bend_offset>("bend_offset", {2, 64},
                                 "Bending by distance acts on pairs of particles this many segments apart."),
        number<&P::bend_distance>(
            "bend_distance", "", {0, 1},
            "Such a pair is drawn to this share of the rest length between its particles; 1 straightens, less curls."),
        number<&P::bend_stiffness>("bend_stiffness", "", {0, 1e12},
                                   "Stiffness of these pairs; 0: off. `pbd`: [0, 1] as `stiffness`; `xpbd`: divided by "
                                   "the mass of a particle [1/s^2]."),
        number<&P::angle>("angle", "rad", {0, 3.14159265},
                          "Bending by angle turns neighbouring segments to this angle; 0 is straight."),
        number<&P::angle_stiffness>("angle_stiffness", "", {0, 1e12},
                                    "Stiffness of these angles, in the unit of `bend_stiffness`; 0: off."),
        number<&P::damping>("damping", "1/s", {0, 1e6}, "Rate at which all motion dies away; for `tressfx` as well."),
        number<&P::mass_variation>("mass_variation", "", {0, 0.9},
                                   "Masses of particles vary by up to this share, so that strands do not move alike."),
    };
}

std::vector<SettingOf<DirectSettings>> direct_settings()
{
    return {
        with_short_name("newton_iterations",
                        integer<&DirectSettings::iterations>("iterations", {1, 100}, "Newton iterations per substep.")),
    };
}

std::vector<SettingOf<SpringSettings>> spring_settings()
{
    using M = SpringSettings;
    return {
        with_short_name(
            "spring_stiffness",
            number<&M::stiffness>(
                "stiffness", "N/m", {0, 1e12},
                "Force per elongation of a segment between particles of `groom.particle_mass`. 0: half of what the "
                "step allows, or with `implicit_spring` a stiffness that hardly stretches. A groom with more than the "
                "step of `mass_spring` allows is refused; if the step grows later, springs are softened.")),
        with_short_name("spring_damping",
                        number<&M::damping>("damping", "", {0, 10},
                                            "Damping of motion along a segment; 1 is critical for one particle on one "
                                            "segment.")),
        with_short_name("spring_substeps",
                        integer<&M::substeps>("substeps", {1, 100}, "`mass_spring`: parts of each substep.")),
        with_short_name("spring_iterations",
                        integer<&M::iterations>("iterations", {1, 100},
                                                "`implicit_spring`: Newton iterations per substep; 1 is the linearised "
                                                "method.")),
    };
}

std::vector<SettingOf<TressfxSettings>> tressfx_settings()
{
    using T = TressfxSettings;
    return {
        number<&T::global_stiffness>(
            "global_stiffness", "", {0, 1},
            "Share of the way to its rest position, as the root carries it, that a particle next to the root moves per "
            "substep. It falls to 0 at the end of `global_range`."),
        number<&T::global_range>("global_range", "", {0, 1},
                                 "Share of the strand, from the root, that `global_stiffness` acts on."),
        number<&T::local_stiffness>("local_stiffness", "", {0, 1},
                                    "Share of its error that the bend between two segments loses per iteration."),
        integer<&T::local_iterations>("local_iterations", {0, 1000}, "Passes over all bends per substep."),
        number<&T::shock_acceleration>("shock_acceleration", "m/s^2", {0, 1e9},
                                       "A root that accelerates by more than this takes its strand along."),
        number<&T::shock_follow>("shock_follow", "", {0, 1},
                                 "Share of the root's displacement by which the strand then follows."),
        number<&T::shock_damping>("shock_damping", "1/s", {0, 1e6}, "Additional rate at which motion then dies away."),
    };
}

std::vector<SettingOf<TractrixSettings>> tractrix_settings()
{
    return {
        number<&TractrixSettings::style>(
            "style", "", {0, 1},
            "`tractrix_split`: how far segments turn from their simulated direction to their rest direction, as the "
            "root carries it. 0 hangs, 1 is a helmet."),
    };
}

std::vector<SettingOf<StringSettings>> string_settings()
{
    using S = StringSettings;
    return {
        integer<&S::half_width>(
            "half_width", {1, 32},
            "Particles up to this many segments to either side are matched to their rest pose together. Wider regions "
            "support stiffer strings with the same substep; the stiffness of the material stays the same. With `form = "
            "\"paper\"`, the width is the stiffness."),
        number<&S::bend_damping>("bend_damping", "", {0, 1},
                                 "Damping of bending; 1 is critical for the shortest waves."),
        number<&S::heavier>("heavier", "", {1, 100},
                            "Weight of a particle that touches another string, when regions are matched. The paper "
                            "uses 3; more than 1 does not conserve momentum."),
        number<&S::twist_reach>("twist_reach", "", {1, 1e4}, "Twist evens out over this many segments within 0.01 s."),
        with_short_name(
            "string_iterations",
            integer<&S::iterations>("iterations", {1, 100},
                                    "Iterations over lengths and contacts per substep. With `form = \"paper\"`, over "
                                    "lengths only.")),
        with_short_name(
            "most_substeps",
            integer<&S::max_substeps>("max_substeps", {1, 1000},
                                      "Limit on the substeps, which are chosen so that tensions are within a percent "
                                      "and the bending stiffness is met; `sim.substeps` applies if it is larger. At "
                                      "the limit, strings are softer than their material, and the report says so.")),
        boolean<&S::tears>("tears", "Whether strings tear."),
        boolean<&S::flicks>("flicks",
                            "Whether a string that tears or is released springs back. Otherwise its tension is gone at "
                            "once."),
        integer<&S::twist_half_width>("twist_half_width", {1, 1000},
                                      "`form = \"paper\"`: half-width of the regions that twist spreads over, w_twist. "
                                      "Where the torsional rigidity is less than the largest of the string, the "
                                      "regions are smaller in proportion."),
        choice<&S::twist_increment>(
            "twist_increment", {"sum", "mean"},
            "`form = \"paper\"`: `\"sum\"`: Eq. 2 and 3 as printed. Twist grows without bound; at a thousand turns it "
            "is limited, and the report counts it. `\"mean\"`: the mean over the regions of a segment is its goal."),
        number<&S::tension_stiffness>(
            "tension_stiffness", "N/m", {0, 1e12},
            "`form = \"paper\"`: k_stiff of Eq. 8. 0: the force that moves both particles of the segment from their "
            "unconstrained to their constrained distance within a substep."),
    };
}

}  // namespace

const SettingTable& solver_settings()
{
    static const SettingTable table = [] {
        using S = SolverSettings;
        SettingTable made = table_of(
            "solver", "The method that moves the strands, and the settings of each method in a table of its own.",
            type_settings());
        made.groups = {
            {"dftl", "Dynamic follow-the-leader: `dftl` and `tractrix_ftl`. Equations are those of [Mueller12]."},
            {"pbd", "Position based dynamics: `pbd` and `xpbd`, in part `tressfx`."},
            {"direct", "All lengths of a strand at once: `direct`."},
            {"spring", "Masses and springs: `mass_spring` and `implicit_spring`."},
            {"tressfx", "Shape constraints in the manner of TressFX: `tressfx`, [Zappe20] Algorithm 1."},
            {"tractrix", "Dragged strands: `tractrix_split` [Zappe20]."},
            {"string", "Strings of a material: `chain_shape` [Rungjiratananon11]."},
        };
        append_nested<&S::dftl>(made.settings, "dftl", dftl_settings());
        append_nested<&S::pbd>(made.settings, "pbd", pbd_settings());
        append_nested<&S::direct>(made.settings, "direct", direct_settings());
        append_nested<&S::spring>(made.settings, "spring", spring_settings());
        append_nested<&S::tressfx>(made.settings, "tressfx", tressfx_settings());
        append_nested<&S::tractrix>(made.settings, "tractrix", tractrix_settings());
        append_nested<&S::string>(made.settings, "string", string_settings());
        return made;
    }();
    return table;
}

}  // namespace tendril
