// The claims of Sanchez-Banderas, Barreiro, Garcia-Fernandez, Perez 2015: follow-the-leader with shape and volume.
#include "sanchez15.h"

namespace tendril::app {

Paper sanchez15()
{
    using namespace sanchez;
    return {
        "sanchez15",
        "R. M. Sánchez-Banderas, H. Barreiro, I. García-Fernández, M. Pérez: Real-time Inextensible Hair with Volume "
        "and Shape. CEIG 2015.",
        {{"fig1", "Fig. 1, section 5", "Long hair and a horse",
          "The same method simulates a mannequin whose long hair keeps its shape and interacts with itself, and an "
          "animated animal with mane and tail, with simple colliders.",
          "mannequin_a and horse, with the interaction as the paper's fluid: no stretch above 1e-4, all values "
          "finite; in motion, at least a third nearer to the style with shape than without",
          "mannequin_a, horse", find_mannequin_and_horse},
         {"fig2", "Fig. 2, section 5", "Shape and volume, separately and together",
          "Interaction gives volume but no style; shape gives both, but moves stiffly; a calibrated combination "
          "keeps style, volume and motion. Hair with too weak a shape loses volume, which interaction restores.",
          "compared with neither: more cubes of 1 cm with hair in b, c and d; less than half the distance from the "
          "style in c and d, not in b; tips swing by less than half in c, and in d by 1.5 times as much as in c. "
          "Compared with the control, the soft shape of d alone, which fills fewer cubes than c: d fills more. No "
          "stretch above 1e-4",
          "fig2_plain, fig2_volume, fig2_shape, fig2_both", find_four_variants},
         {"fig3", "Fig. 3, section 5", "Short fur",
          "The method suits short fur, which a signed distance field keeps out of the skin.",
          "fur (by its distance field) and bunny (a ball), with the interaction as the paper's fluid: no stretch "
          "above 1e-4, no particle deeper than 2 mm in the skin, shape reduces the distance from the style by 30 %",
          "fur, bunny", find_fur},
         {"fig4", "Fig. 4, section 5", "Different styles through shape and rendering",
          "Shape, and strands that are drawn but not simulated, can represent different hair styles.",
          "with the interaction as the paper's fluid: on a moving head, waves and curls keep 70 % of their turning, "
          "without shape less than half; straight < wavy < curly",
          "mannequin_b", find_styles},
         {"fig5", "Fig. 5, section 5", "Animals and stylized characters",
          "The method suits animals and stylized characters; Table 1 has a doll with a strong shape.",
          "hectroll (here a human bust with a doll's shock of hair, not a toon) and monster (the built-in creature), "
          "with the interaction as the paper's fluid: no stretch above 1e-4; shape reduces the distance from the "
          "style by 80 % for the first and 30 % for the second",
          "hectroll, monster", find_characters},
         {"energy", "Eq. 14, sections 5 and 6 (future work)", "Energy against s_d",
          "s_d around 0.9 makes the simulation stable at the cost of motion, which a smaller s_d restores only in "
          "part. The paper leaves the dependence of the energy on s_d to future work.",
          "as printed, waves and curls with a weak shape (s_l 0.05) and at the recommended limit (0.3 and s_g 0.1), "
          "without air: at s_d = 0, more than 2 drops of energy are gained; at 0.9, less than 0.05, and less than 1 % "
          "of the speed of the first second is left in the fifth; the first second is faster at 0.8 than at 0.9 than "
          "at 1, with less than 1 % left at 0.8",
          "papers/sanchez15_ball", find_energy},
         {"oscillation", "Section 5", "Finely divided strands oscillate, fading damps it",
          "If strands have many particles, the oscillation caused by the shape is more noticeable, because errors "
          "accumulate down the chain. Fading the coefficients towards the tip avoids it.",
          "as printed, curls of one length: the turning rate of a segment relative to the one before it increases from "
          "20 to 40 to 60 to 120 particles, and is 1.5 times as large in the outer third as in the inner; at 60 and "
          "120, fading leaves at most 20 % of it, and less than halving the coefficients everywhere does; the stable "
          "form keeps less than a fiftieth; no stretch above 1e-4",
          "papers/sanchez15_ball", find_oscillation},
         {"ranges", "Section 5", "Ranges of the coefficients",
          "With steps of 0.016 s: repulsion from 0 to 0.5, viscosity from 0 to 200, s_l below 0.3, s_g below 0.1, s_d "
          "around 0.9, which makes it stable. A larger s_l or s_g brings hair nearer to its shape.",
          "as printed, in the paper's units, all 32 combinations of the limits (s_d 0.85 and 0.95): finite and no "
          "stretch above 1e-4; at rest on a still head (rms below 5 cm/s); in each of 16 pairs, "
          "more volume with repulsion, less relative motion of neighbours with viscosity, nearer to the style with s_l "
          "and with s_g",
          "mannequin_b", find_ranges},
         {"table1", "Table 1", "Shape costs little, interaction most",
          "In five scenes, shape adds little to follow-the-leader, and interaction becomes the bottleneck. "
          "Thousands of strands with all three run at interactive rates.",
          "mannequin_a, mannequin_b, horse, bunny, hectroll, settled: shape adds at most 25 % to follow-the-leader and "
          "6 % to a complete step, interaction adds at least 4 times as much as shape and is the largest stage "
          "in every scene; all five run at ten or more steps per second with all three",
          "mannequin_a, mannequin_b, horse, bunny, hectroll", find_times},
         {"table2", "Table 2, section 4", "Level by level beats strand by strand",
          "Particles that are stored and solved level by level run 1.7 to 7.4 times as fast as strand by strand, and "
          "the gain increases with their number.",
          "compared with sixteen strands at once, as the threads of a GPU process them: at least 1.7 times as fast at "
          "each of the five sizes, and the gain at the largest at least 3 times that at the smallest (printed: 4.3); "
          "the same result within 0.01 mm",
          "tendril bench", find_layouts}}};
}

}  // namespace tendril::app
