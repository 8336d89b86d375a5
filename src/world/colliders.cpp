#include "world/colliders.h"

#include "math/random.h"

#include <algorithm>
#include <limits>

namespace tendril {
namespace {

// Strands whose penetration is summed up together, whatever the threads.
constexpr size_t kStrandsPerSum = 256;
// What is less deep is rounding [m].
constexpr double kInside = 1e-6;

/// Distances that the strands of a groom keep, from seed and index.
void draw_layers(const Strands& strands, const ContactSettings& settings, GroomContacts& own)
{
    if (!own.layers.empty() && own.layer == settings.layer && own.seed == settings.seed) return;
    own.layers = StrandRows(strands.layout(), 1);
    own.layer = settings.layer;
    own.seed = settings.seed;
    for (size_t s = 0; s < strands.strand_count(); ++s)
        own.layers.set(s, 0, settings.layer * static_cast<float>(uniform(settings.seed, s)));
}

// How far a shape travels in a substep at most, in units of its thickness; by how much substeps are refined for that,
// and how many there are altogether.
constexpr double kMostTravel = 0.25, kThinnest = 2e-3;  // thinner shapes count as so thick [m]
constexpr int kMostRefinement = 16, kMostSubsteps = 1000;
// What comes nearer at less than this speed does not bounce [m/s].
constexpr double kLeastBounce = 0.2;

/// The depth that a rest pose may still have falls linearly to zero: what is left of it after another substep.
double retained_over(double substep, double age, double ease)
{
    const double left = ease - age;
    return left > substep ? (left - substep) / left : 0.0;
}

}  // namespace

GroomContacts::GroomContacts(const Groom& groom, const Strands& strands)
{
    const std::span<const float> widths = groom.data().widths;
    if (widths.empty()) return;
    thickness = ParticleRows(strands.layout(), 1);
    for (size_t s = 0; s < strands.strand_count(); ++s)
        for (int i = 0; i < strands.levels(s); ++i) {
            const float radius = widths[groom.first_points()[s] + static_cast<size_t>(i)] / 2;
            thickness.set(s, i, 0, radius);
            thickest = std::max(thickest, radius);
        }
}

void Colliders::sample(std::span<Body> bodies, double time, Pose* out, size_t& bad_poses)
{
    for (size_t b = 0; b < bodies.size(); ++b) {
        const auto on_body = [&](const Collider& c) { return c.body.index == b; };
        if (std::none_of(list_.begin(), list_.end(), on_body)) continue;
        bones_.resize(bodies[b].bones());
        if (!bodies[b].poses_at(time, bones_)) ++bad_poses;
        for (size_t i = 0; i < list_.size(); ++i)
            if (on_body(list_[i])) out[i] = bones_[list_[i].bone];
    }
}

bool Colliders::add(const SkinCollider& skin, const MeshView& rest, const std::vector<Vec3f>* rigid)
{
    auto added = std::make_unique<Skin>(skin, rest, rigid);
    if (!added->encloses()) return false;
    skins_.push_back(std::move(added));
    return true;
}

bool Colliders::has_skin(size_t body) const
{
    return std::any_of(skins_.begin(), skins_.end(), [body](const auto& skin) { return skin->body() == body; });
}

void Colliders::advance(std::span<Body> bodies, double time, double dt, int substeps, Executor& executor,
                        size_t& bad_poses)
{
    advance_bones(bodies, time, dt, substeps, bad_poses);
    for (const auto& skin : skins_) skin->advance(bodies[skin->body()], substeps, executor);
}

void Colliders::advance_bones(std::span<Body> bodies, double time, double dt, int substeps, size_t& bad_poses)
{
    poses_.resize((static_cast<size_t>(substeps) + 1) * list_.size());
    if (list_.empty()) return;
    for (int k = 0; k <= substeps; ++k)
        sample(bodies, time + dt * k / substeps, poses_.data() + static_cast<size_t>(k) * list_.size(), bad_poses);
}

void Colliders::set_pose(size_t body, int substep, const Pose& pose)
{
    Pose* after = poses_.data() + (static_cast<size_t>(substep) + 1) * list_.size();
    for (size_t i = 0; i < list_.size(); ++i)
        if (list_[i].body.index == body) after[i] = pose;
}

int Colliders::begin_step(std::span<Body> bodies, double time, double dt, int substeps, Executor& executor)
{
    size_t bad_poses = 0;  // counted when they are used
    advance_bones(bodies, time, dt, substeps, bad_poses);
    double fastest = 0;  // travel in a substep, in units of the thickness
    for (const auto& skin : skins_) {
        skin->begin_step(bodies[skin->body()], time, dt, executor);
        fastest = std::max(fastest, skin->travel() / substeps);
    }
    for (int k = 0; k < substeps; ++k)
        for (size_t i = 0; i < list_.size(); ++i) {
            const Pose* now = poses_.data() + static_cast<size_t>(k) * list_.size() + i;
            const ShapeSubstep shape = shape_step(list_[i], now[0], now[list_.size()], now[list_.size()].position);
            fastest = std::max(
                fastest, static_cast<double>(shape.travel) / std::max(kThinnest, static_cast<double>(shape.detail)));
        }
    int more = 1;
    while (fastest > kMostTravel * more && more < kMostRefinement && substeps * more < kMostSubsteps) more *= 2;
    return more;
}

ContactInput Colliders::contacts_of(const Strands& strands, std::span<const Vec3d> origins,
                                    const ContactSettings& settings, const StepTime& step, GroomContacts& own) const
{
    ContactInput input;
    input.count = size();
    if (input.count == 0) return input;
    draw_layers(strands, settings, own);
    own.substeps.resize(origins.size() * input.count);
    ShapeSubstep* out = own.substeps.data();
    for (size_t k = 0; k < origins.size(); ++k) {
        for_shapes(static_cast<int>(k), origins[k], [&](const ShapeSubstep& shape, size_t) { *out++ = shape; });
    }
    input.shapes = own.substeps;
    input.friction = settings.friction;
    input.static_friction = std::max(settings.friction, settings.static_friction);
    input.restitution = settings.restitution;
    const double substep = step.dt / static_cast<double>(origins.size());
    input.bounce_above = static_cast<float>(kLeastBounce * substep);
    input.stick = static_cast<float>(static_cast<double>(settings.stick) * step.dt);
    input.retained = static_cast<float>(retained_over(substep, step.age, static_cast<double>(settings.ease)));
    input.margin = settings.margin;
    if (!own.thickness.empty()) input.thickness = &own.thickness;
    input.thickest = own.thickest;
    input.layers = &own.layers;
    return input;
}

void Colliders::place(std::span<Body> bodies, double time, Executor& executor)
{
    for (const auto& skin : skins_) skin->place(bodies[skin->body()], time, executor);
    size_t bad = 0;
    now_.resize(list_.size());
    sample(bodies, time, now_.data(), bad);
    placed_.clear();
    for (size_t c = 0; c < list_.size(); ++c) placed_.emplace_back(list_[c], now_[c]);
}

double Colliders::depth(const Vec3d& p) const
{
    double depth = 0;
    for (const PlacedCollider& c : placed_)
        if (c.near(p)) depth = std::max(depth, c.depth(p));
    for (const auto& skin : skins_) depth = std::max(depth, skin->depth(p));
    return depth;
}

bool Colliders::pinched(const Vec3d& root, double room, size_t body) const
{
    return std::any_of(skins_.begin(), skins_.end(),
                       [&](const auto& skin) { return skin->body() == body && skin->pinched(root, room); });
}

Penetration Colliders::measure(const Strands& strands, const Measured& what, Executor& executor)
{
    Penetration total;
    if (size() == 0) return total;
    sums_.assign((strands.strand_count() + kStrandsPerSum - 1) / kStrandsPerSum, {});
    const auto add_strand = [&](size_t s, Penetration& sum) {
        const bool held = strands.bucket_of(s).ends != Ends::kFree;
        const int levels = strands.levels(s), first = held ? 2 : 0;  // the first segment starts in the skin
        float* depths = what.depths.data() + what.first_point[s];
        const Vec3d root = strands.root(s);
        Vec3d p = root;
        Penetration own;
        for (int i = 0; i < levels; ++i) {
            if (i > 0) p += to_double(strands.edge(s, i));
            const double depth = i < first ? 0 : this->depth(p);
            depths[i] = static_cast<float>(depth);
            if (depth <= kInside) continue;
            own.deepest = std::max(own.deepest, depth);
            own.sum += depth;
            ++own.particles;
        }
        if (own.particles == 0) return;
        if (held && pinched(root, static_cast<double>(strands.rest_length(s, 1)), what.body)) {
            std::fill(depths, depths + levels, 0.0f);
            own = {.pinched = 1};
        }
        sum.add(own);
    };
    parallel_for(executor, sums_.size(), 1, [&](size_t begin, size_t end) {
        for (size_t g = begin; g < end; ++g)
            for (size_t s = g * kStrandsPerSum; s < std::min(strands.strand_count(), (g + 1) * kStrandsPerSum); ++s)
                add_strand(s, sums_[g]);
    });
    for (const Penetration& sum : sums_) total.add(sum);
    return total;
}

void Colliders::clearances(const Strands& strands, std::span<const uint32_t> first_point, std::span<float> out,
                           Executor& executor) const
{
    parallel_for(executor, strands.strand_count(), kStrandsPerSum, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) {
            Vec3d p = strands.root(s);
            for (int i = 0; i < strands.levels(s); ++i) {
                if (i > 0) p += to_double(strands.edge(s, i));
                double depth = -std::numeric_limits<float>::max();
                for (const PlacedCollider& c : placed_) depth = std::max(depth, c.depth(p));
                for (const auto& skin : skins_) depth = std::max(depth, -skin->clearance(p));
                out[first_point[s] + static_cast<size_t>(i)] = static_cast<float>(-depth);
            }
        }
    });
}

}  // namespace tendril
