/// What a client is answered.
#pragma once

#include "view/http_request.h"
#include "view/served_file.h"

#include <optional>
#include <string>

namespace tendril::app {

struct HttpResponse {
    int status = 200;
    std::string type;                ///< of `body`
    std::string body;                ///< where there is no file
    std::optional<ServedFile> file;  ///< to be sent after the head
};

/// One line that says what is wrong.
HttpResponse http_problem(int status);

/// The file, or that the client has it already.
HttpResponse http_file(ServedFile file, const HttpRequest& request);

/// Status line and fields with the empty line after them. Every answer keeps the page to itself: shared memory, and so
/// threads, needs the cross-origin fields, and nothing is loaded from anywhere else.
std::string http_head(const HttpResponse& response, bool keep_alive);

const char* http_reason(int status);

}  // namespace tendril::app
