// Hosts may write anything into the settings: here every number becomes one that can be simulated.
#include "world/state.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// Damping of the shape beyond this is as good as rigid; it keeps products within the range of floats.
constexpr float kMostShapeDamping = 1e6f;

float number_or(float x, float fallback)
{
    return std::isfinite(x) ? x : fallback;
}

float non_negative(float x)
{
    return std::max(0.0f, number_or(x, 0));
}

float clamped_or(float x, float fallback, float least, float most)
{
    return std::clamp(number_or(x, fallback), least, most);
}

void make_usable(WindSettings& wind)
{
    if (!is_finite(wind.velocity)) wind.velocity = {0, 0, 0};
    wind.gust = number_or(wind.gust, 0);
    wind.gust_period = number_or(wind.gust_period, 1);
    wind.turbulence = number_or(wind.turbulence, 0);
    wind.turbulence_size = number_or(wind.turbulence_size, 1);
    if (!std::isfinite(wind.start) || !std::isfinite(wind.duration)) wind.start = wind.duration = 0;
}

void make_usable(ContactSettings& contact)
{
    contact.friction = non_negative(contact.friction);
    contact.static_friction = non_negative(contact.static_friction);
    contact.restitution = clamped_or(contact.restitution, 0, 0, 1);
    contact.stick = non_negative(contact.stick);
    contact.ease = non_negative(contact.ease);
    contact.margin = non_negative(contact.margin);
    contact.layer = non_negative(contact.layer);
}

void make_usable(InteractionSettings& interaction)
{
    GridSettings& grid = interaction.grid;
    grid.cell = non_negative(grid.cell);
    grid.friction = non_negative(grid.friction);
    grid.repulsion = non_negative(grid.repulsion);
    grid.tolerance = std::max(1.0f, number_or(grid.tolerance, 1));
    SphSettings& sph = interaction.sph;
    sph.smoothing_length = number_or(sph.smoothing_length, 0);
    sph.smoothing_length = sph.smoothing_length > 0 ? std::clamp(sph.smoothing_length, 1e-4f, 1.0f) : 0;
    sph.stiffness = non_negative(sph.stiffness);
    sph.viscosity = non_negative(sph.viscosity);
    sph.most_neighbours = std::clamp(sph.most_neighbours, 1u, 512u);
    StringContactSettings& contacts = interaction.contacts;
    contacts.friction = non_negative(contacts.friction);
    contacts.voxel = clamped_or(contacts.voxel, 1, 1, 100);
}

void make_usable(PbdSettings& pbd)
{
    pbd.iterations = std::clamp(pbd.iterations, 1, 1000);
    pbd.bend_offset = std::clamp(pbd.bend_offset, 2, 64);
    pbd.stiffness = clamped_or(pbd.stiffness, 1, 0, 1);
    pbd.stretch_stiffness = non_negative(pbd.stretch_stiffness);
    pbd.bend_distance = clamped_or(pbd.bend_distance, 1, 0, 1);
    pbd.bend_stiffness = non_negative(pbd.bend_stiffness);
    pbd.angle = clamped_or(pbd.angle, 0, 0, 3.14159265f);
    pbd.angle_stiffness = non_negative(pbd.angle_stiffness);
    pbd.damping = non_negative(pbd.damping);
    pbd.mass_variation = clamped_or(pbd.mass_variation, 0, 0, 0.9f);
}

void make_usable(SpringSettings& spring)
{
    spring.stiffness = non_negative(spring.stiffness);
    spring.damping = clamped_or(spring.damping, 0, 0, 10);
    spring.substeps = std::clamp(spring.substeps, 1, 100);
    spring.iterations = std::clamp(spring.iterations, 1, 100);
}

void make_usable(StringSettings& string)
{
    string.half_width = std::clamp(string.half_width, 1, 32);
    string.bend_damping = clamped_or(string.bend_damping, 0, 0, 1);
    string.heavier = clamped_or(string.heavier, 1, 1, 100);
    string.twist_reach = clamped_or(string.twist_reach, 1, 1, 1e4f);
    string.iterations = std::clamp(string.iterations, 1, 100);
    string.most_substeps = std::clamp(string.most_substeps, 1, 1000);
}

void make_usable(TressfxSettings& tressfx)
{
    tressfx.global_stiffness = clamped_or(tressfx.global_stiffness, 0, 0, 1);
    tressfx.global_range = clamped_or(tressfx.global_range, 0, 0, 1);
    tressfx.local_stiffness = clamped_or(tressfx.local_stiffness, 0, 0, 1);
    tressfx.local_iterations = std::clamp(tressfx.local_iterations, 0, 1000);
    tressfx.shock_acceleration = non_negative(tressfx.shock_acceleration);
    tressfx.shock_follow = clamped_or(tressfx.shock_follow, 0, 0, 1);
    tressfx.shock_damping = non_negative(tressfx.shock_damping);
}

void make_usable(ShapeSettings& shape)
{
    shape.local = non_negative(shape.local);
    shape.global = non_negative(shape.global);
    shape.fade = clamped_or(shape.fade, 0, 0, 1);
    shape.damping = clamped_or(shape.damping, 0, 0, kMostShapeDamping);
    shape.drag = non_negative(shape.drag);
    shape.load = clamped_or(shape.load, 1, 0, 1);
}

}  // namespace

/// Numbers that are not finite become those that do nothing; what is not clamped here is where it is used.
WorldSettings usable_settings(WorldSettings s)
{
    if (!is_finite(s.gravity)) s.gravity = {0, 0, 0};
    make_usable(s.wind);
    make_usable(s.interaction);
    const Behaviour usable = usable_behaviour({s.solver, s.shape, s.air, s.contact});
    s.solver = usable.solver;
    s.shape = usable.shape;
    s.air = usable.air;
    s.contact = usable.contact;
    return s;
}

Behaviour usable_behaviour(Behaviour s)
{
    s.air.drag_normal = number_or(s.air.drag_normal, 0);
    s.air.drag_tangential = number_or(s.air.drag_tangential, 0);
    make_usable(s.contact);
    s.solver.dftl.velocity_correction = number_or(s.solver.dftl.velocity_correction, 1);
    s.solver.dftl.bend_limit = clamped_or(s.solver.dftl.bend_limit, 0, 0, 1);
    s.solver.direct.iterations = std::clamp(s.solver.direct.iterations, 1, 100);
    make_usable(s.solver.pbd);
    make_usable(s.solver.spring);
    make_usable(s.solver.string);
    make_usable(s.solver.tressfx);
    make_usable(s.shape);
    return s;
}

double usable_step(double dt)
{
    return std::isfinite(dt) ? std::clamp(dt, 1e-4, 1.0) : 1.0 / 60;
}

int usable_substeps(int substeps)
{
    return std::clamp(substeps, 1, 1000);
}

}  // namespace tendril
