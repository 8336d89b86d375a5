/// Strings are stored as particles and the segments between them, in flat arrays. Positions are in double precision,
/// because a torn piece may move anywhere. The passes of a substep are functions on these arrays, each in its own file.
/// A piece is a connected part of a string; passes work on one piece after another. [Rungjiratananon11]
#pragma once

#include "tendril/string_material.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tendril {

/// Connected particles, `first` to `last`. Segment i begins at particle i.
struct StringPiece {
    size_t first, last;
    size_t segments() const { return last - first; }
};

/// One piece, or several with the same number of segments, which a pass processes side by side. Each gets the same
/// result as it would alone.
struct StringBatch : std::span<const StringPiece> {
    static constexpr size_t kMaxPieces = 8;
    StringBatch(std::span<const StringPiece> pieces) : span(pieces) {}
    StringBatch(const StringPiece& one) : span(&one, 1) {}
};

struct Strings {
    // Per particle.
    std::vector<Vec3d> position, velocity, before;  ///< [m], [m/s]; `before`: at the start of the substep [m]
    std::vector<double> mass;                       ///< [kg]
    std::vector<double> inverse_mass;               ///< 0 where it is held [1/kg]
    std::vector<Vec3d> acceleration;                ///< by bending and twist in the substep [m/s^2]
    std::vector<Vec3d> by_lengths;                  ///< displacement by length constraints in the substep [m]
    std::vector<uint32_t> string;                   ///< the string that it belongs to
    std::vector<uint32_t> owner;                    ///< the groom of that string
    std::vector<uint32_t> holder;                   ///< the body that holds it, counted from 1; 0: none
    std::vector<uint8_t> hard;      ///< 1 at the first particle of a piece that pulls too hard for `solve_lengths`
    std::vector<uint8_t> touching;  ///< 1: it touched another string in the last substep
    std::vector<uint8_t> bounces;   ///< 1: its string was released or tore since the last substep; Form::kPaper only

    // Per segment, stored at the particle that it begins at. The last particle of a string has none.
    std::vector<uint8_t> intact;     ///< 0: torn, or no segment
    std::vector<double> rest;        ///< length before any stretch [m]
    std::vector<double> elongation;  ///< permanent strain
    std::vector<double> radius;      ///< at rest [m]
    std::vector<double> stiffness;   ///< tension per elastic strain, EA [N]
    std::vector<double> yield;       ///< tension above which elongation is permanent [N]
    std::vector<double> hardening;   ///< increase of `yield` per unit of permanent strain [N]
    std::vector<double> strength;    ///< tension at which it tears [N]
    std::vector<double> tension;     ///< over the last substep; negative under compression [N]
    std::vector<Vec3d> across;       ///< of the twist-free frame that moves with it: a unit vector across it
    std::vector<Vec3d> rest_across;  ///< the same in the rest pose
    std::vector<double> angle;       ///< from `across` to the material, about the segment [rad]
    std::vector<uint8_t> clamped;    ///< 1: a clamp sets its angle

    // Per particle between two segments.
    /// Rotation of `across` from the previous segment to this one, beyond that of the bend [rad].
    std::vector<double> frame_turn;
    std::vector<double> rest_twist;       ///< twist of the material at which it is relaxed [rad]
    std::vector<double> bend_stiffness;   ///< EI [N m^2]
    std::vector<double> twist_stiffness;  ///< GJ [N m^2]
    std::vector<double> torque;           ///< of its twist on the segments on either side [N m]

    // Regions of chain shape matching, stored at the particle in their middle; see prepare_regions.
    std::vector<Vec3d> rest_position;  ///< of each particle, in the rest shape [m]
    int half_width = 0;                ///< that the regions were prepared for, in segments
    std::vector<double> region_rate;  ///< acceleration towards the target per metre, from the bending stiffness [1/s^2]
    struct ThreeParticleFit {
        double off[3], weight[3];
    };
    /// For regions of three particles: the residuals of their line fit are `off` times the sum of positions times
    /// `weight`.
    std::vector<ThreeParticleFit> region_fit;
    std::vector<uint8_t> region_bent;  ///< 1: the rest shape is not straight
    std::vector<Quat> region_turn;     ///< rotation of a bent region since rest

    std::vector<uint8_t> off;  ///< by groom: 1: its strings are not simulated; 0 for grooms beyond its end
    // From the above, by `find_pieces`.
    std::vector<StringPiece> pieces;  ///< that are simulated
    std::vector<uint8_t> active;      ///< per segment; 1: it is in such a piece

    size_t size() const { return position.size(); }
    Vec3d edge(size_t i) const { return position[i + 1] - position[i]; }
    /// Length of segment i without tension [m].
    double relaxed_length(size_t i) const { return rest[i] * (1 + elongation[i]); }
    double twist(size_t i) const { return angle[i] - angle[i - 1] + frame_turn[i] - rest_twist[i]; }
    /// Torque of the twist on a segment, about its axis [N m].
    double torque_on(size_t i) const;
    /// Current radius of segment i, which preserves its volume [m].
    double radius_now(size_t i) const;
};

/// Adds a string with these positions, relaxed and without motion. `widths` are its diameters there [m].
void add_string(Strings& strings, std::span<const Vec3d> positions, std::span<const float> widths,
                const StringMaterial& material, uint32_t owner = 0);
/// Replaces `count` particles from `first` on with those of `part`; both are whole strings.
void splice_strings(Strings& strings, size_t first, size_t count, const Strings& part);
/// Varies the strengths of segments by up to a share, derived from a seed and the number of the segment, counted from
/// `first`.
void vary_strength(Strings& strings, double share, uint64_t seed, size_t first = 0);
/// Computes twist-free frames from the positions, as `add_string` does; angles do not change.
void start_frames(Strings& strings, StringBatch batch);
/// Finds the pieces again after segments have torn, or grooms were switched off or on.
void find_pieces(Strings& strings);

/// Chain shape matching: every region of up to 2 w + 1 particles is pulled to its rest shape in the rigid pose that
/// fits best, weighted by mass. The rate makes the string a beam of its bending stiffness.
struct ShapeMatching {
    double damping = 0.1;  ///< in units of the damping that stops oscillation of the shortest waves
    double heavier = 1;    ///< factor on the weight of touching particles in the fit; the paper uses 3
};
/// Call this before the first substep, and after pieces, masses or the half-width w have changed.
void prepare_regions(Strings& strings, int half_width);
/// Adds to the accelerations. Returns the smallest share of the stiffness that a substep of h seconds can apply.
double match_shapes(Strings& strings, const StringPiece& piece, const ShapeMatching& matching, double h);
/// Inverse square of the longest substep that can apply the full bending stiffness at particle i [1/s^2].
double bend_rate2(const Strings& strings, size_t i);

/// Computes the torque of every joint from the angles, and adds its effect on the centreline to the accelerations.
void twist_centreline(Strings& strings, StringBatch batch);
/// Transports the frames with the segments, from `before` to the current positions.
void carry_frames(Strings& strings, StringBatch batch);
/// Clamps a segment: rotates its material to point along `across`, by less than half a turn.
void turn_segment(Strings& strings, size_t segment, const Vec3d& across);
/// Spreads twist over the segments. `spread` is the length of a substep in units of the time in which twist evens out
/// between neighbours.
void spread_twist(Strings& strings, StringBatch batch, double spread);

/// Moves particles by the tensions of all segments over a substep of h seconds: solves for all length multipliers at
/// once, with the compliance of the material. May be called several times in a substep, after other passes have moved
/// particles; call `begin_lengths` before the first.
void begin_lengths(Strings& strings, const StringPiece& piece, double h);
void solve_lengths(Strings& strings, const StringPiece& piece, double h, int iterations);
/// The same for substeps of any length, see string_pull.cpp. `solve_lengths` switches to it where necessary.
void pull_lengths(Strings& strings, StringBatch batch, double h);
/// Adds the permanent elongation that the tensions cause.
void yield_material(Strings& strings, const StringPiece& piece);
/// Stops a piece and removes its tension: stretched segments keep their length.
void release_tension(Strings& strings, const StringPiece& piece);
/// Returns the segment that tears, if any.
std::optional<size_t> find_tear(const Strings& strings, const StringPiece& piece);

}  // namespace tendril
