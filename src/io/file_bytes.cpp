#include "io/file_bytes.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tendril {
namespace {

Error system_error(const std::string& file, const char* what)
{
    return Error{fmt::format("{}: {}: {}", file, what, std::strerror(errno))};
}

// Upper limit for input from a pipe, which may be endless [bytes].
constexpr size_t kMaxPipeBytes = size_t{1} << 30;

/// Closes the file descriptor at the end of its scope.
struct Descriptor {
    int fd;
    ~Descriptor()
    {
        if (fd >= 0) close(fd);
    }
};

}  // namespace

Result<FileBytes> open_file(const std::string& file)
{
    const Descriptor in{open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    if (in.fd < 0) return system_error(file, "cannot be opened");
    struct stat status {};
    if (fstat(in.fd, &status) != 0) return system_error(file, "cannot be read");
    if (S_ISDIR(status.st_mode)) return Error{fmt::format("{}: this is a folder; name a file", file)};
    FileBytes result;
    if (!S_ISREG(status.st_mode)) {  // such as a pipe, whose length is not known in advance
        auto buffer = std::make_shared<std::string>();
        char piece[65536];
        ssize_t got = 0;
        while ((got = read(in.fd, piece, sizeof piece)) > 0) {
            buffer->append(piece, static_cast<size_t>(got));
            if (buffer->size() > kMaxPipeBytes)
                return Error{fmt::format("{}: not a regular file and longer than {} bytes; save it to a file first",
                                         file, kMaxPipeBytes)};
        }
        if (got < 0) return system_error(file, "cannot be read");
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
    std::error_code problem;
    std::filesystem::path path = file;
    if (std::filesystem::is_symlink(path, problem)) path = std::filesystem::weakly_canonical(path, problem);
    const auto status = std::filesystem::status(path, problem);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return Error{fmt::format("{}: this is a folder, a device or a pipe; write to a file", file)};
    return path.string();
}

Result<size_t> write_file(const std::string& name, std::span<const std::byte> bytes)
{
    const auto target = target_file(name);
    if (!target) return Error{target.error()};
    const std::string &file = *target, part = file + ".part";
    {
        const Descriptor out{open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
        if (out.fd < 0) return system_error(file, "cannot be written");
        for (size_t done = 0; done < bytes.size();) {
            const ssize_t n = write(out.fd, bytes.data() + done, bytes.size() - done);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) {
                const Error error = system_error(file, "cannot be written");
                unlink(part.c_str());
                return error;
            }
            done += static_cast<size_t>(n);
        }
    }
    if (std::rename(part.c_str(), file.c_str()) != 0) {
        const Error error = system_error(file, "cannot be written");
        unlink(part.c_str());
        return error;
    }
    return bytes.size();
}

}  // namespace tendril
