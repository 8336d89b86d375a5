// Tone mapping and PNG files.
#include "render/png.h"
#include "support/damage.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <string>
#include <unistd.h>

namespace tendril::test {
namespace {

namespace fs = std::filesystem;

Image flat(const Vec3f& light, uint32_t width = 64, uint32_t height = 64)
{
    return {width, height, std::vector<Vec3f>(static_cast<size_t>(width) * height, light)};
}

double mean(const Picture& picture)
{
    const double sum = std::accumulate(picture.bytes.begin(), picture.bytes.end(), 0.0);
    return sum / static_cast<double>(picture.bytes.size());
}

/// Gives each test its own temporary folder.
class Png : public testing::Test {
protected:
    Png()
    {
        const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
        folder_ = fs::temp_directory_path() / ("tendril_png_" + test + "_" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    ~Png() override { fs::remove_all(folder_); }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    static Picture pattern(uint32_t width, uint32_t height)
    {
        Picture picture{width, height, std::vector<uint8_t>(size_t{3} * width * height)};
        for (size_t i = 0; i < picture.bytes.size(); ++i) picture.bytes[i] = static_cast<uint8_t>(i * i / 7 + i);
        return picture;
    }
    static std::vector<std::byte> bytes_of(const std::string& name)
    {
        std::ifstream in(name, std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(in)), {});
        const auto bytes = std::as_bytes(std::span(text));
        return {bytes.begin(), bytes.end()};
    }

    fs::path folder_;
};

TEST(ToneMapping, MiddleGreyStaysMiddleGrey)
{
    EXPECT_NEAR(mean(tone_mapped(flat({0.18f, 0.18f, 0.18f}))), 117.7, 0.3);  // 255 * sRGB of 0.18
    EXPECT_NEAR(mean(tone_mapped(flat({0.09f, 0.09f, 0.09f}), 1.0f)), 117.7, 0.3);
    EXPECT_NEAR(mean(tone_mapped(flat({0.72f, 0.72f, 0.72f}), -2.0f)), 117.7, 0.3);
}

TEST(ToneMapping, CurveIsMonotonicAndRollsOffToWhite)
{
    double before = 0, step_before = 1e9;
    for (float stop = -8; stop <= 7; stop += 0.25f) {
        const float light = 0.18f * std::exp2(stop);
        const double now = mean(tone_mapped(flat({light, light, light})));
        EXPECT_GE(now, before) << stop;
        if (stop > 1) {
            EXPECT_LE(now - before, step_before + 0.5) << "the shoulder is steeper at stop " << stop;
        }
        step_before = now - before;
        before = now;
    }
    EXPECT_EQ(before, 255);
    const double white_paper = mean(tone_mapped(flat({1, 1, 1})));
    EXPECT_GT(white_paper, 195);
    EXPECT_LT(white_paper, 235);
}

TEST(ToneMapping, GreysStayGreyInEveryPixel)
{
    Image ramp = flat({0, 0, 0}, 256, 16);
    for (size_t i = 0; i < ramp.pixels.size(); ++i) {
        const float light = static_cast<float>(i) / 2048.0f;
        ramp.pixels[i] = {light, light, light};
    }
    const Picture picture = tone_mapped(ramp);
    for (size_t i = 0; i < picture.bytes.size(); i += 3) {
        ASSERT_EQ(picture.bytes[i], picture.bytes[i + 1]) << i;
        ASSERT_EQ(picture.bytes[i], picture.bytes[i + 2]) << i;
    }
}

TEST(ToneMapping, DitherIsBelowOneStepAndDoesNotCrawl)
{
    const Image image = flat({0.2f, 0.2f, 0.2f});
    const Picture picture = tone_mapped(image);
    const auto [low, high] = std::minmax_element(picture.bytes.begin(), picture.bytes.end());
    EXPECT_EQ(*high - *low, 1);
    EXPECT_EQ(tone_mapped(image), picture);
    // Black and white are not dithered.
    EXPECT_EQ(mean(tone_mapped(flat({0, 0, 0}))), 0);
    EXPECT_EQ(mean(tone_mapped(flat({1e9f, 1e9f, 1e9f}))), 255);
}

TEST(ToneMapping, InvalidLightIsBlack)
{
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    for (const Vec3f& light : {Vec3f{nan, 1, 1}, Vec3f{1, inf, 1}, Vec3f{1, 1, -inf}, Vec3f{-1, -1e30f, -0.0f}})
        EXPECT_EQ(mean(tone_mapped(flat(light, 4, 4))), 0) << light.x << ' ' << light.y << ' ' << light.z;
    EXPECT_EQ(mean(tone_mapped(flat({1, 1, 1}, 4, 4), nan)), 0);
    EXPECT_EQ(mean(tone_mapped(flat({1e30f, 1e30f, 1e30f}, 4, 4), 1000.0f)), 255);
    EXPECT_EQ(mean(tone_mapped(flat({0, 0, 0}, 4, 4), 1000.0f)), 0);
    // If pixels are missing, the rest is black.
    Image cut = flat({1, 1, 1}, 4, 4);
    cut.pixels.resize(3);
    EXPECT_EQ(tone_mapped(cut).bytes.size(), 48u);
    EXPECT_TRUE(tone_mapped({}).bytes.empty());
}

TEST_F(Png, RoundTripsPictures)
{
    for (const auto& [width, height] : {std::pair{1u, 1u}, {17u, 9u}, {1u, 300u}, {640u, 3u}}) {
        const Picture picture = pattern(width, height);
        const auto written = write_png(file("a.png"), picture);
        ASSERT_TRUE(written) << written.error();
        EXPECT_EQ(*written, fs::file_size(file("a.png")));
        const auto read = read_png(file("a.png"));
        ASSERT_TRUE(read) << read.error();
        EXPECT_EQ(*read, picture);
    }
    EXPECT_FALSE(fs::exists(file("a.png.part")));
}

// read_png uses stb_image, which ignores checksums. Other programs check them.
TEST_F(Png, OtherProgramsReadIt)
{
    ASSERT_TRUE(write_png(file("a.png"), pattern(31, 17)));
    if (std::system("ffmpeg -version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg";
    const std::string command = "ffmpeg -v error -err_detect crccheck+explode -i '" + file("a.png") +
                                "' -f rawvideo -pix_fmt rgb24 '" + file("a.raw") + "' 2>'" + file("err") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(fs::file_size(file("err")), 0u);
    const auto raw = bytes_of(file("a.raw"));
    const Picture picture = pattern(31, 17);
    ASSERT_EQ(raw.size(), picture.bytes.size());
    EXPECT_TRUE(std::equal(raw.begin(), raw.end(), std::as_bytes(std::span(picture.bytes)).begin()));
}

TEST_F(Png, RefusesInvalidPictures)
{
    EXPECT_FALSE(write_png(file("a.png"), {}));
    EXPECT_FALSE(write_png(file("a.png"), {2, 2, std::vector<uint8_t>(11)}));
    EXPECT_FALSE(write_png(file("a.png"), {0xffffffffu, 0xffffffffu, {}}));
    EXPECT_FALSE(write_png("/no/such/folder/a.png", pattern(2, 2)));
    EXPECT_FALSE(fs::exists(file("a.png")));
}

TEST_F(Png, DamagedFileGivesAPictureOrAnError)
{
    ASSERT_TRUE(write_png(file("whole.png"), pattern(6, 5)));
    const std::vector<std::byte> whole = bytes_of(file("whole.png"));
    size_t refused = 0;
    damage(whole, [&](std::span<const std::byte> bytes) {
        const auto read = parse_png(bytes, "bad.png");
        refused += !read;
        if (read) {
            EXPECT_EQ(read->bytes.size(), size_t{3} * read->width * read->height);
        } else {
            EXPECT_EQ(read.error().find("bad.png: "), 0u) << read.error();
        }
    });
    EXPECT_GT(refused, whole.size() / 2);
    std::ofstream(file("text.png")) << "no picture at all";
    EXPECT_FALSE(read_png(file("text.png")));
    EXPECT_FALSE(read_png(file("nothing.png")));
    EXPECT_FALSE(read_png(folder_.string()));
}

}  // namespace
}  // namespace tendril::test
