// throw-away
#include "tendril/scene.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <cinttypes>
using namespace tendril;
int main(int argc, char** argv)
{
    const int frames = std::atoi(argv[2]), threads = std::atoi(argv[3]);
    Overrides overrides;
    for (int i = 4; i + 1 < argc; i += 2) overrides.emplace_back(argv[i], argv[i + 1]);
    const auto scene = read_scene(argv[1], overrides);
    if (!scene) { std::printf("%s\n", scene.error().c_str()); return 2; }
    auto world = build_world(*scene, make_thread_executor(threads));
    if (!world) { std::printf("%s\n", world.error().c_str()); return 2; }
    double t[4] = {};
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < frames; ++i) {
        const StepReport r = world->step();
        t[0] += r.seconds.roots; t[1] += r.seconds.body; t[2] += r.seconds.interaction; t[3] += r.seconds.solve;
    }
    const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const Metrics m = world->measure();
    std::printf("%s threads %d hash %016" PRIx64 " stretch %.3g; ms/frame: %.3f = roots %.3f body %.3f interaction %.3f solve %.3f\n",
                simd_name().c_str(), threads, world->state_hash(), m.stretch_max, all / frames * 1e3, t[0] / frames * 1e3, t[1] / frames * 1e3,
                t[2] / frames * 1e3, t[3] / frames * 1e3);
    if (const char* out = std::getenv("PROBE_OUT")) {
        std::ofstream f(out, std::ios::binary);
        for (size_t g = 0; g < world->groom_count(); ++g) {
            const auto c = world->curves(GroomId{uint32_t(g)});
            f.write(reinterpret_cast<const char*>(c.points.data()), std::streamsize(c.points.size_bytes()));
        }
    }
    return 0;
}
