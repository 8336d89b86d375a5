/// Writes the curves of a world into a cache, frame by frame: all grooms and their children.
#pragma once

#include "command_files.h"
#include "tendril/cache.h"
#include "tendril/world.h"

#include <string>
#include <vector>

namespace tendril::app {

class CacheOutput {
public:
    static Result<CacheOutput> create(const OutputPath& file, World& world);
    /// Continues the cache of an interrupted run of the same world.
    static Result<CacheOutput> resume(const OutputPath& file, World& world);

    /// Appends the current state of the world and returns the number of frames so far.
    Result<size_t> add_frame(World& world);
    size_t frames() const { return writer_.frames(); }
    Result<size_t> finish() { return writer_.finish(); }

private:
    explicit CacheOutput(CacheWriter writer) : writer_(std::move(writer)) {}

    CacheWriter writer_;
    std::vector<Vec3f> points_;
};

}  // namespace tendril::app
