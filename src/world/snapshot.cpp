// Saving and loading the whole moving state of a world.
#include "world/state.h"

#include "math/bytes.h"

#include <algorithm>
#include <cstring>

namespace tendril {
namespace {

constexpr char kMagic[8] = {'T', 'E', 'N', 'D', 'R', 'I', 'L', 'S'};
constexpr uint32_t kVersion = 4;

struct Header {
    char magic[8];
    uint32_t version;
    uint32_t grooms, bodies, holds;
    double time, asked_time, last_dt, refined_until, age;
    int32_t last_substeps, refinement;
    uint32_t show_newest, no_history;
    uint64_t steps;
    uint64_t payload_bytes;
    uint64_t hash;  ///< of the payload and of all above
};

uint64_t hash_of(Header header, std::span<const std::byte> payload)
{
    header.hash = 0;
    return mix_bits(hash_bytes(&header, sizeof header) ^ hash_bytes(payload.data(), payload.size()));
}

struct SavedHold {
    uint64_t active, generation, groom, body, bone, strand, particle, clamped;
    Vec3d offset, slide, along, across;
    double until;
};

}  // namespace

std::vector<std::byte> World::save() const
{
    const State& w = *state_;
    std::vector<std::byte> payload;
    std::vector<double> tracks;
    for (const Body& body : w.bodies) body.save(tracks);
    const uint64_t track_size = tracks.size();
    append_bytes(payload, &track_size, 1);
    append_bytes(payload, tracks.data(), tracks.size());
    for (const HoldState& h : w.holds) {
        const SavedHold saved{h.active,  h.generation, h.groom, h.body,  h.bone,   h.strand, h.particle,
                              h.clamped, h.offset,     h.slide, h.along, h.across, h.until};
        append_bytes(payload, &saved, 1);
    }
    for (const GroomInstance& groom : w.grooms) {
        groom.strands.save(payload);
        if (groom.solver) groom.solver->save(payload);
    }
    for (size_t i = 0; i < w.rigid_bodies.size(); ++i) append_bytes(payload, &w.rigid->motion(i), 1);
    const uint64_t tie_count = w.ties.size();
    append_bytes(payload, &tie_count, 1);
    append_bytes(payload, w.ties.data(), w.ties.size());
    if (w.strings) w.strings->save(payload);

    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.version = kVersion;
    header.grooms = static_cast<uint32_t>(w.grooms.size());
    header.bodies = static_cast<uint32_t>(w.bodies.size());
    header.holds = static_cast<uint32_t>(w.holds.size());
    header.time = w.time;
    header.asked_time = w.asked_time;
    header.last_dt = w.last_dt;
    header.last_substeps = w.last_substeps;
    header.refinement = w.refinement;
    header.refined_until = w.refined_until;
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

    // All or nothing: what does not fit leaves the world as it was.
    const std::vector<std::byte> before = save();
    if (header.grooms == state_->grooms.size() && header.bodies == state_->bodies.size() &&
        state_->load_payload(bytes, header.holds)) {
        State& w = *state_;
        w.time = header.time;
        w.asked_time = header.asked_time;
        w.last_dt = header.last_dt;
        w.last_substeps = header.last_substeps;
        w.refinement = header.refinement;
        w.refined_until = header.refined_until;
        w.age = header.age;
        w.show_newest = header.show_newest != 0;
        w.has_history = header.no_history == 0;
        w.steps = header.steps;
        return header.steps;
    }
    const size_t holds = state_->holds.size();
    state_->load_payload(std::span(before).subspan(sizeof(Header)), holds);
    return Error{"state: saved from another scene; grooms, strands, rest lengths, bodies or holds differ"};
}

bool World::State::load_payload(std::span<const std::byte> bytes, size_t hold_count)
{
    uint64_t track_size = 0;
    if (!take_bytes(bytes, &track_size, 1) || track_size > bytes.size() / sizeof(double)) return false;
    std::vector<double> tracks(track_size);
    if (!take_bytes(bytes, tracks.data(), tracks.size()) || hold_count > bytes.size() / sizeof(SavedHold)) return false;
    std::vector<HoldState> loaded(hold_count);
    for (HoldState& h : loaded) {
        SavedHold s;
        if (!take_bytes(bytes, &s, 1)) return false;
        const auto index = [](uint64_t saved) { return static_cast<size_t>(saved); };
        h = {s.active != 0,
             static_cast<uint32_t>(s.generation),
             index(s.groom),
             index(s.body),
             index(s.bone),
             index(s.strand),
             index(s.particle),
             s.offset,
             s.slide,
             s.clamped != 0,
             s.along,
             s.across,
             s.until};
        if (!fits(h)) return false;
    }
    std::span<const double> rest(tracks);
    for (Body& body : bodies)
        if (!body.load(rest)) return false;
    take_over_settings();
    for (GroomInstance& groom : grooms)
        if (!groom.strands.load(bytes) || (groom.solver && !groom.solver->load(groom.strands, bytes))) return false;
    for (size_t i = 0; i < rigid_bodies.size(); ++i) {
        RigidMotion motion;
        if (!take_bytes(bytes, &motion, 1)) return false;
        rigid->set_motion(i, motion);
    }
    uint64_t tie_count = 0;
    if (!take_bytes(bytes, &tie_count, 1) || tie_count > bytes.size() / sizeof(StringTie)) return false;
    std::vector<StringTie> tied(tie_count);
    if (!take_bytes(bytes, tied.data(), tied.size())) return false;
    size_t particles = 0;
    for (const GroomInstance& groom : grooms) particles += groom.groom.point_count();
    for (const StringTie& tie : tied)
        if (tie.a >= particles || tie.b >= particles) return false;
    ties = std::move(tied);
    strings.reset();  // made anew from the strands, then told what it was
    take_over_settings();
    if (strings && !bytes.empty() && !strings->load(bytes)) return false;
    holds = std::move(loaded);
    return true;
}

}  // namespace tendril
