#include "solvers/solver.h"

#include "solvers/points.h"

namespace tendril {

std::unique_ptr<Solver> make_solver(const SolverSettings& settings)
{
    switch (settings.type) {
        case SolverType::kDftl: break;
        case SolverType::kPbd:
        case SolverType::kXpbd: return make_points_solver(settings, solve_pbd);
        case SolverType::kDirect: return make_points_solver(settings, solve_direct);
        case SolverType::kTractrix:
        case SolverType::kTractrixEmulation:
        case SolverType::kTractrixSplit:
        case SolverType::kTractrixFtl: return make_points_solver(settings, solve_tractrix);
    }
    return make_dftl_solver(settings.dftl);
}

}  // namespace tendril
