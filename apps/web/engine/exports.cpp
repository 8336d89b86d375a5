// The functions that the module exports to JavaScript; apps/web/npm/module.ts is the JavaScript side.
//
// Text is passed as UTF-8 that ends with 0. A function whose result is more than one number leaves it in `tendril_text`
// or `tendril_numbers`, where it stays until the next call. Addresses are passed as numbers; arrays of the session are
// not copied.
#include "tendril/session.h"
#include "tendril/version.h"

#include <emscripten/emscripten.h>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#define TENDRIL_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

namespace tendril::session {
namespace {

struct Engine {
    std::shared_ptr<Executor> executor = make_serial_executor();
    std::map<int, std::unique_ptr<Session>> sessions;
    int last_session = 0;
    std::string text;
    std::vector<double> numbers;
};

/// The engine of this module. JavaScript calls it from one thread.
Engine& engine()
{
    static Engine the;
    return the;
}

Session& session(int id)
{
    return *engine().sessions.at(id);
}

constexpr int kFailed = -1;

int failed(std::string why)
{
    engine().text = std::move(why);
    return kFailed;
}

/// Returns the result of `act`, or an error if memory runs out: a scene can need more than a page may use.
template <class Act>
int within_memory(const Act& act)
{
    try {
        return act();
    } catch (const std::bad_alloc&) {
        return failed("the scene needs more memory than a page may use; reduce the number of strands");
    }
}

void put(double number)
{
    engine().numbers.push_back(number);
}
void put(const Vec3d& v)
{
    for (const double c : {v.x, v.y, v.z}) put(c);
}
/// Appends the address of an array and the number of its values. The address is 0 if the array is empty.
template <class T>
void put_array(std::span<const T> array)
{
    put(array.empty() ? 0 : static_cast<double>(reinterpret_cast<uintptr_t>(array.data())));
    put(static_cast<double>(array.size() * sizeof(T) / sizeof(float)));
}

void put_frame(Session& s, const Frame& frame)
{
    engine().numbers.clear();
    for (const double n : {frame.time, frame.settling, static_cast<double>(frame.steps), frame.milliseconds}) put(n);
    for (size_t i = 0; i < frame.strands.size(); ++i) {
        const StrandsFrame& strands = frame.strands[i];
        put_array(strands.points);
        put(strands.origin);
        put(s.parts()[i].widths_version);
        put_array(strands.string.widths);
        put_array(strands.string.across);
        put_array(strands.string.tensions);
    }
    for (const MeshFrame& mesh : frame.meshes) {
        put_array(mesh.vertices);
        put(mesh.origin);
    }
    for (const Pose& pose : frame.bodies) {
        put(pose.position);
        for (const double c : {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w}) put(c);
    }
}

/// Reads pairs of a key and a value from consecutive texts.
Overrides overrides_of(const char* texts, int count)
{
    Overrides overrides;
    const auto next = [&] {
        std::string text = texts;
        texts += text.size() + 1;
        return text;
    };
    for (int i = 0; i < count; ++i) {
        std::string key = next();
        overrides.emplace_back(std::move(key), next());
    }
    return overrides;
}

}  // namespace

// --- The engine

/// Call this before any other function, in a build with threads.
TENDRIL_EXPORT void tendril_use_threads(int threads)
{
    engine().executor = make_thread_executor(threads);
}

/// The text that the last call returned.
TENDRIL_EXPORT const char* tendril_text()
{
    return engine().text.c_str();
}
TENDRIL_EXPORT const double* tendril_numbers()
{
    return engine().numbers.data();
}
TENDRIL_EXPORT size_t tendril_number_count()
{
    return engine().numbers.size();
}

TENDRIL_EXPORT void tendril_version()
{
    engine().text = TENDRIL_VERSION;
}
TENDRIL_EXPORT void tendril_simd()
{
    engine().text = simd_name();
}
/// SceneTable[] as JSON.
TENDRIL_EXPORT void tendril_keys()
{
    engine().text = keys_json();
}

TENDRIL_EXPORT int tendril_scene_for(const char* name, const std::byte* bytes, size_t size)
{
    return within_memory([&] {
        const auto toml = scene_for(name, {bytes, size});
        if (!toml) return failed(toml.error());
        engine().text = *toml;
        return 0;
    });
}

// --- A simulation

/// Returns the id of the simulation, or -1.
TENDRIL_EXPORT int tendril_open(const char* toml, const char* name, const char* overrides, int override_count,
                                const char* folder)
{
    return within_memory([&] {
        Engine& e = engine();
        auto opened = Session::open(toml, name, overrides_of(overrides, override_count), folder, e.executor);
        if (!opened) return failed(opened.error());
        e.sessions[++e.last_session] = std::move(*opened);
        return e.last_session;
    });
}
TENDRIL_EXPORT void tendril_close(int id)
{
    engine().sessions.erase(id);
}

/// SceneInfo as JSON, without its arrays.
TENDRIL_EXPORT void tendril_info(int id)
{
    engine().text = session(id).info_json();
}
/// Returns the first points, widths, version of the widths, and colours of each part, then the triangles of each mesh.
TENDRIL_EXPORT void tendril_arrays(int id)
{
    engine().numbers.clear();
    for (const StrandsPart& part : session(id).parts()) {
        put_array(part.first_point);
        put_array(part.widths);
        put(part.widths_version);
        put_array(part.colours);
    }
    for (const MeshPart& mesh : session(id).meshes()) put_array(mesh.triangles);
}

TENDRIL_EXPORT void tendril_advance(int id, double seconds)
{
    put_frame(session(id), session(id).advance(seconds));
}
TENDRIL_EXPORT void tendril_step(int id)
{
    put_frame(session(id), session(id).step());
}
TENDRIL_EXPORT void tendril_report(int id)
{
    const Report& report = session(id).report();
    const Metrics& m = report.metrics;
    const auto& t = report.seconds;
    engine().numbers = {m.stretch_max,
                        m.stretch_mean,
                        static_cast<double>(m.nonfinite),
                        m.kinetic,
                        m.potential,
                        m.elastic,
                        m.penetration_max,
                        static_cast<double>(m.penetrating),
                        static_cast<double>(report.missed_holds),
                        static_cast<double>(report.torn),
                        t.roots,
                        t.body,
                        t.interaction,
                        t.solve,
                        t.measure};
}
TENDRIL_EXPORT void tendril_reset(int id)
{
    session(id).reset();
}
TENDRIL_EXPORT int tendril_restart(int id)
{
    return within_memory([&] {
        const auto wrong = session(id).restart();
        return wrong ? failed(wrong->message) : 0;
    });
}

/// Returns a Change, or -1.
TENDRIL_EXPORT int tendril_set(int id, const char* key, const char* value)
{
    return within_memory([&] {
        const auto change = session(id).set(key, value);
        return change ? static_cast<int>(*change) : failed(change.error());
    });
}
TENDRIL_EXPORT void tendril_toml(int id)
{
    engine().text = session(id).toml();
}

// --- Hands

/// Returns 1 if a strand was hit, with the numbers part, groom, strand, particle, point and distance.
TENDRIL_EXPORT int tendril_pick(int id, double x, double y, double z, double ax, double ay, double az, double cone)
{
    engine().numbers.clear();
    const auto hit = session(id).pick({{x, y, z}, {ax, ay, az}, cone});
    if (!hit) return 0;
    for (const uint32_t n : {hit->part, hit->groom, hit->strand, hit->particle}) put(n);
    put(hit->point);
    put(hit->distance);
    return 1;
}
/// Returns the number of the hand, or -1.
TENDRIL_EXPORT int tendril_grab(int id, uint32_t part, uint32_t groom, uint32_t strand, uint32_t particle, double x,
                                double y, double z, double distance, int clamped)
{
    const auto hand = session(id).grab({part, groom, strand, particle, {x, y, z}, distance}, clamped != 0);
    return hand ? static_cast<int>(*hand) : failed(hand.error());
}
TENDRIL_EXPORT void tendril_move_hand(int id, uint32_t hand, double x, double y, double z, double twist)
{
    session(id).move_hand(hand, {x, y, z}, twist);
}
TENDRIL_EXPORT void tendril_release(int id, uint32_t hand)
{
    session(id).release(hand);
}
TENDRIL_EXPORT int tendril_cut(int id, double x, double y, double z, double ax, double ay, double az, double cone)
{
    return static_cast<int>(session(id).cut({{x, y, z}, {ax, ay, az}, cone}));
}
TENDRIL_EXPORT void tendril_move_body(int id, uint32_t body, double x, double y, double z, double qx, double qy,
                                      double qz, double qw)
{
    session(id).move_body(body, {x, y, z}, {qx, qy, qz, qw});
}
TENDRIL_EXPORT void tendril_blow(int id, int blows, double x, double y, double z)
{
    session(id).blow(blows ? std::optional(Vec3d{x, y, z}) : std::nullopt);
}

}  // namespace tendril::session
