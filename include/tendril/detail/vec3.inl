// The shared source of the vector maths. It is included twice: by <tendril/vec3.h> for plain numbers, and by
// math/simd-inl.h once per instruction set, where F is a group of SIMD lanes. A kernel based on it therefore runs for
// one strand or for many with the same operations in the same order, and so with the same bits.

template <class F>
struct Vec3 {
    F x, y, z;
};

template <class F>
TENDRIL_INLINE Vec3<F> operator+(const Vec3<F>& a, const Vec3<F>& b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class F>
TENDRIL_INLINE Vec3<F> operator-(const Vec3<F>& a, const Vec3<F>& b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <class F>
TENDRIL_INLINE Vec3<F> operator*(const Vec3<F>& a, const F& s)
{
    return {a.x * s, a.y * s, a.z * s};
}

template <class F>
TENDRIL_INLINE Vec3<F>& operator+=(Vec3<F>& a, const Vec3<F>& b)
{
    return a = a + b;
}

template <class F>
TENDRIL_INLINE Vec3<F>& operator-=(Vec3<F>& a, const Vec3<F>& b)
{
    return a = a - b;
}

template <class F>
TENDRIL_INLINE F dot(const Vec3<F>& a, const Vec3<F>& b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class F>
TENDRIL_INLINE Vec3<F> cross(const Vec3<F>& a, const Vec3<F>& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Multiplies a 3 x 3 matrix, given by its rows, by a vector.
template <class F>
TENDRIL_INLINE Vec3<F> transform(const Vec3<F>& row_x, const Vec3<F>& row_y, const Vec3<F>& row_z, const Vec3<F>& v)
{
    return {dot(row_x, v), dot(row_y, v), dot(row_z, v)};
}
