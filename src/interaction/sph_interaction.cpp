#include "interaction/sph_interaction.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// Blocks per task, enough to make the overhead of a task negligible.
constexpr size_t kBlocksAtOnce = 4;
// Factor on rest densities, so that the rounding of positions does not cause pressure.
constexpr float kRestTolerance = 1.0005f;
// Foreign particles act within h of the box of a cluster. Boxes that are farther apart than the first distance have
// none in common; with a gap of the second distance between them in the arrays, clusters do not interact [h].
constexpr double kMergeDistance = 2, kGap = 4;
// Maximum default smoothing length [segments]. Hair that stands up in its rest pose is many times as dense when it
// hangs: a longer one would find hundreds of neighbours there without preserving more volume.
constexpr double kMaxReach = 1.5;
// Other masses would leave the range of floats [kg].
constexpr double kLightest = 1e-15, kHeaviest = 1e6;
// So would the effect of faster particles on their neighbours [m/s].
constexpr float kFastest = 1e6f;

bool usable(const ForeignParticle& p)
{
    return is_finite(p.position) && length(p.velocity) <= kFastest && p.mass >= static_cast<float>(kLightest) &&
           p.mass <= static_cast<float>(kHeaviest) && p.rest_density >= 0;
}

GridBox box_around(std::span<const Vec3f> points)
{
    Vec3f low = points[0], high = points[0];
    for (const Vec3f& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return {to_double(low), to_double(high)};
}

/// Whether both settings give the same rest densities.
bool same_rest(const SphSettings& a, const SphSettings& b)
{
    return a.smoothing_length == b.smoothing_length && a.units == b.units;
}

}  // namespace

void SphInteraction::apply(std::span<const InteractingGroom> grooms, const InteractionStep& step, Executor& executor)
{
    if (grooms.empty() || idle()) return;
    prepare(grooms, executor);
    gather(grooms, step.last_dt, executor);
    find_clusters(grooms);
    shift_to_clusters(grooms, executor);
    gather_foreign(step.foreign);
    sph_.accelerations({positions_, velocities_, masses_, rest_densities_}, static_cast<float>(step.dt), accelerations_,
                       executor);
    // The drift is in metres per substep; the acceleration over the whole step is added at its start.
    parallel_for(executor, blocks_.size(), kBlocksAtOnce, [&](size_t begin, size_t end) {
        for (size_t b = begin; b < end; ++b) {
            const InteractingGroom& groom = grooms[blocks_[b].groom];
            const auto share = static_cast<float>(step.dt * groom.substep);
            scatter_block(*groom.strands, blocks_[b], share, accelerations_.data());
        }
    });
    for (size_t i = 0; i < foreign_.size(); ++i) step.foreign_accelerations[foreign_[i]] = accelerations_[hair_ + i];
}

void SphInteraction::prepare(std::span<const InteractingGroom> grooms, Executor& executor)
{
    if (grooms.empty() || idle()) return;
    SphSettings settings = settings_;
    settings.smoothing_length = sph_.settings().smoothing_length;
    sph_.set(settings);
    sph_.set_form(form_);
    if (!known_grooms_.changed(grooms) && same_rest(settings_, known_settings_)) return;
    known_settings_ = settings_;
    list_blocks(grooms);
    measure_rest(grooms, executor);
}

void SphInteraction::list_blocks(std::span<const InteractingGroom> grooms)
{
    blocks_.clear();
    masses_.clear();
    hair_ = 0;
    for (size_t g = 0; g < grooms.size(); ++g) {
        const std::span<const Bucket> buckets = grooms[g].strands->buckets();
        for (size_t k = 0; k < buckets.size(); ++k)
            for (size_t block = 0; block < buckets[k].blocks; ++block) {
                const size_t count = strands_in(buckets[k], block) * static_cast<size_t>(buckets[k].levels);
                blocks_.push_back({g, k, block, hair_, count});
                hair_ += count;
            }
        masses_.resize(hair_, static_cast<float>(std::clamp(grooms[g].particle_mass, kLightest, kHeaviest)));
    }
    frames_.resize(grooms.size());
    block_boxes_.resize(blocks_.size());
    rest_densities_.resize(hair_);
    for (auto* vectors : {&positions_, &velocities_, &accelerations_}) vectors->resize(hair_);
}

size_t SphInteraction::gather_rest(std::span<const InteractingGroom> grooms, size_t first, std::vector<size_t>& indices)
{
    indices.clear();
    FlatBlock to;
    for (size_t g = first; g < grooms.size(); ++g) {
        if (grooms[g].rest_space != grooms[first].rest_space) continue;
        Strands at_rest(*grooms[g].groom, RootKind::kOnBone);
        place_at_rest(at_rest, *grooms[g].groom, {0, 0, 0});
        const FrameSubstep still = frame_step(at_rest.frame, at_rest.frame);
        for (const FlatBlock& b : blocks_) {
            if (b.groom != g) continue;
            to.bucket = b.bucket;
            to.block = b.block;
            gather_block(at_rest, still, to, 0, positions_.data(), velocities_.data());
            to.first += b.count;
            for (size_t i = 0; i < b.count; ++i) indices.push_back(b.first + i);
        }
    }
    return indices.size();
}

double SphInteraction::choose_smoothing_length(std::span<const InteractingGroom> grooms, Executor& executor)
{
    std::vector<size_t> indices;
    double mean = 0, seen = 0;  // mean and weight, by particles
    for (size_t g = 0; g < grooms.size(); ++g) {
        if (!is_first_in_rest_space(grooms, g)) continue;
        const size_t n = gather_rest(grooms, g, indices);
        seen += static_cast<double>(n);
        const double own = static_cast<double>(smoothing_length_of(std::span(positions_).first(n), executor));
        mean += (std::min(own, kMaxReach * mean_segment(*grooms[g].groom)) - mean) * static_cast<double>(n) / seen;
    }
    return mean;
}

void SphInteraction::measure_rest(std::span<const InteractingGroom> grooms, Executor& executor)
{
    SphSettings settings = settings_;
    constexpr float kMinLength = 1e-4f;
    settings.smoothing_length = settings.smoothing_length > 0
                                    ? std::max(settings.smoothing_length, kMinLength)
                                    : static_cast<float>(choose_smoothing_length(grooms, executor));
    sph_.set(settings);
    std::vector<size_t> indices;
    std::vector<float> masses, densities;
    for (size_t g = 0; g < grooms.size(); ++g) {
        if (!is_first_in_rest_space(grooms, g)) continue;
        const size_t n = gather_rest(grooms, g, indices);
        masses.clear();
        for (const size_t index : indices) masses.push_back(masses_[index]);
        densities.resize(n);
        sph_.densities(std::span(positions_).first(n), masses, densities, executor);
        for (size_t i = 0; i < n; ++i) rest_densities_[indices[i]] = densities[i] * kRestTolerance;
    }
}

void SphInteraction::gather(std::span<const InteractingGroom> grooms, double last_dt, Executor& executor)
{
    for (size_t g = 0; g < grooms.size(); ++g)
        frames_[g] = frame_step(grooms[g].strands->frame_before, grooms[g].strands->frame);
    const auto per_second = static_cast<float>(1 / last_dt);
    parallel_for(executor, blocks_.size(), kBlocksAtOnce, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const FlatBlock& b = blocks_[i];
            gather_block(*grooms[b.groom].strands, frames_[b.groom], b, per_second, positions_.data(),
                         velocities_.data());
            block_boxes_[i] = box_around(std::span(positions_).subspan(b.first, b.count));
        }
    });
}

void SphInteraction::find_clusters(std::span<const InteractingGroom> grooms)
{
    clusters_.clear();
    for (size_t i = 0; i < blocks_.size(); ++i) {
        const size_t g = blocks_[i].groom;
        const Vec3d origin = grooms[g].strands->frame.position;
        const GridBox box{block_boxes_[i].low + origin, block_boxes_[i].high + origin};
        if (g == clusters_.boxes.size()) clusters_.add(box);
        clusters_.boxes[g] = united(clusters_.boxes[g], box);
    }
    clusters_.merge_near(kMergeDistance * smoothing_length());
    lay_out_clusters();
}

void SphInteraction::lay_out_clusters()
{
    double x = 0;
    origins_.resize(clusters_.boxes.size());
    for (size_t c = 0; c < origins_.size(); ++c) {
        if (!clusters_.exists(c)) continue;
        const GridBox& box = clusters_.boxes[c];
        origins_[c] = box.low - Vec3d{x, 0, 0};
        x += box.high.x - box.low.x + kGap * smoothing_length();
    }
}

void SphInteraction::shift_to_clusters(std::span<const InteractingGroom> grooms, Executor& executor)
{
    parallel_for(executor, blocks_.size(), kBlocksAtOnce, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const FlatBlock& b = blocks_[i];
            const Vec3d origin = origins_[clusters_.of[b.groom]];
            const Vec3f shift = to_float(grooms[b.groom].strands->frame.position - origin);
            for (Vec3f& p : std::span(positions_).subspan(b.first, b.count)) p += shift;
        }
    });
}

size_t SphInteraction::cluster_around(const Vec3d& position) const
{
    size_t c = 0;
    while (c < origins_.size() &&
           !(clusters_.exists(c) && near(clusters_.boxes[c], {position, position}, smoothing_length())))
        ++c;
    return c;
}

void SphInteraction::gather_foreign(std::span<const ForeignParticle> foreign)
{
    foreign_.clear();
    const size_t max_count = hair_ + foreign.size();
    for (auto* vectors : {&positions_, &velocities_, &accelerations_}) vectors->resize(max_count);
    for (auto* numbers : {&masses_, &rest_densities_}) numbers->resize(max_count);
    for (size_t i = 0; i < foreign.size(); ++i) {
        const ForeignParticle& p = foreign[i];
        const size_t cluster = cluster_around(p.position);
        if (cluster == origins_.size() || !usable(p)) continue;
        const size_t at = hair_ + foreign_.size();
        positions_[at] = to_float(p.position - origins_[cluster]);
        velocities_[at] = p.velocity;
        masses_[at] = p.mass;
        rest_densities_[at] = p.rest_density;
        foreign_.push_back(static_cast<uint32_t>(i));
    }
    const size_t all = hair_ + foreign_.size();
    for (auto* vectors : {&positions_, &velocities_, &accelerations_}) vectors->resize(all);
    for (auto* numbers : {&masses_, &rest_densities_}) numbers->resize(all);
}

}  // namespace tendril
