// The keys of bodies, holds and colliders.
#include "io/scene_tables.h"

namespace tendril {

using namespace describe;

SceneTable body_table()
{
    using B = SceneBody;
    return repeated<&Scene::bodies>(
        "body", "A body, which strands grow on or are held by. Without a body, strands are fixed to the origin.",
        std::vector{
            text<&B::name>("name", "Name by which grooms, holds and colliders refer to the body."),
            text<&B::mesh>("mesh",
                           "Mesh of the body: `\"none\"`, `\"sphere\"`, the built-in `\"bust\"` (head and shoulders) "
                           "or `\"creature\"`, or a file: .glb, .gltf, .obj or .tfxmesh. A relative path is looked up "
                           "in the folder of the scene, then in the working directory."),
            number<&B::unit_scale>("unit_scale", "m", {1e-9, 1e6}, "Metres per unit of the file."),
            choice<&B::up>("up", {"auto", "y", "z"}, "Axis of the file that points up; `\"auto\"` is y."),
            number<&B::radius>("radius", "m", {1e-4, 1e4}, "Radius of the sphere."),
            vector<&B::position>("position", "m", {-1e8, 1e8}, "Position at rest; initial position of a rigid body."),
            text<&B::clip>(
                "clip",
                "Motion of the body: the name of a clip of the mesh, or a built-in motion. `\"still\"`: none. "
                "`\"sway\"`: oscillates along `motion_axis`. `\"turn\"`: oscillates about it. `\"spin\"`: rotates "
                "about it without end. `\"circle\"`: moves on a circle perpendicular to it, without rotating. "
                "`\"nod\"`: turns about y and nods about x, like a head. `\"pull\"`: moves along `motion_axis` once "
                "and stays there. `\"twist\"`: rotates about it once and stays there."),
            number<&B::clip_speed>("clip_speed", "", {0, 1000},
                                   "Playback speed of a clip of the mesh; 2 is twice as fast."),
            boolean<&B::clip_loop>("clip_loop",
                                   "Whether a clip of the mesh restarts at its end; otherwise the last pose stays."),
            vector<&B::motion_axis>("motion_axis", "", {-1e6, 1e6},
                                    "Axis of the built-in motion; its length does not matter.",
                                    SettingType::kDirection),
            number<&B::amplitude>("amplitude", "m or rad", {0, 1e6},
                                  "Amplitude of the motion: m for sway, circle and pull, rad for turn, nod and twist. "
                                  "The nod about x has 0.4 of it."),
            number<&B::period>(
                "period", "s", {0.01, 1e6},
                "Duration of one oscillation or revolution, or of the pull or twist. The nod about x has 0.61 of it."),
            number<&B::start>("start", "s", {0, 1e9}, "Time at which the motion sets in, smoothly over half a period."),
            number<&B::jump_time>("jump_time", "s", {-1, 1e9},
                                  "Time at which the body jumps by `jump`. The strands feel it as a motion, not as a "
                                  "teleport; negative: never."),
            vector<&B::jump>("jump", "m", {-1e8, 1e8}, "Displacement of the jump."),
            choice<&B::collide>("collide", {"none", "shapes", "field", "marching", "triangles"},
                                "How strands are kept outside the mesh. `\"shapes\"`: capsules fitted to its bones, or "
                                "the sphere itself; fast and smooth. `\"field\"`: its skin, through a distance field "
                                "that follows it. `\"marching\"`: the same by fast marching; slower. `\"triangles\"`: "
                                "the triangles themselves; most accurate and much slower."),
            number<&B::collide_cell>("collide_cell", "m", {0, 100},
                                     "Size of the cells of the distance field near the skin, from a thousandth to a "
                                     "tenth of the size of the mesh; 0: a 200th."),
            choice<&B::rigid>("rigid", {"none", "box", "sphere", "cylinder", "capsule"},
                              "Makes the body a rigid body of this kind, which moves by itself: it falls, collides "
                              "with `[[collider]]`s and other rigid bodies, and strings pull and push it. `mesh` and "
                              "`clip` then have no effect."),
            vector<&B::solid, &RigidBody::size>(
                "size", "m", {1e-3, 1e3},
                "Rigid body: edges of a box; for the other kinds, x is the diameter and y the length."),
            number<&B::solid, &RigidBody::mass>("mass", "kg", {1e-3, 1e6}, "Rigid body: mass."),
            number<&B::solid, &RigidBody::friction>("friction", "", {0, 100},
                                                    "Rigid body: Coulomb coefficient between rigid bodies."),
            number<&B::solid, &RigidBody::restitution>("restitution", "", {0, 1},
                                                       "Rigid body: share of the speed that is kept in a bounce."),
            number<&B::solid, &RigidBody::linear_damping>("linear_damping", "1/s", {0, 1e4},
                                                          "Rigid body: rate at which its velocity decays."),
            number<&B::solid, &RigidBody::angular_damping>("angular_damping", "1/s", {0, 1e4},
                                                           "Rigid body: rate at which its angular velocity decays."),
            vector<&B::solid, &RigidBody::velocity>("velocity", "m/s", {-1e4, 1e4}, "Rigid body: initial velocity."),
            vector<&B::solid, &RigidBody::spin>("spin", "rad/s", {-1e4, 1e4}, "Rigid body: initial angular velocity."),
            vector<&B::rotation>("rotation", "rad", {-100, 100},
                                 "Rigid body: initial rotation about this axis, by the length of the vector."),
            integer<&B::copies>(
                "copies", {1, 250},
                "Number of bodies in a row that this table describes, called name, name_1, name_2 and so on."),
            vector<&B::copy_step>("copy_step", "m", {-1e4, 1e4}, "Displacement from one copy to the next."),
        });
}

SceneTable hold_table()
{
    using H = SceneHold;
    return repeated<&Scene::holds>(
        "hold", "A particle that is held at a point of a body, in addition to the roots.",
        std::vector{
            integer<&H::groom>("groom", {0, 1e6}, "Index of the groom, counted from 0."),
            integer<&H::strand>("strand", {0, 4294967295.0}, "Index of the strand in the groom, counted from 0."),
            integer<&H::particle>("particle", {-1e6, 1e6},
                                  "Index of the particle in the strand, counted from 0 at the root; negative indices "
                                  "count from the tip, which is -1."),
            text<&H::body>("body", "Name of the body that holds the particle; empty: the first."),
            vector<&H::offset>("offset", "m", {-1e6, 1e6}, "Position of the hold in the frame of the body."),
            boolean<&H::clamped>("clamped",
                                 "`chain_shape`: the segment at the hold keeps its direction and twist relative to the "
                                 "body as it turns."),
            vector<&H::slide>(
                "slide", "", {-1e6, 1e6},
                "`chain_shape`: the particle may slide along this direction of the body; zero: it does not slide."),
            number<&H::until>("until", "s", {-1, 1e9}, "Time of release; negative: never."),
        });
}

SceneTable collider_table()
{
    using C = SceneCollider;
    return repeated<&Scene::colliders>(
        "collider",
        "A collider, which strands cannot pass through. If a collider is fast, the grooms that it may touch take up to "
        "`contact.max_refinement` times as many substeps, so that it travels at most a quarter of its thickness per "
        "substep.",
        std::vector{
            choice<&C::kind>("shape", {"sphere", "capsule", "box", "plane", "torus"},
                             "Kind of the collider. A sphere, box or torus is centred at `a`; a capsule runs from `a` "
                             "to `b`; a plane passes through `a`, and everything below it is inside."),
            text<&C::body>("body", "Name of the body that carries the collider; empty: the first."),
            text<&C::bone>("bone",
                           "Name of the bone of the body's mesh that carries the collider, such as `\"head\"`, or its "
                           "index in the body; empty: the body as a whole."),
            vector<&C::a>("a", "m", {-1e4, 1e4},
                          "Centre or first end, in the frame of the body; on a bone, in the coordinates of the mesh as "
                          "it is stored."),
            vector<&C::b>("b", "m", {-1e4, 1e4}, "Capsule: second end."),
            number<&C::radius>("radius", "m", {0, 1e4},
                               "Radius; of a capsule, at `a`; of a torus, that of its circle."),
            number<&C::radius_b>("radius_b", "m", {-1, 1e4},
                                 "Capsule: radius at `b`; negative: the same as at `a`. Torus: radius of its tube; "
                                 "negative: a quarter of `radius`."),
            vector<&C::size>("size", "m", {0, 1e4}, "Box: lengths of its edges."),
            number<&C::round>("round", "m", {0, 1e4}, "Box: radius with which its edges are rounded."),
            vector<&C::up>("up", "", {-1e6, 1e6},
                           "Box, plane, torus: direction of its own y axis; of any length but zero."),
            number<&C::spin>("spin", "rad", {-1e6, 1e6}, "Box, torus: rotation about its own y axis."),
        });
}

}  // namespace tendril
