#include "io/file_bytes.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tendril {
namespace {

Error system_error(const std::string& file, const char* what)
{
    return Error{fmt::format("{}: {}: {}", file, what, std::strerror(errno))};
}

/// Closes at the end of its scope.
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
    if (S_ISDIR(status.st_mode)) return Error{fmt::format("{}: is a folder; give a file", file)};
    FileBytes result;
    if (!S_ISREG(status.st_mode)) {  // a pipe: its length shows at its end
        auto buffer = std::make_shared<std::string>();
        char piece[65536];
        ssize_t got = 0;
        while ((got = read(in.fd, piece, sizeof piece)) > 0) buffer->append(piece, static_cast<size_t>(got));
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

Result<size_t> write_file(const std::string& file, std::span<const std::byte> bytes)
{
    const std::string part = file + ".part";
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
