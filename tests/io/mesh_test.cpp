// Characters from OBJ, .tfxmesh and glTF files.
#include "tendril/mesh.h"
#include "support/data.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tendril::test {
namespace {

Result<Character> parse(const std::string& text, const MeshImport& import = {})
{
    return parse_character(std::as_bytes(std::span(text.data(), text.size())), "test", import);
}

void expect_error(const std::string& text, const std::string& part)
{
    const auto result = parse(text);
    ASSERT_FALSE(result) << "expected an error with: " << part;
    EXPECT_NE(result.error().find(part), std::string::npos) << result.error();
}

size_t repairs(const Character& c, const std::string& what)
{
    for (const Repair& r : c.repairs)
        if (r.what.find(what) != std::string::npos) return r.count;
    return 0;
}

/// Expects that the character has valid indices and can be posed and skinned.
void expect_usable(const Character& c)
{
    const auto executor = make_serial_executor();
    std::vector<Affine> bones(c.bones.size());
    std::vector<Vec3f> out(c.mesh.vertices.size());
    for (int clip = -1; clip < static_cast<int>(c.clips.size()); ++clip) {
        ClipPlay play;
        play.clip = clip;
        pose_bones(c, play, 0.4, bones);
        skin(c, bones, out, *executor);
    }
    ASSERT_FALSE(c.mesh.triangles.empty());
    for (const auto& t : c.mesh.triangles)
        for (uint32_t corner : t) ASSERT_LT(corner, c.mesh.vertices.size());
    for (uint32_t m : c.mesh.materials) ASSERT_LT(m, c.mesh.material_names.size());
    for (uint32_t g : c.mesh.groups) ASSERT_LT(g, c.mesh.group_names.size());
    for (const Vec3f& v : c.mesh.vertices) ASSERT_TRUE(is_finite(v));
}

/// Expects that every truncation and several bit flips of every byte give a usable character or an error message.
void expect_robust(const std::string& good)
{
    ASSERT_TRUE(parse(good)) << parse(good).error();
    const auto try_one = [](const std::string& text) {
        const auto result = parse(text);
        if (result)
            expect_usable(*result);
        else
            EXPECT_GT(result.error().size(), 6u);
    };
    for (size_t size = 0; size < good.size(); ++size) try_one(good.substr(0, size));
    for (size_t at = 0; at < good.size(); ++at)
        for (int mask : {0x01, 0x02, 0x10, 0x80, 0xff}) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ mask);
            try_one(bad);
        }
}

const char* const kObj =
    "# a house\n"
    "mtllib house.mtl\n"
    "o walls\n"
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 1.5e0 -.25\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\n"
    "vn 0 0 1\n"
    "usemtl brick\n"
    "f 1/1/1 2/2/1 3/3/1 4/4/1\n"
    "g roof\n"
    "usemtl tile\n"
    "f 4/5 3/3 -1/1\n"
    "f 1//1 3//1 5//1\n";

const char* const kTfxMesh =
    "# a comment\n"
    "numOfBones 2\n# bone index, bone name\n0 root_JNT\n1 tip_JNT\n"
    "numOfVertices 4\n"
    "0 0 0 0 0 0 1 0 1 0 0 1.0 0.0 0.0 0.0\n"
    "1 1 0 0 0 0 1 0 1 0 0 0.5 0.5 0.0 0.0\n"
    "2 0 1 0 0 0 1 0 1 0 0 0.5 0.25 0.0 0.0\n"
    "3 0 0 1 0 0 1 1 0 0 0 1.0 0.0 0.0 0.0\n"
    "numOfTriangles 3\n0 0 1 2\n1 0 2 3\n2 1 1 3\n";

// --- glTF, built byte by byte

void append(std::string& out, const void* data, size_t size)
{
    out.append(static_cast<const char*>(data), size);
}

template <class T>
void append_all(std::string& out, const std::vector<T>& values)
{
    append(out, values.data(), values.size() * sizeof(T));
}

std::string glb_of(std::string text, std::string binary)
{
    text.resize((text.size() + 3) / 4 * 4, ' ');
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    const auto u32 = [](size_t value) {
        const uint32_t v = static_cast<uint32_t>(value);
        return std::string(reinterpret_cast<const char*>(&v), 4);
    };
    std::string glb = "glTF" + u32(2) + u32(12 + 8 + text.size() + 8 + binary.size());
    glb += u32(text.size()) + "JSON" + text + u32(binary.size()) + std::string("BIN\0", 4) + binary;
    return glb;
}

/// The buffer of the small character, a square of four vertices between two joints, with several component types.
std::string small_buffer()
{
    std::string b;
    append_all<float>(b, {0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0});                         // 0: positions, 48
    append_all<uint8_t>(b, {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0});           // 48: joints, 16
    append_all<uint8_t>(b, {255, 0, 0, 0, 255, 0, 0, 0, 51, 204, 0, 0, 0, 255, 0, 0});  // 64: weights, 16
    append_all<uint16_t>(b, {0, 1, 2, 0, 2, 3, 0, 0});                                  // 80: indices, 16
    append_all<float>(b, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});             // 96: bind, 128
    append_all<float>(b, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1});
    append_all<float>(b, {0, 1});                                        // 224: times, 8
    append_all<float>(b, {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f});  // 232: rotations, 32
    append_all<uint16_t>(b, {2, 0});                                     // 264: sparse index
    append_all<float>(b, {1, 3, 0});                                     // 268: sparse value
    return b;
}

std::string small_json(const std::string& buffer, const std::string& more = "")
{
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[2,0]}],)"
           R"("nodes":[{"name":"body","mesh":0,"skin":0},{"name":"tip","translation":[0,1,0]},)"
           R"({"name":"root","children":[1]}],)"
           R"("meshes":[{"name":"square","primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2},)"
           R"("indices":3,"material":0}]}],"materials":[{"name":"cloth"}],)"
           R"("skins":[{"joints":[2,1],"inverseBindMatrices":4}],)"
           R"("animations":[{"name":"bend","channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}}],)"
           R"("samplers":[{"input":5,"output":6}]}],)"
           R"("buffers":[)" +
           buffer +
           R"(],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":16},)"
           R"({"buffer":0,"byteOffset":64,"byteLength":16},{"buffer":0,"byteOffset":80,"byteLength":12},)"
           R"({"buffer":0,"byteOffset":96,"byteLength":128},{"buffer":0,"byteOffset":224,"byteLength":8},)"
           R"({"buffer":0,"byteOffset":232,"byteLength":32},{"buffer":0,"byteOffset":264,"byteLength":4},)"
           R"({"buffer":0,"byteOffset":268,"byteLength":12}],"accessors":[)"
           R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":1,)"
           R"("indices":{"bufferView":7,"componentType":5123},"values":{"bufferView":8}}},)"
           R"({"bufferView":1,"componentType":5121,"count":4,"type":"VEC4"},)"
           R"({"bufferView":2,"componentType":5121,"normalized":true,"count":4,"type":"VEC4"},)"
           R"({"bufferView":3,"componentType":5123,"count":6,"type":"SCALAR"},)"
           R"({"bufferView":4,"componentType":5126,"count":2,"type":"MAT4"},)"
           R"({"bufferView":5,"componentType":5126,"count":2,"type":"SCALAR"},)"
           R"({"bufferView":6,"componentType":5126,"count":2,"type":"VEC4"}])" +
           more + "}";
}

std::string small_glb(const std::string& more = "")
{
    const std::string buffer = small_buffer();
    return glb_of(small_json(fmt::format(R"({{"byteLength":{}}})", buffer.size()), more), buffer);
}

std::string base64(const std::string& data)
{
    const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (size_t i = 0; i < data.size(); i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < data.size() ? static_cast<unsigned char>(data[i + k]) : 0u);
        for (size_t k = 0; k < 4; ++k) out += i + k > data.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    return out;
}

/// A glTF file with one primitive. Accessor 0 has its positions, accessor 1, if there is one, its indices.
std::string primitive_glb(const std::string& primitive, const std::string& accessors, const std::string& views,
                          const std::string& binary, const std::string& node = "")
{
    return glb_of(fmt::format(R"({{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0{}}}],)"
                              R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}{}}}]}}],)"
                              R"("buffers":[{{"byteLength":{}}}],"bufferViews":[{}],"accessors":[{}]}})",
                              node, primitive, binary.size(), views, accessors),
                  binary);
}

std::vector<Vec3f> posed(const Character& c, int clip, double time)
{
    const auto executor = make_serial_executor();
    std::vector<Affine> bones(c.bones.size());
    ClipPlay play;
    play.clip = clip;
    play.loop = false;
    pose_bones(c, play, time, bones);
    std::vector<Vec3f> out(c.mesh.vertices.size());
    skin(c, bones, out, *executor);
    return out;
}

void expect_near(const Vec3f& a, const Vec3f& b)
{
    EXPECT_NEAR(a.x, b.x, 1e-6f);
    EXPECT_NEAR(a.y, b.y, 1e-6f);
    EXPECT_NEAR(a.z, b.z, 1e-6f);
}

}  // namespace

// --- OBJ

TEST(ObjMesh, ReadsFacesNamesAndTextureCoordinates)
{
    const auto c = parse(kObj);
    ASSERT_TRUE(c) << c.error();
    const Mesh& mesh = c->mesh;
    ASSERT_EQ(mesh.triangles.size(), 4u);
    // Five from the file, and copies: vertex 4 with another texture coordinate, and 1, 3 and 5 without any.
    EXPECT_GT(mesh.vertices.size(), 5u);
    EXPECT_EQ(mesh.uvs.size(), mesh.vertices.size());
    EXPECT_TRUE((mesh.vertices[4] == Vec3f{0.5f, 1.5f, -0.25f}));
    EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"walls", "roof"}));
    EXPECT_EQ(mesh.material_names, (std::vector<std::string>{"brick", "tile"}));
    EXPECT_EQ(mesh.groups, (std::vector<uint32_t>{0, 0, 1, 1}));
    EXPECT_EQ(mesh.materials, (std::vector<uint32_t>{0, 0, 1, 1}));
    const uint32_t split = mesh.triangles[2][0];
    EXPECT_TRUE(mesh.vertices[split] == mesh.vertices[3]);
    EXPECT_EQ(mesh.uvs[split].u, 0.5f);
    EXPECT_EQ(mesh.uvs[3].u, 0.0f);
    EXPECT_TRUE(c->bones.empty() && c->nodes.empty());
}

// The polygon is an arrow head; a fan from its first corner would leave it.
TEST(ObjMesh, TriangulatesConcavePolygons)
{
    const auto c = parse("v 2 1 0\nv 0 3 0\nv 1 0 0\nv 0 -3 0\nv -9 0 0\nf 2 3 4 1\n");
    ASSERT_TRUE(c) << c.error();
    ASSERT_EQ(c->mesh.triangles.size(), 2u);
    double area = 0;
    for (const auto& [a, b, d] : c->mesh.triangles) {
        const auto& v = c->mesh.vertices;
        const double z = static_cast<double>(cross(v[b] - v[a], v[d] - v[a]).z);
        EXPECT_GT(z, 0);
        area += z / 2;
    }
    EXPECT_NEAR(area, 3, 1e-6);
}

TEST(ObjMesh, JoinsContinuedLines)
{
    const auto c = parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n 3\n");
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.triangles.size(), 1u);
}

// Normals are not read. Some exporters write their slashes, or their indices, without any normal in the file.
TEST(ObjMesh, AcceptsCornersWhoseNormalsAreMissing)
{
    const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (const char* face : {"f 1// 2// 3//\n", "f 1//1 2//2 3//3\n", "f 1//-1 2//-1 3//-1\n", "f 1// 2//7 3//"}) {
        const auto c = parse(vertices + face);
        ASSERT_TRUE(c) << face << c.error();
        EXPECT_EQ(c->mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}})) << face;
    }
    const auto c = parse(vertices + "vt 0.5 1\nvt 0 1\nf 1/2/ 2/1/ 3/1/4\n");
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.uvs[0].u, 0.0f);
    EXPECT_EQ(c->mesh.uvs[1].u, 0.5f);
    expect_error(vertices + "f 1//1 2//2 4//3\n", "test:4: a corner");
    expect_error(vertices + "f 1//x 2//2 3//3\n", "test:4: a corner");
    expect_error(vertices + "f 1//9999999999 2//2 3//3\n", "test:4: a corner");
    expect_error(vertices + "f 1/// 2// 3//\n", "test:4: a corner");
}

TEST(ObjMesh, AcceptsCornersWhoseTextureCoordinatesAreMissing)
{
    const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (const char* face : {"f 1/ 2/ 3/\n", "f 1/ 2 3/", "f 1/5 2/5 3/5\n", "f 1/1/1 2/2/2 3/3/3\n",
                             "f 1/-4 2/-4 3/-4\n", "f 1/5/ 2// 3/\r\n"}) {
        const auto c = parse(vertices + face);
        ASSERT_TRUE(c) << face << c.error();
        EXPECT_EQ(c->mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}})) << face;
        EXPECT_TRUE(c->mesh.uvs.empty()) << face;
    }
    const auto c = parse(vertices + "vt 0.5 1\nf 1/1 2/5 3/1\n");
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.uvs[0].u, 0.5f);
    EXPECT_EQ(c->mesh.uvs[1].u, 0.0f);
    ASSERT_EQ(c->repairs.size(), 1u);
    EXPECT_EQ(c->repairs[0].what, "corners of faces whose texture coordinate does not exist");
    expect_error(vertices + "f 4/ 2/ 3/\n", "test:4: a corner");
}

TEST(ObjMesh, IgnoresZeroBytesAtTheEnd)
{
    using namespace std::string_literals;
    const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const auto c = parse(text + "\0"s);
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.triangles.size(), 1u);
    EXPECT_TRUE(parse(text + "\0\0"s));
    expect_error("v 0 0 0\0\n"s + text, "zero byte at 7");
}

TEST(ObjMesh, ErrorsNameTheLine)
{
    expect_error("v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3\n", "holds curves");
    expect_error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "test:4: a corner");
    expect_error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "test:4: a corner");
    expect_error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0.1e1\n", "test:4: a corner");
    expect_error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", "test:4: a corner");
    expect_error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "three corners");
    expect_error("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "test:1: a vertex");
    expect_error("v 0 0 1e99\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "test:1: a vertex");
    expect_error("", "empty");
    expect_error("just some words\n", "no faces");
}

TEST(ObjMesh, DropsTrianglesThatRepeatAVertex)
{
    const auto c = parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\nf 1 2 3\n");
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.triangles.size(), 1u);
    EXPECT_EQ(repairs(*c, "repeat a vertex"), 1u);
}

TEST(ObjMesh, ConvertsUnitsAndAxes)
{
    MeshImport import;
    import.unit_scale = 0.01;
    import.z_up = true;
    const auto c = parse("v 1 2 3\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", import);
    ASSERT_TRUE(c) << c.error();
    expect_near(c->mesh.vertices[0], {0.01f, 0.03f, -0.02f});
    import.unit_scale = 0;
    EXPECT_FALSE(parse(kObj, import));
}

TEST(ObjMesh, AnyBytesGiveAMeshOrAnError)
{
    expect_robust(kObj);
}

// --- TressFX

TEST(TfxMesh, ReadsBonesAndNormalisesWeights)
{
    const auto c = parse(kTfxMesh);
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.vertices.size(), 4u);
    EXPECT_EQ(c->mesh.triangles.size(), 2u);
    ASSERT_EQ(c->nodes.size(), 2u);
    EXPECT_EQ(c->nodes[1].name, "tip_JNT");
    EXPECT_EQ(repairs(*c, "do not sum to one"), 1u);
    EXPECT_EQ(repairs(*c, "repeat a vertex"), 1u);
    EXPECT_NEAR(c->weights[2].weights[0], 2.0f / 3, 1e-6f);
    const auto out = posed(*c, -1, 0);
    for (size_t v = 0; v < out.size(); ++v) expect_near(out[v], c->mesh.vertices[v]);
}

TEST(TfxMesh, ErrorsNameTheLine)
{
    expect_error("numOfBones 2\n0 a\nnumOfVertices", "test:3");
    expect_error("numOfBones 99999999999\n", "test:1");
    expect_error("numOfBones 1\n0 a\nnumOfVertices 1\n0 0 0 0 0 0 1 3 0 0 0 1 0 0 0\nnumOfTriangles 1\n0 0 0 0\n", "");
}

TEST(TfxMesh, AnyBytesGiveAMeshOrAnError)
{
    expect_robust(kTfxMesh);
}

// --- glTF

TEST(Gltf, ReadsASkinnedMeshFromBinary)
{
    const auto c = parse(small_glb());
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.vertices.size(), 4u);
    EXPECT_EQ(c->mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_TRUE((c->mesh.vertices[2] == Vec3f{1, 3, 0}));  // changed by the sparse part
    EXPECT_EQ(c->mesh.group_names, std::vector<std::string>{"square"});
    EXPECT_EQ(c->mesh.material_names, std::vector<std::string>{"cloth"});
    ASSERT_EQ(c->nodes.size(), 3u);
    for (size_t n = 0; n < c->nodes.size(); ++n) EXPECT_LT(c->nodes[n].parent, static_cast<int>(n));
    ASSERT_EQ(c->bones.size(), 2u);
    EXPECT_NEAR(c->weights[2].weights[1], 0.8f, 1e-6f);
    ASSERT_EQ(c->clips.size(), 1u);
    EXPECT_EQ(c->clips[0].duration, 1.0);
    // At the end of the clip the tip has rotated by 90 degrees about its position (0, 1, 0).
    const auto out = posed(*c, 0, 1);
    expect_near(out[0], {0, 0, 0});
    expect_near(out[3], {-1, 1, 0});
}

TEST(Gltf, TextWithEmbeddedBuffersMatchesBinary)
{
    const std::string data = small_buffer();
    const auto c =
        parse("\n " + small_json(fmt::format(R"({{"byteLength":{},"uri":"data:application/octet-stream;base64,{}"}})",
                                             data.size(), base64(data))));
    ASSERT_TRUE(c) << c.error();
    const auto same = parse(small_glb());
    ASSERT_TRUE(same);
    const auto a = posed(*c, 0, 0.3), b = posed(*same, 0, 0.3);
    for (size_t v = 0; v < a.size(); ++v) EXPECT_TRUE(a[v] == b[v]);
}

TEST(Gltf, UnitsAndAxesApplyToMotion)
{
    MeshImport import;
    import.unit_scale = 0.01;
    import.z_up = true;
    const auto plain = parse(small_glb()), turned = parse(small_glb(), import);
    ASSERT_TRUE(plain && turned);
    const auto a = posed(*plain, 0, 0.7), b = posed(*turned, 0, 0.7);
    for (size_t v = 0; v < a.size(); ++v) expect_near(b[v], Vec3f{a[v].x, a[v].z, -a[v].y} * 0.01f);
    expect_near(turned->mesh.vertices[2], {0.01f, 0, -0.03f});
}

// A mesh without a skin is bound to its node. The stored mesh has the transform of the node, and the triangles of a
// mirrored mesh are flipped.
TEST(Gltf, MeshesWithoutASkinAreBoundToTheirNode)
{
    std::string data;
    append_all<float>(data, {0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0, 9});  // interleaved with something else
    const auto c = parse(primitive_glb("", R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"})",
                                       R"({"buffer":0,"byteLength":48,"byteStride":16})", data,
                                       R"(,"matrix":[-2,0,0,0,0,2,0,0,0,0,2,0,5,0,0,1])"));
    ASSERT_TRUE(c) << c.error();
    ASSERT_EQ(c->bones.size(), 1u);
    expect_near(c->mesh.vertices[1], {3, 0, 0});
    EXPECT_EQ(c->mesh.triangles[0], (std::array<uint32_t, 3>{0, 2, 1}));
    const auto out = posed(*c, -1, 0);
    for (size_t v = 0; v < out.size(); ++v) expect_near(out[v], c->mesh.vertices[v]);
}

TEST(Gltf, ReadsStripsAndFansAndRefusesOtherModes)
{
    std::string data;
    append_all<float>(data, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
    const std::string positions = R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"})";
    const std::string view = R"({"buffer":0,"byteLength":48})";
    const auto strip = parse(primitive_glb(R"(,"mode":5)", positions, view, data));
    ASSERT_TRUE(strip) << strip.error();
    EXPECT_EQ(strip->mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {1, 3, 2}}));
    const auto fan = parse(primitive_glb(R"(,"mode":6)", positions, view, data));
    ASSERT_TRUE(fan) << fan.error();
    EXPECT_EQ(fan->mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{1, 2, 0}, {2, 3, 0}}));
    expect_error(primitive_glb(R"(,"mode":1)", positions, view, data), "no triangles");
}

TEST(Gltf, RefusesReferencesToMissingData)
{
    std::string data(48, '\0');
    const std::string view = R"({"buffer":0,"byteLength":48})";
    const auto positions = [](const std::string& count) {
        return R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":)" + count + "}";
    };
    expect_error(primitive_glb("", positions("5"), view, data), "does not hold 5 elements");
    expect_error(primitive_glb("", positions("18446744073709551615"), view, data), "");
    expect_error(primitive_glb("", positions("4"), R"({"buffer":1,"byteLength":48})", data), "no buffer 1");
    expect_error(primitive_glb("", positions("4"), R"({"buffer":0,"byteLength":4800})", data), "does not hold");
    expect_error(
        primitive_glb("", positions("4"), R"({"buffer":0,"byteOffset":18446744073709551615,"byteLength":48})", data),
        "does not hold");
    expect_error(primitive_glb("", R"({"componentType":5126,"type":"VEC3","count":4000000000})", view, data),
                 "more than the file holds");
    expect_error(primitive_glb(R"(,"indices":7)", positions("4"), view, data), "");
    expect_error(primitive_glb("", positions("4"), view, data, R"(,"skin":0,"children":[0])"), "their own descendants");
}

TEST(Gltf, RefusesWhatItStatesAboutItselfIfThatCannotBe)
{
    std::string data(48, '\0');
    const std::string view = R"({"buffer":0,"byteLength":48})";
    const auto positions = [](const std::string& more) {
        return R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":3)" + more + "}";
    };
    expect_error(primitive_glb("", positions(R"(,"byteOffset":-12)"), view, data),
                 "accessors[0] has a negative byteOffset");
    expect_error(primitive_glb("", positions(""), R"({"buffer":0,"byteOffset":-4,"byteLength":48})", data),
                 "bufferViews[0] has a negative byteOffset");
    expect_error(primitive_glb("", positions(""), R"({"buffer":0,"byteLength":48,"byteStride":8})", data),
                 "has a byteStride of 8, but its elements have 12 bytes");
    expect_error(small_glb(R"(,"extensionsRequired":["KHR_materials_unlit","FOO"])"),
                 "it requires the extension FOO, which Tendril does not read; export it without");
    const auto unlit = parse(small_glb(R"(,"extensionsRequired":["KHR_materials_unlit"])"));
    EXPECT_TRUE(unlit) << unlit.error();
    std::string old = small_glb();
    old.replace(old.find(R"("version":"2.0")"), 15, R"("version":"1.0")");
    expect_error(old, "glTF version 1.0; only version 2 can be read");
    std::string missing = small_glb();
    missing.replace(missing.find(R"({"nodes":[2,0]})"), 15, R"({"nodes":[2,9]})");
    expect_error(missing, "scene 0 has a node 9 that does not exist");
    std::string no_scene = small_glb();
    no_scene.replace(no_scene.find(R"("scene":0)"), 9, R"("scene":7)");
    expect_error(no_scene, "its scene 7 does not exist; it has 1");
}

TEST(Gltf, SingularMatricesAreReported)
{
    std::string data;
    append_all<float>(data, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    const auto flat =
        parse(primitive_glb("", R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"})",
                            R"({"buffer":0,"byteLength":36})", data, R"(,"matrix":[1,0,0,0,0,1,0,0,0,0,0,0,0,0,0,1])"));
    ASSERT_TRUE(flat) << flat.error();
    const auto is_said = [](const Repair& repair) { return repair.what.find("singular") != std::string::npos; };
    EXPECT_TRUE(std::any_of(flat->repairs.begin(), flat->repairs.end(), is_said));
}

TEST(Mesh, FbxFilesSayWhatToDo)
{
    for (const std::string& text :
         {std::string("Kaydara FBX Binary  \0\x1a\0", 23), std::string("; FBX 7.3.0 project")})
        expect_error(text, "export it as .glb");
}

// tinygltf 2.7 trusts the length in the header of the binary chunk and reads past the end of the file.
TEST(Gltf, RefusesABinaryChunkThatIsTooLong)
{
    std::string glb = small_glb();
    const size_t json = 20 + *reinterpret_cast<const uint8_t*>(&glb[12]) + 256 * static_cast<uint8_t>(glb[13]);
    const uint32_t longer = static_cast<uint32_t>(glb.size() - json);
    std::memcpy(&glb[json], &longer, 4);
    expect_error(glb, "copy it again");
}

TEST(Gltf, SmallFilesCannotExhaustResources)
{
    expect_error(R"({"asset":{"version":"2.0","extras":)" + std::string(100000, '[') + "}}", "nested too deeply");
    std::string buffers = R"({"byteLength":4})";
    for (int i = 0; i < 1000; ++i) buffers += R"(,{"byteLength":4})";
    expect_error(glb_of(R"({"asset":{"version":"2.0"},"buffers":[)" + buffers + "]}", "abcd"), "too many buffers");
    // Images and extensions are ignored.
    const auto same = parse(small_glb(R"(,"images":[{"uri":"nowhere.png"}],"extensions":{"a":{"b":1}})"));
    EXPECT_TRUE(same) << same.error();
}

TEST(Gltf, ReadsBuffersOnlyFromTheFolderOfTheFile)
{
    const auto folder = std::filesystem::temp_directory_path() / "tendril_mesh_test";
    std::filesystem::create_directories(folder / "inner");
    const std::string data = small_buffer();
    std::ofstream(folder / "inner" / "data.bin", std::ios::binary) << data;
    std::ofstream(folder / "data.bin", std::ios::binary) << data;
    const auto write = [&](const std::string& uri) {
        const std::string file = (folder / "inner" / "test.gltf").string();
        std::ofstream(file) << small_json(fmt::format(R"({{"byteLength":{},"uri":"{}"}})", data.size(), uri));
        return file;
    };
    const auto beside = read_character(write("data.bin"));
    EXPECT_TRUE(beside) << beside.error();
    EXPECT_FALSE(read_character(write("../data.bin")));
    EXPECT_FALSE(read_character(write((folder / "data.bin").string())));
    expect_error(small_json(fmt::format(R"({{"byteLength":{},"uri":"data.bin"}})", data.size())), "which is not read");
    // A file may be longer than its buffer, and its name may have escapes.
    std::ofstream(folder / "inner" / "a +b.bin", std::ios::binary) << data << "more";
    const auto longer = read_character(write("a%20+b.bin"));
    ASSERT_TRUE(longer) << longer.error();
    EXPECT_EQ(longer->mesh.vertices, beside->mesh.vertices);
    const auto expect_fault = [&](const std::string& uri, const std::string& part) {
        const auto refused = read_character(write(uri));
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().find("test.gltf: buffer 0: " + part), std::string::npos) << refused.error();
    };
    std::ofstream(folder / "inner" / "short.bin", std::ios::binary) << data.substr(0, 12);
    expect_fault("short.bin", fmt::format("'short.bin' has 12 of {} bytes; copy or export it again", data.size()));
    expect_fault("no.bin", "there is no file 'no.bin' in the folder of the glTF file; put it there");
    expect_fault("../data.bin", "'../data.bin' is not a file in the folder of the glTF file; put it there");
    std::filesystem::remove_all(folder);
}

/// A glTF file with a triangle that a node instances with these attributes: accessor 1 holds two translations, 2 two
/// rotations, 3 two scales, 4 one translation.
std::string instanced_glb(const std::string& attributes, const std::string& more = "")
{
    std::string data;
    append_all<float>(data, {0, 0, 0, 1, 0, 0, 0, 1, 0});                   // 0: positions
    append_all<float>(data, {0, 0, 5, 0, 0, 6});                            // 36: translations
    append_all<float>(data, {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f});  // 60: rotations
    append_all<float>(data, {1, 1, 1, 2, -3, 1});                           // 92: scales
    const auto vectors = [](int view, int count, int components) {
        return fmt::format(R"(,{{"bufferView":{},"componentType":5126,"count":{},"type":"VEC{}"}})", view, count,
                           components);
    };
    return primitive_glb(
        "", vectors(0, 3, 3).substr(1) + vectors(1, 2, 3) + vectors(2, 2, 4) + vectors(3, 2, 3) + vectors(1, 1, 3),
        R"({"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24},)"
        R"({"buffer":0,"byteOffset":60,"byteLength":32},{"buffer":0,"byteOffset":92,"byteLength":24})",
        data,
        R"(,"translation":[10,0,0],"extensions":{"KHR_lights_punctual":{"light":9},)"
        R"("EXT_mesh_gpu_instancing":{"attributes":{)" +
            attributes + "}}}" + more);
}

TEST(Gltf, InstancesOfAMeshAreReadAtTheirPlaces)
{
    const auto c = parse(instanced_glb(R"("TRANSLATION":1,"ROTATION":2,"SCALE":3,"_COLOUR":0)"));
    ASSERT_TRUE(c) << c.error();
    ASSERT_EQ(c->mesh.vertices.size(), 6u);
    EXPECT_EQ(c->bones.size(), 1u);
    expect_near(c->mesh.vertices[1], {11, 0, 5});
    // The second one is scaled by (2, -3, 1), then turned by 90 degrees about z.
    expect_near(c->mesh.vertices[4], {10, 2, 6});
    expect_near(c->mesh.vertices[5], {13, 0, 6});
    EXPECT_EQ(c->mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {3, 5, 4}}));  // mirrored
    const auto out = posed(*c, -1, 0);
    for (size_t v = 0; v < out.size(); ++v) expect_near(out[v], c->mesh.vertices[v]);

    EXPECT_EQ(parse(instanced_glb(R"("SCALE":3)"))->mesh.vertices.size(), 6u);
    EXPECT_EQ(parse(instanced_glb(R"("_COLOUR":0)"))->mesh.vertices.size(), 3u);
    expect_error(instanced_glb(R"("TRANSLATION":4,"SCALE":3)"), "differ in number");
    expect_error(instanced_glb(R"("TRANSLATION":2)"), "TRANSLATION of its instances has 4 components instead of 3");
    expect_error(instanced_glb(R"("TRANSLATION":9)"), "no accessor 9");
    expect_robust(instanced_glb(R"("TRANSLATION":1,"ROTATION":2)"));
}

// A scene of spheres that share their geometry, in a .gltf with its numbers in a file beside it.
TEST(Gltf, MeshesThatManyNodesShareAreDecodedOnce)
{
    constexpr int kNodes = 98, kVertices = 5374, kCorners = 31800;
    std::string data, nodes, list;
    append_all(data, std::vector<float>(3 * kVertices, 0.5f));
    std::vector<uint16_t> corners;
    for (int i = 0; i < kCorners; ++i) corners.push_back(static_cast<uint16_t>(i % kVertices));
    append_all(data, corners);
    for (int i = 0; i < kNodes; ++i) {
        nodes += fmt::format(R"({}{{"mesh":0,"translation":[{},0,0]}})", i > 0 ? "," : "", i);
        list += fmt::format("{}{}", i > 0 ? "," : "", i);
    }
    const auto json = [&](const std::string& count) {
        return fmt::format(
            R"({{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[{}]}}],"nodes":[{}],"meshes":[{{"primitives":[)"
            R"({{"attributes":{{"POSITION":0}},"indices":1}}]}}],"buffers":[{{"byteLength":{},"uri":"spheres.bin"}}],)"
            R"("bufferViews":[{{"buffer":0,"byteLength":{}}},{{"buffer":0,"byteOffset":{},"byteLength":{}}}],)"
            R"("accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}},)"
            R"({{"bufferView":1,"componentType":5123,"count":{},"type":"SCALAR"}}]}})",
            list, nodes, data.size(), 12 * kVertices, 12 * kVertices, 2 * kCorners, kVertices, count);
    };
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("tendril_spheres_{}", getpid());
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "spheres.bin", std::ios::binary) << data;
    std::ofstream(folder / "spheres.gltf") << json(fmt::format("{}", kCorners));
    const auto c = read_character((folder / "spheres.gltf").string());
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.vertices.size(), static_cast<size_t>(kNodes * kVertices));
    std::filesystem::remove_all(folder);
}

TEST(Gltf, TooManyInstancesAreRefused)
{
    // 2,000 x 2,000 nodes and instances of one triangle, from a file of some 100 KB.
    std::string data, nodes, list;
    append_all<float>(data, std::vector<float>(6000, 0.0f));
    for (int i = 0; i < 2000; ++i) {
        nodes += std::string(i > 0 ? "," : "") +
                 R"({"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":1}}}})";
        list += fmt::format("{}{}", i > 0 ? "," : "", i);
    }
    expect_error(
        glb_of(fmt::format(R"({{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[{}]}}],"nodes":[{}],)"
                           R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],)"
                           R"("buffers":[{{"byteLength":24000}}],"bufferViews":[{{"buffer":0,"byteLength":24000}}],)"
                           R"("accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},)"
                           R"({{"bufferView":0,"componentType":5126,"count":2000,"type":"VEC3"}}]}})",
                           list, nodes),
               data),
        "too many vertices and corners; remove some of them");
}

TEST(Gltf, CompressedMeshesNameTheExtensionAndTheRemedy)
{
    const std::string remedy =
        "which Tendril does not read; export the file without compression, or decompress it with: gltf-transform copy";
    for (const std::string extension :
         {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"}) {
        const std::string used = R"(,"extensionsUsed":["KHR_materials_unlit",")" + extension + R"("])";
        const std::string sentence = "test: its meshes are compressed with " + extension + ", " + remedy;
        expect_error(small_glb(used + R"(,"extensionsRequired":[")" + extension + R"("])"), sentence);
        // An uncompressed copy in the file is read.
        EXPECT_TRUE(parse(small_glb(used)));
        // Without it, accessors have no buffer view (Draco), or a buffer has no bytes (meshopt).
        std::string bare = small_json(fmt::format(R"({{"byteLength":{}}})", small_buffer().size()), used);
        const std::string view = R"("bufferView":3,)";
        bare.erase(bare.find(view), view.size());
        expect_error(glb_of(bare, small_buffer()), sentence);
        expect_error(small_json(R"({"byteLength":280})", used), sentence);
    }
}

TEST(Gltf, AnyBytesGiveACharacterOrAnError)
{
    expect_robust(small_glb());
}

// --- real files

TEST(MeshFile, RobotExpressive)
{
    TENDRIL_NEEDS_DATA(file, "gltf_rigged/RobotExpressive.glb");
    const auto c = read_character(file);
    ASSERT_TRUE(c) << c.error();
    expect_usable(*c);
    EXPECT_EQ(c->clips.size(), 14u);
    EXPECT_GT(c->mesh.group_names.size(), 10u);
    EXPECT_GT(repairs(*c, "morph targets ignored"), 0u);
    float low = 1e9f, high = -1e9f;  // it stands on the ground while it dances
    for (const Vec3f& v : posed(*c, *find_clip(*c, "Dance"), 1.0)) {
        low = std::min(low, v.y);
        high = std::max(high, v.y);
    }
    EXPECT_NEAR(low, 0.0f, 0.2f);
    EXPECT_NEAR(high, 4.3f, 0.8f);
}

TEST(MeshFile, RiggedSimpleBends)
{
    TENDRIL_NEEDS_DATA(file, "gltf_rigged/RiggedSimple.glb");
    const auto c = read_character(file);
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.vertices.size(), 160u);
    EXPECT_EQ(c->mesh.triangles.size(), 188u);
    EXPECT_EQ(c->bones.size(), 2u);
    const auto a = posed(*c, 0, 0), b = posed(*c, 0, 1);
    float most = 0;
    for (size_t v = 0; v < a.size(); ++v) most = std::max(most, length(a[v] - b[v]));
    EXPECT_GT(most, 0.5f);
}

// The file stores the mesh lying down; its nodes rotate it upright.
TEST(MeshFile, CesiumManStandsUpright)
{
    TENDRIL_NEEDS_DATA(file, "gltf_rigged/CesiumMan.glb");
    const auto c = read_character(file);
    ASSERT_TRUE(c) << c.error();
    float low = 1e9f, high = -1e9f;
    for (const Vec3f& v : c->mesh.vertices) {
        low = std::min(low, v.y);
        high = std::max(high, v.y);
    }
    EXPECT_NEAR(low, 0.0f, 0.01f);
    EXPECT_NEAR(high, 1.5f, 0.05f);
}

TEST(MeshFile, AScannedHeadKeepsItsVerticesAndTextureAndFacesOutwards)
{
    TENDRIL_NEEDS_DATA(file, "head_leeperrysmith/LeePerrySmith.glb");
    const auto c = read_character(file);
    ASSERT_TRUE(c) << c.error();
    const Mesh& mesh = c->mesh;
    // As the accessors of the file count them: none is merged, split or left out.
    EXPECT_EQ(mesh.vertices.size(), 9279u);
    EXPECT_EQ(mesh.triangles.size(), 17684u);
    ASSERT_EQ(mesh.uvs.size(), 9279u);
    float low = 1, high = 0;
    for (const Uv& uv : mesh.uvs) {
        low = std::min({low, uv.u, uv.v});
        high = std::max({high, uv.u, uv.v});
    }
    EXPECT_GE(low, 0.0f);
    EXPECT_LE(high, 1.0f);
    EXPECT_GT(high - low, 0.9f) << "the head fills its texture";
    // Seen from its middle, triangles that face outwards enclose a volume, and all others take it away.
    Vec3f middle{0, 0, 0};
    for (const Vec3f& v : mesh.vertices) middle += v * (1.0f / 9279);
    float outwards = 0, inwards = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3f a = mesh.vertices[t[0]] - middle, b = mesh.vertices[t[1]] - middle,
                    c2 = mesh.vertices[t[2]] - middle;
        const float volume = dot(a, cross(b, c2)) / 6;
        (volume > 0 ? outwards : inwards) += std::abs(volume);
    }
    // Ears, nostrils and the mouth have folds that face the middle, so the share is not zero.
    EXPECT_GT(outwards, 5 * inwards);
}

TEST(MeshFile, Sintel)
{
    TENDRIL_NEEDS_DATA(file, "sintel/sintel.obj");
    const auto c = read_character(file);
    ASSERT_TRUE(c) << c.error();
    EXPECT_EQ(c->mesh.vertices.size(), 3046u);
    EXPECT_EQ(c->mesh.triangles.size(), 5952u);
    EXPECT_EQ(c->mesh.group_names.size(), 1u);
}

TEST(MeshFile, Ratboy)
{
    struct Expected {
        const char* name;
        size_t bones, vertices, triangles;
    };
    for (const Expected& e : {Expected{"Ratboy_body", 86, 12909, 25814}, Expected{"Ratboy_left_hand", 16, 1247, 2490},
                              Expected{"Ratboy_right_hand", 16, 1247, 2490}}) {
        TENDRIL_NEEDS_DATA(file, fmt::format("tressfx4_ratboy/{}.tfxmesh", e.name));
        const auto c = read_character(file);
        ASSERT_TRUE(c) << c.error();
        expect_usable(*c);
        EXPECT_EQ(c->bones.size(), e.bones);
        EXPECT_EQ(c->mesh.vertices.size(), e.vertices);
        EXPECT_EQ(c->mesh.triangles.size(), e.triangles);
    }
}

TEST(MeshFile, CurvesAreNotAMesh)
{
    TENDRIL_NEEDS_DATA(file, "obj_lines/Cube_Hair.obj");
    const auto c = read_character(file);
    ASSERT_FALSE(c);
    EXPECT_NE(c.error().find("holds curves"), std::string::npos);
}

TEST(MeshFile, FormatsThatAreNotReadNameTheirRemedy)
{
    using namespace std::string_literals;
    expect_error("Ogawa\xff\0\1"s, "test: an Alembic file (.abc); meshes are read from glTF, OBJ and .tfxmesh files");
    expect_error("\x89HDF\r\n\x1a\n\0"s, "an HDF5 file, such as an Alembic file (.abc) of the old kind");
    expect_error("PXR-USDC\0\1"s, "a binary USD file; meshes are read from glTF");
    expect_error("#usda 1.0\n", "a USD file; meshes are read from glTF");
    expect_error("PK\x03\x04", "export it as .glb");
}

TEST(MeshFile, AMissingFileIsNamed)
{
    const auto c = read_character("no_such_file.glb");
    ASSERT_FALSE(c);
    EXPECT_NE(c.error().find("no_such_file.glb"), std::string::npos);
}

}  // namespace tendril::test
