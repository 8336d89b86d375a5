// Shape, lengths and tension as printed: [Rungjiratananon11] sections 3 and 5.
#include "solvers/strings/string_printed.h"

#include "math/vectors.h"
#include "solvers/strings/string_rotation.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tendril {
namespace {

/// Factor on the mass of colliding particles in shape matching, section 6.
constexpr double kColliding = 3;
/// A particle that moves farther than this in a substep stays where it was [m]. Its square is finite in floats.
constexpr double kMaxPrintedTravel = 1e12;
/// A region of the rest shape is straight if its particles are nearer to a line than this share of its length.
constexpr double kStraightRegion = 1e-5;

/// The region of a particle: those up to w segments to either side. At the ends of a string, regions are cut.
struct PrintedRegion {
    size_t first, last;
};

PrintedRegion printed_region(const StringPiece& piece, size_t k, int half_width)
{
    const auto w = static_cast<size_t>(half_width);
    return {std::max(piece.first + w, k) - w, std::min(piece.last, k + w)};
}

/// The mass of a particle divided by the number of regions that it is in. The paper names it and [12] defines it.
double per_region_mass(const Strings& s, const StringPiece& piece, size_t i, int half_width)
{
    const PrintedRegion own = printed_region(piece, i, half_width);  // as many regions as particles in its own
    const double mass = s.touching[i] ? kColliding * s.mass[i] : s.mass[i];
    return mass / static_cast<double>(own.last - own.first + 1);
}

/// Adds the rest positions of a region, in the rigid transformation that fits best, to the goals of its particles.
void add_goals(Strings& s, const StringPiece& piece, size_t k, int half_width, std::vector<Vec3d>& goals)
{
    const auto [first, last] = printed_region(piece, k, half_width);
    double mass = 0;
    Vec3d centre{0, 0, 0}, rest_centre{0, 0, 0};
    for (size_t i = first; i <= last; ++i) {
        const double m = per_region_mass(s, piece, i, half_width);
        mass += m;
        centre += s.position[i] * m;
        rest_centre += s.rest_position[i] * m;
    }
    centre = centre * (1 / mass);
    rest_centre = rest_centre * (1 / mass);
    const Vec3d axis = unit_or(s.rest_position[last] - s.rest_position[first], {1, 0, 0});
    double bow = 0;
    Columns a;
    Vec3d along{0, 0, 0};
    for (size_t i = first; i <= last; ++i) {
        const Vec3d x = (s.position[i] - centre) * per_region_mass(s, piece, i, half_width),
                    q = s.rest_position[i] - rest_centre;
        a.x += x * q.x, a.y += x * q.y, a.z += x * q.z;
        along += x * dot(q, axis);
        bow = std::max(bow, length(q - axis * dot(q, axis)));
    }
    const double size = length(s.rest_position[last] - s.rest_position[first]);
    if (bow <= kStraightRegion * size) {
        // The direction of a straight region is its whole rotation.
        const Vec3d unit = unit_or(along * (1 / (mass * size * size)), rotate(s.region_turn[k], axis));
        for (size_t i = first; i <= last; ++i)
            goals[i - piece.first] += centre + unit * dot(s.rest_position[i] - rest_centre, axis);
        return;
    }
    const Quat turn = s.region_turn[k] = best_rotation(a, s.region_turn[k]);
    for (size_t i = first; i <= last; ++i)
        goals[i - piece.first] += centre + rotate(turn, s.rest_position[i] - rest_centre);
}

/// Strain under the applied stress, from the two-slope curve of 5.1. Eq. 6 divides the tension by the cross-section;
/// here the curve is multiplied by it. The paper does not say whether the cross-section is that at rest; this one is,
/// as in measured curves.
double strain_of(const Strings& s, size_t i)
{
    const double force = std::abs(s.tension[i]);  // Eq. 6: the norm of the tension
    if (force <= s.yield[i]) return force / s.stiffness[i];
    const double plastic = s.stiffness[i] * s.hardening[i] / (s.stiffness[i] + s.hardening[i]);  // slope [N]
    return s.yield[i] / s.stiffness[i] + (force - s.yield[i]) / plastic;
}

}  // namespace

void move_to_goals(Strings& s, const StringPiece& piece, int half_width)
{
    thread_local std::vector<Vec3d> goals;
    goals.assign(piece.segments() + 1, {0, 0, 0});
    for (size_t k = piece.first; k <= piece.last; ++k) add_goals(s, piece, k, half_width, goals);
    for (size_t i = piece.first; i <= piece.last; ++i) {
        // A particle has the same per-region mass in all its regions, so the mean that it weights is the plain one.
        const PrintedRegion own = printed_region(piece, i, half_width);
        // Held particles stay where they are held, unless they slide, but count in the regions like others; the paper
        // does not say.
        if (s.holder[i] == 0 || s.inverse_mass[i] == 1 / s.mass[i])
            s.position[i] = goals[i - piece.first] * (1 / static_cast<double>(own.last - own.first + 1));
    }
}

double max_length(const Strings& s, size_t i)
{
    // Eq. 7 for L_max, 5.4: strain e_i that follows from the last tension, or the one that stayed.
    return s.rest[i] * (1 + std::max(strain_of(s, i), s.elongation[i]));
}

void limit_strain(Strings& s, const StringPiece& piece, const PrintedStrings& settings, double h)
{
    thread_local std::vector<double> unconstrained;
    unconstrained.clear();
    for (size_t i = piece.first; i < piece.last; ++i) unconstrained.push_back(length(s.edge(i)));
    // 5.2: each constraint on its own, one after the other, weighted by inverse masses as in [10].
    for (int iteration = 0; iteration < settings.iterations; ++iteration)
        for (size_t i = piece.first; i < piece.last; ++i) {
            const Vec3d e = s.edge(i);
            const double l = length(e), most = max_length(s, i), both = s.inverse_mass[i] + s.inverse_mass[i + 1];
            if (!(l > most) || !(both > 0)) continue;
            const Vec3d shorter = e * ((l - most) / (l * both));
            s.position[i] += shorter * s.inverse_mass[i];
            s.position[i + 1] -= shorter * s.inverse_mass[i + 1];
        }
    // Eq. 8. The paper gives no value for k_stiff. The default is the force that moves the particles from x' to x
    // within the substep, which is how it describes the tension.
    for (size_t i = piece.first; i < piece.last; ++i) {
        const double both = s.inverse_mass[i] + s.inverse_mass[i + 1];
        const double moving = both > 0 ? 1 / (h * h * both) : 0;
        const double stiffness = settings.tension_stiffness > 0 ? settings.tension_stiffness : moving;
        s.tension[i] = stiffness * (unconstrained[i - piece.first] - length(s.edge(i)));
    }
}

void keep_plastic_strain(Strings& s, const StringPiece& piece)
{
    // 5.4: beyond the yield point, the strain remains as it was under the last force.
    for (size_t i = piece.first; i < piece.last; ++i)
        if (std::abs(s.tension[i]) > s.yield[i]) s.elongation[i] = std::max(s.elongation[i], strain_of(s, i));
}

bool tear_printed(Strings& s, const StringPiece& piece, std::vector<size_t>& torn)
{
    bool any = false;
    for (size_t i = piece.first; i < piece.last; ++i) {
        if (!(std::abs(s.tension[i]) > s.strength[i])) continue;  // Eq. 6
        s.intact[i] = 0;
        torn.push_back(i);
        any = true;
    }
    return any;
}

size_t undo_endless_motion(Strings& s, const StringPiece& piece)
{
    size_t limited = 0;
    for (size_t i = piece.first; i <= piece.last; ++i) {
        const Vec3d moved = s.position[i] - s.before[i];
        if (dot(moved, moved) < kMaxPrintedTravel * kMaxPrintedTravel) continue;  // neither infinite nor not a number
        s.position[i] = s.before[i];
        ++limited;
    }
    return limited;
}

void bounce_back(Strings& s, const StringPiece& piece)
{
    for (size_t i = piece.first; i <= piece.last; ++i) s.bounces[i] = 1;
}

}  // namespace tendril
