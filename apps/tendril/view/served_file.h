/// A file that is open for reading, with its HTTP metadata.
#pragma once

#include "view/file_descriptor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tendril::app {

struct ServedFile {
    FileDescriptor file;
    uint64_t size = 0;
    std::string type;  ///< Content-Type, by the extension
    std::string tag;   ///< ETag, which changes when the file is rewritten
    bool gzip = false;
};

/// Empty if the file cannot be read or is not a regular file.
std::optional<ServedFile> open_served(const std::string& path);

}  // namespace tendril::app
