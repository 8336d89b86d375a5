// Scatters roots evenly over the area of a mesh.
// [Halton64] J.H. Halton: Radical-inverse quasi-random point sequence, CACM 1964.
// [Yuksel15] C. Yuksel: Sample Elimination for Generating Poisson Disk Sample Sets, Eurographics 2015.
#include "groom/sample_elimination.h"
#include "math/elementary.h"
#include "math/random.h"
#include "math/vectors.h"
#include "tendril/detail/nearest.h"
#include "tendril/hair_style.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace tendril {
namespace {

// Candidates tried per root before the filters are considered to reject everything.
constexpr uint64_t kMaxTries = 1000;
// [Yuksel15]: this many candidates per remaining point.
constexpr uint32_t kCandidates = 5;
// Each purpose has its own random sequence.
enum ScatterPurpose : uint64_t { kTriangle = 11, kAcross, kAlong, kDensity, kShift };

/// The digits of an index mirrored at the radix point [Halton64].
double radical_inverse(uint64_t index, uint64_t base)
{
    double value = 0, digit = 1.0 / static_cast<double>(base);
    for (; index > 0; index /= base, digit /= static_cast<double>(base))
        value += digit * static_cast<double>(index % base);
    return value;
}

/// The bits of a coordinate, each followed by two zeros.
uint64_t spread_bits(double x)
{
    auto v = static_cast<uint64_t>(std::clamp(x, 0.0, 1.0) * 1023.0);
    v = (v | v << 16) & 0x030000ff;
    v = (v | v << 8) & 0x0300f00f;
    v = (v | v << 4) & 0x030c30c3;
    return (v | v << 2) & 0x09249249;
}

/// The triangles that may carry hair, sorted along a space-filling curve: neighbours on the curve are close on the
/// mesh, so that an even sequence of numbers gives evenly spread points.
class ScatterArea {
public:
    ScatterArea(const Mesh& mesh, std::vector<uint32_t> triangles) : mesh_(mesh), triangles_(std::move(triangles))
    {
        sort_along_curve();
        for (uint32_t t : triangles_) {
            total_ += area_of(t);
            cumulative_.push_back(total_);
        }
    }

    double total() const { return total_; }

    /// The point at a share of the area. The remainder of the share within its triangle is one coordinate, `across` the
    /// other.
    MeshPoint at(double share, double across) const
    {
        const double target = share * total_;
        const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), target);
        const size_t i = std::min(static_cast<size_t>(found - cumulative_.begin()), triangles_.size() - 1);
        const double before = i > 0 ? cumulative_[i - 1] : 0, size = cumulative_[i] - before;
        const double along = size > 0 ? std::clamp((target - before) / size, 0.0, 1.0) : 0.5;
        const double root = std::sqrt(along);
        const Vec3d w{1 - root, root * (1 - across), root * across};
        return {triangles_[i], to_float(w)};
    }

private:
    Vec3d corner(uint32_t t, size_t k) const { return to_double(mesh_.vertices[mesh_.triangles[t][k]]); }
    Vec3d middle(uint32_t t) const { return (corner(t, 0) + corner(t, 1) + corner(t, 2)) * (1.0 / 3); }
    double area_of(uint32_t t) const
    {
        return length(cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0))) / 2;
    }
    void sort_along_curve()
    {
        Vec3d low = middle(triangles_[0]), high = low;
        for (uint32_t t : triangles_) {
            const Vec3d m = middle(t);
            low = component_min(low, m);
            high = component_max(high, m);
        }
        const double size = std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-30});
        std::vector<std::pair<uint64_t, uint32_t>> order;
        for (uint32_t t : triangles_) {
            const Vec3d m = (middle(t) - low) * (1 / size);
            order.emplace_back(spread_bits(m.x) << 2 | spread_bits(m.y) << 1 | spread_bits(m.z), t);
        }
        std::sort(order.begin(), order.end());
        for (size_t i = 0; i < order.size(); ++i) triangles_[i] = order[i].second;
    }

    const Mesh& mesh_;
    std::vector<uint32_t> triangles_;
    std::vector<double> cumulative_;
    double total_ = 0;
};

/// Flags the wanted names; an error if one does not exist.
Result<std::vector<bool>> wanted_names(const char* what, const std::vector<std::string>& names,
                                       const std::vector<std::string>& wanted)
{
    std::vector<bool> flags(names.size(), wanted.empty());
    for (const std::string& name : wanted) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            const std::string nearest = nearest_name(name, names);
            return Error{fmt::format("mesh: there is no {} '{}'{}", what, name,
                                     nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?")};
        }
        flags[static_cast<size_t>(found - names.begin())] = true;
    }
    return flags;
}

Result<std::vector<uint32_t>> chosen_triangles(const Mesh& mesh, const ScatterSettings& settings)
{
    const auto materials = wanted_names("material", mesh.material_names, settings.materials);
    if (!materials) return Error{materials.error()};
    const auto groups = wanted_names("group", mesh.group_names, settings.groups);
    if (!groups) return Error{groups.error()};
    const auto is_wanted = [](const std::vector<uint32_t>& index, size_t t, const std::vector<bool>& flags,
                              const std::vector<std::string>& wanted) {
        if (wanted.empty()) return true;
        return t < index.size() && index[t] < flags.size() && flags[index[t]];
    };
    std::vector<uint32_t> chosen;
    for (size_t t = 0; t < mesh.triangles.size(); ++t)
        if (is_wanted(mesh.materials, t, *materials, settings.materials) &&
            is_wanted(mesh.groups, t, *groups, settings.groups))
            chosen.push_back(static_cast<uint32_t>(t));
    if (chosen.empty()) return Error{"mesh: no triangle has that material and group; choose others"};
    return chosen;
}

/// Draws candidates one after another and accepts those where hair may grow.
class Sampler {
public:
    Sampler(const Mesh& mesh, const ScatterArea& area, const ScatterSettings& settings)
        : mesh_(mesh), area_(area), settings_(settings), normals_(vertex_normals(mesh))
    {
        const Vec3d d = to_double(settings.direction);
        direction_ = d * (1 / length(d));
        least_cosine_ = settings.angle >= static_cast<float>(std::numbers::pi)
                            ? -2.0
                            : sin_cos(static_cast<double>(settings.angle)).cos;
        shift_[0] = draw(settings.seed, kShift, 0);
        shift_[1] = draw(settings.seed, kShift, 1);
    }

    /// The next accepted point, or none if too many candidates in a row were rejected.
    std::optional<MeshPoint> next()
    {
        for (uint64_t tries = 0; tries < kMaxTries; ++tries) {
            const uint64_t k = index_++;
            const MeshPoint point = candidate(k);
            if (is_accepted(point, k)) {
                ++accepted_;
                return point;
            }
        }
        return {};
    }
    /// Share of the candidates accepted so far.
    double accepted_share() const
    {
        return static_cast<double>(accepted_) / static_cast<double>(std::max<uint64_t>(1, index_));
    }

private:
    MeshPoint candidate(uint64_t k) const
    {
        if (settings_.sequence == Sequence::kHalton) {
            const auto wrap = [](double x) { return x - std::floor(x); };
            return area_.at(wrap(radical_inverse(k, 2) + shift_[0]), wrap(radical_inverse(k, 3) + shift_[1]));
        }
        return area_.at(draw(settings_.seed, kTriangle, k), draw(settings_.seed, kAcross, k));
    }
    bool is_accepted(const MeshPoint& point, uint64_t k) const
    {
        if (dot(normal_of(mesh_, normals_, point), direction_) < least_cosine_) return false;
        if (!settings_.density) return true;
        return draw(settings_.seed, kDensity, k) < static_cast<double>(settings_.density->at(uv_of(mesh_, point)));
    }

    const Mesh& mesh_;
    const ScatterArea& area_;
    const ScatterSettings& settings_;
    std::vector<Vec3f> normals_;
    Vec3d direction_;
    double least_cosine_ = -2;
    double shift_[2];
    uint64_t index_ = 0, accepted_ = 0;
};

}  // namespace

Result<std::vector<MeshPoint>> scatter_roots(const Mesh& mesh, const ScatterSettings& settings)
{
    if (settings.count < 1) return Error{"scatter: count must be at least 1"};
    if (!(length(to_double(settings.direction)) > 0)) return Error{"scatter: direction must not be zero"};
    if (settings.density && mesh.uvs.empty()) return Error{"scatter: a density map needs UVs, but the mesh has none"};
    if (mesh.triangles.empty()) return Error{"scatter: the mesh has no triangles"};
    auto triangles = chosen_triangles(mesh, settings);
    if (!triangles) return Error{triangles.error()};
    const ScatterArea area(mesh, std::move(*triangles));
    if (!(area.total() > 0)) return Error{"scatter: the mesh has no area"};

    const bool blue = settings.sequence == Sequence::kBlueNoise;
    const uint64_t wanted = static_cast<uint64_t>(settings.count) * (blue ? kCandidates : 1);
    Sampler sampler(mesh, area, settings);
    std::vector<MeshPoint> points;
    points.reserve(wanted);
    while (points.size() < wanted) {
        const auto point = sampler.next();
        if (!point) return Error{"scatter: direction, angle and density map leave no area for roots; widen them"};
        points.push_back(*point);
    }
    if (!blue) return points;

    std::vector<Vec3d> positions;
    positions.reserve(points.size());
    for (const MeshPoint& point : points) positions.push_back(position_of(mesh, point));
    std::vector<MeshPoint> kept;
    kept.reserve(settings.count);
    for (uint32_t i : eliminate_samples(positions, settings.count, area.total() * sampler.accepted_share()))
        kept.push_back(points[i]);
    return kept;
}

}  // namespace tendril
