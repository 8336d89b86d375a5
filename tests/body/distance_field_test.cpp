// The distance field against brute force over all triangles in double, and against closed forms.

#include "body/field/field_sample.h"
#include "support/data.h"
#include "support/fields.h"
#include "support/sanitized.h"

#include <gtest/gtest.h>

#include <functional>

namespace tendril::test {
namespace {

struct Errors {
    double mean = 0, worst = 0;  // [cells]
    size_t wrong_signs = 0;
};

/// Errors at every `every`-th node.
Errors node_errors(const MeshField& s, const std::function<double(const Vec3d&)>& truth, size_t every)
{
    const FieldView v = s.view();
    Errors errors;
    size_t count = 0;
    for (size_t n = 0; n < s.field.node_count(); n += every, ++count) {
        const auto i = static_cast<double>(n % v.nodes_x), j = static_cast<double>(n / v.nodes_x % v.nodes_y);
        const auto k = static_cast<double>(n / v.nodes_x / v.nodes_y), cell = static_cast<double>(v.cell);
        const double exact = truth(s.field.low() + Vec3d{i, j, k} * cell), found = static_cast<double>(v.values[n]);
        const double error = std::abs(std::abs(found) - std::abs(exact)) / cell;
        errors.mean += error;
        errors.worst = std::max(errors.worst, error);
        errors.wrong_signs += (found < 0) != (exact < 0) && std::abs(exact) > 1e-6;
    }
    errors.mean /= static_cast<double>(count);
    return errors;
}

Errors node_errors(const MeshField& s, size_t every)
{
    return node_errors(
        s, [&](const Vec3d& p) { return s.signed_distance(p); }, every);
}

std::vector<Mesh> solids()
{
    return {make_sphere_mesh(0.5f, 24), make_box_mesh({0.5f, 0.3f, 0.4f}, 5), make_torus_mesh(0.4, 0.15, 40, 20)};
}

TEST(Field, FastDistancesAreNearlyExact)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const Mesh& mesh : solids()) {
        const Errors errors = node_errors(MeshField(mesh, coarse(0.03f)), 17);
        EXPECT_LE(errors.mean, 0.02);
        EXPECT_LE(errors.worst, 0.5);
        EXPECT_EQ(errors.wrong_signs, 0u);
    }
}

TEST(Field, MarchedDistancesAreFirstOrderAccurate)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const Mesh& mesh : solids()) {
        const Errors errors = node_errors(MeshField(mesh, coarse(0.03f, FieldMethod::kMarching)), 17);
        EXPECT_LE(errors.mean, 0.15);
        EXPECT_LE(errors.worst, 0.8);
        EXPECT_EQ(errors.wrong_signs, 0u);
    }
}

// Compared with the smooth body instead of its triangles, so an error of their sagitta remains.
TEST(Field, MatchesClosedForms)
{
    const Errors sphere = node_errors(
        MeshField(make_sphere_mesh(0.5f, 60), coarse(0.04f)), [](const Vec3d& p) { return length(p) - 0.5; }, 7);
    EXPECT_LE(sphere.mean, 0.03);
    const Errors box = node_errors(
        MeshField(make_box_mesh({0.5f, 0.3f, 0.4f}, 4), coarse(0.04f)),
        [](const Vec3d& p) {
            const Vec3d q{std::abs(p.x) - 0.5, std::abs(p.y) - 0.3, std::abs(p.z) - 0.4};
            const Vec3d out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
            return length(out) + std::min(0.0, std::max({q.x, q.y, q.z}));
        },
        7);
    EXPECT_LE(box.mean, 0.01);
    const Errors torus = node_errors(
        MeshField(make_torus_mesh(0.4, 0.15, 120, 60), coarse(0.03f)),
        [](const Vec3d& p) { return std::hypot(std::hypot(p.x, p.z) - 0.4, p.y) - 0.15; }, 7);
    EXPECT_LE(torus.mean, 0.03);
    EXPECT_EQ(sphere.wrong_signs + torus.wrong_signs, 0u);
}

/// The largest error of samples near the surface. Within the band of a refined field it is that of fine cells.
double worst_error_near_surface(const MeshField& s, double band, double normal_tolerance)
{
    double worst = 0;
    for (uint64_t i = 0; i < 600; ++i) {
        const auto& t =
            s.surface
                .triangles()[static_cast<size_t>(uniform(1, i) * static_cast<double>(s.surface.triangles().size()))];
        const Vec3d p =
            (to_double(s.pose.vertices[t[0]]) + to_double(s.pose.vertices[t[1]]) + to_double(s.pose.vertices[t[2]])) *
                (1 / 3.0) +
            random_point(i, band / std::sqrt(3.0));
        const FieldPoint sample = sample_at(s.view(), to_float(p));
        worst = std::max(worst, std::abs(static_cast<double>(sample.distance) - s.signed_distance(p)));
        EXPECT_NEAR(length(sample.normal), 1, 1e-5);
        const Vec3d outwards = p * (1 / length(p));  // the true normal of a sphere
        if (normal_tolerance > 0) {
            EXPECT_GT(dot(to_double(sample.normal), outwards), 1 - normal_tolerance);
        }
    }
    return worst;
}

TEST(Field, RefinedSamplesAreAsAccurateAsFineCells)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const MeshField ball(make_sphere_mesh(0.5f, 40), fine(0.064f, 0.04f));
    EXPECT_GT(ball.field.brick_count(), 100u);
    EXPECT_LE(worst_error_near_surface(ball, 0.03, 0.01), 6e-4);
    // Unrefined cells of the same size are far worse, so the test detects missing refinement.
    EXPECT_GT(worst_error_near_surface(MeshField(make_sphere_mesh(0.5f, 40), coarse(0.064f)), 0.03, 0), 1.5e-3);
    EXPECT_LE(worst_error_near_surface(MeshField(make_torus_mesh(0.4, 0.15, 60, 30), fine(0.04f, 0.02f)), 0.015, 0),
              5e-4);
    FieldSettings marched = fine(0.064f, 0.04f);
    marched.method = FieldMethod::kMarching;
    EXPECT_LE(worst_error_near_surface(MeshField(make_sphere_mesh(0.5f, 40), marched), 0.03, 0.01), 6e-4);
}

TEST(Field, RefinedFieldHasNoSeamsBetweenBricks)
{
    const MeshField s(make_torus_mesh(0.4, 0.15, 60, 30), fine(0.04f, 0.02f));
    for (uint64_t i = 0; i < 4000; ++i) {
        const Vec3d p = random_point(i, 0.6);
        const double before = static_cast<double>(sample_at(s.view(), to_float(p)).distance);
        if (std::abs(before) > 0.018) continue;
        const Vec3d q = p + random_point(i + 5000, 1e-4);
        const double after = static_cast<double>(sample_at(s.view(), to_float(q)).distance);
        EXPECT_LE(std::abs(after - before), 1.3 * length(q - p) + 1e-6);
    }
}

TEST(Field, MethodsAgree)
{
    for (const Mesh& mesh : solids()) {
        const MeshField fast(mesh, coarse(0.03f)), marched(mesh, coarse(0.03f, FieldMethod::kMarching));
        ASSERT_EQ(fast.field.node_count(), marched.field.node_count());
        for (size_t n = 0; n < fast.field.node_count(); ++n) {
            const float a = fast.view().values[n], b = marched.view().values[n];
            // Marching accumulates errors, most of all where fronts meet.
            EXPECT_NEAR(a, b, (std::abs(a) < 0.1f ? 0.5f : 1.3f) * 0.03f);
            EXPECT_EQ(a < 0, b < 0);
        }
    }
}

TEST(Field, HoleIsClosed)
{
    const MeshField s(cut_above(make_sphere_mesh(0.5f, 30), 0.3f), coarse(kSanitized ? 0.06f : 0.03f));
    const Errors errors = node_errors(s, 11);
    EXPECT_EQ(errors.wrong_signs, 0u);
    EXPECT_LE(errors.mean, 0.02);
    EXPECT_LT(sample_at(s.view(), {0, 0.15f, 0}).distance, -0.05f);
    EXPECT_GT(sample_at(s.view(), {0, 0.45f, 0}).distance, 0.05f);
}

TEST(Field, UnitesOverlappingParts)
{
    const auto union_of_two = [](const Vec3d& p) { return std::min(length(p), length(p - Vec3d{0.4, 0, 0})) - 0.4; };
    for (const FieldSettings& settings : {coarse(0.03f), fine(0.06f, 0.03f), coarse(0.03f, FieldMethod::kMarching)}) {
        const Mesh ball = make_sphere_mesh(0.4f, 40);
        const MeshField s(join(ball, ball, {0.4f, 0, 0}), settings);
        for (uint64_t i = 0; i < 3000; ++i) {
            const Vec3d p = random_point(i, 0.6) + Vec3d{0.2, 0, 0};
            const double exact = union_of_two(p);
            const double found = static_cast<double>(sample_at(s.view(), to_float(p)).distance);
            if (std::abs(exact) > 0.01) {
                EXPECT_EQ(found < 0, exact < 0) << p.x << " " << p.y << " " << p.z;
            }
            // Deep inside only the sign matters, but the inner walls must leave no trace.
            if (exact < -0.1) {
                EXPECT_LT(found, -0.06) << p.x << " " << p.y << " " << p.z;
            }
        }
    }
}

TEST(Field, ReportsTheMotionOfARotatingSphere)
{
    Mesh mesh = make_sphere_mesh(0.5f, 40);
    const Vec3d axis{0.3, 1.0, -0.2};
    std::vector<Vec3f> motion;
    for (const Vec3f& v : mesh.vertices) motion.push_back(to_float(cross(axis, to_double(v))));
    for (const FieldMethod method : {FieldMethod::kFast, FieldMethod::kMarching}) {
        const MeshField s(mesh, coarse(0.03f, method), motion);
        for (uint64_t i = 0; i < 500; ++i) {
            const Vec3d direction = random_point(i, 1);
            const Vec3d surface = direction * (0.5 / length(direction));
            const Vec3d found = to_double(motion_at(s.view(), to_float(surface * 1.02)));
            EXPECT_LE(length(found - cross(axis, surface)), 0.02 * length(axis));
        }
    }
    // Without vertex motion the field reports none.
    EXPECT_EQ(motion_at(MeshField(mesh, coarse(0.05f)).view(), {0.5f, 0, 0}), (Vec3f{0, 0, 0}));
}

TEST(Field, TranslationByWholeCellsChangesNothing)
{
    const Mesh mesh = make_torus_mesh(0.4, 0.15, 40, 20);
    const Surface surface(mesh.vertices, mesh.triangles);
    for (const FieldSettings& settings : {coarse(0.03f), fine(0.06f, 0.03f)}) {
        DistanceField here, there;
        const double cell = static_cast<double>(settings.cell);
        const Vec3d shift = Vec3d{17, -4, 100'000} * cell;
        here.build(surface, settings, mesh.vertices, mesh.vertices, {0, 0, 0}, *threads(2));
        there.build(surface, settings, mesh.vertices, mesh.vertices, shift, *threads(2));
        EXPECT_LE(length(there.low() - here.low() - shift), 1e-9);
        ASSERT_EQ(here.node_count(), there.node_count());
        for (size_t n = 0; n < here.node_count(); ++n)
            EXPECT_NEAR(here.view({0, 0, 0}).values[n], there.view({0, 0, 0}).values[n], 1e-6);
        // After a shift by less than a cell, nodes still are at multiples of the cell.
        there.build(surface, settings, mesh.vertices, mesh.vertices, Vec3d{0.3, 0.2, 0.1} * (0.1 * cell), *threads(2));
        const Vec3d cells = (there.low() - here.low()) * (1 / cell);
        EXPECT_NEAR(cells.x, std::round(cells.x), 1e-6);
    }
}

TEST(Field, DistanceGrowsOutsideTheGrid)
{
    const MeshField s(make_sphere_mesh(0.5f, 40), coarse(0.05f));
    for (uint64_t i = 0; i < 200; ++i) {
        const Vec3d direction = random_point(i, 1);
        const Vec3d p = direction * (5 / length(direction));
        const FieldPoint sample = sample_at(s.view(), to_float(p));
        EXPECT_GE(sample.distance, 4.4f);
        EXPECT_LE(sample.distance, 4.5f * 1.5f);
        EXPECT_GT(dot(to_double(sample.normal), p) / 5, 0.8);
        EXPECT_NEAR(length(sample.normal), 1, 1e-5);
    }
}

TEST(Field, IsAccurateForAScannedHead)
{
    TENDRIL_NEEDS_DATA(file, "head_leeperrysmith/LeePerrySmith.glb");
    const auto head = read_character(file, {.unit_scale = 0.03, .z_up = false});
    ASSERT_TRUE(head);
    const MeshField s(head->mesh, coarse(0.01f));
    const Errors errors = node_errors(s, 397);
    EXPECT_LE(errors.mean, 0.05);
    EXPECT_EQ(errors.wrong_signs, 0u);
}

}  // namespace
}  // namespace tendril::test
