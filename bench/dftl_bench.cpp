#include "dftl_bench.h"

#include "baseline.h"
#include "rounds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril::bench {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

void move_head(double time, std::span<Pose> bones)
{
    bones[0] = head_pose(time);
}

BodyDescription head()
{
    BodyDescription body;
    body.name = "head";
    body.function = move_head;
    return body;
}

}  // namespace

Groom make_hair(uint32_t strands, uint32_t particles)
{
    return *make_groom(*make_sphere_hair({.strands = strands, .particles = particles}));
}

Groom make_held_ropes(uint32_t strands, uint32_t particles)
{
    RopeStyle style;
    style.strands = strands;
    style.particles = particles;
    style.spacing = 1.0f / static_cast<float>(strands);
    style.ends = Ends::kBothHeld;
    style.span = 0.8f;
    return *make_groom(*make_ropes(style));
}

Pose head_pose(double time)
{
    const double swing = std::sin(kTwoPi * time / 2.0);
    return {{0.05 * swing, 0, 0}, rotation_about({0, 1, 0}, 0.5 * swing)};
}

HairOnHead::HairOnHead(Groom groom, const SolverSettings& method)
    : groom_(std::move(groom)),
      strands_(groom_, RootKind::kOnBone),
      body_(head()),
      anchors_(groom_, OneBoneBinding{}),
      roots_(anchors_, strands_),
      behaviour_{.solver = method},
      solver_(make_solver(method))
{
}

double HairOnHead::step(const DftlVariant& variant, Executor& executor)
{
    const double dt = kSubstep * variant.substeps;
    strands_.begin_step();
    SolveInput input;
    input.dt = dt;
    input.keep_previous = variant.keep_previous;
    behaviour_.solver.dftl = variant.dftl;
    behaviour_.shape = variant.shape;
    input.shape = shape_.over_substeps(groom_, strands_, shape_for(behaviour_), kGravity, kSubstep, executor);
    Bodies::sample(body_, {time_, dt, variant.substeps});
    input.roots = roots_.advance(strands_, body_, variant.substeps, 1, input.shape, pose_, executor);
    air_.clear();
    for (int k = 0; k < variant.substeps; ++k)
        air_.push_back(
            prepare_air(variant.air, variant.wind, kGravity, strands_.frame.position, time_ + kSubstep * k, kSubstep));
    input.air = air_;
    solver_->configure(behaviour_.solver);
    const double seconds = time_of([&] { solver_->solve(strands_, input, executor); });
    strands_.end_step();
    time_ += dt;
    return seconds;
}

World make_head_world(uint32_t strands, uint32_t particles, std::shared_ptr<Executor> executor)
{
    World world(WorldSettings{}, std::move(executor));
    const BodyId body = world.add_body(head());
    GroomSettings settings;
    settings.body = body;
    (void)*world.add_groom(make_hair(strands, particles), settings);
    return world;
}

double difference_to_baseline()
{
    const auto executor = make_serial_executor();
    HairOnHead hair(make_hair(64, 32));
    BaselineHair baseline(hair.groom());
    const DftlVariant variant;
    for (int k = 0; k < 48; ++k) {
        hair.step(variant, *executor);
        baseline.step({hair.frame(), to_float(kGravity), static_cast<float>(kSubstep), 1.0f}, *executor);
    }
    double farthest = 0;
    for (size_t s = 0; s < hair.groom().strand_count(); ++s) {
        const size_t tip = hair.groom().points(s).size() - 1;
        const Vec3d gap = hair.strands().position(s, static_cast<int>(tip)) - to_double(baseline.position(s, tip));
        farthest = std::max(farthest, length(gap));
    }
    return farthest;
}

}  // namespace tendril::bench
