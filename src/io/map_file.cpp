// Reads painted maps from image files with stb_image.
#include "io/file_bytes.h"
#include "io/picture_bytes.h"
#include "tendril/hair_style.h"

#include <fmt/core.h>
#include <memory>
#include <stb/stb_image.h>

namespace tendril {
namespace {

// Limits the memory that a damaged file can claim [pixels].
constexpr int64_t kMaxMapPixels = int64_t{1} << 26;

struct StbiFree {
    void operator()(stbi_us* p) const { stbi_image_free(p); }
};

}  // namespace

Result<Map> parse_map(std::span<const std::byte> bytes, const std::string& name)
{
    if (const auto checked = checked_picture_size(bytes, name, kMaxMapPixels); !checked) return Error{checked.error()};
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(bytes.size());
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_us, StbiFree> pixels(
        stbi_load_16_from_memory(data, size, &width, &height, &channels, 1));
    if (!pixels) return Error{fmt::format("{}: the image is damaged: {}", name, stbi_failure_reason())};
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
