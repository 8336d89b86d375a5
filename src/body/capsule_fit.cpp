// Gauss-Newton with Levenberg's damping. Each sample pulls only on the nearest capsule of its bone, so that the normal
// equations decouple into one 8 x 8 system per capsule: fitting and assignment alternate, as in k-means.

#include "body/capsule_fit.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

constexpr int kUnknowns = 8;  // a, b, and their radii
using Column = std::array<double, kUnknowns>;
using Matrix = std::array<Column, kUnknowns>;

// A capsule that protrudes from the skin visibly lifts hair off it, while hair hides one that is too thin. Errors
// outside the skin therefore weigh more.
constexpr double kOutsideWeight = 3;
constexpr int kRounds = 12;  // for all capsules together, after each capsule is added
constexpr int kFinalRounds = 80;
constexpr int kTrialRounds = 8;  // to compare several splits

// --- principal axes

struct Axes {
    Vec3d middle{0, 0, 0};
    std::array<Vec3d, 3> direction;  // longest first
};

/// Eigenvectors of a symmetric matrix by Jacobi rotations, which need no elementary function but the square root.
std::array<Vec3d, 3> eigenvectors(std::array<std::array<double, 3>, 3> m, std::array<double, 3>& values)
{
    std::array<std::array<double, 3>, 3> v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int sweep = 0; sweep < 12; ++sweep)
        for (const auto& [p, q] : {std::array{0, 1}, std::array{0, 2}, std::array{1, 2}}) {
            if (m[p][q] == 0) continue;
            const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
            const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
            const double c = 1 / std::sqrt(t * t + 1), s = t * c;
            for (int k = 0; k < 3; ++k) {
                const double kp = m[k][p], kq = m[k][q];
                m[k][p] = c * kp - s * kq, m[k][q] = s * kp + c * kq;
            }
            for (int k = 0; k < 3; ++k) {
                const double pk = m[p][k], qk = m[q][k];
                m[p][k] = c * pk - s * qk, m[q][k] = s * pk + c * qk;
                const double vp = v[k][p], vq = v[k][q];
                v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
            }
        }
    values = {m[0][0], m[1][1], m[2][2]};
    return {{{v[0][0], v[1][0], v[2][0]}, {v[0][1], v[1][1], v[2][1]}, {v[0][2], v[1][2], v[2][2]}}};
}

Axes axes_of(std::span<const SkinSample> samples)
{
    Axes axes;
    double total = 0;
    for (const SkinSample& s : samples) axes.middle += s.position * s.area, total += s.area;
    axes.middle = axes.middle * (1 / total);
    std::array<std::array<double, 3>, 3> spread{};
    for (const SkinSample& s : samples) {
        const Vec3d d = s.position - axes.middle;
        const std::array<double, 3> x{d.x, d.y, d.z};
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) spread[i][k] += s.area * x[i] * x[k];
    }
    std::array<double, 3> values;
    const auto vectors = eigenvectors(spread, values);
    std::array<int, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](int i, int k) { return values[i] > values[k]; });
    for (int i = 0; i < 3; ++i) axes.direction[i] = unit_or(vectors[order[i]], {0, 1, 0});
    return axes;
}

/// A capsule around the samples along their longest direction, from which a fit starts.
Capsule initial_capsule(std::span<const SkinSample> samples, double min_radius)
{
    const Axes axes = axes_of(samples);
    const Vec3d u = axes.direction[0];
    double low = std::numeric_limits<double>::infinity(), high = -low, radius = 0, total = 0;
    for (const SkinSample& s : samples) {
        const Vec3d d = s.position - axes.middle;
        const double axial = dot(d, u);
        low = std::min(low, axial), high = std::max(high, axial);
        radius += s.area * length(d - u * axial);
        total += s.area;
    }
    radius = std::max(radius / total, min_radius);
    // The length includes the caps. A minimum length remains, because the ends of a sphere would never separate.
    const double half = std::max((high - low) / 2 - radius, 0.1 * radius), centre = (low + high) / 2;
    return {axes.middle + u * (centre - half), axes.middle + u * (centre + half), radius, radius};
}

// --- least squares

/// Cost of an error, rho = r^4 / (r^2 + c^2): a fourth power where it is small, so that the worst positions count most;
/// a square where it is large, so that an ear does not push out the capsules of the whole head.
struct Penalty {
    double cost, weight;  // weight: rho' / 2 r, for iteratively reweighted least squares
};

Penalty penalty(double r, double tolerance)
{
    const double r2 = r * r, c2 = tolerance * tolerance, side = r < 0 ? kOutsideWeight : 1, sum = r2 + c2;
    return {side * r2 * r2 / sum, side * r2 * (r2 + 2 * c2) / (sum * sum)};
}

struct Equations {
    Matrix left{};
    Column right{};
    double weight = 0;

    void add(const CapsuleSphere& sphere, double error, double w)
    {
        // By the envelope theorem, the nearest sphere stays the nearest to first order.
        const double s = sphere.share, o = 1 - s;
        const Vec3d n = sphere.away;
        const Column slope{-o * n.x, -o * n.y, -o * n.z, -s * n.x, -s * n.y, -s * n.z, -o, -s};
        for (int i = 0; i < kUnknowns; ++i) {
            for (int k = 0; k <= i; ++k) left[i][k] += w * slope[i] * slope[k];
            right[i] -= w * slope[i] * error;
        }
        weight += w;
    }
};

/// Solves by Cholesky decomposition; the damping makes the matrix positive definite.
Column solve(const Equations& e, double damping)
{
    Matrix l{};
    Column x{};
    for (int i = 0; i < kUnknowns; ++i) {
        for (int k = 0; k <= i; ++k) {
            double sum = e.left[i][k] + (i == k ? damping * e.weight : 0);
            for (int j = 0; j < k; ++j) sum -= l[i][j] * l[k][j];
            l[i][k] = i == k ? std::sqrt(std::max(sum, 1e-300)) : sum / l[k][k];
        }
        double sum = e.right[i];
        for (int j = 0; j < i; ++j) sum -= l[i][j] * x[j];
        x[i] = sum / l[i][i];
    }
    for (int i = kUnknowns; i-- > 0;) {
        for (int j = i + 1; j < kUnknowns; ++j) x[i] -= l[j][i] * x[j];
        x[i] /= l[i][i];
    }
    return x;
}

Capsule moved(const Capsule& c, const Column& x, double min_radius)
{
    return {c.a + Vec3d{x[0], x[1], x[2]}, c.b + Vec3d{x[3], x[4], x[5]}, std::max(c.radius_a + x[6], min_radius),
            std::max(c.radius_b + x[7], min_radius)};
}

struct Assignment {
    size_t capsule;
    CapsuleSphere sphere;
};

/// The capsule to which a skin sample belongs. A capsule that touches the skin from outside is penalized by its radius.
Assignment nearest_capsule(std::span<const Capsule> capsules, const SkinSample& s)
{
    Assignment best{0, {std::numeric_limits<double>::infinity(), 0, {0, 0, 0}}};
    double least_value = std::numeric_limits<double>::infinity();
    for (size_t c = 0; c < capsules.size(); ++c) {
        const CapsuleSphere sphere = nearest_sphere(capsules[c], s.position);
        const double radius = capsules[c].radius_a * (1 - sphere.share) + capsules[c].radius_b * sphere.share;
        const double value = sphere.distance + (dot(sphere.away, s.normal) < 0 ? radius : 0);
        if (value < least_value) least_value = value, best = {c, sphere};
    }
    return best;
}

/// Returns the cost of the capsules and sets up the equations of a step that lowers it.
double gather(const FitTarget& target, std::span<const Capsule> capsules, std::vector<Equations>& equations)
{
    equations.assign(capsules.size(), {});
    double cost = 0;
    const auto add = [&](const Assignment& assigned, double error, double area) {
        const Penalty p = penalty(error, target.tolerance);
        cost += area * p.cost;
        equations[assigned.capsule].add(assigned.sphere, error, area * p.weight);
    };
    for (const SkinSample& s : target.own) {
        const Assignment assigned = nearest_capsule(capsules, s);
        add(assigned, assigned.sphere.distance, s.area);
    }
    for (size_t c = 0; c < capsules.size(); ++c) {
        const Vec3d middle = (capsules[c].a + capsules[c].b) * 0.5;
        const double reach = length(capsules[c].b - middle) + std::max(capsules[c].radius_a, capsules[c].radius_b);
        for (const ClearancePoint& k : target.others) {
            const Vec3d d = k.position - middle;
            if (dot(d, d) > (reach + k.distance) * (reach + k.distance)) continue;
            const CapsuleSphere sphere = nearest_sphere(capsules[c], k.position);
            if (sphere.distance < k.distance) add({c, sphere}, sphere.distance - k.distance, k.area);
        }
    }
    return cost;
}

void refine(const FitTarget& target, CapsuleFit& fit, int rounds)
{
    std::vector<Equations> equations, next_equations;
    std::vector<Capsule> next(fit.capsules.size());
    fit.cost = gather(target, fit.capsules, equations);
    double damping = 1e-3;
    for (int round = 0; round < rounds && damping < 1e3; ++round) {
        for (size_t c = 0; c < next.size(); ++c)
            next[c] = equations[c].weight > 0 ? moved(fit.capsules[c], solve(equations[c], damping), target.min_radius)
                                              : fit.capsules[c];
        const double cost = gather(target, next, next_equations);
        if (cost < fit.cost) {
            fit.capsules.swap(next);
            equations.swap(next_equations);
            fit.cost = cost;
            damping = std::max(damping / 4, 1e-6);
        } else {
            damping *= 6;
        }
    }
}

// --- splits

/// Groups the samples by their nearest capsule.
std::vector<std::vector<SkinSample>> group_samples(const FitTarget& target, std::span<const Capsule> capsules)
{
    std::vector<std::vector<SkinSample>> groups(capsules.size());
    for (const SkinSample& s : target.own) groups[nearest_capsule(capsules, s).capsule].push_back(s);
    return groups;
}

/// Replaces one capsule by two: splits its samples across the principal axis that gives the lowest cost. For speed it
/// considers only these samples; the others matter when all capsules are refined together.
CapsuleFit split(const FitTarget& local)
{
    const Axes axes = axes_of(local.own);
    CapsuleFit best{{}, std::numeric_limits<double>::infinity()};
    for (const Vec3d& across : axes.direction) {
        std::vector<SkinSample> parts[2];
        for (const SkinSample& s : local.own) parts[dot(s.position - axes.middle, across) < 0 ? 0 : 1].push_back(s);
        if (parts[0].empty() || parts[1].empty()) continue;
        CapsuleFit pair;
        for (const auto& part : parts) pair.capsules.push_back(initial_capsule(part, local.min_radius));
        refine(local, pair, kTrialRounds);
        if (pair.cost < best.cost) best = std::move(pair);
    }
    return best;
}

}  // namespace

CapsuleSphere nearest_sphere(const Capsule& c, const Vec3d& p)
{
    const Vec3d axis = c.b - c.a, y = p - c.a;
    const double length2 = dot(axis, axis), growth = c.radius_b - c.radius_a;
    double t = growth > 0 ? 1 : 0;  // if one sphere contains the other
    if (growth * growth < length2) {
        const double axial = dot(y, axis) / length2, slant = growth / std::sqrt((length2 - growth * growth) * length2);
        t = std::clamp(axial + slant * length(y - axis * axial), 0.0, 1.0);
    }
    const Vec3d d = y - axis * t;
    const double l = length(d);
    return {l - (c.radius_a + growth * t), t, l > 0 ? d * (1 / l) : Vec3d{0, 1, 0}};
}

CapsuleFit fit_one(const FitTarget& target)
{
    CapsuleFit fit{{initial_capsule(target.own, target.min_radius)}, 0};
    refine(target, fit, kRounds);
    return fit;
}

CapsuleFit add_capsule(const FitTarget& target, const CapsuleFit& fit)
{
    constexpr size_t kCandidates = 4;  // the most expensive capsules
    const auto groups = group_samples(target, fit.capsules);
    std::vector<std::pair<double, size_t>> costs;
    std::vector<Equations> unused;
    FitTarget local{{}, target.others, target.tolerance, target.min_radius};
    for (size_t c = 0; c < groups.size(); ++c) {
        local.own = groups[c];
        if (!local.own.empty()) costs.emplace_back(-gather(local, std::span(fit.capsules).subspan(c, 1), unused), c);
    }
    std::sort(costs.begin(), costs.end());
    costs.resize(std::min(costs.size(), kCandidates));
    CapsuleFit pair;
    size_t where = 0;
    double most_gain = 0;
    for (const auto& [minus_cost, c] : costs) {
        local.own = groups[c];
        CapsuleFit candidate = split(local);
        const double gain = -minus_cost - candidate.cost;
        if (gain <= most_gain) continue;
        most_gain = gain;
        where = c;
        pair = std::move(candidate);
    }
    if (pair.capsules.empty()) return fit;
    CapsuleFit result = fit;
    result.capsules[where] = pair.capsules[0];
    result.capsules.push_back(pair.capsules[1]);
    refine(target, result, kRounds);
    return result.cost < fit.cost ? result : fit;
}

void polish(const FitTarget& target, CapsuleFit& fit)
{
    refine(target, fit, kFinalRounds);
}

}  // namespace tendril
