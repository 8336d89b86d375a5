// The claims of Rungjiratananon et al. 2011: strings that twist, tear and flick.
#include "rungjiratananon11.h"

#include "lab_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tendril::app {

Overrides printed(const Overrides& more)
{
    return joined({{"solver.form", "paper"},
                   {"sim.substeps", "1"},
                   {"solver.string_iterations", "50"},
                   {"interaction.search", "seven_voxels"},
                   {"interaction.continuous", "false"}},
                  more);
}

Overrides printed_with_goals(const Overrides& more)
{
    return printed(joined({{"solver.twist_increment", "mean"}}, more));
}

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

std::vector<Vec3d> positions_of(World& world, GroomId groom, size_t strand)
{
    std::vector<Vec3d> positions(world.groom(groom).points(strand).size());
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = world.position({groom, strand, i});
    return positions;
}

double farthest_from_x_axis(World& world)
{
    double farthest = 0;
    for (const Vec3d& p : positions_of(world)) farthest = std::max(farthest, std::hypot(p.y, p.z));
    return farthest;
}

std::vector<double> twist_of(World& world)
{
    const auto angles = world.segments({0}).angles;
    std::vector<double> twist;
    for (size_t i = 0; i + 1 < angles.size(); ++i)  // the last point has no segment
        twist.push_back(static_cast<double>(angles[i]) - static_cast<double>(angles[0]));
    return twist;
}

int min_crossings(const std::vector<Vec3d>& positions)
{
    constexpr int kViews = 60;
    const Vec3d ends = positions.back() - positions.front(), along = ends * (1 / length(ends));
    Vec3d across = cross(along, std::abs(along.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0});
    across = across * (1 / length(across));
    int fewest = std::numeric_limits<int>::max();
    for (int view = 0; view < kViews; ++view) {
        const double turn = std::numbers::pi * view / kViews;
        const Vec3d sight = across * std::cos(turn) + cross(along, across) * std::sin(turn);
        int count = 0;
        for (size_t i = 0; i + 1 < positions.size(); ++i)
            for (size_t j = i + 2; j + 1 < positions.size(); ++j) {
                // The crossing of both segments in this view, as shares of their lengths.
                const Vec3d p = positions[i + 1] - positions[i], q = positions[j + 1] - positions[j],
                            from = positions[j] - positions[i];
                const double span = dot(cross(p, q), sight);
                if (span == 0) continue;
                const double a = dot(cross(from, q), sight) / span, b = dot(cross(from, p), sight) / span;
                count += a >= 0 && a < 1 && b >= 0 && b < 1;
            }
        fewest = std::min(fewest, count);
    }
    return fewest;
}

namespace {

std::vector<Claim> claims()
{
    return {
        {"fig6a", "Fig. 6a, section 7", "A twisted string forms a loop",
         "A string between two clamps, one of which keeps turning, buckles and forms a loop.",
         "within 2 mm of the line after half a turn; later the string touches itself, more than 4 cm off the line",
         "twist_loop", find_loop},
        {"buckling", "Section 7, Eq. 4 and 5", "Twist bends a string above a critical torque",
         "The force of the twist on the centreline makes strings buckle, which is an instability. As printed, it "
         "depends on the second difference of the angle, which is zero for even twist, so an evenly twisted string "
         "would never buckle; here, the force is the gradient of the twist energy. The paper gives no torque; a rod "
         "between clamps, one of which slides, is known to buckle at 8.99 EI/L.",
         "a draught leaves the string within 2 % of its length of the line at 0.9 times the critical torque, and moves "
         "it more than 10 % off at 1.1 times",
         "papers/rungjiratananon11_buckling", find_buckling},
        {"fig6b", "Fig. 6b, section 7", "A twisted string becomes a spiral, like a telephone cord",
         "A twisted string forms a spiral like that of a telephone cord.",
         "four crossings or more from every viewpoint, in an open spiral: no part touches another", "telephone_cord",
         find_coil},
        {"fig6c", "Fig. 6c, section 7", "A mobile turns back and forth",
         "The wind turns plates that hang on strings, and the twist of the strings rolls them back and forth.",
         "when the air is removed, every plate turns back at least twice by more than 45 degrees, but at most twice as "
         "often as a "
         "torsion pendulum, and none turns back twice on strings without torsional rigidity; a plate on one string "
         "swings "
         "as a torsion pendulum within 3 %",
         "mobile, papers/rungjiratananon11_pendulum", find_mobile},
        {"fig6d", "Fig. 6d, section 7", "Even rigidity: even twist",
         "Along a string of uniform rigidity that is turned at one end, the twist at rest is uniform.",
         "the angle is linear along the string within 1 % of the whole", "torsion_uniform", find_even_twist},
        {"fig6e", "Fig. 6e, section 7", "Varying rigidity: twist concentrates where the string is thin",
         "Where the cross-section is larger, and with it the rigidity, the angles of neighbours differ less.",
         "the twist of every joint is inversely proportional to the rigidity, the fourth power of the thickness, "
         "within 3 %",
         "torsion_varying", find_varying_twist},
        {"spread", "Section 4, Eq. 1 to 3", "A wider region spreads twist faster",
         "The width of the regions over which angles are averaged determines how fast twist travels. As printed, the "
         "angle would grow without bound, and averages deviate at clamps; here, rigidity conducts twist from segment "
         "to segment, and solver.twist_reach is the width.",
         "with twice the reach, twist settles at least three times sooner (conduction predicts four), and at the end "
         "it is "
         "even within 1 %",
         "torsion_uniform", find_twist_spread},
        {"tension", "Section 5.3, Fig. 3, Eq. 8", "The tension of an inextensible string",
         "The tension of a string follows from its length constraint. Eq. 8 as printed yields tension only where "
         "neighbours fall differently, in a hanging rope in one segment; here, it is the multiplier of the constraint.",
         "every segment of a rope with a crate of 0.5, 5 and 50 kg carries the weight below it, within 2 %",
         "papers/rungjiratananon11_tension", find_tension},
        {"plastic", "Sections 5.1 and 5.4, Fig. 4", "Beyond the yield point, an elongation remains",
         "A stretched string returns to its length below the yield point and keeps a part of the elongation beyond it "
         "(5.1); it gets thinner as it gets longer, so that its volume is constant. The rule of 5.4 keeps all of the "
         "last strain once it is beyond the yield point; here, the elastic part recovers along the slope of the curve, "
         "as in 5.1.",
         "the remaining strain deviates from the stress-strain curve by at most 3 % of the applied strain; volume "
         "within 0.1 %",
         "papers/rungjiratananon11_plastic", find_plastic},
        {"fig7", "Fig. 7, section 7", "Threads tear in the order of their strength",
         "Of five threads that are pulled alike, the one with the lowest threshold tears first, at its weakest "
         "segment; thresholds vary by up to 0.01 % along a thread.",
         "all tear, in order, each at its weakest segment up to a millionth of its strength, a hundredth of the "
         "variation, at a force within 1 % of cross-section times threshold",
         "tear", find_tearing},
        {"fig8", "Fig. 8, sections 5.4 and 7", "A released string springs back",
         "Without the tension of its elongation, a released string just falls (a); with it, the string flicks (b), "
         "although it is inextensible and was stretched by very little; a twisted one also untwists (c). Shown for "
         "nylon, stretched by 1 %, and for rubber, stretched by half, which the paper does not show.",
         "0.1 s after the release, the end is more than 3 times as fast in b and c as in a, and in b as in a for nylon "
         "that was stretched by 1 %; no energy is gained; less than a fifth of the twist in c is left",
         "flick_a, flick_b, flick_c", find_flicking},
        {"knot", "Section 6; beyond the paper", "Self-collision that holds a knot",
         "Touching segments are moved apart at their closest points, including those of the same string. The paper "
         "shows no knot; tightening one is the hardest test of this.",
         "an overhand knot tightened by 3 kg keeps its three crossings, slips by less than 2 mm after two seconds, and "
         "the rope carries the weight within 10 %",
         "knot", find_knot},
        {"fig9", "Fig. 9, section 7", "A hanging bridge is destroyed",
         "Crates fall onto a bridge of boards on 746 segments of rope; the resulting tension tears the ropes one after "
         "the other.",
         "it bears the first crate; under the two heavier ones its ropes tear, not all at once, boards fall by more "
         "than a metre and the last crate falls through; all values are finite, and before that, nothing penetrates "
         "deeper than half a board",
         "bridge", find_bridge},
        {"table1", "Table 1", "Real time for up to 746 segments",
         "A step of 0.01 s of strings with 100 to 746 segments takes 1.73 to 6.17 ms on a desktop computer of 2011: "
         "3.6 times as long for 7.46 times the segments, because the collisions have a large fixed cost there; the "
         "other stages together grow about in proportion, by a factor of 7.3.",
         "a step takes less than its 10 ms at every size, and over all sizes its time grows with a power of the "
         "segments below 1.15",
         "tendril bench", find_stage_times},
        {"voxels", "Section 6, Fig. 5", "Seven voxels suffice to find all contacts",
         "With voxels as long as a segment, searching the same voxel and those that share a face with it finds every "
         "pair of touching segments.",
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
