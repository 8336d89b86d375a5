/// Strings that touch each other or themselves, [Rungjiratananon11] section 6: pairs of capsules are pushed apart and
/// rub, with the masses of all four particles.
#pragma once

#include "interaction/capsules.h"
#include "solvers/strings.h"
#include "tendril/parallel.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// A pair that touches, or would at the end of the substep.
struct StringContact {
    SegmentPair pair;
    SegmentPoints points;
    Vec3d normal;  ///< from the second to the first
    double apart;  ///< what their points must be apart along it [m]
    double push;   ///< so far, times the lightness it is the way of a particle [kg m]
    Vec3d rub;     ///< the same across the normal
};

class StringContacts {
public:
    /// Contacts over the substep from `before` to `place`, where nothing else stands in the way.
    void find(Strings& strings, const StringContactSettings& settings, Executor& executor);
    /// Pushes all apart, one after the other.
    void push_apart(Strings& strings) const;
    std::span<const StringContact> contacts() const { return contacts_; }
    /// The next search begins anew: strings were put somewhere else.
    void forget() { known_.clear(); }

private:
    void find_candidates(const Strings& strings, const StringContactSettings& settings, Executor& executor);
    void look_at(const Strings& strings, const SegmentPair& pair, bool continuous);

    CapsulePairs search_;
    std::vector<SegmentPair> candidates_;
    std::vector<Vec3d> known_;  ///< places at which they were found
    double margin_ = 0;         ///< by how much farther apart than touching they were at most [m]
    std::vector<double> travel_;
    mutable std::vector<StringContact> contacts_;
    double friction_ = 0;
};

}  // namespace tendril
