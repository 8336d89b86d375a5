/// One client: reads requests and sends responses without ever blocking. It tells the server which events it waits for
/// and until when.
#pragma once

#include "view/file_descriptor.h"
#include "view/http_response.h"

#include <chrono>
#include <functional>
#include <string>

namespace tendril::app {

struct HttpHandlers {
    std::function<HttpResponse(const HttpRequest&)> answer;
    /// Logs a request that failed; `target` is empty if the request was not understood.
    std::function<void(int status, const std::string& target)> log;
};

class HttpConnection {
public:
    using Clock = std::chrono::steady_clock;

    HttpConnection(FileDescriptor socket, Clock::time_point now);

    int socket() const { return socket_.number(); }
    short wanted() const;  ///< events that poll should wait for
    /// When the connection times out. Single bytes that trickle in do not extend it.
    Clock::time_point deadline() const { return deadline_; }
    bool is_closed() const { return state_ == State::kClosed; }

    /// Proceeds as far as possible without blocking, and without delaying other clients.
    void proceed(const HttpHandlers& handlers, Clock::time_point now);

private:
    enum class State {
        kReading,
        kSending,
        kDraining,  ///< all is sent; discards further input, because closing at once could lose the response
        kClosed,
    };

    void read(const HttpHandlers& handlers);
    void take_request(const HttpHandlers& handlers);
    void answer(HttpResponse response, bool head_only);
    void send(const HttpHandlers& handlers);
    bool refill();
    void finish_answer(const HttpHandlers& handlers);
    void begin_draining();

    FileDescriptor socket_;
    State state_ = State::kReading;
    Clock::time_point now_, deadline_;
    std::string received_;    // not yet parsed
    std::string out_;         // to be sent
    size_t sent_ = 0;         // bytes of out_ that have been sent
    FileDescriptor file_;     // to be sent after out_
    uint64_t file_left_ = 0;  // bytes
    bool keep_alive_ = true;
};

}  // namespace tendril::app
