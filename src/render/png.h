/// A PNG picture from bytes of any origin.
#pragma once

#include "tendril/picture.h"

#include <cstddef>
#include <span>
#include <string>

namespace tendril {

/// `name` stands at the head of an error.
Result<Picture> parse_png(std::span<const std::byte> bytes, const std::string& name);

}  // namespace tendril
