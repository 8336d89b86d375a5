/// Whole files as bytes: read without a copy where the system can, written in one piece or not at all.
#pragma once

#include "tendril/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tendril {

/// The bytes of a file, for as long as this object lives.
class FileBytes {
public:
    std::span<const std::byte> bytes() const { return bytes_; }

private:
    friend Result<FileBytes> open_file(const std::string& file);
    std::span<const std::byte> bytes_;
    std::shared_ptr<const void> owner_;
};

Result<FileBytes> open_file(const std::string& file);

/// The file that a name stands for when something is written: where links lead. An error where that is a folder, a
/// device or a pipe, which a new file must not replace.
Result<std::string> target_file(const std::string& file);

/// Writes a new file beside the old one and puts it in its place when it is whole. The number of bytes.
Result<size_t> write_file(const std::string& file, std::span<const std::byte> bytes);

}  // namespace tendril
