// The shared source of angle_of, for plain numbers (math/elementary.cpp) and for groups of doubles
// (math/doubles-inl.h).

/// The angle whose tangent is t in [0, 1].
template <class F>
TENDRIL_INLINE F octant_angle(const F& t)
{
    const F one = filled<F>(1);
    const auto small = t < filled<F>(0.01);
    const F t2 = t * t;
    const F series = t * (one - t2 * (filled<F>(1.0 / 3) -
                                      t2 * (filled<F>(1.0 / 5) - t2 * (filled<F>(1.0 / 7) - t2 * filled<F>(1.0 / 9)))));
    if (!any(!small)) return series;
    // Two half-angle steps bring the argument below 0.2, where the series converges fast.
    F quarter = t;
    for (int i = 0; i < 2; ++i) quarter = quarter / (one + sqrt(one + quarter * quarter));
    const F quarter2 = quarter * quarter;
    constexpr double kReciprocals[] = {1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                       1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
    F sum = filled<F>(0);
    for (const double reciprocal : kReciprocals) sum = filled<F>(reciprocal) - quarter2 * sum;
    return select(small, series, filled<F>(4) * quarter * sum);
}

template <class F>
TENDRIL_INLINE F angle_from_x(const F& y, const F& x)
{
    constexpr double kPi = 3.14159265358979323846;
    const F zero = filled<F>(0), abs_y = abs(y), abs_x = abs(x);
    const auto steep = abs_x < abs_y;
    const F larger_side = select(steep, abs_y, abs_x), smaller_side = select(steep, abs_x, abs_y);
    F angle = octant_angle(select(zero < larger_side, smaller_side / larger_side, zero));
    angle = select(steep, filled<F>(kPi / 2) - angle, angle);
    angle = select(x < zero, filled<F>(kPi) - angle, angle);
    return select(y < zero, zero - angle, angle);
}
