#include "strands/frame.h"

namespace tendril {
namespace {

struct Rows {
    Vec3d x, y, z;
};

Rows rotation_rows(const Quat& q)
{
    const Vec3d a = rotate(q, {1, 0, 0}), b = rotate(q, {0, 1, 0}), c = rotate(q, {0, 0, 1});
    return {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}};
}

}  // namespace

FrameSubstep frame_step(const Pose& before, const Pose& after)
{
    const Rows a = rotation_rows(before.rotation), b = rotation_rows(after.rotation);
    return {{to_float(b.x), to_float(b.y), to_float(b.z)},
            {to_float(b.x - a.x), to_float(b.y - a.y), to_float(b.z - a.z)},
            to_float(after.position - before.position)};
}

}  // namespace tendril
