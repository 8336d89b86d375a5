// Writes the seed corpus of the fuzzers: small valid files of every format, in one folder per reader.
#include "io/curve_formats.h"
#include "io/file_bytes.h"
#include "math/bytes.h"

#include <fmt/format.h>
#include <stb/stb_image_write.h>

#include <filesystem>
#include <string>

namespace tendril {
namespace {

namespace fs = std::filesystem;

CurveFile small_curves()
{
    CurveFile curves;
    GroomData& data = curves.data;
    data.first_point = {0, 4, 8};
    for (int i = 0; i < 8; ++i) {
        data.points.push_back({0.1f * static_cast<float>(i), 1.0f / static_cast<float>(i + 1), 0.5f});
        data.widths.push_back(1e-4f);
        data.colours.push_back({0.2f, 0.3f, 0.4f});
    }
    data.root_uvs = {{0, 0}, {1, 0.5f}};
    data.groups = {0, 1};
    data.group_names = {"left", "right"};
    curves.kinds = {{CurveBasis::kBspline, CurveWrap::kPinned}, {}};
    curves.times = {0, 0.5};
    curves.samples = {data.points, data.points};
    return curves;
}

class Corpus {
public:
    explicit Corpus(fs::path folder) : folder_(std::move(folder)) {}

    void add(const std::string& reader, const std::string& name, std::span<const std::byte> bytes)
    {
        fs::create_directories(folder_ / reader);
        if (const auto written = write_file((folder_ / reader / name).string(), bytes); !written)
            fmt::print(stderr, "{}\n", written.error());
    }
    void add(const std::string& reader, const std::string& name, const std::string& text)
    {
        add(reader, name, std::as_bytes(std::span(text)));
    }

private:
    fs::path folder_;
};

std::string u32(size_t value)
{
    const auto v = static_cast<uint32_t>(value);
    return {reinterpret_cast<const char*>(&v), sizeof v};
}

std::string tfx3()
{
    const float version = 3;
    std::string header(reinterpret_cast<const char*>(&version), 4);
    header += u32(1) + u32(4) + u32(0) + u32(0);
    header.resize(144);
    header += u32(296);
    header.resize(296);
    const CurveFile curves = small_curves();
    return header + std::string(reinterpret_cast<const char*>(curves.data.points.data()), 4 * sizeof(Vec3f));
}

std::string tfxbone()
{
    const float half = 0.5f;
    const std::string weight(reinterpret_cast<const char*>(&half), 4);
    std::string text = u32(2) + u32(0) + u32(5) + std::string("root\0", 5) + u32(1) + u32(5) + std::string("head\0", 5);
    text += u32(1) + u32(0);
    return text + u32(0) + weight + u32(1) + weight + u32(0) + u32(0) + u32(0) + u32(0);
}

/// A cache of version 1. Version 2 has checksums, which a fuzzer does not meet by chance.
std::string cache_without_checksums()
{
    const CurveFile curves = small_curves();
    const auto bytes_of = [](const auto& array) {
        return std::string(reinterpret_cast<const char*>(array.data()), array.size() * sizeof array[0]);
    };
    const double metres = 0.01, time_and_origin[4] = {0.5, 0, 1, 0};
    std::string text = "TENDRILC" + u32(1) + u32(8) + u32(2) + u32(0) + u32(8) + u32(0) + u32(0) + u32(0);
    text += std::string(reinterpret_cast<const char*>(&metres), sizeof metres) + u32(1) + u32(64) + u32(0) + u32(0);
    text += u32(4) + u32(4) + bytes_of(curves.data.points) + bytes_of(curves.data.widths);
    return text + std::string(reinterpret_cast<const char*>(time_and_origin), sizeof time_and_origin) +
           bytes_of(curves.data.points);
}

/// A triangle that is skinned to one animated joint.
std::string glb()
{
    const float numbers[] = {0,
                             0,
                             0,
                             1,
                             0,
                             0,
                             0,
                             1,
                             0,
                             /* weights */ 1,
                             0,
                             0,
                             0,
                             1,
                             0,
                             0,
                             0,
                             1,
                             0,
                             0,
                             0,
                             /* times */ 0,
                             1,
                             /* translations */ 0,
                             0,
                             0,
                             0,
                             1,
                             0};
    std::string buffer(reinterpret_cast<const char*>(numbers), sizeof numbers);
    buffer += std::string(12, '\0');  // joints
    const std::string view = R"({{"buffer":0,"byteOffset":{},"byteLength":{}}})";
    std::string json = fmt::format(
        R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],)"
        R"("nodes":[{{"mesh":0,"skin":0}},{{"name":"joint"}}],"skins":[{{"joints":[1]}}],)"
        R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"WEIGHTS_0":1,"JOINTS_0":2}}}}]}}],)"
        R"("animations":[{{"name":"a","channels":[{{"sampler":0,"target":{{"node":1,"path":"translation"}}}}],)"
        R"("samplers":[{{"input":3,"output":4}}]}}],"buffers":[{{"byteLength":{}}}],"bufferViews":[)"
        R"({{"buffer":0,"byteOffset":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":48}},)"
        R"({{"buffer":0,"byteOffset":116,"byteLength":12}},{{"buffer":0,"byteOffset":84,"byteLength":8}},)"
        R"({{"buffer":0,"byteOffset":92,"byteLength":24}}],"accessors":[)"
        R"({{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},)"
        R"({{"bufferView":1,"componentType":5126,"count":3,"type":"VEC4"}},)"
        R"({{"bufferView":2,"componentType":5121,"count":3,"type":"VEC4"}},)"
        R"({{"bufferView":3,"componentType":5126,"count":2,"type":"SCALAR"}},)"
        R"({{"bufferView":4,"componentType":5126,"count":2,"type":"VEC3"}}]}})",
        buffer.size());
    json.resize((json.size() + 3) / 4 * 4, ' ');
    return "glTF" + u32(2) + u32(12 + 8 + json.size() + 8 + buffer.size()) + u32(json.size()) + "JSON" + json +
           u32(buffer.size()) + std::string("BIN\0", 4) + buffer;
}

std::vector<std::byte> png()
{
    std::vector<std::byte> bytes;
    const unsigned char pixels[16] = {0, 50, 100, 150, 200, 250, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const auto append = [](void* to, void* data, int size) {
        auto& out = *static_cast<std::vector<std::byte>*>(to);
        const auto* from = static_cast<const std::byte*>(data);
        out.insert(out.end(), from, from + size);
    };
    stbi_write_png_to_func(append, &bytes, 4, 4, 1, pixels, 4);
    return bytes;
}

void write_corpus(Corpus corpus)
{
    const CurveFile curves = small_curves();
    corpus.add("tfx", "4.tfx", *tfx4_bytes(curves));
    corpus.add("tfx", "3.tfx", tfx3());
    corpus.add("tfx", "2.tfx",
               "version 2.0\nscale 1.0\nbothEndsImmovable 0\nnumStrands 1\nis sorted 1\n"
               "strand 0 numVerts 2 texcoord 0.5 0.25\n0, 1, 2\n3, 4, -1.#INF\n");
    corpus.add("tfx", "1.tfx", "numStrands 1\nis sorted 1\nstrand 0 numVerts 2 texcoord 0 0\n0 1 2\n3 4 5\n");
    corpus.add("hair", "a.hair", *hair_bytes(curves));
    corpus.add("usc_data", "a.data", *usc_data_bytes(curves));
    corpus.add("obj_curves", "a.obj", *obj_curve_bytes(curves));
    corpus.add("usd", "a.usda", *usd_bytes(curves));
    corpus.add(
        "usd", "skinned.usda",
        "#usda 1.0\n(subLayers = [@a.usda@ (offset = 1)])\ndef SkelRoot \"R\" (payload = @b.usda@</B>)\n{\n"
        "rel skel:skeleton = <S>\ndef Skeleton \"S\" { uniform token[] joints = [\"a\"]\n"
        "rel skel:animationSource = <M>\ndef SkelAnimation \"M\" { uniform token[] joints = [\"a\"]\n"
        "float3[] translations = [(0, 1, 0)]\nquatf[] rotations = [(0, 1, 0, 0)]\nhalf3[] scales = [(1, 2, 1)]\n"
        "} }\ndef BasisCurves \"H\" { int[] curveVertexCounts = [1]\npoint3f[] points = [(1, 0, 0)]\n"
        "uniform token primvars:skel:skinningMethod = \"dualQuaternion\"\n"
        "int[] primvars:skel:jointIndices = [0]\nfloat[] primvars:skel:jointWeights = [1]\n"
        "float[] primvars:widths = [1]\ntexCoord2f[] primvars:st = [(0, 1)] (interpolation = \"vertex\")\n} }\n");
    corpus.add("cache", "a.tendril", *cache_bytes(curves));
    corpus.add("cache", "1.tendril", cache_without_checksums());
    corpus.add("tfxbone", "a.tfxbone", tfxbone());
    corpus.add("mesh", "a.obj",
               "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\n"
               "f 1/1 2/2 3/3\nf 2 4 3\n");
    corpus.add("mesh", "a.glb", glb());
    corpus.add(
        "mesh", "instances.gltf",
        R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":)"
        R"({"TRANSLATION":1,"ROTATION":2,"SCALE":1}}}}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
        R"("accessors":[{"componentType":5126,"count":3,"type":"VEC3"},{"componentType":5126,"count":2,)"
        R"("type":"VEC3"},{"componentType":5126,"count":2,"type":"VEC4"}]})");
    corpus.add("mesh", "a.tfxmesh",
               "numOfBones 1\n0 root\nnumOfVertices 3\n0 0 0 0 0 0 1 0 0 0 0 1 0 0 0\n1 1 0 0 0 0 1 0 0 0 0 1 0 0 0\n"
               "2 0 1 0 0 0 1 0 0 0 0 1 0 0 0\nnumOfTriangles 1\n0 0 1 2\n");
    corpus.add("map", "a.png", png());
    corpus.add("png", "a.png", png());
    corpus.add("scene", "a.toml",
               "[sim]\ndt = 0.01\ngravity = 10\n[body]\nclip = \"nod\"\n[[groom]]\nstyle = \"rope\"\n"
               "direction = [1, 0, 0]\n[[hold]]\nparticle = -1\n[solver]\nbend_limit = 0.5\n");
}

}  // namespace
}  // namespace tendril

int main(int argc, char** argv)
{
    if (argc != 2) {
        fmt::print(stderr, "usage: tendril_corpus FOLDER\n");
        return 2;
    }
    tendril::write_corpus(tendril::Corpus(argv[1]));
    return 0;
}
