/// Other engines on the same scenario, in the same process: ropes that swing and ropes that are dragged.
#pragma once

#include <string>
#include <vector>

namespace tendril::bench {

/// How one method did in one scenario. Stretch is | length / rest length - 1 | over all segments and steps.
struct PeerFigures {
    std::string scenario, method;
    double ns_per_particle = 0;  ///< and step, on one thread
    double stretch_max = 0, stretch_mean = 0;
};

/// Whether Bullet was found when this was built.
bool has_peers();

/// Every method in turns, `rounds` times; times are medians.
std::vector<PeerFigures> compare_peers(int rounds);

}  // namespace tendril::bench
