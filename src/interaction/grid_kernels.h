/// Kernels of the passes over the particles and nodes of a density grid.
///
/// A node is four floats: density and momentum while particles are added, then smoothed density and velocity. Nodes
/// that are neighbours along x are contiguous in memory, so a particle reads and writes four pairs of nodes. Velocities
/// are displacements over the last step [m]; positions are relative to the first node [cells].
#pragma once

#include "strands/frame.h"
#include "strands/strands.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>

namespace tendril {

inline constexpr size_t kNodeFloats = 4;
/// Densities are read in whole lane groups, up to this many floats beyond the last node.
inline constexpr size_t kNodePadding = 16;

/// Number of nodes along each axis. The outermost two layers stay empty, so smoothing and reading need no special case.
struct GridSize {
    int32_t x = 0, y = 0, z = 0;
    size_t row() const { return static_cast<size_t>(x); }
    size_t rows() const { return static_cast<size_t>(y) * static_cast<size_t>(z); }
    size_t nodes() const { return row() * rows(); }
};

/// Coefficients of the forces on a particle.
struct GridForces {
    float friction = 0;   ///< change of drift per difference to the grid's displacement
    float push = 0;       ///< maximum drift that repulsion adds [m]
    float tolerance = 1;  ///< hair is crowded above this multiple of its rest density
};

/// A groom on a grid.
struct GriddedGroom {
    Strands* strands = nullptr;
    FrameSubstep frame;               ///< motion over the last step, for roots on one bone
    Vec3f origin{0, 0, 0};            ///< origin of the strands, relative to the first node [cells]
    float per_metre = 1;              ///< cells per metre
    ParticleRows* density = nullptr;  ///< in the rest pose, written by `keep_densities`
    GridForces forces;
};

/// A range of blocks in one bucket of a groom.
struct BlockRange {
    size_t groom = 0, bucket = 0, begin = 0, end = 0;
};

/// Bounding box of the particles of some blocks, relative to the strands' origin [m].
struct BlockBox {
    float low[3], high[3];
};
BlockBox bound_particles(const GriddedGroom& groom, const BlockRange& range);

/// Adds the density and momentum of particles to nodes.
void add_particles(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, float* nodes);

/// Partial grids, `stride` floats apart.
struct NodeParts {
    float* first = nullptr;
    size_t count = 0, stride = 0;
};

/// Sums the parts over the rows of nodes [begin, end) and clears them. Writes velocities to `field`, and densities
/// smoothed along x to `densities`.
void add_parts(const GridSize& size, const NodeParts& parts, float* field, float* densities, size_t begin, size_t end);

/// Smooths these densities along y and z and writes them to `field`.
void smooth_densities(const GridSize& size, const float* densities, float* field, size_t begin, size_t end);

/// Applies friction and repulsion to the drift.
void act_on_particles(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, const float* field);

/// Raises `groom.density` to the density around each particle, where that is larger.
void keep_densities(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, const float* field);

}  // namespace tendril
