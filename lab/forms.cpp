#include "forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace tendril::app {
namespace {

struct PrintedMethod {
    std::string_view paper, method;
};

// [Sanchez15] 3.1 takes its lengths and velocities from [Mueller12]; what it adds is the shape and the fluid.
constexpr std::array kPrintedMethods{PrintedMethod{"mueller12", "dftl"},
                                     PrintedMethod{"mueller12", "grid"},
                                     PrintedMethod{"sanchez15", "shape"},
                                     PrintedMethod{"sanchez15", "sph"},
                                     PrintedMethod{"rungjiratananon11", "chain_shape"},
                                     PrintedMethod{"zappe20", "tractrix"},
                                     PrintedMethod{"zappe20", "tractrix_emulation"},
                                     PrintedMethod{"zappe20", "tractrix_split"},
                                     PrintedMethod{"boercsoek20", "pbd"}};

void add(std::vector<FormUse>& forms, std::string_view method, bool printed)
{
    const auto same = [&](const FormUse& one) { return one.method == method; };
    const auto found = std::find_if(forms.begin(), forms.end(), same);
    if (found == forms.end())
        forms.push_back({std::string(method), printed});
    else
        found->printed &= printed;
}

void add_interaction(std::vector<FormUse>& forms, const InteractionSettings& interaction)
{
    const bool paper = interaction.form == Form::kPaper;
    const GridSettings& grid = interaction.grid;
    if (interaction.method == InteractionMethod::kGrid && (grid.friction > 0 || grid.repulsion > 0))
        add(forms, "grid", paper);
    if (interaction.method == InteractionMethod::kSph) add(forms, "sph", paper);
}

}  // namespace

std::vector<FormUse> forms_of(const Scene& scene)
{
    std::vector<FormUse> forms;
    bool has_hair = false;
    for (size_t g = 0; g < scene.grooms.size(); ++g) {
        const Behaviour behaviour = behaviour_of(scene, g);
        const SolverSettings& solver = behaviour.solver;
        if (has_paper_form(solver.type))
            add(forms, kSolverNames[static_cast<size_t>(solver.type)], solver.is_printed());
        if (solver.type == SolverType::kChainShape) continue;  // has neither
        has_hair = true;
        const ShapeSettings& shape = behaviour.shape;
        if (shape.local > 0 || shape.global > 0) add(forms, "shape", shape.form == Form::kPaper);
    }
    if (has_hair) add_interaction(forms, scene.world.interaction);
    return forms;
}

bool prints(std::string_view paper, std::string_view method)
{
    return std::any_of(kPrintedMethods.begin(), kPrintedMethods.end(),
                       [&](const PrintedMethod& one) { return one.paper == paper && one.method == method; });
}

FormsRun forms_run(std::string_view paper, const std::vector<SceneUse>& uses)
{
    FormsRun out;
    std::vector<std::string> ours;
    for (const SceneUse& use : uses) {
        out.opened = true;
        for (const std::vector<FormUse>& forms : use.forms) {
            size_t own = 0, printed = 0;
            for (const FormUse& form : forms) {
                if (!prints(paper, form.method)) continue;
                ++own;
                printed += form.printed;
                if (!form.printed && std::find(ours.begin(), ours.end(), form.method) == ours.end())
                    ours.push_back(form.method);
            }
            out.two_forms |= own > 0;
            out.printed |= own > 0 && printed == own;
        }
    }
    if (!out.printed) out.ours = fmt::format("{}", fmt::join(ours, " or "));
    return out;
}

}  // namespace tendril::app
