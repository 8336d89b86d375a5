#include "tendril/setting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace tendril::test {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// A table with an object that it describes, all values at their defaults.
struct Described {
    const SettingTable* table;
    void* object;
};

class DescribedSettings : public testing::Test {
protected:
    std::vector<Described> all()
    {
        return {{&step_settings(), &world_},
                {&solver_settings(), &world_.solver},
                {&shape_settings(), &world_.shape},
                {&air_settings(), &world_.air},
                {&wind_settings(), &world_.wind},
                {&contact_settings(), &world_.contact},
                {&interaction_settings(), &world_.interaction}};
    }
    WorldSettings world_;
};

TEST_F(DescribedSettings, HaveOneNameAndOneShortNameEach)
{
    for (const Described& d : all()) {
        std::set<std::string> names, short_names;
        for (const Setting& s : d.table->settings) {
            EXPECT_TRUE(names.insert(s.name).second) << d.table->name << ": " << s.name;
            EXPECT_TRUE(short_names.insert(s.short_name).second) << d.table->name << ": " << s.short_name;
            EXPECT_EQ(find_setting(*d.table, s.name), &s);
            EXPECT_EQ(find_setting(*d.table, s.short_name), &s) << s.short_name;
        }
    }
}

TEST_F(DescribedSettings, AreDescribedWithAMeaningARangeAndAGroup)
{
    for (const Described& d : all())
        for (const Setting& s : d.table->settings) {
            EXPECT_FALSE(s.meaning.empty()) << s.name;
            EXPECT_LT(s.range.min, s.range.max) << s.name;
            const size_t dot = s.name.find('.');
            if (dot == s.name.npos) continue;
            bool known = false;
            for (const SettingGroup& group : d.table->groups) known |= group.name == s.name.substr(0, dot);
            EXPECT_TRUE(known) << s.name;
        }
}

TEST_F(DescribedSettings, OfADefaultObjectAreUsableAsTheyAre)
{
    for (const Described& d : all())
        for (const Setting& s : d.table->settings) {
            s.make_usable(d.object, d.table->defaults);
            EXPECT_EQ(s.get(d.object), s.get(d.table->defaults)) << s.name;
        }
}

TEST_F(DescribedSettings, ReadBackWhatWasSet)
{
    for (const Described& d : all())
        for (const Setting& s : d.table->settings) {
            SettingValue value = s.get(d.object);
            if (auto* number = std::get_if<double>(&value)) *number = 0.5 * (s.range.min + std::min(s.range.max, 1.0));
            if (auto* integer = std::get_if<int64_t>(&value); integer && s.type == SettingType::kInteger) ++*integer;
            if (auto* flag = std::get_if<bool>(&value)) *flag = !*flag;
            s.set(d.object, value);
            if (s.type == SettingType::kNumber)
                EXPECT_NEAR(std::get<double>(s.get(d.object)), std::get<double>(value), 1e-7) << s.name;
            else
                EXPECT_EQ(s.get(d.object), value) << s.name;
            // No other setting was written.
            for (const Setting& other : d.table->settings)
                if (&other > &s) {
                    EXPECT_EQ(other.get(d.object), other.get(d.table->defaults)) << s.name;
                }
        }
}

TEST_F(DescribedSettings, AreClampedToTheirRange)
{
    for (const Described& d : all())
        for (const Setting& s : d.table->settings) {
            if (s.type != SettingType::kNumber) continue;
            for (const double extreme : {1e30, -1e30}) {
                s.set(d.object, extreme);
                s.make_usable(d.object, d.table->defaults);
                const double limit = extreme > 0 ? s.range.max : s.range.min;
                EXPECT_FLOAT_EQ(static_cast<float>(std::get<double>(s.get(d.object))), static_cast<float>(limit))
                    << s.name;
            }
        }
}

TEST_F(DescribedSettings, ThatAreNotNumbersBecomeTheirDefaults)
{
    for (const Described& d : all())
        for (const Setting& s : d.table->settings) {
            if (s.type == SettingType::kNumber)
                s.set(d.object, kUndefined);
            else if (s.type == SettingType::kVector || s.type == SettingType::kGravity)
                s.set(d.object, Vec3d{0, kUndefined, 0});
            s.make_usable(d.object, d.table->defaults);
            EXPECT_EQ(s.get(d.object), s.get(d.table->defaults)) << s.name;
        }
    EXPECT_FLOAT_EQ(world_.solver.dftl.velocity_correction, 0.9f);
}

TEST_F(DescribedSettings, RefuseEnumeratorsThatDoNotExist)
{
    world_.solver.type = static_cast<SolverType>(200);
    world_.solver.dftl.bend_order = static_cast<BendOrder>(7);
    for (const Setting& s : solver_settings().settings) s.make_usable(&world_.solver, solver_settings().defaults);
    EXPECT_EQ(world_.solver.type, SolverType::kDftl);
    EXPECT_EQ(world_.solver.dftl.bend_order, BendOrder::kTogether);
}

TEST_F(DescribedSettings, IntegersAreClampedToo)
{
    world_.solver.pbd.iterations = -5;
    world_.interaction.sph.max_neighbours = 1u << 30;
    for (const Setting& s : solver_settings().settings) s.make_usable(&world_.solver, solver_settings().defaults);
    for (const Setting& s : interaction_settings().settings)
        s.make_usable(&world_.interaction, interaction_settings().defaults);
    EXPECT_EQ(world_.solver.pbd.iterations, 1);
    EXPECT_EQ(world_.interaction.sph.max_neighbours, 512u);
}

}  // namespace
}  // namespace tendril::test
