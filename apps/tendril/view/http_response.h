/// The response to a client.
#pragma once

#include "view/http_request.h"
#include "view/served_file.h"

#include <optional>
#include <string>

namespace tendril::app {

struct HttpResponse {
    int status = 200;
    std::string type;                ///< of `body`
    std::string body;                ///< if there is no file
    std::optional<ServedFile> file;  ///< to be sent after the head
};

/// A one-line error message.
HttpResponse http_problem(int status);

/// The file, or 304 if the client already has it.
HttpResponse http_file(ServedFile file, const HttpRequest& request);

/// Status line, header fields and an empty line. All responses isolate the page: shared memory, and therefore threads,
/// needs the cross-origin fields, and the page may load nothing from other servers.
std::string http_head(const HttpResponse& response, bool keep_alive);

const char* http_reason(int status);

}  // namespace tendril::app
