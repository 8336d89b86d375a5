// Path tracing. Every hit gathers direct light from sampled points on the lamps, then the path continues in a direction
// sampled from the hair or surface, until it escapes to the sky. Lamps contribute only through light sampling and the
// sky only through escaping paths, so nothing is counted twice.
// [Kajiya86] J.T. Kajiya: The Rendering Equation, SIGGRAPH 1986.
#include "render/path_tracer.h"

#include "render/embree_scene.h"
#include "render/hair_bsdf.h"
#include "render/light.h"
#include "render/sampler.h"
#include "render/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tendril {
namespace {

/// Russian roulette starts at this bounce.
constexpr uint32_t kFirstRouletteBounce = 3;
/// Limits each contribution of a path after its first hit, in units of white. Rare bright paths would cause fireflies.
constexpr float kMaxContribution = 4;

float max_component(const Vec3f& a)
{
    return std::max({a.x, a.y, a.z});
}

/// An orthonormal basis.
struct Frame {
    Vec3f x, y, z;

    Vec3f to_local(const Vec3f& v) const { return {dot(v, x), dot(v, y), dot(v, z)}; }
    Vec3f to_world(const Vec3f& v) const { return x * v.x + y * v.y + z * v.z; }
};

Vec3f unit_or_across(const Vec3f& v, const Vec3f& axis)
{
    const float l = length(v);
    if (l > 1e-6f) return v * (1 / l);
    const Vec3f other = cross(axis, std::abs(axis.x) < 0.7f ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0});
    return other * (1 / length(other));
}

/// A basis whose z axis is the normal.
Frame frame_with_normal(const Vec3f& normal)
{
    const Vec3f x = unit_or_across({0, 0, 0}, normal);
    return {x, cross(normal, x), normal};
}

/// The scattering at a hit. Directions point away from it.
class Scatterer {
public:
    Scatterer(const RayHit& hit, const Vec3f& to_eye) : is_fibre_(hit.kind == HitKind::kFibre)
    {
        if (!is_fibre_) {
            frame_ = frame_with_normal(hit.tangent_or_normal);
            face_ = hit.flat_normal;
            colour_ = hit.colour;
        } else {
            // y points across the width towards positive h, z towards the eye.
            const Vec3f y = unit_or_across(cross(to_eye, hit.tangent_or_normal), hit.tangent_or_normal);
            frame_ = {hit.tangent_or_normal, y, cross(hit.tangent_or_normal, y)};
            const HairLook& look = hit.strands->look;
            const Vec3f absorption = hit.strands->colours.empty()
                                         ? absorption_of(look)
                                         : absorption_of_colour(hit.colour, look.side_roughness);
            // The offset at which a ray hits a strand is effectively random. Averaging over several evenly spaced
            // offsets, starting with the actual one, gives the same expected value with far less noise.
            const auto at = [&](int k) {
                const float h = hit.h + 2.0f * static_cast<float>(k) / kOffsets;
                return HairBsdf(look, absorption, h > 1 ? h - 2 : h);
            };
            hair_.emplace(std::array{at(0), at(1), at(2), at(3)});
        }
        to_eye_ = frame_.to_local(to_eye);
    }

    /// The share of the light from a direction that is scattered to the eye, including the cosine.
    Vec3f eval(const Vec3f& direction) const
    {
        const Vec3f in = frame_.to_local(direction);
        if (is_fibre_) {
            Vec3f sum{0, 0, 0};
            for (const HairBsdf& hair : *hair_) sum += hair.eval(to_eye_, in);
            return sum * (1.0f / kOffsets);
        }
        if (in.z <= 0 || dot(face_, direction) <= 0) return {0, 0, 0};
        return surface(in) * in.z;
    }

    struct Sample {
        Vec3f direction, weight;
    };
    Sample sample(Sampler& sampler) const
    {
        const auto a = sampler.pair();
        if (is_fibre_) {
            const auto b = sampler.pair();
            const auto s = (*hair_)[0].sample(to_eye_, {a[0], a[1], b[0], b[1]});
            return {frame_.to_world(s.wi), s.weight};
        }
        // Cosine-weighted hemisphere sampling.
        const float r = std::sqrt(a[0]), angle = 2 * kPi * a[1];
        const Vec3f in{r * std::cos(angle), r * std::sin(angle), std::sqrt(std::max(0.0f, 1 - a[0]))};
        const Vec3f direction = frame_.to_world(in);
        if (dot(face_, direction) <= 0) return {direction, {0, 0, 0}};
        return {direction, surface(in) * kPi};
    }

private:
    /// A diffuse BRDF with the broad sheen of skin: a Blinn-Phong lobe that the Fresnel factor strengthens at grazing
    /// angles.
    Vec3f surface(const Vec3f& in) const
    {
        constexpr float kSharpness = 12, kNormalReflectance = 0.035f;
        const Vec3f half = in + to_eye_;
        const float l = std::max(1e-6f, length(half));
        const float cos_half = std::max(0.0f, half.z / l), cos_in = std::max(0.0f, dot(half, in) / l);
        const float c = 1 - cos_in, c2 = c * c;
        const float fresnel = kNormalReflectance + (1 - kNormalReflectance) * c2 * c2 * c;
        const float c4 = (cos_half * cos_half) * (cos_half * cos_half), lobe = c4 * c4 * c4;  // to the power of 12
        const float sheen = fresnel * (kSharpness + 8) / (8 * kPi) * lobe;
        const float diffuse = (1 - fresnel) / kPi;
        return colour_ * diffuse + Vec3f{sheen, sheen, sheen};
    }

    bool is_fibre_;
    Frame frame_;
    Vec3f face_{0, 1, 0}, colour_{0, 0, 0}, to_eye_;
    static constexpr int kOffsets = 4;
    std::optional<std::array<HairBsdf, kOffsets>> hair_;
};

class PathTracer {
public:
    PathTracer(const Stage& stage, const Camera& camera, const RenderSettings& settings, Executor& executor)
        : stage_(stage),
          camera_(camera),
          settings_(settings),
          view_(make_view(camera, settings.width, settings.height)),
          scene_(stage, camera, {1 / static_cast<double>(view_.focal)}, executor),
          lamps_(make_lamps(stage.lighting, camera.eye))
    {
        const Box box = bounds(stage);
        extent_ = box.empty() ? 1.0f : std::max(1e-3f, static_cast<float>(length(box.high - box.low)));
        centre_ = box.empty() ? Vec3f{0, 0, 0} : to_float((box.low + box.high) * 0.5 - camera.eye);
        focus_ = static_cast<float>(camera.focus > 0 ? camera.focus : length(camera.target - camera.eye));
    }

    /// The radiance that one path contributes to a pixel.
    Vec3f sample(uint32_t x, uint32_t y, uint32_t index) const
    {
        Sampler sampler(settings_.seed, static_cast<uint64_t>(y) * settings_.width + x, index);
        const float height = (static_cast<float>(settings_.height - y) - 0.5f) / static_cast<float>(settings_.height);
        return radiance(camera_ray(x, y, sampler), height, sampler);
    }

private:
    /// A ray through a point of the pixel, sampled from a tent filter with a radius of one pixel.
    Ray camera_ray(uint32_t x, uint32_t y, Sampler& sampler) const
    {
        const auto u = sampler.pair();
        const auto tent = [](float v) { return v < 0.5f ? std::sqrt(2 * v) - 1 : 1 - std::sqrt(2 - 2 * v); };
        const Vec3f to =
            view_.ray(static_cast<float>(x) + 0.5f + tent(u[0]), static_cast<float>(y) + 0.5f + tent(u[1]));
        Ray ray;
        ray.origin = {0, 0, 0};
        ray.direction = to * (1 / length(to));
        if (camera_.aperture > 0) {
            const auto lens = sampler.pair();
            const float r = static_cast<float>(camera_.aperture) * std::sqrt(lens[0]), angle = 2 * kPi * lens[1];
            const Vec3f shift = view_.right * (r * std::cos(angle)) + view_.up * (r * std::sin(angle));
            const Vec3f to_focus = to * focus_ - shift;
            ray.origin += shift;
            ray.direction = to_focus * (1 / length(to_focus));
        }
        if (camera_.shutter > 0) ray.time = sampler.one();
        return ray;
    }

    Vec3f radiance(Ray ray, float height, Sampler& sampler) const
    {
        Vec3f light{0, 0, 0}, throughput{1, 1, 1};
        for (uint32_t bounce = 0;; ++bounce) {
            const RayHit hit = scene_.intersect(ray);
            if (hit.kind == HitKind::kNone) {
                light += clamped(tinted(throughput, bounce == 0 ? backdrop_radiance(stage_.lighting, height)
                                                                : sky_radiance(stage_.lighting, ray.direction)),
                                 bounce);
                return light;
            }
            if (hit.kind == HitKind::kFibre && hit.strands->unlit) {
                const Vec3f own =
                    colour_of_absorption(absorption_of(hit.strands->look), hit.strands->look.side_roughness);
                return light + tinted(throughput, hit.strands->colours.empty() ? own : hit.colour);
            }
            if (hit.kind == HitKind::kGround && bounce == 0) {
                const float fade = ground_fade(hit.position - centre_, extent_);
                light += backdrop_radiance(stage_.lighting, height) * fade;
                throughput = throughput * (1 - fade);
                if (fade >= 1) return light;
            }
            const Scatterer scatterer(hit, ray.direction * -1.0f);
            light += clamped(tinted(throughput, direct_light(hit, scatterer, ray.time, bounce, sampler)), bounce);
            if (bounce == settings_.bounces) return light;
            const auto next = scatterer.sample(sampler);
            throughput = tinted(throughput, next.weight);
            if (!survives_roulette(throughput, bounce, sampler)) return light;
            ray = ray_from(hit, next.direction, ray.time);
        }
    }

    /// Samples all lamps at the first hit and one random lamp at later hits.
    Vec3f direct_light(const RayHit& hit, const Scatterer& scatterer, float time, uint32_t bounce,
                       Sampler& sampler) const
    {
        Vec3f light{0, 0, 0};
        if (lamps_.empty()) return light;
        if (bounce == 0) {
            for (const Lamp& lamp : lamps_) light += light_from_lamp(lamp, hit, scatterer, time, sampler);
            return light;
        }
        const auto count = static_cast<float>(lamps_.size());
        const auto chosen = static_cast<size_t>(sampler.one() * count);
        return light_from_lamp(lamps_[std::min(chosen, lamps_.size() - 1)], hit, scatterer, time, sampler) * count;
    }

    Vec3f light_from_lamp(const Lamp& lamp, const RayHit& hit, const Scatterer& scatterer, float time,
                          Sampler& sampler) const
    {
        const LampSample s = lamp.sample(hit.position, sampler.pair());
        const Vec3f light = tinted(scatterer.eval(s.direction), s.irradiance);
        if (!(max_component(light) > 0)) return {0, 0, 0};
        Ray shadow = ray_from(hit, s.direction, time);
        shadow.far = s.distance * 0.9999f;
        return scene_.is_occluded(shadow) ? Vec3f{0, 0, 0} : light;
    }

    /// The ray that leaves a hit. A fibre scatters as a whole, so the ray starts outside the fibre.
    Ray ray_from(const RayHit& hit, const Vec3f& direction, float time) const
    {
        Ray ray;
        ray.origin = hit.kind == HitKind::kFibre ? hit.position : hit.position + hit.flat_normal * (5e-5f * extent_);
        ray.direction = direction;
        ray.near = hit.kind == HitKind::kFibre ? 3 * hit.radius : 0.0f;
        ray.time = time;
        return ray;
    }

    static Vec3f clamped(const Vec3f& light, uint32_t bounce)
    {
        if (!is_finite(light)) return {0, 0, 0};
        const float peak = max_component(light);
        return bounce == 0 || peak <= kMaxContribution ? light : light * (kMaxContribution / peak);
    }

    static bool survives_roulette(Vec3f& throughput, uint32_t bounce, Sampler& sampler)
    {
        const float peak = max_component(throughput);
        if (!(peak > 0) || !is_finite(throughput)) return false;
        if (bounce < kFirstRouletteBounce || peak >= 1) return true;
        if (sampler.one() >= peak) return false;
        throughput = throughput * (1 / peak);
        return true;
    }

    const Stage& stage_;
    const Camera& camera_;
    const RenderSettings& settings_;
    View view_;
    EmbreeScene scene_;
    std::vector<Lamp> lamps_;
    float extent_, focus_;
    Vec3f centre_;  // of the bounding box, from the eye
};

}  // namespace

Image trace_paths(const Stage& stage, const Camera& camera, const RenderSettings& settings, Executor& executor,
                  const RenderProgress& progress)
{
    constexpr uint32_t kTile = 16;
    // `progress` can stop between passes, so no pass should take much longer than a second or two.
    const uint64_t pixels = uint64_t{settings.width} * settings.height;
    const auto per_pass = static_cast<uint32_t>(std::clamp<uint64_t>(1'000'000 / pixels, 1, 8));
    const PathTracer tracer(stage, camera, settings, executor);
    Image image{settings.width, settings.height, {}};
    image.pixels.assign(static_cast<size_t>(image.width) * image.height, Vec3f{0, 0, 0});
    const uint32_t columns = (image.width + kTile - 1) / kTile, rows = (image.height + kTile - 1) / kTile;
    uint32_t done = 0;
    while (done < settings.samples) {
        const uint32_t end = std::min(settings.samples, done + per_pass);
        parallel_for(executor, static_cast<size_t>(columns) * rows, 1, [&](size_t first, size_t last) {
            for (size_t tile = first; tile < last; ++tile) {
                const auto x0 = static_cast<uint32_t>(tile % columns) * kTile;
                const auto y0 = static_cast<uint32_t>(tile / columns) * kTile;
                for (uint32_t y = y0; y < std::min(image.height, y0 + kTile); ++y)
                    for (uint32_t x = x0; x < std::min(image.width, x0 + kTile); ++x)
                        for (uint32_t s = done; s < end; ++s)
                            image.pixels[static_cast<size_t>(y) * image.width + x] += tracer.sample(x, y, s);
            }
        });
        done = end;
        if (progress && !progress(static_cast<double>(done) / settings.samples)) break;
    }
    for (Vec3f& p : image.pixels) p = p * (1.0f / static_cast<float>(done));
    return image;
}

}  // namespace tendril
