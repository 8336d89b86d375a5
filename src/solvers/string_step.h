/// One substep of all strings, in the order of [Rungjiratananon11]: forces, shape, twist, tension, contacts.
#pragma once

#include "solvers/air.h"
#include "solvers/string_collide.h"
#include "solvers/string_contact.h"
#include "solvers/strings.h"
#include "tendril/parallel.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tendril {

/// A particle that something holds.
struct StringHold {
    size_t particle;
    Vec3d target;          ///< at the end of the substep
    double lightness = 0;  ///< of what holds it, as seen from here [1/kg]; 0: it cannot be moved
    /// It may move along this unit vector through the target; zero: not at all.
    Vec3d slide{0, 0, 0};
    size_t body = 0;  ///< that holds it
};

/// A segment that something turns: its material points there.
struct StringClamp {
    size_t segment;
    Vec3d across;  ///< unit vector, roughly across the segment
};

/// Two particles that are at one place.
struct StringTie {
    size_t a, b;
};

/// How the strings of one groom behave in a substep.
struct StringBehaviour {
    AirSubstep air = {};  ///< fall is in metres per h^2
    ShapeMatching shape = {};
    double twist_spread = 1;
    bool tears = true;
    bool flicks = true;  ///< what is torn or let go springs back; else its tension is gone
};

struct StringSubstep {
    double h;
    std::span<const StringBehaviour> behaviours;  ///< by groom
    Vec3d air_origin;
    std::span<StringHold> holds;
    /// Called whenever strings may have pulled at holds that can be moved: says where they are then. Or empty.
    std::function<void()> give_way;
    std::span<const StringClamp> clamps;
    std::span<const StringTie> ties;
    int half_width = 1;  ///< of the regions of shape matching
    int iterations = 2;
    std::optional<StringContactSettings> contacts;  ///< none: strings go through each other
    StringObstacles obstacles;                      ///< what strings stay out of

    const StringBehaviour& of(const Strings& strings, const StringPiece& piece) const
    {
        return behaviours[strings.owner[piece.first]];
    }
};

class StringStepper {
public:
    void substep(Strings& strings, StringSubstep& in, Executor& executor);
    /// Segments that have torn, in the order in which they did.
    std::vector<size_t> torn;
    /// Least share of the bending stiffness that a substep could take.
    double stiffness_share = 1;
    StringContacts contacts;
    StringCollisions collisions;

private:
    void predict(Strings& strings, const StringPiece& piece, const StringSubstep& in);
    void finish(Strings& strings, StringSheaf sheaf, const StringSubstep& in);
    void tear(Strings& strings, const StringSubstep& in);

    std::vector<double> shares_;  // by piece: of the bending stiffness that it could take
};

/// By what the longest substep is bound that shows tensions within a percent [s]: half of sqrt(m l / T) of the worst
/// segment as it was pulled at in the last substep, and what the bending takes.
double longest_substep(const Strings& strings);

}  // namespace tendril
