/// Generated hair: roots scattered over a mesh, strands grown from them in a style, and guides with their children.
#pragma once

#include "tendril/binding.h"
#include "tendril/groom.h"
#include "tendril/mesh.h"
#include "tendril/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tendril {

/// An image with one number per pixel, for densities and lengths painted on a mesh. Rows run from top to bottom.
struct Map {
    uint32_t width = 0, height = 0;
    std::vector<float> values;  ///< in [0, 1]

    /// Bilinear interpolation; the image repeats beyond [0, 1], and (0, 0) is its lower left corner.
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
/// Smooth unit normals: the normals of the triangles around each vertex, weighted by area. The normal at a point
/// interpolates those of its three vertices.
std::vector<Vec3f> vertex_normals(const Mesh& mesh);
Vec3d normal_of(const Mesh& mesh, std::span<const Vec3f> vertex_normals, const MeshPoint& point);

enum class Sequence : uint8_t {
    kRandom,     ///< independent points
    kHalton,     ///< low-discrepancy sequence [Halton64]: more even, as is every prefix of it
    kBlueNoise,  ///< points keep apart from each other [Yuksel15]: the most even, and the slowest
};

/// Where hair grows on a mesh.
struct ScatterSettings {
    uint32_t count = 1000;                    ///< number of roots, >= 1
    Sequence sequence = Sequence::kHalton;    ///< how roots are spread over the area
    uint64_t seed = 1;                        ///< for the random parts
    Vec3f direction{0, 1, 0};                 ///< roots grow only where the normal is near this; any length but zero
    float angle = 3.15f;                      ///< largest angle to `direction` [rad], [0, pi]; pi and above: everywhere
    std::vector<std::string> materials = {};  ///< restricts roots to these; empty: all
    std::vector<std::string> groups = {};     ///< restricts roots to these; empty: all
    std::shared_ptr<const Map> density = {};  ///< 1: full density, 0: bare; needs UVs
};
/// Scatters roots evenly by area. Returns an error if no part of the mesh qualifies or a name does not exist.
Result<std::vector<MeshPoint>> scatter_roots(const Mesh& mesh, const ScatterSettings& settings);

enum class CurlPattern : uint8_t {
    kStraight,
    kWavy,   ///< waves in one plane
    kCurly,  ///< a helix
};

/// How a strand grows from its root.
struct HairStyle {
    uint32_t particles = 32;                     ///< per strand, >= 2
    float length = 0.25f;                        ///< along the strand [m], [1e-6, 1e4]
    float length_spread = 0.1f;                  ///< lengths vary by up to this share, [0, 0.99]
    std::shared_ptr<const Map> length_map = {};  ///< multiplies the length; needs UVs

    CurlPattern curl = CurlPattern::kStraight;
    float curl_radius = 0.006f;  ///< radius of the helix, or amplitude of the waves [m], [0, 1000]
    float curl_pitch = 0.03f;    ///< advance per turn or wave [m], [1e-5, 1e4]
    float curl_phase = 1.0f;     ///< how much the phase of the curl varies between strands, in turns, [0, 1]

    Vec3f direction{0, -1, 0};  ///< in which hair lies and droops, as far as the skin allows; any length but zero
    float lie = 0.0f;           ///< 0 stands up along the normal, 1 lies on the skin along `direction`, [0, 1]
    float droop = 0.0f;         ///< how far the tip bends towards `direction` [rad], [0, pi]

    float clump = 0.0f;        ///< how strongly tips are drawn to the centre of their clump, [0, 1]
    float clump_size = 0.02f;  ///< distance between clump centres [m], [1e-5, 1e4]
    float frizz = 0.0f;        ///< strength of random sideways offsets along the strand, [0, 1]
    float frizz_size = 0.02f;  ///< length of one wiggle [m], [1e-5, 1e4]

    float root_width = 8e-5f, tip_width = 3e-5f;  ///< diameters [m], [0, 1]
    Vec3f root_colour{0.15f, 0.09f, 0.05f};       ///< red, green, blue, [0, 1]
    Vec3f tip_colour{0.35f, 0.22f, 0.12f};
    uint64_t seed = 1;  ///< for all random variation
};

/// Hair grown on a mesh, with its root binding.
struct GrownHair {
    GroomData data;
    TriangleBinding binding;
};
Result<GrownHair> grow_hair(const Mesh& mesh, std::span<const MeshPoint> roots, const HairStyle& style);

/// Binds every strand to the triangle nearest to its root.
Result<TriangleBinding> bind_to_nearest(const GroomData& data, const Mesh& mesh);

// ---------------------------------------------------------------------------------------------------------------------
// Guides

/// Selects about `share` of the strands, evenly spread and at least one. Returns ascending indices. `data` must not be
/// empty.
std::vector<uint32_t> choose_guides(const GroomData& data, double share);
/// Finds the guides of every strand of `children` by the roots in the rest pose.
std::vector<ChildGuides> find_guides(const GroomData& guides, const GroomData& children, GuideMode mode);

/// Adds `per_strand` follow hairs around each strand, at most `radius` away [m]. The given strands come first.
GroomData with_follow_hairs(const GroomData& data, uint32_t per_strand, float radius, uint64_t seed);

}  // namespace tendril
