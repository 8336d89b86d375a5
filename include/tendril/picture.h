/// Pictures: linear images, tone mapping, PNG files, and films encoded by ffmpeg.
#pragma once

#include "tendril/result.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tendril {

/// An image of linear radiance as red, green, blue. Rows run from top to bottom.
struct Image {
    uint32_t width = 0, height = 0;
    std::vector<Vec3f> pixels;
};

/// An sRGB picture with eight bits per channel and three bytes per pixel. Rows run from top to bottom.
struct Picture {
    uint32_t width = 0, height = 0;
    std::vector<uint8_t> bytes;

    bool operator==(const Picture&) const = default;
};

/// Applies the exposure [stops], a film-like tone curve that keeps greys neutral and rolls bright light off softly to
/// white, and the sRGB encoding. A fixed fine dither prevents banding.
Picture tone_mapped(const Image& image, float exposure = 0.0f);

/// Writes the file atomically and returns its size in bytes.
Result<size_t> write_png(const std::string& file, const Picture& picture);
Result<Picture> read_png(const std::string& file);

/// Whether ffmpeg is installed and can encode H.264. Runs ffmpeg once to find out.
bool have_ffmpeg();

/// Writes a film (H.264 in MP4) by piping pictures to ffmpeg. The same pictures give the same file.
class FilmWriter {
public:
    /// Returns an error if no film of this size and rate can be made. Call it before rendering for hours.
    static std::optional<Error> check(uint32_t width, uint32_t height, double rate);
    /// `rate` is in pictures per second; 23.976, 29.97 and 59.94 stand for the exact broadcast fractions such as
    /// 24000/1001. The format needs even sizes, so an odd last row or column is dropped. Until `finish`, the film is
    /// written to a temporary file next to `file`.
    static Result<FilmWriter> create(const std::string& file, uint32_t width, uint32_t height, double rate);
    ~FilmWriter();
    FilmWriter(FilmWriter&&) noexcept;
    FilmWriter& operator=(FilmWriter&&) noexcept;

    /// Returns the number of pictures so far.
    Result<size_t> append(const Picture& picture);
    /// Moves the film to its final name and returns its size in bytes. A writer that is destroyed without this call
    /// leaves no file behind.
    Result<size_t> finish();

private:
    struct State;
    explicit FilmWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tendril
