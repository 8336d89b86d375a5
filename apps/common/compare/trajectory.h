/// The positions of particles at the end of every frame, and the deviation of other motions from them.
#pragma once

#include "report.h"
#include "tendril/world.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tendril::app {

class Trajectory {
public:
    /// Reserves memory for `frames` frames. If the world is large, only every n-th strand is recorded.
    Trajectory(const World& world, uint64_t frames);

    /// Records the current state of the world as the next frame.
    void add(const World& world);
    /// The deviation of the current state of a world from the recorded frame of the same number.
    Deviation deviation_of(const World& world) const;
    /// The deviation over all frames that both have.
    Deviation deviation_of(const Trajectory& other) const;

    size_t strands() const { return strands_.size(); }
    double mean_length() const { return mean_length_; }  ///< of a strand [m]

private:
    struct Strand {
        GroomId groom;
        size_t strand, particles;
    };
    /// Calls `use` with the position of every recorded particle.
    template <class Use>
    void visit(const World& world, const Use& use) const;

    std::vector<Strand> strands_;
    size_t per_frame_ = 0;
    double mean_length_ = 0;
    std::vector<Vec3d> points_;
};

}  // namespace tendril::app
