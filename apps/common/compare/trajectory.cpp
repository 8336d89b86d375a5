#include "compare/trajectory.h"

#include <algorithm>

namespace tendril::app {
namespace {

constexpr size_t kMaxPoints = size_t{1} << 23;  // 200 MB

/// Mean and maximum of distances.
class Distances {
public:
    void add(const Vec3d& a, const Vec3d& b)
    {
        const double distance = length(a - b);
        sum_ += distance;
        ++count_;
        if (!(distance <= max_)) max_ = distance;  // also keeps NaN
    }
    Deviation deviation() const { return {count_ > 0 ? sum_ / static_cast<double>(count_) : 0, max_}; }

private:
    double sum_ = 0, max_ = 0;
    size_t count_ = 0;
};

}  // namespace

Trajectory::Trajectory(const World& world, uint64_t frames)
{
    const size_t points = world.particle_count() * frames;
    const size_t stride = std::max<size_t>(1, (points + kMaxPoints - 1) / kMaxPoints);
    size_t number = 0;
    for (uint32_t g = 0; g < world.groom_count(); ++g) {
        const Groom& groom = world.groom({g});
        for (size_t s = 0; s < groom.strand_count(); ++s) {
            if (number++ % stride != 0) continue;
            const auto lengths = groom.rest_lengths(s);
            strands_.push_back({{g}, s, lengths.size()});
            per_frame_ += lengths.size();
            for (const float l : lengths) mean_length_ += static_cast<double>(l);
        }
    }
    if (!strands_.empty()) mean_length_ /= static_cast<double>(strands_.size());
    points_.reserve(per_frame_ * frames);
}

template <class Use>
void Trajectory::visit(const World& world, const Use& use) const
{
    for (const Strand& strand : strands_)
        for (size_t i = 0; i < strand.particles; ++i) use(world.position({strand.groom, strand.strand, i}));
}

void Trajectory::add(const World& world)
{
    visit(world, [&](const Vec3d& position) { points_.push_back(position); });
}

Deviation Trajectory::deviation_of(const World& world) const
{
    const size_t first = per_frame_ * (world.steps() - 1);
    if (world.steps() == 0 || first + per_frame_ > points_.size()) return {};
    Distances distances;
    size_t next = first;
    visit(world, [&](const Vec3d& position) { distances.add(position, points_[next++]); });
    return distances.deviation();
}

Deviation Trajectory::deviation_of(const Trajectory& other) const
{
    Distances distances;
    for (size_t i = 0; i < std::min(points_.size(), other.points_.size()); ++i)
        distances.add(points_[i], other.points_[i]);
    return distances.deviation();
}

}  // namespace tendril::app
