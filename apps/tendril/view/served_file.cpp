#include "view/served_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>

namespace tendril::app {
namespace {

struct ContentType {
    const char *ending, *type;
};

constexpr ContentType kContentTypes[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".webp", "image/webp"},
    {".svg", "image/svg+xml"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".toml", "application/toml; charset=utf-8"},
    {".obj", "text/plain; charset=utf-8"},
    {".txt", "text/plain; charset=utf-8"},
    {".md", "text/plain; charset=utf-8"},
    {".gz", "application/gzip"},
};

std::string content_type(const std::string& path)
{
    const std::string ending = std::filesystem::path(path).extension().string();
    for (const ContentType& known : kContentTypes)
        if (ending == known.ending) return known.type;
    return "application/octet-stream";
}

}  // namespace

std::optional<ServedFile> open_served(const std::string& path)
{
    // Without O_NONBLOCK, opening a pipe without a writer would block the server.
    FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (!file || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    const auto size = static_cast<uint64_t>(status.st_size);
    std::string tag =
        fmt::format("\"{:x}.{:x}-{:x}-{:x}\"", status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ino, size);
    return ServedFile{std::move(file), size, content_type(path), std::move(tag)};
}

}  // namespace tendril::app
