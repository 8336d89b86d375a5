// Sessions: opening scenes, descriptions, values, time.
#include "session/opened.h"
#include "support/sanitized.h"
#include "tendril/render.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace tendril::test {
namespace {

using nlohmann::json;
using session::Change;

double stretch_bound(const std::string& solver)
{
    const auto name = std::find(kSolverNames.begin(), kSolverNames.end(), solver);
    return keeps_lengths(static_cast<SolverType>(name - kSolverNames.begin()), Form::kStable) ? 1e-4 : 0.3;
}

TEST(Session, OpensEveryIncludedScene)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    namespace fs = std::filesystem;
    size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(std::string(TENDRIL_SOURCE_DIR) + "/scenes")) {
        if (entry.path().extension() != ".toml") continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        if (text.str().find("rigid =") != std::string::npos) continue;  // not every build has rigid bodies
        const bool grown = text.str().find("strands =") != std::string::npos;
        Overrides fewer{{"sim.settle", "0"}};
        if (grown && text.str().find("style = \"rope\"") == std::string::npos) fewer.push_back({"groom.strands", "60"});
        SCOPED_TRACE(entry.path().string());
        const auto session = opened(text.str(), fewer, entry.path().parent_path().string());
        ASSERT_TRUE(session);
        for (int i = 0; i < 5; ++i) session->advance(kFrame);
        const json info = info_of(*session);
        EXPECT_EQ(session->report().metrics.nonfinite, 0u);
        EXPECT_LT(session->report().metrics.stretch_max, stretch_bound(info["solver"]));
        EXPECT_EQ(info["strands"].size(), session->parts().size());
        for (const session::StrandsPart& part : session->parts()) {
            EXPECT_EQ(part.widths.size(), part.first_point.back());
            EXPECT_TRUE(std::all_of(part.widths.begin(), part.widths.end(), [](float w) { return w >= 0; }));
        }
        EXPECT_EQ(info["bodies"].size(), session->advance(0).bodies.size());
        ++count;
    }
    EXPECT_GE(count, 28u);
}

TEST(Session, DescribesTheScene)
{
    const auto session = opened(scene_text("bust"), {{"groom.strands", "50"}, {"sim.settle", "0"}});
    ASSERT_TRUE(session);
    const json info = info_of(*session);
    EXPECT_EQ(info["name"], "test");
    EXPECT_EQ(info["solver"], "dftl");
    EXPECT_EQ(info["strands"][0]["points"], 50 * 32);
    EXPECT_EQ(info["meshes"][0]["vertices"], session->advance(0).meshes[0].vertices.size());
    EXPECT_EQ(info["bodies"], json::parse(R"([{"name": "body", "movable": true}])"));
    EXPECT_EQ(info["ground"], nullptr);
    EXPECT_EQ(info["particles"], 50 * 32);
    EXPECT_EQ(info["values"]["groom.0.style"], "curly");
    EXPECT_EQ(info["values"]["shape.local"], 50);
    EXPECT_EQ(info["values"]["sim.gravity"], json::parse("[0.0, -9.81, 0.0]"));
    const json colour = info["strands"][0]["look"]["colour"];
    EXPECT_GT(colour[0], colour[2]);  // brown
    const session::MeshPart& mesh = session->meshes()[0];
    EXPECT_LT(*std::max_element(mesh.triangles.begin(), mesh.triangles.end()), mesh.vertices);
    // The whole head is in front of the camera.
    const json eye = info["camera"]["eye"];
    EXPECT_GT(length(Vec3d{eye[0], eye[1], eye[2]}), 0.5);
}

TEST(Session, DescribesAllKeys)
{
    const json tables = json::parse(session::keys_json());
    const auto key = [&](const std::string& table, const std::string& name) {
        for (const json& t : tables)
            for (const json& k : t["keys"])
                if (t["name"] == table && k["name"] == name) return k;
        return json();
    };
    EXPECT_EQ(key("sim", "gravity")["type"], "gravity");
    EXPECT_EQ(key("solver", "velocity_correction")["default"], 0.9);
    EXPECT_EQ(key("solver", "velocity_correction")["live"], true);
    EXPECT_EQ(key("groom", "strands")["most"], nullptr);
    EXPECT_EQ(key("groom", "strands")["live"], false);
    EXPECT_EQ(key("sim", "seed")["live"], false);
    EXPECT_EQ(key("render", "hair")["live"], true);
    EXPECT_EQ(key("solver", "type")["choices"].size(), std::size(kSolverNames));
}

TEST(Session, ErrorsAreThoseOfTheLibrary)
{
    const auto error = [](const std::string& toml, const Overrides& overrides = {}) {
        const auto session = session::Session::open(toml, "mine.toml", overrides, "", make_serial_executor());
        return session ? std::string() : session.error();
    };
    EXPECT_EQ(error("[groom]\nlenght = 1\n"), "mine.toml:2: unknown key 'groom.lenght'; did you mean 'groom.length'?");
    EXPECT_NE(error("[groom\n").find("mine.toml:1: not valid TOML"), std::string::npos);
    EXPECT_NE(error("").find("add a [groom]"), std::string::npos);
    EXPECT_NE(error("[groom]\nfile = \"none.hair\"\n").find("none.hair"), std::string::npos);
    EXPECT_NE(error("[groom]\n[render]\nhair = \"bron\"\n").find("did you mean 'brown'?"), std::string::npos);
    EXPECT_NE(error("[groom]\n", {{"sim.dt", "-1"}}).find("sim.dt must be"), std::string::npos);
}

TEST(Session, WorldValuesActOnTheRunningWorld)
{
    const auto session = opened(kRopeScene);
    for (int i = 0; i < 30; ++i) session->advance(kFrame);
    const auto before = coordinates(session->advance(0));
    const auto changed = session->set("sim.gravity", "[5, -5, 0]");
    ASSERT_TRUE(changed) << changed.error();
    EXPECT_EQ(*changed, Change::kLive);
    EXPECT_EQ(*session->set("sim.gravity", "[5, -5, 0]"), Change::kNone);
    EXPECT_EQ(coordinates(session->advance(0)), before) << "time continues";
    for (int i = 0; i < 200; ++i) session->advance(kFrame);
    EXPECT_GT(position(session->advance(0), 0, 29).x, 0.2);
    EXPECT_EQ(info_of(*session)["values"]["sim.gravity"][0], 5);
}

TEST(Session, ValuesOfGroomsRestartTheScene)
{
    const auto session = opened(kRopeScene);
    for (int i = 0; i < 10; ++i) session->advance(kFrame);
    const auto changed = session->set("groom.length", "0.5");
    ASSERT_TRUE(changed) << changed.error();
    EXPECT_EQ(*changed, Change::kAnew);
    EXPECT_EQ(session->advance(0).time, 0);
    EXPECT_NEAR(position(session->advance(0), 0, 29).y, -0.5, 1e-5);
    EXPECT_EQ(*session->set("sim.settle", "0.1"), Change::kAnew);
    EXPECT_EQ(*session->set("sim.frames", "10"), Change::kLive);
}

TEST(Session, RefusedValuesChangeNothing)
{
    const auto session = opened(kRopeScene);
    session->advance(kFrame);
    const std::string toml = session->toml();
    const auto before = coordinates(session->advance(0));
    for (const auto& [key, value] : Overrides{{"groom.length", "-1"},
                                              {"solver.type", "none"},
                                              {"groom.file", "missing.tfx"},
                                              {"no.key", "1"},
                                              {"render.hair", "pink"}}) {
        const auto changed = session->set(key, value);
        ASSERT_FALSE(changed) << key;
        EXPECT_NE(changed.error().find(key == "no.key" ? "no" : value), std::string::npos) << changed.error();
    }
    EXPECT_EQ(session->toml(), toml);
    EXPECT_EQ(coordinates(session->advance(0)), before);
}

TEST(Session, LooksChangeWithoutTouchingTheStrands)
{
    const auto session = opened(scene_text("bust"), {{"groom.strands", "50"}, {"sim.settle", "0"}});
    session->advance(0.1);
    const auto before = coordinates(session->advance(0));
    const json info = info_of(*session);
    const uint32_t version = session->parts()[0].widths_version;
    const float width = session->parts()[0].widths[0];
    EXPECT_EQ(*session->set("render.hair", "blonde"), Change::kLooks);
    EXPECT_GT(info_of(*session)["strands"][0]["look"]["colour"][0], info["strands"][0]["look"]["colour"][0]);
    EXPECT_TRUE(session->parts()[0].colours.empty());
    EXPECT_EQ(*session->set("render.hair", "groom"), Change::kLooks);
    EXPECT_EQ(session->parts()[0].colours.size(), 50u * 32);
    EXPECT_EQ(*session->set("render.width_scale", "20"), Change::kLooks);
    EXPECT_GT(session->parts()[0].widths[0], 2 * width);
    EXPECT_NE(session->parts()[0].widths_version, version);
    EXPECT_EQ(*session->set("render.zoom", "2"), Change::kLooks);
    EXPECT_NE(info_of(*session)["camera"]["eye"], info["camera"]["eye"]);
    EXPECT_EQ(coordinates(session->advance(0)), before);
}

TEST(Session, AnySolverAtAnyMoment)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const auto session = opened(scene_text("bust"), {{"groom.strands", "40"}, {"sim.settle", "0"}});
    bool strings = false;
    for (const char* solver : kSolverNames) {
        const Vec3d tip = position(session->advance(0), 0, 31);
        const auto changed = session->set("solver.type", solver);
        ASSERT_TRUE(changed) << solver << ": " << changed.error();
        const bool crosses = strings != (std::string(solver) == "chain_shape");
        strings ^= crosses;
        EXPECT_EQ(*changed, crosses ? Change::kAnew : std::string(solver) == "dftl" ? Change::kNone : Change::kLive);
        for (int i = 0; i < 10; ++i) session->advance(kFrame);
        EXPECT_EQ(session->report().metrics.nonfinite, 0u) << solver;
        if (!crosses) {
            EXPECT_LT(length(position(session->advance(0), 0, 31) - tip), 0.2) << solver;
        }
    }
}

TEST(Session, AGroomHasSettingsOfItsOwn)
{
    const std::string two = "[[groom]]\nstrands = 2\n[[groom]]\nstrands = 2\n[groom.look]\nhair = \"red\"\n";
    const auto session = opened(two);
    EXPECT_EQ(info_of(*session)["values"]["groom.0.air.drag_normal"], nullptr) << "the world's";
    const json looks = info_of(*session)["strands"];
    EXPECT_NE(looks[0]["look"]["colour"], looks[1]["look"]["colour"]);
    ASSERT_EQ(*session->set("groom.1.air.drag_normal", "400"), Change::kLive);
    EXPECT_EQ(info_of(*session)["values"]["groom.1.air.drag_normal"], 400);
    for (int i = 0; i < 20; ++i) session->advance(kFrame);
    // The groom in thick air has hardly fallen.
    const double first = position(session->advance(0), 0, 29).y, second = position(session->advance(0), 1, 29).y;
    EXPECT_LT(first, second - 0.1);
    ASSERT_EQ(*session->set("groom.0.look.hair", "red"), Change::kLooks);
    EXPECT_EQ(info_of(*session)["strands"][0]["look"]["colour"], looks[1]["look"]["colour"]);
    ASSERT_EQ(*session->set("groom.0.solver.type", "chain_shape"), Change::kAnew);
    EXPECT_TRUE(session->parts()[0].string);
    EXPECT_FALSE(session->parts()[1].string);
}

TEST(Session, TomlOpensAsTheSameScene)
{
    const auto session = opened(scene_text("hello"), {{"groom.strands", "3"}});
    ASSERT_TRUE(session->set("wind.velocity", "[3, 0, 1]"));
    ASSERT_TRUE(session->set("groom.length", "0.7"));
    ASSERT_TRUE(session->set("solver.type", "direct"));
    for (int i = 0; i < 7; ++i) session->advance(kFrame);
    session->blow(Vec3d{0, 0, 20});
    session->advance(kFrame);
    session->blow(std::nullopt);
    const auto other = opened(session->toml());
    ASSERT_TRUE(other);
    EXPECT_FALSE(session->restart());
    for (int i = 0; i < 60; ++i) {
        session->step();
        other->step();
    }
    EXPECT_EQ(coordinates(session->advance(0)), coordinates(other->advance(0)));
    EXPECT_EQ(info_of(*session)["values"], info_of(*other)["values"]);
}

TEST(Session, GivesTheSameBitsAsAWorld)
{
    const auto session = opened(kRopeScene);
    const auto scene = parse_scene(kRopeScene, "test.toml");
    auto world = build_world(*scene, make_serial_executor());
    for (int i = 0; i < 60; ++i) {
        session->step();
        world->step();
    }
    const CurvesView curves = world->curves(GroomId{0});
    EXPECT_EQ(position(session->advance(0), 0, 29), curves.origin + to_double(curves.points[29]));
}

TEST(Session, SettlesLikeTheWorldAndShowsIt)
{
    const std::string toml = std::string(kRopeScene) + "[air]\ndrag_normal = 3\n";
    const Overrides settle{{"sim.settle", "0.3"}, {"sim.settle_wind", "[5, 0, 0]"}};
    const auto session = opened(toml, settle);
    EXPECT_EQ(session->advance(0).settling, 1);
    EXPECT_LT(session->advance(kFrame).settling, 1);
    const auto scene = parse_scene(toml, "test.toml", settle);
    auto world = build_world(*scene, make_serial_executor());
    session->step();
    world->step();
    EXPECT_EQ(session->advance(0).settling, 0);
    const CurvesView curves = world->curves(GroomId{0});
    EXPECT_EQ(position(session->advance(0), 0, 29), curves.origin + to_double(curves.points[29]));
    EXPECT_NEAR(session->advance(0).time, 0.01, 1e-12);
}

TEST(Session, AdvancesByTheRequestedTime)
{
    const auto session = opened(kRopeScene);
    EXPECT_EQ(session->advance(0).steps, 0);
    EXPECT_EQ(session->advance(0.035).steps, 3);
    EXPECT_NEAR(session->advance(0).time, 0.035, 1e-12);
    EXPECT_EQ(session->advance(0.005).steps, 1);
    EXPECT_EQ(session->step().steps, 1);
    EXPECT_NEAR(session->advance(0).time, 0.05, 1e-12);
    EXPECT_LE(session->advance(1e9).steps, 25);
    EXPECT_EQ(session->advance(-1).steps, 0);
}

TEST(Session, ResetReturnsStrandsToRestAndRestartAlsoResetsTime)
{
    const auto session = opened(scene_text("hello"));
    const auto first = coordinates(session->advance(0));
    for (int i = 0; i < 60; ++i) session->advance(kFrame);
    session->reset();
    const session::Frame& now = session->advance(0);
    EXPECT_NEAR(now.time, 1, 1e-9);
    EXPECT_NEAR(length(position(now, 0, 39) - position(now, 0, 0) - Vec3d{0, -1, 0}), 0, 1e-5);
    EXPECT_FALSE(session->restart());
    EXPECT_EQ(coordinates(session->advance(0)), first);
}

TEST(Session, ReportsWhatTheWorldMeasures)
{
    const auto session = opened(kRopeScene, {{"groom.direction", "[1, 0, 0]"}});
    session->advance(0.5);
    const session::Report& report = session->report();
    EXPECT_LT(report.metrics.stretch_max, 1e-4);
    EXPECT_GT(report.metrics.kinetic, 0);
    EXPECT_GT(report.seconds.solve, 0);
    EXPECT_GT(report.seconds.measure, 0);
}

TEST(Session, CollidersWithoutAMeshAreVisible)
{
    const auto session = opened(std::string(kRopeScene) + "[[collider]]\nshape = \"torus\"\nradius = 0.2\nspin = 1\n");
    const json torus = info_of(*session)["colliders"][0];
    EXPECT_EQ(torus["shape"], "torus");
    EXPECT_EQ(torus["radiusB"], 0.05);
    EXPECT_EQ(torus["spin"], 1);
    EXPECT_EQ(torus["visible"], true);
}

TEST(Session, ChildrenAreDrawnWithTheirGuides)
{
    const auto session =
        opened(scene_text("bust"), {{"groom.strands", "60"}, {"groom.guides", "0.3"}, {"sim.settle", "0"}});
    ASSERT_EQ(session->parts().size(), 2u);
    EXPECT_FALSE(session->parts()[0].follow);
    EXPECT_TRUE(session->parts()[1].follow);
    EXPECT_EQ(session->parts()[1].groom, 0u);
    EXPECT_EQ(session->parts()[0].first_point.size() + session->parts()[1].first_point.size(), 62u);
    const session::Frame& frame = session->advance(0.1);
    EXPECT_EQ(frame.strands[1].points.size(), session->parts()[1].first_point.back());
}

}  // namespace
}  // namespace tendril::test
