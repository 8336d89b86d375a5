#include "sph_bench.h"

#include "interaction/sph.h"
#include "math/random.h"
#include "math/vectors.h"

#include <cmath>
#include <numbers>

namespace tendril::bench {
namespace {

constexpr size_t kSphStrands = 15'174, kSphParticles = 23;
constexpr float kStep = 1.0f / 60;

Vec3d random_vector(uint64_t seed, uint64_t index)
{
    const auto number = [&](uint64_t k) { return 2 * uniform(seed, 3 * index + k) - 1; };
    return {number(0), number(1), number(2)};
}

/// Hair with random roots on the upper part of a head. Strands start upright and bend down, each slightly differently.
class Hair {
public:
    Hair()
    {
        for (size_t s = 0; s < kSphStrands; ++s) grow(s);
        for (size_t i = 0; i < positions_.size(); ++i) velocities_.push_back(to_float(random_vector(4, i) * 0.1));
        masses_.assign(positions_.size(), 1e-6f);
        rest_densities_.resize(positions_.size());
    }

    /// Sets rest densities such that some of the hair is denser than at rest and some is not.
    void set_rest_densities(Sph& sph, Executor& executor)
    {
        sph.densities(positions_, masses_, rest_densities_, executor);
        for (size_t i = 0; i < rest_densities_.size(); ++i)
            rest_densities_[i] *= static_cast<float>(0.8 + 0.4 * uniform(5, i));
    }
    const std::vector<Vec3f>& positions() const { return positions_; }
    SphParticles view() const { return {positions_, velocities_, masses_, rest_densities_}; }

private:
    void grow(size_t strand)
    {
        constexpr double kHead = 0.1, kSegment = 0.012, kDown = 0.12, kWild = 0.1;  // [m], and shares of a segment
        const double y = 1 - 1.4 * uniform(1, 2 * strand), angle = 2 * std::numbers::pi * uniform(1, 2 * strand + 1);
        const double ring = std::sqrt(1 - y * y);
        Vec3d direction{ring * std::cos(angle), y, ring * std::sin(angle)};
        Vec3d position = direction * kHead;
        for (size_t k = 0; k < kSphParticles; ++k) {
            positions_.push_back(to_float(position));
            direction += Vec3d{0, -kDown, 0} + random_vector(2, strand * kSphParticles + k) * kWild;
            direction = unit_or(direction, {0, -1, 0});
            position += direction * kSegment;
        }
    }

    std::vector<Vec3f> positions_, velocities_;
    std::vector<float> masses_, rest_densities_;
};

void count_neighbours(const Neighbours& neighbours, SphFigures& figures)
{
    size_t listed = 0;
    for (size_t i = 0; i < neighbours.size(); ++i) listed += neighbours.list(i).size();
    const auto count = static_cast<double>(neighbours.size());
    figures.particles = neighbours.size();
    figures.neighbours = static_cast<double>(listed) / count;
    figures.cut = static_cast<double>(neighbours.cut()) / count;
}

}  // namespace

SphFigures measure_sph(int rounds, Executor& executor, const std::function<void(int)>& progress)
{
    Hair hair;
    SphSettings settings;
    settings.smoothing_length = smoothing_length_of(hair.positions(), executor);
    Sph sph(settings);
    hair.set_rest_densities(sph, executor);
    std::vector<Vec3f> accelerations(hair.positions().size());
    CellGrid grid;

    SphFigures figures;
    count_neighbours(sph.neighbours(), figures);
    const auto ms = [](const std::function<void()>& work) { return [work] { return 1e3 * time_of(work); }; };
    const std::vector<Measurement> list{
        {ms([&] { grid.build(hair.positions(), static_cast<double>(settings.smoothing_length), executor); }),
         &figures.sort},
        {ms([&] { sph.find_neighbours(hair.view(), executor); }), &figures.search},
        {ms([&] { sph.sum_forces(hair.view(), kStep, accelerations, executor); }), &figures.forces},
        {ms([&] { sph.accelerations(hair.view(), kStep, accelerations, executor); }), &figures.all}};
    measure_in_turns(list, rounds, progress);
    return figures;
}

}  // namespace tendril::bench
