/// What a client asks for, as far as a server of files understands HTTP/1.1 (RFC 9110 and 9112): GET and HEAD without a
/// body.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tendril::app {

/// Browsers send about 1 kB, and all cookies of other servers on this machine.
inline constexpr size_t kMostHeadBytes = 32 << 10;
inline constexpr size_t kMostTargetBytes = 8 << 10;

struct HttpRequest {
    std::string target;  ///< as it was sent
    std::string path;    ///< decoded, without what follows a question mark
    std::string known;   ///< If-None-Match: tags of what the client has already
    bool head_only = false;
    bool accepts_gzip = false;
    bool keep_alive = true;
};

/// The beginning of what a client has sent.
struct HttpHead {
    size_t bytes = 0;  ///< of the head; 0: not complete yet
    int refusal = 0;   ///< status to refuse it with; 0: none
    HttpRequest request;
};

HttpHead parse_http_head(std::string_view received);

}  // namespace tendril::app
