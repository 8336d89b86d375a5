/// The moving state of one groom in the layout that the solvers are fast with. Only this folder knows the layout:
/// others use the accessors below, or a kernel that is handed blocks (block-inl.h).
///
/// A strand is stored as its root and its edges, e_i = x_i - x_(i-1), not as positions. The length of an edge is then
/// exact to the last bits of a float wherever in the world the strand is and however long it is: the sum from the root
/// is taken where a position is needed, on an origin in double. With the edges goes the stored velocity in units of
/// metres per substep ("drift"), so that a step needs no multiplication by dt.
///
/// Layout: strands of equal particle count and ends form a bucket; a bucket is cut into blocks of 16 strands side by
/// side, `[level][ex ey ez dx dy dz][16 lanes]`, 64-byte aligned. Level 0 holds the root's offset in place of an edge.
/// Strands are sorted by the Morton code of their root; the s-th goes to block s % blocks, lane s / blocks, which keeps
/// neighbours out of the same block.
#pragma once

#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace tendril {

inline constexpr size_t kLanes = 16;
inline constexpr size_t kStateRows = 6;     // edge x y z, drift x y z
inline constexpr size_t kPreviousRows = 3;  // edge x y z at the start of the step
inline constexpr size_t kSecondRows = 3;    // edge x y z of the second strand
inline constexpr size_t kScratchRows = 12;  // what the rope solve keeps per level

/// Where the root of a strand comes from.
enum class RootKind : uint8_t {
    kRigid,    ///< offset in the frame of a rigid body
    kSampled,  ///< position of its own, given every step
    kFree,     ///< moved by the solver
};

struct Bucket {
    int levels = 0;
    Ends ends = Ends::kRootHeld;
    RootKind roots = RootKind::kRigid;
    bool even = true;  ///< all segments of a strand have one rest length
    size_t first_block = 0;
    size_t blocks = 0;
    size_t strands = 0;
    size_t state = 0, previous = 0, rest = 0, scratch = 0;  ///< offsets of the first block into the arrays

    /// Where a block begins in an array `[block][rows][16]` over all buckets.
    size_t first_row(size_t block, size_t rows) const { return (first_block + block) * rows * kLanes; }
    /// Where a block begins in an array `[block][level][16]` over all buckets.
    size_t first_number(size_t block) const
    {
        return state / kStateRows + block * static_cast<size_t>(levels) * kLanes;
    }
    /// Where a level begins in an array `[block][level][rows][16]` of this bucket.
    size_t first_row_of_level(size_t block, int level, size_t rows) const
    {
        return (block * static_cast<size_t>(levels) + static_cast<size_t>(level)) * rows * kLanes;
    }
};

/// A vector in one lane of three neighbouring rows.
inline Vec3f vector_at(const float* at)
{
    return {at[0], at[kLanes], at[2 * kLanes]};
}
inline void put_vector(float* at, const Vec3f& v)
{
    at[0] = v.x, at[kLanes] = v.y, at[2 * kLanes] = v.z;
}

/// How many lanes of a block are strands; they are the first.
inline size_t strands_in(const Bucket& bucket, size_t block)
{
    return (bucket.strands - block + bucket.blocks - 1) / bucket.blocks;
}

/// One or more neighbouring blocks of a bucket, as a kernel gets them. Strides count floats.
struct BlockRef {
    float* state;
    float* previous;
    const float* rest;
    float* second;                                                      ///< as `previous`; null where there is none
    float* scratch;                                                     ///< null for hair
    size_t state_stride, previous_stride, rest_stride, scratch_stride;  ///< from one block to the next
    size_t rest_level_stride;                                           ///< 0 where segments are even
    int levels;
};

/// Where a strand of the groom is stored.
struct Slot {
    uint32_t bucket;
    uint32_t block;  ///< within the bucket
    uint32_t lane;
};

template <class T>
struct AlignedDelete {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t(64)); }
};

/// A fixed-size array on a 64-byte boundary, zero-filled.
class AlignedFloats {
public:
    AlignedFloats() = default;
    explicit AlignedFloats(size_t size);
    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    size_t size() const { return size_; }

private:
    std::unique_ptr<float, AlignedDelete<float>> data_;
    size_t size_ = 0;
};

class Strands {
public:
    /// `rigid`: roots are carried by one rigid frame (else they are given one by one every step).
    Strands(const Groom& groom, bool rigid);

    size_t strand_count() const { return slots_.size(); }
    size_t particle_count() const { return particles_; }
    size_t block_count() const { return blocks_; }
    std::span<const Bucket> buckets() const { return buckets_; }
    Slot slot(size_t strand) const { return slots_[strand]; }
    /// The strand stored there, or -1 in a lane of padding.
    int64_t strand_at(size_t bucket, size_t block, size_t lane) const
    {
        return strand_at_[buckets_[bucket].first_row(block, 1) + lane];
    }
    /// Where the numbers of a strand begin in an array `[block][rows][16]` over all buckets.
    size_t first_row(size_t strand, size_t rows) const
    {
        const Slot slot = slots_[strand];
        return buckets_[slot.bucket].first_row(slot.block, rows) + slot.lane;
    }
    /// How long an array `[block][level][16]` over all buckets is, and where a particle's number is in it.
    size_t number_count() const { return buckets_.back().first_number(buckets_.back().blocks); }
    size_t number_at(size_t strand, int level) const
    {
        const Slot slot = slots_[strand];
        return buckets_[slot.bucket].first_number(slot.block) + static_cast<size_t>(level) * kLanes + slot.lane;
    }
    const Bucket& bucket_of(size_t strand) const { return buckets_[slots_[strand].bucket]; }
    int levels(size_t strand) const { return bucket_of(strand).levels; }

    BlockRef blocks(size_t bucket, size_t block);
    /// The same, seen as the one strand in a lane: for kernels with F = float.
    BlockRef lane(size_t strand);

    /// The frame that carries rigid roots, and where it was at the start of the step. Its position is the origin that
    /// all offsets refer to; it travels with the hair.
    Pose frame, frame_before;

    Vec3f edge(size_t strand, int level) const { return row(strand, level, 0); }
    Vec3f drift(size_t strand, int level) const { return row(strand, level, 3); }
    float rest_length(size_t strand, int level) const;
    /// The edges of the rest pose, from level 1 on, at their exact rest lengths.
    std::vector<Vec3f> rest_edges(const Groom& groom, size_t strand) const;
    void set_edge(size_t strand, int level, Vec3f e) { set_row(strand, level, 0, e); }
    void set_drift(size_t strand, int level, Vec3f d) { set_row(strand, level, 3, d); }
    Vec3d root(size_t strand) const;
    void set_root(size_t strand, Vec3d place);  ///< for roots that are not rigid
    Vec3d root_before(size_t strand) const;
    /// Sums the edges up to `level`: for many particles of a strand, walk with `edge` instead.
    Vec3d position(size_t strand, int level) const;
    Vec3f edge_before(size_t strand, int level) const;

    /// Remembers the frame and the roots as those of the start of the step. The solver keeps the edges itself.
    void begin_step();
    /// Takes over by how much the solver has moved free roots (the first vector of their scratch), and moves the origin
    /// of roots of their own to the hair when that has gone far.
    void end_step();
    /// The second half of that, for who has put strands where they are.
    void follow_hair();
    /// A strand whose particles have been moved over a step in another place: where they were and are, and how fast in
    /// substeps of h seconds.
    void put(size_t strand, std::span<const Vec3d> before, std::span<const Vec3d> now, std::span<const Vec3d> velocity,
             double h);

    /// A second strand beside each, for methods that show another one than they move. It is part of the state, begins
    /// as the strand itself, and is kept until it is dropped.
    void keep_second();
    void drop_second() { second_ = AlignedFloats(); }

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
    size_t state_index(size_t strand, int level) const;
    size_t previous_index(size_t strand, int level) const;
    void set_edge_before(size_t strand, int level, Vec3f e);
    void start_second();

    bool rigid_;
    size_t particles_ = 0, blocks_ = 0;
    std::vector<Bucket> buckets_;
    std::vector<Slot> slots_;
    std::vector<int64_t> strand_at_;
    AlignedFloats state_, previous_, rest_, scratch_;
    AlignedFloats second_;                     ///< laid out as `previous_`, or empty
    std::vector<Vec3d> roots_, roots_before_;  ///< by slot; empty for a rigid groom without free strands
};

}  // namespace tendril
