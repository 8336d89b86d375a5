/// The tractrix as printed in [Zappe20] M. Zappe: Simulation of hair with the tractrix curve, 2020: the move of one
/// segment and the algorithms built on it, for one strand in double precision. tractrix.cpp has the form that works;
/// docs/equations.md compares them.
#pragma once

#include "tendril/vec3.h"

#include <cstddef>
#include <span>

namespace tendril {

/// The new position of the tail of a segment whose head moves from `head` to `desired`: the nine steps of
/// section 2.2.3, with the clamp of 4.2, and with the handler of 4.1 where the z axis is undefined. Of the signs that
/// steps 7 and 8 leave open, this is the plus that 4.2 prints. So a tail in front of its head, which is pushed, jumps
/// behind it; and the handler, which also acts if the head does not move, mirrors the segment.
Vec3d printed_tail(const Vec3d& head, const Vec3d& tail, const Vec3d& desired);

/// Algorithm 2: particle `first` moves to `desired`, and those after it up to `last`, which may be before it, follow
/// one by one.
void printed_drag(std::span<Vec3d> strand, size_t first, size_t last, const Vec3d& desired);

/// The moves of Algorithm 3: each particle leads the rest of the strand, on both sides, to its own desired position; at
/// the end the root leads to its place if the strand has one.
void printed_emulation(std::span<Vec3d> strand, std::span<const Vec3d> desired, std::span<const int> order,
                       bool has_root);

/// The first half of Algorithm 4: the tip X_L moves by its velocity times the substep, `drift`, and drags the strand;
/// the root, moving to `root`, drags it back. Returns the velocity of X_L afterwards, times the substep. The thesis
/// reduces it "based on the length of the movement" of X_L in the back move: read as a speed that is subtracted, and
/// that never reverses it.
Vec3d printed_swing(std::span<Vec3d> strand, const Vec3d& drift, const Vec3d& root);

/// The mix of Algorithm 4: an edge turned towards another by a share of the angle between them; it keeps its length.
/// Of opposite edges, the thesis leaves the axis open; here it is any.
Vec3d rotated_towards(const Vec3d& edge, const Vec3d& wanted, double share);

}  // namespace tendril
