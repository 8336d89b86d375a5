// Scene files: reading, overrides and error messages; and the built-in motions of bodies.
// Needs TENDRIL_SOURCE_DIR.
#include "tendril/scene.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <unistd.h>

namespace tendril {
namespace {

namespace fs = std::filesystem;

const std::string kSource = TENDRIL_SOURCE_DIR;
const std::string kGroom = "[groom]\nstrands = 2\n";

std::string text_of(const std::string& file)
{
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The error of a scene, or an empty string if it is valid. Expects that an error is one line.
std::string error_of(const std::string& text, const Overrides& overrides = {})
{
    const auto scene = parse_scene(text, "x.toml", overrides);
    if (scene) return "";
    EXPECT_EQ(scene.error().find('\n'), std::string::npos) << scene.error();
    return scene.error();
}

Scene scene_of(const std::string& text, const Overrides& overrides = {})
{
    const auto scene = parse_scene(text, "x.toml", overrides);
    EXPECT_TRUE(scene) << scene.error();
    return scene ? *scene : Scene{};
}

/// A temporary file.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& bytes)
        : path_(fs::temp_directory_path() / ("tendril_scene_test_" + std::to_string(getpid()) + ".toml"))
    {
        std::ofstream(path_, std::ios::binary) << bytes;
    }
    ~TemporaryFile() { fs::remove(path_); }
    std::string path() const { return path_.string(); }

private:
    fs::path path_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Reading

TEST(Scene, ReadsEveryType)
{
    const Scene scene = scene_of(R"([sim]
dt = 0.01
substeps = 4
frames = 1e3
gravity = [1, -2.5, 0]
[solver]
velocity_correction = 0.5
bend_order = "paper"
backward_pass = true
[wind]
velocity = [1, 2, 3]
[air]
drag_normal = 2
[interaction]
method = "grid"
cell = 0.02
friction = 3
repulsion = 4.5
tolerance = 1.25
[groom]
style = "rope"
strands = 3
ends = "both"
[body]
name = "hand"
clip = "nod"
)");
    EXPECT_EQ(scene.name, "x");
    EXPECT_EQ(scene.world.dt, 0.01);
    EXPECT_EQ(scene.world.substeps, 4);
    EXPECT_EQ(scene.frames, 1000);
    EXPECT_EQ(scene.world.gravity, (Vec3d{1, -2.5, 0}));
    EXPECT_EQ(scene.world.solver.dftl.velocity_correction, 0.5f);
    EXPECT_EQ(scene.world.solver.dftl.bend_order, BendOrder::kPaper);
    EXPECT_TRUE(scene.world.solver.dftl.backward_pass);
    EXPECT_EQ(scene.world.wind.velocity, (Vec3f{1, 2, 3}));
    EXPECT_EQ(scene.world.air.drag_normal, 2.0f);
    EXPECT_EQ(scene.world.interaction.method, InteractionMethod::kGrid);
    EXPECT_EQ(scene.world.interaction.grid.cell, 0.02f);
    EXPECT_EQ(scene.world.interaction.grid.friction, 3.0f);
    EXPECT_EQ(scene.world.interaction.grid.repulsion, 4.5f);
    EXPECT_EQ(scene.world.interaction.grid.tolerance, 1.25f);
    EXPECT_EQ(scene.grooms.at(0).strands, 3);
    EXPECT_EQ(scene.grooms.at(0).ends, Ends::kBothHeld);
    EXPECT_EQ(scene.bodies.at(0).name, "hand");
    EXPECT_EQ(scene.bodies.at(0).clip, "nod");
}

TEST(Scene, ASingleNumberForGravityPointsDown)
{
    EXPECT_EQ(scene_of(kGroom + "[sim]\ngravity = 10\n").world.gravity, (Vec3d{0, -10, 0}));
}

TEST(Scene, TablesMayBeRepeated)
{
    const Scene scene = scene_of(R"([[body]]
name = "left"
[[body]]
name = "right"
[[groom]]
strands = 1
body = "left"
[[groom]]
strands = 2
body = "right"
[[hold]]
groom = 1
strand = 1
body = "left"
)");
    ASSERT_EQ(scene.bodies.size(), 2u);
    ASSERT_EQ(scene.grooms.size(), 2u);
    EXPECT_EQ(scene.grooms[1].body, "right");
    ASSERT_EQ(scene.holds.size(), 1u);
    EXPECT_EQ(scene.holds[0].particle, -1);
    const auto world = build_world(scene, make_serial_executor());
    ASSERT_TRUE(world) << world.error();
    EXPECT_EQ(world->strand_count(), 3u);
}

TEST(Scene, MissingKeysHaveTheDefaultsOfTheSettings)
{
    const Scene scene = scene_of("[groom]\n");
    EXPECT_EQ(scene.world.dt, WorldSettings{}.dt);
    EXPECT_EQ(scene.world.solver.dftl.velocity_correction, DftlSettings{}.velocity_correction);
    EXPECT_EQ(scene.grooms.at(0).particles, SceneGroom{}.particles);
}

// ---------------------------------------------------------------------------------------------------------------------
// Overrides

TEST(Scene, OverridesReplaceValuesOfTheFile)
{
    const Scene scene = scene_of(kGroom, {{"groom.strands", "7"},
                                          {"solver.velocity_correction", "0.25"},
                                          {"wind.velocity", "[1, 0, 0]"},
                                          {"body.clip", "sway"},
                                          {"body.name", "\"hand\""},
                                          {"solver.dynamic", "false"}});
    EXPECT_EQ(scene.grooms.at(0).strands, 7);
    EXPECT_EQ(scene.world.solver.dftl.velocity_correction, 0.25f);
    EXPECT_EQ(scene.world.wind.velocity, (Vec3f{1, 0, 0}));
    EXPECT_EQ(scene.bodies.at(0).clip, "sway");
    EXPECT_EQ(scene.bodies.at(0).name, "hand");
    EXPECT_FALSE(scene.world.solver.dftl.dynamic);
}

TEST(Scene, OverridesApplyToAllElementsOrToOne)
{
    const std::string two = "[[groom]]\n[[groom]]\n";
    const Scene all = scene_of(two, {{"groom.length", "2"}});
    EXPECT_EQ(all.grooms.at(0).length, 2);
    EXPECT_EQ(all.grooms.at(1).length, 2);
    const Scene one = scene_of(two, {{"groom.1.length", "2"}});
    EXPECT_EQ(one.grooms.at(0).length, SceneGroom{}.length);
    EXPECT_EQ(one.grooms.at(1).length, 2);
    EXPECT_EQ(error_of(two, {{"groom.2.length", "2"}}),
              "--set groom.2.length=2: 'groom.2' does not exist; the scene has 2 (counted from 0)");
}

TEST(Scene, ErrorsOfOverridesNameTheOverride)
{
    EXPECT_EQ(error_of(kGroom, {{"groom.strands", "-5"}}),
              "--set groom.strands=-5: groom.strands must be an integer of at least 1, not -5");
    for (const char* many : {"99999999999999999999", "1e20"}) {
        const std::string error = error_of(kGroom, {{"groom.strands", many}});
        EXPECT_TRUE(error.ends_with(", which is too large")) << error;
    }
    EXPECT_EQ(error_of(kGroom, {{"groom.strnads", "5"}}),
              "--set groom.strnads=5: unknown key 'groom.strnads'; did you mean 'groom.strands'?");
    EXPECT_EQ(error_of(kGroom, {{"dt", "5"}}), "--set dt=5: unknown key 'dt'; did you mean 'sim.dt'?");
    EXPECT_NE(error_of(kGroom, {{"groom", "5"}}), "");
    EXPECT_EQ(error_of(kGroom, {{"shape.units", "paper"}, {"shape.local", "20"}}),
              "--set shape.local=20: shape.local = 20 must be below 1 with the paper's units or form");
    EXPECT_EQ(
        error_of(kGroom, {{"solver.type", "pbd"}, {"solver.angle_stiffness", "2"}}),
        "--set solver.angle_stiffness=2: solver.angle_stiffness = 2 must be in [0, 1] with solver.type = \"pbd\"; "
        "with \"xpbd\" it is a stiffness");
    EXPECT_EQ(error_of(kGroom, {{"solver.type", "xpbd"}, {"solver.angle_stiffness", "2"}}), "");
    EXPECT_EQ(error_of(kGroom, {{"shape.units", "paper"}, {"groom.shape.local", "20"}}),
              "--set groom.shape.local=20: groom.shape.local = 20 must be below 1 with the paper's units or form");
    EXPECT_NE(error_of(kGroom, {{"groom..length", "5"}}), "");
    EXPECT_NE(error_of(kGroom, {{"sim.dt", ""}}), "");
    EXPECT_NE(error_of(kGroom, {{"sim.dt", "0.01\n[groom]"}}), "");
    EXPECT_NE(error_of(kGroom, {{"sim.dt", "0.01\nother = 1"}}), "");
}

// ---------------------------------------------------------------------------------------------------------------------
// Errors

TEST(Scene, UnknownKeysSuggestTheNearestName)
{
    EXPECT_EQ(error_of(kGroom + "\n[solver]\nvelocity_corection = 1\n"),
              "x.toml:5: unknown key 'solver.velocity_corection'; did you mean 'solver.velocity_correction'?");
    EXPECT_EQ(error_of(kGroom + "[sim]\nbend_limit = 1\n"),
              "x.toml:4: unknown key 'sim.bend_limit'; did you mean 'solver.bend_limit'?");
    EXPECT_EQ(error_of(kGroom + "[air]\nqqqqqqqq = 1\n"),
              "x.toml:4: unknown key 'air.qqqqqqqq'; the keys of [air] are drag_normal, drag_tangential");
    EXPECT_EQ(error_of(kGroom + "on = 1\n"),
              "x.toml:3: unknown key 'groom.on'; 'tendril sim --keys' lists the keys of [groom]");
    EXPECT_EQ(error_of("[grom]\n"), "x.toml:1: unknown table 'grom'; did you mean 'groom'?");
    EXPECT_EQ(error_of("frames = 3\n" + kGroom), "x.toml:1: unknown key 'frames'; did you mean 'sim.frames'?");
}

TEST(Scene, WrongTypesAreRefused)
{
    EXPECT_EQ(error_of("[groom]\nstrands = \"many\"\n"),
              "x.toml:2: groom.strands must be an integer of at least 1, not \"many\"");
    EXPECT_EQ(error_of("[groom]\nstrands = 2.5\n"),
              "x.toml:2: groom.strands must be an integer of at least 1, not 2.5");
    EXPECT_EQ(error_of(kGroom + "[sim]\ndt = true\n"), "x.toml:4: sim.dt must be a number in [0.0001, 1] s, not true");
    EXPECT_EQ(error_of(kGroom + "[solver]\ndynamic = 1\n"), "x.toml:4: solver.dynamic must be true or false, not 1");
    EXPECT_EQ(error_of(kGroom + "body = 3\n"), "x.toml:3: groom.body must be text in quotes, not 3");
    EXPECT_NE(error_of(kGroom + "direction = [1, 2]\n").find("not a list of 2"), std::string::npos);
    EXPECT_NE(error_of(kGroom + "direction = [0, 0, 0]\n").find("not all zero"), std::string::npos);
    EXPECT_NE(
        error_of(kGroom + "[wind]\nvelocity = [1, \"x\", 3]\n").find("x.toml:4: wind.velocity must be three numbers"),
        std::string::npos);
    EXPECT_EQ(error_of("groom = 5\n"), "x.toml:1: 'groom' must be a table; write [groom]");
    EXPECT_EQ(error_of(kGroom + "[[sim]]\n"), "x.toml:3: there can be only one sim; write [sim] instead of [[sim]]");
    EXPECT_NE(error_of(kGroom + "length = 1979-05-27\n").find("a date or time"), std::string::npos);
    EXPECT_NE(error_of(kGroom + "length = {a = 1}\n").find("a table"), std::string::npos);
}

TEST(Scene, ValuesOutOfRangeAreRefused)
{
    EXPECT_EQ(error_of("[groom]\nstrands = -5\n"), "x.toml:2: groom.strands must be an integer of at least 1, not -5");
    EXPECT_EQ(error_of("[groom]\nparticles = 1\n"),
              "x.toml:2: groom.particles must be an integer in [2, 1000000], not 1");
    EXPECT_EQ(error_of(kGroom + "[solver]\nvelocity_correction = 1.5\n"),
              "x.toml:4: solver.velocity_correction must be a number in [0, 1], not 1.5");
    for (const char* value : {"nan", "inf", "-inf", "1e300", "-1", "0"})
        EXPECT_NE(error_of(kGroom + "length = " + value + "\n").find("groom.length must be"), std::string::npos)
            << value;
    EXPECT_EQ(error_of("[groom]\n[solver]\ntype = \"mass_spring\"\nspring_stiffness = 7\n")
                  .find("x.toml:4: solver.spring_stiffness = 7 N/m would be unstable"),
              0u);
    EXPECT_NE(error_of(kGroom + "[sim]\ngravity = nan\n").find("not nan"), std::string::npos);
    EXPECT_NE(error_of(kGroom + "[sim]\nframes = -1\n").find("sim.frames must be"), std::string::npos);
}

TEST(Scene, ErrorsOfChoicesListTheAllowedWords)
{
    EXPECT_EQ(error_of(kGroom + "style = \"spher\"\n"),
              "x.toml:3: groom.style must be \"rope\", \"sphere\", \"straight\", \"wavy\" or \"curly\", not \"spher\"; "
              "did you "
              "mean \"sphere\"?");
    EXPECT_EQ(error_of(kGroom + "[render]\nquality = \"finl\"\n"),
              "x.toml:4: render.quality must be \"draft\", \"good\" or \"final\", not \"finl\"; did you mean "
              "\"final\"?");
}

TEST(Scene, PartsMustBeConsistent)
{
    EXPECT_EQ(error_of("[sim]\nframes = 3\n"), "x.toml: the scene has no strands; add a [groom]");
    EXPECT_EQ(error_of("[body]\nname = \"head\"\n[groom]\nbody = \"haed\"\n"),
              "x.toml:4: there is no body 'haed'; did you mean 'head'?");
    EXPECT_EQ(error_of("[[body]]\nname = \"head\"\n[[body]]\nname = \"tail\"\n[groom]\nbody = \"q\"\n"),
              "x.toml:6: there is no body 'q'; there are: head, tail");
    EXPECT_EQ(error_of("[groom]\nbody = \"q\"\n"), "x.toml:2: there is no body 'q'; add a [body] of that name");
    EXPECT_EQ(error_of("[[body]]\n[[body]]\n[groom]\n"),
              "x.toml:2: two bodies are called 'body'; give each a name of its own");
    EXPECT_EQ(error_of("[body]\n[groom]\nstyle = \"sphere\"\n"),
              "x.toml:3: groom.style = \"sphere\" needs a body with mesh = \"sphere\" to grow on");
    EXPECT_EQ(error_of(kGroom + "[[hold]]\nstrand = 2\n"),
              "x.toml:4: hold.strand = 2 does not exist; the groom has 2 (counted from 0)");
    EXPECT_NE(error_of(kGroom + "[[hold]]\ngroom = 1\n"), "");
    EXPECT_NE(error_of(kGroom + "[[hold]]\nparticle = 30\n"), "");
    EXPECT_NE(error_of(kGroom + "[[hold]]\nparticle = -31\n"), "");
    EXPECT_NE(error_of(kGroom + "[[hold]]\nbody = \"x\"\n"), "");
    EXPECT_EQ(error_of(kGroom + "[body]\nrigid = \"box\"\nmesh = \"bust\"\ncollide = \"shapes\"\n"),
              "x.toml:6: a rigid body brings its own collider; leave out body.collide");
}

// These scenes would need petabytes and are refused before anything is allocated.
TEST(Scene, TooManyParticlesAreRefusedAtOnce)
{
    const std::string error = error_of("[groom]\nstrands = 1000000000000\nparticles = 30\n");
    EXPECT_EQ(
        error.find("x.toml:2: groom.strands x groom.particles = 1000000000000 x 30 particles need about 1.9 PB, this "
                   "machine has "),
        0u)
        << error;
    EXPECT_NE(error_of("[groom]\nstrands = 9223372036854775807\nparticles = 1000000\n"), "");
    std::string many;
    for (int i = 0; i < 40; ++i) many += "[[groom]]\nstrands = 100000000\n";
    EXPECT_NE(error_of(many).find("this machine has"), std::string::npos);
    Scene by_hand;
    by_hand.grooms.emplace_back().strands = 1'000'000'000'000;
    EXPECT_FALSE(build_world(by_hand, make_serial_executor()));
}

TEST(Scene, NonAsciiCharactersAreAllowedInQuotesAndComments)
{
    EXPECT_EQ(error_of("\xef\xbb\xbf# \xd0\xbd\n[body]\nname = \"\xd0\xbd \xd0\xbd\" # \xd0\xbd\n[groom]\n"), "");
    EXPECT_EQ(error_of("[groom]\nl\xc3\xa4nge = 3\n"),
              "x.toml:2: not valid TOML: non-ASCII characters are allowed only in comments and simple quoted values");
}

TEST(Scene, SyntaxErrorsNameTheLine)
{
    EXPECT_EQ(error_of("[sim]\ndt = = 3\n").find("x.toml:2: not valid TOML: "), 0u);
    EXPECT_EQ(error_of("[sim]\ndt = 1\ndt = 2\n").find("x.toml:3: not valid TOML: "), 0u);
    EXPECT_NE(error_of("[sim\n"), "");
    EXPECT_NE(error_of("\"a\\nb\" = 1\n"), "");
    EXPECT_NE(error_of("\xff\xfe\x00"), "");
    EXPECT_NE(error_of(std::string(100000, '[')), "");
    EXPECT_NE(error_of(std::string(100000, 'x') + " = 1"), "");
}

// The text of a scene, truncated or with one byte changed, is read or refused with a one-line error.
TEST(Scene, DamagedFilesNeverCrash)
{
    const std::string text = text_of(kSource + "/scenes/hello.toml");
    ASSERT_GT(text.size(), 100u);
    constexpr char kBytes[] = {0, '\n', '[', ']', '=', '{', '}', '"', '\'', '.', '#', 0x7f, -1, '9', '-', 'e', '\\'};
    for (size_t i = 0; i < text.size(); i += 3) {
        error_of(text.substr(0, i));
        std::string changed = text;
        changed[i] = kBytes[i % sizeof kBytes];
        error_of(changed);
    }
}

TEST(Scene, FilesThatCannotBeReadAreNamed)
{
    const auto message = [](const std::string& file) {
        const auto scene = read_scene(file);
        return scene ? std::string() : scene.error();
    };
    EXPECT_EQ(message("/nowhere/x.toml"), "cannot open '/nowhere/x.toml': No such file or directory");
    EXPECT_EQ(message(kSource + "/scenes/helo.toml"),
              "cannot open '" + kSource + "/scenes/helo.toml': No such file or " + "directory; did you mean '" +
                  kSource + "/scenes/hello.toml'?");
    EXPECT_EQ(message(kSource + "/scenes"), "'" + kSource + "/scenes' is a folder; name a scene file in it");
    const TemporaryFile binary(std::string("[sim]\n\0\1\2", 9));
    EXPECT_EQ(message(binary.path()), binary.path() + ":2: not a text file; a scene is a TOML file");
    EXPECT_NE(message("/dev/zero").find("too large"), std::string::npos);
}

TEST(Scene, IsFoundByItsBareName)
{
    const std::vector<std::string> folders{"/nowhere", kSource + "/scenes"};
    const auto found = find_scene("hello", folders);
    ASSERT_TRUE(found) << found.error();
    EXPECT_EQ(*found, kSource + "/scenes/hello.toml");
    const auto missed = find_scene("rope_darg", folders);
    ASSERT_FALSE(missed);
    EXPECT_NE(missed.error().find("did you mean '" + kSource + "/scenes/rope_drag.toml'?"), std::string::npos);
    const auto unlike = find_scene("nothing_like_it", folders);
    ASSERT_FALSE(unlike);
    EXPECT_NE(unlike.error().find("'ls " + kSource + "/scenes' lists the scenes"), std::string::npos) << unlike.error();
}

TEST(Scene, IsFoundInASubfolderByNameOrPath)
{
    const std::vector<std::string> folders{"/nowhere", kSource + "/scenes"};
    for (const char* name : {"mueller12_fig7", "papers/mueller12_fig7", "papers/mueller12_fig7.toml"}) {
        const auto found = find_scene(name, folders);
        ASSERT_TRUE(found) << found.error();
        EXPECT_EQ(*found, kSource + "/scenes/papers/mueller12_fig7.toml");
    }
    for (const char* name : {"mueler12_fig7", "papers/mueler12_fig7"}) {
        const auto missed = find_scene(name, folders);
        ASSERT_FALSE(missed);
        EXPECT_NE(missed.error().find("did you mean '" + kSource + "/scenes/papers/mueller12_fig7.toml'?"),
                  std::string::npos)
            << missed.error();
    }
    EXPECT_FALSE(find_scene("/mueller12_fig7", folders));
}

// ---------------------------------------------------------------------------------------------------------------------
// Documentation and random numbers

TEST(Scene, DocumentationIsUpToDate)
{
    EXPECT_EQ(text_of(kSource + "/docs/scene.md"), scene_reference()) << "run: tendril sim --keys > docs/scene.md";
}

TEST(Scene, OneSeedDeterminesEverythingRandom)
{
    const std::string text =
        "[body]\nmesh = \"sphere\"\n[groom]\nstyle = \"sphere\"\nstrands = 8\nlength_spread = 0.5\n";
    const auto hash = [&](const char* seed) {
        auto world = build_world(scene_of(text, {{"sim.seed", seed}}), make_serial_executor());
        EXPECT_TRUE(world);
        return world->state_hash();
    };
    EXPECT_EQ(hash("3"), hash("3"));
    EXPECT_NE(hash("3"), hash("4"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Motions of bodies

Pose pose_at(const PoseFunction& motion, double time)
{
    Pose pose;
    motion(time, {&pose, 1});
    return pose;
}

/// The position of a point beside the origin of the body, so that rotations show as well.
Vec3d marker_at(const PoseFunction& motion, double time)
{
    return transform_point(pose_at(motion, time), {0.3, 0.2, 0.1});
}

class Motion : public testing::TestWithParam<std::string> {};

// Second differences are bounded by what an oscillation of this size with its smooth start can reach. A kink would
// exceed the bound, because its second difference grows as the step shrinks.
TEST_P(Motion, IsSmoothAndStartsFromRest)
{
    SceneBody body;
    body.clip = GetParam();
    body.position = {1, 2, 3};
    body.amplitude = 0.5;
    body.period = 1.5;
    body.start = 0.7;
    body.motion_axis = {1, 2, -1};
    const PoseFunction motion = motion_of(body);
    const Vec3d rest = Vec3d{1.3, 2.2, 3.1};
    EXPECT_LT(length(marker_at(motion, 0) - rest), 1e-12);
    EXPECT_LT(length(marker_at(motion, 0.7) - rest), 1e-12);
    const double h = 1e-4;
    double fastest = 0, farthest = 0;
    for (double t = 0.5; t < 6; t += 0.003) {
        const Vec3d a = marker_at(motion, t), b = marker_at(motion, t + h), c = marker_at(motion, t + 2 * h);
        EXPECT_LT(length(a - b * 2.0 + c) / (h * h), 80) << t;
        fastest = std::max(fastest, length(b - a) / h);
        farthest = std::max(farthest, length(a - rest));
        const Quat q = pose_at(motion, t).rotation, p = pose_at(motion, t + h).rotation;
        EXPECT_GT(q.x * p.x + q.y * p.y + q.z * p.z + q.w * p.w, 0.999) << t;  // the sign never changes
    }
    EXPECT_LT(fastest, 10);
    EXPECT_GT(farthest, 0.1);
}

INSTANTIATE_TEST_SUITE_P(All, Motion, testing::Values("sway", "turn", "spin", "circle", "nod"));

TEST(SceneMotion, CircleHasItsRadiusAndPeriod)
{
    SceneBody body;
    body.clip = "circle";
    body.amplitude = 0.25;
    body.period = 2;
    const PoseFunction motion = motion_of(body);
    for (double t = 1; t < 5; t += 0.1) {
        const Vec3d p = pose_at(motion, t).position;
        EXPECT_NEAR(length(p), 0.25, 1e-12);
        EXPECT_NEAR(p.y, 0, 1e-15);
        EXPECT_LT(length(p - pose_at(motion, t + 2).position), 1e-12);
    }
}

TEST(SceneMotion, SpinTurnsOncePerPeriod)
{
    SceneBody body;
    body.clip = "spin";
    body.period = 2;
    const PoseFunction motion = motion_of(body);
    EXPECT_LT(length(marker_at(motion, 3.25) - marker_at(motion, 5.25)), 1e-12);
    EXPECT_LT(length(marker_at(motion, 3.25) - marker_at(motion, 1e6 + 3.25)), 1e-8);
    EXPECT_GT(length(marker_at(motion, 3.25) - marker_at(motion, 4.25)), 0.5);
}

TEST(SceneMotion, JumpAppliesFromItsTimeOn)
{
    SceneBody body;
    body.jump = {0, 100, 0};
    EXPECT_EQ(pose_at(motion_of(body), 50).position.y, 0);
    body.jump_time = 1;
    EXPECT_EQ(pose_at(motion_of(body), 0.99).position.y, 0);
    EXPECT_EQ(pose_at(motion_of(body), 1).position.y, 100);
}

}  // namespace
}  // namespace tendril
