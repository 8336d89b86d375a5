// PNG files. We write them with zlib, because stb_image_write takes four times as long, produces larger files and has a
// global compression level. We read them with stb_image.
#include "render/png.h"

#include "io/file_bytes.h"
#include "io/picture_bytes.h"
#include "io/text_scan.h"

#include <fmt/core.h>
#include <memory>
#include <stb/stb_image.h>
#include <string_view>
#include <zlib.h>

namespace tendril {
namespace {

constexpr size_t kChannels = 3;
// zlib's compression level. On pictures of hair, level 3 takes half as long again and saves only 5 %.
constexpr int kCompressionLevel = 2;
// The limit of PNG sizes and zlib's counters, with room for incompressible data [pixels].
constexpr size_t kMaxPixels = size_t{1} << 28;

using Bytes = std::vector<uint8_t>;

void put_number(Bytes& out, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(number >> shift));
}

/// Appends a PNG chunk: length, name, content, checksum of name and content.
void put_chunk(Bytes& out, std::string_view name, const Bytes& content)
{
    put_number(out, static_cast<uint32_t>(content.size()));
    const size_t start = out.size();
    out.insert(out.end(), name.begin(), name.end());
    out.insert(out.end(), content.begin(), content.end());
    put_number(out, static_cast<uint32_t>(crc32(0, &out[start], static_cast<uInt>(out.size() - start))));
}

/// Encodes each row as its difference from the row above. For hanging strands this compresses as well as choosing the
/// best filter per row and is four times as fast.
Bytes filtered_rows(const Picture& picture)
{
    constexpr uint8_t kNone = 0, kUp = 2;
    const size_t row = kChannels * picture.width;
    Bytes out((row + 1) * picture.height);
    for (size_t y = 0; y < picture.height; ++y) {
        const uint8_t *current = &picture.bytes[y * row], *above = y > 0 ? current - row : nullptr;
        uint8_t* target = &out[y * (row + 1)];
        *target++ = above ? kUp : kNone;
        for (size_t i = 0; i < row; ++i) target[i] = static_cast<uint8_t>(current[i] - (above ? above[i] : 0));
    }
    return out;
}

/// Returns an empty result if there is not enough memory.
Bytes compressed(const Bytes& bytes)
{
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    Bytes out(size);
    if (compress2(out.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), kCompressionLevel) != Z_OK)
        return {};
    out.resize(size);
    return out;
}

Bytes header(const Picture& picture)
{
    constexpr uint8_t kBits = 8, kTrueColour = 2;
    Bytes out;
    put_number(out, picture.width);
    put_number(out, picture.height);
    out.insert(out.end(), {kBits, kTrueColour, 0, 0, 0});  // deflate, standard filters, not interlaced
    return out;
}

struct Free {
    void operator()(stbi_uc* p) const { stbi_image_free(p); }
};

}  // namespace

Result<size_t> write_png(const std::string& file, const Picture& picture)
{
    const size_t pixels = static_cast<size_t>(picture.width) * picture.height;
    if (pixels == 0 || pixels > kMaxPixels || picture.bytes.size() != kChannels * pixels)
        return Error{fmt::format("{}: a picture of {} x {} pixels and {} bytes cannot be written", file, picture.width,
                                 picture.height, picture.bytes.size())};
    const Bytes compressed_rows = compressed(filtered_rows(picture));
    if (compressed_rows.empty()) return Error{fmt::format("{}: not enough memory to write the picture", file)};
    Bytes png{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    put_chunk(png, "IHDR", header(picture));
    put_chunk(png, "sRGB", {0});  // rendering intent: perceptual
    put_chunk(png, "IDAT", compressed_rows);
    put_chunk(png, "IEND", {});
    return write_file(file, std::as_bytes(std::span(png)));
}

Result<Picture> parse_png(std::span<const std::byte> bytes, const std::string& name)
{
    if (!starts_with(bytes, "\x89PNG")) return Error{fmt::format("{}: not a PNG picture", name)};
    if (const auto checked = checked_picture_size(bytes, name, int64_t{kMaxPixels}); !checked)
        return Error{checked.error()};
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, Free> pixels(stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                                                                      static_cast<int>(bytes.size()), &width, &height,
                                                                      &channels, static_cast<int>(kChannels)));
    if (!pixels) return Error{fmt::format("{}: the picture is damaged: {}", name, stbi_failure_reason())};
    Picture picture{static_cast<uint32_t>(width), static_cast<uint32_t>(height), {}};
    const size_t size = kChannels * picture.width * picture.height;
    picture.bytes.assign(pixels.get(), pixels.get() + size);
    return picture;
}

Result<Picture> read_png(const std::string& file)
{
    const auto opened = open_file(file);
    if (!opened) return Error{opened.error()};
    return parse_png(opened->bytes(), file);
}

}  // namespace tendril
