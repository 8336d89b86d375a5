// `tendril view`: its responses, and how it starts and ends.
#include "support/sanitized.h"
#include "support/view_server.h"

#include <ifaddrs.h>
#include <sys/stat.h>

namespace tendril::test {
namespace {

TEST_F(ViewCli, IsolatesThePageSoThatItCanUseThreads)
{
    ViewServer server(with_page(), errors());
    ASSERT_EQ(server.address(), "http://127.0.0.1:" + std::to_string(server.port()) + "/");
    const Answer index = ask(server.port(), request("/"));
    EXPECT_EQ(index.status, 200);
    EXPECT_EQ(index.body, kIndex);
    EXPECT_EQ(index.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(index.field("Cross-Origin-Opener-Policy"), "same-origin");
    EXPECT_EQ(index.field("Cross-Origin-Embedder-Policy"), "require-corp");
    EXPECT_EQ(index.field("Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_EQ(index.field("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(index.field("Cache-Control"), "no-cache");
    const std::string& policy = index.field("Content-Security-Policy");
    for (const char* part : {"default-src 'self';", "script-src 'self' 'wasm-unsafe-eval';", "worker-src 'self' blob:;",
                             "connect-src 'self' blob:;", "img-src 'self' blob: data:;"})
        EXPECT_NE(policy.find(part), std::string::npos) << part;
    EXPECT_EQ(policy.find("http"), std::string::npos) << policy;
    EXPECT_EQ(ask(server.port(), request("/index.html?scene=bust")).body, kIndex);
    EXPECT_EQ(ask(server.port(), request("/%69ndex.html")).body, kIndex);
    EXPECT_EQ(server.stop(SIGINT), 0);
    EXPECT_EQ(text_of(errors()), "") << "successful requests are not logged";
}

TEST_F(ViewCli, SendsContentTypes)
{
    const std::pair<const char*, const char*> types[] = {{"a.js", "text/javascript; charset=utf-8"},
                                                         {"a.mjs", "text/javascript; charset=utf-8"},
                                                         {"a.css", "text/css; charset=utf-8"},
                                                         {"a.json", "application/json"},
                                                         {"a.png", "image/png"},
                                                         {"a.svg", "image/svg+xml"},
                                                         {"a.toml", "application/toml; charset=utf-8"},
                                                         {"a.obj", "text/plain; charset=utf-8"},
                                                         {"a.txt", "text/plain; charset=utf-8"},
                                                         {"a.tfx", "application/octet-stream"},
                                                         {"a", "application/octet-stream"}};
    for (const auto& [name, type] : types) write(std::string("page/") + name, name);
    ViewServer server(with_page(), errors());
    for (const auto& [name, type] : types) {
        const Answer answer = ask(server.port(), request(std::string("/") + name));
        EXPECT_EQ(answer.status, 200) << name;
        EXPECT_EQ(answer.field("Content-Type"), type) << name;
        EXPECT_EQ(answer.body, name);
    }
    const Answer engine = ask(server.port(), request("/engine/engine.wasm", "", "HEAD"));
    EXPECT_EQ(engine.status, 200);
    EXPECT_EQ(engine.field("Content-Type"), "application/wasm");
    EXPECT_EQ(engine.field("Content-Length"), "8");
}

TEST_F(ViewCli, SendsTheCompressedFileIfAccepted)
{
    write("page/engine/engine.wasm.gz", "compressed");
    ViewServer server(with_page(), errors());
    const auto get = [&](const std::string& more) { return ask(server.port(), request("/engine/engine.wasm", more)); };
    for (const char* accepted : {"gzip, deflate, br", "br;q=1, GZIP;q=0.5", "deflate,gzip;q=1.0"}) {
        const Answer small = get(std::string("Accept-Encoding: ") + accepted + "\r\n");
        EXPECT_EQ(small.body, "compressed") << accepted;
        EXPECT_EQ(small.field("Content-Encoding"), "gzip");
        EXPECT_EQ(small.field("Content-Type"), "application/wasm");
        EXPECT_EQ(small.field("Vary"), "Accept-Encoding");
    }
    for (const char* refused : {"", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip;q=0\r\n",
                                "Accept-Encoding: gzip; q=0.000\r\n", "Accept-Encoding: notgzip\r\n"}) {
        const Answer plain = get(refused);
        EXPECT_EQ(plain.body.size(), 8u) << refused;
        EXPECT_EQ(plain.field("Content-Encoding"), "");
    }
    EXPECT_EQ(ask(server.port(), request("/", "Accept-Encoding: gzip\r\n")).body, kIndex)
        << "there is no compressed file";
}

TEST_F(ViewCli, SendsAFileAgainOnlyIfItChanged)
{
    ViewServer server(with_page(), errors());
    const std::string tag = ask(server.port(), request("/")).field("ETag");
    const std::string known = "If-None-Match: \"other\", " + tag + "\r\n";
    EXPECT_EQ(ask(server.port(), request("/", known)).status, 304);
    EXPECT_EQ(ask(server.port(), request("/engine/engine.wasm", known)).status, 200);
    write("page/index.html", "another");
    const Answer changed = ask(server.port(), request("/", known));
    EXPECT_EQ(changed.status, 200);
    EXPECT_EQ(changed.body, "another");
}

TEST_F(ViewCli, ServesASceneAndOnlyTheFilesItRefersTo)
{
    write("scene/shapes/rope.obj", "v 0 0 0\nv 0 -1 0\nl 1 2\n");
    write("scene/head.gltf",
          R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "data/my%20head.bin"},
             {"byteLength": 4, "uri": "data:application/octet-stream;base64,AAAA"},
             {"byteLength": 4, "uri": "../../secret.txt"}]})");
    write("scene/data/my head.bin", "mesh");
    const std::string toml =
        "# a \"scene\" \xc3\xa4\n[[body]]\nmesh = \"head.gltf\"\n[[body]]\nname = \"other\"\n"
        "mesh = \"bust\"\n[groom]\nfile = \"shapes/rope.obj\"\n";
    write("scene/mine.toml", toml);
    ViewServer server(with_page({file("scene/mine.toml"), "--set", "solver.type=pbd", "--set", "body.0.name=a=b"}),
                      errors());
    const Answer answer = ask(server.port(), request("/open.json"));
    ASSERT_EQ(answer.status, 200);
    EXPECT_EQ(answer.field("Content-Type"), "application/json");
    const auto open = nlohmann::json::parse(answer.body);
    EXPECT_EQ(open.at("name"), "mine");
    EXPECT_EQ(open.at("toml"), toml);
    EXPECT_EQ(open.at("overrides"), nlohmann::json::parse(R"([["solver.type", "pbd"], ["body.0.name", "a=b"]])"));
    EXPECT_EQ(open.at("files"), nlohmann::json::parse(R"([{"name": "head.gltf", "url": "open/0"},
        {"name": "data/my head.bin", "url": "open/1"}, {"name": "shapes/rope.obj", "url": "open/2"}])"));
    EXPECT_EQ(ask(server.port(), request("/open/0")).body, text_of(file("scene/head.gltf")));
    EXPECT_EQ(ask(server.port(), request("/open/1")).body, "mesh");
    EXPECT_EQ(ask(server.port(), request("/open/2")).body, text_of(file("scene/shapes/rope.obj")));
    EXPECT_EQ(ask(server.port(), request("/open/3")).status, 404);

    // After an edit, the current text and files are served, even if the scene is invalid, because the page reports
    // errors.
    write("scene/mine.toml", "[groom]\nfile = \"shapes/rope.obj\"\n[[body]]\n");
    EXPECT_EQ(nlohmann::json::parse(ask(server.port(), request("/open.json")).body).at("files").size(), 1u);
    EXPECT_EQ(ask(server.port(), request("/open/0")).body, text_of(file("scene/shapes/rope.obj")));
    EXPECT_EQ(ask(server.port(), request("/open/1")).status, 404);
    write("scene/mine.toml", "[groom\xff");
    const auto wrong = nlohmann::json::parse(ask(server.port(), request("/open.json")).body);
    EXPECT_EQ(wrong.at("toml"), "[groom\xef\xbf\xbd");
    EXPECT_EQ(wrong.at("files").size(), 1u);
}

TEST_F(ViewCli, WithoutASceneThereIsNothingToOpen)
{
    ViewServer server(with_page(), errors());
    EXPECT_EQ(ask(server.port(), request("/open.json")).status, 404);
    EXPECT_EQ(ask(server.port(), request("/open/0")).status, 404);
}

TEST_F(ViewCli, ListensOnLoopbackOnly)
{
    ViewServer server(with_page(), errors());
    EXPECT_TRUE(Client(server.port()).connected());
    EXPECT_FALSE(Client(server.port(), "127.0.0.2").connected());
    ifaddrs* interfaces = nullptr;
    ASSERT_EQ(getifaddrs(&interfaces), 0);
    for (const ifaddrs* own = interfaces; own; own = own->ifa_next) {
        if (!own->ifa_addr || own->ifa_addr->sa_family != AF_INET) continue;
        char name[INET_ADDRSTRLEN] = {};
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(own->ifa_addr)->sin_addr, name, sizeof name);
        EXPECT_EQ(Client(server.port(), name).connected(), std::string(name) == "127.0.0.1") << name;
    }
    freeifaddrs(interfaces);
}

TEST_F(ViewCli, SignalsStopTheServerAtOnce)
{
    write("page/large.bin", "");
    fs::resize_file(file("page/large.bin"), 1 << 30);  // larger than any buffer
    for (const int signal : {SIGINT, SIGTERM}) {
        ViewServer server(with_page(), errors());
        Client reader(server.port()), idle(server.port());
        reader.send(request("/large.bin"));
        EXPECT_EQ(ask(server.port(), request("/")).status, 200);
        EXPECT_EQ(server.stop(signal), 0) << signal;
        EXPECT_LT(server.stop_seconds(), kSanitized ? 5.0 : 1.0);
        EXPECT_FALSE(Client(server.port()).connected());
        EXPECT_EQ(text_of(errors()), "");
    }
}

TEST_F(ViewCli, TakesTheNextFreePortByDefault)
{
    ViewServer first({"--page", file("page")}, errors()), second({"--page", file("page")}, errors());
    EXPECT_GE(first.port(), 8137);
    EXPECT_GE(second.port(), 8137);
    EXPECT_NE(first.port(), second.port());
    EXPECT_EQ(ask(second.port(), request("/")).status, 200);
    expect_refused(command("--port " + std::to_string(first.port())),
                   "port " + std::to_string(first.port()) + " is in use");
    // A port that was in use a moment ago is free again.
    Client client(first.port());
    client.send(request("/"));
    EXPECT_EQ(client.receive().status, 200);
    EXPECT_EQ(first.stop(SIGINT), 0);
    ViewServer again({"--page", file("page"), "--port", std::to_string(first.port())}, errors());
    EXPECT_EQ(again.port(), first.port());
}

TEST_F(ViewCli, BadInputIsOneLineAndExitCodeTwo)
{
    expect_refused("view --page '" + file("nothing") + "'", "there is no folder");
    fs::create_directory(file("empty"));
    expect_refused("view --page '" + file("empty") + "'", "'./dev web' builds it");
    expect_refused(command("--port 70000"), "--port");
    expect_refused(command("--port x"), "--port");
    expect_refused(command("--set solver.type=pbd"), "which one?");
    expect_refused(command("helo_"), "did you mean");
    expect_refused(command(scene("hello") + " --set solver.velocity_corection=1"), "did you mean");
    expect_refused(command(scene("hello") + " --set novalue"), "write key=value");
    expect_refused(command(file("page")), "is a folder");
    expect_refused(command(scene("hello") + " --set groom.file=nothing.tfx"), "cannot open 'nothing.tfx'");
    ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
    expect_refused(command(file("pipe")), "is a pipe");
    // A copy of the program without its files.
    fs::create_directories(file("bin"));
    fs::copy_file(TENDRIL_PROGRAM, folder_ / "bin/tendril");
    const int status = std::system(("'" + file("bin/tendril") + "' view >/dev/null 2>'" + file("alone") + "'").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2);
    EXPECT_NE(text_of(file("alone")).find("there is no page to show: './dev web' builds it"), std::string::npos);
}

TEST_F(ViewCli, FindsTheInstalledPage)
{
    fs::create_directories(file("bin"));
    fs::copy_file(TENDRIL_PROGRAM, folder_ / "bin/tendril");
    write("share/tendril/web/index.html", "installed");
    ViewServer server({"--port", "0"}, errors(), {{}, file("bin/tendril")});
    EXPECT_EQ(ask(server.port(), request("/")).body, "installed");
}

TEST_F(ViewCli, OpensTheBrowserOnADesktop)
{
    write("tools/xdg-open", "#!/bin/sh\necho \"$1\" > '" + file("opening") + "'\nmv '" + file("opening") + "' '" +
                                file("opened") + "'\nsleep 0.3\necho > '" + file("survived") + "'\n");
    fs::permissions(folder_ / "tools/xdg-open", fs::perms::owner_all);
    const auto appears = [&](const char* name) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!fs::exists(file(name)) && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return fs::exists(file(name));
    };
    const std::string path = "PATH=" + file("tools") + ":" + std::getenv("PATH");
    const auto launch = [&](const std::string& display, PrintsTo prints_to) {
        return Launch{{"env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", path, display}, TENDRIL_PROGRAM, prints_to};
    };
    for (const char* display : {"DISPLAY=:0", "WAYLAND_DISPLAY=wayland-0"}) {
        ViewServer server(with_page({"hello"}), errors(), launch(display, PrintsTo::kTerminal));
        EXPECT_EQ(server.printed(), server.address() + "  (press Ctrl-C to stop)\r");
        ASSERT_TRUE(appears("opened")) << display;
        EXPECT_EQ(text_of(file("opened")), server.address() + "\n");
        EXPECT_EQ(server.stop(SIGINT), 0);
        EXPECT_TRUE(appears("survived"));
        fs::remove(file("opened"));
    }
    {
        ViewServer unwanted(with_page({"--no-browser"}), errors(), launch("DISPLAY=:0", PrintsTo::kTerminal));
        ViewServer blind(with_page(), errors(), launch("DISPLAY=", PrintsTo::kTerminal));
        ViewServer unseen(with_page(), errors(), launch("DISPLAY=:0", PrintsTo::kPipe));
        for (const ViewServer* server : {&unwanted, &blind, &unseen})
            EXPECT_EQ(ask(server->port(), request("/")).status, 200);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_FALSE(fs::exists(file("opened")));
}

}  // namespace
}  // namespace tendril::test
