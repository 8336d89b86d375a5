// The claims of Mueller, Kim, Chentanez 2012: dynamic follow-the-leader.
#include "mueller12.h"

namespace tendril::app {

Paper mueller12()
{
    using namespace mueller;
    return {
        "mueller12",
        "M. Müller, T.-Y. Kim, N. Chentanez: Fast Simulation of Inextensible Hair and Fur. VRIPHYS 2012.",
        {{"fig1", "Fig. 1, sections 3.1 to 3.3", "Projection alone acts like a rope of uneven masses",
          "Projection moves a child to its parent and never the reverse, as if the child were infinitely lighter. The "
          "rope moves like one whose masses decrease towards the tip by a factor that tends to zero, however it is "
          "integrated. Taking back the child's correction from the parent's velocity (s = 1) hides that completely, at "
          "the price of some damping.",
          "a rope released horizontally, compared with chains whose masses decrease by a known factor: with steps of "
          "0.04 ms, s = 0 is ten times nearer to a factor of 1/100 than to equal masses, and s = 1 ten times nearer to "
          "equal masses than to any factor; with the paper's steps of 10 ms, s = 1 is three times nearer to equal "
          "masses than to any factor, and than s = 0 is. (The scene with 10 particles instead of 30, with 1, 16 and "
          "256 substeps, and with velocity_correction set)",
          "papers/mueller12_fig4", find_uneven_masses},
         {"fig4", "Fig. 4, section 3.2", "Projection alone comes to rest from the top",
          "At any time, damping has brought some particles to rest, from the hand down. The particle below them has "
          "all the kinetic energy, swings as if those further down weighed nothing, and passes no energy to those "
          "above.",
          "at s = 0 an increasing number of particles from the hand down is slower than 1 % of the fastest: ten after "
          "20 s, while others move at over 1 m/s; with masses that decrease by 1/100, the first moving particle has 80 "
          "% of the kinetic energy; and with s of 0.9 and 1, at most two particles come to rest before the whole rope "
          "does",
          "papers/mueller12_fig4", find_rest_from_the_top},
         {"fig5", "Fig. 5, sections 3.3 and 5", "s below 1 damps less",
          "With s = 1, the correction causes artificial damping. An s slightly below 1 reduces the damping, the uneven "
          "masses are still hardly noticeable, and it is \"computationally very cheap\".",
          "released horizontally, 30 and 5 degrees from hanging, a rope has more of its energy at s = 0.9 than at 1 on "
          "average over two seconds, when nearly all of it is lost; in the first second, it is at most 1.1 times as "
          "far from a rope of equal masses (method direct, 16 substeps); and a step takes at most 5 % longer. Energy "
          "that is gained is shown, not judged: the paper says nothing about it",
          "papers/mueller12_fig4", find_damping},
         {"sec3_4", "Section 3.4", "A backward pass lets waves travel up sooner",
          "Follow-the-leader passes motion from the tip towards the root only slowly. If a projection from the tip "
          "precedes the one from the root, waves travel further up. (Run with both readings of the printed pass and "
          "with ours; the next claim is about the printed one alone.)",
          "compared with the true wave (method direct), the wave of the forward pass alone reaches the middle of the "
          "rope at least 1.5 times as late; with a backward pass, it arrives within a fifth of the true time, with at "
          "least twice the amplitude, and with no more energy than the true wave shows. Judged for a bent end that is "
          "released; the scene papers/mueller12_wave, in which a ball strikes the end, is shown for comparison",
          "papers/mueller12_bent", find_backward_pass},
         {"sec3_4_words", "Section 3.4", "The backward pass as the text describes it",
          "The backward pass is follow-the-leader itself, starting from the free end: it moves every parent to its "
          "distance from its child. The forward pass then starts from there.",
          "the wave of a bent end that is released reaches the middle of the rope sooner and with a larger amplitude "
          "than with the forward pass alone, and the rope gains no more energy than the true wave shows; for either "
          "reading of what Eq. 9 takes back",
          "papers/mueller12_bent", find_printed_passes},
         {"fig2", "Fig. 2, section 3.4", "Ropes held at both ends, or at none",
          "If a rope is projected from the left and from the right and the results are averaged, it has no preferred "
          "end; weights that fade from either end keep both ends attached. (The abstract guarantees "
          "inextensibility; the figure does not say how the average keeps it.)",
          "settled ropes are mirror-symmetric within 1 mm, no segment is stretched by more than 1e-4, a free rope "
          "falls like a stone within 1 mm, and the weighted blend is nearer to the catenary than the plain one",
          "papers/mueller12_fig2", find_both_ends},
         {"eq11", "Fig. 3, Eq. 11 and 12, section 3.5", "A minimum distance limits the angle",
          "Particles two segments apart keep a minimum distance of 2 s l, which is a lower bound on the angle between "
          "segments; lengths have priority.",
          "the sharpest bend is 2 arcsin s, by the geometry of Eq. 11, within half a degree for each s: reached, and "
          "never exceeded; no stretch above 1e-4",
          "papers/mueller12_eq11", find_bend_limit},
         {"eq13", "Eq. 13, section 3.6", "Friction through a grid",
          "Blending a particle's velocity with the mean velocity around it imitates friction of any strength.",
          "hair at rest between driven hair does not move without friction, and moves more with more friction; at 20 "
          "per second, or the equal weight s_friction = 0.28 per step, it swings by at least 0.8 of the swing of the "
          "driven hair",
          "papers/mueller12_eq13", find_friction},
         {"eq14", "Eq. 14, section 3.6", "Repulsion through a grid",
          "Pushing particles along the gradient of the density gives hair volume.",
          "the girth of hanging hair increases with repulsion, by at least 20 % at 10 m/s^2 (2.8 mm per step of 1/60 "
          "s), without stretch",
          "papers/mueller12_eq14", find_repulsion},
         {"sec3_7", "Section 3.7", "A distance field with the velocities of the skin",
          "If the grid stores the skin's velocities beside the distances and is rebuilt every frame, particles bounce "
          "correctly off a fast character.",
          "no particle is more than 1 mm inside the triangles of a head that turns by 90 degrees in a quarter of a "
          "second, while hair lies on it; and when a moving field strikes the end of a stick at rest, the end leaves "
          "at the speed of the skin times one plus the restitution, within 0.1, for 0, 0.5 and 1 (the scene "
          "papers/mueller12_wave with two particles and body.1.collide = marching)",
          "head_turn", find_field},
         {"fig6", "Fig. 6, section 3.5", "Ten thousand strands of 30 particles at interactive rates",
          "One pass per frame is enough for thousands of strands at interactive rates on one core, and for 100,000 in "
          "reasonable time.",
          "at least ten steps of 10,000 x 30 per second on one thread of this machine, without stretch; with 100,000 "
          "strands, a particle costs at most three times as much",
          "head_10k", find_head},
         {"fig7_time", "Fig. 7 left, section 4", "At equal cost, other methods stretch",
          "A rope is dragged around: in the time that follow-the-leader takes, position based dynamics and explicit "
          "springs stretch visibly.",
          "no stretch above 1e-4 with follow-the-leader; more than 10 % with both other methods, with as many "
          "iterations or substeps as fit into its time, and with the two of the paper",
          "papers/mueller12_fig7", find_equal_time},
         {"fig7_quality", "Fig. 7 right, section 4", "At equal quality, other methods cost more",
          "For the same behaviour, position based dynamics and springs need many iterations or substeps: 25, and 20 at "
          "3000 N/m, where 2 of either take the time of follow-the-leader. They therefore cost about 12 and 10 times "
          "as much.",
          "with these settings, the mean distance from the converged motion is that of follow-the-leader within a "
          "factor of 1.5 either way; the fewest that are as near are half to twice the printed 25 and 20; and the "
          "printed ones cost half to twice the 12.5 and 10 times that follow from the paper's counts",
          "papers/mueller12_fig7", find_equal_quality},
         {"fig7_stiffness", "Section 4", "The stiffest springs",
          "With 2 substeps, symplectic Euler is stable up to 100 N/m; 3000 N/m need 20 substeps. (The paper does not "
          "say how much springs are damped.)",
          "for one damping of the springs between none and critical, while the rope is dragged for 4 s: the stiffest "
          "stable springs have 50 to 200 N/m at 2 substeps, and 3000 N/m are stable from 10 to 40 substeps on",
          "papers/mueller12_fig7", find_spring_limits},
         {"fig8", "Fig. 8, section 4", "Fur on a walking dog",
          "6,600 fibres with 47,000 particles follow a character, with distance and density fields that are rebuilt "
          "every frame.",
          "the same numbers of fibres and particles, no stretch above 1e-4, no particle deeper inside the skin than 2 "
          "mm",
          "afghan", find_afghan},
         {"fig9", "Fig. 9, section 4", "Repulsion makes fur thicker",
          "29,000 fibres with 247,000 particles: repulsion between hairs adds visible volume.",
          "the fur is at least a tenth thicker with the scene's repulsion than without; with --full the same numbers "
          "of fibres and particles, otherwise a quarter of them",
          "monster", find_monster},
         {"table1", "Table 1, section 4", "Cost of the stages",
          "On one core, the constraints are the most expensive stage of the monster, and the distance field and "
          "collisions that of the Afghan and the girl; the densities never are.",
          "the most expensive of the three stages is the same in each scene (monster, afghan and girl with one "
          "substep). Times are shown but not judged, because processors differ",
          "monster, afghan, girl", find_times}}};
}

}  // namespace tendril::app
