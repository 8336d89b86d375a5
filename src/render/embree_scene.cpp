#include "render/embree_scene.h"

#include "render/embree_api.h"
#include "render/light_math.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// Strands of at least so many pixels are round.
constexpr double kRoundPixels = 4;

struct Point4 {
    float x, y, z, radius;
};

Vec3f place_of(const Point4& p)
{
    return {p.x, p.y, p.z};
}

RTCRay embree_ray(const Ray& ray)
{
    const Vec3f &o = ray.origin, &d = ray.direction;
    return {o.x, o.y, o.z, ray.near, d.x, d.y, d.z, ray.time, ray.far, ~0u, 0, 0};
}

/// Runs of at least two usable points: what can be drawn of the strands.
template <class F>
void for_all_runs(const CurvesView& curves, size_t strand, const F& f)
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
    std::vector<Point4> points[2];  // at the opening and the closing of the shutter
    std::vector<uint32_t> first;    // per segment: its first control point
    std::vector<uint32_t> strand;   // per segment
    std::vector<uint32_t> source;   // per segment: the point of the stage that it starts at
};

struct EmbreeScene::Surface {
    PlacedMesh mesh;           // when the shutter opens, or all the time
    std::vector<Vec3f> later;  // when it closes
};

EmbreeScene::EmbreeScene(const Stage& stage, const Camera& camera, const CurveDetail& detail, Executor& executor)
    : origin_(camera.eye), ground_(stage.ground)
{
    for (const StageStrands& strands : stage.strands) add(strands, camera, detail, executor);
    for (const StageMesh& mesh : stage.meshes) add(mesh, camera);
    embree_.commit();
}

EmbreeScene::~EmbreeScene() = default;

/// Where the control points and the segments of each strand go: curved strands have one more point at either end.
struct StrandLayout {
    std::vector<uint32_t> first_point, first_segment;

    StrandLayout(const CurvesView& curves, size_t count, uint32_t extra)
        : first_point(count + 1, 0), first_segment(count + 1, 0)
    {
        for (size_t s = 0; s < count; ++s) {
            first_point[s + 1] = first_point[s];
            first_segment[s + 1] = first_segment[s];
            for_all_runs(curves, s, [&](size_t begin, size_t end) {
                first_point[s + 1] += static_cast<uint32_t>(end - begin) + 2 * extra;
                first_segment[s + 1] += static_cast<uint32_t>(end - begin) - 1;
            });
        }
    }
};

/// Fills in all points, at the opening and the closing of the shutter where strands move.
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
            for_all_runs(curves, s, [&](size_t i, size_t last) {
                const auto n = static_cast<uint32_t>(last - i);
                for (int t = 0; t < times; ++t) {
                    // The picture's time is the middle of the shutter.
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
    strands.curved = stage.curves.points.size() <= detail.most_curved_points;
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
    surface.mesh = placed(stage, origin_);
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

RayMeeting EmbreeScene::meet_strand(const Strands& strands, uint32_t segment, float u, const Ray& ray, float t) const
{
    const uint32_t first_control = strands.first[segment];
    const auto p = [&](int k) {
        const Point4& a = strands.points[0][first_control + k];
        if (strands.points[1].empty()) return a;
        const Point4& b = strands.points[1][first_control + k];
        const float w = ray.time;
        return Point4{a.x + (b.x - a.x) * w, a.y + (b.y - a.y) * w, a.z + (b.z - a.z) * w, a.radius};
    };
    RayMeeting m;
    m.what = Met::kFibre;
    m.distance = t;
    m.place = ray.origin + ray.direction * t;
    m.strand = strands.strand[segment];
    m.strands = strands.stage;
    Vec3f centre;
    if (strands.curved) {  // Catmull-Rom: through the two middle points
        const float u2 = u * u, u3 = u2 * u;
        const float w[4] = {0.5f * (-u + 2 * u2 - u3), 0.5f * (2 - 5 * u2 + 3 * u3), 0.5f * (u + 4 * u2 - 3 * u3),
                            0.5f * (u3 - u2)};
        const float d[4] = {0.5f * (-1 + 4 * u - 3 * u2), 0.5f * (9 * u2 - 10 * u), 0.5f * (1 + 8 * u - 9 * u2),
                            0.5f * (3 * u2 - 2 * u)};
        centre = m.along = {0, 0, 0};
        for (int k = 0; k < 4; ++k) {
            centre += place_of(p(k)) * w[k];
            m.along += place_of(p(k)) * d[k];
            m.radius += p(k).radius * w[k];
        }
    } else {
        // The direction turns from the middle of a segment to the middle of the next: no facets in the highlights.
        const bool first = segment == 0 || strands.first[segment] != strands.first[segment - 1] + 1;
        const bool last =
            segment + 1 == strands.first.size() || strands.first[segment + 1] != strands.first[segment] + 1;
        const Vec3f edge = place_of(p(1)) - place_of(p(0));
        const Vec3f before = first ? edge : place_of(p(0)) - place_of(p(-1));
        const Vec3f after = last ? edge : place_of(p(2)) - place_of(p(1));
        m.along = (before + edge) * (1 - u) + (edge + after) * u;
        centre = place_of(p(0)) + edge * u;
        m.radius = p(0).radius + (p(1).radius - p(0).radius) * u;
    }
    m.along = unit_or(m.along, {0, 1, 0});
    const Vec3f across = cross(m.along, ray.direction);
    m.h = std::clamp(dot(m.place - centre, across) / std::max(1e-12f, m.radius * length(across)), -1.0f, 1.0f);
    if (!strands.stage->colours.empty()) {
        const auto colours = strands.stage->colours;
        const uint32_t i = strands.source[segment];
        m.colour = colours[i] * (1 - u) + colours[i + 1] * u;
    }
    return m;
}

RayMeeting EmbreeScene::meet(const Ray& ray) const
{
    RTCRayHit r{};
    r.ray = embree_ray(ray);
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    embree_intersect(embree_.scene(), r, RayOrder::kScattered);

    RayMeeting m;
    const bool hit = r.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    if (hit && r.hit.geomID < strands_.size()) {
        m = meet_strand(*strands_[r.hit.geomID], r.hit.primID, r.hit.u, ray, r.ray.tfar);
    } else if (hit) {
        const Surface& surface = *surfaces_[r.hit.geomID - strands_.size()];
        const auto& t = surface.mesh.triangles[r.hit.primID];
        const float u = r.hit.u, v = r.hit.v;
        m.what = Met::kMesh;
        m.distance = r.ray.tfar;
        m.face = unit_or(Vec3f{r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z}, Vec3f{0, 1, 0});
        m.along = unit_or(
            surface.mesh.normals[t[0]] * (1 - u - v) + surface.mesh.normals[t[1]] * u + surface.mesh.normals[t[2]] * v,
            m.face);
        m.colour = surface.mesh.colour_of(r.hit.primID);
    }
    if (ground_.visible) {
        const float height = static_cast<float>(ground_.height - origin_.y);
        const float t = (height - ray.origin.y) / ray.direction.y;
        if (t > ray.near && t < std::min(ray.far, m.distance)) {
            m = {};
            m.what = Met::kGround;
            m.distance = t;
            m.face = m.along = {0, 1, 0};
            m.colour = ground_.colour;
        }
    }
    m.place = ray.origin + ray.direction * m.distance;
    if (m.what == Met::kMesh || m.what == Met::kGround) {
        if (dot(m.face, ray.direction) > 0) m.face = m.face * -1.0f;
        if (dot(m.along, m.face) < 0) m.along = m.along * -1.0f;
    }
    return m;
}

bool EmbreeScene::blocked(const Ray& ray) const
{
    RTCRay r = embree_ray(ray);
    embree_occluded(embree_.scene(), r, RayOrder::kScattered);
    return r.tfar < 0;
}

}  // namespace tendril
