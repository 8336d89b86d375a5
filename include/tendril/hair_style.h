/// Hair that is made, not read: roots scattered over a mesh, strands grown from them in a style, and guides that stand
/// for their neighbours.
#pragma once

#include "tendril/binding.h"
#include "tendril/groom.h"
#include "tendril/mesh.h"
#include "tendril/parallel.h"
#include "tendril/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tendril {

/// A single-channel image, such as a density or length painted on a mesh. Rows run from top to bottom.
struct Map {
    uint32_t width = 0, height = 0;
    std::vector<float> values;  ///< in [0, 1]

    /// Bilinear interpolation. The image repeats outside [0, 1], and (0, 0) is its lower left corner.
    float at(Uv uv) const;
};
/// Reads the brightness of a PNG or JPEG file.
Result<Map> read_map(const std::string& file);
Result<Map> parse_map(std::span<const std::byte> bytes, const std::string& name);

/// A point on a mesh.
struct MeshPoint {
    uint32_t triangle = 0;
    Vec3f weights{1, 0, 0};  ///< barycentric
};
Vec3d position_of(const Mesh& mesh, const MeshPoint& point);
Uv uv_of(const Mesh& mesh, const MeshPoint& point);
/// Smooth: of the triangles around each vertex, weighed by their area. The unit normal at a point lies between those of
/// its three vertices.
std::vector<Vec3f> vertex_normals(const Mesh& mesh);
Vec3d normal_of(const Mesh& mesh, std::span<const Vec3f> vertex_normals, const MeshPoint& point);

enum class Sequence : uint8_t {
    kRandom,     ///< independent points
    kHalton,     ///< low discrepancy [Halton64]: more even, and any first part of it is as well
    kBlueNoise,  ///< points keep their distance [Yuksel15]: the most even, and the slowest
};

/// Where hair grows on a mesh.
struct ScatterSettings {
    uint32_t count = 1000;                    ///< roots, at least 1
    Sequence sequence = Sequence::kHalton;    ///< how they are spread over the area
    uint64_t seed = 1;                        ///< of the random parts
    Vec3f direction{0, 1, 0};                 ///< roots only where the normal is near to this; any length but zero
    float angle = 3.15f;                      ///< how near [rad], [0, pi]; pi and above: everywhere
    std::vector<std::string> materials = {};  ///< only on these; empty: all
    std::vector<std::string> groups = {};     ///< only on these; empty: all
    std::shared_ptr<const Map> density = {};  ///< 1: as dense as it gets, 0: bare; needs UVs
};
/// Evenly by area. An error where nothing of the mesh is left, or a name does not exist.
Result<std::vector<MeshPoint>> scatter_roots(const Mesh& mesh, const ScatterSettings& settings);

enum class HairShape : uint8_t {
    kStraight,
    kWavy,   ///< to and fro in one plane
    kCurly,  ///< a helix
};

/// How a strand grows from its root.
struct HairStyle {
    uint32_t particles = 32;                     ///< per strand, at least 2
    float length = 0.25f;                        ///< along the strand [m], > 0
    float length_spread = 0.1f;                  ///< lengths vary by up to this share, [0, 1)
    std::shared_ptr<const Map> length_map = {};  ///< multiplies the length; needs UVs

    HairShape shape = HairShape::kStraight;
    float curl_radius = 0.006f;  ///< of the helix, or half the height of the waves [m], >= 0
    float curl_pitch = 0.03f;    ///< advance per turn or wave [m], > 0
    float curl_phase = 1.0f;     ///< how much the start of the turns differs between strands, [0, 1]

    Vec3f direction{0, -1, 0};  ///< where lying hair points to, as far as the skin allows; any length but zero
    float lie = 0.0f;           ///< 0 stands up along the normal, 1 lies along the direction on the skin, [0, 1]
    float droop = 0.0f;         ///< how far the tip bends over to `direction` [rad], [0, pi]

    float clump = 0.0f;        ///< how far tips are drawn to the middle of their clump, [0, 1]
    float clump_size = 0.02f;  ///< distance of the middles [m], > 0
    float frizz = 0.0f;        ///< random sideways motion over the length, [0, 1]
    float frizz_size = 0.02f;  ///< length of one wiggle [m], > 0

    float root_width = 8e-5f, tip_width = 3e-5f;  ///< diameters [m], >= 0
    Vec3f root_colour{0.15f, 0.09f, 0.05f};       ///< red, green, blue, [0, 1]
    Vec3f tip_colour{0.35f, 0.22f, 0.12f};
    uint64_t seed = 1;  ///< of all that varies
};

/// Hair on a mesh and how it is bound to it.
struct GrownHair {
    GroomData data;
    TriangleBinding binding;
};
Result<GrownHair> grow_hair(const Mesh& mesh, std::span<const MeshPoint> roots, const HairStyle& style);

/// Binds every strand to the triangle nearest to its root.
Result<TriangleBinding> bind_to_nearest(const GroomData& data, const Mesh& mesh);

// ---------------------------------------------------------------------------------------------------------------------
// Guides

/// A child's guides and their weights, which sum to one.
struct ChildGuides {
    std::array<uint32_t, 3> guides{};
    std::array<float, 3> weights{1, 0, 0};
};

/// An even choice of about `share` of the strands, at least one, rising. There is at least one strand.
std::vector<uint32_t> choose_guides(const GroomData& data, double share);
/// For every strand of `children`, by the roots in the rest pose.
std::vector<ChildGuides> find_guides(const GroomData& guides, const GroomData& children, GuideMode mode);

/// Strands that are not simulated but follow those that are. Their shape is that of their guides plus what made them
/// differ at rest; segments keep their lengths.
class Children {
public:
    Children(const Groom& guides, Groom children, GuideMode mode);

    const Groom& groom() const { return children_; }
    /// Points of all children when the guides are where `guides` says. `roots` are the children's roots, seen from the
    /// origin of `guides`, and `turns` how far each has turned since rest; one per child.
    void interpolate(const CurvesView& guides, std::span<const Vec3f> roots, std::span<const Quat> turns,
                     std::span<Vec3f> out, Executor& executor) const;

private:
    Groom children_;
    std::vector<ChildGuides> guides_;
    std::vector<Vec3f> residual_;  // per point: rest shape minus that of the guides, from the root
};

/// New strands around each one, at most `radius` away: follow hairs. The given ones come first.
GroomData with_follow_hairs(const GroomData& data, uint32_t per_strand, float radius, uint64_t seed);

}  // namespace tendril
