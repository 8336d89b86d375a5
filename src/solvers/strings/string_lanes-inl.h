// Pieces of strings side by side: every lane has another piece, every row the next particle of each. Kernels are
// templates over F = double (one piece) or Doubles (up to eight with the same number of segments).

#if defined(TENDRIL_SOLVERS_STRING_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_STRING_LANES_INL_H_
#undef TENDRIL_SOLVERS_STRING_LANES_INL_H_
#else
#define TENDRIL_SOLVERS_STRING_LANES_INL_H_
#endif

#include "math/doubles-inl.h"
#include "solvers/strings/strings.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

template <class F>
class BatchLanes {
public:
    static constexpr int kLanes = kLanesOf<F>;

    explicit BatchLanes(StringBatch batch) : count_(static_cast<int>(batch.size())), segments_(batch[0].segments())
    {
        // Unused lanes repeat the first piece and are not stored.
        for (int l = 0; l < kLanes; ++l) first_[l] = batch[l < count_ ? static_cast<size_t>(l) : 0].first;
    }
    size_t segments() const { return segments_; }

    /// Load the values of particle or segment k of each piece.
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
    /// Loads 1 for any value but 0.
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
inline constexpr size_t kMinPiecesForLanes = 3;

/// Calls `kernel(BatchLanes<F>)`, with the pieces of a batch in SIMD lanes if there are enough of them, otherwise one
/// by one.
template <class Kernel>
HWY_INLINE void with_lanes(StringBatch batch, const Kernel& kernel)
{
    if (batch.size() >= kMinPiecesForLanes)
        kernel(BatchLanes<Doubles>(batch));
    else
        for (const StringPiece& piece : batch) kernel(BatchLanes<double>(piece));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
