#include "io/picture_bytes.h"

#include "io/text_scan.h"

#include <fmt/core.h>
#include <stb/stb_image.h>

namespace tendril {
namespace {

// stb_image counts in int [bytes].
constexpr size_t kMostPictureBytes = size_t{1} << 30;

/// stb_image trusts the lengths of a PNG's parts and allocates what they claim.
bool parts_fit(std::span<const std::byte> png)
{
    constexpr size_t kSignature = 8, kHead = 8, kChecksum = 4;  // bytes; a part's head is its length and its name
    for (size_t at = kSignature; at + kHead <= png.size();) {
        size_t length = 0;
        for (size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<size_t>(png[at + i]);
        if (length > png.size() - at - kHead) return false;
        at += kHead + length + kChecksum;
    }
    return true;
}

}  // namespace

Result<PictureSize> checked_picture_size(std::span<const std::byte> bytes, const std::string& name, int64_t most_pixels)
{
    if (bytes.size() > kMostPictureBytes) return Error{fmt::format("{}: too large for a picture; scale it down", name)};
    int width = 0, height = 0, channels = 0;
    const bool png = starts_with(bytes, "\x89PNG"), jpeg = starts_with(bytes, "\xff\xd8");
    if ((!png && !jpeg) || !stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                                                  static_cast<int>(bytes.size()), &width, &height, &channels))
        return Error{fmt::format("{}: this is no PNG or JPEG picture", name)};
    const int64_t pixels = static_cast<int64_t>(width) * height;
    if (pixels > most_pixels)
        return Error{
            fmt::format("{}: {} x {} pixels are more than a picture may have; scale it down", name, width, height)};
    // Pixels come compressed, but not a thousand of them in a byte: claims beyond that are damage.
    if ((png && !parts_fit(bytes)) || pixels > 1100 * (static_cast<int64_t>(bytes.size()) + 1024))
        return Error{fmt::format("{}: the picture is cut short", name)};
    return PictureSize{static_cast<uint32_t>(width), static_cast<uint32_t>(height)};
}

}  // namespace tendril
