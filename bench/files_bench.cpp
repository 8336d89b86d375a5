#include "files_bench.h"

#include "math/random.h"
#include "tendril/curve_file.h"
#include "tendril/mesh.h"

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>
#include <vector>

namespace tendril::bench {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kStrands = 100'000, kPoints = 32, kVertices = 100'000, kBones = 60;

/// A file that the destructor removes.
class TemporaryFile {
public:
    TemporaryFile(const char* ending, const CurveFile& curves, CurveFormat format)
        : path_((fs::temp_directory_path() / ("tendril_bench_" + std::to_string(getpid()) + ending)).string())
    {
        if (const auto written = write_curves(path_, curves, format); !written)
            throw std::runtime_error(written.error());
    }
    ~TemporaryFile()
    {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

CurveFile straight_hair()
{
    CurveFile curves;
    curves.data.first_point.push_back(0);
    for (uint32_t s = 0; s < kStrands; ++s) {
        for (uint32_t i = 0; i < kPoints; ++i)
            curves.data.points.push_back({static_cast<float>(s), static_cast<float>(i), 0.5f});
        curves.data.first_point.push_back((s + 1) * kPoints);
    }
    return curves;
}

/// Reads a file into fresh, uninitialized memory, as every reader must.
void read_bytes(const std::string& path)
{
    std::FILE* in = std::fopen(path.c_str(), "rb");
    if (!in) return;
    const auto size = static_cast<size_t>(fs::file_size(path));
    const std::unique_ptr<char[]> bytes(new char[size]);
    if (std::fread(bytes.get(), 1, size, in) != size) throw std::runtime_error("a file changed while it was read");
    std::fclose(in);
}

/// Vertices along a chain of bones, with four bones per vertex.
Character chain()
{
    Character c;
    for (uint32_t b = 0; b < kBones; ++b) {
        Node node;
        node.parent = static_cast<int>(b) - 1;
        node.translation = {0, 0.02, 0};
        c.nodes.push_back(node);
        c.bones.push_back({b, {}});
    }
    for (uint32_t v = 0; v < kVertices; ++v) {
        c.mesh.vertices.push_back({static_cast<float>(uniform(1, v)), static_cast<float>(uniform(2, v)), 0});
        const uint32_t first = static_cast<uint32_t>(uint64_t{v} * (kBones - 3) / kVertices);
        c.weights.push_back({{first, first + 1, first + 2, first + 3}, {0.4f, 0.3f, 0.2f, 0.1f}});
    }
    return c;
}

}  // namespace

FileFigures measure_files(int rounds, Executor& executor, const std::function<void(int)>& progress)
{
    const CurveFile curves = straight_hair();
    const TemporaryFile hair(".hair", curves, CurveFormat::kHair), cache(".tendril", curves, CurveFormat::kCache);
    const Character character = chain();
    std::vector<Affine> bones(kBones);
    std::vector<Vec3f> skinned(kVertices);
    const auto milliseconds = [](const std::function<void()>& work) { return [work] { return 1e3 * time_of(work); }; };

    FileFigures figures;
    const std::vector<Measurement> list{{milliseconds([&] { read_bytes(hair.path()); }), &figures.bytes},
                                        {milliseconds([&] { (void)read_curves(hair.path()); }), &figures.hair},
                                        {milliseconds([&] { (void)read_curves(cache.path()); }), &figures.cache},
                                        {milliseconds([&] {
                                             pose_bones(character, {}, 0, bones);
                                             skin(character, bones, skinned, executor);
                                         }),
                                         &figures.skinning}};
    measure_in_turns(list, rounds, progress);
    return figures;
}

}  // namespace tendril::bench
