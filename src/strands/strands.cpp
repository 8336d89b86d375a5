#include "strands/strands.h"

#include "strands/curves.h"

#include "math/bytes.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tendril {

Strands::Strands(const Groom& groom, std::shared_ptr<const StrandLayout> layout)
    : layout_(std::move(layout)), state_(*layout_, kStateRows), previous_(*layout_, kPreviousRows)
{
    if (layout_->has_free_roots()) root_moved_ = StrandRows(*layout_, 3);
    if (layout_->has_free_roots() || layout_->held_roots() == RootKind::kSampled)
        roots_.resize(block_count() * kLanes, Vec3d{0, 0, 0});
    roots_before_ = roots_;
    reset(groom, [](size_t) { return Pose{}; });
}

Strands::Strands(const Groom& groom, RootKind held_roots)
    : Strands(groom, std::make_shared<const StrandLayout>(groom, held_roots))
{
}

// A repeated point continues the direction before it; at the root, it takes the first direction of the strand.
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
    for (size_t s = 0; s < strand_count(); ++s) {
        const auto points = groom.points(s);
        const std::vector<Vec3f> edges = rest_edges(groom, s);
        const Pose motion = carried(s);
        if (bucket_of(s).roots == RootKind::kOnBone)
            set_edge(s, 0, points[0]);
        else
            set_root(s, transform_point(motion, to_double(points[0])));
        for (int i = 0; i < levels(s); ++i) {
            const Vec3d e = to_double(edges[static_cast<size_t>(i)]);
            if (i > 0) set_edge(s, i, to_float(rotate(motion.rotation, e)));
            set_drift(s, i, {0, 0, 0});
        }
    }
    // Padding lanes hold a valid strand at rest, with edges of their rest length along y, so that no kernel divides by
    // zero.
    const std::span<const Bucket> all = buckets();
    for (size_t b = 0; b < all.size(); ++b)
        for (size_t block = 0; block < all[b].blocks; ++block)
            for (size_t lane = strands_in(all[b], block); lane < kLanes; ++lane)
                for (int i = 1; i < all[b].levels; ++i) {
                    float* at = state_.data() + all[b].first_row(block, i, kStateRows) + lane;
                    put_vector(at, {0, -1, 0});
                    put_vector(at + 3 * kLanes, {0, 0, 0});
                }
    roots_before_ = roots_;
    for (size_t s = 0; s < strand_count(); ++s)
        for (int i = 0; i < levels(s); ++i) set_edge_before(s, i, edge(s, i));
}

void Strands::copy_edges(ParticleRows& to) const
{
    for (size_t row = 0; row < layout_->particle_rows(); ++row)
        std::copy_n(state_.data() + row * kStateRows * kLanes, 3 * kLanes, to.data() + row * 3 * kLanes);
}

void Strands::carry(const MotionOf& motion_of)
{
    for (size_t s = 0; s < strand_count(); ++s) {
        const Pose motion = motion_of(s);
        auto turned = [&](const Vec3f& v) { return to_float(rotate(motion.rotation, to_double(v))); };
        for (int i = 0; i < levels(s); ++i) {
            set_drift(s, i, turned(drift(s, i)));
            if (i == 0) continue;
            // Rotating in double precision and rounding once keeps the length to the last bit of a float.
            set_edge(s, i, turned(edge(s, i)));
            set_edge_before(s, i, turned(edge_before(s, i)));
        }
        if (bucket_of(s).roots == RootKind::kOnBone) continue;
        roots_before_[layout_->strand_row(s, 1)] = transform_point(motion, root_before(s));
        set_root(s, transform_point(motion, root(s)));
    }
}

void Strands::rescale_drift(double h_old, double h_new, int substeps_old, bool has_history)
{
    const double motion = h_new / h_old, correction = motion * motion;
    for (size_t s = 0; s < strand_count(); ++s) {
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

void Strands::set_motion(size_t strand, std::span<const Vec3d> before, std::span<const Vec3d> now,
                         std::span<const Vec3d> velocity, double h)
{
    if (bucket_of(strand).roots != RootKind::kOnBone) {
        set_root(strand, now[0]);
        roots_before_[layout_->strand_row(strand, 1)] = before[0];
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
    if (layout_->has_free_roots())
        for (size_t s = 0; s < strand_count(); ++s)
            if (bucket_of(s).roots == RootKind::kFree) set_root(s, root(s) + to_double(root_moved_.vector(s, 0)));
    move_origin_to_hair();
}

void Strands::move_origin_to_hair()
{
    constexpr double kFar = 1.0;  // [m]
    if (layout_->held_roots() == RootKind::kOnBone || length(root(0) - frame.position) < kFar) return;
    frame.position = root(0);
    for (size_t s = 0; s < strand_count(); ++s) set_root(s, root(s));
}

BlockRef Strands::blocks(size_t bucket, size_t block)
{
    const Bucket& b = buckets()[bucket];
    BlockRef ref;
    ref.levels = b.levels;
    ref.state_stride = b.stride(kStateRows);
    ref.previous_stride = b.stride(kPreviousRows);
    ref.rest_stride = layout_->rest_stride(bucket);
    ref.rest_level_stride = layout_->rest_level_stride(bucket);
    ref.state = state_.block(bucket, block);
    ref.previous = previous_.block(bucket, block);
    ref.rest = layout_->rest_lengths(bucket, block);
    ref.root_moved = b.roots == RootKind::kFree ? root_moved_.data() + b.first_row(block, 3) : nullptr;
    return ref;
}

BlockRef Strands::lane(size_t strand)
{
    const Slot slot = this->slot(strand);
    BlockRef ref = blocks(slot.bucket, slot.block);
    ref.state += slot.lane;
    ref.previous += slot.lane;
    ref.rest += slot.lane;
    if (ref.root_moved) ref.root_moved += slot.lane;
    return ref;
}

Vec3f Strands::row(size_t strand, int level, size_t first) const
{
    assert(level >= 0 && level < levels(strand));
    return state_.vector(strand, level, first);
}

void Strands::set_row(size_t strand, int level, size_t first, Vec3f v)
{
    state_.set_vector(strand, level, first, v);
}

Vec3d Strands::root(size_t strand) const
{
    if (bucket_of(strand).roots == RootKind::kOnBone) return transform_point(frame, to_double(edge(strand, 0)));
    return roots_[layout_->strand_row(strand, 1)];
}

Vec3d Strands::root_before(size_t strand) const
{
    if (bucket_of(strand).roots == RootKind::kOnBone) return transform_point(frame_before, to_double(edge(strand, 0)));
    return roots_before_[layout_->strand_row(strand, 1)];
}

void Strands::set_root(size_t strand, Vec3d position)
{
    assert(bucket_of(strand).roots != RootKind::kOnBone);
    roots_[layout_->strand_row(strand, 1)] = position;
    set_row(strand, 0, 0, to_float(position - frame.position));
}

Vec3d Strands::position(size_t strand, int level) const
{
    Vec3d p = root(strand);
    for (int i = 1; i <= level; ++i) p += to_double(edge(strand, i));
    return p;
}

Vec3f Strands::edge_before(size_t strand, int level) const
{
    return previous_.vector(strand, level, 0);
}

void Strands::set_edge_before(size_t strand, int level, Vec3f e)
{
    previous_.set_vector(strand, level, 0, e);
}

void Strands::write_curves(const CurvesOut& out, Executor& executor) const
{
    for (size_t b = 0; b < buckets().size(); ++b) {
        const Bucket& bucket = buckets()[b];
        parallel_for(executor, bucket.blocks, 16, [&](size_t begin, size_t end) {
            for (size_t block = begin; block < end; ++block) {
                CurveBlock curves{.now = state_.block(b, block),
                                  .previous = previous_.block(b, block),
                                  .rest = layout_->rest_lengths(b, block),
                                  .rest_stride = layout_->rest_level_stride(b),
                                  .levels = static_cast<size_t>(bucket.levels),
                                  .strands = strands_in(bucket, block),
                                  .blend = out.blend,
                                  .per_second = static_cast<float>(1 / out.dt),
                                  .stretched = out.stretched,
                                  .root = {},
                                  .root_moved = {},
                                  .points = {},
                                  .velocities = {}};
                for (size_t lane = 0; lane < curves.strands; ++lane) {
                    const auto s = static_cast<size_t>(strand_at(b, block, lane));
                    const Vec3f root = to_float(out.roots[s] - out.origin),
                                moved = to_float(this->root(s) - root_before(s));
                    curves.root[0][lane] = root.x, curves.root[1][lane] = root.y, curves.root[2][lane] = root.z;
                    curves.root_moved[0][lane] = moved.x, curves.root_moved[1][lane] = moved.y;
                    curves.root_moved[2][lane] = moved.z;
                    curves.points[lane] = &out.points[out.first_point[s]];
                    curves.velocities[lane] = &out.velocities[out.first_point[s]];
                }
                tendril::write_curves(curves);
            }
        });
    }
}

uint64_t Strands::hash(Executor& executor) const
{
    std::vector<uint64_t> parts(block_count());
    for (size_t bucket = 0; bucket < buckets().size(); ++bucket) {
        const Bucket& b = buckets()[bucket];
        parallel_for(executor, b.blocks, 64, [&](size_t begin, size_t end) {
            for (size_t block = begin; block < end; ++block)
                parts[b.first_block + block] =
                    hash_bytes(state_.block(bucket, block), b.stride(kStateRows) * sizeof(float));
        });
    }
    uint64_t h = particle_count();
    for (uint64_t part : parts) h = mix_bits(h ^ part);
    h = mix_bits(h ^ hash_bytes(&frame, sizeof frame));
    return mix_bits(h ^ hash_bytes(roots_.data(), roots_.size() * sizeof(Vec3d)));
}

Strands::Identity Strands::identity() const
{
    return {strand_count(), particle_count(), state_.size(), roots_.size(), layout_->rest_hash()};
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
}

bool Strands::load(std::span<const std::byte>& in)
{
    Identity saved;
    if (!take_bytes(in, saved.data(), saved.size()) || saved != identity()) return false;
    return take_bytes(in, &frame, 1) && take_bytes(in, &frame_before, 1) &&
           take_bytes(in, state_.data(), state_.size()) && take_bytes(in, previous_.data(), previous_.size()) &&
           take_bytes(in, roots_.data(), roots_.size()) && take_bytes(in, roots_before_.data(), roots_before_.size());
}

size_t Strands::bytes() const
{
    return (state_.size() + previous_.size() + root_moved_.size()) * sizeof(float) +
           (roots_.size() + roots_before_.size()) * sizeof(Vec3d);
}

}  // namespace tendril
