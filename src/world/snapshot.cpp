// Saves and loads the whole moving state of a world.
#include "world/state.h"

#include "math/bytes.h"

#include <algorithm>
#include <cstring>

namespace tendril {
namespace {

constexpr char kMagic[8] = {'T', 'E', 'N', 'D', 'R', 'I', 'L', 'S'};
constexpr uint32_t kVersion = 8;

struct Header {
    char magic[8];
    uint32_t version;
    uint32_t grooms, bodies, holds;
    double time, requested_time, last_dt, age;
    uint32_t show_newest, no_history;
    uint64_t steps;
    uint64_t payload_bytes;
    uint64_t hash;  ///< of the payload and of the members above
};

uint64_t hash_of(Header header, std::span<const std::byte> payload)
{
    header.hash = 0;
    return mix_bits(hash_bytes(&header, sizeof header) ^ hash_bytes(payload.data(), payload.size()));
}

/// A hold, with its groom and body by their position in the world.
struct SavedHold {
    uint64_t groom, body, bone, strand, particle, clamped;
    Vec3d offset, slide, along, across;
    double until;
};

struct SavedRefinement {
    double until;
    int64_t factor;
};

}  // namespace

std::vector<std::byte> World::save() const
{
    const State& w = *state_;
    std::vector<std::byte> payload;
    std::vector<double> tracks;
    for (const WorldBody& body : w.bodies) body.body.save(tracks);
    const uint64_t track_size = tracks.size();
    append_bytes(payload, &track_size, 1);
    append_bytes(payload, tracks.data(), tracks.size());
    for (const HoldState& h : w.holds) {
        const SavedHold saved{w.grooms.position(*h.groom),
                              w.bodies.position(*h.body),
                              h.bone,
                              h.strand,
                              h.particle,
                              h.clamped,
                              h.offset,
                              h.slide,
                              h.along,
                              h.across,
                              h.until};
        append_bytes(payload, &saved, 1);
    }
    for (const GroomInstance& groom : w.grooms) {
        const SavedRefinement saved{groom.refined_until, groom.refinement};
        append_bytes(payload, &saved, 1);
    }
    w.save_switches(payload);
    w.rigid.save(payload);
    for (const auto& movement : w.movements) movement->save(payload);

    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.version = kVersion;
    header.grooms = static_cast<uint32_t>(w.grooms.size());
    header.bodies = static_cast<uint32_t>(w.bodies.size());
    header.holds = static_cast<uint32_t>(w.holds.size());
    header.time = w.time;
    header.requested_time = w.requested_time;
    header.last_dt = w.last_dt;
    header.age = w.age;
    header.steps = w.steps;
    header.show_newest = w.show_newest;
    header.no_history = !w.has_history;
    header.payload_bytes = payload.size();
    header.hash = hash_of(header, payload);
    std::vector<std::byte> out;
    out.reserve(sizeof header + payload.size());
    append_bytes(out, &header, 1);
    append_bytes(out, payload.data(), payload.size());
    return out;
}

Result<uint64_t> World::load(std::span<const std::byte> bytes)
{
    Header header;
    if (!take_bytes(bytes, &header, 1) || std::memcmp(header.magic, kMagic, sizeof kMagic) != 0)
        return Error{"state: not a saved state of Tendril; make one with --save-state"};
    if (header.version != kVersion) return Error{"state: saved by another version; run the scene from its start"};
    if (header.payload_bytes != bytes.size() || header.hash != hash_of(header, bytes))
        return Error{"state: damaged or cut off; save it again"};

    // If the state does not fit, the world must stay as it was.
    const std::vector<std::byte> before = save();
    ++state_->changes;
    if (header.grooms == state_->grooms.size() && header.bodies == state_->bodies.size() &&
        state_->load_payload(bytes, header.holds, header.time)) {
        State& w = *state_;
        w.time = header.time;
        w.requested_time = header.requested_time;
        w.last_dt = header.last_dt;
        w.age = header.age;
        w.show_newest = header.show_newest != 0;
        w.has_history = header.no_history == 0;
        w.steps = header.steps;
        for (WorldBody& body : w.bodies) body.stood_until = -std::numeric_limits<double>::infinity();
        return header.steps;
    }
    const size_t holds = state_->holds.size();
    state_->load_payload(std::span(before).subspan(sizeof(Header)), holds, state_->time);
    return Error{"state: saved from another scene; grooms, strands, rest lengths, bodies or holds differ"};
}

bool World::State::load_payload(std::span<const std::byte> bytes, size_t hold_count, double saved_time)
{
    uint64_t track_size = 0;
    if (!take_bytes(bytes, &track_size, 1) || track_size > bytes.size() / sizeof(double)) return false;
    std::vector<double> tracks(track_size);
    if (!take_bytes(bytes, tracks.data(), tracks.size()) || hold_count > bytes.size() / sizeof(SavedHold)) return false;
    std::span<const std::byte> saved_holds = bytes.first(hold_count * sizeof(SavedHold));
    bytes = bytes.subspan(saved_holds.size());
    std::span<const double> rest(tracks);
    for (WorldBody& body : bodies)
        if (!body.body.load(rest)) return false;
    apply_settings();
    for (GroomInstance& groom : grooms) sample_roots(groom.anchors, *groom.body, saved_time, groom.roots);
    for (GroomInstance& groom : grooms) {
        SavedRefinement saved;
        if (!take_bytes(bytes, &saved, 1)) return false;
        groom.refined_until = saved.until;
        groom.refinement = static_cast<int>(saved.factor);
    }
    if (!load_switches(bytes) || !rigid.load(bytes)) return false;
    for (const auto& movement : movements)
        if (!movement->load(bytes)) return false;
    return load_holds(saved_holds);
}

void World::State::save_switches(std::vector<std::byte>& out) const
{
    for (const WorldBody& body : bodies) append_bytes(out, &body.enabled, 1);
    const uint64_t collider_count = colliders.size();
    append_bytes(out, &collider_count, 1);
    for (const WorldCollider& collider : colliders) append_bytes(out, &collider.enabled, 1);
    for (const GroomInstance& groom : grooms) {
        append_bytes(out, &groom.enabled, 1);
        if (groom.enabled) continue;
        // The groom is carried from these roots when it is switched on.
        append_bytes(out, groom.roots.bones.data(), groom.roots.bones.size());
        append_bytes(out, groom.roots.vertices.data(), groom.roots.vertices.size());
    }
}

bool World::State::load_switches(std::span<const std::byte>& in)
{
    const auto load = [&in](bool& enabled) {
        uint8_t byte = 0;
        if (!take_bytes(in, &byte, 1) || byte > 1) return false;
        enabled = byte == 1;
        return true;
    };
    uint64_t collider_count = 0;
    for (WorldBody& body : bodies)
        if (!load(body.enabled)) return false;
    if (!take_bytes(in, &collider_count, 1) || collider_count != colliders.size()) return false;
    for (WorldCollider& collider : colliders)
        if (!load(collider.enabled)) return false;
    colliders.update_active();
    rigid.rebuild();
    for (GroomInstance& groom : grooms) {
        if (!load(groom.enabled)) return false;
        if (groom.enabled) continue;
        RootPose& roots = groom.roots;
        if (!take_bytes(in, roots.bones.data(), roots.bones.size()) ||
            !take_bytes(in, roots.vertices.data(), roots.vertices.size()))
            return false;
    }
    return true;
}

bool World::State::load_holds(std::span<const std::byte> bytes)
{
    std::vector<SavedHold> saved(bytes.size() / sizeof(SavedHold));
    if (!take_bytes(bytes, saved.data(), saved.size())) return false;
    const auto fits = [&](const SavedHold& h) {
        return h.groom < grooms.size() && h.body < bodies.size() && h.bone < bodies[h.body].body.bones() &&
               h.strand < grooms[h.groom].groom.strand_count() && h.particle < grooms[h.groom].particles(h.strand) &&
               is_finite(h.offset);
    };
    if (!std::all_of(saved.begin(), saved.end(), fits)) return false;
    // Existing holds are reused, so they keep their ids.
    while (holds.size() > saved.size()) holds.remove(holds[holds.size() - 1]);
    while (holds.size() < saved.size()) holds.add();
    for (size_t i = 0; i < saved.size(); ++i) {
        const SavedHold& from = saved[i];
        HoldState& to = holds[i];
        to.groom = &grooms[from.groom];
        to.strand = from.strand;
        to.particle = from.particle;
        to.body = &bodies[from.body];
        to.bone = from.bone;
        to.offset = from.offset;
        to.slide = from.slide;
        to.clamped = from.clamped != 0;
        to.along = from.along;
        to.across = from.across;
        to.until = from.until;
    }
    return true;
}

}  // namespace tendril
