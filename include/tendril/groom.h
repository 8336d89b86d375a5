/// Grooms: strands with their rest lengths, checked once and immutable afterwards. `make_groom` makes a groom from
/// points, which may come from the generators at the end of this header.
#pragma once

#include "tendril/result.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tendril {

/// Which ends of a strand its body holds.
enum class Ends : uint8_t {
    kRootHeld,  ///< hair: the first particle follows the body
    kFree,      ///< a loose rope
    kBothHeld,  ///< the first and last particle follow the body
};

/// A defect of the input that has been repaired, and how often it occurred.
struct Repair {
    std::string what;
    size_t count = 0;
};

/// Texture coordinates on a mesh; (0, 0) is the lower left corner of the texture.
struct Uv {
    float u = 0, v = 0;
};

/// Untrusted input. Points are in metres in the frame of the body on which the groom grows.
struct GroomData {
    std::vector<Vec3f> points = {};  ///< of all strands in sequence, root first
    /// Index of the first point of each strand, then the total number of points: strands + 1 entries.
    std::vector<uint32_t> first_point = {};

    // Optional attributes: one entry per strand or per point, or empty.
    std::vector<Ends> ends = {};        ///< per strand; empty: all kRootHeld
    std::vector<Uv> root_uvs = {};      ///< per strand: position of its root on the skin
    std::vector<uint32_t> groups = {};  ///< per strand: index into group_names
    std::vector<std::string> group_names = {};
    std::vector<float> widths = {};          ///< per point: diameter [m]
    std::vector<Vec3f> colours = {};         ///< per point: red, green, blue in [0, 1]
    std::vector<float> transparencies = {};  ///< per point: 0 is opaque, 1 is invisible

    std::vector<Repair> repairs = {};  ///< repairs made so far, such as those of a file reader
    /// Sentences about the input that nothing repairs, such as the parts of a file that were left out.
    std::vector<std::string> warnings = {};

    size_t strand_count() const { return first_point.empty() ? 0 : first_point.size() - 1; }
};

/// What to do about input that can be repaired.
enum class RepairPolicy : uint8_t {
    kRepair,  ///< repair and count it
    kRefuse,  ///< return an error
};

/// Copies share their data, so handing a groom to many worlds or instances costs a pointer each.
class Groom {
public:
    size_t strand_count() const { return shared_->data.strand_count(); }
    size_t point_count() const { return shared_->data.points.size(); }

    std::span<const Vec3f> points(size_t strand) const { return of_strand(shared_->data.points, strand); }
    /// Length of the segment that ends at each point [m]; 0 for the root.
    std::span<const float> rest_lengths(size_t strand) const { return of_strand(shared_->rest_lengths, strand); }
    std::span<const uint32_t> first_points() const { return shared_->data.first_point; }
    Ends ends(size_t strand) const { return shared_->data.ends.empty() ? Ends::kRootHeld : shared_->data.ends[strand]; }
    /// The checked data, without the strands that were dropped.
    const GroomData& data() const { return shared_->data; }
    /// The index of a strand in the input.
    size_t source(size_t strand) const { return shared_->source.empty() ? strand : shared_->source[strand]; }
    const std::vector<Repair>& repairs() const { return shared_->repairs; }
    const std::vector<std::string>& warnings() const { return shared_->warnings; }
    /// Whether two grooms share their data.
    bool is_same(const Groom& other) const { return shared_ == other.shared_; }

private:
    friend Result<Groom> make_groom(GroomData data, RepairPolicy dirt);
    struct Shared {
        GroomData data;
        std::vector<float> rest_lengths;
        std::vector<uint32_t> source;
        std::vector<Repair> repairs;
        std::vector<std::string> warnings;
    };
    explicit Groom(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

    template <class T>
    std::span<const T> of_strand(const std::vector<T>& list, size_t strand) const
    {
        const std::vector<uint32_t>& first = shared_->data.first_point;
        return {list.data() + first[strand], list.data() + first[strand + 1]};
    }

    std::shared_ptr<const Shared> shared_;
};

/// Checks untrusted data once; later stages only assert. Repaired and counted: a point that coincides with the one
/// before it gets a segment of a thousandth of the strand's mean segment length. Dropped and counted: strands that are
/// not finite, have fewer than two points or almost no length, which is under a micrometre or a thousandth of the
/// median. Rejected: inconsistent offsets and counts, and a groom without any usable strand.
Result<Groom> make_groom(GroomData data, RepairPolicy dirt = RepairPolicy::kRepair);

/// The same curves with `points_per_strand` points each, equally spaced. Chords are shorter than the curve that they
/// replace, so they are scaled evenly to keep the length of every strand. Strands that cannot be resampled, because
/// they have fewer than two points or are not finite, are copied.
GroomData resampled(const GroomData& data, uint32_t points_per_strand);
/// Selects strands, in the given order.
GroomData subset(const GroomData& data, std::span<const uint32_t> strands);
/// The length of each strand, in the unit of the points.
std::vector<double> strand_lengths(const GroomData& data);

/// Points of all strands of a groom, in the groom's order. The world owns the memory, which stays valid until the next
/// call that changes the world. Points are relative to `origin`.
struct CurvesView {
    std::span<const Vec3f> points;
    std::span<const Vec3f> velocities;      ///< over the last step [m/s], for motion blur
    std::span<const uint32_t> first_point;  ///< index of the first point of each strand; strands + 1 entries
    Vec3d origin;
};

/// Ropes side by side along z, centred on the origin of the body; each runs in the same direction from its root.
struct RopeStyle {
    uint32_t strands = 1;               ///< number of ropes, >= 1
    uint32_t particles = 30;            ///< per strand, >= 2
    float length = 0.58f;               ///< of a strand [m], > 0
    float spacing = 0.1f;               ///< distance between neighbours along z [m], >= 0
    Vec3f direction{1.0f, 0.0f, 0.0f};  ///< in the rest pose; of any length but zero
    Ends ends = Ends::kRootHeld;
    /// Distance between the ends divided by the length, in (0, 1]; below 1 the rest pose is an arc that sags along -y
    /// and needs at least 3 particles.
    float span = 1.0f;
    float width = 0.006f;  ///< diameter [m], >= 0
    float tip_width = 0;   ///< diameter at the tip [m], > 0; 0 means `width`
};
Result<GroomData> make_ropes(const RopeStyle& style);

/// Straight strands on the upper part of a sphere around the body's origin, evenly spread.
struct SphereStyle {
    uint32_t strands = 1000;     ///< number of strands, >= 1
    uint32_t particles = 30;     ///< per strand, >= 2
    float length = 0.3f;         ///< of a strand [m], > 0
    float radius = 0.1f;         ///< of the sphere [m], > 0
    float coverage = 0.6f;       ///< share of the sphere's surface that carries hair, from the pole down, in (0, 1]
    float length_spread = 0.0f;  ///< lengths vary by up to this share, in [0, 1)
    uint64_t seed = 1;           ///< for the variation of lengths
};
Result<GroomData> make_sphere_hair(const SphereStyle& style);

}  // namespace tendril
