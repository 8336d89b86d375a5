// Pulls on a strand of a running scene: opens the scene, picks a strand with a ray, pulls it aside, and lets go.
#include <tendril/session.h>

#include <cstdio>

int main()
{
    const char* rope = "[sim]\ndt = 0.01\n[body]\n[groom]\nstyle = \"rope\"\nlength = 1\ndirection = [0, -1, 0]\n";
    auto opened = tendril::session::Session::open(rope, "rope.toml", {}, ".");
    if (!opened) return std::puts(opened.error().c_str()), 1;
    tendril::session::Session& session = **opened;

    const auto hit = session.pick({.from = {0, -0.9, 2}, .along = {0, 0, -1}});
    if (!hit) return std::puts("the ray hits no strand"), 1;
    const auto hand = session.grab(*hit, false);
    if (!hand) return std::puts(hand.error().c_str()), 1;
    for (int frame = 1; frame <= 60; ++frame) {
        session.move_hand(*hand, hit->point + tendril::Vec3d{0.005 * frame, 0, 0}, 0);
        session.advance(1.0 / 60);
    }
    const auto frame = session.advance(0).strands[0];
    const auto held = frame.origin + tendril::to_double(frame.points[hit->particle]);
    session.release(*hand);
    std::printf("particle %u was pulled to %.3f %.3f %.3f\n", hit->particle, held.x, held.y, held.z);
    return held.x > 0.25 ? 0 : 1;
}
