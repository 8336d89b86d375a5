/// What is known about a picture file before it is unpacked. stb_image believes what a file says about its own size;
/// whoever hands it untrusted bytes asks here first.
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

/// The size of a PNG or JPEG picture whose claims its bytes can keep, and whose bytes an int counts. More pixels than
/// `most_pixels` are refused. `name` stands at
/// the head of an error.
Result<PictureSize> checked_picture_size(std::span<const std::byte> bytes, const std::string& name,
                                         int64_t most_pixels);

}  // namespace tendril
