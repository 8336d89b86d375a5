/// How long hair as a fluid takes: to find neighbours and densities, and to sum up their forces.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <cstddef>
#include <functional>

namespace tendril::bench {

/// Of 15,174 strands of 23 particles around a head, the size of the mannequin in [Sanchez15] table 1, one strand after
/// the other and not sorted in space.
struct SphFigures {
    size_t particles = 0;
    double neighbours = 0;  ///< listed of a particle, on average
    double cut = 0;         ///< share of the particles that have more than are listed
    Samples sort;           ///< sorting into cells alone [ms]
    Samples search;         ///< neighbours and densities, sorting included [ms]
    Samples forces;         ///< pressure and viscosity [ms]
    Samples all;            ///< search and forces [ms]
};

SphFigures measure_sph(int rounds, Executor& executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
