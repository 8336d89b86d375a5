/// Strings against shapes and skins: places along a segment are pushed out and rub, and what carries the shape is
/// pushed back where it can be moved.
#pragma once

#include "solvers/contact.h"
#include "solvers/strings.h"
#include "tendril/parallel.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

/// A shape over one substep, and what carries it.
struct StringObstacle {
    ColliderSubstep shape;  ///< seen from the origin below
    double lightness = 0;   ///< of what carries it [1/kg]; 0: it cannot be moved
    size_t body = 0;        ///< that carries it: segments next to where it holds a string are none of its business
};

/// How strings of a groom meet obstacles.
struct StringSurface {
    double margin = 0;    ///< by which they stay away in addition to their radius [m]
    double friction = 0;  ///< Coulomb's coefficient
};

struct StringObstacles {
    std::span<const StringObstacle> list;
    Vec3d origin{0, 0, 0};
    std::span<const StringSurface> surfaces;  ///< by groom
};

/// A place of a segment that may touch an obstacle.
struct ObstacleContact {
    size_t segment;
    double share;  ///< of the way from its first particle to its second
    size_t obstacle;
    Vec3d place;   ///< where it was met last
    double push;   ///< so far, times the lightness it is a way [kg m]
    Vec3d pushed;  ///< the same as a vector, along normals
    Vec3d rub;     ///< and across them
};

class StringCollisions {
public:
    /// Which places come near an obstacle in the substep from `before` to `place`.
    void find(const Strings& strings, const StringObstacles& obstacles, Executor& executor);
    /// Pushes all of them out, one after the other along each piece.
    void push_out(Strings& strings, const StringObstacles& obstacles, Executor& executor);
    /// Calls `f(contact)` for all that have pushed.
    template <class F>
    void for_pushed(const F& f) const
    {
        for (const auto& list : near_)
            for (const ObstacleContact& c : list)
                if (c.push > 0) f(c);
    }

private:
    std::vector<std::vector<ObstacleContact>> near_;  ///< by piece
};

}  // namespace tendril
