/// The nearest place of a surface that moves, and which side of it a point is on: boxes within boxes that are dealt out
/// once and fitted again to every pose.
#pragma once

#include "body/surface.h"
#include "tendril/parallel.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tendril {

inline constexpr size_t kTreeLanes = 16;  ///< boxes or triangles that are looked at together
inline constexpr uint32_t kNoTriangle = UINT32_MAX;

/// An inner node of a MovingTree. Lanes without a child have boxes that nothing is near to.
struct alignas(64) BoxGroup {
    float low[3][kTreeLanes], high[3][kTreeLanes];
    uint32_t children[kTreeLanes];  ///< of the nodes, or with kLeafBit of the triangle groups
    uint32_t parent, parent_lane;   ///< itself where it is a root

    static constexpr uint32_t kLeafBit = 1u << 31;
};

/// A leaf. Lanes left over repeat the last triangle; indices rise.
struct alignas(64) TriangleGroup {
    static constexpr size_t kRows = sizeof(FlatTriangle<float>) / sizeof(float);
    float rows[kRows][kTreeLanes];  ///< the members of FlatTriangle, one after another
    uint32_t triangles[kTreeLanes];
    uint32_t parent, parent_lane;
};

/// What a search looks at.
struct TreeView {
    std::span<const BoxGroup> nodes;
    std::span<const TriangleGroup> leaves;
    std::span<const Surface::Triangle> triangles;
    std::span<const Vec3f> vertices;
};

struct NearestTriangle {
    float distance2 = std::numeric_limits<float>::infinity();  ///< only nearer ones are looked for, or as near ones
    uint32_t triangle = kNoTriangle;
    uint32_t leaf = 0, lane = 0;  ///< where it is kept
};
/// Below a node. Of several that are equally near the one with the lowest index.
void find_nearest(const TreeView& tree, uint32_t root, const Vec3f& p, NearestTriangle& found);

struct NearestExact {
    double distance2 = std::numeric_limits<double>::infinity();
    uint32_t triangle = kNoTriangle;
    NearestOnTriangle<double> at;
};
/// The same in double. `distance2` is such that nothing farther, in float, can be the nearest.
void find_exact(const TreeView& tree, uint32_t root, const Vec3d& p, float distance2, NearestExact& found);

/// A place on a surface.
template <class F>
struct SurfacePlace {
    F distance;         ///< from there [m]; negative inside
    Vec3<F> normal;     ///< unit vector outwards, also right on the surface
    uint32_t triangle;  ///< of the surface
    Vec3<F> weights;    ///< shares of its corners
};

/// Parts of a surface that do not hang together are solids of their own, which may overlap: what is inside one of them
/// is inside. Cavities are filled, and parts without a volume, such as a single sheet, are left out.
class MovingTree {
public:
    MovingTree() = default;
    /// Deals triangles out by where they are at rest; `refit` must follow. A pose may differ much from the rest: the
    /// search then takes longer.
    MovingTree(const Surface& surface, std::span<const Vec3f> rest_vertices);

    /// Takes over a pose of the same surface. Refers to both until the next call: they stay where they are.
    void refit(const Surface& surface, const SurfacePose& pose, Executor& executor);

    /// The place of the surface nearest to p, if one is not farther than `within`. Where p is inside several parts it
    /// is that of the part it is deepest in; a part whose skin is not within reach does not count, even if p is inside.
    /// In the coordinates of the pose. Thread-safe, as all that follow.
    std::optional<SurfacePlace<float>> nearest(const Vec3f& p, float within) const;
    /// The same in double: exact for the vertices of the pose but for the rounding of doubles.
    std::optional<SurfacePlace<double>> nearest_exact(const Vec3d& p, double within) const;

    /// How often the surface goes around a point of the coordinates of the pose: 1 inside, 2 where it overlaps itself,
    /// 0 outside, below 0 where it is turned inside out. A mesh that skinning has folded is only right by this.
    int winding(const Vec3d& p) const;

    std::span<const TriangleGroup> leaves() const { return leaves_; }
    size_t part_count() const { return parts_.size(); }
    Vec3f low() const { return low_; }    ///< of the box around it
    Vec3f high() const { return high_; }  ///< below `low` where there is no triangle

private:
    struct Part {
        uint32_t root;    // node
        float sign;       // -1: its triangles look inwards
        Vec3f low, high;  // as it is posed
    };
    class Builder;
    void fit_leaf(TriangleGroup& leaf);
    TreeView view() const { return {nodes_, leaves_, surface_->triangles(), pose_->vertices}; }
    void fit_nodes();
    float largest_coordinate() const;
    template <class F>
    SurfacePlace<F> place_on(const Part& part, uint32_t triangle, const FlatTriangle<F>& flat,
                             const NearestOnTriangle<F>& at, const Vec3<F>& p) const;
    template <class F, class FindInPart>
    std::optional<SurfacePlace<F>> best_of_parts(const Vec3<F>& p, F within, const FindInPart& find_in_part) const;

    std::vector<BoxGroup> nodes_;
    std::vector<TriangleGroup> leaves_;
    std::vector<Part> parts_;
    Vec3f low_{1, 1, 1}, high_{-1, -1, -1};
    const Surface* surface_ = nullptr;
    const SurfacePose* pose_ = nullptr;
};

}  // namespace tendril
