// Renders a picture of ropes: simulates them, puts their curves on a stage, renders it, and writes a PNG file.
#include <tendril/render.h>
#include <tendril/world.h>

#include <cstdio>
#include <vector>

int main()
{
    tendril::World world({.dt = 0.01, .substeps = 8});
    auto groom = tendril::make_groom(*tendril::make_ropes({.strands = 20, .length = 0.6f, .spacing = 0.02f}));
    const auto ropes = world.add_groom(std::move(*groom));
    for (int step = 0; step < 40; ++step) world.step();

    const tendril::CurvesView curves = world.curves(*ropes);
    tendril::Stage stage;
    stage.strands.push_back({.curves = curves, .look = *tendril::hair_look("red"), .width = 0.01f});
    std::vector<tendril::Vec3d> positions;
    for (const auto& p : curves.points) positions.push_back(curves.origin + tendril::to_double(p));
    stage.lighting = tendril::studio_light(tendril::bounds(stage), 0.5);
    const tendril::Camera camera = tendril::framed(positions, 0.5, 0.2, 4.0 / 3.0);

    const auto image = tendril::render(stage, camera, {.width = 320, .height = 240});
    if (!image) return std::puts(image.error().c_str()), 1;
    const auto written = tendril::write_png("ropes.png", tendril::tone_mapped(*image));
    if (!written) return std::puts(written.error().c_str()), 1;
    std::puts("ropes.png");
    return 0;
}
