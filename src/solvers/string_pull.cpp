// Lengths where a substep is too long for their tension. The multipliers of string_length.cpp take directions as they
// are, which sets strings that are pulled hard into ever wilder motion across themselves once h > sqrt(m l / T). Here
// the end of the substep is where inertia and the pull of all segments balance, pull across included: implicit Euler,
// which loses motion that it cannot follow and gains none.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/string_pull.cpp"
#include <hwy/foreach_target.h>

#include "solvers/string_lanes-inl.h"

#include "math/symmetric-inl.h"

#include <vector>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

constexpr double kHeldFast = 1e30;   // [kg/s^2]: as good as immovable
constexpr int kMaxSteps = 12;        // of Newton
constexpr int kMaxHalvings = 8;      // of one that would lead away
constexpr double kThere = 2e-3;      // after a step below this share of a segment the next would be its square
constexpr double kSafe = 0.05;       // and those below this do not lead away
constexpr double kMinLength = 1e-9;  // [m]

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

/// The stiffness of a segment: `across` in all directions, and `more` along it.
template <class F>
struct SegmentStiffness {
    Vec3<F> unit;
    F across, more;

    HWY_INLINE Vec3<F> operator*(const Vec3<F>& v) const { return v * across + unit * (more * dot(unit, v)); }
    HWY_INLINE Symmetric<F> matrix() const { return along_and_across(across, more, unit); }
    /// K b K of this K and a symmetric b: a^2 b + n p^T + p n^T, with a = across, n = unit, p as below.
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

/// A particle and the segment that begins there.
template <class F>
struct alignas(64) PullRow {
    Vec3<F> place, by_lengths;
    F inertia;     // as a spring to where it would be without lengths [kg/s^2]
    F rate, ease;  // of the segment [N/m], [m]
    SegmentStiffness<F> ahead;
    Symmetric<F> per_diagonal;
    Vec3<F> right, step;
};

/// The pull of pieces side by side.
template <class F>
class Pull {
public:
    using Rows = std::vector<PullRow<F>>;

    Pull(const SheafLanes<F>& lanes, Rows& rows) : lanes_(lanes), n_(lanes.segments() + 1), rows_(rows)
    {
        if (rows_.size() < n_) rows_.resize(n_);
    }

    void load(const Strings& s, double h)
    {
        const F one = filled<F>(1), zero = filled<F>(0), h2 = filled<F>(h * h);
        for (size_t k = 0; k < n_; ++k) {
            PullRow<F>& row = rows_[k];
            row.place = lanes_.load(s.place, k);
            row.by_lengths = lanes_.load(s.by_lengths, k);
            const F lightness = lanes_.load(s.lightness, k);
            row.inertia = select(zero < lightness, one / (lightness * h2), filled<F>(kHeldFast));
            if (k + 1 == n_) break;
            row.ease = lanes_.load(s.rest, k) * (one + lanes_.load(s.elongation, k));
            row.rate = lanes_.load(s.stiffness, k) / row.ease;
        }
        const F segment = lanes_.load(s.rest, 0);
        segment2_ = segment * segment;
    }

    void balance()
    {
        MaskOf<F> away = filled<F>(0) < filled<F>(1);  // lanes that are not yet there
        for (int iteration = 0; iteration < kMaxSteps && any(away); ++iteration) {
            find_step();
            F farthest2 = filled<F>(0);
            for (size_t k = 0; k < n_; ++k) farthest2 = larger(dot(rows_[k].step, rows_[k].step), farthest2);
            go(share_of_step(farthest2, away), away);
            away = away & !(farthest2 < filled<F>(kThere * kThere) * segment2_);
        }
    }

    void store(Strings& s) const
    {
        for (size_t k = 0; k < n_; ++k) {
            const PullRow<F>& row = rows_[k];
            lanes_.store(row.place, s.place, k);
            lanes_.store(row.by_lengths, s.by_lengths, k);
            if (k + 1 == n_) break;
            lanes_.store(row.rate * (length(rows_[k + 1].place - row.place) - row.ease), s.tension, k);
        }
    }

private:
    /// The step of Newton from where particles are.
    void find_step()
    {
        const F zero = filled<F>(0), one = filled<F>(1);
        Vec3<F> pull_behind = filled<F>(0, 0, 0);  // of the segment before, on this particle
        for (size_t k = 0; k < n_; ++k) {
            PullRow<F>& row = rows_[k];
            Vec3<F> pull = filled<F>(0, 0, 0);
            row.ahead = {pull, zero, zero};
            if (k + 1 < n_) {
                const Vec3<F> e = rows_[k + 1].place - row.place;
                const F l = larger(length(e), filled<F>(kMinLength)), per = one / l;
                const F tension = row.rate * (l - row.ease), across = larger(tension, zero) * per;
                row.ahead = {e * per, across, row.rate - across};
                pull = row.ahead.unit * tension;
            }
            row.right = pull - pull_behind - row.by_lengths * row.inertia;
            Symmetric<F> diagonal = plus_diagonal(row.ahead.matrix(), row.inertia);
            if (k > 0) {
                // Off the diagonal the matrix has minus the stiffness of the segment between.
                const PullRow<F>& behind = rows_[k - 1];
                diagonal = diagonal + (behind.ahead.matrix() - behind.ahead.around(behind.per_diagonal));
                row.right += behind.ahead * (behind.per_diagonal * behind.right);
            }
            row.right = select(is_free(row), row.right, filled<F>(0, 0, 0));
            row.per_diagonal = inverse(diagonal);
            pull_behind = pull;
        }
        Vec3<F> next = filled<F>(0, 0, 0);
        for (size_t k = n_; k-- > 0;) {
            PullRow<F>& row = rows_[k];
            const Vec3<F> step = row.per_diagonal * (row.right + row.ahead * next);
            row.step = next = select(is_free(row), step, filled<F>(0, 0, 0));
        }
    }

    HWY_INLINE static auto is_free(const PullRow<F>& row) { return row.inertia < filled<F>(kHeldFast); }

    /// How much of it does not lead away.
    F share_of_step(const F& farthest2, const MaskOf<F>& away) const
    {
        F share = filled<F>(1);
        MaskOf<F> worse = away & (filled<F>(kSafe * kSafe) * segment2_ < farthest2);
        if (!any(worse)) return share;
        const F now = energy_at(filled<F>(0));
        for (int k = 0; k < kMaxHalvings; ++k) {
            worse = worse & (now < energy_at(share));
            if (!any(worse)) break;
            share = select(worse, share * filled<F>(0.5), share);
        }
        return share;
    }

    /// What is least at the end: the energy in the segments, and inertia over the substep as springs to where particles
    /// would be without lengths, all moved on by `share` of a step.
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
            const F over = length(next.place - row.place + next.step * share - step) - row.ease;
            sum = sum + row.rate * over * over * half;
        }
        return sum;
    }

    void go(const F& share, const MaskOf<F>& away)
    {
        for (size_t k = 0; k < n_; ++k) {
            PullRow<F>& row = rows_[k];
            const Vec3<F> step = row.step * share;
            row.place = select(away, row.place + step, row.place);
            row.by_lengths = select(away, row.by_lengths + step, row.by_lengths);
        }
    }

    const SheafLanes<F>& lanes_;
    size_t n_;
    Rows& rows_;
    F segment2_;
};

void PullLengths(Strings& s, StringSheaf sheaf, double h)
{
    with_lanes(sheaf, [&]<class F>(const SheafLanes<F>& lanes) HWY_ATTR {
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

void pull_lengths(Strings& s, StringSheaf sheaf, double h)
{
    HWY_DYNAMIC_DISPATCH(PullLengths)(s, sheaf, h);
}

}  // namespace tendril
#endif
