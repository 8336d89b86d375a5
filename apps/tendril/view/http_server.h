/// An HTTP/1.1 server for this machine only. One thread serves all clients in turn, so that no client waits for a slow
/// one.
#pragma once

#include "tendril/result.h"
#include "view/http_connection.h"

#include <optional>
#include <vector>

namespace tendril::app {

class HttpServer {
public:
    /// Listens on 127.0.0.1. `port` 0: any free port; empty: the first free port from kFirstPort on.
    static Result<HttpServer> listen(std::optional<int> port);
    static constexpr int kFirstPort = 8137;

    int port() const { return port_; }

    /// Serves until `stop` returns true; it is called after every signal.
    void serve(const HttpHandlers& handlers, const std::function<bool()>& stop);

private:
    HttpServer(FileDescriptor listener, int port) : listener_(std::move(listener)), port_(port) {}
    void accept_clients(HttpConnection::Clock::time_point now);

    FileDescriptor listener_;
    int port_;
    std::vector<HttpConnection> clients_;
};

}  // namespace tendril::app
