/// Tendril's own file format for moving curves, written frame by frame during a simulation. If the writer is
/// interrupted, the file still holds all complete frames.
#pragma once

#include "tendril/curve_file.h"

#include <memory>
#include <string>

namespace tendril {

class CacheWriter {
public:
    /// Starts a new file beside `file`. `curves` provides the constant data: strands, widths, colours, the rest pose.
    static Result<CacheWriter> create(const std::string& file, const CurveFile& curves);
    /// Continues the partial file that an interrupted writer of the same curves left beside `file`. Starts a new file
    /// if there is none, or if it holds other curves.
    static Result<CacheWriter> resume(const std::string& file, const CurveFile& curves);
    ~CacheWriter();
    CacheWriter(CacheWriter&&) noexcept;
    CacheWriter& operator=(CacheWriter&&) noexcept;

    /// Writes all points at a time [s], relative to `origin`. Returns the number of frames so far. They are all in the
    /// file, so a program that ends now loses none.
    Result<size_t> append(double time, const Vec3d& origin, std::span<const Vec3f> points);
    size_t frames() const;
    /// Moves the complete file to its final name. A writer that is destroyed before this leaves FILE.part behind.
    Result<size_t> finish();

private:
    struct State;
    explicit CacheWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tendril
