#include "strands/strands.h"

#include "math/bytes.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <tuple>

namespace tendril {
namespace {

// Interleaves the bits of three coordinates on a grid of 2^21 cells, so that neighbours in space are neighbours in
// order.
uint64_t morton(const Vec3f& p, const Vec3f& low, float scale)
{
    auto spread = [](uint64_t x) {
        x = (x | x << 32) & 0x1f00000000ffffull;
        x = (x | x << 16) & 0x1f0000ff0000ffull;
        x = (x | x << 8) & 0x100f00f00f00f00full;
        x = (x | x << 4) & 0x10c30c30c30c30c3ull;
        return (x | x << 2) & 0x1249249249249249ull;
    };
    auto cell = [&](float a, float b) {
        return spread(static_cast<uint64_t>(std::clamp((a - b) * scale, 0.0f, 2097151.0f)));
    };
    return cell(p.x, low.x) | cell(p.y, low.y) << 1 | cell(p.z, low.z) << 2;
}

std::vector<uint64_t> root_codes(const Groom& groom)
{
    Vec3f low = groom.points(0)[0], high = low;
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        const Vec3f& p = groom.points(s)[0];
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const float size = std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-6f});
    std::vector<uint64_t> codes(groom.strand_count());
    for (size_t s = 0; s < codes.size(); ++s) codes[s] = morton(groom.points(s)[0], low, 2097151.0f / size);
    return codes;
}

// Segments count as even when they differ by no more than the rounding of their ends can make them: each coordinate is
// off by up to 2^-24 of its size, a length by up to 2 sqrt(3) times that. Never by more than a part in 50,000, which is
// little against the promise of 1e-4.
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

Strands::Strands(const Groom& groom, bool rigid) : rigid_(rigid)
{
    using Key = std::tuple<int, Ends>;
    std::map<Key, std::vector<uint32_t>> members;
    for (uint32_t s = 0; s < groom.strand_count(); ++s)
        members[{static_cast<int>(groom.points(s).size()), groom.ends(s)}].push_back(s);

    const std::vector<uint64_t> codes = root_codes(groom);
    slots_.resize(groom.strand_count());
    size_t state = 0, previous = 0, rest = 0, scratch = 0;
    bool own_roots = !rigid;
    for (auto& [key, list] : members) {
        std::stable_sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) { return codes[a] < codes[b]; });
        Bucket bucket;
        std::tie(bucket.levels, bucket.ends) = key;
        bucket.roots = bucket.ends == Ends::kFree ? RootKind::kFree : rigid ? RootKind::kRigid : RootKind::kSampled;
        bucket.even = std::all_of(list.begin(), list.end(), [&](uint32_t s) {
            return has_even_segments(groom.points(s), groom.rest_lengths(s));
        });
        bucket.first_block = blocks_;
        bucket.strands = list.size();
        bucket.blocks = (list.size() + kLanes - 1) / kLanes;
        bucket.state = state;
        bucket.previous = previous;
        bucket.rest = rest;
        bucket.scratch = scratch;
        own_roots |= bucket.roots == RootKind::kFree;
        strand_at_.resize((blocks_ + bucket.blocks) * kLanes, -1);
        for (size_t i = 0; i < list.size(); ++i) {
            const size_t block = i % bucket.blocks, lane = i / bucket.blocks;
            slots_[list[i]] = {static_cast<uint32_t>(buckets_.size()), static_cast<uint32_t>(block),
                               static_cast<uint32_t>(lane)};
            strand_at_[(blocks_ + block) * kLanes + lane] = list[i];
        }
        const size_t levels = static_cast<size_t>(bucket.levels);
        state += bucket.blocks * levels * kStateRows * kLanes;
        previous += bucket.blocks * levels * kPreviousRows * kLanes;
        rest += bucket.blocks * (bucket.even ? 1 : levels) * kLanes;
        if (bucket.ends != Ends::kRootHeld) scratch += bucket.blocks * levels * kScratchRows * kLanes;
        particles_ += list.size() * levels;
        blocks_ += bucket.blocks;
        buckets_.push_back(bucket);
    }
    state_ = AlignedFloats(state);
    previous_ = AlignedFloats(previous);
    rest_ = AlignedFloats(rest);
    scratch_ = AlignedFloats(scratch);
    if (own_roots) roots_.resize(blocks_ * kLanes, Vec3d{0, 0, 0});
    roots_before_ = roots_;

    for (size_t s = 0; s < slots_.size(); ++s) {
        const auto& bucket = bucket_of(s);
        const auto lengths = groom.rest_lengths(s);
        const size_t rows = bucket.even ? 1 : lengths.size();
        float* at = rest_.data() + bucket.rest + slots_[s].block * rows * kLanes + slots_[s].lane;
        for (size_t i = 0; i < rows; ++i) at[i * kLanes] = bucket.even ? mean_segment(lengths) : lengths[i];
    }
    reset(groom, [](size_t) { return Pose{}; });
}

// A repeated point continues the direction before it, or takes the first one that there is.
std::vector<Vec3f> Strands::rest_edges(const Groom& groom, size_t strand) const
{
    const auto points = groom.points(strand);
    std::vector<Vec3f> edges(points.size(), Vec3f{0, 0, 0});
    Vec3d direction{0, -1, 0};
    auto direction_at = [&](size_t i) {
        const Vec3d e = to_double(points[i]) - to_double(points[i - 1]);
        const double l = length(e);
        if (l <= 0) return false;
        direction = e * (1 / l);
        return true;
    };
    for (size_t i = 1; i < points.size() && !direction_at(i); ++i) {
    }
    for (size_t i = 1; i < points.size(); ++i) {
        direction_at(i);
        edges[i] = to_float(direction * static_cast<double>(rest_length(strand, static_cast<int>(i))));
    }
    return edges;
}

void Strands::reset(const Groom& groom, const MotionOf& carried)
{
    for (size_t s = 0; s < slots_.size(); ++s) {
        const auto points = groom.points(s);
        const std::vector<Vec3f> edges = rest_edges(groom, s);
        const Pose motion = carried(s);
        if (bucket_of(s).roots == RootKind::kRigid)
            set_edge(s, 0, points[0]);
        else
            set_root(s, transform_point(motion, to_double(points[0])));
        for (int i = 0; i < levels(s); ++i) {
            const Vec3d e = to_double(edges[static_cast<size_t>(i)]);
            if (i > 0) set_edge(s, i, to_float(rotate(motion.rotation, e)));
            set_drift(s, i, {0, 0, 0});
        }
    }
    // Lanes of padding repeat a sound strand of zero motion: edges along y of unit length, so that nothing divides by
    // zero.
    for (size_t b = 0; b < buckets_.size(); ++b)
        for (size_t block = 0; block < buckets_[b].blocks; ++block)
            for (size_t lane = 0; lane < kLanes; ++lane) {
                if (strand_at(b, block, lane) >= 0) continue;
                const size_t rows = buckets_[b].even ? 1 : static_cast<size_t>(buckets_[b].levels);
                for (size_t i = 0; i < rows; ++i)
                    rest_.data()[buckets_[b].rest + (block * rows + i) * kLanes + lane] = 1.0f;
                for (int i = 1; i < buckets_[b].levels; ++i) {
                    const size_t y = buckets_[b].first_row_of_level(block, i, kStateRows) + kLanes;
                    state_.data()[buckets_[b].state + y + lane] = -1.0f;
                }
            }
    roots_before_ = roots_;
    for (size_t s = 0; s < slots_.size(); ++s)
        for (int i = 0; i < levels(s); ++i) set_edge_before(s, i, edge(s, i));
    start_second();
}

void Strands::keep_second()
{
    if (second_.size() > 0) return;
    second_ = AlignedFloats(previous_.size());
    start_second();
}

void Strands::start_second()
{
    static_assert(kSecondRows == kPreviousRows);
    if (second_.size() == 0) return;
    for (const Bucket& b : buckets_)
        for (size_t row = 0; row < b.blocks * static_cast<size_t>(b.levels); ++row)
            std::copy_n(state_.data() + b.state + row * kStateRows * kLanes, kSecondRows * kLanes,
                        second_.data() + b.previous + row * kSecondRows * kLanes);
}

void Strands::carry(const MotionOf& motion_of)
{
    for (size_t s = 0; s < slots_.size(); ++s) {
        const Pose motion = motion_of(s);
        auto turned = [&](const Vec3f& v) { return to_float(rotate(motion.rotation, to_double(v))); };
        for (int i = 0; i < levels(s); ++i) {
            set_drift(s, i, turned(drift(s, i)));
            if (i == 0) continue;
            // Rotating in double and rounding once per teleport keeps the length to a float's last bit.
            set_edge(s, i, turned(edge(s, i)));
            set_edge_before(s, i, turned(edge_before(s, i)));
            if (second_.size() == 0) continue;
            float* second = second_.data() + previous_index(s, i);
            put_vector(second, turned(vector_at(second)));
        }
        if (bucket_of(s).roots == RootKind::kRigid) continue;
        roots_before_[first_row(s, 1)] = transform_point(motion, root_before(s));
        set_root(s, transform_point(motion, root(s)));
    }
}

void Strands::rescale_drift(double h_old, double h_new, int substeps_old, bool has_history)
{
    const double motion = h_new / h_old, correction = motion * motion;
    for (size_t s = 0; s < slots_.size(); ++s) {
        Vec3d moved = root(s) - root_before(s);  // over the last step
        for (int i = 0; i < levels(s); ++i) {
            if (i > 0) moved += to_double(edge(s, i)) - to_double(edge_before(s, i));
            const Vec3d d = to_double(drift(s, i)), u = has_history ? moved * (1.0 / substeps_old) : d;
            set_drift(s, i, to_float(u * motion + (d - u) * correction));
        }
    }
}

void Strands::begin_step()
{
    frame_before = frame;
    roots_before_ = roots_;
}

void Strands::put(size_t strand, std::span<const Vec3d> before, std::span<const Vec3d> now,
                  std::span<const Vec3d> velocity, double h)
{
    if (bucket_of(strand).roots != RootKind::kRigid) {
        set_root(strand, now[0]);
        roots_before_[first_row(strand, 1)] = before[0];
    }
    for (size_t i = 0; i < now.size(); ++i) {
        const int level = static_cast<int>(i);
        if (i > 0) {
            set_edge(strand, level, to_float(now[i] - now[i - 1]));
            set_edge_before(strand, level, to_float(before[i] - before[i - 1]));
        }
        set_drift(strand, level, to_float(velocity[i] * h));
    }
}

void Strands::end_step()
{
    for (const Bucket& bucket : buckets_) {
        if (bucket.roots != RootKind::kFree) continue;
        const size_t first = bucket.first_row(0, 1);
        for (size_t i = 0; i < bucket.blocks * kLanes; ++i) {
            const int64_t strand = strand_at_[first + i];
            if (strand < 0) continue;
            const float* moved =
                scratch_.data() + bucket.scratch + bucket.first_row_of_level(i / kLanes, 0, kScratchRows) + i % kLanes;
            set_root(static_cast<size_t>(strand), roots_[first + i] + to_double(vector_at(moved)));
        }
    }
    follow_hair();
}

void Strands::follow_hair()
{
    constexpr double kFar = 1.0;  // [m]
    if (rigid_ || length(root(0) - frame.position) < kFar) return;
    frame.position = root(0);
    for (size_t s = 0; s < slots_.size(); ++s) set_root(s, root(s));
}

BlockRef Strands::blocks(size_t bucket_index, size_t block)
{
    const Bucket& b = buckets_[bucket_index];
    const size_t levels = static_cast<size_t>(b.levels);
    BlockRef ref;
    ref.levels = b.levels;
    ref.state_stride = levels * kStateRows * kLanes;
    ref.previous_stride = levels * kPreviousRows * kLanes;
    ref.rest_stride = (b.even ? 1 : levels) * kLanes;
    ref.rest_level_stride = b.even ? 0 : kLanes;
    ref.scratch_stride = levels * kScratchRows * kLanes;
    ref.state = state_.data() + b.state + block * ref.state_stride;
    ref.previous = previous_.data() + b.previous + block * ref.previous_stride;
    ref.rest = rest_.data() + b.rest + block * ref.rest_stride;
    ref.second = second_.size() == 0 ? nullptr : second_.data() + b.previous + block * ref.previous_stride;
    ref.scratch = b.ends == Ends::kRootHeld ? nullptr : scratch_.data() + b.scratch + block * ref.scratch_stride;
    return ref;
}

BlockRef Strands::lane(size_t strand)
{
    const Slot slot = slots_[strand];
    BlockRef ref = blocks(slot.bucket, slot.block);
    ref.state += slot.lane;
    ref.previous += slot.lane;
    ref.rest += slot.lane;
    if (ref.second) ref.second += slot.lane;
    if (ref.scratch) ref.scratch += slot.lane;
    return ref;
}

size_t Strands::state_index(size_t strand, int level) const
{
    const Slot& slot = slots_[strand];
    const Bucket& b = buckets_[slot.bucket];
    assert(level >= 0 && level < b.levels);
    return b.state + b.first_row_of_level(slot.block, level, kStateRows) + slot.lane;
}

size_t Strands::previous_index(size_t strand, int level) const
{
    const Slot& slot = slots_[strand];
    const Bucket& b = buckets_[slot.bucket];
    return b.previous + b.first_row_of_level(slot.block, level, kPreviousRows) + slot.lane;
}

Vec3f Strands::row(size_t strand, int level, size_t first) const
{
    return vector_at(state_.data() + state_index(strand, level) + first * kLanes);
}

void Strands::set_row(size_t strand, int level, size_t first, Vec3f v)
{
    put_vector(state_.data() + state_index(strand, level) + first * kLanes, v);
}

float Strands::rest_length(size_t strand, int level) const
{
    const Slot& slot = slots_[strand];
    const Bucket& b = buckets_[slot.bucket];
    const size_t rows = b.even ? 1 : static_cast<size_t>(b.levels);
    return rest_.data()[b.rest + (slot.block * rows + (b.even ? 0 : static_cast<size_t>(level))) * kLanes + slot.lane];
}

Vec3d Strands::root(size_t strand) const
{
    if (bucket_of(strand).roots == RootKind::kRigid) return transform_point(frame, to_double(edge(strand, 0)));
    return roots_[first_row(strand, 1)];
}

Vec3d Strands::root_before(size_t strand) const
{
    if (bucket_of(strand).roots == RootKind::kRigid) return transform_point(frame_before, to_double(edge(strand, 0)));
    return roots_before_[first_row(strand, 1)];
}

void Strands::set_root(size_t strand, Vec3d place)
{
    assert(bucket_of(strand).roots != RootKind::kRigid);
    roots_[first_row(strand, 1)] = place;
    set_row(strand, 0, 0, to_float(place - frame.position));
}

Vec3d Strands::position(size_t strand, int level) const
{
    Vec3d p = root(strand);
    for (int i = 1; i <= level; ++i) p += to_double(edge(strand, i));
    return p;
}

Vec3f Strands::edge_before(size_t strand, int level) const
{
    return vector_at(previous_.data() + previous_index(strand, level));
}

void Strands::set_edge_before(size_t strand, int level, Vec3f e)
{
    put_vector(previous_.data() + previous_index(strand, level), e);
}

void Strands::write_curves(const CurvesOut& out, Executor& executor) const
{
    const float blend = out.blend, per_second = static_cast<float>(1 / out.dt);
    for (size_t b = 0; b < buckets_.size(); ++b) {
        const Bucket& bucket = buckets_[b];
        const size_t levels = static_cast<size_t>(bucket.levels);
        parallel_for(executor, bucket.blocks, 16, [&](size_t begin, size_t end) {
            for (size_t block = begin; block < end; ++block) {
                size_t at[kLanes] = {};
                float x[3][kLanes] = {}, moved[3][kLanes] = {};
                for (size_t lane = 0; lane < kLanes; ++lane) {
                    const int64_t strand = strand_at(b, block, lane);
                    if (strand < 0) continue;
                    const size_t s = static_cast<size_t>(strand);
                    at[lane] = out.first_point[s];
                    const Vec3f root = to_float(out.roots[s] - out.origin),
                                step = to_float(this->root(s) - root_before(s));
                    x[0][lane] = root.x, x[1][lane] = root.y, x[2][lane] = root.z;
                    moved[0][lane] = step.x, moved[1][lane] = step.y, moved[2][lane] = step.z;
                }
                for (size_t i = 0; i < levels; ++i) {
                    const int level = static_cast<int>(i);
                    const float* now =
                        state_.data() + bucket.state + bucket.first_row_of_level(block, level, kStateRows);
                    const float* old =
                        previous_.data() + bucket.previous + bucket.first_row_of_level(block, level, kPreviousRows);
                    const float* rest =
                        rest_.data() + bucket.rest + (bucket.even ? block : block * levels + i) * kLanes;
                    if (i > 0)
                        for (size_t lane = 0; lane < kLanes; ++lane) {
                            float e[3], n2 = 0, old2 = 0, now2 = 0;
                            for (size_t c = 0; c < 3; ++c) {
                                const float a = old[c * kLanes + lane], z = now[c * kLanes + lane];
                                e[c] = a + (z - a) * blend;
                                n2 += e[c] * e[c];
                                old2 += a * a, now2 += z * z;
                                moved[c][lane] += z - a;
                            }
                            const float l = out.stretched
                                                ? std::sqrt(old2) + (std::sqrt(now2) - std::sqrt(old2)) * blend
                                                : rest[lane];
                            const float scale = n2 > 0 ? l / std::sqrt(n2) : 0.0f;
                            for (size_t c = 0; c < 3; ++c) x[c][lane] += e[c] * scale;
                        }
                    for (size_t lane = 0; lane < kLanes; ++lane) {
                        if (strand_at(b, block, lane) < 0) continue;
                        out.points[at[lane] + i] = {x[0][lane], x[1][lane], x[2][lane]};
                        out.velocities[at[lane] + i] = {moved[0][lane] * per_second, moved[1][lane] * per_second,
                                                        moved[2][lane] * per_second};
                    }
                }
            }
        });
    }
}

uint64_t Strands::hash(Executor& executor) const
{
    std::vector<uint64_t> parts(blocks_);
    for (const Bucket& b : buckets_) {
        const size_t floats = static_cast<size_t>(b.levels) * kStateRows * kLanes;
        parallel_for(executor, b.blocks, 64, [&](size_t begin, size_t end) {
            for (size_t block = begin; block < end; ++block) {
                const float* at = state_.data() + b.state + block * floats;
                parts[b.first_block + block] = hash_bytes(at, floats * sizeof(float));
            }
        });
    }
    uint64_t h = particles_;
    for (uint64_t part : parts) h = mix_bits(h ^ part);
    h = mix_bits(h ^ hash_bytes(&frame, sizeof frame));
    h = mix_bits(h ^ hash_bytes(roots_.data(), roots_.size() * sizeof(Vec3d)));
    if (second_.size() > 0) h = mix_bits(h ^ hash_bytes(second_.data(), second_.size() * sizeof(float)));
    return h;
}

Strands::Identity Strands::identity() const
{
    return {slots_.size(), particles_, state_.size(), roots_.size(),
            hash_bytes(rest_.data(), rest_.size() * sizeof(float))};
}

void Strands::save(std::vector<std::byte>& out) const
{
    const Identity identity = this->identity();
    append_bytes(out, identity.data(), identity.size());
    append_bytes(out, &frame, 1);
    append_bytes(out, &frame_before, 1);
    append_bytes(out, state_.data(), state_.size());
    append_bytes(out, previous_.data(), previous_.size());
    append_bytes(out, roots_.data(), roots_.size());
    append_bytes(out, roots_before_.data(), roots_before_.size());
    const uint64_t second = second_.size();
    append_bytes(out, &second, 1);
    append_bytes(out, second_.data(), second_.size());
}

bool Strands::load(std::span<const std::byte>& in)
{
    Identity saved;
    if (!take_bytes(in, saved.data(), saved.size()) || saved != identity()) return false;
    uint64_t second = 0;
    if (!take_bytes(in, &frame, 1) || !take_bytes(in, &frame_before, 1) ||
        !take_bytes(in, state_.data(), state_.size()) || !take_bytes(in, previous_.data(), previous_.size()) ||
        !take_bytes(in, roots_.data(), roots_.size()) || !take_bytes(in, roots_before_.data(), roots_before_.size()) ||
        !take_bytes(in, &second, 1) || (second != 0 && second != previous_.size()))
        return false;
    if (second != second_.size()) second_ = AlignedFloats(second);
    return take_bytes(in, second_.data(), second_.size());
}

size_t Strands::bytes() const
{
    return (state_.size() + previous_.size() + second_.size() + rest_.size() + scratch_.size()) * sizeof(float) +
           (roots_.size() + roots_before_.size()) * sizeof(Vec3d) + slots_.size() * sizeof(Slot) +
           strand_at_.size() * sizeof(int64_t);
}

}  // namespace tendril
