/// Everything that can be set, as plain aggregates. SI units; the defaults are usable as they are.
/// The scene file, the command line and docs/scene.md are made from one table of these fields (src/io/scene_keys.cpp).
#pragma once

#include "tendril/vec3.h"

#include <cstdint>

namespace tendril {

/// In which order the bend limit and the length are met.
enum class BendOrder : uint8_t {
    kTogether,  ///< the particle is put on both spheres at once: both hold exactly
    kPaper,     ///< first Eq. 11, then the length, which undoes part of it [Mueller12] 3.5
};

/// How a rope between two holds blends the projections from either end, [Mueller12] Fig. 2.
enum class EndBlend : uint8_t {
    kWeighted,  ///< each projection has its full weight at the end it started from (Fig. 2e)
    kAverage,   ///< plain mean (Fig. 2d)
};

/// How a follow-the-leader strand moves.
struct DftlSettings {
    /// Share of the child's correction that is taken back from the velocity over one frame, s in [Mueller12] Eq. 9;
    /// a substep uses its root of order `substeps`. [0, 1]; 1 hides the uneven masses fully and hardly gains energy
    /// (1 % measured for a rope let go level), below 1 swings out farther at first, by energy that is made (18 % at
    /// 0.9); 0.9 is the paper's compromise.
    float velocity_correction = 0.9f;
    /// Least distance of particles two edges apart, in units of their summed rest length, s in [Mueller12] Eq. 11.
    /// [0, 1]; 0 bends freely, 1 is a stick that never quite rests. In ropes that are not hair it acts behind the last
    /// hold.
    float bend_limit = 0.0f;
    BendOrder bend_order = BendOrder::kTogether;
    /// Lets waves travel from the tip to the root sooner, [Mueller12] 3.4: a pass from the tip that shortens
    /// overstretched segments before the projection. Hair only (held at its root alone).
    bool backward_pass = false;
    /// Blend of the two projections of a rope that is held at both ends.
    EndBlend end_blend = EndBlend::kWeighted;
    /// Off: the static projection of [Mueller12] 3.1 alone. Strands follow their root and have no motion of their own.
    /// Hair only.
    bool dynamic = true;
};

/// How the air resists. The rates are the inverse of the time in which motion through still air dies away.
struct AirSettings {
    float drag_normal = 0.0f;      ///< across the strand [1/s], >= 0; 0 is vacuum, hair in air is about 2 to 5
    float drag_tangential = 0.0f;  ///< along the strand [1/s], >= 0; about half of the normal rate for thin fibres
};

/// How the air moves. Without drag wind does nothing.
struct WindSettings {
    Vec3f velocity{0.0f, 0.0f, 0.0f};  ///< mean wind [m/s]
    float gust = 0.0f;                 ///< gusts change the mean wind by up to this share, [0, 1]
    float gust_period = 3.0f;          ///< typical time between gusts [s], > 0
    float turbulence = 0.0f;           ///< root mean square of the eddies' speed [m/s], >= 0
    float turbulence_size = 0.3f;      ///< size of the largest eddies [m], > 0
    double start = 0.0;                ///< when it sets in, see `duration` [s]
    double duration = 0.0;             ///< how long it blows, fading in and out within it over 0.3 s [s]; 0: always
    uint64_t seed = 1;                 ///< of the eddies
};

/// How strands meet what they cannot go through.
struct ContactSettings {
    /// Coulomb's coefficient of what slides, >= 0; hair on skin is between 0.2 and 0.4.
    float friction = 0.3f;
    /// Coulomb's coefficient of what lies still, >= 0; taken for `friction` where that is larger. What it holds does
    /// not creep.
    float static_friction = 0.4f;
    /// Strands whose rest pose is inside of something are pushed out over this time after they were put there [s], >=
    /// 0; 0: at once.
    float ease = 0.3f;
    /// On a body at rest, strands that touch it and are slower than this stay where they are until forces that are out
    /// of balance have gathered more speed [m/s], >= 0; 0: never. Small: it stands for the friction of hair on hair.
    float stick = 0.02f;
    /// Share of the speed with which a particle leaves a surface that it has hit, [0, 1]; only above 0.2 m/s, so that
    /// what lies stays. Hair does not bounce: 0.
    float restitution = 0.0f;
    /// How far strands stay away from the surface [m], >= 0. Segments are chords: on a sphere of radius r the middle of
    /// a segment of length l is l^2 / 8r nearer than its ends.
    float margin = 0.001f;
    /// Each strand stays away by a distance of its own between 0 and this in addition [m], >= 0: a stand-in for hair
    /// that lies on hair, so that a head of it has a thickness.
    float layer = 0.0f;
    uint64_t seed = 1;  ///< of those distances
};

/// How the shape targets of a strand are met.
enum class ShapeForm : uint8_t {
    kStable,  ///< one implicit pull towards both targets, damped by their own motion
    kPaper,   ///< [Sanchez15] Eq. 8-14 as printed: `local` and `global` are its coefficients; curls that
              ///< were moved flutter for ever
};

/// What the stiffness of a shape is given in.
enum class ShapeUnits : uint8_t {
    kSi,     ///< [1/s^2]
    kPaper,  ///< coefficients of [Sanchez15], [0, 1), for its step of 0.016 s
};

/// How hair keeps the shape of its rest pose. Acts on strands that are held at their root alone.
struct ShapeSettings {
    /// Stiffness against bending away from the rest shape, seen from the segment before [1/s^2], >= 0; 0: none. The tip
    /// of a straight, level strand sags by gravity over this: 1000 is 1 cm, 100 is soft, 10,000 stands up.
    float local = 0.0f;
    /// Stiffness that draws every particle to its rest place as the root carries it [1/s^2], >= 0; 0: none. Gravity
    /// over this is how far it gives way.
    float global = 0.0f;
    float fade = 0.0f;  ///< share of both stiffnesses that is lost at the tip, linearly from the root, [0, 1]
    /// Of the turning of segments, and of motion relative to the global targets, both as the root carries them, in
    /// units of what just keeps it from swinging, >= 0. With 1 and more no wave grows on its way to the tip; below 0.5
    /// weak hair flutters.
    float damping = 1.0f;
    /// Rate at which motion dies away as if in thick air, because hair passes on little of its swing [1/s], >= 0.
    float drag = 2.0f;
    /// Share of the pull of its child that a particle is given per substep, in place of `velocity_correction` where
    /// that is larger, [0, 1]. With more, weak hair hangs straighter and its look depends more on the step.
    float load = 0.5f;
    /// The groomed shape is where hair rests under gravity, not where its fall begins.
    bool sag_free = false;
    ShapeForm form = ShapeForm::kStable;
    ShapeUnits units = ShapeUnits::kSi;
};

/// How hair meets hair.
enum class InteractionMethod : uint8_t {
    kNone,  ///< strands do not feel each other
    kGrid,  ///< through density and velocity on a grid, [Mueller12] 3.6
    kSph,   ///< as a fluid whose particles they are, [Sanchez15] 3.2
    /// Segment by segment, as capsules that push and rub, [Rungjiratananon11] section 6. For SolverType::kChainShape.
    kContacts,
};

/// Hair against hair by a grid, see docs/interaction.md.
struct GridSettings {
    /// Size of a cell [m], >= 0. 0: chosen from the grooms, 1.5 to 4 segments, so that a cell holds several particles.
    float cell = 0.0f;
    /// How fast differences of velocity between strands in the same place die away [1/s], >= 0; 0: not at all.
    /// A step takes away the share 1 - exp(-friction dt), whatever the step is. 2 lets hair move as one within half a
    /// second and still shows its strands.
    float friction = 2.0f;
    /// Acceleration away from the denser side that crowded hair reaches at most [m/s^2], >= 0; 0: none. Half of gravity
    /// keeps the volume of a head of hair without blowing it up. A step moves nothing by more than half a cell.
    float repulsion = 5.0f;
    /// Hair is crowded where its density exceeds that of its rest pose by this factor, [1, 100]. Above 1, because the
    /// density that a grid sees varies by a few percent with the place of the hair on it.
    float tolerance = 1.1f;
};

/// What the coefficients of hair as a fluid mean.
enum class SphUnits : uint8_t {
    kSi,     ///< stiffness [m^2/s^2], viscosity [m^2/s]; independent of the unit of mass
    kPaper,  ///< as [Sanchez15]: every particle has mass 1; repulsion 0 to 0.5, viscosity 0 to 200
};

/// Hair as a fluid. Any value is stable: what the step cannot take is limited, see docs/sph.md.
struct SphSettings {
    /// How far particles act on each other, h [m], 0 or in [0.0001, 1]. 0: chosen from the rest pose, so that half of
    /// the particles have 30 neighbours; 1.5 segments at most. The cost goes with its cube.
    float smoothing_length = 0.0f;
    /// Pressure per density above that at rest, k in p = k (rho - rho_rest) [m^2/s^2], >= 0: the square of the speed at
    /// which a push travels through hair. With 1, hair pressed to 1.5 times its density carries 3 cm of itself. In the
    /// paper's units: its repulsion, [0, 0.5].
    float stiffness = 1.0f;
    /// How quickly differences of velocity even out, the kinematic viscosity [m^2/s], >= 0; neighbours share their
    /// motion within h^2/(15 viscosity): 0.07 s with the default and h = 1 cm. In the paper's units: its (dynamic)
    /// viscosity, [0, 200].
    float viscosity = 1e-4f;
    /// Neighbours that a particle acts on at most, [1, 512]: the nearest. Momentum is kept also where lists are cut.
    uint32_t most_neighbours = 48;
    SphUnits units = SphUnits::kSi;
};

/// How pairs of capsules are looked for.
enum class PairSearch : uint8_t {
    kExact,        ///< none is missed
    kSevenVoxels,  ///< [Rungjiratananon11] section 6: some are, see docs/strings.md
};

/// Strings against strings and themselves.
struct StringContactSettings {
    float friction = 0.3f;  ///< Coulomb's coefficient, >= 0; of ropes on ropes about 0.3 to 0.5
    PairSearch search = PairSearch::kExact;
    float voxel = 1.0f;      ///< kSevenVoxels: side of a voxel in units of the longest segment, [1, 100]
    bool continuous = true;  ///< also looks for strings that have gone through each other within a substep
};

struct InteractionSettings {
    InteractionMethod method = InteractionMethod::kNone;
    GridSettings grid;
    SphSettings sph;
    StringContactSettings contacts;
};

/// Position based dynamics: constraints move particles one after the other, from the root outwards, over and over.
/// Lengths hold the better the more iterations there are. [Boercsoek20]
struct PbdSettings {
    int iterations = 20;  ///< per substep, [1, 1000]
    /// Share of the error in its length that a segment gives up over all iterations of a substep, [0, 1]; the paper's
    /// k, used as 1 - (1 - k)^(1/iterations), so that iterations change how it converges but not how stiff it is.
    float stiffness = 1.0f;
    /// SolverType::kXpbd: stiffness of a segment over the mass of a particle [1/s^2], >= 0; 0: as stiff as the
    /// iterations can make it.
    float stretch_stiffness = 0.0f;
    /// Bending by distance: particles so many segments apart are a pair, [2, 64].
    int bend_offset = 2;
    /// They are drawn to this share of the length between them, [0, 1]: 1 straightens, less curls.
    float bend_distance = 1.0f;
    /// Like `stiffness`, of those pairs, [0, 1]; kXpbd: over the mass of a particle [1/s^2], >= 0. 0: none.
    float bend_stiffness = 0.0f;
    /// Bending by angle: neighbouring segments are turned to `angle`, [0, pi] rad, as stiffly as this says, in the unit
    /// of `bend_stiffness`. 0: none.
    float angle = 0.0f;
    float angle_stiffness = 0.0f;
    float damping = 0.0f;  ///< rate at which all motion dies away [1/s], >= 0
    /// Masses of particles differ by up to this share, so that strands do not move alike, [0, 0.9].
    float mass_variation = 0.0f;
};

/// All lengths of a strand at once, with equal masses and true tensions.
struct DirectSettings {
    int iterations = 3;          ///< of Newton per substep, [1, 100]
    bool keep_tensions = false;  ///< for World::tensions
};

/// Masses and springs: a spring along every segment, between particles of GroomSettings::particle_mass. What turns
/// segments to their style is the shape, see ShapeSettings. [Mueller12] section 4, [Zappe20] section 2.2.1
struct SpringSettings {
    /// Force per elongation of a segment [N/m], >= 0. 0: kSpring takes half of what its step can take, kImplicitSpring
    /// one that hardly stretches. kSpring refuses what its step cannot take, see World::check.
    float stiffness = 0.0f;
    /// Of motion along a segment, in units of what just keeps one particle on one segment from swinging, [0, 10].
    float damping = 0.05f;
    int substeps = 10;   ///< kSpring: parts of each substep of the world, [1, 100]
    int iterations = 5;  ///< kImplicitSpring: of Newton per substep, [1, 100]; 1 is the linearised method
};

/// Shape constraints in the manner of TressFX, [Zappe20] Algorithm 1. Lengths are met by PbdSettings::iterations, and
/// motion dies away by PbdSettings::damping.
struct TressfxSettings {
    /// Share of the way to its place in the style, as the root carries it, that a particle next to the root goes in a
    /// substep, [0, 1]; it falls to nothing at the end of `global_range`. 0: none.
    float global_stiffness = 0.1f;
    float global_range = 0.5f;  ///< share of the strand that this acts on, from the root, [0, 1]
    /// Share of its error that the bend between two segments gives up in an iteration, [0, 1]. 0: none.
    float local_stiffness = 0.8f;
    int local_iterations = 3;  ///< of bends per substep, [0, 1000]
    /// A root that accelerates by more takes its strand along [m/s^2], >= 0.
    float shock_acceleration = 300.0f;
    float shock_follow = 0.9f;    ///< share of the root's jump by which it does so, [0, 1]
    float shock_damping = 20.0f;  ///< rate at which motion then dies away in addition [1/s], >= 0
};

/// Strands as what is dragged along: a segment whose head is moved turns into its path on a tractrix. [Zappe20]
struct TractrixSettings {
    /// SolverType::kTractrixSplit: how far segments are turned from where physics has them to where the groom has them,
    /// as the root carries it, [0, 1]; 0 hangs, 1 is a helmet.
    float style = 0.5f;
    uint64_t seed = 1;  ///< kTractrixEmulation: of the order in which particles lead
};

/// Strings that stretch, bend, twist and tear as their material does, see StringMaterial. [Rungjiratananon11]
struct StringSettings {
    /// Particles up to so many segments to either side are matched to their rest shape together, [1, 32]. Wider regions
    /// hold stiffer strings with the same step; the stiffness of the material is the same.
    int half_width = 1;
    /// Of bending, in units of what keeps the shortest waves from swinging, [0, 1].
    float bend_damping = 0.1f;
    /// Particles that touch another string count for so many when regions are matched, [1, 100]. The paper takes 3;
    /// more than 1 does not keep momentum.
    float heavier = 1.0f;
    /// Over so many segments twist evens out within 0.01 s, [1, 10000].
    float twist_reach = 30.0f;
    int iterations = 4;  ///< of lengths and contacts per substep, [1, 100]
    /// Substeps are as many as show tensions within a percent and take the bending stiffness whole, [1, 1000] at most;
    /// beyond, strings are softer than their material, which the report says.
    int most_substeps = 32;
    bool tears = true;
    /// What is torn or let go springs back; else its tension is gone in that moment.
    bool flicks = true;
};

/// Which method moves the strands.
enum class SolverType : uint8_t {
    kDftl,    ///< dynamic follow-the-leader [Mueller12]: one pass, no stretch
    kPbd,     ///< position based dynamics [Boercsoek20]
    kXpbd,    ///< the same with compliance: stiffness in physical units, whatever the iterations and the step
    kDirect,  ///< the exact multipliers of all lengths from a tridiagonal system: no stretch, hardly any damping
    kSpring,  ///< masses and springs with symplectic Euler: as stiff as the step can take
    kImplicitSpring,     ///< the same with implicit Euler: any stiffness, and damping that grows with the step
    kTressfx,            ///< position based dynamics with constraints of the style, [Zappe20] Algorithm 1
    kTractrix,           ///< strands are dragged by their root and have no motion of their own
    kTractrixEmulation,  ///< all particles lead in turn [Zappe20]: the cost goes with the square of their number
    kTractrixSplit,      ///< the tip leads, and the hair style is mixed in [Zappe20]: one number to set
    kTractrixFtl,        ///< dynamic follow-the-leader whose children are dragged instead of projected
    kChainShape,         ///< strings of a material: chain shape matching, twist, tension, tearing [Rungjiratananon11]
};
/// What they are called in scenes and reports, by SolverType.
inline constexpr const char* kSolverNames[] = {"dftl",           "pbd",          "xpbd",
                                               "direct",         "mass_spring",  "implicit_spring",
                                               "tressfx",        "tractrix",     "tractrix_emulation",
                                               "tractrix_split", "tractrix_ftl", "chain_shape"};
/// Whether a method promises that no segment is ever stretched.
constexpr bool keeps_lengths(SolverType type)
{
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
    DftlSettings dftl = {};
    PbdSettings pbd = {};
    DirectSettings direct = {};
    SpringSettings spring = {};
    TressfxSettings tressfx = {};
    TractrixSettings tractrix = {};
    StringSettings string = {};
};

/// How the strands of a groom behave. Those of the world are the default; a groom may have its own (GroomBehaviour).
struct Behaviour {
    SolverSettings solver = {};
    ShapeSettings shape = {};
    AirSettings air = {};
    ContactSettings contact = {};
};

struct WorldSettings {
    double dt = 1.0 / 60.0;          ///< one step [s], [0.0001, 1]; promises hold from 0.001 to 0.2
    int substeps = 1;                ///< per step, [1, 1000]; more substeps damp less
    Vec3d gravity{0.0, -9.81, 0.0};  ///< [m/s^2]
    /// Remember where each step began: needed by interpolation, energy and motion blur. Hair against hair does it in
    /// any case.
    bool keep_previous = true;
    double longest_frame =
        0.25;  ///< `advance` drops time beyond this [s], so that a stall does not stall the next frame
    SolverSettings solver = {};
    ShapeSettings shape = {};
    AirSettings air = {};
    WindSettings wind = {};
    ContactSettings contact = {};
    InteractionSettings interaction = {};
};

}  // namespace tendril
