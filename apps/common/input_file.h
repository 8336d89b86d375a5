/// Reads whole files.
#pragma once

#include "tendril/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tendril::app {

/// The bytes of a regular file. Anything else is refused, such as a pipe, which could block for ever, and so is a file
/// of more than `max_bytes`.
Result<std::vector<std::byte>> read_regular_file(const std::string& file, size_t max_bytes);

}  // namespace tendril::app
