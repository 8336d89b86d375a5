// Fits colliders to any skinned character: each part of the skin is assigned to the bone that it follows most, and each
// bone gets as many tapered capsules as a close fit needs.
//
// Capsules are fitted where the bones have taken the mesh, and then expressed in the poses that a body gives out
// (Body::sample). Those have no scale: for a scaled bone they keep the rotation and the position of the mesh's
// origin. In these poses the capsules are right whatever the scale, as long as it does not change while a clip
// plays.

#include "body/body.h"
#include "body/capsule_fit.h"
#include "body/moving_tree.h"
#include "body/surface.h"
#include "math/random.h"
#include "math/vectors.h"
#include "tendril/collider.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

constexpr size_t kSamples = 6000;
constexpr double kMinRadius = 5e-3;     // relative to the character's size
constexpr double kMaxProtrusion = 1.5;  // how far the end of a capsule may protrude from the skin, in tolerances
// A bone with a smaller share of the skin area, such as that of a finger, passes its skin on to its parent.
constexpr double kMinAreaShare = 0.004;

struct PosedSkin {
    std::vector<Vec3d> vertices;
    std::vector<Pose> bones;  // as a body reports them: its frame, then the character's bones
    double size = 0;          // diagonal of the bounding box
};

PosedSkin pose_skin(const std::shared_ptr<const Character>& character, const ClipPlay& play)
{
    BodyDescription description;
    description.character = character;
    description.play = play;
    Body body(std::move(description));
    BodySample sample;
    body.sample(0, sample);
    PosedSkin skin;
    skin.bones = sample.bones;
    const MeshView mesh = body.mesh_in(sample, *make_serial_executor());
    constexpr double inf = std::numeric_limits<double>::infinity();
    Vec3d low{inf, inf, inf}, high{-inf, -inf, -inf};
    for (const Vec3f& v : mesh.vertices) {
        skin.vertices.push_back(to_double(v));
        low = component_min(low, skin.vertices.back());
        high = component_max(high, skin.vertices.back());
    }
    skin.size = skin.vertices.empty() ? 0 : length(high - low);
    return skin;
}

bool is_skinned(const Character& character)
{
    return !character.bones.empty() && !character.weights.empty();
}

/// The bone of the body that a point of a triangle follows most; 0, the frame, if no bone carries the mesh.
size_t bone_at(const Character& character, const std::array<uint32_t, 3>& corners, const std::array<double, 3>& shares,
               std::vector<double>& sums)
{
    if (!is_skinned(character)) return 0;
    size_t best = character.weights[corners[0]].bones[0];
    const auto for_each_weight = [&](const auto& act) {
        for (size_t c = 0; c < 3; ++c)
            for (size_t i = 0; i < 4; ++i)
                act(character.weights[corners[c]].bones[i],
                    static_cast<double>(character.weights[corners[c]].weights[i]) * shares[c]);
    };
    for_each_weight([&](size_t bone, double w) { sums[bone] += w; });
    for_each_weight([&](size_t bone, double) {
        if (sums[bone] > sums[best] || (sums[bone] == sums[best] && bone < best)) best = bone;
    });
    for_each_weight([&](size_t bone, double) { sums[bone] = 0; });
    return 1 + best;
}

/// Samples the skin evenly and groups the samples by the bone of the body that they follow.
std::vector<std::vector<SkinSample>> sample_skin(const Character& character, const PosedSkin& skin)
{
    std::vector<std::vector<SkinSample>> of_bone(skin.bones.size());
    const auto& triangles = character.mesh.triangles;
    const auto area_vector = [&](const std::array<uint32_t, 3>& t) {
        const Vec3d a = skin.vertices[t[0]];
        return cross(skin.vertices[t[1]] - a, skin.vertices[t[2]] - a) * 0.5;
    };
    double total = 0;
    for (const auto& t : triangles) total += length(area_vector(t));
    if (!(total > 0) || !std::isfinite(total)) return of_bone;
    const double step = total / kSamples;
    std::vector<double> sums(character.bones.size());
    double done = 0;
    size_t next = 0;
    for (const auto& t : triangles) {
        const Vec3d n = area_vector(t);
        done += length(n);
        for (; next < kSamples && (static_cast<double>(next) + 0.5) * step < done; ++next) {
            const double r = std::sqrt(uniform(1, next)), u = uniform(2, next);
            const std::array<double, 3> shares{1 - r, r * (1 - u), r * u};
            const Vec3d p =
                skin.vertices[t[0]] * shares[0] + skin.vertices[t[1]] * shares[1] + skin.vertices[t[2]] * shares[2];
            of_bone[bone_at(character, t, shares, sums)].push_back({p, unit_or(n, {0, 1, 0}), step});
        }
    }
    return of_bone;
}

/// Signed distance to the skin, negative inside.
class SkinDistance {
public:
    SkinDistance(const Character& character, const PosedSkin& skin)
        : vertices_(to_floats(skin.vertices)),
          surface_(vertices_, character.mesh.triangles),
          tree_(surface_, vertices_),
          max_distance_(static_cast<float>(10 * skin.size))
    {
        surface_.pose(vertices_, pose_, *make_serial_executor());
        tree_.refit(surface_, pose_, *make_serial_executor());
    }
    SkinDistance(const SkinDistance&) = delete;  // the tree points to the surface and its pose

    double at(const Vec3d& p) const
    {
        const auto nearest = tree_.nearest(to_float(p), max_distance_);
        return static_cast<double>(nearest ? nearest->distance : max_distance_);
    }

private:
    static std::vector<Vec3f> to_floats(std::span<const Vec3d> list)
    {
        std::vector<Vec3f> floats;
        for (const Vec3d& v : list) floats.push_back(to_float(v));
        return floats;
    }

    std::vector<Vec3f> vertices_;
    Surface surface_;
    SurfacePose pose_;
    MovingTree tree_;
    float max_distance_;
};

/// Drops skin samples inside the body, such as most of an eyeball, and flips the normals of inside-out parts.
void keep_visible(const SkinDistance& distance, double size, std::vector<std::vector<SkinSample>>& of_bone)
{
    const double step = 1e-3 * size;
    for (auto& samples : of_bone)
        std::erase_if(samples, [&](SkinSample& s) {
            if (distance.at(s.position + s.normal * step) >= 0) return false;
            s.normal = s.normal * -1.0;
            return distance.at(s.position + s.normal * step) < 0;
        });
}

/// Points in front of the skin with half their distance to it, which leaves room for capsules that protrude. A sphere
/// that touches the skin from outside fits it as well as one inside, but contains such points.
std::vector<ClearancePoint> probe_outside(const SkinDistance& distance, double size,
                                          const std::vector<std::vector<SkinSample>>& of_bone)
{
    constexpr double kHeights[] = {0.015, 0.04, 0.10};  // relative to the character's size
    constexpr size_t kStride = 4;                       // one sample in this many is enough
    std::vector<ClearancePoint> probes;
    for (const auto& samples : of_bone)
        for (size_t i = 0; i < samples.size(); i += kStride)
            for (const double share : kHeights) {
                const Vec3d p = samples[i].position + samples[i].normal * (share * size);
                const double d = distance.at(p);
                if (d > 0.25 * share * size) probes.push_back({p, d / 2, samples[i].area * kStride});
            }
    return probes;
}

/// The bone of the body for the nearest ancestor node that has one; `bone` itself if there is none.
size_t parent_bone(const Character& character, size_t bone)
{
    if (bone == 0) return 0;
    for (int n = character.nodes[character.bones[bone - 1].node].parent; n >= 0;
         n = character.nodes[static_cast<size_t>(n)].parent)
        for (size_t b = 0; b < character.bones.size(); ++b)
            if (character.bones[b].node == static_cast<uint32_t>(n)) return 1 + b;
    return bone;
}

/// Passes the skin of bones with little area on to their parents, or drops it if there is no parent. Keeps at most
/// `most` bones.
void merge_small_bones(const Character& character, size_t most, std::vector<std::vector<SkinSample>>& of_bone)
{
    const auto move_to_parent = [&](size_t bone) {
        std::vector<SkinSample> moved;
        moved.swap(of_bone[bone]);
        if (const size_t parent = parent_bone(character, bone); parent != bone)
            of_bone[parent].insert(of_bone[parent].end(), moved.begin(), moved.end());
    };
    for (;;) {
        size_t smallest = of_bone.size(), bones = 0;
        for (size_t b = 0; b < of_bone.size(); ++b) {
            if (of_bone[b].empty()) continue;
            ++bones;
            if (smallest == of_bone.size() || of_bone[b].size() < of_bone[smallest].size()) smallest = b;
        }
        if (bones <= 1) return;
        const bool is_small = of_bone[smallest].size() < static_cast<size_t>(kMinAreaShare * kSamples);
        if (!is_small && bones <= most) return;
        move_to_parent(smallest);
    }
}

/// The capsules of one bone while they are being added.
struct BonePart {
    size_t bone;
    FitTarget target;
    CapsuleFit fit, next;  // `next` has one more capsule

    double gain() const { return fit.cost - next.cost; }
    /// Whether nearly all of its skin is within the tolerance.
    bool is_close(double tolerance) const
    {
        constexpr double kShare = 0.97;
        size_t near = 0;
        for (const SkinSample& s : target.own) {
            double d = std::numeric_limits<double>::infinity();
            for (const Capsule& c : fit.capsules) d = std::min(d, nearest_sphere(c, s.position).distance);
            near += std::abs(d) <= tolerance;
        }
        return static_cast<double>(near) >= kShare * static_cast<double>(target.own.size());
    }
};

/// The points near enough to a bone's skin that its capsules might reach them.
std::vector<ClearancePoint> nearby(std::span<const SkinSample> own, std::span<const ClearancePoint> all)
{
    Vec3d low = own[0].position, high = low;
    for (const SkinSample& s : own) low = component_min(low, s.position), high = component_max(high, s.position);
    const double slack = 0.25 * length(high - low);
    std::vector<ClearancePoint> list;
    for (const ClearancePoint& k : all) {
        const Vec3d out = component_max(low - k.position, k.position - high);
        if (std::max({out.x, out.y, out.z}) < slack) list.push_back(k);
    }
    return list;
}

std::vector<BonePart> fit_bones(const std::vector<std::vector<SkinSample>>& of_bone,
                                std::span<const ClearancePoint> probes, double tolerance, double smallest)
{
    std::vector<BonePart> parts;
    for (size_t b = 0; b < of_bone.size(); ++b) {
        if (of_bone[b].empty()) continue;
        std::vector<ClearancePoint> others(probes.begin(), probes.end());
        for (size_t o = 0; o < of_bone.size(); ++o)
            if (o != b)
                for (const SkinSample& s : of_bone[o]) others.push_back({s.position, 0, s.area});
        BonePart part{b, {of_bone[b], nearby(of_bone[b], others), tolerance, smallest}, {}, {}};
        part.fit = fit_one(part.target);
        parts.push_back(std::move(part));
    }
    return parts;
}

/// Adds capsules one at a time to the bone that gains most, until all fits are close or the limit is reached.
void add_capsules(std::vector<BonePart>& parts, double tolerance, size_t most)
{
    const auto try_next = [&](BonePart& part) {
        part.next = part.is_close(tolerance) ? part.fit : add_capsule(part.target, part.fit);
    };
    for (BonePart& part : parts) try_next(part);
    for (size_t count = parts.size(); count < most; ++count) {
        BonePart& best = *std::max_element(parts.begin(), parts.end(),
                                           [](const BonePart& a, const BonePart& b) { return a.gain() < b.gain(); });
        if (!(best.gain() > 0)) return;
        best.fit = best.next;
        try_next(best);
    }
}

/// Shortens the end b until it no longer protrudes from the skin. Thin ends can pass between the samples.
void trim_end(const SkinDistance& distance, double tolerance, Capsule& c)
{
    constexpr int kSteps = 32;
    for (int k = 0; k <= kSteps; ++k) {
        const double t = 1 - static_cast<double>(k) / kSteps, radius = c.radius_a + (c.radius_b - c.radius_a) * t;
        const Vec3d centre = c.a + (c.b - c.a) * t;
        if (distance.at(centre) + radius > tolerance) continue;
        c.b = centre;
        c.radius_b = radius;
        return;
    }
}

void trim_ends(const SkinDistance& distance, double tolerance, Capsule& c)
{
    trim_end(distance, tolerance, c);
    std::swap(c.a, c.b);
    std::swap(c.radius_a, c.radius_b);
    trim_end(distance, tolerance, c);
}

/// Transforms a point into the frame of a pose.
Vec3d to_local(const Pose& pose, const Vec3d& p)
{
    return rotate(conjugate(pose.rotation), p - pose.position);
}

}  // namespace

std::vector<Collider> fit_colliders(const Character& character, BodyId body, const ColliderFit& fit)
{
    // Without ownership: the body does not outlive this call.
    const std::shared_ptr<const Character> borrowed(std::shared_ptr<const Character>(), &character);
    const PosedSkin skin = pose_skin(borrowed, fit.play);
    if (!(skin.size > 0) || !std::isfinite(skin.size)) return {};
    const SkinDistance distance(character, skin);
    auto of_bone = sample_skin(character, skin);
    keep_visible(distance, skin.size, of_bone);
    merge_small_bones(character, std::max<size_t>(fit.most, 1), of_bone);
    const double tolerance = fit.tolerance * skin.size;
    auto parts = fit_bones(of_bone, probe_outside(distance, skin.size, of_bone), tolerance, kMinRadius * skin.size);
    if (parts.empty()) return {};
    add_capsules(parts, tolerance, fit.most);
    std::vector<Collider> list;
    for (BonePart& part : parts) {
        polish(part.target, part.fit);
        for (Capsule& c : part.fit.capsules) {
            trim_ends(distance, kMaxProtrusion * tolerance, c);
            list.push_back({body, part.bone, to_local(skin.bones[part.bone], c.a), to_local(skin.bones[part.bone], c.b),
                            static_cast<float>(c.radius_a), static_cast<float>(c.radius_b)});
        }
    }
    return list;
}

}  // namespace tendril
