/// The moving state of one groom in the layout that the solvers are fast with. Only this folder knows the layout:
/// others use the accessors below, or a kernel that is handed blocks (block-inl.h).
///
/// A strand is stored as its root and its edges, e_i = x_i - x_(i-1), not as positions. The length of an edge is then
/// exact to the last bits of a float wherever in the world the strand is and however long it is: the sum from the root
/// is taken where a position is needed, on an origin in double. With the edges goes the stored velocity in units of
/// metres per substep ("drift"), so that a step needs no multiplication by dt.
///
/// In memory: `[block][level][ex ey ez dx dy dz][16 lanes]`, 64-byte aligned, see layout.h. Level 0 holds the offset of
/// the root in place of an edge.
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

/// One or more neighbouring blocks of a bucket, as a kernel gets them. Strides count floats.
struct BlockRef {
    float* state;
    float* previous;
    const float* rest;
    float* root_moved;                                  ///< how far free roots have moved over the step; else null
    size_t state_stride, previous_stride, rest_stride;  ///< from one block to the next
    size_t rest_level_stride;                           ///< 0 where segments are even
    int levels;
};

class Strands {
public:
    /// The rest pose of a groom, stored as `layout` has it.
    Strands(const Groom& groom, std::shared_ptr<const StrandLayout> layout);
    /// The same with a layout of its own.
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
    /// The same, seen as the one strand in a lane: for kernels with F = float.
    BlockRef lane(size_t strand);

    /// The frame that carries rigid roots, and where it was at the start of the step. Its position is the origin that
    /// all offsets refer to; it travels with the hair.
    Pose frame, frame_before;

    Vec3f edge(size_t strand, int level) const { return row(strand, level, 0); }
    Vec3f drift(size_t strand, int level) const { return row(strand, level, 3); }
    float rest_length(size_t strand, int level) const { return layout_->rest_length(strand, level); }
    /// The edges of the rest pose, from level 1 on, at their exact rest lengths.
    std::vector<Vec3f> rest_edges(const Groom& groom, size_t strand) const;
    void set_edge(size_t strand, int level, Vec3f e) { set_row(strand, level, 0, e); }
    void set_drift(size_t strand, int level, Vec3f d) { set_row(strand, level, 3, d); }
    Vec3d root(size_t strand) const;
    void set_root(size_t strand, Vec3d position);  ///< for roots that are not rigid
    Vec3d root_before(size_t strand) const;
    /// Sums the edges up to `level`: for many particles of a strand, walk with `edge` instead.
    Vec3d position(size_t strand, int level) const;
    Vec3f edge_before(size_t strand, int level) const;

    /// Remembers the frame and the roots as those of the start of the step. The solver keeps the edges itself.
    void begin_step();
    /// Moves free roots by how far the solver has moved them, and the origin of roots of their own to the hair when
    /// that has gone far.
    void end_step();
    /// The second half of that.
    void follow_hair();
    /// Takes over a motion that something else computed: where the particles of a strand were at the start of the last
    /// step, where they are, and their velocities, in substeps of h seconds.
    void put(size_t strand, std::span<const Vec3d> before, std::span<const Vec3d> now, std::span<const Vec3d> velocity,
             double h);

    /// Copies the edges into rows of three floats per particle.
    void copy_edges(ParticleRows& to) const;

    /// A rigid motion for each strand.
    using MotionOf = std::function<Pose(size_t strand)>;
    /// The rest pose without motion, each strand carried by its own rigid motion. Sets everything but `frame`.
    void reset(const Groom& groom, const MotionOf& carried);
    /// Carries shape, velocity and history of each strand by its own rigid motion. Sets everything but `frame`.
    void carry(const MotionOf& motion);
    /// Multiplies the drift when the substep changes from `h_old` to `h_new` seconds. The part of the drift that is
    /// motion goes with the substep, the part that is the correction of [Mueller12] Eq. 9 with its square. Without
    /// history the two cannot be told apart, and all is taken for motion.
    void rescale_drift(double h_old, double h_new, int substeps_old, bool has_history);

    /// Points at `blend` of the way from the start of the last step to its end, every edge at its rest length (where
    /// `stretched`, as long as between the two), on the given roots (by strand) and relative to `origin`; and the
    /// velocity over that step of `dt` seconds. Both in the order of the groom.
    struct CurvesOut {
        std::span<const Vec3d> roots;
        Vec3d origin;
        float blend;
        double dt;
        bool stretched;
        std::span<const uint32_t> first_point;
        std::span<Vec3f> points, velocities;
    };
    void write_curves(const CurvesOut& out, Executor& executor) const;

    /// 64 bits over the whole state: equal states have equal hashes.
    uint64_t hash(Executor& executor) const;
    void save(std::vector<std::byte>& out) const;
    /// False when the bytes do not fit this groom.
    bool load(std::span<const std::byte>& in);

    size_t bytes() const;

private:
    /// Counts and a hash of the rest lengths: states of other strands are not loaded.
    using Identity = std::array<uint64_t, 5>;
    Identity identity() const;

    Vec3f row(size_t strand, int level, size_t first) const;
    void set_row(size_t strand, int level, size_t first, Vec3f v);
    void set_edge_before(size_t strand, int level, Vec3f e);

    std::shared_ptr<const StrandLayout> layout_;
    ParticleRows state_, previous_;
    StrandRows root_moved_;                    ///< empty where no root is free
    std::vector<Vec3d> roots_, roots_before_;  ///< by lane; empty where one bone carries them all
};

}  // namespace tendril
