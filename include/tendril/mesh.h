/// Meshes and characters: triangles, the skeleton that moves them and its clips. They are read from OBJ, glTF and
/// TressFX files, or generated.
#pragma once

#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/result.h"
#include "tendril/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tendril {

struct Mesh {
    std::vector<Vec3f> vertices;                     ///< in the rest pose [m]
    std::vector<std::array<uint32_t, 3>> triangles;  ///< counterclockwise seen from outside
    std::vector<Uv> uvs;                             ///< per vertex, or empty

    // Named parts, to which roots can be restricted: per triangle an index into the names, or empty.
    std::vector<uint32_t> materials, groups;
    std::vector<std::string> material_names, group_names;
};

/// A mesh at some time. The function that returns it states how long the memory is valid.
struct MeshView {
    std::span<const Vec3f> vertices;
    std::span<const std::array<uint32_t, 3>> triangles;
    Vec3d origin{0, 0, 0};  ///< vertices are relative to this position in the world
};

/// Flaws of a mesh that matter where its inside must be told from its outside: it is a collider, or hair grows on it.
/// Vertices at the same position count as one.
struct MeshFlaws {
    size_t triangles = 0;      ///< that have three different corners; duplicates count once
    size_t open_edges = 0;     ///< edges of one triangle, or of an odd number of them: the mesh has holes
    size_t twisted_edges = 0;  ///< edges whose triangles wind in opposite directions: one of them faces inwards
    size_t inside_out = 0;     ///< triangles of closed parts that face inwards, other than cavities
};
MeshFlaws find_flaws(std::span<const Vec3f> vertices, std::span<const std::array<uint32_t, 3>> triangles);

/// An affine map: the images of the three axes and of the origin.
struct Affine {
    Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{0, 0, 0};

    bool operator==(const Affine&) const = default;
};
Affine operator*(const Affine& a, const Affine& b);
Vec3d transform_point(const Affine& a, const Vec3d& p);

/// A joint or another node of a character. Its transform is relative to its parent.
struct Node {
    std::string name;
    int parent = -1;  ///< index of a node before this one, or -1
    Vec3d translation{0, 0, 0};
    Quat rotation;
    Vec3d scale{1, 1, 1};
};

enum class Interpolation : uint8_t { kStep, kLinear, kCubic };
enum class ChannelTarget : uint8_t { kTranslation, kRotation, kScale };

/// One animated property of one node.
struct Channel {
    uint32_t node = 0;
    ChannelTarget target = ChannelTarget::kTranslation;
    Interpolation interpolation = Interpolation::kLinear;
    std::vector<float> times;                  ///< [s], ascending
    std::vector<std::array<float, 4>> values;  ///< per time xyz or xyzw; for kCubic in-tangent, value, out-tangent
};

struct CharacterClip {
    std::string name;
    double duration = 0;  ///< [s]
    std::vector<Channel> channels;
};

/// Skin weights of a vertex: up to four bones.
struct VertexWeights {
    std::array<uint32_t, 4> bones{};
    std::array<float, 4> weights{};  ///< sum to one
};

/// Attaches the mesh to a node.
struct Bone {
    uint32_t node = 0;
    Affine inverse_bind;  ///< from the stored mesh to the frame of the node
};

/// The repair that counts the morph targets of a mesh, which do not move it.
inline constexpr const char* kMorphTargetsIgnored = "morph targets ignored";

/// A mesh with its skeleton. Without bones it does not deform.
struct Character {
    Mesh mesh;
    std::vector<Node> nodes;
    std::vector<Bone> bones;
    std::vector<VertexWeights> weights;  ///< per vertex, or empty
    std::vector<CharacterClip> clips;
    std::vector<Repair> repairs;
};

/// How to play a clip.
struct ClipPlay {
    int clip = -1;       ///< -1: none, the nodes stay at rest
    bool loop = true;    ///< whether to repeat; otherwise the last pose stays
    double speed = 1.0;  ///< playback speed; 2 is twice as fast
};

/// The index of the clip with a name; the error lists the available clips.
Result<int> find_clip(const Character& character, const std::string& name);

/// The transform that each bone applies to the stored mesh at a time [s]: the world matrix of its node times its
/// inverse bind matrix.
void pose_bones(const Character& character, const ClipPlay& play, double time, std::span<Affine> out);

/// Linear blend skinning of all vertices, or of those in a list.
void skin(const Character& character, std::span<const Affine> bones, std::span<Vec3f> out, Executor& executor);
void skin(const Character& character, std::span<const Affine> bones, std::span<const uint32_t> which,
          std::span<Vec3f> out, Executor& executor);

/// How to convert a file to metres and y up.
struct MeshImport {
    double unit_scale = 1.0;  ///< metres per unit of the file, > 0
    bool z_up = false;        ///< whether z is up in the file, which is then rotated
};
/// Reads an OBJ, glTF, GLB or .tfxmesh file; the content decides the format.
Result<Character> read_character(const std::string& file, const MeshImport& import = {});
/// The same from memory. `name` is used in messages; buffers in other files are not read.
Result<Character> parse_character(std::span<const std::byte> bytes, const std::string& name,
                                  const MeshImport& import = {});

/// A head with neck and shoulders, about 0.5 m tall, with the base of the neck at the origin, looking along +z. Bones
/// "shoulders" and "head"; groups "scalp", "face", "neck", "shoulders"; clips "look_around", and "turn_and_stop" and
/// "turn_and_nod", which are not made for looping.
Character make_bust();

/// A four-legged creature, about 0.6 m long, standing on y = 0 and looking along +z. Bones for spine, head, tail and
/// legs; groups "back", "belly", "head", "tail", "legs"; clips "idle" and "walk".
Character make_creature();

/// A sphere around the origin.
Mesh make_sphere_mesh(float radius, uint32_t rings = 32);

}  // namespace tendril
