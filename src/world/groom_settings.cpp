// Checks the settings of a groom before it is added to a world.
#include "world/groom_instance.h"

#include <fmt/core.h>

#include <cmath>

namespace tendril {

Result<GroomSettings> check_groom_settings(const Groom& groom, const Body& body, GroomSettings settings)
{
    const auto not_finite = [](const auto& x) { return !is_finite(x); };
    if (!(settings.particle_mass > 0)) return Error{"groom: particle_mass must be above 0"};
    const StringMaterial& m = settings.material;
    for (const double x : {m.density, m.young, m.yield, m.plastic, m.rupture})
        if (!(x > 0) || !std::isfinite(x))
            return Error{"groom: the material has a value that is not above 0 and finite"};
    if (!(m.bend_modulus >= 0 && m.shear_modulus >= 0) || !std::isfinite(m.bend_modulus + m.shear_modulus) ||
        !(m.plastic < m.young))
        return Error{"groom: the moduli of the material must be at least 0, and plastic below young"};
    if (!(settings.strength_variation >= 0 && settings.strength_variation < 1))
        return Error{"groom: strength_variation must be in [0, 1)"};
    if (!settings.stiffness.empty() && settings.stiffness.size() != groom.strand_count())
        return Error{fmt::format("groom: stiffness is given for {} strands, but there are {}",
                                 settings.stiffness.size(), groom.strand_count())};
    for (const float factor : settings.stiffness)
        if (!(factor >= 0) || !std::isfinite(factor)) return Error{"groom: a stiffness is negative or not finite"};
    if (const auto* one = std::get_if<OneBoneBinding>(&settings.binding)) {
        if (one->bone >= body.bones())
            return Error{fmt::format("groom: bound to bone {}, but body '{}' has {} bones", one->bone, body.name(),
                                     body.bones())};
    } else if (auto* bones = std::get_if<WeightedBoneBinding>(&settings.binding)) {
        if (bones->weights.size() != groom.strand_count() || bones->rest.size() != body.bones())
            return Error{fmt::format(
                "groom: the binding has weights for {} strands and rest poses for {} bones, but there are {} "
                "strands and {} bones",
                bones->weights.size(), bones->rest.size(), groom.strand_count(), body.bones())};
        for (const Pose& pose : bones->rest)
            if (not_finite(pose.position) ||
                !(length(Vec3d{pose.rotation.x, pose.rotation.y, pose.rotation.z}) + std::abs(pose.rotation.w) > 1e-6))
                return Error{"groom: the rest pose of a bone is not finite, or its rotation is zero"};
        for (auto& list : bones->weights) {
            float sum = 0;
            for (const auto& w : list) {
                if (w.bone >= body.bones() || !(w.weight >= 0) || !std::isfinite(w.weight))
                    return Error{fmt::format("groom: weight {} of bone {} is not valid; the body has {} bones",
                                             w.weight, w.bone, body.bones())};
                sum += w.weight;
            }
            if (!(sum > 0)) return Error{"groom: a strand has no bone weight above 0"};
            for (auto& w : list) w.weight /= sum;
        }
    } else if (const auto* faces = std::get_if<TriangleBinding>(&settings.binding)) {
        if (faces->triangles.size() != groom.strand_count() || faces->weights.size() != groom.strand_count() ||
            faces->rest.size() != body.vertices())
            return Error{fmt::format(
                "groom: the binding has {} triangles, {} weights and {} rest vertices, but there are {} strands and {} "
                "vertices",
                faces->triangles.size(), faces->weights.size(), faces->rest.size(), groom.strand_count(),
                body.vertices())};
        if (std::any_of(faces->weights.begin(), faces->weights.end(), not_finite) ||
            std::any_of(faces->rest.begin(), faces->rest.end(), not_finite))
            return Error{"groom: a barycentric weight or a rest vertex is not finite"};
        if (!body.has_vertices())
            return Error{
                fmt::format("groom: push the vertices of body '{}' before you add a groom to it", body.name())};
        for (const auto& t : faces->triangles)
            if (t[0] >= body.vertices() || t[1] >= body.vertices() || t[2] >= body.vertices())
                return Error{fmt::format("groom: a triangle refers to a vertex that the body does not have; it has {}",
                                         body.vertices())};
    }
    return settings;
}

}  // namespace tendril
