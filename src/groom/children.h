/// Children: strands that are not simulated but follow guides.
#pragma once

#include "math/aligned_vector.h"
#include "tendril/groom.h"
#include "tendril/hair_style.h"
#include "tendril/parallel.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tendril {

/// The roots of up to 16 children, side by side.
struct alignas(64) ChildRoots {
    static constexpr size_t kCount = 16;
    using Row = std::array<float, kCount>;
    std::array<Row, 3> position;     ///< relative to the origin of the guides [m]
    std::array<Row, 3> moved;        ///< displacement over the last step [m]
    std::array<Row, 9> turn;         ///< rotation since rest: the matrix, row by row
    std::array<Row, 9> turn_before;  ///< the same at the start of the last step
};

/// A child, as the kernel needs it.
struct ChildTask {
    std::array<size_t, 3> guides;  ///< where the rows of its guides begin
    std::array<float, 3> weights;  ///< of these guides
    uint32_t first_point, points;  ///< its points among those of all children
    size_t rest;                   ///< where its own rows begin
};

/// Strands that follow guides. The segments of a child blend those of its guides, plus
/// its own difference from them at rest, and keep their lengths.
class Children {
public:
    Children(const Groom& guides, Groom children, GuideMode mode);

    const Groom& groom() const { return children_; }
    /// The guides and weights of every child.
    std::span<const ChildGuides> guides() const { return guides_; }

    /// The children in the order in which they are computed. Neighbours follow each other, because they share guides.
    std::span<const uint32_t> order() const { return order_; }

    /// Writes the roots of the children from order()[first] on; `first` is a multiple of ChildRoots::kCount.
    using RootsOf = std::function<void(size_t first, ChildRoots& out)>;
    /// Computes the points of all children, relative to the origin of `guides`, and their velocities over the last
    /// step, which took `dt` seconds. Keeps working memory: do not call it for the same children from two threads.
    void interpolate(const CurvesView& guides, double dt, const RootsOf& roots, std::span<Vec3f> points,
                     std::span<Vec3f> velocities, Executor& executor);

private:
    /// A guide at as many points as some of its children have.
    struct ResampledGuide {
        uint32_t guide, points;
        size_t first_row;  // of its rows in guide_rows_
    };
    void sort_children();
    void find_tasks();
    void store_rest(const Groom& guides);
    void update_guide(const CurvesView& guides, double dt, const ResampledGuide& guide);

    Groom children_;
    std::vector<ChildGuides> guides_;
    std::vector<ResampledGuide> resampled_;
    std::vector<uint32_t> order_;
    std::vector<ChildTask> tasks_;  // in that order
    // Rows of floats, one per point, padded to whole SIMD groups. Values of segments are stored at their second point.
    AlignedVector<float> rest_rows_;   // by task: x, y, z of its difference from its guides at rest, rest length
    AlignedVector<float> guide_rows_;  // by resampled guide: x, y, z of the segments now and at the start of the step
};

}  // namespace tendril
