/// The memory layout of the strands of a groom. Strands with the same number of particles and the same ends form a
/// bucket, which is divided into blocks of 16 strands, one per lane. Strands are sorted by the Morton code of their
/// root; the s-th goes to block s % blocks, lane s / blocks, so neighbours are in different blocks.
///
/// A layout never changes, so all instances of a groom share one. Only this folder and kernels depend on the 16 lanes
/// of a block; all other code uses `Strands` (strands.h) or rows (rows.h).
#pragma once

#include "tendril/groom.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace tendril {

inline constexpr size_t kLanes = 16;
inline constexpr size_t kStateRows = 6;     // edge x y z, drift x y z
inline constexpr size_t kPreviousRows = 3;  // edge x y z at the start of the step

/// What moves the root of a strand.
enum class RootKind : uint8_t {
    kOnBone,   ///< one bone, for all roots of the groom; the root is an offset in its frame
    kSampled,  ///< the world, which sets the position of each root in every step
    kFree,     ///< the solver
};

/// An array of fixed size, aligned to 64 bytes and filled with zeros.
class AlignedFloats {
public:
    AlignedFloats() = default;
    explicit AlignedFloats(size_t size);
    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    size_t size() const { return size_; }

private:
    struct Delete {
        void operator()(float* p) const { ::operator delete(p, std::align_val_t(64)); }
    };
    std::unique_ptr<float, Delete> data_;
    size_t size_ = 0;
};

struct Bucket {
    int levels = 0;
    Ends ends = Ends::kRootHeld;
    RootKind roots = RootKind::kOnBone;
    bool even = true;  ///< within every strand, all segments have the same rest length
    size_t first_block = 0;
    size_t blocks = 0;
    size_t strands = 0;
    size_t first_particle_row = 0;  ///< number of rows in earlier buckets, with one float per particle
    size_t first_rest_row = 0;      ///< the same for rest lengths; an even strand has only one

    /// Start of a block in an array `[block][rows][16]` over all buckets.
    size_t first_row(size_t block, size_t rows) const { return (first_block + block) * rows * kLanes; }
    /// Start of a level in an array `[block][level][rows][16]` over all buckets.
    size_t first_row(size_t block, int level, size_t rows) const
    {
        return (first_particle_row + block * static_cast<size_t>(levels) + static_cast<size_t>(level)) * rows * kLanes;
    }
    /// Number of floats from one block to the next in such an array.
    size_t stride(size_t rows) const { return static_cast<size_t>(levels) * rows * kLanes; }
};

/// Number of strands rounded up to whole blocks, for which memory is reserved.
inline double stored_strands(double strands)
{
    constexpr auto kInBlock = static_cast<double>(kLanes);
    return std::ceil(strands / kInBlock) * kInBlock;
}

/// Number of strands in a block. They are in its first lanes.
inline size_t strands_in(const Bucket& bucket, size_t block)
{
    return (bucket.strands - block + bucket.blocks - 1) / bucket.blocks;
}

/// The location of a strand in memory.
struct Slot {
    uint32_t bucket;
    uint32_t block;  ///< within the bucket
    uint32_t lane;
};

class StrandLayout {
public:
    /// `held_roots` applies to the roots that are not free.
    StrandLayout(const Groom& groom, RootKind held_roots);

    size_t strand_count() const { return slots_.size(); }
    size_t particle_count() const { return particles_; }
    size_t block_count() const { return blocks_; }
    /// Number of rows over all buckets, with one float per particle, padding included.
    size_t particle_rows() const { return particle_rows_; }
    std::span<const Bucket> buckets() const { return buckets_; }
    Slot slot(size_t strand) const { return slots_[strand]; }
    const Bucket& bucket_of(size_t strand) const { return buckets_[slots_[strand].bucket]; }
    int levels(size_t strand) const { return bucket_of(strand).levels; }
    RootKind held_roots() const { return held_roots_; }
    bool has_free_roots() const { return free_roots_; }
    /// Returns the strand in a lane, or -1 for a padding lane.
    int64_t strand_at(size_t bucket, size_t block, size_t lane) const
    {
        return strand_at_[buckets_[bucket].first_row(block, 1) + lane];
    }
    /// Index of the first number of a strand in an array `[block][rows][16]` over all buckets.
    size_t strand_row(size_t strand, size_t rows) const
    {
        const Slot slot = slots_[strand];
        return buckets_[slot.bucket].first_row(slot.block, rows) + slot.lane;
    }
    /// Index of the first number of a particle in an array `[block][level][rows][16]` over all buckets.
    size_t particle_row(size_t strand, int level, size_t rows) const
    {
        const Slot slot = slots_[strand];
        return buckets_[slot.bucket].first_row(slot.block, level, rows) + slot.lane;
    }

    float rest_length(size_t strand, int level) const;
    /// The rest lengths of a block, [level][16], or [16] if the bucket is even.
    const float* rest_lengths(size_t bucket, size_t block) const;
    /// Number of floats from one block to the next, and from one level to the next, among the rest lengths.
    size_t rest_stride(size_t bucket) const;
    size_t rest_level_stride(size_t bucket) const { return buckets_[bucket].even ? 0 : kLanes; }
    uint64_t rest_hash() const;

    size_t bytes() const;

private:
    void store_rest_lengths(const Groom& groom);

    RootKind held_roots_;
    bool free_roots_ = false;
    size_t particles_ = 0, blocks_ = 0, particle_rows_ = 0, rest_rows_ = 0;
    std::vector<Bucket> buckets_;
    std::vector<Slot> slots_;
    std::vector<int64_t> strand_at_;
    AlignedFloats rest_;
};

}  // namespace tendril
