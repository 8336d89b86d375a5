// Tone mapping: from linear light to sRGB.
#include "tendril/picture.h"

#include "math/bits.h"
#include "math/random.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tendril {
namespace {

// Scenes are lit so that middle grey is this share of white. The tone curve keeps this value.
constexpr double kMiddleGrey = 0.18;
// The light that maps to white, about six and a half stops above middle grey.
constexpr double kWhite = 16;
// The contrast around middle grey, slightly above 1 as on film.
constexpr double kContrast = 1.2;

/// x^n / (x^n + c), an S-curve over the logarithm of the light: shadows fade out and bright light rolls off softly to
/// white. Scaled so that kWhite gives 1; c keeps middle grey unchanged.
double film_curve(double light)
{
    const double grey = std::pow(kMiddleGrey, kContrast), white = std::pow(kWhite, kContrast);
    const double c = (1 - kMiddleGrey) * grey * white / (kMiddleGrey * white - grey);
    const double x = std::pow(light, kContrast);
    return x / (x + c) * (white + c) / white;
}

/// The sRGB encoding, IEC 61966-2-1.
double srgb(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

/// Maps light to an sRGB value in [0, 255]. Evaluating the powers for every channel would take longer than writing the
/// file, so they are tabulated, with 128 entries per octave: the top 7 bits of the mantissa.
class ToneTable {
public:
    ToneTable()
    {
        for (uint32_t i = 0; i < kEntries; ++i) {
            const float light = bit_cast<float>(kFirst + (i << kShift));
            table_[i] = static_cast<float>(255 * srgb(film_curve(static_cast<double>(light))));
        }
    }

    /// Interpolates linearly between entries; the error is at most 0.001.
    float operator()(float light) const
    {
        if (!(light > kDarkest)) return light > 0 ? table_[0] * (light / kDarkest) : 0.0f;
        if (light >= static_cast<float>(kWhite)) return 255.0f;
        const uint32_t bits = bit_cast<uint32_t>(light) - kFirst, i = bits >> kShift;
        const float part = static_cast<float>(bits & ((1u << kShift) - 1)) * (1.0f / (1u << kShift));
        return table_[i] + part * (table_[i + 1] - table_[i]);
    }

private:
    static constexpr float kDarkest = 0x1p-14f;  // maps to less than one sRGB step
    static constexpr uint32_t kShift = 16;       // drops 16 of the 23 mantissa bits
    static constexpr uint32_t kFirst = bit_cast<uint32_t>(kDarkest);
    static constexpr uint32_t kEntries = ((bit_cast<uint32_t>(static_cast<float>(kWhite)) - kFirst) >> kShift) + 1;
    std::array<float, kEntries> table_;
};

/// Rounds with a random threshold so that smooth gradients show no bands. All channels share the threshold; otherwise
/// greys would get a tint.
uint8_t dithered(float value, float threshold)
{
    return static_cast<uint8_t>(std::min(value + threshold, 255.0f));
}

}  // namespace

Picture tone_mapped(const Image& image, float exposure)
{
    const size_t count = static_cast<size_t>(image.width) * image.height;
    Picture picture{image.width, image.height, std::vector<uint8_t>(3 * count)};
    const ToneTable tone;
    const float scale = std::exp2(exposure);
    for (size_t i = 0; i < std::min(count, image.pixels.size()); ++i) {
        const Vec3f light = image.pixels[i];
        if (!is_finite(light)) continue;  // leave the pixel black
        const uint64_t x = i % image.width, y = i / image.width;
        const float threshold = static_cast<float>(mix_bits(y << 32 | x) >> 40) * 0x1p-24f;
        uint8_t* out = &picture.bytes[3 * i];
        out[0] = dithered(tone(scale * light.x), threshold);
        out[1] = dithered(tone(scale * light.y), threshold);
        out[2] = dithered(tone(scale * light.z), threshold);
    }
    return picture;
}

}  // namespace tendril
