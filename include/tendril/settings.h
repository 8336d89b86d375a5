/// All settings of a world, as plain aggregates in SI units with usable defaults. src/settings describes every field
/// that is a key of scene files; tools/settings_header.py copies the descriptions here, from docs/scene.md.
#pragma once

#include "tendril/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tendril {

/// Which equations of a method are computed; docs/equations.md lists them.
enum class Form : uint8_t {
    kStable,  ///< ours, which departs from the paper where its equations do not work
    kPaper,   ///< as printed, to compare with
};

/// The order in which the bend limit and the length are satisfied.
enum class BendOrder : uint8_t {
    kTogether,  ///< the particle is placed on both spheres at once, so both hold exactly
    kPaper,     ///< first Eq. 11, then the length, which undoes part of it [Mueller12] 3.5
};

/// How a rope between two holds blends the projections from either end, [Mueller12] Fig. 2.
enum class EndBlend : uint8_t {
    kWeighted,  ///< each projection has its full weight at the end it started from (Fig. 2e)
    kAverage,   ///< plain mean (Fig. 2d)
};

/// The corrections that Eq. 9 takes back after a backward pass, in the printed form; [Mueller12] 3.4 does not say.
enum class BackwardTakes : uint8_t {
    kForward,  ///< those of the forward pass alone
    kBoth,     ///< those of both passes
};

/// Dynamic follow-the-leader. Equation numbers are those of [Mueller12].
struct DftlSettings {
    /// Share of the child's correction that is subtracted from the velocity over one step, s in Eq. 9; each substep
    /// uses s^(1/substeps), with form = "paper" s itself. 1 hides the uneven masses fully and gains hardly any energy:
    /// 1 % for a rope that was released horizontally. Smaller values swing out farther at first and gain more, 18 % at
    /// 0.9, which is the paper's compromise. In [0, 1].
    float velocity_correction = 0.9f;
    /// Minimum distance between particles two segments apart, divided by the sum of the two rest lengths, s in Eq. 11.
    /// 0 bends freely; 1 makes a stick that never quite comes to rest. In strands with holds other than the root, it
    /// acts only beyond the last one; with form = "paper", only in hair. In [0, 1].
    float bend_limit = 0.0f;
    BendOrder bend_order = BendOrder::kTogether;
    /// Lets waves travel from the tip to the root faster (section 3.4): before the projection, a pass from the tip
    /// shortens overstretched segments; with form = "paper", it gives every segment its length. For strands that are
    /// held at the root alone.
    bool backward_pass = false;
    BackwardTakes backward_takes = BackwardTakes::kForward;
    EndBlend end_blend = EndBlend::kWeighted;
    /// Off: the static projection of section 3.1 alone; strands follow their root and have no motion of their own. For
    /// strands that are held at the root alone; with form = "paper", for all.
    bool dynamic = true;
};

/// Drag of the air. A rate is the inverse of the time in which motion through still air dies away.
struct AirSettings {
    /// Drag across the strand; hair in air has about 2 to 5; 0 is a vacuum. In [0, 1000000] 1/s.
    float drag_normal = 0.0f;
    /// Drag along the strand; about half of the normal rate for thin fibres. In [0, 1000000] 1/s.
    float drag_tangential = 0.0f;
};

/// Motion of the air. Without drag, wind has no effect.
struct WindSettings {
    /// Mean wind. In [-1000, 1000] m/s.
    Vec3f velocity{0.0f, 0.0f, 0.0f};
    /// Gusts change the mean wind by up to this share. In [0, 1].
    float gust = 0.0f;
    /// Typical time between gusts. In [0.01, 1000000] s.
    float gust_period = 3.0f;
    /// Root mean square speed of the eddies. In [0, 1000] m/s.
    float turbulence = 0.0f;
    /// Size of the largest eddies. In [0.001, 1000000] m.
    float turbulence_size = 0.3f;
    /// Time at which the wind starts, if it has a duration. In [0, 1000000000] s.
    double start = 0.0;
    /// Duration of the wind, including up to 0.3 s each for fading in and out; 0: it always blows.
    /// In [0, 1000000000] s.
    double duration = 0.0;
    uint64_t seed = 1;  ///< seed of the eddies
};

/// Contact of strands with colliders. Strings use only `friction`, `margin` and `ease`.
struct ContactSettings {
    /// Coulomb coefficient of sliding friction; hair on skin has about 0.2 to 0.4. In [0, 100].
    float friction = 0.3f;
    /// Coulomb coefficient of static friction; values below friction count as friction. Strands that it holds do not
    /// creep. In [0, 100].
    float static_friction = 0.4f;
    /// Strands whose rest pose is inside a collider are pushed out over this time; 0: at once. In [0, 3600] s.
    float ease = 0.3f;
    /// On a body at rest, strands that touch it and are slower than this stay where they are until unbalanced forces
    /// have built up more speed; 0: off. A small value stands for the friction of hair on hair. Only for dftl, and for
    /// strands that are held at the root alone. In [0, 10] m/s.
    float stick = 0.02f;
    /// Share of the impact speed that a particle keeps when it leaves a surface, for impacts above 0.2 m/s. Hair does
    /// not bounce. pbd, xpbd and, in most contacts, direct ignore it. In [0, 1].
    float restitution = 0.0f;
    /// Distance that particles keep from a surface. Segments are chords: on a sphere of radius r the middle of a
    /// segment of length l is nearer by l^2 / 8r. In [0, 1] m.
    float margin = 0.001f;
    /// Each strand keeps an additional distance of its own between 0 and this. It stands for hair that lies on hair, so
    /// that a head of hair has a thickness. In [0, 1] m.
    float layer = 0.0f;
    uint64_t seed = 1;  ///< seed of these distances
    /// Largest factor by which fast colliders increase the number of substeps of the grooms that they may touch; 1:
    /// never. In [1, 16].
    int max_refinement = 16;
};

/// The unit of the stiffness of a shape.
enum class ShapeUnits : uint8_t {
    kSi,     ///< [1/s^2]
    kPaper,  ///< coefficients of [Sanchez15], [0, 1), for its step of 0.016 s
};

/// How hair keeps its rest pose [Sanchez15]. Acts on strands that are held at the root alone.
struct ShapeSettings {
    /// Stiffness against bending away from the rest pose, relative to the segment before. The tip of a straight,
    /// horizontal strand sags by g divided by this: 1000 gives 1 cm, 100 is soft, 10,000 stands up; 0: off.
    /// In [0, 1000000000] 1/s^2.
    float local = 0.0f;
    /// Stiffness that draws every particle to its rest position as the root carries it. It yields by g divided by this;
    /// 0: off. In [0, 1000000000] 1/s^2.
    float global = 0.0f;
    /// Share of both stiffnesses that is lost at the tip; the loss grows linearly from the root. In [0, 1].
    float fade = 0.0f;
    /// Damping of the rotation of segments relative to the root, and of motion relative to the global targets, which
    /// move with the root; 1 is critical. From 1 on, no wave grows on its way to the tip; below 0.5, weak hair
    /// flutters. In [0, 1000000].
    float damping = 1.0f;
    /// Rate at which all motion dies away, as in thick air. It settles hair whose stiffness is too weak to do so.
    /// In [0, 1000000] 1/s.
    float drag = 2.0f;
    /// Share of its child's pull that a particle receives per substep, in place of solver.velocity_correction where
    /// that is larger. Larger values let weak hair hang straighter, and its look depends more on the step. In [0, 1].
    float load = 0.5f;
    /// The rest pose is in equilibrium with gravity, so hair does not sag.
    bool sag_free = false;
    Form form = Form::kStable;
    ShapeUnits units = ShapeUnits::kSi;
};

/// How strands interact.
enum class InteractionMethod : uint8_t {
    kNone,  ///< strands do not interact
    kGrid,  ///< through density and velocity on a grid, [Mueller12] 3.6
    kSph,   ///< as a fluid that consists of their particles, [Sanchez15] 3.2
    /// Segment by segment, as capsules that push and rub, [Rungjiratananon11] section 6. Strings
    /// (SolverType::kChainShape) interact like this with every method except kNone; with kContacts, hair does not
    /// interact.
    kContacts,
};

/// Interaction between strands through a grid, see docs/interaction.md.
struct GridSettings {
    /// Size of a cell. 0: 1.5 to 4 mean segment lengths, so that a cell holds several particles. In [0, 100] m.
    float cell = 0.0f;
    /// Rate at which velocity differences between strands at the same position die away, whatever the step; 0: off. 2
    /// lets hair move as one within half a second and still shows its strands. In [0, 1000000] 1/s.
    float friction = 2.0f;
    /// Maximum acceleration of crowded hair away from the denser side; 0: off. Half of gravity keeps the volume of a
    /// head of hair without inflating it. A step moves no particle by more than half a cell. In [0, 1000000] m/s^2.
    float repulsion = 5.0f;
    /// Hair is crowded where its density exceeds that of its rest pose by this factor. Above 1, because the density on
    /// a grid varies by a few percent with the position of the hair on it. In [1, 100].
    float tolerance = 1.1f;
    /// form = "paper", instead of friction: share of its velocity that a particle replaces by that of the grid in every
    /// step, s_friction in Eq. 13. In [0, 1].
    float s_friction = 0.05f;
    /// form = "paper", instead of repulsion: displacement that a step adds, s_repulsion in Eq. 14. As printed, a
    /// positive value pulls hair to the denser side; a negative one pushes it away. In [-1, 1] m.
    float s_repulsion = 0.0f;
};

/// The unit of the coefficients of SPH.
enum class SphUnits : uint8_t {
    kSi,     ///< stiffness [m^2/s^2], viscosity [m^2/s]; independent of the unit of mass
    kPaper,  ///< as [Sanchez15]: every particle has mass 1; repulsion 0 to 0.5, viscosity 0 to 200
};

/// Hair as a fluid. Any value is stable: the interaction limits what its step does not allow, see docs/sph.md.
struct SphSettings {
    /// Range h of the forces between particles, at least 0.0001. 0: chosen from the rest pose, so that half of the
    /// particles have 30 neighbours, at most 1.5 segments. The cost grows with its cube. In [0, 1] m.
    float smoothing_length = 0.0f;
    /// Pressure per density above that at rest, k in p = k (rho - rho_rest): the square of the speed at which a push
    /// travels through hair. With 1, hair at 1.5 times its density supports 3 cm of itself. In [0, 1000000000] m^2/s^2.
    float stiffness = 1.0f;
    /// Kinematic viscosity: neighbours share their motion within smoothing_length^2 / (15 viscosity), 0.07 s with the
    /// default and 1 cm. In [0, 1000000000] m^2/s.
    float viscosity = 1e-4f;
    /// Maximum number of neighbours that a particle acts on, the nearest ones. Momentum is conserved even where lists
    /// are cut. In [1, 512].
    uint32_t max_neighbours = 48;
    SphUnits units = SphUnits::kSi;
};

/// How pairs of touching segments are found.
enum class PairSearch : uint8_t {
    kExact,        ///< finds all
    kSevenVoxels,  ///< [Rungjiratananon11] section 6; misses some, see docs/strings.md
};

/// Strings against strings and against themselves.
struct StringContactSettings {
    /// Coulomb coefficient; ropes on ropes have about 0.3 to 0.5. In [0, 100].
    float friction = 0.3f;
    PairSearch search = PairSearch::kExact;
    /// "seven_voxels": size of a voxel in units of the longest segment. In [1, 100].
    float voxel = 1.0f;
    /// Also finds strings that have passed through each other in a substep.
    bool continuous = true;
};

struct InteractionSettings {
    InteractionMethod method = InteractionMethod::kNone;
    Form form = Form::kStable;
    GridSettings grid;
    SphSettings sph;
    StringContactSettings contacts;
};

/// Position based dynamics [Boercsoek20]: iterations over the constraints from root to tip. More iterations keep
/// lengths better.
struct PbdSettings {
    /// Passes over all constraints per substep; for tressfx, passes over all lengths. In [1, 1000].
    int iterations = 20;
    /// pbd: share of the error in its length that a segment loses per substep, the paper's k. It is used as 1 - (1 -
    /// k)^(1/iterations), so iterations change the convergence but not the stiffness. In [0, 1].
    float stiffness = 1.0f;
    /// xpbd: stiffness of a segment divided by the mass of a particle; 0: as stiff as the iterations can make it.
    /// In [0, 1e+12] 1/s^2.
    float stretch_stiffness = 0.0f;
    /// Bending by distance acts on pairs of particles this many segments apart. In [2, 64].
    int bend_offset = 2;
    /// Such a pair is drawn to this share of the rest length between its particles; 1 straightens, less curls.
    /// In [0, 1].
    float bend_distance = 1.0f;
    /// Stiffness of these pairs; 0: off. pbd: [0, 1] as stiffness; xpbd: divided by the mass of a particle [1/s^2].
    /// In [0, 1e+12].
    float bend_stiffness = 0.0f;
    /// Bending by angle turns neighbouring segments to this angle; 0 is straight. In [0, 3.14159265] rad.
    float angle = 0.0f;
    /// Stiffness of these angles, in the unit of bend_stiffness; 0: off. In [0, 1e+12].
    float angle_stiffness = 0.0f;
    /// Rate at which all motion dies away; for tressfx as well. In [0, 1000000] 1/s.
    float damping = 0.0f;
    /// Masses of particles vary by up to this share, so that strands do not move alike. In [0, 0.9].
    float mass_variation = 0.0f;
    /// pbd as printed: share of the velocity that damping leaves in a substep, k_s; 0.98 to 0.999 in the paper. It
    /// takes the place of damping. In [0, 1].
    float velocity_kept = 0.99f;
    /// pbd as printed: corrections are multiplied by k' = 1 - (1 - k)^(1/iterations) instead of k.
    bool corrected_stiffness = false;
};

/// Solves all lengths of a strand at once, with equal masses and true tensions.
struct DirectSettings {
    /// Newton iterations per substep. In [1, 100].
    int iterations = 3;
    bool keep_tensions = false;  ///< whether World::tensions returns them
};

/// Masses and springs, [Mueller12] section 4, [Zappe20] section 2.2.1: a spring along every segment, between particles
/// of GroomSettings::particle_mass. ShapeSettings give the bending stiffness.
struct SpringSettings {
    /// Force per elongation of a segment between particles of groom.particle_mass. 0: half of what the step allows, or
    /// with implicit_spring a stiffness that hardly stretches. A groom with more than the step of mass_spring allows is
    /// refused; if the step grows later, springs are softened. In [0, 1e+12] N/m.
    float stiffness = 0.0f;
    /// Damping of motion along a segment; 1 is critical for one particle on one segment. In [0, 10].
    float damping = 0.05f;
    /// mass_spring: parts of each substep. In [1, 100].
    int substeps = 10;
    /// implicit_spring: Newton iterations per substep; 1 is the linearised method. In [1, 100].
    int iterations = 5;
};

/// Shape constraints in the manner of TressFX, [Zappe20] Algorithm 1. PbdSettings has the iterations over lengths and
/// the damping.
struct TressfxSettings {
    /// Share of the way to its rest position, as the root carries it, that a particle next to the root moves per
    /// substep. It falls to 0 at the end of global_range. In [0, 1].
    float global_stiffness = 0.1f;
    /// Share of the strand, from the root, that global_stiffness acts on. In [0, 1].
    float global_range = 0.5f;
    /// Share of its error that the bend between two segments loses per iteration. In [0, 1].
    float local_stiffness = 0.8f;
    /// Passes over all bends per substep. In [0, 1000].
    int local_iterations = 3;
    /// A root that accelerates by more than this takes its strand along. In [0, 1000000000] m/s^2.
    float shock_acceleration = 300.0f;
    /// Share of the root's displacement by which the strand then follows. In [0, 1].
    float shock_follow = 0.9f;
    /// Additional rate at which motion then dies away. In [0, 1000000] 1/s.
    float shock_damping = 20.0f;
};

/// Dragged strands [Zappe20]: when the head of a segment moves, its tail follows on a tractrix.
struct TractrixSettings {
    /// tractrix_split: how far segments turn from their simulated direction to their rest direction, as the root
    /// carries it. 0 hangs, 1 is a helmet. In [0, 1].
    float style = 0.5f;
    uint64_t seed = 1;  ///< kTractrixEmulation: seed of the order in which particles lead
};

/// What [Rungjiratananon11] Eq. 2 and 3 add to the twist of a segment.
enum class TwistIncrement : uint8_t {
    kSum,   ///< the sum over its regions, as printed; it grows without bound
    kMean,  ///< the mean over its regions replaces the twist, as goals replace positions in shape matching
};

/// Strings that stretch, bend, twist and tear like their material; see StringMaterial [Rungjiratananon11].
struct StringSettings {
    /// Particles up to this many segments to either side are matched to their rest pose together. Wider regions support
    /// stiffer strings with the same substep; the stiffness of the material stays the same. With form = "paper", the
    /// width is the stiffness. In [1, 32].
    int half_width = 1;
    /// Damping of bending; 1 is critical for the shortest waves. In [0, 1].
    float bend_damping = 0.1f;
    /// Weight of a particle that touches another string, when regions are matched. The paper uses 3; more than 1 does
    /// not conserve momentum. In [1, 100].
    float heavier = 1.0f;
    /// Twist evens out over this many segments within 0.01 s. In [1, 10000].
    float twist_reach = 30.0f;
    /// Iterations over lengths and contacts per substep. With form = "paper", over lengths only. In [1, 100].
    int iterations = 4;
    /// Limit on the substeps, which are chosen so that tensions are within a percent and the bending stiffness is met;
    /// sim.substeps applies if it is larger. At the limit, strings are softer than their material, and the report says
    /// so. In [1, 1000].
    int max_substeps = 32;
    /// Whether strings tear.
    bool tears = true;
    /// Whether a string that tears or is released springs back. Otherwise its tension is gone at once.
    bool flicks = true;
    /// form = "paper": half-width of the regions that twist spreads over, w_twist. Where the torsional rigidity is less
    /// than the largest of the string, the regions are smaller in proportion. In [1, 1000].
    int twist_half_width = 3;
    TwistIncrement twist_increment = TwistIncrement::kSum;
    /// form = "paper": k_stiff of Eq. 8. 0: the force that moves both particles of the segment from their unconstrained
    /// to their constrained distance within a substep. In [0, 1e+12] N/m.
    float tension_stiffness = 0.0f;
};

/// The methods that move strands.
enum class SolverType : uint8_t {
    kDftl,               ///< dynamic follow-the-leader [Mueller12]: one pass, no stretch
    kPbd,                ///< position based dynamics [Boercsoek20]
    kXpbd,               ///< the same with compliance: stiffness in physical units, independent of iterations and step
    kDirect,             ///< exact multipliers of all lengths from a tridiagonal system: no stretch, hardly any damping
    kSpring,             ///< masses and springs with symplectic Euler: as stiff as the step allows
    kImplicitSpring,     ///< the same with implicit Euler: any stiffness, with damping that grows with the step
    kTressfx,            ///< position based dynamics with shape constraints, [Zappe20] Algorithm 1
    kTractrix,           ///< the root drags the strand, which has no motion of its own
    kTractrixEmulation,  ///< all particles lead in turn [Zappe20]; the cost grows with the square of their number
    kTractrixSplit,      ///< the tip leads, and the rest pose is blended in [Zappe20]: one number to set
    kTractrixFtl,        ///< dynamic follow-the-leader whose children are dragged instead of projected
    kChainShape,         ///< strings of a material: chain shape matching, twist, tension, tearing [Rungjiratananon11]
    kLast = kChainShape,  ///< the last of the methods, not another one
};
/// The names of the methods in scenes and reports, by SolverType.
inline constexpr auto kSolverNames = [] {
    std::array<const char*, static_cast<size_t>(SolverType::kLast) + 1> names{};
    const auto name = [&names](SolverType type, const char* text) { names[static_cast<size_t>(type)] = text; };
    name(SolverType::kDftl, "dftl");
    name(SolverType::kPbd, "pbd");
    name(SolverType::kXpbd, "xpbd");
    name(SolverType::kDirect, "direct");
    name(SolverType::kSpring, "mass_spring");
    name(SolverType::kImplicitSpring, "implicit_spring");
    name(SolverType::kTressfx, "tressfx");
    name(SolverType::kTractrix, "tractrix");
    name(SolverType::kTractrixEmulation, "tractrix_emulation");
    name(SolverType::kTractrixSplit, "tractrix_split");
    name(SolverType::kTractrixFtl, "tractrix_ftl");
    name(SolverType::kChainShape, "chain_shape");
    return names;
}();
static_assert(
    [] {
        for (const char* name : kSolverNames)
            if (!name) return false;
        return true;
    }(),
    "every method of SolverType has a name");
/// Whether a paper describes a method, so that it also has a form as printed.
constexpr bool has_paper_form(SolverType type)
{
    switch (type) {
        case SolverType::kDftl:
        case SolverType::kPbd:
        case SolverType::kTractrix:
        case SolverType::kTractrixEmulation:
        case SolverType::kTractrixSplit:
        case SolverType::kChainShape: return true;
        default: return false;
    }
}
/// Whether a method guarantees that no segment ever stretches.
constexpr bool keeps_lengths(SolverType type, Form form)
{
    // As printed, neither the blends of [Mueller12] Fig. 2 nor the moves of [Zappe20] restore lengths in the end.
    if (form == Form::kPaper && has_paper_form(type)) return false;
    switch (type) {
        case SolverType::kPbd:
        case SolverType::kXpbd:
        case SolverType::kSpring:
        case SolverType::kImplicitSpring:
        case SolverType::kTressfx:
        case SolverType::kChainShape: return false;
        default: return true;
    }
}

struct SolverSettings {
    SolverType type = SolverType::kDftl;
    Form form = Form::kStable;
    constexpr bool is_printed() const { return form == Form::kPaper && has_paper_form(type); }
    constexpr bool keeps_lengths() const { return tendril::keeps_lengths(type, form); }
    DftlSettings dftl = {};
    PbdSettings pbd = {};
    DirectSettings direct = {};
    SpringSettings spring = {};
    TressfxSettings tressfx = {};
    TractrixSettings tractrix = {};
    StringSettings string = {};
};

/// How the strands of a groom behave. The world's settings are the default; a groom may have its own (GroomBehaviour).
struct Behaviour {
    SolverSettings solver = {};
    ShapeSettings shape = {};
    AirSettings air = {};
    ContactSettings contact = {};
};

struct WorldSettings {
    /// Duration of a step; in a scene, also of a frame. The guarantees of the methods hold from 0.001 to 0.2.
    /// In [0.0001, 1] s.
    double dt = 1.0 / 60.0;
    /// Substeps per step; more substeps damp less. In [1, 1000].
    int substeps = 1;
    /// Gravity; a single number g means [0, -g, 0]. In [-1000000, 1000000] m/s^2.
    Vec3d gravity{0.0, -9.81, 0.0};
    /// Keeps the positions at the start of each step. Interpolation, energy and motion blur need them; the interaction
    /// between strands keeps them in any case.
    bool keep_previous = true;
    /// `World::advance` drops time beyond this [s], so that one slow frame does not slow down the next.
    double longest_frame = 0.25;
    SolverSettings solver = {};
    ShapeSettings shape = {};
    AirSettings air = {};
    WindSettings wind = {};
    ContactSettings contact = {};
    InteractionSettings interaction = {};
};

}  // namespace tendril
