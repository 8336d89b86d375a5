#include "render/surface_pass.h"

#include "math/vectors.h"

namespace tendril {
namespace {

/// Whether two neighbouring samples lie on one smooth surface of one colour.
bool is_same_surface(const SurfaceSample& a, const SurfaceSample& b)
{
    if (a.kind != b.kind || a.mesh != b.mesh) return false;
    if (a.kind != SurfaceSample::Kind::kMesh) return true;
    constexpr float kSameColour = 0.03f;
    if (length(a.colour - b.colour) > kSameColour) return false;
    return std::abs(a.depth - b.depth) < 0.01f * std::min(a.depth, b.depth) && dot(a.normal, b.normal) > 0.9f;
}

/// Wrapped diffuse lighting: skin and felt stay brighter at the terminator than chalk.
float wrapped_light(float cosine)
{
    constexpr float kWrapAmount = 0.15f;
    const float c = std::max((cosine + kWrapAmount) / (1 + kWrapAmount), 0.0f);
    return c * (0.75f + 0.25f * c);
}

}  // namespace

SurfacePass::SurfacePass(const Stage& stage, const View& view, const SurfaceScene& scene,
                         const std::vector<Lamp>& lamps, const LightVolume& volume)
    : stage_(stage), view_(view), scene_(scene), lamps_(lamps), volume_(volume)
{
    const Box box = bounds(stage);
    const Vec3d centre = box.empty() ? view.eye : (box.low + box.high) * 0.5;
    ground_height_ = static_cast<float>(stage.ground.height - view.eye.y);
    extent_ = box.empty() ? 1.0f : std::max(static_cast<float>(length(box.high - box.low)), 1e-3f);
    centre_ = to_float(centre - view.eye);
    constexpr float kThin =
        0.06f;  // relative to the size of the scene; eight rays to a lamp of that size miss thinner meshes
    has_thin_meshes_ = !scene.empty() && scene.thickness() < kThin * length(scene.high() - scene.low());
}

SurfaceSample SurfacePass::trace_one(float x, float y) const
{
    SurfaceSample sample = ground_at(x, y);
    const SurfaceHit hit = scene_.trace({0, 0, 0}, sample.ray);
    if (hit.distance <= 0 || hit.distance >= sample.depth) return sample;
    sample.kind = SurfaceSample::Kind::kMesh;
    sample.mesh = hit.mesh;
    sample.depth = hit.distance;
    sample.normal = hit.normal;
    sample.flat_normal = hit.flat_normal;
    sample.colour = hit.colour;
    return sample;
}

void SurfacePass::trace(const LineTile& tile, std::vector<SurfacePixel>& pixels) const
{
    // One extra pixel on each side, for the comparison with neighbours.
    constexpr int kRow = kTileSize + 2;
    std::array<SurfaceSample, static_cast<size_t>(kRow * kRow)> samples_at_centres;
    const auto sample_at = [&](int x, int y) -> SurfaceSample& {
        return samples_at_centres[static_cast<size_t>((y + 1) * kRow + x + 1)];
    };
    for (int y = -1; y <= tile.height; ++y)
        for (int x = -1; x <= tile.width; ++x)
            sample_at(x, y) = trace_one(static_cast<float>(tile.x + x) + 0.5f, static_cast<float>(tile.y + y) + 0.5f);

    pixels.resize(static_cast<size_t>(kTileSize * kTileSize));
    for (int y = 0; y < tile.height; ++y)
        for (int x = 0; x < tile.width; ++x) {
            SurfacePixel& pixel = pixels[static_cast<size_t>(y * kTileSize + x)];
            pixel.is_uniform = true;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    pixel.is_uniform = pixel.is_uniform && is_same_surface(sample_at(x, y), sample_at(x + dx, y + dy));
            pixel.samples[0] = sample_at(x, y);
            if (pixel.is_uniform) continue;
            // A rotated grid: edges along rows and columns get four levels of coverage instead of two.
            constexpr float kOffsets[kSubSamples][2] = {
                {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
            for (size_t s = 0; s < kSubSamples; ++s) {
                pixel.samples[s] = trace_one(static_cast<float>(tile.x + x) + kOffsets[s][0],
                                             static_cast<float>(tile.y + y) + kOffsets[s][1]);
                pixel.samples[s].sub_sample = static_cast<int>(s);
            }
        }
}

Vec3f SurfacePass::backdrop(float y) const
{
    return backdrop_radiance(stage_.lighting, 1 - y / static_cast<float>(view_.height));
}

/// Whether the bounding sphere of the meshes reaches into the cone between a point and a lamp.
bool SurfacePass::may_block(const Lamp& lamp, const Vec3f& from) const
{
    const Vec3f centre = (scene_.low() + scene_.high()) * 0.5f, to_lamp = lamp.centre - from, to_sphere = centre - from;
    const float radius = 0.5f * length(scene_.high() - scene_.low());
    const float lamp_radius = length(lamp.half_width) + length(lamp.half_height);
    const float t = std::clamp(dot(to_sphere, to_lamp) / std::max(dot(to_lamp, to_lamp), 1e-20f), 0.0f, 1.0f);
    return length(to_sphere - to_lamp * t) <= radius + t * lamp_radius;
}

/// The visible share of a lamp, from the rays with index `first`, `first + step`, ... of a fixed pattern. The pattern
/// is the same for every point, so there is no noise. It is the lattice of the plastic number, in which few points line
/// up in any direction: a shadow edge that crosses the lamp covers them one by one, in steps too small to see.
float SurfacePass::visible_share_of_rays(const Lamp& lamp, const Vec3f& from, int rays, int first, int step) const
{
    int visible = 0;
    for (int ray = 0; ray < rays; ray += 4) {
        std::array<Vec3f, 4> targets;
        for (int i = 0; i < 4; ++i) {
            const float number = static_cast<float>(first + step * (ray + i)) + 0.5f;
            const float u = number * 0.754877666f, v = number * 0.569840291f;
            targets[static_cast<size_t>(i)] = lamp.point(2 * (u - std::floor(u)) - 1, 2 * (v - std::floor(v)) - 1);
        }
        visible += scene_.count_seen(from, targets);
    }
    return static_cast<float>(visible) / static_cast<float>(rays);
}

/// The visible share of a lamp, from eight rays, or 32 if those disagree. Thin meshes may slip between the eight rays,
/// so with them there are always 32, and 64 on the ground, where long straight shadows would show steps. The
/// sub-samples of a pixel split these rays among them.
float SurfacePass::visible_share(const Lamp& lamp, const SurfaceSample& sample, const Vec3f& from) const
{
    if (scene_.empty() || !may_block(lamp, from)) return 1;
    constexpr int kRays = 32, kGroundRays = 64;
    if (has_thin_meshes_) {
        const int rays = sample.kind == SurfaceSample::Kind::kGround ? kGroundRays : kRays;
        return sample.sub_sample < 0
                   ? visible_share_of_rays(lamp, from, rays, 0, 1)
                   : visible_share_of_rays(lamp, from, rays / kSubSamples, sample.sub_sample, kSubSamples);
    }
    constexpr float kOuter = 0.95f, kInner = 0.5f;
    const int corners = scene_.count_seen(from, {lamp.point(-kOuter, -kOuter), lamp.point(kOuter, -kOuter),
                                                 lamp.point(-kOuter, kOuter), lamp.point(kOuter, kOuter)});
    if (corners == 0 || corners == 4) {
        const int inner = scene_.count_seen(
            from, {lamp.point(-kInner, 0), lamp.point(kInner, 0), lamp.point(0, -kInner), lamp.point(0, kInner)});
        if (inner == corners) return 0.25f * static_cast<float>(corners);
    }
    return visible_share_of_rays(lamp, from, kRays, 0, 1);
}

/// The distance from a surface at which shadow rays start [m]: large enough that facets do not shadow themselves, small
/// enough that rays do not start beyond thin meshes.
float SurfacePass::shadow_ray_offset(const SurfaceSample& sample) const
{
    const float usual = 2e-3f * std::min(extent_, sample.depth);
    return has_thin_meshes_ ? std::min(usual, std::max(0.1f * scene_.thickness(), 1e-5f * sample.depth)) : usual;
}

/// The light of one lamp reflected by a surface of reflectance 1: diffuse, plus the soft sheen of skin on meshes.
Vec3f SurfacePass::lit_by(size_t k, const SurfaceSample& sample, const Vec3f& p) const
{
    const Lamp& lamp = lamps_[k];
    const Vec3f offset = lamp.centre - p;
    const float distance = std::max(length(offset), 1e-6f);
    const Vec3f to_lamp = offset * (1.0f / distance);
    const float facing = -dot(lamp.normal, to_lamp);
    const bool is_mesh = sample.kind == SurfaceSample::Kind::kMesh;
    const float cosine =
        is_mesh ? wrapped_light(dot(sample.normal, to_lamp)) : std::max(dot(sample.normal, to_lamp), 0.0f);
    if (facing <= 0 || cosine <= 0) return {0, 0, 0};
    const float irradiance = std::min(lamp.area * facing / (distance * distance), 2 * kPi) * cosine;

    // Skip the shadow rays if hair already blocks the lamp.
    constexpr float kMinRadiance = 2e-3f;
    float visible = std::exp(-volume_.hairs_towards(k, p + sample.normal * (0.5f * volume_.cell()), to_lamp));
    if (visible * irradiance * std::max({lamp.radiance.x, lamp.radiance.y, lamp.radiance.z}) < kMinRadiance)
        return {0, 0, 0};
    visible *= visible_share(lamp, sample, p + sample.flat_normal * shadow_ray_offset(sample));
    if (visible <= 0) return {0, 0, 0};

    const Vec3f half = unit_or(to_lamp + unit_or(sample.ray * -1.0f, {0, 0, 1}), sample.normal);
    const float c = std::max(dot(half, sample.normal), 0.0f), c4 = c * c * c * c, c16 = c4 * c4 * c4 * c4;
    const float sheen = is_mesh ? 0.22f * c16 : 0.0f;
    return lamp.radiance * (irradiance * visible * (1.0f + sheen) / kPi);
}

Vec3f SurfacePass::ambient(const SurfaceSample& sample, const Vec3f& p) const
{
    AmbientShare hair, bodies, unused;
    const float cell = volume_.cell();
    if (!volume_.empty() && sample.kind == SurfaceSample::Kind::kMesh) {
        volume_.ambient(p + sample.normal * (0.5f * cell), hair, unused);
        volume_.ambient(p + sample.normal * (2.5f * cell), unused, bodies);
    }
    const float up = 0.5f + 0.5f * sample.normal.y;
    const Lighting& l = stage_.lighting;
    const Vec3f below = light_from_below(stage_);
    const Vec3f sky = l.sky * (up * up * hair.up * ambient_past_bodies(bodies.up));
    const Vec3f side = l.horizon * (2 * up * (1 - up) * hair.side * ambient_past_bodies(bodies.side));
    Vec3f light = sky + side + below * ((1 - up) * (1 - up) * hair.down * ambient_past_bodies(bodies.down));
    if (sample.kind == SurfaceSample::Kind::kGround) {
        // Ambient occlusion below the objects on the ground, approximated by a sphere of their size.
        const Vec3f to_centre = centre_ - p;
        const float d2 = std::max(dot(to_centre, to_centre), 1e-12f), radius = 0.35f * extent_;
        light = light * (1 - 0.6f * std::min(radius * radius / d2, 1.0f) * std::max(to_centre.y, 0.0f) / std::sqrt(d2));
    }
    return light;
}

Vec3f SurfacePass::light_on(const SurfaceSample& sample) const
{
    const Vec3f p = sample.ray * sample.depth;
    Vec3f light = ambient(sample, p);
    for (size_t k = 0; k < lamps_.size(); ++k) light += lit_by(k, sample, p);
    return light;
}

SurfaceSample SurfacePass::ground_at(float x, float y) const
{
    SurfaceSample sample;
    sample.ray = view_.ray(x, y);
    if (!stage_.ground.visible || ground_height_ >= 0 || sample.ray.y >= 0) return sample;
    const float depth = ground_height_ / sample.ray.y;
    if (!(depth < sample.depth)) return sample;
    sample.kind = SurfaceSample::Kind::kGround;
    sample.depth = depth;
    return sample;
}

/// Soft shadows on the ground vary slowly, so the light is interpolated between four lattice nodes if they are similar.
Vec3f SurfacePass::light_on_ground(const SurfaceSample& sample, float x, float y, GroundLattice& lattice) const
{
    constexpr float kTolerance = 0.06f;
    const float gx = (x - static_cast<float>(lattice.x)) / GroundLattice::kStep;
    const float gy = (y - static_cast<float>(lattice.y)) / GroundLattice::kStep;
    const int ix = std::clamp(static_cast<int>(gx), 0, GroundLattice::kSide - 2);
    const int iy = std::clamp(static_cast<int>(gy), 0, GroundLattice::kSide - 2);
    const float sx = gx - static_cast<float>(ix), sy = gy - static_cast<float>(iy);
    Vec3f sum{0, 0, 0};
    float least = 1e30f, most = 0;
    for (int k = 0; k < 4; ++k) {
        const int cx = ix + (k & 1), cy = iy + (k >> 1);
        GroundLattice::Node& node = lattice.nodes[static_cast<size_t>(cy * GroundLattice::kSide + cx)];
        if (!node.is_known) {
            const SurfaceSample corner = ground_at(static_cast<float>(lattice.x + cx * GroundLattice::kStep),
                                                   static_cast<float>(lattice.y + cy * GroundLattice::kStep));
            node = {true, corner.kind == SurfaceSample::Kind::kGround ? light_on(corner) : Vec3f{-1, -1, -1}};
        }
        if (node.light.y < 0) return light_on(sample);  // beyond the horizon
        least = std::min(least, node.light.y);
        most = std::max(most, node.light.y);
        sum += node.light * (((k & 1) ? sx : 1 - sx) * ((k >> 1) ? sy : 1 - sy));
    }
    return most - least <= kTolerance * most ? sum : light_on(sample);
}

Vec3f SurfacePass::shade(const SurfaceSample& sample, float x, float y, GroundLattice& lattice) const
{
    const Vec3f behind = backdrop(y);
    if (sample.kind == SurfaceSample::Kind::kBackdrop) return behind;
    if (sample.kind == SurfaceSample::Kind::kMesh) return tinted(sample.colour, light_on(sample));
    const Vec3f from_centre = sample.ray * sample.depth - centre_;
    const float fade = ground_fade(from_centre, extent_);
    if (fade >= 1) return behind;
    return mixed(tinted(stage_.ground.colour, light_on_ground(sample, x, y, lattice)), behind, fade);
}

}  // namespace tendril
