#include "strands/layout.h"

#include "math/bytes.h"
#include "math/morton.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace tendril {
namespace {

std::vector<uint64_t> root_codes(const Groom& groom)
{
    std::vector<Vec3f> roots;
    for (size_t s = 0; s < groom.strand_count(); ++s) roots.push_back(groom.points(s)[0]);
    return morton_codes(roots);
}

// Segments are even if their lengths differ by no more than the rounding of their ends explains: each coordinate has an
// error of up to 2^-24 of its size, and a length of up to 2 sqrt(3) times that. The tolerance never exceeds a part in
// 50,000, which is small against the guaranteed 1e-4.
bool has_even_segments(std::span<const Vec3f> points, std::span<const float> rest)
{
    float reach = 0;
    for (const Vec3f& p : points) reach = std::max({reach, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    const auto [least, most] = std::minmax_element(rest.begin() + 1, rest.end());
    const float rounding = 7.0f / (1 << 24) * reach;
    return *most - *least <= std::min(std::max(rounding, 1e-6f * *most), 2e-5f * *most);
}

float mean_segment(std::span<const float> rest)
{
    const double sum = std::accumulate(rest.begin() + 1, rest.end(), 0.0);
    return static_cast<float>(sum / static_cast<double>(rest.size() - 1));
}

}  // namespace

AlignedFloats::AlignedFloats(size_t size)
    : data_(static_cast<float*>(::operator new(std::max<size_t>(size, 1) * sizeof(float), std::align_val_t(64)))),
      size_(size)
{
    std::fill_n(data_.get(), size, 0.0f);
}

StrandLayout::StrandLayout(const Groom& groom, RootKind held_roots) : held_roots_(held_roots)
{
    using Key = std::tuple<int, Ends>;
    std::map<Key, std::vector<uint32_t>> members;
    for (uint32_t s = 0; s < groom.strand_count(); ++s)
        members[{static_cast<int>(groom.points(s).size()), groom.ends(s)}].push_back(s);

    const std::vector<uint64_t> codes = root_codes(groom);
    slots_.resize(groom.strand_count());
    for (auto& [key, list] : members) {
        std::stable_sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) { return codes[a] < codes[b]; });
        Bucket bucket;
        std::tie(bucket.levels, bucket.ends) = key;
        bucket.roots = bucket.ends == Ends::kFree ? RootKind::kFree : held_roots;
        bucket.even = std::all_of(list.begin(), list.end(), [&](uint32_t s) {
            return has_even_segments(groom.points(s), groom.rest_lengths(s));
        });
        bucket.first_block = blocks_;
        bucket.strands = list.size();
        bucket.blocks = (list.size() + kLanes - 1) / kLanes;
        bucket.first_particle_row = particle_rows_;
        bucket.first_rest_row = rest_rows_;
        free_roots_ |= bucket.roots == RootKind::kFree;
        strand_at_.resize((blocks_ + bucket.blocks) * kLanes, -1);
        for (size_t i = 0; i < list.size(); ++i) {
            const size_t block = i % bucket.blocks, lane = i / bucket.blocks;
            slots_[list[i]] = {static_cast<uint32_t>(buckets_.size()), static_cast<uint32_t>(block),
                               static_cast<uint32_t>(lane)};
            strand_at_[(blocks_ + block) * kLanes + lane] = list[i];
        }
        const size_t levels = static_cast<size_t>(bucket.levels);
        particle_rows_ += bucket.blocks * levels;
        rest_rows_ += bucket.blocks * (bucket.even ? 1 : levels);
        particles_ += list.size() * levels;
        blocks_ += bucket.blocks;
        buckets_.push_back(bucket);
    }
    store_rest_lengths(groom);
}

void StrandLayout::store_rest_lengths(const Groom& groom)
{
    rest_ = AlignedFloats(rest_rows_ * kLanes);
    // Segments in padding lanes are one metre long, so that no kernel divides by zero.
    std::fill_n(rest_.data(), rest_.size(), 1.0f);
    for (size_t s = 0; s < slots_.size(); ++s) {
        const Slot& slot = slots_[s];
        const auto lengths = groom.rest_lengths(s);
        const bool even = buckets_[slot.bucket].even;
        float* at = rest_.data() + (rest_lengths(slot.bucket, slot.block) - rest_.data()) + slot.lane;
        for (size_t i = 0; i < (even ? 1 : lengths.size()); ++i)
            at[i * kLanes] = even ? mean_segment(lengths) : lengths[i];
    }
}

float StrandLayout::rest_length(size_t strand, int level) const
{
    const Slot& slot = slots_[strand];
    const size_t at = static_cast<size_t>(level) * rest_level_stride(slot.bucket);
    return rest_lengths(slot.bucket, slot.block)[at + slot.lane];
}

const float* StrandLayout::rest_lengths(size_t bucket, size_t block) const
{
    return rest_.data() + buckets_[bucket].first_rest_row * kLanes + block * rest_stride(bucket);
}

size_t StrandLayout::rest_stride(size_t bucket) const
{
    return (buckets_[bucket].even ? 1 : static_cast<size_t>(buckets_[bucket].levels)) * kLanes;
}

uint64_t StrandLayout::rest_hash() const
{
    return hash_bytes(rest_.data(), rest_.size() * sizeof(float));
}

size_t StrandLayout::bytes() const
{
    return rest_.size() * sizeof(float) + slots_.size() * sizeof(Slot) + strand_at_.size() * sizeof(int64_t);
}

}  // namespace tendril
