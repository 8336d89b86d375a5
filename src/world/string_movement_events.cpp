// Events of strings: tears, cuts and touches.
#include "world/string_movement.h"

#include <algorithm>

namespace tendril {
namespace {

constexpr size_t kMaxEvents = 100'000;  // waiting for the host to take them

}  // namespace

size_t StringMovement::index_of(const ParticleId& p) const
{
    for (const Member& m : members_)
        if (m.groom->id == p.groom) return particle(m, p.strand, p.particle);
    return 0;
}

ParticleId StringMovement::id_of(size_t index) const
{
    const Member& m = members_[strings_.owner[index]];
    const auto first = m.groom->groom.first_points();
    const auto within = static_cast<uint32_t>(index - m.first);
    const auto s = static_cast<size_t>(std::upper_bound(first.begin(), first.end(), within) - first.begin()) - 1;
    return {m.groom->id, static_cast<uint32_t>(s), within - first[s]};
}

StringEvent StringMovement::event_at(StringEventKind kind, size_t segment, double time) const
{
    StringEvent event;
    event.kind = kind;
    event.time = time;
    event.segment = id_of(segment);
    event.position = (strings_.position[segment] + strings_.position[segment + 1]) * 0.5;
    return event;
}

void StringMovement::record(const StringEvent& event)
{
    if (events_.size() < kMaxEvents) events_.push_back(event);
}

void StringMovement::record_events(double time)
{
    for (const size_t segment : stepper_.torn) {
        StringEvent event = event_at(StringEventKind::kTorn, segment, time);
        event.tension = strings_.tension[segment];
        record(event);
    }
    stepper_.torn.clear();
    touching_.clear();
    for (const StringContact& c : stepper_.contacts.contacts())
        if (c.push > 0) touching_.push_back(c.pair);
    std::sort(touching_.begin(), touching_.end());
    for (const SegmentPair& pair : touching_) {
        // If neighbouring segments touched in the last step, this is the same contact, which has slid on.
        const auto near = [&](const SegmentPair& old) {
            const auto apart = [](uint32_t a, uint32_t b) { return a > b ? a - b : b - a; };
            return apart(old.a, pair.a) <= 1 && apart(old.b, pair.b) <= 1;
        };
        const auto from = std::lower_bound(touched_.begin(), touched_.end(), SegmentPair{pair.a - (pair.a > 0), 0});
        const auto to = std::lower_bound(touched_.begin(), touched_.end(), SegmentPair{pair.a + 2, 0});
        if (std::any_of(from, to, near)) continue;
        StringEvent event = event_at(StringEventKind::kTouched, pair.a, time);
        event.other = id_of(pair.b);
        record(event);
    }
    std::swap(touched_, touching_);
}

void StringMovement::take_events(std::vector<StringEvent>& out)
{
    out.insert(out.end(), events_.begin(), events_.end());
    events_.clear();  // keeps its memory
}

}  // namespace tendril
