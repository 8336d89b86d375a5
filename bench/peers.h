/// Comparison with other engines in the same process: ropes that swing and ropes that are dragged.
#pragma once

#include <string>
#include <vector>

namespace tendril::bench {

/// One method in one scenario. Stretch is | length / rest length - 1 | over all segments and steps.
struct PeerFigures {
    std::string scenario, method;
    double ns_per_particle = 0;  ///< per step, on one thread
    double stretch_max = 0, stretch_mean = 0;
};

/// Whether this build includes Bullet.
bool has_peers();

/// Runs every method once per round; times are medians.
std::vector<PeerFigures> compare_peers(int rounds);

}  // namespace tendril::bench
