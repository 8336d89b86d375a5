/// The movement of strings, after [Rungjiratananon11]; see solvers/strings/strings.h. All grooms of strings move
/// together, because they may touch each other and pull at the same rigid bodies.
#pragma once

#include "solvers/strings/string_step.h"
#include "world/movement.h"

#include <optional>
#include <vector>

namespace tendril {

class StringMovement final : public Movement {
public:
    bool moves(SolverType method) const override { return method == SolverType::kChainShape; }

    void add(GroomInstance& groom) override;
    void remove(GroomInstance& groom) override;
    GroomMotion motion(const GroomInstance& groom) const override;
    void set_motion(GroomInstance& groom, const GroomMotion& motion) override;

    bool couples_grooms() const override { return true; }
    int substeps(const GroomInstance& groom, int wanted, double dt, const RigidBodies& rigid) override;
    void begin(WorldStep& step) override;
    void solve(WorldStep& step) override;
    bool moves_rigid_bodies() const override { return !members_.empty(); }

    void carry(GroomInstance& groom, const MotionOf& motion, Executor& executor) override;
    void reset(GroomInstance& groom, Executor& executor) override;
    void released(const HoldState& hold) override;
    size_t max_holds() const override { return SIZE_MAX; }
    bool cut(GroomInstance& groom, size_t strand, size_t segment, double time) override;
    bool tie(GroomInstance& a, size_t a_strand, size_t a_particle, GroomInstance& b, size_t b_strand,
             size_t b_particle) override;

    void write_curves(const GroomInstance& groom, const CurvesRequest& request, std::span<Vec3f> points,
                      std::span<Vec3f> velocities, Executor& executor) const override;
    RootStep root_step(const GroomInstance& groom, size_t strand) const override;
    void positions(const GroomInstance& groom, size_t strand, std::span<Vec3d> out) const override;
    Measured measure(GroomInstance& groom, const Vec3d& gravity, double dt, Executor& executor) override;
    std::vector<float> tensions(const GroomInstance& groom) const override;
    SegmentsView segments(const GroomInstance& groom) override;
    void take_events(std::vector<StringEvent>& out) override;
    size_t bytes() const override;

    uint64_t hash(uint64_t h, Executor& executor) const override;
    void save(std::vector<std::byte>& out) const override;
    bool load(std::span<const std::byte>& in) override;

private:
    struct Member {
        GroomInstance* groom;
        size_t first;                                 // index of the first particle
        std::vector<float> widths, angles, tensions;  // for `segments`
        std::vector<Vec3f> across;                    // likewise
    };
    struct Tie {
        ParticleId a, b;
    };

    size_t member_index(const GroomInstance& groom) const;
    Member& member(const GroomInstance& groom) { return members_[member_index(groom)]; }
    const Member& member(const GroomInstance& groom) const { return members_[member_index(groom)]; }
    static size_t particle(const Member& m, size_t strand, size_t i)
    {
        return m.first + m.groom->groom.first_points()[strand] + i;
    }
    /// Makes the strings of a member, whole and at rest, at its current roots.
    Strings strings_at_rest(size_t index) const;
    /// Replaces a range of particles.
    void splice(size_t first, size_t count, const Strings& part);
    /// Lets a piece spring back, or not, after it was released or cut.
    void release(const Member& m, const StringPiece& piece);
    /// The direction of a segment's material frame.
    Vec3d material(size_t segment) const;

    // --- A step, in string_movement_step.cpp
    /// Excludes the strings of grooms that are switched off, and includes them again.
    void switch_members();
    void prepare_behaviours(const WorldStep& step, double h, int substep, const Vec3d& origin);
    /// Collects the holds and clamps, with the bodies at one of their samples.
    void hold_particles(WorldStep& step, int sample);
    void hold_roots(Member& m, WorldStep& step, int sample);
    void hold_particle(HoldState& hold, WorldStep& step, int sample);
    void add_hold(const WorldStep& step, const WorldBody& body, size_t particle, const Vec3d& target,
                  const Vec3d& offset, const Vec3d& slide);
    void add_clamp(const WorldBody& body, const StringClamp& clamp);
    void collect_obstacles(WorldStep& step, int from, int to, const Vec3d& origin);
    // In each substep, rigid bodies are first predicted without strings; then strings pull them.
    void predict_rigid_bodies(WorldStep& step, int from, int to, double h, double at);
    void move_holders(WorldStep& step, double h);
    void pull_rigid_bodies(WorldStep& step, double h);
    void push_rigid_poses(WorldStep& step);
    /// The inverse of the mass that a rigid body presents to a particle that it holds at a position [1/kg]. It takes
    /// the other holds of the body into account.
    double inverse_mass_for(const WorldStep& step, const WorldBody& body, size_t particle, const Vec3d& position) const;

    // --- Events, in string_movement_events.cpp
    void record(const StringEvent& event);
    void record_events(double time);
    StringEvent event_at(StringEventKind kind, size_t segment, double time) const;
    ParticleId id_of(size_t particle) const;
    size_t index_of(const ParticleId& particle) const;

    std::vector<Member> members_;
    Strings strings_;
    StringStepper stepper_;
    std::vector<Tie> ties_;
    std::vector<Vec3d> started_;    // positions at the start of the step, by particle
    std::vector<uint8_t> printed_;  // by member: 1: it moves by the equations as printed

    // Input of the current substep. `*_bodies_` has the index of a rigid body in the rigid scene, if there is one
    // behind the hold, clamp or obstacle.
    std::vector<StringBehaviour> behaviours_;
    std::vector<StringSurface> surfaces_;
    std::vector<StringTie> tied_;
    std::optional<int> planned_substeps_;  // of the coming step, once a groom has asked for it
    std::vector<StringHold> holds_;
    std::vector<Vec3d> hold_offsets_;  // in the frame of the body
    std::vector<StringClamp> clamps_;
    std::vector<StringObstacle> obstacles_;
    std::vector<std::optional<size_t>> hold_bodies_, clamp_bodies_, obstacle_bodies_;

    std::vector<StringEvent> events_;
    std::vector<SegmentPair> touched_, touching_;  // touching segments of the last step and of this one, sorted
};

}  // namespace tendril
