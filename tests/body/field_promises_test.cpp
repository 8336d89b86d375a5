// Guarantees for every distance field: the same bits everywhere, and finite values for any input.

#include "body/field/field_sample.h"
#include "support/fields.h"
#include "support/sanitized.h"
#include "support/simd.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

namespace tendril::test {
namespace {

uint64_t hash_of(const FieldView& v, size_t nodes, size_t bricks)
{
    uint64_t h = 0;
    const auto add = [&](float x) {
        uint32_t bits;
        std::memcpy(&bits, &x, 4);
        h = mix_bits(h ^ bits);
    };
    for (size_t i = 0; i < nodes + bricks * FieldView::kBrickStride; ++i) add(v.values[i]);
    for (size_t i = 0; i < 4 * nodes; ++i) add(v.motion[i]);
    return h;
}

uint64_t hash_of(const DistanceField& field)
{
    return hash_of(field.view(field.low()), field.node_count(), field.brick_count());
}

TEST(Field, SameBitsForAnyNumberOfThreadsAndAnyInstructionSet)
{
    const Mesh mesh = join(make_torus_mesh(0.4, 0.15, 40, 20), make_sphere_mesh(0.3f, 20), {0.2f, 0.1f, 0});
    const Surface surface(mesh.vertices, mesh.triangles);
    std::vector<float> points(48 * 50), samples(64 * 50), motions(48 * 50);
    for (size_t i = 0; i < points.size(); ++i) points[i] = static_cast<float>(1.6 * uniform(9, i) - 0.8);
    for (const FieldSettings& settings : {coarse(0.03f), fine(0.06f, 0.03f), coarse(0.03f, FieldMethod::kMarching)}) {
        DistanceField field;
        field.build(surface, settings, mesh.vertices, mesh.vertices, {0, 0, 0}, *make_serial_executor());
        const uint64_t hash = hash_of(field);
        for (const int n : kSanitized ? std::vector{3} : std::vector{2, 3, 8}) {
            field.build(surface, settings, mesh.vertices, mesh.vertices, {0, 0, 0}, *threads(n));
            EXPECT_EQ(hash_of(field), hash) << n << " threads";
        }
        const FieldView view = field.view({0, 0, 0});
        sample_groups(view, points.data(), samples.data(), 50);
        motion_groups(view, points.data(), motions.data(), 50);
        for (size_t g = 0; g < 50; ++g)
            for (size_t l = 0; l < 16; ++l) {
                const float* p = points.data() + 48 * g + l;
                const FieldPoint one = sample_at(view, {p[0], p[16], p[32]});
                const float* many = samples.data() + 64 * g + l;
                EXPECT_EQ(one.distance, many[0]);
                EXPECT_EQ(one.normal, (Vec3f{many[16], many[32], many[48]}));
                const float* motion = motions.data() + 48 * g + l;
                EXPECT_EQ(motion_at(view, {p[0], p[16], p[32]}), (Vec3f{motion[0], motion[16], motion[32]}));
            }
        const std::vector<float> native = samples, native_motions = motions;
        for (const int64_t target : instruction_sets()) {
            const UseInstructionSet use(target);
            field.build(surface, settings, mesh.vertices, mesh.vertices, {0, 0, 0}, *threads(2));
            EXPECT_EQ(hash_of(field), hash) << "instruction set " << target;
            sample_groups(field.view({0, 0, 0}), points.data(), samples.data(), 50);
            motion_groups(field.view({0, 0, 0}), points.data(), motions.data(), 50);
            EXPECT_EQ(samples, native);
            EXPECT_EQ(motions, native_motions);
        }
    }
}

TEST(Field, RebuildingMatchesAFreshBuild)
{
    const Mesh mesh = make_torus_mesh(0.4, 0.15, 40, 20), other = make_sphere_mesh(0.7f, 24);
    const Surface surface(mesh.vertices, mesh.triangles), second(other.vertices, other.triangles);
    DistanceField used, fresh;
    const auto executor = threads(2);
    used.build(second, fine(0.05f, 0.03f), other.vertices, other.vertices, {0, 0, 0}, *executor);
    used.build(surface, coarse(0.02f, FieldMethod::kMarching), mesh.vertices, {}, {1, 2, 3}, *executor);
    for (const FieldSettings& settings : {coarse(0.03f), fine(0.06f, 0.03f)}) {
        used.build(surface, settings, mesh.vertices, mesh.vertices, {0, 0, 0}, *executor);
        DistanceField().build(surface, settings, mesh.vertices, mesh.vertices, {0, 0, 0}, *executor);
        fresh = DistanceField();
        fresh.build(surface, settings, mesh.vertices, mesh.vertices, {0, 0, 0}, *executor);
        EXPECT_EQ(hash_of(used), hash_of(fresh));
    }
}

TEST(Field, StaysFiniteForDegenerateInput)
{
    const auto expect_finite = [](const DistanceField& field) {
        const FieldView v = field.view({0, 0, 0});
        for (size_t n = 0; n < field.node_count() + field.brick_count() * FieldView::kBrickStride; ++n)
            ASSERT_TRUE(std::isfinite(v.values[n]));
        for (size_t n = 0; n < 4 * field.node_count(); ++n) ASSERT_TRUE(std::isfinite(v.motion[n]));
        for (const Vec3f& p : {Vec3f{0, 0, 0}, {1e8f, -1e8f, 1e8f}, {0.3f, 0.1f, 0.2f}}) {
            const FieldPoint sample = sample_at(v, p);
            EXPECT_TRUE(std::isfinite(sample.distance) && is_finite(sample.normal));
            EXPECT_TRUE(is_finite(motion_at(v, p)));
        }
    };
    Mesh soup;
    for (uint64_t i = 0; i < 100; ++i) soup.vertices.push_back(to_float(random_point(i, 0.5)));
    for (uint64_t i = 0; i < 150; ++i)
        soup.triangles.push_back({static_cast<uint32_t>(100 * uniform(5, 3 * i)),
                                  static_cast<uint32_t>(100 * uniform(5, 3 * i + 1)),
                                  static_cast<uint32_t>(100 * uniform(5, 3 * i + 2))});
    Mesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}, {}, {}, {}, {}};
    Mesh needle{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}, {}, {}, {}, {}, {}};
    Mesh ball = make_sphere_mesh(0.3f, 10), crushed = ball, huge = ball;
    for (Vec3f& v : huge.vertices) v = v * 1e6f;
    for (const Mesh& mesh : {Mesh{}, triangle, needle, soup, ball, huge})
        for (FieldSettings settings : {coarse(0.05f), fine(0.05f, 0.02f), coarse(0.05f, FieldMethod::kMarching)}) {
            if (mesh.vertices == huge.vertices) settings.cell = 5e4f;
            const Surface surface(mesh.vertices, mesh.triangles);
            DistanceField field;
            field.build(surface, settings, mesh.vertices, mesh.vertices, {0, 0, 0}, *threads(2));
            expect_finite(field);
        }
    // A flattened mesh, one collapsed to a point, meaningless settings, and vertices that are not finite.
    const Surface surface(ball.vertices, ball.triangles);
    DistanceField field;
    for (Vec3f& v : crushed.vertices) v.y = 0;
    field.build(surface, fine(0.05f, 0.02f), crushed.vertices, {}, {0, 0, 0}, *threads(2));
    expect_finite(field);
    for (Vec3f& v : crushed.vertices) v = {0.1f, 0.1f, 0.1f};
    field.build(surface, fine(0.05f, 0.02f), crushed.vertices, {}, {0, 0, 0}, *threads(2));
    expect_finite(field);
    FieldSettings odd;
    odd.cell = odd.band = odd.padding = std::numeric_limits<float>::quiet_NaN();
    field.build(surface, odd, ball.vertices, {}, {0, 0, 0}, *threads(2));
    expect_finite(field);
    crushed.vertices[3].x = std::numeric_limits<float>::infinity();
    field.build(surface, fine(0.05f, 0.02f), crushed.vertices, {}, {0, 0, 0}, *threads(2));
    expect_finite(field);
}

TEST(Field, EnlargesCellsOfHugeGrids)
{
    const Mesh ball = make_sphere_mesh(100.0f, 8);
    const Surface surface(ball.vertices, ball.triangles);
    DistanceField field;
    FieldSettings settings = coarse(0.01f);
    settings.most_nodes = 100'000;
    field.build(surface, settings, ball.vertices, {}, {0, 0, 0}, *threads(2));
    EXPECT_LE(field.node_count(), 100'000u);
    EXPECT_GT(field.node_count(), 30'000u);
    EXPECT_LT(sample_at(field.view({0, 0, 0}), {0, 0, 0}).distance, -90.0f);
}

TEST(Field, EnlargesCellsWhereBlocksWouldBeTooMany)
{
    const Mesh ball = make_sphere_mesh(1.0f, 24);
    const Surface surface(ball.vertices, ball.triangles);
    DistanceField field;
    FieldSettings settings = fine(0.02f, 0.01f);
    field.build(surface, settings, ball.vertices, {}, {0, 0, 0}, *threads(2));
    EXPECT_GT(field.block_count(), 20'000u);
    EXPECT_EQ(field.enlarged(), 1.0f);
    settings.most_blocks = 5000;
    field.build(surface, settings, ball.vertices, {}, {0, 0, 0}, *threads(2));
    EXPECT_LE(field.block_count(), 5000u);
    EXPECT_GT(field.block_count(), 2000u);
    EXPECT_EQ(field.cell(), settings.cell * field.enlarged());
    // The band grows with the cells, so that the distances near the surface stay exact in terms of cells.
    for (const float out : {-0.5f, 0.0f, 0.5f}) {
        const float r = 1 + out * settings.band * field.enlarged();
        EXPECT_NEAR(sample_at(field.view({0, 0, 0}), {0, r, 0}).distance, r - 1, 0.1f * field.cell());
    }
    // However large the body is, the smallest limits are kept.
    settings.most_nodes = settings.most_blocks = 0;
    std::vector<Vec3f> huge = ball.vertices;
    for (Vec3f& v : huge) v = v * 1e6f;
    field.build(surface, settings, huge, {}, {0, 0, 0}, *threads(2));
    EXPECT_LE(field.node_count(), 27u);
    EXPECT_TRUE(std::isfinite(field.cell()));
    EXPECT_LE(field.block_count(), 512u);
}

}  // namespace
}  // namespace tendril::test
