#include "view/opened_scene.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFilesAt = "/open/";

}  // namespace

Result<OpenedScene> OpenedScene::open(const SceneOptions& options)
{
    const auto overrides = overrides_of(options.overrides);
    if (!overrides) return Error{overrides.error()};
    const auto path = scene_file(options);
    if (!path) return Error{path.error()};
    std::error_code ignored;
    if (fs::is_fifo(*path, ignored))
        return Error{
            fmt::format("'{}' is a pipe, but the scene is read whenever the page is loaded; use a file", *path)};
    const auto scene = read_scene(*path, *overrides);
    if (!scene) return Error{scene.error()};
    print_warnings(*scene);
    OpenedScene opened(*path, *overrides, *scene);
    for (const auto& [name, file] : opened.files_)
        if (!open_served(file)) return Error{fmt::format("{}: cannot open '{}'", *path, file)};
    return opened;
}

std::string OpenedScene::json()
{
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    // If an edit made the scene invalid, the page reports it, because it reads the same text.
    if (const auto scene = parse_scene(text.str(), path_, overrides_)) files_ = files_of(*scene);
    nlohmann::ordered_json json;
    json["name"] = fs::path(path_).stem().string();
    json["toml"] = text.str();
    json["overrides"] = nlohmann::ordered_json::array();
    for (const auto& [key, value] : overrides_) json["overrides"].push_back({key, value});
    json["files"] = nlohmann::ordered_json::array();
    for (size_t i = 0; i < files_.size(); ++i)
        json["files"].push_back({{"name", files_[i].name}, {"url", fmt::format("open/{}", i)}});
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::optional<ServedFile> OpenedScene::file(const std::string& path) const
{
    if (path.compare(0, kFilesAt.size(), kFilesAt) != 0) return {};
    size_t index = 0;
    const char* const end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + kFilesAt.size(), end, index);
    if (parsed.ec != std::errc() || parsed.ptr != end || index >= files_.size()) return {};
    return open_served(files_[index].path);
}

}  // namespace tendril::app
