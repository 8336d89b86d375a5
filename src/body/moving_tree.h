/// Finds the nearest point of a moving surface and the side on which a query point is: a bounding volume hierarchy that
/// is built once and refitted to every pose.
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

inline constexpr size_t kTreeLanes = 16;  ///< boxes or triangles that are tested together
inline constexpr uint32_t kNoTriangle = UINT32_MAX;

/// An inner node of a MovingTree. Lanes without a child have empty boxes.
struct alignas(64) BoxGroup {
    float low[3][kTreeLanes], high[3][kTreeLanes];
    uint32_t children[kTreeLanes];  ///< indices of nodes or, with kLeafBit, of triangle groups
    uint32_t parent, parent_lane;   ///< a root is its own parent

    static constexpr uint32_t kLeafBit = 1u << 31;
};

/// A leaf. Its triangle indices ascend; unused lanes repeat the last triangle.
struct alignas(64) TriangleGroup {
    static constexpr size_t kRows = sizeof(FlatTriangle<float>) / sizeof(float);
    float rows[kRows][kTreeLanes];  ///< the members of FlatTriangle, one after another
    uint32_t triangles[kTreeLanes];
    uint32_t parent, parent_lane;
};

/// The data that a search reads.
struct TreeView {
    std::span<const BoxGroup> nodes;
    std::span<const TriangleGroup> leaves;
    std::span<const Surface::Triangle> triangles;
    std::span<const Vec3f> vertices;
};

struct NearestTriangle {
    float distance2 = std::numeric_limits<float>::infinity();  ///< in: triangles farther than this are ignored
    uint32_t triangle = kNoTriangle;
    uint32_t leaf = 0, lane = 0;  ///< where the tree stores it
};
/// Searches the subtree below `root`. Among equally near triangles, the one with the lowest index wins.
void find_nearest(const TreeView& tree, uint32_t root, const Vec3f& p, NearestTriangle& found);

struct NearestExact {
    double distance2 = std::numeric_limits<double>::infinity();
    uint32_t triangle = kNoTriangle;
    NearestOnTriangle<double> at;
};
/// The same in double. `distance2`, in float, must be large enough to include the nearest triangle.
void find_exact(const TreeView& tree, uint32_t root, const Vec3d& p, float distance2, NearestExact& found);

/// A point on a surface.
template <class F>
struct SurfacePoint {
    F distance;         ///< from it to the query point [m]; negative inside
    Vec3<F> normal;     ///< outward unit vector, valid even if the query point is on the surface
    uint32_t triangle;  ///< of the surface
    Vec3<F> weights;    ///< barycentric coordinates
};

/// Connected parts of a surface are separate solids, which may overlap; a point inside any of them is inside. Cavities
/// count as filled, and parts without volume, such as a single sheet, are ignored.
class MovingTree {
public:
    MovingTree() = default;
    /// Builds the hierarchy from the rest pose; call `refit` next. A pose may differ a lot from the rest pose, but
    /// searches then take longer.
    MovingTree(const Surface& surface, std::span<const Vec3f> rest_vertices);

    /// Adopts a pose of the same surface. Keeps pointers to both arguments, which must stay where they are until the
    /// next call.
    void refit(const Surface& surface, const SurfacePose& pose, Executor& executor);

    /// The nearest point of the surface if it is within the distance `within`. If p is inside several parts, the result
    /// belongs to the part in which p is deepest; a part whose surface is out of reach is ignored, even if p is inside
    /// it. Uses the coordinates of the pose. This and the functions below are thread-safe.
    std::optional<SurfacePoint<float>> nearest(const Vec3f& p, float within) const;
    /// The same in double: exact for the vertices of the pose up to the rounding of doubles.
    std::optional<SurfacePoint<double>> nearest_exact(const Vec3d& p, double within) const;

    /// The winding number of the surface around p, in the coordinates of the pose: 1 inside, 2 where it overlaps
    /// itself, 0 outside, negative where it is inside out. It is the only correct inside test for a mesh that skinning
    /// has folded.
    int winding(const Vec3d& p) const;

    /// The same for one part. Where holes were closed, the result says only on which side of the closed surface p is.
    int winding(size_t part, const Vec3d& p) const;
    /// The share of that winding number that is due to the triangles that close holes of the part. Near 0 where they
    /// do not matter.
    double closing_share(size_t part, const Vec3d& p) const;
    /// As `nearest_exact`, on one part.
    std::optional<SurfacePoint<double>> nearest_exact(size_t part, const Vec3d& p, double within) const;

    std::span<const TriangleGroup> leaves() const { return leaves_; }
    size_t part_count() const { return parts_.size(); }
    Vec3f low() const { return low_; }    ///< of the bounding box
    Vec3f high() const { return high_; }  ///< below `low` if there are no triangles

private:
    struct Part {
        uint32_t root;                   // node
        float sign;                      // -1: its triangles face inwards
        Vec3f low, high;                 // bounding box in the current pose
        std::vector<uint32_t> closings;  // triangles that close its holes
    };
    class Builder;
    void fit_leaf(TriangleGroup& leaf);
    TreeView view() const { return {nodes_, leaves_, surface_->triangles(), pose_->vertices}; }
    void fit_nodes();
    float largest_coordinate() const;
    std::optional<SurfacePoint<double>> nearest_exact_in(const Part& part, const Vec3d& p, double limit) const;
    template <class F>
    SurfacePoint<F> point_on(const Part& part, uint32_t triangle, const FlatTriangle<F>& flat,
                             const NearestOnTriangle<F>& at, const Vec3<F>& p) const;
    template <class F, class FindInPart>
    std::optional<SurfacePoint<F>> best_of_parts(const Vec3<F>& p, F within, const FindInPart& find_in_part) const;

    std::vector<BoxGroup> nodes_;
    std::vector<TriangleGroup> leaves_;
    std::vector<Part> parts_;
    Vec3f low_{1, 1, 1}, high_{-1, -1, -1};
    const Surface* surface_ = nullptr;
    const SurfacePose* pose_ = nullptr;
};

}  // namespace tendril
