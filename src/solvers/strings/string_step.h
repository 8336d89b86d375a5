/// One substep of all strings, in the order of [Rungjiratananon11]: forces, shape, twist, tension, contacts.
#pragma once

#include "solvers/air.h"
#include "solvers/strings/string_collide.h"
#include "solvers/strings/string_contact.h"
#include "solvers/strings/string_printed.h"
#include "solvers/strings/strings.h"
#include "tendril/parallel.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tendril {

/// A held particle.
struct StringHold {
    size_t particle;
    Vec3d target;             ///< position at the end of the substep
    double inverse_mass = 0;  ///< inverse effective mass of its holder [1/kg]; 0: the holder cannot be moved
    /// The particle may slide along this unit vector through the target; zero: not at all.
    Vec3d slide{0, 0, 0};
    size_t body = 0;  ///< the holder
};

/// A segment whose material is rotated to a given direction.
struct StringClamp {
    size_t segment;
    Vec3d across;  ///< unit vector, roughly across the segment
};

/// Two particles that stay together.
struct StringTie {
    size_t a, b;
};

/// Settings for the strings of one groom in a substep.
struct StringBehaviour {
    AirSubstep air = {};  ///< `fall` is gravity times h^2 [m]
    ShapeMatching shape = {};
    double twist_spread = 1;
    bool tears = true;
    bool flicks = true;  ///< torn or released strings spring back; otherwise they lose their tension at once
    std::optional<PrintedStrings> printed = {};  ///< the equations of the paper as printed, instead of ours
};

struct StringSubstep {
    double h;
    std::span<const StringBehaviour> behaviours;  ///< by groom
    Vec3d air_origin;
    std::span<StringHold> holds;
    /// Called after strings may have pulled at holders that can be moved. Moves those holders and updates the targets
    /// of their holds. May be empty.
    std::function<void()> move_holders;
    std::span<const StringClamp> clamps;
    std::span<const StringTie> ties;
    int half_width = 1;  ///< of the regions of shape matching
    int iterations = 2;
    std::optional<StringContactSettings> contacts;  ///< empty: strings pass through each other
    StringObstacles obstacles;                      ///< the colliders of strings

    const StringBehaviour& of(const Strings& strings, const StringPiece& piece) const
    {
        return behaviours[strings.owner[piece.first]];
    }
};

class StringStepper {
public:
    void substep(Strings& strings, StringSubstep& in, Executor& executor);
    /// Segments that have torn, in order of time.
    std::vector<size_t> torn;
    /// Smallest share of the bending stiffness that a substep could apply.
    double stiffness_share = 1;
    /// Number of values that the printed form had to limit in the last substep.
    size_t bounded = 0;
    StringContacts contacts;
    StringCollisions collisions;

private:
    void predict(Strings& strings, const StringPiece& piece, const StringSubstep& in);
    void finish(Strings& strings, StringBatch batch, const StringSubstep& in);
    // The same passes as printed, for batches whose behaviour asks for them.
    void begin_printed(Strings& strings, StringBatch batch, const StringSubstep& in);
    void finish_printed(Strings& strings, StringBatch batch, const StringSubstep& in);
    size_t& bounded_of(const Strings& strings, const StringPiece& piece)
    {
        return bounded_of_[static_cast<size_t>(&piece - strings.pieces.data())];
    }
    void tear(Strings& strings, const StringSubstep& in);

    std::vector<double> shares_;      // by piece: share of the bending stiffness that it could apply
    std::vector<size_t> bounded_of_;  // by piece
};

/// Longest substep that resolves tensions within a percent [s]: half of sqrt(m l / T) of the worst segment, with the
/// tensions of the last substep, and no more than the bending stiffness permits. Strings of grooms that are `printed`
/// (1) do not count.
double longest_substep(const Strings& strings, std::span<const uint8_t> printed = {});

}  // namespace tendril
