#include "solvers/solver.h"

#include "solvers/points.h"

namespace tendril {

std::unique_ptr<Solver> make_solver(const SolverSettings& settings)
{
    switch (settings.type) {
        case SolverType::kDftl:
        case SolverType::kChainShape: break;  // strings have a world of their own, see StringGrooms
        case SolverType::kPbd:
        case SolverType::kXpbd: return make_points_solver(settings, solve_pbd);
        case SolverType::kDirect: return make_points_solver(settings, solve_direct);
        case SolverType::kSpring: return make_points_solver(settings, solve_spring);
        case SolverType::kImplicitSpring: return make_points_solver(settings, solve_implicit_spring);
        case SolverType::kTressfx: return make_points_solver(settings, solve_tressfx);
        case SolverType::kTractrix:
        case SolverType::kTractrixEmulation:
        case SolverType::kTractrixSplit:
        case SolverType::kTractrixFtl: return make_points_solver(settings, solve_tractrix);
    }
    return make_dftl_solver(settings.dftl);
}

ShapeSettings shape_for(const SolverSettings& settings)
{
    ShapeSettings targets;
    if (settings.type == SolverType::kTressfx) {
        targets.local = settings.tressfx.local_stiffness;
        targets.global = settings.tressfx.global_stiffness;
    } else if (settings.type == SolverType::kTractrixSplit) {
        targets.global = 1;
    } else {
        return settings.shape;
    }
    return targets;
}

}  // namespace tendril
