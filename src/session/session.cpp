#include "tendril/session.h"

#include "session/session_state.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace tendril::session {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Least drag while the user blows wind [1/s].
constexpr AirSettings kAir{3.0f, 1.5f};

/// Wall-clock time that one call of `advance` may spend on settling [s].
constexpr double kSettling = 0.04;

bool blows(const WindSettings& wind, double time)
{
    return wind.duration <= 0 || (time >= wind.start && time <= wind.start + wind.duration);
}

}  // namespace

void Running::settle(double seconds)
{
    const auto begin = Clock::now();
    while (is_settling()) {
        const bool combed = 2 * settled < settle_steps;
        world.settle(world.settings().dt, combed ? settle_wind : Vec3f{0, 0, 0});
        ++settled;
        measured = false;
        if (seconds_since(begin) >= seconds) break;
    }
}

void Running::take_over(const StepReport& done)
{
    if (done.steps == 0) return;
    last = done;
    torn += done.torn;
    measured = false;
}

void Running::look()
{
    shown.look(world, asked_time, frame);
    frame.time = asked_time;
    frame.settling = is_settling() ? 1 - static_cast<double>(settled) / static_cast<double>(settle_steps) : 0;
    frame.bodies.resize(bodies.size());
    for (uint32_t b = 0; b < bodies.size(); ++b)
        frame.bodies[b] = moved.is_movable(b) ? moved.pose(b, asked_time) : world.pose({b});
}

Result<Scene> Session::State::read(const Overrides& with) const
{
    auto read = parse_scene(text, name, with);
    if (read) read->folder = folder;
    return read;
}

Result<Running> Session::State::run(const Scene& described) const
{
    Running made;
    Scene whole = with_copies(described);
    if (whole.bodies.empty()) whole.bodies.emplace_back();  // a body at the origin, which hands can move
    made.settle_steps = static_cast<int64_t>(whole.settle / whole.world.dt);
    made.settle_wind = whole.settle_wind;
    whole.settle = 0;
    auto world = build_world(whole, executor,
                             [&](size_t body, PoseFunction own) { return made.moved.take_over(body, std::move(own)); });
    if (!world) return Error{world.error()};
    made.world = std::move(*world);
    made.bodies = whole.bodies;
    auto shown = Shown::create(whole, made.world, whole.bodies.size());
    if (!shown) return Error{shown.error()};
    made.shown = std::move(*shown);
    return made;
}

void Session::State::apply_settings()
{
    World& world = running.world;
    WorldSettings settings = world_settings(scene);
    const auto thicken = [&](AirSettings& air) {
        air.drag_normal = std::max(air.drag_normal, kAir.drag_normal);
        air.drag_tangential = std::max(air.drag_tangential, kAir.drag_tangential);
    };
    for (uint32_t g = 0; g < scene.grooms.size(); ++g) {
        GroomBehaviour own = own_behaviour(scene, g);
        if (hand_wind && own.air) thicken(*own.air);
        world.behaviour({g}) = std::move(own);
    }
    if (hand_wind) {
        // When the wind of the scene ends, the wind of the user must not end with it.
        if (!blows(settings.wind, world.time())) settings.wind = {};
        settings.wind.duration = 0;
        settings.wind.velocity = settings.wind.velocity + to_float(*hand_wind);
        thicken(settings.air);
    }
    world.settings() = settings;
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(const std::string& toml, const std::string& name,
                                               const Overrides& overrides, const std::string& folder,
                                               std::shared_ptr<Executor> executor)
{
    auto state = std::make_unique<State>();
    state->text = toml;
    state->name = name;
    state->folder = folder;
    state->overrides = overrides;
    state->executor = std::move(executor);
    auto scene = state->read(overrides);
    if (!scene) return Error{scene.error()};
    state->scene = std::move(*scene);
    std::unique_ptr<Session> session(new Session(std::move(state)));
    if (const auto wrong = session->restart()) return *wrong;
    return session;
}

std::optional<Error> Session::restart()
{
    auto made = state_->run(state_->scene);
    if (!made) return Error{made.error()};
    state_->running = std::move(*made);
    state_->running.look();
    return {};
}

void Session::reset()
{
    Running& r = state_->running;
    r.world.reset();
    r.shown.show_all();
    r.torn = 0;
    r.measured = false;
    r.look();
}

std::span<const StrandsPart> Session::parts() const
{
    return state_->running.shown.parts();
}

std::span<const MeshPart> Session::meshes() const
{
    return state_->running.shown.meshes();
}

const Frame& Session::advance(double seconds)
{
    const auto begin = Clock::now();
    Running& r = state_->running;
    StepReport done;
    if (seconds > 0 && r.is_settling()) {
        state_->apply_settings();
        r.settle(kSettling);
    } else if (seconds > 0 && std::isfinite(seconds)) {
        state_->apply_settings();
        seconds = std::min(seconds, std::max(r.world.settings().longest_frame, r.world.settings().dt));
        r.hands.tell(r.world);
        r.moved.lead(r.world.time(), r.asked_time + seconds);
        done = r.world.advance(seconds);
        r.asked_time += seconds;
        r.take_over(done);
    }
    r.look();
    r.frame.steps = done.steps;
    r.frame.milliseconds = 1e3 * seconds_since(begin);
    return r.frame;
}

const Frame& Session::step()
{
    const auto begin = Clock::now();
    Running& r = state_->running;
    state_->apply_settings();
    r.settle(std::numeric_limits<double>::infinity());
    r.hands.tell(r.world);
    r.moved.lead(r.world.time(), r.world.time() + r.world.settings().dt);
    r.take_over(r.world.step());
    r.asked_time = r.world.time();
    r.look();
    r.frame.steps = 1;
    r.frame.milliseconds = 1e3 * seconds_since(begin);
    return r.frame;
}

const Report& Session::report()
{
    Running& r = state_->running;
    if (r.measured) return r.report;
    const auto begin = Clock::now();
    r.report.metrics = r.world.measure();
    r.report.missed_holds = r.last.missed_holds;
    r.report.torn = r.torn;
    const double share = 1.0 / std::max(1, r.last.steps);
    r.report.seconds = {r.last.seconds.roots * share, r.last.seconds.body * share, r.last.seconds.interaction * share,
                        r.last.seconds.solve * share, seconds_since(begin)};
    r.measured = true;
    return r.report;
}

Result<Change> Session::set(const std::string& key, const std::string& value)
{
    State& s = *state_;
    Overrides wanted = s.overrides;
    wanted.erase(std::remove_if(wanted.begin(), wanted.end(), [&](const auto& o) { return o.first == key; }),
                 wanted.end());
    wanted.emplace_back(key, value);
    auto scene = s.read(wanted);
    if (!scene) return Error{scene.error()};
    const Change change = difference(s.scene, *scene);
    if (change == Change::kAnew) {
        auto made = s.run(*scene);
        if (!made) return Error{made.error()};
        s.running = std::move(*made);
    }
    const Scene before = std::exchange(s.scene, std::move(*scene));
    std::optional<Error> wrong;
    if (change == Change::kLive) {
        s.apply_settings();
        wrong = s.running.world.check();
    }
    if (change == Change::kLooks) wrong = s.running.shown.look_like(s.scene, s.running.world);
    if (wrong) {
        s.scene = before;
        s.apply_settings();
        return *wrong;
    }
    s.overrides = std::move(wanted);
    if (change == Change::kLooks || change == Change::kAnew) s.running.look();
    return change;
}

std::string Session::toml() const
{
    return write_scene(state_->scene);
}

void Session::move_hand(uint32_t hand, const Vec3d& to, double twist)
{
    state_->running.hands.move(hand, to, twist);
}

void Session::release(uint32_t hand)
{
    state_->running.hands.release(state_->running.world, hand);
}

void Session::move_body(uint32_t body, const Vec3d& offset, const Quat& rotation)
{
    state_->running.moved.move(body, {offset, rotation});
}

void Session::blow(const std::optional<Vec3d>& wind)
{
    state_->hand_wind = wind && is_finite(*wind) ? wind : std::nullopt;
}

}  // namespace tendril::session
