#include "render/embree_scene.h"

#include "render/embree_api.h"
#include "render/light_math.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// Strands wider than this many pixels are round instead of flat.
constexpr double kRoundPixels = 4;

struct Point4 {
    float x, y, z, radius;
};

Vec3f position_of(const Point4& p)
{
    return {p.x, p.y, p.z};
}

RTCRay embree_ray(const Ray& ray)
{
    const Vec3f &o = ray.origin, &d = ray.direction;
    return {o.x, o.y, o.z, ray.near, d.x, d.y, d.z, ray.time, ray.far, ~0u, 0, 0};
}

/// Calls `f(begin, end)` for every run of at least two usable points of a strand.
template <class F>
void for_each_run(const CurvesView& curves, size_t strand, const F& f)
{
    const size_t end = curves.first_point[strand + 1];
    for (size_t i = curves.first_point[strand]; i < end; ++i) {
        size_t last = i;
        while (last < end && is_usable(curves.points[last])) ++last;
        if (last - i >= 2) f(i, last);
        i = last;
    }
}

}  // namespace

struct EmbreeScene::Strands {
    const StageStrands* stage;
    bool curved;
    std::vector<Point4> points[2];  // at shutter open and shutter close
    std::vector<uint32_t> first;    // per segment: its first control point
    std::vector<uint32_t> strand;   // per segment: its strand
    std::vector<uint32_t> source;   // per segment: the point of the stage where it starts
};

struct EmbreeScene::Surface {
    EyeSpaceMesh mesh;         // at shutter open
    std::vector<Vec3f> later;  // vertices at shutter close; empty if the mesh does not move
};

EmbreeScene::EmbreeScene(const Stage& stage, const Camera& camera, const CurveDetail& detail, Executor& executor)
    : origin_(camera.eye), ground_(stage.ground)
{
    for (const StageStrands& strands : stage.strands) add(strands, camera, detail, executor);
    for (const StageMesh& mesh : stage.meshes) add(mesh, camera);
    embree_.commit();
}

EmbreeScene::~EmbreeScene() = default;

/// The offsets of each strand's control points and segments. Curved strands have an extra control point at each end.
struct StrandLayout {
    std::vector<uint32_t> first_point, first_segment;

    StrandLayout(const CurvesView& curves, size_t count, uint32_t extra)
        : first_point(count + 1, 0), first_segment(count + 1, 0)
    {
        for (size_t s = 0; s < count; ++s) {
            first_point[s + 1] = first_point[s];
            first_segment[s + 1] = first_segment[s];
            for_each_run(curves, s, [&](size_t begin, size_t end) {
                first_point[s + 1] += static_cast<uint32_t>(end - begin) + 2 * extra;
                first_segment[s + 1] += static_cast<uint32_t>(end - begin) - 1;
            });
        }
    }
};

/// Fills in all control points and segments; moving strands have points at shutter open and shutter close.
void EmbreeScene::fill(Strands& strands, const Camera& camera, Executor& executor) const
{
    const StageStrands& stage = *strands.stage;
    const CurvesView& curves = stage.curves;
    const size_t count = curves.first_point.empty() ? 0 : curves.first_point.size() - 1;
    const int times = camera.shutter > 0 && !curves.velocities.empty() ? 2 : 1;
    const uint32_t extra = strands.curved ? 1 : 0;
    const StrandLayout layout(curves, count, extra);
    for (int t = 0; t < times; ++t) strands.points[t].resize(layout.first_point[count]);
    for (auto* v : {&strands.first, &strands.strand, &strands.source}) v->resize(layout.first_segment[count]);

    const Vec3d shift = curves.origin - origin_;
    const auto point = [&](size_t i, float seconds) {
        const float width = stage.widths.empty() ? stage.width : stage.widths[i];
        const Vec3f p = to_float(to_double(curves.points[i]) + shift);
        const bool moving = seconds != 0 && is_finite(curves.velocities[i]);
        const Vec3f q = moving ? p + curves.velocities[i] * seconds : p;
        return Point4{q.x, q.y, q.z, std::clamp(0.5f * width * stage.width_scale, 1e-9f, 1e3f)};
    };
    const auto beyond = [](const Point4& end, const Point4& before) {
        return Point4{2 * end.x - before.x, 2 * end.y - before.y, 2 * end.z - before.z, end.radius};
    };
    parallel_for(executor, count, 256, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) {
            uint32_t to = layout.first_point[s], segment = layout.first_segment[s];
            for_each_run(curves, s, [&](size_t i, size_t last) {
                const auto n = static_cast<uint32_t>(last - i);
                for (int t = 0; t < times; ++t) {
                    // The time of the picture is the middle of the exposure.
                    const float seconds = times > 1 ? static_cast<float>(camera.shutter * (t - 0.5)) : 0.0f;
                    Point4* out = strands.points[t].data() + to;
                    for (uint32_t k = 0; k < n; ++k) out[k + extra] = point(i + k, seconds);
                    if (!strands.curved) continue;
                    out[0] = beyond(out[1], out[2]);
                    out[n + 1] = beyond(out[n], out[n - 1]);
                }
                for (uint32_t k = 0; k + 1 < n; ++k, ++segment) {
                    strands.first[segment] = to + k;
                    strands.strand[segment] = static_cast<uint32_t>(s);
                    strands.source[segment] = static_cast<uint32_t>(i + k);
                }
                to += n + 2 * extra;
            });
        }
    });
}

void EmbreeScene::add(const StageStrands& stage, const Camera& camera, const CurveDetail& detail, Executor& executor)
{
    strands_.push_back(std::make_unique<Strands>());
    Strands& strands = *strands_.back();
    strands.stage = &stage;
    strands.curved = stage.curves.points.size() <= detail.max_curved_points;
    fill(strands, camera, executor);

    const float width =
        stage.widths.empty() ? stage.width : *std::max_element(stage.widths.begin(), stage.widths.end());
    const double distance = std::max(1e-6, length(camera.eye - camera.target));
    const bool round = static_cast<double>(width * stage.width_scale) > kRoundPixels * detail.pixel * distance;
    const RTCGeometryType type =
        strands.curved ? (round ? RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE : RTC_GEOMETRY_TYPE_FLAT_CATMULL_ROM_CURVE)
                       : (round ? RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE : RTC_GEOMETRY_TYPE_FLAT_LINEAR_CURVE);
    RTCGeometry geometry = rtcNewGeometry(embree_.device(), type);
    const unsigned times = strands.points[1].empty() ? 1 : 2;
    rtcSetGeometryTimeStepCount(geometry, times);
    for (unsigned t = 0; t < times; ++t)
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, t, RTC_FORMAT_FLOAT4, strands.points[t].data(), 0,
                                   sizeof(Point4), strands.points[t].size());
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, strands.first.data(), 0,
                               sizeof(uint32_t), strands.first.size());
    embree_.attach(geometry);
}

void EmbreeScene::add(const StageMesh& stage, const Camera& camera)
{
    surfaces_.push_back(std::make_unique<Surface>());
    Surface& surface = *surfaces_.back();
    surface.mesh = to_eye_space(stage, origin_);
    if (camera.shutter > 0 && !stage.velocities.empty()) {
        surface.later = surface.mesh.vertices;
        const float half = 0.5f * static_cast<float>(camera.shutter);
        for (size_t i = 0; i < stage.velocities.size(); ++i) {
            surface.mesh.vertices[i] = surface.mesh.vertices[i] - stage.velocities[i] * half;
            surface.later[i] += stage.velocities[i] * half;
        }
    }
    embree_.add(surface.mesh, surface.later);
}

RayHit EmbreeScene::strand_hit(const Strands& strands, uint32_t segment, float u, const Ray& ray, float t) const
{
    const uint32_t first_control = strands.first[segment];
    const auto p = [&](int k) {
        const Point4& a = strands.points[0][first_control + k];
        if (strands.points[1].empty()) return a;
        const Point4& b = strands.points[1][first_control + k];
        const float w = ray.time;
        return Point4{a.x + (b.x - a.x) * w, a.y + (b.y - a.y) * w, a.z + (b.z - a.z) * w, a.radius};
    };
    RayHit hit;
    hit.kind = HitKind::kFibre;
    hit.distance = t;
    hit.position = ray.origin + ray.direction * t;
    hit.strand = strands.strand[segment];
    hit.strands = strands.stage;
    Vec3f centre;
    if (strands.curved) {  // Catmull-Rom, between the two middle control points
        const float u2 = u * u, u3 = u2 * u;
        const float w[4] = {0.5f * (-u + 2 * u2 - u3), 0.5f * (2 - 5 * u2 + 3 * u3), 0.5f * (u + 4 * u2 - 3 * u3),
                            0.5f * (u3 - u2)};
        const float d[4] = {0.5f * (-1 + 4 * u - 3 * u2), 0.5f * (9 * u2 - 10 * u), 0.5f * (1 + 8 * u - 9 * u2),
                            0.5f * (3 * u2 - 2 * u)};
        centre = hit.tangent_or_normal = {0, 0, 0};
        for (int k = 0; k < 4; ++k) {
            centre += position_of(p(k)) * w[k];
            hit.tangent_or_normal += position_of(p(k)) * d[k];
            hit.radius += p(k).radius * w[k];
        }
    } else {
        // Interpolate the tangent between neighbouring segments, so that highlights show no facets.
        const bool first = segment == 0 || strands.first[segment] != strands.first[segment - 1] + 1;
        const bool last =
            segment + 1 == strands.first.size() || strands.first[segment + 1] != strands.first[segment] + 1;
        const Vec3f edge = position_of(p(1)) - position_of(p(0));
        const Vec3f before = first ? edge : position_of(p(0)) - position_of(p(-1));
        const Vec3f after = last ? edge : position_of(p(2)) - position_of(p(1));
        hit.tangent_or_normal = (before + edge) * (1 - u) + (edge + after) * u;
        centre = position_of(p(0)) + edge * u;
        hit.radius = p(0).radius + (p(1).radius - p(0).radius) * u;
    }
    hit.tangent_or_normal = unit_or(hit.tangent_or_normal, {0, 1, 0});
    const Vec3f across = cross(hit.tangent_or_normal, ray.direction);
    hit.h = std::clamp(dot(hit.position - centre, across) / std::max(1e-12f, hit.radius * length(across)), -1.0f, 1.0f);
    if (!strands.stage->colours.empty()) {
        const auto colours = strands.stage->colours;
        const uint32_t i = strands.source[segment];
        hit.colour = colours[i] * (1 - u) + colours[i + 1] * u;
    }
    return hit;
}

RayHit EmbreeScene::intersect(const Ray& ray) const
{
    RTCRayHit r{};
    r.ray = embree_ray(ray);
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    embree_intersect(embree_.scene(), r, RayOrder::kScattered);

    RayHit hit;
    const bool found = r.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    if (found && r.hit.geomID < strands_.size()) {
        hit = strand_hit(*strands_[r.hit.geomID], r.hit.primID, r.hit.u, ray, r.ray.tfar);
    } else if (found) {
        const Surface& surface = *surfaces_[r.hit.geomID - strands_.size()];
        const auto& t = surface.mesh.triangles[r.hit.primID];
        const float u = r.hit.u, v = r.hit.v;
        hit.kind = HitKind::kMesh;
        hit.distance = r.ray.tfar;
        hit.flat_normal = unit_or(Vec3f{r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z}, Vec3f{0, 1, 0});
        hit.tangent_or_normal = unit_or(
            surface.mesh.normals[t[0]] * (1 - u - v) + surface.mesh.normals[t[1]] * u + surface.mesh.normals[t[2]] * v,
            hit.flat_normal);
        hit.colour = surface.mesh.colour_of(r.hit.primID);
    }
    if (ground_.visible) {
        const float height = static_cast<float>(ground_.height - origin_.y);
        const float t = (height - ray.origin.y) / ray.direction.y;
        if (t > ray.near && t < std::min(ray.far, hit.distance)) {
            hit = {};
            hit.kind = HitKind::kGround;
            hit.distance = t;
            hit.flat_normal = hit.tangent_or_normal = {0, 1, 0};
            hit.colour = ground_.colour;
        }
    }
    hit.position = ray.origin + ray.direction * hit.distance;
    if (hit.kind == HitKind::kMesh || hit.kind == HitKind::kGround) {
        if (dot(hit.flat_normal, ray.direction) > 0) hit.flat_normal = hit.flat_normal * -1.0f;
        if (dot(hit.tangent_or_normal, hit.flat_normal) < 0) hit.tangent_or_normal = hit.tangent_or_normal * -1.0f;
    }
    return hit;
}

bool EmbreeScene::is_occluded(const Ray& ray) const
{
    RTCRay r = embree_ray(ray);
    embree_occluded(embree_.scene(), r, RayOrder::kScattered);
    return r.tfar < 0;
}

}  // namespace tendril
