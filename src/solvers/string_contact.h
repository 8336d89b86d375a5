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
    /// Contacts over the substep from `before` to `place`, as things are. `look_again` adds those that others have
    /// brought about since; false where there are none.
    void find(Strings& strings, const StringContactSettings& settings, Executor& executor);
    bool look_again(Strings& strings, Executor& executor);
    /// Pushes all apart, one after the other.
    void push_apart(Strings& strings, Executor& executor);
    /// Lets particles move with each other alone, as many as it takes for no string to have gone through another.
    void hold_back(Strings& strings, Executor& executor);
    std::span<const StringContact> contacts() const { return contacts_; }
    /// How many pairs were near enough to be kept an eye on over the last substep.
    size_t pairs() const { return candidates_.size(); }
    /// The next search begins anew: strings were put somewhere else.
    void forget() { kept_.clear(); }

private:
    uint32_t clump_of(uint32_t particle);
    void move_clumps(Strings& strings);
    struct Near {
        uint32_t candidate;
        double distance;  // at the start of the substep [m]
        double spare;     // what was missing for them to touch when boxes were drawn; below 0 where they may [m]
    };

    void draw_boxes(const Strings& strings, Executor& executor);
    void search(const Strings& strings, Executor& executor);
    void refresh(const Strings& strings, Executor& executor);
    bool look(Strings& strings, Executor& executor);
    bool look_at(const Strings& strings, const SegmentPair& pair, double distance,
                 std::vector<StringContact>& found) const;
    void colour(size_t first);

    StringContactSettings settings_;
    std::vector<double> radius_;  // by segment [m]
    double thickest_ = 0;
    // Boxes are seen from the middle of all, so that those who fall or are carried together stay in theirs.
    Vec3d middle_before_{0, 0, 0}, middle_{0, 0, 0};
    // As of the last search.
    CapsulePairs search_;
    std::vector<SegmentBox> kept_;  // by segment: while they stay in there, no others than the candidates can touch
    std::vector<SegmentPair> candidates_;
    // As of the last time that boxes were drawn.
    std::vector<SegmentBox> boxes_;  // by segment: around all of its way over the substep
    std::vector<Vec3d> drawn_;       // places
    std::vector<double> strayed2_;   // by chunk of particles: how far one has moved since, squared
    double strayed_ = 0;             // the largest of them [m]
    std::vector<Near> near_;         // that may touch in this substep
    std::vector<uint8_t> touches_;   // by candidate
    // Found in this substep.
    std::vector<StringContact> contacts_;
    std::vector<uint64_t> taken_;  // by particle: colours of its contacts
    std::vector<uint8_t> colour_;  // by contact: those of a colour share no particle
    std::vector<uint32_t> order_;  // by colour
    std::vector<uint32_t> first_of_colour_;
    std::vector<std::vector<Near>> near_of_chunk_;
    std::vector<std::vector<StringContact>> found_of_chunk_;
    std::vector<uint32_t> clump_;  // trees of particles that must not move relative to each other
    struct Way {
        Vec3d free{0, 0, 0}, held{0, 0, 0};  // sums over its particles: of mass times way, and of ways
        double mass = 0;
        int count = 0, held_count = 0;
    };
    std::vector<Way> ways_;  // of clumps, at their first particle
};

}  // namespace tendril
