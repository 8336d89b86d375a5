// Shape, contact with colliders, and drag of the air.
#include "settings/describe.h"

namespace tendril {

using namespace describe;

const SettingTable& shape_settings()
{
    using S = ShapeSettings;
    static const SettingTable table = table_of(
        "shape", "How hair keeps its rest pose, [Sanchez15]. Acts on strands that are held at the root alone.",
        std::vector{
            number<&S::local>("local", "1/s^2", {0, 1e9},
                              "Stiffness against bending away from the rest pose, relative to the segment before. The "
                              "tip of a straight, horizontal strand sags by g divided by this: 1000 gives 1 cm, 100 is "
                              "soft, 10,000 stands up; 0: off."),
            number<&S::global>("global", "1/s^2", {0, 1e9},
                               "Stiffness that draws every particle to its rest position as the root carries it. It "
                               "yields by g divided by this; 0: off."),
            number<&S::fade>(
                "fade", "", {0, 1},
                "Share of both stiffnesses that is lost at the tip; the loss grows linearly from the root."),
            number<&S::damping>("damping", "", {0, 1e6},
                                "Damping of the rotation of segments relative to the root, and of motion relative to "
                                "the global targets, which move with the root; 1 is critical. From 1 on, no wave grows "
                                "on its way to the tip; below 0.5, weak hair flutters."),
            number<&S::drag>("drag", "1/s", {0, 1e6},
                             "Rate at which all motion dies away, as in thick air. It settles hair whose stiffness is "
                             "too weak to do so."),
            number<&S::load>("load", "", {0, 1},
                             "Share of its child's pull that a particle receives per substep, in place of "
                             "`solver.velocity_correction` where that is larger. Larger values let weak hair hang "
                             "straighter, and its look depends more on the step."),
            boolean<&S::sag_free>("sag_free", "The rest pose is in equilibrium with gravity, so hair does not sag."),
            choice<&S::form>("form", {"stable", "paper"},
                             "`\"stable\"`: one implicit pull towards both targets, damped by their own motion. "
                             "`\"paper\"`: Eq. 8-14 as printed, with which curls flutter forever once moved; only "
                             "`local`, `global` and `fade` act there."),
            choice<&S::units>("units", {"si", "paper"},
                              "`\"paper\"`: `local` and `global` are the coefficients of [Sanchez15], below 1, for its "
                              "step of 0.016 s."),
        });
    return table;
}

const SettingTable& contact_settings()
{
    using C = ContactSettings;
    static const SettingTable table = table_of(
        "contact",
        "Contact of strands with colliders, see `[[collider]]` and `body.collide`. Strings use only `friction`, "
        "`margin` and `ease`.",
        std::vector{
            number<&C::friction>("friction", "", {0, 100},
                                 "Coulomb coefficient of sliding friction; hair on skin has about 0.2 to 0.4."),
            number<&C::static_friction>("static_friction", "", {0, 100},
                                        "Coulomb coefficient of static friction; values below `friction` count as "
                                        "`friction`. Strands that it holds do not creep."),
            number<&C::ease>("ease", "s", {0, 3600},
                             "Strands whose rest pose is inside a collider are pushed out over this time; 0: at once."),
            number<&C::stick>(
                "stick", "m/s", {0, 10},
                "On a body at rest, strands that touch it and are slower than this stay where they are until "
                "unbalanced forces have built up more speed; 0: off. A small value stands for the friction of hair on "
                "hair. Only for `dftl`, and for strands that are held at the root alone."),
            number<&C::restitution>(
                "restitution", "", {0, 1},
                "Share of the impact speed that a particle keeps when it leaves a surface, for impacts above 0.2 m/s. "
                "Hair does not bounce. `pbd`, `xpbd` and, in most contacts, `direct` ignore it."),
            number<&C::margin>("margin", "m", {0, 1},
                               "Distance that particles keep from a surface. Segments are chords: on a sphere of "
                               "radius r the middle of a segment of length l is nearer by l^2 / 8r."),
            number<&C::layer>("layer", "m", {0, 1},
                              "Each strand keeps an additional distance of its own between 0 and this. It stands for "
                              "hair that lies on hair, so that a head of hair has a thickness."),
            integer<&C::max_refinement>("max_refinement", {1, 16},
                                        "Largest factor by which fast colliders increase the number of substeps of "
                                        "the grooms that they may touch; 1: never."),
        });
    return table;
}

const SettingTable& air_settings()
{
    using A = AirSettings;
    static const SettingTable table = table_of(
        "air", "Drag of the air. A rate is the inverse of the time in which motion through still air dies away.",
        std::vector{
            number<&A::drag_normal>("drag_normal", "1/s", {0, 1e6},
                                    "Drag across the strand; hair in air has about 2 to 5; 0 is a vacuum."),
            number<&A::drag_tangential>("drag_tangential", "1/s", {0, 1e6},
                                        "Drag along the strand; about half of the normal rate for thin fibres."),
        });
    return table;
}

}  // namespace tendril
