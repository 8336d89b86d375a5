// The claims of Zappe 2020: hair by the tractrix.
#include "zappe20.h"

namespace tendril::app {

Paper zappe20()
{
    return {
        "zappe20",
        "M. Zappe: Simulation of Hair with the Tractrix Curve. Master thesis, Ravensburg-Weingarten, 2020.",
        {{"tail", "Section 2.2.3, Algorithm 2", "The tail moves less than the head",
          "Pulled along a tractrix, the tail of a segment never moves farther than its head, so motion decays "
          "along a strand; lengths are preserved.",
          "in no step does a particle move farther than the one before it, up to rounding (1 um); a single segment "
          "follows the closed form within 1e-5 of its length; no segment stretches by more than 1e-6",
          "papers/zappe20_drag", find_tail_moves_less},
         {"straight", "Section 4.1 and 4.2", "Straight pulls as a special case",
          "If the head moves exactly along its segment, the formula has no plane to work in, and a special case "
          "places the tail: as far behind the new head as it was, which is said to be right for pulls.",
          "in a straight pull, the tail is within 1e-4 of its length of the curve; with our form, which has no "
          "special case, at all angles from 0 to 180 degrees",
          "papers/zappe20_drag", find_straight_pull},
         {"emulation", "Section 3.0.1, Algorithm 3", "Every particle leads in turn: the strand moves like a rope",
          "The first approach is \"decently physical correct\", and the movement looks realistic as long as strands "
          "need not keep a style.",
          "a rope that is released horizontally is within a tenth of its length (rms over the first half second) of "
          "the true motion, the converged one of the direct method; it comes to rest hanging, within 1 mm; and it "
          "never has more energy than at its start, except for 1 % of its drop",
          "papers/mueller12_fig4", find_emulated_rope},
         {"cost", "Section 3.0.1 and 3.0.2",
          "The cost of one approach is quadratic in the particles, that of the other is not",
          "The emulation costs O(n^2) for n particles in a strand and is too slow: 7 frames per second for the "
          "mohawk of 2,228 strands. The split method moves each strand twice, at O(n), and takes 1.6 ms (both on a "
          "GTX 1080 Ti).",
          "from 8 to 64 particles, the time grows with a power of 1.7 to 2.3 of their number for the emulation and "
          "below 1.5 for the split method; at 32, the split method takes less than a third",
          "tendril bench", find_growth_of_cost},
         {"mohawk", "Section 3.0.2, Fig. 3.2", "The mohawk in real time",
          "2,228 strands of 32 particles, the test case of the thesis, run in real time with the split method.",
          "a step of 1/60 s takes less than that on this machine; the hair still stands: tips are higher above the "
          "scalp than half of their length",
          "papers/zappe20_mohawk", find_mohawk},
         {"frame1000", "Section 3.0.2", "The style survives a thousand frames",
          "The split method is stable: the thesis shows frame 1 and frame 1000. Here, the head also looks around.",
          "tips are off their groomed position by less than a quarter of their length at frame 1000, and on "
          "average over the last 250 frames by at most a tenth more than over the 250 before; lengths hold to "
          "1e-5; on a still head, no particle of the split method is faster than 1 mm/s at the end",
          "papers/zappe20_mohawk", find_frame_1000},
         {"style", "Section 3.0.2, Algorithm 4", "One number controls the style",
          "A single number from 0 to 1 blends hair from the result of the physics to its style.",
          "on a still head, the mean distance of the tips from the groom decreases with every increase of the "
          "number, to less than 0.1 % of their length at 1",
          "papers/zappe20_mohawk", find_one_number},
         {"ftl", "Section 5 (future work)", "Would a tractrix make other methods cheaper?",
          "Proposed, not tested: tractrix moves within a constraint-based method might need fewer iterations, and "
          "so cost less or be more accurate. Tested here as the projection of follow-the-leader, with substeps as "
          "iterations.",
          "in the time that 1, 2, 4 and 8 of its substeps take, the falling rope comes nearer to the converged "
          "motion than with as many plain substeps as take that time",
          "papers/mueller12_fig4", find_better_projection}}};
}

}  // namespace tendril::app
