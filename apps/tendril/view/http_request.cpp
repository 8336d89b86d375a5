#include "view/http_request.h"

#include "percent.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace tendril::app {
namespace {

constexpr std::string_view kLineEnd = "\r\n", kHeadEnd = "\r\n\r\n";

std::string lower_case(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

std::string_view trimmed(std::string_view text)
{
    const size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Calls `use` with each part, trimmed.
template <class Use>
void for_each_part(std::string_view list, char separator, Use use)
{
    for (size_t begin = 0; begin <= list.size();) {
        const size_t end = std::min(list.find(separator, begin), list.size());
        use(trimmed(list.substr(begin, end - begin)));
        begin = end + 1;
    }
}

/// RFC 9110, 5.6.2.
bool is_token(std::string_view text)
{
    const auto belongs = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), belongs);
}

/// Whether the input contains bytes that no head can have, so that invalid input is refused before it is complete.
bool is_garbage(std::string_view received)
{
    for (size_t i = 0; i < received.size(); ++i) {
        const auto byte = static_cast<unsigned char>(received[i]);
        if (byte == '\n' && (i == 0 || received[i - 1] != '\r')) return true;
        if (byte == '\r' && i + 1 < received.size() && received[i + 1] != '\n') return true;
        if ((byte < 0x20 && byte != '\t' && byte != '\r' && byte != '\n') || byte == 0x7f) return true;
    }
    return false;
}

/// Accepts only names of this machine; otherwise a foreign page whose name resolves to this machine (DNS rebinding)
/// could read the files. Any port is accepted, because a tunnel may use another one.
bool is_own_host(std::string_view host)
{
    const std::string lower = lower_case(host);
    for (const std::string_view own : {"localhost", "127.0.0.1", "[::1]"}) {
        if (lower.compare(0, own.size(), own) != 0) continue;
        const std::string_view rest = std::string_view(lower).substr(own.size());
        if (rest.empty()) return true;
        return rest[0] == ':' && rest.size() <= 6 && rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
    }
    return false;
}

/// "br, gzip;q=0.5": yes; "gzip;q=0": no.
bool accepts_gzip(std::string_view encodings)
{
    bool accepted = false;
    for_each_part(encodings, ',', [&](std::string_view encoding) {
        const size_t end = std::min(encoding.find(';'), encoding.size());
        if (lower_case(trimmed(encoding.substr(0, end))) != "gzip") return;
        const size_t equals = encoding.find('=', end);
        const bool refused =
            equals != std::string_view::npos && encoding.find_first_of("123456789", equals) == std::string_view::npos;
        accepted = !refused;
    });
    return accepted;
}

class HeadParser {
public:
    /// Returns the status to refuse the request with, or 0. `lines` has no empty line at its end.
    int parse(std::string_view lines)
    {
        const size_t first = std::min(lines.find(kLineEnd), lines.size());
        if (const int refusal = read_request_line(lines.substr(0, first))) return refusal;
        for (size_t begin = first + kLineEnd.size(); begin < lines.size();) {
            const size_t end = std::min(lines.find(kLineEnd, begin), lines.size());
            if (const int refusal = read_field(lines.substr(begin, end - begin))) return refusal;
            begin = end + kLineEnd.size();
        }
        if (!host_) return 400;
        if (!is_own_host(*host_)) return 403;
        if (!known_method_) return 405;
        return has_body_ ? 400 : 0;
    }

    HttpRequest request;

private:
    int read_request_line(std::string_view line)
    {
        const size_t first = line.find(' '), last = line.rfind(' ');
        if (first == std::string_view::npos || first == last) return 400;
        const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
        const std::string_view target = line.substr(first + 1, last - first - 1);
        if (!is_token(method) || target.find(' ') != std::string_view::npos) return 400;
        if (version.size() != 8 || version.substr(0, 5) != "HTTP/") return 400;
        if (version != "HTTP/1.0" && version != "HTTP/1.1") return 505;
        request.target = target;
        request.keep_alive = version == "HTTP/1.1";
        request.head_only = method == "HEAD";
        known_method_ = request.head_only || method == "GET";
        if (!known_method_) return 0;
        const auto path = percent_decoded(target.substr(0, target.find_first_of("?#")));
        if (!path || target[0] != '/') return 400;
        request.path = *path;
        return 0;
    }

    int read_field(std::string_view line)
    {
        const size_t colon = line.find(':');
        if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return 400;
        const std::string name = lower_case(line.substr(0, colon));
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (name == "host") {
            if (host_) return 400;
            host_ = value;
        } else if (name == "content-length") {
            has_body_ |= value != "0";
        } else if (name == "transfer-encoding") {
            has_body_ = true;
        } else if (name == "accept-encoding") {
            request.accepts_gzip = accepts_gzip(value);
        } else if (name == "if-none-match") {
            request.known = value;
        } else if (name == "connection") {
            for_each_part(lower_case(value), ',', [&](std::string_view option) {
                if (option == "close") request.keep_alive = false;
            });
        }
        return 0;
    }

    std::optional<std::string_view> host_;
    bool known_method_ = false, has_body_ = false;
};

}  // namespace

HttpHead parse_http_head(std::string_view received)
{
    // RFC 9112, 2.2: an empty line before a request is ignored.
    const size_t begin = received.substr(0, 2) == kLineEnd ? 2 : 0;
    const size_t end = received.find(kHeadEnd, begin);
    const std::string_view head = received.substr(begin, end - begin);
    if (is_garbage(head)) return {0, 400, {}};
    if (std::min(head.find(kLineEnd), head.size()) > kMaxTargetBytes) return {0, 414, {}};
    if (head.size() > kMaxHeadBytes) return {0, 431, {}};
    if (end == std::string_view::npos) return {};
    HeadParser parser;
    const int refusal = parser.parse(head);
    return {end + kHeadEnd.size(), refusal, std::move(parser.request)};
}

}  // namespace tendril::app
