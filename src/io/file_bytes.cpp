#include "io/file_bytes.h"

#include "tendril/detail/part_file.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tendril {
namespace {

Error system_error(const std::string& file, const char* what)
{
    return Error{fmt::format("{}: {}: {}", file, what, std::strerror(errno))};
}

// How long to wait for somebody to write to a named pipe [ms].
constexpr int kWriterWait = 1000;

/// Closes the file descriptor at the end of its scope.
struct Descriptor {
    int fd;
    ~Descriptor()
    {
        if (fd >= 0) close(fd);
    }
};

/// Reads what is not a regular file, such as a pipe, whose length is not known in advance. `in` does not block.
Result<std::string> read_stream(const std::string& file, int in, bool pipe, size_t max_bytes)
{
    std::string bytes;
    char piece[65536];
    if (pipe) {
        pollfd waiting{in, POLLIN, 0};
        (void)poll(&waiting, 1, kWriterWait);
        const ssize_t got = read(in, piece, sizeof piece);
        // Somebody who has the pipe open but has written nothing yet gives EAGAIN, not the end of the file.
        if (got == 0) return Error{fmt::format("{}: nobody writes to this pipe; start the program that does", file)};
        if (got > 0) bytes.append(piece, static_cast<size_t>(got));
    }
    fcntl(in, F_SETFL, fcntl(in, F_GETFL) & ~O_NONBLOCK);
    ssize_t got = 0;
    while ((got = read(in, piece, sizeof piece)) > 0) {
        bytes.append(piece, static_cast<size_t>(got));
        if (bytes.size() > max_bytes)
            return Error{
                fmt::format("{}: too large for what is not a regular file, with more than {} bytes; save it "
                            "to a file first",
                            file, max_bytes)};
    }
    if (got < 0) return system_error(file, "cannot be read");
    return bytes;
}

}  // namespace

Result<FileBytes> open_file(const std::string& file, size_t max_stream_bytes)
{
    if (file.empty()) return Error{"the name of a file to read is empty; is a variable not set?"};
    // Without O_NONBLOCK, a named pipe to which nobody writes would block for ever.
    const Descriptor in{open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (in.fd < 0) return system_error(file, "cannot be opened");
    struct stat status {};
    if (fstat(in.fd, &status) != 0) return system_error(file, "cannot be read");
    if (S_ISDIR(status.st_mode)) return Error{fmt::format("{}: this is a folder; name a file", file)};
    FileBytes result;
    if (!S_ISREG(status.st_mode)) {
        auto read = read_stream(file, in.fd, S_ISFIFO(status.st_mode), max_stream_bytes);
        if (!read) return Error{read.error()};
        auto buffer = std::make_shared<std::string>(std::move(*read));
        result.bytes_ = std::as_bytes(std::span(buffer->data(), buffer->size()));
        result.owner_ = std::move(buffer);
        return result;
    }
    const size_t size = static_cast<size_t>(status.st_size);
    if (size == 0) return result;
    int flags = MAP_PRIVATE;
#ifdef MAP_POPULATE
    flags |= MAP_POPULATE;
#endif
    void* map = mmap(nullptr, size, PROT_READ, flags, in.fd, 0);
    if (map == MAP_FAILED) return system_error(file, "cannot be read");
    result.owner_ = std::shared_ptr<const void>(map, [size](const void* p) { munmap(const_cast<void*>(p), size); });
    result.bytes_ = {static_cast<const std::byte*>(map), size};
    return result;
}

Result<std::string> target_file(const std::string& file)
{
    if (file.empty()) return Error{"the name of a file to write is empty; is a variable not set?"};
    std::error_code problem;
    const std::filesystem::path path = file;
    // A link to a pipe, such as /dev/stdout, has no path of its own.
    const auto status = std::filesystem::status(path, problem);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return Error{fmt::format("{}: this is a folder, a device or a pipe; write to a file", file)};
    if (!std::filesystem::is_symlink(path, problem)) return file;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, problem);
    if (problem || target.empty())
        return Error{fmt::format("{}: cannot be written: {}; write to another file", file, problem.message())};
    return target.string();
}

Result<size_t> write_file(const std::string& file, std::span<const std::byte> bytes)
{
    auto part = PartFile::open(file);
    if (!part) return Error{part.error()};
    const auto failed = [&] {
        const Error error{fmt::format("{}: cannot be written: {}", file, write_problem())};
        part->remove();
        return error;
    };
    if (!part->clear()) return failed();
    for (size_t done = 0; done < bytes.size();) {
        const ssize_t n = write(part->descriptor(), bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return failed();
        done += static_cast<size_t>(n);
    }
    if (!part->rename()) return failed();
    return bytes.size();
}

}  // namespace tendril
