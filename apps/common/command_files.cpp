#include "command_files.h"

#include "scene_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPart = ".part";  // ending of an output while it is being written

/// The absolute path without links, as far as it exists.
fs::path real_path(const std::string& path)
{
    std::error_code problem;
    fs::path real = fs::weakly_canonical(fs::absolute(path, problem), problem);
    return problem ? fs::path(path).lexically_normal() : real;
}

bool same_file(const std::string& a, const std::string& b)
{
    std::error_code ignored;
    return fs::equivalent(a, b, ignored) || real_path(a) == real_path(b);
}

/// Whether the file lies directly in the folder.
bool is_in(const std::string& file, const std::string& folder)
{
    return same_file(real_path(file).parent_path().string(), folder);
}

/// 000000.png and so on.
bool is_numbered_picture(const std::string& file)
{
    const fs::path path = file;
    const std::string stem = path.stem().string();
    return path.extension() == ".png" &&
           std::all_of(stem.begin(), stem.end(), [](char c) { return '0' <= c && c <= '9'; });
}

}  // namespace

void CommandFiles::read(const std::string& path, const std::string& what)
{
    // Anything but a regular file, such as a pipe, is not replaced by writing to it.
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) inputs_.push_back({path, what});
}

void CommandFiles::read_scene(const std::string& file, const Scene& scene)
{
    read(file, "the scene");
    for (const SceneFile& used : files_of(scene)) read(used.path, "a file of the scene");
}

Result<OutputPath> CommandFiles::write(const std::string& path, const std::string& what)
{
    for (const File& input : inputs_) {
        if (same_file(path, input.path))
            return Error{fmt::format("'{}' is {}; write to another file", path, input.what)};
        if (same_file(path + kPart, input.path))
            return Error{
                fmt::format("'{}' is {}, and is overwritten while '{}' is being written; write to another file",
                            input.path, input.what, path)};
    }
    for (const File& output : outputs_) {
        if (same_file(path, output.path))
            return Error{path == output.path ? fmt::format("{} and {} are both '{}'", output.what, what, path)
                                             : fmt::format("{} and {} are the same file, '{}' and '{}'", output.what,
                                                           what, output.path, path)};
        if (same_file(path, output.path + kPart) || same_file(path + kPart, output.path))
            return Error{fmt::format("{} '{}' and {} '{}' use the same temporary file; rename one of them", output.what,
                                     output.path, what, path)};
    }
    outputs_.push_back({path, what});
    return OutputPath(path);
}

Result<OutputPath> CommandFiles::write_pictures(const std::string& folder)
{
    for (const File& input : inputs_)
        if (is_numbered_picture(input.path) && is_in(input.path, folder))
            return Error{fmt::format("'{}' is {}, and may be overwritten by a picture; write to another folder",
                                     input.path, input.what)};
    return OutputPath(folder);
}

Result<OutputPath> CommandFiles::write_folder(const std::string& folder)
{
    for (const File& input : inputs_)
        if (is_in(input.path, folder))
            return Error{fmt::format("'{}' is {}, and its folder is used for temporary files; write to another folder",
                                     input.path, input.what)};
    return OutputPath(folder);
}

}  // namespace tendril::app
