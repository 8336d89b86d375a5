// The command line program: exit codes, one-line errors, reports and saved states.
// Needs TENDRIL_SOURCE_DIR and TENDRIL_PROGRAM.
#include "support/cli.h"
#include "support/sanitized.h"
#include "support/solids.h"
#include "tendril/curve_file.h"

#include <fmt/format.h>

#include <sys/stat.h>

namespace tendril::test {
namespace {

TEST_F(Cli, BadInputGivesOneLineAndExitCodeTwo)
{
    const std::string hello = scene("hello");
    expect_refused("sim " + hello + " --set solver.velocity_corection=1", "did you mean 'solver.velocity_correction'?");
    expect_refused("sim /nowhere/x.toml", "cannot open '/nowhere/x.toml': No such file");
    expect_refused("sim " + scene("helo"), "did you mean '" + hello + "'?");
    expect_refused("sim " + hello + " --set groom.strands=-5", "must be an integer of at least 1, not -5");
    expect_refused("sim " + hello + " --set groom.strands=1000000000000", "need about 2.6 PB");
    expect_refused("sim " + file("."), "is a folder");
    const std::string springs =
        "sim " + scene("rope_drag") + " --set solver.type=mass_spring --set solver.spring_damping=0";
    expect_refused(springs + " --set solver.spring_stiffness=5000 --set solver.spring_substeps=5",
                   "solver.spring_stiffness = 5000 N/m would be unstable: with steps of 0.002 s, particles of 0.01 kg");
    expect_refused(springs + " --set solver.spring_stiffness=5000 --set sim.dt=0.02", "at most 2507 N/m is stable");
    EXPECT_EQ(run(springs + " --set solver.spring_stiffness=2507 --set sim.dt=0.02 --frames 20 --quiet").code, 0);
    std::ofstream(file("bad.toml")) << "[sim]\ndt = 'fast'\n";
    expect_refused("sim " + file("bad.toml"), "bad.toml:2: sim.dt must be a number in [0.0001, 1] s, not \"fast\"");
}

TEST_F(Cli, BadUsageGivesOneLineAndExitCodeTwo)
{
    const std::string hello = scene("hello");
    expect_refused("", "which command?");
    expect_refused("simm", "did you mean 'sim'?");
    expect_refused("frobnicate", "there is no command 'frobnicate'");
    expect_refused("--bogus", "--bogus");
    expect_refused("sim", "which scene?");
    expect_refused("sim " + hello + " --bogus", "--bogus");
    expect_refused("sim " + hello + " --frames -5", "--frames");
    expect_refused("sim " + hello + " --frames many", "--frames");
    expect_refused("sim " + hello + " --threads -1", "--threads");
    expect_refused("sim " + hello + " --set nothing", "write key=value");
    expect_refused("sim " + hello + " another", "another");
}

std::string obj_text(const Mesh& mesh)
{
    std::string text;
    for (const Vec3f& v : mesh.vertices) text += fmt::format("v {} {} {}\n", v.x, v.y, v.z);
    for (const auto& t : mesh.triangles) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    return text;
}

TEST_F(Cli, FlawsOfMeshesAreWarnings)
{
    const Mesh ball = make_sphere_mesh(0.1f, 12), cup = cut_above(ball, 0.05f);
    Mesh flipped = ball, twisted = ball;
    for (auto& t : flipped.triangles) std::swap(t[1], t[2]);
    std::swap(twisted.triangles[40][1], twisted.triangles[40][2]);
    const std::pair<const Mesh*, const char*> meshes[] = {
        {&ball, ""},
        {&cup, "holes: 24 edges"},
        {&flipped, "triangles of its mesh face inwards, so hair grows"},
        {&twisted, "at 3 edges of its mesh"}};
    std::ofstream(file("a.toml")) << "[sim]\nframes = 2\n[body]\nmesh = \"a.obj\"\ncollide = \"field\"\n[groom]\n"
                                     "style = \"straight\"\nstrands = 20\nparticles = 5\nlength = 0.05\n";
    for (const auto& [mesh, part] : meshes) {
        std::ofstream(file("a.obj")) << obj_text(*mesh);
        const Outcome sim = run("sim " + file("a.toml") + " --report " + file("a.json"));
        const Outcome make = run("groom make " + file("a.tfx") + " --strands 20 --mesh " + file("a.obj"));
        EXPECT_EQ(sim.code, 0) << sim.err;
        EXPECT_EQ(make.code, 0) << make.err;
        const auto warnings = nlohmann::json::parse(text_of(file("a.json"))).at("warnings");
        ASSERT_EQ(warnings.size(), *part ? 1u : 0u) << sim.err;
        if (!*part) {
            EXPECT_EQ(sim.err + make.err, "");
            continue;
        }
        EXPECT_EQ(sim.err, "tendril sim: warning: " + warnings[0].get<std::string>() + "\n");
        EXPECT_NE(sim.err.find(part), std::string::npos) << sim.err;
        // Hair grows on a mesh with holes as well as on any other.
        EXPECT_EQ(make.err, mesh == &cup ? "" : "tendril groom: warning: " + warnings[0].get<std::string>() + "\n");
    }
}

TEST_F(Cli, TooLittleMemoryIsOneLineWithTheRemedy)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const Outcome outcome = run("sim " + scene("head_10k") + " --set groom.strands=400000", "ulimit -v 600000;");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "tendril: not enough memory; use fewer strands, particles or frames, smaller meshes, pictures or files, "
              "or larger cells (body.collide_cell)\n");
}

TEST_F(Cli, UnwritablePathsAreRefusedBeforeTheWorkBegins)
{
    const std::string endless = "sim " + scene("head_10k") + " --frames 1000000000 ";
    expect_refused(endless + "--report /nowhere/r.json", "there is no folder '/nowhere'");
    expect_refused(endless + "--save-state " + folder_.string(), "it is a folder");
    expect_refused(endless + "--report " + file("a") + " --save-state " + file("a"), "are both");
    fs::copy(scene("hello"), file("mine.toml"));
    expect_refused("sim " + file("mine.toml") + " --report " + file("mine.toml"), "is the scene");
    EXPECT_EQ(text_of(file("mine.toml")), text_of(scene("hello")));
}

TEST_F(Cli, HelpAndVersionSucceed)
{
    EXPECT_EQ(run("--help").code, 0);
    EXPECT_NE(run("sim --help").out.find("Examples:"), std::string::npos);
    EXPECT_EQ(run("--version").out.find("tendril "), 0u);
    EXPECT_EQ(run("sim --keys").out, text_of(std::string(TENDRIL_SOURCE_DIR) + "/docs/scene.md"));
}

TEST_F(Cli, SummaryIsATableWithoutAProgressBarWhenPiped)
{
    const Outcome outcome = run("sim " + scene("rope_drag") + " --frames 20");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    for (const char* row :
         {"strands", "particles", "frames", "speed", "worst stretch", "non-finite", "energy", "state hash"})
        EXPECT_NE(outcome.out.find(row), std::string::npos) << row;
}

TEST_F(Cli, SummarySaysWhatPenetrationIsMeasuredAgainst)
{
    const std::string few = " --frames 1 --set sim.settle=0 --set groom.strands=10";
    const std::string shapes = run("sim " + scene("bust") + few).out;
    EXPECT_NE(shapes.find(" colliders (fitted to the skin, not the skin itself); margin"), std::string::npos) << shapes;
    const std::string skin = run("sim " + scene("head_turn") + few).out;
    EXPECT_NE(skin.find("measured against the triangles of 1 skin; margin"), std::string::npos) << skin;
    const std::string crowd = run("sim " + scene("head_turn") + few + " --set body.copies=3").out;
    EXPECT_NE(crowd.find("measured against the triangles of 3 skins; margin"), std::string::npos) << crowd;
    EXPECT_EQ(run("sim " + scene("rope_drag") + " --frames 1").out.find("penetration"), std::string::npos);
}

TEST_F(Cli, ReportHasAllFields)
{
    const auto report = this->report(scene("rope_drag") + " --frames 50 --threads 2 --set sim.substeps=2");
    EXPECT_EQ(report.at("scene"), "rope_drag");
    EXPECT_EQ(report.at("strands"), 1);
    EXPECT_EQ(report.at("particles"), 30);
    EXPECT_EQ(report.at("frames"), 50);
    EXPECT_EQ(report.at("substeps"), 2);
    EXPECT_EQ(report.at("threads"), 2);
    EXPECT_FALSE(report.at("simd").get<std::string>().empty());
    EXPECT_EQ(report.at("nonfinite"), 0);
    EXPECT_EQ(report.at("softened"), 0);
    EXPECT_EQ(report.at("state_hash").get<std::string>().size(), 16u);
    EXPECT_LT(report.at("stretch").at("max").get<double>(), 1e-4);
    EXPECT_LE(report.at("stretch").at("mean").get<double>(), report.at("stretch").at("max").get<double>());
    for (const char* field : {"max_m", "mean_m", "particles"}) EXPECT_EQ(report.at("penetration").at(field), 0);
    EXPECT_FALSE(report.at("penetration").at("measured").get<bool>());
    // 30 particles of 10 g hang from the origin, on average 0.29 m below it, in 10 m/s^2.
    EXPECT_NEAR(report.at("energy").at("first").get<double>(), -0.87, 1e-5);
    EXPECT_TRUE(report.at("energy").at("last").is_number());
    EXPECT_TRUE(report.at("energy").at("max").is_number());
    EXPECT_GT(report.at("time").at("total_s").get<double>(), 0);
    EXPECT_GT(report.at("time").at("ns_per_particle_step").get<double>(), 0);
    for (const char* stage : {"roots", "body", "interaction", "solve", "measure"})
        EXPECT_TRUE(report.at("time").at("stages").at(stage).is_number()) << stage;
    EXPECT_TRUE(report.at("repairs").is_array());
    EXPECT_EQ(report.at("solver"), "dftl");
    EXPECT_EQ(report.at("holds").at("missed"), 0);
}

TEST_F(Cli, ReportHasTheMetricsOfEveryMeasuredFrame)
{
    const auto series = report(scene("rope_drag") + " --frames 50 --metrics-every 20").at("series");
    EXPECT_EQ(series.at("frame"), (nlohmann::json{0, 20, 40, 50}));
    for (const char* field : {"time_s", "stretch_max", "stretch_mean", "kinetic_j", "potential_j", "energy_j",
                              "fastest_m_s", "roots_s", "body_s", "interaction_s", "solve_s", "measure_s", "render_s"})
        EXPECT_EQ(series.at(field).size(), 4u) << field;
    const auto whole = nlohmann::json::parse(text_of(file("report.json")));
    EXPECT_NEAR(series.at("time_s")[3].get<double>(), 50 * whole.at("dt").get<double>(), 1e-9);
    EXPECT_EQ(series.at("energy_j")[0], whole.at("energy").at("first"));
    EXPECT_EQ(series.at("energy_j")[3], whole.at("energy").at("last"));
    EXPECT_EQ(series.at("fastest_m_s")[3], whole.at("fastest_last_m_s"));
    // The series has means per frame; weighted by the number of frames they add up to the total.
    const auto& solve = series.at("solve_s");
    EXPECT_EQ(solve[0], 0);
    EXPECT_NEAR(20 * solve[1].get<double>() + 20 * solve[2].get<double>() + 10 * solve[3].get<double>(),
                whole.at("time").at("stages").at("solve").get<double>(), 1e-6);
}

TEST_F(Cli, PlotsAreWrittenBesideTheReport)
{
    const Outcome outcome = run("sim " + scene("rope_drag") + " --frames 30 --report '" + file("my run.json") + "'");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* name : {"stretch", "energy", "speed", "time"}) {
        const std::string plot = file(std::string("my run.") + name + ".svg");
        EXPECT_NE(outcome.out.find(plot), std::string::npos) << outcome.out;
        const std::string svg = text_of(plot);
        EXPECT_EQ(svg.find("<svg "), 0u) << name;
        EXPECT_NE(svg.find("rope_drag: "), std::string::npos) << name;
        EXPECT_EQ(svg.find("no data"), std::string::npos) << name;
    }
    EXPECT_FALSE(fs::exists(file("my run.penetration.svg")));
    EXPECT_EQ(text_of(file("my run.time.svg")).find(">interaction<"), std::string::npos)
        << "a stage without time is left out";
    // Only the extension .json is removed, and a report that is not a regular file gets no plots.
    EXPECT_EQ(run("sim " + scene("rope_drag") + " --quiet --frames 3 --report '" + file("v1.2") + "'").code, 0);
    EXPECT_TRUE(fs::exists(file("v1.2.time.svg")));
    const Outcome piped = run("sim " + scene("rope_drag") + " --quiet --frames 3 --report /proc/self/fd/1");
    EXPECT_EQ(piped.code, 0) << piped.err;
    EXPECT_TRUE(nlohmann::json::accept(piped.out)) << piped.out;
    const Outcome both = run("sim " + scene("rope_drag") + " --frames 3 --report '" + file("out") + "'");
    EXPECT_EQ(both.out.find("{\n  \"scene\": \"rope_drag\""), 0u) << both.out;
    EXPECT_NE(both.out.find("state hash"), std::string::npos) << "the table follows: " << both.out;
    EXPECT_FALSE(fs::exists(file("out.time.svg")));
    fs::create_directory(file("x.speed.svg"));
    expect_refused("sim " + scene("head_10k") + " --frames 1000000000 --report '" + file("x.json") + "'",
                   "x.speed.svg': it is a folder");
}

TEST_F(Cli, AHoldOutOfReachIsReported)
{
    const auto report = this->report(scene("rope_drag") + " --frames 50 --set hold.offset=[3,0,0]");
    EXPECT_EQ(report.at("holds").at("missed"), 1);
    EXPECT_GT(report.at("holds").at("worst_gap_m").get<double>(), 2);
}

TEST_F(Cli, TheNumberOfThreadsDoesNotChangeTheHash)
{
    const std::string small =
        scene("head_10k") + " --set groom.strands=" + std::string(kSanitized ? "100 --frames 10" : "700 --frames 40") +
        " --threads ";
    const auto hash = report(small + "1").at("state_hash");
    for (const char* threads : {"2", "3", "8"}) EXPECT_EQ(report(small + threads).at("state_hash"), hash) << threads;
}

TEST_F(Cli, ASavedStateContinuesAsIfUninterrupted)
{
    const std::string hello = scene("hello"), state = file("half.state");
    const auto straight = report(hello + " --frames 120");
    report(hello + " --frames 60 --save-state " + state);
    const auto resumed = report(hello + " --frames 120 --load-state " + state);
    EXPECT_EQ(resumed.at("state_hash"), straight.at("state_hash"));
    EXPECT_EQ(resumed.at("frames"), 120);
    EXPECT_EQ(resumed.at("first_frame"), 60);
    expect_refused("sim " + hello + " --frames 60 --load-state " + state, "is already at frame 60");
    expect_refused("sim " + scene("rope_drag") + " --load-state " + state, "saved from another scene");
    expect_refused("sim " + hello + " --load-state " + file("nothing"), "No such file");
    expect_refused("sim " + hello + " --load-state " + hello, "not a saved state");
}

TEST_F(Cli, OnlyRequestedFilesAreLeft)
{
    report(scene("hello") + " --frames 5 --save-state " + file("a.state"));
    run("sim " + scene("hello") + " --load-state /nowhere/x --report " + file("never.json"));
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"a.state", "err", "out", "report.energy.svg", "report.json",
                                               "report.speed.svg", "report.stretch.svg", "report.time.svg"}));
}

TEST_F(Cli, AnInterruptedSimulationWritesItsReport)
{
    const Outcome outcome = run("sim " + scene("hello") + " --frames 1000000000 --report '" + file("r.json") + "'",
                                "timeout --preserve-status --signal=INT --kill-after=60 1");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("interrupted after frame"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("r.json"), std::string::npos);
    ASSERT_TRUE(fs::exists(file("r.json")));
    EXPECT_GT(nlohmann::json::parse(text_of(file("r.json"))).at("frames").get<int>(), 0);
}

TEST_F(Cli, AnInterruptionWhileSettlingWritesNothing)
{
    const Outcome outcome =
        run("sim " + scene("hello") + " --set sim.settle=3600 --set groom.strands=20000 --report '" + file("r.json") +
                "' --save-state '" + file("r.state") + "'",
            "timeout --preserve-status --signal=INT --kill-after=60 1");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err, "tendril sim: interrupted while the strands settled\n");
    EXPECT_FALSE(fs::exists(file("r.json")) || fs::exists(file("r.state")));
}

TEST_F(Cli, GroomsAreGeneratedInspectedAndConverted)
{
    const std::string curls = file("curls.tendril"), tfx = file("curls.tfx"), back = file("back.usda");
    ASSERT_EQ(run("groom make '" + curls + "' --style curly --strands 100 --particles 16").code, 0);
    ASSERT_EQ(run("groom convert '" + curls + "' '" + tfx + "' --scale 100").code, 0);
    ASSERT_EQ(run("groom convert '" + tfx + "' '" + back + "' --subset 0.5 --resample 8").code, 0);
    const Outcome lost = run("groom convert '" + curls + "' '" + file("curls.data") + "'");
    EXPECT_NE(lost.out.find("left out, as the format cannot store it: unit, up axis, root UVs, widths, colours"),
              std::string::npos)
        << lost.out;
    const Outcome info = run("groom info --json '" + curls + "' '" + tfx + "' '" + back + "'");
    ASSERT_EQ(info.code, 0) << info.err;
    const auto json = nlohmann::json::parse(info.out);
    ASSERT_EQ(json.size(), 3u);
    EXPECT_EQ(json[0].at("strands"), 100);
    EXPECT_EQ(json[1].at("points"), 1600);
    EXPECT_EQ(json[2].at("strands"), 50);
    EXPECT_EQ(json[2].at("points_per_strand")[1], 8);
    EXPECT_NEAR(json[1].at("length").at("median").get<double>(), 25, 3);
    const Outcome text = run("groom info '" + curls + "'");
    EXPECT_NE(text.out.find("100 x 16 points"), std::string::npos) << text.out;
}

TEST_F(Cli, PartsOfAFileThatAreLeftOutAreSaid)
{
    const std::string usd = file("hair.usda");
    std::ofstream(usd) << "#usda 1.0\n(subLayers = [@a.usda@, @b.usda@])\ndef NurbsCurves \"N\" {}\n"
                          "def BasisCurves \"H\" { uniform token type = \"linear\"\nint[] curveVertexCounts = [2]\n"
                          "point3f[] points.timeSamples = {0: [(0, 0, 0), (0, 1, 0)], 1: [(0, 0, 0), (1, 0, 0)]} }\n";
    const std::string text = "2 sublayers, 1 NurbsCurves prim";
    const Outcome info = run("groom info '" + usd + "'");
    EXPECT_NE(info.out.find("left out       " + text + "\n"), std::string::npos) << info.out;
    EXPECT_NE(info.out.find("unit           0.01 m, the default of its format\n"), std::string::npos) << info.out;
    EXPECT_NE(info.out.find("up             y, the default of its format\n"), std::string::npos) << info.out;
    const auto json = nlohmann::json::parse(run("groom info --json '" + usd + "'").out)[0];
    EXPECT_EQ(json.at("left_out")[0], (nlohmann::json{{"what", "sublayer"}, {"count", 2}}));
    const std::string stated = file("stated.usda");
    const Outcome convert = run("groom convert '" + usd + "' '" + stated + "'");
    EXPECT_NE(convert.out.find("left out, as it is not read: " + text + "\n"), std::string::npos) << convert.out;
    const Outcome again = run("groom info '" + stated + "'");
    EXPECT_NE(again.out.find("unit           0.01 m, says the file\n"), std::string::npos) << again.out;
    EXPECT_NE(again.out.find("up             y, says the file\n"), std::string::npos) << again.out;
    EXPECT_EQ(again.out.find("left out"), std::string::npos) << again.out;

    const std::string scene = "'" + Cli::scene("hello") + "' --frames 1 --set groom.file='" + usd + "'";
    const auto warnings = warnings_of(scene);
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_EQ(warnings[0], usd + ": left out: " + text);
    EXPECT_EQ(warnings[1], usd +
                               ": its motion is not played; of its 2 time samples only the first, or else its rest "
                               "pose, is used");
    EXPECT_NE(run("sim " + scene).err.find("warning: " + usd + ": left out: " + text + "\n"), std::string::npos);
    EXPECT_TRUE(warnings_of("'" + Cli::scene("hello") + "' --frames 1").empty());
}

TEST_F(Cli, HairAndBodyInCentimetresAreWarnedOf)
{
    // Hair of 25 units on a sphere of 25 units, without any unit.
    const std::string hair = file("hair.hair"), mesh = file("head.obj");
    ASSERT_EQ(run("groom make '" + file("m.data") + "' --mesh bust --strands 50").code, 0);
    ASSERT_EQ(run("groom convert '" + file("m.data") + "' '" + hair + "' --scale 100 --from-up y").code, 0);
    std::ofstream(mesh) << "v -12 0 -12\nv 12 0 -12\nv 0 0 12\nv 0 24 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
    const std::string groom_only =
        "hair.hair: the strands are taken to be in metres, but their size suggests "
        "centimetres; set groom.unit_scale = 0.01";
    const std::string scene = "'" + Cli::scene("hello") + "' --frames 1 --set groom.file='" + hair + "'";
    const auto found = [&](const std::string& arguments, const std::string& part) {
        const auto warnings = warnings_of(arguments);
        return warnings.size() == 1 && warnings[0].find(part) != std::string::npos;
    };
    EXPECT_TRUE(
        found(scene + " --set body.mesh='" + mesh + "'", groom_only + ", and body.unit_scale = 0.01 for the body"));
    EXPECT_TRUE(found(scene + " --set body.mesh='" + mesh + "' --set body.unit_scale=0.01", groom_only));
    EXPECT_TRUE(warnings_of(scene + " --set groom.unit_scale=0.01").empty());
    EXPECT_TRUE(warnings_of(scene + " --set groom.unit_scale=1").empty());
    const Outcome info = run("groom info '" + hair + "'");
    EXPECT_NE(info.out.find("warning        a scene takes the unit as 1 m; set groom.unit_scale = 0.01, and "
                            "body.unit_scale = 0.01 if the mesh of the body has the same unit\n"),
              std::string::npos)
        << info.out;
    EXPECT_EQ(run("groom info '" + file("m.data") + "'").out.find("warning"), std::string::npos);
}

TEST_F(Cli, FilesThatTressFxRefusesAreWarnedOf)
{
    const auto said = [](const Outcome& outcome, const std::string& option) {
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out.find("TressFX itself accepts only strands of 4, 8, 16, 32 or 64 points, not 20; use " +
                                option + " 32\n") != std::string::npos;
    };
    EXPECT_TRUE(said(run("groom make '" + file("a.tfx") + "' --strands 9 --particles 20"), "--particles"));
    EXPECT_TRUE(said(run("groom convert '" + file("a.tfx") + "' '" + file("b.tfx") + "'"), "--resample"));
    for (const std::string& good : {"'" + file("b.tfx") + "' --resample 32", "'" + file("b.hair") + "'"})
        EXPECT_EQ(run("groom convert '" + file("a.tfx") + "' " + good).out.find("TressFX itself"), std::string::npos);
}

TEST_F(Cli, ConvertCanKeepEveryNthFrame)
{
    const std::string film = file("film.tendril"), thin = file("thin.tendril");
    ASSERT_EQ(run("sim " + scene("rope_drag") + " --frames 10 --cache '" + film + "'").code, 0);
    ASSERT_EQ(run("groom convert '" + film + "' '" + thin + "' --every 4").code, 0);
    const auto all = read_curves(film), some = read_curves(thin);
    ASSERT_TRUE(all && some);
    ASSERT_EQ(all->times.size(), 10u);
    ASSERT_EQ(some->times.size(), 3u);
    EXPECT_EQ(some->times[2], all->times[8]);
    EXPECT_EQ(some->samples[2], all->samples[8]);
}

TEST_F(Cli, BadGroomsGiveOneLineAndExitCodeTwo)
{
    std::ofstream(file("noise.hair")) << "HAIR and nothing else";
    expect_refused("groom info '" + file("noise.hair") + "'", "noise.hair");
    expect_refused("groom info '" + file("none.hair") + "'", "none.hair");
    expect_refused("groom info", "FILE");
    expect_refused("groom", "subcommand");
    expect_refused("groom make '" + file("x.png") + "'", "unknown file extension");
    expect_refused("groom make '" + file("x.hair") + "' --style curlie", "curlie not in {straight,wavy,curly}");
    expect_refused("groom make '" + file("x.hair") + "' --strands -3", "groom.strands");
    expect_refused("groom make '" + file("x.hair") + "' --mesh nothing.glb", "nothing.glb");
    ASSERT_EQ(run("groom make '" + file("x.data") + "' --strands 10").code, 0);
    expect_refused("groom convert '" + file("x.data") + "' '" + file("x.data") + "'", "write to another");
    expect_refused("groom convert '" + file("x.data") + "' '" + file("y.hair") + "' --up z", "--from-up");
    expect_refused("groom convert '" + file("x.data") + "' /no/folder/y.hair", "/no/folder/y.hair");
    expect_refused("groom convert '" + file("x.data") + "' '" + file("y.hair") + "' --scale nan", "--scale");
    expect_refused("groom convert '" + file("x.data") + "' '" + file("y.hair") + "' --scale 1e30",
                   "--scale must be in [1e-12, 1e12], not 1e+30");
    expect_refused("groom convert '" + file("x.data") + "' '" + file("y.hair") + "' --subset nan", "--subset");
    fs::create_directory(file("folder.hair"));
    expect_refused("groom convert '" + file("x.data") + "' '" + file("folder.hair") + "'", "write to a file");
    ASSERT_EQ(mkfifo(file("pipe.tendril").c_str(), 0600), 0);
    expect_refused("sim '" + scene("hello") + "' --frames 1 --cache '" + file("pipe.tendril") + "'", "write to a file");
    expect_refused("sim '" + scene("hello") + "' --frames 1 --cache '" + file("x.usda") + "'", "call it .tendril");
}

TEST_F(Cli, CachesHoldEveryFrame)
{
    ASSERT_EQ(run("sim '" + scene("hello") + "' --quiet --frames 7 --cache '" + file("hello.tendril") + "'").code, 0);
    const auto json = nlohmann::json::parse(run("groom info --json '" + file("hello.tendril") + "'").out);
    EXPECT_EQ(json[0].at("frames"), 7);
    ASSERT_EQ(run("groom convert '" + file("hello.tendril") + "' '" + file("hello.usda") + "'").code, 0);
    EXPECT_EQ(nlohmann::json::parse(run("groom info --json '" + file("hello.usda") + "'").out)[0].at("frames"), 7);
    expect_refused("sim '" + scene("hello") + "' --cache /no/folder/x.tendril", "/no/folder/x.tendril");
}

}  // namespace
}  // namespace tendril::test
