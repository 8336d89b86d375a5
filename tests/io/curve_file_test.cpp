// All curve formats together: detection by content, round trips, control points, units and axes; and the cache.
#include "tendril/curve_file.h"
#include "support/damage.h"
#include "support/data.h"
#include "tendril/cache.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tendril::test {
namespace {

constexpr CurveFormat kWritten[] = {CurveFormat::kTfx4, CurveFormat::kHair, CurveFormat::kData,
                                    CurveFormat::kObj,  CurveFormat::kUsd,  CurveFormat::kCache};

/// Curves whose coordinates need all their digits.
CurveFile some_curves(uint32_t strands, uint32_t points)
{
    CurveFile curves;
    curves.data.first_point.push_back(0);
    uint32_t k = 0;
    for (uint32_t s = 0; s < strands; ++s) {
        for (uint32_t i = 0; i < points; ++i, ++k) {
            const float x = static_cast<float>(s) / 3.0f, y = static_cast<float>(k) / 7.0f;
            curves.data.points.push_back({x, y, -1.0f / static_cast<float>(k + 3)});
        }
        curves.data.first_point.push_back(k);
    }
    return curves;
}

bool same_bits(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3f)) == 0;
}

/// Writes the curves and reads them again.
CurveFile round_trip(const CurveFile& curves, CurveFormat format, const std::string& name)
{
    const auto bytes = curve_bytes(curves, format);
    EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error());
    if (!bytes) return {};
    const auto back = parse_curves(*bytes, name);
    EXPECT_TRUE(back) << (back ? "" : back.error());
    return back ? *back : CurveFile{};
}

TEST(CurveFile, PointsSurviveConversionBetweenAllFormats)
{
    const CurveFile curves = some_curves(20, 8);
    for (CurveFormat first : kWritten)
        for (CurveFormat second : kWritten) {
            const std::string name = first == CurveFormat::kData || second == CurveFormat::kData ? "x.data" : "x";
            const CurveFile once = round_trip(curves, first, first == CurveFormat::kData ? name : "x");
            const CurveFile twice = round_trip(once, second, second == CurveFormat::kData ? name : "x");
            const CurveFile back = round_trip(twice, first, first == CurveFormat::kData ? name : "x");
            EXPECT_TRUE(same_bits(back.data.points, curves.data.points))
                << format_name(first) << " by way of " << format_name(second);
            EXPECT_EQ(back.data.first_point, curves.data.first_point);
        }
}

TEST(CurveFile, TheContentDecidesNotTheExtension)
{
    const CurveFile curves = some_curves(3, 4);
    for (CurveFormat format :
         {CurveFormat::kTfx4, CurveFormat::kHair, CurveFormat::kObj, CurveFormat::kUsd, CurveFormat::kCache})
        for (const char* name : {"hair.tfx", "hair.hair", "hair.obj", "hair.usda", "hair", "hair.png"})
            EXPECT_EQ(round_trip(curves, format, name).format, format) << name;
    const char text[] = "Dear diary, today I cut my hair.";
    const auto wrong = parse_curves(std::as_bytes(std::span(text)), "diary.txt");
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().find("diary.txt: not a hair format that Tendril reads"), std::string::npos);
    EXPECT_FALSE(parse_curves({}, "empty.hair"));
    EXPECT_FALSE(read_curves("/no/such/file.hair"));
}

TEST(CurveFile, TfxNeedsEqualPointCounts)
{
    CurveFile curves = some_curves(2, 4);
    curves.data.first_point = {0, 3, 8};
    const auto wrong = curve_bytes(curves, CurveFormat::kTfx4);
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().find("--resample"), std::string::npos);
}

TEST(CurveFile, SubsetAndResampleApplyToEveryFrame)
{
    CurveFile curves = some_curves(4, 5);
    curves.times = {0, 1};
    curves.samples = {curves.data.points, curves.data.points};
    curves.samples[1][10].x += 1;  // the root of strand 2
    const uint32_t kept[] = {2, 0};
    keep_strands(curves, kept);
    resample_curves(curves, 9);
    EXPECT_EQ(curves.data.first_point, (std::vector<uint32_t>{0, 9, 18}));
    ASSERT_EQ(curves.samples[1].size(), 18u);
    EXPECT_EQ(curves.samples[1][0].x, curves.data.points[0].x + 1);
    EXPECT_EQ(curves.samples[1][9], curves.data.points[9]);
}

TEST(CurveFile, NamesTheDataThatAFormatCannotStore)
{
    CurveFile curves = some_curves(2, 3);
    EXPECT_TRUE(left_out_by(CurveFormat::kData, curves).empty());
    curves.data.colours.resize(6);
    curves.data.root_uvs.resize(2);
    curves.times = {0};
    curves.samples = {curves.data.points};
    EXPECT_EQ(left_out_by(CurveFormat::kData, curves), (std::vector<std::string>{"frames", "root UVs", "colours"}));
    EXPECT_EQ(left_out_by(CurveFormat::kHair, curves), (std::vector<std::string>{"frames", "root UVs"}));
    EXPECT_TRUE(left_out_by(CurveFormat::kUsd, curves).empty());
}

TEST(CurveFile, AlembicNamesItsRemedy)
{
    for (const std::string magic : {"Ogawa\xff", "\x89HDF\r\n\x1a\n"}) {
        const auto curves = parse_curves(std::as_bytes(std::span(magic)), "hair.abc");
        ASSERT_FALSE(curves);
        EXPECT_EQ(curves.error().find("hair.abc: an "), 0u) << curves.error();
        EXPECT_NE(curves.error().find("an Alembic file (.abc)"), std::string::npos) << curves.error();
        EXPECT_NE(curves.error().find("which Tendril does not read; export the hair as USD text instead, with a name "
                                      "that ends in .usda (Blender: "),
                  std::string::npos)
            << curves.error();
    }
}

TEST(CurveFile, SuspectsAnotherUnitOnlyOfLongStrandsInALargeBox)
{
    // Strands of 0.3 m around a head of 0.25 m, and other things in metres that must not be suspected.
    const auto hair = [](double length, double box, double unit) {
        GroomData data;
        data.first_point = {0, 2, 4};
        const auto at = [unit](double x, double y) {
            return Vec3f{static_cast<float>(x * unit), static_cast<float>(y * unit), 0};
        };
        data.points = {at(0, 0), at(0, -length), at(box, 0), at(box, -length)};
        return suspected_unit(data);
    };
    EXPECT_EQ(hair(0.3, 0.25, 1), 0);
    EXPECT_EQ(hair(0.3, 0.25, 100), 0.01);
    EXPECT_EQ(hair(0.3, 0.25, 1000), 0.001);
    EXPECT_EQ(hair(0.03, 1.5, 100), 0.01);  // short fur of a large animal
    EXPECT_EQ(hair(0.05, 7, 1), 0);         // the fur of an elephant
    EXPECT_EQ(hair(2, 1, 1), 0);            // hair that reaches the ground
    EXPECT_EQ(suspected_unit({}), 0);
}

TEST(CurveFile, TressFxAcceptsDivisorsOf64)
{
    std::vector<size_t> accepted;
    for (size_t points = 0; points <= 200; ++points)
        if (tressfx_accepts(points)) accepted.push_back(points);
    EXPECT_EQ(accepted, (std::vector<size_t>{4, 8, 16, 32, 64}));
}

TEST(CurveFile, FilesAndFormatsStateUnitsAndAxes)
{
    CurveFile curves = some_curves(2, 3);
    EXPECT_FALSE(round_trip(curves, CurveFormat::kTfx4, "x").states_up);
    curves.up = UpAxis::kZ;
    const CurveFile z = round_trip(curves, CurveFormat::kHair, "x");
    EXPECT_TRUE(z.up == UpAxis::kZ && !z.states_up);  // the convention of the format
    curves.up = UpAxis::kY;
    EXPECT_TRUE(round_trip(curves, CurveFormat::kHair, "x").states_up);
    EXPECT_FALSE(round_trip(curves, CurveFormat::kCache, "x").states_unit);
    curves.metres_per_unit = 0.01;
    const CurveFile cache = round_trip(curves, CurveFormat::kCache, "x");
    EXPECT_TRUE(cache.states_unit && cache.states_up);
}

TEST(CurveFile, ScalesAndRotates)
{
    CurveFile curves = some_curves(1, 2);
    curves.data.points = {{1, 2, 3}, {4, 5, 6}};
    curves.data.widths = {1, 2};
    curves.metres_per_unit = 0.01;
    scale_curves(curves, 0.5);
    EXPECT_EQ(curves.data.points[1], (Vec3f{2, 2.5f, 3}));
    EXPECT_EQ(curves.data.widths[1], 1);
    EXPECT_DOUBLE_EQ(curves.metres_per_unit, 0.02);
    const auto before = curves.data.points;
    turn_curves(curves, UpAxis::kZ, UpAxis::kY);
    EXPECT_EQ(curves.data.points[0], (Vec3f{0.5f, 1.5f, -1}));
    turn_curves(curves, UpAxis::kY, UpAxis::kZ);
    EXPECT_EQ(curves.data.points, before);
}

// ---------------------------------------------------------------------------------------------------------------------
// Control points

CurveFile cubic(CurveBasis basis, CurveWrap wrap, std::vector<Vec3f> points)
{
    CurveFile curves;
    curves.data.first_point = {0, static_cast<uint32_t>(points.size())};
    curves.data.points = std::move(points);
    curves.kinds = {{basis, wrap}};
    return curves;
}

TEST(Polylines, BezierMatchesDeCasteljau)
{
    // De Casteljau at 1/3 and 2/3 of (0,0) (0,3) (3,3) (3,0), by hand: (7/9, 2), (20/9, 2).
    CurveFile curves =
        cubic(CurveBasis::kBezier, CurveWrap::kNonperiodic, {{0, 0, 0}, {0, 3, 0}, {3, 3, 0}, {3, 0, 0}});
    to_polylines(curves);
    EXPECT_EQ(curves.data.points[0], (Vec3f{0, 0, 0}));
    EXPECT_EQ(curves.data.points[3], (Vec3f{3, 0, 0}));
    EXPECT_NEAR(curves.data.points[1].x, 7.0 / 9, 1e-6);
    EXPECT_NEAR(curves.data.points[1].y, 2, 1e-6);
    EXPECT_NEAR(curves.data.points[2].x, 20.0 / 9, 1e-6);
}

TEST(Polylines, CatmullRomPassesThroughItsPoints)
{
    // A pinned curve has one segment between neighbouring points, so equal parameter steps fall on the points.
    const std::vector<Vec3f> points{{0, 0, 0}, {1, 2, 0}, {3, 1, 0}, {4, 4, 1}, {6, 0, 0}};
    CurveFile curves = cubic(CurveBasis::kCatmullRom, CurveWrap::kPinned, points);
    to_polylines(curves);
    for (size_t i = 0; i < points.size(); ++i) EXPECT_LT(length(curves.data.points[i] - points[i]), 1e-6f);
}

TEST(Polylines, BsplineEndsDependOnTheWrap)
{
    const std::vector<Vec3f> points{{0, 0, 0}, {6, 6, 0}, {12, 0, 0}, {18, 6, 0}, {24, 0, 0}};
    CurveFile open = cubic(CurveBasis::kBspline, CurveWrap::kNonperiodic, points);
    to_polylines(open);
    EXPECT_LT(length(open.data.points[0] - Vec3f{6, 4, 0}), 1e-5f);  // (p0 + 4 p1 + p2) / 6
    EXPECT_LT(length(open.data.points[4] - Vec3f{18, 4, 0}), 1e-5f);
    CurveFile pinned = cubic(CurveBasis::kBspline, CurveWrap::kPinned, points);
    to_polylines(pinned);
    EXPECT_LT(length(pinned.data.points[0] - points[0]), 1e-5f);
    EXPECT_LT(length(pinned.data.points[4] - points[4]), 1e-5f);
    CurveFile closed = cubic(CurveBasis::kBspline, CurveWrap::kPeriodic, points);
    to_polylines(closed);
    EXPECT_LT(length(closed.data.points[0] - closed.data.points[4]), 1e-5f);
}

// ---------------------------------------------------------------------------------------------------------------------
// The cache

CurveFile moving_curves()
{
    CurveFile curves = some_curves(3, 4);
    GroomData& data = curves.data;
    data.ends = {Ends::kRootHeld, Ends::kFree, Ends::kBothHeld};
    data.groups = {0, 1, 1};
    data.group_names = {"left", "right"};
    data.root_uvs = {{0, 1}, {0.5f, 0.25f}, {1, 0}};
    for (size_t i = 0; i < data.points.size(); ++i) {
        data.widths.push_back(1e-4f * static_cast<float>(i));
        data.colours.push_back({0.1f, 0.2f, static_cast<float>(i) / 12});
        data.transparencies.push_back(0.5f);
    }
    curves.metres_per_unit = 0.01;
    curves.up = UpAxis::kZ;
    for (int f = 0; f < 3; ++f) {
        curves.times.push_back(f / 24.0);
        curves.samples.push_back(data.points);
        curves.samples.back()[5].x += static_cast<float>(f);
    }
    return curves;
}

TEST(Cache, KeepsEverything)
{
    const CurveFile curves = moving_curves(), back = round_trip(curves, CurveFormat::kCache, "x");
    EXPECT_TRUE(same_bits(back.data.points, curves.data.points));
    EXPECT_EQ(back.data.ends, curves.data.ends);
    EXPECT_EQ(back.data.groups, curves.data.groups);
    EXPECT_EQ(back.data.group_names, curves.data.group_names);
    EXPECT_EQ(back.data.widths, curves.data.widths);
    EXPECT_TRUE(same_bits(back.data.colours, curves.data.colours));
    EXPECT_EQ(back.data.transparencies, curves.data.transparencies);
    EXPECT_EQ(back.data.root_uvs[1].v, 0.25f);
    EXPECT_EQ(back.times, curves.times);
    EXPECT_EQ(back.metres_per_unit, 0.01);
    EXPECT_EQ(back.up, UpAxis::kZ);
    ASSERT_EQ(back.samples.size(), 3u);
    for (size_t f = 0; f < 3; ++f) EXPECT_TRUE(same_bits(back.samples[f], curves.samples[f]));
}

TEST(Cache, AnInterruptedWriterLeavesItsCompleteFrames)
{
    const std::string file = testing::TempDir() + "tendril_cache_" + std::to_string(getpid());
    const CurveFile curves = moving_curves();
    {
        auto writer = CacheWriter::create(file, curves);
        ASSERT_TRUE(writer);
        EXPECT_EQ(*writer->append(0.5, {100, 0, 0}, curves.samples[0]), 1u);
        EXPECT_EQ(*writer->append(1.0, {0, 0, 0}, curves.samples[1]), 2u);
        EXPECT_FALSE(writer->append(1.5, {0, 0, 0}, std::span(curves.samples[1]).first(3)));
    }
    EXPECT_FALSE(read_curves(file));
    {
        std::ofstream half(file + ".part", std::ios::app | std::ios::binary);
        half << "a frame that was not finished";
    }
    const auto back = read_curves(file + ".part");
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->times, (std::vector<double>{0.5, 1.0}));
    EXPECT_FLOAT_EQ(back->samples[0][0].x, 100 + curves.samples[0][0].x);
    std::remove((file + ".part").c_str());
}

TEST(Cache, ResumesAfterAnInterruption)
{
    const std::string file = testing::TempDir() + "tendril_cache_resumed_" + std::to_string(getpid());
    const CurveFile curves = moving_curves();
    {
        auto writer = CacheWriter::create(file, curves);
        ASSERT_TRUE(writer->append(0.5, {0, 0, 0}, curves.samples[0]));
        ASSERT_TRUE(writer->append(1.0, {0, 0, 0}, curves.samples[1]));
    }
    std::filesystem::resize_file(file + ".part", std::filesystem::file_size(file + ".part") - 5);
    auto writer = CacheWriter::resume(file, curves);
    ASSERT_TRUE(writer) << writer.error();
    EXPECT_EQ(writer->frames(), 1u) << "the second frame was incomplete";
    ASSERT_TRUE(writer->append(1.0, {0, 0, 0}, curves.samples[1]));
    ASSERT_TRUE(writer->append(1.5, {0, 0, 0}, curves.samples[2]));
    ASSERT_TRUE(writer->finish());
    const auto back = read_curves(file);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->times, (std::vector<double>{0.5, 1.0, 1.5}));
    for (size_t f = 0; f < 3; ++f) EXPECT_TRUE(same_bits(back->samples[f], curves.samples[f]));
    std::remove(file.c_str());

    CurveFile others = curves;
    others.data.points[0].x += 1;
    ASSERT_TRUE(CacheWriter::create(file, others)->append(0.5, {0, 0, 0}, others.samples[0]));
    EXPECT_EQ(CacheWriter::resume(file, curves)->frames(), 0u) << "frames of other curves are not continued";
    std::remove((file + ".part").c_str());
}

TEST(Cache, FinishRenamesTheFile)
{
    const std::string file = testing::TempDir() + "tendril_cache_done_" + std::to_string(getpid());
    auto writer = CacheWriter::create(file, moving_curves());
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->append(0, {0, 0, 0}, moving_curves().samples[0]));
    ASSERT_TRUE(writer->finish());
    EXPECT_EQ(read_curves(file)->times.size(), 1u);
    EXPECT_FALSE(read_curves(file + ".part"));
    std::remove(file.c_str());
    EXPECT_FALSE(CacheWriter::create("/no/such/folder/x", moving_curves()));
}

/// The bytes of a cache of version 1, which has no checksums.
std::vector<std::byte> without_checksums(std::vector<std::byte> bytes, size_t points, size_t frames)
{
    constexpr size_t kHead = 64, kChecksum = 8;
    const size_t frame = 32 + (points * sizeof(Vec3f) + 7) / 8 * 8 + kChecksum;
    for (size_t f = 0; f < frames; ++f) {
        const auto end = bytes.end() - static_cast<ptrdiff_t>(f * (frame - kChecksum));
        bytes.erase(end - kChecksum, end);
    }
    bytes.erase(bytes.begin() + kHead, bytes.begin() + kHead + kChecksum);
    const uint32_t version = 1, header = kHead;
    const uint64_t unused = 0;
    std::memcpy(&bytes[8], &version, sizeof version);
    std::memcpy(&bytes[52], &header, sizeof header);
    std::memcpy(&bytes[56], &unused, sizeof unused);
    return bytes;
}

TEST(Cache, ReadsFilesWithoutChecksums)
{
    const CurveFile curves = moving_curves();
    const auto old = without_checksums(*curve_bytes(curves, CurveFormat::kCache), curves.data.points.size(), 3);
    const auto back = parse_curves(old, "x");
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->times, curves.times);
    EXPECT_EQ(back->data.widths, curves.data.widths);
    for (size_t f = 0; f < 3; ++f) EXPECT_TRUE(same_bits(back->samples[f], curves.samples[f]));
}

TEST(Cache, DetectsEveryChangedByteAndNamesTheFrame)
{
    const CurveFile curves = moving_curves();
    auto bytes = *curve_bytes(curves, CurveFormat::kCache);
    const size_t frame = 32 + curves.data.points.size() * sizeof(Vec3f) + 8;
    const size_t head = bytes.size() - 3 * frame;
    for (size_t i = 8; i < bytes.size(); ++i)  // without its first bytes, it is a file of another format
        for (const unsigned mask : {0x01u, 0x02u, 0x03u, 0x10u, 0x80u, 0xffu}) {
            bytes[i] ^= static_cast<std::byte>(mask);
            const auto read = parse_curves(bytes, "x.tendril");
            ASSERT_FALSE(read) << "byte " << i << " changed by " << mask;
            if (i >= head) {
                const std::string number = "frame " + std::to_string((i - head) / frame + 1) + " is damaged";
                EXPECT_NE(read.error().find(number), std::string::npos) << i << ": " << read.error();
            }
            bytes[i] ^= static_cast<std::byte>(mask);
        }
    EXPECT_TRUE(parse_curves(bytes, "x.tendril"));
}

TEST(Cache, AFinishedFileThatWasCutOffIsRefused)
{
    const auto bytes = *curve_bytes(moving_curves(), CurveFormat::kCache);
    for (size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(parse_curves(std::span(bytes).first(size), "x.tendril")) << size;
    const auto cut = parse_curves(std::span(bytes).first(bytes.size() - 1), "x.tendril");
    EXPECT_NE(cut.error().find("it has 2 of 3 frames"), std::string::npos) << cut.error();
}

TEST(Cache, OnlyOneWriterAtATime)
{
    const std::string file = testing::TempDir() + "tendril_cache_locked_" + std::to_string(getpid());
    const CurveFile curves = moving_curves();
    {
        auto writer = CacheWriter::create(file, curves);
        ASSERT_TRUE(writer);
        ASSERT_TRUE(writer->append(0, {0, 0, 0}, curves.samples[0]));
        for (const auto& second : {CacheWriter::create(file, curves), CacheWriter::resume(file, curves)}) {
            ASSERT_FALSE(second);
            EXPECT_NE(second.error().find("another program is writing it"), std::string::npos) << second.error();
        }
        EXPECT_FALSE(write_curves(file, curves, CurveFormat::kCache));
        ASSERT_TRUE(writer->finish());
    }
    EXPECT_EQ(read_curves(file)->times.size(), 1u);
    {
        auto empty = CacheWriter::create(file, curves);
    }
    EXPECT_FALSE(std::filesystem::exists(file + ".part")) << "a writer without frames leaves nothing behind";
    std::remove(file.c_str());
}

TEST(Cache, AnyDamageGivesCurvesOrAnError)
{
    const CurveFile curves = moving_curves();
    const auto bytes =
        without_checksums(*curve_bytes(curves, CurveFormat::kCache), curves.data.points.size(), curves.times.size());
    damage(bytes, [&](std::span<const std::byte> damaged) {
        const auto read = parse_curves(damaged, "x.tendril");
        if (!read) return;
        EXPECT_LE(read->data.points.size() * sizeof(Vec3f), bytes.size());
        EXPECT_LE(read->samples.size(), 8u);
    });
}

// ---------------------------------------------------------------------------------------------------------------------
// Real files

class RealGroom : public testing::TestWithParam<const char*> {};

TEST_P(RealGroom, ConvertsToEveryFormatAndBack)
{
    TENDRIL_NEEDS_DATA(file, GetParam());
    auto curves = read_curves(file);
    ASSERT_TRUE(curves) << curves.error();
    to_polylines(*curves);
    curves->times.clear();
    curves->samples.clear();
    bool equal = true;
    for (size_t s = 1; s < curves->data.first_point.size(); ++s)
        equal &= curves->data.first_point[s] == s * curves->data.first_point[1];
    for (CurveFormat format : kWritten) {
        if (format == CurveFormat::kTfx4 && !equal) continue;
        const CurveFile back = round_trip(*curves, format, format == CurveFormat::kData ? "x.data" : "x");
        EXPECT_TRUE(same_bits(back.data.points, curves->data.points)) << format_name(format);
        EXPECT_EQ(back.data.first_point, curves->data.first_point) << format_name(format);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Data, RealGroom,
    testing::Values("tressfx4_ratboy/Ratboy_mohawk.tfx", "sintel/sintel_hair_001.tfx", "tressfx3_ponytail/back.tfx",
                    "tressfx3_ponytail/front_top.tfx", "tressfx3_ponytail/side.tfx", "tressfx3_ponytail/tail.tfx",
                    "tressfx2_text/Fibermesh2_hair0.5k_Curves.tfx", "tressfx2_text/Fibermesh2_hair1k_Curves.tfx",
                    "tressfx2_text/Fibermesh2_mohi0.3k_Curves.tfx", "yuksel_straight/straight.hair",
                    "obj_lines/Cube_Hair.obj", "usd_curves/hair-blender-3.0.1.usda", "usd_curves/hair.usda",
                    "usd_curves/basisCurves_examples.usda", "usd_curves/pinnedCurves.usda", "usd_curves/skel_lbs.usda",
                    "usd_curves/skel_lbs.baked.usda"),
    [](const auto& test) {
        std::string name = test.param;
        for (char& c : name)
            if (!isalnum(static_cast<unsigned char>(c))) c = '_';
        return name;
    });

}  // namespace
}  // namespace tendril::test
