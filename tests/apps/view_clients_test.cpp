// `tendril view` with malicious and slow clients.
#include "support/sanitized.h"
#include "support/view_server.h"

#include <sys/stat.h>

#include <random>

namespace tendril::test {
namespace {

TEST_F(ViewCli, ServesNothingOutsideItsFolder)
{
    fs::create_symlink("../secret.txt", folder_ / "page/out.txt");
    fs::create_symlink(folder_, folder_ / "page/up");
    fs::create_symlink("../page.secret", folder_ / "page/beside");
    fs::create_symlink("index.html", folder_ / "page/inside.html");
    write("page/.hidden", "secret");
    fs::create_directories(folder_ / "page/empty");
    ASSERT_EQ(mkfifo(file("page/pipe").c_str(), 0600), 0);
    ViewServer server(with_page({scene("knot")}), errors());
    for (const std::string target : {"/../secret.txt",
                                     "/%2e%2e/secret.txt",
                                     "/%2E%2E%2Fsecret.txt",
                                     "/..%2fsecret.txt",
                                     "/.%2e/secret.txt",
                                     "/engine/../../secret.txt",
                                     "/engine/..%2f..%2fsecret.txt",
                                     "/%252e%252e/secret.txt",
                                     "/..%5csecret.txt",
                                     "/..\\secret.txt",
                                     "/%c0%ae%c0%ae/secret.txt",
                                     "/./../secret.txt",
                                     "/.../secret.txt",
                                     "//etc/passwd",
                                     "/%2fetc/passwd",
                                     "/%2fetc%2fpasswd",
                                     "///etc/passwd",
                                     "/../../../../../../../../etc/passwd",
                                     "/../page.secret/index.html",
                                     "/out.txt",
                                     "/up/secret.txt",
                                     "/beside/index.html",
                                     "/beside/",
                                     "/.hidden",
                                     "/%2ehidden",
                                     "/index.html%00.js",
                                     "/%00",
                                     "/engine",
                                     "/engine/",
                                     "/empty/",
                                     "/engine/engine.wasm/",
                                     "/index.html/",
                                     "/./index.html",
                                     "/engine//engine.wasm",
                                     "/pipe",
                                     "/nothing",
                                     "/open/1",
                                     "/open/-1",
                                     "/open/00x",
                                     "/open/",
                                     "/open/0/",
                                     "/open/18446744073709551616",
                                     "/open/0/../../secret.txt",
                                     "/open/..%2f..%2fsecret.txt"}) {
        const Answer answer = ask(server.port(), request(target));
        EXPECT_EQ(answer.status, 404) << target;
        EXPECT_EQ(answer.body, "404 Not Found\n") << target;
    }
    EXPECT_EQ(ask(server.port(), request("/inside.html")).body, kIndex) << "a link that stays inside";
    EXPECT_EQ(ask(server.port(), request("/" + std::string(4000, 'a'))).status, 404);
}

TEST_F(ViewCli, AnswersOnlyToHostNamesOfThisMachine)
{
    ViewServer server(with_page(), errors());
    const std::string port = std::to_string(server.port());
    const auto status = [&](const std::string& host) {
        return ask(server.port(), "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status;
    };
    for (const std::string& own : {std::string("localhost"), "localhost:" + port, std::string("LocalHost:1"),
                                   std::string("127.0.0.1"), "127.0.0.1:" + port, "[::1]:" + port})
        EXPECT_EQ(status(own), 200) << own;
    for (const std::string& other :
         {std::string("evil.example"), "evil.example:" + port, "localhost.evil.example:" + port,
          std::string("127.0.0.1.evil.example"), std::string("127.0.0.2"), std::string("localhost:80@evil.example"),
          std::string("0.0.0.0"), std::string("evil.example localhost"), std::string("localhost:123456"),
          std::string()})
        EXPECT_EQ(status(other), 403) << other;
    EXPECT_EQ(ask(server.port(), "GET / HTTP/1.1\r\n\r\n").status, 400);
    EXPECT_EQ(ask(server.port(), request("/", "Host: localhost\r\n")).status, 400) << "two Host fields";
    EXPECT_EQ(server.stop(SIGTERM), 0);
    EXPECT_NE(text_of(errors()).find("tendril view: 403 Forbidden: /\n"), std::string::npos);
}

TEST_F(ViewCli, RefusesInvalidRequests)
{
    ViewServer server(with_page(), errors());
    const std::string host = "Host: localhost\r\n";
    const std::pair<std::string, int> cases[] = {
        {request("/", "", "POST"), 405},
        {request("/", "Content-Length: 3\r\n", "PUT") + "abc", 405},
        {request("*", "", "OPTIONS"), 405},
        {"CONNECT localhost:80 HTTP/1.1\r\n" + host + "\r\n", 405},
        {request("/", "Content-Length: 3\r\n") + "abc", 400},
        {request("/", "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n", 400},
        {request("http://evil.example/"), 400},
        {request("index.html"), 400},
        {request("/%"), 400},
        {request("/%2"), 400},
        {request("/%zz"), 400},
        {request("/%+1"), 400},
        {request("/a b"), 400},
        {request(""), 400},
        {"GET /\r\n" + host + "\r\n", 400},
        {"GET / HTTP/1.1\n" + host + "\n", 400},
        {"GET / HTTP/2.0\r\n" + host + "\r\n", 505},
        {"GET / HTTP/11\r\n" + host + "\r\n", 400},
        {"G(T / HTTP/1.1\r\n" + host + "\r\n", 400},
        {request("/", "no colon\r\n"), 400},
        {request("/", "space : x\r\n"), 400},
        {request("/", " folded: x\r\n"), 400},
        {request("/", std::string("nul: \0\r\n", 8)), 400},
        {std::string("\x16\x03\x01\x02\x00\x01", 6), 400},
        {request("/" + std::string(10'000, 'a')), 414},
        {std::string(10'000'000, 'a'), 414},
        {request("/", "Cookie: " + std::string(40'000, 'a') + "\r\n"), 431},
        {"GET / HTTP/1.1\r\n" + std::string(10'000'000, 'a'), 431},
    };
    for (const auto& [bytes, status] : cases) {
        Client client(server.port());
        EXPECT_TRUE(client.send(bytes)) << bytes.substr(0, 100);
        const Answer answer = client.receive();
        EXPECT_EQ(answer.status, status) << bytes.substr(0, 100);
        EXPECT_TRUE(client.is_at_end()) << bytes.substr(0, 100);
        EXPECT_EQ(answer.field("Connection"), "close") << bytes.substr(0, 100);
        EXPECT_EQ(answer.field("Cross-Origin-Resource-Policy"), "same-origin");
    }
    EXPECT_EQ(ask(server.port(), cases[0].first).field("Allow"), "GET, HEAD");
    EXPECT_EQ(ask(server.port(), "\r\n" + request("/")).status, 200) << "an empty line before a request is ignored";
    EXPECT_EQ(ask(server.port(), request("/nothing\x1b[31m\xff")).status, 400);
    EXPECT_EQ(ask(server.port(), request("/nothing\xff")).status, 404);
    EXPECT_EQ(server.stop(SIGINT), 0);
    const std::string log = text_of(errors());
    EXPECT_NE(log.find("404 Not Found: /nothing?\n"), std::string::npos) << log.substr(0, 2000);
    for (const char c : log) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << int{c};
}

TEST_F(ViewCli, SurvivesDamagedRequests)
{
    ViewServer server(with_page({scene("knot")}), errors());
    std::mt19937 random(1);
    const std::string valid =
        request("/engine/engine.wasm?a=%20", "Accept-Encoding: gzip\r\nConnection: keep-alive\r\n");
    for (int round = 0; round < 300; ++round) {
        std::string bytes = valid + valid;
        for (uint32_t change = random() % 8; change > 0; --change)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        bytes.resize(random() % 4 == 0 ? random() % bytes.size() : bytes.size());
        Client client(server.port());
        client.send(bytes);
        if (random() % 2 == 0) client.send(request("/", "Connection: close\r\n"));
    }
    EXPECT_EQ(ask(server.port(), request("/")).body, kIndex);
    EXPECT_EQ(server.stop(SIGINT), 0);
}

TEST_F(ViewCli, KeepsConnectionsAndAnswersInOrder)
{
    write("page/large.bin", std::string(5'000'000, 'x') + "end");
    ViewServer server(with_page(), errors());
    Client client(server.port());
    client.send(request("/large.bin") + request("/nothing") + request("/", "", "HEAD") + request("/"));
    const Answer large = client.receive();
    EXPECT_EQ(large.body.size(), 5'000'003u);
    EXPECT_EQ(large.body.substr(5'000'000), "end");
    EXPECT_EQ(large.field("Connection"), "keep-alive");
    EXPECT_EQ(client.receive().status, 404);
    EXPECT_EQ(client.receive(false).field("Content-Length"), std::to_string(std::string(kIndex).size()));
    EXPECT_EQ(client.receive().body, kIndex);
    client.send(request("/", "Connection: Close\r\n"));
    EXPECT_EQ(client.receive().body, kIndex);
    EXPECT_TRUE(client.is_at_end());
    Client old(server.port());
    old.send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(old.receive().body, kIndex);
    EXPECT_TRUE(old.is_at_end());
}

TEST_F(ViewCli, SlowClientsDoNotDelayOthers)
{
    write("page/large.bin", "");
    fs::resize_file(file("page/large.bin"), 1 << 30);  // larger than any buffer
    ViewServer server(with_page(), errors());
    const auto begin = std::chrono::steady_clock::now();
    std::vector<Client> slow;
    // More clients than the server accepts: some begin a request and do not end it, some do not read the response.
    for (int i = 0; i < 150; ++i) {
        slow.emplace_back(server.port());
        ASSERT_TRUE(slow.back().connected());
        slow.back().send(i % 3 == 0 ? request("/large.bin") : i % 3 == 1 ? "GET / HTTP/1.1\r\nHos" : "");
    }
    for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(server.port(), request("/")).body, kIndex);
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(waited.count(), kSanitized ? 8.0 : 3.0) << "less than the timeout of a client";
    EXPECT_LT(server.open_files(), 140u) << "64 connections with a file each";
    EXPECT_EQ(server.stop(SIGINT), 0) << "with clients still connected";
}

TEST_F(ViewCli, DropsClientsThatTakeTooLong)
{
    ViewServer server(with_page(), errors());
    Client client(server.port());
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    while (seconds() < 9) {  // single bytes do not extend the timeout
        client.send("a");
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    EXPECT_TRUE(client.is_at_end());
    EXPECT_GT(seconds(), 9.5);
    EXPECT_LT(seconds(), 15);
}

}  // namespace
}  // namespace tendril::test
