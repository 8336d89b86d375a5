/// Files that appear only once they are complete, and that only one program writes at a time.
#pragma once

#include "tendril/result.h"

#include <cstdio>
#include <string>

namespace tendril {

/// An open file that is locked against other writers until it is closed.
class LockedFile {
public:
    /// Opens the file, or creates it, and keeps its content. Returns an error if another program has locked it.
    static Result<LockedFile> open(const std::string& file);
    ~LockedFile();
    LockedFile(LockedFile&& other) noexcept;
    LockedFile& operator=(LockedFile&&) = delete;

    int descriptor() const { return descriptor_; }

private:
    explicit LockedFile(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

/// FILE.part, which is renamed to FILE once it is complete, and is locked until this object ends. It stays behind
/// unless it is renamed or removed.
class PartFile {
public:
    /// Keeps the content that an interrupted writer has left. Returns an error if FILE cannot be written, if another
    /// program is writing it, or if its name ends in .part, because another program may be writing it under that name.
    static Result<PartFile> open(const std::string& file);

    /// FILE, with symbolic links resolved.
    const std::string& file() const { return file_; }
    std::string part() const { return file_ + ".part"; }
    int descriptor() const { return locked_.descriptor(); }
    /// A stream to FILE.part, which the caller closes before `rename`; null and `errno` if that fails.
    std::FILE* stream() const;

    /// These return false and set `errno` if they fail; see `write_problem`.
    bool clear();
    /// Fails with ESTALE if somebody has removed or replaced FILE.part.
    bool rename();
    /// Leaves a FILE.part alone that somebody else has put in its place.
    bool remove();

private:
    PartFile(std::string file, LockedFile locked) : file_(std::move(file)), locked_(std::move(locked)) {}
    std::string file_;
    LockedFile locked_;
};

/// Why a file could not be written, according to `errno`.
std::string write_problem();

}  // namespace tendril
