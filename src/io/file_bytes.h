/// Reads and writes whole files. Reading maps the file into memory where possible; a write either completes or leaves
/// the old file as it was.
#pragma once

#include "tendril/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tendril {

/// The bytes of a file. They stay valid as long as this object or a copy of it exists.
class FileBytes {
public:
    std::span<const std::byte> bytes() const { return bytes_; }

private:
    friend Result<FileBytes> open_file(const std::string& file);
    std::span<const std::byte> bytes_;
    std::shared_ptr<const void> owner_;
};

/// Maps a regular file; reads anything else, such as a pipe, up to 1 GiB.
Result<FileBytes> open_file(const std::string& file);

/// The file that a write to `file` replaces, with symbolic links resolved. An error if it is a folder, a device or a
/// pipe, which must not be replaced.
Result<std::string> target_file(const std::string& file);

/// Writes to `file`.part and renames it to `file` when it is complete. Returns the number of bytes.
Result<size_t> write_file(const std::string& file, std::span<const std::byte> bytes);

}  // namespace tendril
