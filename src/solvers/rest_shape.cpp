#include "solvers/rest_shape.h"

#include "math/elementary.h"
#include "math/vectors.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// The step that the coefficients of [Sanchez15] are meant for [s].
constexpr double kPaperStep = 0.016;
// Upper limit on the stiffness, in effect infinite [1/s^2].
constexpr double kStiffest = 1e9;
// Lower limit on 1 + cos of the angle between two segments, for segments that are folded back.
constexpr double kFolded = 1e-6;
// Weak strands cannot support their weight: a local target is lifted by at most this share of the segment, a global
// target by at most the length of the strand.
constexpr double kMaxOffset = 0.5;

/// Converts a stiffness from the unit of the settings to [1/s^2], from 0 to kStiffest.
double stiffness(double value, const ShapeSettings& settings)
{
    if (!(value > 0)) return 0;
    if (settings.units == ShapeUnits::kSi) return std::min(value, kStiffest);
    // A blend by s in one step of the paper corresponds to a stiffness of s / (1 - s) per squared step.
    const double s = std::min(value, 1 - 1e-9);
    return std::min(s / (1 - s) / (kPaperStep * kPaperStep), kStiffest);
}

double fade_at(const ShapeSettings& settings, int level, int levels)
{
    const double x = static_cast<double>(level) / std::max(1, levels - 1);
    return 1 - std::clamp(static_cast<double>(settings.fade), 0.0, 1.0) * x;
}

ShapeLevel level_over(const ShapeSettings& settings, double fade, double h)
{
    if (settings.form == Form::kPaper) {
        auto share = [&](float s) { return static_cast<float>(std::clamp(static_cast<double>(s), 0.0, 1.0) * fade); };
        return {share(settings.local), 0, share(settings.global), 0};
    }
    // If each of the n segments of a straight strand yielded by g/K, its tip would sag by n^2 g / 2K.
    const double share = settings.units == ShapeUnits::kSi ? 0.5 : 1.0;
    const double local = stiffness(settings.local, settings) * fade * h * h * share;
    const double global = stiffness(settings.global, settings) * fade * h * h;
    const double damping = 2 * std::max(0.0, static_cast<double>(settings.damping));
    return {static_cast<float>(local), static_cast<float>(damping * std::sqrt(local)), static_cast<float>(global),
            static_cast<float>(damping * std::sqrt(global))};
}

/// The blend for a strand of equal segments.
ShapeBlend blend_of(const ShapeLevel& level, double segments)
{
    const double local = static_cast<double>(level.local) * segments * segments,
                 swung = static_cast<double>(level.local_damping) * segments;
    const double global = static_cast<double>(level.global), carried = static_cast<double>(level.global_damping);
    const double part = 1 / (1 + local + swung + global + carried);
    auto share = [&](double k) { return static_cast<float>(k * part); };
    return {share(1), share(local), share(swung), share(global), share(carried)};
}

/// Whether targets are lifted against gravity. The printed form has no lift, and its coefficients are not a stiffness.
bool lifts_targets(const ShapeSettings& settings)
{
    return settings.sag_free && settings.form == Form::kStable;
}

/// Whether both settings lift targets by the same amount.
bool same_lift(const ShapeSettings& a, const ShapeSettings& b)
{
    return a.local == b.local && a.global == b.global && a.fade == b.fade && a.units == b.units;
}

/// A frame that is carried along a strand.
struct Frame {
    Vec3d along, across;

    Vec3d seen(const Vec3d& v) const { return {dot(v, along), dot(v, across), dot(v, cross(along, across))}; }
    /// The frame turned by the smallest rotation that takes `along` to the unit vector `to`.
    Frame turned_to(const Vec3d& to) const
    {
        const double c = dot(to, across) / std::max(1 + dot(to, along), kFolded);
        const Vec3d n = across - (along + to) * c;
        return {to, unit_or(n - to * dot(n, to), any_perpendicular(to))};
    }
};

void make_targets(const Groom& groom, const Strands& strands, size_t s, ShapeTargets& made)
{
    const std::vector<Vec3f> edges = strands.rest_edges(groom, s);
    const int levels = strands.levels(s);
    double reach = 0;
    for (int i = 1; i < levels; ++i) reach += static_cast<double>(strands.rest_length(s, i));
    const double strength = made.strength.empty() ? 1.0 : std::max(0.0, static_cast<double>(made.strength[s]));

    const Vec3d first = unit_or(to_double(edges[1]), {0, -1, 0});
    Frame frame{first, any_perpendicular(first)};
    const Frame root = frame;
    made.strands.set_vector(s, kRootAlong, to_float(root.along));
    made.strands.set_vector(s, kRootAcross, to_float(root.across));
    made.strands.set(s, kStrandReach, static_cast<float>(reach));
    made.strands.set(s, kStrength, static_cast<float>(strength));
    made.strands.set(s, kSqrtStrength, static_cast<float>(std::sqrt(strength)));

    const double local = stiffness(made.settings.local, made.settings),
                 global = stiffness(made.settings.global, made.settings);
    Vec3d lifted{0, 0, 0};  // lift of the preceding global target above its rest position
    for (int i = 1; i < levels; ++i) {
        const Vec3d f = to_double(edges[static_cast<size_t>(i)]);
        const double l = length(f), fade = fade_at(made.settings, i, levels) * strength;
        const double per_length = made.settings.units == ShapeUnits::kSi ? 0.5 * (reach / l) * (reach / l) : 1;
        Vec3d target = f, edge = f;
        if (lifts_targets(made.settings)) {
            // A target pulls by K times its distance, so g/K above the groomed position it supports the weight there.
            const double stiff = local > 0 ? local * per_length * fade : global * fade;
            const double max_lift = local > 0 ? kMaxOffset * l : reach;
            const Vec3d lift =
                made.gravity * -std::min(stiff > 0 ? 1 / stiff : 0, max_lift / std::max(length(made.gravity), 1e-12));
            if (local > 0)
                target += lift;
            else {
                edge += lift - lifted;
                lifted = lift;
            }
        }
        const Vec3d to = unit_or(target, unit_or(f, {0, -1, 0}));
        const Vec3d seen = frame.seen(to);
        made.targets.set_vector(s, i, kLocalTarget, to_float(seen));
        made.targets.set(s, i, kTargetLength, static_cast<float>(length(target)));
        made.targets.set(s, i, kTargetTurn, static_cast<float>(seen.y / std::max(1 + seen.x, kFolded)));
        made.targets.set_vector(s, i, kGlobalTarget, to_float(root.seen(edge)));
        frame = frame.turned_to(to).turned_to(f * (1 / l));
    }
}

}  // namespace

bool ShapeTargets::fit(const ShapeSettings& wanted, const Vec3d& wanted_gravity) const
{
    if (lifts_targets(wanted) != lifts_targets(settings)) return false;
    return !lifts_targets(wanted) || (same_lift(wanted, settings) && wanted_gravity == gravity);
}

std::shared_ptr<const ShapeTargets> ShapeCache::find_or_make(const Groom& groom, const Strands& strands,
                                                             std::span<const float> strength,
                                                             const ShapeSettings& settings, const Vec3d& gravity,
                                                             Executor& executor)
{
    std::erase_if(made_, [](const auto& targets) { return targets.expired(); });
    for (const auto& kept : made_) {
        const std::shared_ptr<const ShapeTargets> targets = kept.lock();
        if (targets->layout == strands.shared_layout() &&
            std::equal(targets->strength.begin(), targets->strength.end(), strength.begin(), strength.end()) &&
            targets->fit(settings, gravity))
            return targets;
    }
    auto made = std::make_shared<ShapeTargets>();
    made->layout = strands.shared_layout();
    made->strength.assign(strength.begin(), strength.end());
    made->settings = settings;
    made->gravity = gravity;
    made->targets = ParticleRows(strands.layout(), kTargetRows);
    made->strands = StrandRows(strands.layout(), kShapeStrandRows);
    parallel_for(executor, strands.strand_count(), 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s)
            if (strands.bucket_of(s).ends == Ends::kRootHeld) make_targets(groom, strands, s, *made);
    });
    made_.push_back(made);
    return made;
}

ShapeInput RestShape::over_substeps(const Groom& groom, const Strands& strands, const ShapeSettings& settings,
                                    const Vec3d& gravity, double h, Executor& executor)
{
    ShapeInput input;
    if (!(settings.local > 0) && !(settings.global > 0)) return input;
    if (!targets_ || !targets_->fit(settings, gravity)) {
        targets_.reset();
        targets_ = cache_->find_or_make(groom, strands, strength_, settings, gravity, executor);
    }
    const bool by_length = settings.units == ShapeUnits::kSi;
    levels_.clear();
    blends_.clear();
    for (const Bucket& bucket : strands.buckets())
        for (int i = 0; i < bucket.levels; ++i) {
            levels_.push_back(level_over(settings, fade_at(settings, i, bucket.levels), h));
            blends_.push_back(blend_of(levels_.back(), by_length ? bucket.levels - 1 : 1));
        }
    buckets_.clear();
    size_t first_level = 0;
    for (size_t b = 0; b < strands.buckets().size(); ++b) {
        const bool equal = strength_.empty() && (strands.buckets()[b].even || !by_length);
        buckets_.push_back({targets_->targets.block(b, 0), levels_.data() + first_level,
                            equal ? blends_.data() + first_level : nullptr, strands.buckets()[b].even});
        first_level += static_cast<size_t>(strands.buckets()[b].levels);
    }
    input.buckets = buckets_;
    input.strands = &targets_->strands;
    input.by_length = by_length;
    input.paper = settings.form == Form::kPaper;
    if (input.paper) return input;
    input.load = std::clamp(settings.load, 0.0f, 1.0f);
    input.kept = static_cast<float>(exp_minus(std::max(0.0, static_cast<double>(settings.drag)) * h));
    return input;
}

}  // namespace tendril
