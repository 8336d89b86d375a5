// What hair on the built-in head and shoulders rests on.
#include "tendril/collider.h"

namespace tendril {
namespace {

// Bones of a body that carries the bust: its frame, then those of the character.
enum BustBone : size_t { kShoulders = 1, kHead = 2 };

struct Part {
    BustBone bone;
    bool both_sides;  // also mirrored to -x
    Vec3d a, b;       // in the mesh as it is stored [m]
    float radius_a, radius_b;
};

// Fitted to the triangles of the mesh by random descent on the fourth power of their distances. The middles of
// triangles are within -3 and 4 mm of it on the scalp, -6 and 5 mm on neck and shoulders; nose, brows and lips stick
// out.
constexpr Part kParts[] = {
    // skull
    {kHead, false, {0, 0.2514, -0.0285}, {0, 0.2450, 0.0108}, 0.0712f, 0.0710f},
    {kHead, false, {0, 0.2245, -0.0358}, {0, 0.2221, 0.0191}, 0.0680f, 0.0732f},
    {kHead, false, {0, 0.2413, -0.0465}, {0, 0.2622, -0.0082}, 0.0634f, 0.0656f},
    // face, jaw, ears
    {kHead, false, {0, 0.1887, 0.0220}, {0, 0.1760, 0.0920}, 0.0730f, 0.0136f},
    {kHead, true, {0.0493, 0.1547, 0.0068}, {0.0063, 0.1228, 0.0563}, 0.0225f, 0.0337f},
    {kHead, true, {0.0706, 0.2101, -0.0110}, {0.0327, 0.1222, -0.0111}, 0.0203f, 0.0276f},
    // neck
    {kHead, false, {0, 0.1875, -0.0098}, {0, 0.1149, -0.0088}, 0.0644f, 0.0557f},
    {kShoulders, false, {0, 0.0711, -0.0228}, {0, -0.0771, -0.0177}, 0.0591f, 0.0671f},
    // shoulders and chest
    {kShoulders, true, {0.0041, 0.0460, -0.0314}, {0.1415, -0.0438, -0.0312}, 0.0528f, 0.0226f},
    {kShoulders, true, {0.0203, -0.0711, -0.0160}, {0.1673, -0.0732, -0.0196}, 0.0856f, 0.0600f},
    {kShoulders, true, {0.1820, -0.0789, -0.0237}, {0.1669, -0.0950, -0.0186}, 0.0504f, 0.0681f},
    {kShoulders, true, {0.0243, -0.1091, -0.0151}, {0.1255, -0.1009, -0.0172}, 0.0941f, 0.0726f},
    {kShoulders, true, {0.0160, -0.0280, 0.0203}, {0.1273, -0.0547, -0.0182}, 0.0441f, 0.0599f},
};

Vec3d mirrored(const Vec3d& p)
{
    return {-p.x, p.y, p.z};
}

}  // namespace

std::vector<Collider> bust_colliders(BodyId body)
{
    std::vector<Collider> list;
    for (const Part& p : kParts) {
        list.push_back({body, p.bone, p.a, p.b, p.radius_a, p.radius_b});
        if (p.both_sides) list.push_back({body, p.bone, mirrored(p.a), mirrored(p.b), p.radius_a, p.radius_b});
    }
    return list;
}

}  // namespace tendril
