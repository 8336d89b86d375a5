#include "solvers/spring_limit.h"

#include "math/elementary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

// Defaults if no stiffness is requested. For symplectic Euler: a share of the stability limit. For implicit Euler: a
// stiffness, in units of mass over squared step, that stretches a hanging segment by a thousandth of the distance that
// a particle falls in a step.
constexpr double kShareOfStiffest = 0.5, kDefaultStiffness = 1000;
// Largest stiffness for implicit Euler in the same units; floats cannot resolve a stiffer spring.
constexpr double kMaxStiffness = 1e5;

/// Largest eigenvalue of a chain, in units of stiffness over mass. It approaches 4 for long chains.
double largest_eigenvalue(int levels, Ends ends)
{
    const double n = levels;
    const double part = ends == Ends::kBothHeld ? n - 1 : ends == Ends::kRootHeld ? n - 0.5 : n;
    if (part <= 1) return 1;  // nothing can move
    return 2 + 2 * sin_cos(std::numbers::pi / part).cos;
}

/// Rounds down to four digits.
double rounded_down(double x)
{
    const double unit = std::pow(10.0, std::floor(std::log10(x)) - 3);
    return std::floor(x / unit) * unit;
}

}  // namespace

// With x, x' and x'' the displacement of a mode at three consecutive steps, w^2 = rate times its eigenvalue and c = 2
// damping sqrt(rate) times the same, a step is x'' - (2 - c tau - w^2 tau^2) x' + (1 - c tau) x = 0. It is stable where
// w^2 tau^2 + 2 c tau < 4.
double stiffest_spring(int levels, Ends ends, double damping, double tau)
{
    const double limit = 4 / largest_eigenvalue(levels, ends), twice = 2 * damping;
    const double root = limit / (std::sqrt(twice * twice + limit) + twice);
    return root * root / (tau * tau);
}

int spring_substeps(const SolverSettings& settings)
{
    return settings.type == SolverType::kSpring ? settings.spring.substeps : 1;
}

SpringRate spring_rate(const SolverSettings& settings, const Strands& strands, double mass, double tau)
{
    const double requested = static_cast<double>(settings.spring.stiffness) / mass;
    if (settings.type == SolverType::kImplicitSpring) {
        const double limit = kMaxStiffness / (tau * tau);
        return {requested > 0 ? std::min(requested, limit) : kDefaultStiffness / (tau * tau)};
    }
    if (settings.type != SolverType::kSpring) return {};
    double stiffest = 0;
    for (const Bucket& bucket : strands.buckets()) {
        const double damping = static_cast<double>(settings.spring.damping);
        const double own = stiffest_spring(bucket.levels, bucket.ends, damping, tau);
        stiffest = stiffest > 0 ? std::min(stiffest, own) : own;
    }
    if (!(requested > 0)) return {kShareOfStiffest * stiffest};
    return requested > stiffest ? SpringRate{kShareOfStiffest * stiffest, true} : SpringRate{requested};
}

void SpringSolver::prepare(PointsTask& task, SolveReport& report)
{
    const double tau = task.input->dt / task.input->substeps();
    const SpringRate spring = spring_rate(settings(), *task.strands, task.input->particle_mass, tau);
    task.spring_rate = spring.rate;
    report.softened = spring.softened;
}

std::optional<Error> check_spring(const SolverSettings& settings, int levels, Ends ends, double mass, double h)
{
    if (settings.type != SolverType::kSpring) return {};
    const SpringSettings& spring = settings.spring;
    const double tau = h / spring_substeps(settings), damping = static_cast<double>(spring.damping);
    const double limit = mass * stiffest_spring(levels, ends, damping, tau);
    if (!(static_cast<double>(spring.stiffness) > limit)) return {};
    return Error{
        fmt::format("solver.spring_stiffness = {} N/m would be unstable: with steps of {:.3g} s, particles of "
                    "{:.3g} kg and a damping of {:.3g} at most {:.6g} N/m is stable; ask for less, for more "
                    "solver.spring_substeps or for \"implicit_spring\"",
                    spring.stiffness, tau, mass, damping, rounded_down(limit))};
}

}  // namespace tendril
