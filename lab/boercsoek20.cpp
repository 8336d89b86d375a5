// Boercsoek 2020: curly hair by position based dynamics. What it claims.
#include "boercsoek20.h"

namespace tendril::app {

Paper boercsoek20()
{
    using namespace boercsoek;
    return {
        "boercsoek20",
        "B. Börcsök: Simulation of Curly Hair. Project report, Budapest, 2020.",
        {{"fig1", "Fig. 1, section 3.4", "Distances between particles make curly hair",
          "Constraints that draw particles some segments apart closer than they are when straight give strands the "
          "look of curly hair.",
          "strands that were grown straight turn by more than 0.3 rad from a segment to the next, and by three times "
          "as much as without the constraints. (Distances alone: solver.angle_stiffness = 0. The scene has angles "
          "between segments beside them, which the report proposes, and which even out the turns)",
          "papers/boercsoek20_head", find_look},
         {"fig3", "Fig. 3, sections 3.4 and 7.2", "Which pairs, and how near, decides the style",
          "Different pairs and distances give quite different strands; with masses that vary a little strands differ "
          "from each other. Keeping angles instead is proposed.",
          "straight (below 0.05 rad per segment) without, and with pairs at their full distance; curled (above 0.2 "
          "rad) with five others; by angle within a tenth of what is asked for; tips within 0.01 mm of each other with "
          "equal masses, more than 1 mm apart with masses that vary by a tenth",
          "papers/boercsoek20_fig3", find_bending},
         {"sec3_2", "Section 3.2", "Stiffness that does not depend on iterations",
          "Used as 1 - (1 - k)^(1/n), a stiffness k leaves the same error for any number n of iterations. It still "
          "depends on the step.",
          "a hanging particle is where fall (1 - k) / k has it within 2 % of the fall, for k of 0.1, 0.5, 0.9 and 1, "
          "4, 20 iterations; the curl of whole strands differs by less than 5 %",
          "papers/boercsoek20_stiffness", find_stiffness},
         {"sec2_3", "Section 2.3", "Follow-the-leader was seen to stretch",
          "Tried beside position based dynamics, follow-the-leader stretched much under great forces, for which its "
          "single pass was blamed.",
          "a stretch above 1 % under 1, 10, 100 or 1000 times gravity, of a rope that is let go level "
          "(sim.gravity set; velocity_correction 1)",
          "papers/mueller12_fig4", find_leader_stretch},
         {"sec4_3", "Section 4.3, appendix B.1", "Hair on a head from an OBJ file",
          "Strands start at random places of a head that was read from an OBJ file, where a condition on the place is "
          "met, such as that it faces up.",
          "500 strands whose roots are within 0.01 mm of triangles of the file which face up and backwards, as the "
          "scene wants it (by less than 90 degrees from [0, 0.7, -1]), and which stay outside within 2 mm as the head "
          "nods",
          "papers/boercsoek20_head", find_obj_head},
         {"sec5", "Section 5", "500 strands of 30 particles in real time",
          "About 500 strands of 30 particles can be simulated in real time, and a thousand are too many.",
          "a step of 1/60 s of 500 x 30 takes less than 1/60 s of one core of this machine; a thousand are shown "
          "beside it, and no bar, as that is a limit of the report's program",
          "papers/boercsoek20_head", find_real_time}}};
}

}  // namespace tendril::app
