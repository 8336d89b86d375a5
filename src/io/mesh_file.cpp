// Reads characters from files: detects the format, converts units and axes, and checks the result.

#include "io/file_bytes.h"
#include "io/foreign_format.h"
#include "io/mesh_formats.h"
#include "io/text_scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <filesystem>

namespace tendril {
namespace {

Result<Character> parse_by_content(Bytes bytes, const std::string& name, const std::string& folder)
{
    const std::string_view text = as_text(bytes);
    if (text.substr(0, 4) == "glTF") return parse_gltf(bytes, name, folder);
    for (const std::string& foreign : {alembic_format(bytes), usd_format(bytes), fbx_format(bytes)})
        if (!foreign.empty())
            return Error{
                fmt::format("{}: {}; meshes are read from glTF, OBJ and .tfxmesh files, so export it as .glb "
                            "(Blender: File > Export > glTF 2.0)",
                            name, foreign)};
    const size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
    if (first == std::string_view::npos) return Error{fmt::format("{}: the file is empty", name)};
    if (text[first] == '{') return parse_gltf(bytes, name, folder);
    if (text.find("numOfBones") != std::string_view::npos) return parse_tfx_mesh(bytes, name);
    return parse_obj_mesh(bytes, name);
}

// --- units and axes

Vec3d converted(const Vec3d& v, const MeshImport& import)
{
    return (import.z_up ? Vec3d{v.x, v.z, -v.y} : v) * import.unit_scale;
}

/// Adds a root node above all others that converts units and axes. The vertices of the mesh are converted already, so
/// the inverse bind matrices undo the conversion first.
void add_root(Character& character, const MeshImport& import)
{
    for (Node& node : character.nodes) ++node.parent;
    for (Bone& bone : character.bones) ++bone.node;
    for (CharacterClip& clip : character.clips)
        for (Channel& channel : clip.channels) ++channel.node;
    Node root;
    root.name = "import";
    const double h = std::sqrt(0.5);
    if (import.z_up) root.rotation = {-h, 0, 0, h};
    root.scale = Vec3d{1, 1, 1} * import.unit_scale;
    character.nodes.insert(character.nodes.begin(), root);

    const double s = 1 / import.unit_scale;
    const Affine undo = import.z_up ? Affine{{s, 0, 0}, {0, 0, s}, {0, -s, 0}, {0, 0, 0}}
                                    : Affine{{s, 0, 0}, {0, s, 0}, {0, 0, s}, {0, 0, 0}};
    for (Bone& bone : character.bones) bone.inverse_bind = bone.inverse_bind * undo;
}

void convert(Character& character, const MeshImport& import)
{
    if (import.unit_scale == 1 && !import.z_up) return;
    for (Vec3f& v : character.mesh.vertices) v = to_float(converted(to_double(v), import));
    if (!character.nodes.empty()) add_root(character, import);
}

// --- checks

bool is_finite(const Affine& a)
{
    return tendril::is_finite(a.x) && tendril::is_finite(a.y) && tendril::is_finite(a.z) &&
           tendril::is_finite(a.origin);
}

void count_repair(Character& character, const char* what, size_t count)
{
    if (count > 0) character.repairs.push_back({what, count});
}

Result<bool> check_mesh(Character& character, const std::string& name)
{
    Mesh& mesh = character.mesh;
    for (size_t v = 0; v < mesh.vertices.size(); ++v)
        if (!tendril::is_finite(mesh.vertices[v])) return Error{fmt::format("{}: vertex {} is not finite", name, v)};
    if (!mesh.uvs.empty() && mesh.uvs.size() != mesh.vertices.size()) mesh.uvs.resize(mesh.vertices.size());
    size_t bad_uvs = 0;
    for (Uv& uv : mesh.uvs)
        if (!std::isfinite(uv.u) || !std::isfinite(uv.v)) {
            uv = {};
            ++bad_uvs;
        }
    count_repair(character, "texture coordinates that are not finite", bad_uvs);

    size_t kept = 0;
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto [a, b, c] = mesh.triangles[t];
        for (uint32_t corner : {a, b, c})
            if (corner >= mesh.vertices.size())
                return Error{fmt::format("{}: triangle {} refers to vertex {}, but there are {}", name, t, corner,
                                         mesh.vertices.size())};
        if (a == b || b == c || c == a) continue;
        mesh.triangles[kept] = {a, b, c};
        if (!mesh.materials.empty()) mesh.materials[kept] = mesh.materials[t];
        if (!mesh.groups.empty()) mesh.groups[kept] = mesh.groups[t];
        ++kept;
    }
    count_repair(character, "triangles that repeat a vertex", mesh.triangles.size() - kept);
    mesh.triangles.resize(kept);
    if (!mesh.materials.empty()) mesh.materials.resize(kept);
    if (!mesh.groups.empty()) mesh.groups.resize(kept);
    if (kept == 0) return Error{fmt::format("{}: the file has no triangles", name)};
    return true;
}

/// Scales the weights so that they sum to one. Returns false if none is positive.
bool normalise(VertexWeights& vertex, bool& needed_repair)
{
    constexpr float kTolerance = 1e-3f;  // files round weights to a few digits, or to bytes
    float sum = 0;
    for (size_t i = 0; i < 4; ++i) {
        float& w = vertex.weights[i];
        if (!(w > 0) || !std::isfinite(w)) w = 0;
        if (w == 0) vertex.bones[i] = 0;
        sum += w;
    }
    needed_repair = !(std::abs(sum - 1) <= kTolerance);
    if (!(sum > 0) || !std::isfinite(sum)) return false;
    for (float& w : vertex.weights) w /= sum;
    return true;
}

Result<bool> check_weights(Character& character, const std::string& name)
{
    if (character.weights.size() != character.mesh.vertices.size() || character.bones.empty()) {
        character.weights.clear();
        return true;
    }
    size_t repaired = 0;
    for (size_t v = 0; v < character.weights.size(); ++v) {
        VertexWeights& vertex = character.weights[v];
        for (size_t i = 0; i < 4; ++i)
            if (vertex.bones[i] >= character.bones.size() && vertex.weights[i] != 0)
                return Error{fmt::format("{}: vertex {} refers to bone {}, but there are {}", name, v, vertex.bones[i],
                                         character.bones.size())};
        bool needed_repair = false;
        if (!normalise(vertex, needed_repair)) vertex = {{0, 0, 0, 0}, {1, 0, 0, 0}};
        repaired += needed_repair;
    }
    count_repair(character, "vertices whose bone weights do not sum to one", repaired);
    return true;
}

Result<bool> check_nodes(Character& character, const std::string& name)
{
    for (size_t n = 0; n < character.nodes.size(); ++n) {
        Node& node = character.nodes[n];
        const Quat& q = node.rotation;
        const bool finite = tendril::is_finite(node.translation) && tendril::is_finite(node.scale) &&
                            std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
        if (!finite || node.parent >= static_cast<int>(n))
            return Error{
                fmt::format("{}: the transform of node {} \"{}\" is not finite, or its parent does not precede it",
                            name, n, node.name)};
        node.rotation = normalized(node.rotation);
    }
    for (size_t b = 0; b < character.bones.size(); ++b)
        if (character.bones[b].node >= character.nodes.size() || !is_finite(character.bones[b].inverse_bind))
            return Error{fmt::format("{}: bone {} has no node, or its bind matrix is not finite", name, b)};
    return true;
}

bool can_play(const Channel& channel, size_t nodes)
{
    const size_t values_per_key = channel.interpolation == Interpolation::kCubic ? 3 : 1;
    if (channel.node >= nodes || channel.times.empty()) return false;
    if (channel.values.size() != channel.times.size() * values_per_key) return false;
    for (size_t k = 0; k < channel.times.size(); ++k) {
        if (!std::isfinite(channel.times[k])) return false;
        if (k > 0 && !(channel.times[k] > channel.times[k - 1])) return false;
    }
    for (const auto& value : channel.values)
        for (float number : value)
            if (!std::isfinite(number)) return false;
    return true;
}

void check_clips(Character& character)
{
    size_t dropped = 0;
    for (CharacterClip& clip : character.clips) {
        dropped += std::erase_if(clip.channels,
                                 [&](const Channel& channel) { return !can_play(channel, character.nodes.size()); });
        clip.duration = 0;
        for (const Channel& channel : clip.channels)
            clip.duration = std::max(clip.duration, static_cast<double>(channel.times.back()));
    }
    count_repair(character, "animation channels that cannot be played", dropped);
}

Result<Character> parse_and_check(Bytes bytes, const std::string& name, const std::string& folder,
                                  const MeshImport& import)
{
    if (!(import.unit_scale > 0) || !std::isfinite(import.unit_scale))
        return Error{fmt::format("{}: unit_scale must be above 0", name)};
    // The parsing libraries throw on some malformed input and when memory runs out.
    try {
        auto character = parse_by_content(bytes, name, folder);
        if (!character) return character;
        convert(*character, import);
        for (const auto check : {check_mesh, check_weights, check_nodes})
            if (const auto ok = check(*character, name); !ok) return Error{ok.error()};
        check_clips(*character);
        return character;
    } catch (const std::exception& e) {
        return Error{fmt::format("{}: cannot be read: {}", name, e.what())};
    }
}

}  // namespace

Result<Character> read_character(const std::string& file, const MeshImport& import)
{
    const auto bytes = open_file(file);
    if (!bytes) return Error{bytes.error()};
    const std::string folder = std::filesystem::path(file).parent_path().string();
    return parse_and_check(bytes->bytes(), file, folder.empty() ? "." : folder, import);
}

Result<Character> parse_character(std::span<const std::byte> bytes, const std::string& name, const MeshImport& import)
{
    return parse_and_check(bytes, name, {}, import);
}

}  // namespace tendril
