// Skinning against a reference that shares no code with it: matrices of 16 doubles, spherical interpolation with acos,
// and hand-written decoding of glTF accessors.

#include "support/data.h"
#include "tendril/mesh.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <set>

namespace tendril::test {
namespace {

// --- the reference

using Mat = std::array<double, 16>;  // columns one after another
constexpr Mat kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

Mat multiply(const Mat& a, const Mat& b)
{
    Mat c{};
    for (int col = 0; col < 4; ++col)
        for (int row = 0; row < 4; ++row)
            for (int k = 0; k < 4; ++k) c[4 * col + row] += a[4 * k + row] * b[4 * col + k];
    return c;
}

Mat transform_matrix(const std::array<double, 3>& t, std::array<double, 4> q, const std::array<double, 3>& s)
{
    const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& x : q) x /= n;
    const auto [x, y, z, w] = q;
    return {(1 - 2 * (y * y + z * z)) * s[0],
            2 * (x * y + z * w) * s[0],
            2 * (x * z - y * w) * s[0],
            0,
            2 * (x * y - z * w) * s[1],
            (1 - 2 * (x * x + z * z)) * s[1],
            2 * (y * z + x * w) * s[1],
            0,
            2 * (x * z + y * w) * s[2],
            2 * (y * z - x * w) * s[2],
            (1 - 2 * (x * x + y * y)) * s[2],
            0,
            t[0],
            t[1],
            t[2],
            1};
}

std::vector<double> blend(const std::vector<double>& a, const std::vector<double>& b, double u, bool rotation)
{
    double wa = 1 - u, wb = u;
    if (rotation) {
        double d = 0;
        for (size_t i = 0; i < 4; ++i) d += a[i] * b[i];
        const double sign = d < 0 ? -1 : 1, angle = std::acos(std::min(1.0, std::abs(d)));
        if (angle > 1e-4) {
            wa = std::sin((1 - u) * angle) / std::sin(angle);
            wb = std::sin(u * angle) / std::sin(angle);
        }
        wb *= sign;
    }
    std::vector<double> c;
    for (size_t i = 0; i < a.size(); ++i) c.push_back(wa * a[i] + wb * b[i]);
    return c;
}

struct Keys {
    std::string mode;  // LINEAR, STEP, CUBICSPLINE
    bool rotation = false;
    std::vector<double> times;
    std::vector<std::vector<double>> values;
};

std::vector<double> value_of(const Keys& keys, double t)
{
    const bool cubic = keys.mode == "CUBICSPLINE";
    const auto at = [&](size_t k) { return keys.values[cubic ? 3 * k + 1 : k]; };
    if (t <= keys.times.front()) return at(0);
    if (t >= keys.times.back()) return at(keys.times.size() - 1);
    size_t k = 0;
    while (keys.times[k + 1] <= t) ++k;
    if (keys.mode == "STEP") return at(k);
    const double interval = keys.times[k + 1] - keys.times[k], u = (t - keys.times[k]) / interval;
    if (!cubic) return blend(at(k), at(k + 1), u, keys.rotation);
    std::vector<double> c;
    for (size_t i = 0; i < at(k).size(); ++i)
        c.push_back((2 * u * u * u - 3 * u * u + 1) * at(k)[i] +
                    interval * (u * u * u - 2 * u * u + u) * keys.values[3 * k + 2][i] +
                    (-2 * u * u * u + 3 * u * u) * at(k + 1)[i] +
                    interval * (u * u * u - u * u) * keys.values[3 * k + 3][i]);
    return c;
}

Vec3d transformed(const Mat& m, const Vec3d& p)
{
    return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
            m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

double loop_time(double t, double duration)
{
    return duration > 0 ? t - std::floor(t / duration) * duration : 0;
}

/// All vertices of a character at a time of a clip.
std::vector<Vec3d> reference_skin(const Character& c, int clip, double time)
{
    std::vector<std::array<double, 3>> t, s;
    std::vector<std::array<double, 4>> q;
    for (const Node& n : c.nodes) {
        t.push_back({n.translation.x, n.translation.y, n.translation.z});
        q.push_back({n.rotation.x, n.rotation.y, n.rotation.z, n.rotation.w});
        s.push_back({n.scale.x, n.scale.y, n.scale.z});
    }
    if (clip >= 0)
        for (const Channel& channel : c.clips[static_cast<size_t>(clip)].channels) {
            Keys keys;
            keys.mode = channel.interpolation == Interpolation::kStep     ? "STEP"
                        : channel.interpolation == Interpolation::kLinear ? "LINEAR"
                                                                          : "CUBICSPLINE";
            keys.rotation = channel.target == ChannelTarget::kRotation;
            keys.times.assign(channel.times.begin(), channel.times.end());
            for (const auto& v : channel.values) keys.values.emplace_back(v.begin(), v.end());
            const auto v = value_of(keys, loop_time(time, c.clips[static_cast<size_t>(clip)].duration));
            if (channel.target == ChannelTarget::kTranslation) t[channel.node] = {v[0], v[1], v[2]};
            if (channel.target == ChannelTarget::kRotation) q[channel.node] = {v[0], v[1], v[2], v[3]};
            if (channel.target == ChannelTarget::kScale) s[channel.node] = {v[0], v[1], v[2]};
        }
    std::vector<Mat> world(c.nodes.size()), bones;
    for (size_t n = 0; n < world.size(); ++n) {
        const Mat local = transform_matrix(t[n], q[n], s[n]);
        world[n] = c.nodes[n].parent < 0 ? local : multiply(world[static_cast<size_t>(c.nodes[n].parent)], local);
    }
    for (const Bone& b : c.bones) {
        const Affine& i = b.inverse_bind;
        bones.push_back(multiply(world[b.node], {i.x.x, i.x.y, i.x.z, 0, i.y.x, i.y.y, i.y.z, 0, i.z.x, i.z.y, i.z.z, 0,
                                                 i.origin.x, i.origin.y, i.origin.z, 1}));
    }
    std::vector<Vec3d> out;
    for (size_t v = 0; v < c.mesh.vertices.size(); ++v) {
        Vec3d sum{0, 0, 0};
        double total = 0;  // float weights sum to one only within 1e-7, which matters far from the origin
        for (size_t k = 0; k < 4; ++k) {
            const double w = static_cast<double>(c.weights[v].weights[k]);
            sum += transformed(bones[c.weights[v].bones[k]], to_double(c.mesh.vertices[v])) * w;
            total += w;
        }
        out.push_back(sum * (1 / total));
    }
    return out;
}

double box_size(const std::vector<Vec3d>& points)
{
    Vec3d low = points.front(), high = low;
    for (const Vec3d& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

std::vector<Vec3f> skinned(const Character& c, const ClipPlay& play, double time, int threads = 1)
{
    const auto executor = make_thread_executor(threads);
    std::vector<Affine> bones(c.bones.size());
    pose_bones(c, play, time, bones);
    std::vector<Vec3f> out(c.mesh.vertices.size());
    skin(c, bones, out, *executor);
    return out;
}

/// The largest deviation, relative to the size of the reference's bounding box.
double max_deviation(const std::vector<Vec3f>& out, const std::vector<Vec3d>& reference)
{
    double worst = 0;
    for (size_t v = 0; v < out.size(); ++v) worst = std::max(worst, length(to_double(out[v]) - reference[v]));
    return worst / box_size(reference);
}

const Character& creature()
{
    static const Character instance = make_creature();
    return instance;
}

const Character& bust()
{
    static const Character instance = make_bust();
    return instance;
}

// --- glTF decoded by hand

std::vector<std::vector<double>> raw_accessor(const tinygltf::Model& model, int index)
{
    const auto& accessor = model.accessors[static_cast<size_t>(index)];
    const auto& view = model.bufferViews[static_cast<size_t>(accessor.bufferView)];
    const unsigned char* data =
        model.buffers[static_cast<size_t>(view.buffer)].data.data() + view.byteOffset + accessor.byteOffset;
    const size_t n = static_cast<size_t>(tinygltf::GetNumComponentsInType(static_cast<uint32_t>(accessor.type)));
    const size_t size =
        static_cast<size_t>(tinygltf::GetComponentSizeInBytes(static_cast<uint32_t>(accessor.componentType)));
    const size_t stride = static_cast<size_t>(accessor.ByteStride(view));
    std::vector<std::vector<double>> out;
    for (size_t i = 0; i < accessor.count; ++i) {
        auto& element = out.emplace_back();
        for (size_t c = 0; c < n; ++c) {
            const unsigned char* at = data + i * stride + c * size;
            float f = 0;
            uint16_t u = 0;
            if (accessor.componentType == TINYGLTF_COMPONENT_TYPE_FLOAT) std::memcpy(&f, at, 4);
            if (accessor.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT) std::memcpy(&u, at, 2);
            element.push_back(accessor.componentType == TINYGLTF_COMPONENT_TYPE_FLOAT ? static_cast<double>(f)
                              : accessor.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ? u
                                                                                                 : *at);
        }
    }
    return out;
}

Mat node_matrix(const tinygltf::Node& node, const std::map<std::string, std::vector<double>>& moved)
{
    if (node.matrix.size() == 16) {
        Mat m;
        std::copy(node.matrix.begin(), node.matrix.end(), m.begin());
        return m;
    }
    const auto get = [&](const std::string& what, std::vector<double> rest, std::vector<double> fallback) {
        const auto at = moved.find(what);
        return at != moved.end() ? at->second : rest.empty() ? fallback : rest;
    };
    const auto t = get("translation", node.translation, {0, 0, 0}), r = get("rotation", node.rotation, {0, 0, 0, 1}),
               s = get("scale", node.scale, {1, 1, 1});
    return transform_matrix({t[0], t[1], t[2]}, {r[0], r[1], r[2], r[3]}, {s[0], s[1], s[2]});
}

/// The vertices of the one skinned primitive of a file.
std::vector<Vec3d> reference_gltf(const tinygltf::Model& model, size_t clip, double time)
{
    std::map<int, std::map<std::string, std::vector<double>>> moved;
    const auto& animation = model.animations[clip];
    double duration = 0;
    for (const auto& sampler : animation.samplers)
        duration = std::max(duration, raw_accessor(model, sampler.input).back()[0]);
    for (const auto& channel : animation.channels) {
        const auto& sampler = animation.samplers[static_cast<size_t>(channel.sampler)];
        Keys keys{sampler.interpolation, channel.target_path == "rotation", {}, raw_accessor(model, sampler.output)};
        for (const auto& t : raw_accessor(model, sampler.input)) keys.times.push_back(t[0]);
        moved[channel.target_node][channel.target_path] = value_of(keys, loop_time(time, duration));
    }
    std::vector<Mat> world(model.nodes.size(), kIdentity);
    const std::function<void(int, const Mat&)> walk = [&](int n, const Mat& parent) {
        world[static_cast<size_t>(n)] = multiply(parent, node_matrix(model.nodes[static_cast<size_t>(n)], moved[n]));
        for (int child : model.nodes[static_cast<size_t>(n)].children) walk(child, world[static_cast<size_t>(n)]);
    };
    for (int root : model.scenes[0].nodes) walk(root, kIdentity);

    const auto& skin = model.skins[0];
    const auto binds = raw_accessor(model, skin.inverseBindMatrices);
    std::vector<Mat> bones;
    for (size_t j = 0; j < skin.joints.size(); ++j) {
        Mat bind;
        std::copy(binds[j].begin(), binds[j].end(), bind.begin());
        bones.push_back(multiply(world[static_cast<size_t>(skin.joints[j])], bind));
    }
    const auto& primitive = model.meshes[0].primitives[0];
    const auto positions = raw_accessor(model, primitive.attributes.at("POSITION"));
    const auto joints = raw_accessor(model, primitive.attributes.at("JOINTS_0"));
    const auto weights = raw_accessor(model, primitive.attributes.at("WEIGHTS_0"));
    std::vector<Vec3d> out;
    for (size_t v = 0; v < positions.size(); ++v) {
        Vec3d sum{0, 0, 0};
        double total = 0;
        for (size_t k = 0; k < 4; ++k) {
            sum += transformed(bones[static_cast<size_t>(joints[v][k])],
                               {positions[v][0], positions[v][1], positions[v][2]}) *
                   weights[v][k];
            total += weights[v][k];
        }
        out.push_back(sum * (1 / total));
    }
    return out;
}

void expect_like_reference(const std::string& file)
{
    tinygltf::TinyGLTF loader;
    loader.SetImageLoader([](tinygltf::Image*, int, std::string*, std::string*, int, int, const unsigned char*, int,
                             void*) { return true; },
                          nullptr);
    tinygltf::Model model;
    std::string error, warning;
    ASSERT_TRUE(loader.LoadBinaryFromFile(&model, &error, &warning, file)) << error;
    const auto character = read_character(file);
    ASSERT_TRUE(character) << character.error();
    ASSERT_EQ(character->clips.size(), model.animations.size());
    double worst = 0;
    for (size_t clip = 0; clip < model.animations.size(); ++clip)
        for (double time : {0.0, 0.013, 0.35, 0.5, 0.977, 1.7, 5.3}) {
            ClipPlay play;
            play.clip = static_cast<int>(clip);
            const auto reference = reference_gltf(model, clip, time);
            worst = std::max(worst, max_deviation(skinned(*character, play, time), reference));
        }
    ::testing::Test::RecordProperty("max_deviation", fmt::format("{:.2e}", worst));
    EXPECT_LT(worst, 1e-5);
}

/// A minimal character: one node, one bone, one triangle.
Character one_bone(Channel channel, double duration)
{
    Character c;
    c.mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    c.mesh.triangles = {{0, 1, 2}};
    c.nodes.resize(1);
    c.bones.resize(1);
    c.weights.assign(3, {{0, 0, 0, 0}, {1, 0, 0, 0}});
    c.clips = {{"clip", duration, {std::move(channel)}}};
    return c;
}

Character sliding(Interpolation interpolation)
{
    Channel channel;
    channel.interpolation = interpolation;
    channel.times = {1, 2, 4};
    channel.values = {{10, 0, 0, 0}, {20, 0, 0, 0}, {60, 0, 0, 0}};
    return one_bone(channel, 4);
}

double slide(const Character& c, const ClipPlay& play, double time)
{
    std::vector<Affine> bones(1);
    pose_bones(c, play, time, bones);
    return bones[0].origin.x;
}

int count_bad_edges(const Mesh& mesh)
{
    // Vertices that are duplicated at the texture seam count as one.
    std::map<std::array<float, 3>, uint32_t> positions;
    std::vector<uint32_t> position_index;
    for (const Vec3f& v : mesh.vertices)
        position_index.push_back(
            positions.try_emplace({v.x, v.y, v.z}, static_cast<uint32_t>(positions.size())).first->second);
    std::map<std::pair<uint32_t, uint32_t>, int> balance;  // each edge once in each direction
    std::map<std::pair<uint32_t, uint32_t>, int> uses;
    for (const auto& t : mesh.triangles)
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t a = position_index[t[k]], b = position_index[t[(k + 1) % 3]];
            balance[std::minmax(a, b)] += a < b ? 1 : -1;
            ++uses[std::minmax(a, b)];
        }
    int bad = 0;
    for (const auto& [edge, sum] : balance) bad += sum != 0 || uses[edge] != 2;
    return bad;
}

double volume(const Mesh& mesh)
{
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        sum += dot(to_double(mesh.vertices[a]), cross(to_double(mesh.vertices[b]), to_double(mesh.vertices[c]))) / 6;
    return sum;
}

void expect_sound(const Character& c)
{
    ASSERT_EQ(c.weights.size(), c.mesh.vertices.size());
    ASSERT_EQ(c.mesh.uvs.size(), c.mesh.vertices.size());
    ASSERT_EQ(c.mesh.groups.size(), c.mesh.triangles.size());
    for (const VertexWeights& w : c.weights) {
        float sum = 0;
        for (size_t k = 0; k < 4; ++k) {
            EXPECT_GE(w.weights[k], 0.0f);
            EXPECT_LT(w.bones[k], c.bones.size());
            sum += w.weights[k];
        }
        EXPECT_NEAR(sum, 1.0f, 1e-6f);
    }
    for (const Uv& uv : c.mesh.uvs) {
        EXPECT_TRUE(uv.u >= 0 && uv.u < 2 && uv.v >= 0 && uv.v <= 1);
    }
    size_t around_a_pole = 0;  // only there may a triangle span more than half the texture
    for (const auto& t : c.mesh.triangles) {
        const auto [low, high] = std::minmax({c.mesh.uvs[t[0]].u, c.mesh.uvs[t[1]].u, c.mesh.uvs[t[2]].u});
        around_a_pole += high - low > 0.5f;
    }
    EXPECT_LE(around_a_pole, 4u);
    const std::set<uint32_t> used(c.mesh.groups.begin(), c.mesh.groups.end());
    EXPECT_EQ(used.size(), c.mesh.group_names.size());
    EXPECT_EQ(count_bad_edges(c.mesh), 0);
    EXPECT_GT(volume(c.mesh), 0);
}

/// The largest change of any vertex from the end of a loop to its beginning.
double clip_jump(const Character& c, int clip)
{
    ClipPlay play;
    play.clip = clip;
    play.loop = false;
    const auto end = skinned(c, play, c.clips[static_cast<size_t>(clip)].duration), begin = skinned(c, play, 0);
    double worst = 0;
    for (size_t v = 0; v < end.size(); ++v) worst = std::max(worst, static_cast<double>(length(end[v] - begin[v])));
    return worst;
}

}  // namespace

TEST(Affine, ProductAppliesTheRightFactorFirst)
{
    const Affine turn{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, 0}}, shift{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 2, 3}};
    const Vec3d p = transform_point(turn * shift, {1, 0, 0});
    EXPECT_TRUE((p == Vec3d{-2, 2, 3}));
    EXPECT_TRUE((transform_point(shift * turn, {1, 0, 0}) == Vec3d{1, 3, 3}));
}

TEST(Skinning, GeneratedCharactersMatchTheReference)
{
    for (const Character* c : {&bust(), &creature()})
        for (int clip = -1; clip < static_cast<int>(c->clips.size()); ++clip)
            for (double time : {0.0, 0.1, 0.777, 2.5, -0.3}) {
                ClipPlay play;
                play.clip = clip;
                EXPECT_LT(max_deviation(skinned(*c, play, time), reference_skin(*c, clip, time)), 1e-5);
            }
}

TEST(Skinning, CesiumManMatchesTheReference)
{
    TENDRIL_NEEDS_DATA(file, "gltf_rigged/CesiumMan.glb");
    expect_like_reference(file);
}

TEST(Skinning, FoxMatchesTheReference)
{
    TENDRIL_NEEDS_DATA(file, "gltf_rigged/Fox.glb");
    expect_like_reference(file);
}

// A kilometre away, the result is as accurate as floats are there: half a step of 6e-5 m per axis.
TEST(Skinning, StaysPreciseFarFromTheOrigin)
{
    Character far = creature();
    far.nodes[0].translation.x += 1000;
    const auto reference = reference_skin(far, -1, 0);
    const auto out = skinned(far, {}, 0);
    for (size_t v = 0; v < out.size(); ++v) EXPECT_LT(length(to_double(out[v]) - reference[v]), 4e-5);
}

TEST(Skinning, AListOfVerticesGivesTheSameBits)
{
    const Character& c = creature();
    const auto executor = make_serial_executor();
    std::vector<Affine> bones(c.bones.size());
    ClipPlay play;
    play.clip = *find_clip(c, "walk");
    pose_bones(c, play, 0.3, bones);
    std::vector<Vec3f> all(c.mesh.vertices.size());
    skin(c, bones, all, *executor);
    std::vector<uint32_t> which;
    for (uint32_t v = 0; v < all.size(); v += 7) which.push_back(static_cast<uint32_t>(all.size()) - 1 - v);
    std::vector<Vec3f> some(which.size());
    skin(c, bones, which, some, *executor);
    for (size_t i = 0; i < which.size(); ++i) EXPECT_TRUE(some[i] == all[which[i]]);
}

TEST(Skinning, SameBitsForAnyNumberOfThreads)
{
    Character c = creature();
    for (int doubling = 0; doubling < 4; ++doubling) {  // enough for several ranges
        const auto vertices = c.mesh.vertices;
        const auto weights = c.weights;
        c.mesh.vertices.insert(c.mesh.vertices.end(), vertices.begin(), vertices.end());
        c.weights.insert(c.weights.end(), weights.begin(), weights.end());
    }
    ClipPlay play;
    play.clip = *find_clip(c, "walk");
    const auto one = skinned(c, play, 0.4, 1);
    for (int threads : {2, 3}) {
        const auto many = skinned(c, play, 0.4, threads);
        EXPECT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof(Vec3f)), 0);
    }
}

TEST(Skinning, AMeshWithoutBonesDoesNotMove)
{
    Character c;
    c.mesh = make_sphere_mesh(2);
    const auto out = skinned(c, {}, 1);
    for (size_t v = 0; v < out.size(); ++v) EXPECT_TRUE(out[v] == c.mesh.vertices[v]);
}

TEST(Clip, InterpolatesLinearlyOrInStepsAndClampsAtTheEnds)
{
    const Character linear = sliding(Interpolation::kLinear), step = sliding(Interpolation::kStep);
    ClipPlay once;
    once.clip = 0;
    once.loop = false;
    EXPECT_DOUBLE_EQ(slide(linear, once, -3), 10);
    EXPECT_DOUBLE_EQ(slide(linear, once, 0.5), 10);  // before its first key
    EXPECT_DOUBLE_EQ(slide(linear, once, 1.5), 15);
    EXPECT_DOUBLE_EQ(slide(linear, once, 3), 40);
    EXPECT_DOUBLE_EQ(slide(linear, once, 99), 60);
    EXPECT_DOUBLE_EQ(slide(step, once, 1.99), 10);
    EXPECT_DOUBLE_EQ(slide(step, once, 2), 20);
    EXPECT_DOUBLE_EQ(slide(step, once, 99), 60);
}

TEST(Clip, LoopsAndPlaysAtItsSpeed)
{
    const Character c = sliding(Interpolation::kLinear);
    ClipPlay loop;
    loop.clip = 0;
    EXPECT_DOUBLE_EQ(slide(c, loop, 5.5), 15);
    EXPECT_DOUBLE_EQ(slide(c, loop, -2.5), 15);
    loop.speed = 2;
    EXPECT_DOUBLE_EQ(slide(c, loop, 0.75), 15);
    loop.speed = -1;
    EXPECT_DOUBLE_EQ(slide(c, loop, 2.5), 15);
    ClipPlay none;
    EXPECT_DOUBLE_EQ(slide(c, none, 3), 0);
}

TEST(Clip, CubicFollowsItsTangents)
{
    Channel channel;
    channel.interpolation = Interpolation::kCubic;
    channel.times = {0, 2};
    // x(t) = t^3: tangents 0 and 12.
    channel.values = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {12, 0, 0, 0}, {8, 0, 0, 0}, {0, 0, 0, 0}};
    const Character c = one_bone(channel, 2);
    ClipPlay play;
    play.clip = 0;
    play.loop = false;
    for (double t : {0.0, 0.3, 1.0, 1.9, 2.0}) EXPECT_NEAR(slide(c, play, t), t * t * t, 1e-12);
}

TEST(Clip, RotationsFollowTheShorterArcAtConstantSpeed)
{
    for (double total_angle : {1e-7, 0.01, 1.0, 3.0}) {
        Channel channel;
        channel.target = ChannelTarget::kRotation;
        channel.times = {0, 1};
        const float s = static_cast<float>(std::sin(total_angle / 2)),
                    w = static_cast<float>(std::cos(total_angle / 2));
        channel.values = {{0, 0, 0, 1}, {0, 0, -s, -w}};  // the farther of the two quaternions of that rotation
        const Character c = one_bone(channel, 1);
        ClipPlay play;
        play.clip = 0;
        for (double u : {0.1, 0.5, 0.9}) {
            std::vector<Affine> bones(1);
            pose_bones(c, play, u, bones);
            EXPECT_NEAR(std::atan2(bones[0].x.y, bones[0].x.x), u * total_angle, 1e-7) << total_angle;
        }
    }
}

TEST(Clip, AnUnknownNameListsTheClips)
{
    const auto clip = find_clip(creature(), "wlak");
    ASSERT_FALSE(clip);
    EXPECT_NE(clip.error().find("did you mean \"walk\""), std::string::npos) << clip.error();
    EXPECT_NE(clip.error().find("idle, walk"), std::string::npos) << clip.error();
    EXPECT_EQ(*find_clip(creature(), "idle"), 0);
}

TEST(Bust, IsClosedAndComplete)
{
    const Character& c = bust();
    expect_sound(c);
    EXPECT_EQ(c.mesh.group_names, (std::vector<std::string>{"scalp", "face", "neck", "shoulders"}));
    EXPECT_EQ(c.nodes[0].name, "shoulders");
    EXPECT_EQ(c.nodes[1].name, "head");
    ASSERT_TRUE(find_clip(c, "look_around"));
    float low = 1, high = -1;
    for (const Vec3f& v : c.mesh.vertices) {
        low = std::min(low, v.y);
        high = std::max(high, v.y);
    }
    EXPECT_NEAR(high - low, 0.5f, 0.05f);
    EXPECT_LT(c.mesh.triangles.size(), 16000u);
    EXPECT_LT(clip_jump(c, 0), 1e-6);
}

// The crown follows only the head, the chest only the shoulders.
TEST(Bust, OnlyTheNeckFollowsBothBones)
{
    const Character& c = bust();
    for (size_t v = 0; v < c.mesh.vertices.size(); ++v) {
        float head = 0;
        for (size_t k = 0; k < 4; ++k)
            if (c.weights[v].bones[k] == 1) head += c.weights[v].weights[k];
        if (c.mesh.vertices[v].y > 0.2f) {
            EXPECT_GT(head, 0.99f);
        }
        if (c.mesh.vertices[v].y < -0.1f) {
            EXPECT_LT(head, 0.01f);
        }
    }
}

TEST(Creature, IsClosedAndComplete)
{
    const Character& c = creature();
    expect_sound(c);
    EXPECT_EQ(c.mesh.group_names, (std::vector<std::string>{"back", "belly", "head", "tail", "legs"}));
    EXPECT_GE(c.mesh.triangles.size(), 3000u);
    EXPECT_LE(c.mesh.triangles.size(), 10000u);
    float low = 1, front = -1, back = 1;
    for (const Vec3f& v : c.mesh.vertices) {
        low = std::min(low, v.y);
        front = std::max(front, v.z);
        back = std::min(back, v.z);
    }
    EXPECT_NEAR(low, 0.0f, 0.002f);
    EXPECT_NEAR(front - back, 0.6f, 0.06f);
}

TEST(Creature, ClipsLoopSeamlessly)
{
    const Character& c = creature();
    for (int clip = 0; clip < 2; ++clip) EXPECT_LT(clip_jump(c, clip), 1e-6) << c.clips[static_cast<size_t>(clip)].name;
}

// In a walk, some paw is always on the ground and none sinks into it.
TEST(Creature, WalksOnTheGround)
{
    const Character& c = creature();
    ClipPlay play;
    play.clip = *find_clip(c, "walk");
    for (int frame = 0; frame < 24; ++frame) {
        float low = 1;
        for (const Vec3f& v : skinned(c, play, frame / 24.0)) low = std::min(low, v.y);
        EXPECT_NEAR(low, 0.0f, 0.008f) << frame;
    }
}

TEST(SphereMesh, IsClosedAndHasItsRadius)
{
    const Mesh mesh = make_sphere_mesh(0.5f, 16);
    for (const Vec3f& v : mesh.vertices) EXPECT_NEAR(length(v), 0.5f, 1e-6f);
    EXPECT_EQ(count_bad_edges(mesh), 0);
    EXPECT_NEAR(volume(mesh), 4.0 / 3 * 3.14159265 * 0.125, 0.01);
    EXPECT_EQ(mesh.uvs.size(), mesh.vertices.size());
}

}  // namespace tendril::test
