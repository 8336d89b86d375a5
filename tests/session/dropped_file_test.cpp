// Scenes for files that a user drops onto the page.
#include "session/opened.h"
#include "support/data.h"
#include "support/sanitized.h"

#include "support/text_bytes.h"
#include "tendril/curve_file.h"

#include <filesystem>
#include <unistd.h>

namespace tendril::test {
namespace {

namespace fs = std::filesystem;

/// A fixture with a temporary folder for dropped files.
class DroppedFile : public testing::Test {
protected:
    DroppedFile() : folder_(fs::temp_directory_path() / ("tendril_dropped_" + std::to_string(getpid())))
    {
        fs::create_directories(folder_);
    }
    ~DroppedFile() override { fs::remove_all(folder_); }

    /// Expects that the scene for a file runs.
    void expect_shown(const std::string& name, const std::string& bytes)
    {
        const auto toml = session::scene_for(name, bytes_of(bytes));
        ASSERT_TRUE(toml) << toml.error();
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        auto opened = session::Session::open(*toml, "dropped.toml", {}, folder_.string(), make_serial_executor());
        ASSERT_TRUE(opened) << opened.error() << "\n" << *toml;
        session_ = std::move(*opened);
        for (int i = 0; i < 10; ++i) session_->advance(kFrame);
        EXPECT_EQ(session_->report().metrics.nonfinite, 0u);
        EXPECT_LT(session_->report().metrics.stretch_max, 1e-4);
        toml_ = *toml;
    }
    /// The distance of the camera from its target, which is in proportion to the size of the contents.
    double camera_distance() const
    {
        const nlohmann::json camera = info_of(*session_)["camera"], eye = camera["eye"], target = camera["target"];
        return length(Vec3d{eye[0], eye[1], eye[2]} - Vec3d{target[0], target[1], target[2]});
    }
    static std::string real(const std::string& file)
    {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return text.str();
    }

    fs::path folder_;
    std::unique_ptr<session::Session> session_;
    std::string toml_;
};

TEST_F(DroppedFile, CurvesInAnUnknownUnitAreScaledToTheSizeOfAHead)
{
    for (const double unit : {1.0, 100.0, 1000.0}) {
        CurveFile curves;
        for (int s = 0; s < 10; ++s) {
            curves.data.first_point.push_back(static_cast<uint32_t>(curves.data.points.size()));
            for (int i = 0; i < 8; ++i)
                curves.data.points.push_back(
                    {static_cast<float>(0.02 * s * unit), static_cast<float>(-0.04 * i * unit), 0});
        }
        curves.data.first_point.push_back(80);
        const auto bytes = curve_bytes(curves, CurveFormat::kHair);
        ASSERT_TRUE(bytes);
        expect_shown("some.hair", {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
        EXPECT_NE(toml_.find("# The file does not name its unit"), std::string::npos) << toml_;
        EXPECT_GT(camera_distance(), 0.3);
        EXPECT_LT(camera_distance(), 3);
    }
}

TEST_F(DroppedFile, PolylinesOfAnObjAreCurves)
{
    expect_shown("lines.obj", "v 0 1 0\nv 0 0.9 0\nv 0 0.8 0\nv 1 1 0\nv 1 0.9 0\nv 1 0.8 0\nl 1 2 3\nl 4 5 6\n");
    EXPECT_TRUE(session_->meshes().empty());
    EXPECT_EQ(session_->parts()[0].first_point.size(), 3u);
}

TEST_F(DroppedFile, AMeshGetsHair)
{
    expect_shown("t.obj", "v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    EXPECT_NE(toml_.find("unit_scale = 0.01"), std::string::npos) << toml_;
    EXPECT_EQ(session_->meshes().size(), 1u);
    EXPECT_EQ(session_->parts()[0].first_point.size(), 4001u);
}

TEST_F(DroppedFile, ErrorsNameTheBrokenFile)
{
    const auto error = [](const std::string& name, const std::string& bytes) {
        const auto toml = session::scene_for(name, bytes_of(bytes));
        EXPECT_FALSE(toml) << name;
        return toml ? std::string() : toml.error();
    };
    EXPECT_NE(error("broken.tfx", "nothing").find("broken.tfx"), std::string::npos);
    EXPECT_NE(error("cut.hair", "HAIR").find("cut.hair"), std::string::npos);
    EXPECT_NE(error("broken.glb", "glTFnothing").find("broken.glb"), std::string::npos);
    EXPECT_NE(error("empty.obj", "").find("empty.obj"), std::string::npos);
    EXPECT_NE(error("flat.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n").find("flat.obj"), std::string::npos);
    EXPECT_NE(error("picture.png", "\x89PNG").find("picture.png"), std::string::npos);
}

TEST_F(DroppedFile, RealFilesAreShown)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    TENDRIL_NEEDS_DATA(data, "SOURCES.md");
    for (const char* name :
         {"tressfx2_text/Fibermesh2_hair0.5k_Curves.tfx", "tressfx3_ponytail/tail.tfx",
          "tressfx4_ratboy/Ratboy_mohawk.tfx", "yuksel_straight/straight.hair", "obj_lines/Cube_Hair.obj",
          "usd_curves/hair.usda", "gltf_rigged/Fox.glb", "head_leeperrysmith/LeePerrySmith.glb", "sintel/sintel.obj"}) {
        const std::string file = data_file(name);
        SCOPED_TRACE(name);
        if (!file.empty()) expect_shown(fs::path(name).filename().string(), real(file));
    }
}

}  // namespace
}  // namespace tendril::test
