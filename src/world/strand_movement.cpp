#include "world/strand_movement.h"

#include "math/bytes.h"
#include "solvers/spring_limit.h"
#include "world/stage_timer.h"

#include <algorithm>

namespace tendril {
namespace {

/// Keeps the first holds of each strand, up to the limit of solvers. Another movement, which has no limit, may have
/// accepted more. `held` is sorted.
void keep_first_holds(std::vector<const HoldState*>& held)
{
    size_t kept = 0, of_strand = 0;
    for (size_t i = 0; i < held.size(); ++i) {
        of_strand = i > 0 && held[i]->strand == held[i - 1]->strand ? of_strand + 1 : 1;
        if (of_strand <= kMaxHoldsPerStrand) held[kept++] = held[i];
    }
    held.resize(kept);
}

RootKind roots_of(const GroomInstance& groom)
{
    return groom.anchors.one_bone() ? RootKind::kOnBone : RootKind::kSampled;
}

}  // namespace

StrandMovement::Member::Member(GroomInstance& instance, const Member* like, std::shared_ptr<ShapeCache> shapes)
    : groom(&instance),
      strands(instance.groom, like ? like->strands.shared_layout()
                                   : std::make_shared<const StrandLayout>(instance.groom, roots_of(instance))),
      solver(make_solver(instance.behaviour.solver)),
      method(instance.behaviour.solver.type),
      form(instance.behaviour.solver.form),
      roots(instance.anchors, strands),
      shape(instance.settings.stiffness, std::move(shapes))
{
    for (size_t s = 0; s < instance.groom.strand_count(); ++s) {
        double along = 0;
        for (const float l : instance.groom.rest_lengths(s)) along += static_cast<double>(l);
        longest = std::max(longest, along);
    }
    contacts.thickness =
        like ? like->contacts.thickness : std::make_shared<const StrandThickness>(instance.groom, strands.layout());
}

StrandMovement::Member& StrandMovement::member(const GroomInstance& groom) const
{
    return **std::find_if(members_.begin(), members_.end(), [&](const auto& m) { return m->groom == &groom; });
}

const StrandMovement::Member* StrandMovement::member_like(const GroomInstance& groom) const
{
    for (const auto& m : members_)
        if (m->groom->groom.is_same(groom.groom) && roots_of(*m->groom) == roots_of(groom)) return m.get();
    return nullptr;
}

void StrandMovement::add(GroomInstance& groom)
{
    members_.push_back(std::make_unique<Member>(groom, member_like(groom), shapes_));
    reset(groom, *make_serial_executor());
}

void StrandMovement::remove(GroomInstance& groom)
{
    std::erase_if(members_, [&](const auto& m) { return m->groom == &groom; });
}

GroomMotion StrandMovement::motion(const GroomInstance& groom) const
{
    const Member& m = member(groom);
    GroomMotion out;
    for (size_t s = 0; s < groom.groom.strand_count(); ++s) {
        Vec3d now = m.strands.root(s), before = m.strands.root_before(s);
        for (int i = 0; i < m.strands.levels(s); ++i) {
            if (i > 0) now += to_double(m.strands.edge(s, i)), before += to_double(m.strands.edge_before(s, i));
            out.now.push_back(now);
            out.before.push_back(before);
            const double per_second = m.last_substep > 0 ? 1 / (m.last_substep * m.last_substeps) : 0;
            out.velocity.push_back((now - before) * per_second);
        }
    }
    return out;
}

void StrandMovement::set_motion(GroomInstance& groom, const GroomMotion& motion)
{
    Member& m = member(groom);
    // The length of the substeps is not known before the first step; assume a millisecond.
    if (!(m.last_substep > 0)) m.last_substep = 1e-3;
    for (size_t s = 0; s < groom.groom.strand_count(); ++s) {
        const size_t first = groom.groom.first_points()[s], count = groom.particles(s);
        const auto of_strand = [&](const std::vector<Vec3d>& all) { return std::span(all).subspan(first, count); };
        m.strands.set_motion(s, of_strand(motion.before), of_strand(motion.now), of_strand(motion.velocity),
                             m.last_substep);
    }
    m.strands.move_origin_to_hair();
}

WorldBox StrandMovement::reach(const GroomInstance& groom) const
{
    const Member& m = member(groom);
    if (!tendril::keeps_lengths(m.method, m.form)) return WorldBox::everything();
    WorldBox roots;
    for (size_t s = 0; s < m.strands.strand_count(); ++s) roots.include(m.strands.root(s));
    const Vec3d longest{m.longest, m.longest, m.longest};
    return {roots.low - longest, roots.high + longest};
}

int StrandMovement::substeps(const GroomInstance& groom, int wanted, double, const RigidBodies&)
{
    return wanted * spring_substeps(groom.behaviour.solver);
}

void StrandMovement::begin(WorldStep& step)
{
    for (const auto& each : members_) {
        Member& m = *each;
        const SolverSettings& solver = m.groom->behaviour.solver;
        if (solver.type != m.method || solver.form != m.form) m.solver = make_solver(solver);
        m.method = solver.type;
        m.form = solver.form;
        m.solver->configure(solver);
        const double h = step.dt / m.groom->substeps;
        if (step.number > 0 && m.last_substep > 0 && h != m.last_substep)
            m.strands.rescale_drift(m.last_substep, h, m.last_substeps, step.has_history);
        m.last_substep = h;
        m.last_substeps = m.groom->substeps;
    }
}

void StrandMovement::list_interacting(std::vector<InteractingGroom>& list)
{
    for (const auto& m : members_)
        if (m->groom->enabled)
            list.push_back({&m->groom->groom, &m->strands, m->groom->rest_space(), m->groom->settings.particle_mass,
                            m->last_substep, m->groom->serial});
}

void StrandMovement::solve(WorldStep& step)
{
    for (const auto& each : members_) {
        Member& m = *each;
        if (!m.groom->enabled) continue;
        SolveInput input;
        {
            StageTimer timer(step.report.seconds.roots);
            m.strands.begin_step();
            input = prepare_input(m, step);
        }
        StageTimer timer(step.report.seconds.solve);
        const SolveReport solved = m.solver->solve(m.strands, input, step.executor);
        m.strands.end_step();
        step.report.softened += solved.softened;
        step.report.missed_holds += solved.missed_holds;
        step.report.worst_gap = std::max(step.report.worst_gap, solved.worst_gap);
    }
}

SolveInput StrandMovement::prepare_input(Member& m, WorldStep& step)
{
    const int substeps = m.groom->substeps, stride = step.span.substeps / substeps;
    const double h = step.dt / substeps;
    const Behaviour& behaviour = m.groom->behaviour;
    const Vec3d& gravity = step.settings.gravity;
    SolveInput input;
    input.dt = step.dt;
    input.step = step.number;
    input.keep_previous = step.keep_previous;
    input.particle_mass = m.groom->settings.particle_mass;
    input.holds = hold_targets(m, step, stride);  // before the roots move
    input.shape = m.shape.over_substeps(m.groom->groom, m.strands, shape_for(behaviour), gravity, h, step.executor);
    input.roots =
        m.roots.advance(m.strands, *m.groom->body, substeps, stride, input.shape, m.groom->roots, step.executor);
    m.air.clear();
    for (int k = 0; k < substeps; ++k)
        m.air.push_back(
            prepare_air(behaviour.air, step.wind, gravity, m.strands.frame.position, step.span.time + h * k, h));
    input.air = m.air;
    input.contact = step.colliders.contacts_of(m.strands, input.roots.origin, stride, behaviour.contact,
                                               {step.dt, step.age}, m.contacts);
    return input;
}

std::span<const Hold> StrandMovement::hold_targets(Member& m, WorldStep& step, int stride)
{
    const auto n = static_cast<size_t>(m.groom->substeps);
    m.held.clear();
    for (const HoldState& h : step.holds)
        if (h.groom == m.groom) m.held.push_back(&h);
    std::sort(m.held.begin(), m.held.end(), [](const HoldState* a, const HoldState* b) {
        return a->strand != b->strand ? a->strand < b->strand : a->particle < b->particle;
    });
    keep_first_holds(m.held);
    m.holds.resize(m.held.size());
    m.hold_targets.resize(m.held.size() * n);
    for (size_t i = 0; i < m.held.size(); ++i) {
        const HoldState& h = *m.held[i];
        const std::span<Vec3f> targets = std::span(m.hold_targets).subspan(i * n, n);
        for (size_t k = 0; k < n; ++k) {
            const Pose& bone = h.body->bone(static_cast<int>(k + 1) * stride, h.bone);
            targets[k] = to_float(transform_point(bone, h.offset) - m.strands.root(h.strand));
        }
        m.holds[i] = {static_cast<uint32_t>(h.strand), static_cast<int>(h.particle), targets};
    }
    return m.holds;
}

void StrandMovement::prepare(const WorldSettings& settings, Executor& executor)
{
    for (const auto& m : members_) {
        const double h = settings.dt / settings.substeps / spring_substeps(m->groom->behaviour.solver);
        m->shape.over_substeps(m->groom->groom, m->strands, shape_for(m->groom->behaviour), settings.gravity, h,
                               executor);
    }
}

void StrandMovement::carry(GroomInstance& groom, const MotionOf& motion, Executor& executor)
{
    Member& m = member(groom);
    m.roots.place(groom.roots, m.strands, executor);
    m.strands.carry(motion);
    m.solver->carry(m.strands, motion);
    m.roots.place(groom.roots, m.strands, executor);
    m.strands.begin_step();
}

void StrandMovement::reset(GroomInstance& groom, Executor& executor)
{
    Member& m = member(groom);
    m.roots.place(groom.roots, m.strands, executor);
    m.strands.reset(groom.groom, [&](size_t strand) { return groom.anchors.carried(groom.roots, strand); });
    m.solver->reset(m.strands);
    m.roots.place(groom.roots, m.strands, executor);
    m.strands.begin_step();
}

void StrandMovement::write_curves(const GroomInstance& groom, const CurvesRequest& request, std::span<Vec3f> points,
                                  std::span<Vec3f> velocities, Executor& executor) const
{
    const bool stretched = !groom.behaviour.solver.keeps_lengths();
    member(groom).strands.write_curves({request.roots, request.origin, request.blend, request.dt, stretched,
                                        groom.groom.first_points(), points, velocities},
                                       executor);
}

Movement::RootStep StrandMovement::root_step(const GroomInstance& groom, size_t strand) const
{
    const Strands& strands = member(groom).strands;
    return {strands.root_before(strand), strands.root(strand)};
}

void StrandMovement::positions(const GroomInstance& groom, size_t strand, std::span<Vec3d> out) const
{
    const Strands& strands = member(groom).strands;
    Vec3d p = strands.root(strand);
    for (size_t i = 0; i < out.size(); ++i) {
        if (i > 0) p += to_double(strands.edge(strand, static_cast<int>(i)));
        out[i] = p;
    }
}

Movement::Measured StrandMovement::measure(GroomInstance& groom, const Vec3d& gravity, double dt, Executor& executor)
{
    Member& m = member(groom);
    return {m.meter.measure(m.strands, gravity, groom.settings.particle_mass, dt, executor),
            static_cast<double>(m.strands.particle_count() - m.strands.strand_count())};
}

std::vector<float> StrandMovement::tensions(const GroomInstance& groom) const
{
    const Member& m = member(groom);
    const ParticleRows* tensions = m.solver->tensions();
    if (!tensions) return {};
    std::vector<float> out(groom.groom.point_count(), 0.0f);
    const auto mass = static_cast<float>(groom.settings.particle_mass);
    for (size_t s = 0; s < groom.groom.strand_count(); ++s) {
        float* to = out.data() + groom.groom.first_points()[s];
        for (int i = 1; i < m.strands.levels(s); ++i) to[i] = tensions->get(s, i, 0) * mass;
    }
    return out;
}

size_t StrandMovement::bytes() const
{
    size_t n = 0;
    std::vector<const StrandLayout*> layouts;
    for (const auto& m : members_) {
        n += m->strands.bytes() + m->solver->bytes();
        layouts.push_back(&m->strands.layout());
    }
    std::sort(layouts.begin(), layouts.end());
    layouts.erase(std::unique(layouts.begin(), layouts.end()), layouts.end());
    for (const StrandLayout* layout : layouts) n += layout->bytes();
    return n;
}

uint64_t StrandMovement::hash(uint64_t h, Executor& executor) const
{
    for (const auto& m : members_) h = mix_bits(h ^ m->solver->hash(m->strands.hash(executor)));
    return h;
}

void StrandMovement::save(std::vector<std::byte>& out) const
{
    for (const auto& m : members_) {
        m->strands.save(out);
        m->solver->save(out);
        append_bytes(out, &m->last_substep, 1);
        append_bytes(out, &m->last_substeps, 1);
    }
}

bool StrandMovement::load(std::span<const std::byte>& in)
{
    for (const auto& m : members_)
        if (!m->strands.load(in) || !m->solver->load(m->strands, in) || !take_bytes(in, &m->last_substep, 1) ||
            !take_bytes(in, &m->last_substeps, 1))
            return false;
    return true;
}

}  // namespace tendril
