/// Writes caches, Tendril's own format for moving curves, frame by frame while a simulation runs. If the writer is
/// interrupted, the file keeps all complete frames. Checksums of the head and of every frame detect damage.
#pragma once

#include "tendril/curve_file.h"

#include <memory>
#include <string>

namespace tendril {

class CacheWriter {
public:
    /// Starts a new cache in `file`.part, which is locked until the writer ends. `curves` has the data that is the same
    /// in all frames: strands, widths, colours and the rest pose.
    static Result<CacheWriter> create(const std::string& file, const CurveFile& curves);
    /// Continues the `file`.part that an interrupted writer of the same curves has left. Starts a new one if there is
    /// none, or if it has other curves.
    static Result<CacheWriter> resume(const std::string& file, const CurveFile& curves);
    ~CacheWriter();
    CacheWriter(CacheWriter&&) noexcept;
    CacheWriter& operator=(CacheWriter&&) noexcept;

    /// Appends a frame: the time [s] and all points relative to `origin`. Returns the number of frames so far. They are
    /// all flushed to the file, so that none is lost if the program ends now.
    Result<size_t> append(double time, const Vec3d& origin, std::span<const Vec3f> points);
    size_t frames() const;
    /// Renames `file`.part to `file` and returns the number of frames. Without this call, `file`.part stays behind if
    /// it has frames.
    Result<size_t> finish();

private:
    enum class Start : uint8_t { kNew, kContinue };
    static Result<CacheWriter> open(const std::string& file, const CurveFile& curves, Start start);
    struct State;
    explicit CacheWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tendril
