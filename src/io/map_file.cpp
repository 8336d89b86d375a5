// Painted maps from pictures, through stb_image.
#include "io/file_bytes.h"
#include "io/text_scan.h"
#include "tendril/hair_style.h"

#include <fmt/core.h>
#include <stb/stb_image.h>

namespace tendril {
namespace {

// A picture that claims more pixels than this is not a map [pixels].
constexpr int64_t kMostPixels = 1 << 26;

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

struct Free {
    void operator()(stbi_us* p) const { stbi_image_free(p); }
};

}  // namespace

Result<Map> parse_map(std::span<const std::byte> bytes, const std::string& name)
{
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(std::min<size_t>(bytes.size(), 1u << 30));
    int width = 0, height = 0, channels = 0;
    const bool png = starts_with(bytes, "\x89PNG"), jpeg = starts_with(bytes, "\xff\xd8");
    if ((!png && !jpeg) || !stbi_info_from_memory(data, size, &width, &height, &channels))
        return Error{fmt::format("{}: this is no PNG or JPEG picture", name)};
    if (static_cast<int64_t>(width) * height > kMostPixels)
        return Error{
            fmt::format("{}: {} x {} pixels are more than a map may have; scale it down", name, width, height)};
    if (png && !parts_fit(bytes)) return Error{fmt::format("{}: the picture is cut short", name)};
    // Pixels come compressed, but not a thousand of them in a byte: claims beyond that are damage.
    if (static_cast<int64_t>(width) * height > 1100 * (static_cast<int64_t>(bytes.size()) + 1024))
        return Error{fmt::format("{}: the picture is cut short", name)};
    const std::unique_ptr<stbi_us, Free> pixels(stbi_load_16_from_memory(data, size, &width, &height, &channels, 1));
    if (!pixels) return Error{fmt::format("{}: the picture is damaged: {}", name, stbi_failure_reason())};
    Map map;
    map.width = static_cast<uint32_t>(width);
    map.height = static_cast<uint32_t>(height);
    map.values.reserve(static_cast<size_t>(map.width) * map.height);
    for (size_t i = 0; i < static_cast<size_t>(map.width) * map.height; ++i)
        map.values.push_back(static_cast<float>(pixels.get()[i]) / 65535.0f);
    return map;
}

Result<Map> read_map(const std::string& file)
{
    const auto opened = open_file(file);
    if (!opened) return Error{opened.error()};
    return parse_map(opened->bytes(), file);
}

}  // namespace tendril
