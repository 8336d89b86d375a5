// [Mueller12] section 4: the stiffest springs that symplectic Euler can integrate.
#include "mueller12.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril::app::mueller {
namespace {

constexpr const char* kSpringScene = "papers/mueller12_fig7";
constexpr double kPrintedStiffness[]{100, 3000};  // [N/m], with 2 and 20 substeps
constexpr int kPrintedSubsteps[]{2, 20};
constexpr double kEitherWay = 2;  // factor within which a limit is the printed one

/// Whether springs stay stable while the rope is dragged for 4 s. The engine refuses springs above the limit of linear
/// theory; others are unstable if a particle becomes faster than it could by falling.
bool springs_are_stable(Lab& lab, double stiffness, int substeps, double damping)
{
    constexpr double kTooFast = 60;  // [m/s]; a fall of 4 s ends at 40
    Result<LabRun> run = lab.open(kSpringScene,
                                  {{"solver.type", "mass_spring"},
                                   {"solver.spring_substeps", fmt::format("{}", substeps)},
                                   {"solver.spring_stiffness", fmt::format("{:.6g}", stiffness)},
                                   {"solver.spring_damping", fmt::format("{}", damping)}},
                                  1);
    if (!run) return false;
    for (int i = 0; i < 400; ++i) {
        run->world().step();
        const Metrics m = run->world().measure();
        if (m.nonfinite > 0 || !(m.fastest < kTooFast)) return false;
    }
    return true;
}

/// Within 2 %; 0 if none is stable [N/m].
double max_stiffness(Lab& lab, int substeps, double damping)
{
    double low = 1, high = 1e6;
    if (!springs_are_stable(lab, low, substeps, damping)) return 0;
    while (high > 1.02 * low) {
        const double middle = std::sqrt(low * high);
        (springs_are_stable(lab, middle, substeps, damping) ? low : high) = middle;
    }
    return low;
}

/// The smallest stable number of substeps up to 100; 101 if there is none.
int min_substeps(Lab& lab, double stiffness, double damping)
{
    int low = 0, high = 101;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (springs_are_stable(lab, stiffness, middle, damping) ? high : low) = middle;
    }
    return high;
}

/// Both limits that the paper gives, for one damping of the springs.
struct Limits {
    double damping = 0, stiffness = 0;
    int substeps = 0;

    bool as_printed() const
    {
        const auto within = [](double a, double b) { return a < kEitherWay * b && b < kEitherWay * a; };
        return within(stiffness, kPrintedStiffness[0]) && within(substeps, kPrintedSubsteps[1]);
    }
};

}  // namespace

Result<Finding> find_spring_limits(Lab& lab)
{
    if (const Result<LabRun> run = lab.open(kSpringScene, {{"solver.type", "mass_spring"}}, 1); !run)
        return Error{run.error()};
    Finding finding;
    LabTable table{"Springs with symplectic Euler in steps of 10 ms",
                   {"damping, 1 is critical", "stiffest with 2 substeps [N/m]", "fewest substeps at 3000 N/m"},
                   {{"paper", "100", "20"}}};
    std::vector<Limits> found;
    for (const double damping : {0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 1.0}) {
        const Limits one{damping, max_stiffness(lab, kPrintedSubsteps[0], damping),
                         min_substeps(lab, kPrintedStiffness[1], damping)};
        table.rows.push_back({fmt::format("{}", damping), fmt::format("{:.0f}", one.stiffness),
                              one.substeps > 100 ? "over 100" : fmt::format("{}", one.substeps)});
        finding.numbers.emplace_back(fmt::format("stiffest_damping{}_N_m", damping), one.stiffness);
        finding.numbers.emplace_back(fmt::format("fewest_damping{}", damping), one.substeps);
        found.push_back(one);
    }
    const Limits &plain = found.front(), &critical = found.back();
    const auto alike = std::find_if(found.begin(), found.end(), [](const Limits& one) { return one.as_printed(); });
    finding.holds = alike != found.end();
    finding.measured = fmt::format(
        "Without damping, springs of up to {:.0f} N/m are stable with 2 substeps, and 3000 N/m are stable from {} "
        "substeps on; with critical damping, {:.0f} N/m and {}. ",
        plain.stiffness, plain.substeps, critical.stiffness, critical.substeps);
    if (finding.holds)
        finding.measured += fmt::format(
            "Springs with {} of critical damping come within a factor of two of both printed "
            "numbers: {:.0f} N/m and {} substeps.",
            alike->damping, alike->stiffness, alike->substeps);
    finding.tables.push_back(std::move(table));
    return finding;
}

}  // namespace tendril::app::mueller
