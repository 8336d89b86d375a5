#include "world/strand_roots.h"

namespace tendril {

StrandRoots::StrandRoots(const RootAnchors& anchors, const Strands& strands) : anchors_(&anchors)
{
    if (!anchors_->one_bone()) return;
    tip_offset_ = StrandRows(strands.layout(), 3);
    for (size_t s = 0; s < strands.strand_count(); ++s) tip_offset_.set_vector(s, 0, anchors_->tip_offset(s));
}

void StrandRoots::place(const RootPose& pose, Strands& strands, Executor& executor) const
{
    if (const auto* binding = anchors_->one_bone()) {
        strands.frame = pose.bones[binding->bone];
        return;
    }
    strands.frame = Pose{anchors_->root(pose, 0), {}};
    parallel_for(executor, strands.strand_count(), 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s)
            if (strands.bucket_of(s).roots == RootKind::kSampled) strands.set_root(s, anchors_->root(pose, s));
    });
}

void StrandRoots::write_frames(const Strands& strands, const ShapeInput& shape, const RootPose& pose, StrandRows& out,
                               Executor& executor) const
{
    parallel_for(executor, strands.strand_count(), 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) {
            if (strands.bucket_of(s).ends != Ends::kRootHeld) continue;
            const auto turn = anchors_->turn(pose, s);
            for (const size_t row : {kRootAlong, kRootAcross})
                out.set_vector(s, row, turn(shape.strands->vector(s, row)));
        }
    });
}

RootMotion StrandRoots::advance(Strands& strands, WorldBody& body, int substeps, int stride, const ShapeInput& shape,
                                RootPose& pose, Executor& executor)
{
    const auto* one_bone = anchors_->one_bone();
    const auto count = static_cast<size_t>(substeps);
    RootMotion motion;
    frame_.resize(count);
    origin_.assign(count, strands.frame.position);
    const auto take = [&](size_t substep) {
        anchors_->sample(body.body, body.samples[substep * static_cast<size_t>(stride)], pose, executor);
    };
    const bool with_frames = !one_bone && shape.on();
    if (with_frames) {
        while (frames_.size() < count + 1) frames_.emplace_back(strands.layout(), kRootFrameRows);
        take(0);
        write_frames(strands, shape, pose, frames_[0], executor);
        motion.frames = frames_;
    }
    while (!one_bone && sampled_.size() < count) sampled_.emplace_back(strands.layout(), kSampledRows);
    for (size_t k = 0; k < count; ++k) {
        take(k + 1);
        if (one_bone) {
            const Pose after = pose.bones[one_bone->bone];
            frame_[k] = frame_step(strands.frame, after);
            strands.frame = after;
            origin_[k] = after.position;
            continue;
        }
        parallel_for(executor, strands.strand_count(), 256, [&](size_t begin, size_t end) {
            for (size_t s = begin; s < end; ++s) {
                if (strands.bucket_of(s).roots != RootKind::kSampled) continue;
                const RootAnchors::Ends ends = anchors_->ends(pose, s);
                sampled_[k].set_vector(s, kRootStep, to_float(ends.root - strands.root(s)));
                sampled_[k].set_vector(s, kTipFromRoot, to_float(ends.tip - ends.root));
                strands.set_root(s, ends.root);
            }
        });
        if (with_frames) write_frames(strands, shape, pose, frames_[k + 1], executor);
    }
    motion.frame = frame_;
    motion.origin = origin_;
    if (one_bone)
        motion.tip_offset = &tip_offset_;
    else
        motion.sampled = sampled_;
    return motion;
}

}  // namespace tendril
