// Builds tube meshes from rings of vertices that turn with the material. The edges of stripes are columns of vertices,
// so they are as smooth as the tube. Neighbouring triangles share vertices, even across colours, for smooth normals.
#include "tendril/tube.h"

#include "math/random.h"
#include "render/light_math.h"
#include "render/tube_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

/// The columns of facets along a tube.
struct Columns {
    std::vector<double> angles;  // where each column starts, relative to the material direction [rad]
    std::vector<Vec3f> colours;

    size_t size() const { return angles.size(); }

    void add(double from, double to, int count, const Vec3f& colour)
    {
        for (int k = 0; k < count; ++k) {
            angles.push_back(from + (to - from) * k / count);
            colours.push_back(colour);
        }
    }
};

Columns columns_of(const TubeLook& look)
{
    constexpr double kTau = 2 * std::numbers::pi;
    const int sides = std::clamp(look.sides, 3, 64), stripes = std::clamp(look.stripes, 0, 64);
    const double share = look.stripe_share > 0 ? std::min(static_cast<double>(look.stripe_share), 1.0) : 0.0;
    Columns columns;
    if (stripes == 0 || share == 0 || share == 1) {
        columns.add(0, kTau, sides, stripes > 0 && share == 1 ? look.stripe : look.colour);
        return columns;
    }
    const double period = kTau / stripes, half_stripe = 0.5 * share * period;
    const auto columns_for = [&](double part) { return static_cast<int>(std::ceil(part * sides / stripes - 1e-6)); };
    for (int s = 0; s < stripes; ++s) {
        const double middle = s * period;
        columns.add(middle - half_stripe, middle + half_stripe, std::max(columns_for(share), 1), look.stripe);
        columns.add(middle + half_stripe, middle + period - half_stripe, std::max(columns_for(1 - share), 1),
                    look.colour);
    }
    return columns;
}

/// A ring of vertices. At a torn end, the vertices stick out unevenly.
struct Section {
    TubeRing ring;
    double fray = 0;       // [m]
    float core_share = 0;  // share of the inner fibres' colour
    uint64_t seed = 0;     // of the fraying; derived from the end point, so that it does not change between pictures
};

/// One ring of a cap, in radii of the tube.
struct CapRing {
    double out, radius, fray;
    float core_share;  // share of the inner fibres' colour
};
/// Rings from the tube to the tip of the cap, whose radius is 0.
using CapShape = std::span<const CapRing>;

// The end of a cut rope, flatter than a hemisphere.
constexpr CapRing kRounded[] = {{0.27, 0.93, 0, 0}, {0.47, 0.73, 0, 0}, {0.58, 0.4, 0, 0}, {0.62, 0, 0, 0}};
// A torn end, whose fibres broke one by one: ragged, slightly wider than the rope, with the inner fibres visible.
constexpr CapRing kFrayed[] = {{0.2, 1.03, 0.06, 0}, {0.55, 1, 0.32, 1}, {0.7, 0.55, 0.3, 1}, {kFrayedReach, 0, 0, 1}};

class TubeBuilder {
public:
    TubeBuilder(const TubeLook& look, bool has_velocities)
        : columns_(columns_of(look)),
          fibre_colour_(mixed(look.colour, look.stripe, 0.4f)),
          has_velocities_(has_velocities)
    {
    }

    void add(const TubePath& path)
    {
        std::vector<Section> sections;
        add_cap(path.rings.front(), path.torn_begin ? kFrayed : kRounded, -1, path.first, sections);
        std::reverse(sections.begin(), sections.end());
        for (const TubeRing& ring : path.rings) sections.push_back({ring});
        add_cap(path.rings.back(), path.torn_end ? kFrayed : kRounded, 1, path.last, sections);
        build(sections);
    }

    TubeMesh take() { return std::move(mesh_); }

private:
    /// `direction` is 1 for the end of the tube and -1 for its beginning.
    static void add_cap(const TubeRing& end, CapShape shape, double direction, uint32_t point,
                        std::vector<Section>& sections)
    {
        for (const CapRing& c : shape) {
            Section section{end, c.fray * end.radius, c.core_share,
                            (uint64_t{point} << 8) + static_cast<uint64_t>(&c - shape.data())};
            section.ring.centre += end.along * (direction * c.out * end.radius);
            section.ring.radius *= c.radius;
            section.ring.turn = 0;
            sections.push_back(section);
        }
    }

    /// The first and the last section are single points.
    void build(const std::vector<Section>& sections)
    {
        const auto n = static_cast<uint32_t>(columns_.size());
        const Section &front = sections.front(), &back = sections.back();
        const uint32_t first_pole = add_vertex(front.ring, front.ring.centre);
        const auto first_ring = static_cast<uint32_t>(mesh_.vertices.size());
        for (size_t k = 1; k + 1 < sections.size(); ++k) add_ring(sections[k]);
        const uint32_t last_pole = add_vertex(back.ring, back.ring.centre), last_ring = last_pole - n;
        for (uint32_t j = 0; j < n; ++j)
            add_triangle({first_pole, first_ring + (j + 1) % n, first_ring + j}, j, front.core_share);
        for (size_t k = 2; k + 1 < sections.size(); ++k)
            add_band(first_ring + static_cast<uint32_t>(k - 2) * n, sections[k].ring.turn,
                     std::min(sections[k - 1].core_share, sections[k].core_share));
        for (uint32_t j = 0; j < n; ++j)
            add_triangle({last_pole, last_ring + j, last_ring + (j + 1) % n}, j, back.core_share);
    }

    uint32_t add_vertex(const TubeRing& ring, const Vec3d& position)
    {
        mesh_.vertices.push_back(to_float(position));
        if (has_velocities_) mesh_.velocities.push_back(to_float(ring.velocity));
        return static_cast<uint32_t>(mesh_.vertices.size() - 1);
    }

    void add_ring(const Section& section)
    {
        const TubeRing& ring = section.ring;
        const Vec3d binormal = cross(ring.along, ring.across);
        for (size_t j = 0; j < columns_.size(); ++j) {
            const double angle = columns_.angles[j];
            const Vec3d out = ring.across * std::cos(angle) + binormal * std::sin(angle);
            const double fray = section.fray * (2 * uniform(section.seed, j) - 1);
            add_vertex(ring, ring.centre + out * ring.radius + ring.along * fray);
        }
    }

    /// Adds the triangles between the ring that starts at vertex `first` and the next ring. All quads are split along
    /// the same diagonal. Normals are weighted by triangle area, so choosing the diagonal per quad would make them
    /// flicker.
    void add_band(uint32_t first, double turn, float core_share)
    {
        const auto n = static_cast<uint32_t>(columns_.size());
        const bool turns_back = turn < -0.5 * std::numbers::pi / n;  // well below zero, so that noise does not decide
        for (uint32_t j = 0; j < n; ++j) {
            const uint32_t a = first + j, b = first + (j + 1) % n, c = b + n, d = a + n;
            if (turns_back) {
                add_triangle({a, b, c}, j, core_share);
                add_triangle({a, c, d}, j, core_share);
            } else {
                add_triangle({a, b, d}, j, core_share);
                add_triangle({b, c, d}, j, core_share);
            }
        }
    }

    void add_triangle(const std::array<uint32_t, 3>& corners, uint32_t column, float core_share)
    {
        mesh_.triangles.push_back(corners);
        mesh_.colours.push_back(mixed(columns_.colours[column], fibre_colour_, core_share));
    }

    Columns columns_;
    Vec3f fibre_colour_;  // colour of the inner fibres
    bool has_velocities_;
    TubeMesh mesh_;
};

}  // namespace

TubeMesh make_tubes(const CurvesView& curves, std::span<const float> widths, std::span<const Vec3f> across,
                    const TubeLook& look)
{
    if (!(look.width_scale > 0)) return {};
    const bool has_velocities = !curves.velocities.empty() && curves.velocities.size() == curves.points.size();
    TubeBuilder builder(look, has_velocities);
    for (const TubePath& path : make_tube_paths({curves, widths, across, static_cast<double>(look.width_scale)}))
        builder.add(path);
    return builder.take();
}

}  // namespace tendril
