// The shape as printed in [Sanchez15], against Eq. 1 to 14 in double precision.
#include "support/ropes.h"

#include <gtest/gtest.h>

namespace tendril::test {
namespace {

constexpr size_t kShapeParticles = 6;
constexpr double kSegment = 0.08;

WorldSettings printed_shape(int substeps)
{
    WorldSettings settings = paper_settings();
    settings.substeps = substeps;
    settings.shape.form = Form::kPaper;
    settings.shape.local = 0.3f;
    settings.shape.global = 0.1f;
    settings.shape.fade = 0.5f;
    settings.solver.dftl.velocity_correction = 0.9f;
    return settings;
}

World level_rope(const WorldSettings& settings)
{
    RopeStyle style;
    style.particles = kShapeParticles;
    style.length = static_cast<float>(kSegment * (kShapeParticles - 1));
    return make_world(style, settings);
}

/// A straight strand whose root is at rest at the origin. In the frame of the segment before it, the rest position of a
/// particle is straight ahead.
struct Equations {
    std::vector<Vec3d> x, v = std::vector<Vec3d>(x.size(), Vec3d{0, 0, 0}), rest = x;

    void step(const WorldSettings& world)
    {
        const double dt = world.dt / world.substeps, s_d = static_cast<double>(world.solver.dftl.velocity_correction);
        std::vector<Vec3d> now = x;
        Vec3d ahead{1, 0, 0};
        for (size_t i = 1; i < x.size(); ++i) {
            const double fade =
                1 - static_cast<double>(world.shape.fade) * static_cast<double>(i) / (kShapeParticles - 1);
            const double s_g = fade * static_cast<double>(world.shape.global),
                         s_l = fade * static_cast<double>(world.shape.local);
            now[i] = x[i] + v[i] * dt + world.gravity * (dt * dt);               // Eq. 1
            const Vec3d global = (rest[i] - now[i]) * s_g;                       // Eq. 11
            now[i] += global;                                                    // Eq. 8
            const Vec3d local = (now[i - 1] + ahead * kSegment - now[i]) * s_l;  // Eq. 12
            now[i] += local;                                                     // Eq. 9
            const Vec3d back = now[i - 1] - now[i];                              // Eq. 13
            const Vec3d inextensible = back * (1 - kSegment / length(back));
            now[i] += inextensible;  // Eq. 10
            ahead = (now[i] - now[i - 1]) * (1 / kSegment);
            if (i > 1) v[i - 1] -= (local + global + inextensible) * (s_d / dt);  // Eq. 14
            v[i] = (now[i] - x[i]) * (1 / dt);
        }
        x = now;
    }
};

TEST(PrintedShape, IsEquations1To14)
{
    for (const int substeps : {1, 3}) {  // a substep is a step of the paper, with the same coefficients
        const WorldSettings settings = printed_shape(substeps);
        World world = level_rope(settings);
        Equations expected{positions(world)};
        for (int i = 0; i < 30; ++i) {
            world.step();
            for (int k = 0; k < substeps; ++k) expected.step(settings);
        }
        const std::vector<Vec3d> now = positions(world);
        EXPECT_GT(length(now.back() - expected.rest.back()), 1e-3) << "it has not moved";
        for (size_t i = 0; i < kShapeParticles; ++i)
            EXPECT_LT(length(now[i] - expected.x[i]), 2e-6) << substeps << ' ' << i;
    }
}

// Algorithm 1 handles collisions after the constraints, and Eq. 14 takes the velocity from the final position: a push
// out of a collider is velocity. In our form it is not.
TEST(PrintedShape, APushOutOfAColliderIsVelocity)
{
    const auto height_after = [](Form form) {
        WorldSettings settings = printed_shape(1);
        settings.gravity = {0, 0, 0};
        settings.shape.form = form;
        settings.shape.local = settings.shape.global = 1e-3f;  // hardly any
        settings.contact.margin = 0;
        settings.contact.friction = 0;
        World world = level_rope(settings);
        world.step();
        EXPECT_TRUE(world.add_collider({.body = {0}, .a = {0.4, -0.02, 0}, .radius_a = 0.03f}));
        for (int i = 0; i < 60; ++i) world.step();  // it is eased out at 45 mm/s
        return positions(world).back().y;
    };
    EXPECT_GT(height_after(Form::kPaper), height_after(Form::kStable) + 0.005);
}

}  // namespace
}  // namespace tendril::test
