#include "verdict.h"

#include "forms.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril::app {
namespace {

/// The verdict of a finding whose runs back what it says.
Verdict verdict_of(const Finding& finding)
{
    if (finding.holds) return finding.ours.empty() ? Verdict::kHoldsAsPrinted : Verdict::kHoldsWithOurs;
    return finding.reason.empty() ? Verdict::kFailed : Verdict::kNotMet;
}

}  // namespace

std::string_view text_of(Verdict verdict)
{
    switch (verdict) {
        case Verdict::kHoldsAsPrinted: return "holds as printed";
        case Verdict::kHoldsWithOurs: return "holds with our method";
        case Verdict::kNotMet: return "not met";
        case Verdict::kFailed: break;
    }
    return "failed";
}

Verdict LabEntry::verdict() const
{
    return problem.empty() ? verdict_of(finding) : Verdict::kFailed;
}

std::string contradiction_in(const LabEntry& entry)
{
    const Finding& finding = entry.finding;
    if (!finding.holds) return {};
    if (!finding.ours.empty() && !finding.any_form.empty())
        return "the finding says both that the claim holds with our method only and that it holds in any form";
    if (!finding.ours.empty() || !finding.any_form.empty()) return {};
    const FormsRun run = forms_run(entry.paper->name, entry.uses);
    if (run.printed || (run.opened && !run.two_forms)) return {};
    if (!run.opened)
        return "it would hold as printed, but it opened no scene and recorded no benchmark, so nothing shows that the "
               "printed form was run; the finding must name our method, or say why the form does not matter";
    return fmt::format(
        "it would hold as printed, but in every run {} had our form: one must have the printed form of all of its "
        "paper's methods (solver.form, shape.form, interaction.form), or the finding must name our method",
        run.ours);
}

Remark remark_on(const LabEntry& entry)
{
    const Finding& finding = entry.finding;
    const Verdict verdict = entry.verdict();
    if (verdict == Verdict::kNotMet) return {"why not", finding.reason};
    if (verdict == Verdict::kFailed) return {};
    const FormsRun run = forms_run(entry.paper->name, entry.uses);
    if (verdict == Verdict::kHoldsWithOurs)
        return {"our method", finding.ours + (run.printed ? "" : "; the printed form was not run")};
    if (!finding.any_form.empty()) return {"form", "any: " + finding.any_form};
    return {"form", run.printed ? "" : "any: its methods have one form only"};
}

std::array<size_t, kVerdicts.size()> counts_of(std::span<const LabEntry> entries)
{
    std::array<size_t, kVerdicts.size()> counts{};
    for (const LabEntry& entry : entries) ++counts[static_cast<size_t>(entry.verdict())];
    return counts;
}

std::string counts_text(std::span<const LabEntry> entries)
{
    const auto [printed, ours, not_met, failed] = counts_of(entries);
    const auto hold = [](size_t n) { return n == 1 ? "holds" : "hold"; };
    return fmt::format("{} claim{}: {} {} as printed, {} {} with our method, {} {} not met, {} failed", entries.size(),
                       entries.size() == 1 ? "" : "s", printed, hold(printed), ours, hold(ours), not_met,
                       not_met == 1 ? "is" : "are", failed);
}

bool any_failed(std::span<const LabEntry> entries)
{
    return std::any_of(entries.begin(), entries.end(),
                       [](const LabEntry& entry) { return entry.verdict() == Verdict::kFailed; });
}

}  // namespace tendril::app
