#include "groom/sample_elimination.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

// The constants of [Yuksel15] section 3: the steepness of the weight, and the limit below which distances are clamped.
constexpr double kAlpha = 8, kBeta = 0.65, kGamma = 1.5;

/// Points sorted by grid cell.
class PointCells {
public:
    PointCells(std::span<const Vec3d> points, double size) : points_(points), size_(size)
    {
        for (const Vec3d& p : points) low_ = component_min(low_, p);
        for (uint32_t i = 0; i < points.size(); ++i) sorted_.push_back({key(cell(points[i])), i});
        std::sort(sorted_.begin(), sorted_.end());
    }

    /// Calls `f(index, distance)` for all points within `reach`, which must not exceed the size of a cell.
    template <class F>
    void around(const Vec3d& p, double reach, const F& f) const
    {
        const Cell c = cell(p);
        for (int64_t dx = -1; dx <= 1; ++dx)
            for (int64_t dy = -1; dy <= 1; ++dy)
                for (int64_t dz = -1; dz <= 1; ++dz) {
                    const uint64_t k = key({c.x + dx, c.y + dy, c.z + dz});
                    auto it = std::lower_bound(sorted_.begin(), sorted_.end(), Entry{k, 0});
                    for (; it != sorted_.end() && it->key == k; ++it) {
                        const double d = length(points_[it->index] - p);
                        if (d < reach) f(it->index, d);
                    }
                }
    }

private:
    struct Cell {
        int64_t x, y, z;
    };
    struct Entry {
        uint64_t key;
        uint32_t index;
        bool operator<(const Entry& o) const { return key != o.key ? key < o.key : index < o.index; }
    };
    Cell cell(const Vec3d& p) const
    {
        const auto along = [&](double x, double low) { return static_cast<int64_t>(std::min((x - low) / size_, 2e6)); };
        return {along(p.x, low_.x), along(p.y, low_.y), along(p.z, low_.z)};
    }
    static uint64_t key(const Cell& c)
    {
        return static_cast<uint64_t>(c.x + 1) << 42 | static_cast<uint64_t>(c.y + 1) << 21 |
               static_cast<uint64_t>(c.z + 1);
    }

    std::span<const Vec3d> points_;
    double size_;
    Vec3d low_{1e300, 1e300, 1e300};
    std::vector<Entry> sorted_;
};

/// A heap of points with the most crowded on top; the weight of a point can be reduced.
class CrowdHeap {
public:
    explicit CrowdHeap(const std::vector<double>& weights) : weights_(weights)
    {
        for (uint32_t i = 0; i < weights_.size(); ++i) {
            heap_.push_back(i);
            heap_index_.push_back(i);
        }
        for (size_t i = heap_.size() / 2; i-- > 0;) sink(i);
    }
    size_t size() const { return heap_.size(); }
    bool contains(uint32_t i) const { return heap_index_[i] != kRemoved; }
    uint32_t pop()
    {
        const uint32_t top = heap_[0];
        swap(0, heap_.size() - 1);
        heap_.pop_back();
        heap_index_[top] = kRemoved;
        if (!heap_.empty()) sink(0);
        return top;
    }
    void reduce(uint32_t i, double by)
    {
        weights_[i] -= by;
        sink(heap_index_[i]);
    }

private:
    static constexpr size_t kRemoved = ~size_t{0};
    bool above(uint32_t a, uint32_t b) const { return weights_[a] != weights_[b] ? weights_[a] > weights_[b] : a > b; }
    void swap(size_t a, size_t b)
    {
        std::swap(heap_[a], heap_[b]);
        heap_index_[heap_[a]] = a;
        heap_index_[heap_[b]] = b;
    }
    void sink(size_t i)
    {
        for (size_t child; (child = 2 * i + 1) < heap_.size(); i = child) {
            if (child + 1 < heap_.size() && above(heap_[child + 1], heap_[child])) ++child;
            if (!above(heap_[child], heap_[i])) return;
            swap(i, child);
        }
    }

    std::vector<double> weights_;
    std::vector<uint32_t> heap_;
    std::vector<size_t> heap_index_;
};

}  // namespace

std::vector<uint32_t> eliminate_samples(std::span<const Vec3d> points, size_t keep, double area)
{
    const auto wanted = static_cast<double>(keep), total = static_cast<double>(points.size());
    const double max_radius = std::sqrt(area / (2 * std::sqrt(3.0) * wanted));  // radius in the densest packing
    const double min_radius = max_radius * kBeta * (1 - std::sqrt(wanted / total) * (wanted / total));
    static_assert(kGamma == 1.5, "the power above is written as a root");
    const auto weight = [&](double d) {
        const double x = 1 - std::max(d, 2 * min_radius) / (2 * max_radius), x2 = x * x, x4 = x2 * x2;
        static_assert(kAlpha == 8, "the power is written as products");
        return x > 0 ? x4 * x4 : 0.0;
    };
    const PointCells cells(points, 2 * max_radius);
    std::vector<double> weights(points.size(), 0.0);
    for (uint32_t i = 0; i < points.size(); ++i)
        cells.around(points[i], 2 * max_radius, [&](uint32_t j, double d) { weights[i] += j != i ? weight(d) : 0.0; });

    CrowdHeap crowd(weights);
    while (crowd.size() > keep) {
        const uint32_t removed = crowd.pop();
        cells.around(points[removed], 2 * max_radius, [&](uint32_t j, double d) {
            if (crowd.contains(j)) crowd.reduce(j, weight(d));
        });
    }
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < points.size(); ++i)
        if (crowd.contains(i)) kept.push_back(i);
    return kept;
}

}  // namespace tendril
