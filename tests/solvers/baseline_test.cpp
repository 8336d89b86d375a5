// The engine's follow-the-leader against the plain programs of the benchmark, step by step.
//
// Conditions: hair with even segments that is held at its root alone; the same step, gravity and velocity correction;
// no contact, air, interaction, bend limit or backward pass, which the plain programs do not have. Then engine and
// plain program compute the same recurrence and differ by rounding only.
//
// Tolerance: the plain program in double is the reference. The plain program in float shows the effect of rounding: it
// stores positions of 0.3 m, which a float resolves to 3e-8 m. The engine stores edges of 0.01 m and is usually more
// accurate, here two to fifty times. Its error must stay below kRounding times the largest error so far of the plain
// program in float, which is 0.4 to 60 micrometres after 60 steps. Two tests check that a change of a setting by a
// thousandth exceeds this.
#include "bench/baseline.h"
#include "bench/shaped_baseline.h"
#include "support/head.h"
#include "support/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tendril::test {
namespace {

constexpr double kRounding = 2;

struct Conditions {
    double dt = 1.0 / 60;  // [s]
    int substeps = 1;
    float correction = 1;
    ShapeSettings shape = {};

    double substep() const { return dt / substeps; }
};

/// A head that sways, and also turns if `turns`.
Pose head(double time, bool turns)
{
    Pose pose;
    shake_head(time, {&pose, 1});
    return turns ? pose : Pose{pose.position, {}};
}

constexpr uint32_t kPlainStrands = 20, kPlainParticles = 32;  // more strands than a block has

Groom straight_hair()
{
    return std::move(*make_groom(*make_sphere_hair({.strands = kPlainStrands, .particles = kPlainParticles})));
}

/// Helices about horizontal axes, each with its own phase. Points at equal angles are at equal distances.
Groom curls()
{
    constexpr double kRadius = 0.015, kPitch = 0.006, kTurn = 0.5;  // [m], [m] and [rad] per segment
    GroomData data;
    data.first_point.push_back(0);
    for (uint32_t s = 0; s < kPlainStrands; ++s) {
        const double towards = 0.3 * s, phase = 0.7 * s;
        const Vec3d axis{std::cos(towards), 0, std::sin(towards)}, side{-axis.z, 0, axis.x}, up{0, 1, 0};
        for (uint32_t i = 0; i < kPlainParticles; ++i) {
            const double angle = phase + kTurn * i;
            data.points.push_back(to_float(axis * (0.1 + kPitch * i) + side * (kRadius * std::cos(angle)) +
                                           up * (kRadius * std::sin(angle))));
        }
        data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    }
    return std::move(*make_groom(std::move(data)));
}

/// The plain program for follow-the-leader, in float or double.
template <class Real>
class Plain {
public:
    static constexpr bool kTurns = true;
    static Groom groom() { return straight_hair(); }
    explicit Plain(const Groom& groom) : hair_(groom) {}
    void substep(double time, const Conditions& c, const Vec3d& gravity)
    {
        const double correction = std::pow(static_cast<double>(c.correction), 1.0 / c.substeps);
        hair_.step({head(time + c.substep(), kTurns), bench::as<Real>(gravity), static_cast<Real>(c.substep()),
                    static_cast<Real>(correction)},
                   *serial_);
    }
    Vec3d position(size_t strand, size_t particle) const { return bench::as<double>(hair_.position(strand, particle)); }

private:
    bench::BaselineHairOf<Real> hair_;
    std::shared_ptr<Executor> serial_ = make_serial_executor();
};

/// The same with both targets of a shape. The head does not turn: the engine carries global targets by the first-order
/// rotation of a substep, the plain program by the exact one.
template <class Real>
class PlainShaped {
public:
    static constexpr bool kTurns = false;
    static Groom groom() { return curls(); }
    explicit PlainShaped(const Groom& groom) : hair_(groom) {}
    void substep(double time, const Conditions& c, const Vec3d& gravity)
    {
        hair_.step({head(time, kTurns), head(time + c.substep(), kTurns), bench::as<Real>(gravity),
                    static_cast<Real>(c.substep()), c.shape},
                   *serial_);
    }
    Vec3d position(size_t strand, size_t particle) const { return bench::as<double>(hair_.position(strand, particle)); }

private:
    bench::ShapedBaselineOf<Real> hair_;
    std::shared_ptr<Executor> serial_ = make_serial_executor();
};

/// The largest ratio of the engine's error to its tolerance, over all steps and particles. The engine uses
/// `conditions`, the plain programs use `expected`; these differ only in tests of the comparison itself.
template <template <class> class Reference>
double worst_error(const Conditions& conditions, const Conditions& expected, int steps)
{
    WorldSettings settings;
    settings.dt = conditions.dt;
    settings.substeps = conditions.substeps;
    settings.solver.dftl.velocity_correction = conditions.correction;
    settings.shape = conditions.shape;
    World world(settings, make_serial_executor());
    const BodyId body = world.add_body({.name = "head", .function = [](double time, std::span<Pose> bones) {
                                            bones[0] = head(time, Reference<float>::kTurns);
                                        }});
    const GroomId id = *world.add_groom(Reference<float>::groom(), {.body = body});
    Reference<double> truth(world.groom(id));
    Reference<float> plain(world.groom(id));
    double worst = 0, plain_error = 0;
    for (int step = 0; step < steps; ++step) {
        const double start = world.time();
        world.step();
        for (int k = 0; k < expected.substeps; ++k) {
            truth.substep(start + k * expected.substep(), expected, settings.gravity);
            plain.substep(start + k * expected.substep(), expected, settings.gravity);
        }
        double error = 0;
        for (size_t s = 0; s < kPlainStrands; ++s)
            for (size_t i = 0; i < kPlainParticles; ++i) {
                const Vec3d exact = truth.position(s, i);
                error = std::max(error, length(world.position({id, s, i}) - exact));
                plain_error = std::max(plain_error, length(plain.position(s, i) - exact));
            }
        worst = std::max(worst, error / (kRounding * plain_error));
    }
    EXPECT_LT(plain_error, 1e-4) << "the tolerance is too large to tell anything";
    return worst;
}

const Conditions kConditions[] = {{.dt = 1.0 / 60},
                                  {.dt = 1.0 / 60, .correction = 0.9f},
                                  {.dt = 1.0 / 480},
                                  {.dt = 1.0 / 60, .substeps = 8, .correction = 0.9f}};

TEST(Baseline, TheEngineMovesAsThePlainProgramDoes)
{
    for (const Conditions& c : kConditions)
        EXPECT_LT(worst_error<Plain>(c, c, 60), 1) << c.dt << ' ' << c.substeps << ' ' << c.correction;
}

TEST(Baseline, TheComparisonNoticesAThousandthOfTheCorrection)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const Conditions& c : kConditions) {
        Conditions other = c;
        other.correction *= 0.999f;
        EXPECT_GT(worst_error<Plain>(c, other, 60), 1) << c.dt << ' ' << c.substeps << ' ' << c.correction;
    }
}

const ShapeSettings kShapes[] = {
    {.local = 1000, .global = 100}, {.local = 300}, {.global = 200, .drag = 5, .load = 0.2f}};

TEST(Baseline, TheEngineKeepsShapesAsThePlainProgramDoes)
{
    for (const ShapeSettings& shape : kShapes)
        for (Conditions c : kConditions) {
            c.shape = shape;
            EXPECT_LT(worst_error<PlainShaped>(c, c, kSanitized ? 5 : 60), 1)
                << c.dt << ' ' << c.substeps << ' ' << shape.local << ' ' << shape.global;
        }
}

TEST(Baseline, TheComparisonNoticesAThousandthOfTheStiffness)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const ShapeSettings& shape : kShapes)
        for (Conditions c : kConditions) {
            c.shape = shape;
            Conditions other = c;
            other.shape.local *= 1.001f;
            other.shape.global *= 1.001f;
            EXPECT_GT(worst_error<PlainShaped>(c, other, 60), 1)
                << c.dt << ' ' << c.substeps << ' ' << shape.local << ' ' << shape.global;
        }
}

}  // namespace
}  // namespace tendril::test
