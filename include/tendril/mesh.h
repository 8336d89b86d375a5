/// Meshes and characters: triangles, the skeleton that moves them and the clips it plays.
/// Read from OBJ, glTF and TressFX files, or generated.
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

    // Names by which parts of it can be chosen; per triangle an index into the names, or empty.
    std::vector<uint32_t> materials, groups;
    std::vector<std::string> material_names, group_names;
};

/// A mesh where it is at some time. Who gives it out says how long the memory is valid.
struct MeshView {
    std::span<const Vec3f> vertices;
    std::span<const std::array<uint32_t, 3>> triangles;
    Vec3d origin{0, 0, 0};  ///< add it for places in the world
};

/// A linear map and a shift: the images of the axes, and of the origin.
struct Affine {
    Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{0, 0, 0};

    bool operator==(const Affine&) const = default;
};
Affine operator*(const Affine& a, const Affine& b);
Vec3d transform_point(const Affine& a, const Vec3d& p);

/// A joint or another node of a character. Its place is relative to its parent.
struct Node {
    std::string name;
    int parent = -1;  ///< index of a node before this one, or -1
    Vec3d translation{0, 0, 0};
    Quat rotation;
    Vec3d scale{1, 1, 1};
};

enum class Interpolation : uint8_t { kStep, kLinear, kCubic };
enum class ChannelTarget : uint8_t { kTranslation, kRotation, kScale };

/// One moving property of one node.
struct Channel {
    uint32_t node = 0;
    ChannelTarget target = ChannelTarget::kTranslation;
    Interpolation interpolation = Interpolation::kLinear;
    std::vector<float> times;                  ///< [s], rising
    std::vector<std::array<float, 4>> values;  ///< one per time, xyz or xyzw; kCubic: in-tangent, value, out-tangent
};

struct CharacterClip {
    std::string name;
    double duration = 0;  ///< [s]
    std::vector<Channel> channels;
};

/// What a vertex follows: up to four bones.
struct VertexWeights {
    std::array<uint32_t, 4> bones{};
    std::array<float, 4> weights{};  ///< sum to one
};

/// Something that a node carries.
struct Bone {
    uint32_t node = 0;
    Affine inverse_bind;  ///< from the mesh as it is stored to the frame of the node
};

/// A mesh with its skeleton. A mesh without one has no bones and stays as it is.
struct Character {
    Mesh mesh;
    std::vector<Node> nodes;
    std::vector<Bone> bones;
    std::vector<VertexWeights> weights;  ///< per vertex, or empty
    std::vector<CharacterClip> clips;
    std::vector<Repair> repairs;
};

/// How a clip is played.
struct ClipPlay {
    int clip = -1;       ///< -1: none, the nodes stay as they are
    bool loop = true;    ///< else it stays at its end
    double speed = 1.0;  ///< 2 plays twice as fast
};

/// The index of the clip with that name; an error lists the clips there are.
Result<int> find_clip(const Character& character, const std::string& name);

/// Where each bone takes the stored mesh at a time: world matrix of its node times its inverse bind matrix.
void pose_bones(const Character& character, const ClipPlay& play, double time, std::span<Affine> out);

/// Linear blend skinning of all vertices, or of those in a list.
void skin(const Character& character, std::span<const Affine> bones, std::span<Vec3f> out, Executor& executor);
void skin(const Character& character, std::span<const Affine> bones, std::span<const uint32_t> which,
          std::span<Vec3f> out, Executor& executor);

/// The unit and axes of a character file.
struct MeshImport {
    double unit_scale = 1.0;  ///< metres per unit of the file, > 0
    bool z_up = false;        ///< the file is z up; it is rotated to y up
};
/// Reads an OBJ, glTF, GLB or .tfxmesh file; the content decides the format.
Result<Character> read_character(const std::string& file, const MeshImport& import = {});
/// The same from memory. `name` is used in messages; buffers in other files are not read.
Result<Character> parse_character(std::span<const std::byte> bytes, const std::string& name,
                                  const MeshImport& import = {});

/// A head with neck and shoulders, about 0.5 m tall, the neck's base at the origin, looking along +z.
/// Bones "shoulders" and "head"; groups "scalp", "face", "neck", "shoulders"; clips "look_around", and not
/// made for repetition "turn_and_stop" and "turn_and_nod".
Character make_bust();

/// A four-legged creature, about 0.6 m long, standing on y = 0, looking along +z. Bones for spine, head, tail and legs;
/// groups "back", "belly", "head", "tail", "legs"; clips "idle" and "walk".
Character make_creature();

/// A sphere around the origin.
Mesh make_sphere_mesh(float radius, uint32_t rings = 32);

}  // namespace tendril
