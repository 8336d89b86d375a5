// Reads glTF 2.0 characters. All meshes of the scene are merged into one; each vertex is bound to the joints of its
// skin or to its node. Vertices are stored where the nodes place them before any clip plays, and the inverse bind
// matrices undo that, so that the stored mesh is the assembled character and not a pile of parts around the origin.

#include "io/gltf_model.h"
#include "math/vectors.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

namespace tendril {
namespace {

// --- matrices

double determinant(const Affine& a)
{
    return dot(a.x, cross(a.y, a.z));
}

/// Returns false if the matrix is singular or nearly so.
bool invert(const Affine& a, Affine& inverse)
{
    constexpr double kSingular = 1e-9;
    const double det = determinant(a);
    if (!(std::abs(det) > kSingular * length(a.x) * length(a.y) * length(a.z)) || !std::isfinite(det)) return false;
    const Vec3d row_x = cross(a.y, a.z) * (1 / det), row_y = cross(a.z, a.x) * (1 / det),
                row_z = cross(a.x, a.y) * (1 / det);
    inverse = {{row_x.x, row_y.x, row_z.x}, {row_x.y, row_y.y, row_z.y}, {row_x.z, row_y.z, row_z.z}, {0, 0, 0}};
    inverse.origin = transform_point(inverse, a.origin) * -1.0;
    return is_finite(inverse.x) && is_finite(inverse.y) && is_finite(inverse.z) && is_finite(inverse.origin);
}

/// glTF matrices are column-major.
Affine affine_of(const double* m)
{
    return {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
}

/// Splits a matrix into translation, rotation and scale. Returns false if it has a shear, which is lost.
bool decompose(const Affine& a, Node& node)
{
    constexpr double kShearTolerance = 1e-5;
    const Vec3d x = unit_or(a.x, {1, 0, 0});
    const Vec3d across = a.y - x * dot(x, a.y);
    const Vec3d y = unit_or(across, std::abs(x.y) < 0.9 ? unit_or(Vec3d{0, 1, 0} - x * x.y, x) : Vec3d{0, 0, 1});
    const Vec3d z = cross(x, y);
    node.translation = a.origin;
    node.rotation = rotation_of(x, y, z);
    node.scale = {length(a.x), dot(y, a.y), dot(z, a.z)};
    const double size = length(a.x) + length(a.y) + length(a.z);
    return std::abs(dot(x, a.y)) + std::abs(dot(x, a.z)) + std::abs(dot(y, a.z)) <= kShearTolerance * size;
}

// --- triangles of a primitive

std::vector<std::array<size_t, 3>> triangles_of(int mode, size_t corners)
{
    std::vector<std::array<size_t, 3>> triangles;
    if (mode == TINYGLTF_MODE_TRIANGLES)
        for (size_t i = 0; i + 2 < corners; i += 3) triangles.push_back({i, i + 1, i + 2});
    if (mode == TINYGLTF_MODE_TRIANGLE_STRIP)
        for (size_t i = 0; i + 2 < corners; ++i) triangles.push_back({i, i + 1 + i % 2, i + 2 - i % 2});
    if (mode == TINYGLTF_MODE_TRIANGLE_FAN)
        for (size_t i = 0; i + 2 < corners; ++i) triangles.push_back({i + 1, i + 2, 0});
    return triangles;
}

/// Finds the index of a name in a list and appends the name if it is new.
class NameIndex {
public:
    explicit NameIndex(std::vector<std::string>& names) : names_(names) {}
    uint32_t of(const std::string& name)
    {
        const auto [entry, is_new] = indices_.try_emplace(name, static_cast<uint32_t>(names_.size()));
        if (is_new) names_.push_back(name);
        return entry->second;
    }

private:
    std::vector<std::string>& names_;
    std::unordered_map<std::string, uint32_t> indices_;
};

class GltfBuilder {
public:
    GltfBuilder(GltfModel& gltf, const std::string& name) : gltf_(gltf), model_(gltf.model), name_(name) {}

    Result<Character> build()
    {
        if (!add_nodes()) return fault_;
        for (int n : scene_nodes())
            if (!add_instances(n)) return fault_;
        for (size_t a = 0; a < model_.animations.size(); ++a) add_clip(a);
        add_repair(kMorphTargetsIgnored, morph_targets_);
        add_repair("primitives that are not triangles", other_modes_);
        add_repair("primitives with more than four bones per vertex, of which the first four are used", extra_bones_);
        add_repair("node matrices with a shear, which was ignored", sheared_nodes_);
        add_repair("node matrices that are singular and flatten what is below them", singular_nodes_);
        add_repair("animation channels that cannot be read", bad_channels_);
        add_repair("instances of skinned meshes, of which one was read", skinned_instances_);
        return std::move(character_);
    }

private:
    /// The bones that one instance of a mesh is bound to: the joints of a skin, or a single node.
    struct BoneSet {
        bool is_made = false;
        uint32_t first_bone = 0;
        size_t bone_count = 0;
        Affine rest;  ///< from the vertices in the file to the stored ones
    };
    /// The accessors that a range of vertices was made from: position, UV, joints, weights; and whether it is skinned.
    using VertexKey = std::array<int, 5>;

    bool fail(const std::string& what)
    {
        fault_ = Error{fmt::format("{}: {}", name_, what)};
        return false;
    }

    void add_repair(const char* what, size_t count)
    {
        if (count > 0) character_.repairs.push_back({what, count});
    }

    // --- nodes

    bool find_parents(std::vector<int>& parents)
    {
        parents.assign(model_.nodes.size(), -1);
        for (size_t n = 0; n < model_.nodes.size(); ++n)
            for (int child : model_.nodes[n].children) {
                if (child < 0 || static_cast<size_t>(child) >= model_.nodes.size())
                    return fail(fmt::format("node {} has a child {} that does not exist", n, child));
                if (parents[static_cast<size_t>(child)] >= 0)
                    return fail(fmt::format("node {} has two parents", child));
                parents[static_cast<size_t>(child)] = static_cast<int>(n);
            }
        return true;
    }

    /// Adds all nodes, parents before children.
    bool add_nodes()
    {
        std::vector<int> parents, order;
        if (!find_parents(parents)) return false;
        for (size_t n = 0; n < parents.size(); ++n)
            if (parents[n] < 0) order.push_back(static_cast<int>(n));
        for (size_t i = 0; i < order.size(); ++i)
            for (int child : model_.nodes[static_cast<size_t>(order[i])].children) order.push_back(child);
        if (order.size() != parents.size()) return fail("some nodes are their own descendants");
        new_index_.assign(order.size(), 0);
        for (size_t i = 0; i < order.size(); ++i) {
            const size_t old = static_cast<size_t>(order[i]);
            new_index_[old] = static_cast<uint32_t>(i);
            character_.nodes.push_back(make_node(model_.nodes[old]));
            if (parents[old] >= 0)
                character_.nodes.back().parent = static_cast<int>(new_index_[static_cast<size_t>(parents[old])]);
        }
        // Bones without a bind matrix give the pose of each node before any clip plays.
        Character plain;
        plain.nodes = character_.nodes;
        for (uint32_t n = 0; n < plain.nodes.size(); ++n) plain.bones.push_back({n, {}});
        rest_.resize(plain.nodes.size());
        pose_bones(plain, {}, 0, rest_);
        return true;
    }

    Node make_node(const tinygltf::Node& from)
    {
        Node node;
        node.name = from.name;
        if (from.matrix.size() == 16) {
            const Affine matrix = affine_of(from.matrix.data());
            sheared_nodes_ += !decompose(matrix, node);
            singular_nodes_ += is_singular(matrix);
            return node;
        }
        const auto &t = from.translation, &r = from.rotation, &s = from.scale;
        if (t.size() == 3) node.translation = {t[0], t[1], t[2]};
        if (r.size() == 4) node.rotation = normalized(Quat{r[0], r[1], r[2], r[3]});
        if (s.size() == 3) node.scale = {s[0], s[1], s[2]};
        return node;
    }

    /// Whether the matrix flattens everything below the node.
    static bool is_singular(const Affine& a)
    {
        Affine inverse;
        return !invert(a, inverse);
    }

    /// All nodes of the default scene, or of the first one if no default is named.
    std::vector<int> scene_nodes() const
    {
        std::vector<int> nodes;
        if (model_.scenes.empty()) {
            for (size_t n = 0; n < model_.nodes.size(); ++n) nodes.push_back(static_cast<int>(n));
            return nodes;
        }
        const bool named = model_.defaultScene >= 0 && static_cast<size_t>(model_.defaultScene) < model_.scenes.size();
        const auto& scene = model_.scenes[named ? static_cast<size_t>(model_.defaultScene) : 0];
        std::vector<bool> seen(model_.nodes.size());
        const auto add = [&](int n) {
            if (n < 0 || static_cast<size_t>(n) >= seen.size() || seen[static_cast<size_t>(n)]) return;
            seen[static_cast<size_t>(n)] = true;
            nodes.push_back(n);
        };
        for (int n : scene.nodes) add(n);
        for (size_t i = 0; i < nodes.size(); ++i)
            for (int child : model_.nodes[static_cast<size_t>(nodes[i])].children) add(child);
        return nodes;
    }

    // --- bones

    bool make_bone_set(BoneSet& bone_set, const std::vector<Bone>& bones)
    {
        if (bones.size() > gltf_.numbers_left) return fail("the file asks for more bones than it holds");
        gltf_.numbers_left -= bones.size();
        bone_set.is_made = true;
        bone_set.first_bone = static_cast<uint32_t>(character_.bones.size());
        bone_set.bone_count = bones.size();
        Affine undo;
        bone_set.rest = rest_[bones.front().node] * bones.front().inverse_bind;
        if (!invert(bone_set.rest, undo)) bone_set.rest = undo = Affine{};
        for (const Bone& bone : bones) character_.bones.push_back({bone.node, bone.inverse_bind * undo});
        return true;
    }

    bool use_node(BoneSet& bone_set, int node)
    {
        return bone_set.is_made || make_bone_set(bone_set, {{new_index_[static_cast<size_t>(node)], {}}});
    }

    bool use_skin(BoneSet& bone_set, int index)
    {
        if (bone_set.is_made) return true;
        if (static_cast<size_t>(index) >= model_.skins.size()) return fail(fmt::format("there is no skin {}", index));
        const tinygltf::Skin& skin = model_.skins[static_cast<size_t>(index)];
        if (skin.joints.empty()) return fail(fmt::format("skin {} has no joints", index));
        std::vector<Bone> bones;
        for (int joint : skin.joints) {
            if (joint < 0 || static_cast<size_t>(joint) >= model_.nodes.size())
                return fail(fmt::format("skin {} has a joint {} that does not exist", index, joint));
            bones.push_back({new_index_[static_cast<size_t>(joint)], {}});
        }
        if (skin.inverseBindMatrices >= 0) {
            const auto matrices = read_numbers(gltf_, skin.inverseBindMatrices);
            if (!matrices) return fail(matrices.error());
            if ((*matrices)->components != 16 || (*matrices)->count < bones.size())
                return fail(fmt::format("skin {} has too few bind matrices", index));
            for (size_t b = 0; b < bones.size(); ++b) bones[b].inverse_bind = affine_of((*matrices)->at(b));
        }
        return make_bone_set(bone_set, bones);
    }

    // --- meshes

    /// Adds the mesh of a node, once or as often as EXT_mesh_gpu_instancing says.
    bool add_instances(int n)
    {
        const tinygltf::Node& node = model_.nodes[static_cast<size_t>(n)];
        if (node.mesh < 0) return true;
        if (static_cast<size_t>(node.mesh) >= model_.meshes.size())
            return fail(fmt::format("there is no mesh {}", node.mesh));
        std::vector<Affine> places;
        if (!find_places(node, places)) return false;
        if (node.skin >= 0 && places.size() > 1) {  // the extension leaves their meaning open
            skinned_instances_ += places.size();
            places.assign(1, {});
        }
        BoneSet by_node, by_skin;
        for (const Affine& place : places)
            if (!add_mesh(n, place, by_node, by_skin)) return false;
        return true;
    }

    /// Where the instances of a node's mesh are, relative to the node.
    bool find_places(const tinygltf::Node& node, std::vector<Affine>& places)
    {
        places.assign(1, {});
        const auto found = node.extensions.find("EXT_mesh_gpu_instancing");
        if (found == node.extensions.end() || !found->second.IsObject()) return true;
        SharedNumbers translations, rotations, scales;
        if (!read_instances(found->second, "TRANSLATION", 3, translations) ||
            !read_instances(found->second, "ROTATION", 4, rotations) ||
            !read_instances(found->second, "SCALE", 3, scales))
            return false;
        const SharedNumbers& first = translations ? translations : rotations ? rotations : scales;
        if (!first) return true;
        const size_t count = first->count;
        for (const SharedNumbers& values : {translations, rotations, scales})
            if (values && values->count != count) return fail("the attributes of its instances differ in number");
        if (!take_elements(count)) return false;
        places.clear();
        for (size_t i = 0; i < count; ++i) {
            const double* r = rotations ? rotations->at(i) : nullptr;
            const double* s = scales ? scales->at(i) : nullptr;
            const Quat q = r ? normalized(Quat{r[0], r[1], r[2], r[3]}) : Quat{};
            Affine place{rotate(q, {s ? s[0] : 1, 0, 0}),
                         rotate(q, {0, s ? s[1] : 1, 0}),
                         rotate(q, {0, 0, s ? s[2] : 1}),
                         {0, 0, 0}};
            if (translations) place.origin = {translations->at(i)[0], translations->at(i)[1], translations->at(i)[2]};
            places.push_back(place);
        }
        return true;
    }

    bool read_instances(const tinygltf::Value& extension, const char* attribute, size_t components, SharedNumbers& out)
    {
        if (!extension.Has("attributes")) return true;
        const tinygltf::Value& attributes = extension.Get("attributes");
        if (!attributes.IsObject() || !attributes.Has(attribute)) return true;
        const tinygltf::Value& accessor = attributes.Get(attribute);
        const auto read = read_numbers(gltf_, accessor.IsInt() ? accessor.GetNumberAsInt() : -1);
        if (!read) return fail(read.error());
        if ((*read)->components != components)
            return fail(fmt::format("the attribute {} of its instances has {} components instead of {}", attribute,
                                    (*read)->components, components));
        out = *read;
        return true;
    }

    bool add_mesh(int n, const Affine& place, BoneSet& by_node, BoneSet& by_skin)
    {
        const tinygltf::Node& node = model_.nodes[static_cast<size_t>(n)];
        const tinygltf::Mesh& mesh = model_.meshes[static_cast<size_t>(node.mesh)];
        if (!take_elements(1 + mesh.primitives.size())) return false;
        std::map<VertexKey, uint32_t> vertex_ranges;
        for (const tinygltf::Primitive& primitive : mesh.primitives) {
            morph_targets_ += primitive.targets.size();
            if (primitive.mode < TINYGLTF_MODE_TRIANGLES || primitive.mode > TINYGLTF_MODE_TRIANGLE_FAN) {
                ++other_modes_;
                continue;
            }
            const bool skinned = node.skin >= 0 && primitive.attributes.count("JOINTS_0") > 0;
            if (!(skinned ? use_skin(by_skin, node.skin) : use_node(by_node, n))) return false;
            if (!add_primitive(primitive, skinned ? by_skin : by_node, skinned, place, vertex_ranges,
                               group_name(node, mesh)))
                return false;
        }
        return true;
    }

    std::string group_name(const tinygltf::Node& node, const tinygltf::Mesh& mesh) const
    {
        if (!mesh.name.empty()) return mesh.name;
        return node.name.empty() ? fmt::format("mesh {}", node.mesh) : node.name;
    }

    static int attribute(const tinygltf::Primitive& primitive, const char* what)
    {
        const auto at = primitive.attributes.find(what);
        return at == primitive.attributes.end() ? -1 : at->second;
    }

    bool add_primitive(const tinygltf::Primitive& primitive, const BoneSet& bone_set, bool skinned, const Affine& place,
                       std::map<VertexKey, uint32_t>& vertex_ranges, const std::string& group)
    {
        const VertexKey key{attribute(primitive, "POSITION"), attribute(primitive, "TEXCOORD_0"),
                            skinned ? attribute(primitive, "JOINTS_0") : -1, attribute(primitive, "WEIGHTS_0"),
                            skinned};
        if (key[0] < 0) return true;  // no positions, nothing to draw
        extra_bones_ += skinned && primitive.attributes.count("JOINTS_1") > 0;
        const Affine rest = bone_set.rest * place;
        auto entry = vertex_ranges.find(key);
        if (entry == vertex_ranges.end()) {
            const size_t first = character_.mesh.vertices.size();
            if (!add_vertices(key, bone_set, rest)) return false;
            entry = vertex_ranges.emplace(key, static_cast<uint32_t>(first)).first;
        }
        const size_t count = model_.accessors[static_cast<size_t>(key[0])].count;
        return add_triangles(primitive, entry->second, count, determinant(rest) < 0, group);
    }

    /// A small file could ask for many instances of the same mesh.
    bool take_elements(size_t count)
    {
        if (count > gltf_.elements_left)
            return fail("the instances of its meshes have too many vertices and corners; remove some of them");
        gltf_.elements_left -= count;
        return true;
    }

    bool add_vertices(const VertexKey& key, const BoneSet& bone_set, const Affine& rest)
    {
        const auto read = read_numbers(gltf_, key[0]);
        if (!read) return fail(read.error());
        const SharedNumbers& positions = *read;
        if (!take_elements(positions->count)) return false;
        if (positions->components != 3) return fail(fmt::format("accessor {} does not hold positions", key[0]));
        Mesh& mesh = character_.mesh;
        const size_t first = mesh.vertices.size();
        if (first + positions->count > std::numeric_limits<uint32_t>::max())
            return fail("the file has too many vertices");
        for (size_t i = 0; i < positions->count; ++i) {
            const double* p = positions->at(i);
            mesh.vertices.push_back(to_float(transform_point(rest, {p[0], p[1], p[2]})));
        }
        return add_uvs(key[1], first) && add_weights(key, bone_set, first);
    }

    bool add_uvs(int accessor, size_t first)
    {
        Mesh& mesh = character_.mesh;
        if (accessor < 0 && mesh.uvs.empty()) return true;
        mesh.uvs.resize(mesh.vertices.size());  // zeros for earlier vertices without UVs
        if (accessor < 0) return true;
        const auto read = read_numbers(gltf_, accessor);
        if (!read) return fail(read.error());
        const SharedNumbers& uvs = *read;
        if (uvs->components != 2 || uvs->count < mesh.vertices.size() - first)
            return fail(fmt::format("accessor {} has too few texture coordinates", accessor));
        // In glTF, v runs from the top of the image to the bottom.
        for (size_t v = first; v < mesh.vertices.size(); ++v)
            mesh.uvs[v] = {static_cast<float>(uvs->at(v - first)[0]), static_cast<float>(1 - uvs->at(v - first)[1])};
        return true;
    }

    bool add_weights(const VertexKey& key, const BoneSet& bone_set, size_t first)
    {
        const size_t count = character_.mesh.vertices.size() - first;
        VertexWeights by_first_bone{{bone_set.first_bone, 0, 0, 0}, {1, 0, 0, 0}};
        character_.weights.resize(first + count, by_first_bone);
        if (key[2] < 0) return true;
        const auto read_joints = read_numbers(gltf_, key[2]), read_weights = read_numbers(gltf_, key[3]);
        if (!read_joints || !read_weights) return fail(!read_joints ? read_joints.error() : read_weights.error());
        const SharedNumbers &joints = *read_joints, &weights = *read_weights;
        if (joints->components != 4 || weights->components != 4 || joints->count < count || weights->count < count)
            return fail("a primitive has too few joints or weights");
        for (size_t v = 0; v < count; ++v) {
            VertexWeights vertex;
            for (size_t i = 0; i < 4; ++i) {
                const double joint = joints->at(v)[i], weight = weights->at(v)[i];
                if (weight == 0) continue;
                if (!(joint >= 0 && joint < static_cast<double>(bone_set.bone_count)))
                    return fail(
                        fmt::format("vertex {} refers to joint {}, but there are {}", v, joint, bone_set.bone_count));
                vertex.bones[i] = bone_set.first_bone + static_cast<uint32_t>(joint);
                vertex.weights[i] = static_cast<float>(weight);
            }
            // A vertex without weights is bound to the first joint of the skin.
            const bool any = std::any_of(vertex.weights.begin(), vertex.weights.end(), [](float w) { return w > 0; });
            character_.weights[first + v] = any ? vertex : by_first_bone;
        }
        return true;
    }

    bool add_triangles(const tinygltf::Primitive& primitive, uint32_t first, size_t vertices, bool mirrored,
                       const std::string& group)
    {
        SharedNumbers indices;  // null: the vertices in order
        if (primitive.indices >= 0) {
            const auto read = read_numbers(gltf_, primitive.indices);
            if (!read) return fail(read.error());
            indices = *read;
            if (indices->components != 1)
                return fail(fmt::format("accessor {} does not hold indices", primitive.indices));
            for (double i : indices->values)
                if (!(i >= 0 && i < static_cast<double>(vertices)))
                    return fail(fmt::format("a triangle refers to vertex {}, but there are {}", i, vertices));
        }
        const size_t corners = indices ? indices->count : vertices;
        if (!take_elements(corners)) return false;
        const auto corner = [&](size_t i) {
            return first + static_cast<uint32_t>(indices ? static_cast<size_t>(indices->values[i]) : i);
        };
        const bool named = primitive.material >= 0 && static_cast<size_t>(primitive.material) < model_.materials.size();
        const uint32_t material =
            materials_.of(named ? model_.materials[static_cast<size_t>(primitive.material)].name : std::string());
        const uint32_t group_index = groups_.of(group);
        for (auto [a, b, c] : triangles_of(primitive.mode, corners)) {
            if (mirrored) std::swap(b, c);
            character_.mesh.triangles.push_back({corner(a), corner(b), corner(c)});
            character_.mesh.materials.push_back(material);
            character_.mesh.groups.push_back(group_index);
        }
        return true;
    }

    // --- clips

    void add_clip(size_t index)
    {
        const tinygltf::Animation& animation = model_.animations[index];
        CharacterClip clip;
        clip.name = animation.name.empty() ? fmt::format("clip {}", index) : animation.name;
        for (const tinygltf::AnimationChannel& from : animation.channels) {
            Channel channel;
            if (from.target_path == "weights")
                ++morph_targets_;
            else if (!read_channel(animation, from, channel))
                ++bad_channels_;
            else
                clip.channels.push_back(std::move(channel));
        }
        character_.clips.push_back(std::move(clip));
    }

    bool read_channel(const tinygltf::Animation& animation, const tinygltf::AnimationChannel& from, Channel& channel)
    {
        if (from.target_node < 0 || static_cast<size_t>(from.target_node) >= model_.nodes.size()) return false;
        if (from.sampler < 0 || static_cast<size_t>(from.sampler) >= animation.samplers.size()) return false;
        const tinygltf::AnimationSampler& sampler = animation.samplers[static_cast<size_t>(from.sampler)];
        channel.node = new_index_[static_cast<size_t>(from.target_node)];
        if (from.target_path == "rotation")
            channel.target = ChannelTarget::kRotation;
        else if (from.target_path == "scale")
            channel.target = ChannelTarget::kScale;
        else if (from.target_path != "translation")
            return false;
        if (sampler.interpolation == "STEP") channel.interpolation = Interpolation::kStep;
        if (sampler.interpolation == "CUBICSPLINE") channel.interpolation = Interpolation::kCubic;

        const auto read_times = read_numbers(gltf_, sampler.input), read_values = read_numbers(gltf_, sampler.output);
        const size_t components = channel.target == ChannelTarget::kRotation ? 4 : 3;
        if (!read_times || !read_values) return false;
        const SharedNumbers &times = *read_times, &values = *read_values;
        if (times->components != 1 || values->components != components) return false;
        // A small file could use the same sampler in many channels.
        if (values->values.size() > gltf_.numbers_left) return false;
        gltf_.numbers_left -= values->values.size();
        for (double t : times->values) channel.times.push_back(static_cast<float>(t));
        for (size_t v = 0; v < values->count; ++v) {
            std::array<float, 4> value{};
            for (size_t c = 0; c < components; ++c) value[c] = static_cast<float>(values->at(v)[c]);
            channel.values.push_back(value);
        }
        return true;
    }

    GltfModel& gltf_;
    const tinygltf::Model& model_;
    const std::string& name_;
    Error fault_;
    Character character_;
    NameIndex materials_{character_.mesh.material_names}, groups_{character_.mesh.group_names};
    std::vector<uint32_t> new_index_;  ///< from the nodes in the file to those of the character
    std::vector<Affine> rest_;         ///< world matrix of each node before any clip plays
    size_t morph_targets_ = 0, other_modes_ = 0, extra_bones_ = 0, sheared_nodes_ = 0, bad_channels_ = 0;
    size_t skinned_instances_ = 0, singular_nodes_ = 0;
};

}  // namespace

Result<Character> parse_gltf(Bytes bytes, const std::string& name, const std::string& folder)
{
    auto gltf = load_gltf(bytes, name, folder);
    if (!gltf) return Error{gltf.error()};
    return GltfBuilder(*gltf, name).build();
}

}  // namespace tendril
