/// Runs `tendril view` as a child process, with clients that can send malformed requests. Needs TENDRIL_SOURCE_DIR and
/// TENDRIL_PROGRAM.
#pragma once

#include "support/cli.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace tendril::test {

enum class PrintsTo { kPipe, kTerminal };

/// How the server is started.
struct Launch {
    std::vector<std::string> before;  ///< start of the command line, such as env
    std::string program = TENDRIL_PROGRAM;
    PrintsTo prints_to = PrintsTo::kPipe;
};

class ViewServer {
public:
    /// Starts the server and waits until it has printed its address or ended. `errors` is the file for its stderr.
    ViewServer(const std::vector<std::string>& arguments, const std::string& errors, const Launch& launch = {})
    {
        const auto [reader, writer] = launch.prints_to == PrintsTo::kPipe ? open_pipe() : open_terminal();
        std::vector<std::string> words = launch.before;
        words.insert(words.end(), {launch.program, "view"});
        words.insert(words.end(), arguments.begin(), arguments.end());
        child_ = fork();
        if (child_ == 0) execute(words, writer, errors);
        close(writer);
        for (char c = 0; read(reader, &c, 1) == 1 && c != '\n';) printed_ += c;
        reader_ = reader;  // stays open: a terminal hangs up when its other end is closed
        address_ = printed_.substr(0, printed_.find_first_of(" \r"));
        const size_t colon = address_.rfind(':');
        if (colon != std::string::npos) port_ = std::atoi(address_.c_str() + colon + 1);
    }
    ViewServer(const ViewServer&) = delete;
    ViewServer& operator=(const ViewServer&) = delete;
    ~ViewServer()
    {
        if (child_ > 0) stop(SIGKILL);
        close(reader_);
    }

    const std::string& printed() const { return printed_; }  ///< the first line
    const std::string& address() const { return address_; }
    int port() const { return port_; }
    size_t open_files() const
    {
        fs::directory_iterator files("/proc/" + std::to_string(child_) + "/fd");
        return static_cast<size_t>(std::distance(begin(files), end(files)));
    }

    /// Sends a signal and returns the exit code, or -1 if the server did not end by itself within ten seconds.
    int stop(int signal)
    {
        kill(child_, signal);
        const auto begin = std::chrono::steady_clock::now();
        int status = 0;
        while (waitpid(child_, &status, WNOHANG) == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            stop_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            if (stop_seconds_ > 10) kill(child_, SIGKILL);
        }
        child_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    double stop_seconds() const { return stop_seconds_; }

private:
    static std::pair<int, int> open_pipe()
    {
        int ends[2] = {};
        EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
        return {ends[0], ends[1]};
    }
    static std::pair<int, int> open_terminal()
    {
        const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        EXPECT_EQ(grantpt(terminal) + unlockpt(terminal), 0);
        return {terminal, open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC)};
    }
    [[noreturn]] static void execute(std::vector<std::string>& words, int out, const std::string& errors)
    {
        dup2(out, STDOUT_FILENO);
        dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        execvp(pointers[0], pointers.data());
        _exit(127);
    }

    pid_t child_ = -1;
    int reader_ = -1;
    std::string printed_, address_;
    int port_ = 0;
    double stop_seconds_ = 0;
};

struct Answer {
    int status = 0;  ///< 0 if there was no answer
    std::map<std::string, std::string> fields;
    std::string body;

    std::string field(const std::string& name) const
    {
        const auto found = fields.find(name);
        return found == fields.end() ? "" : found->second;
    }
};

/// One connection. A read or write that takes more than ten seconds fails.
class Client {
public:
    explicit Client(int port, const char* address = "127.0.0.1")
    {
        socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const timeval timeout{10, 0};
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
        setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(static_cast<uint16_t>(port));
        inet_pton(AF_INET, address, &to.sin_addr);
        connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    }
    Client(Client&& other) noexcept
        : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_), received_(std::move(other.received_))
    {
    }
    ~Client()
    {
        if (socket_ >= 0) close(socket_);
    }

    bool connected() const { return connected_; }

    /// Returns false if the server did not take all bytes.
    bool send(const std::string& bytes)
    {
        for (size_t sent = 0; sent < bytes.size();) {
            const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
            if (count <= 0) return false;
            sent += static_cast<size_t>(count);
        }
        return true;
    }

    /// Receives the next answer. Its Content-Length gives the size of the body. `with_body` is false after HEAD.
    Answer receive(bool with_body = true)
    {
        size_t end = 0;
        while ((end = received_.find("\r\n\r\n")) == std::string::npos)
            if (!receive_more()) return {};
        Answer answer;
        answer.status = std::atoi(received_.c_str() + std::min(received_.size(), std::string("HTTP/1.1 ").size()));
        for (size_t begin = received_.find("\r\n") + 2; begin < end;) {
            const size_t line_end = received_.find("\r\n", begin), colon = received_.find(": ", begin);
            answer.fields[received_.substr(begin, colon - begin)] = received_.substr(colon + 2, line_end - colon - 2);
            begin = line_end + 2;
        }
        received_.erase(0, end + 4);
        if (!with_body || answer.status == 304) return answer;
        const size_t size = std::strtoul(answer.field("Content-Length").c_str(), nullptr, 10);
        while (received_.size() < size)
            if (!receive_more()) return {};
        answer.body = received_.substr(0, size);
        received_.erase(0, size);
        return answer;
    }

    /// Whether the server has sent everything and closed the connection properly.
    bool is_at_end()
    {
        char more = 0;
        return received_.empty() && recv(socket_, &more, 1, 0) == 0;
    }

private:
    bool receive_more()
    {
        char piece[65536];
        const ssize_t count = recv(socket_, piece, sizeof piece, 0);
        if (count > 0) received_.append(piece, static_cast<size_t>(count));
        return count > 0;
    }

    int socket_ = -1;
    bool connected_ = false;
    std::string received_;
};

/// A request as a browser would send it. `more` contains additional header fields.
inline std::string request(const std::string& target, const std::string& more = "", const std::string& method = "GET")
{
    return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
}

/// Sends a request on a new connection.
inline Answer ask(int port, const std::string& bytes)
{
    Client client(port);
    client.send(bytes);
    return client.receive(bytes.compare(0, 4, "HEAD") != 0);
}

inline constexpr const char* kIndex = "<!doctype html><title>page</title>";

/// A fixture with a page in a folder, and files beside it that must not be served.
class ViewCli : public Cli {
protected:
    ViewCli()
    {
        write("page/index.html", kIndex);
        write("page/engine/engine.wasm", std::string("\0asm\1\0\0\0", 8));
        write("secret.txt", "secret");
        write("page.secret/index.html", "secret");
    }

    void write(const std::string& name, const std::string& bytes) const
    {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }

    /// Adds the options for the page of this fixture and for a free port.
    std::vector<std::string> with_page(std::vector<std::string> arguments = {}) const
    {
        arguments.insert(arguments.end(), {"--page", file("page"), "--port", "0"});
        return arguments;
    }
    std::string errors() const { return file("server_errors"); }
    std::string command(const std::string& arguments) const
    {
        return "view --page '" + file("page") + "' " + arguments;
    }
};

}  // namespace tendril::test
