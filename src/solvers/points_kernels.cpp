// The parts of points-inl.h that are compiled once for all methods.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/points_kernels.cpp"
#include <hwy/foreach_target.h>

#include "solvers/points-inl.h"

#include "math/random.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

Points::Points(const PointsTask& task, size_t block, size_t own_rows)
    : task_(task),
      bucket_(task.strands->buckets()[task.bucket]),
      block_(block),
      strand_(task.strands->blocks(task.bucket, block)),
      roots_(task, strand_, bucket_.first_block + block, 0),
      levels_(strand_.levels()),
      row_(static_cast<size_t>(levels_) * kLanes),
      rows_(kernel_workspace((kRows + own_rows) * row_)),
      root_position_(roots_.position(bucket_.roots)),
      moved_(splat<F>(0.0f, 0.0f, 0.0f))
{
    if (root_held()) root_position_ = roots_.position_before_all(task.input->substeps());
    const auto [first, last] =
        std::equal_range(task.holds.begin(), task.holds.end(), BlockHold{index(), 0, 0, {}},
                         [](const BlockHold& a, const BlockHold& b) { return a.block < b.block; });
    holds_ = {first, last};
    Vec3<F> x = splat<F>(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < levels_; ++i) {
        if (i > 0) x += strand_.edge(i);
        if (i > 0 && task.input->keep_previous) strand_.store_previous_edge(i, strand_.edge(i));
        set(kBefore, i, x);
    }
    set_inverse_masses();
}

void Points::predict(int k)
{
    const AirSubstep& air = task_.input->air[k];
    root_step_ = root_held() ? roots_.step(k) : splat<F>(0.0f, 0.0f, 0.0f);
    for (int i = root_held() ? 1 : 0; i < levels_; ++i) {
        const Vec3<F> drift = strand_.drift(i), x = before(i);
        Vec3<F> step = drift + splat<F>(air.fall);
        if (air.resists()) step += drag(air, drift, direction_before(i), root_position_ + x);
        set_position(i, x + step - root_step_);
        set(kFree, i, step);
    }
    if (root_held()) set_position(0, splat<F>(0.0f, 0.0f, 0.0f));
    if (bucket_.ends == Ends::kBothHeld) set_position(levels_ - 1, roots_.tip(k));
    moved_ += root_step_;
    for (const BlockHold& hold : holds_) {
        float* to = rows_ + kAt * row_ + 3 * at_level(hold.level) + hold.lane;
        const Vec3f target = hold.target[k] - lane_of(moved_, hold.lane);
        put_vector(to, target);
    }
    root_position_ = root_held() ? roots_.position_after(k, root_position_) : root_position_;
}

void Points::pull_to_shape(int k)
{
    if (!has_shape()) return;
    auto shape = this->shape(k);
    for (int i = 1; i < levels_; ++i) {
        const Vec3<F> parent = at(i - 1), e = before(i) - before(i - 1);
        const F l = rest_length(i);
        const Vec3<F> free = at(i) - parent;
        Vec3<F> q = free;
        shape.draw(i, e, from(i) - parent, l, q);
        const Vec3<F> drawn = select(splat<F>(0.0f) < inverse_mass(i), q - free, splat<F>(0.0f, 0.0f, 0.0f));
        set_position(i, at(i) + drawn);
        set(kFree, i, get(kFree, i) + drawn);
        const F n2 = max(dot(q, q), splat<F>(kNoDirection));
        shape.pass(q * scale_to_length(l, n2));
    }
}

void Points::write_back()
{
    const bool keeps = task_.settings->keeps_lengths();
    for (int i = 1; i < levels_; ++i) {
        const Vec3<F> e = before(i) - before(i - 1);
        const F n2 = max(dot(e, e), splat<F>(kNoDirection));
        strand_.set_edge(i, keeps ? e * scale_to_length(rest_length(i), n2) : e);
    }
    strand_.set_root_moved(moved_);
    task_.gaps[index()] = gap();
}

Points::NearColliders Points::find_near_colliders(int k, uint16_t* near) const
{
    const ContactInput& contact = task_.input->contact;
    NearColliders nearby{};
    nearby.own.layer = nearby.reach = splat<F>(0.0f);
    if (contact.count == 0) return nearby;
    nearby.own = own_contact<F>(task_, block_, 0);
    nearby.reach = reach() * splat<F>(2.0f) + nearby.own.layer + splat<F>(contact.margin + contact.thickest);
    nearby.count = near_colliders(contact, k, root_position_, nearby.reach, near);
    return nearby;
}

void Points::resolve_contacts_into(int k, size_t displacements)
{
    resolve_contacts(k, [&](int i, const auto& touch, const Vec3<F>& kick) HWY_ATTR {
        const auto touched = splat<F>(0.0f) < dot(touch.normal, touch.normal);
        set_own_vector(displacements, i, select(touched, step(i) - kick, own_vector(displacements, i)));
    });
}

void Points::vary_masses(float share)
{
    for (int i = 0; i < levels_; ++i)
        for (size_t lane = 0; lane < kLanes; ++lane) {
            const double mass =
                1 + static_cast<double>(share) *
                        (2 * uniform(static_cast<uint64_t>(strand(lane)), static_cast<uint64_t>(i)) - 1);
            rows_[kInverseMass * row_ + at_level(i) + lane] /= static_cast<float>(mass);
        }
}

float Points::gap() const
{
    const int last = task_.input->substeps() - 1, tip = levels_ - 1;
    float worst = 0;
    if (bucket_.ends == Ends::kBothHeld)
        for (size_t lane = 0; lane < strands_in(bucket_, block_); ++lane)
            worst = std::max(worst, length(lane_of(before(tip) - roots_.tip(last), lane)));
    for (const BlockHold& hold : holds_) {
        const Vec3f at = lane_of(before(hold.level) + moved_, hold.lane);
        worst = std::max(worst, length(at - hold.target[last]));
    }
    return worst;
}

void Points::set_inverse_masses()
{
    for (int i = 0; i < levels_; ++i)
        LaneTraits<F>::store(splat<F>(1.0f), rows_ + kInverseMass * row_ + at_level(i), 0);
    const F none = splat<F>(0.0f);
    if (root_held()) LaneTraits<F>::store(none, rows_ + kInverseMass * row_, 0);
    if (bucket_.ends == Ends::kBothHeld)
        LaneTraits<F>::store(none, rows_ + kInverseMass * row_ + at_level(levels_ - 1), 0);
    for (const BlockHold& hold : holds_) rows_[kInverseMass * row_ + at_level(hold.level) + hold.lane] = 0;
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
