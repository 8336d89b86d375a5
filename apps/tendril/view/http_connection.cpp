#include "view/http_connection.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <poll.h>
#include <sys/socket.h>

namespace tendril::app {
namespace {

using namespace std::chrono_literals;

constexpr auto kTimeForRequest = 10s;  // also between requests
constexpr auto kTimeForProgress = 10s;
constexpr auto kTimeToDrain = 1s;

constexpr size_t kPieceBytes = 64 << 10;
constexpr size_t kTurnBytes = 1 << 20;  // then other clients get a turn

bool would_block()
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

HttpResponse answer_of(const HttpHandlers& handlers, const HttpRequest& request)
{
    try {
        return handlers.answer(request);
    } catch (const std::exception&) {  // out of memory or file descriptors
        return http_problem(500);
    }
}

}  // namespace

HttpConnection::HttpConnection(FileDescriptor socket, Clock::time_point now)
    : socket_(std::move(socket)), now_(now), deadline_(now + kTimeForRequest)
{
}

short HttpConnection::wanted() const
{
    return state_ == State::kSending ? POLLOUT : POLLIN;
}

void HttpConnection::proceed(const HttpHandlers& handlers, Clock::time_point now)
{
    now_ = now;
    if (state_ == State::kReading || state_ == State::kDraining) read(handlers);
    if (state_ == State::kSending) send(handlers);
}

void HttpConnection::read(const HttpHandlers& handlers)
{
    char piece[kPieceBytes];
    const ssize_t count = recv(socket(), piece, sizeof piece, 0);
    if (count < 0 && would_block()) return;
    if (count <= 0) {
        state_ = State::kClosed;
    } else if (state_ == State::kReading) {
        received_.append(piece, static_cast<size_t>(count));
        take_request(handlers);
    }
}

void HttpConnection::take_request(const HttpHandlers& handlers)
{
    const HttpHead head = parse_http_head(received_);
    if (head.bytes == 0 && head.refusal == 0) return;
    received_.erase(0, head.bytes);
    HttpResponse response = head.refusal != 0 ? http_problem(head.refusal) : answer_of(handlers, head.request);
    if (response.status >= 400) handlers.log(response.status, head.request.target);
    // After a refusal, it is unknown where the next request begins.
    keep_alive_ = head.refusal == 0 && head.request.keep_alive;
    answer(std::move(response), head.request.head_only);
}

void HttpConnection::answer(HttpResponse response, bool head_only)
{
    out_ = http_head(response, keep_alive_);
    sent_ = 0;
    file_left_ = 0;
    if (!head_only && response.status != 304) {
        out_ += response.body;
        if (response.file) {
            file_left_ = response.file->size;
            file_ = std::move(response.file->file);
        }
    }
    state_ = State::kSending;
    deadline_ = now_ + kTimeForProgress;
}

void HttpConnection::send(const HttpHandlers& handlers)
{
    for (size_t turn = 0; state_ == State::kSending && turn < kTurnBytes;) {
        if (sent_ == out_.size() && !refill()) {
            finish_answer(handlers);
            continue;
        }
        const ssize_t count = ::send(socket(), out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
        if (count < 0 && would_block()) return;
        if (count <= 0) {
            state_ = State::kClosed;
            return;
        }
        sent_ += static_cast<size_t>(count);
        turn += static_cast<size_t>(count);
        deadline_ = now_ + kTimeForProgress;
    }
}

/// Reads the next piece of the file; returns false if there is none.
bool HttpConnection::refill()
{
    if (file_left_ == 0) return false;
    out_.resize(std::min<uint64_t>(kPieceBytes, file_left_));
    sent_ = 0;
    const ssize_t count = ::read(file_.number(), out_.data(), out_.size());
    if (count <= 0) {  // the file became shorter than the announced length
        state_ = State::kClosed;
        out_.clear();
        return false;
    }
    out_.resize(static_cast<size_t>(count));
    file_left_ -= static_cast<uint64_t>(count);
    return true;
}

void HttpConnection::finish_answer(const HttpHandlers& handlers)
{
    if (state_ == State::kClosed) return;
    file_ = FileDescriptor();
    if (!keep_alive_) return begin_draining();
    state_ = State::kReading;
    deadline_ = now_ + kTimeForRequest;
    take_request(handlers);  // the next one may already have been received
}

void HttpConnection::begin_draining()
{
    shutdown(socket(), SHUT_WR);
    state_ = State::kDraining;
    deadline_ = now_ + kTimeToDrain;
    received_.clear();
}

}  // namespace tendril::app
