#include "scene_options.h"

#include "print_error.h"
#include "program_folder.h"
#include "scene_files.h"
#include "tendril/version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

/// The folders with the scenes that come with the program: in the working directory, installed, or in the source tree
/// of a build.
std::vector<std::string> scene_folders()
{
    std::vector<std::string> folders{"scenes"};
    for (const fs::path& path : beside_program({"../share/tendril/scenes", "../../../scenes"}))
        folders.push_back(path.string());
    return folders;
}

/// An option that sets a key.
CLI::Option* key_option(CLI::App& command, SceneOptions& options, const char* name, const char* key,
                        const std::string& meaning)
{
    return command
        .add_option_function<std::string>(
            name,
            [&options, key](const std::string& value) {
                options.overrides.push_back(fmt::format("{}={}", key, value));
            },
            meaning)
        ->take_last();
}

}  // namespace

void add_scene_options(CLI::App& command, SceneOptions& options, const char* name, const char* meaning)
{
    command.add_option(name, options.scene, meaning);
    command
        .add_option("--set", options.overrides,
                    "Set a key of the scene, as in --set groom.strands=500; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
}

void add_picture_options(CLI::App& command, SceneOptions& options)
{
    key_option(command, options, "--quality", "render.quality", "draft, good or final")->type_name("WORD");
    command
        .add_option_function<std::string>(
            "--size",
            [&options](const std::string& text) {
                const size_t x = text.find('x');
                if (x == std::string::npos) throw CLI::ValidationError("--size", "write WIDTHxHEIGHT, as in 960x540");
                options.overrides.push_back("render.width=" + text.substr(0, x));
                options.overrides.push_back("render.height=" + text.substr(x + 1));
            },
            "Size of the picture, as in 1920x1080")
        ->take_last()
        ->type_name("WxH");
    key_option(command, options, "--hair", "render.hair",
               "Hair colour: black, brown, blonde, red, grey, white, or groom for the colours of the strands")
        ->type_name("NAME");
    key_option(command, options, "--every", "render.every", "Frames per picture")->type_name("N");
    key_option(command, options, "--camera", "render.camera",
               "framed, orbit or look_at; see [render] in 'tendril sim --keys'")
        ->type_name("WORD");
    key_option(command, options, "--azimuth", "render.azimuth", "Azimuth of the camera, from +z towards +x [rad]")
        ->type_name("RAD");
    key_option(command, options, "--elevation", "render.elevation", "Elevation of the camera [rad]")->type_name("RAD");
    key_option(command, options, "--zoom", "render.zoom", "Zoom factor")->type_name("X");
    key_option(command, options, "--overlay", "render.overlay",
               "Colour strands by id, speed, stretch, tension or contact")
        ->type_name("WORD");
}

Result<std::string> scene_file(const SceneOptions& options)
{
    return find_scene(options.scene, scene_folders());
}

Result<Overrides> overrides_of(const std::vector<std::string>& texts)
{
    Overrides overrides;
    for (const std::string& text : texts) {
        const size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{fmt::format("--set {}: write key=value, as in --set sim.substeps=4", text)};
        if (equals + 1 == text.size())
            return Error{
                fmt::format("--set {0}: the value of {1} is empty; is a variable not set? An empty text is "
                            "written '{1}=\"\"'",
                            text, text.substr(0, equals))};
        overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return overrides;
}

Result<Scene> load_scene(const SceneOptions& options, const std::string& file)
{
    const auto overrides = overrides_of(options.overrides);
    if (!overrides) return Error{overrides.error()};
    auto scene = read_scene(file, *overrides);
    if (scene) print_warnings(*scene);
    return scene;
}

void print_warnings(const Scene& scene)
{
    for (const std::string& warning : scene.warnings) print_error("tendril: warning: {}\n", warning);
}

std::string description_of(const SceneOptions& options, const std::string& file, const Scene& scene)
{
    std::ostringstream text;
    text << TENDRIL_VERSION << '\n';
    std::error_code ignored;
    // A pipe cannot be read again, so pictures of a scene from a pipe are never continued.
    if (fs::is_regular_file(file, ignored))
        text << std::ifstream(file, std::ios::binary).rdbuf() << '\n';
    else if (!file.empty())
        text << getpid() << ' ' << std::chrono::system_clock::now().time_since_epoch().count() << '\n';
    for (const std::string& set : options.overrides) text << set << '\n';
    for (const auto& [name, path] : files_of(scene)) {
        std::error_code problem;
        const auto size = fs::file_size(path, problem);
        if (problem) continue;
        text << name << ' ' << size << ' ' << fs::last_write_time(path, problem).time_since_epoch().count() << '\n';
    }
    return text.str();
}

Result<World> build_unsettled(const Scene& scene, std::shared_ptr<Executor> executor)
{
    Scene start = scene;
    start.settle = 0;
    return build_world(start, std::move(executor));
}

int thread_count(int asked)
{
    return asked > 0 ? asked : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace tendril::app
