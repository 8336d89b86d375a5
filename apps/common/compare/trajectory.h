/// Where particles were at the end of every frame, and how far others are from there.
#pragma once

#include "report.h"
#include "tendril/world.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tendril::app {

class Trajectory {
public:
    /// Room for so many frames. Of a world that is large, every so many-th strand stands for all.
    Trajectory(const World& world, uint64_t frames);

    /// The world as it is now becomes the next frame.
    void add(const World& world);
    /// Of the world as it is now from where its particles are here, in the frame that it has reached.
    Deviation deviation_of(const World& world) const;
    /// Over all frames that both have.
    Deviation deviation_of(const Trajectory& other) const;

    size_t strands() const { return strands_.size(); }
    double mean_length() const { return mean_length_; }  ///< of a strand [m]

private:
    struct Strand {
        GroomId groom;
        size_t strand, particles;
    };
    /// Of each particle in turn, its place.
    template <class Use>
    void visit(const World& world, const Use& use) const;

    std::vector<Strand> strands_;
    size_t per_frame_ = 0;
    double mean_length_ = 0;
    std::vector<Vec3d> points_;
};

}  // namespace tendril::app
