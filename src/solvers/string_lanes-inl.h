// Pieces of strings side by side: lane after lane another piece, row after row the next particle of each. Kernels are
// templates over F = double (one piece) or Doubles (up to eight of the same number of segments).

#if defined(TENDRIL_SOLVERS_STRING_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_STRING_LANES_INL_H_
#undef TENDRIL_SOLVERS_STRING_LANES_INL_H_
#else
#define TENDRIL_SOLVERS_STRING_LANES_INL_H_
#endif

#include "math/doubles-inl.h"
#include "solvers/strings.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

template <class F>
class SheafLanes {
public:
    static constexpr int kLanes = kLanesOf<F>;

    explicit SheafLanes(StringSheaf sheaf) : count_(static_cast<int>(sheaf.size())), segments_(sheaf[0].segments())
    {
        // Lanes that are left over do as the first one, and are not written.
        for (int l = 0; l < kLanes; ++l) first_[l] = sheaf[l < count_ ? static_cast<size_t>(l) : 0].first;
    }
    size_t segments() const { return segments_; }

    /// Of the particle or segment k of each piece.
    HWY_INLINE F load(const std::vector<double>& values, size_t k) const
    {
        alignas(64) double lanes[kLanes];
        for (int l = 0; l < kLanes; ++l) lanes[l] = values[first_[l] + k];
        return load_lanes<F>(lanes);
    }
    HWY_INLINE Vec3<F> load(const std::vector<Vec3d>& values, size_t k) const
    {
        alignas(64) double x[kLanes], y[kLanes], z[kLanes];
        for (int l = 0; l < kLanes; ++l) {
            const Vec3d& v = values[first_[l] + k];
            x[l] = v.x, y[l] = v.y, z[l] = v.z;
        }
        return {load_lanes<F>(x), load_lanes<F>(y), load_lanes<F>(z)};
    }
    /// 1 where it is not 0.
    HWY_INLINE F load(const std::vector<uint8_t>& values, size_t k) const
    {
        alignas(64) double lanes[kLanes];
        for (int l = 0; l < kLanes; ++l) lanes[l] = values[first_[l] + k] != 0 ? 1.0 : 0.0;
        return load_lanes<F>(lanes);
    }
    HWY_INLINE void store(const F& a, std::vector<double>& values, size_t k) const
    {
        alignas(64) double lanes[kLanes];
        store_lanes(a, lanes);
        for (int l = 0; l < count_; ++l) values[first_[l] + k] = lanes[l];
    }
    HWY_INLINE void store(const Vec3<F>& a, std::vector<Vec3d>& values, size_t k) const
    {
        alignas(64) double x[kLanes], y[kLanes], z[kLanes];
        store_lanes(a.x, x), store_lanes(a.y, y), store_lanes(a.z, z);
        for (int l = 0; l < count_; ++l) values[first_[l] + k] = {x[l], y[l], z[l]};
    }

private:
    int count_;
    size_t segments_;
    size_t first_[kLanes];
};

/// Fewer pieces are faster one by one.
inline constexpr size_t kWorthLanes = 3;

/// Calls for a sheaf with F as many lanes as are worth it: as (SheafLanes<F>).
template <class Kernel>
HWY_INLINE void with_lanes(StringSheaf sheaf, const Kernel& kernel)
{
    if (sheaf.size() >= kWorthLanes)
        kernel(SheafLanes<Doubles>(sheaf));
    else
        for (const StringPiece& piece : sheaf) kernel(SheafLanes<double>(piece));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
