/// A file that is open for reading, with all that a client is told about it.
#pragma once

#include "view/file_descriptor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tendril::app {

struct ServedFile {
    FileDescriptor file;
    uint64_t size = 0;
    std::string type;  ///< as in Content-Type, by the ending of its name
    std::string tag;   ///< as in ETag: another one when the file was written anew
    bool gzip = false;
};

/// Nothing where it cannot be read, or is no plain file.
std::optional<ServedFile> open_served(const std::string& path);

}  // namespace tendril::app
