#include "tendril/detail/part_file.h"

#include "io/file_bytes.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tendril {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPart = ".part";

Error cannot_write(const std::string& file, const std::string& why)
{
    return Error{fmt::format("{}: cannot be written: {}", file, why)};
}

bool leads_to(const std::string& file, int descriptor)
{
    struct stat opened {};
    struct stat named {};
    return fstat(descriptor, &opened) == 0 && stat(file.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

}  // namespace

Result<LockedFile> LockedFile::open(const std::string& file)
{
    while (true) {
        LockedFile locked(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
        if (locked.descriptor_ < 0) {
            const int reason = errno;
            std::error_code ignored;
            const fs::path folder = fs::path(file).parent_path();
            if (reason == ENOENT && !folder.empty() && !fs::exists(folder, ignored))
                return cannot_write(file, fmt::format("there is no folder '{}'", folder.string()));
            return cannot_write(file, std::strerror(reason));
        }
        struct stat opened {};
        if (fstat(locked.descriptor_, &opened) == 0 && !S_ISREG(opened.st_mode))
            return cannot_write(file, "this is a device or a pipe; remove it");
        // Some network file systems have no locks; a file without one is better than none.
        if (flock(locked.descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return cannot_write(file, "another program is writing it; wait for it, or write to another file");
        // Between the two calls, another program may have renamed or removed the file that was opened.
        if (leads_to(file, locked.descriptor_)) return locked;
    }
}

LockedFile::~LockedFile()
{
    if (descriptor_ >= 0) close(descriptor_);
}

LockedFile::LockedFile(LockedFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Result<PartFile> PartFile::open(const std::string& name)
{
    const auto file = target_file(name);
    if (!file) return Error{file.error()};
    if (name.ends_with(kPart) || file->ends_with(kPart))
        return cannot_write(name, "names that end in .part are those of unfinished files; choose another name");
    if (access(file->c_str(), F_OK) == 0 && access(file->c_str(), W_OK) != 0)
        return cannot_write(name, std::strerror(errno));
    auto locked = LockedFile::open(*file + ".part");
    if (!locked) return Error{locked.error()};
    return PartFile(*file, std::move(*locked));
}

std::FILE* PartFile::stream() const
{
    const int copy = fcntl(descriptor(), F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return nullptr;
    std::FILE* stream = fdopen(copy, "r+b");
    if (!stream) close(copy);
    return stream;
}

bool PartFile::clear()
{
    return ftruncate(descriptor(), 0) == 0 && lseek(descriptor(), 0, SEEK_SET) == 0;
}

bool PartFile::rename()
{
    // Otherwise the file of another writer would get the name.
    if (!leads_to(part(), descriptor())) {
        errno = ESTALE;
        return false;
    }
    return std::rename(part().c_str(), file_.c_str()) == 0;
}

bool PartFile::remove()
{
    return !leads_to(part(), descriptor()) || unlink(part().c_str()) == 0;
}

std::string write_problem()
{
    if (errno == ESTALE) return "its unfinished file, whose name ends in .part, was removed or replaced meanwhile";
    return std::strerror(errno);
}

}  // namespace tendril
