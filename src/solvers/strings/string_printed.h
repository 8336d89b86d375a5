/// The passes of [Rungjiratananon11] as printed, for strings with Form::kPaper, to compare with ours. Each works on one
/// piece. docs/equations.md says which readings of the text they take and where our passes depart from them.
#pragma once

#include "solvers/strings/strings.h"
#include "tendril/settings.h"

#include <cstddef>
#include <vector>

namespace tendril {

/// Settings of the printed form for the strings of a groom.
struct PrintedStrings {
    int half_width = 1;        ///< of the regions of shape matching, w_CSM: the stiffness
    int twist_half_width = 3;  ///< of the regions of twist, w_twist
    TwistIncrement twist_increment = TwistIncrement::kSum;
    double tension_stiffness = 0;  ///< k_stiff of Eq. 8 [N/m]; 0: see `limit_strain`
    int iterations = 4;            ///< over all lengths
};

/// Sets the accelerations by the external forces of the method: that of the twist, Eq. 4 and 5, and where a string was
/// released or has torn since the last substep, its tension. Returns the number of particles whose force was limited.
size_t apply_printed_forces(Strings& strings, const StringPiece& piece, double h);
/// Moves the particles to their goal positions, section 3.
void move_to_goals(Strings& strings, const StringPiece& piece, int half_width);
/// Shortens segments that exceed their maximum length, one after the other, and computes the tensions: 5.2 and 5.3.
void limit_strain(Strings& strings, const StringPiece& piece, const PrintedStrings& settings, double h);
/// Keeps the strain of segments beyond their yield point, 5.4.
void keep_plastic_strain(Strings& strings, const StringPiece& piece);
/// Spreads twist over regions of segments, Eq. 1 to 3. Returns the number of segments whose angle was limited.
size_t spread_twist_by_regions(Strings& strings, const StringPiece& piece, const PrintedStrings& settings);

/// Marks the segments whose stress exceeds their strength as torn, 5.4, and returns whether there were any.
bool tear_printed(Strings& strings, const StringPiece& piece, std::vector<size_t>& torn);
/// Returns particles that moved farther than anything can, because the printed equations let motion grow without bound,
/// to where they were. Returns their number.
size_t undo_endless_motion(Strings& strings, const StringPiece& piece);
/// Makes the tension of a piece a force in the next substep, after a release or a tear, 5.4.
void bounce_back(Strings& strings, const StringPiece& piece);

/// The curvature binormal at a particle, Eq. 5; zero at the ends of a piece.
Vec3d curvature_binormal(const Strings& strings, const StringPiece& piece, size_t i);
/// The largest length of a segment in strain limiting, L_max of 5.4 [m].
double max_length(const Strings& strings, size_t i);

}  // namespace tendril
