/// One client: reads requests, sends answers, and never waits for either. It says what it wants to do next and until
/// when, and is told when it can.
#pragma once

#include "view/file_descriptor.h"
#include "view/http_response.h"

#include <chrono>
#include <functional>
#include <string>

namespace tendril::app {

struct HttpHandlers {
    std::function<HttpResponse(const HttpRequest&)> answer;
    /// Something could not be answered; `target` is empty where it was not understood.
    std::function<void(int status, const std::string& target)> log;
};

class HttpConnection {
public:
    using Clock = std::chrono::steady_clock;

    HttpConnection(FileDescriptor socket, Clock::time_point now);

    int socket() const { return socket_.number(); }
    short wanted() const;  ///< events that poll should wait for
    /// When it is over if nothing happens. Bytes that trickle in do not put it off.
    Clock::time_point deadline() const { return deadline_; }
    bool is_over() const { return state_ == State::kOver; }

    /// Goes on as far as it can without waiting, and without keeping others waiting.
    void proceed(const HttpHandlers& handlers, Clock::time_point now);

private:
    enum class State {
        kReading,
        kSending,
        kParting,  ///< all is sent: what still comes is thrown away, because closing at once would take the answer back
        kOver,
    };

    void read(const HttpHandlers& handlers);
    void take_request(const HttpHandlers& handlers);
    void answer(HttpResponse response, bool head_only);
    void send(const HttpHandlers& handlers);
    bool refill();
    void finish_answer(const HttpHandlers& handlers);
    void part();

    FileDescriptor socket_;
    State state_ = State::kReading;
    Clock::time_point now_, deadline_;
    std::string received_;    // not yet understood
    std::string out_;         // to be sent
    size_t sent_ = 0;         // of it
    FileDescriptor file_;     // to be sent after that
    uint64_t file_left_ = 0;  // bytes
    bool keep_alive_ = true;
};

}  // namespace tendril::app
