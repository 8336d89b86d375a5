/// All grooms of a world as strings: what SolverType::kChainShape moves. The strands of the grooms are told after every
/// step where their particles are; what a string has besides, its tears, twist and tension, is kept here.
#pragma once

#include "solvers/string_step.h"
#include "strands/strands.h"
#include "tendril/strings.h"
#include "tendril/world.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tendril {

struct GroomInstance;

class StringGrooms {
public:
    /// A groom as its strands are now, at ease in its rest pose. `turned`: how far a strand has turned since rest.
    void add(const GroomInstance& groom, const std::function<Quat(size_t strand)>& turned, double dt, uint64_t seed);

    size_t particle(size_t groom, size_t strand, size_t i) const
    {
        return first_[groom] + first_points_[groom][strand] + i;
    }
    size_t particles_of(size_t groom) const { return first_points_[groom].back(); }
    /// Where the material of a segment points.
    Vec3d material(size_t segment) const;
    /// The same at rest, seen from the rest pose of its groom.
    const Vec3d& rest_material(size_t segment) const { return rest_across_[segment]; }

    void begin_step();
    /// Tells the strands where they are after a step in substeps of h seconds.
    void end_step(size_t groom, Strands& strands, double h);
    /// What the last substep, which ended at a time, has torn, and what has begun to touch.
    void note_events(double time);
    void cut(size_t groom, size_t strand, size_t segment, bool flicks, double time);

    /// Carries the particles of a strand by a rigid motion.
    void carry(size_t groom, size_t strand, const Pose& motion);

    /// Of one groom: energies, speeds, stretch. `stretch_mean` is the mean over its whole segments.
    Metrics measure(size_t groom, const Vec3d& gravity) const;
    size_t whole_segments(size_t groom) const;
    StringsView view(size_t groom);

    uint64_t hash() const;
    void save(std::vector<std::byte>& out) const;
    bool load(std::span<const std::byte>& in);

    Strings strings;
    StringStepper stepper;
    std::vector<StringEvent> events;

    // Of the substep that is being taken; which rigid body is behind each, or -1.
    std::vector<StringHold> holds;
    std::vector<StringClamp> clamps;
    std::vector<StringObstacle> obstacles;
    std::vector<int> hold_bodies, clamp_bodies, obstacle_bodies;
    std::vector<Vec3d> hold_offsets;  // in the frame of that body
    std::vector<Vec3d> root_places;   // of one groom, by strand: where its body has its roots
    std::vector<Quat> root_turns;     // and how it has turned them since rest
    void clear_holds()
    {
        holds.clear(), clamps.clear(), hold_bodies.clear(), clamp_bodies.clear(), hold_offsets.clear();
    }
    void add_hold(const StringHold& hold, std::optional<size_t> rigid_body, const Vec3d& offset)
    {
        holds.push_back(hold);
        hold_bodies.push_back(rigid_body ? static_cast<int>(*rigid_body) : -1);
        hold_offsets.push_back(offset);
    }
    void add_clamp(const StringClamp& clamp, std::optional<size_t> rigid_body)
    {
        clamps.push_back(clamp);
        clamp_bodies.push_back(rigid_body ? static_cast<int>(*rigid_body) : -1);
    }

private:
    void note(const StringEvent& event);  ///< unless there are too many
    StringEvent event_at(StringEventKind kind, size_t segment, double time) const;
    void find_strand(size_t segment, uint32_t& groom, uint32_t& strand, uint32_t& particle) const;

    std::vector<size_t> first_;                        // particle of each groom
    std::vector<std::vector<uint32_t>> first_points_;  // by groom
    std::vector<Vec3d> rest_across_, started_;         // per segment; per particle at the start of the step
    std::vector<SegmentPair> touched_, touching_;      // sorted: in the step before, and in this one
    /// What `view` shows. Every groom has its own: a host looks at all of them before the next step.
    struct Shown {
        std::vector<float> widths, angles, tensions;
        std::vector<Vec3f> across;
    };
    std::vector<Shown> shown_;  // by groom
};

}  // namespace tendril
