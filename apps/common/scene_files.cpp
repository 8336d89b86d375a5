#include "scene_files.h"

#include "percent.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMeshesWithoutFile[] = {"none", "sphere", "bust", "creature"};

/// The names of the buffers that a glTF file in text form refers to, relative to it. Does not otherwise validate the
/// file; its reader does.
std::vector<std::string> buffers_of(const std::string& gltf)
{
    std::error_code ignored;
    if (!fs::is_regular_file(gltf, ignored)) return {};  // opening a pipe could block for ever
    std::ifstream in(gltf, std::ios::binary);
    if ((in >> std::ws).peek() != '{') return {};
    const auto json = nlohmann::json::parse(in, nullptr, false);
    std::vector<std::string> names;
    if (!json.is_object() || !json.contains("buffers") || !json["buffers"].is_array()) return {};
    for (const auto& buffer : json["buffers"]) {
        if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) continue;
        const auto& uri = buffer["uri"].get_ref<const std::string&>();
        if (uri.compare(0, 5, "data:") == 0) continue;
        const fs::path name = fs::path(percent_decoded(uri).value_or(uri)).lexically_normal();
        // The reader also accepts only buffers in the folder of the file.
        if (name.is_relative() && !name.empty() && *name.begin() != "..") names.push_back(name.string());
    }
    return names;
}

class Collector {
public:
    explicit Collector(const Scene& scene) : folder_(scene.folder) {}

    void add(const std::string& name)
    {
        const auto same = [&](const SceneFile& file) { return file.name == name; };
        if (name.empty() || std::any_of(files.begin(), files.end(), same)) return;
        std::error_code ignored;
        const fs::path beside = folder_ / name;
        files.push_back({name, fs::exists(beside, ignored) ? beside.string() : name});
    }

    void add_mesh(const std::string& name)
    {
        if (std::find(std::begin(kMeshesWithoutFile), std::end(kMeshesWithoutFile), name) !=
            std::end(kMeshesWithoutFile))
            return;
        const size_t index = files.size();
        add(name);
        if (files.size() == index) return;
        for (const std::string& buffer : buffers_of(files[index].path))
            add((fs::path(name).parent_path() / buffer).string());
    }

    std::vector<SceneFile> files;

private:
    fs::path folder_;
};

}  // namespace

std::vector<SceneFile> files_of(const Scene& scene)
{
    Collector collector(scene);
    for (const SceneBody& body : scene.bodies) collector.add_mesh(body.mesh);
    for (const SceneGroom& groom : scene.grooms)
        for (const std::string* name :
             {&groom.file, &groom.bones, &groom.density_map, &groom.length_map, &groom.stiffness_map})
            collector.add(*name);
    return std::move(collector.files);
}

}  // namespace tendril::app
