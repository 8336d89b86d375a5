#include "output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
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

Error cannot_write(const std::string& path)
{
    return Error{fmt::format("cannot write '{}': {}", path, write_problem())};
}

// How long to wait for somebody to read from a named pipe, and how often to look [ms].
constexpr int kReaderWait = 1000, kReaderLook = 20;

/// Opens a pipe or a device. A named pipe from which nobody reads would block for ever.
Result<int> open_stream(const std::string& path)
{
    for (int waited = 0;; waited += kReaderLook) {
        const int out = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
        if (out >= 0) {
            fcntl(out, F_SETFL, fcntl(out, F_GETFL) & ~O_NONBLOCK);
            return out;
        }
        if (errno != ENXIO) return cannot_write(path);
        if (waited >= kReaderWait)
            return Error{fmt::format(
                "cannot write '{}': nobody reads from this pipe; start the program that does, or write to a file",
                path)};
        poll(nullptr, 0, kReaderLook);
    }
}

}  // namespace

OutputFile::OutputFile(std::string path, std::optional<PartFile> part, Handle file)
    : path_(std::move(path)), part_(std::move(part)), file_(std::move(file))
{
}

Result<OutputFile> OutputFile::open(const OutputPath& output)
{
    const std::string& path = output.path();
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return Error{fmt::format("cannot write '{}': it is a folder", path)};
    // Pipes and devices are written to directly. So are our own outputs, through the same descriptor: /dev/stdout may
    // lead to a file, and a new file of that name would replace the link.
    const int own = own_descriptor(path);
    if (own >= 0 || (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))) {
        const Result<int> out = own >= 0 ? Result<int>(fcntl(own, F_DUPFD_CLOEXEC, 0)) : open_stream(path);
        if (!out) return Error{out.error()};
        Handle stream(fdopen(*out, "wb"), &std::fclose);
        if (!stream) return cannot_write(path);
        return OutputFile(path, std::nullopt, std::move(stream));
    }
    auto part = PartFile::open(path);
    if (!part) return Error{part.error()};
    Handle file(part->clear() ? part->stream() : nullptr, &std::fclose);
    if (!file) return cannot_write(path);
    return OutputFile(path, std::move(*part), std::move(file));
}

OutputFile::~OutputFile()
{
    if (!file_) return;
    file_.reset();
    if (part_) part_->remove();
}

bool OutputFile::finish(std::string_view bytes)
{
    const bool complete = std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
    const bool closed = std::fclose(file_.release()) == 0;
    if (!part_) return complete && closed;
    if (complete && closed && part_->rename()) return true;
    const int reason = errno;
    part_->remove();
    errno = reason;
    return false;
}

}  // namespace tendril::app
