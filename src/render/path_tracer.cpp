// Path tracing: at every meeting light comes straight from a point on each lamp, and the path goes on in a direction
// that the hair or the surface chooses, until it leaves for the sky. Lamps are met by sampling only, the sky by leaving
// only, so nothing is counted twice. [Kajiya86] J.T. Kajiya: The Rendering Equation, SIGGRAPH 1986.
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

/// From this bounce on a path that carries little ends by chance, and the others carry more.
constexpr uint32_t kRouletteFrom = 3;
/// What one path may add after its first meeting, in units of white: rare bright paths would be specks.
constexpr float kBrightest = 4;

float largest(const Vec3f& a)
{
    return std::max({a.x, a.y, a.z});
}

/// Three directions across each other.
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

/// Around a surface's normal, which becomes z.
Frame frame_around(const Vec3f& normal)
{
    const Vec3f x = unit_or_across({0, 0, 0}, normal);
    return {x, cross(normal, x), normal};
}

/// How a meeting scatters light. Directions point away from it.
class Scatterer {
public:
    Scatterer(const RayMeeting& m, const Vec3f& to_eye) : fibre_(m.what == Met::kFibre)
    {
        if (!fibre_) {
            frame_ = frame_around(m.along);
            face_ = m.face;
            colour_ = m.colour;
        } else {
            // y across the width towards growing h, z to the eye.
            const Vec3f y = unit_or_across(cross(to_eye, m.along), m.along);
            frame_ = {m.along, y, cross(m.along, y)};
            const HairLook& look = m.strands->look;
            const Vec3f absorption =
                m.strands->colours.empty() ? absorption_of(look) : absorption_of_colour(m.colour, look.side_roughness);
            // Where across the width a ray hits a strand is as good as random. The hit itself and others like it,
            // spread evenly, give the same picture on average with far less noise.
            const auto at = [&](int k) {
                const float h = m.h + 2.0f * static_cast<float>(k) / kPlaces;
                return HairBsdf(look, absorption, h > 1 ? h - 2 : h);
            };
            hair_.emplace(std::array{at(0), at(1), at(2), at(3)});
        }
        to_eye_ = frame_.to_local(to_eye);
    }

    /// What is sent to the eye of the light from a direction.
    Vec3f eval(const Vec3f& direction) const
    {
        const Vec3f in = frame_.to_local(direction);
        if (fibre_) {
            Vec3f sum{0, 0, 0};
            for (const HairBsdf& hair : *hair_) sum += hair.eval(to_eye_, in);
            return sum * (1.0f / kPlaces);
        }
        if (in.z <= 0 || dot(face_, direction) <= 0) return {0, 0, 0};
        return surface(in) * in.z;
    }

    struct Next {
        Vec3f direction, weight;
    };
    Next next(Sampler& sampler) const
    {
        const auto a = sampler.pair();
        if (fibre_) {
            const auto b = sampler.pair();
            const auto s = (*hair_)[0].sample(to_eye_, {a[0], a[1], b[0], b[1]});
            return {frame_.to_world(s.wi), s.weight};
        }
        // By the cosine.
        const float r = std::sqrt(a[0]), angle = 2 * kPi * a[1];
        const Vec3f in{r * std::cos(angle), r * std::sin(angle), std::sqrt(std::max(0.0f, 1 - a[0]))};
        const Vec3f direction = frame_.to_world(in);
        if (dot(face_, direction) <= 0) return {direction, {0, 0, 0}};
        return {direction, surface(in) * kPi};
    }

private:
    /// Matt, with the broad sheen of skin: a Blinn-Phong lobe that the Fresnel factor brings out at grazing angles.
    Vec3f surface(const Vec3f& in) const
    {
        constexpr float kSharpness = 12, kStraightOn = 0.035f;
        const Vec3f half = in + to_eye_;
        const float l = std::max(1e-6f, length(half));
        const float cos_half = std::max(0.0f, half.z / l), cos_in = std::max(0.0f, dot(half, in) / l);
        const float c = 1 - cos_in, c2 = c * c;
        const float fresnel = kStraightOn + (1 - kStraightOn) * c2 * c2 * c;
        const float c4 = (cos_half * cos_half) * (cos_half * cos_half), lobe = c4 * c4 * c4;  // to the power of 12
        const float sheen = fresnel * (kSharpness + 8) / (8 * kPi) * lobe;
        const float matt = (1 - fresnel) / kPi;
        return colour_ * matt + Vec3f{sheen, sheen, sheen};
    }

    bool fibre_;
    Frame frame_;
    Vec3f face_{0, 1, 0}, colour_{0, 0, 0}, to_eye_;
    static constexpr int kPlaces = 4;
    std::optional<std::array<HairBsdf, kPlaces>> hair_;
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
        middle_ = box.empty() ? Vec3f{0, 0, 0} : to_float((box.low + box.high) * 0.5 - camera.eye);
        focus_ = static_cast<float>(camera.focus > 0 ? camera.focus : length(camera.target - camera.eye));
    }

    /// What one path brings to a pixel.
    Vec3f sample(uint32_t x, uint32_t y, uint32_t index) const
    {
        Sampler sampler(settings_.seed, static_cast<uint64_t>(y) * settings_.width + x, index);
        const float height = (static_cast<float>(settings_.height - y) - 0.5f) / static_cast<float>(settings_.height);
        return radiance(camera_ray(x, y, sampler), height, sampler);
    }

private:
    /// Through a point around the middle of the pixel that a tent of a pixel's width to either side chooses.
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
            const Vec3f bent = to * focus_ - shift;
            ray.origin += shift;
            ray.direction = bent * (1 / length(bent));
        }
        if (camera_.shutter > 0) ray.time = sampler.one();
        return ray;
    }

    Vec3f radiance(Ray ray, float height, Sampler& sampler) const
    {
        Vec3f light{0, 0, 0}, carried{1, 1, 1};
        for (uint32_t bounce = 0;; ++bounce) {
            const RayMeeting m = scene_.meet(ray);
            if (m.what == Met::kNothing) {
                light += limited(tinted(carried, bounce == 0 ? backdrop_radiance(stage_.lighting, height)
                                                             : sky_radiance(stage_.lighting, ray.direction)),
                                 bounce);
                return light;
            }
            if (m.what == Met::kFibre && m.strands->unlit) {
                const Vec3f own = colour_of_absorption(absorption_of(m.strands->look), m.strands->look.side_roughness);
                return light + tinted(carried, m.strands->colours.empty() ? own : m.colour);
            }
            if (m.what == Met::kGround && bounce == 0) {
                const float fade = ground_fade(m.place - middle_, extent_);
                light += backdrop_radiance(stage_.lighting, height) * fade;
                carried = carried * (1 - fade);
                if (fade >= 1) return light;
            }
            const Scatterer scatterer(m, ray.direction * -1.0f);
            light += limited(tinted(carried, from_lamps(m, scatterer, ray.time, bounce, sampler)), bounce);
            if (bounce == settings_.bounces) return light;
            const auto next = scatterer.next(sampler);
            carried = tinted(carried, next.weight);
            if (!survives(carried, bounce, sampler)) return light;
            ray = leaving(m, next.direction, ray.time);
        }
    }

    /// From all lamps at the first meeting, later from one that stands for all.
    Vec3f from_lamps(const RayMeeting& m, const Scatterer& scatterer, float time, uint32_t bounce,
                     Sampler& sampler) const
    {
        Vec3f light{0, 0, 0};
        if (lamps_.empty()) return light;
        if (bounce == 0) {
            for (const Lamp& lamp : lamps_) light += from_lamp(lamp, m, scatterer, time, sampler);
            return light;
        }
        const auto count = static_cast<float>(lamps_.size());
        const auto chosen = static_cast<size_t>(sampler.one() * count);
        return from_lamp(lamps_[std::min(chosen, lamps_.size() - 1)], m, scatterer, time, sampler) * count;
    }

    Vec3f from_lamp(const Lamp& lamp, const RayMeeting& m, const Scatterer& scatterer, float time,
                    Sampler& sampler) const
    {
        const LampSample s = lamp.sample(m.place, sampler.pair());
        const Vec3f light = tinted(scatterer.eval(s.direction), s.irradiance);
        if (!(largest(light) > 0)) return {0, 0, 0};
        Ray shadow = leaving(m, s.direction, time);
        shadow.far = s.distance * 0.9999f;
        return scene_.blocked(shadow) ? Vec3f{0, 0, 0} : light;
    }

    /// A fibre scatters as a whole: light leaves at its other side, not inside.
    Ray leaving(const RayMeeting& m, const Vec3f& direction, float time) const
    {
        Ray ray;
        ray.origin = m.what == Met::kFibre ? m.place : m.place + m.face * (5e-5f * extent_);
        ray.direction = direction;
        ray.near = m.what == Met::kFibre ? 3 * m.radius : 0.0f;
        ray.time = time;
        return ray;
    }

    static Vec3f limited(const Vec3f& light, uint32_t bounce)
    {
        if (!is_finite(light)) return {0, 0, 0};
        const float most = largest(light);
        return bounce == 0 || most <= kBrightest ? light : light * (kBrightest / most);
    }

    static bool survives(Vec3f& carried, uint32_t bounce, Sampler& sampler)
    {
        const float most = largest(carried);
        if (!(most > 0) || !is_finite(carried)) return false;
        if (bounce < kRouletteFrom || most >= 1) return true;
        if (sampler.one() >= most) return false;
        carried = carried * (1 / most);
        return true;
    }

    const Stage& stage_;
    const Camera& camera_;
    const RenderSettings& settings_;
    View view_;
    EmbreeScene scene_;
    std::vector<Lamp> lamps_;
    float extent_, focus_;
    Vec3f middle_;  // of all there is to see
};

}  // namespace

Image trace_paths(const Stage& stage, const Camera& camera, const RenderSettings& settings, Executor& executor,
                  const RenderProgress& progress)
{
    constexpr uint32_t kTile = 16;
    // Between passes one can stop: no pass takes much longer than a second or two.
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
