// Lengths for substeps that are too long for the tension. The multipliers of string_length.cpp keep directions fixed,
// which makes the sideways motion of tightly stretched strings grow without bound once h > sqrt(m l / T). Here the
// substep ends where inertia and the pull of all segments balance, including the pull across them. This is implicit
// Euler: it damps motion that it cannot resolve and never adds any.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/strings/string_pull.cpp"
#include <hwy/foreach_target.h>

#include "solvers/strings/string_lanes-inl.h"

#include "math/symmetric-inl.h"

#include <vector>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

constexpr double kHeldInertia = 1e30;  // practically immovable [kg/s^2]
constexpr int kMaxIterations = 12;     // of Newton's method
constexpr int kMaxHalvings = 8;        // of a step that would raise the energy
constexpr double kConverged = 2e-3;    // after a step below this share of a segment, the next would be its square
constexpr double kSafeStep = 0.05;     // a step below this share of a segment does not raise the energy
constexpr double kMinLength = 1e-9;    // [m]

template <class F>
HWY_INLINE Symmetric<F> inverse(const Symmetric<F>& m)
{
    const F a = m.yy * m.zz - m.yz * m.yz, b = m.xz * m.yz - m.xy * m.zz, c = m.xy * m.yz - m.xz * m.yy;
    const F per = filled<F>(1) / (m.xx * a + m.xy * b + m.xz * c);
    return {a * per,
            b * per,
            c * per,
            (m.xx * m.zz - m.xz * m.xz) * per,
            (m.xy * m.xz - m.xx * m.yz) * per,
            (m.xx * m.yy - m.xy * m.xy) * per};
}

/// Stiffness of a segment: `across` in all directions, and `more` along it.
template <class F>
struct SegmentStiffness {
    Vec3<F> unit;
    F across, more;

    HWY_INLINE Vec3<F> operator*(const Vec3<F>& v) const { return v * across + unit * (more * dot(unit, v)); }
    HWY_INLINE Symmetric<F> matrix() const { return scaled_identity_plus_outer(across, more, unit); }
    /// K b K for this stiffness K and a symmetric b: a^2 b + n p^T + p n^T, with a = across, n = unit, p as below.
    HWY_INLINE Symmetric<F> around(const Symmetric<F>& b) const
    {
        const Vec3<F> bn = b * unit;
        const Vec3<F> p = bn * (across * more) + unit * (filled<F>(0.5) * more * more * dot(unit, bn));
        const F a2 = across * across, two = filled<F>(2);
        return {a2 * b.xx + two * unit.x * p.x,
                a2 * b.xy + (unit.x * p.y + unit.y * p.x),
                a2 * b.xz + (unit.x * p.z + unit.z * p.x),
                a2 * b.yy + two * unit.y * p.y,
                a2 * b.yz + (unit.y * p.z + unit.z * p.y),
                a2 * b.zz + two * unit.z * p.z};
    }
};

template <class F>
HWY_INLINE Symmetric<F> operator-(const Symmetric<F>& a, const Symmetric<F>& b)
{
    return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
}

/// A particle and the segment that begins at it.
template <class F>
struct alignas(64) PullRow {
    Vec3<F> position, by_lengths;
    F inertia;     // as a spring to the position without lengths [kg/s^2]
    F rate, ease;  // of the segment: stiffness [N/m], length without tension [m]
    SegmentStiffness<F> ahead;
    Symmetric<F> inverse_diagonal;
    Vec3<F> right, step;
};

/// Solves pieces side by side.
template <class F>
class Pull {
public:
    using Rows = std::vector<PullRow<F>>;

    Pull(const BatchLanes<F>& lanes, Rows& rows) : lanes_(lanes), n_(lanes.segments() + 1), rows_(rows)
    {
        if (rows_.size() < n_) rows_.resize(n_);
    }

    void load(const Strings& s, double h)
    {
        const F one = filled<F>(1), zero = filled<F>(0), h2 = filled<F>(h * h);
        for (size_t k = 0; k < n_; ++k) {
            PullRow<F>& row = rows_[k];
            row.position = lanes_.load(s.position, k);
            row.by_lengths = lanes_.load(s.by_lengths, k);
            const F inverse_mass = lanes_.load(s.inverse_mass, k);
            row.inertia = select(zero < inverse_mass, one / (inverse_mass * h2), filled<F>(kHeldInertia));
            if (k + 1 == n_) break;
            row.ease = lanes_.load(s.rest, k) * (one + lanes_.load(s.elongation, k));
            row.rate = lanes_.load(s.stiffness, k) / row.ease;
        }
        const F segment = lanes_.load(s.rest, 0);
        segment2_ = segment * segment;
    }

    void balance()
    {
        MaskOf<F> active = filled<F>(0) < filled<F>(1);  // lanes that have not converged
        for (int iteration = 0; iteration < kMaxIterations && any(active); ++iteration) {
            find_step();
            F farthest2 = filled<F>(0);
            for (size_t k = 0; k < n_; ++k) farthest2 = larger(dot(rows_[k].step, rows_[k].step), farthest2);
            advance(share_of_step(farthest2, active), active);
            active = active & !(farthest2 < filled<F>(kConverged * kConverged) * segment2_);
        }
    }

    void store(Strings& s) const
    {
        for (size_t k = 0; k < n_; ++k) {
            const PullRow<F>& row = rows_[k];
            lanes_.store(row.position, s.position, k);
            lanes_.store(row.by_lengths, s.by_lengths, k);
            if (k + 1 == n_) break;
            lanes_.store(row.rate * (length(rows_[k + 1].position - row.position) - row.ease), s.tension, k);
        }
    }

private:
    /// Computes the Newton step from the current positions.
    void find_step()
    {
        const F zero = filled<F>(0), one = filled<F>(1);
        Vec3<F> pull_behind = filled<F>(0, 0, 0);  // of the previous segment, on this particle
        for (size_t k = 0; k < n_; ++k) {
            PullRow<F>& row = rows_[k];
            Vec3<F> pull = filled<F>(0, 0, 0);
            row.ahead = {pull, zero, zero};
            if (k + 1 < n_) {
                const Vec3<F> e = rows_[k + 1].position - row.position;
                const F l = larger(length(e), filled<F>(kMinLength)), per = one / l;
                const F tension = row.rate * (l - row.ease), across = larger(tension, zero) * per;
                row.ahead = {e * per, across, row.rate - across};
                pull = row.ahead.unit * tension;
            }
            row.right = pull - pull_behind - row.by_lengths * row.inertia;
            Symmetric<F> diagonal = plus_diagonal(row.ahead.matrix(), row.inertia);
            if (k > 0) {
                // The block beside the diagonal is minus the stiffness of the segment between.
                const PullRow<F>& behind = rows_[k - 1];
                diagonal = diagonal + (behind.ahead.matrix() - behind.ahead.around(behind.inverse_diagonal));
                row.right += behind.ahead * (behind.inverse_diagonal * behind.right);
            }
            row.right = select(is_free(row), row.right, filled<F>(0, 0, 0));
            row.inverse_diagonal = inverse(diagonal);
            pull_behind = pull;
        }
        Vec3<F> next = filled<F>(0, 0, 0);
        for (size_t k = n_; k-- > 0;) {
            PullRow<F>& row = rows_[k];
            const Vec3<F> step = row.inverse_diagonal * (row.right + row.ahead * next);
            row.step = next = select(is_free(row), step, filled<F>(0, 0, 0));
        }
    }

    HWY_INLINE static auto is_free(const PullRow<F>& row) { return row.inertia < filled<F>(kHeldInertia); }

    /// The share of the step that does not raise the energy.
    F share_of_step(const F& farthest2, const MaskOf<F>& active) const
    {
        F share = filled<F>(1);
        MaskOf<F> worse = active & (filled<F>(kSafeStep * kSafeStep) * segment2_ < farthest2);
        if (!any(worse)) return share;
        const F now = energy_at(filled<F>(0));
        for (int k = 0; k < kMaxHalvings; ++k) {
            worse = worse & (now < energy_at(share));
            if (!any(worse)) break;
            share = select(worse, share * filled<F>(0.5), share);
        }
        return share;
    }

    /// The energy that is minimised, after `share` of the step: that of the segments, and inertia over the substep as
    /// springs to the positions without lengths.
    F energy_at(const F& share) const
    {
        F sum = filled<F>(0);
        const F zero = filled<F>(0), half = filled<F>(0.5);
        for (size_t k = 0; k < n_; ++k) {
            const PullRow<F>& row = rows_[k];
            const Vec3<F> step = row.step * share, off = row.by_lengths + step;
            sum = sum + select(is_free(row), dot(off, off) * row.inertia * half, zero);
            if (k + 1 == n_) break;
            const PullRow<F>& next = rows_[k + 1];
            const F over = length(next.position - row.position + next.step * share - step) - row.ease;
            sum = sum + row.rate * over * over * half;
        }
        return sum;
    }

    void advance(const F& share, const MaskOf<F>& active)
    {
        for (size_t k = 0; k < n_; ++k) {
            PullRow<F>& row = rows_[k];
            const Vec3<F> step = row.step * share;
            row.position = select(active, row.position + step, row.position);
            row.by_lengths = select(active, row.by_lengths + step, row.by_lengths);
        }
    }

    const BatchLanes<F>& lanes_;
    size_t n_;
    Rows& rows_;
    F segment2_;
};

void PullLengths(Strings& s, StringBatch batch, double h)
{
    with_lanes(batch, [&]<class F>(const BatchLanes<F>& lanes) HWY_ATTR {
        thread_local typename Pull<F>::Rows rows;
        Pull<F> pull(lanes, rows);
        pull.load(s, h);
        pull.balance();
        pull.store(s);
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {

HWY_EXPORT(PullLengths);

void pull_lengths(Strings& s, StringBatch batch, double h)
{
    HWY_DYNAMIC_DISPATCH(PullLengths)(s, batch, h);
}

}  // namespace tendril
#endif
