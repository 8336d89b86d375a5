#include "io/picture_bytes.h"

#include "io/text_scan.h"

#include <fmt/core.h>
#include <stb/stb_image.h>

namespace tendril {
namespace {

// stb_image takes the size as an int [bytes].
constexpr size_t kMaxPictureBytes = size_t{1} << 30;

/// Whether the chunks of a PNG lie within the file. stb_image trusts their lengths and allocates that much.
bool png_chunks_fit(std::span<const std::byte> png)
{
    constexpr size_t kSignature = 8, kChunkHead = 8,
                     kChecksum = 4;  // [bytes]; the head of a chunk is its length and type
    for (size_t at = kSignature; at + kChunkHead <= png.size();) {
        size_t length = 0;
        for (size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<size_t>(png[at + i]);
        if (length > png.size() - at - kChunkHead) return false;
        at += kChunkHead + length + kChecksum;
    }
    return true;
}

}  // namespace

Result<PictureSize> checked_picture_size(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels)
{
    if (bytes.size() > kMaxPictureBytes)
        return Error{fmt::format("{}: the image file is too large; scale it down", name)};
    int width = 0, height = 0, channels = 0;
    const bool png = starts_with(bytes, "\x89PNG"), jpeg = starts_with(bytes, "\xff\xd8");
    if ((!png && !jpeg) || !stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                                                  static_cast<int>(bytes.size()), &width, &height, &channels))
        return Error{fmt::format("{}: not a PNG or JPEG image", name)};
    const int64_t pixels = static_cast<int64_t>(width) * height;
    if (pixels > max_pixels)
        return Error{fmt::format("{}: {} x {} pixels are too many; scale the image down", name, width, height)};
    // Compression does not reach a thousand pixels per byte, so a file that claims more is damaged.
    if ((png && !png_chunks_fit(bytes)) || pixels > 1100 * (static_cast<int64_t>(bytes.size()) + 1024))
        return Error{fmt::format("{}: the image file is truncated", name)};
    return PictureSize{static_cast<uint32_t>(width), static_cast<uint32_t>(height)};
}

}  // namespace tendril
