// `tendril run` and `tendril render` from the command line.
#include "support/cli.h"
#include "tendril/curve_file.h"
#include "tendril/picture.h"

namespace tendril::test {
namespace {

/// Small and short, but with enough samples that rendering takes a moment.
constexpr const char* kSmallFilm = " --size 96x54 --every 2 --quality good --set render.samples=8 --frames 24";

std::string file_text(const std::string& file)
{
    return text_of(file);
}

TEST_F(Cli, RunWritesFilmPosterCacheReportAndPlots)
{
    const Outcome outcome = run("run " + scene("hello") + kSmallFilm + " --out '" + file("films") + "'");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string prefix = file("films/hello/hello");
    for (const char* ending : {".png", ".tendril", ".json", ".stretch.svg", ".energy.svg", ".time.svg"}) {
        EXPECT_TRUE(fs::exists(prefix + ending)) << ending;
        EXPECT_NE(outcome.out.find(prefix + ending), std::string::npos) << "the output names " << ending;
    }
    EXPECT_EQ(fs::exists(prefix + ".mp4"), have_ffmpeg());
    EXPECT_FALSE(fs::exists(prefix + "_unfinished")) << "no temporary files are left";
    const auto poster = read_png(prefix + ".png");
    ASSERT_TRUE(poster) << poster.error();
    EXPECT_EQ(poster->width, 96u);
    EXPECT_EQ(poster->height, 54u);
    EXPECT_EQ(read_curves(prefix + ".tendril")->samples.size(), 24u);
    EXPECT_GT(nlohmann::json::parse(text_of(prefix + ".json"))["time"]["stages"]["render"].get<double>(), 0);
}

// Whenever the run is killed, finished frames are kept and the final film is the same.
TEST_F(Cli, KilledRunResumesAndGivesTheSameFilm)
{
    const std::string command = "run " + scene("hello") + kSmallFilm + " --set output.frames=true --out '";
    ASSERT_EQ(run(command + file("whole") + "'").code, 0);
    const std::string part = file("killed/hello/hello.tendril.part");
    size_t frames = 0;
    for (const char* seconds : {"0.15", "0.3", "0.2", "0.4"}) {
        run(command + file("killed") + "'", std::string("timeout -s KILL ") + seconds);
        if (fs::exists(file("killed/hello/hello.tendril"))) break;  // the run finished before it was killed
        const auto cache = read_curves(part);
        if (!cache) continue;  // the run was killed before it wrote anything
        EXPECT_GE(cache->samples.size(), frames) << "finished frames are not lost";
        frames = cache->samples.size();
    }
    const Outcome last = run(command + file("killed") + "'");
    ASSERT_EQ(last.code, 0) << last.err;
    for (const char* name : {"hello.tendril", "hello.png", "hello.mp4", "hello_pictures/000000.png",
                             "hello_pictures/000005.png", "hello_pictures/000011.png"}) {
        if (!have_ffmpeg() && fs::path(name).extension() == ".mp4") continue;
        EXPECT_TRUE(file_text(file("whole/hello/") + name) == file_text(file("killed/hello/") + name)) << name;
        EXPECT_FALSE(file_text(file("whole/hello/") + name).empty()) << name;
    }
    const auto whole = nlohmann::json::parse(text_of(file("whole/hello/hello.json")));
    const auto killed = nlohmann::json::parse(text_of(file("killed/hello/hello.json")));
    EXPECT_EQ(whole["state_hash"], killed["state_hash"]);
    EXPECT_EQ(whole["series"]["frame"], killed["series"]["frame"]);
    EXPECT_EQ(whole["stretch"], killed["stretch"]);
}

TEST_F(Cli, ChangedSceneDoesNotResumeTheOldRun)
{
    const std::string command = "run " + scene("hello") + kSmallFilm + " --out '" + file("films") + "' --set ";
    run(command + "sim.gravity=9", "timeout -s KILL 0.4");
    ASSERT_EQ(run(command + "sim.gravity=3").code, 0);
    ASSERT_EQ(
        run("sim " + scene("hello") + " -q --frames 24 --set sim.gravity=3 --report '" + file("r.json") + "'").code, 0);
    EXPECT_EQ(nlohmann::json::parse(text_of(file("films/hello/hello.json")))["state_hash"],
              nlohmann::json::parse(text_of(file("r.json")))["state_hash"]);
}

TEST_F(Cli, RenderAcceptsScenesCachesAndCurves)
{
    ASSERT_EQ(run("sim " + scene("hello") + " -q --frames 12 --cache '" + file("c.tendril") + "'").code, 0);
    const std::string small = " --size 64x36 -q ";
    const Outcome of_scene = run("render " + scene("hello") + small + "--frame 12 -o '" + file("a.png") + "'");
    ASSERT_EQ(of_scene.code, 0) << of_scene.err;
    ASSERT_EQ(run("render " + scene("hello") + small + "--frame 12 --cache '" + file("c.tendril") + "' -o '" +
                  file("b.png") + "'")
                  .code,
              0);
    EXPECT_TRUE(*read_png(file("a.png")) == *read_png(file("b.png")))
        << "a simulated and a cached frame give the same picture";
    ASSERT_EQ(run("groom convert '" + file("c.tendril") + "' '" + file("c.hair") + "'").code, 0);
    ASSERT_EQ(run("render '" + file("c.hair") + "'" + small + "-o '" + file("c.png") + "'").code, 0);
    EXPECT_EQ(read_png(file("c.png"))->width, 64u);
    ASSERT_EQ(
        run("render '" + file("c.tendril") + "'" + small + "--first 3 --last 9 --every 3 -o '" + file("f/") + "'").code,
        0);
    for (const char* name : {"f/000000.png", "f/000001.png", "f/000002.png"}) EXPECT_TRUE(fs::exists(file(name)));
    EXPECT_FALSE(fs::exists(file("f/000003.png")));
}

TEST_F(Cli, InvalidPicturesAreRefused)
{
    const std::string hello = scene("hello");
    expect_refused("render", "of what?");
    expect_refused("run", "which scene?");
    expect_refused("render " + hello + " --frame 1000000", "there is no frame 1000000; there are 1 to");
    expect_refused("render " + hello + " --frame 1 -o x.jpg", "a single picture must be a .png");
    expect_refused("render " + hello + " --first 3 -o x.png", "pictures need a film");
    expect_refused("render " + hello + " --size 12", "write WIDTHxHEIGHT");
    expect_refused("render " + hello + " --size 0x5", "render.width must be");
    expect_refused("render " + hello + " --hair purple", "look of the hair");
    expect_refused("render " + hello + " --quality best", "render.quality must be \"draft\", \"good\" or \"final\"");
    expect_refused("run " + hello + " --frames 1 --out /dev/null/x", "cannot make the folder");
    expect_refused("render '" + file("none.hair") + "'", "none.hair");
    std::ofstream(file("bad.hair")) << "HAIR and no more";
    expect_refused("render '" + file("bad.hair") + "'", "bad.hair");
}

}  // namespace
}  // namespace tendril::test
