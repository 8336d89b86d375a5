/// The operations of math/simd-inl.h for one plain number, so that a formula that selects instead of branching can be
/// written once for both.
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
