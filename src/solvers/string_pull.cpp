// Lengths where a substep is too long for their tension. The multipliers of string_length.cpp take directions as they
// are, which sets strings that are pulled hard into ever wilder motion across themselves once h > sqrt(m l / T). Here
// the end of the substep is where inertia and the pull of all segments balance, pull across included: implicit Euler,
// which loses motion that it cannot follow and gains none.
#include "solvers/strings.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// A symmetric matrix of 3 x 3 numbers.
struct Symmetric {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

    Symmetric operator+(const Symmetric& b) const
    {
        return {xx + b.xx, xy + b.xy, xz + b.xz, yy + b.yy, yz + b.yz, zz + b.zz};
    }
    Symmetric operator-(const Symmetric& b) const
    {
        return {xx - b.xx, xy - b.xy, xz - b.xz, yy - b.yy, yz - b.yz, zz - b.zz};
    }
    Vec3d operator*(const Vec3d& v) const
    {
        return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    }
    Symmetric inverse() const
    {
        const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
        const double per = 1 / (xx * a + xy * b + xz * c);
        return {
            a * per, b * per, c * per, (xx * zz - xz * xz) * per, (xy * xz - xx * yz) * per, (xx * yy - xy * xy) * per};
    }
};

/// `along` in the direction of a unit vector, `across` it everywhere else.
Symmetric stiffness_of(const Vec3d& n, double along, double across)
{
    const double d = along - across;
    return {across + d * n.x * n.x, d * n.x * n.y, d * n.x * n.z,
            across + d * n.y * n.y, d * n.y * n.z, across + d * n.z * n.z};
}

/// k b k, which is symmetric for symmetric k and b.
Symmetric sandwiched(const Symmetric& k, const Symmetric& b)
{
    const Vec3d x = k * (b * Vec3d{k.xx, k.xy, k.xz}), y = k * (b * Vec3d{k.xy, k.yy, k.yz}),
                z = k * (b * Vec3d{k.xz, k.yz, k.zz});
    return {x.x, x.y, x.z, y.y, y.z, z.z};
}

struct Row {
    Symmetric per_diagonal, ahead;  // of the particle; of the segment that begins there
    Vec3d right, step;
};

constexpr double kHeld = 1e30;    // [kg/s^2]: as good as immovable
constexpr int kMostSteps = 12;    // of Newton
constexpr int kMostHalvings = 8;  // of one that would lead away
constexpr double kThere = 2e-3;   // after a step below this share of a segment the next would be its square
constexpr double kSafe = 0.05;    // and those below this do not lead away

/// What is least at the end: the energy in the segments, and inertia over the substep as springs to where particles
/// would be without lengths, all moved on by `share` of a step.
double energy_at(const Strings& s, const StringPiece& piece, double h, const std::vector<Row>& rows, double share)
{
    double sum = 0;
    for (size_t i = piece.first; i <= piece.last; ++i) {
        const Vec3d step = rows[i - piece.first].step * share, off = s.by_lengths[i] + step;
        if (s.lightness[i] > 0) sum += dot(off, off) / (s.lightness[i] * h * h) / 2;
        if (i == piece.last) break;
        const double ease = s.ease_length(i);
        const double over = length(s.edge(i) + rows[i + 1 - piece.first].step * share - step) - ease;
        sum += s.stiffness[i] / ease * over * over / 2;
    }
    return sum;
}

/// The step of Newton from where particles are.
void find_step(const Strings& s, const StringPiece& piece, double h, std::vector<Row>& rows)
{
    const size_t n = piece.segments() + 1;
    Vec3d pull_behind{0, 0, 0};  // of the segment before, on this particle
    Symmetric behind{};
    for (size_t k = 0; k < n; ++k) {
        const size_t i = piece.first + k;
        Row& row = rows[k];
        Vec3d pull{0, 0, 0};
        row.ahead = {};
        if (k + 1 < n) {
            const Vec3d e = s.edge(i);
            const double l = std::max(length(e), 1e-9), ease = s.ease_length(i), rate = s.stiffness[i] / ease;
            const double tension = rate * (l - ease);
            const Vec3d unit = e * (1 / l);
            pull = unit * tension;
            row.ahead = stiffness_of(unit, rate, std::max(tension, 0.0) / l);
        }
        const bool free = s.lightness[i] > 0;
        const double inertia = free ? 1 / (s.lightness[i] * h * h) : kHeld;
        row.right = free ? pull - pull_behind - s.by_lengths[i] * inertia : Vec3d{0, 0, 0};
        Symmetric diagonal = row.ahead + behind;
        diagonal.xx += inertia, diagonal.yy += inertia, diagonal.zz += inertia;
        if (k > 0) {
            // Off the diagonal the matrix has minus the stiffness of the segment between.
            diagonal = diagonal - sandwiched(behind, rows[k - 1].per_diagonal);
            row.right += behind * (rows[k - 1].per_diagonal * rows[k - 1].right);
        }
        row.per_diagonal = diagonal.inverse();
        pull_behind = pull;
        behind = row.ahead;
    }
    for (size_t k = n; k-- > 0;) {
        const Vec3d next = k + 1 < n ? rows[k].ahead * rows[k + 1].step : Vec3d{0, 0, 0};
        rows[k].step =
            s.lightness[piece.first + k] > 0 ? rows[k].per_diagonal * (rows[k].right + next) : Vec3d{0, 0, 0};
    }
}

}  // namespace

void pull_lengths(Strings& s, const StringPiece& piece, double h)
{
    thread_local std::vector<Row> rows;
    rows.resize(piece.segments() + 1);
    for (int iteration = 0; iteration < kMostSteps; ++iteration) {
        find_step(s, piece, h, rows);
        double share = 1, farthest2 = 0;
        for (const Row& row : rows) farthest2 = std::max(farthest2, dot(row.step, row.step));
        const double segment2 = s.rest[piece.first] * s.rest[piece.first];
        if (farthest2 > kSafe * kSafe * segment2) {
            const double now = energy_at(s, piece, h, rows, 0);
            for (int k = 0; k < kMostHalvings && energy_at(s, piece, h, rows, share) > now; ++k) share /= 2;
        }
        for (size_t i = piece.first; i <= piece.last; ++i) {
            const Vec3d step = rows[i - piece.first].step * share;
            s.place[i] += step;
            s.by_lengths[i] += step;
        }
        if (farthest2 < kThere * kThere * segment2) break;
    }
    for (size_t i = piece.first; i < piece.last; ++i)
        s.tension[i] = s.stiffness[i] / s.ease_length(i) * (length(s.edge(i)) - s.ease_length(i));
}

}  // namespace tendril
