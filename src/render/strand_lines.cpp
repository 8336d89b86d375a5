#include "render/strand_lines.h"

#include <limits>
#include <numeric>

namespace tendril {
namespace {

constexpr float kNearDistance = 0.01f;   // [m]: anything nearer to the eye is not drawn
constexpr float kMaxCoordinate = 1e12f;  // [m]
constexpr float kMaxPixel = 1e7f;        // [pixels]
constexpr float kLongestLine = 7.0f;     // [pixels]: longer segments are subdivided to follow the curve
constexpr int kMaxPieces = 24;           // per segment
constexpr size_t kMaxLists = 64;
constexpr float kShadedMargin = 48.0f;  // [pixels] around the picture within which strands are still shaded

/// A point of a strand, or an interpolated one.
struct FinePoint {
    Vec3f position;  // relative to the eye
    Vec3f velocity;
    float width;  // [m]
    float index;  // fractional point index along the strand
};

/// Buffers for one strand, reused from strand to strand.
struct Work {
    std::vector<FinePoint> coarse, fine;
    std::vector<Vec3f> light;
    std::vector<char> is_visible;
};

/// A range of strands that goes into one list.
struct StrandRange {
    const StageStrands* strands;
    size_t begin, end;
};

struct LineBuilder {
    const View& view;
    const StrandLight& light;
    float shutter;

    void add_strand(const StageStrands& strands, const DraftShading& shading, size_t strand, Work& work,
                    std::vector<LinePoint>& list) const;

private:
    void add_run(const StageStrands& strands, const DraftShading& shading, size_t strand, Work& work,
                 std::vector<LinePoint>& list) const;
    void refine(const std::vector<FinePoint>& coarse, std::vector<FinePoint>& fine) const;
    int pieces(const FinePoint& a, const FinePoint& b) const;
    bool is_near_picture(const FinePoint& a, const FinePoint& b) const;
    void shade(const StageStrands& strands, const DraftShading& shading, size_t strand, Work& work) const;
    void project(const StageStrands& strands, size_t strand, const Work& work, float time, float share,
                 std::vector<LinePoint>& list) const;
};

/// The Catmull-Rom curve [Catmull74] between the second and the third of four points.
Vec3f catmull_rom(const Vec3f& a, const Vec3f& b, const Vec3f& c, const Vec3f& d, float t)
{
    const Vec3f in = (c - a) * 0.5f, out = (d - b) * 0.5f;
    const float t2 = t * t, t3 = t2 * t;
    return b * (2 * t3 - 3 * t2 + 1) + in * (t3 - 2 * t2 + t) + c * (3 * t2 - 2 * t3) + out * (t3 - t2);
}

bool LineBuilder::is_near_picture(const FinePoint& a, const FinePoint& b) const
{
    if (dot(a.position, view.forward) < kNearDistance || dot(b.position, view.forward) < kNearDistance) return false;
    const View::Projection p = view.project(a.position), q = view.project(b.position);
    return std::max(p.x, q.x) > -kShadedMargin && std::max(p.y, q.y) > -kShadedMargin &&
           std::min(p.x, q.x) < static_cast<float>(view.width) + kShadedMargin &&
           std::min(p.y, q.y) < static_cast<float>(view.height) + kShadedMargin;
}

int LineBuilder::pieces(const FinePoint& a, const FinePoint& b) const
{
    const bool is_behind_a = dot(a.position, view.forward) < kNearDistance,
               is_behind_b = dot(b.position, view.forward) < kNearDistance;
    if (is_behind_a != is_behind_b) return kMaxPieces;  // the pieces in front of the eye are drawn
    if (!is_near_picture(a, b)) return 1;
    const View::Projection p = view.project(a.position), q = view.project(b.position);
    const float l = std::sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y));
    return std::clamp(static_cast<int>(std::min(l / kLongestLine, 1e3f)) + 1, 1, kMaxPieces);
}

void LineBuilder::refine(const std::vector<FinePoint>& coarse, std::vector<FinePoint>& fine) const
{
    fine.clear();
    for (size_t k = 0; k + 1 < coarse.size(); ++k) {
        const FinePoint &b = coarse[k], &c = coarse[k + 1];
        const FinePoint &a = k > 0 ? coarse[k - 1] : b, &d = k + 2 < coarse.size() ? coarse[k + 2] : c;
        const int count = pieces(b, c);
        fine.push_back(b);
        for (int i = 1; i < count; ++i) {
            const float t = static_cast<float>(i) / static_cast<float>(count);
            fine.push_back({catmull_rom(a.position, b.position, c.position, d.position, t),
                            mixed(b.velocity, c.velocity, t), b.width + (c.width - b.width) * t,
                            b.index + (c.index - b.index) * t});
        }
    }
    fine.push_back(coarse.back());
}

Vec3f colour_at(const StageStrands& strands, size_t first, float index)
{
    const size_t below = first + static_cast<size_t>(index);
    const size_t above = std::min(below + 1, strands.colours.size() - 1);
    const Vec3f c = mixed(strands.colours[below], strands.colours[above], index - std::floor(index));
    return is_finite(c) ? c : Vec3f{0.5f, 0.5f, 0.5f};
}

void LineBuilder::shade(const StageStrands& strands, const DraftShading& shading, size_t strand, Work& work) const
{
    const std::vector<FinePoint>& fine = work.fine;
    const size_t first = strands.curves.first_point[strand];
    work.is_visible.assign(fine.size(), 0);
    for (size_t k = 0; k + 1 < fine.size(); ++k)
        if (is_near_picture(fine[k], fine[k + 1])) work.is_visible[k] = work.is_visible[k + 1] = 1;
    work.light.assign(fine.size(), Vec3f{0, 0, 0});

    const StrandTint tint = tint_of(strand);
    const auto set_colour = [&](StrandPoint& point, const Vec3f& colour) {
        point.tint = shading.tint(tinted_by(tint, colour));
        point.log_forward = log_forward_share(point.tint);
    };
    StrandPoint point;
    point.shift = tint.shift;
    if (strands.colours.empty())
        set_colour(point, colour_of_absorption(absorption_of(strands.look), strands.look.side_roughness));
    for (size_t k = 0; k < fine.size(); ++k) {
        if (!work.is_visible[k]) continue;
        if (!strands.colours.empty()) {
            const Vec3f colour = colour_at(strands, first, fine[k].index);
            if (strands.unlit) {
                work.light[k] = colour;
                continue;
            }
            set_colour(point, colour);
        } else if (strands.unlit) {
            work.light[k] = point.tint.dense;
            continue;
        }
        point.position = fine[k].position;
        const Vec3f& before = fine[k > 0 ? k - 1 : 0].position;
        const Vec3f& after = fine[std::min(k + 1, fine.size() - 1)].position;
        point.tangent = unit_or(after - before, {0, -1, 0});
        work.light[k] = light.at(point, shading);
    }
}

/// Fades the tips of strands thinner than a pixel: real tips taper more than the given widths and seem to vanish.
float tip_opacity(float along, float pixels)
{
    return 1.0f - 0.75f * smooth_step(0.72f, 1.0f, along) * (1.0f - smooth_step(1.0f, 3.0f, pixels));
}

/// The opacity of one of several copies of a moving strand, each with the given share of the exposure. Where the strand
/// hardly moves, the copies overlap and must add up to its coverage. Where it moves far, each has its share.
float copy_opacity(float share, float pixels, float travel)
{
    if (share >= 1) return 1;
    const float coverage = std::clamp(pixels, 0.01f, 0.98f);
    const float overlapping = (1 - std::pow(1 - coverage, share)) / coverage;
    return mixed(overlapping, share, smooth_step(0.0f, std::max(pixels, 1.0f), travel * share));
}

void LineBuilder::project(const StageStrands& strands, size_t strand, const Work& work, float time, float share,
                          std::vector<LinePoint>& list) const
{
    const float points =
        static_cast<float>(strands.curves.first_point[strand + 1] - strands.curves.first_point[strand]);
    const size_t start = list.size();
    const auto end_run = [&] {
        if (list.size() > start) list.back().is_last = true;
    };
    for (size_t k = 0; k < work.fine.size(); ++k) {
        const FinePoint& p = work.fine[k];
        const Vec3f position = p.position + p.velocity * time;
        const float depth = dot(position, view.forward);
        // A line that passes the eye ends at its last point in front of it; the exact position does not matter.
        if (!(depth >= kNearDistance) || !work.is_visible[k]) {
            end_run();
            continue;
        }
        const View::Projection pixel = view.project(position);
        if (!(std::abs(pixel.x) < kMaxPixel && std::abs(pixel.y) < kMaxPixel)) {
            end_run();
            continue;
        }
        LinePoint point;
        point.x = pixel.x, point.y = pixel.y;
        point.width = std::clamp(p.width * view.focal / depth, 0.0f, 1e4f);
        // Bias the depth towards the eye. Lines are at least about a pixel wide, so half of one that lies on a surface
        // would be hidden by it.
        point.depth = depth * (1 - 1.0f / view.focal) - 0.5f * p.width;
        point.opacity = copy_opacity(share, point.width, length(p.velocity) * shutter * view.focal / depth) *
                        (strands.unlit ? 1.0f : tip_opacity(p.index / std::max(points - 1, 1.0f), point.width));
        point.light = work.light[k];
        point.is_first = list.size() == start || list.back().is_last;
        list.push_back(point);
    }
    end_run();
}

void LineBuilder::add_run(const StageStrands& strands, const DraftShading& shading, size_t strand, Work& work,
                          std::vector<LinePoint>& list) const
{
    if (work.coarse.size() < 2) return;
    refine(work.coarse, work.fine);
    shade(strands, shading, strand, work);
    const bool is_blurred = shutter > 0 && !strands.curves.velocities.empty();
    if (!is_blurred) return project(strands, strand, work, 0, 1, list);
    // Draw enough copies around the time of the picture to leave no gaps wider than about two pixels.
    float max_travel = 0;
    for (size_t k = 0; k < work.fine.size(); ++k)
        if (work.is_visible[k])
            max_travel = std::max(max_travel, length(work.fine[k].velocity) * shutter * view.focal /
                                                  std::max(dot(work.fine[k].position, view.forward), kNearDistance));
    constexpr int kMaxCopies = 12;
    const int copies = std::clamp(static_cast<int>(std::min(max_travel / 2.0f, 1e3f)) + 1, 1, kMaxCopies);
    for (int i = 0; i < copies; ++i) {
        const float time = ((static_cast<float>(i) + 0.5f) / static_cast<float>(copies) - 0.5f) * shutter;
        project(strands, strand, work, time, 1.0f / static_cast<float>(copies), list);
    }
}

void LineBuilder::add_strand(const StageStrands& strands, const DraftShading& shading, size_t strand, Work& work,
                             std::vector<LinePoint>& list) const
{
    const CurvesView& curves = strands.curves;
    const Vec3d shift = curves.origin - view.eye;
    const size_t first = curves.first_point[strand], end = curves.first_point[strand + 1];
    work.coarse.clear();
    for (size_t p = first; p < end; ++p) {
        const Vec3f position = to_float(to_double(curves.points[p]) + shift);
        const bool is_usable = std::abs(position.x) < kMaxCoordinate && std::abs(position.y) < kMaxCoordinate &&
                               std::abs(position.z) < kMaxCoordinate;
        if (!is_usable) {
            add_run(strands, shading, strand, work, list);
            work.coarse.clear();
            continue;
        }
        const float width = (strands.widths.empty() ? strands.width : strands.widths[p]) * strands.width_scale;
        Vec3f velocity = curves.velocities.empty() ? Vec3f{0, 0, 0} : curves.velocities[p];
        if (!(length(velocity) < kMaxCoordinate)) velocity = {0, 0, 0};
        work.coarse.push_back({position, velocity, width > 0 ? width : 0.0f, static_cast<float>(p - first)});
    }
    add_run(strands, shading, strand, work, list);
}

std::vector<std::vector<StrandRange>> split_into_lists(const Stage& stage)
{
    size_t total = 0;
    const auto count_of = [](const StageStrands& s) {
        return s.curves.first_point.empty() ? 0 : s.curves.first_point.size() - 1;
    };
    for (const StageStrands& s : stage.strands) total += count_of(s);
    const size_t per_list = std::max<size_t>(16, (total + kMaxLists - 1) / kMaxLists);
    std::vector<std::vector<StrandRange>> lists;
    size_t remaining = 0;
    for (const StageStrands& s : stage.strands)
        for (size_t begin = 0; begin < count_of(s);) {
            if (remaining == 0) {
                lists.emplace_back();
                remaining = per_list;
            }
            const size_t end = std::min(count_of(s), begin + remaining);
            lists.back().push_back({&s, begin, end});
            remaining -= end - begin;
            begin = end;
        }
    return lists;
}

/// Calls `visit(tile)` for all tiles that the line from a to b may touch.
template <class Visit>
void for_tiles(const StrandLines& lines, const LinePoint& a, const LinePoint& b, const Visit& visit)
{
    const float reach = line_reach(std::max(a.width, b.width));
    const auto tile_of = [](float pixel, uint32_t tiles) {
        return static_cast<int>(std::clamp(std::floor(pixel / kTileSize), -1.0f, static_cast<float>(tiles)));
    };
    const int x0 = std::max(tile_of(std::min(a.x, b.x) - reach, lines.tiles_x), 0);
    const int y0 = std::max(tile_of(std::min(a.y, b.y) - reach, lines.tiles_y), 0);
    const int x1 = std::min(tile_of(std::max(a.x, b.x) + reach, lines.tiles_x), static_cast<int>(lines.tiles_x) - 1);
    const int y1 = std::min(tile_of(std::max(a.y, b.y) + reach, lines.tiles_y), static_cast<int>(lines.tiles_y) - 1);
    const bool is_long = (x1 - x0) * (y1 - y0) > 1;
    const float dx = b.x - a.x, dy = b.y - a.y, l = std::max(std::sqrt(dx * dx + dy * dy), 1e-6f);
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) {
            const float from_x = (static_cast<float>(x) + 0.5f) * kTileSize - a.x;
            const float from_y = (static_cast<float>(y) + 0.5f) * kTileSize - a.y;
            if (is_long && std::abs(dx * from_y - dy * from_x) / l > 0.7072f * kTileSize + 1.4143f * reach) continue;
            visit(static_cast<size_t>(y) * lines.tiles_x + static_cast<size_t>(x));
        }
}

/// Counts entries per list and tile first, so that the position of every entry does not depend on the threads.
void assign_to_tiles(StrandLines& lines, Executor& executor)
{
    const size_t tiles = static_cast<size_t>(lines.tiles_x) * lines.tiles_y, lists = lines.lists.size();
    std::vector<uint32_t> next(lists * tiles, 0);
    const auto for_lines = [&](size_t list, const auto& visit) {
        const std::vector<LinePoint>& points = lines.lists[list];
        for (size_t k = 0; k + 1 < points.size(); ++k)
            if (!points[k].is_last) for_tiles(lines, points[k], points[k + 1], [&](size_t tile) { visit(k, tile); });
    };
    parallel_for(executor, lists, 1, [&](size_t begin, size_t end) {
        for (size_t list = begin; list < end; ++list)
            for_lines(list, [&](size_t, size_t tile) { next[list * tiles + tile] += 1; });
    });
    lines.first_entry.assign(tiles + 1, 0);
    for (size_t tile = 0; tile < tiles; ++tile) {
        uint32_t sum = 0;
        for (size_t list = 0; list < lists; ++list) {
            const uint32_t count = next[list * tiles + tile];
            next[list * tiles + tile] = sum;
            sum += count;
        }
        lines.first_entry[tile + 1] = lines.first_entry[tile] + sum;
    }
    lines.entries.resize(lines.first_entry.back());
    parallel_for(executor, lists, 1, [&](size_t begin, size_t end) {
        for (size_t list = begin; list < end; ++list) {
            const std::vector<LinePoint>& points = lines.lists[list];
            for_lines(list, [&](size_t k, size_t tile) {
                const size_t entry = lines.first_entry[tile] + next[list * tiles + tile]++;
                lines.entries[entry] = {0.5f * (points[k].depth + points[k + 1].depth), static_cast<uint32_t>(list),
                                        static_cast<uint32_t>(k)};
            });
        }
    });
    parallel_for(executor, tiles, 1, [&](size_t begin, size_t end) {
        for (size_t tile = begin; tile < end; ++tile)
            std::sort(lines.entries.begin() + static_cast<std::ptrdiff_t>(lines.first_entry[tile]),
                      lines.entries.begin() + static_cast<std::ptrdiff_t>(lines.first_entry[tile + 1]));
    });
}

}  // namespace

StrandLines make_lines(const Stage& stage, const View& view, const StrandLight& light, double shutter,
                       Executor& executor)
{
    StrandLines lines;
    lines.tiles_x = (view.width + kTileSize - 1) / kTileSize;
    lines.tiles_y = (view.height + kTileSize - 1) / kTileSize;
    const std::vector<std::vector<StrandRange>> ranges = split_into_lists(stage);
    lines.lists.resize(ranges.size());
    const LineBuilder builder{view, light, std::isfinite(shutter) ? static_cast<float>(std::max(shutter, 0.0)) : 0.0f};
    parallel_for(executor, ranges.size(), 1, [&](size_t begin, size_t end) {
        Work work;
        for (size_t list = begin; list < end; ++list)
            for (const StrandRange& range : ranges[list]) {
                const DraftShading shading(range.strands->look);
                for (size_t s = range.begin; s < range.end; ++s)
                    builder.add_strand(*range.strands, shading, s, work, lines.lists[list]);
            }
    });
    assign_to_tiles(lines, executor);
    return lines;
}

}  // namespace tendril
