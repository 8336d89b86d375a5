/// Writes what a world looks like, frame by frame, into a cache: all grooms and the strands that follow them.
#pragma once

#include "tendril/cache.h"
#include "tendril/world.h"

#include <string>
#include <vector>

namespace tendril::app {

class CacheOutput {
public:
    static Result<CacheOutput> create(const std::string& file, World& world);
    /// Goes on with what an interrupted run of the same world left.
    static Result<CacheOutput> resume(const std::string& file, World& world);

    /// The world as it is now. The number of frames so far.
    Result<size_t> add_frame(World& world);
    size_t frames() const { return writer_.frames(); }
    Result<size_t> finish() { return writer_.finish(); }

private:
    explicit CacheOutput(CacheWriter writer) : writer_(std::move(writer)) {}

    CacheWriter writer_;
    std::vector<Vec3f> points_;
};

}  // namespace tendril::app
