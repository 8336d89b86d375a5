#include "compare/label.h"

#include <stb/stb_easy_font.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tendril::app {
namespace {

// Layout, in units of the font's pixels; its capitals are 7 high.
constexpr int kInset = 5, kPadX = 4, kPadTop = 3, kHeight = 13;
constexpr uint32_t kRowsPerScale = 240;  // height of a panel per unit of scale [pixels]
constexpr float kInk = 0.94f, kShade = 0.55f;

struct Corner {
    float x, y, z;
    std::array<unsigned char, 4> colour;
};

struct LabelBox {
    int left, top, right, bottom;
};

/// Blends the box with a grey.
void fill(Picture& picture, const LabelBox& box, float grey, float share)
{
    const int right = std::min(box.right, static_cast<int>(picture.width));
    const int bottom = std::min(box.bottom, static_cast<int>(picture.height));
    for (int y = std::max(0, box.top); y < bottom; ++y)
        for (int x = std::max(0, box.left); x < right; ++x) {
            uint8_t* pixel = &picture.bytes[3 * (static_cast<size_t>(y) * picture.width + static_cast<size_t>(x))];
            for (int c = 0; c < 3; ++c)
                pixel[c] =
                    static_cast<uint8_t>(std::lround((1 - share) * static_cast<float>(pixel[c]) + share * 255 * grey));
        }
}

}  // namespace

void draw_label(Picture& picture, const Region& region, const std::string& text, int min_scale)
{
    std::string shown = text;
    const auto letters = [&] { return stb_easy_font_width(shown.data()); };
    const auto fits = [&](int scale) {
        return (letters() + 2 * (kPadX + kInset)) * scale <= static_cast<int>(region.width);
    };
    int scale = std::max(min_scale, static_cast<int>(region.height / kRowsPerScale));
    while (scale > 1 && !fits(scale)) --scale;
    while (!shown.empty() && !fits(scale)) shown.pop_back();
    if (shown.empty()) return;
    const int x = static_cast<int>(region.left) + kInset * scale, y = static_cast<int>(region.top) + kInset * scale;
    fill(picture, {x, y, x + (letters() + 2 * kPadX) * scale, y + kHeight * scale}, 0.1f, kShade);

    constexpr size_t kCornersPerLetter = 4 * 16;
    std::vector<Corner> corners(kCornersPerLetter * shown.size());
    const int boxes = stb_easy_font_print(0, 0, shown.data(), nullptr, corners.data(),
                                          static_cast<int>(corners.size() * sizeof(Corner)));
    for (size_t b = 0; b < static_cast<size_t>(boxes); ++b) {
        const Corner& first = corners[4 * b];
        const Corner& last = corners[4 * b + 2];
        const auto across = [&](float at) { return x + (kPadX + static_cast<int>(at)) * scale; };
        const auto down = [&](float at) { return y + (kPadTop + static_cast<int>(at)) * scale; };
        fill(picture, {across(first.x), down(first.y), across(last.x), down(last.y)}, kInk, 1);
    }
}

}  // namespace tendril::app
