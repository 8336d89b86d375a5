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

constexpr float kMinVisibility =
    4e-3f;  // a surface that is less visible than this is not shaded, which saves its shadow rays

/// The state of one tile while it is drawn.
struct TileWork {
    LineTile lines;
    std::vector<SurfacePixel> surfaces;
    GroundLattice ground;
};

void begin_tile(TileWork& work, const SurfacePass& surfaces, uint32_t tile_x, uint32_t tile_y, const View& view)
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
                pixel.transmittance[s] = 1;
                pixel.depth[s] = behind.samples[behind.is_uniform ? 0 : s].depth;
            }
        }
}

/// The final colour of a pixel: the lines over the surfaces behind them.
Vec3f composite(TileWork& work, const SurfacePass& surfaces, int x, int y)
{
    const LinePixel& lines = work.lines.at(x, y);
    const SurfacePixel& behind = work.surfaces[static_cast<size_t>((y - work.lines.y) * kTileSize + x - work.lines.x)];
    const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
    const auto shade = [&](size_t s) { return surfaces.shade(behind.samples[s], px, py, work.ground); };
    Vec3f light = lines.light;
    if (behind.is_uniform) {
        const float transmittance =
            0.25f * (lines.transmittance[0] + lines.transmittance[1] + lines.transmittance[2] + lines.transmittance[3]);
        return transmittance > kMinVisibility ? light + shade(0) * transmittance : light;
    }
    for (size_t s = 0; s < kSubSamples; ++s) {
        const float transmittance = 0.25f * lines.transmittance[s];
        if (transmittance > kMinVisibility) light += shade(s) * transmittance;
    }
    return light;
}

void draw_tile(TileWork& work, size_t tile_index, const StrandLines& lines, const SurfacePass& surfaces,
               const View& view, Image& image)
{
    const uint32_t tile_x = static_cast<uint32_t>(tile_index % lines.tiles_x);
    const uint32_t tile_y = static_cast<uint32_t>(tile_index / lines.tiles_x);
    begin_tile(work, surfaces, tile_x, tile_y, view);
    LineTile& tile = work.lines;
    for (size_t e = lines.first_entry[tile_index]; e < lines.first_entry[tile_index + 1]; ++e)
        draw_line(tile, lines.lists[lines.entries[e].list], lines.entries[e].point);
    for (int y = tile.y; y < tile.y + tile.height; ++y)
        for (int x = tile.x; x < tile.x + tile.width; ++x)
            image.pixels[static_cast<size_t>(y) * image.width + static_cast<size_t>(x)] =
                composite(work, surfaces, x, y);
}

Image backdrop_image(const Lighting& lighting, uint32_t width, uint32_t height)
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
    const auto keep_going = [&](double done) { return !progress || progress(done); };
    Image image = backdrop_image(stage.lighting, settings.width, settings.height);
    const View view = make_view(camera, settings.width, settings.height);
    if (!is_finite(view.eye) || !keep_going(0)) return image;

    const SurfaceScene scene(stage.meshes, view.eye);
    const std::vector<Lamp> lamps = make_lamps(stage.lighting, view.eye);
    const LightVolume volume(measure_density(stage, scene, view.eye, executor), lamps, executor);
    if (!keep_going(0.2)) return image;
    const StrandLight light(stage, lamps, volume);
    const StrandLines lines = make_lines(stage, view, light, camera.shutter, executor);
    const SurfacePass surfaces(stage, view, scene, lamps, volume);

    constexpr size_t kBatches = 6;
    const size_t tiles = static_cast<size_t>(lines.tiles_x) * lines.tiles_y;
    for (size_t batch = 0; batch < kBatches; ++batch) {
        if (!keep_going(0.4 + 0.6 * static_cast<double>(batch) / kBatches)) return image;
        const size_t first = tiles * batch / kBatches, last = tiles * (batch + 1) / kBatches;
        parallel_for(executor, last - first, 1, [&](size_t begin, size_t end) {
            const auto work = std::make_unique<TileWork>();
            for (size_t tile = begin; tile < end; ++tile) draw_tile(*work, first + tile, lines, surfaces, view, image);
        });
    }
    keep_going(1);
    return image;
}

}  // namespace tendril
