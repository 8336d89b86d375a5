#include "interaction/clusters.h"

#include "math/vectors.h"

#include <algorithm>

namespace tendril {

GridBox united(const GridBox& a, const GridBox& b)
{
    return {component_min(a.low, b.low), component_max(a.high, b.high)};
}

bool near(const GridBox& a, const GridBox& b, double gap)
{
    const Vec3d apart = component_max(a.low - b.high, b.low - a.high);
    return std::max({apart.x, apart.y, apart.z}) < gap;
}

void Clusters::clear()
{
    boxes.clear();
    of.clear();
}

void Clusters::add(const GridBox& box)
{
    of.push_back(boxes.size());
    boxes.push_back(box);
}

void Clusters::merge_near(double gap)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t a = 0; a < boxes.size(); ++a)
            for (size_t b = a + 1; b < boxes.size(); ++b) {
                if (!exists(a) || !exists(b) || !near(boxes[a], boxes[b], gap)) continue;
                boxes[a] = united(boxes[a], boxes[b]);
                std::replace(of.begin(), of.end(), b, a);
                changed = true;
            }
    }
}

}  // namespace tendril
