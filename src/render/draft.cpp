#include "render/draft.h"
#include "render/light.h"

#include "render/hair_density.h"
#include "render/light_volume.h"
#include "render/line_raster.h"
#include "render/strand_lines.h"
#include "render/surface_pass.h"
#include "render/surface_scene.h"
#include "render/view.h"

#include <memory>

namespace tendril {
namespace {

constexpr float kHidden = 4e-3f;  // a surface of which less is seen is not worth its shadow rays

/// One tile on its way into the picture.
struct TileWork {
    LineTile lines;
    std::vector<SurfacePixel> surfaces;
    GroundLattice ground;
};

void prepare(TileWork& work, const SurfacePass& surfaces, uint32_t tile_x, uint32_t tile_y, const View& view)
{
    LineTile& tile = work.lines;
    tile.x = static_cast<int>(tile_x) * kTileSize;
    tile.y = static_cast<int>(tile_y) * kTileSize;
    tile.width = std::min(kTileSize, static_cast<int>(view.width) - tile.x);
    tile.height = std::min(kTileSize, static_cast<int>(view.height) - tile.y);
    work.ground = GroundLattice{};
    work.ground.x = tile.x, work.ground.y = tile.y;
    surfaces.trace(tile, work.surfaces);
    for (int y = 0; y < tile.height; ++y)
        for (int x = 0; x < tile.width; ++x) {
            const SurfacePixel& behind = work.surfaces[static_cast<size_t>(y * kTileSize + x)];
            LinePixel& pixel = tile.at(tile.x + x, tile.y + y);
            pixel.light = {0, 0, 0};
            for (size_t s = 0; s < kSubSamples; ++s) {
                pixel.open[s] = 1;
                pixel.depth[s] = behind.samples[behind.is_even ? 0 : s].depth;
            }
        }
}

/// The lines, and behind them as much of the surfaces as they let through.
Vec3f finished(TileWork& work, const SurfacePass& surfaces, int x, int y)
{
    const LinePixel& lines = work.lines.at(x, y);
    const SurfacePixel& behind = work.surfaces[static_cast<size_t>((y - work.lines.y) * kTileSize + x - work.lines.x)];
    const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
    const auto shade = [&](size_t s) { return surfaces.shade(behind.samples[s], px, py, work.ground); };
    Vec3f light = lines.light;
    if (behind.is_even) {
        const float open = 0.25f * (lines.open[0] + lines.open[1] + lines.open[2] + lines.open[3]);
        return open > kHidden ? light + shade(0) * open : light;
    }
    for (size_t s = 0; s < kSubSamples; ++s) {
        const float open = 0.25f * lines.open[s];
        if (open > kHidden) light += shade(s) * open;
    }
    return light;
}

void draw_tile(TileWork& work, size_t tile_index, const StrandLines& lines, const SurfacePass& surfaces,
               const View& view, Image& image)
{
    const uint32_t tile_x = static_cast<uint32_t>(tile_index % lines.tiles_x);
    const uint32_t tile_y = static_cast<uint32_t>(tile_index / lines.tiles_x);
    prepare(work, surfaces, tile_x, tile_y, view);
    LineTile& tile = work.lines;
    for (size_t e = lines.first_entry[tile_index]; e < lines.first_entry[tile_index + 1]; ++e)
        draw_line(tile, lines.lists[lines.entries[e].list], lines.entries[e].point);
    for (int y = tile.y; y < tile.y + tile.height; ++y)
        for (int x = tile.x; x < tile.x + tile.width; ++x)
            image.pixels[static_cast<size_t>(y) * image.width + static_cast<size_t>(x)] =
                finished(work, surfaces, x, y);
}

Image empty_picture(const Lighting& lighting, uint32_t width, uint32_t height)
{
    Image image{width, height, std::vector<Vec3f>(static_cast<size_t>(width) * height)};
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x)
            image.pixels[static_cast<size_t>(y) * width + x] =
                backdrop_radiance(lighting, 1 - (static_cast<float>(y) + 0.5f) / static_cast<float>(height));
    return image;
}

}  // namespace

Image draw_draft(const Stage& stage, const Camera& camera, const RenderSettings& settings, Executor& executor,
                 const RenderProgress& progress)
{
    const auto goes_on = [&](double done) { return !progress || progress(done); };
    Image image = empty_picture(stage.lighting, settings.width, settings.height);
    const View view = make_view(camera, settings.width, settings.height);
    if (!is_finite(view.eye) || !goes_on(0)) return image;

    const SurfaceScene scene(stage.meshes, view.eye);
    const std::vector<Lamp> lamps = make_lamps(stage.lighting, view.eye);
    const LightVolume volume(measure_density(stage, scene, view.eye, executor), lamps, executor);
    if (!goes_on(0.2)) return image;
    const StrandLight light(stage, lamps, volume);
    const StrandLines lines = make_lines(stage, view, light, camera.shutter, executor);
    const SurfacePass surfaces(stage, view, scene, lamps, volume);

    constexpr size_t kBatches = 6;
    const size_t tiles = static_cast<size_t>(lines.tiles_x) * lines.tiles_y;
    for (size_t batch = 0; batch < kBatches; ++batch) {
        if (!goes_on(0.4 + 0.6 * static_cast<double>(batch) / kBatches)) return image;
        const size_t first = tiles * batch / kBatches, last = tiles * (batch + 1) / kBatches;
        parallel_for(executor, last - first, 1, [&](size_t begin, size_t end) {
            const auto work = std::make_unique<TileWork>();
            for (size_t tile = begin; tile < end; ++tile) draw_tile(*work, first + tile, lines, surfaces, view, image);
        });
    }
    goes_on(1);
    return image;
}

}  // namespace tendril
