// Third-party hair formats: written files read back bit for bit, real files have their known counts, and damaged files
// are refused safely.

#include "io/curve_formats.h"
#include "io/file_bytes.h"
#include "io/text_scan.h"
#include "math/bytes.h"
#include "support/data.h"
#include "support/text_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>

namespace tendril::test {
namespace {

// --- Generated hair

float noise(uint64_t i)
{
    return static_cast<float>(static_cast<double>(mix_bits(i) >> 11) * 0x1p-53 * 2 - 1);
}

enum class Lengths { kEqual, kDifferent };

CurveFile bare_hair(Lengths lengths)
{
    CurveFile curves;
    GroomData& data = curves.data;
    data.first_point = {0};
    for (uint32_t s = 0; s < 7; ++s) {
        const uint32_t points = lengths == Lengths::kEqual ? 5 : 1 + s % 4;
        for (uint32_t p = 0; p < points; ++p) {
            const uint64_t seed = 3 * data.points.size();
            data.points.push_back({noise(seed), 1e-20f * noise(seed + 1), 1e12f * noise(seed + 2)});
        }
        data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    }
    data.points[1] = {-0.0f, 1.17549435e-38f, 1e-45f};  // negative zero and the smallest numbers must survive, too
    return curves;
}

/// Hair with all data that a format may store. The width is constant along a strand, as in .tfx 4.
CurveFile full_hair(Lengths lengths)
{
    CurveFile curves = bare_hair(lengths);
    GroomData& data = curves.data;
    for (size_t s = 0; s < data.strand_count(); ++s) {
        data.root_uvs.push_back({noise(1000 + s), noise(2000 + s)});
        data.groups.push_back(s < 3 ? 0 : 1);
        for (uint32_t p = data.first_point[s]; p < data.first_point[s + 1]; ++p) {
            data.widths.push_back(noise(3000 + s));
            data.colours.push_back({noise(4000 + p), noise(5000 + p), noise(6000 + p)});
            data.transparencies.push_back(0.25f * static_cast<float>(p % 4));
        }
    }
    data.group_names = {"fringe", "back of the head"};
    return curves;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same_strands(const CurveFile& read, const CurveFile& written)
{
    EXPECT_TRUE(same_bits(read.data.points, written.data.points));
    EXPECT_EQ(read.data.first_point, written.data.first_point);
}

using Parser = Result<CurveFile> (*)(Bytes, const std::string&);
using Writer = ByteResult (*)(const CurveFile&);

CurveFile round_trip(const CurveFile& curves, Writer write, Parser parse)
{
    const ByteResult bytes = write(curves);
    EXPECT_TRUE(bytes) << bytes.error();
    if (!bytes) return {};
    const Result<CurveFile> read = parse(*bytes, "memory");
    EXPECT_TRUE(read) << read.error();
    return read ? *read : CurveFile{};
}

template <class... T>
std::vector<std::byte> packed(const T&... values)
{
    std::vector<std::byte> out;
    (append_bytes(out, &values, 1), ...);
    return out;
}

void poke(std::vector<std::byte>& bytes, size_t at, uint32_t value)
{
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

// --- Small files made by hand

constexpr std::string_view kSmallTfx1 =
    "numStrands 2\nis sorted 1\n"
    "strand 0 numVerts 3 texcoord 0.25 0.5 0\n0 1 2\n3.5 -4e-3 5\n-1.#INF 0 1.#QNAN\n"
    "strand 1 numVerts 2 texcoord 0.75 1\n1 2 3\n4 5 6\n";

constexpr std::string_view kSmallTfx2 =
    "version 2.0\r\nscale 1.0\r\nrotation 0 0 0\r\ntranslation 0 0 0\r\nbothEndsImmovable 1\r\n"
    "maxNumVerticesInStrand 2\r\nnumFollowHairsPerGuideHair 3\r\nmaxRadiusAroundGuideHair 1.5\r\n"
    "numStrands 2\r\nis sorted 1\r\n"
    "strand 0 numVerts 2 texcoord 0.000000 000000\r\n1, 2, 3\r\n4,5,6\r\n"
    "strand 1 numVerts 2 texcoord 0.5 0.25\r\n7 8 9\r\n-1, -2, -3\r\n";

/// Two strands of two points with thickness, texture coordinates and colours.
std::vector<std::byte> small_tfx3()
{
    std::vector<std::byte> bytes(296);
    const auto append = [&](size_t offset_at, std::initializer_list<float> numbers) {
        poke(bytes, offset_at, static_cast<uint32_t>(bytes.size()));
        append_bytes(bytes, numbers.begin(), numbers.size());
    };
    append(144, {1, 2, 3, 4, 5, 6, 7, 8, -9, 10, 11, 0});
    append(148, {0.5f, 0.25f});
    append(152, {0.1f, 0.2f, 0.3f, 0.4f});
    append(156, {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0.5f, 1, 1, 1, 1});
    poke(bytes, 0, 0x40400000);  // 3.0f
    poke(bytes, 4, 2);
    poke(bytes, 8, 2);
    poke(bytes, 12, 4);
    poke(bytes, 16, 1);
    return bytes;
}

struct BoneEntry {
    int32_t strand;
    struct {
        int32_t bone;
        float weight;
    } weights[4];
};

/// Lists bones and strands in reverse order, because their indices count and not their order.
std::vector<std::byte> small_tfxbone(std::array<BoneEntry, 2> entries)
{
    std::vector<std::byte> bytes = packed(int32_t{2}, int32_t{1}, int32_t{4});
    append_bytes(bytes, "jaw", 4);
    append_bytes(bytes, packed(int32_t{0}, int32_t{5}).data(), 8);
    append_bytes(bytes, "head", 5);
    append_bytes(bytes, packed(int32_t{2}).data(), 4);
    append_bytes(bytes, entries.data(), 2);
    return bytes;
}

std::vector<std::byte> small_tfxbone()
{
    return small_tfxbone({{{1, {{0, 0.5f}, {1, 0.5f}, {0, 0}, {0, 0}}}, {0, {{1, 1}, {0, 0}, {-1, 0}, {-1, 0}}}}});
}

// --- Round trips

TEST(TfxFile, Version4RoundTripsBitForBit)
{
    const CurveFile bare = bare_hair(Lengths::kEqual);
    const CurveFile bare_read = round_trip(bare, tfx4_bytes, parse_tfx);
    expect_same_strands(bare_read, bare);
    EXPECT_TRUE(bare_read.data.root_uvs.empty() && bare_read.data.widths.empty() && bare_read.data.colours.empty());
    EXPECT_TRUE(bare_read.data.ends.empty());
    EXPECT_EQ(bare_read.pinned_points, 1u);

    CurveFile full = full_hair(Lengths::kEqual);
    full.pinned_points = 2;
    const CurveFile read = round_trip(full, tfx4_bytes, parse_tfx);
    expect_same_strands(read, full);
    EXPECT_TRUE(same_bits(read.data.root_uvs, full.data.root_uvs));
    EXPECT_TRUE(same_bits(read.data.widths, full.data.widths));
    EXPECT_TRUE(same_bits(read.data.colours, full.data.colours));
    EXPECT_TRUE(same_bits(read.data.transparencies, full.data.transparencies));
    EXPECT_EQ(read.pinned_points, 2u);
    EXPECT_EQ(read.format, CurveFormat::kTfx4);
}

TEST(TfxFile, Version4KeepsHeldEnds)
{
    CurveFile curves = bare_hair(Lengths::kEqual);
    curves.data.ends.assign(7, Ends::kRootHeld);
    curves.data.ends[0] = Ends::kFree;
    curves.data.ends[3] = Ends::kBothHeld;
    EXPECT_EQ(round_trip(curves, tfx4_bytes, parse_tfx).data.ends, curves.data.ends);
}

TEST(TfxFile, Version4RefusesDifferentPointCountsAndNamesTheRemedy)
{
    const ByteResult bytes = tfx4_bytes(bare_hair(Lengths::kDifferent));
    ASSERT_FALSE(bytes);
    EXPECT_NE(bytes.error().find("--resample"), std::string::npos) << bytes.error();
}

TEST(HairFile, RoundTripsBitForBit)
{
    for (Lengths lengths : {Lengths::kEqual, Lengths::kDifferent}) {
        const CurveFile bare = bare_hair(lengths);
        const CurveFile bare_read = round_trip(bare, hair_bytes, parse_hair);
        expect_same_strands(bare_read, bare);
        EXPECT_TRUE(bare_read.data.widths.empty() && bare_read.data.colours.empty());
        EXPECT_TRUE(bare_read.data.transparencies.empty());

        const CurveFile full = full_hair(lengths);
        const CurveFile read = round_trip(full, hair_bytes, parse_hair);
        expect_same_strands(read, full);
        EXPECT_TRUE(same_bits(read.data.widths, full.data.widths));
        EXPECT_TRUE(same_bits(read.data.colours, full.data.colours));
        EXPECT_TRUE(same_bits(read.data.transparencies, full.data.transparencies));
    }
}

TEST(HairFile, OmitsSegmentCountsThatAreEqual)
{
    const CurveFile equal = bare_hair(Lengths::kEqual), different = bare_hair(Lengths::kDifferent);
    EXPECT_EQ(hair_bytes(equal)->size(), 128 + equal.data.points.size() * 12);
    EXPECT_EQ(hair_bytes(different)->size(), 128 + 7 * 2 + different.data.points.size() * 12);
}

TEST(HairFile, IsZUpUnlessItsInfoSaysOtherwise)
{
    CurveFile curves = bare_hair(Lengths::kEqual);
    for (UpAxis up : {UpAxis::kUnknown, UpAxis::kY, UpAxis::kZ}) {
        curves.up = up;
        EXPECT_EQ(round_trip(curves, hair_bytes, parse_hair).up, up);
    }
    std::vector<std::byte> bytes = *hair_bytes(curves);
    std::fill(bytes.begin() + 40, bytes.begin() + 128, std::byte{0});
    EXPECT_EQ(parse_hair(bytes, "memory")->up, UpAxis::kZ);
}

TEST(HairFile, HoldsStrandsOfUpTo65536Points)
{
    CurveFile curves;
    curves.data.points.resize(65536 + 2);
    curves.data.first_point = {0, 65536, 65538};
    expect_same_strands(round_trip(curves, hair_bytes, parse_hair), curves);
    curves.data.first_point = {0, 65537, 65538};
    EXPECT_FALSE(hair_bytes(curves));
}

TEST(UscDataFile, RoundTripsBitForBitWithStrandsOfOnePoint)
{
    for (Lengths lengths : {Lengths::kEqual, Lengths::kDifferent}) {
        const CurveFile curves = full_hair(lengths);
        expect_same_strands(round_trip(curves, usc_data_bytes, parse_usc_data), curves);
    }
}

TEST(ObjCurves, RoundTripBitForBitWithColoursGroupsAndTextureCoordinates)
{
    for (Lengths lengths : {Lengths::kEqual, Lengths::kDifferent}) {
        const CurveFile bare = bare_hair(lengths);
        const CurveFile bare_read = round_trip(bare, obj_curve_bytes, parse_obj_curves);
        expect_same_strands(bare_read, bare);
        EXPECT_TRUE(bare_read.data.groups.empty() && bare_read.data.colours.empty() && bare_read.data.root_uvs.empty());

        const CurveFile full = full_hair(lengths);
        const CurveFile read = round_trip(full, obj_curve_bytes, parse_obj_curves);
        expect_same_strands(read, full);
        EXPECT_TRUE(same_bits(read.data.colours, full.data.colours));
        EXPECT_TRUE(same_bits(read.data.root_uvs, full.data.root_uvs));
        EXPECT_EQ(read.data.groups, full.data.groups);
        EXPECT_EQ(read.data.group_names, full.data.group_names);
    }
}

TEST(CurveWriters, RefuseArraysThatDoNotFitTogether)
{
    CurveFile none, short_widths = full_hair(Lengths::kEqual), bad_offsets = bare_hair(Lengths::kEqual);
    short_widths.data.widths.pop_back();
    bad_offsets.data.first_point[1] = 1'000'000;
    for (Writer write : {tfx4_bytes, hair_bytes, usc_data_bytes, obj_curve_bytes})
        for (const CurveFile* curves : {&none, &short_widths, &bad_offsets}) EXPECT_FALSE(write(*curves));
}

// --- Contents of the formats

TEST(TfxFile, Version1ReadsNumbersThatAreNotFinite)
{
    const Result<CurveFile> read = parse_tfx(bytes_of(kSmallTfx1), "small.tfx");
    ASSERT_TRUE(read) << read.error();
    const GroomData& data = read->data;
    EXPECT_EQ(read->format, CurveFormat::kTfx1);
    EXPECT_EQ(data.first_point, (std::vector<uint32_t>{0, 3, 5}));
    EXPECT_EQ(data.points[1], (Vec3f{3.5f, -4e-3f, 5}));
    EXPECT_EQ(data.points[2].x, -INFINITY);
    EXPECT_TRUE(std::isnan(data.points[2].z));
    EXPECT_EQ(data.root_uvs[1].u, 0.75f);
    EXPECT_EQ(data.root_uvs[0].v, 0.5f);
    EXPECT_TRUE(data.ends.empty());
}

TEST(TfxFile, Version2ReadsCommasOrSpacesAndSettings)
{
    const Result<CurveFile> read = parse_tfx(bytes_of(kSmallTfx2), "small.tfx");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->format, CurveFormat::kTfx2);
    EXPECT_EQ(read->data.first_point, (std::vector<uint32_t>{0, 2, 4}));
    EXPECT_EQ(read->data.points[1], (Vec3f{4, 5, 6}));
    EXPECT_EQ(read->data.points[2], (Vec3f{7, 8, 9}));
    EXPECT_EQ(read->data.ends, (std::vector<Ends>(2, Ends::kBothHeld)));
    EXPECT_EQ(read->follow_hairs, 3u);
    EXPECT_TRUE(read->data.repairs.empty());
}

TEST(TfxFile, Version2ReportsATransformThatIsNotApplied)
{
    std::string text(kSmallTfx2);
    text.replace(text.find("scale 1.0"), 9, "scale 2.0");
    const Result<CurveFile> read = parse_tfx(bytes_of(text), "small.tfx");
    ASSERT_TRUE(read) << read.error();
    ASSERT_EQ(read->data.repairs.size(), 1u);
    EXPECT_EQ(read->data.repairs[0].what, "transform of the file was not applied");
    EXPECT_EQ(read->data.points[0], (Vec3f{1, 2, 3}));
}

TEST(TfxFile, TextErrorsNameFileAndLine)
{
    std::string text(kSmallTfx1);
    text.replace(text.find("3.5"), 3, "abc");
    const Result<CurveFile> read = parse_tfx(bytes_of(text), "small.tfx");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().rfind("small.tfx: line 5: 'abc'", 0), 0u) << read.error();
}

TEST(TfxFile, Version3IsMirroredBackAndReadWithAllArrays)
{
    const Result<CurveFile> read = parse_tfx(small_tfx3(), "small.tfx");
    ASSERT_TRUE(read) << read.error();
    const GroomData& data = read->data;
    EXPECT_EQ(read->format, CurveFormat::kTfx3);
    EXPECT_EQ(data.first_point, (std::vector<uint32_t>{0, 2, 4}));
    EXPECT_EQ(data.points[0], (Vec3f{1, 2, -3}));
    EXPECT_EQ(data.points[2], (Vec3f{7, 8, 9}));
    EXPECT_EQ(data.widths, (std::vector<float>{0.5f, 0.5f, 0.25f, 0.25f}));
    EXPECT_EQ(data.root_uvs[1].u, 0.3f);
    EXPECT_EQ(data.colours[1], (Vec3f{0, 1, 0}));
    EXPECT_EQ(data.transparencies, (std::vector<float>{0, 0, 0.5f, 0}));
    EXPECT_EQ(data.ends, (std::vector<Ends>(2, Ends::kBothHeld)));
    EXPECT_EQ(read->follow_hairs, 4u);
}

TEST(ObjCurves, JoinSegmentsThatContinueEachOther)
{
    const auto read = parse_obj_curves(bytes_of("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nl 1 2\nl 2 3\nl 4 3\n"), "a.obj");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->data.first_point, (std::vector<uint32_t>{0, 3, 5}));
    EXPECT_EQ(read->data.points[2], (Vec3f{2, 0, 0}));
    EXPECT_EQ(read->data.points[3], (Vec3f{3, 0, 0}));
}

TEST(ObjCurves, AcceptNegativeIndicesSlashesAndContinuedLines)
{
    const auto read = parse_obj_curves(
        bytes_of("v 1 0 0\nv 2 0 0 0.5 0.5 1\nvt 0.25 0.75\nl -2/-1 \\\n -1/1\nv 3 0 0\nl -1// 1//\n"), "a.obj");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->data.first_point, (std::vector<uint32_t>{0, 2, 4}));
    EXPECT_EQ(read->data.points[0].x, 1);
    EXPECT_EQ(read->data.points[1].x, 2);
    EXPECT_EQ(read->data.points[2].x, 3);
    EXPECT_EQ(read->data.root_uvs[0].v, 0.75f);
    EXPECT_EQ(read->data.colours[0], (Vec3f{1, 1, 1}));
    EXPECT_EQ(read->data.colours[1], (Vec3f{0.5f, 0.5f, 1}));
}

TEST(ObjCurves, RefuseMeshesAndInvalidIndices)
{
    const auto mesh = parse_obj_curves(bytes_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "head.obj");
    ASSERT_FALSE(mesh);
    EXPECT_NE(mesh.error().find("mesh"), std::string::npos) << mesh.error();
    for (std::string_view element : {"l 1 3", "l 0 1", "l -3 1", "l 1 4294967297", "l 1 x", "l 1 nan", "l"}) {
        const auto invalid = parse_obj_curves(bytes_of("v 0 0 0\nv 1 0 0\n" + std::string(element)), "a.obj");
        ASSERT_FALSE(invalid) << element;
        EXPECT_EQ(invalid.error().rfind("a.obj: line 3: ", 0), 0u) << invalid.error();
    }
}

TEST(TfxBone, HonoursIndicesOfBonesAndStrands)
{
    const Result<StrandBones> read = parse_tfxbone(small_tfxbone(), "small.tfxbone");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->names, (std::vector<std::string>{"head", "jaw"}));
    ASSERT_EQ(read->strands.size(), 2u);
    EXPECT_EQ(read->strands[0][0].bone, 1u);
    EXPECT_EQ(read->strands[0][0].weight, 1);
    EXPECT_EQ(read->strands[1][1].weight, 0.5f);
    EXPECT_TRUE(read->repairs.empty());
}

TEST(TfxBone, NormalisesAndCountsWeightsThatDoNotSumToOne)
{
    const auto bytes =
        small_tfxbone({{{0, {{0, 1}, {1, 3}, {0, 0}, {0, 0}}}, {1, {{1, 0}, {0, -2}, {0, NAN}, {0, 0}}}}});
    const Result<StrandBones> read = parse_tfxbone(bytes, "small.tfxbone");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->strands[0][0].weight, 0.25f);
    EXPECT_EQ(read->strands[0][1].weight, 0.75f);
    EXPECT_EQ(read->strands[1][0].bone, 1u);
    EXPECT_EQ(read->strands[1][0].weight, 1);
    EXPECT_EQ(read->strands[1][1].weight, 0);
    ASSERT_EQ(read->repairs.size(), 1u);
    EXPECT_EQ(read->repairs[0].what, "bone weights that did not sum to one");
    EXPECT_EQ(read->repairs[0].count, 2u);
}

TEST(TfxBone, RefusesInvalidIndicesAndMissingBones)
{
    EXPECT_FALSE(parse_tfxbone(small_tfxbone({{{0, {}}, {0, {}}}}), "small.tfxbone"));
    EXPECT_FALSE(parse_tfxbone(small_tfxbone({{{0, {}}, {2, {}}}}), "small.tfxbone"));
    EXPECT_FALSE(parse_tfxbone(small_tfxbone({{{0, {{7, 1}}}, {1, {}}}}), "small.tfxbone"));
}

// --- Damage

struct Sample {
    const char* name;
    std::vector<std::byte> bytes;
    std::function<size_t(Bytes)> points;  ///< number of points and strands that were read; 0 for an error
};

template <Parser parse>
size_t point_count_of(Bytes bytes)
{
    const Result<CurveFile> read = parse(bytes, "damaged");
    if (!read) {
        EXPECT_EQ(read.error().rfind("damaged: ", 0), 0u) << read.error();
        return 0;
    }
    EXPECT_EQ(read->data.first_point.front(), 0u);
    EXPECT_EQ(read->data.first_point.back(), read->data.points.size());
    return read->data.points.size() + read->data.strand_count();
}

size_t strands_of_bones(Bytes bytes)
{
    const Result<StrandBones> read = parse_tfxbone(bytes, "damaged");
    return read ? read->strands.size() + read->names.size() : 0;
}

std::vector<Sample> samples()
{
    const auto copy = [](std::string_view text) { return std::vector(bytes_of(text).begin(), bytes_of(text).end()); };
    return {
        {"tfx1", copy(kSmallTfx1), point_count_of<parse_tfx>},
        {"tfx2", copy(kSmallTfx2), point_count_of<parse_tfx>},
        {"tfx3", small_tfx3(), point_count_of<parse_tfx>},
        {"tfx4", *tfx4_bytes(full_hair(Lengths::kEqual)), point_count_of<parse_tfx>},
        {"hair", *hair_bytes(full_hair(Lengths::kDifferent)), point_count_of<parse_hair>},
        {"hair without segments", *hair_bytes(bare_hair(Lengths::kEqual)), point_count_of<parse_hair>},
        {"data", *usc_data_bytes(bare_hair(Lengths::kDifferent)), point_count_of<parse_usc_data>},
        {"obj", *obj_curve_bytes(full_hair(Lengths::kDifferent)), point_count_of<parse_obj_curves>},
        {"tfxbone", small_tfxbone(), strands_of_bones},
    };
}

TEST(CurveParsers, SurviveEveryTruncation)
{
    for (const Sample& sample : samples()) {
        SCOPED_TRACE(sample.name);
        EXPECT_GT(sample.points(sample.bytes), 0u);
        for (size_t size = 0; size < sample.bytes.size(); ++size) {
            // A copy of exactly this size, so that a sanitizer detects reads beyond its end.
            const std::vector<std::byte> cut(sample.bytes.begin(), sample.bytes.begin() + static_cast<long>(size));
            ASSERT_LE(sample.points(cut), size) << size;
        }
    }
}

TEST(CurveParsers, SurviveEveryFlippedByte)
{
    for (const Sample& sample : samples()) {
        SCOPED_TRACE(sample.name);
        std::vector<std::byte> bytes = sample.bytes;
        for (size_t at = 0; at < bytes.size(); ++at) {
            for (unsigned flip : {0x01u, 0x80u, 0xffu, 0x10u}) {
                bytes[at] ^= static_cast<std::byte>(flip);
                ASSERT_LE(sample.points(bytes), bytes.size()) << at;
                bytes[at] = sample.bytes[at];
            }
        }
    }
}

TEST(CurveParsers, SurviveExtremeNumbersAnywhere)
{
    for (const Sample& sample : samples()) {
        SCOPED_TRACE(sample.name);
        for (size_t at = 0; at + 4 <= sample.bytes.size(); at += 4) {
            for (uint32_t value : {0xffffffffu, 0x7fffffffu, 0x80000000u, 0u}) {
                std::vector<std::byte> bytes = sample.bytes;
                poke(bytes, at, value);
                ASSERT_LE(sample.points(bytes), bytes.size()) << at;
            }
        }
    }
}

TEST(CurveParsers, RefuseClaimsOfMoreStrandsThanTheFileHolds)
{
    constexpr uint32_t kMax = 0xffffffff;
    std::vector<std::byte> tfx3 = small_tfx3(), tfx4 = *tfx4_bytes(full_hair(Lengths::kEqual));
    poke(tfx3, 4, kMax);
    poke(tfx4, 4, kMax);
    EXPECT_FALSE(parse_tfx(tfx3, "a.tfx"));
    EXPECT_FALSE(parse_tfx(tfx4, "a.tfx"));
    poke(tfx3, 8, kMax);
    poke(tfx4, 8, kMax);
    EXPECT_FALSE(parse_tfx(tfx3, "a.tfx"));
    EXPECT_FALSE(parse_tfx(tfx4, "a.tfx"));
    std::vector<std::byte> hair = *hair_bytes(bare_hair(Lengths::kEqual));
    poke(hair, 4, kMax);
    EXPECT_FALSE(parse_hair(hair, "a.hair"));
    poke(hair, 8, kMax);
    poke(hair, 16, 0);  // consistent: every strand has one point
    EXPECT_FALSE(parse_hair(hair, "a.hair"));
    std::vector<std::byte> data = *usc_data_bytes(bare_hair(Lengths::kEqual));
    poke(data, 0, 0x7fffffff);
    EXPECT_FALSE(parse_usc_data(data, "a.data"));
    EXPECT_FALSE(parse_tfx(bytes_of("numStrands 4294967295\nstrand 0 numVerts 1 texcoord 0 0\n0 0 0\n"), "a.tfx"));
    EXPECT_FALSE(parse_tfx(bytes_of("numStrands 1\nstrand 0 numVerts 4294967295 texcoord 0 0\n0 0 0\n"), "a.tfx"));
}

// --- Real files

/// Reads a file and checks its numbers of strands and of points per strand.
CurveFile read_real(const std::string& file, Parser parse, size_t strands, size_t points_per_strand)
{
    const Result<FileBytes> bytes = open_file(file);
    EXPECT_TRUE(bytes);
    if (!bytes) return {};
    const Result<CurveFile> read = parse(bytes->bytes(), file);
    EXPECT_TRUE(read) << read.error();
    if (!read) return {};
    EXPECT_EQ(read->data.strand_count(), strands);
    EXPECT_EQ(read->data.points.size(), strands * points_per_strand);
    for (size_t s = 0; s < read->data.strand_count(); ++s)
        EXPECT_EQ(read->data.first_point[s + 1] - read->data.first_point[s], points_per_strand);
    EXPECT_TRUE(read->data.repairs.empty());
    return *read;
}

TEST(RealCurves, TressFx4RatboyHasTwoPinnedPointsAndTextureCoordinates)
{
    TENDRIL_NEEDS_DATA(file, "tressfx4_ratboy/Ratboy_mohawk.tfx");
    const CurveFile curves = read_real(file, parse_tfx, 2228, 32);
    EXPECT_EQ(curves.format, CurveFormat::kTfx4);
    EXPECT_EQ(curves.pinned_points, 2u);
    EXPECT_TRUE(curves.data.ends.empty());
    EXPECT_EQ(curves.data.root_uvs.size(), 2228u);
    const ByteResult written = tfx4_bytes(curves);
    const Result<FileBytes> original = open_file(file);
    ASSERT_TRUE(written && original);
    EXPECT_TRUE(std::equal(written->begin(), written->end(), original->bytes().begin(), original->bytes().end()));
}

TEST(RealCurves, TressFx4SintelHasOnePinnedPointAndNoTextureCoordinates)
{
    TENDRIL_NEEDS_DATA(file, "sintel/sintel_hair_001.tfx");
    const CurveFile curves = read_real(file, parse_tfx, 228, 32);
    EXPECT_EQ(curves.pinned_points, 1u);
    EXPECT_TRUE(curves.data.root_uvs.empty());
}

TEST(RealCurves, OnlyTheBackOfTheTressFx3PonytailIsHeldAtBothEnds)
{
    TENDRIL_NEEDS_DATA(back, "tressfx3_ponytail/back.tfx");
    TENDRIL_NEEDS_DATA(front, "tressfx3_ponytail/front_top.tfx");
    TENDRIL_NEEDS_DATA(side, "tressfx3_ponytail/side.tfx");
    TENDRIL_NEEDS_DATA(tail, "tressfx3_ponytail/tail.tfx");
    const CurveFile held = read_real(back, parse_tfx, 517, 16);
    EXPECT_EQ(held.data.ends, (std::vector<Ends>(517, Ends::kBothHeld)));
    EXPECT_FLOAT_EQ(held.data.points[0].z, -30.732239f);  // positive in the file
    EXPECT_TRUE(read_real(front, parse_tfx, 876, 16).data.ends.empty());
    EXPECT_TRUE(read_real(side, parse_tfx, 3066, 16).data.ends.empty());
    EXPECT_TRUE(read_real(tail, parse_tfx, 474, 16).data.ends.empty());
}

TEST(RealCurves, TressFx2TextFiles)
{
    TENDRIL_NEEDS_DATA(half, "tressfx2_text/Fibermesh2_hair0.5k_Curves.tfx");
    TENDRIL_NEEDS_DATA(one, "tressfx2_text/Fibermesh2_hair1k_Curves.tfx");
    TENDRIL_NEEDS_DATA(mohawk, "tressfx2_text/Fibermesh2_mohi0.3k_Curves.tfx");
    EXPECT_EQ(read_real(half, parse_tfx, 500, 6).follow_hairs, 1u);
    EXPECT_EQ(read_real(one, parse_tfx, 1000, 6).format, CurveFormat::kTfx2);
    EXPECT_EQ(read_real(mohawk, parse_tfx, 300, 4).follow_hairs, 4u);
}

TEST(RealCurves, YukselStraightHairHasColoursAndNoSegments)
{
    TENDRIL_NEEDS_DATA(file, "yuksel_straight/straight.hair");
    const CurveFile curves = read_real(file, parse_hair, 10000, 16);
    EXPECT_EQ(curves.data.colours.size(), 160000u);
    EXPECT_TRUE(curves.data.widths.empty());
    EXPECT_EQ(curves.up, UpAxis::kZ);
}

TEST(RealCurves, SegmentsOfBlenderHairInObjAreJoined)
{
    TENDRIL_NEEDS_DATA(file, "obj_lines/Cube_Hair.obj");
    const CurveFile curves = read_real(file, parse_obj_curves, 1000, 5);
    EXPECT_EQ(curves.data.group_names, (std::vector<std::string>{"Mesh"}));
}

TEST(RealCurves, SintelsHeadIsAMesh)
{
    TENDRIL_NEEDS_DATA(file, "sintel/sintel.obj");
    const Result<FileBytes> bytes = open_file(file);
    ASSERT_TRUE(bytes);
    const Result<CurveFile> read = parse_obj_curves(bytes->bytes(), file);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().find("mesh"), std::string::npos) << read.error();
}

TEST(RealCurves, BonesOfRatboyAreNormalised)
{
    TENDRIL_NEEDS_DATA(file, "tressfx4_ratboy/Ratboy_mohawk.tfxbone");
    const Result<FileBytes> bytes = open_file(file);
    ASSERT_TRUE(bytes);
    const Result<StrandBones> bones = parse_tfxbone(bytes->bytes(), file);
    ASSERT_TRUE(bones) << bones.error();
    EXPECT_EQ(bones->names.size(), 105u);
    EXPECT_EQ(bones->names[0], "frenchHornMonster_head_JNT");
    EXPECT_EQ(bones->strands.size(), 2228u);
    for (const auto& weights : bones->strands)
        EXPECT_NEAR(weights[0].weight + weights[1].weight + weights[2].weight + weights[3].weight, 1, 1e-6);
    ASSERT_EQ(bones->repairs.size(), 1u);
    EXPECT_EQ(bones->repairs[0].count, 117u);
}

}  // namespace
}  // namespace tendril::test
