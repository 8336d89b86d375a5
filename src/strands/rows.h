/// Additional numbers in the layout of the strands: `rows` floats per strand or per particle. Code outside kernels
/// accesses them by strand, level and row; a kernel gets a pointer to a block.
#pragma once

#include "strands/layout.h"
#include "tendril/vec3.h"

namespace tendril {

/// Read and write a vector in one lane of three consecutive rows.
inline Vec3f vector_at(const float* at)
{
    return {at[0], at[kLanes], at[2 * kLanes]};
}
inline void put_vector(float* at, const Vec3f& v)
{
    at[0] = v.x, at[kLanes] = v.y, at[2 * kLanes] = v.z;
}

/// `rows` floats per strand: [block][rows][16].
class StrandRows {
public:
    StrandRows() = default;
    StrandRows(const StrandLayout& layout, size_t rows)
        : layout_(&layout), rows_(rows), floats_(layout.block_count() * rows * kLanes)
    {
    }

    bool empty() const { return floats_.size() == 0; }
    const float* data() const { return floats_.data(); }
    float* data() { return floats_.data(); }
    size_t size() const { return floats_.size(); }

    float get(size_t strand, size_t row) const { return floats_.data()[at(strand, row)]; }
    void set(size_t strand, size_t row, float x) { floats_.data()[at(strand, row)] = x; }
    Vec3f vector(size_t strand, size_t row) const { return vector_at(floats_.data() + at(strand, row)); }
    void set_vector(size_t strand, size_t row, const Vec3f& v) { put_vector(floats_.data() + at(strand, row), v); }

private:
    size_t at(size_t strand, size_t row) const { return layout_->strand_row(strand, rows_) + row * kLanes; }

    const StrandLayout* layout_ = nullptr;
    size_t rows_ = 0;
    AlignedFloats floats_;
};

/// `rows` floats per particle: [block][level][rows][16], bucket by bucket.
class ParticleRows {
public:
    ParticleRows() = default;
    ParticleRows(const StrandLayout& layout, size_t rows)
        : layout_(&layout), rows_(rows), floats_(layout.particle_rows() * rows * kLanes)
    {
    }

    bool empty() const { return floats_.size() == 0; }
    const float* data() const { return floats_.data(); }
    float* data() { return floats_.data(); }
    size_t size() const { return floats_.size(); }

    float get(size_t strand, int level, size_t row) const { return floats_.data()[at(strand, level, row)]; }
    void set(size_t strand, int level, size_t row, float x) { floats_.data()[at(strand, level, row)] = x; }
    Vec3f vector(size_t strand, int level, size_t row) const
    {
        return vector_at(floats_.data() + at(strand, level, row));
    }
    void set_vector(size_t strand, int level, size_t row, const Vec3f& v)
    {
        put_vector(floats_.data() + at(strand, level, row), v);
    }
    /// Pointer to the start of a block.
    const float* block(size_t bucket, size_t block) const { return floats_.data() + first(bucket, block); }
    float* block(size_t bucket, size_t block) { return floats_.data() + first(bucket, block); }

private:
    size_t at(size_t strand, int level, size_t row) const
    {
        return layout_->particle_row(strand, level, rows_) + row * kLanes;
    }
    size_t first(size_t bucket, size_t block) const { return layout_->buckets()[bucket].first_row(block, 0, rows_); }

    const StrandLayout* layout_ = nullptr;
    size_t rows_ = 0;
    AlignedFloats floats_;
};

}  // namespace tendril
