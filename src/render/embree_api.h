/// Embree 3 or 4, whichever the build has found. They differ in their folder and in how a query is asked; only this
/// file knows which one it is.
#pragma once

#if TENDRIL_EMBREE >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <cstdint>

namespace tendril {

/// Coherent rays start and end near the one before, as those through neighbouring pixels do. Embree is faster where it
/// knows, and finds the same.
enum class RayOrder : uint8_t { kScattered, kCoherent };

#if TENDRIL_EMBREE >= 4

inline RTCRayQueryFlags embree_flags(RayOrder order)
{
    return order == RayOrder::kCoherent ? RTC_RAY_QUERY_FLAG_COHERENT : RTC_RAY_QUERY_FLAG_INCOHERENT;
}

inline RTCOccludedArguments embree_occluded_arguments(RayOrder order)
{
    RTCOccludedArguments arguments;
    rtcInitOccludedArguments(&arguments);
    arguments.flags = embree_flags(order);
    return arguments;
}

inline void embree_intersect(RTCScene scene, RTCRayHit& query, RayOrder order)
{
    RTCIntersectArguments arguments;
    rtcInitIntersectArguments(&arguments);
    arguments.flags = embree_flags(order);
    rtcIntersect1(scene, &query, &arguments);
}

inline void embree_occluded(RTCScene scene, RTCRay& ray, RayOrder order)
{
    RTCOccludedArguments arguments = embree_occluded_arguments(order);
    rtcOccluded1(scene, &ray, &arguments);
}

inline void embree_occluded(RTCScene scene, const int* valid, RTCRay4& rays, RayOrder order)
{
    RTCOccludedArguments arguments = embree_occluded_arguments(order);
    rtcOccluded4(valid, scene, &rays, &arguments);
}

#else

inline RTCIntersectContext embree_context(RayOrder order)
{
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags =
        order == RayOrder::kCoherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    return context;
}

inline void embree_intersect(RTCScene scene, RTCRayHit& query, RayOrder order)
{
    RTCIntersectContext context = embree_context(order);
    rtcIntersect1(scene, &context, &query);
}

inline void embree_occluded(RTCScene scene, RTCRay& ray, RayOrder order)
{
    RTCIntersectContext context = embree_context(order);
    rtcOccluded1(scene, &context, &ray);
}

inline void embree_occluded(RTCScene scene, const int* valid, RTCRay4& rays, RayOrder order)
{
    RTCIntersectContext context = embree_context(order);
    rtcOccluded4(valid, scene, &context, &rays);
}

#endif

}  // namespace tendril
