/// Strings that touch each other or themselves, [Rungjiratananon11] section 6: pairs of capsules are pushed apart, with
/// friction, weighted by the masses of all four particles.
#pragma once

#include "interaction/capsules.h"
#include "solvers/strings/strings.h"
#include "tendril/parallel.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// A pair that touches, or would touch at the end of the substep.
struct StringContact {
    SegmentPair pair;
    SegmentPoints points;
    Vec3d normal;            ///< from the second to the first
    double apart;            ///< distance that the points must have along it [m]
    double push;             ///< sum of pushes; times an inverse mass it is a displacement [kg m]
    Vec3d friction_impulse;  ///< the same of friction, across the normal
};

class StringContacts {
public:
    /// Finds the contacts in the substep from `before` to `position`. `find_more` adds those that arose since, and
    /// returns false if there are none.
    void find(Strings& strings, const StringContactSettings& settings, Executor& executor);
    bool find_more(Strings& strings, Executor& executor);
    /// Pushes all pairs apart, one after the other.
    void push_apart(Strings& strings, Executor& executor);
    /// Makes particles move together, as many as necessary to keep strings from passing through each other.
    void prevent_crossings(Strings& strings, Executor& executor);
    std::span<const StringContact> contacts() const { return contacts_; }
    /// Number of pairs that were near enough to be tracked in the last substep.
    size_t pairs() const { return candidates_.size(); }
    /// Makes the next search start afresh, after strings were moved from outside.
    void forget() { search_boxes_.clear(); }

private:
    uint32_t clump_of(uint32_t particle);
    void move_clumps(Strings& strings);
    struct Near {
        uint32_t candidate;
        double distance;   // at the start of the substep [m]
        double clearance;  // distance less radii and possible approach, when boxes were computed; negative if they may
                           // touch [m]
    };

    void compute_boxes(const Strings& strings, Executor& executor);
    void search(const Strings& strings, Executor& executor);
    void refresh(const Strings& strings, Executor& executor);
    bool test_near_pairs(Strings& strings, Executor& executor);
    bool test_pair(const Strings& strings, const SegmentPair& pair, double distance,
                   std::vector<StringContact>& found) const;
    void colour(size_t first);

    StringContactSettings settings_;
    std::vector<double> radius_;  // by segment [m]
    double thickest_ = 0;
    // Boxes are relative to the centre of all particles, so that strings that fall or are carried together stay in
    // theirs.
    Vec3d middle_before_{0, 0, 0}, middle_{0, 0, 0};
    // From the last search.
    CapsulePairs search_;
    std::vector<SegmentBox> search_boxes_;  // by segment: while all stay inside, only candidates can touch
    std::vector<SegmentPair> candidates_;
    // From the last time that boxes were computed.
    std::vector<SegmentBox> boxes_;       // by segment: around its path over the substep
    std::vector<Vec3d> boxed_positions_;  // of particles [m]
    std::vector<double> strayed2_;        // by chunk of particles: largest squared distance from there [m^2]
    double strayed_ = 0;                  // the largest distance [m]
    std::vector<Near> near_;              // candidates that may touch in this substep
    std::vector<uint8_t> touches_;        // by candidate: 1 if it has a contact
    // Found in this substep.
    std::vector<StringContact> contacts_;
    std::vector<uint64_t> used_colours_;  // by particle: colours of its contacts, as bits
    std::vector<uint8_t> colour_;         // by contact; those of one colour share no particle
    std::vector<uint32_t> order_;         // contacts by colour
    std::vector<uint32_t> first_of_colour_;
    std::vector<std::vector<Near>> near_of_chunk_;
    std::vector<std::vector<StringContact>> found_of_chunk_;
    std::vector<uint32_t> clump_;  // trees of particles that must not move relative to each other
    struct ClumpMotion {
        // Sums over free particles, of mass times displacement, and over held particles, of displacements.
        Vec3d free{0, 0, 0}, held{0, 0, 0};
        double mass = 0;
        int count = 0, held_count = 0;
    };
    std::vector<ClumpMotion> clump_motions_;  // stored at the first particle of each clump
};

}  // namespace tendril
