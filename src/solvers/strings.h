/// Strings as particles and the segments between them, one after another in flat arrays: places in double, so that a
/// torn piece may go where it likes. The passes of a substep are functions on them, each in a file of its own; a piece
/// is what hangs together, and they work on pieces one by one. [Rungjiratananon11]
#pragma once

#include "tendril/string_material.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tendril {

/// Particles `first` to `last` that hang together; segments are named after the particle that they begin at.
struct StringPiece {
    size_t first, last;
    size_t segments() const { return last - first; }
};

/// Pieces of the same number of segments, or one, that a pass takes side by side: each comes out as if it were alone.
struct StringSheaf : std::span<const StringPiece> {
    static constexpr size_t kMost = 8;
    StringSheaf(std::span<const StringPiece> pieces) : span(pieces) {}
    StringSheaf(const StringPiece& one) : span(&one, 1) {}
};

struct Strings {
    // Per particle.
    std::vector<Vec3d> place, velocity, before;  ///< `before`: where it was at the start of the substep
    std::vector<double> mass;                    ///< [kg]
    std::vector<double> lightness;               ///< one over it, 0 where it is held [1/kg]
    std::vector<Vec3d> acceleration;             ///< by bending and twist over the substep [m/s^2]
    std::vector<Vec3d> by_lengths;               ///< by how far lengths have moved it in the substep [m]
    std::vector<uint32_t> string;                ///< which one it belongs to
    std::vector<uint32_t> owner;                 ///< which groom that one belongs to
    std::vector<uint32_t> holder;                ///< which body holds it, counted from 1; 0: none
    std::vector<uint8_t> hard;                   ///< 1 at the first of a piece that pulls too hard for `solve_lengths`
    std::vector<uint8_t> touching;               ///< 1: it has touched another string in the substep before

    // Per segment, at the place of the particle that it begins at. The last one of a string is none.
    std::vector<uint8_t> whole;      ///< 0: torn, or none
    std::vector<double> rest;        ///< length before anything stretched it [m]
    std::vector<double> elongation;  ///< permanent strain
    std::vector<double> radius;      ///< at rest [m]
    std::vector<double> stiffness;   ///< tension per elastic strain, EA [N]
    std::vector<double> yield;       ///< tension above which an elongation stays [N]
    std::vector<double> hardening;   ///< by how much a unit of permanent strain raises that [N]
    std::vector<double> strength;    ///< tension at which it tears [N]
    std::vector<double> tension;     ///< over the last substep; below 0 where it is pressed [N]
    std::vector<Vec3d> across;       ///< of the twist-free frame that is carried along: a unit vector across it
    std::vector<Vec3d> rest_across;  ///< the same in the rest pose
    std::vector<double> angle;       ///< from there to the material, about the segment [rad]
    std::vector<uint8_t> clamped;    ///< 1: something turns it, its angle is given

    // Per particle between two segments.
    std::vector<double> frame_turn;       ///< from the frame of the segment before to that of this one, beyond what the
                                          ///< bend does [rad]
    std::vector<double> rest_twist;       ///< of the material where it is at ease [rad]
    std::vector<double> bend_stiffness;   ///< EI [N m^2]
    std::vector<double> twist_stiffness;  ///< GJ [N m^2]
    std::vector<double> torque;           ///< by which twist turns the segments on either side [N m]

    // Regions of chain shape matching, at the particle in their middle; see prepare_regions.
    std::vector<Vec3d> rest_place;    ///< the shape at ease, per particle
    int half_width = 0;               ///< that they were prepared for
    std::vector<double> region_rate;  ///< acceleration towards its place per metre, as the stiffness asks [1/s^2]
    struct Narrow {
        double off[3], weight[3];
    };
    std::vector<Narrow> region_narrow;  ///< of three particles: how far they are off their line is `off` times the sum
                                        ///< of their places times `weight`
    std::vector<uint8_t> region_bent;   ///< 1: its rest shape is not straight
    std::vector<Quat> region_turn;      ///< of a bent one since rest

    std::vector<StringPiece> pieces;

    size_t size() const { return place.size(); }
    Vec3d edge(size_t i) const { return place[i + 1] - place[i]; }
    /// The length at which segment i is without tension [m].
    double ease_length(size_t i) const { return rest[i] * (1 + elongation[i]); }
    double twist(size_t i) const { return angle[i] - angle[i - 1] + frame_turn[i] - rest_twist[i]; }
    /// By which twist turns a segment about itself [N m].
    double torque_on(size_t i) const;
    /// What keeps the volume of segment i [m].
    double radius_now(size_t i) const;
};

/// Adds a string of these places at ease and at rest; `widths` are diameters at them [m].
void add_string(Strings& strings, std::span<const Vec3d> places, std::span<const float> widths,
                const StringMaterial& material, uint32_t owner = 0);
/// Replaces `count` particles from `first` on by those of `part`; both are whole strings.
void splice_strings(Strings& strings, size_t first, size_t count, const Strings& part);
/// Makes the strengths of segments differ by up to a share, by a seed and their number, which counts from `first`.
void vary_strength(Strings& strings, double share, uint64_t seed, size_t first = 0);
/// Frames without twist from the places, as `add_string` leaves them; angles stay.
void start_frames(Strings& strings, StringSheaf sheaf);
/// Finds the pieces anew, after segments were torn.
void find_pieces(Strings& strings);

/// Chain shape matching: every region of up to 2 w + 1 particles is drawn to its rest shape, moved rigidly where it
/// fits best by masses, as stiffly as makes the string a beam of its bending stiffness.
struct ShapeMatching {
    double damping = 0.1;  ///< in units of what keeps the shortest waves from swinging
    double heavier = 1;    ///< particles that touch count for so many in the fit; the paper takes 3
};
/// Before the first substep, and after pieces, masses or the half-width w have changed.
void prepare_regions(Strings& strings, int half_width);
/// Adds to the accelerations; returns the least share of the stiffness that a substep of h seconds could take.
double match_shapes(Strings& strings, const StringPiece& piece, const ShapeMatching& matching, double h);
/// One over the square of the longest substep that takes the bending stiffness at particle i whole [1/s^2].
double bend_rate2(const Strings& strings, size_t i);

/// Twist: the torque of every joint from the angles, and what it does to the centreline.
void twist_centreline(Strings& strings, StringSheaf sheaf);
/// Carries the frames along with the segments from where particles were before.
void carry_frames(Strings& strings, StringSheaf sheaf);
/// The material of a segment is turned so that it points along `across`, by less than half a turn.
void turn_segment(Strings& strings, size_t segment, const Vec3d& across);
/// Lets twist spread over the segments; `spread` is the time of a substep in units of that in which it evens out
/// between neighbours.
void spread_twist(Strings& strings, StringSheaf sheaf, double spread);

/// Puts particles where the tension of all segments has them after a substep of h seconds: the multipliers of all
/// lengths at once, with the compliance of the material. May be called several times over a substep, after others have
/// moved particles; `begin_lengths` comes before the first.
void begin_lengths(Strings& strings, const StringPiece& piece, double h);
void solve_lengths(Strings& strings, const StringPiece& piece, double h, int iterations);
/// The same for substeps of any length: see there. `solve_lengths` goes over to it where it must.
void pull_lengths(Strings& strings, StringSheaf sheaf, double h);
/// What the tensions did to the material: permanent elongation, and the segment that tears, if any.
void yield_material(Strings& strings, const StringPiece& piece);
/// The tension of a piece is gone as if it had never been stretched.
void let_go(Strings& strings, const StringPiece& piece);
std::optional<size_t> find_tear(const Strings& strings, const StringPiece& piece);

}  // namespace tendril
