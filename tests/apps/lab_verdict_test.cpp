// The verdicts of the lab, on made-up claims: which finding and which runs give which, and where they are shown.
#include "lab/forms.h"
#include "lab/lab_page.h"
#include "support/json_schema.h"

namespace tendril::test {
namespace {

using app::LabEntry;
using app::Verdict;

constexpr const char* kRopeTable = "[groom]\nstyle = \"rope\"\nparticles = 3\nlength = 1\n";

/// The forms of a scene with these lines.
std::vector<app::FormUse> forms_of(const std::string& lines)
{
    const fs::path file = fs::temp_directory_path() / ("tendril_forms_" + std::to_string(getpid()) + ".toml");
    std::ofstream(file) << kRopeTable << lines;
    const Result<Scene> scene = read_scene(file.string(), {});
    fs::remove(file);
    EXPECT_TRUE(scene) << (scene ? "" : scene.error());
    return scene ? app::forms_of(*scene) : std::vector<app::FormUse>();
}

class LabVerdict : public testing::Test {
protected:
    /// A claim of `paper_` with runs of these forms, judged as the lab does.
    LabEntry judged(const app::Finding& finding, const std::vector<std::vector<app::FormUse>>& runs) const
    {
        LabEntry entry{&paper_, &claim_, finding};
        if (!runs.empty()) entry.uses.push_back({"hello", runs.size(), runs});
        entry.problem = contradiction_in(entry);
        return entry;
    }

    app::Claim claim_{"fig4", "Fig. 4", "A title", "A claim", "a bar", "hello", nullptr};
    app::Paper paper_{"mueller12", "Authors: Title.", {}};
    const app::FormUse printed_{"dftl", true}, ours_{"dftl", false}, grid_printed_{"grid", true},
        grid_ours_{"grid", false}, springs_{"shape", false};
};

TEST_F(LabVerdict, FollowsFromTheFindingAndItsRuns)
{
    const app::Finding holds{.holds = true}, with_ours{.holds = true, .ours = "shorter steps"},
        not_met{.reason = "it stretches"}, failed{.measured = "no"};
    EXPECT_EQ(judged(holds, {{printed_}}).verdict(), Verdict::kHoldsAsPrinted);
    EXPECT_EQ(judged(holds, {{ours_}, {printed_}}).verdict(), Verdict::kHoldsAsPrinted);
    EXPECT_EQ(judged(with_ours, {{ours_}, {printed_}}).verdict(), Verdict::kHoldsWithOurs);
    EXPECT_EQ(judged(not_met, {{ours_}}).verdict(), Verdict::kNotMet);
    EXPECT_EQ(judged(failed, {{printed_}}).verdict(), Verdict::kFailed);
    LabEntry wrong = judged(holds, {{printed_}});
    wrong.problem = "no such scene";
    EXPECT_EQ(wrong.verdict(), Verdict::kFailed);
}

TEST_F(LabVerdict, AsPrintedNeedsARunWithThePrintedForm)
{
    const app::Finding holds{.holds = true};
    const LabEntry ours = judged(holds, {{ours_, springs_}});
    EXPECT_EQ(ours.verdict(), Verdict::kFailed);
    EXPECT_NE(ours.problem.find("in every run dftl had our form"), std::string::npos) << ours.problem;
    // All of the paper's methods must be printed in the same run; the shape is another paper's.
    EXPECT_EQ(judged(holds, {{printed_, grid_ours_}, {ours_, grid_printed_}}).verdict(), Verdict::kFailed);
    EXPECT_EQ(judged(holds, {{printed_, grid_printed_, springs_}}).verdict(), Verdict::kHoldsAsPrinted);
    // Without a scene, nothing shows the form; with methods of one form only, there is no other.
    EXPECT_EQ(judged(holds, {}).verdict(), Verdict::kFailed);
    EXPECT_EQ(judged(holds, {{}}).verdict(), Verdict::kHoldsAsPrinted);
    const LabEntry any = judged({.holds = true, .any_form = "pairs are searched alone"}, {});
    EXPECT_EQ(any.verdict(), Verdict::kHoldsAsPrinted);
    EXPECT_EQ(remark_on(any).text, "any: pairs are searched alone");
    EXPECT_EQ(judged({.holds = true, .ours = "ours", .any_form = "any"}, {}).verdict(), Verdict::kFailed);
}

TEST_F(LabVerdict, OursIsNamedAndSaysIfThePrintedFormWasNotRun)
{
    const app::Finding finding{.holds = true, .ours = "a solve of all lengths"};
    EXPECT_EQ(remark_on(judged(finding, {{ours_}, {printed_}})).text, "a solve of all lengths");
    EXPECT_EQ(remark_on(judged(finding, {{ours_}})).text, "a solve of all lengths; the printed form was not run");
}

TEST_F(LabVerdict, TheFourKindsAreCountedOnThePageAndInJson)
{
    const std::vector<LabEntry> entries{
        judged({.holds = true}, {{printed_}}), judged({.holds = true, .ours = "our <b>way</b>"}, {{printed_}, {ours_}}),
        judged({.reason = "the print is wrong"}, {{printed_}}), judged({.holds = true, .measured = "1 m"}, {{ours_}})};
    const std::string counts = "4 claims: 1 holds as printed, 1 holds with our method, 1 is not met, 1 failed";
    EXPECT_EQ(counts_text(entries), counts);
    EXPECT_TRUE(any_failed(entries));
    EXPECT_FALSE(any_failed(std::span(entries).first(3)));

    const app::LabConditions conditions{.version = "0.1.0", .simd = "AVX2", .asked = 4};
    const std::string page = lab_page(entries, conditions);
    EXPECT_NE(page.find(counts), std::string::npos);
    for (const char* part : {">holds as printed</span>", ">holds with our method</span>", ">not met</span>",
                             ">failed</span>", "our &lt;b&gt;way&lt;/b&gt;", "Forms: dftl as printed and ours",
                             "mueller12/table1/monster/all", "but in every run dftl had our form"})
        EXPECT_NE(page.find(part), std::string::npos) << part;

    const auto written = nlohmann::json::parse(lab_json(entries, conditions));
    EXPECT_EQ(JsonSchema("lab").faults(written), std::vector<std::string>());
    for (const auto& [verdict, count] : written["verdicts"].items()) EXPECT_EQ(count, 1) << verdict;
    EXPECT_EQ(written["claims"][1]["our_method"], "our <b>way</b>");
    EXPECT_EQ(written["claims"][0]["printed_form_run"], true);
    EXPECT_EQ(written["claims"][3]["printed_form_run"], false);
    EXPECT_EQ(written["claims"][1]["run"][0]["forms"][1]["dftl"], "stable");
}

TEST(LabForms, AreThoseOfTheSceneAsRead)
{
    using Forms = std::vector<app::FormUse>;
    EXPECT_EQ(forms_of(""), (Forms{{"dftl", false}}));
    EXPECT_EQ(forms_of("[solver]\nform = \"paper\"\n"), (Forms{{"dftl", true}}));
    EXPECT_EQ(forms_of("[solver]\ntype = \"direct\"\n"), Forms());
    EXPECT_EQ(forms_of("[solver]\nform = \"paper\"\n[shape]\nlocal = 0.1\nform = \"paper\"\nunits = \"paper\"\n"
                       "[interaction]\nmethod = \"sph\"\nform = \"paper\"\n"),
              (Forms{{"dftl", true}, {"shape", true}, {"sph", true}}));
    EXPECT_EQ(forms_of("[solver]\ntype = \"chain_shape\"\n[interaction]\nmethod = \"contacts\"\n"),
              (Forms{{"chain_shape", false}}));
    EXPECT_EQ(forms_of("[interaction]\nmethod = \"grid\"\nform = \"paper\"\n"),
              (Forms{{"dftl", false}, {"grid", true}}));
}

}  // namespace
}  // namespace tendril::test
