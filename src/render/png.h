/// Parses PNG pictures from untrusted bytes.
#pragma once

#include "tendril/picture.h"

#include <cstddef>
#include <span>
#include <string>

namespace tendril {

/// Errors start with `name`.
Result<Picture> parse_png(std::span<const std::byte> bytes, const std::string& name);

}  // namespace tendril
