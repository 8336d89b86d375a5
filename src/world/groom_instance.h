/// Instances of grooms, and of the children that follow their strands.
#pragma once

#include "groom/children.h"
#include "math/aligned_vector.h"
#include "tendril/world.h"
#include "world/bodies.h"
#include "world/child_roots.h"
#include "world/root_anchors.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace tendril {

class Movement;

/// Checks that settings fit a groom and its body, and normalizes the bone weights.
Result<GroomSettings> check_groom_settings(const Groom& groom, const Body& body, GroomSettings settings);

struct GroomInstance {
    GroomInstance(Groom g, GroomSettings s, WorldBody& on)
        : groom(std::move(g)), settings(std::move(s)), body(&on), anchors(groom, std::move(settings.binding))
    {
        settings.binding = {};
    }

    GroomId id;
    uint64_t serial = 0;  ///< unique among all grooms that the world has ever had
    Groom groom;
    GroomSettings settings;  ///< as the host gave them, without the binding, which `anchors` has
    Behaviour behaviour;     ///< in effect in the current step: the groom's own settings, or else the world's
    WorldBody* body;         ///< the body that the groom grows on
    RootAnchors anchors;
    RootPose roots;  ///< at the end of the last step
    Movement* movement = nullptr;
    int substeps = 1;          ///< number of substeps of the current step
    int refinement = 1;        ///< multiplies this number; above 1 if a collider nearby is or recently was fast
    double refined_until = 0;  ///< the refinement does not decrease before this time [s]
    bool enabled = true;

    // Output for the host.
    /// What the curves depend on.
    struct CurvesKey {
        uint64_t changes;
        double requested_time;
        bool keeps_previous, stretched;
        bool operator==(const CurvesKey&) const = default;
    };
    std::optional<CurvesKey> curves_key;    ///< of `points` and `velocities`
    std::vector<Vec3d> output_roots;        ///< by strand
    std::vector<Vec3f> points, velocities;  ///< by point
    std::vector<float> depths;              ///< by point, from the last measurement

    size_t particles(size_t strand) const { return groom.points(strand).size(); }
    /// Identifies the frame of the rest pose, a body or a bone. Grooms with the same value share it.
    uint64_t rest_space() const
    {
        return static_cast<uint64_t>(body->id.index) << 32 | (anchors.one_bone() ? anchors.one_bone()->bone : 0);
    }
};

/// Strands that are not simulated and follow the strands of a groom.
struct ChildrenInstance {
    ChildrenInstance(GroomInstance& groom, Groom children, GuideMode mode, RootBinding binding)
        : guides(&groom),
          strands(groom.groom, children, mode),
          anchors(children, std::move(binding)),
          root_frames(children, strands.order(), anchors)
    {
    }

    ChildrenId id;
    GroomInstance* guides;
    Children strands;
    RootAnchors anchors;
    ChildRootFrames root_frames;
    RootPose roots, roots_before;             ///< when `curves` was called last, and one step earlier
    AlignedVector<Vec3f> points, velocities;  ///< by point
};

}  // namespace tendril
