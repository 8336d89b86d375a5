// `tendril compare` from the command line.
#include "support/cli.h"
#include "support/sanitized.h"
#include "tendril/picture.h"
#include "tendril/settings.h"

#include <iterator>

namespace tendril::test {
namespace {

using nlohmann::json;

const std::string kReference = " --reference-substeps 16 ";
const std::string kShort = kReference + "--frames 30 ";

/// Removes timings and the thread count, which differ between runs.
void remove_timings(json& value)
{
    if (!value.is_structured()) return;
    for (const char* name : {"time", "threads", "ns_per_particle_step"})
        if (value.is_object()) value.erase(name);
    for (auto& [key, inner] : value.items())
        if (key == "series")
            for (const char* stage : {"roots_s", "body_s", "interaction_s", "solve_s", "measure_s"}) inner.erase(stage);
        else
            remove_timings(inner);
}

class CompareCli : public Cli {
protected:
    static std::string rope() { return scene("papers/mueller12_fig7"); }

    json compare(const std::string& arguments) const
    {
        const Outcome outcome =
            run("compare " + rope() + kReference + " -q --report '" + file("c.json") + "' " + arguments +
                (arguments.find("--frames") == std::string::npos ? " --frames 30" : ""));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out + outcome.err, "");
        return json::parse(text_of(file("c.json")));
    }
};

TEST_F(CompareCli, GroomsThatKeepTheirOwnMethodAreNamed)
{
    const Outcome outcome =
        run("compare " + rope() + kShort + " --as-is --methods dftl,pbd --set groom.solver.type=xpbd --report '" +
            file("c.json") + "'");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "tendril compare: groom 0 has its own method and keeps it: xpbd\n");
}

TEST_F(CompareCli, EveryMethodIsInTableReportAndPlots)
{
    const Outcome outcome = run("compare " + rope() + kShort + " --as-is --report '" + file("c.json") + "'");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "") << "no progress bar when piped";
    const json report = json::parse(text_of(file("c.json")));
    EXPECT_EQ(report.at("mode"), "as it is");
    EXPECT_EQ(report.at("particles"), 30);
    EXPECT_EQ(report.at("frames"), 30);
    EXPECT_EQ(report.at("reference").at("substeps"), 16);
    EXPECT_TRUE(report.at("reference").at("converged").get<bool>());
    EXPECT_NEAR(report.at("strand_length_m").get<double>(), 0.58, 1e-6);
    ASSERT_EQ(report.at("methods").size(), std::size(kSolverNames));
    for (size_t m = 0; m < std::size(kSolverNames); ++m) {
        SCOPED_TRACE(kSolverNames[m]);
        const json& method = report.at("methods")[m];
        EXPECT_EQ(method.at("method"), kSolverNames[m]);
        EXPECT_EQ(method.at("report").at("solver"), kSolverNames[m]);
        EXPECT_EQ(method.at("report").at("series").at("deviation_m").size(), 31u);
        EXPECT_GT(method.at("ns_per_particle_step").get<double>(), 0);
        EXPECT_GT(method.at("energy_kept").get<double>(), 0);
        EXPECT_GT(method.at("deviation").at("mean_m").get<double>(), 0);
        EXPECT_LE(method.at("deviation").at("mean_m"), method.at("deviation").at("max_m"));
        EXPECT_TRUE(method.at("penetration_max_m").is_null()) << "there are no colliders";
        EXPECT_NE(outcome.out.find(std::string("\n") + kSolverNames[m]), std::string::npos) << outcome.out;
    }
    for (const char* plot : {"deviation", "stretch", "energy"}) {
        const std::string svg = text_of(file(std::string("c.") + plot + ".svg"));
        EXPECT_EQ(svg.find("<svg "), 0u) << plot;
        for (const char* name : kSolverNames) EXPECT_NE(svg.find(name), std::string::npos) << plot << ' ' << name;
        EXPECT_EQ(svg.find(">reference<") == std::string::npos, plot == std::string("deviation"));
    }
    EXPECT_NE(outcome.out.find("converged"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("25 iterations"), std::string::npos) << "the paper's result is shown below";
}

TEST_F(CompareCli, DirectMethodMatchesTheReference)
{
    const json report = compare("--as-is --methods direct --set sim.substeps=16");
    EXPECT_EQ(report.at("methods")[0].at("deviation").at("mean_m"), 0);
    EXPECT_EQ(report.at("methods")[0].at("energy_kept"), 1);
}

TEST_F(CompareCli, MoreIterationsReduceTheDeviation)
{
    const auto deviation = [&](const char* iterations) {
        return compare(std::string("--as-is --methods pbd --set solver.iterations=") + iterations)
            .at("methods")[0]
            .at("deviation")
            .at("mean_m")
            .get<double>();
    };
    EXPECT_LT(deviation("40"), 0.5 * deviation("5"));
}

TEST_F(CompareCli, EqualQualityFindsTheFewestSufficientIterations)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const auto row = [](const json& report, size_t m) { return report.at("methods")[m]; };
    const json report = compare("--equal quality --methods dftl,pbd --frames 150");
    const double good = 1.1 * row(report, 0).at("deviation").at("mean_m").get<double>();
    EXPECT_LE(row(report, 1).at("deviation").at("mean_m").get<double>(), good);
    const int iterations = std::stoi(row(report, 1).at("settings").at("solver.iterations").get<std::string>());
    ASSERT_GT(iterations, 1);
    const json fewer =
        compare("--as-is --frames 150 --methods dftl,pbd --set solver.iterations=" + std::to_string(iterations - 1));
    EXPECT_GT(row(fewer, 1).at("deviation").at("mean_m").get<double>(), good);
    EXPECT_EQ(row(report, 1).at("note"), "");
    // In the first frames, follow-the-leader is hard to match.
    const json never = compare("--equal quality --frames 30 --methods pbd");
    EXPECT_EQ(row(never, 0).at("note"), "not as good even so");
    EXPECT_EQ(row(never, 0).at("settings").at("solver.iterations"), "1000");
    EXPECT_EQ(row(never, 1).at("method"), "dftl") << "the base method has its own row";
}

// In a gentle scene, a soft rope falls faster than an inextensible one moves. That does not mean that it is unstable.
TEST_F(CompareCli, SpringsAreAsStiffAsTheStepAllows)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const json report = compare("--methods mass_spring --set body.amplitude=0.01 --set solver.spring_damping=0");
    const json& settings = report.at("methods")[0].at("settings");
    const double substeps = std::stod(settings.at("solver.spring_substeps").get<std::string>());
    const double limit = 0.01 * substeps * substeps / (0.01 * 0.01);  // m/tau^2
    const double stiffness = std::stod(settings.at("solver.spring_stiffness").get<std::string>());
    EXPECT_GT(stiffness, 0.9 * limit);
    EXPECT_LT(stiffness, 1.1 * limit);
    EXPECT_LT(report.at("methods")[0].at("stretch").at("max").get<double>(), 3);
}

// If one iteration in each of the scene's substeps is too expensive, the comparison uses fewer substeps.
TEST_F(CompareCli, EqualTimeMayUseFewerSubstepsThanTheScene)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const json report = compare("--equal time --methods pbd --set sim.substeps=16 --frames 20");
    const json& pbd = report.at("methods")[0];
    const int substeps = std::stoi(pbd.at("settings").at("sim.substeps").get<std::string>());
    EXPECT_LT(substeps, 16);
    EXPECT_EQ(pbd.at("settings").at("solver.iterations"), "1");
    const std::string text = pbd.at("described");
    EXPECT_EQ(text, substeps == 1 ? "1 iteration" : std::to_string(substeps) + " substeps of 1 iteration");
}

// [Mueller12] Fig. 7. With 2 iterations, which take as long as the paper's follow-the-leader, the rope stretches; see
// docs/methods.md.
TEST_F(CompareCli, DraggedRopeStretchesWithFewIterationsButNotWithFollowTheLeader)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const json cheap = compare("--as-is --frames 400 --methods dftl,pbd --set solver.iterations=2");
    EXPECT_TRUE(cheap.at("reference").at("converged").get<bool>());
    EXPECT_LT(cheap.at("methods")[0].at("stretch").at("max").get<double>(), 1e-4);
    EXPECT_GT(cheap.at("methods")[1].at("stretch").at("max").get<double>(), 1);
    const json alike = compare("--equal quality --frames 400 --methods pbd");
    EXPECT_EQ(alike.at("methods")[0].at("settings").at("solver.iterations"), "7");
}

TEST_F(CompareCli, EqualTimeTunesOneSettingPerMethod)
{
    const json report = compare("--equal time --methods dftl,pbd,direct");
    EXPECT_TRUE(report.at("methods")[0].at("settings").empty()) << "the base method is unchanged";
    EXPECT_TRUE(report.at("methods")[1].at("settings").contains("solver.iterations"));
    EXPECT_TRUE(report.at("methods")[2].at("settings").contains("sim.substeps"));
}

TEST_F(CompareCli, ResultsAreTheSameForAnyNumberOfThreads)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const char* mode : {"--as-is", "--equal quality --methods pbd,direct"}) {
        json one = compare(std::string(mode) + " --threads 1"), two = compare(std::string(mode) + " --threads 2");
        remove_timings(one);
        remove_timings(two);
        EXPECT_TRUE(one == two) << json::diff(one, two).dump(2);
    }
}

TEST_F(CompareCli, FilmHasAPanelForEachMethodAndOneForTheReference)
{
    const Outcome outcome = run("compare " + rope() + kShort + " --as-is --methods dftl,pbd --size 64x48 --every 10" +
                                " --film '" + file("c.mp4") + "'");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(fs::exists(file("c.mp4.unfinished")));
    const std::string film = file(have_ffmpeg() ? "c.mp4" : "c_pictures");
    EXPECT_NE(outcome.out.find(film), std::string::npos) << outcome.out;
    ASSERT_TRUE(fs::exists(film));
    EXPECT_TRUE(fs::is_directory(film) || fs::file_size(film) > 1000u);
}

TEST_F(CompareCli, WithoutFfmpegItSaysWhereThePicturesAre)
{
    const Outcome outcome = run("compare " + rope() + kShort + " --as-is --methods dftl -q --size 64x48 --every 10" +
                                    " --film '" + file("c.mp4") + "'",
                                "PATH=/nowhere");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.err.find("cannot make a film without ffmpeg; the pictures are in '" + file("c_pictures")),
              std::string::npos)
        << outcome.err;
    EXPECT_TRUE(fs::is_directory(file("c_pictures")));
}

TEST_F(CompareCli, MethodNamesMayHaveBlanksAndRefusingAllMethodsFails)
{
    EXPECT_EQ(compare("--as-is --methods ' dftl, pbd'").at("methods").size(), 2u);
    const std::string refused = "compare " + rope() + kShort + "--as-is --set solver.bend_stiffness=5 --methods ";
    const Outcome none = run(refused + "pbd");
    EXPECT_EQ(none.code, 1);
    EXPECT_NE(none.err.find("pbd: --set solver.bend_stiffness=5: "), std::string::npos) << none.err;
    EXPECT_EQ(run(refused + "pbd,dftl").code, 0);
}

TEST_F(CompareCli, BadInputGivesOneLineAndExitCodeTwo)
{
    const std::string endless = "compare " + rope() + " --frames 1000000 ";
    expect_refused("compare", "which scene?");
    expect_refused("compare muler12_fig7", "did you mean");
    expect_refused(endless + "--methods dftl,pdb", "there is no method 'pdb'; did you mean 'pbd'?");
    expect_refused(endless + "--methods frobnicate", "there is no method 'frobnicate'; there are dftl, ");
    expect_refused(endless + "--methods pbd,pbd", "twice");
    expect_refused(endless + "--base nothing", "there is no method 'nothing'");
    expect_refused(endless + "--equal beauty", "--equal");
    expect_refused(endless + "--equal time --as-is", "--as-is");
    expect_refused(endless + "--set solver.iteration=3", "did you mean 'solver.iterations'?");
    expect_refused(endless + "--report /nowhere/r.json", "there is no folder '/nowhere'");
    expect_refused(endless + "--film x.avi", "a film must be a .mp4");
    expect_refused(endless + "--film /nowhere/x.mp4", "there is no folder '/nowhere'");
    expect_refused(endless + "--report '" + file("x.mp4") + "' --film '" + file("x.mp4") + "'", "are both");
    expect_refused("compare " + rope() + " --frames 0", "0 frames");
    expect_refused("compare " + rope() + " --frames 3 --film '" + file("x.mp4") + "'", "make no picture");
}

TEST_F(CompareCli, LeavesNothingWhenInterrupted)
{
    fs::create_directory(file("into"));
    const Outcome outcome = run("compare " + rope() + " --frames 1000000 --report '" + file("into/r.json") +
                                    "' --film '" + file("into/f.mp4") + "'",
                                "timeout --preserve-status --signal=INT --kill-after=60 1");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("interrupted; nothing was written"), std::string::npos) << outcome.err;
    EXPECT_TRUE(fs::is_empty(file("into")));
}

}  // namespace
}  // namespace tendril::test
