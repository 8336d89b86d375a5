#include "session/hands.h"

#include <algorithm>
#include <cmath>

namespace tendril::session {
namespace {

/// The edge of the segment that begins at a particle, or of the last segment if the particle is the tip.
Vec3d segment_at(const World& world, GroomId groom, size_t strand, size_t particle)
{
    const size_t last = world.groom(groom).points(strand).size() - 1, i = std::min(particle, last - 1);
    return world.position({groom, strand, i + 1}) - world.position({groom, strand, i});
}

}  // namespace

Result<uint32_t> Hands::grab(World& world, const Hit& hit, bool clamped)
{
    const GroomId groom{hit.groom};
    if (groom.index >= world.groom_count() || hit.strand >= world.groom(groom).strand_count() ||
        hit.particle >= world.groom(groom).points(hit.strand).size() || !is_finite(hit.point))
        return Error{"there is no such strand or particle to hold"};
    Hand& hand = unused(world);
    std::optional<Error> wrong;
    // If a body already holds the particle, try its neighbours.
    for (const int beside : {0, 1, -1}) {
        const auto particle = static_cast<size_t>(static_cast<int64_t>(hit.particle) + beside);
        if (particle >= world.groom(groom).points(hit.strand).size()) continue;
        const Vec3d segment = segment_at(world, groom, hit.strand, particle);
        const double reach = length(segment);
        hand.axis = reach > 0 ? segment * (1 / reach) : Vec3d{1, 0, 0};
        hand.pose = {hit.point, {}};
        // The hand holds the strand at the hit point, which is on a segment and not at its end.
        const double along = dot(world.position({groom, hit.strand, particle}) - hit.point, hand.axis);
        const Vec3d offset = hand.axis * std::clamp(along, -2 * reach, 2 * reach);
        world.push_poses(hand.body, {&hand.pose, 1}, world.time());
        world.teleport(hand.body);
        const auto held = world.hold({groom, hit.strand, particle}, hand.body, 0, offset, {.clamped = clamped});
        if (held) {
            hand.hold = *held;
            hand.used = true;
            return hand.number = ++numbers_;
        }
        if (!wrong) wrong = Error{held.error()};
    }
    return *wrong;
}

void Hands::move(uint32_t number, const Vec3d& to, double twist)
{
    Hand* hand = find(number);
    if (hand && is_finite(to) && std::isfinite(twist)) hand->pose = {to, rotation_about(hand->axis, twist)};
}

void Hands::release(World& world, uint32_t number)
{
    Hand* hand = find(number);
    if (!hand) return;
    world.release(hand->hold);
    hand->used = false;
}

void Hands::tell(World& world)
{
    for (const Hand& hand : hands_)
        if (hand.used) world.push_poses(hand.body, {&hand.pose, 1});
}

void Hands::forget()
{
    hands_.clear();
}

Hands::Hand* Hands::find(uint32_t number)
{
    const auto found =
        std::find_if(hands_.begin(), hands_.end(), [&](const Hand& h) { return h.used && h.number == number; });
    return found == hands_.end() ? nullptr : &*found;
}

Hands::Hand& Hands::unused(World& world)
{
    for (Hand& hand : hands_)
        if (!hand.used) return hand;
    hands_.emplace_back();
    hands_.back().body = world.add_body({.name = "hand"});
    return hands_.back();
}

}  // namespace tendril::session
