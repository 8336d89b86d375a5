#include "output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tendril::app {

namespace fs = std::filesystem;

namespace {

/// The descriptor of our own output that goes to this file, such as /dev/stdout; -1 if none does.
int own_descriptor(const std::string& path)
{
    struct stat file {};
    struct stat own {};
    if (stat(path.c_str(), &file) != 0) return -1;
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
        if (fstat(fd, &own) == 0 && own.st_dev == file.st_dev && own.st_ino == file.st_ino) return fd;
    return -1;
}

}  // namespace

bool same_file(const std::string& a, const std::string& b)
{
    std::error_code ignored;
    return !a.empty() && !b.empty() &&
           (fs::equivalent(a, b, ignored) || fs::path(a).lexically_normal() == fs::path(b).lexically_normal());
}

OutputFile::OutputFile(std::string path, std::string written, Handle file)
    : path_(std::move(path)), written_(std::move(written)), file_(std::move(file))
{
}

Result<OutputFile> OutputFile::open(const std::string& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return Error{fmt::format("cannot write '{}': it is a folder", path)};
    // Pipes and devices are written to directly. So are our own outputs, through the same descriptor: /dev/stdout may
    // lead to a file, and a new file of that name would replace the link.
    const int own = own_descriptor(path);
    const bool special = own >= 0 || (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored));
    if (fs::exists(path, ignored) && access(path.c_str(), W_OK) != 0)
        return Error{fmt::format("cannot write '{}': {}", path, std::strerror(errno))};
    const std::string written = special ? path : fmt::format("{}.part{}", path, getpid());
    Handle file(
        own >= 0 ? fdopen(fcntl(own, F_DUPFD_CLOEXEC, 0), "wb") : std::fopen(written.c_str(), special ? "ab" : "wb"),
        &std::fclose);
    if (!file) {
        const fs::path folder = fs::path(path).parent_path();
        const bool no_folder = errno == ENOENT && !folder.empty() && !fs::exists(folder, ignored);
        return Error{
            fmt::format("cannot write '{}': {}", path,
                        no_folder ? fmt::format("there is no folder '{}'", folder.string()) : std::strerror(errno))};
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
