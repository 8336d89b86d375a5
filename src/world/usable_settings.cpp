// Hosts may write anything into the settings. Here every value is clamped to the range of its description.
#include "tendril/setting.h"
#include "world/state.h"

namespace tendril {
namespace {

template <class Settings>
void make_usable(Settings& settings, const SettingTable& table)
{
    for (const Setting& setting : table.settings) setting.make_usable(&settings, table.defaults);
}

}  // namespace

WorldSettings usable_settings(WorldSettings s)
{
    make_usable(s, step_settings());
    make_usable(s.wind, wind_settings());
    make_usable(s.interaction, interaction_settings());
    const Behaviour usable = usable_behaviour({s.solver, s.shape, s.air, s.contact});
    s.solver = usable.solver;
    s.shape = usable.shape;
    s.air = usable.air;
    s.contact = usable.contact;
    return s;
}

Behaviour usable_behaviour(Behaviour s)
{
    make_usable(s.solver, solver_settings());
    make_usable(s.shape, shape_settings());
    make_usable(s.air, air_settings());
    make_usable(s.contact, contact_settings());
    return s;
}

double usable_step(double dt)
{
    WorldSettings step;
    step.dt = dt;
    make_usable(step, step_settings());
    return step.dt;
}

}  // namespace tendril
