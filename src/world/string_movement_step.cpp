// One step of strings. It goes substep by substep because strings may move the rigid bodies that hold them.
#include "world/string_movement.h"

#include "math/vectors.h"
#include "world/stage_timer.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// Time in which the twist of StringSettings::twist_reach evens out [s]; the step of [Rungjiratananon11].
constexpr double kTwistTime = 0.01;
/// Largest travel of a rigid body in a substep, in units of its shortest side, so that it does not jump over strings.
constexpr double kMaxBodyTravel = 0.1;

/// As printed, strings have regions of their own.
int max_half_width(const auto& members)
{
    int half_width = 1;
    for (const auto& m : members) {
        const SolverSettings& solver = m.groom->behaviour.solver;
        if (!solver.is_printed()) half_width = std::max(half_width, solver.string.half_width);
    }
    return half_width;
}

}  // namespace

int StringMovement::substeps(const GroomInstance&, int wanted, double dt, const RigidBodies& rigid)
{
    // Strings may touch, so all of them take the substeps of the string that needs the most.
    if (planned_substeps_) return *planned_substeps_;
    switch_members();
    printed_.clear();
    for (const Member& m : members_) printed_.push_back(m.groom->behaviour.solver.is_printed());
    if (strings_.half_width != max_half_width(members_)) prepare_regions(strings_, max_half_width(members_));
    double needed = std::ceil(dt / longest_substep(strings_, printed_));
    for (size_t i = 0; i < rigid.size(); ++i) {
        const Vec3d size = rigid.scene().body(i).size;
        const double travel = length(rigid.scene().motion(i).velocity) * dt;
        needed = std::max(needed, std::ceil(travel / (kMaxBodyTravel * std::min({size.x, size.y, size.z}))));
    }
    int max_substeps = wanted;
    for (const Member& m : members_) {
        // As printed, strings take the substeps of the world; the paper has one of 0.01 s.
        if (m.groom->behaviour.solver.is_printed()) continue;
        max_substeps = std::max(max_substeps, m.groom->behaviour.solver.string.max_substeps);
    }
    // Powers of two keep the length of the substeps constant most of the time; otherwise every wave in one string would
    // disturb all the others.
    int taken = wanted;
    while (taken < needed && taken < max_substeps) taken *= 2;
    planned_substeps_ = std::min(taken, max_substeps);
    return *planned_substeps_;
}

void StringMovement::begin(WorldStep&)
{
    planned_substeps_.reset();
    // Strings that are off do not move; passes that look at all particles must not see positions from before they were.
    started_ = strings_.before = strings_.position;
    for (size_t i = 0; i < strings_.size(); ++i) strings_.inverse_mass[i] = 1 / strings_.mass[i];
    std::fill(strings_.clamped.begin(), strings_.clamped.end(), uint8_t{0});
}

void StringMovement::switch_members()
{
    strings_.off.resize(members_.size());
    bool changed = false;
    for (size_t i = 0; i < members_.size(); ++i) {
        const uint8_t off = !members_[i].groom->enabled;
        changed |= strings_.off[i] != off;
        strings_.off[i] = off;
    }
    if (!changed) return;
    find_pieces(strings_);
    strings_.half_width = 0;
    stepper_.contacts.forget();
}

void StringMovement::prepare_behaviours(const WorldStep& step, double h, int substep, const Vec3d& origin)
{
    const double at = step.span.at(substep * (step.span.substeps / members_.front().groom->substeps));
    const double age = step.age + substep * h;
    behaviours_.clear();
    surfaces_.clear();
    for (const Member& m : members_) {
        const Behaviour& own = m.groom->behaviour;
        const StringSettings& s = own.solver.string;
        StringBehaviour b;
        b.air = prepare_air(own.air, step.wind, step.settings.gravity, origin, at, h);
        b.shape = {static_cast<double>(s.bend_damping), static_cast<double>(s.heavier)};
        b.twist_spread = static_cast<double>(s.twist_reach) * static_cast<double>(s.twist_reach) * h / kTwistTime;
        b.tears = s.tears;
        b.flicks = s.flicks;
        if (own.solver.is_printed())
            b.printed = PrintedStrings{s.half_width, s.twist_half_width, s.twist_increment,
                                       static_cast<double>(s.tension_stiffness), s.iterations};
        behaviours_.push_back(b);
        surfaces_.push_back({static_cast<double>(own.contact.margin), static_cast<double>(own.contact.friction),
                             retained_penetration(h, age, static_cast<double>(own.contact.ease))});
    }
}

void StringMovement::solve(WorldStep& step)
{
    if (members_.empty()) return;
    StageTimer timer(step.report.seconds.solve);
    const int substeps = members_.front().groom->substeps, stride = step.span.substeps / substeps;
    const double h = step.dt / substeps;
    StringSubstep in{};
    in.h = h;
    in.half_width = max_half_width(members_);
    in.iterations = 1;
    for (const Member& m : members_) {
        const SolverSettings& solver = m.groom->behaviour.solver;
        if (!solver.is_printed()) in.iterations = std::max(in.iterations, solver.string.iterations);
    }
    if (step.settings.interaction.method != InteractionMethod::kNone) in.contacts = step.settings.interaction.contacts;
    if (!step.rigid.empty()) in.move_holders = [this, h, &step] { move_holders(step, h); };
    tied_.clear();
    for (const Tie& tie : ties_) {
        const size_t a = index_of(tie.a), b = index_of(tie.b);
        if (!strings_.off[strings_.owner[a]] && !strings_.off[strings_.owner[b]]) tied_.push_back({a, b});
    }
    in.ties = tied_;
    for (int k = 0; k < substeps; ++k) {
        const int from = k * stride, to = from + stride;
        const double at = step.span.at(from);
        const Vec3d origin = strings_.position[0];
        prepare_behaviours(step, h, k, origin);
        in.behaviours = behaviours_;
        in.air_origin = origin;
        predict_rigid_bodies(step, from, to, h, at);
        hold_particles(step, to);
        in.holds = holds_;
        in.clamps = clamps_;
        collect_obstacles(step, from, to, origin);
        in.obstacles = {obstacles_, origin, surfaces_};
        stepper_.substep(strings_, in, step.executor);
        if (!step.rigid.empty()) {
            pull_rigid_bodies(step, h);
            step.rigid.step(step.colliders, from, to, h, step.settings);
        }
        step.report.torn += stepper_.torn.size();
        step.report.bounded += stepper_.bounded;
        step.report.bend_share = std::min(step.report.bend_share, stepper_.stiffness_share);
        record_events(step.span.at(to));
    }
    push_rigid_poses(step);
}

void StringMovement::hold_particles(WorldStep& step, int sample)
{
    holds_.clear(), hold_bodies_.clear(), hold_offsets_.clear();
    clamps_.clear(), clamp_bodies_.clear();
    for (Member& m : members_)
        if (m.groom->enabled) hold_roots(m, step, sample);
    for (HoldState& hold : step.holds)
        if (hold.groom->movement == this && hold.groom->enabled) hold_particle(hold, step, sample);
}

void StringMovement::hold_roots(Member& m, WorldStep& step, int sample)
{
    GroomInstance& groom = *m.groom;
    WorldBody& body = *groom.body;
    groom.anchors.sample(body.body, body.samples[static_cast<size_t>(sample)], groom.roots, step.executor);
    for (size_t s = 0; s < groom.groom.strand_count(); ++s) {
        if (groom.groom.ends(s) == Ends::kFree) continue;
        const auto rest = groom.groom.points(s);
        const size_t last = rest.size() - 1;
        const Vec3d root = groom.anchors.root(groom.roots, s);
        const Quat turn = groom.anchors.carried(groom.roots, s).rotation;
        const auto hold = [&](size_t i) {
            const Vec3d target = root + rotate(turn, to_double(rest[i]) - to_double(rest[0]));
            add_hold(step, body, particle(m, s, i), target, to_double(rest[i]), {0, 0, 0});
        };
        const auto clamp = [&](size_t segment) {
            const size_t p = particle(m, s, segment);
            add_clamp(body, {p, rotate(turn, strings_.rest_across[p])});
        };
        const auto intact = [&](size_t segment) { return strings_.intact[particle(m, s, segment)] != 0; };
        const bool clamped = groom.settings.clamped;
        hold(0);
        if (clamped && last > 1 && intact(0)) hold(1), clamp(0);
        if (groom.groom.ends(s) != Ends::kBothHeld) continue;
        hold(last);
        if (clamped && last > 2 && intact(last - 1)) hold(last - 1), clamp(last - 1);
    }
}

void StringMovement::hold_particle(HoldState& held, WorldStep& step, int sample)
{
    const Pose& bone = held.body->bone(sample, held.bone);
    const auto hold = [&](size_t p, const Vec3d& offset) {
        add_hold(step, *held.body, p, transform_point(bone, offset), offset, rotate(bone.rotation, held.slide));
    };
    const size_t p = particle(member(*held.groom), held.strand, held.particle);
    hold(p, held.offset);
    const size_t last = held.groom->particles(held.strand) - 1;
    if (!held.clamped || last < 2) return;
    const bool at_tip = held.particle == last;
    const size_t segment = at_tip ? p - 1 : p, other = at_tip ? p - 1 : p + 1;
    if (!strings_.intact[segment]) return;
    if (dot(held.across, held.across) == 0) {
        const Quat back = conjugate(bone.rotation);
        const Vec3d to_other = unit_or(strings_.position[other] - strings_.position[p], {1, 0, 0});
        held.along = rotate(back, to_other * strings_.rest[segment]);
        held.across = rotate(back, material(segment));
    }
    hold(other, held.offset + held.along);
    add_clamp(*held.body, {segment, rotate(bone.rotation, held.across)});
}

void StringMovement::add_hold(const WorldStep& step, const WorldBody& body, size_t particle, const Vec3d& target,
                              const Vec3d& offset, const Vec3d& slide)
{
    const double inverse_mass = body.rigid ? inverse_mass_for(step, body, particle, target) : 0.0;
    holds_.push_back({particle, target, inverse_mass, slide, body.id.index});
    hold_bodies_.push_back(body.rigid);
    hold_offsets_.push_back(offset);
}

void StringMovement::add_clamp(const WorldBody& body, const StringClamp& clamp)
{
    clamps_.push_back(clamp);
    clamp_bodies_.push_back(body.rigid);
}

void StringMovement::collect_obstacles(WorldStep& step, int from, int to, const Vec3d& origin)
{
    obstacles_.clear(), obstacle_bodies_.clear();
    step.colliders.for_each(from, to, origin, [&](const ColliderSubstep& substep, const WorldCollider& collider) {
        const std::optional<size_t> rigid = collider.body->rigid;
        double inverse_mass = 0;
        if (rigid) {
            // The inverse mass at the end of the longest lever. Overestimating it only makes the contact push too
            // softly.
            const RigidScene& scene = step.rigid.scene();
            const double lever = length(scene.body(*rigid).size) / 2;
            inverse_mass = scene.inverse_mass(*rigid, scene.motion(*rigid).pose.position + Vec3d{lever, 0, 0});
        }
        obstacles_.push_back({substep, inverse_mass, collider.body->id.index});
        obstacle_bodies_.push_back(rigid);
    });
}

// --- Rigid bodies that strings pull at

void StringMovement::predict_rigid_bodies(WorldStep& step, int from, int to, double h, double at)
{
    if (!step.settling) step.rigid.apply_wind(step.settings.air, step.wind, at, h);
    for (size_t i = 0; i < step.rigid.size(); ++i) {
        WorldBody& body = step.rigid.body(i);
        body.samples[static_cast<size_t>(from)].bones[0] = step.rigid.scene().motion(i).pose;
        body.samples[static_cast<size_t>(to)].bones[0] = step.rigid.pose_after(i, h, step.settings.gravity);
    }
}

void StringMovement::push_rigid_poses(WorldStep& step)
{
    for (size_t i = 0; i < step.rigid.size(); ++i)
        step.rigid.body(i).samples.back().bones[0] = step.rigid.scene().motion(i).pose;
    step.rigid.push_poses(step.span.time + step.span.dt);
}

double StringMovement::inverse_mass_for(const WorldStep& step, const WorldBody& body, size_t particle,
                                        const Vec3d& position) const
{
    const RigidScene& scene = step.rigid.scene();
    double inverse_mass = 0, others = 0;
    const auto look = [&](size_t segment) {
        const Vec3d along = unit_or(strings_.edge(segment), {0, 1, 0});
        inverse_mass = std::max(inverse_mass, scene.inverse_mass(*body.rigid, position, along));
    };
    if (strings_.intact[particle]) look(particle);
    if (particle > 0 && strings_.intact[particle - 1]) look(particle - 1);
    // All the strings that the body holds may pull at once, in any direction, and each is solved without the others.
    // Together they must not move the body too far.
    for (const HoldState& h : step.holds) others += h.body == &body;
    if (!(inverse_mass > 0) || others > 1) inverse_mass = scene.inverse_mass(*body.rigid, position);
    return inverse_mass * std::max(1.0, others);
}

void StringMovement::move_holders(WorldStep& step, double h)
{
    // The particle's distance from its target is the inverse mass of the hold times the impulse times h.
    for (size_t i = 0; i < holds_.size(); ++i) {
        if (!hold_bodies_[i]) continue;
        const Vec3d pulled = strings_.position[holds_[i].particle] - holds_[i].target;
        step.rigid.scene().push(*hold_bodies_[i], holds_[i].target, pulled * (1 / (holds_[i].inverse_mass * h)));
    }
    for (size_t i = 0; i < holds_.size(); ++i) {
        if (!hold_bodies_[i]) continue;
        const Pose pose = step.rigid.pose_after(*hold_bodies_[i], h, step.settings.gravity);
        holds_[i].target = transform_point(pose, hold_offsets_[i]);
        strings_.position[holds_[i].particle] = holds_[i].target;
    }
}

void StringMovement::pull_rigid_bodies(WorldStep& step, double h)
{
    for (size_t i = 0; i < clamps_.size(); ++i) {
        if (!clamp_bodies_[i]) continue;
        const size_t segment = clamps_[i].segment;
        const Vec3d along = unit_or(strings_.edge(segment), {0, 1, 0});
        step.rigid.scene().turn(*clamp_bodies_[i], along * (strings_.torque_on(segment) * h));
    }
    stepper_.collisions.for_pushed([&](const ObstacleContact& c) {
        const std::optional<size_t> rigid = obstacle_bodies_[c.obstacle];
        if (rigid) step.rigid.scene().push(*rigid, c.position, (c.pushed + c.friction_impulse) * (-1 / h));
    });
}

}  // namespace tendril
