#include "input_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tendril::app {

namespace fs = std::filesystem;

Result<std::vector<std::byte>> read_regular_file(const std::string& file, size_t max_bytes)
{
    std::error_code problem;
    const fs::file_status status = fs::status(file, problem);
    if (fs::is_directory(status)) return Error{fmt::format("'{}' is a folder; name a file", file)};
    if (fs::exists(status) && !fs::is_regular_file(status))
        return Error{fmt::format("'{}' is a pipe or a device; save it to a file first", file)};
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    const uintmax_t size = fs::file_size(file, problem);
    if (!in || problem) return Error{fmt::format("cannot open '{}': {}", file, std::strerror(errno ? errno : EINVAL))};
    if (size > max_bytes)
        return Error{fmt::format("'{}' has {} bytes, but at most {} are expected; is it the right file?", file, size,
                                 max_bytes)};
    std::vector<std::byte> bytes(static_cast<size_t>(size));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!in) return Error{fmt::format("cannot read '{}'", file)};
    return bytes;
}

}  // namespace tendril::app
