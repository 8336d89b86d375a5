// A four-legged creature, somewhere between a fox and a dog: body, skeleton and two clips, all from code.

#include "body/sculpt.h"
#include "math/elementary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

enum CreatureGroup : uint32_t { kBackGroup, kBellyGroup, kHeadGroup, kTailGroup, kLegsGroup };

// --- joints. Those of the legs are for +x, the creature's left; the others are mirrored.

constexpr Vec3d kHips{0, 0.295, -0.125}, kSpine{0, 0.300, -0.035}, kChest{0, 0.295, 0.055}, kRibs{0, 0.285, 0.01};
constexpr Vec3d kNeck{0, 0.325, 0.105}, kHead{0, 0.405, 0.185}, kMuzzle{0, 0.410, 0.295};
constexpr std::array<Vec3d, 5> kTail = {
    {{0, 0.318, -0.170}, {0, 0.300, -0.212}, {0, 0.270, -0.250}, {0, 0.240, -0.285}, {0, 0.220, -0.318}}};

/// Shoulder or hip, elbow or knee, wrist or hock, and the ground under the paw.
using LegJoints = std::array<Vec3d, 4>;
constexpr LegJoints kFrontLeg = {
    {{0.046, 0.270, 0.082}, {0.050, 0.175, 0.046}, {0.047, 0.075, 0.084}, {0.047, 0, 0.1}}};
constexpr LegJoints kHindLeg = {
    {{0.043, 0.280, -0.130}, {0.052, 0.185, -0.098}, {0.049, 0.092, -0.165}, {0.049, 0, -0.140}}};

Vec3d mirrored(const Vec3d& p)
{
    return {-p.x, p.y, p.z};
}

std::vector<Blob> creature_blobs()
{
    std::vector<Blob> blobs = {
        // trunk
        ellipsoid({0, 0.283, 0.070}, {0.058, 0.076, 0.080}, 0.02),
        ellipsoid({0, 0.292, -0.025}, {0.052, 0.062, 0.100}, 0.05),
        ellipsoid({0, 0.296, -0.125}, {0.052, 0.058, 0.060}, 0.04),
        // neck and head
        capsule({0, 0.315, 0.095}, {0, 0.405, 0.178}, 0.054, 0.037, 0.05),
        ellipsoid({0, 0.430, 0.200}, {0.044, 0.042, 0.050}, 0.03),
        both_sides(ellipsoid({0.026, 0.415, 0.212}, {0.020, 0.020, 0.026}, 0.02)),
        capsule({0, 0.416, 0.232}, {0, 0.405, 0.292}, 0.027, 0.0155, 0.03),
        ellipsoid({0, 0.414, 0.306}, {0.0095, 0.0075, 0.0075}, 0.006),
        both_sides(carved(ellipsoid({0.034, 0.439, 0.247}, {0.012, 0.010, 0.012}, 0.012))),
        both_sides(ellipsoid({0.0265, 0.438, 0.2355}, {0.0095, 0.0095, 0.0095}, 0.003)),
        both_sides(capsule({0.029, 0.462, 0.190}, {0.044, 0.522, 0.178}, 0.021, 0.007, 0.015)),
        both_sides(carved(capsule({0.034, 0.474, 0.214}, {0.045, 0.512, 0.199}, 0.012, 0.007, 0.008))),
    };
    constexpr std::array<double, 5> kTailRadii = {0.017, 0.023, 0.027, 0.024, 0.010};
    for (size_t i = 0; i + 1 < kTail.size(); ++i)
        blobs.push_back(capsule(kTail[i], kTail[i + 1], kTailRadii[i], kTailRadii[i + 1], i == 0 ? 0.03 : 0.02));
    const auto add_leg = [&](const LegJoints& leg, double top, double middle) {
        const Vec3d paw = leg[3] + Vec3d{0, 0.017, 0.004};
        blobs.push_back(both_sides(capsule(leg[0], leg[1], top, middle, 0.035)));
        blobs.push_back(both_sides(capsule(leg[1], leg[2], middle - 0.004, 0.0155, 0.012)));
        blobs.push_back(both_sides(capsule(leg[2], leg[3] + Vec3d{0, 0.022, -0.008}, 0.0150, 0.0155, 0.010)));
        blobs.push_back(both_sides(ellipsoid(paw, {0.0195, 0.017, 0.028}, 0.012)));
    };
    add_leg(kFrontLeg, 0.034, 0.0245);
    add_leg(kHindLeg, 0.045, 0.0285);
    return blobs;
}

SculptGrid creature_grid()
{
    constexpr double fine = 0.0088, coarse = 0.0120;
    const auto half = planes(0, 0.10, [](double) { return 0.0092; });
    SculptGrid grid;
    for (size_t i = half.size(); i-- > 1;) grid.x.push_back(-half[i]);
    grid.x.insert(grid.x.end(), half.begin(), half.end());
    grid.y = planes(-0.02, 0.56, [](double y) { return y > 0.37 ? fine : coarse; });
    grid.z = planes(-0.36, 0.34, [](double z) { return z > 0.15 ? fine : coarse; });
    return grid;
}

// --- skeleton

struct Leg {
    const LegJoints* rest;  ///< for +x
    double side;            ///< 1: left, -1: right
    uint32_t carrier;       ///< the node it hangs on
    uint32_t upper;         ///< its first node; lower leg and paw follow
    double phase;           ///< of its step in the walk, in periods

    Vec3d joint(size_t i) const { return side > 0 ? (*rest)[i] : mirrored((*rest)[i]); }
};

/// A bone acts on what is near one of its segments.
struct Segment {
    uint32_t bone;
    Vec3d a, b;
    double radius;
};

struct Rig {
    std::vector<Node> nodes;
    std::vector<Vec3d> places;  ///< of the nodes, at rest
    std::vector<Segment> segments;
    std::vector<Leg> legs;
    uint32_t hips, spine, chest, ribs, neck, head, first_tail;

    uint32_t add(const std::string& name, int parent, const Vec3d& place)
    {
        Node node;
        node.name = name;
        node.parent = parent;
        node.translation = parent < 0 ? place : place - places[static_cast<size_t>(parent)];
        nodes.push_back(node);
        places.push_back(place);
        return static_cast<uint32_t>(nodes.size() - 1);
    }
};

void add_trunk(Rig& rig)
{
    rig.hips = rig.add("hips", -1, kHips);
    rig.spine = rig.add("spine", static_cast<int>(rig.hips), kSpine);
    rig.chest = rig.add("chest", static_cast<int>(rig.spine), kChest);
    rig.ribs = rig.add("ribs", static_cast<int>(rig.spine), kRibs);
    rig.neck = rig.add("neck", static_cast<int>(rig.chest), kNeck);
    rig.head = rig.add("head", static_cast<int>(rig.neck), kHead);
    rig.first_tail = static_cast<uint32_t>(rig.nodes.size());
    for (size_t i = 0; i + 1 < kTail.size(); ++i) {
        const uint32_t parent = i == 0 ? rig.hips : rig.first_tail + static_cast<uint32_t>(i) - 1;
        const uint32_t node = rig.add("tail_" + std::to_string(i + 1), static_cast<int>(parent), kTail[i]);
        rig.segments.push_back({node, kTail[i], kTail[i + 1], 0.024});
    }
    rig.segments.push_back({rig.hips, kHips + Vec3d{0, 0, -0.02}, kSpine, 0.055});
    rig.segments.push_back({rig.spine, kSpine, kChest, 0.058});
    rig.segments.push_back({rig.chest, kChest, kNeck + Vec3d{0, -0.02, 0}, 0.062});
    rig.segments.push_back({rig.neck, kNeck, kHead, 0.045});
    rig.segments.push_back({rig.head, kHead + Vec3d{0, 0.02, 0.01}, kMuzzle, 0.040});
    for (double side : {1.0, -1.0})
        rig.segments.push_back({rig.head, {side * 0.029, 0.462, 0.190}, {side * 0.044, 0.522, 0.178}, 0.02});
}

/// A walk sets the feet down in the order left hind, left front, right hind, right front.
void add_legs(Rig& rig)
{
    const auto add = [&](const std::string& name, const LegJoints& rest, double side, uint32_t carrier, double phase) {
        Leg leg{&rest, side, carrier, 0, phase};
        leg.upper = rig.add(name + "_upper", static_cast<int>(carrier), leg.joint(0));
        const uint32_t lower = rig.add(name + "_lower", static_cast<int>(leg.upper), leg.joint(1));
        const uint32_t paw = rig.add(name + "_paw", static_cast<int>(lower), leg.joint(2));
        rig.segments.push_back({leg.upper, leg.joint(0), leg.joint(1), 0.030});
        rig.segments.push_back({lower, leg.joint(1), leg.joint(2), 0.019});
        rig.segments.push_back({paw, leg.joint(2), leg.joint(3), 0.018});
        rig.legs.push_back(leg);
    };
    add("hind_left", kHindLeg, 1, rig.hips, 0.0);
    add("front_left", kFrontLeg, 1, rig.chest, 0.75);
    add("hind_right", kHindLeg, -1, rig.hips, 0.5);
    add("front_right", kFrontLeg, -1, rig.chest, 0.25);
}

Rig make_rig()
{
    Rig rig;
    add_trunk(rig);
    add_legs(rig);
    return rig;
}

bool is_leg(const Rig& rig, uint32_t bone)
{
    return bone >= rig.legs.front().upper;
}

double segment_distance(const Segment& segment, const Vec3d& p)
{
    const Vec3d axis = segment.b - segment.a;
    const double along = std::clamp(dot(p - segment.a, axis) / dot(axis, axis), 0.0, 1.0);
    return length(p - segment.a - axis * along);
}

std::vector<float> raw_weights(const Rig& rig, const Vec3d& p)
{
    std::vector<double> weights(rig.nodes.size(), 0);
    for (const Segment& segment : rig.segments) {
        const double d = segment_distance(segment, p) / segment.radius, d2 = d * d;
        double w = 1 / (d2 * d2 * d2 + 0.05);
        // A leg does not pull at the other side.
        if (is_leg(rig, segment.bone)) w *= smooth_step(-0.005, 0.025, segment.a.x > 0 ? p.x : -p.x);
        weights[segment.bone] = std::max(weights[segment.bone], w);
    }
    // The ribs take their share of the trunk, most at its middle.
    const double share = 0.7 * smooth_step(-0.11, -0.02, p.z) * (1 - smooth_step(0.05, 0.13, p.z));
    for (uint32_t trunk : {rig.spine, rig.chest}) {
        weights[rig.ribs] += share * weights[trunk];
        weights[trunk] *= 1 - share;
    }
    double sum = 0;
    for (double w : weights) sum += w;
    std::vector<float> result;
    result.reserve(weights.size());
    for (double w : weights) result.push_back(static_cast<float>(w / sum));
    return result;
}

uint32_t group_of(const Rig& rig, const Vec3d& p, const std::vector<float>& weights)
{
    float legs = 0, tail = 0;
    for (uint32_t b = 0; b < weights.size(); ++b) {
        if (is_leg(rig, b)) legs += weights[b];
        if (b >= rig.first_tail && b < rig.legs.front().upper) tail += weights[b];
    }
    if (weights[rig.head] > 0.5f) return kHeadGroup;
    if (tail > 0.5f) return kTailGroup;
    if (legs > 0.6f) return kLegsGroup;
    // The neck rises; its underside counts as belly.
    const double middle = 0.278 + 1.05 * std::max(0.0, p.z - kNeck.z);
    return p.y > middle ? kBackGroup : kBellyGroup;
}

// --- motion

/// Where nodes are turned to, relative to their parents, and where the hips and the size of the ribs are.
struct Stance {
    std::vector<Quat> turns;
    Vec3d hips_shift{0, 0, 0};
    double ribs_size = 1;
};

/// The smallest rotation that turns one direction into another.
Quat turn_between(const Vec3d& from, const Vec3d& to)
{
    const Vec3d u = from * (1 / length(from)), v = to * (1 / length(to)), axis = cross(u, v);
    return normalized(Quat{axis.x, axis.y, axis.z, 1 + dot(u, v)});
}

Pose world_pose(const Rig& rig, const Stance& stance, uint32_t node)
{
    const Node& n = rig.nodes[node];
    const Vec3d local = node == rig.hips ? n.translation + stance.hips_shift : n.translation;
    if (n.parent < 0) return {local, stance.turns[node]};
    const Pose parent = world_pose(rig, stance, static_cast<uint32_t>(n.parent));
    return {transform_point(parent, local), normalized(parent.rotation * stance.turns[node])};
}

/// Bends a leg so that its wrist or hock is at `target`: the middle joint lies where two spheres meet, on the side to
/// which the leg bends at rest.
void bend_leg(const Rig& rig, const Leg& leg, const Vec3d& target, double paw_turn, Stance& stance)
{
    const Pose carrier = world_pose(rig, stance, leg.carrier);
    const Vec3d top = transform_point(carrier, leg.joint(0) - rig.places[leg.carrier]);
    const Vec3d thigh = leg.joint(1) - leg.joint(0), shin = leg.joint(2) - leg.joint(1);
    const double l1 = length(thigh), l2 = length(shin);
    const Vec3d reach = target - top;
    const double d = std::clamp(length(reach), std::abs(l1 - l2) + 1e-3, l1 + l2 - 1e-3);
    const Vec3d u = reach * (1 / length(reach));
    const Vec3d outward = thigh - u * dot(thigh, u);
    const double a = (l1 * l1 - l2 * l2 + d * d) / (2 * d);
    const Vec3d to_middle = u * a + outward * (std::sqrt(std::max(0.0, l1 * l1 - a * a)) / length(outward));
    const Quat upper = turn_between(thigh, to_middle), lower = turn_between(shin, u * d - to_middle);
    stance.turns[leg.upper] = conjugate(carrier.rotation) * upper;
    stance.turns[leg.upper + 1] = conjugate(upper) * lower;
    stance.turns[leg.upper + 2] = conjugate(lower) * rotation_about({1, 0, 0}, paw_turn);
}

double wave(double phase)
{
    return sin_cos(kTwoPi * phase).sin;
}

void wag_tail(const Rig& rig, double phase, double amplitude, Stance& stance)
{
    for (uint32_t i = 0; i < 4; ++i)
        stance.turns[rig.first_tail + i] = rotation_about({0, 1, 0}, amplitude * wave(phase - 0.12 * i));
}

Stance walk_stance(const Rig& rig, double phase)
{
    constexpr double kStride = 0.105, kLift = 0.035, kOnGround = 0.62, kDrop = 0.008, kPawTurn = 0.9;
    Stance stance;
    stance.turns.resize(rig.nodes.size());
    const double once = wave(phase), twice = wave(2 * phase + 0.1);
    stance.hips_shift = {0.005 * wave(phase + 0.1), 0.004 * twice - kDrop, 0};
    stance.turns[rig.hips] =
        rotation_about({0, 1, 0}, 0.07 * once) * rotation_about({0, 0, 1}, 0.04 * wave(phase + 0.2));
    stance.turns[rig.spine] =
        rotation_about({0, 1, 0}, -0.06 * once) * rotation_about({0, 0, 1}, -0.05 * wave(phase + 0.2));
    stance.turns[rig.chest] = rotation_about({0, 1, 0}, -0.06 * wave(phase - 0.1));
    stance.turns[rig.neck] = rotation_about({0, 1, 0}, 0.05 * once) * rotation_about({1, 0, 0}, 0.05 * wave(2 * phase));
    stance.turns[rig.head] = rotation_about({1, 0, 0}, -0.04 * wave(2 * phase - 0.08));
    wag_tail(rig, phase, 0.16, stance);
    for (const Leg& leg : rig.legs) {
        const double p = phase + leg.phase - std::floor(phase + leg.phase);
        Vec3d target = leg.joint(2);
        double paw_turn = 0;
        if (p < kOnGround) {
            target.z += kStride * (0.5 - p / kOnGround);
        } else {
            const double s = (p - kOnGround) / (1 - kOnGround), lift = wave(s / 2);
            target.z += kStride * (smooth_step(0, 1, s) - 0.5);
            target.y += kLift * lift * lift;
            paw_turn = kPawTurn * lift * lift * (1 - s);
        }
        bend_leg(rig, leg, target, paw_turn, stance);
    }
    return stance;
}

/// Stands and breathes twice while the tail swings and the head looks to both sides.
Stance idle_stance(const Rig& rig, double phase)
{
    Stance stance;
    stance.turns.resize(rig.nodes.size());
    stance.ribs_size = 1 + 0.03 * (1 - sin_cos(2 * kTwoPi * phase).cos) / 2;
    stance.turns[rig.neck] =
        rotation_about({1, 0, 0}, 0.03 * wave(2 * phase)) * rotation_about({0, 1, 0}, 0.10 * wave(phase));
    stance.turns[rig.head] =
        rotation_about({0, 1, 0}, 0.16 * wave(phase - 0.05)) * rotation_about({0, 0, 1}, 0.05 * wave(phase));
    wag_tail(rig, 2 * phase, 0.22, stance);
    return stance;
}

Channel channel_of(uint32_t node, ChannelTarget target)
{
    Channel channel;
    channel.node = node;
    channel.target = target;
    return channel;
}

template <class StanceOf>
CharacterClip make_clip(const Rig& rig, const std::string& name, double duration, int keys, const StanceOf& stance_of)
{
    std::vector<Channel> turns;
    for (uint32_t n = 0; n < rig.nodes.size(); ++n) turns.push_back(channel_of(n, ChannelTarget::kRotation));
    Channel hips = channel_of(rig.hips, ChannelTarget::kTranslation),
            ribs = channel_of(rig.ribs, ChannelTarget::kScale);
    for (int k = 0; k <= keys; ++k) {
        // The last key is the first one again, to the bit.
        const Stance stance = stance_of(rig, static_cast<double>(k % keys) / keys);
        const float time = static_cast<float>(duration * k / keys);
        for (uint32_t n = 0; n < turns.size(); ++n) {
            const Quat& q = stance.turns[n];
            turns[n].times.push_back(time);
            turns[n].values.push_back(
                {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)});
        }
        const Vec3f at = to_float(kHips + stance.hips_shift);
        const float size = static_cast<float>(stance.ribs_size);
        hips.times.push_back(time);
        hips.values.push_back({at.x, at.y, at.z, 0});
        ribs.times.push_back(time);
        ribs.values.push_back({size, size, 1, 0});
    }
    CharacterClip clip{name, duration, std::move(turns)};
    clip.channels.push_back(std::move(hips));
    clip.channels.push_back(std::move(ribs));
    return clip;
}

}  // namespace

Character make_creature()
{
    const Rig rig = make_rig();
    Character creature;
    creature.mesh = sculpt(creature_blobs(), creature_grid());
    creature.nodes = rig.nodes;
    for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
        creature.bones.push_back({n, {}});
        creature.bones.back().inverse_bind.origin = rig.places[n] * -1.0;
    }
    std::vector<std::vector<float>> weights;
    for (const Vec3f& v : creature.mesh.vertices) weights.push_back(raw_weights(rig, to_double(v)));
    creature.mesh.group_names = {"back", "belly", "head", "tail", "legs"};
    for (const auto& [a, b, c] : creature.mesh.triangles) {
        const auto& v = creature.mesh.vertices;
        const Vec3d middle = to_double(v[a] + v[b] + v[c]) * (1.0 / 3);
        creature.mesh.groups.push_back(group_of(rig, middle, raw_weights(rig, middle)));
    }
    creature.weights = settle_weights(creature.mesh, std::move(weights), 3);
    wrap_uvs(creature, {{0, 0.29, 0}, {0, 0, 1}, {0, -1, 0}, -0.33, 0.32});
    creature.clips = {make_clip(rig, "idle", 4.0, 80, idle_stance), make_clip(rig, "walk", 1.0, 40, walk_stance)};
    return creature;
}

}  // namespace tendril
