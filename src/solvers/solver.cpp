#include "solvers/solver.h"

#include <new>

namespace tendril {

// Each is defined in the file of its method.
std::unique_ptr<Solver> make_dftl_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_printed_dftl_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_pbd_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_direct_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_spring_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_implicit_spring_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_tressfx_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_tractrix_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_printed_pbd_solver(const SolverSettings& settings);
std::unique_ptr<Solver> make_printed_tractrix_solver(const SolverSettings& settings);

std::unique_ptr<Solver> make_solver(const SolverSettings& settings)
{
    switch (settings.type) {
        case SolverType::kDftl:
            return settings.is_printed() ? make_printed_dftl_solver(settings) : make_dftl_solver(settings);
        case SolverType::kPbd:
            if (settings.is_printed()) return make_printed_pbd_solver(settings);
            [[fallthrough]];
        case SolverType::kXpbd: return make_pbd_solver(settings);
        case SolverType::kDirect: return make_direct_solver(settings);
        case SolverType::kSpring: return make_spring_solver(settings);
        case SolverType::kImplicitSpring: return make_implicit_spring_solver(settings);
        case SolverType::kTressfx: return make_tressfx_solver(settings);
        case SolverType::kTractrix:
        case SolverType::kTractrixEmulation:
        case SolverType::kTractrixSplit:
            if (settings.is_printed()) return make_printed_tractrix_solver(settings);
            [[fallthrough]];
        case SolverType::kTractrixFtl: return make_tractrix_solver(settings);
        case SolverType::kChainShape: break;  // it moves strings
    }
    return nullptr;
}

bool has_solver(SolverType type)
{
    return type != SolverType::kChainShape;
}

float* kernel_workspace(size_t floats)
{
    struct Delete {
        void operator()(float* p) const { ::operator delete(p, std::align_val_t(64)); }
    };
    thread_local std::unique_ptr<float, Delete> workspace;
    thread_local size_t size = 0;
    if (size < floats) {
        workspace.reset();
        // Not filled: a method has rows that few blocks need, and the system provides pages when they are first used.
        workspace.reset(static_cast<float*>(::operator new(floats * sizeof(float), std::align_val_t(64))));
        size = floats;
    }
    return workspace.get();
}

ShapeSettings shape_for(const Behaviour& behaviour)
{
    const SolverSettings& solver = behaviour.solver;
    ShapeSettings targets;
    if (solver.type == SolverType::kTressfx) {
        targets.local = solver.tressfx.local_stiffness;
        targets.global = solver.tressfx.global_stiffness;
    } else if (solver.type == SolverType::kTractrixSplit) {
        targets.global = 1;
    } else {
        return behaviour.shape;
    }
    return targets;
}

}  // namespace tendril
