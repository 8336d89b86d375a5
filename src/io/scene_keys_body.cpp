// Keys of what hair grows on, is held by and stays outside of.
#include "io/scene_key_tables.h"

namespace tendril {

using namespace keys;

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
            text<&B::clip>(
                "clip",
                "How it moves: the name of a clip of the mesh, or one of `\"still\"`: not at all; "
                "`\"sway\"`: to and fro along the axis; `\"turn\"`: to and fro about it; `\"spin\"`: round "
                "and round about it; `\"circle\"`: on a circle across it, without turning; `\"nod\"`: as a "
                "head that turns about y and nods about x; `\"pull\"`: once along the axis, and `\"twist\"`: once "
                "about it, where it stays."),
            number<&B::clip_speed>("clip_speed", "", {0, 1000}, "Speed of a clip of the mesh; 2 is twice as fast."),
            boolean<&B::clip_loop>("clip_loop", "A clip of the mesh starts again at its end, else it stays there."),
            vector<&B::motion_axis>("motion_axis", "", {-1e6, 1e6}, "The axis of the motion; any length.",
                                    KeyType::kDirection),
            number<&B::amplitude>(
                "amplitude", "m or rad", {0, 1e6},
                "How far: m for sway, circle and pull, rad for turn, nod and twist; the nod is 0.4 of it."),
            number<&B::period>("period", "s", {0.01, 1e6},
                               "Time of one to and fro or one round, or of the pull or twist; of the nod 0.61 of it."),
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
            number<&B::collide_cell>(
                "collide_cell", "m", {0, 100},
                "Cells of the field near the skin: a thousandth to a tenth of the mesh's size; 0: a "
                "200th."),
            choice<&B::rigid>("rigid", {"none", "box", "sphere", "cylinder", "capsule"},
                              "A body that moves by itself, of this shape: it falls, meets `[[collider]]` shapes and "
                              "others of its kind, is pulled by strings and pushed by them. `mesh` and `clip` do "
                              "nothing then."),
            vector<&B::solid, &RigidBody::size>("size", "m", {1e-3, 1e3},
                                                "Rigid: edges of the box; of others x is the diameter, y the length."),
            number<&B::solid, &RigidBody::mass>("mass", "kg", {1e-3, 1e6}, "Rigid: its mass."),
            number<&B::solid, &RigidBody::friction>("friction", "", {0, 100},
                                                    "Rigid: Coulomb's coefficient between rigid bodies."),
            number<&B::solid, &RigidBody::restitution>("restitution", "", {0, 1},
                                                       "Rigid: share of the speed with which it bounces."),
            number<&B::solid, &RigidBody::linear_damping>("linear_damping", "1/s", {0, 1e4},
                                                          "Rigid: rate at which its speed fades."),
            number<&B::solid, &RigidBody::angular_damping>("angular_damping", "1/s", {0, 1e4},
                                                           "Rigid: rate at which its spin fades."),
            vector<&B::solid, &RigidBody::velocity>("velocity", "m/s", {-1e4, 1e4}, "Rigid: at the start."),
            vector<&B::solid, &RigidBody::spin>("spin", "rad/s", {-1e4, 1e4}, "Rigid: at the start."),
            vector<&B::rotation>("rotation", "rad", {-100, 100},
                                 "Rigid: turned at the start about this axis by its length."),
            integer<&B::copies>("copies", {1, 250}, "So many of it in a row, called name, name_1, name_2 and so on."),
            vector<&B::copy_step>("copy_step", "m", {-1e4, 1e4}, "From one copy to the next."),
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
            boolean<&H::clamped>("clamped",
                                 "`chain_shape`: the segment there keeps its direction as the body turns, and its "
                                 "material turns with it."),
            vector<&H::slide>("slide", "", {-1e6, 1e6},
                              "`chain_shape`: it may move along this direction of the body; zero: not at all."),
            number<&H::until>("until", "s", {-1, 1e9}, "When it is released; negative: never."),
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

}  // namespace tendril
