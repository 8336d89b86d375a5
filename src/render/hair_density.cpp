#include "render/hair_density.h"

#include "math/vectors.h"

#include <cmath>

namespace tendril {
namespace {

constexpr double kCellsAcross = 88;  // along the longest side, before the cell size is rounded up to its next step
constexpr int kMaxCells = 112;
constexpr size_t kParts = 8;          // fixed number of partial sums, so that the result does not depend on the threads
constexpr float kMeanSine = 0.785f;   // of the angle between light and hair, averaged over all directions: pi / 4
constexpr float kBodyPerCell = 1.2f;  // optical depth of a cell inside a body: it transmits exp(-1.2) of the light
constexpr double kFar = 1e12;         // [m]: points farther away are ignored

bool is_near(const Vec3d& p)
{
    return std::abs(p.x) < kFar && std::abs(p.y) < kFar && std::abs(p.z) < kFar;
}

/// The bounding box of the hair and of the parts of bodies near it.
Box box_of(const Stage& stage, const Vec3d& eye)
{
    Box hair, bodies;
    const auto add = [&](Box& box, std::span<const Vec3f> points, const Vec3d& origin) {
        for (const Vec3f& p : points) {
            const Vec3d world = to_double(p) + origin;
            if (!is_near(world - eye)) continue;
            box.low = component_min(box.low, world);
            box.high = component_max(box.high, world);
        }
    };
    for (const StageStrands& s : stage.strands)
        if (!s.unlit) add(hair, s.curves.points, s.curves.origin);
    if (hair.empty()) return hair;
    for (const StageMesh& m : stage.meshes) add(bodies, m.vertices, m.origin);
    if (bodies.empty()) return hair;
    const double reach = 0.4 * length(hair.high - hair.low);
    const Vec3d margin{reach, reach, reach};
    return {component_min(hair.low, component_max(bodies.low, hair.low - margin)),
            component_max(hair.high, component_min(bodies.high, hair.high + margin))};
}

GridFrame frame_of(const Box& box, const Vec3d& eye)
{
    GridFrame frame;
    const Vec3d extent = box.high - box.low;
    const double longest = std::max({extent.x, extent.y, extent.z, 1e-4});
    const double cell = std::exp2(std::ceil(4 * std::log2(longest / kCellsAcross)) / 4);
    const Vec3d first{std::floor(box.low.x / cell) - 1, std::floor(box.low.y / cell) - 1,
                      std::floor(box.low.z / cell) - 1};
    const auto cells = [&](double high, double start) {
        return std::clamp(static_cast<int>(std::floor(high / cell) - start) + 2, 3, kMaxCells);
    };
    frame.cell = static_cast<float>(cell);
    frame.size = {cells(box.high.x, first.x), cells(box.high.y, first.y), cells(box.high.z, first.z)};
    frame.low = to_float(first * cell - eye);
    return frame;
}

void splat(const GridFrame& frame, std::vector<float>& cells, const Vec3f& p, float amount)
{
    const Vec3f g = (p - frame.low) * (1.0f / frame.cell);
    const float position[3] = {g.x - 0.5f, g.y - 0.5f, g.z - 0.5f};
    int at[3];
    float share[3];
    for (size_t a = 0; a < 3; ++a) {
        const float inside = std::clamp(position[a], 0.0f, static_cast<float>(frame.size[a]) - 1.001f);
        at[a] = static_cast<int>(inside);
        share[a] = inside - static_cast<float>(at[a]);
    }
    const size_t dy = static_cast<size_t>(frame.size[0]), dz = dy * static_cast<size_t>(frame.size[1]);
    float* corner = cells.data() + frame.index(at[0], at[1], at[2]);
    for (size_t k = 0; k < 8; ++k) {
        const float weight = ((k & 1) ? share[0] : 1 - share[0]) * ((k & 2) ? share[1] : 1 - share[1]) *
                             ((k & 4) ? share[2] : 1 - share[2]);
        corner[((k & 1) ? 1 : 0) + ((k & 2) ? dy : 0) + ((k & 4) ? dz : 0)] += weight * amount;
    }
}

void splat_strand(const GridFrame& frame, std::vector<float>& cells, const StageStrands& strands, size_t strand,
                  const Vec3d& eye)
{
    const CurvesView& curves = strands.curves;
    const Vec3d shift = curves.origin - eye;
    const size_t begin = curves.first_point[strand], end = curves.first_point[strand + 1];
    const float volume = frame.cell * frame.cell * frame.cell;
    for (size_t p = begin; p + 1 < end; ++p) {
        const Vec3d first = to_double(curves.points[p]) + shift, second = to_double(curves.points[p + 1]) + shift;
        if (!is_near(first) || !is_near(second)) continue;
        const Vec3f a = to_float(first), edge = to_float(second - first);
        const float l = length(edge);
        const float width =
            (strands.widths.empty() ? strands.width : 0.5f * (strands.widths[p] + strands.widths[p + 1])) *
            strands.width_scale;
        const float amount = width * l * kMeanSine / volume;
        if (!(amount > 0) || !std::isfinite(amount)) continue;
        const int pieces = std::clamp(static_cast<int>(std::min(l / frame.cell, 1e3f)) + 1, 1, kMaxCells);
        const float share = 1.0f / static_cast<float>(pieces);
        for (int k = 0; k < pieces; ++k)
            splat(frame, cells, a + edge * ((static_cast<float>(k) + 0.5f) * share), amount * share);
    }
}

/// Each part of the strands has its own grid, so the sum does not depend on which thread processed which part.
void add_hair(const Stage& stage, const Vec3d& eye, HairDensity& density, Executor& executor)
{
    std::vector<std::vector<float>> parts(kParts);
    parallel_for(executor, kParts, 1, [&](size_t begin, size_t end) {
        for (size_t part = begin; part < end; ++part) {
            parts[part].assign(density.frame.count(), 0.0f);
            for (const StageStrands& strands : stage.strands) {
                if (strands.unlit || strands.curves.first_point.empty()) continue;
                const size_t count = strands.curves.first_point.size() - 1;
                for (size_t s = count * part / kParts; s < count * (part + 1) / kParts; ++s)
                    splat_strand(density.frame, parts[part], strands, s, eye);
            }
        }
    });
    parallel_for(executor, density.cells.size(), 65536, [&](size_t begin, size_t end) {
        for (size_t c = begin; c < end; ++c) {
            float sum = 0;
            for (const std::vector<float>& part : parts) sum += part[c];
            density.cells[c][kOfHair] = sum;
        }
    });
}

/// Computes the share of each cell in a column along z that is inside a body.
void fill_column(const GridFrame& frame, const SurfaceScene& surfaces, int x, int y, std::vector<float>& inside)
{
    Vec3f origin = frame.centre(x, y, 0);
    origin.z = std::min(surfaces.low().z, frame.low.z) - frame.cell;
    const float step = 1e-3f * frame.cell;
    float from = 0, entered = -1;
    for (int crossing = 0; crossing < 64; ++crossing) {
        const SurfaceHit hit = surfaces.trace(origin, {0, 0, 1}, from);
        if (hit.distance < 0) return;
        from = hit.distance + step + 1e-6f * std::abs(hit.distance);
        if (!hit.from_behind) {
            if (entered < 0) entered = hit.distance;
            continue;
        }
        if (entered < 0) continue;
        const float a = (origin.z + entered - frame.low.z) / frame.cell;
        const float b = (origin.z + hit.distance - frame.low.z) / frame.cell;
        const int last = std::min(static_cast<int>(std::clamp(b, -1.0f, 1e6f)), frame.size[2] - 1);
        for (int z = static_cast<int>(std::clamp(a, 0.0f, 1e6f)); z <= last; ++z) {
            const float low = static_cast<float>(z);
            inside[frame.index(x, y, z)] += std::max(std::min(b, low + 1) - std::max(a, low), 0.0f);
        }
        entered = -1;
    }
}

/// Smooths along an axis with weights 1/4, 1/2, 1/4.
void smooth_along(const GridFrame& frame, size_t axis, const std::vector<float>& in, std::vector<float>& out,
                  Executor& executor)
{
    const size_t stride[3] = {1, static_cast<size_t>(frame.size[0]), frame.index(0, 0, 1)};
    parallel_for(executor, static_cast<size_t>(frame.size[2]), 4, [&](size_t begin, size_t end) {
        for (int z = static_cast<int>(begin); z < static_cast<int>(end); ++z)
            for (int y = 0; y < frame.size[1]; ++y)
                for (int x = 0; x < frame.size[0]; ++x) {
                    const int at = axis == 0 ? x : axis == 1 ? y : z;
                    const size_t cell = frame.index(x, y, z);
                    const size_t below = at > 0 ? cell - stride[axis] : cell;
                    const size_t above = at + 1 < frame.size[axis] ? cell + stride[axis] : cell;
                    out[cell] = 0.5f * in[cell] + 0.25f * (in[below] + in[above]);
                }
    });
}

/// Adds the bodies, shrunk by a cell or two so that they do not shadow the hair that lies on their skin.
void add_bodies(const SurfaceScene& surfaces, HairDensity& density, Executor& executor)
{
    const GridFrame& frame = density.frame;
    std::vector<float> inside(frame.count(), 0.0f), other(frame.count());
    const size_t columns = static_cast<size_t>(frame.size[0]) * static_cast<size_t>(frame.size[1]);
    parallel_for(executor, columns, 64, [&](size_t begin, size_t end) {
        for (size_t c = begin; c < end; ++c)
            fill_column(frame, surfaces, static_cast<int>(c) % frame.size[0], static_cast<int>(c) / frame.size[0],
                        inside);
    });
    // Smooth twice along each axis; otherwise the shadows on skin would show the cells as steps.
    for (size_t pass = 0; pass < 6; ++pass) {
        smooth_along(frame, pass % 3, inside, other, executor);
        std::swap(inside, other);
    }
    // Count only cells well inside: at the surface, where the share is about one half, the density is zero.
    const float scale = kBodyPerCell / frame.cell;
    for (size_t c = 0; c < inside.size(); ++c) density.cells[c][kOfBody] = scale * smooth_step(0.55f, 1.0f, inside[c]);
}

}  // namespace

HairDensity measure_density(const Stage& stage, const SurfaceScene& surfaces, const Vec3d& eye, Executor& executor)
{
    HairDensity density;
    const Box box = box_of(stage, eye);
    if (box.empty()) return density;
    density.frame = frame_of(box, eye);
    density.cells.assign(density.frame.count(), HairAndBody{});
    add_hair(stage, eye, density, executor);
    if (!surfaces.empty()) add_bodies(surfaces, density, executor);
    return density;
}

}  // namespace tendril
