// Restores the lengths of strands that are held at more than their root: finds the positions nearest to the current
// ones at which all segments have their rest lengths. Alternating passes would come close but not get there.

#if defined(TENDRIL_SOLVERS_CLOSE_LENGTHS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_CLOSE_LENGTHS_INL_H_
#undef TENDRIL_SOLVERS_CLOSE_LENGTHS_INL_H_
#else
#define TENDRIL_SOLVERS_CLOSE_LENGTHS_INL_H_
#endif

#include "solvers/spring_chain-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

class LengthCloser {
public:
    using F = Points::F;
    /// Its rows: initial positions, tensions, position of the preceding held particle and length of strand from there.
    enum Row : size_t {
        kStart = 0,
        kTension = kStart + 3,
        kLastHeld,
        kLengthSince = kLastHeld + 3,
        kChain,
        kRows = kChain + SpringChain::kRows
    };

    HWY_INLINE LengthCloser(Points& points, size_t first_row)
        : points_(points), chain_(points, first_row + kChain), first_(first_row)
    {
    }

    /// Acts on strands where `selected` is 1; their held particles must be at their targets. `off()` returns 1 for
    /// strands that do not have their lengths.
    template <class OffLength>
    HWY_NOINLINE void run(const F& selected, const OffLength& off)
    {
        const F zero = splat<F>(0.0f);
        for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(first_ + kStart, i, points_.at(i));
        const F left = converge(selected, off);
        if (!any(zero < left)) return;
        restore(left);
        const F slack = left * long_enough();
        if (!any(zero < slack)) return;
        buckle(slack);
        restore(converge(slack, off));
    }

private:
    static constexpr int kMaxIterations = 24;
    static constexpr float kUnlimited = 1e15f;
    static constexpr float kFlatAngle = 0.1f;  // [rad]; below it, the height of an arc is lost in its radius
    static constexpr float kTurnsPerRadian = 0.159154943f;

    HWY_INLINE Vec3<F> start(int i) const { return points_.own_vector(first_ + kStart, i); }
    HWY_INLINE auto is_free(int i) const { return splat<F>(0.0f) < points_.inverse_mass(i); }

    HWY_NOINLINE void restore(const F& selected)
    {
        for (int i = 0; i < points_.levels(); ++i)
            points_.set_position(i, select(splat<F>(0.0f) < selected, start(i), points_.at(i)));
    }

    /// Returns 1 for strands that have not converged.
    template <class OffLength>
    HWY_INLINE F converge(const F& selected, const OffLength& off)
    {
        for (int i = 0; i < points_.levels(); ++i) points_.set_own(first_ + kTension, i, splat<F>(0.0f));
        F left = selected;
        for (int n = 0; n < kMaxIterations && any(splat<F>(0.0f) < left); ++n) {
            iterate(left);
            left = left * off();
        }
        return left;
    }

    HWY_NOINLINE void iterate(const F& left)
    {
        const F zero = splat<F>(0.0f);
        const auto active = zero < left;
        chain_.solve(
            [&](int i) HWY_ATTR {
                const Vec3<F> e = points_.at(i) - points_.at(i - 1);
                const F n = sqrt(max(dot(e, e), splat<F>(kNoDirection)));
                const F tension = points_.own(first_ + kTension, i), across = max(zero, tension) / n;
                return SpringChain::Spring{e * (splat<F>(1.0f) / n), n - points_.rest_length(i), across, zero, tension};
            },
            [&](int i) HWY_ATTR { return select(is_free(i), start(i), points_.at(i)); },
            [&](int i, const Vec3<F>& step, const F& tension) HWY_ATTR {
                points_.set_position(i, select(active, points_.at(i) + step, points_.at(i)));
                points_.set_own(first_ + kTension, i, tension);
            });
    }

    /// 1 for strands that are long enough between all pairs of neighbouring holds.
    HWY_NOINLINE F long_enough() const
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        F length = points_.root_held() ? zero : splat<F>(kUnlimited), fine = one;
        Vec3<F> last = points_.at(0);
        for (int i = 1; i < points_.levels(); ++i) {
            length = length + points_.rest_length(i);
            const Vec3<F> span = points_.at(i) - last;
            const F reaches = select(length * length < dot(span, span), zero, one);
            fine = select(is_free(i), fine, fine * reaches);
            last = select(is_free(i), last, points_.at(i));
            length = select(is_free(i), length, zero);
        }
        return fine;
    }

    /// A straight strand under compression must yield sideways but has no preferred side. Between neighbouring holds it
    /// therefore starts from an arc of about its length, which sags downwards where there is a choice.
    HWY_NOINLINE void buckle(const F& selected)
    {
        const F zero = splat<F>(0.0f);
        Vec3<F> last = points_.at(0);
        F length = points_.root_held() ? zero : splat<F>(kUnlimited);
        for (int i = 0; i < points_.levels(); ++i) {
            if (i > 0) length = length + points_.rest_length(i);
            points_.set_own_vector(first_ + kLastHeld, i, last);
            points_.set_own(first_ + kLengthSince, i, length);
            last = select(is_free(i), last, points_.at(i));
            length = select(is_free(i), length, zero);
        }
        Vec3<F> next = points_.at(points_.tip());
        F left = splat<F>(kUnlimited);
        for (int i = points_.tip(); i > 0; --i) {
            next = select(is_free(i), next, points_.at(i));
            left = select(is_free(i), left, zero);
            const auto between = points_.own(first_ + kLengthSince, i) + left < splat<F>(0.5f * kUnlimited);
            const Vec3<F> there = select(between, on_arc(i, next, left), points_.at(i));
            const auto active = zero < selected * points_.inverse_mass(i);
            points_.set_position(i, select(active, there, points_.at(i)));
            points_.set_own_vector(first_ + kStart, i, points_.at(i));
            left = left + points_.rest_length(i);
        }
    }
    /// The position of particle i on a circular arc from the last to the next held particle, as far along the arc as it
    /// is along the strand, so that all lengths are nearly right. With a half the angle of the arc, sin(a)/a is chord
    /// over length.
    HWY_INLINE Vec3<F> on_arc(int i, const Vec3<F>& next, const F& left) const
    {
        const F least = splat<F>(kNoDirection), zero = splat<F>(0.0f), one = splat<F>(1.0f), half = splat<F>(0.5f);
        const Vec3<F> last = points_.own_vector(first_ + kLastHeld, i), chord = next - last;
        const F since = points_.own(first_ + kLengthSince, i), l = max(since + left, least), s = since / l;
        const F d2 = dot(chord, chord), ratio = min(one, sqrt(d2) / l), rest = one - ratio;
        F a = sqrt(rest * splat<F>(6.0f)) * (one + rest * splat<F>(0.28f));
        const auto flat = a < splat<F>(kFlatAngle);
        for (int n = 0; n < 2; ++n) a = select(flat, a, a - (sine(a) - ratio * a) / (cosine(a) - ratio));
        const F angle = (s + s - one) * a, radius = half * l / max(a, least);
        const F along = select(flat, s, half + sine(angle) * half / max(sine(a), splat<F>(1e-6f)));
        const F aside = select(flat, l * a * s * (one - s), radius * (cosine(angle) - cosine(a)));
        return last + chord * along + sideways(chord) * max(aside, zero);
    }
    static HWY_INLINE F cosine(const F& angle) { return cos_turns(angle * splat<F>(kTurnsPerRadian)); }
    static HWY_INLINE F sine(const F& angle) { return cos_turns(angle * splat<F>(kTurnsPerRadian) - splat<F>(0.25f)); }
    static HWY_INLINE Vec3<F> sideways(const Vec3<F>& chord)
    {
        const F least = splat<F>(kNoDirection), d2 = max(dot(chord, chord), least);
        const auto across = [&](const Vec3<F>& v) HWY_ATTR { return v - chord * (dot(v, chord) / d2); };
        const Vec3<F> down = across(splat<F>(0.0f, -1.0f, 0.0f)), aside = across(splat<F>(1.0f, 0.0f, 0.0f));
        const Vec3<F> direction = select(splat<F>(0.01f) < dot(down, down), down, aside);
        return direction * (splat<F>(1.0f) / sqrt(max(dot(direction, direction), least)));
    }

    Points& points_;
    SpringChain chain_;
    size_t first_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
