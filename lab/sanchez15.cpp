// Sanchez-Banderas, Barreiro, Garcia-Fernandez, Perez 2015: follow-the-leader with shape and volume. What it claims.
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
          "One method serves a mannequin whose long hair keeps its shape and feels itself, and an animated animal "
          "with mane and tail, with simple shapes as colliders.",
          "mannequin_a and horse, with hair against hair as the paper's fluid: no stretch above 1e-4, nothing "
          "non-finite; with shape at least a third nearer to the style than without, in motion",
          "mannequin_a, horse", find_mannequin_and_horse},
         {"fig2", "Fig. 2, section 5", "Shape and volume, each alone and both",
          "Hair against hair gives volume but no style; shape gives both, but moves stiffly; a calibrated combination "
          "keeps style, volume and motion. Hair whose shape is held too little loses volume, for which hair against "
          "hair makes up.",
          "against neither: more cubes of 1 cm with hair in b, c and d; off the style by under half in c and d, not "
          "in b; tips swing by under half in c, and in d by 1.5 times as much as in c. Against the control, the soft "
          "shape of d alone, which fills fewer cubes than c: d fills more. No stretch above 1e-4",
          "fig2_plain, fig2_volume, fig2_shape, fig2_both", find_four_variants},
         {"fig3", "Fig. 3, section 5", "Short fur",
          "The method suits short fur, which a signed distance field keeps out of the skin.",
          "fur (by its distance field) and bunny (a ball), with hair against hair as the paper's fluid: no stretch "
          "above 1e-4, nothing deeper than 2 mm in the skin, shape takes away 30 % of the distance from the style",
          "fur, bunny", find_fur},
         {"fig4", "Fig. 4, section 5", "Different styles by shape and drawing",
          "With shape, and strands that are drawn but not simulated, different hair styles come across.",
          "with hair against hair as the paper's fluid: waves and curls keep 70 % of their turning on a head that "
          "moves, without shape under half; straight < wavy < curly",
          "mannequin_b", find_styles},
         {"fig5", "Fig. 5, section 5", "Animals and stylized characters",
          "The method suits animals and stylized characters; Table 1 has a doll whose hair is held strongly.",
          "hectroll (here a human bust with a doll's shock of hair, not a toon) and monster (the built-in creature), "
          "with hair against hair as the paper's fluid: no stretch above 1e-4; shape takes away 80 % of the distance "
          "from the style of the first, 30 % of the second",
          "hectroll, monster", find_characters},
         {"energy", "Eq. 14, sections 5 and 6 (future work)", "Energy against s_d",
          "s_d around 0.9 makes the simulation stable; what it costs is motion, which a smaller s_d gives back only "
          "in part. The paper leaves to others how the energy depends on it.",
          "as printed, waves and curls, held weakly (s_l 0.05) and at the limit that the paper advises (0.3 and s_g "
          "0.1), without air: at s_d = 0 over 2 drops of energy are gained; at 0.9 under 0.05, and under 1 % of the "
          "speed of the first second is left in the fifth; faster in the first second at 0.8 than at 0.9 than at 1, "
          "with under 1 % left at 0.8",
          "papers/sanchez15_ball", find_energy},
         {"oscillation", "Section 5", "Finely divided strands oscillate, fading calms them",
          "Where strands have many particles, the oscillation that the shape makes is more noticeable, as errors add "
          "up down the chain. Letting the coefficients fade towards the tip gets around it.",
          "as printed, curls of one length: the turning rate of a segment against the one before it grows from 20 to "
          "40 to 60 to 120 particles, and is 1.5 times as large in the outer third as in the inner; at 60 and 120 "
          "fading leaves at most 20 % of it, and less than halving the coefficients everywhere does; the stable form "
          "keeps under a fiftieth; no stretch above 1e-4",
          "papers/sanchez15_ball", find_oscillation},
         {"ranges", "Section 5", "Ranges of the coefficients",
          "With steps of 0.016 s: repulsion from 0 to 0.5, viscosity from 0 to 200, s_l below 0.3, s_g below 0.1, s_d "
          "around 0.9, which makes it stable. More of s_l or s_g brings hair nearer to its shape.",
          "as printed, in the paper's units, all 32 combinations of the ends (s_d 0.85 and 0.95): finite and no "
          "stretch above 1e-4 (limits see to that); at rest on a still head (rms under 5 cm/s); in each of 16 pairs "
          "more volume with repulsion, less motion of neighbours against each other with viscosity, nearer to the "
          "style with s_l and with s_g",
          "mannequin_b", find_ranges},
         {"table1", "Table 1", "Shape costs little, hair against hair most",
          "In five scenes shape adds little to follow-the-leader, and hair against hair becomes the bottleneck. "
          "Thousands of strands with all three run at interactive rates.",
          "mannequin_a, mannequin_b, horse, bunny, hectroll, settled: shape adds at most 25 % to follow-the-leader "
          "and 6 % to a step with all, hair against hair at least 4 times as much as shape, and it is the largest "
          "stage in every scene; all five at ten steps a second or more with all three",
          "mannequin_a, mannequin_b, horse, bunny, hectroll", find_times},
         {"table2", "Table 2, section 4", "Level by level beats strand by strand",
          "Particles that are stored and solved level by level run 1.7 to 7.4 times as fast as strand by strand, the "
          "more so the more there are.",
          "against sixteen strands at once, as the threads of a GPU take them: at least 1.7 times as fast at each of "
          "the five sizes, and the gain at the largest at least 3 times that at the smallest (printed: 4.3); the same "
          "result within 0.01 mm",
          "tendril bench", find_layouts}}};
}

}  // namespace tendril::app
