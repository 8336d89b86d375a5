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

// Fitted to the triangles of the mesh by random descent on high powers of their distances. The middles of triangles are
// from 3 mm inside to 4.5 mm outside on the scalp, 5 mm on neck and shoulders; nose, brows and lips stick out farther.
constexpr Part kParts[] = {
    // skull
    {kHead, false, {0, 0.2413, -0.0402}, {0, 0.2496, 0.0090}, 0.0692f, 0.0704f},
    {kHead, false, {0, 0.2100, -0.0353}, {0, 0.2117, 0.0187}, 0.0620f, 0.0750f},
    {kHead, false, {0, 0.2475, 0.0095}, {0, 0.2589, -0.0213}, 0.0394f, 0.0691f},
    // face, jaw, ears
    {kHead, false, {0, 0.1822, 0.0344}, {0, 0.1796, 0.0055}, 0.0655f, 0.0427f},
    {kHead, true, {0.0139, 0.1618, -0.0016}, {0.0070, 0.1194, 0.0597}, 0.0584f, 0.0299f},
    {kHead, true, {0.0378, 0.2307, -0.0139}, {0.0726, 0.1897, -0.0108}, 0.0396f, 0.0183f},
    // neck
    {kHead, false, {0, 0.1856, 0.0002}, {0, 0.0541, -0.0223}, 0.0634f, 0.0510f},
    {kShoulders, false, {0, 0.0601, -0.0243}, {0, -0.0539, -0.0155}, 0.0606f, 0.0627f},
    // trapezius, shoulders, chest
    {kShoulders, true, {0.0133, 0.0353, -0.0315}, {0.1399, -0.0216, -0.0313}, 0.0522f, 0.0143f},
    {kShoulders, true, {0.0059, -0.0436, -0.0127}, {0.1673, -0.0725, -0.0195}, 0.0791f, 0.0606f},
    {kShoulders, true, {0.0222, -0.1032, -0.0155}, {0.1714, -0.0961, -0.0183}, 0.0950f, 0.0647f},
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
