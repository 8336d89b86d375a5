// Keys that were set but have no effect in their scene.
#include "tendril/scene_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tendril {
namespace {

namespace fs = std::filesystem;

/// A key that acts with `acting` and not with `idle`. Both are scenes without the key; its line is added at the end.
struct ConditionCase {
    std::string key;   ///< table.key
    std::string line;  ///< the key with a value
    std::string acting, idle;
};

const std::string kMeshScene = "[body]\nmesh = \"bust\"\n", kFileScene = "[groom]\nfile = \"x.hair\"\n",
                  kStringsScene = "[solver]\ntype = \"chain_shape\"\n",
                  kStraightScene = kMeshScene + "[groom]\nstyle = \"straight\"\n",
                  kRopeScene = "[groom]\nstyle = \"rope\"\n",
                  kSphereScene = "[body]\nmesh = \"sphere\"\n[groom]\nstyle = \"sphere\"\n",
                  kBallScene = "[body]\n[[collider]]\n";

/// Grooms: the key follows the [groom] table, so the tables before it must come first.
std::vector<ConditionCase> groom_cases()
{
    std::vector<ConditionCase> cases;
    const auto add = [&](const std::string& line, const std::string& acting, const std::string& idle) {
        cases.push_back({"groom." + line.substr(0, line.find(' ')), line, acting, idle});
    };
    const std::string wavy = kMeshScene + "[groom]\nstyle = \"wavy\"\n";
    for (const char* line : {"style = \"rope\"", "strands = 3", "particles = 9", "length = 0.5"})
        add(line, "[groom]\n", kFileScene);
    add("length_spread = 0.2", kStraightScene, kRopeScene);
    add("coverage = 0.3", kSphereScene, kRopeScene);
    for (const char* line : {"spacing = 0.2", "span = 0.5", "direction = [0, 1, 0]", "rope_tip_width = 0.001"})
        add(line, kRopeScene, kFileScene);
    for (const char* line : {"rope_width = 0.01", "ends = \"both\""}) {
        add(line, kRopeScene, kFileScene);
        add(line, kStringsScene + kFileScene, kStraightScene);
    }
    for (const char* line : {"material = \"rubber\"", "density = 900", "young = 1e8", "yield = 1e7", "plastic = 1e6",
                             "rupture = 1e8", "bend_modulus = 1e6", "shear_modulus = 1e6", "strength_variation = 0.1",
                             "straight_rest = true", "clamped = true", "tie = 0.1"})
        add(line, kStringsScene + kRopeScene, kRopeScene);
    for (const char* line : {"bind = \"rigid\"", "unit_scale = 0.01", "up = \"z\"", "resample = 9", "strict = true",
                             "follow_hairs = 2", "bones = \"x.tfxbone\""})
        add(line, kFileScene, kRopeScene);
    add("bones = \"x.tfxbone\"", kFileScene, kFileScene + "bind = \"rigid\"\n");
    add("follow_radius = 0.01", kFileScene + "follow_hairs = 2\n", kFileScene);
    for (const char* line :
         {"sequence = \"random\"", "root_angle = 1", "materials = \"m\"", "groups = \"scalp\"", "lie = 0.5",
          "droop = 0.5", "clump = 0.5", "frizz = 0.5", "root_width = 1e-4", "tip_width = 1e-4",
          "root_colour = [1, 0, 0]", "tip_colour = [1, 0, 0]", "density_map = \"x.png\"", "length_map = \"x.png\""}) {
        add(line, kStraightScene, kFileScene);
        add(line, kStraightScene, kRopeScene);
    }
    add("root_direction = [0, 1, 0]", kStraightScene + "root_angle = 1\n", kStraightScene);
    for (const char* line : {"curl_radius = 0.01", "curl_pitch = 0.01", "curl_phase = 0.5"}) {
        add(line, wavy, kStraightScene);
        add(line, wavy, wavy + "file = \"x.hair\"\n");
    }
    add("lie_direction = [0, -1, 0]", kStraightScene + "droop = 1\n", kStraightScene);
    add("clump_size = 0.01", kStraightScene + "clump = 0.5\n", kStraightScene);
    add("frizz_size = 0.01", kStraightScene + "frizz = 0.5\n", kStraightScene);
    add("stiffness_map = \"x.png\"", "[shape]\nlocal = 100\n" + kStraightScene, kStraightScene);
    add("guide_mode = \"single\"", kRopeScene + "guides = 0.5\n", kRopeScene);
    add("shape.fade = 0.5", kRopeScene + "shape.local = 100\n", kRopeScene);
    add("contact.friction = 0.5", kBallScene + kRopeScene, kRopeScene);
    add("look.stripes = 2", kStringsScene + kRopeScene, kRopeScene);
    return cases;
}

std::vector<ConditionCase> other_cases()
{
    std::vector<ConditionCase> cases;
    const auto add = [&](const std::string& table, const std::string& line, const std::string& acting,
                         const std::string& idle) {
        cases.push_back({table + "." + line.substr(0, line.find(' ')), line, acting, idle});
    };
    const auto body = [&](const std::string& line, const std::string& acting, const std::string& idle) {
        add("body", line, "[groom]\n[body]\n" + acting, "[groom]\n[body]\n" + idle);
    };
    const std::string rigid = "rigid = \"box\"\n";
    for (const char* line : {"size = [1, 1, 1]", "mass = 2", "friction = 1", "restitution = 0.5", "linear_damping = 1",
                             "angular_damping = 1", "velocity = [1, 0, 0]", "spin = [1, 0, 0]", "rotation = [1, 0, 0]"})
        body(line, rigid, "");
    for (const char* line : {"mesh = \"bust\"", "clip = \"sway\"", "jump_time = 1"}) body(line, "", rigid);
    for (const char* line : {"unit_scale = 0.01", "up = \"z\""}) body(line, "mesh = \"x.glb\"\n", "mesh = \"bust\"\n");
    body("radius = 0.2", "mesh = \"sphere\"\n", "mesh = \"bust\"\n");
    for (const char* line : {"clip_speed = 2", "clip_loop = false"})
        body(line, "mesh = \"bust\"\nclip = \"look_around\"\n", "mesh = \"bust\"\nclip = \"sway\"\n");
    body("motion_axis = [1, 0, 0]", "clip = \"sway\"\n", "clip = \"nod\"\n");
    body("amplitude = 0.5", "clip = \"sway\"\n", "clip = \"spin\"\n");
    body("amplitude = 0.5", "clip = \"nod\"\n", "");
    for (const char* line : {"period = 1", "start = 1"}) body(line, "clip = \"spin\"\n", "");
    body("jump = [1, 0, 0]", "jump_time = 1\n", "");
    body("collide_cell = 0.01", "mesh = \"bust\"\ncollide = \"field\"\n", "mesh = \"bust\"\ncollide = \"shapes\"\n");
    body("copy_step = [1, 0, 0]", "copies = 2\n", "");

    for (const char* line : {"clamped = true", "slide = [1, 0, 0]"})
        add("hold", line, kStringsScene + kRopeScene + "[body]\n[[hold]]\n", kRopeScene + "[body]\n[[hold]]\n");
    const auto collider = [&](const std::string& line, const std::string& acting, const std::string& idle) {
        const auto scene = [](const std::string& kind) {
            return "[groom]\n[body]\n[[collider]]\nshape = \"" + kind + "\"\n";
        };
        add("collider", line, scene(acting), scene(idle));
    };
    collider("b = [0, 1, 0]", "capsule", "sphere");
    collider("radius = 0.2", "torus", "box");
    collider("radius = 0.2", "sphere", "plane");
    collider("radius_b = 0.2", "capsule", "sphere");
    collider("size = [1, 1, 1]", "box", "capsule");
    collider("round = 0.1", "box", "torus");
    collider("up = [1, 0, 0]", "plane", "sphere");
    collider("spin = 1", "torus", "plane");

    const std::string drag = "[groom]\n[air]\ndrag_normal = 2\n", still = "[groom]\n";
    add("sim", "settle_wind = [1, 0, 0]", "[groom]\n[sim]\nsettle = 1\n", "[groom]\n[sim]\n");
    for (const char* line : {"friction = 0.3", "margin = 0.001", "layer = 0.01"})
        add("contact", line, "[groom]\n" + kBallScene + "[contact]\n", "[groom]\n[contact]\n");
    for (const char* line : {"velocity = [1, 0, 0]", "turbulence = 1", "duration = 1"})
        add("wind", line, drag + "[wind]\n", still + "[wind]\n");
    const std::string wind = drag + "[wind]\nvelocity = [1, 0, 0]\n";
    add("wind", "gust = 0.5", wind, drag + "[wind]\n");
    add("wind", "gust_period = 1", wind + "gust = 0.5\n", wind);
    add("wind", "turbulence_size = 1", wind + "turbulence = 1\n", wind);
    add("wind", "start = 1", wind + "duration = 1\n", wind);
    for (const char* line : {"fade = 0.5", "damping = 1", "drag = 1", "load = 0.5", "sag_free = true",
                             "form = \"paper\"", "units = \"paper\""})
        add("shape", line, "[groom]\n[shape]\nglobal = 0.5\n", "[groom]\n[shape]\n");
    const auto interaction = [&](const std::string& line, const std::string& acting, const std::string& idle) {
        add("interaction", line, kStringsScene + "[groom]\n[interaction]\nmethod = \"" + acting + "\"\n",
            "[groom]\n[interaction]\nmethod = \"" + idle + "\"\n");
    };
    for (const char* line : {"grid.cell = 0.1", "grid.friction = 1", "grid.repulsion = 1", "grid.tolerance = 2"})
        interaction(line, "grid", "sph");
    for (const char* line : {"grid.s_friction = 0.1", "grid.s_repulsion = 0.1"})
        interaction(line, "grid\"\nform = \"paper", "grid");
    for (const char* line : {"grid.friction = 1", "grid.repulsion = 1", "grid.tolerance = 2"})
        interaction(line, "grid", "grid\"\nform = \"paper");
    for (const char* line : {"sph.smoothing_length = 0.01", "sph.stiffness = 2", "sph.viscosity = 0.1",
                             "sph.max_neighbours = 9", "sph.units = \"paper\""})
        interaction(line, "sph", "grid");
    for (const char* line : {"contacts.friction = 1", "contacts.search = \"exact\"", "contacts.continuous = false"})
        interaction(line, "contacts", "contacts");
    interaction("contacts.voxel = 2", "contacts\"\nsearch = \"seven_voxels", "contacts\"\nsearch = \"exact");

    const auto render = [&](const std::string& line, const std::string& acting, const std::string& idle) {
        add("render", line, "[groom]\n[render]\n" + acting, "[groom]\n[render]\n" + idle);
    };
    render("zoom = 2", "", "camera = \"orbit\"\n");
    render("distance = 2", "camera = \"orbit\"\n", "");
    for (const char* line : {"azimuth = 2", "elevation = 1"}) render(line, "", "camera = \"look_at\"\n");
    render("target = [1, 0, 0]", "camera = \"orbit\"\n", "");
    render("eye = [1, 0, 0]", "camera = \"look_at\"\n", "camera = \"orbit\"\n");
    render("focus = 1", "aperture = 0.01\n", "");
    render("ground_height = 1", "ground = \"on\"\n", "");
    for (const char* line : {"look.string = [1, 0, 0]", "look.stripe = [1, 0, 0]", "look.stripes = 2"})
        add("render", line, kStringsScene + "[groom]\n[render]\n", "[groom]\n[render]\n");
    return cases;
}

/// The error of a scene, or else its warnings.
std::string complaint_of(const std::string& text, const Overrides& overrides = {})
{
    const auto scene = parse_scene(text, "x.toml", overrides);
    if (!scene) return scene.error();
    std::string all;
    for (const std::string& warning : scene->warnings) all += (all.empty() ? "" : "\n") + warning;
    return all;
}

std::vector<ConditionCase> all_cases()
{
    std::vector<ConditionCase> cases = groom_cases();
    for (ConditionCase& one : other_cases()) cases.push_back(std::move(one));
    return cases;
}

TEST(SceneConditions, KeysWithoutEffectAreNamed)
{
    for (const ConditionCase& one : all_cases()) {
        const std::string complaint = complaint_of(one.idle + one.line + "\n");
        EXPECT_NE(complaint.find(one.key), std::string::npos) << one.idle << one.line << "\n-> " << complaint;
        EXPECT_NE(complaint.find("no effect; it acts only "), std::string::npos) << one.key << ": " << complaint;
        EXPECT_EQ(complaint.compare(0, 7, "x.toml:"), 0) << complaint;
        EXPECT_EQ(complaint_of(one.acting + one.line + "\n").find(one.key), std::string::npos)
            << one.acting << one.line << "\n-> " << complaint_of(one.acting + one.line + "\n");
    }
}

TEST(SceneConditions, EveryConditionIsTested)
{
    std::set<const KeyCondition*> tested;
    for (const ConditionCase& one : all_cases()) {
        const size_t dot = one.key.find('.');
        const SceneTable& table = *find_table(one.key.substr(0, dot));
        tested.insert(acts_when(table, *find_setting(table, one.key.substr(dot + 1))));
    }
    for (const SceneTable& table : scene_tables())
        for (const Setting& key : table.settings) {
            const KeyCondition* condition = acts_when(table, key);
            EXPECT_TRUE(!condition || tested.count(condition)) << table.name << "." << key.name;
        }
}

TEST(SceneConditions, MapsThatWouldNotBeReadAreErrors)
{
    for (const char* line : {"density_map = \"x.png\"", "length_map = \"x.png\""}) {
        EXPECT_FALSE(parse_scene(kRopeScene + line + "\n", "x.toml")) << line;
        EXPECT_TRUE(parse_scene(kRopeScene + "length = 1\n", "x.toml", {{"groom.curl_radius", "0.1"}}));
    }
    EXPECT_EQ(complaint_of(kFileScene + "density_map = \"x.png\"\n"),
              "x.toml:3: groom.density_map has no effect; it acts only with style = \"straight\", \"wavy\" or "
              "\"curly\", and without file");
}

TEST(SceneConditions, KeysWithOneConditionShareAMessage)
{
    EXPECT_EQ(complaint_of(kFileScene + "length = 1\nparticles = 9\ncurl_radius = 0.1\n"),
              "x.toml:5: groom.curl_radius has no effect; it acts only with style = \"wavy\" or \"curly\", and without "
              "file\nx.toml:3: groom.length, groom.particles have no effect; they act only without file");
}

// What an override takes the place of is no mistake, and neither is a scene that is run with another method.
TEST(SceneConditions, OverridesDoNotBlameTheFile)
{
    const std::string strings = kStringsScene + kRopeScene + "young = 1e8\n";
    EXPECT_EQ(complaint_of(strings, {{"solver.type", "dftl"}}), "");
    EXPECT_EQ(complaint_of(kStraightScene + "clump = 0.5\n", {{"groom.file", "x.hair"}}), "");
    EXPECT_NE(
        complaint_of(kStraightScene, {{"groom.file", "x.hair"}, {"groom.clump", "0.5"}}).find("--set groom.clump=0.5"),
        std::string::npos);
    EXPECT_EQ(complaint_of("[groom]\n[solver.pbd]\niterations = 9\n[solver.direct]\niterations = 2\n"), "");
}

// An override without an index sets a key in all grooms, and may mean only some of them.
TEST(SceneConditions, OverridesOfSeveralElementsActIfOneOfThemDoes)
{
    const std::string two = kMeshScene + "[[groom]]\nstyle = \"rope\"\n[[groom]]\nstyle = \"wavy\"\n";
    EXPECT_EQ(complaint_of(two, {{"groom.curl_radius", "0.1"}}), "");
    EXPECT_NE(complaint_of(two, {{"groom.0.curl_radius", "0.1"}}), "");
}

TEST(SceneConditions, ScenesOfTheProjectHaveNoKeysWithoutEffect)
{
    size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(std::string(TENDRIL_SOURCE_DIR) + "/scenes")) {
        if (entry.path().extension() != ".toml") continue;
        const auto scene = read_scene(entry.path().string());
        ASSERT_TRUE(scene) << scene.error();
        EXPECT_TRUE(scene->warnings.empty()) << scene->warnings.front();
        ++count;
    }
    EXPECT_GT(count, 20u);
}

}  // namespace
}  // namespace tendril
