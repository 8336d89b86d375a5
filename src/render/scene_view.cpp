#include "tendril/scene_view.h"

#include "tendril/overlay.h"
#include "tendril/staging.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// Change per second from one frame to the next, of what is seen from two origins.
std::vector<Vec3f> rate_of(std::span<const Vec3f> now, std::span<const Vec3f> before, const Vec3d& shift, double dt)
{
    std::vector<Vec3f> out(now.size(), Vec3f{0, 0, 0});
    if (before.size() != now.size() || !(dt > 0)) return out;
    for (size_t i = 0; i < now.size(); ++i)
        out[i] = to_float((to_double(now[i]) - to_double(before[i]) + shift) * (1 / dt));
    return out;
}

}  // namespace

std::optional<Error> SceneView::add_strands(const GroomData& data, const SceneLook& look)
{
    Strands strands;
    strands.first_point = data.first_point;
    strands.widths = data.widths;
    strands.look = look;
    const auto hair = hair_look_of(look);
    if (!hair) return Error{hair.error()};
    strands.hair = *hair;
    if (look.hair == "groom") strands.colours = data.colours;
    strands_.push_back(std::move(strands));
    return {};
}

Result<SceneView> SceneView::create(const Scene& scene, World& world, std::shared_ptr<Executor> executor)
{
    SceneView view(scene, std::move(executor));
    const auto add = [&](const Groom& groom, size_t index) {
        const auto wrong = view.add_strands(groom.data(), look_of(scene, index));
        if (wrong) return wrong;
        std::vector<float>& lengths = view.strands_.back().rest_lengths;
        for (size_t s = 0; s < groom.strand_count(); ++s)
            lengths.insert(lengths.end(), groom.rest_lengths(s).begin(), groom.rest_lengths(s).end());
        return wrong;
    };
    for (uint32_t g = 0; g < world.groom_count(); ++g)
        if (const auto wrong = add(world.groom({g}), g)) return *wrong;
    for (uint32_t c = 0; c < world.children_count(); ++c)
        if (const auto wrong = add(world.children({c}), world.guides_of({c}).index)) return *wrong;
    for (uint32_t b = 0; b < world.body_count(); ++b) {
        const MeshView mesh = world.mesh({b}, world.time());
        view.bodies_.push_back({{mesh.triangles.begin(), mesh.triangles.end()}});
    }
    view.set_up_camera(view.frame_of(world, nullptr), &world);
    return view;
}

Result<SceneView> SceneView::create(const Scene& look, const CurveFile& cache, std::shared_ptr<Executor> executor)
{
    SceneView view(look, std::move(executor));
    if (const auto wrong = view.add_strands(cache.data, look.render.look)) return *wrong;
    const auto first = view.frame_of(cache, 0, nullptr);
    if (!first) return Error{first.error()};
    view.set_up_camera(*first, nullptr);
    return view;
}

void SceneView::set_up_camera(const Frame& first, World* world)
{
    std::vector<Vec3d> positions;
    size_t count = 0;
    for (size_t k = 0; k < first.strands.size(); ++k) {
        add_expected_positions({first.strands[k].points, {}, strands_[k].first_point, first.strands[k].origin},
                               positions);
        count += strands_[k].first_point.size() - 1;
    }
    if (world) add_expected_positions(*world, static_cast<double>(scene_.frames) * scene_.world.dt, positions);
    Box box;
    for (const Vec3d& p : positions) box.include(p);
    const SceneRender& r = scene_.render;
    camera_ = scene_camera(r, positions);
    for (Strands& strands : strands_)
        strands.width_scale = drawn_width_scale(r, strands.look, camera_, count, strands.widths);
    camera_.aperture = r.aperture;
    camera_.focus = r.focus;
    camera_.shutter = r.shutter * static_cast<double>(r.every) * scene_.world.dt;
    const Vec3d view = camera_.eye - camera_.target;
    lighting_ = studio_light(box, std::atan2(view.x, view.z));
    ground_ = scene_ground(scene_, positions);
}

void SceneView::add_bodies(Frame& frame, World& world, double time) const
{
    const bool blurred = scene_.render.shutter > 0;
    const double dt = 0.5 * scene_.world.dt;
    for (uint32_t b = 0; b < world.body_count(); ++b) {
        Frame::Body body;
        MeshView mesh = world.mesh({b}, time);
        body.vertices.assign(mesh.vertices.begin(), mesh.vertices.end());
        body.origin = mesh.origin;
        if (blurred) {
            mesh = world.mesh({b}, std::max(0.0, time - dt));
            body.velocities = rate_of(body.vertices, mesh.vertices, body.origin - mesh.origin, dt);
        }
        frame.bodies.push_back(std::move(body));
    }
}

bool SceneView::needs_frame_before() const
{
    return scene_.render.overlay == Overlay::kTension;
}

SceneView::Frame SceneView::frame_of(World& world, const Frame* before) const
{
    Frame frame;
    frame.time = world.time();
    const auto add = [&](const CurvesView& view) {
        Frame::Strands strands;
        strands.points.assign(view.points.begin(), view.points.end());
        strands.velocities.assign(view.velocities.begin(), view.velocities.end());
        strands.origin = view.origin;
        const size_t k = frame.strands.size();
        const Frame::Strands* old = before && k < before->strands.size() ? &before->strands[k] : nullptr;
        const double dt = old ? frame.time - before->time : 0;
        if (scene_.render.overlay == Overlay::kTension && old)
            strands.accelerations = rate_of(strands.velocities, old->velocities, {0, 0, 0}, dt);
        frame.strands.push_back(std::move(strands));
    };
    for (uint32_t g = 0; g < world.groom_count(); ++g) {
        add(world.curves(GroomId{g}));
        const SegmentsView strings = world.segments(GroomId{g});
        frame.strands.back().string_widths.assign(strings.widths.begin(), strings.widths.end());
        frame.strands.back().string_across.assign(strings.across.begin(), strings.across.end());
        if (scene_.render.overlay != Overlay::kContact) continue;
        // What is within the layer that strands keep from a surface is held up by it, or by the strands below.
        constexpr float kNear = 5e-4f;
        const ContactSettings contact = behaviour_of(scene_, g).contact;
        for (float clearance : world.clearances(GroomId{g}))
            frame.strands.back().touching.push_back(clearance < contact.margin + contact.layer + kNear ? 1 : 0);
    }
    for (uint32_t c = 0; c < world.children_count(); ++c) add(world.curves(ChildrenId{c}));
    add_bodies(frame, world, frame.time);
    return frame;
}

Result<SceneView::Frame> SceneView::frame_of(const CurveFile& cache, size_t index, World* world) const
{
    size_t points = 0;
    for (const Strands& strands : strands_) points += strands.first_point.back();
    if (points != cache.data.points.size())
        return Error{fmt::format("the cache has {} points, but the scene has {}: it is of another scene",
                                 cache.data.points.size(), points)};
    if (scene_.render.overlay == Overlay::kContact)
        return Error{"a cache does not know what touches: leave --overlay contact to simulated scenes"};
    const auto& all = cache.samples.empty() ? cache.data.points : cache.samples[index];
    const bool moves = index > 0 && index < cache.samples.size();
    Frame frame;
    frame.time = cache.samples.empty() ? 0 : cache.times[index];
    size_t begin = 0;
    for (const Strands& fixed : strands_) {
        const auto part = [&](const std::vector<Vec3f>& v) {
            return std::span(v).subspan(begin, fixed.first_point.back());
        };
        Frame::Strands strands;
        strands.points.assign(part(all).begin(), part(all).end());
        if (moves)
            strands.velocities =
                rate_of(part(all), part(cache.samples[index - 1]), {0, 0, 0}, frame.time - cache.times[index - 1]);
        frame.strands.push_back(std::move(strands));
        begin += fixed.first_point.back();
    }
    if (world) add_bodies(frame, *world, frame.time);
    return frame;
}

Stage SceneView::stage_of(const Frame& frame, Made& made) const
{
    Stage stage;
    stage.lighting = lighting_;
    stage.ground = ground_;
    const SceneRender& r = scene_.render;
    made.overlay.resize(frame.strands.size());
    made.tubes.resize(frame.strands.size());
    for (size_t k = 0; k < frame.strands.size(); ++k) {
        const Frame::Strands& moving = frame.strands[k];
        const Strands& fixed = strands_[k];
        StageStrands strands;
        strands.curves = {moving.points, moving.velocities, fixed.first_point, moving.origin};
        strands.widths = fixed.widths;
        strands.colours = fixed.colours;
        strands.look = fixed.hair;
        strands.width_scale = fixed.width_scale;
        if (r.overlay != Overlay::kNone) {
            made.overlay[k] = overlay_colours(r.overlay, {strands.curves, fixed.rest_lengths, moving.accelerations,
                                                          moving.touching, scene_.world.gravity});
            strands.colours = made.overlay[k];
            strands.unlit = true;
        } else if (!moving.string_widths.empty()) {
            TubeLook look;
            look.colour = to_float(fixed.look.string), look.stripe = to_float(fixed.look.stripe);
            look.stripes = static_cast<int>(fixed.look.stripes);
            look.width_scale = fixed.width_scale;
            made.tubes[k] = make_tubes(strands.curves, moving.string_widths, moving.string_across, look);
            const TubeMesh& tube = made.tubes[k];
            StageMesh mesh;
            mesh.vertices = tube.vertices, mesh.velocities = tube.velocities;
            mesh.triangles = tube.triangles, mesh.colours = tube.colours;
            mesh.origin = moving.origin;
            if (!tube.triangles.empty()) stage.meshes.push_back(mesh);
            continue;
        }
        stage.strands.push_back(strands);
    }
    for (size_t b = 0; b < frame.bodies.size() && b < bodies_.size(); ++b) {
        if (bodies_[b].triangles.empty()) continue;
        StageMesh mesh;
        mesh.vertices = frame.bodies[b].vertices;
        mesh.velocities = frame.bodies[b].velocities;
        mesh.triangles = bodies_[b].triangles;
        mesh.origin = frame.bodies[b].origin;
        mesh.colour = to_float(r.skin);
        stage.meshes.push_back(mesh);
    }
    return stage;
}

RenderSettings SceneView::settings() const
{
    const SceneRender& r = scene_.render;
    RenderSettings settings;
    settings.width = static_cast<uint32_t>(r.width);
    settings.height = static_cast<uint32_t>(r.height);
    settings.quality = r.quality;
    settings.samples = static_cast<uint32_t>(r.samples);
    settings.bounces = static_cast<uint32_t>(r.bounces);
    settings.seed = scene_.seed;
    return settings;
}

Result<Image> SceneView::draw(const Frame& frame, const RenderSettings& settings, const RenderProgress& progress) const
{
    Made made;
    const Stage stage = stage_of(frame, made);
    return render(stage, camera_, settings, *executor_, progress);
}

Result<Picture> SceneView::picture(const Frame& frame, const RenderSettings& settings,
                                   const RenderProgress& progress) const
{
    const auto image = draw(frame, settings, progress);
    if (!image) return Error{image.error()};
    return tone_mapped(*image, static_cast<float>(scene_.render.exposure));
}

}  // namespace tendril
