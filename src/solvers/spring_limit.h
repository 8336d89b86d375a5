/// The stiffness of the springs of strands, and its limit: symplectic Euler is unstable above it. See docs/springs.md.
#pragma once

#include "solvers/points.h"
#include "strands/strands.h"
#include "tendril/result.h"
#include "tendril/settings.h"

#include <optional>

namespace tendril {

/// Largest stiffness over the mass of a particle [1/s^2] at which a chain is stable with steps of tau seconds.
/// `damping` is that of SpringSettings. Additional holds only make a chain more stable.
double stiffest_spring(int levels, Ends ends, double damping, double tau);

/// Number of parts that a substep of the world is divided into; above 1 only for springs with symplectic Euler.
int spring_substeps(const SolverSettings& settings);

/// The springs of one groom.
struct SpringRate {
    double rate = 0;        ///< stiffness over the mass of a particle [1/s^2]
    bool softened = false;  ///< it is less than requested, because the step would be unstable
};
/// Chooses the springs of a groom for steps of tau seconds.
SpringRate spring_rate(const SolverSettings& settings, const Strands& strands, double mass, double tau);

/// The kernel of SolverType::kSpring. It does not check the stiffness of the task.
void solve_spring(const PointsTask& task, size_t begin, size_t end);

/// A solver with springs of the requested stiffness, softened if the step would be unstable.
class SpringSolver final : public PointsSolver {
public:
    using PointsSolver::PointsSolver;

private:
    void prepare(PointsTask& task, SolveReport& report) override;
};

/// Returns an error if springs are too stiff for strands of `levels` particles of a mass [kg] in substeps of h seconds,
/// which are yet to be divided into parts.
std::optional<Error> check_spring(const SolverSettings& settings, int levels, Ends ends, double mass, double h);

}  // namespace tendril
