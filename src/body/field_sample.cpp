#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/field_sample.cpp"
#include <hwy/foreach_target.h>

#include "body/field-inl.h"
#include "body/field_sample.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

HWY_INLINE Vec3<Lanes<1>> load_places(const float* at)
{
    return {load_anywhere(at), load_anywhere(at + 16), load_anywhere(at + 32)};
}

HWY_INLINE void store_vectors(const Vec3<Lanes<1>>& v, float* to)
{
    store_anywhere(v.x, to);
    store_anywhere(v.y, to + 16);
    store_anywhere(v.z, to + 32);
}

void SampleGroups(const FieldView& field, const float* places, float* samples, size_t groups)
{
    for (size_t g = 0; g < groups; ++g) {
        const FieldSample<Lanes<1>> s = sample_field(field, load_places(places + 48 * g));
        store_anywhere(s.distance, samples + 64 * g);
        store_vectors(s.normal, samples + 64 * g + 16);
    }
}

void MotionGroups(const FieldView& field, const float* places, float* motions, size_t groups)
{
    for (size_t g = 0; g < groups; ++g)
        store_vectors(field_motion(field, load_places(places + 48 * g)), motions + 48 * g);
}

FieldPoint SampleAt(const FieldView& field, const Vec3f& place)
{
    const FieldSample<float> s = sample_field(field, Vec3<float>{place.x, place.y, place.z});
    return {s.distance, {s.normal.x, s.normal.y, s.normal.z}};
}

Vec3f MotionAt(const FieldView& field, const Vec3f& place)
{
    const Vec3<float> m = field_motion(field, Vec3<float>{place.x, place.y, place.z});
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

FieldPoint sample_at(const FieldView& field, const Vec3f& place)
{
    return HWY_DYNAMIC_DISPATCH(SampleAt)(field, place);
}

Vec3f motion_at(const FieldView& field, const Vec3f& place)
{
    return HWY_DYNAMIC_DISPATCH(MotionAt)(field, place);
}

void sample_groups(const FieldView& field, const float* places, float* samples, size_t groups)
{
    HWY_DYNAMIC_DISPATCH(SampleGroups)(field, places, samples, groups);
}

void motion_groups(const FieldView& field, const float* places, float* motions, size_t groups)
{
    HWY_DYNAMIC_DISPATCH(MotionGroups)(field, places, motions, groups);
}

}  // namespace tendril
#endif
