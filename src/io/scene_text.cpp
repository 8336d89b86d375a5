// Finds scene files and reads their text.
#include "io/file_bytes.h"
#include "tendril/detail/nearest.h"
#include "tendril/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace tendril {
namespace {

namespace fs = std::filesystem;

// No scene is this large, but input from a device may be endless.
constexpr size_t kMaxSceneBytes = size_t{16} << 20;

std::vector<fs::path> entries_of(const fs::path& folder)
{
    std::vector<fs::path> entries;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored))
        entries.push_back(entry->path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::vector<std::string> scenes_in(const fs::path& folder)
{
    std::vector<std::string> files;
    for (const fs::path& entry : entries_of(folder))
        if (entry.extension() == ".toml") files.push_back(entry.string());
    return files;
}

/// The folder and its direct subfolders.
std::vector<fs::path> with_subfolders(const fs::path& folder)
{
    std::vector<fs::path> folders{folder};
    std::error_code ignored;
    for (const fs::path& entry : entries_of(folder))
        if (fs::is_directory(entry, ignored)) folders.push_back(entry);
    return folders;
}

/// The scene file with the most similar name, in the folder of `wanted` or in one of `folders` and their subfolders.
std::string nearest_file(const fs::path& wanted, const std::vector<std::string>& folders)
{
    std::vector<std::string> stems, files;
    const fs::path own = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
    std::vector<fs::path> searched{own};
    for (const std::string& folder : folders)
        for (const fs::path& subfolder : with_subfolders(folder)) searched.push_back(subfolder);
    for (const fs::path& folder : searched) {
        for (const std::string& file : scenes_in(folder)) {
            files.push_back(file);
            stems.push_back(fs::path(file).stem().string());
        }
    }
    const std::string stem = wanted.extension() == ".toml" ? wanted.stem().string() : wanted.filename().string();
    const auto exact = std::find(stems.begin(), stems.end(), stem);
    const std::string nearest = exact != stems.end() ? stem : nearest_name(stem, stems);
    if (nearest.empty()) return {};
    return files[static_cast<size_t>(std::find(stems.begin(), stems.end(), nearest) - stems.begin())];
}

Error cannot_open(const std::string& file, const std::vector<std::string>& folders)
{
    const int reason = errno;
    const std::string nearest = reason == ENOENT ? nearest_file(file, folders) : std::string();
    std::string remedy = nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
    // A bare name may refer to a scene that comes with the program.
    std::error_code ignored;
    if (reason == ENOENT && nearest.empty() && file.find('/') == std::string::npos)
        for (const std::string& folder : folders)
            if (fs::is_directory(folder, ignored)) {
                remedy = fmt::format("; 'ls {}' lists the scenes that come with the program", folder);
                break;
            }
    return Error{fmt::format("cannot open '{}': {}{}", file, std::strerror(reason), remedy)};
}

/// The line of the first byte that does not belong in a text file, or 0.
size_t binary_line(const std::string& text)
{
    size_t line = 1;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n') ++line;
        if (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') return line;
    }
    return 0;
}

Result<std::string> read_text(const std::string& file)
{
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) return Error{fmt::format("'{}' is a folder; name a scene file in it", file)};
    if (access(file.c_str(), R_OK) != 0) return cannot_open(file, {"scenes"});
    if (fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) > kMaxSceneBytes)
        return Error{fmt::format("'{}' is too large for a scene; a scene is a TOML file", file)};
    const auto opened = open_file(file, kMaxSceneBytes);
    if (!opened) return Error{opened.error()};
    std::string text(reinterpret_cast<const char*>(opened->bytes().data()), opened->bytes().size());
    if (const size_t line = binary_line(text))
        return Error{fmt::format("{}:{}: not a text file; a scene is a TOML file", file, line)};
    return text;
}

}  // namespace

Result<Scene> read_scene(const std::string& file, const Overrides& overrides)
{
    const Result<std::string> text = read_text(file);
    if (!text) return Error{text.error()};
    return parse_scene(*text, file, overrides);
}

Result<std::string> find_scene(const std::string& name, const std::vector<std::string>& folders)
{
    std::error_code ignored;
    const bool bare = name.find('/') == std::string::npos;
    if (fs::exists(name, ignored) && !(bare && fs::is_directory(name, ignored))) return name;
    for (const std::string& folder : folders) {
        if (fs::path(name).is_absolute()) break;
        for (const fs::path& subfolder : bare ? with_subfolders(folder) : std::vector<fs::path>{folder})
            for (const char* extension : {"", ".toml"}) {
                const fs::path file = subfolder / (name + extension);
                if (fs::is_regular_file(file, ignored)) return file.string();
            }
    }
    if (fs::exists(name, ignored)) return name;
    errno = ENOENT;
    return cannot_open(name, folders);
}

}  // namespace tendril
