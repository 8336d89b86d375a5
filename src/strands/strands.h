/// The moving state of one groom, in a layout for fast solvers. Code outside this folder uses the accessors below, or
/// kernels that work on blocks (block-inl.h).
///
/// A strand is stored as its root and its edges, e_i = x_i - x_(i-1), not as positions. The length of an edge is then
/// exact to the last bits of a float, however long the strand is and wherever it is in the world. Positions are sums of
/// edges from the root, relative to an origin in double precision. The velocity is stored in metres per substep
/// ("drift"), so that a step needs no multiplication by dt.
///
/// In memory: `[block][level][ex ey ez dx dy dz][16 lanes]`, 64-byte aligned, see layout.h. Level 0 holds the offset of
/// the root instead of an edge.
#pragma once

#include "strands/layout.h"
#include "strands/rows.h"
#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// The input of a kernel: one or more consecutive blocks of a bucket. Strides are in floats.
struct BlockRef {
    float* state;
    float* previous;
    const float* rest;
    float* root_moved;                                  ///< displacement of free roots over the step; otherwise null
    size_t state_stride, previous_stride, rest_stride;  ///< from one block to the next
    size_t rest_level_stride;                           ///< 0 if the bucket is even
    int levels;
};

class Strands {
public:
    /// The rest pose of a groom, in an existing layout.
    Strands(const Groom& groom, std::shared_ptr<const StrandLayout> layout);
    /// The same with a new layout.
    Strands(const Groom& groom, RootKind held_roots);

    const StrandLayout& layout() const { return *layout_; }
    std::shared_ptr<const StrandLayout> shared_layout() const { return layout_; }
    size_t strand_count() const { return layout_->strand_count(); }
    size_t particle_count() const { return layout_->particle_count(); }
    size_t block_count() const { return layout_->block_count(); }
    std::span<const Bucket> buckets() const { return layout_->buckets(); }
    Slot slot(size_t strand) const { return layout_->slot(strand); }
    int64_t strand_at(size_t bucket, size_t block, size_t lane) const
    {
        return layout_->strand_at(bucket, block, lane);
    }
    const Bucket& bucket_of(size_t strand) const { return layout_->bucket_of(strand); }
    int levels(size_t strand) const { return layout_->levels(strand); }

    BlockRef blocks(size_t bucket, size_t block);
    /// The strand in one lane, for kernels with F = float.
    BlockRef lane(size_t strand);

    /// The frame that carries the roots on one bone, now and at the start of the step. Its position is the origin of
    /// all offsets, and follows the hair.
    Pose frame, frame_before;

    Vec3f edge(size_t strand, int level) const { return row(strand, level, 0); }
    Vec3f drift(size_t strand, int level) const { return row(strand, level, 3); }
    float rest_length(size_t strand, int level) const { return layout_->rest_length(strand, level); }
    /// Returns the edges of the rest pose, scaled to their exact rest lengths; that of level 0 is zero.
    std::vector<Vec3f> rest_edges(const Groom& groom, size_t strand) const;
    void set_edge(size_t strand, int level, Vec3f e) { set_row(strand, level, 0, e); }
    void set_drift(size_t strand, int level, Vec3f d) { set_row(strand, level, 3, d); }
    Vec3d root(size_t strand) const;
    void set_root(size_t strand, Vec3d position);  ///< for roots that are not on one bone
    Vec3d root_before(size_t strand) const;
    /// Sums the edges up to `level`. For many particles of a strand, sum `edge` instead.
    Vec3d position(size_t strand, int level) const;
    Vec3f edge_before(size_t strand, int level) const;

    /// Stores the frame and the roots at the start of a step. The solver stores the edges itself.
    void begin_step();
    /// Adds the displacements that the solver stored to the free roots, and calls `move_origin_to_hair`.
    void end_step();
    /// Moves the origin to the hair if it is more than a metre away. Roots on one bone keep the origin of their frame.
    void move_origin_to_hair();
    /// Sets the motion of a strand: the positions of its particles at the start of the last step and now, and their
    /// velocities [m/s]. `h` is the length of a substep [s].
    void set_motion(size_t strand, std::span<const Vec3d> before, std::span<const Vec3d> now,
                    std::span<const Vec3d> velocity, double h);

    /// Copies the edges into rows of three floats per particle.
    void copy_edges(ParticleRows& to) const;

    /// A rigid motion for each strand.
    using MotionOf = std::function<Pose(size_t strand)>;
    /// Returns to the rest pose without motion, each strand carried by its own rigid motion. Does not change `frame`
    /// and `frame_before`.
    void reset(const Groom& groom, const MotionOf& carried);
    /// Carries the positions, velocities and history of each strand by its own rigid motion. Does not change `frame`
    /// and `frame_before`.
    void carry(const MotionOf& motion);
    /// Rescales the drift when the substep changes from `h_old` to `h_new` seconds. The part of the drift that is
    /// motion is proportional to the substep, and the correction of [Mueller12] Eq. 9 to its square. Without history
    /// the two cannot be separated, and all of the drift counts as motion.
    void rescale_drift(double h_old, double h_new, int substeps_old, bool has_history);

    /// Request and output of write_curves: points, and mean velocities over the last step, in the order of the groom.
    struct CurvesOut {
        std::span<const Vec3d> roots;  ///< by strand
        Vec3d origin;                  ///< points are written relative to it
        float blend;                   ///< interpolates over the last step: 0 is its start, 1 its end
        double dt;                     ///< length of that step [s]
        bool stretched;                ///< whether to interpolate the lengths of edges; otherwise at rest length
        std::span<const uint32_t> first_point;  ///< by strand
        std::span<Vec3f> points, velocities;
    };
    void write_curves(const CurvesOut& out, Executor& executor) const;

    /// 64-bit hash of the state at the end of the last step. Equal states have equal hashes.
    uint64_t hash(Executor& executor) const;
    void save(std::vector<std::byte>& out) const;
    /// Returns false if the bytes do not fit this groom.
    bool load(std::span<const std::byte>& in);

    size_t bytes() const;

private:
    /// Counts and a hash of the rest lengths, to reject the saved states of other grooms.
    using Identity = std::array<uint64_t, 5>;
    Identity identity() const;

    Vec3f row(size_t strand, int level, size_t first) const;
    void set_row(size_t strand, int level, size_t first, Vec3f v);
    void set_edge_before(size_t strand, int level, Vec3f e);

    std::shared_ptr<const StrandLayout> layout_;
    ParticleRows state_, previous_;
    StrandRows root_moved_;                    ///< empty if no root is free
    std::vector<Vec3d> roots_, roots_before_;  ///< by block and lane; empty if one bone carries all roots
};

}  // namespace tendril
