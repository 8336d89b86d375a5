#include "io/usd_skel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// A sum of weights that differs from one by less is due to rounding in exporters and is not reported as a repair.
constexpr double kWeightSumTolerance = 1e-3;
// Limits the time that the search for the parent of a joint takes [characters].
constexpr size_t kMaxJointPath = 1024;

bool is_below_skel_root(const UsdNode* node)
{
    for (; node; node = node->parent)
        if (node->prim->type == "SkelRoot") return true;
    return false;
}

std::span<const std::string_view> words_of(const UsdPrim& prim, std::string_view name)
{
    const UsdValue* value = find_property(prim, name).first();
    return value ? value->words() : std::span<const std::string_view>();
}

UsdJointIndex index_of(std::span<const std::string_view> joints)
{
    UsdJointIndex index;
    for (size_t i = 0; i < joints.size(); ++i) index.emplace(joints[i], static_cast<uint32_t>(i));
    return index;
}

/// One matrix per joint. Identities if the skeleton has none.
Result<std::vector<Affine>> joint_matrices(const UsdLayer& layer, const UsdPrim& skeleton, std::string_view name,
                                           size_t joints)
{
    std::vector<Affine> out(joints);
    const UsdValue* value = find_property(skeleton, name).first();
    if (!value) return out;
    if (value->elements(16) != joints)
        return layer.error(value->offset, fmt::format("{} must have one matrix for each of {} joints", name, joints));
    for (size_t i = 0; i < joints; ++i) out[i] = matrix_of({value}, i);
    return out;
}

/// Joints are named by their paths. The parent is the nearest ancestor on the path that is a joint itself.
uint32_t parent_of(const UsdSkeleton& skeleton, std::string_view path, uint32_t self)
{
    for (size_t cut = path.rfind('/'); cut != std::string_view::npos; cut = path.rfind('/')) {
        path = path.substr(0, cut);
        if (const auto found = skeleton.index.find(path); found != skeleton.index.end()) return found->second;
    }
    return self;
}

Result<size_t> read_joints(const UsdLayer& layer, const UsdPrim& prim, UsdSkeleton& skeleton)
{
    const std::span<const std::string_view> joints = words_of(prim, "joints");
    skeleton.index = index_of(joints);
    for (uint32_t i = 0; i < joints.size(); ++i) {
        if (joints[i].size() > kMaxJointPath)
            return layer.error(prim.offset,
                               fmt::format("the path of a joint is longer than {} characters", kMaxJointPath));
        skeleton.parents.push_back(parent_of(skeleton, joints[i], i));
        if (skeleton.parents.back() > i)
            return layer.error(prim.offset, fmt::format("joint \"{}\" is listed before its parent", joints[i]));
    }
    Result<std::vector<Affine>> binds = joint_matrices(layer, prim, "bindTransforms", joints.size());
    Result<std::vector<Affine>> rests = joint_matrices(layer, prim, "restTransforms", joints.size());
    if (!binds) return Error{binds.error()};
    if (!rests) return Error{rests.error()};
    for (const Affine& bind : *binds) skeleton.inverse_binds.push_back(inverse(bind));
    skeleton.rests = std::move(*rests);
    return joints.size();
}

/// Joints that the animation does not list stay at rest.
Result<size_t> read_animation(const UsdLayer& layer, const UsdPrim& animation, UsdSkeleton& skeleton)
{
    const std::span<const std::string_view> joints = words_of(animation, "joints");
    const auto read = [&](std::string_view name, uint32_t width, UsdProperty& out) -> const UsdValue* {
        out = find_property(animation, name);
        if (out.value && out.value->elements(width) != joints.size()) return out.value;
        for (const UsdSample& sample : out.samples)
            if (sample.value.elements(width) != joints.size()) return &sample.value;
        return nullptr;
    };
    for (const UsdValue* wrong : {read("translations", 3, skeleton.translations),
                                  read("rotations", 4, skeleton.rotations), read("scales", 3, skeleton.scales)})
        if (wrong)
            return layer.error(wrong->offset, fmt::format("an animation must have one value for each of its {} joints",
                                                          joints.size()));
    for (size_t i = 0; i < joints.size(); ++i)
        if (const auto found = skeleton.index.find(joints[i]); found != skeleton.index.end())
            skeleton.animated[found->second] = static_cast<uint32_t>(i);
    return joints.size();
}

Result<std::shared_ptr<UsdSkeleton>> read_skeleton(const UsdStage& stage, const UsdNode& node, UsdSkeletons& known)
{
    std::shared_ptr<UsdSkeleton>& skeleton = known[&node];
    if (skeleton) return skeleton;
    auto loaded = std::make_shared<UsdSkeleton>();
    loaded->xform = node.xform;
    if (const auto read = read_joints(*stage.layer, *node.prim, *loaded); !read) return Error{read.error()};
    loaded->animated.assign(loaded->parents.size(), UsdSkeleton::kAtRest);
    const UsdNode* animation = stage.target(node.animation);
    if (animation)
        if (const auto read = read_animation(*stage.layer, *animation->prim, *loaded); !read)
            return Error{read.error()};
    return skeleton = std::move(loaded);
}

/// The joints that the prim lists for its indices. Empty if its indices refer to the joints of the skeleton.
Result<std::vector<uint32_t>> own_joints(const UsdLayer& layer, const UsdPrim* prim, const UsdSkeleton& skeleton)
{
    std::vector<uint32_t> own;
    if (!prim) return own;
    for (const std::string_view joint : words_of(*prim, kSkinJoints)) {
        const auto found = skeleton.index.find(joint);
        if (found == skeleton.index.end())
            return layer.error(prim->offset, fmt::format("the skeleton has no joint \"{}\"", joint));
        own.push_back(found->second);
    }
    return own;
}

/// Scales the weights of each point to sum to one, as other USD readers do, and counts the points that need it.
void normalize_weights(UsdSkin& skin)
{
    for (size_t begin = 0; begin + skin.influences <= skin.weights.size(); begin += skin.influences) {
        double sum = 0;
        for (size_t i = begin; i < begin + skin.influences; ++i) sum += static_cast<double>(skin.weights[i]);
        if (!(std::abs(sum - 1) <= kWeightSumTolerance)) ++skin.unnormalized;
        if (!(sum > 0) || !std::isfinite(sum)) continue;
        for (size_t i = begin; i < begin + skin.influences; ++i)
            skin.weights[i] = static_cast<float>(static_cast<double>(skin.weights[i]) / sum);
    }
}

Result<size_t> read_weights(const UsdLayer& layer, const UsdSkinSources& sources, size_t points, UsdSkin& skin)
{
    const Result<std::vector<uint32_t>> own = own_joints(layer, sources.joints, *skin.skeleton);
    if (!own) return Error{own.error()};
    const size_t joint_count = own->empty() ? skin.skeleton->parents.size() : own->size();
    const UsdProperty joints = find_property(*sources.joint_indices, kJointIndices);
    const UsdProperty weights = find_property(*sources.joint_weights, kJointWeights);
    const UsdValue& joint_values = *joints.first();
    const UsdValue& weight_values = *weights.first();
    skin.influences = joints.element_size;
    skin.same_for_all = joints.interpolation == "constant";
    const size_t needed = skin.influences * (skin.same_for_all ? 1 : points);
    if (joint_values.elements(1) != needed || weight_values.elements(1) != needed)
        return layer.error(joint_values.offset,
                           fmt::format("{} joint indices and {} weights where {} are needed",
                                       joint_values.number_count(), weight_values.number_count(), needed));
    for (size_t i = 0; i < needed; ++i) {
        const double joint = joint_values.number(i);
        if (!(joint >= 0 && joint < static_cast<double>(joint_count)))
            return layer.error(joint_values.offset, fmt::format("joint {} does not exist", joint));
        const auto listed = static_cast<uint32_t>(joint);
        skin.joints.push_back(own->empty() ? listed : (*own)[listed]);
        skin.weights.push_back(static_cast<float>(weight_values.number(i)));
    }
    normalize_weights(skin);
    return needed;
}

/// The pose of a joint relative to its parent.
Affine local_pose(const UsdSkeleton& skeleton, size_t joint, UsdTime time)
{
    const uint32_t i = skeleton.animated[joint];
    if (i == UsdSkeleton::kAtRest || !skeleton.translations || !skeleton.rotations) return skeleton.rests[joint];
    const UsdBlend t = values_at(skeleton.translations, time), r = values_at(skeleton.rotations, time);
    Affine pose = rotation_matrix(rotation_at(r, i));
    if (skeleton.scales) {
        const UsdBlend s = values_at(skeleton.scales, time);
        pose.x = pose.x * blended(s, 3 * i);
        pose.y = pose.y * blended(s, 3 * i + 1);
        pose.z = pose.z * blended(s, 3 * i + 2);
    }
    pose.origin = {blended(t, 3 * i), blended(t, 3 * i + 1), blended(t, 3 * i + 2)};
    return pose;
}

/// Updates the transform of each joint from the bind pose to the world.
void move_joints(UsdSkeleton& skeleton, UsdTime time)
{
    if (!skeleton.motions.empty() && skeleton.motion_time == time) return;
    const Affine world = skeleton.world = to_world(skeleton.xform, time);
    std::vector<Affine> poses(skeleton.parents.size());
    skeleton.motions.resize(poses.size());
    skeleton.dual_motions.resize(skeleton.has_dual_skins ? poses.size() : 0);
    skeleton.motion_time = time;
    for (size_t i = 0; i < poses.size(); ++i) {
        poses[i] = local_pose(skeleton, i, time);
        if (skeleton.parents[i] != i) poses[i] = then(poses[i], poses[skeleton.parents[i]]);
        const Affine motion = then(skeleton.inverse_binds[i], poses[i]);
        skeleton.motions[i] = then(motion, world);
        if (skeleton.has_dual_skins) skeleton.dual_motions[i] = dual_motion(motion);
    }
}

/// The point in the world after linear blend skinning with the influences from `first` on.
Vec3d skin_linearly(const UsdSkin& skin, size_t first, const Vec3d& point)
{
    Vec3d sum{0, 0, 0};
    for (size_t i = first; i < first + skin.influences; ++i)
        if (skin.weights[i] != 0)
            sum +=
                transform_point(skin.skeleton->motions[skin.joints[i]], point) * static_cast<double>(skin.weights[i]);
    return sum;
}

/// As UsdSkel does it, in the space of the skeleton.
Vec3d skin_with_dual_quaternions(const UsdSkin& skin, size_t first, const Vec3d& point)
{
    const auto weights = skin.weights.begin() + static_cast<ptrdiff_t>(first);
    const auto largest = std::max_element(weights, weights + skin.influences) - skin.weights.begin();
    const std::vector<DualMotion>& motions = skin.skeleton->dual_motions;
    DualBlend blend(motions[skin.joints[static_cast<size_t>(largest)]], point);
    for (size_t i = first; i < first + skin.influences; ++i)
        if (skin.weights[i] != 0) blend.add(motions[skin.joints[i]], static_cast<double>(skin.weights[i]));
    return transform_point(skin.skeleton->world, blend.point());
}

}  // namespace

Result<std::optional<UsdSkin>> read_skin(const UsdStage& stage, const UsdNode& node, const UsdTopology& topology,
                                         UsdSkeletons& skeletons)
{
    std::optional<UsdSkin> none;
    const UsdSkinSources& sources = node.skin;
    if (!sources.joint_indices || !sources.joint_weights || !is_below_skel_root(&node)) return none;
    const UsdNode* target = stage.target(node.skeleton);
    if (!target || target->prim->type != "Skeleton") return none;
    Result<std::shared_ptr<UsdSkeleton>> skeleton = read_skeleton(stage, *target, skeletons);
    if (!skeleton) return Error{skeleton.error()};

    UsdSkin skin;
    skin.skeleton = std::move(*skeleton);
    if (sources.geometry_bind) {
        const UsdValue* bind = find_property(*sources.geometry_bind, kGeometryBind).first();
        if (bind->elements(16) != 1) return stage.layer->error(bind->offset, "geomBindTransform must be one matrix");
        skin.geometry_bind = matrix_of({bind}, 0);
    }
    const auto weights = read_weights(*stage.layer, sources, topology.point_count, skin);
    if (!weights) return Error{weights.error()};
    const auto method =
        sources.method ? words_of(*sources.method, kSkinningMethod) : std::span<const std::string_view>();
    skin.dual_quaternion = !method.empty() && method[0] == "dualQuaternion";
    skin.unknown_method = sources.method && !skin.dual_quaternion && (method.empty() || method[0] != "classicLinear");
    skin.skeleton->has_dual_skins |= skin.dual_quaternion;
    return std::optional<UsdSkin>(std::move(skin));
}

void skin_points(const UsdSkin& skin, UsdTime time, std::span<Vec3f> points)
{
    move_joints(*skin.skeleton, time);
    for (size_t p = 0; p < points.size(); ++p) {
        const Vec3d from = transform_point(skin.geometry_bind, to_double(points[p]));
        const size_t first = skin.same_for_all ? 0 : p * skin.influences;
        points[p] = to_float(skin.dual_quaternion ? skin_with_dual_quaternions(skin, first, from)
                                                  : skin_linearly(skin, first, from));
    }
}

void add_times(const UsdSkeleton& skeleton, std::vector<double>& times)
{
    for (const UsdProperty* property : {&skeleton.translations, &skeleton.rotations, &skeleton.scales})
        for (const UsdSample& sample : property->samples) times.push_back(sample.time);
}

}  // namespace tendril
