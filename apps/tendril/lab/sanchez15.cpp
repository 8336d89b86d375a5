// Sanchez-Banderas, Barreiro, Garcia-Fernandez, Perez 2015: follow-the-leader with shape and volume. What it claims.
#include "sanchez15.h"

namespace tendril::app {

Paper sanchez15()
{
    using namespace sanchez;
    return {
        "sanchez15",
        "R. M. Sánchez-Banderas, H. Barreiro, I. García-Fernández, M. Pérez: Real-time Inextensible Hair with "
        "Volume and Shape. CEIG 2015.",
        {{"fig1", "Fig. 1, section 5", "Long hair and a horse",
          "One method serves a mannequin whose long hair keeps its shape and feels itself, and an animated animal with "
          "mane and tail, with simple shapes as colliders.",
          "no stretch above 1e-4, nothing non-finite; at least a tenth nearer to the style with shape than without, in "
          "motion",
          "mannequin_a", find_mannequin_and_horse},
         {"fig2", "Fig. 2, section 5", "Shape and volume, each alone and both",
          "Hair against hair gives volume but no style; shape gives both, but moves stiffly; a softer shape together "
          "with hair against hair keeps style, volume and motion.",
          "more cubes of 1 cm with hair in all three variants than without; nearer to the style with shape, at rest "
          "and "
          "in a nod; tips move more with both than with shape alone; no stretch above 1e-4",
          "fig2_both", find_four_variants},
         {"fig3", "Fig. 3, section 5", "Short fur",
          "The method suits short fur, which a signed distance field keeps out of the skin.",
          "no stretch above 1e-4, nothing deeper than 2 mm in the skin, shape takes away 30 % of the distance from the "
          "style",
          "fur", find_fur},
         {"fig4", "Fig. 4, section 5", "Different styles by shape and drawing",
          "With shape, and strands that are drawn but not simulated, different hair styles come across.",
          "waves and curls keep 70 % of their turning on a head that moves, without shape under half; straight < wavy "
          "< "
          "curly",
          "mannequin_b", find_styles},
         {"fig5", "Fig. 5, section 5", "Animals and stylized characters",
          "A doll's hair that is held strongly, and furry creatures, are within its reach.",
          "no stretch above 1e-4; shape takes away 80 % of the distance from the style of the doll, 30 % of the beast",
          "hectroll", find_characters},
         {"energy", "Eq. 14, sections 5 and 6 (future work)", "Energy against s_d",
          "s_d around 0.9 makes the simulation stable; what it costs is motion, which a smaller s_d gives back only in "
          "part. The paper leaves to others how the energy depends on it.",
          "energy gained over 2 drops at s_d = 0, under 0.05 at 0.9 and 0.01 at 1; slower with every increase; from "
          "0.5 "
          "on under 1 % of the speed is left in the fifth second, without air",
          "papers/sanchez15_ball", find_energy},
         {"oscillation", "Section 5", "Long strands oscillate, fading calms them",
          "Shape targets build on each other, so strands of many particles oscillate, the more the further from the "
          "root. Letting the coefficients fade towards the tip avoids it.",
          "as printed: five times the speed with 60 particles than with 20, and faster in the outer third than in the "
          "inner; fading takes away half; the stable form keeps under a fiftieth",
          "papers/sanchez15_ball", find_oscillation},
         {"ranges", "Section 5", "Ranges of repulsion and viscosity",
          "Repulsion from 0 to 0.5 and viscosity from 0 to 200 can be used with steps of 0.016 s.",
          "over the whole range: finite, no stretch above 1e-4, at rest on a still head (rms under 5 cm/s), at most "
          "twice the speed without them on a head that shakes; a fifth more volume at 0.5",
          "mannequin_b", find_ranges},
         {"table1", "Table 1", "Shape costs little, hair against hair most",
          "In five scenes shape adds a few percent to a frame and hair against hair is the bottleneck; all run at "
          "interactive rates.",
          "shape adds less than follow-the-leader itself takes, the fluid at least twice that; each step with both "
          "within 4 times the printed frame, on all threads",
          "mannequin_a", find_times},
         {"table2", "Table 2, section 4", "Level by level beats strand by strand",
          "Particles that are stored and solved level by level run 1.7 to 7.4 times as fast as strand by strand.",
          "at least 1.7 times as fast at each of the five sizes, with the same result within 0.01 mm", "head_10k",
          find_layouts}}};
}

}  // namespace tendril::app
