// The input of a step as the kernels of all methods query it: the motion of roots, the pull of the shape, the contact
// properties of strands.

#if defined(TENDRIL_SOLVERS_STEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_STEP_INL_H_
#undef TENDRIL_SOLVERS_STEP_INL_H_
#else
#define TENDRIL_SOLVERS_STEP_INL_H_
#endif

#include "solvers/contact/contact-inl.h"
#include "solvers/rest_shape-inl.h"
#include "solvers/solver.h"
#include "strands/block-inl.h"
#include "strands/frame-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Motion of the roots of a group of blocks or of one strand; `lane` is 0 for whole blocks.
template <class F>
class BlockRootMotion {
public:
    HWY_INLINE BlockRootMotion(const StrandsTask& task, const BlockCursor<F>& strand, size_t block, size_t lane)
        : motion_(task.input->roots), offset_(strand.edge(0)), block_(block), lane_(lane)
    {
    }

    /// Displacement over substep k.
    HWY_INLINE Vec3<F> step(int k) const
    {
        if (is_sampled()) return load_rows<F>(sampled(k, kRootStep), kSampledRows * kLanes);
        const FrameSubstep& frame = motion_.frame[k];
        return rotate_by(frame.turned, offset_) + splat<F>(frame.moved);
    }
    /// Position of a held tip at the end of substep k, relative to the root.
    HWY_INLINE Vec3<F> tip(int k) const
    {
        if (is_sampled()) return load_rows<F>(sampled(k, kTipFromRoot), kSampledRows * kLanes);
        const Vec3<F> rest = load_rows<F>(motion_.tip_offset->data() + block_ * 3 * kLanes + lane_, 3 * kLanes);
        return rotate_by(motion_.frame[k].rotation, rest);
    }
    /// Approximate position at the start of the step, relative to the origin of the strands.
    HWY_INLINE Vec3<F> position(RootKind kind) const
    {
        if (kind != RootKind::kOnBone) return offset_;
        // Wind needs only a few digits, so the frame's rotation at the end of the first substep is good enough.
        return rotate_by(motion_.frame[0].rotation, offset_);
    }

    /// Exact positions, which `position_after` computes substep by substep: at the end of substep k, relative to the
    /// origin at that time. The first call gets the result of `position_before_all`, which roots on a bone ignore.
    HWY_INLINE Vec3<F> position_before_all(int substeps) const
    {
        Vec3<F> position = offset_;
        if (is_sampled())
            for (int k = substeps - 1; k >= 0; --k) position = position - step(k);
        return position;
    }
    HWY_INLINE Vec3<F> position_after(int k, const Vec3<F>& before) const
    {
        return is_sampled() ? before + step(k) : rotate_by(motion_.frame[k].rotation, offset_);
    }

    /// The frame of the root at the end of substep k, or at the start of the step (k = -1). `at_rest` has the rest
    /// frames of roots on a bone.
    HWY_INLINE Frame<F> frame(int k, const float* at_rest) const
    {
        constexpr size_t kStride = kRootFrameRows * kLanes;
        if (is_sampled()) {
            const float* at = motion_.frames[static_cast<size_t>(k + 1)].data() + block_ * kStride + lane_;
            return {load_rows<F>(at + kRootAlong * kLanes, kStride), load_rows<F>(at + kRootAcross * kLanes, kStride)};
        }
        const Vec3<F> along = load_rows<F>(at_rest + kRootAlong * kLanes, kShapeStrandRows * kLanes);
        const Vec3<F> across = load_rows<F>(at_rest + kRootAcross * kLanes, kShapeStrandRows * kLanes);
        const FrameSubstep& of = motion_.frame[k < 0 ? 0 : k];
        Frame<F> frame{rotate_by(of.rotation, along), rotate_by(of.rotation, across)};
        if (k >= 0) return frame;
        return {frame.along - rotate_by(of.turned, along), frame.across - rotate_by(of.turned, across)};
    }

private:
    HWY_INLINE bool is_sampled() const { return !motion_.sampled.empty(); }
    HWY_INLINE const float* sampled(int k, SampledRootRow row) const
    {
        return motion_.sampled[static_cast<size_t>(k)].data() + (block_ * kSampledRows + row) * kLanes + lane_;
    }
    const RootMotion& motion_;
    Vec3<F> offset_;
    size_t block_, lane_;
};

/// The pull of the rest shape on the strands of a block over substep k, in which the roots move by u.
template <bool kBlended, class F>
HWY_INLINE ShapePull<F, kBlended> shape_pull(const StrandsTask& task, const BlockCursor<F>& strand,
                                             const BlockRootMotion<F>& roots, size_t block, int k, const Vec3<F>& u)
{
    const ShapeInput& shape = task.input->shape;
    if (!shape.on()) return {};
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    const ShapeInput::Rows& rows = shape.buckets[task.bucket];
    const float* own = shape.strands->data() + bucket.first_row(block, kShapeStrandRows);
    const size_t stride = bucket.stride(kTargetRows);
    return {shape,
            rows,
            own,
            rows.targets + block * stride,
            stride,
            strand.rest_length(1),
            roots.frame(k - 1, own),
            roots.frame(k, own),
            u};
}

/// The rest edges of the strands of a block, as their roots carry them, at the end of substep k.
template <class F>
class CarriedPose {
public:
    HWY_INLINE CarriedPose(const StrandsTask& task, const BlockRootMotion<F>& roots, size_t block, int k)
    {
        const Bucket& bucket = task.strands->buckets()[task.bucket];
        const ShapeInput& shape = task.input->shape;
        stride_ = bucket.stride(kTargetRows);
        targets_ = shape.buckets[task.bucket].targets + block * stride_;
        root_ = roots.frame(k, shape.strands->data() + bucket.first_row(block, kShapeStrandRows));
        side_ = cross(root_.along, root_.across);
    }

    HWY_INLINE Vec3<F> edge(int i) const
    {
        const Vec3<F> g =
            load_rows<F>(targets_ + (static_cast<size_t>(i) * kTargetRows + kGlobalTarget) * kLanes, stride_);
        return root_.along * g.x + root_.across * g.y + side_ * g.z;
    }

private:
    const float* targets_;
    size_t stride_;
    Frame<F> root_;
    Vec3<F> side_;
};

/// The length of a strand, which is how far it reaches from its root.
template <class F>
HWY_INLINE F reach_of(const BlockCursor<F>& strand)
{
    F reach = splat<F>(0.0f);
    for (int i = 1; i < strand.levels(); ++i) reach = reach + strand.rest_length(i);
    return reach;
}

/// The contact properties of the strands of a block, or of the one in a lane.
template <class F>
HWY_INLINE StrandContact<F> own_contact(const StrandsTask& task, size_t block, size_t lane)
{
    const ContactInput& contact = task.input->contact;
    const Bucket& bucket = task.strands->buckets()[task.bucket];
    StrandContact<F> own{LaneTraits<F>::load(contact.layers->data() + bucket.first_row(block, 1) + lane, kLanes)};
    if (!contact.thickness) return own;
    own.stride = bucket.stride(1);
    own.thickness = contact.thickness->block(task.bucket, block) + lane;
    return own;
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
