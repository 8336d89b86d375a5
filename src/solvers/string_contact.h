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

struct StringContactSettings {
    PairSearch search = PairSearch::kExact;
    double voxel = 1;        ///< of kSevenVoxels, in units of the longest segment
    double friction = 0.3;   ///< Coulomb's coefficient
    bool continuous = true;  ///< also looks for strings that have gone through each other within a substep
};

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
    /// Contacts over the substep from `before` to `place`, as things are. `look_again` adds those that others have
    /// brought about since; false where there are none.
    void find(Strings& strings, const StringContactSettings& settings, Executor& executor);
    bool look_again(Strings& strings);
    /// Pushes all apart, one after the other.
    void push_apart(Strings& strings);
    std::span<const StringContact> contacts() const { return contacts_; }
    /// The next search begins anew: strings were put somewhere else.
    void forget() { known_.clear(); }

private:
    void find_candidates(const Strings& strings, const StringContactSettings& settings, Executor& executor);
    bool look_at(Strings& strings, const SegmentPair& pair);

    CapsulePairs search_;
    std::vector<SegmentPair> candidates_;
    std::vector<Vec3d> known_;  ///< places at which they were found
    double margin_ = 0;         ///< by how much farther apart than touching they were at most [m]
    std::vector<double> travel_;
    std::vector<uint8_t> touches_;  ///< by candidate
    std::vector<StringContact> contacts_;
    StringContactSettings settings_;
};

}  // namespace tendril
