/// How stiff the springs of strands may be, and are: symplectic Euler takes only so much. See docs/methods.md.
#pragma once

#include "solvers/points.h"
#include "strands/strands.h"
#include "tendril/result.h"
#include "tendril/settings.h"

#include <optional>

namespace tendril {

/// Largest stiffness over the mass of a particle [1/s^2] with which a chain is stable in steps of tau seconds;
/// `damping` as in SpringSettings. Holds in between only make it more stable.
double stiffest_spring(int levels, Ends ends, double damping, double tau);

/// How many parts a substep of the world has: springs with symplectic Euler take smaller ones.
int parts_of_substep(const SolverSettings& settings);

/// The springs of one groom.
struct SpringRate {
    double rate = 0;        ///< stiffness over the mass of a particle [1/s^2]
    bool softened = false;  ///< it is less than was asked for, because the step cannot take that
};
/// Over steps of tau seconds.
SpringRate spring_rate(const SolverSettings& settings, const Strands& strands, double mass, double tau);

/// The kernel of SolverType::kSpring, with whatever stiffness the task has.
void solve_spring(const PointsTask& task, size_t begin, size_t end);

/// A solver whose springs are as stiff as they should be, or as the step can take.
class SpringSolver final : public PointsSolver {
public:
    using PointsSolver::PointsSolver;

private:
    void prepare(PointsTask& task, SolveReport& report) override;
};

/// What is wrong with the stiffness for strands of so many particles of a mass in substeps of h seconds, of which each
/// is still to be divided, if anything.
std::optional<Error> check_spring(const SolverSettings& settings, int levels, Ends ends, double mass, double h);

}  // namespace tendril
