#include "field_bench.h"

#include "body/field/distance_field.h"
#include "body/field/field_sample.h"
#include "body/triangle_tree.h"
#include "tendril/mesh.h"

#include <algorithm>
#include <cmath>

namespace tendril::bench {
namespace {

/// A potato that just fits into 60 x 30 x 60 cells of 2 cm.
Mesh make_potato()
{
    Mesh mesh = make_sphere_mesh(1.0f, 36);
    for (Vec3f& v : mesh.vertices) {
        v = {0.56f * v.x, 0.26f * v.y, 0.56f * v.z};
        v = v * (1 + 0.08f * std::sin(9 * v.x) * std::cos(8 * v.z));
    }
    return mesh;
}

/// A turning mesh and its field.
class FieldBench {
public:
    FieldBench(Mesh mesh, const FieldSettings& settings)
        : mesh_(std::move(mesh)), surface_(mesh_.vertices, mesh_.triangles), settings_(settings)
    {
        for (const Vec3f& v : mesh_.vertices) motion_.push_back(cross(Vec3f{0, 3, 0}, v));
    }

    void build(FieldMethod method, Executor& executor)
    {
        settings_.method = method;
        field_.build(surface_, settings_, mesh_.vertices, motion_, {0, 0, 0}, executor);
    }
    FieldView view() const { return field_.view({0, 0, 0}); }

    /// Mean error over every seventh node [cells].
    double mean_error() const
    {
        const TriangleTree tree(mesh_.vertices, mesh_.triangles);
        const FieldView v = view();
        double sum = 0, count = 0;
        for (size_t n = 0; n < field_.node_count(); n += 7, ++count) {
            const size_t i = n % v.nodes_x, j = n / v.nodes_x % v.nodes_y, k = n / v.nodes_x / v.nodes_y;
            const Vec3d node{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
            const double exact = tree.nearest(field_.low() + node * static_cast<double>(v.cell)).distance;
            sum += std::abs(std::abs(static_cast<double>(v.values[n])) - exact);
        }
        return sum / count / static_cast<double>(v.cell);
    }

    /// Positions of strands of 32 particles that grow on the mesh and hang, 16 side by side as in the particle store.
    std::vector<float> particles(size_t groups) const
    {
        constexpr size_t kLevels = 32, kGroup = 16;
        std::vector<float> positions(groups * 3 * kGroup);
        for (size_t g = 0; g < groups; ++g)
            for (size_t lane = 0; lane < kGroup; ++lane) {
                const size_t strand = g / kLevels * kGroup + lane, strands = groups / kLevels * kGroup;
                const Vec3f& root = mesh_.vertices[strand * mesh_.vertices.size() / (strands + kGroup)];
                const float along = 0.002f * static_cast<float>(g % kLevels);
                const Vec3f p = root * (1 + along) + Vec3f{0, -along, 0};
                float* to = positions.data() + g * 3 * kGroup + lane;
                to[0] = p.x;
                to[kGroup] = p.y;
                to[2 * kGroup] = p.z;
            }
        return positions;
    }

private:
    Mesh mesh_;
    Surface surface_;
    FieldSettings settings_;
    std::vector<Vec3f> motion_;
    DistanceField field_;
};

/// The results stay in the cache, as in a solver.
void sample_all(const FieldView& view, const std::vector<float>& positions, Executor& executor)
{
    constexpr size_t kAtOnce = 64;
    parallel_for(executor, positions.size() / 48 / kAtOnce, 8, [&](size_t begin, size_t end) {
        float samples[kAtOnce * 64];
        for (size_t i = begin; i < end; ++i) sample_groups(view, positions.data() + i * kAtOnce * 48, samples, kAtOnce);
    });
}

}  // namespace

FieldFigures measure_fields(int rounds, Executor& executor, const std::function<void(int)>& progress)
{
    FieldSettings coarse;
    coarse.cell = coarse.padding = 0.02f;
    coarse.refinement = 1;
    FieldBench fast(make_potato(), coarse), marching(make_potato(), coarse), bust(make_bust().mesh, FieldSettings());
    constexpr size_t kGroups = 62'464;  // of 16: 1,000,000 particles, a multiple of a call
    const std::vector<float> near_potato = fast.particles(kGroups), near_bust = bust.particles(kGroups);

    FieldFigures figures;
    const auto ms = [](const std::function<void()>& work) { return [work] { return 1e3 * time_of(work); }; };
    const auto ns = [&](FieldBench& of, const std::vector<float>& positions) {
        return [&] { return 1e9 / (16.0 * kGroups) * time_of([&] { sample_all(of.view(), positions, executor); }); };
    };
    const std::vector<Measurement> list{
        {ms([&] { fast.build(FieldMethod::kFast, executor); }), &figures.fast},
        {ms([&] { marching.build(FieldMethod::kMarching, executor); }), &figures.marching},
        {ms([&] { bust.build(FieldMethod::kFast, executor); }), &figures.refined},
        {ns(fast, near_potato), &figures.sample},
        {ns(bust, near_bust), &figures.refined_sample}};
    measure_in_turns(list, rounds, progress);
    figures.fast_error = fast.mean_error();
    figures.marching_error = marching.mean_error();
    return figures;
}

}  // namespace tendril::bench
