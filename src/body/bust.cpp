// A head with neck and shoulders, and a sphere: bodies to grow hair on that need no file.

#include "body/sculpt.h"
#include "math/elementary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

enum BustBone : uint32_t { kShouldersBone, kHeadBone };
enum BustGroup : uint32_t { kScalpGroup, kFaceGroup, kNeckGroup, kShouldersGroup };

constexpr Vec3d kHeadPivot{0, 0.07, -0.015};  // between the upper and lower end of the cervical spine
constexpr double kBottom = -0.17;

/// Adult proportions: the head measures 23 cm from chin to crown, the shoulders are 44 cm wide.
std::vector<Blob> bust_blobs()
{
    const Vec3d below{0, kBottom - 10, 0};  // so large that its surface is flat
    return {
        // skull, face, jaw
        ellipsoid({0, 0.238, -0.014}, {0.074, 0.090, 0.096}, 0.01),
        ellipsoid({0, 0.190, 0.030}, {0.059, 0.088, 0.058}, 0.04),
        both_sides(capsule({0.050, 0.160, 0.004}, {0.016, 0.114, 0.060}, 0.017, 0.015, 0.035)),
        ellipsoid({0, 0.114, 0.066}, {0.024, 0.019, 0.020}, 0.025),
        both_sides(ellipsoid({0.044, 0.186, 0.056}, {0.019, 0.015, 0.018}, 0.03)),
        // eyes under their brows
        both_sides(capsule({0.014, 0.227, 0.081}, {0.044, 0.226, 0.067}, 0.008, 0.007, 0.022)),
        both_sides(carved(ellipsoid({0.032, 0.207, 0.096}, {0.020, 0.013, 0.017}, 0.018))),
        both_sides(ellipsoid({0.032, 0.207, 0.070}, {0.0145, 0.0115, 0.0125}, 0.005)),
        // nose and mouth
        capsule({0, 0.216, 0.083}, {0, 0.178, 0.100}, 0.006, 0.0098, 0.014),
        both_sides(ellipsoid({0.0105, 0.1735, 0.0915}, {0.0075, 0.0068, 0.0095}, 0.009)),
        ellipsoid({0, 0.1515, 0.0800}, {0.0235, 0.0068, 0.0118}, 0.007),
        ellipsoid({0, 0.1385, 0.0785}, {0.0200, 0.0070, 0.0120}, 0.005),
        // ears
        both_sides(ellipsoid({0.079, 0.198, -0.014}, {0.010, 0.030, 0.020}, 0.012)),
        // neck with its muscles
        capsule({0, -0.03, -0.022}, {0, 0.16, -0.018}, 0.054, 0.047, 0.03),
        both_sides(capsule({0.052, 0.150, -0.022}, {0.014, 0.000, 0.034}, 0.012, 0.011, 0.025)),
        // shoulders and chest
        both_sides(capsule({0.018, 0.050, -0.040}, {0.145, -0.040, -0.025}, 0.026, 0.030, 0.06)),
        both_sides(capsule({0.050, -0.085, -0.020}, {0.165, -0.085, -0.020}, 0.065, 0.058, 0.05)),
        both_sides(ellipsoid({0.178, -0.100, -0.018}, {0.050, 0.068, 0.056}, 0.04)),
        ellipsoid({0, -0.120, -0.014}, {0.165, 0.110, 0.092}, 0.05),
        both_sides(capsule({0.022, -0.022, 0.040}, {0.130, -0.026, 0.014}, 0.013, 0.013, 0.04)),
        carved(ellipsoid(below, {10, 10, 10}, 0.015)),
    };
}

SculptGrid bust_grid()
{
    // Small cells on the face, larger ones on skull and shoulders.
    constexpr double fine = 0.0046, medium = 0.011, coarse = 0.020;
    const auto half = planes(0, 0.26, [](double x) { return x < 0.045 ? fine : x < 0.095 ? medium : coarse; });
    SculptGrid grid;
    for (size_t i = half.size(); i-- > 1;) grid.x.push_back(-half[i]);
    grid.x.insert(grid.x.end(), half.begin(), half.end());
    grid.y = planes(-0.20, 0.36, [](double y) { return y < 0.07 ? coarse : y > 0.10 && y < 0.24 ? fine : 0.0125; });
    grid.z = planes(-0.14, 0.15, [](double z) { return z < -0.045 ? 0.0145 : z < 0.045 ? medium : fine; });
    return grid;
}

uint32_t bust_group(const Vec3d& p)
{
    const double side = std::abs(p.x);
    if (p.y < 0.012 + 0.6 * std::max(0.0, side - 0.055)) return kShouldersGroup;
    const Blob ear = ellipsoid({0.079, 0.198, -0.014}, {0.010, 0.030, 0.020}, 0.001);
    const bool on_ear = distance_to({both_sides(ear)}, p) < 0.010;
    const double hairline = 0.203 + 0.87 * p.z;  // high over the forehead, low in the nape
    if (p.y > hairline && p.y > 0.10 && !on_ear) return kScalpGroup;
    const double jaw = 0.108 + 0.75 * std::max(0.0, 0.05 - p.z);
    return p.y > jaw || on_ear ? kFaceGroup : kNeckGroup;
}

void add_skeleton(Character& bust)
{
    Node shoulders, head;
    shoulders.name = "shoulders";
    head.name = "head";
    head.parent = kShouldersBone;
    head.translation = kHeadPivot;
    bust.nodes = {shoulders, head};
    bust.bones = {{kShouldersBone, {}}, {kHeadBone, {}}};
    bust.bones[kHeadBone].inverse_bind.origin = kHeadPivot * -1.0;
    std::vector<std::vector<float>> weights;
    for (const Vec3f& v : bust.mesh.vertices) {
        // The boundary of the head rises towards the nape, so that the chin moves with the head.
        const double w = smooth_step(0.005, 0.115, static_cast<double>(v.y) + 0.45 * static_cast<double>(v.z));
        weights.push_back({static_cast<float>(1 - w), static_cast<float>(w)});
    }
    bust.weights = smooth_weights(bust.mesh, std::move(weights), 4);
}

/// The head turns to one side, nods, turns to the other side and returns.
CharacterClip look_around()
{
    constexpr int kKeys = 60;
    constexpr double kDuration = 6, kTurn = 0.75, kNod = 0.22, kTilt = 0.10;
    Channel channel;
    channel.node = kHeadBone;
    channel.target = ChannelTarget::kRotation;
    for (int k = 0; k <= kKeys; ++k) {
        const double phase = 2 * std::numbers::pi * (k % kKeys) / kKeys;
        const SinCos once = sin_cos(phase), thrice = sin_cos(3 * phase), twice = sin_cos(2 * phase);
        // The third harmonic makes the head dwell at both sides.
        const double turn = kTurn * (once.sin + 0.18 * thrice.sin);
        const double nod = kNod * 0.5 * (1 - twice.cos) * (once.sin > 0 ? 1 : -0.6);
        const Quat q = rotation_about({0, 1, 0}, turn) * rotation_about({1, 0, 0}, nod) *
                       rotation_about({0, 0, 1}, -kTilt * once.sin);
        channel.times.push_back(static_cast<float>(kDuration * k / kKeys));
        channel.values.push_back(
            {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)});
    }
    return {"look_around", kDuration, {channel}};
}

/// A head turn between two angles along the minimum-jerk path that people follow.
struct HeadTurn {
    double begin, end;  // [s]
    double from, to;    // [rad], to the left
    double at(double time) const
    {
        const double s = std::clamp((time - begin) / (end - begin), 0.0, 1.0);
        return from + (to - from) * s * s * s * (10 + s * (6 * s - 15));
    }
};

constexpr double kKeysPerSecond = 120;

/// Builds a clip of the head from a function that gives its rotation at a time.
template <class RotationAt>
CharacterClip head_clip(const char* name, double duration, const RotationAt& rotation_at)
{
    Channel channel;
    channel.node = kHeadBone;
    channel.target = ChannelTarget::kRotation;
    for (int k = 0; k <= static_cast<int>(duration * kKeysPerSecond); ++k) {
        const double time = k / kKeysPerSecond;
        const Quat q = rotation_at(time);
        channel.times.push_back(static_cast<float>(time));
        channel.values.push_back(
            {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)});
    }
    return {name, duration, {channel}};
}

/// The head looks ahead, turns quickly to its left, holds, turns to its right a little more slowly and stops.
CharacterClip turn_and_stop()
{
    constexpr double kLeft = std::numbers::pi / 3, kRight = -0.6;
    constexpr HeadTurn kThere{0.3, 0.65, 0, kLeft}, kThrough{1.65, 2.15, kLeft, kRight};
    return head_clip("turn_and_stop", 4, [&](double time) {
        return rotation_about({0, 1, 0}, time < kThrough.begin ? kThere.at(time) : kThrough.at(time));
    });
}

/// The head turns 90 degrees from its right to its left within a quarter of a second, and back; then it nods deeply
/// twice.
CharacterClip turn_and_nod()
{
    constexpr double kSide = std::numbers::pi / 4, kDown = 0.5, kUp = -0.2;
    constexpr HeadTurn kTurns[] = {
        {0.2, 0.5, 0, -kSide}, {0.8, 1.05, -kSide, kSide}, {1.5, 1.75, kSide, -kSide}, {2.2, 2.6, -kSide, 0}};
    constexpr HeadTurn kNods[] = {
        {2.8, 3.0, 0, kDown}, {3.1, 3.4, kDown, kUp}, {3.5, 3.7, kUp, kDown}, {3.8, 4.1, kDown, 0}};
    return head_clip("turn_and_nod", 5, [&](double time) {
        double turn = 0, nod = 0;
        for (const HeadTurn& t : kTurns)
            if (time >= t.begin) turn = t.at(time);
        for (const HeadTurn& n : kNods)
            if (time >= n.begin) nod = n.at(time);
        return rotation_about({0, 1, 0}, turn) * rotation_about({1, 0, 0}, nod);
    });
}

}  // namespace

Character make_bust()
{
    Character bust;
    bust.mesh = sculpt(bust_blobs(), bust_grid());
    bust.mesh.group_names = {"scalp", "face", "neck", "shoulders"};
    for (const auto& [a, b, c] : bust.mesh.triangles) {
        const auto& v = bust.mesh.vertices;
        bust.mesh.groups.push_back(bust_group(to_double(v[a] + v[b] + v[c]) * (1.0 / 3)));
    }
    add_skeleton(bust);
    wrap_uvs(bust, {{0, 0, -0.02}, {0, 1, 0}, {0, 0, -1}, kBottom, 0.33});
    bust.clips = {look_around(), turn_and_stop(), turn_and_nod()};
    return bust;
}

Mesh make_sphere_mesh(float radius, uint32_t rings)
{
    rings = std::max(rings, 2u);
    const uint32_t around = 2 * rings;
    Mesh mesh;
    for (uint32_t r = 0; r <= rings; ++r)
        for (uint32_t s = 0; s <= around; ++s) {
            // The last vertex of a ring repeats the first one, at the other edge of the texture.
            const SinCos polar = sin_cos(std::numbers::pi * r / rings);
            const SinCos turn = sin_cos(2 * std::numbers::pi * (s % around) / around);
            const double ring = r == 0 || r == rings ? 0 : polar.sin;
            mesh.vertices.push_back(
                to_float(Vec3d{ring * turn.sin, polar.cos, ring * turn.cos} * static_cast<double>(radius)));
            mesh.uvs.push_back({static_cast<float>(s) / static_cast<float>(around),
                                1 - static_cast<float>(r) / static_cast<float>(rings)});
        }
    for (uint32_t r = 0; r < rings; ++r)
        for (uint32_t s = 0; s < around; ++s) {
            const uint32_t a = r * (around + 1) + s, b = a + around + 1;
            if (r > 0) mesh.triangles.push_back({a, b, a + 1});
            if (r + 1 < rings) mesh.triangles.push_back({a + 1, b, b + 1});
        }
    return mesh;
}

}  // namespace tendril
