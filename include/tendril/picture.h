/// Pictures: linear light, tone mapping, PNG files, and films through ffmpeg.
#pragma once

#include "tendril/result.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tendril {

/// Linear light, red, green, blue. Rows from top to bottom.
struct Image {
    uint32_t width = 0, height = 0;
    std::vector<Vec3f> pixels;
};

/// Eight bits per channel, as screens show them (sRGB). Rows from top to bottom, three bytes per pixel.
struct Picture {
    uint32_t width = 0, height = 0;
    std::vector<uint8_t> bytes;

    bool operator==(const Picture&) const = default;
};

/// Exposure in stops, then a film-like curve that keeps greys grey and lets bright light run to white softly, then
/// sRGB with a fixed fine dither against bands.
Picture tone_mapped(const Image& image, float exposure = 0.0f);

/// The file appears whole or not at all. The number of bytes.
Result<size_t> write_png(const std::string& file, const Picture& picture);
Result<Picture> read_png(const std::string& file);

/// Whether films can be made on this machine.
bool have_ffmpeg();

/// A film (H.264, MP4) made by handing pictures to ffmpeg. The same pictures give the same file.
class FilmWriter {
public:
    /// What is wrong with a film of that kind, before hours are spent on its pictures; nothing where all is well.
    static std::optional<Error> check(uint32_t width, uint32_t height, double rate);
    /// `rate` in pictures per second; 23.976, 29.97 and 59.94 stand for the fractions of television. An odd last row
    /// or column is left out, as the format wants it. Starts a file beside it.
    static Result<FilmWriter> create(const std::string& file, uint32_t width, uint32_t height, double rate);
    ~FilmWriter();
    FilmWriter(FilmWriter&&) noexcept;
    FilmWriter& operator=(FilmWriter&&) noexcept;

    /// The number of pictures so far.
    Result<size_t> append(const Picture& picture);
    /// Puts the film in its place. The number of bytes. A writer that ends without this leaves nothing behind.
    Result<size_t> finish();

private:
    struct State;
    explicit FilmWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tendril
