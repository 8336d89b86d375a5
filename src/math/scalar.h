/// What math/simd-inl.h offers for lane groups, for one plain number: a formula that picks instead of branching can
/// then be written once for both.
#pragma once

namespace tendril {

template <class F>
requires(requires(F a) { a < 1; } && sizeof(F) <= 8) inline F select(bool mask, const F& yes, const F& no)
{
    return mask ? yes : no;
}
inline float min(float a, float b)
{
    return b < a ? b : a;
}
inline double min(double a, double b)
{
    return b < a ? b : a;
}
inline float max(float a, float b)
{
    return a < b ? b : a;
}
inline double max(double a, double b)
{
    return a < b ? b : a;
}
template <class F>
inline F splat(float a)
{
    return a;
}

}  // namespace tendril
