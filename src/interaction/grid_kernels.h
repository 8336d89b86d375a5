/// The passes over all particles and nodes of a density grid, on the best instruction set of the processor.
///
/// A node is four floats: density and momentum while particles are added, then smoothed density and velocity. Two nodes
/// that are neighbours along x are eight floats side by side, so a particle reads and writes four such pairs.
/// Velocities are motions over the last step [m]; places are in cells from the node of lowest indices.
#pragma once

#include "strands/frame.h"
#include "strands/strands.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>

namespace tendril {

inline constexpr size_t kNodeFloats = 4;
/// Densities are read in whole lane groups, up to this many beyond the last node.
inline constexpr size_t kNodePadding = 16;

/// How many nodes there are each way. The outermost two layers stay empty: smoothing and reading need no special case.
struct GridSize {
    int32_t x = 0, y = 0, z = 0;
    size_t row() const { return static_cast<size_t>(x); }
    size_t rows() const { return static_cast<size_t>(y) * static_cast<size_t>(z); }
    size_t nodes() const { return row() * rows(); }
};

/// What happens to a particle.
struct GridForces {
    float friction = 0;   ///< share of the difference to the grid's velocity, over substeps per step
    float push = 0;       ///< most that repulsion adds [m per substep]
    float tolerance = 1;  ///< crowded is what is denser than at rest by this factor
};

/// A groom on a grid.
struct GriddedGroom {
    Strands* strands = nullptr;
    FrameSubstep frame;               ///< of rigid roots over the last step
    Vec3f origin{0, 0, 0};            ///< that of the strands, from the grid [cells]
    float per_metre = 1;              ///< cells in a metre
    ParticleRows* density = nullptr;  ///< of the rest pose, made by `keep_densities`
    GridForces forces;
};

/// Some blocks of one bucket of a groom.
struct BlockRange {
    size_t groom = 0, bucket = 0, begin = 0, end = 0;
};

/// The box around all particles of some blocks, from the strands' origin [m].
struct BlockBox {
    float low[3], high[3];
};
BlockBox bound_particles(const GriddedGroom& groom, const BlockRange& range);

/// Adds density and momentum of particles to nodes.
void add_particles(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, float* nodes);

/// Grids that were filled apart from each other, `stride` floats from one to the next.
struct NodeParts {
    float* first = nullptr;
    size_t count = 0, stride = 0;
};

/// Rows of nodes from `begin` to `end`: adds the parts up and leaves zeros there; out come velocities in `field`, and
/// densities smoothed along x in `densities`.
void add_parts(const GridSize& size, const NodeParts& parts, float* field, float* densities, size_t begin, size_t end);

/// Smooths those densities along y and z, into `field`.
void smooth_densities(const GridSize& size, const float* densities, float* field, size_t begin, size_t end);

/// Friction and repulsion.
void act_on_particles(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, const float* field);

/// `groom.density` becomes the density that a particle finds around it, where that is larger.
void keep_densities(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, const float* field);

}  // namespace tendril
