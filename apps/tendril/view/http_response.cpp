#include "view/http_response.h"

#include <fmt/format.h>

namespace tendril::app {
namespace {

constexpr const char* kPolicies =
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Embedder-Policy: require-corp\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; "
    "connect-src 'self' blob:; img-src 'self' blob: data:; media-src 'self' blob:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    // The browser always asks whether a file has changed; if not, the tag saves the transfer.
    "Cache-Control: no-cache\r\n";

}  // namespace

const char* http_reason(int status)
{
    switch (status) {
        case 200: return "OK";
        case 304: return "Not Modified";
        case 400: return "Bad Request";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 414: return "URI Too Long";
        case 431: return "Request Header Fields Too Large";
        case 505: return "HTTP Version Not Supported";
        default: return "Internal Server Error";
    }
}

HttpResponse http_problem(int status)
{
    HttpResponse response;
    response.status = status;
    response.type = "text/plain; charset=utf-8";
    response.body = fmt::format("{} {}\n", status, http_reason(status));
    return response;
}

HttpResponse http_file(ServedFile file, const HttpRequest& request)
{
    HttpResponse response;
    if (request.known.find(file.tag) != std::string::npos) response.status = 304;
    response.file = std::move(file);
    return response;
}

std::string http_head(const HttpResponse& response, bool keep_alive)
{
    std::string head = fmt::format("HTTP/1.1 {} {}\r\n{}", response.status, http_reason(response.status), kPolicies);
    const auto add = [&](std::string_view name, const auto& value) { head += fmt::format("{}: {}\r\n", name, value); };
    if (response.file) {
        add("ETag", response.file->tag);
        add("Vary", "Accept-Encoding");
        if (response.file->gzip) add("Content-Encoding", "gzip");
    }
    if (response.status != 304) {
        add("Content-Type", response.file ? response.file->type : response.type);
        add("Content-Length", response.file ? response.file->size : response.body.size());
    }
    if (response.status == 405) add("Allow", "GET, HEAD");
    add("Connection", keep_alive ? "keep-alive" : "close");
    return head + "\r\n";
}

}  // namespace tendril::app
