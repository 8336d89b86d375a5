#include "view/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace tendril::app {
namespace {

using Clock = HttpConnection::Clock;

constexpr int kPortsToTry = 100;
constexpr size_t kMaxClients = 64;      // a browser opens six connections per page
constexpr size_t kAcceptedAtOnce = 16;  // less than kMaxClients, so that each client is served before it may be dropped

/// Unblocks SIGINT and SIGTERM only while the server waits, so that none is missed and the server stops at once.
class SignalsWhileWaiting {
public:
    SignalsWhileWaiting()
    {
        sigset_t held;
        sigemptyset(&held);
        sigaddset(&held, SIGINT);
        sigaddset(&held, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~SignalsWhileWaiting() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsWhileWaiting(const SignalsWhileWaiting&) = delete;
    SignalsWhileWaiting& operator=(const SignalsWhileWaiting&) = delete;

    void wait(std::vector<pollfd>& events, std::optional<Clock::duration> longest) const
    {
        timespec time{};
        if (longest) {
            const auto left = std::max(*longest, Clock::duration::zero());
            const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
            time.tv_sec = seconds.count();
            time.tv_nsec = std::chrono::nanoseconds(left - seconds).count();
        }
        if (ppoll(events.data(), events.size(), longest ? &time : nullptr, &before_) < 0)
            for (pollfd& event : events) event.revents = 0;
    }

private:
    sigset_t before_{};
};

/// An open socket, or nothing with `errno` set.
FileDescriptor listen_on(int port)
{
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket) return socket;
    // Allows a port whose last connections are in TIME_WAIT, but not one that another program listens on.
    const int yes = 1;
    setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket.number(), SOMAXCONN) != 0) {
        const int reason = errno;
        socket = FileDescriptor();
        errno = reason;
    }
    return socket;
}

int port_of(const FileDescriptor& socket)
{
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

bool is_earlier(const HttpConnection& a, const HttpConnection& b)
{
    return a.deadline() < b.deadline();
}

}  // namespace

Result<HttpServer> HttpServer::listen(std::optional<int> port)
{
    FileDescriptor socket = listen_on(port.value_or(kFirstPort));
    for (int next = 1; !port && !socket && errno == EADDRINUSE && next < kPortsToTry; ++next)
        socket = listen_on(kFirstPort + next);
    if (!port && !socket && errno == EADDRINUSE) socket = listen_on(0);
    if (!socket && errno == EADDRINUSE)
        return Error{fmt::format("port {} is in use; choose another, or omit --port for a free one", *port)};
    if (!socket)
        return Error{fmt::format("cannot listen on port {}: {}", port.value_or(kFirstPort), std::strerror(errno))};
    const int own = port_of(socket);
    return HttpServer(std::move(socket), own);
}

/// If there are too many clients, drops the one that has been idle for longest.
void HttpServer::accept_clients(Clock::time_point now)
{
    for (size_t turn = 0; turn < kAcceptedAtOnce; ++turn) {
        FileDescriptor socket(accept4(listener_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        const bool full = socket ? clients_.size() == kMaxClients : errno == EMFILE || errno == ENFILE;
        if (full && !clients_.empty()) clients_.erase(std::min_element(clients_.begin(), clients_.end(), is_earlier));
        if (!socket) return;
        const int yes = 1;
        setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        clients_.emplace_back(std::move(socket), now);
    }
}

void HttpServer::serve(const HttpHandlers& handlers, const std::function<bool()>& stop)
{
    const SignalsWhileWaiting signals;
    std::vector<pollfd> events;
    while (!stop()) {
        events.assign(1, {listener_.number(), POLLIN, 0});
        for (const HttpConnection& client : clients_) events.push_back({client.socket(), client.wanted(), 0});
        std::optional<Clock::duration> longest;
        if (!clients_.empty())
            longest = std::min_element(clients_.begin(), clients_.end(), is_earlier)->deadline() - Clock::now();
        signals.wait(events, longest);

        const Clock::time_point now = Clock::now();
        for (size_t i = 0; i < clients_.size(); ++i)
            if (events[i + 1].revents != 0) clients_[i].proceed(handlers, now);
        std::erase_if(clients_, [&](const HttpConnection& c) { return c.is_closed() || c.deadline() <= now; });
        if (events[0].revents != 0) accept_clients(now);
    }
    clients_.clear();
}

}  // namespace tendril::app
