/// The kernel of the pair forces, and its input for each particle.
#pragma once

#include "interaction/neighbours.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <span>

namespace tendril {

/// The state of one particle. With t = 1 - r/h, the acceleration of i due to j is m_j times
///     min(push_i + push_j, max_push_i, max_push_j) t^2 (x_i - x_j) h/r + min(drag_i, drag_j) t (v_j - v_i).
struct alignas(16) SphState {
    float x, y, z, mass;
    float vx, vy, vz, drag;
    float push, max_push;
    float reach;  ///< as in Surroundings
    float unused;
};

/// Computes the accelerations of the particles [begin, end) in the sorted order of `neighbours`, and writes them in the
/// order of the input of Neighbours::find.
void sum_pair_forces(const Neighbours& neighbours, std::span<const SphState> states, std::span<Vec3f> accelerations,
                     size_t begin, size_t end);

}  // namespace tendril
