#include "output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace tendril::app {

namespace fs = std::filesystem;

OutputFile::OutputFile(std::string path, std::string written, Handle file)
    : path_(std::move(path)), written_(std::move(written)), file_(std::move(file))
{
}

Result<OutputFile> OutputFile::open(const std::string& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return Error{fmt::format("cannot write '{}': it is a folder", path)};
    // Pipes and devices, such as /dev/stdout, are written to as they are.
    const bool special = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
    if (fs::exists(path, ignored) && access(path.c_str(), W_OK) != 0)
        return Error{fmt::format("cannot write '{}': {}", path, std::strerror(errno))};
    const std::string written = special ? path : fmt::format("{}.part{}", path, getpid());
    Handle file(std::fopen(written.c_str(), special ? "ab" : "wb"), &std::fclose);
    if (!file) {
        const fs::path folder = fs::path(path).parent_path();
        const bool lost = errno == ENOENT && !folder.empty() && !fs::exists(folder, ignored);
        return Error{
            fmt::format("cannot write '{}': {}", path,
                        lost ? fmt::format("there is no folder '{}'", folder.string()) : std::strerror(errno))};
    }
    return OutputFile(path, written, std::move(file));
}

OutputFile::~OutputFile()
{
    if (!file_) return;
    file_.reset();
    if (written_ != path_) std::remove(written_.c_str());
}

bool OutputFile::finish(std::string_view bytes)
{
    const bool complete = std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
    const bool closed = std::fclose(file_.release()) == 0;
    if (written_ == path_) return complete && closed;
    if (complete && closed && std::rename(written_.c_str(), path_.c_str()) == 0) return true;
    const int reason = errno;
    std::remove(written_.c_str());
    errno = reason;
    return false;
}

}  // namespace tendril::app
