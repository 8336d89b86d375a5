/// Strings against colliders: points along each segment are pushed out, with friction, and the body of a collider is
/// pushed back if it can be moved.
#pragma once

#include "solvers/contact/contact.h"
#include "solvers/strings/strings.h"
#include "tendril/parallel.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

/// A collider over one substep, and its body.
struct StringObstacle {
    ColliderSubstep collider;  ///< relative to StringObstacles::origin
    double inverse_mass = 0;   ///< of its body [1/kg]; 0: the body cannot be moved
    size_t body = 0;           ///< its body, which does not collide with segments next to its own holds
};

/// Contact settings for the strings of a groom.
struct StringSurface {
    double margin = 0;    ///< distance that they keep in addition to their radius [m]
    double friction = 0;  ///< Coulomb's coefficient
    double retained = 0;  ///< share of its penetration that a point may keep over the substep
};

struct StringObstacles {
    std::span<const StringObstacle> list;
    Vec3d origin{0, 0, 0};
    std::span<const StringSurface> surfaces;  ///< by groom
};

/// A point of a segment that may touch a collider.
struct ObstacleContact {
    size_t segment;
    double share;  ///< its position along the segment: 0 at the first particle, 1 at the second
    size_t obstacle;
    double retained;         ///< penetration that it may keep over the substep [m]
    Vec3d position;          ///< in the last `push_out` [m]
    double push;             ///< sum of pushes; times an inverse mass it is a displacement [kg m]
    Vec3d pushed;            ///< the same as a vector, along normals
    Vec3d friction_impulse;  ///< the same of friction, across normals
};

class StringCollisions {
public:
    /// Finds the points that come near a collider in the substep from `before` to `position`.
    void find(const Strings& strings, const StringObstacles& obstacles, Executor& executor);
    /// Pushes them out, one after the other along each piece.
    void push_out(Strings& strings, const StringObstacles& obstacles, Executor& executor);
    /// Calls `f(contact)` for all contacts that have pushed.
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
