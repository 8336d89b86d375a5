#include "solvers/solver.h"

namespace tendril {

std::unique_ptr<Solver> make_solver(const SolverSettings& settings)
{
    switch (settings.type) {
        case SolverType::kDftl: return make_dftl_solver(settings.dftl);
    }
    return make_dftl_solver(settings.dftl);
}

}  // namespace tendril
