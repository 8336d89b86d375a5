// Films encoded by ffmpeg, checked with ffprobe. Most tests are skipped if ffmpeg is not installed.
#include "tendril/picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace tendril::test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

size_t open_descriptors()
{
    return static_cast<size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

/// Changes PATH during its lifetime, so that a script can replace ffmpeg.
class ScopedPath {
public:
    explicit ScopedPath(const std::string& path) : old_path_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
    ~ScopedPath() { setenv("PATH", old_path_.c_str(), 1); }

private:
    std::string old_path_;
};

/// Gives each test its own temporary folder, with blanks and quotes in its name.
class Film : public testing::Test {
protected:
    Film()
    {
        const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
        folder_ = fs::temp_directory_path() / ("tendril's \"film\" " + test + "_" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    ~Film() override { fs::remove_all(folder_); }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    /// The number of temporary files of an unfinished film.
    int parts_of(const std::string& name) const
    {
        int count = 0;
        for (const auto& entry : fs::directory_iterator(folder_))
            count += entry.path().filename().string().rfind(name + ".part", 0) == 0;
        return count;
    }

    static Picture picture(uint32_t width, uint32_t height, size_t frame)
    {
        Picture out{width, height, std::vector<uint8_t>(size_t{3} * width * height)};
        for (size_t i = 0; i < out.bytes.size(); ++i) out.bytes[i] = static_cast<uint8_t>(i + 5 * frame);
        return out;
    }

    void make(const std::string& name, uint32_t width, uint32_t height, double rate, size_t frames) const
    {
        fs::remove(file(name));
        auto film = FilmWriter::create(file(name), width, height, rate);
        ASSERT_TRUE(film) << film.error();
        for (size_t i = 0; i < frames; ++i) {
            const auto count = film->append(picture(width, height, i));
            ASSERT_TRUE(count) << count.error();
            EXPECT_EQ(*count, i + 1);
        }
        EXPECT_FALSE(fs::exists(file(name)));
        const auto size = film->finish();
        ASSERT_TRUE(size) << size.error();
        EXPECT_EQ(*size, fs::file_size(file(name)));
        EXPECT_EQ(parts_of(name), 0) << "no temporary files are left";
        EXPECT_FALSE(film->append(picture(width, height, 0))) << "a finished film accepts no pictures";
    }

    /// Fields of the video stream, as ffprobe prints them.
    std::string probe(const std::string& name, const std::string& fields) const
    {
        fs::current_path(folder_);  // keeps quotes out of the command
        const std::string command =
            "ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0 -show_entries stream=" + fields + " " +
            name + " >probe.txt 2>/dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        std::string text = text_of(file("probe.txt"));
        fs::current_path(fs::temp_directory_path());
        text.erase(text.find_last_not_of("\n,") + 1);
        return text;
    }

    /// Writes a script named ffmpeg into the folder.
    void pretend_ffmpeg(const std::string& script) const
    {
        std::ofstream(file("ffmpeg")) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(file("ffmpeg"), fs::perms::owner_all);
    }

    std::vector<std::string> names() const
    {
        std::vector<std::string> out;
        for (const auto& entry : fs::directory_iterator(folder_)) out.push_back(entry.path().filename().string());
        std::sort(out.begin(), out.end());
        return out;
    }

    fs::path folder_;
};

TEST_F(Film, HasTheGivenPicturesSizeRateAndColours)
{
    if (!have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    make("a.mp4", 64, 48, 48, 10);
    // ffprobe chooses the order.
    EXPECT_EQ(probe("a.mp4", "codec_name,pix_fmt,width,height,r_frame_rate,nb_read_frames"),
              "h264,64,48,yuv420p,48/1,10");
    EXPECT_EQ(probe("a.mp4", "color_range,color_space,color_transfer,color_primaries"), "tv,bt709,iec61966-2-1,bt709");
}

TEST_F(Film, RatesAreExact)
{
    if (!have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    const std::pair<double, const char*> rates[] = {
        {23.976, "24000/1001"}, {29.97, "30000/1001"}, {12.5, "25/2"}, {1 / 0.003, "1000/3"}};
    for (const auto& [rate, fraction] : rates) {
        make("a.mp4", 16, 16, rate, 3);
        EXPECT_EQ(probe("a.mp4", "r_frame_rate"), fraction) << rate;
    }
}

TEST_F(Film, OddSizesLoseTheirLastRowAndColumn)
{
    if (!have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    make("odd.mp4", 33, 25, 30, 3);
    EXPECT_EQ(probe("odd.mp4", "width,height,nb_read_frames"), "32,24,3");
}

TEST_F(Film, ColoursSurviveEncoding)
{
    if (!have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    auto film = FilmWriter::create(file("red.mp4"), 32, 32, 25);
    ASSERT_TRUE(film) << film.error();
    Picture hair{32, 32, {}};
    for (int i = 0; i < 32 * 32; ++i) hair.bytes.insert(hair.bytes.end(), {180, 90, 40});
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(film->append(hair));
    ASSERT_TRUE(film->finish());
    fs::current_path(folder_);
    const int status = std::system("ffmpeg -v error -i red.mp4 -frames:v 1 -f rawvideo -pix_fmt rgb24 red.raw");
    fs::current_path(fs::temp_directory_path());
    ASSERT_EQ(status, 0);
    const std::string raw = text_of(file("red.raw"));
    ASSERT_EQ(raw.size(), hair.bytes.size());
    for (size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(static_cast<uint8_t>(raw[3 * 500 + c]), hair.bytes[c], 4) << "channel " << c;
}

TEST_F(Film, TheSamePicturesGiveTheSameBytes)
{
    if (!have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    make("a.mp4", 64, 48, 30, 10);
    make("b.mp4", 64, 48, 30, 10);
    EXPECT_EQ(text_of(file("a.mp4")), text_of(file("b.mp4")));
}

TEST_F(Film, DestroyedWriterLeavesNothingBehind)
{
    if (!have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    std::ofstream(file("a.mp4")) << "what was there before";
    const size_t before = open_descriptors();
    {
        auto film = FilmWriter::create(file("a.mp4"), 64, 48, 30);
        ASSERT_TRUE(film) << film.error();
        ASSERT_TRUE(film->append(picture(64, 48, 0)));
        EXPECT_EQ(parts_of("a.mp4"), 1);
        FilmWriter moved = std::move(*film);
        ASSERT_TRUE(moved.append(picture(64, 48, 1)));
        EXPECT_FALSE(film->append(picture(64, 48, 1)));
    }
    EXPECT_EQ(names(), (std::vector<std::string>{"a.mp4"}));
    EXPECT_EQ(text_of(file("a.mp4")), "what was there before");
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "ffmpeg has not been waited for";
}

TEST_F(Film, RefusesInvalidFilms)
{
    EXPECT_FALSE(FilmWriter::create(file("a.mp4"), 0, 48, 30));
    EXPECT_FALSE(FilmWriter::create(file("a.mp4"), 64, 1, 30));
    EXPECT_FALSE(FilmWriter::create(file("a.mp4"), 64, 48, 0));
    EXPECT_FALSE(FilmWriter::create(file("a.mp4"), 64, 48, std::nan("")));
    EXPECT_FALSE(FilmWriter::create(folder_.string(), 64, 48, 30));
    const auto lost = FilmWriter::create("/no/such/folder/a.mp4", 64, 48, 30);
    ASSERT_FALSE(lost);
    EXPECT_NE(lost.error().find("/no/such/folder/a.mp4"), std::string::npos);
    if (!have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    auto film = FilmWriter::create(file("a.mp4"), 64, 48, 30);
    ASSERT_TRUE(film);
    EXPECT_FALSE(film->append(picture(48, 64, 0)));
    EXPECT_FALSE(film->append({64, 48, {1, 2, 3}}));
    EXPECT_FALSE(film->finish()) << "there is no picture";
    EXPECT_TRUE(names().empty());
}

TEST_F(Film, FailureReportsTheErrorOfFfmpeg)
{
    pretend_ffmpeg("echo 'first line' >&2; echo 'the disk is full of hair' >&2; exit 1");
    const ScopedPath path(folder_.string());
    EXPECT_FALSE(have_ffmpeg());
    auto film = FilmWriter::create(file("a.mp4"), 640, 480, 30);
    ASSERT_TRUE(film) << film.error();
    Result<size_t> last = size_t{0};
    for (size_t i = 0; i < 100 && last; ++i) last = film->append(picture(640, 480, i));
    ASSERT_FALSE(last);
    EXPECT_NE(last.error().find("a.mp4: ffmpeg: the disk is full of hair"), std::string::npos) << last.error();
    EXPECT_FALSE(film->finish());
    EXPECT_EQ(names(), (std::vector<std::string>{"ffmpeg"}));
}

TEST_F(Film, FailureAtTheEndLeavesNoFilm)
{
    // The script also writes long errors before it reads, which must not block the stream.
    pretend_ffmpeg(
        "PATH=/usr/bin:/bin; head -c 300000 /dev/zero | tr '\\0' 'x' >&2; cat >/dev/null; echo 'no end' >&2; exit 3");
    const ScopedPath path(folder_.string());
    auto film = FilmWriter::create(file("a.mp4"), 640, 480, 30);
    ASSERT_TRUE(film) << film.error();
    for (size_t i = 0; i < 3; ++i) ASSERT_TRUE(film->append(picture(640, 480, i)));
    const auto finished = film->finish();
    ASSERT_FALSE(finished);
    EXPECT_NE(finished.error().find("no end"), std::string::npos) << finished.error();
    EXPECT_EQ(names(), (std::vector<std::string>{"ffmpeg"}));
}

TEST_F(Film, WithoutFfmpegTheErrorNamesTheRemedy)
{
    const ScopedPath path(folder_.string());
    EXPECT_FALSE(have_ffmpeg());
    const auto film = FilmWriter::create(file("a.mp4"), 64, 48, 30);
    ASSERT_FALSE(film);
    EXPECT_NE(film.error().find("apt install ffmpeg"), std::string::npos) << film.error();
    EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace tendril::test
