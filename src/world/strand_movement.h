/// The movement of strands in the particle store. The solver of its method moves each groom.
#pragma once

#include "solvers/rest_shape.h"
#include "solvers/solver.h"
#include "strands/strands.h"
#include "world/metrics.h"
#include "world/movement.h"
#include "world/strand_roots.h"

#include <memory>
#include <vector>

namespace tendril {

class StrandMovement final : public Movement {
public:
    bool moves(SolverType method) const override { return has_solver(method); }

    void add(GroomInstance& groom) override;
    void remove(GroomInstance& groom) override;
    GroomMotion motion(const GroomInstance& groom) const override;
    void set_motion(GroomInstance& groom, const GroomMotion& motion) override;

    WorldBox reach(const GroomInstance& groom) const override;
    int substeps(const GroomInstance& groom, int wanted, double dt, const RigidBodies& rigid) override;
    void begin(WorldStep& step) override;
    void list_interacting(std::vector<InteractingGroom>& list) override;
    void solve(WorldStep& step) override;
    void prepare(const WorldSettings& settings, Executor& executor) override;

    void carry(GroomInstance& groom, const MotionOf& motion, Executor& executor) override;
    void reset(GroomInstance& groom, Executor& executor) override;
    size_t max_holds() const override { return kMaxHoldsPerStrand; }

    void write_curves(const GroomInstance& groom, const CurvesRequest& request, std::span<Vec3f> points,
                      std::span<Vec3f> velocities, Executor& executor) const override;
    RootStep root_step(const GroomInstance& groom, size_t strand) const override;
    void positions(const GroomInstance& groom, size_t strand, std::span<Vec3d> out) const override;
    Measured measure(GroomInstance& groom, const Vec3d& gravity, double dt, Executor& executor) override;
    std::vector<float> tensions(const GroomInstance& groom) const override;
    size_t bytes() const override;

    uint64_t hash(uint64_t h, Executor& executor) const override;
    void save(std::vector<std::byte>& out) const override;
    bool load(std::span<const std::byte>& in) override;

private:
    struct Member {
        /// Shares the rest data of `like`, another instance of the groom, unless it is null.
        Member(GroomInstance& instance, const Member* like, std::shared_ptr<ShapeCache> shapes);

        GroomInstance* groom;
        Strands strands;
        std::unique_ptr<Solver> solver;
        SolverType method;
        Form form;
        StrandRoots roots;
        GroomContacts contacts;
        RestShape shape;
        Meter meter;
        double last_substep = 0;  // length of the last substep [s]; 0 before the first
        int last_substeps = 1;
        double longest = 0;                  // length of the longest strand at rest [m]
        std::vector<const HoldState*> held;  // the holds of this step, sorted by strand and particle
        std::vector<Hold> holds;             // the same for the solver
        std::vector<Vec3f> hold_targets;     // [hold][substep]
        std::vector<AirSubstep> air;         // by substep
    };

    Member& member(const GroomInstance& groom) const;
    /// Returns another instance of the same groom with the same kind of roots, or null.
    const Member* member_like(const GroomInstance& groom) const;
    /// Moves the roots and holds of a groom over the substeps, and prepares its shape, air and contacts.
    static SolveInput prepare_input(Member& m, WorldStep& step);
    /// Computes the hold targets, relative to the roots before they move.
    static std::span<const Hold> hold_targets(Member& m, WorldStep& step, int stride);

    std::vector<std::unique_ptr<Member>> members_;
    std::shared_ptr<ShapeCache> shapes_ = std::make_shared<ShapeCache>();
};

}  // namespace tendril
