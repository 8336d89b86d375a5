/// Checks an image file before it is decoded. stb_image trusts the sizes that a file claims, so untrusted bytes must
/// pass this check first.
#pragma once

#include "tendril/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tendril {

struct PictureSize {
    uint32_t width = 0, height = 0;
};

/// The size of a PNG or JPEG image. An error, which begins with `name`, if the claimed size exceeds `max_pixels` or is
/// implausible for the number of bytes, or if the file is too large for stb_image.
Result<PictureSize> checked_picture_size(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels);

}  // namespace tendril
