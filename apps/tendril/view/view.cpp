// `tendril view`: serves the live page to the browser of this machine.
#include "commands.h"
#include "interrupt.h"
#include "print_error.h"
#include "scene_options.h"
#include "view/browser.h"
#include "view/http_server.h"
#include "view/opened_scene.h"
#include "view/page_folder.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <unistd.h>

namespace tendril::app {
namespace {

struct ViewOptions {
    SceneOptions scene;  ///< empty: the page shows its own scenes
    std::optional<int> port;
    std::string page;
    bool no_browser = false;
};

constexpr const char* kOpenedScene = "/open.json";

constexpr const char* kViewExamples =
    "The page is served to this machine only and runs the simulation itself; no data leaves the machine.\n"
    "Reload the page after editing a scene. Ctrl-C stops the server.\n\n"
    "Examples:\n"
    "  tendril view                                        choose a scene on the page\n"
    "  tendril view bust                                   start with this scene\n"
    "  tendril view my_scene.toml --set solver.type=pbd    change values\n"
    "  tendril view --port 8080 --no-browser               open http://127.0.0.1:8080/ yourself\n\n"
    "Exit codes: 0 ended by Ctrl-C, 2 bad input or usage.";

HttpResponse answer(const PageFolder& page, std::optional<OpenedScene>& scene, const HttpRequest& request)
{
    if (scene && request.path == kOpenedScene) {
        HttpResponse response;
        response.type = "application/json";
        response.body = scene->json();
        return response;
    }
    if (scene)
        if (auto file = scene->file(request.path)) return http_file(std::move(*file), request);
    auto file = page.open(request.path, request.accepts_gzip ? Compressed::kAccepted : Compressed::kRefused);
    return file ? http_file(std::move(*file), request) : http_problem(404);
}

void log_problem(int status, std::string target)
{
    constexpr size_t kMaxShown = 200;
    // Control characters must not reach the terminal.
    for (char& c : target)
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
    if (target.size() > kMaxShown) target.replace(kMaxShown, std::string::npos, "...");
    print_error("tendril view: {} {}{}{}\n", status, http_reason(status), target.empty() ? "" : ": ", target);
}

int run_view(const ViewOptions& options)
{
    const Result<PageFolder> page = PageFolder::find(options.page);
    if (!page) return bad_input("view", page.error());
    std::optional<OpenedScene> scene;
    if (options.scene.scene.empty() && !options.scene.overrides.empty())
        return bad_input("view", "--set changes a scene; which one?");
    if (!options.scene.scene.empty()) {
        Result<OpenedScene> opened = OpenedScene::open(options.scene);
        if (!opened) return bad_input("view", opened.error());
        scene.emplace(std::move(*opened));
    }
    Result<HttpServer> server = HttpServer::listen(options.port);
    if (!server) return bad_input("view", server.error());

    catch_signals();
    const std::string address = fmt::format("http://127.0.0.1:{}/", server->port());
    fmt::print("{}{}\n", address, isatty(STDOUT_FILENO) ? "  (press Ctrl-C to stop)" : "");
    std::fflush(stdout);
    if (!options.no_browser) open_browser(address);
    const HttpHandlers handlers{[&](const HttpRequest& request) { return answer(*page, scene, request); }, log_problem};
    server->serve(handlers, interrupted);
    return kFine;
}

}  // namespace

Run add_view_command(CLI::App& program)
{
    const auto options = std::make_shared<ViewOptions>();
    CLI::App* view = program.add_subcommand("view", "Open interactive scenes in the browser");
    add_scene_options(*view, options->scene);
    view->add_option(
            "--port", options->port,
            fmt::format("Port; 0: any free port; default: the first free port from {} on", HttpServer::kFirstPort))
        ->check(CLI::Range(0, 65535));
    add_path_option(*view, "--page", options->page, "Folder of the page; default: the one that comes with the program")
        ->type_name("FOLDER");
    view->add_flag("--no-browser", options->no_browser, "Only print the address");
    view->footer(kViewExamples);
    return [options] { return run_view(*options); };
}

}  // namespace tendril::app
