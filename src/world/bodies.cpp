#include "world/bodies.h"

namespace tendril {

size_t Bodies::sample(const TimeSpan& span)
{
    size_t bad = 0;
    for (WorldBody& body : *this) bad += sample(body, span);
    return bad;
}

size_t Bodies::sample(WorldBody& body, const TimeSpan& span)
{
    size_t bad = 0;
    body.samples.resize(static_cast<size_t>(span.substeps) + 1);
    for (int k = 0; k <= span.substeps; ++k) bad += !body.body.sample(span.at(k), body.samples[static_cast<size_t>(k)]);
    return bad;
}

}  // namespace tendril
