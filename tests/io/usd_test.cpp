// USD ASCII curves: written files read back bit for bit, each statement has its meaning in the schema, and any bytes
// give curves or an error. Needs TENDRIL_SOURCE_DIR.
#include "io/curve_formats.h"
#include "io/file_bytes.h"
#include "io/usd_text.h"
#include "support/data.h"
#include "support/text_bytes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace tendril::test {
namespace {

CurveFile read(const std::string& text)
{
    const auto file = parse_usd(bytes_of(text), "x.usda");
    EXPECT_TRUE(file) << file.error();
    return file ? *file : CurveFile{};
}

/// The error of a layer, or an empty string if it is valid. Expects that an error is one line.
std::string error_of(const std::string& text)
{
    const auto file = parse_usd(bytes_of(text), "x.usda");
    if (file) return "";
    EXPECT_EQ(file.error().find('\n'), std::string::npos) << file.error();
    return file.error();
}

CurveFile read_data(const std::string& path)
{
    const auto bytes = open_file(path);
    EXPECT_TRUE(bytes);
    const auto file = parse_usd(bytes->bytes(), path);
    EXPECT_TRUE(file) << file.error();
    return file ? *file : CurveFile{};
}

/// A layer with one prim of two points, (0, 0, 0) and (1, 2, 3), and the given statements.
std::string layer(const std::string& statements, const std::string& head = "")
{
    return "#usda 1.0\n(" + head + ")\ndef BasisCurves \"Hair\"\n{\n    uniform token type = \"linear\"\n" +
           "    int[] curveVertexCounts = [2]\n    point3f[] points = [(0, 0, 0), (1, 2, 3)]\n" + statements + "\n}\n";
}

/// A layer with two curves of the given kind, of `points` points each, and the given statements.
std::string curves(const std::string& kind, int points, const std::string& statements)
{
    std::string triples;
    for (int i = 0; i < 2 * points; ++i) triples += fmt::format("({}, 0, 0), ", i);
    return fmt::format(
        "#usda 1.0\ndef BasisCurves \"Hair\"\n{{\n{}\nint[] curveVertexCounts = [{}, {}]\n"
        "point3f[] points = [{}]\n{}\n}}\n",
        kind, points, points, triples, statements);
}

const std::string kLinear = "uniform token type = \"linear\"";
std::string cubic(const std::string& basis, const std::string& wrap = "nonperiodic")
{
    return fmt::format("uniform token type = \"cubic\"\nuniform token basis = \"{}\"\nuniform token wrap = \"{}\"",
                       basis, wrap);
}

void expect_position(const Vec3f& a, const Vec3d& b, double tolerance = 1e-6)
{
    EXPECT_LE(length(to_double(a) - b), tolerance) << a.x << ' ' << a.y << ' ' << a.z;
}

template <class T>
void expect_same_bits(const std::vector<T>& a, const std::vector<T>& b)
{
    ASSERT_EQ(a.size(), b.size());
    EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Numbers that are hard to write: all magnitudes, all digits, and negative zero.
float awkward(size_t i)
{
    constexpr float kSpecial[] = {-0.0f, 1e-45f,      -3.4028235e38f, 1.1754944e-38f,
                                  0.1f,  16777217.0f, 1e10f,          9.999999e-5f};
    if (i < std::size(kSpecial)) return kSpecial[i];
    const auto x = static_cast<float>(std::sin(static_cast<double>(i) * 12.9898) * 43758.5453);
    return x * std::pow(10.0f, static_cast<float>(i % 31) - 20.0f);
}

/// Two groups of different kinds with all data that a file can store.
CurveFile rich_curves()
{
    CurveFile file;
    GroomData& data = file.data;
    data.first_point = {0, 4, 9, 13};
    for (size_t i = 0; i < 13; ++i) {
        data.points.push_back({awkward(3 * i), awkward(3 * i + 1), awkward(3 * i + 2)});
        data.widths.push_back(0.001f * static_cast<float>(i + 1) / 3);
        data.colours.push_back({0.1f * static_cast<float>(i) / 3, 0.5f, 1});
        data.transparencies.push_back(static_cast<float>(i) / 16);
    }
    data.root_uvs = {{0.1f, 0.2f}, {0.3f, 0.4f}, {0.5f, 0.6f}};
    data.ends = {Ends::kRootHeld, Ends::kBothHeld, Ends::kFree};
    data.groups = {0, 0, 1};
    data.group_names = {"/Hair/fringe", "/Hair/back"};
    file.kinds = {{CurveBasis::kLinear, CurveWrap::kNonperiodic}, {CurveBasis::kBspline, CurveWrap::kPinned}};
    file.metres_per_unit = 0.1;
    file.up = UpAxis::kZ;
    return file;
}

void add_samples(CurveFile& file, std::vector<double> times)
{
    file.times = std::move(times);
    for (size_t s = 0; s < file.times.size(); ++s) {
        auto& sample = file.samples.emplace_back(file.data.points);
        for (size_t i = 0; i < sample.size(); ++i) sample[i].y = awkward(100 + 13 * s + i);
    }
}

CurveFile round_trip(const CurveFile& file)
{
    const ByteResult bytes = usd_bytes(file);
    EXPECT_TRUE(bytes) << bytes.error();
    const auto back = parse_usd(*bytes, "x.usda");
    EXPECT_TRUE(back) << back.error();
    return back ? *back : CurveFile{};
}

// ---------------------------------------------------------------------------------------------------------------------
// Round trips

TEST(Usd, EverythingRoundTripsBitForBit)
{
    CurveFile file = rich_curves();
    add_samples(file, {0.0, 1.0 / 24, 2.0 / 24, 5.0 / 24});
    const CurveFile back = round_trip(file);
    expect_same_bits(back.data.points, file.data.points);
    expect_same_bits(back.data.first_point, file.data.first_point);
    expect_same_bits(back.data.widths, file.data.widths);
    expect_same_bits(back.data.colours, file.data.colours);
    expect_same_bits(back.data.transparencies, file.data.transparencies);
    expect_same_bits(back.data.root_uvs, file.data.root_uvs);
    expect_same_bits(back.data.groups, file.data.groups);
    expect_same_bits(back.data.ends, file.data.ends);
    EXPECT_EQ(back.data.group_names, file.data.group_names);
    expect_same_bits(back.kinds, file.kinds);
    expect_same_bits(back.times, file.times);
    ASSERT_EQ(back.samples.size(), file.samples.size());
    for (size_t i = 0; i < file.samples.size(); ++i) expect_same_bits(back.samples[i], file.samples[i]);
    EXPECT_EQ(back.metres_per_unit, 0.1);
    EXPECT_EQ(back.up, UpAxis::kZ);
    EXPECT_EQ(back.format, CurveFormat::kUsd);
    EXPECT_TRUE(back.data.repairs.empty());
}

TEST(Usd, TimesRoundTripWithAndWithoutAFrameRate)
{
    for (const double rate : {24.0, 25.0, 30.0, 60.0, 120.0}) {
        CurveFile file = rich_curves();
        std::vector<double> times;
        for (int i = -3; i < 40; i += 7) times.push_back(i / rate);
        add_samples(file, times);
        expect_same_bits(round_trip(file).times, times);
    }
    CurveFile file = rich_curves();
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) times.push_back(std::sqrt(i * 1.7) + i);
    add_samples(file, times);
    expect_same_bits(round_trip(file).times, times);
}

TEST(Usd, FrameRateIsDerivedFromTheTimes)
{
    CurveFile file = rich_curves();
    add_samples(file, {0, 1 * (1.0 / 30), 2 * (1.0 / 30), 3 * (1.0 / 30)});
    const ByteResult bytes = usd_bytes(file);
    const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    for (const char* line : {"timeCodesPerSecond = 30\n", "framesPerSecond = 30\n", "startTimeCode = 0\n",
                             "endTimeCode = 3\n", "defaultPrim = \"Hair\"\n", "metersPerUnit = 0.1\n"})
        EXPECT_NE(text.find(line), std::string::npos) << line;
}

TEST(Usd, WithoutGroupsThereIsOnePrimCalledHair)
{
    CurveFile file;
    file.data.points = {{0, 0, 0}, {0, 1, 0}};
    file.data.first_point = {0, 2};
    const CurveFile back = round_trip(file);
    EXPECT_EQ(back.data.group_names, std::vector<std::string>{"/Hair"});
    EXPECT_EQ(back.metres_per_unit, 1.0);
    EXPECT_EQ(back.kinds[0].basis, CurveBasis::kLinear);
    EXPECT_TRUE(back.data.widths.empty() && back.data.colours.empty() && back.samples.empty());
    EXPECT_EQ(round_trip(back).data.group_names, back.data.group_names);
}

TEST(Usd, GroupNamesBecomeValidAndStayUnique)
{
    CurveFile file;
    file.data.points.assign(10, {0, 0, 0});
    file.data.first_point = {0, 2, 4, 6, 8, 10};
    file.data.groups = {0, 1, 2, 3, 4};
    file.data.group_names = {"my \"hair\"\n", "my hair ", "9 lives", "", "a/b"};
    const CurveFile back = round_trip(file);
    const std::vector<std::string> expected = {"/Hair/my__hair__", "/Hair/my_hair_", "/Hair/_9_lives", "/Hair/Hair",
                                               "/Hair/a_b"};
    EXPECT_EQ(back.data.group_names, expected);
    EXPECT_EQ(round_trip(back).data.group_names, expected);
    file.data.group_names = {"a b", "a_b", "a-b", "a_b_1", "/Hair/a_b"};
    std::vector<std::string> names = round_trip(file).data.group_names;
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
}

TEST(Usd, InterleavedGroupsAreSeparated)
{
    CurveFile file;
    file.data.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    file.data.first_point = {0, 1, 2, 3};
    file.data.groups = {1, 0, 1};
    file.data.group_names = {"/Hair/a", "/Hair/b"};
    const CurveFile back = round_trip(file);
    EXPECT_EQ(back.data.points, (std::vector<Vec3f>{{1, 0, 0}, {0, 0, 0}, {2, 0, 0}}));
    EXPECT_EQ(back.data.groups, (std::vector<uint32_t>{0, 1, 1}));
}

TEST(Usd, VelocitiesAndExtentMatchTheMotion)
{
    CurveFile file;
    file.data.points = {{0, 0, 0}, {0, 1, 0}};
    file.data.first_point = {0, 2};
    file.data.widths = {0.5f, 0.25f};
    file.times = {0, 0.5, 1};
    for (const float x : {0.0f, 1.0f, 4.0f}) file.samples.push_back({{0, 0, 0}, {x, 1, 0}});
    const ByteResult bytes = usd_bytes(file);
    const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const auto parsed = parse_usd_text(text, "x");
    ASSERT_TRUE(parsed);
    const UsdProperty velocities = find_property(parsed->prims[0], "velocities");
    ASSERT_EQ(velocities.samples.size(), 3u);
    EXPECT_EQ(velocities.samples[0].value.number(3), 2.0);
    EXPECT_EQ(velocities.samples[1].value.number(3), 4.0);
    EXPECT_EQ(velocities.samples[2].value.number(3), 6.0);
    const UsdProperty extent = find_property(parsed->prims[0], "extent");
    ASSERT_EQ(extent.samples.size(), 3u);
    const double expected[] = {-0.25, -0.25, -0.25, 4.25, 1.25, 0.25};
    for (size_t i = 0; i < 6; ++i) EXPECT_EQ(extent.samples[2].value.number(i), expected[i]);
    EXPECT_EQ(extent.value->number(3), 0.25);
}

TEST(Usd, WriterRefusesInvalidCurves)
{
    const auto refusal = [](auto spoil) {
        CurveFile file = rich_curves();
        add_samples(file, {0, 1});
        spoil(file);
        const ByteResult bytes = usd_bytes(file);
        return bytes ? std::string() : bytes.error();
    };
    const float inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(refusal([](CurveFile&) {}), "");
    EXPECT_NE(refusal([&](CurveFile& f) { f.data.points[3].y = inf; }).find("not finite"), std::string::npos);
    EXPECT_NE(refusal([&](CurveFile& f) { f.samples[1][3].y = std::nanf(""); }).find("not finite"), std::string::npos);
    EXPECT_NE(refusal([&](CurveFile& f) { f.data.widths[0] = inf; }).find("not finite"), std::string::npos);
    EXPECT_NE(refusal([](CurveFile& f) { f.data.widths.pop_back(); }), "");
    EXPECT_NE(refusal([](CurveFile& f) { f.samples[1].pop_back(); }), "");
    EXPECT_NE(refusal([](CurveFile& f) { f.data.first_point.back() = 12; }), "");
    EXPECT_NE(refusal([](CurveFile& f) { f.data.first_point.clear(); }), "");
    EXPECT_NE(refusal([](CurveFile& f) { f.data.groups[0] = 2; }), "");
    EXPECT_NE(refusal([](CurveFile& f) { f.times = {1, 1}; }), "");
    EXPECT_NE(refusal([](CurveFile& f) { f.kinds.pop_back(); }), "");
}

// ---------------------------------------------------------------------------------------------------------------------
// Transforms

/// The position of (1, 2, 3) after these operations, with `order` as xformOpOrder.
Vec3f moved(const std::string& operations, const std::string& order)
{
    const CurveFile file = read(layer(operations + "\nuniform token[] xformOpOrder = [" + order + "]"));
    return file.data.points.size() == 2 ? file.data.points[1] : Vec3f{0, 0, 0};
}

TEST(UsdXform, EachOperation)
{
    expect_position(moved("double3 xformOp:translate = (10, 20, 30)", "\"xformOp:translate\""), {11, 22, 33});
    expect_position(moved("float3 xformOp:scale = (2, 3, 4)", "\"xformOp:scale\""), {2, 6, 12});
    expect_position(moved("float xformOp:rotateX = 90", "\"xformOp:rotateX\""), {1, -3, 2});
    expect_position(moved("float xformOp:rotateY = 90", "\"xformOp:rotateY\""), {3, 2, -1});
    expect_position(moved("float xformOp:rotateZ = 90", "\"xformOp:rotateZ\""), {-2, 1, 3});
    expect_position(
        moved("quatf xformOp:orient = (0.7071067811865476, 0, 0, 0.7071067811865476)", "\"xformOp:orient\""),
        {-2, 1, 3});
    expect_position(moved("matrix4d xformOp:transform = ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (5, 6, 7, 1))",
                          "\"xformOp:transform\""),
                    {3, 7, 10});
    expect_position(moved("double xformOp:translateY = 5", "\"xformOp:translateY\""), {1, 7, 3});
    expect_position(moved("double3 xformOp:translate:pivot = (1, 0, 0)", "\"xformOp:translate:pivot\""), {2, 2, 3});
}

TEST(UsdXform, EulerAnglesApplyInTheOrderOfTheirName)
{
    // (1, 2, 3) after quarter turns about x, y and z: (1, -3, 2), (2, -3, -1), (3, 2, -1).
    expect_position(moved("float3 xformOp:rotateXYZ = (90, 90, 90)", "\"xformOp:rotateXYZ\""), {3, 2, -1});
    // About z, y, x: (-2, 1, 3), (3, 1, 2), (3, -2, 1).
    expect_position(moved("float3 xformOp:rotateZYX = (90, 90, 90)", "\"xformOp:rotateZYX\""), {3, -2, 1});
    // About y, then x; the angle about z is zero: (3, 2, -1), (3, 1, 2).
    expect_position(moved("float3 xformOp:rotateYXZ = (90, 90, 0)", "\"xformOp:rotateYXZ\""), {3, 1, 2});
}

TEST(UsdXform, FirstOperationIsAppliedLastAndInversesUndoIt)
{
    const std::string ops = "double3 xformOp:translate = (1, 0, 0)\nfloat3 xformOp:scale = (2, 2, 2)";
    expect_position(moved(ops, "\"xformOp:translate\", \"xformOp:scale\""), {3, 4, 6});
    expect_position(moved(ops, "\"xformOp:scale\", \"xformOp:translate\""), {4, 4, 6});
    expect_position(moved(ops, "\"xformOp:translate\", \"xformOp:scale\", \"!invert!xformOp:translate\""), {1, 4, 6});
    expect_position(
        moved("float3 xformOp:rotateXYZ = (10, 20, 30)", "\"xformOp:rotateXYZ\", \"!invert!xformOp:rotateXYZ\""),
        {1, 2, 3});
    // Operations that are not in the order, or have no value, are ignored.
    expect_position(moved(ops, "\"xformOp:rotateX\""), {1, 2, 3});
}

std::string below(const std::string& order)
{
    return "#usda 1.0\ndef Xform \"A\"\n{\n    double3 xformOp:translate = (10, 0, 0)\n"
           "    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n    def Scope \"S\"\n    {\n"
           "    def BasisCurves \"B\"\n    {\n        float3 xformOp:scale = (2, 2, 2)\n"
           "        uniform token[] xformOpOrder = [" +
           order +
           "]\n        uniform token type = \"linear\"\n        int[] curveVertexCounts = [1]\n"
           "        point3f[] points = [(1, 1, 1)]\n        float[] widths = [0.5]\n    }\n    }\n}\n";
}

TEST(UsdXform, AncestorsTransformTheirChildrenUnlessTheStackIsReset)
{
    const CurveFile carried = read(below("\"xformOp:scale\""));
    expect_position(carried.data.points[0], {12, 2, 2});
    EXPECT_EQ(carried.data.widths[0], 1.0f);  // widths scale with the points
    EXPECT_EQ(carried.data.group_names[0], "/A/S/B");
    expect_position(read(below("\"!resetXformStack!\", \"xformOp:scale\"")).data.points[0], {2, 2, 2});
    expect_position(read(below("\"!resetXformStack!\"")).data.points[0], {1, 1, 1});
}

TEST(UsdXform, SamplesOfATransformBecomeSamplesOfPoints)
{
    const CurveFile file =
        read(layer("double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 12: (6, 0, 0), }\n"
                   "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
                   "point3f[] points.timeSamples = { 0: [(0, 0, 0), (1, 2, 3)], "
                   "6: [(0, 0, 0), (1, 2, 5)], 24: [(0, 0, 0), (1, 2, 5)] }"));
    ASSERT_EQ(file.times, (std::vector<double>{0, 0.25, 0.5, 1}));
    expect_position(file.samples[0][1], {1, 2, 3});
    expect_position(file.samples[1][1], {4, 2, 5});
    expect_position(file.samples[2][1], {7, 2, 5});
    expect_position(file.samples[3][1], {7, 2, 5});
}

TEST(UsdXform, RefusesUnknownOperations)
{
    const std::string order = "uniform token[] xformOpOrder = ";
    EXPECT_NE(error_of(layer(order + "[\"xformOp:shear\"]")).find("x.usda:8: "), std::string::npos);
    EXPECT_NE(error_of(layer(order + "[\"spin\"]")).find("x.usda:8: "), std::string::npos);
    EXPECT_NE(error_of(layer("double2 xformOp:translate = (1, 2)\n" + order + "[\"xformOp:translate\"]"))
                  .find("x.usda:8: xformOp:translate takes 3 numbers"),
              std::string::npos);
}

TEST(UsdXform, InvertingAZeroScaleGivesPointsThatAreNotFinite)
{
    const Vec3f p = moved("float3 xformOp:scale = (0, 1, 1)", "\"!invert!xformOp:scale\"");
    EXPECT_FALSE(is_finite(p));
}

// ---------------------------------------------------------------------------------------------------------------------
// Interpolations, kinds, units, times

using Floats = std::vector<float>;

Floats widths(const std::string& kind, int points, const std::string& values, const std::string& interpolation)
{
    const CurveFile file = read(
        curves(kind, points, fmt::format("float[] widths = [{}] (interpolation = \"{}\")", values, interpolation)));
    EXPECT_TRUE(file.data.repairs.empty()) << file.data.repairs[0].what;
    return file.data.widths;
}

TEST(UsdPrimvar, EachInterpolation)
{
    EXPECT_EQ(widths(kLinear, 2, "7", "constant"), (Floats{7, 7, 7, 7}));
    EXPECT_EQ(widths(kLinear, 2, "7, 8", "uniform"), (Floats{7, 7, 8, 8}));
    EXPECT_EQ(widths(kLinear, 2, "1, 2, 3, 4", "vertex"), (Floats{1, 2, 3, 4}));
    EXPECT_EQ(widths(kLinear, 2, "1, 2, 3, 4", "varying"), (Floats{1, 2, 3, 4}));
    EXPECT_EQ(widths(kLinear, 2, "5", "vertex"), (Floats{5, 5, 5, 5}));
}

TEST(UsdPrimvar, VaryingValuesOfCubicCurvesBelongToSegmentEnds)
{
    const auto expect = [](const Floats& found, const Floats& expected) {
        ASSERT_EQ(found.size(), expected.size());
        for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
    };
    expect(widths(cubic("bezier"), 4, "0, 3, 6, 9", "varying"), {0, 1, 2, 3, 6, 7, 8, 9});
    expect(widths(cubic("bspline"), 4, "0, 3, 6, 9", "varying"), {0, 0, 3, 3, 6, 6, 9, 9});
    expect(widths(cubic("catmullRom"), 5, "0, 1, 2, 5, 6, 7", "varying"), {0, 0, 1, 2, 2, 5, 5, 6, 7, 7});
    expect(widths(cubic("bspline", "pinned"), 3, "0, 1, 2, 5, 6, 7", "varying"), {0, 1, 2, 5, 6, 7});
    expect(widths(cubic("bspline", "periodic"), 3, "0, 1, 2, 5, 6, 7", "varying"), {2, 0, 1, 7, 5, 6});
    expect(widths(cubic("bezier", "periodic"), 6, "0, 3, 6, 9", "varying"), {0, 1, 2, 3, 2, 1, 6, 7, 8, 9, 8, 7});
}

TEST(UsdPrimvar, WidthsDefaultToVertexAndColoursToConstant)
{
    const CurveFile file = read(curves(kLinear, 2,
                                       "float[] widths = [1, 2, 3, 4]\n"
                                       "color3f[] primvars:displayColor = [(0.5, 0.25, 1)]\n"
                                       "float[] primvars:displayOpacity = [0.25]"));
    EXPECT_EQ(file.data.widths, (Floats{1, 2, 3, 4}));
    ASSERT_EQ(file.data.colours.size(), 4u);
    EXPECT_EQ(file.data.colours[3], (Vec3f{0.5f, 0.25f, 1}));
    EXPECT_EQ(file.data.transparencies, Floats(4, 0.75f));
}

TEST(UsdPrimvar, ReadsUniformAndIndexedColours)
{
    const CurveFile uniform = read(
        curves(kLinear, 2, "color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0)] (interpolation = \"uniform\")"));
    EXPECT_EQ(uniform.data.colours, (std::vector<Vec3f>{{1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}}));
    const CurveFile indexed =
        read(curves(kLinear, 2,
                    "color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0)] (interpolation = \"vertex\")\n"
                    "int[] primvars:displayColor:indices = [1, 0, 0, 1]"));
    EXPECT_EQ(indexed.data.colours, (std::vector<Vec3f>{{0, 1, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_NE(error_of(curves(kLinear, 2,
                              "color3f[] primvars:displayColor = [(1, 0, 0)]\n"
                              "int[] primvars:displayColor:indices = [1]"))
                  .find("out of range"),
              std::string::npos);
}

TEST(UsdPrimvar, MismatchedValuesAreLeftOutAndCounted)
{
    const CurveFile file = read(curves(kLinear, 2, "float[] widths = [1, 2, 3] (interpolation = \"vertex\")"));
    EXPECT_TRUE(file.data.widths.empty());
    ASSERT_EQ(file.data.repairs.size(), 1u);
    EXPECT_EQ(file.data.repairs[0].count, 1u);
}

/// A prim with one curve of one point, and the given statements.
std::string dot_prim(const std::string& name, const std::string& statements, const std::string& head = "")
{
    return "def BasisCurves \"" + name + "\" (" + head +
           ") { uniform token type = \"linear\"\nint[] curveVertexCounts = [1]\npoint3f[] points = [(0, 0, 0)]\n" +
           statements + " }\n";
}

// With a width of zero, curves would be invisible.
TEST(UsdPrimvar, CurvesWithoutWidthsGetTheMedianOfTheOthers)
{
    const CurveFile file =
        read("#usda 1.0\n" + dot_prim("A", "") + dot_prim("B", "float[] widths = [2]") + dot_prim("C", "") +
             dot_prim("D", "float[] widths = [9]") + dot_prim("E", "float[] widths = [1]") + dot_prim("F", ""));
    EXPECT_EQ(file.data.widths, (Floats{2, 2, 2, 9, 1, 2}));
    EXPECT_EQ(file.data.groups, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
    ASSERT_EQ(file.data.repairs.size(), 1u);
    EXPECT_EQ(file.data.repairs[0].what, "curves without widths given the median width of the others");
    EXPECT_EQ(file.data.repairs[0].count, 3u);
    const CurveFile none = read("#usda 1.0\n" + dot_prim("A", "") + dot_prim("B", ""));
    EXPECT_TRUE(none.data.widths.empty() && none.data.repairs.empty());
}

TEST(UsdPrimvar, ThePrimvarFormOfWidthsOverridesThePlainOne)
{
    EXPECT_EQ(read(layer("float[] primvars:widths = [3, 4] (interpolation = \"vertex\")")).data.widths, (Floats{3, 4}));
    EXPECT_EQ(read(layer("float[] primvars:widths = [3]\nfloat[] widths = [5, 6]")).data.widths, (Floats{3, 3}));
    EXPECT_EQ(read(layer("float[] primvars:widths = [3, 4, 5] (interpolation = \"uniform\")\n"
                         "int[] primvars:widths:indices = [2]"))
                  .data.widths,
              (Floats{5, 5}));
}

TEST(UsdPrimvar, RootUvsComeFromTheRootOrFromBlenderWhateverTheirInterpolation)
{
    const auto uvs = [](const std::string& statements) {
        const CurveFile file = read(curves(kLinear, 2, statements));
        EXPECT_TRUE(file.data.repairs.empty() && file.left_out.empty()) << statements;
        Floats flat;
        for (const Uv& uv : file.data.root_uvs) flat.insert(flat.end(), {uv.u, uv.v});
        return flat;
    };
    EXPECT_EQ(uvs("texCoord2f[] primvars:st = [(1, 2), (3, 4)] (interpolation = \"uniform\")"), (Floats{1, 2, 3, 4}));
    for (const char* along : {"vertex", "varying", "faceVarying"})
        EXPECT_EQ(uvs(fmt::format(
                      "texCoord2f[] primvars:st = [(1, 2), (5, 6), (3, 4), (7, 8)] (interpolation = \"{}\")", along)),
                  (Floats{1, 2, 3, 4}));
    EXPECT_EQ(uvs("texCoord2f[] primvars:st = [(1, 2)]"), (Floats{1, 2, 1, 2}));
    EXPECT_EQ(uvs("texCoord2f[] primvars:surface_uv_coordinate = [(1, 2), (3, 4)] (interpolation = \"uniform\")"),
              (Floats{1, 2, 3, 4}));
    const CurveFile mismatched =
        read(curves(kLinear, 2, "texCoord2f[] primvars:st = [(1, 2), (3, 4)] (interpolation = \"vertex\")"));
    EXPECT_TRUE(mismatched.data.root_uvs.empty());
    EXPECT_EQ(mismatched.data.repairs.at(0).count, 1u);
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts that are not read

TEST(UsdLeftOut, EveryKindIsCounted)
{
    const std::string points = "point3f[] points = [(0, 0, 0)]\n";
    const CurveFile file = read(
        "#usda 1.0\n(subLayers = [@a.usda@, @b.usda@ (offset = 1), @@@c@.usda@@@])\n" +
        dot_prim("Read",
                 "int[] primvars:guide_index = [0] (interpolation = \"uniform\")\n"
                 "texCoord2f[] primvars:st = [(0, 0)]\ntexCoord2f[] primvars:surface_uv_coordinate = [(0, 0)]\n"
                 "float[] widths.timeSamples = {1: [1], 2: [2]}\nnormal3f[] normals = [(0, 1, 0)]\n"
                 "rel material:binding = </M>\nuniform token[] skel:blendShapes = [\"smile\"]\n"
                 "variantSet \"cut\" = { \"long\" { } }",
                 "prepend references = @d.usda@</D>") +
        "def Xform \"X\" (payload = [@e.usda@, </Local>]\ninherits = </C>\nspecializes = None)\n{\n" +
        "def NurbsCurves \"N\" {" + points + "}\ndef HermiteCurves \"H\" {" + points + "}\ndef Mesh \"M\" {" + points +
        "rel material:binding = </M>\n}\n}\ndef PointInstancer \"I\" {\n" + dot_prim("Prototype", "") + "}\n" +
        "class BasisCurves \"C\" (references = @f.usda@) {" + points + "}\ndef BasisCurves \"Empty\" {}\n" +
        "over \"O\" (references = @g.usda@) {}\ndef Mesh \"Off\" (active = false) {}\n" +
        "def Material \"M\" { def Shader \"S\" {} }\n");
    EXPECT_EQ(left_out_text(file.left_out),
              "3 sublayers, 2 references, 1 variant set, 1 primvars:guide_index attribute, 1 widths animation, "
              "1 normals attribute, 1 skel:blendShapes attribute, 2 material bindings, 2 payloads, 1 inherited prim, "
              "1 NurbsCurves prim, 1 HermiteCurves prim, 1 Mesh prim, 1 PointInstancer prim, 1 empty BasisCurves prim, "
              "1 inactive prim, "
              "1 primvars:surface_uv_coordinate attribute");
    // The prototype of an instancer is not a curve of its own.
    EXPECT_EQ(file.data.group_names, std::vector<std::string>{"/Read"});
    EXPECT_TRUE(read(layer("float[] widths = [1]\nint[] primvars:skel:jointIndices = [0]\nfloat3[] extent = []"))
                    .left_out.empty());
}

TEST(UsdLeftOut, WhatIsNotDrawnAndWhatOtherFilesGiveIsCounted)
{
    const auto counted = [](const std::string& more, const std::string& metadata = "", const std::string& head = "") {
        return left_out_text(
            read("#usda 1.0\n(" + head + ")\n" + dot_prim("A", "") + dot_prim("B", more, metadata)).left_out);
    };
    EXPECT_EQ(counted("token visibility = \"invisible\""), "1 invisible BasisCurves prim");
    EXPECT_EQ(counted("token visibility = \"inherited\""), "");
    EXPECT_EQ(counted("token visibility.timeSamples = {1: \"invisible\", 2: \"inherited\"}"), "1 visibility animation");
    EXPECT_EQ(counted("uniform token purpose = \"guide\""), "1 guide BasisCurves prim");
    EXPECT_EQ(counted("uniform token purpose = \"render\""), "");
    EXPECT_EQ(counted("", "active = false"), "1 inactive prim");
    EXPECT_EQ(counted("", "clips = { dictionary default = { string primPath = \"/B\" } }"), "1 value clip set");
    EXPECT_EQ(counted("", "", "relocates = { </A/x>: </A/y> }"), "1 relocates list");
    EXPECT_EQ(counted("point3f[] points.connect = </A.points>"), "1 points connection");
    EXPECT_EQ(counted("vector3f[] velocities = [(1, 0, 0)]"), "1 velocities attribute");
    EXPECT_EQ(counted("int[] curveVertexCounts.timeSamples = {1: [1], 2: [1]}"), "");
    EXPECT_EQ(counted("int[] curveVertexCounts.timeSamples = {1: [1], 2: [2]}"), "1 curveVertexCounts animation");
    EXPECT_EQ(counted("", "", "upAxis = \"X\""), "1 unknown upAxis");
    // Hidden curves are not hair, and both properties are inherited.
    const CurveFile nested =
        read("#usda 1.0\n" + dot_prim("A", "") + "def Xform \"X\" { token visibility = \"invisible\"\n" +
             dot_prim("B", "token visibility = \"inherited\"") + "}\n" +
             "def Xform \"G\" { uniform token purpose = \"guide\"\n" + dot_prim("C", "") +
             dot_prim("D", "uniform token purpose = \"render\"") + "}\n");
    EXPECT_EQ(nested.data.group_names, (std::vector<std::string>{"/A", "/G/D"}));
    EXPECT_EQ(left_out_text(nested.left_out), "1 invisible BasisCurves prim, 1 guide BasisCurves prim");
}

TEST(UsdLeftOut, TheClosingSegmentOfALinearCurveIsSaidWhenItIsOpened)
{
    CurveFile file = read(layer("uniform token wrap = \"periodic\""));
    EXPECT_TRUE(file.left_out.empty());  // kept in USD
    to_polylines(file);
    EXPECT_EQ(left_out_text(file.left_out), "1 closing segment");
}

TEST(UsdLeftOut, ALayerWithoutCurvesNamesWhatItHasInstead)
{
    const std::string error =
        error_of("#usda 1.0\n(subLayers = [@a.usda@])\ndef NurbsCurves \"N\" {}\ndef NurbsCurves \"N2\" {}\n");
    EXPECT_NE(error.find("no BasisCurves with points in this layer; not read: 1 sublayer, 2 NurbsCurves prims (usdcat"),
              std::string::npos)
        << error;
}

TEST(UsdLeftOut, ManyKindsAndStrangeNamesStayShort)
{
    std::string text = "#usda 1.0\n" + dot_prim("A", "");
    for (int i = 0; i < 100; ++i) text += fmt::format("def Kind\xff{} \"P{}\" {{}}\n", i, i);
    const CurveFile file = read(text);
    ASSERT_EQ(file.left_out.size(), 33u);
    EXPECT_EQ(file.left_out[0].what, "Kind?0 prim");
    EXPECT_EQ(file.left_out[32].what, "other part");
    EXPECT_EQ(file.left_out[32].count, 68u);
}

TEST(Usd, KindsAndTheirFallbacks)
{
    const auto kind = [](const std::string& statements) { return read(curves(statements, 4, "")).kinds.at(0); };
    EXPECT_EQ(kind("").basis, CurveBasis::kBezier);
    EXPECT_EQ(kind("").wrap, CurveWrap::kNonperiodic);
    EXPECT_EQ(kind(kLinear).basis, CurveBasis::kLinear);
    EXPECT_EQ(kind(cubic("bspline")).basis, CurveBasis::kBspline);
    EXPECT_EQ(kind(cubic("catmullRom")).basis, CurveBasis::kCatmullRom);
    EXPECT_EQ(kind(cubic("bezier", "periodic")).wrap, CurveWrap::kPeriodic);
    EXPECT_EQ(kind(cubic("bspline", "pinned")).wrap, CurveWrap::kPinned);
    EXPECT_NE(error_of(curves(cubic("hermite"), 4, "")).find("basis \"hermite\""), std::string::npos);
    EXPECT_NE(error_of(curves(cubic("bezier", "loose"), 4, "")).find("wrap \"loose\""), std::string::npos);
}

TEST(Usd, UnitsAxesAndTheirFallbacks)
{
    EXPECT_EQ(read(layer("")).metres_per_unit, 0.01);
    EXPECT_EQ(read(layer("")).up, UpAxis::kY);
    const CurveFile file = read(layer("", "metersPerUnit = 0.0254\nupAxis = \"Z\""));
    EXPECT_EQ(file.metres_per_unit, 0.0254);
    EXPECT_EQ(file.up, UpAxis::kZ);
    EXPECT_NE(error_of(layer("", "metersPerUnit = -1")), "");
    EXPECT_TRUE(file.states_unit && file.states_up);
    EXPECT_FALSE(read(layer("")).states_unit || read(layer("")).states_up);
}

TEST(Usd, TimeSamplesAreInSecondsAndTheDefaultValueIsTheRestPose)
{
    const std::string samples =
        "point3f[] points.timeSamples = { 10: [(5, 0, 0), (1, 2, 3)], 0: None, "
        "5: [(4, 0, 0), (1, 2, 3)] }";
    const CurveFile both = read(layer(samples));
    EXPECT_EQ(both.times, (std::vector<double>{5 / 24.0, 10 / 24.0}));
    EXPECT_EQ(both.samples[0][0].x, 4);
    EXPECT_EQ(both.samples[1][0].x, 5);
    EXPECT_EQ(both.data.points[0].x, 0);
    EXPECT_EQ(read(layer(samples, "timeCodesPerSecond = 10")).times, (std::vector<double>{0.5, 1}));
    EXPECT_EQ(read(layer(samples, "framesPerSecond = 5")).times, (std::vector<double>{1, 2}));
    EXPECT_NE(error_of(layer(samples, "timeCodesPerSecond = 0")), "");

    const CurveFile only = read("#usda 1.0\ndef BasisCurves \"H\" { int[] curveVertexCounts = [2]\n" + samples + " }");
    EXPECT_EQ(only.data.points[0].x, 4);
}

TEST(Usd, PrimsAreEvaluatedAtAllSampleTimes)
{
    const auto prim = [](const std::string& name, const std::string& samples) {
        return "def BasisCurves \"" + name + "\" { int[] curveVertexCounts = [1]\npoint3f[] points.timeSamples = {" +
               samples + "} }\n";
    };
    const CurveFile file =
        read("#usda 1.0\n" + prim("A", "0: [(0, 0, 0)], 48: [(2, 0, 0)]") + prim("B", "24: [(7, 0, 0)]"));
    ASSERT_EQ(file.times, (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(file.samples[1], (std::vector<Vec3f>{{1, 0, 0}, {7, 0, 0}}));
    EXPECT_EQ(file.samples[2], (std::vector<Vec3f>{{2, 0, 0}, {7, 0, 0}}));
}

TEST(Usd, HiddenPrimsAreNotRead)
{
    const std::string body = "{ int[] curveVertexCounts = [1]\npoint3f[] points = [(0, 0, 0)] }\n";
    const std::string shown = "#usda 1.0\ndef BasisCurves \"Shown\" " + body;
    EXPECT_EQ(read(shown + "class BasisCurves \"A\" " + body + "over BasisCurves \"B\" " + body +
                   "def BasisCurves \"C\" (active = false) " + body + "def BasisCurves \"D\" {}\n")
                  .data.group_names,
              std::vector<std::string>{"/Shown"});
}

// ---------------------------------------------------------------------------------------------------------------------
// The text

TEST(UsdText, SkipsUnknownStatements)
{
    const CurveFile file = read(R"(#usda 1.0
(
    "a comment of the layer"
    doc = """three quotes, "one", ''' and ) } ]
over lines"""
    customLayerData = { string a = "}"; dictionary b = { int[] c = [1, 2] } }
    subLayers = [ @a.usda@ (offset = 10; scale = 2), @@@b@.usda@@@ ]
    metersPerUnit = 1
)
# a comment with { brackets (
def Xform "World" (
    prepend apiSchemas = ["A", "B"]
    references = @./file.usda@</Path> (offset = 1)
    payload = [@x.usd@, </Local>]
    variants = { string shade = "red" }
    kind = "component"; add variantSets = "shade"
    instanceable = false
)
{
    reorder nameChildren = ["a", "b"]
    custom string note = 'it\'s # not a comment'
    custom bool flag = true
    asset picture = @textures/a.png@ (doc = "a ) b")
    rel material:binding = </World/Looks/Red> ( bindMaterialAs = "weakerThanDescendants" )
    prepend rel targets = [</A>, </B.c>]
    rel nothing
    delete rel other = </C>
    color3f inputs:colour.connect = </World/Looks/Red.outputs:rgb>
    double size.spline = { bezier, 1: 5; post held, 2: 6 & 3 }
    int blocked = None
    string[] words = ["a", 'b', """c"""]
    token empty = ""
    double2[] pairs = [(1, 2), (3, 4),]
    timecode when = 5
    variantSet "shade" = {
        "red" ( doc = "}" ) { color3f c = (1, 0, 0)
            def BasisCurves "InAVariant" { int[] curveVertexCounts = [9] } }
        "blue" { }
    }
    def BasisCurves "Hair" (
        displayName = "}{"
    ) {
        uniform token type = "linear"; int[] curveVertexCounts = [ # two points
            2 ]
        point3f[] points = [(0,0,0),(1,-2.5e-1,+3)] ( customData = { int a = 1 } interpolation = "vertex" )
    }
}
)");
    ASSERT_EQ(file.data.points.size(), 2u);
    EXPECT_EQ(file.data.points[1], (Vec3f{1, -0.25f, 3}));
    EXPECT_EQ(file.data.group_names[0], "/World/Hair");
    EXPECT_EQ(file.metres_per_unit, 1);
    EXPECT_EQ(left_out_text(file.left_out), "2 sublayers, 1 reference, 2 payloads, 1 variant set, 1 material binding");
}

TEST(UsdText, ReadsNumbersThatAreNotFinite)
{
    const CurveFile file = read(
        "#usda 1.0\ndef BasisCurves \"H\" { int[] curveVertexCounts = [1]\n"
        "point3f[] points = [(inf, -inf, nan)] }");
    EXPECT_TRUE(std::isinf(file.data.points[0].x) && std::isinf(file.data.points[0].y));
    EXPECT_TRUE(std::isnan(file.data.points[0].z));
}

TEST(UsdText, ErrorsNameTheLine)
{
    const auto expect_line = [](const std::string& text, int line) {
        EXPECT_EQ(error_of(text).find(fmt::format("x.usda:{}: ", line)), 0u) << error_of(text);
    };
    expect_line("", 1);
    expect_line("#usda", 1);
    expect_line("#sdf 1.4.32\n", 1);
    expect_line("#usda 1.0\n(\n    upAxis = \n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n", 4);
    expect_line("#usda 1.0\n}\n", 2);
    expect_line("#usda 1.0\ndef BasisCurves Hair\n{\n}", 2);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    int a = \"open\n}\n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    int[] a = [1, 2\n}\n", 5);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    int[] a = [1 2]\n}\n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    float3[] a = [(1, 2, 3), (1, 2)]\n}\n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    float3 a = (1, x, 3)\n}\n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    float3[] a = [(), ()]\n}\n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    token[] a = [\"a\", 1]\n}\n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    float a.timeSamples = { x: 1 }\n}\n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    float a.timeSamples = { nan: 1 }\n}\n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    dictionary a = { ( }\n}\n", 4);
    expect_line("#usda 1.0\ndef \"A\"\n{\n    asset a = @b\n}\n", 4);
    expect_line(layer("float[] widths = [(1, 2)]"), 8);
}

TEST(Usd, CountsMustMatchThePoints)
{
    const auto with = [](const std::string& statements) {
        return error_of("#usda 1.0\ndef BasisCurves \"H\"\n{\n" + statements + "\n}\n");
    };
    EXPECT_EQ(with("int[] curveVertexCounts = [2, 2]\npoint3f[] points = [(0, 0, 0)]"),
              "x.usda:4: curveVertexCounts sum up to 4, but there are 1 points");
    EXPECT_EQ(with("point3f[] points = [(0, 0, 0)]"), "x.usda:2: curves \"H\" have no curveVertexCounts");
    EXPECT_EQ(with("int[] curveVertexCounts = [-1]\npoint3f[] points = [(0, 0, 0)]"),
              "x.usda:4: curve 0 has a vertex count of -1");
    EXPECT_EQ(with("int[] curveVertexCounts = [4294967295, 4294967295]\npoint3f[] points = [(0, 0, 0)]"),
              "x.usda:4: curveVertexCounts sum up to 8589934590, but there are 1 points");
    EXPECT_EQ(with("int[] curveVertexCounts = [1]\nfloat2[] points = [(0, 0)]"),
              "x.usda:5: points must be triples of numbers");
    EXPECT_NE(error_of(layer("point3f[] points.timeSamples = {\n 1: [(0, 0, 0)] }"))
                  .find("x.usda:9: a time sample has 1 points where others have 2"),
              std::string::npos);
    EXPECT_NE(with("").find("no BasisCurves"), std::string::npos);
    EXPECT_NE(error_of("#usda 1.0\n").find("no BasisCurves"), std::string::npos);
}

TEST(Usd, BinaryAndZippedFilesSayHowToConvertThem)
{
    EXPECT_NE(error_of("PXR-USDC\x01\x02").find("export it as text, with a name that ends in .usda (Blender: "),
              std::string::npos);
    EXPECT_NE(error_of("PXR-USDC\x01\x02").find("usdcat in.usdc -o out.usda"), std::string::npos);
    EXPECT_NE(error_of("PK\x03\x04").find("usdcat in.usdz -o out.usda"), std::string::npos);
}

TEST(UsdText, DeepNestingIsRefused)
{
    std::string prims = "#usda 1.0\n", lists = "#usda 1.0\ndef \"A\" { float a = ", groups = "#usda 1.0\n(a = ";
    for (int i = 0; i < 100000; ++i) {
        prims += "def \"A\" {";
        lists += '(';
        groups += '{';
    }
    for (const std::string& text : {prims, lists, groups})
        EXPECT_NE(error_of(text).find("nested too deeply"), std::string::npos) << error_of(text).substr(0, 200);
}

TEST(Usd, TooManySampleTimesAreRefused)
{
    // Each prim has its own time, so the memory would grow with the square of the number of prims.
    std::string text = "#usda 1.0\n";
    for (int i = 0; i < 20000; ++i)
        text += fmt::format(
            "def BasisCurves \"a{0}\"{{int[] curveVertexCounts=[1]\npoint3f[] points.timeSamples="
            "{{{0}:[(0,0,0)]}}}}\n",
            i);
    EXPECT_NE(error_of(text).find("too much memory"), std::string::npos);
}

const char* const kSmall =
    "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Z\")\ndef SkelRoot \"R\" {\n"
    "rel skel:skeleton = <S>\n"
    "def Skeleton \"S\" { uniform token[] joints = [\"a\", \"a/b\"]\nrel skel:animationSource = <M>\n"
    "def SkelAnimation \"M\" { uniform token[] joints = [\"a/b\"]\n"
    "float3[] translations.timeSamples = {1: [(0, 1, 0)], 2: [(0, 2, 0)]}\nquatf[] rotations = [(1, 0, 0, 0)] } }\n"
    "def BasisCurves \"H\" (active = true) {\nuniform token type = \"cubic\" # c\n"
    "int[] curveVertexCounts = [4]\npoint3f[] points = [(0, 0, 0), (0, 1e-1, 0), (0, 2, 0), (0, 3, 0)]\n"
    "float[] widths = [1, 2] (interpolation = \"varying\")\ncolor3f[] primvars:displayColor = [(1, .5, 0)]\n"
    "double3 xformOp:translate = (1, 2, 3)\nuniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
    "int[] primvars:skel:jointIndices = [0, 1] (elementSize = 2\ninterpolation = \"constant\")\n"
    "float[] primvars:skel:jointWeights = [0.5, 0.5] (elementSize = 2\ninterpolation = \"constant\")\n} }\n";

/// Expects consistent curves, or an error that names the file.
void expect_consistent(const std::string& text)
{
    const auto file = parse_usd(bytes_of(text), "x.usda");
    if (!file) {
        EXPECT_EQ(file.error().rfind("x.usda", 0), 0u) << file.error();
        return;
    }
    const GroomData& data = file->data;
    ASSERT_EQ(data.first_point.back(), data.points.size());
    ASSERT_EQ(data.groups.size(), data.strand_count());
    ASSERT_TRUE(data.widths.empty() || data.widths.size() == data.points.size());
    ASSERT_EQ(file->kinds.size(), data.group_names.size());
    ASSERT_EQ(file->samples.size(), file->times.size());
    for (const auto& sample : file->samples) ASSERT_EQ(sample.size(), data.points.size());
}

TEST(UsdSkel, JointsMoveCurvesAndUnlistedJointsStayAtRest)
{
    const CurveFile file = read(kSmall);
    ASSERT_EQ(file.times, (std::vector<double>{1 / 24.0, 2 / 24.0}));
    // Half of the weight is on "a", which rests, and half on "a/b", which rises by one per frame. The transform of the
    // prim itself is ignored, because the skeleton determines its position.
    EXPECT_EQ(file.samples[0][3], (Vec3f{0, 3.5f, 0}));
    EXPECT_EQ(file.samples[1][3], (Vec3f{0, 4, 0}));
    EXPECT_EQ(file.data.points, file.samples[0]);
    EXPECT_TRUE(file.data.repairs.empty());

    const auto with = [](std::string_view old, std::string_view replacement) {
        std::string changed = kSmall;
        changed.replace(changed.find(old), old.size(), replacement);
        return changed;
    };
    EXPECT_EQ(read(with("def SkelRoot", "def Xform")).samples.size(), 0u);
    EXPECT_NE(error_of(with("[0, 1] (", "[0, 2] (")).find("joint 2 does not exist"), std::string::npos);
    EXPECT_NE(error_of(with("[0, 1] (", "[0] (")).find("where 2 are needed"), std::string::npos);
    EXPECT_NE(error_of(with("[\"a\", \"a/b\"]", "[\"a/b\", \"a\"]")).find("before its parent"), std::string::npos);
    EXPECT_NE(error_of(with("[(0, 1, 0)]", "[(0, 1, 0), (0, 1, 0)]")).find("each of its 1 joints"), std::string::npos);
}

TEST(UsdSkel, EveryPropertyOfASkinIsInheritedFromTheSkelRoot)
{
    const auto skel = [](const std::string& of_root, const std::string& of_curves) {
        return fmt::format(
            "#usda 1.0\ndef SkelRoot \"R\" {{\nrel skel:skeleton = <S>\n{}"
            "def Skeleton \"S\" {{ uniform token[] joints = [\"a\", \"b\"]\n"
            "uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), "
            "((0,0,-1,0),(0,1,0,0),(1,0,0,0),(0,2,0,1))] }}\n"
            "def Xform \"X\" {{ def BasisCurves \"H\" {{\nuniform token type = \"linear\"\n"
            "int[] curveVertexCounts = [2]\npoint3f[] points = [(1, 0, 0), (2, 0, 0)]\n{}}} }} }}\n",
            of_root, of_curves);
    };
    const std::string constant = " (elementSize = 2\ninterpolation = \"constant\")\n";
    const std::string properties[] = {
        "uniform token primvars:skel:skinningMethod = \"dualQuaternion\"\n",
        "int[] primvars:skel:jointIndices = [0, 1]" + constant,
        "float[] primvars:skel:jointWeights = [0.5, 0.5]" + constant,
        "matrix4d primvars:skel:geomBindTransform = ((2,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))\n",
        "uniform token[] skel:joints = [\"a\", \"b\"]\n"};
    std::string all;
    for (const std::string& property : properties) all += property;
    const CurveFile own = read(skel("", all));
    expect_position(own.data.points[0], {std::sqrt(2.0), 1, -std::sqrt(2.0)});  // linear: (1, 1, -1)
    for (const std::string& property : properties) {
        std::string others = all;
        others.replace(others.find(property), property.size(), "");
        expect_same_bits(read(skel(property, others)).data.points, own.data.points);
    }
    // The opinion of the prim itself is stronger.
    expect_same_bits(read(skel("uniform token primvars:skel:skinningMethod = \"classicLinear\"\n", all)).data.points,
                     own.data.points);
}

/// A curve from (1, 0, 0) to (1, 3, 0) whose points follow the joint "a/b" with these weights and "a", which rests,
/// with the others. "a/b" is stretched along x, then turned about y by `turn` [rad], then moved along y by `rise`.
CurveFile twisted(const std::vector<double>& weights, double turn, double rise, double stretch,
                  const std::string& method)
{
    std::string pairs;
    for (const double w : weights) pairs += fmt::format("{}, {}, ", 1 - w, w);
    return read(fmt::format(
        "#usda 1.0\n(metersPerUnit = 1)\ndef SkelRoot \"R\" {{\nrel skel:skeleton = <S>\n"
        "def Skeleton \"S\" {{ uniform token[] joints = [\"a\", \"a/b\"]\nrel skel:animationSource = <M>\n"
        "def SkelAnimation \"M\" {{ uniform token[] joints = [\"a/b\"]\nfloat3[] translations = [(0, {}, 0)]\n"
        "quatf[] rotations = [({}, 0, {}, 0)]\nhalf3[] scales = [({}, 1, 1)] }} }}\n"
        "def BasisCurves \"H\" {{\nuniform token type = \"linear\"\nint[] curveVertexCounts = [4]\n"
        "point3f[] points = [(1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 3, 0)]\n"
        "uniform token primvars:skel:skinningMethod = \"{}\"\n"
        "int[] primvars:skel:jointIndices = [0, 1, 0, 1, 0, 1, 0, 1] (elementSize = 2)\n"
        "float[] primvars:skel:jointWeights = [{}] (elementSize = 2)\n}} }}\n",
        rise, std::cos(turn / 2), std::sin(turn / 2), stretch, method, pairs));
}

TEST(UsdSkel, UnknownMethodsAndWeightsThatDoNotSumToOneAreSaid)
{
    const CurveFile unknown = twisted({0, 0.25, 0.5, 1}, 1, 0, 1, "cubicSpline");
    ASSERT_EQ(unknown.data.repairs.size(), 1u);
    EXPECT_EQ(unknown.data.repairs[0].what.find("curves with an unknown skinningMethod, skinned linearly"), 0u);
    expect_same_bits(unknown.data.points, twisted({0, 0.25, 0.5, 1}, 1, 0, 1, "classicLinear").data.points);

    std::string text = kSmall;
    text.replace(text.find("[0.5, 0.5] ("), 10, "[0.6, 0.6]");
    const CurveFile unequal = read(text);
    ASSERT_EQ(unequal.data.repairs.size(), 1u);
    EXPECT_EQ(unequal.data.repairs[0].what, "joint weights scaled to sum to one");
    expect_same_bits(unequal.data.points, read(kSmall).data.points);
}

// Dual quaternions blend two motions about the same axis to one about that axis [Kavan07]: the real part
// (1 - w) + w (c + s j), with c and s the cosine and sine of half the turn, turns by 2 atan2(w s, 1 - w + w c), and the
// dual part moves along the axis by w rise (w + c (1 - w)) / |real|^2. Points keep their distance from the axis, which
// linear blending shrinks, to zero for half a turn.
TEST(UsdSkel, DualQuaternionsKeepTheRadiusOfATwist)
{
    const std::vector<double> weights = {0, 0.25, 0.5, 0.9};
    for (const double turn : {0.4, 2.0, 3.0}) {
        const CurveFile file = twisted(weights, turn, 0.7, 1, "dualQuaternion");
        EXPECT_TRUE(file.data.repairs.empty() && file.left_out.empty());
        ASSERT_EQ(file.data.points.size(), 4u);
        for (size_t i = 0; i < 4; ++i) {
            const double w = weights[i], c = std::cos(turn / 2), s = std::sin(turn / 2);
            const double angle = 2 * std::atan2(w * s, 1 - w + w * c);
            const double squared = (1 - w + w * c) * (1 - w + w * c) + w * s * w * s;
            const double rise = w * 0.7 * (w + c * (1 - w)) / squared;
            expect_position(file.data.points[i], {std::cos(angle), static_cast<double>(i) + rise, -std::sin(angle)});
        }
    }
    const double half = std::acos(-1.0);
    const auto radius = [](const Vec3f& p) { return std::hypot(p.x, p.z); };
    EXPECT_NEAR(radius(twisted(weights, half, 0, 1, "dualQuaternion").data.points[2]), 1, 1e-6);
    EXPECT_NEAR(radius(twisted(weights, half, 0, 1, "classicLinear").data.points[2]), 0, 1e-6);
}

TEST(UsdSkel, DualQuaternionsBlendTheStretchLinearly)
{
    const CurveFile file = twisted({0, 0.25, 0.5, 1}, 0, 0, 3, "dualQuaternion");
    for (size_t i = 0; i < 4; ++i)
        expect_position(file.data.points[i], {std::vector<double>{1, 1.5, 2, 3}[i], static_cast<double>(i), 0});
    // Of a single joint, nothing is blended: the result is its matrix, even if that mirrors.
    expect_position(twisted({1, 1, 1, 1}, 1.0, 0.5, -2, "dualQuaternion").data.points[1],
                    {-2 * std::cos(1.0), 1.5, 2 * std::sin(1.0)});
    EXPECT_TRUE(is_finite(twisted({0, 0.25, 0.5, 1}, 1.0, 0.5, 0, "dualQuaternion").data.points[3]));
}

TEST(Usd, EveryTruncationGivesCurvesOrAnError)
{
    const std::string small = kSmall;
    const CurveFile whole = read(small);
    ASSERT_EQ(whole.samples.size(), 2u);
    EXPECT_EQ(whole.samples[1][0].y, 1.0f);
    for (size_t size = 0; size < small.size(); ++size) expect_consistent(small.substr(0, size));
}

TEST(Usd, EverySingleByteFlipGivesCurvesOrAnError)
{
    const std::string small = kSmall;
    for (size_t at = 0; at < small.size(); ++at)
        for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128}) {
            std::string text = small;
            text[at] = static_cast<char>(text[at] ^ flip);
            expect_consistent(text);
        }
}

TEST(Usd, EveryByteReplacedByABracketOrQuoteGivesCurvesOrAnError)
{
    const std::string small = kSmall;
    for (size_t at = 0; at < small.size(); ++at)
        for (const char c : std::string_view("()[]{}<>@\"'#,:=.;\\\n0\0-", 23)) {
            std::string text = small;
            text[at] = c;
            expect_consistent(text);
        }
}

// ---------------------------------------------------------------------------------------------------------------------
// Real files

TEST(UsdFiles, HairFromBlender)
{
    TENDRIL_NEEDS_DATA(path, "usd_curves/hair-blender-3.0.1.usda");
    const CurveFile file = read_data(path);
    EXPECT_EQ(file.data.strand_count(), 1000u);
    EXPECT_EQ(file.data.points.size(), 9000u);
    EXPECT_EQ(file.data.first_point[1], 9u);
    EXPECT_EQ(file.kinds.at(0).basis, CurveBasis::kBspline);
    EXPECT_EQ(file.metres_per_unit, 1);
    EXPECT_EQ(file.up, UpAxis::kZ);
    const CurveFile back = round_trip(file);
    expect_same_bits(back.data.points, file.data.points);
    expect_same_bits(back.data.colours, file.data.colours);
}

TEST(UsdFiles, SmallHair)
{
    TENDRIL_NEEDS_DATA(path, "usd_curves/hair.usda");
    const CurveFile file = read_data(path);
    EXPECT_EQ(file.data.strand_count(), 10u);
    EXPECT_EQ(file.data.points.size(), 90u);
    EXPECT_EQ(file.data.points[1], (Vec3f{0.0825153f, -0.7126689f, 0.41532692f}));
    EXPECT_EQ(file.data.group_names.at(0), "/Plane/ParticleSettings");
}

TEST(UsdFiles, Examples)
{
    TENDRIL_NEEDS_DATA(path, "usd_curves/basisCurves_examples.usda");
    const CurveFile file = read_data(path);
    ASSERT_EQ(file.data.group_names.size(), 10u);
    EXPECT_EQ(file.data.strand_count(), 10u);
    EXPECT_EQ(file.data.points.size(), 70u);
    EXPECT_EQ(file.data.widths.size(), 70u);
    EXPECT_EQ(file.data.colours.size(), 70u);
    EXPECT_EQ(file.kinds[3].basis, CurveBasis::kLinear);
    EXPECT_EQ(file.kinds[4].basis, CurveBasis::kBezier);
    EXPECT_EQ(file.data.points[0], (Vec3f{3, 9, 0}));
    EXPECT_NEAR(file.data.widths[5 * 7 + 3], 0.8f, 1e-6f);  // varying over two segments
    EXPECT_TRUE(file.data.repairs.empty());
}

TEST(UsdFiles, PinnedCurves)
{
    TENDRIL_NEEDS_DATA(path, "usd_curves/pinnedCurves.usda");
    const CurveFile file = read_data(path);
    EXPECT_EQ(file.data.first_point, (std::vector<uint32_t>{0, 5, 8, 10, 11}));
    EXPECT_EQ(file.kinds.at(0).wrap, CurveWrap::kPinned);
    EXPECT_EQ(file.data.widths.at(10), 0.09f);
    EXPECT_EQ(file.data.colours.at(9), (Vec3f{0.7f, 0, 0.7f}));
}

TEST(UsdFiles, BinaryFileSaysWhatToDo)
{
    TENDRIL_NEEDS_DATA(path, "usd_curves/hair.usdc");
    const auto bytes = open_file(path);
    const auto file = parse_usd(bytes->bytes(), path);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().find(path + ": binary USD; export it as text"), 0u) << file.error();
}

// Compares with Pixar's own skinning of the same curves, frame by frame.
TEST(UsdFiles, SkinnedCurvesMatchTheReference)
{
    TENDRIL_NEEDS_DATA(skinned_path, "usd_curves/skel_lbs.usda");
    TENDRIL_NEEDS_DATA(baked_path, "usd_curves/skel_lbs.baked.usda");
    const CurveFile skinned = read_data(skinned_path), baked = read_data(baked_path);
    EXPECT_EQ(skinned.data.strand_count(), 10u);
    EXPECT_EQ(skinned.data.points.size(), 40u);
    ASSERT_EQ(skinned.times.size(), 30u);
    EXPECT_EQ(skinned.times, baked.times);
    double worst = 0, travel = 0;
    for (size_t t = 0; t < baked.samples.size(); ++t)
        for (size_t p = 0; p < 40; ++p) {
            worst = std::max(worst, length(to_double(skinned.samples[t][p]) - to_double(baked.samples[t][p])));
            travel = std::max(travel, length(to_double(baked.samples[t][p]) - to_double(baked.samples[0][p])));
        }
    EXPECT_GT(travel, 0.5);
    EXPECT_LT(worst, 1e-5);
    RecordProperty("worst_distance", fmt::format("{}", worst));
}

// ---------------------------------------------------------------------------------------------------------------------
// An independent reader

/// The output of tests/io/usd_reader_check.mjs for these bytes, or a discarded value if it cannot run.
nlohmann::json seen_by_reader(const std::vector<std::byte>& bytes)
{
    const auto file = std::filesystem::temp_directory_path() / fmt::format("tendril_usd_test_{}.usda", getpid());
    EXPECT_TRUE(write_file(file.string(), bytes));
    const std::string command =
        fmt::format("node '{}/tests/io/usd_reader_check.mjs' '{}'", TENDRIL_SOURCE_DIR, file.string());
    std::string output;
    if (FILE* pipe = popen(command.c_str(), "r")) {
        char block[4096];
        for (size_t n; (n = fread(block, 1, sizeof block, pipe)) > 0;) output.append(block, n);
        EXPECT_EQ(pclose(pipe), 0) << command;
    }
    std::filesystem::remove(file);
    return nlohmann::json::parse(output, nullptr, false);
}

/// Compares numbers with the precision of the reader, which prints eight digits.
void expect_numbers(const nlohmann::json& seen, const float* expected, size_t count, const std::string& what)
{
    ASSERT_TRUE(seen.is_array()) << what;
    ASSERT_EQ(seen.size(), count) << what;
    for (size_t i = 0; i < count; ++i) {
        const double x = static_cast<double>(expected[i]);
        EXPECT_NEAR(seen[i].get<double>(), x, 2e-7 * std::abs(x) + 1e-12) << what << ' ' << i;
    }
}

TEST(UsdReader, AnIndependentReaderSeesTheSame)
{
    const char* modules = std::getenv("TENDRIL_NODE_MODULES");
    if (!modules || !std::filesystem::exists(std::filesystem::path(modules) / "tinyusdz" / "tinyusdz.wasm"))
        GTEST_SKIP() << "needs the npm package tinyusdz in the folder TENDRIL_NODE_MODULES";
    if (std::system("node --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "needs node";

    CurveFile file = rich_curves();
    for (size_t i = 0; i < file.data.points.size(); ++i) {  // magnitudes that survive eight decimals
        const auto x = static_cast<float>(i);
        file.data.points[i] = {std::sin(x) * 12.3f, std::cos(x * 1.7f), -1e5f / (x + 1)};
    }
    file.times = {0, 1.0 / 24, 3.0 / 24};
    for (const float t : {0.0f, 0.4f, 1.7f}) {
        file.samples.push_back(file.data.points);
        for (Vec3f& p : file.samples.back()) p.x += t;
    }
    const ByteResult bytes = usd_bytes(file);
    ASSERT_TRUE(bytes);
    const nlohmann::json seen = seen_by_reader(*bytes);
    ASSERT_TRUE(seen.is_object());
    ASSERT_TRUE(seen["ok"].get<bool>()) << seen["error"];
    ASSERT_EQ(seen["curves"].size(), 2u);
    const size_t begins[] = {0, 9, 13};
    for (size_t g = 0; g < 2; ++g) {
        const nlohmann::json& a = seen["curves"][g]["attributes"];
        const size_t begin = begins[g], count = begins[g + 1] - begin;
        EXPECT_EQ(seen["curves"][g]["name"], g == 0 ? "fringe" : "back");
        EXPECT_EQ(a["type"]["value"], g == 0 ? "linear" : "cubic");
        EXPECT_EQ(a["wrap"]["value"], g == 0 ? "nonperiodic" : "pinned");
        EXPECT_EQ(a["curveVertexCounts"]["value"],
                  nlohmann::json(g == 0 ? std::vector<int>{4, 5} : std::vector<int>{4}));
        expect_numbers(a["points"]["value"], &file.data.points[begin].x, 3 * count, "points");
        expect_numbers(a["widths"]["value"], &file.data.widths[begin], count, "widths");
        expect_numbers(a["primvars:displayColor"]["value"], &file.data.colours[begin].x, 3 * count, "colours");
        expect_numbers(a["primvars:st"]["value"], &file.data.root_uvs[2 * g].u, g == 0 ? 4 : 2, "root_uvs");
        ASSERT_EQ(a["points"]["samples"].size(), 3u);
        ASSERT_EQ(a["velocities"]["samples"].size(), 3u);
        ASSERT_EQ(a["extent"]["samples"].size(), 3u);
        for (size_t t = 0; t < 3; ++t) {
            const std::string code = fmt::format("{}", t == 2 ? 3 : t);
            expect_numbers(a["points"]["samples"][code], &file.samples[t][begin].x, 3 * count, "sample " + code);
            EXPECT_EQ(a["velocities"]["samples"][code].size(), 3 * count);
        }
    }
}

}  // namespace
}  // namespace tendril::test
