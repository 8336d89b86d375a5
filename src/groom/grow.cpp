// Grows strands from roots in a style: a centre line, waves or curls around it, then clumps and frizz. Whatever bends a
// strand, its length along the curve is the one that the style asks for.
#include "body/triangle_tree.h"
#include "groom/polyline.h"
#include "groom/strand_data.h"
#include "math/elementary.h"
#include "math/random.h"
#include "math/vectors.h"
#include "tendril/hair_style.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <tuple>

namespace tendril {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
// Hair that lies flat still rises from the skin by this angle [rad].
constexpr double kMinRise = 0.05;
// Points per turn of a traced curl, and the limits per strand.
constexpr double kPointsPerTurn = 32, kMinTraced = 64, kMaxTraced = 1e6;
// A curl reaches its radius over this share of a pitch, so that the strand starts at its root.
constexpr double kCurlOnset = 0.75;

enum GrowPurpose : uint64_t { kLength = 101, kPhase, kFrizzX, kFrizzY };

/// The centre line of a strand: starts at the root in one direction and bends evenly in one plane.
class CentreLine {
public:
    CentreLine(const HairStyle& style, const Vec3d& normal, double strand_length)
    {
        const Vec3d target = unit_or(to_double(style.direction), {0, -1, 0});
        const Vec3d along_skin = unit_or(target - normal * dot(target, normal), any_perpendicular(normal));
        const double down = std::min(static_cast<double>(style.lie) * kTwoPi / 4, kTwoPi / 4 - kMinRise);
        const SinCos tilt = sin_cos(down);
        start_ = normal * tilt.cos + along_skin * tilt.sin;
        axis_ = unit_or(cross(start_, target), any_perpendicular(start_));
        // Bend no farther than to the wanted direction itself.
        const Vec3d across = cross(axis_, start_);
        bend_ = std::min(static_cast<double>(style.droop), angle_of(dot(target, start_), dot(target, across)));
        rate_ = bend_ / strand_length;
        across_ = across;
    }
    /// Position at the arc length s, relative to the root.
    Vec3d at(double s) const
    {
        if (rate_ * s < 1e-6) return start_ * s;
        const SinCos turn = sin_cos(rate_ * s);
        return (start_ * turn.sin + across_ * (1 - turn.cos)) * (1 / rate_);
    }
    /// Two directions perpendicular to the line at s.
    Vec3d side() const { return axis_; }
    Vec3d up(double s) const
    {
        const SinCos turn = sin_cos(rate_ * s);
        return across_ * turn.cos - start_ * turn.sin;
    }

private:
    /// The angle in [0, pi] for a cosine and the sign of a sine. Bisection avoids inverse functions.
    static double angle_of(double cosine, double sine)
    {
        double low = 0, high = std::numbers::pi;
        if (sine <= 0) return cosine > 0 ? 0 : high;
        for (int i = 0; i < 50; ++i) {
            const double a = (low + high) / 2;
            (sin_cos(a).cos > cosine ? low : high) = a;
        }
        return (low + high) / 2;
    }

    Vec3d start_, axis_, across_;
    double bend_ = 0, rate_ = 0;
};

/// Offset of the strand from its centre line.
Vec3d curl_offset(const HairStyle& style, const CentreLine& line, double s, double phase)
{
    if (style.curl == CurlPattern::kStraight || style.curl_radius <= 0) return {0, 0, 0};
    const double pitch = static_cast<double>(style.curl_pitch);
    const double ramp = std::min(1.0, s / (kCurlOnset * pitch)), onset = ramp * ramp * (3 - 2 * ramp);
    const double r = static_cast<double>(style.curl_radius) * onset;
    const double turns = s / pitch + phase;
    const SinCos turn = sin_cos(kTwoPi * (turns - std::floor(turns)));
    if (style.curl == CurlPattern::kWavy) return line.side() * (r * turn.sin);
    return line.side() * (r * turn.cos) + line.up(s) * (r * turn.sin);
}

/// Traces one strand from the origin until it has the wanted length, then places points on it evenly.
std::vector<Vec3f> trace_strand(const HairStyle& style, const Vec3d& normal, double target, double phase)
{
    const CentreLine line(style, normal, target);
    const auto curve = [&](double s) { return to_float(line.at(s) + curl_offset(style, line, s, phase)); };
    const double turns = style.curl == CurlPattern::kStraight ? 0 : target / static_cast<double>(style.curl_pitch);
    const double pieces = std::clamp(kPointsPerTurn * turns, kMinTraced, kMaxTraced), step = target / pieces;
    std::vector<Vec3f> traced = {{0, 0, 0}};
    for (double s = 0, reached = 0; reached < target && s < target * (1 + 1e-9);) {
        s += step;
        traced.push_back(curve(s));
        reached += static_cast<double>(length(traced[traced.size() - 1] - traced[traced.size() - 2]));
    }
    const double share = std::min(1.0, target / polyline_length(traced));  // the last step overshoots
    std::vector<Vec3f> points;
    points.reserve(style.particles);
    for (const PolylinePoint& point : even_points(traced, style.particles, share))
        points.push_back(curve(step * (static_cast<double>(point.segment) + static_cast<double>(point.share))));
    stretch_to(points, target);
    return points;
}

/// Smooth noise in [-1, 1] along a line: random values at integers, a cubic in between.
double noise(uint64_t seed, GrowPurpose purpose, uint64_t strand, double x)
{
    const double whole = std::floor(x), t = x - whole, blend = t * t * (3 - 2 * t);
    const auto at = [&](double i) { return 2 * draw(seed, purpose, strand * 65536 + static_cast<uint64_t>(i)) - 1; };
    return at(whole) * (1 - blend) + at(whole + 1) * blend;
}

/// Moves every point towards its wanted position and restores the segment lengths from the root on.
class Shaper {
public:
    Shaper(GroomData& data, const HairStyle& style) : data_(data), style_(style) {}

    /// Draws tips towards the strand at the centre of their clump.
    void clump(std::span<const Vec3d> roots)
    {
        const std::vector<uint32_t> centres = clump_centres(roots);
        const std::vector<Vec3f> before = data_.points;
        for (size_t s = 0; s < data_.strand_count(); ++s) {
            const uint32_t first = data_.first_point[s], other = data_.first_point[centres[s]];
            reshape(s, [&](size_t i, double t) {
                const Vec3d p = to_double(before[first + i]), m = to_double(before[other + i]);
                return p + (m - p) * (static_cast<double>(style_.clump) * t * t * (3 - 2 * t));
            });
        }
    }
    void frizz()
    {
        const double size = static_cast<double>(style_.frizz_size);
        for (size_t s = 0; s < data_.strand_count(); ++s) {
            const auto points = strand_points(data_, s);
            const std::vector<Vec3f> before(points.begin(), points.end());
            const double total = polyline_length(points);
            const Vec3d along = unit_or(to_double(before.back() - before.front()), {0, 1, 0});
            const Vec3d a = any_perpendicular(along), b = cross(along, a);
            reshape(s, [&](size_t i, double t) {
                const double amplitude = std::min(1.0, t * total / size) * static_cast<double>(style_.frizz) * size / 2;
                const double x = t * total / size;
                return to_double(before[i]) + a * (amplitude * noise(style_.seed, kFrizzX, s, x)) +
                       b * (amplitude * noise(style_.seed, kFrizzY, s, x));
            });
        }
    }

private:
    template <class Wanted>
    void reshape(size_t s, const Wanted& target)
    {
        const size_t first = data_.first_point[s], count = data_.first_point[s + 1] - first;
        const double segment = polyline_length(strand_points(data_, s)) / static_cast<double>(count - 1);
        Vec3d at = to_double(data_.points[first]), last = target(0, 0.0);
        Vec3d direction{0, 1, 0};
        for (size_t i = 1; i < count; ++i) {
            const Vec3d next = target(i, static_cast<double>(i) / static_cast<double>(count - 1));
            direction = unit_or(next - last, direction);
            at += direction * segment;
            last = next;
            data_.points[first + i] = to_float(at);
        }
    }

    /// For every strand, the one at the centre of its clump. Cells of the clump size have one centre each: the root
    /// nearest to the middle of the cell.
    std::vector<uint32_t> clump_centres(std::span<const Vec3d> roots) const
    {
        using Cell = std::tuple<int64_t, int64_t, int64_t>;
        const double size = static_cast<double>(style_.clump_size);
        const auto cell_of = [&](const Vec3d& p) {
            return Cell{static_cast<int64_t>(std::floor(p.x / size)), static_cast<int64_t>(std::floor(p.y / size)),
                        static_cast<int64_t>(std::floor(p.z / size))};
        };
        std::map<Cell, uint32_t> middle;
        const auto off_centre = [&](uint32_t s) {
            const auto [x, y, z] = cell_of(roots[s]);
            const Vec3d c{(static_cast<double>(x) + 0.5) * size, (static_cast<double>(y) + 0.5) * size,
                          (static_cast<double>(z) + 0.5) * size};
            return length(roots[s] - c);
        };
        for (uint32_t s = 0; s < roots.size(); ++s) {
            const auto [it, added] = middle.emplace(cell_of(roots[s]), s);
            if (!added && off_centre(s) < off_centre(it->second)) it->second = s;
        }
        std::vector<uint32_t> nearest(roots.size());
        for (uint32_t s = 0; s < roots.size(); ++s) {
            double best = std::numeric_limits<double>::infinity();
            const auto [x, y, z] = cell_of(roots[s]);
            for (int64_t dx = -1; dx <= 1; ++dx)
                for (int64_t dy = -1; dy <= 1; ++dy)
                    for (int64_t dz = -1; dz <= 1; ++dz) {
                        const auto it = middle.find({x + dx, y + dy, z + dz});
                        if (it == middle.end()) continue;
                        const double d = length(roots[s] - roots[it->second]);
                        if (d < best) best = d, nearest[s] = it->second;
                    }
        }
        return nearest;
    }

    GroomData& data_;
    const HairStyle& style_;
};

std::optional<Error> check_style(const HairStyle& style, const Mesh& mesh, std::span<const MeshPoint> points)
{
    const auto within = [](float x, float low, float high) { return x >= low && x <= high; };
    const size_t roots = points.size();
    if (roots == 0) return Error{"style: no roots to grow from"};
    for (const MeshPoint& point : points)
        if (point.triangle >= mesh.triangles.size())
            return Error{fmt::format("style: a root is on triangle {}, but the mesh has {}", point.triangle,
                                     mesh.triangles.size())};
    if (style.particles < 2) return Error{"style: particles must be at least 2"};
    if (static_cast<double>(roots) * style.particles > std::numeric_limits<uint32_t>::max())
        return Error{"style: more than the 4294967295 particles that one groom can hold"};
    if (!within(style.length, 1e-6f, 1e4f)) return Error{"style: length must be in [1e-6, 1e4] m"};
    if (!within(style.length_spread, 0, 0.99f)) return Error{"style: length_spread must be in [0, 0.99]"};
    if (!within(style.curl_radius, 0, 1e3f)) return Error{"style: curl_radius must be in [0, 1000] m"};
    if (!within(style.curl_pitch, 1e-5f, 1e4f)) return Error{"style: curl_pitch must be in [1e-5, 1e4] m"};
    if (!within(style.lie, 0, 1) || !within(style.clump, 0, 1) || !within(style.frizz, 0, 1))
        return Error{"style: lie, clump and frizz must be in [0, 1]"};
    if (!within(style.clump_size, 1e-5f, 1e4f) || !within(style.frizz_size, 1e-5f, 1e4f))
        return Error{"style: clump_size and frizz_size must be in [1e-5, 1e4] m"};
    if (!within(style.droop, 0, 3.15f)) return Error{"style: droop must be in [0, pi]"};
    if (!(length(to_double(style.direction)) > 0)) return Error{"style: direction must not be zero"};
    if (!within(style.root_width, 0, 1) || !within(style.tip_width, 0, 1))
        return Error{"style: root_width and tip_width must be in [0, 1] m"};
    if (style.length_map && mesh.uvs.empty()) return Error{"style: a length map needs UVs, but the mesh has none"};
    return {};
}

/// Width and colour change linearly from root to tip.
void paint(const HairStyle& style, GroomData& data)
{
    for (size_t s = 0; s < data.strand_count(); ++s)
        for (uint32_t i = 0; i < style.particles; ++i) {
            const float t = static_cast<float>(i) / static_cast<float>(style.particles - 1);
            data.widths.push_back(style.root_width + (style.tip_width - style.root_width) * t);
            data.colours.push_back(style.root_colour + (style.tip_colour - style.root_colour) * t);
        }
}

}  // namespace

Result<GrownHair> grow_hair(const Mesh& mesh, std::span<const MeshPoint> roots, const HairStyle& style)
{
    if (auto wrong = check_style(style, mesh, roots)) return *wrong;
    GrownHair hair;
    hair.data.first_point.push_back(0);
    hair.binding.rest = mesh.vertices;
    const std::vector<Vec3f> normals = vertex_normals(mesh);
    std::vector<Vec3d> root_positions;
    for (size_t s = 0; s < roots.size(); ++s) {
        const Vec3d root = position_of(mesh, roots[s]), normal = normal_of(mesh, normals, roots[s]);
        const Uv uv = uv_of(mesh, roots[s]);
        double target = static_cast<double>(style.length) *
                        (1 + static_cast<double>(style.length_spread) * (2 * draw(style.seed, kLength, s) - 1));
        if (style.length_map) target *= std::max(1e-3, static_cast<double>(style.length_map->at(uv)));
        const double phase = static_cast<double>(style.curl_phase) * draw(style.seed, kPhase, s);
        for (const Vec3f& p : trace_strand(style, normal, target, phase))
            hair.data.points.push_back(to_float(root + to_double(p)));
        hair.data.first_point.push_back(static_cast<uint32_t>(hair.data.points.size()));
        if (!mesh.uvs.empty()) hair.data.root_uvs.push_back(uv);
        hair.binding.triangles.push_back(mesh.triangles[roots[s].triangle]);
        hair.binding.weights.push_back(roots[s].weights);
        root_positions.push_back(root);
    }
    Shaper shaper(hair.data, style);
    if (style.clump > 0) shaper.clump(root_positions);
    if (style.frizz > 0) shaper.frizz();
    paint(style, hair.data);
    return hair;
}

Result<TriangleBinding> bind_to_nearest(const GroomData& data, const Mesh& mesh)
{
    if (mesh.triangles.empty()) return Error{"mesh: no triangles to bind hair to"};
    const TriangleTree tree(mesh.vertices, mesh.triangles);
    TriangleBinding binding;
    binding.rest = mesh.vertices;
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const auto points = strand_points(data, s);
        if (points.empty() || !is_finite(points[0]))
            return Error{fmt::format("groom: strand {} has no finite root point", s)};
        const auto found = tree.nearest(to_double(points[0]));
        binding.triangles.push_back(mesh.triangles[found.triangle]);
        binding.weights.push_back(to_float(found.weights));
    }
    return binding;
}

}  // namespace tendril
