/// A request of a client. A file server needs a small part of HTTP/1.1 (RFC 9110 and 9112): GET and HEAD without a
/// body.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tendril::app {

/// Browsers send about 1 kB, plus all cookies of other servers on this machine.
inline constexpr size_t kMaxHeadBytes = 32 << 10;
inline constexpr size_t kMaxTargetBytes = 8 << 10;

struct HttpRequest {
    std::string target;  ///< as sent
    std::string path;    ///< decoded, without the query
    std::string known;   ///< If-None-Match: the tags that the client already has
    bool head_only = false;
    bool accepts_gzip = false;
    bool keep_alive = true;
};

/// The result of parsing what a client has sent so far.
struct HttpHead {
    size_t bytes = 0;  ///< length of the head; 0 if it is not complete
    int refusal = 0;   ///< status to refuse the request with; 0 if it is valid
    HttpRequest request;
};

HttpHead parse_http_head(std::string_view received);

}  // namespace tendril::app
