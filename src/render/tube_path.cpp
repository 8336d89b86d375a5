// Tubes follow a centripetal Catmull-Rom curve, which neither loops nor overshoots where segments differ in length.
// [Yuksel11] C. Yuksel, S. Schaefer, J. Keyser: Parameterization and Applications of Catmull-Rom Curves, CAD 2011.
// Their material is measured against a frame that is carried along without turning about the curve [Bishop75], so that
// what is left is the twist, one angle per segment, which can be made smooth by itself.
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
/// Points nearer to each other than so many radii are one: their direction would be noise.
constexpr double kSamePlace = 1e-3;

/// One tube before it is made smooth: there is one more point than segments.
struct Piece {
    std::vector<Vec3d> points, velocities;
    std::vector<double> radii;  // per segment
    std::vector<Vec3d> across;  // per segment; zero: not known
    bool torn_begin = false, torn_end = false;
    uint32_t first = 0, last = 0;  // points of the curves
};

Vec3d place(const TubeString& string, size_t i)
{
    return to_double(string.curves.points[i]);
}

double radius_at(const TubeString& string, size_t i)
{
    constexpr double kLargest = 1e3;
    const double width = i < string.widths.size() ? static_cast<double>(string.widths[i]) * string.width_scale : 0;
    return width > 0 && std::isfinite(width) ? std::clamp(0.5 * width, 1e-9, kLargest) : 0;
}

/// Whether there is a segment after a point of a strand that ends before `end`.
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

/// The points from `first` to `last`, all of which are joined by segments.
Piece piece_between(const TubeString& string, size_t first, size_t last)
{
    Piece piece;
    piece.first = static_cast<uint32_t>(first);
    piece.last = static_cast<uint32_t>(last);
    piece.points.push_back(place(string, first));
    piece.velocities.push_back(velocity_at(string, first));
    for (size_t i = first; i < last; ++i) {
        const Vec3d next = place(string, i + 1);
        const double radius = radius_at(string, i);
        if (length(next - piece.points.back()) <= kSamePlace * radius) continue;
        piece.points.push_back(next);
        piece.velocities.push_back(velocity_at(string, i + 1));
        piece.radii.push_back(radius);
        piece.across.push_back(across_at(string, i));
    }
    return piece;
}

/// How far a torn end reaches into the missing segment `gap`: half of what it was, as its neighbours tell.
double stub_length(const TubeString& string, size_t gap, size_t begin, size_t end)
{
    double sum = 0;
    int count = 0;
    const auto measure = [&](size_t i) {
        if (!has_segment(string, i, end)) return;
        sum += length(place(string, i + 1) - place(string, i));
        ++count;
    };
    if (gap > begin) measure(gap - 1);
    measure(gap + 1);
    return count > 0 ? 0.5 * sum / count : 0;
}

/// A torn end at the back, of which the fibres take a part. A short one keeps some of its length.
void add_stub(Piece& piece, double stub)
{
    const double radius = piece.radii.back();
    const double rest = std::max(stub - kFrayedReach * radius, 0.1 * stub);
    if (rest <= kSamePlace * radius) return;
    const Vec3d last = piece.points.back(), velocity = piece.velocities.back();
    piece.points.push_back(last + unit_or(last - piece.points[piece.points.size() - 2], {0, 1, 0}) * rest);
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
        first = last;  // no segment begins there
    }
}

/// The smooth curve through the points of a piece. Segment s runs from u = 0 to u = 1.
class TubeCurve {
public:
    explicit TubeCurve(const std::vector<Vec3d>& points) : points_(points)
    {
        const size_t n = points.size();
        start_.assign(1, 0.0);
        for (size_t s = 0; s + 1 < n; ++s) {
            const double l = length(points[s + 1] - points[s]);
            start_.push_back(start_[s] + l);
            step_.push_back(std::sqrt(l));
        }
        speed_.resize(n);
        for (size_t i = 1; i + 1 < n; ++i)
            speed_[i] = chord(i - 1) + chord(i) - (points[i + 1] - points[i - 1]) * (1 / (step_[i - 1] + step_[i]));
        // No curvature at the ends.
        speed_[0] = n > 2 ? chord(0) * 1.5 - speed_[1] * 0.5 : chord(0);
        speed_[n - 1] = n > 2 ? chord(n - 2) * 1.5 - speed_[n - 2] * 0.5 : chord(0);
    }

    size_t segments() const { return step_.size(); }
    /// Way along the string [m].
    double way(size_t s, double u) const { return start_[s] + (start_[s + 1] - start_[s]) * u; }

    Vec3d at(size_t s, double u) const
    {
        const double v = 1 - u;
        return points_[s] * ((1 + 2 * u) * v * v) + points_[s + 1] * ((1 + 2 * v) * u * u) +
               speed_[s] * (step_[s] * u * v * v) - speed_[s + 1] * (step_[s] * u * u * v);
    }

    /// Unit.
    Vec3d along(size_t s, double u) const
    {
        const double v = 1 - u;
        const Vec3d edge = points_[s + 1] - points_[s];
        const Vec3d d = edge * (6 * u * v) + speed_[s] * (step_[s] * v * (1 - 3 * u)) +
                        speed_[s + 1] * (step_[s] * u * (3 * u - 2));
        return unit_or(d, unit_or(edge, {0, 1, 0}));
    }

private:
    Vec3d chord(size_t s) const { return (points_[s + 1] - points_[s]) * (1 / step_[s]); }

    const std::vector<Vec3d>& points_;
    std::vector<double> start_;  // way to each point [m]
    std::vector<double> step_;   // of the curve's parameter, per segment: root of its length
    std::vector<Vec3d> speed_;   // by the parameter, at each point
};

/// What is across one direction, carried to another without turning about it.
Vec3d carried(const Vec3d& across, const Vec3d& from, const Vec3d& to)
{
    const double c = 1 + dot(from, to);
    const Vec3d turned = c > 1e-6 ? across - (from + to) * (dot(across, to) / c) : across;
    return unit_or(turned - to * dot(turned, to), any_across(to));
}

/// From one direction across an axis to another, in (-pi, pi].
double angle_about(const Vec3d& axis, const Vec3d& from, const Vec3d& to)
{
    return std::atan2(dot(cross(from, to), axis), dot(from, to));
}

double angle_between(const Vec3d& a, const Vec3d& b)
{
    return std::atan2(length(cross(a, b)), dot(a, b));
}

/// The part of a segment's material direction that is across the curve; zero where there is none.
Vec3d material_at(const Piece& piece, size_t s, const Vec3d& along)
{
    constexpr double kParallel = 1e-3;
    const Vec3d part = piece.across[s] - along * dot(piece.across[s], along);
    const double l = length(part);
    return l > kParallel ? part * (1 / l) : Vec3d{0, 0, 0};
}

/// How far the material of the segment after s is turned against that of s [rad], roughly.
double turn_after(const Piece& piece, const TubeCurve& curve, size_t s)
{
    if (s + 1 >= curve.segments()) return 0;
    const Vec3d a = curve.along(s, 0.5), joint = curve.along(s, 1), b = curve.along(s + 1, 0.5);
    const Vec3d before = material_at(piece, s, a), after = material_at(piece, s + 1, b);
    if (dot(before, before) == 0 || dot(after, after) == 0) return 0;
    return angle_about(b, carried(carried(before, a, joint), joint, b), after);
}

/// Into how many parts a segment is cut so that its outline is smooth.
int parts_of(const Piece& piece, const TubeCurve& curve, size_t s)
{
    constexpr double kMostBend = 0.08, kMostTurn = 0.3;  // between two rings [rad]; a wall between two that are turned
                                                         // more against each other would cave in by more than 1 %
    constexpr double kMost = 12, kTapered = 4;
    const Vec3d middle = curve.along(s, 0.5);
    const double bend = angle_between(curve.along(s, 0), middle) + angle_between(middle, curve.along(s, 1));
    double turn = 0;  // also of the joints beyond the neighbours: the twist goes on into stubs
    for (size_t k = s - std::min<size_t>(s, 2); k < s + 2; ++k)
        turn = std::max(turn, std::abs(turn_after(piece, curve, k)));
    const auto differs = [&](size_t other) { return std::abs(piece.radii[other] / piece.radii[s] - 1) > 0.02; };
    const bool tapered = (s > 0 && differs(s - 1)) || (s + 1 < piece.radii.size() && differs(s + 1));
    const double parts = std::max({bend / kMostBend, turn / kMostTurn, tapered ? kTapered : 1.0});
    return static_cast<int>(std::ceil(std::min(parts, kMost)));
}

/// A value that is known at some places along the string.
struct Knot {
    double way, value;
};

double slope(const std::vector<Knot>& knots, size_t i)
{
    const auto rise = [&](size_t k) {
        return (knots[k + 1].value - knots[k].value) / (knots[k + 1].way - knots[k].way);
    };
    if (knots.size() < 2) return 0;
    if (i == 0) return rise(0);
    if (i + 1 == knots.size()) return rise(i - 1);
    const double before = knots[i].way - knots[i - 1].way, after = knots[i + 1].way - knots[i].way;
    return (rise(i - 1) * after + rise(i) * before) / (before + after);
}

/// Smooth through the knots, straight on beyond them. `i` is the last knot before, or the first of all.
double smooth_between(const std::vector<Knot>& knots, size_t i, double way)
{
    if (knots.empty()) return 0;
    const Knot& a = knots[i];
    if (way <= a.way || i + 1 == knots.size()) return a.value + slope(knots, i) * (way - a.way);
    const Knot& b = knots[i + 1];
    const double h = b.way - a.way, u = (way - a.way) / h, v = 1 - u;
    return a.value * (1 + 2 * u) * v * v + b.value * (1 + 2 * v) * u * u +
           h * u * v * (slope(knots, i) * v - slope(knots, i + 1) * u);
}

/// Constant over the ends, and never beyond the two values that it leads between: radii stay above zero.
double radius_between(const Piece& piece, size_t s, double u)
{
    const size_t other = u < 0.5 ? (s > 0 ? s - 1 : s) : std::min(s + 1, piece.radii.size() - 1);
    const double share = std::abs(u - 0.5), w = share * share * (3 - 2 * share);
    return piece.radii[s] * (1 - w) + piece.radii[other] * w;
}

/// Rings without twist, and the twist of the material against them at the middle of each segment.
struct Untwisted {
    std::vector<TubeRing> rings;
    std::vector<double> ways;  // per ring [m]
    std::vector<Knot> twists;

    void add(const Piece& piece, const TubeCurve& curve, size_t s, double u)
    {
        TubeRing ring;
        ring.centre = curve.at(s, u);
        ring.along = curve.along(s, u);
        ring.velocity = piece.velocities[s] * (1 - u) + piece.velocities[s + 1] * u;
        ring.radius = radius_between(piece, s, u);
        ring.across =
            rings.empty() ? any_across(ring.along) : carried(rings.back().across, rings.back().along, ring.along);
        rings.push_back(ring);
        ways.push_back(curve.way(s, u));
    }

    /// The last ring is the one at the middle of the segment, or the last before it.
    void measure_twist(const Piece& piece, const TubeCurve& curve, size_t s)
    {
        const Vec3d along = curve.along(s, 0.5), material = material_at(piece, s, along);
        if (dot(material, material) == 0) return;
        double angle = angle_about(along, carried(rings.back().across, rings.back().along, along), material);
        if (!twists.empty()) angle += kTau * std::round((twists.back().value - angle) / kTau);  // the shorter way round
        twists.push_back({curve.way(s, 0.5), angle});
    }
};

void twist(Untwisted& untwisted)
{
    const std::vector<Knot>& knots = untwisted.twists;
    double before = 0;
    size_t knot = 0;
    for (size_t i = 0; i < untwisted.rings.size(); ++i) {
        TubeRing& ring = untwisted.rings[i];
        const double way = untwisted.ways[i];
        while (knot + 1 < knots.size() && knots[knot + 1].way <= way) ++knot;
        const double angle = smooth_between(knots, knot, way);
        ring.across = ring.across * std::cos(angle) + cross(ring.along, ring.across) * std::sin(angle);
        ring.turn = i > 0 ? angle - before : 0;
        before = angle;
    }
}

TubePath path_of(const Piece& piece)
{
    const TubeCurve curve(piece.points);
    Untwisted untwisted;
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
