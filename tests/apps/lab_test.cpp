// `tendril lab`: running claims, their verdicts, and the output files.
#include "support/cli.h"
#include "support/json_schema.h"
#include "support/sanitized.h"

#include <set>

namespace tendril::test {
namespace {

using Json = nlohmann::json;

size_t occurrences(const std::string& text, const std::string& part)
{
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

class LabCli : public Cli {
protected:
    /// Runs in a folder whose scenes have priority, if it has any.
    Outcome lab(const std::string& arguments, const std::string& before = "") const
    {
        return run("lab " + arguments + " --out lab", "cd '" + folder_.string() + "' && " + before);
    }
    std::string page() const { return text_of(file("lab/index.html")); }
    Json claim() const
    {
        const Json all = Json::parse(text_of(file("lab/lab.json")));
        EXPECT_EQ(all["claims"].size(), 1u);
        return all["claims"][0];
    }
    /// Writes a scene of the repository with `from` replaced by `to`.
    void put_scene(const std::string& name, const std::string& from, const std::string& to) const
    {
        std::string text = text_of(scene(name));
        const size_t start = text.find(from);
        ASSERT_NE(start, std::string::npos) << name << " has no " << from;
        const fs::path path = folder_ / "scenes" / (name + ".toml");
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text.replace(start, from.size(), to);
    }
};

// Which verdict a claim has is for the lab to find out; what it says must be the same everywhere.
TEST_F(LabCli, AClaimIsOnASelfContainedPage)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const Outcome outcome = lab("zappe20/tail");
    EXPECT_EQ(outcome.err, "");
    const std::string verdict = claim()["verdict"], shown = verdict == "failed" ? "FAILED" : verdict;
    EXPECT_EQ(outcome.code, verdict == "failed" ? 1 : 0) << outcome.out;
    EXPECT_EQ(outcome.out.rfind(shown, 0), 0u) << outcome.out;
    EXPECT_LT(outcome.out.find("zappe20/tail: "), outcome.out.find('\n'));
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << "piped: " << line;

    const std::string html = page();
    EXPECT_EQ(html.rfind("<!doctype html>", 0), 0u);
    EXPECT_EQ(html.find("http://"), std::string::npos);
    EXPECT_EQ(html.find("https://"), std::string::npos);
    EXPECT_EQ(html.find("url("), std::string::npos);
    EXPECT_EQ(occurrences(html, " src="), occurrences(html, " src=\"data:image/"));
    EXPECT_GE(occurrences(html, " src=\"data:image/jpeg;base64,"), 1u) << "the picture";
    EXPECT_GE(occurrences(html, " src=\"data:image/svg+xml;base64,"), 1u) << "the plot";
    EXPECT_EQ(occurrences(html, " href="), occurrences(html, " href=\"#"));
    EXPECT_GE(occurrences(html, ">" + verdict + "</span>"), 2u) << "in the contents and at the claim";
    EXPECT_NE(html.find("<code>scenes/papers/zappe20_drag.toml</code> with <code>"), std::string::npos)
        << "the scene and its values";
    const Json all = Json::parse(text_of(file("lab/lab.json")));
    EXPECT_NE(html.find(all["summary"].get<std::string>()), std::string::npos);
    EXPECT_NE(outcome.out.find("\n1 claim: "), std::string::npos) << outcome.out;
}

TEST_F(LabCli, WritesAllFindingsAsJson)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    lab("rungjiratananon11/fig6d --threads 1 --quiet");
    const Json all = Json::parse(text_of(file("lab/lab.json"))), one = claim();
    EXPECT_EQ(JsonSchema("lab").faults(all), std::vector<std::string>());
    EXPECT_EQ(all["threads"], 1);
    EXPECT_EQ(all["full"], false);
    EXPECT_EQ(all["verdicts"][one["verdict"].get<std::string>()], 1);
    EXPECT_EQ(one["name"], "rungjiratananon11/fig6d");
    for (const char* key : {"place", "title", "claim", "bar", "measured"}) EXPECT_NE(one[key], "") << key;
    EXPECT_EQ(one["scenes"][0], "torsion_uniform");
    EXPECT_EQ(one["run"][0]["scene"], "torsion_uniform");
    EXPECT_GE(one["run"][0]["times"], 1);
    EXPECT_TRUE(one["run"][0]["forms"][0].contains("chain_shape"));
    EXPECT_FALSE(one["numbers"].empty());
    EXPECT_GT(one["seconds"].get<double>(), 0);
}

TEST_F(LabCli, AClaimThatFailsHasNoReasonAndExitCode1)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    // Falling hair does not follow a tractrix. Claims must not give their usual reasons, which do not apply here.
    put_scene("papers/zappe20_drag", "type = \"tractrix\"", "type = \"dftl\"");
    for (const std::string name : {"zappe20/tail", "zappe20/straight"}) {
        const Outcome outcome = lab(name);
        EXPECT_EQ(outcome.code, 1) << outcome.out;
        EXPECT_EQ(outcome.out.rfind("FAILED ", 0), 0u) << outcome.out;
        EXPECT_EQ(claim()["verdict"], "failed");
        EXPECT_EQ(claim()["reason"], "");
        EXPECT_NE(claim()["measured"], "");
        EXPECT_NE(page().find("1 claim: 0 hold as printed, 0 hold with our method, 0 are not met, 1 failed."),
                  std::string::npos);
    }
}

TEST_F(LabCli, AClaimThatCannotBeMeasuredFails)
{
    put_scene("papers/zappe20_drag", "particles = 30", "particels = 30");
    const Outcome outcome = lab("zappe20/tail");
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_EQ(claim()["verdict"], "failed");
    EXPECT_NE(claim()["problem"].get<std::string>().find("particels"), std::string::npos) << claim()["problem"];
    EXPECT_NE(page().find("particels"), std::string::npos);
}

TEST_F(LabCli, AnInterruptedPageHasTheFinishedClaims)
{
    const Outcome outcome = lab("", "timeout --preserve-status --signal=INT --kill-after=100 3");
    EXPECT_EQ(outcome.code, 1);
    if (outcome.err == "tendril lab: interrupted; nothing was written\n") {
        EXPECT_FALSE(fs::exists(file("lab/index.html")));
        return;
    }
    EXPECT_NE(outcome.err.find("interrupted; 'lab/index.html' has "), std::string::npos) << outcome.err;
    const Json all = Json::parse(text_of(file("lab/lab.json")));
    EXPECT_GT(all["claims"].size(), 0u);
    EXPECT_LT(all["claims"].size(), all["asked"].get<size_t>());
    EXPECT_NE(page().find("Interrupted: " + std::to_string(all["claims"].size()) + " of "), std::string::npos);
}

TEST_F(LabCli, SuggestsTheNearestNameForAnUnknownClaim)
{
    expect_refused("lab zappe20/tial", "there is no claim 'zappe20/tial'; did you mean 'zappe20/tail'?");
    expect_refused("lab rungjiratananon1", "did you mean 'rungjiratananon11'?");
    expect_refused("lab ''", "there is no claim ''; did you mean 'mueller12' or");
    expect_refused("lab mueller12/fig7", "did you mean 'mueller12/fig7_time' or 'mueller12/fig7_quality' or");
}

TEST_F(LabCli, APartOfTheClaimsHasItsOwnFolder)
{
    fs::create_directory(file("here"));
    const Outcome outcome = run("lab zappe20/straight --quiet", "cd '" + file("here") + "' &&");
    EXPECT_NE(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(fs::exists(file("here/out/lab/zappe20/straight/index.html")));
    EXPECT_FALSE(fs::exists(file("here/out/lab/index.html"))) << "reserved for all claims";
}

TEST_F(LabCli, ListsClaimsWithUniqueNames)
{
    const Outcome outcome = run("lab --list");
    EXPECT_EQ(outcome.code, 0);
    std::istringstream lines(outcome.out);
    std::set<std::string> names;
    for (std::string line; std::getline(lines, line);) EXPECT_TRUE(names.insert(line.substr(0, line.find(' '))).second);
    EXPECT_GT(names.size(), 40u);
    EXPECT_TRUE(names.count("mueller12/fig4") && names.count("boercsoek20/fig1"));
}

}  // namespace
}  // namespace tendril::test
