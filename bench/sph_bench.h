/// The cost of hair as a fluid: finding neighbours and densities, and summing forces.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <cstddef>
#include <functional>

namespace tendril::bench {

/// For 15,174 strands of 23 particles around a head, nearly as many particles as the 349,232 of the mannequin in
/// [Sanchez15] table 1, in the order of strands and not sorted in space.
struct SphFigures {
    size_t particles = 0;
    double neighbours = 0;  ///< mean number of listed neighbours
    double cut = 0;         ///< share of the particles that have more neighbours than are listed
    Samples sort;           ///< only sorting into cells [ms]
    Samples search;         ///< neighbours and densities, sorting included [ms]
    Samples forces;         ///< pressure and viscosity [ms]
    Samples all;            ///< search and forces [ms]
};

SphFigures measure_sph(int rounds, Executor& executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
