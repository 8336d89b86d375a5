#include "render/surface_pass.h"

#include "math/vectors.h"

namespace tendril {
namespace {

/// Whether two neighbours are parts of one smooth surface of one colour.
bool belong_together(const SurfaceSample& a, const SurfaceSample& b)
{
    if (a.kind != b.kind || a.mesh != b.mesh) return false;
    if (a.kind != SurfaceSample::Kind::kMesh) return true;
    constexpr float kSameColour = 0.03f;
    if (length(a.colour - b.colour) > kSameColour) return false;
    return std::abs(a.depth - b.depth) < 0.01f * std::min(a.depth, b.depth) && dot(a.normal, b.normal) > 0.9f;
}

/// Light around a corner: skin and felt are not as dark as chalk where the lamp sets.
float wrapped_light(float cosine)
{
    constexpr float kWrap = 0.15f;
    const float c = std::max((cosine + kWrap) / (1 + kWrap), 0.0f);
    return c * (0.75f + 0.25f * c);
}

}  // namespace

SurfacePass::SurfacePass(const Stage& stage, const View& view, const SurfaceScene& scene,
                         const std::vector<Lamp>& lamps, const LightVolume& volume)
    : stage_(stage), view_(view), scene_(scene), lamps_(lamps), volume_(volume)
{
    const Box box = bounds(stage);
    const Vec3d middle = box.empty() ? view.eye : (box.low + box.high) * 0.5;
    ground_ = static_cast<float>(stage.ground.height - view.eye.y);
    extent_ = box.empty() ? 1.0f : std::max(static_cast<float>(length(box.high - box.low)), 1e-3f);
    middle_ = to_float(middle - view.eye);
    constexpr float kThin = 0.06f;  // of the size of all: rays to eight places of a lamp as large miss what is thinner
    thin_ = !scene.empty() && scene.thickness() < kThin * length(scene.high() - scene.low());
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
    // One pixel more on each side, for the comparison.
    constexpr int kRow = kTileSize + 2;
    std::array<SurfaceSample, static_cast<size_t>(kRow * kRow)> middles;
    const auto middle = [&](int x, int y) -> SurfaceSample& {
        return middles[static_cast<size_t>((y + 1) * kRow + x + 1)];
    };
    for (int y = -1; y <= tile.height; ++y)
        for (int x = -1; x <= tile.width; ++x)
            middle(x, y) = trace_one(static_cast<float>(tile.x + x) + 0.5f, static_cast<float>(tile.y + y) + 0.5f);

    pixels.resize(static_cast<size_t>(kTileSize * kTileSize));
    for (int y = 0; y < tile.height; ++y)
        for (int x = 0; x < tile.width; ++x) {
            SurfacePixel& pixel = pixels[static_cast<size_t>(y * kTileSize + x)];
            pixel.is_even = true;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    pixel.is_even = pixel.is_even && belong_together(middle(x, y), middle(x + dx, y + dy));
            pixel.samples[0] = middle(x, y);
            if (pixel.is_even) continue;
            // A turned square: edges along rows and columns get four steps instead of two.
            constexpr float kPlaces[kSubSamples][2] = {
                {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
            for (size_t s = 0; s < kSubSamples; ++s) {
                pixel.samples[s] = trace_one(static_cast<float>(tile.x + x) + kPlaces[s][0],
                                             static_cast<float>(tile.y + y) + kPlaces[s][1]);
                pixel.samples[s].part = static_cast<int>(s);
            }
        }
}

Vec3f SurfacePass::backdrop(float y) const
{
    return backdrop_radiance(stage_.lighting, 1 - y / static_cast<float>(view_.height));
}

/// Whether the ball around the meshes reaches into the cone between a point and a lamp.
bool SurfacePass::may_block(const Lamp& lamp, const Vec3f& from) const
{
    const Vec3f middle = (scene_.low() + scene_.high()) * 0.5f, way = lamp.centre - from, to_ball = middle - from;
    const float radius = 0.5f * length(scene_.high() - scene_.low());
    const float lamp_radius = length(lamp.half_width) + length(lamp.half_height);
    const float t = std::clamp(dot(to_ball, way) / std::max(dot(way, way), 1e-20f), 0.0f, 1.0f);
    return length(to_ball - way * t) <= radius + t * lamp_radius;
}

/// How much of a lamp is seen by some of the rays number `first`, `first + step`, ... all over it, the same from
/// everywhere: no noise. They stand on the lattice of the plastic number, on which hardly two share a row in any
/// direction, so that the edge of a shadow that crosses the lamp covers them one by one, in steps too small to be seen.
float SurfacePass::seen_by_rays(const Lamp& lamp, const Vec3f& from, int rays, int first, int step) const
{
    int seen = 0;
    for (int ray = 0; ray < rays; ray += 4) {
        std::array<Vec3f, 4> targets;
        for (int i = 0; i < 4; ++i) {
            const float number = static_cast<float>(first + step * (ray + i)) + 0.5f;
            const float u = number * 0.754877666f, v = number * 0.569840291f;
            targets[static_cast<size_t>(i)] = lamp.point(2 * (u - std::floor(u)) - 1, 2 * (v - std::floor(v)) - 1);
        }
        seen += scene_.count_seen(from, targets);
    }
    return static_cast<float>(seen) / static_cast<float>(rays);
}

/// Eight rays towards a lamp; 32 all over it where they disagree. What is thin may pass between the eight: there it is
/// always 32, and twice as many on the ground, where the steps of long straight shadows would be seen; the sub-samples
/// of a pixel share them.
float SurfacePass::seen_share(const Lamp& lamp, const SurfaceSample& sample, const Vec3f& from) const
{
    if (scene_.empty() || !may_block(lamp, from)) return 1;
    constexpr int kRays = 32, kGroundRays = 64;
    if (thin_) {
        const int rays = sample.kind == SurfaceSample::Kind::kGround ? kGroundRays : kRays;
        return sample.part < 0 ? seen_by_rays(lamp, from, rays, 0, 1)
                               : seen_by_rays(lamp, from, rays / kSubSamples, sample.part, kSubSamples);
    }
    constexpr float kOuter = 0.95f, kInner = 0.5f;
    const int corners = scene_.count_seen(from, {lamp.point(-kOuter, -kOuter), lamp.point(kOuter, -kOuter),
                                                 lamp.point(-kOuter, kOuter), lamp.point(kOuter, kOuter)});
    if (corners == 0 || corners == 4) {
        const int middle = scene_.count_seen(
            from, {lamp.point(-kInner, 0), lamp.point(kInner, 0), lamp.point(0, -kInner), lamp.point(0, kInner)});
        if (middle == corners) return 0.25f * static_cast<float>(corners);
    }
    return seen_by_rays(lamp, from, kRays, 0, 1);
}

/// How far above a surface rays to the lamps begin [m]: its facets must not shade themselves, and what is thin must not
/// be passed.
float SurfacePass::lift_of(const SurfaceSample& sample) const
{
    const float usual = 2e-3f * std::min(extent_, sample.depth);
    return thin_ ? std::min(usual, std::max(0.1f * scene_.thickness(), 1e-5f * sample.depth)) : usual;
}

/// Diffuse, and for meshes the soft sheen of skin, per reflectance of one.
Vec3f SurfacePass::lit_by(size_t k, const SurfaceSample& sample, const Vec3f& p) const
{
    const Lamp& lamp = lamps_[k];
    const Vec3f way = lamp.centre - p;
    const float distance = std::max(length(way), 1e-6f);
    const Vec3f to_lamp = way * (1.0f / distance);
    const float facing = -dot(lamp.normal, to_lamp);
    const bool is_mesh = sample.kind == SurfaceSample::Kind::kMesh;
    const float cosine =
        is_mesh ? wrapped_light(dot(sample.normal, to_lamp)) : std::max(dot(sample.normal, to_lamp), 0.0f);
    if (facing <= 0 || cosine <= 0) return {0, 0, 0};
    const float irradiance = std::min(lamp.area * facing / (distance * distance), 2 * kPi) * cosine;

    // What hair already hides needs no rays.
    constexpr float kDark = 2e-3f;
    float seen = std::exp(-volume_.hairs_towards(k, p + sample.normal * (0.5f * volume_.cell()), to_lamp));
    if (seen * irradiance * std::max({lamp.radiance.x, lamp.radiance.y, lamp.radiance.z}) < kDark) return {0, 0, 0};
    seen *= seen_share(lamp, sample, p + sample.flat_normal * lift_of(sample));
    if (seen <= 0) return {0, 0, 0};

    const Vec3f half = unit_or(to_lamp + unit_or(sample.ray * -1.0f, {0, 0, 1}), sample.normal);
    const float c = std::max(dot(half, sample.normal), 0.0f), c4 = c * c * c * c, c16 = c4 * c4 * c4 * c4;
    const float sheen = is_mesh ? 0.22f * c16 : 0.0f;
    return lamp.radiance * (irradiance * seen * (1.0f + sheen) / kPi);
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
    const Vec3f sky = l.sky * (up * up * hair.up * past_body(bodies.up));
    const Vec3f side = l.horizon * (2 * up * (1 - up) * hair.side * past_body(bodies.side));
    Vec3f light = sky + side + below * ((1 - up) * (1 - up) * hair.down * past_body(bodies.down));
    if (sample.kind == SurfaceSample::Kind::kGround) {
        // Darker below what stands on it: the part of the sky that a ball of its size would hide.
        const Vec3f away = middle_ - p;
        const float d2 = std::max(dot(away, away), 1e-12f), radius = 0.35f * extent_;
        light = light * (1 - 0.6f * std::min(radius * radius / d2, 1.0f) * std::max(away.y, 0.0f) / std::sqrt(d2));
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
    if (!stage_.ground.visible || ground_ >= 0 || sample.ray.y >= 0) return sample;
    const float depth = ground_ / sample.ray.y;
    if (!(depth < sample.depth)) return sample;
    sample.kind = SurfaceSample::Kind::kGround;
    sample.depth = depth;
    return sample;
}

/// Soft shadows on the plain change slowly: between four places whose light is much the same, it is interpolated.
Vec3f SurfacePass::light_on_ground(const SurfaceSample& sample, float x, float y, GroundLattice& lattice) const
{
    constexpr float kSame = 0.06f;
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
    return most - least <= kSame * most ? sum : light_on(sample);
}

Vec3f SurfacePass::shade(const SurfaceSample& sample, float x, float y, GroundLattice& lattice) const
{
    const Vec3f behind = backdrop(y);
    if (sample.kind == SurfaceSample::Kind::kBackdrop) return behind;
    if (sample.kind == SurfaceSample::Kind::kMesh) return tinted(sample.colour, light_on(sample));
    const Vec3f away = sample.ray * sample.depth - middle_;
    const float fade = ground_fade(away, extent_);
    if (fade >= 1) return behind;
    return mixed(tinted(stage_.ground.colour, light_on_ground(sample, x, y, lattice)), behind, fade);
}

}  // namespace tendril
