#include "world/colliders.h"

#include <algorithm>
#include <limits>

namespace tendril {
namespace {

// The penetration is summed over groups of this many strands, so that the result does not depend on threads.
constexpr size_t kStrandsPerSum = 256;
// Penetration below this is rounding [m].
constexpr double kMinPenetration = 1e-6;

// Largest travel of a collider in a substep, in units of its thickness.
constexpr double kMaxTravel = 0.25;
// Colliders that are thinner than this are treated as this thick [m].
constexpr double kMinThickness = 2e-3;
constexpr int kMaxSubsteps = 1000;
// A collider has jumped if in one step it moves farther than its own size and faster than this [m/s]. A host that
// teleports a body should call World::teleport.
constexpr double kJumpSpeed = 50;
// Particles that approach a collider more slowly than this do not bounce [m/s].
constexpr double kMinBounce = 0.2;

}  // namespace

bool Colliders::has_skin(const WorldBody& body) const
{
    return std::any_of(begin(), end(), [&](const WorldCollider& c) { return c.skin && c.body == &body; });
}

void Colliders::update_active()
{
    ++version_;
    active_.clear();
    for (const bool skins : {false, true})
        for (const WorldCollider& c : *this)
            if ((c.skin != nullptr) == skins && c.enabled && c.body->enabled) active_.push_back(&c);
}

Colliders::Travel Colliders::travel_of(const WorldCollider& c, const TimeSpan& span) const
{
    Travel travel{{}, 0};
    double size = 0;
    for (int k = 0; k < span.substeps; ++k) {
        const Pose &before = c.body->bone(k, c.description.bone), &after = c.body->bone(k + 1, c.description.bone);
        const ColliderSubstep collider = collider_substep(c.description, before, after, after.position);
        const double thickness = std::max(kMinThickness, static_cast<double>(collider.detail));
        const double moved = static_cast<double>(collider.max_travel);
        travel.relative = std::max(travel.relative, moved / thickness);
        size = 2 * static_cast<double>(collider.bounding_radius);
        travel.swept.include_ball(after.position + to_double(collider.centre), size / 2 + moved);
    }
    const double way = length(c.body->samples.back().bones[c.description.bone].position -
                              c.body->samples.front().bones[c.description.bone].position);
    if (way > std::max(size, kJumpSpeed * span.dt)) travel.relative = 0;
    return travel;
}

void Colliders::begin_step(const TimeSpan& span, Executor& executor)
{
    travels_.clear();
    substeps_ = span.substeps;
    for (const WorldCollider* c : active_) {
        if (!c->skin) {
            travels_.push_back(travel_of(*c, span));
            continue;
        }
        c->skin->begin_step(*c->body, span, executor);
        const bool jumped = c->skin->way() > std::max(c->skin->size(), kJumpSpeed * span.dt);
        travels_.push_back({c->skin->swept(), jumped ? 0 : c->skin->travel() / span.substeps});
    }
}

bool Colliders::any_fast() const
{
    return std::any_of(travels_.begin(), travels_.end(), [](const Travel& t) { return t.relative > kMaxTravel; });
}

int Colliders::refinement(const WorldBox& reach, int limit) const
{
    double fastest = 0;
    for (size_t i = 0; i < active_.size(); ++i) {
        double relative = travels_[i].relative;
        if (relative <= std::max(fastest, kMaxTravel) || !travels_[i].swept.meets(reach)) continue;
        if (active_[i]->skin) relative = active_[i]->skin->travel(reach) / substeps_;
        fastest = std::max(fastest, relative);
    }
    int more = 1;
    while (fastest > kMaxTravel * more && 2 * more <= limit && substeps_ * more < kMaxSubsteps) more *= 2;
    return more;
}

void Colliders::advance(const TimeSpan& span, Executor& executor)
{
    const auto has_fields = [](const WorldCollider* c) { return c->skin && c->skin->has_fields(); };
    const auto skins = static_cast<size_t>(std::count_if(active_.begin(), active_.end(), has_fields));
    for (const WorldCollider* c : active_)
        if (c->skin) c->skin->advance(*c->body, span, skins, executor);
}

FieldSize Colliders::field_size() const
{
    FieldSize total;
    for (const WorldCollider* c : active_) {
        if (!c->skin || !c->skin->has_fields()) continue;
        const FieldSize own = c->skin->field_size();
        const size_t nodes = total.nodes + own.nodes, blocks = total.blocks + own.blocks;
        total.include(own);
        total.nodes = nodes;
        total.blocks = blocks;
    }
    return total;
}

ContactInput Colliders::contacts_of(const Strands& strands, std::span<const Vec3d> origins, int stride,
                                    const ContactSettings& settings, const StepTime& step, GroomContacts& own) const
{
    ContactInput input;
    input.count = active_.size();
    if (input.count == 0) return input;
    own.draw_layers(strands.layout(), settings);
    own.substeps.resize(origins.size() * input.count);
    ColliderSubstep* out = own.substeps.data();
    for (size_t k = 0; k < origins.size(); ++k) {
        const int from = static_cast<int>(k) * stride;
        for_each(from, from + stride, origins[k],
                 [&](const ColliderSubstep& collider, const WorldCollider&) { *out++ = collider; });
    }
    input.colliders = own.substeps;
    input.friction = settings.friction;
    input.static_friction = std::max(settings.friction, settings.static_friction);
    input.restitution = settings.restitution;
    const double substep = step.dt / static_cast<double>(origins.size());
    input.bounce_above = static_cast<float>(kMinBounce * substep);
    input.stick = static_cast<float>(static_cast<double>(settings.stick) * step.dt);
    input.retained = static_cast<float>(retained_penetration(substep, step.age, static_cast<double>(settings.ease)));
    input.margin = settings.margin;
    if (!own.thickness->radius.empty()) input.thickness = &own.thickness->radius;
    input.thickest = own.thickness->thickest;
    input.layers = &own.layers;
    return input;
}

void Colliders::place(double time, Executor& executor)
{
    posed_.clear();
    const WorldBody* sampled = nullptr;
    for (const WorldCollider* c : active_) {
        if (c->body != sampled) c->body->body.look(time, sample_);
        sampled = c->body;
        if (c->skin)
            c->skin->place(*c->body, sample_, executor);
        else
            posed_.emplace_back(c->description, sample_.bones[c->description.bone]);
    }
}

MeshDepth::Sided Colliders::depth(const Vec3d& p) const
{
    MeshDepth::Sided total;
    for (const PosedCollider& c : posed_)
        if (c.near(p)) total.depth = std::max(total.depth, c.depth(p));
    for (const WorldCollider* c : active_) {
        if (!c->skin) continue;
        const MeshDepth::Sided own = c->skin->depth(p);
        total.depth = std::max(total.depth, own.depth);
        total.known = total.known && own.known;
    }
    return total;
}

bool Colliders::pinched(const Vec3d& root, double room, const WorldBody& body) const
{
    return std::any_of(active_.begin(), active_.end(), [&](const WorldCollider* c) {
        return c->skin && c->body == &body && c->skin->pinched(root, room);
    });
}

Penetration Colliders::measure(const Groom& groom, const WorldBody& body, const PositionsOf& positions,
                               std::span<float> depths, Executor& executor)
{
    Penetration total;
    if (active_.empty()) return total;
    const size_t strands = groom.strand_count();
    sums_.assign((strands + kStrandsPerSum - 1) / kStrandsPerSum, {});
    const auto add_strand = [&](size_t s, std::vector<Vec3d>& points, Penetration& sum) {
        const bool held = groom.ends(s) != Ends::kFree;
        points.resize(groom.points(s).size());
        positions(s, points);
        const size_t first = held ? 2 : 0;  // the first segment starts in the skin
        const std::span<float> of_strand = depths.subspan(groom.first_points()[s], points.size());
        Penetration own;
        for (size_t i = 0; i < points.size(); ++i) {
            const auto [depth, known] = i < first ? MeshDepth::Sided{} : this->depth(points[i]);
            of_strand[i] = static_cast<float>(depth);
            own.unknown += !known && depth <= kMinPenetration;
            if (depth <= kMinPenetration) continue;
            own.deepest = std::max(own.deepest, depth);
            own.sum += depth;
            ++own.particles;
        }
        if (own.particles == 0) return sum.add(own);
        if (held && pinched(points[0], static_cast<double>(groom.rest_lengths(s)[1]), body)) {
            std::fill(of_strand.begin(), of_strand.end(), 0.0f);
            own = {.pinched = 1};
        }
        sum.add(own);
    };
    parallel_for(executor, sums_.size(), 1, [&](size_t begin, size_t end) {
        std::vector<Vec3d> points;
        for (size_t g = begin; g < end; ++g)
            for (size_t s = g * kStrandsPerSum; s < std::min(strands, (g + 1) * kStrandsPerSum); ++s)
                add_strand(s, points, sums_[g]);
    });
    for (const Penetration& sum : sums_) total.add(sum);
    return total;
}

void Colliders::clearances(const Groom& groom, const PositionsOf& positions, std::span<float> out,
                           Executor& executor) const
{
    parallel_for(executor, groom.strand_count(), kStrandsPerSum, [&](size_t begin, size_t end) {
        std::vector<Vec3d> points;
        for (size_t s = begin; s < end; ++s) {
            points.resize(groom.points(s).size());
            positions(s, points);
            for (size_t i = 0; i < points.size(); ++i) {
                double depth = -std::numeric_limits<float>::max();
                for (const PosedCollider& c : posed_) depth = std::max(depth, c.depth(points[i]));
                for (const WorldCollider* c : active_)
                    if (c->skin) depth = std::max(depth, -c->skin->clearance(points[i]));
                out[groom.first_points()[s] + i] = static_cast<float>(-depth);
            }
        }
    });
}

}  // namespace tendril
