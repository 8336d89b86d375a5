// Scenes whose strands and bodies come from files or are grown on meshes.
#include "support/data.h"
#include "support/sanitized.h"
#include "tendril/curve_file.h"
#include "tendril/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tendril::test {
namespace {

namespace fs = std::filesystem;

/// A fixture with a temporary folder that contains a groom.
class SceneFiles : public testing::Test {
protected:
    SceneFiles() : folder_(fs::temp_directory_path() / ("tendril_scene_files_" + std::to_string(getpid())))
    {
        fs::create_directories(folder_);
        CurveFile curves;
        curves.data.first_point = {0, 3, 6, 9};
        curves.data.points = {{0, 10, 0}, {0, 11, 0}, {0, 12, 0}, {1, 10, 0}, {1, 11, 0},
                              {1, 12, 0}, {2, 10, 0}, {2, 10, 0}, {2, 10, 0}};
        EXPECT_TRUE(write_curves((folder_ / "three.hair").string(), curves, CurveFormat::kHair));
    }
    ~SceneFiles() override { fs::remove_all(folder_); }

    Result<World> build(const std::string& text) const
    {
        const std::string file = (folder_ / "scene.toml").string();
        std::ofstream(file) << text;
        const auto scene = read_scene(file);
        if (!scene) return Error{scene.error()};
        return build_world(*scene, make_serial_executor());
    }
    std::string error_of(const std::string& text) const
    {
        const auto world = build(text);
        return world ? "" : world.error();
    }

    fs::path folder_;
};

TEST_F(SceneFiles, GroomsAreFoundBesideTheSceneAndRepaired)
{
    auto world = build("[groom]\nfile = \"three.hair\"\nunit_scale = 0.01\nup = \"y\"\n");
    ASSERT_TRUE(world) << world.error();
    EXPECT_EQ(world->strand_count(), 2u);
    ASSERT_EQ(world->groom(GroomId{0}).repairs().size(), 1u);
    EXPECT_EQ(world->groom(GroomId{0}).repairs()[0].count, 1u);
    EXPECT_NEAR(world->position({GroomId{0}, 1, 2}).y, 0.12, 1e-6);
    EXPECT_NE(error_of("[groom]\nfile = \"three.hair\"\nstrict = true\n").find("almost no length"), std::string::npos);
}

TEST_F(SceneFiles, TheSceneSetsTheUpAxisOfAGroom)
{
    auto world = build("[groom]\nfile = \"three.hair\"\nup = \"z\"\n");
    ASSERT_TRUE(world) << world.error();
    EXPECT_NEAR(world->position({GroomId{0}, 0, 0}).z, -10, 1e-5);
}

// Cem Yuksel's own files say nothing about axes in their header and are z up.
TEST_F(SceneFiles, AHairFileIsZUpUnlessTheSceneSaysOtherwise)
{
    constexpr std::streamoff kText = 40;  // of the info text in the header
    {
        std::fstream file(folder_ / "three.hair", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(kText);
        file << std::string(88, '\0');
        ASSERT_TRUE(file);
    }
    // Its strands begin at a height of 10 along y of the file.
    auto by_file = build("[groom]\nfile = \"three.hair\"\n");
    ASSERT_TRUE(by_file) << by_file.error();
    EXPECT_NEAR(by_file->position({GroomId{0}, 0, 0}).y, 0, 1e-5);
    EXPECT_NEAR(by_file->position({GroomId{0}, 0, 0}).z, -10, 1e-5);
    auto by_scene = build("[groom]\nfile = \"three.hair\"\nup = \"y\"\n");
    ASSERT_TRUE(by_scene) << by_scene.error();
    EXPECT_NEAR(by_scene->position({GroomId{0}, 0, 0}).y, 10, 1e-5);
    EXPECT_NEAR(by_scene->position({GroomId{0}, 0, 0}).z, 0, 1e-5);
}

TEST_F(SceneFiles, ResamplesAndAddsFollowHairs)
{
    auto world =
        build("[groom]\nfile = \"three.hair\"\nup = \"y\"\nresample = 9\nfollow_hairs = 4\nfollow_radius = 0.1\n");
    ASSERT_TRUE(world) << world.error();
    EXPECT_EQ(world->strand_count(), 10u);
    EXPECT_EQ(world->particle_count(), 90u);
}

TEST_F(SceneFiles, AUnitMismatchBetweenHairAndBodyIsReported)
{
    auto world = build("[body]\nmesh = \"bust\"\n[groom]\nfile = \"three.hair\"\nup = \"y\"\n");
    ASSERT_TRUE(world) << world.error();
    ASSERT_FALSE(world->groom(GroomId{0}).repairs().empty());
    EXPECT_NE(world->groom(GroomId{0}).repairs()[0].what.find("groom.unit_scale"), std::string::npos);
    EXPECT_EQ(world->groom(GroomId{0}).repairs()[0].count, 3u);
}

TEST_F(SceneFiles, ErrorsNameWhatIsMissing)
{
    EXPECT_NE(error_of("[groom]\nfile = \"four.hair\"\n").find("four.hair"), std::string::npos);
    EXPECT_NE(error_of("[body]\nmesh = \"face.glb\"\n[groom]\nstyle = \"curly\"\n").find("face.glb"),
              std::string::npos);
    EXPECT_NE(error_of("[groom]\nstyle = \"curly\"\n").find("body.mesh = \"bust\""), std::string::npos);
    const std::string clip = error_of("[body]\nmesh = \"creature\"\nclip = \"wlak\"\n[groom]\nstyle = \"straight\"\n");
    EXPECT_NE(clip.find("walk"), std::string::npos) << clip;
    const std::string wrong_clip = error_of("[body]\nmesh = \"bust\"\nclip = \"danse\"\n[groom]\nstyle = \"wavy\"\n");
    for (const char* name : {"look_around", "turn_and_nod", "still", "sway", "nod", "twist"})
        EXPECT_NE(wrong_clip.find(name), std::string::npos) << wrong_clip;
    const std::string cells =
        error_of("[body]\nmesh = \"bust\"\ncollide = \"field\"\ncollide_cell = 90\n[groom]\nstyle = \"wavy\"\n");
    EXPECT_NE(cells.find("body 'body': collider: cells of 90 m do not fit a mesh of"), std::string::npos) << cells;
    const std::string motion = error_of("[body]\nclip = \"swai\"\n[groom]\n");
    EXPECT_NE(motion.find("scene.toml:2: body.clip must be one of"), std::string::npos) << motion;
    EXPECT_NE(motion.find("did you mean 'sway'?"), std::string::npos) << motion;
    EXPECT_NE(error_of("[body]\nmesh = \"bust\"\n[groom]\nstyle = \"wavy\"\ngroups = \"scalp, nose\"\n").find("'nose'"),
              std::string::npos);
    EXPECT_NE(error_of("[body]\nmesh = \"bust\"\n[groom]\nstyle = \"wavy\"\ndensity_map = \"no.png\"\n").find("no.png"),
              std::string::npos);
    EXPECT_NE(
        error_of("[body]\nmesh = \"sphere\"\n[groom]\nstyle = \"wavy\"\nstiffness_map = \"no.png\"\n").find("no.png"),
        std::string::npos);
}

TEST_F(SceneFiles, EveryStyleGrowsOnEveryBuiltInMesh)
{
    for (const char* mesh : {"sphere", "bust", "creature"})
        for (const char* style : {"straight", "wavy", "curly"})
            for (const char* sequence : {"random", "halton", "blue_noise"}) {
                auto world = build(std::string("[sim]\nsubsteps = 2\n[body]\nmesh = \"") + mesh +
                                   "\"\n[groom]\nstrands = 50\nparticles = 8\nlength = 0.1\nstyle = \"" + style +
                                   "\"\nsequence = \"" + sequence + "\"\n");
                ASSERT_TRUE(world) << world.error();
                for (int frame = 0; frame < 5; ++frame) world->step();
                EXPECT_EQ(world->strand_count(), 50u);
                EXPECT_LT(world->measure().stretch_max, 1e-5);
            }
}

TEST_F(SceneFiles, GuidesAreAFractionOfTheStrands)
{
    auto world =
        build("[body]\nmesh = \"bust\"\n[groom]\nstyle = \"straight\"\nstrands = 500\nparticles = 8\nguides = 0.1\n");
    ASSERT_TRUE(world) << world.error();
    EXPECT_EQ(world->strand_count(), 50u);
    ASSERT_EQ(world->children_count(), 1u);
    EXPECT_EQ(world->children(ChildrenId{0}).strand_count(), 450u);
}

std::vector<fs::path> shipped_scenes()
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(std::string(TENDRIL_SOURCE_DIR) + "/scenes"))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

TEST(Scenes, AllRunWithoutStretch)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    EXPECT_GE(shipped_scenes().size(), 22u);
    for (const fs::path& file : shipped_scenes()) {
        SCOPED_TRACE(file);
        auto scene = read_scene(file.string());
        ASSERT_TRUE(scene) << scene.error();
        const bool strings = has_strings(*scene, 0);  // they stretch like their material
        if (!strings) scene = read_scene(file.string(), {{"groom.0.strands", "20"}, {"sim.settle", "0.1"}});
        ASSERT_TRUE(scene) << scene.error();
        auto world = build_world(*scene, make_serial_executor());
        ASSERT_TRUE(world) << world.error();
        for (int frame = 0; frame < 3; ++frame) world->step();
        const Metrics metrics = world->measure();
        EXPECT_LE(metrics.kept_stretch_max, 1e-4);
        if (strings) {
            EXPECT_LE(metrics.stretch_max, 0.01);
        }
        EXPECT_EQ(metrics.nonfinite, 0u);
    }
}

// There are enough strands in contact that parallel tasks start at arbitrary strands.
TEST(Scenes, FurWithContactsHasTheSameBitsForAnyNumberOfThreads)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const char* collide : {"shapes", "field"}) {
        const auto scene = read_scene(
            std::string(TENDRIL_SOURCE_DIR) + "/scenes/fur.toml",
            {{"groom.strands", "8000"}, {"sim.settle", "0"}, {"contact.layer", "0.004"}, {"body.collide", collide}});
        ASSERT_TRUE(scene) << scene.error();
        const auto hash = [&](std::shared_ptr<Executor> executor) {
            auto world = build_world(*scene, std::move(executor));
            EXPECT_TRUE(world) << world.error();
            for (int frame = 0; frame < 5; ++frame) world->step();
            return world->state_hash();
        };
        const uint64_t one = hash(make_serial_executor());
        for (const int threads : {2, 3}) EXPECT_EQ(hash(make_thread_executor(threads)), one) << collide << threads;
    }
}

/// The number of strands and particles of a scene in its paper.
struct Size {
    const char* scene;
    double strands, particles;
};

// [Mueller12] section 4, [Sanchez15] Table 1.
TEST(Scenes, HaveTheSizesOfThePapers)
{
    constexpr Size kSizes[] = {{"afghan", 6600, 47000},        {"monster", 29000, 247000}, {"girl", 10000, 300000},
                               {"mannequin_a", 15000, 349232}, {"mannequin_b", 500, 8000}, {"horse", 3358, 32041},
                               {"bunny", 2902, 34824},         {"hectroll", 496, 5710}};
    for (const Size& size : kSizes) {
        SCOPED_TRACE(size.scene);
        const auto scene = read_scene(std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + size.scene + ".toml");
        ASSERT_TRUE(scene) << scene.error();
        double strands = 0, particles = 0;
        for (const SceneGroom& groom : scene->grooms) {
            strands += static_cast<double>(groom.strands);
            particles += static_cast<double>(groom.strands * groom.particles);
        }
        EXPECT_NEAR(strands / size.strands, 1, 0.01);
        EXPECT_NEAR(particles / size.particles, 1, 0.01);
    }
}

TEST_F(SceneFiles, TressFxMohawkFollowsItsBodyWithoutStretch)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    TENDRIL_NEEDS_DATA(tfx, "tressfx4_ratboy/Ratboy_mohawk.tfx");
    const std::string stem = tfx.substr(0, tfx.size() - std::string("mohawk.tfx").size());
    for (const char* bind : {"auto", "nearest"}) {
        auto world =
            build("[body]\nmesh = \"" + stem + "body.tfxmesh\"\nclip = \"nod\"\namplitude = 0.8\n[groom]\nfile = \"" +
                  tfx + "\"\nbones = \"" + stem + "mohawk.tfxbone\"\nbind = \"" + bind + "\"\n");
        ASSERT_TRUE(world) << world.error();
        EXPECT_EQ(world->strand_count(), 2226u);
        double worst = 0;
        for (int frame = 0; frame < 240; ++frame) {
            world->step();
            const Metrics metrics = world->measure();
            worst = std::max(worst, metrics.stretch_max);
            ASSERT_EQ(metrics.nonfinite, 0u);
        }
        EXPECT_LT(worst, 1e-4);
        size_t dropped = 0;
        for (const Repair& repair : world->groom(GroomId{0}).repairs())
            if (repair.what.find("almost no length") != std::string::npos) dropped += repair.count;
        EXPECT_EQ(dropped, 2u);
    }
}

}  // namespace
}  // namespace tendril::test
