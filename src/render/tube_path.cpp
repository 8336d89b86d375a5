// Tubes follow a centripetal Catmull-Rom curve, which has no loops or overshoots where segments differ in length.
// [Yuksel11] C. Yuksel, S. Schaefer, J. Keyser: Parameterization and Applications of Catmull-Rom Curves, CAD 2011.
// The twist of the material is measured against a frame that is parallel-transported along the curve [Bishop75]. It is
// one angle per segment and is smoothed separately.
// [Bishop75] R.L. Bishop: There is More than One Way to Frame a Curve, American Mathematical Monthly 1975.
#include "render/tube_path.h"

#include "math/vectors.h"
#include "render/light_math.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

constexpr double kTau = 2 * std::numbers::pi;
/// Points closer together than this are merged, because their direction would be noise [radii].
constexpr double kSamePoint = 1e-3;

/// One tube before smoothing. It has one more point than segments.
struct Piece {
    std::vector<Vec3d> points, velocities;
    std::vector<double> radii;  // per segment
    std::vector<Vec3d> across;  // per segment; zero if unknown
    bool torn_begin = false, torn_end = false;
    uint32_t first = 0, last = 0;  // points of the curves
};

Vec3d position_at(const TubeString& string, size_t i)
{
    return to_double(string.curves.points[i]);
}

double radius_at(const TubeString& string, size_t i)
{
    constexpr double kMaxRadius = 1e3;
    const double width = i < string.widths.size() ? static_cast<double>(string.widths[i]) * string.width_scale : 0;
    return width > 0 && std::isfinite(width) ? std::clamp(0.5 * width, 1e-9, kMaxRadius) : 0;
}

/// Whether a segment starts at point i of a strand whose points end before `end`.
bool has_segment(const TubeString& string, size_t i, size_t end)
{
    const auto& points = string.curves.points;
    return i + 1 < end && radius_at(string, i) > 0 && is_usable(points[i]) && is_usable(points[i + 1]);
}

Vec3d velocity_at(const TubeString& string, size_t i)
{
    const auto& velocities = string.curves.velocities;
    return i < velocities.size() && is_usable(velocities[i]) ? to_double(velocities[i]) : Vec3d{0, 0, 0};
}

Vec3d across_at(const TubeString& string, size_t i)
{
    return i < string.across.size() && is_usable(string.across[i]) ? unit_or(to_double(string.across[i]), {0, 0, 0})
                                                                   : Vec3d{0, 0, 0};
}

/// The piece from point `first` to point `last`, all joined by segments.
Piece piece_between(const TubeString& string, size_t first, size_t last)
{
    Piece piece;
    piece.first = static_cast<uint32_t>(first);
    piece.last = static_cast<uint32_t>(last);
    piece.points.push_back(position_at(string, first));
    piece.velocities.push_back(velocity_at(string, first));
    for (size_t i = first; i < last; ++i) {
        const Vec3d next = position_at(string, i + 1);
        const double radius = radius_at(string, i);
        if (length(next - piece.points.back()) <= kSamePoint * radius) continue;
        piece.points.push_back(next);
        piece.velocities.push_back(velocity_at(string, i + 1));
        piece.radii.push_back(radius);
        piece.across.push_back(across_at(string, i));
    }
    return piece;
}

/// How far a torn end reaches into the missing segment `gap`: half its length, estimated from the neighbouring
/// segments.
double stub_length(const TubeString& string, size_t gap, size_t begin, size_t end)
{
    double sum = 0;
    int count = 0;
    const auto measure = [&](size_t i) {
        if (!has_segment(string, i, end)) return;
        sum += length(position_at(string, i + 1) - position_at(string, i));
        ++count;
    };
    if (gap > begin) measure(gap - 1);
    measure(gap + 1);
    return count > 0 ? 0.5 * sum / count : 0;
}

/// Adds a stub to the torn back end. The frayed fibres take up part of its length; a short stub keeps a tenth.
void add_stub(Piece& piece, double stub)
{
    const double radius = piece.radii.back();
    const double remaining = std::max(stub - kFrayedReach * radius, 0.1 * stub);
    if (remaining <= kSamePoint * radius) return;
    const Vec3d last = piece.points.back(), velocity = piece.velocities.back();
    piece.points.push_back(last + unit_or(last - piece.points[piece.points.size() - 2], {0, 1, 0}) * remaining);
    piece.velocities.push_back(velocity);
    piece.radii.push_back(radius);
    piece.across.push_back({0, 0, 0});
}

void reverse(Piece& piece)
{
    std::reverse(piece.points.begin(), piece.points.end());
    std::reverse(piece.velocities.begin(), piece.velocities.end());
    std::reverse(piece.radii.begin(), piece.radii.end());
    std::reverse(piece.across.begin(), piece.across.end());
}

void add_pieces(const TubeString& string, size_t begin, size_t end, std::vector<Piece>& pieces)
{
    for (size_t first = begin; first < end; ++first) {
        size_t last = first;
        while (has_segment(string, last, end)) ++last;
        if (last == first) continue;
        Piece piece = piece_between(string, first, last);
        if (!piece.radii.empty()) {
            piece.torn_begin = first > begin;
            piece.torn_end = last + 1 < end;
            if (piece.torn_end) add_stub(piece, stub_length(string, last, begin, end));
            if (piece.torn_begin) {
                reverse(piece);
                add_stub(piece, stub_length(string, first - 1, begin, end));
                reverse(piece);
            }
            pieces.push_back(std::move(piece));
        }
        first = last;  // no segment starts at `last`
    }
}

/// The smooth curve through the points of a piece. Segment s runs from u = 0 to u = 1.
class TubeCurve {
public:
    explicit TubeCurve(const std::vector<Vec3d>& points) : points_(points)
    {
        const size_t n = points.size();
        arc_lengths_.assign(1, 0.0);
        for (size_t s = 0; s + 1 < n; ++s) {
            const double l = length(points[s + 1] - points[s]);
            arc_lengths_.push_back(arc_lengths_[s] + l);
            parameter_step_.push_back(std::sqrt(l));
        }
        derivative_.resize(n);
        for (size_t i = 1; i + 1 < n; ++i)
            derivative_[i] = chord(i - 1) + chord(i) -
                             (points[i + 1] - points[i - 1]) * (1 / (parameter_step_[i - 1] + parameter_step_[i]));
        // Zero curvature at the ends.
        derivative_[0] = n > 2 ? chord(0) * 1.5 - derivative_[1] * 0.5 : chord(0);
        derivative_[n - 1] = n > 2 ? chord(n - 2) * 1.5 - derivative_[n - 2] * 0.5 : chord(0);
    }

    size_t segments() const { return parameter_step_.size(); }
    /// Arc length along the chords [m].
    double arc_length(size_t s, double u) const
    {
        return arc_lengths_[s] + (arc_lengths_[s + 1] - arc_lengths_[s]) * u;
    }

    Vec3d at(size_t s, double u) const
    {
        const double v = 1 - u;
        return points_[s] * ((1 + 2 * u) * v * v) + points_[s + 1] * ((1 + 2 * v) * u * u) +
               derivative_[s] * (parameter_step_[s] * u * v * v) -
               derivative_[s + 1] * (parameter_step_[s] * u * u * v);
    }

    /// The unit tangent.
    Vec3d along(size_t s, double u) const
    {
        const double v = 1 - u;
        const Vec3d edge = points_[s + 1] - points_[s];
        const Vec3d d = edge * (6 * u * v) + derivative_[s] * (parameter_step_[s] * v * (1 - 3 * u)) +
                        derivative_[s + 1] * (parameter_step_[s] * u * (3 * u - 2));
        return unit_or(d, unit_or(edge, {0, 1, 0}));
    }

private:
    Vec3d chord(size_t s) const { return (points_[s + 1] - points_[s]) * (1 / parameter_step_[s]); }

    const std::vector<Vec3d>& points_;
    std::vector<double> arc_lengths_;     // arc length at each point [m]
    std::vector<double> parameter_step_;  // of the curve parameter, per segment: the square root of its length
    std::vector<Vec3d> derivative_;       // derivative by the curve parameter, at each point
};

/// Parallel transport: rotates `across`, which is perpendicular to `from`, along with the direction from `from` to
/// `to`.
Vec3d transported(const Vec3d& across, const Vec3d& from, const Vec3d& to)
{
    const double c = 1 + dot(from, to);
    const Vec3d rotated = c > 1e-6 ? across - (from + to) * (dot(across, to) / c) : across;
    return unit_or(rotated - to * dot(rotated, to), any_perpendicular(to));
}

/// The angle about an axis from one perpendicular direction to another, in (-pi, pi].
double angle_about(const Vec3d& axis, const Vec3d& from, const Vec3d& to)
{
    return std::atan2(dot(cross(from, to), axis), dot(from, to));
}

double angle_between(const Vec3d& a, const Vec3d& b)
{
    return std::atan2(length(cross(a, b)), dot(a, b));
}

/// The unit material direction of a segment, projected perpendicular to the curve; zero if there is none.
Vec3d material_at(const Piece& piece, size_t s, const Vec3d& along)
{
    constexpr double kParallel = 1e-3;
    const Vec3d part = piece.across[s] - along * dot(piece.across[s], along);
    const double l = length(part);
    return l > kParallel ? part * (1 / l) : Vec3d{0, 0, 0};
}

/// Approximately how far the material turns from segment s to the next one [rad].
double turn_after(const Piece& piece, const TubeCurve& curve, size_t s)
{
    if (s + 1 >= curve.segments()) return 0;
    const Vec3d a = curve.along(s, 0.5), joint = curve.along(s, 1), b = curve.along(s + 1, 0.5);
    const Vec3d previous = material_at(piece, s, a), next = material_at(piece, s + 1, b);
    if (dot(previous, previous) == 0 || dot(next, next) == 0) return 0;
    return angle_about(b, transported(transported(previous, a, joint), joint, b), next);
}

/// The number of parts that a segment needs for a smooth outline.
int parts_of(const Piece& piece, const TubeCurve& curve, size_t s)
{
    constexpr double kMaxBend = 0.08, kMaxTurn = 0.3;  // between two rings [rad]; with more turn, the wall between them
                                                       // would cave in by more than 1 %
    constexpr double kMaxParts = 12, kTaperedParts = 4;
    const Vec3d middle = curve.along(s, 0.5);
    const double bend = angle_between(curve.along(s, 0), middle) + angle_between(middle, curve.along(s, 1));
    double turn = 0;  // includes the joints beyond the neighbours, because the twist continues into stubs
    for (size_t k = s - std::min<size_t>(s, 2); k < s + 2; ++k)
        turn = std::max(turn, std::abs(turn_after(piece, curve, k)));
    const auto differs = [&](size_t other) { return std::abs(piece.radii[other] / piece.radii[s] - 1) > 0.02; };
    const bool tapered = (s > 0 && differs(s - 1)) || (s + 1 < piece.radii.size() && differs(s + 1));
    const double parts = std::max({bend / kMaxBend, turn / kMaxTurn, tapered ? kTaperedParts : 1.0});
    return static_cast<int>(std::ceil(std::min(parts, kMaxParts)));
}

/// A known value at a position along the string.
struct Knot {
    double arc_length, value;
};

double slope(const std::vector<Knot>& knots, size_t i)
{
    const auto rise = [&](size_t k) {
        return (knots[k + 1].value - knots[k].value) / (knots[k + 1].arc_length - knots[k].arc_length);
    };
    if (knots.size() < 2) return 0;
    if (i == 0) return rise(0);
    if (i + 1 == knots.size()) return rise(i - 1);
    const double previous = knots[i].arc_length - knots[i - 1].arc_length,
                 next = knots[i + 1].arc_length - knots[i].arc_length;
    return (rise(i - 1) * next + rise(i) * previous) / (previous + next);
}

/// Interpolates smoothly between the knots and extrapolates linearly. `i` is the last knot at or before the position,
/// or the first knot.
double smooth_between(const std::vector<Knot>& knots, size_t i, double arc_length)
{
    if (knots.empty()) return 0;
    const Knot& a = knots[i];
    if (arc_length <= a.arc_length || i + 1 == knots.size())
        return a.value + slope(knots, i) * (arc_length - a.arc_length);
    const Knot& b = knots[i + 1];
    const double h = b.arc_length - a.arc_length, u = (arc_length - a.arc_length) / h, v = 1 - u;
    return a.value * (1 + 2 * u) * v * v + b.value * (1 + 2 * v) * u * u +
           h * u * v * (slope(knots, i) * v - slope(knots, i + 1) * u);
}

/// Interpolates the radius between segment centres. It is constant at both ends and stays between the two radii, so it
/// never reaches zero.
double radius_between(const Piece& piece, size_t s, double u)
{
    const size_t other = u < 0.5 ? (s > 0 ? s - 1 : s) : std::min(s + 1, piece.radii.size() - 1);
    const double share = std::abs(u - 0.5), w = share * share * (3 - 2 * share);
    return piece.radii[s] * (1 - w) + piece.radii[other] * w;
}

/// Rings without twist, and the twist of the material relative to them at the middle of each segment.
struct UntwistedRings {
    std::vector<TubeRing> rings;
    std::vector<double> arc_lengths;  // per ring [m]
    std::vector<Knot> twists;

    void add(const Piece& piece, const TubeCurve& curve, size_t s, double u)
    {
        TubeRing ring;
        ring.centre = curve.at(s, u);
        ring.along = curve.along(s, u);
        ring.velocity = piece.velocities[s] * (1 - u) + piece.velocities[s + 1] * u;
        ring.radius = radius_between(piece, s, u);
        ring.across = rings.empty() ? any_perpendicular(ring.along)
                                    : transported(rings.back().across, rings.back().along, ring.along);
        rings.push_back(ring);
        arc_lengths.push_back(curve.arc_length(s, u));
    }

    /// The last ring added must be at the middle of the segment or the last one before it.
    void measure_twist(const Piece& piece, const TubeCurve& curve, size_t s)
    {
        const Vec3d along = curve.along(s, 0.5), material = material_at(piece, s, along);
        if (dot(material, material) == 0) return;
        double angle = angle_about(along, transported(rings.back().across, rings.back().along, along), material);
        if (!twists.empty()) angle += kTau * std::round((twists.back().value - angle) / kTau);  // take the shorter turn
        twists.push_back({curve.arc_length(s, 0.5), angle});
    }
};

void twist(UntwistedRings& untwisted)
{
    const std::vector<Knot>& knots = untwisted.twists;
    double previous = 0;
    size_t knot = 0;
    for (size_t i = 0; i < untwisted.rings.size(); ++i) {
        TubeRing& ring = untwisted.rings[i];
        const double arc_length = untwisted.arc_lengths[i];
        while (knot + 1 < knots.size() && knots[knot + 1].arc_length <= arc_length) ++knot;
        const double angle = smooth_between(knots, knot, arc_length);
        ring.across = ring.across * std::cos(angle) + cross(ring.along, ring.across) * std::sin(angle);
        ring.turn = i > 0 ? angle - previous : 0;
        previous = angle;
    }
}

TubePath path_of(const Piece& piece)
{
    const TubeCurve curve(piece.points);
    UntwistedRings untwisted;
    for (size_t s = 0; s < curve.segments(); ++s) {
        const int parts = parts_of(piece, curve, s);
        for (int k = 0; k < parts; ++k) {
            untwisted.add(piece, curve, s, static_cast<double>(k) / parts);
            if (k == parts / 2) untwisted.measure_twist(piece, curve, s);
        }
    }
    untwisted.add(piece, curve, curve.segments() - 1, 1);
    twist(untwisted);
    return {std::move(untwisted.rings), piece.torn_begin, piece.torn_end, piece.first, piece.last};
}

}  // namespace

std::vector<TubePath> make_tube_paths(const TubeString& string)
{
    const auto& first_point = string.curves.first_point;
    std::vector<Piece> pieces;
    for (size_t s = 0; s + 1 < first_point.size(); ++s)
        add_pieces(string, first_point[s], std::min<size_t>(first_point[s + 1], string.curves.points.size()), pieces);
    std::vector<TubePath> paths;
    paths.reserve(pieces.size());
    for (const Piece& piece : pieces) paths.push_back(path_of(piece));
    return paths;
}

}  // namespace tendril
