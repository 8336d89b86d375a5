// Rungjiratananon et al. 2011: strings that twist, tear and flick.
#include "rungjiratananon11.h"

#include "lab_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tendril::app {

void run_until(LabRun& run, double time, const AfterStep& after)
{
    while (run.world().time() < time - 1e-9) {
        run.world().step();
        if (after) after(run.world());
    }
}

Result<Picture> film_strip(LabRun& run, const std::vector<double>& times, size_t per_row, uint32_t width,
                           uint32_t height, const AfterStep& after)
{
    std::vector<Picture> pictures;
    for (const double time : times) {
        run_until(run, time, after);
        Result<Picture> picture = run.picture(width, height);
        if (!picture) return Error{picture.error()};
        pictures.push_back(labelled(std::move(*picture), fmt::format("{:.4g} s", time)));
    }
    return side_by_side(pictures, per_row);
}

std::vector<Vec3d> places_of(World& world, GroomId groom, size_t strand)
{
    std::vector<Vec3d> places(world.groom(groom).points(strand).size());
    for (size_t i = 0; i < places.size(); ++i) places[i] = world.position({groom, strand, i});
    return places;
}

double farthest_from_x_axis(World& world)
{
    double most = 0;
    for (const Vec3d& p : places_of(world)) most = std::max(most, std::hypot(p.y, p.z));
    return most;
}

std::vector<double> twist_of(World& world)
{
    const auto angles = world.segments({0}).angles;
    std::vector<double> twist;
    for (size_t i = 0; i + 1 < angles.size(); ++i)  // the last point has no segment
        twist.push_back(static_cast<double>(angles[i]) - static_cast<double>(angles[0]));
    return twist;
}

int least_crossings(const std::vector<Vec3d>& places)
{
    constexpr int kViews = 60;
    const Vec3d ends = places.back() - places.front(), along = ends * (1 / length(ends));
    Vec3d across = cross(along, std::abs(along.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0});
    across = across * (1 / length(across));
    int least = std::numeric_limits<int>::max();
    for (int view = 0; view < kViews; ++view) {
        const double turn = std::numbers::pi * view / kViews;
        const Vec3d sight = across * std::cos(turn) + cross(along, across) * std::sin(turn);
        int count = 0;
        for (size_t i = 0; i + 1 < places.size(); ++i)
            for (size_t j = i + 2; j + 1 < places.size(); ++j) {
                // Where both segments cross as seen: shares of the way along each.
                const Vec3d p = places[i + 1] - places[i], q = places[j + 1] - places[j], from = places[j] - places[i];
                const double span = dot(cross(p, q), sight);
                if (span == 0) continue;
                const double a = dot(cross(from, q), sight) / span, b = dot(cross(from, p), sight) / span;
                count += a >= 0 && a < 1 && b >= 0 && b < 1;
            }
        least = std::min(least, count);
    }
    return least;
}

namespace {

std::vector<Claim> claims()
{
    return {
        {"fig6a", "Fig. 6a, section 7", "A twisted string throws a loop",
         "A string between two clamps, one of which is turned on and on, buckles and throws a loop.",
         "within 2 mm of the line after half a turn; later it touches itself, more than 4 cm off the line",
         "twist_loop", find_loop},
        {"buckling", "Section 7, Eq. 4 and 5", "Twist bends a string beyond a critical torque",
         "The force of the twist on the centreline makes strings buckle, an instability. As printed it depends on the "
         "second difference of the angle, which is zero for even twist, so an evenly twisted string would never "
         "buckle; here the force is the slope of the energy of the twist. The paper gives no torque; a rod between "
         "clamps, one of which slides, is known to buckle at 8.99 EI/L.",
         "a draught leaves it within 2 % of its length of the line at 0.9 times the critical torque, and takes it "
         "more than 10 % off at 1.1 times",
         "papers/rungjiratananon11_buckling", find_buckling},
        {"fig6b", "Fig. 6b, section 7", "A twisted string becomes a spiral, as a telephone cord",
         "A twisted string forms a spiral as that of a telephone cord has.",
         "four crossings or more from wherever it is seen, in an open spiral: no part touches another",
         "telephone_cord", find_coil},
        {"fig6c", "Fig. 6c, section 7", "A mobile turns to and fro",
         "What hangs on strings is turned by wind and rolled back and forth by their twist.",
         "when the air is taken away every plate turns back at least twice, and none does so twice on strings without "
         "torsional rigidity; a plate on one string swings as a torsion pendulum within 3 %",
         "mobile, papers/rungjiratananon11_pendulum", find_mobile},
        {"fig6d", "Fig. 6d, section 7", "Even rigidity: even twist",
         "Twist along a string of the same rigidity everywhere, turned at one end; at rest it is spread evenly.",
         "the angle is linear along the string within 1 % of the whole", "torsion_uniform", find_even_twist},
        {"fig6e", "Fig. 6e, section 7", "Varying rigidity: twist gathers where the string is thin",
         "Where the cross-section is larger, and the rigidity with it, the angles of neighbours differ less.",
         "the twist of every joint is as one over the rigidity, the fourth power of the thickness, within 3 %",
         "torsion_varying", find_varying_twist},
        {"spread", "Section 4, Eq. 1 to 3", "A wider region spreads twist faster",
         "The width of the regions that angles are averaged over sets how fast twist travels. As printed the angle "
         "would grow without bound, and averages deviate at clamps: here rigidity conducts twist from segment to "
         "segment, and solver.twist_reach is the width.",
         "twice the reach evens out twist at least three times sooner (conduction says four), and the end state is the "
         "same within 1 %",
         "torsion_uniform", find_twist_spread},
        {"tension", "Section 5.3, Fig. 3, Eq. 8", "The tension of what does not stretch",
         "The tension of a string follows from what the length constraint does to it. Eq. 8 as printed sees tension "
         "only where neighbours fall differently, in a hanging rope in one segment; here it is the multiplier of the "
         "constraint.",
         "every segment of a rope with a crate of 0.5, 5 and 50 kg carries the weight of what hangs below, within 2 %",
         "papers/rungjiratananon11_tension", find_tension},
        {"plastic", "Sections 5.1 and 5.4, Fig. 4", "Beyond the yield point an elongation stays",
         "A string that was drawn out returns to its length below the yield point and keeps a part of the elongation "
         "beyond it (5.1); it gets thinner as it gets longer, so that its volume stays. The rule of 5.4 keeps all of "
         "the last strain once it is beyond the yield point; here its elastic part goes back along the slope of the "
         "curve, as 5.1 has it.",
         "strain left within 3 % of the strain drawn of what the stress-strain curve says; volume within 0.1 %",
         "papers/rungjiratananon11_plastic", find_plastic},
        {"fig7", "Fig. 7, section 7", "Threads tear in the order of their strength",
         "Of five threads that are pulled alike the one with the lowest threshold tears first, at its weakest segment; "
         "thresholds vary by up to 0.01 % along a thread.",
         "all tear, in order, each at a segment that is its weakest but for a millionth of its strength, a hundredth "
         "of "
         "the variation, at a force within 1 % of cross-section times threshold",
         "tear", find_tearing},
        {"fig8", "Fig. 8, sections 5.4 and 7", "What is let go springs back",
         "Without the tension of its elongation a string that is let go just falls (a); with it, it flicks (b), "
         "although "
         "it is inextensible and was drawn out by very little; a twisted one untwists as well (c). Shown of nylon, "
         "drawn "
         "by 1 %, and of rubber, drawn out by half, which the paper does not show.",
         "0.1 s after the release the end is more than 3 times as fast in b and c as in a, and in b as in a of nylon "
         "that was drawn by 1 %; no energy is gained; of the twist in c less than a fifth is left",
         "flick_a, flick_b, flick_c", find_flicking},
        {"knot", "Section 6; beyond the paper", "Self-collision that holds a knot",
         "Segments that touch are moved apart at their closest points, also those of the same string. The paper shows "
         "no knot; drawing one tight is the hardest trial of that.",
         "an overhand knot drawn tight by 3 kg keeps its three crossings, slips by less than 2 mm after two seconds, "
         "and the rope carries the weight within 10 %",
         "knot", find_knot},
        {"fig9", "Fig. 9, section 7", "A hanging bridge is destroyed",
         "Crates fall onto a bridge of boards on 746 segments of rope; the tension that they cause tears the ropes one "
         "after the other.",
         "it bears the first crate; under the two heavier ones its ropes tear, not all at once, boards fall by more "
         "than "
         "a metre and the last crate falls through; no number is lost, nothing sinks deeper than half a board before",
         "bridge", find_bridge},
        {"table1", "Table 1", "Real time for up to 746 segments",
         "A step of 0.01 s of strings with 100 to 746 segments takes 1.73 to 6.17 ms on a desktop of 2011: 3.6 times "
         "as "
         "long for 7.46 times the segments, as collisions have a large fixed part there; the other stages together "
         "grow about in proportion, by a factor of 7.3.",
         "a step takes less than its 10 ms at every size, and over all sizes goes with the segments to a power below "
         "1.15",
         "tendril bench", find_stage_times},
        {"voxels", "Section 6, Fig. 5", "Seven voxels suffice to find all that touches",
         "With voxels as long as a segment, particles in the same voxel or in those that share a face with it are "
         "enough to find every pair of segments that touch.",
         "no touching pair is missed", "papers/rungjiratananon11_voxels", find_seven_voxels},
    };
}

}  // namespace

Paper rungjiratananon11()
{
    return {"rungjiratananon11",
            "W. Rungjiratananon, Y. Kanamori, N. Metaaphanon, Y. Bando, B.-Y. Chen, T. Nishita: Twisting, Tearing and "
            "Flicking Effects in String Animations. MIG 2011.",
            claims()};
}

}  // namespace tendril::app
