/// Tendril's own file of moving curves, written frame by frame while a simulation runs. A file whose writer was
/// interrupted holds all frames that were complete.
#pragma once

#include "tendril/curve_file.h"

#include <memory>
#include <string>

namespace tendril {

class CacheWriter {
public:
    /// Starts a new file beside `file`; `curves` says what does not change: strands, widths, colours, the rest pose.
    static Result<CacheWriter> create(const std::string& file, const CurveFile& curves);
    /// Goes on with what an interrupted writer of the same curves left beside `file`; starts anew where there is
    /// nothing, or something else.
    static Result<CacheWriter> resume(const std::string& file, const CurveFile& curves);
    ~CacheWriter();
    CacheWriter(CacheWriter&&) noexcept;
    CacheWriter& operator=(CacheWriter&&) noexcept;

    /// All points at a time [s], seen from `origin`. The number of frames so far, all of which are in the file: who
    /// ends the program now loses none.
    Result<size_t> append(double time, const Vec3d& origin, std::span<const Vec3f> points);
    size_t frames() const;
    /// Puts the file in its place. A writer that ends without this leaves FILE.part behind.
    Result<size_t> finish();

private:
    struct State;
    explicit CacheWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tendril
