// Painted maps from image files.
#include "support/damage.h"
#include "tendril/hair_style.h"

#include <gtest/gtest.h>
#include <stb/stb_image_write.h>

namespace tendril::test {
namespace {

std::vector<std::byte> png(int width, int height, int channels, const std::vector<unsigned char>& pixels)
{
    std::vector<std::byte> bytes;
    const auto append = [](void* to, void* data, int size) {
        const auto* from = static_cast<const std::byte*>(data);
        static_cast<std::vector<std::byte>*>(to)->insert(static_cast<std::vector<std::byte>*>(to)->end(), from,
                                                         from + size);
    };
    stbi_write_png_to_func(append, &bytes, width, height, channels, pixels.data(), width * channels);
    return bytes;
}

TEST(MapFile, ReadsBrightness)
{
    const auto map = parse_map(png(2, 2, 1, {0, 255, 51, 102}), "x.png");
    ASSERT_TRUE(map) << map.error();
    EXPECT_EQ(map->width, 2u);
    EXPECT_EQ(map->values, (std::vector<float>{0, 1, 0.2f, 0.4f}));
    const auto colour = parse_map(png(1, 1, 3, {255, 255, 255}), "x.png");
    ASSERT_TRUE(colour);
    EXPECT_NEAR(colour->values[0], 1, 1e-3);
}

TEST(MapFile, AnyDamageGivesAMapOrAnError)
{
    std::vector<unsigned char> pixels(16 * 16);
    for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<unsigned char>(i * 7);
    damage(png(16, 16, 1, pixels), [](std::span<const std::byte> bytes) {
        const auto map = parse_map(bytes, "x.png");
        if (!map) return;
        EXPECT_EQ(map->values.size(), static_cast<size_t>(map->width) * map->height);
    });
    EXPECT_FALSE(parse_map({}, "empty.png"));
    EXPECT_FALSE(read_map("/no/such/file.png"));
}

}  // namespace
}  // namespace tendril::test
