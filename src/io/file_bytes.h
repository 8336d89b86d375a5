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
    friend Result<FileBytes> open_file(const std::string& file, size_t max_stream_bytes);
    std::span<const std::byte> bytes_;
    std::shared_ptr<const void> owner_;
};

/// The most that is read from what is not a regular file, and may be endless [bytes].
inline constexpr size_t kMaxStreamBytes = size_t{1} << 30;

/// Maps a regular file, and reads anything else. Refuses a named pipe to which nobody writes.
Result<FileBytes> open_file(const std::string& file, size_t max_stream_bytes = kMaxStreamBytes);

/// The file that a write to `file` replaces, with symbolic links resolved. An error if it is a folder, a device or a
/// pipe, which must not be replaced.
Result<std::string> target_file(const std::string& file);

/// Writes to `file`.part, which is locked meanwhile, and renames it to `file` when it is complete. Returns the number
/// of bytes.
Result<size_t> write_file(const std::string& file, std::span<const std::byte> bytes);

}  // namespace tendril
