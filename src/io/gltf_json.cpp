#include "io/gltf_json.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <tiny_gltf.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace tendril {
namespace {

using Json = nlohmann::json;
using OptionalFault = std::optional<std::string>;

/// Extensions without which a mesh, its skin and its clips are the same: they change how it looks or how its numbers
/// are stored. Compressions have messages of their own.
constexpr std::string_view kKnownExtensions[] = {
    "EXT_mesh_gpu_instancing", "EXT_meshopt_compression", "KHR_draco_mesh_compression", "KHR_mesh_quantization",
    "KHR_meshopt_compression", "KHR_animation_pointer",   "MSFT_texture_dds",           "KHR_xmp_json_ld"};
constexpr std::string_view kKnownPrefixesOfExtensions[] = {"KHR_materials_", "KHR_texture_", "KHR_lights_",
                                                           "EXT_texture_", "EXT_lights_"};

/// The member of an object, or null if there is none.
const Json& member(const Json& object, const char* key)
{
    static const Json kNull;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? *found : kNull;
}

std::string text_of(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : std::string();
}

OptionalFault fault_of_version(const Json& root)
{
    const Json& asset = member(root, "asset");
    for (const char* key : {"minVersion", "version"}) {
        const std::string version = text_of(member(asset, key));
        if (!version.empty() && version.substr(0, version.find('.')) != "2")
            return fmt::format("glTF version {}; only version 2 can be read, so export it as glTF 2.0",
                               version.substr(0, 20));
    }
    return {};
}

bool is_known_extension(std::string_view extension)
{
    return std::find(std::begin(kKnownExtensions), std::end(kKnownExtensions), extension) !=
               std::end(kKnownExtensions) ||
           std::any_of(std::begin(kKnownPrefixesOfExtensions), std::end(kKnownPrefixesOfExtensions),
                       [&](std::string_view prefix) { return extension.starts_with(prefix); });
}

OptionalFault fault_of_extensions(const Json& root)
{
    const Json& required = member(root, "extensionsRequired");
    for (size_t i = 0; required.is_array() && i < required.size(); ++i) {
        const std::string extension = text_of(required[i]);
        if (!extension.empty() && !is_known_extension(extension))
            return fmt::format("it requires the extension {}, which Tendril does not read; export it without",
                               extension.substr(0, 60));
    }
    return {};
}

OptionalFault fault_of_offsets(const Json& root)
{
    for (const char* list : {"bufferViews", "accessors"}) {
        const Json& all = member(root, list);
        for (size_t i = 0; all.is_array() && i < all.size(); ++i)
            for (const char* key : {"byteOffset", "byteLength", "byteStride", "count"})
                if (const Json& number = member(all[i], key); number.is_number() && number.get<double>() < 0)
                    return fmt::format("{}[{}] has a negative {}; export the file again", list, i, key);
    }
    return {};
}

OptionalFault fault_of_scenes(const Json& root)
{
    const Json &nodes = member(root, "nodes"), &scenes = member(root, "scenes"), &scene = member(root, "scene");
    const size_t count = nodes.is_array() ? nodes.size() : 0;
    if (scene.is_number() && !scenes.is_array()) return "it has no scenes, but names one as its own";
    if (!scenes.is_array()) return {};
    if (scene.is_number_integer() && !(scene.get<int64_t>() >= 0 && scene.get<uint64_t>() < scenes.size()))
        return fmt::format("its scene {} does not exist; it has {}", scene.get<int64_t>(), scenes.size());
    for (size_t s = 0; s < scenes.size(); ++s)
        for (const Json& node : member(scenes[s], "nodes"))
            if (node.is_number_integer() && !(node.get<int64_t>() >= 0 && node.get<uint64_t>() < count))
                return fmt::format("scene {} has a node {} that does not exist", s, node.get<int64_t>());
    return {};
}

/// Resolves the escapes of a URI, such as %20.
std::string unescaped(std::string_view uri)
{
    std::string out;
    for (size_t i = 0; i < uri.size(); ++i) {
        unsigned value = 0;
        const char* const digits = uri.data() + i + 1;
        if (uri[i] == '%' && i + 2 < uri.size() && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
            out += static_cast<char>(value);
            i += 2;
        } else {
            out += uri[i];
        }
    }
    return out;
}

}  // namespace

Result<std::vector<GltfBufferFile>> check_gltf_json(const std::string& json, const std::string& name)
{
    std::vector<GltfBufferFile> files;
    const Json root = Json::parse(json, nullptr, false);
    if (root.is_discarded()) return files;
    for (const auto check : {fault_of_version, fault_of_extensions, fault_of_offsets, fault_of_scenes})
        if (const OptionalFault fault = check(root)) return Error{fmt::format("{}: {}", name, *fault)};
    const Json& buffers = member(root, "buffers");
    for (size_t i = 0; buffers.is_array() && i < buffers.size(); ++i) {
        const std::string uri = text_of(member(buffers[i], "uri"));
        if (uri.empty() || tinygltf::IsDataURI(uri)) continue;
        const Json& bytes = member(buffers[i], "byteLength");
        if (!bytes.is_number_unsigned() || bytes.get<uint64_t>() == 0)
            return Error{fmt::format("{}: buffer {} has no byteLength above 0; export the file again", name, i)};
        files.push_back({i, unescaped(uri), bytes.get<uint64_t>()});
    }
    return files;
}

}  // namespace tendril
