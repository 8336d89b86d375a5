#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/field/field_sample.cpp"
#include <hwy/foreach_target.h>

#include "body/field/field-inl.h"
#include "body/field/field_sample.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

template <int Groups>
HWY_INLINE Vec3<Lanes<Groups>> load_points(const float* at)
{
    return {load_anywhere<Groups>(at, 48), load_anywhere<Groups>(at + 16, 48), load_anywhere<Groups>(at + 32, 48)};
}

template <int Groups>
HWY_INLINE void store_vectors(const Vec3<Lanes<Groups>>& v, float* to, size_t stride)
{
    store_anywhere(v.x, to, stride);
    store_anywhere(v.y, to + 16, stride);
    store_anywhere(v.z, to + 32, stride);
}

template <int Groups>
HWY_INLINE void sample_some(const FieldView& field, const float* points, float* samples)
{
    const FieldSample<Lanes<Groups>> s = sample_field(field, load_points<Groups>(points));
    store_anywhere(s.distance, samples, 64);
    store_vectors(s.normal, samples + 16, 64);
}

void SampleGroups(const FieldView& field, const float* points, float* samples, size_t groups)
{
    constexpr int kAtOnce = LaneTraits<WideLanes>::kBlocks;
    size_t g = 0;
    for (; g + kAtOnce <= groups; g += kAtOnce) sample_some<kAtOnce>(field, points + 48 * g, samples + 64 * g);
    for (; g < groups; ++g) sample_some<1>(field, points + 48 * g, samples + 64 * g);
}

void MotionGroups(const FieldView& field, const float* points, float* motions, size_t groups)
{
    for (size_t g = 0; g < groups; ++g)
        store_vectors(field_motion(field, load_points<1>(points + 48 * g)), motions + 48 * g, 48);
}

FieldPoint SampleAt(const FieldView& field, const Vec3f& point)
{
    const FieldSample<float> s = sample_field(field, Vec3<float>{point.x, point.y, point.z});
    return {s.distance, {s.normal.x, s.normal.y, s.normal.z}};
}

Vec3f MotionAt(const FieldView& field, const Vec3f& point)
{
    const Vec3<float> m = field_motion(field, Vec3<float>{point.x, point.y, point.z});
    return {m.x, m.y, m.z};
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SampleGroups);
HWY_EXPORT(MotionGroups);
HWY_EXPORT(SampleAt);
HWY_EXPORT(MotionAt);

FieldPoint sample_at(const FieldView& field, const Vec3f& point)
{
    return HWY_DYNAMIC_DISPATCH(SampleAt)(field, point);
}

Vec3f motion_at(const FieldView& field, const Vec3f& point)
{
    return HWY_DYNAMIC_DISPATCH(MotionAt)(field, point);
}

void sample_groups(const FieldView& field, const float* points, float* samples, size_t groups)
{
    HWY_DYNAMIC_DISPATCH(SampleGroups)(field, points, samples, groups);
}

void motion_groups(const FieldView& field, const float* points, float* motions, size_t groups)
{
    HWY_DYNAMIC_DISPATCH(MotionGroups)(field, points, motions, groups);
}

}  // namespace tendril
#endif
