/// One groom in a world, and strands that follow the strands of a groom.
#pragma once

#include "tendril/hair_style.h"
#include "tendril/world.h"
#include "world/bodies.h"
#include "world/root_anchors.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace tendril {

class Movement;

struct GroomInstance {
    GroomInstance(Groom g, GroomSettings s, WorldBody& on)
        : groom(std::move(g)), settings(std::move(s)), body(&on), anchors(groom, std::move(settings.binding))
    {
        settings.binding = {};
    }

    GroomId id;
    uint64_t serial = 0;  ///< a number that no other groom of the world ever has
    Groom groom;
    GroomSettings settings;  ///< as they were given, but for the binding
    Behaviour behaviour;     ///< as it is in the current step: its own settings, else those of the world
    WorldBody* body;         ///< that it grows on
    RootAnchors anchors;
    RootPose roots;  ///< of the end of the last step
    Movement* movement = nullptr;
    int substeps = 1;  ///< of the current step
    bool enabled = true;

    // What the host looks at, by point.
    std::vector<Vec3d> output_roots;  ///< by strand
    std::vector<Vec3f> points, velocities;
    std::vector<float> depths;  ///< as last measured

    size_t particles(size_t strand) const { return groom.points(strand).size(); }
    /// Grooms with equal ones have their rest poses in one frame: that of a body, or of a bone.
    uint64_t rest_space() const
    {
        return static_cast<uint64_t>(body->id.index) << 32 | (anchors.one_bone() ? anchors.one_bone()->bone : 0);
    }
};

/// Strands that follow those of a groom.
struct ChildrenInstance {
    ChildrenInstance(GroomInstance& groom, Groom children, GuideMode mode, RootBinding binding)
        : guides(&groom), strands(groom.groom, children, mode), anchors(children, std::move(binding))
    {
    }

    ChildrenId id;
    GroomInstance* guides;
    Children strands;
    RootAnchors anchors;
    RootPose roots;
    std::vector<Vec3f> from_origin;  ///< of the roots, by strand
    std::vector<Quat> turns;
    std::vector<Vec3f> points;
};

}  // namespace tendril
