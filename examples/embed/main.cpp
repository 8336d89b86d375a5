// Simulates a rope: makes a groom, adds it to a body, advances the world, and reads the curves.
#include <tendril/world.h>

#include <cstdio>

int main()
{
    tendril::World world({.dt = 0.01, .substeps = 8});
    const auto hand = world.add_body({.name = "hand", .function = [](double t, auto bones) {
                                          bones[0].position = {t, 2, 0};
                                      }});
    auto groom = tendril::make_groom(*tendril::make_ropes({.particles = 30, .length = 1}));
    const auto rope = world.add_groom(std::move(*groom), {.body = hand});
    for (int frame = 0; frame < 60; ++frame) world.advance(1.0 / 60);
    const auto curves = world.curves(*rope);  // points relative to curves.origin, owned by the world
    const auto tip = curves.origin + tendril::to_double(curves.points.back());
    std::printf("tip at %.3f %.3f %.3f, worst stretch %.1e\n", tip.x, tip.y, tip.z, world.measure().stretch_max);
    return world.measure().stretch_max <= 1e-4 ? 0 : 1;
}
