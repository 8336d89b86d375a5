// The fields of the report: all are documented, and what they count is true.
#include "support/cli.h"

#include <set>

namespace tendril::test {
namespace {

using Names = std::set<std::string>;

/// Adds the paths of all fields, as docs/report.md writes them. `whole` are not looked into.
void add_fields(const nlohmann::json& value, const std::string& path, const Names& whole, Names& names)
{
    if (value.is_object() && whole.count(path) == 0) {
        for (const auto& [name, inner] : value.items())
            add_fields(inner, path.empty() ? name : path + "." + name, whole, names);
    } else if (value.is_array() && !value.empty() && value[0].is_object()) {
        for (const auto& element : value) add_fields(element, path + "[]", whole, names);
    } else if (!value.is_array() || !value.empty()) {  // an empty list does not show its fields
        names.insert(path);
    }
}

/// The names in backticks in the first cell of all rows of tables below `from` and above `to`.
Names documented_fields(const std::string& from, const std::string& to)
{
    const std::string text = text_of(std::string(TENDRIL_SOURCE_DIR) + "/docs/report.md");
    const size_t begin = text.find(from);
    std::istringstream lines(text.substr(begin, text.find(to, begin) - begin));
    Names names;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("| `", 0) != 0) continue;
        const std::string cell = line.substr(2, line.find('|', 2) - 2);
        for (size_t open = cell.find('`'); open != std::string::npos; open = cell.find('`', open + 1)) {
            const size_t close = cell.find('`', open + 1);
            names.insert(cell.substr(open + 1, close - open - 1));
            open = close;
        }
    }
    return names;
}

void expect_same(const Names& reported, const Names& documented)
{
    for (const std::string& name : reported) EXPECT_TRUE(documented.count(name)) << name << " is not documented";
    for (const std::string& name : documented) EXPECT_TRUE(reported.count(name)) << name << " is not in the reports";
}

TEST_F(Cli, EveryFieldOfTheReportIsDocumented)
{
    const std::string few = " --frames 1 --set sim.settle=0";
    Names names;
    add_fields(report(scene("bust") + few + " --set groom.strands=10"), "", {}, names);
    add_fields(report(scene("twist_loop") + few), "", {}, names);
    // A strand of one point, which is repaired, and a size that suggests centimetres, of which a warning is given.
    std::ofstream(file("a.obj")) << "v 0 0 0\nv 0 -9 0\nv 0 -9 0\nv 1 0 0\nl 1 2 3\nl 4\n";
    EXPECT_FALSE(warnings_of(scene("hello") + few + " --set 'groom.file=" + file("a.obj") + "'").empty());
    add_fields(nlohmann::json::parse(text_of(file("report.json"))), "", {}, names);
    ASSERT_EQ(run("compare " + scene("rope_drag") +
                  " --frames 5 --reference-substeps 2 --methods dftl,direct --as-is "
                  "--report '" +
                  file("c.json") + "'")
                  .code,
              0);
    const auto comparison = nlohmann::json::parse(text_of(file("c.json")));
    add_fields(comparison.at("methods")[0].at("report"), "", {}, names);
    expect_same(names, documented_fields("## The run", "## Of a comparison"));
}

TEST_F(Cli, EveryFieldOfAComparisonIsDocumented)
{
    const auto outcome = run("compare " + scene("rope_drag") +
                             " --frames 5 --reference-substeps 2 --methods dftl,chain_shape --set "
                             "solver.velocity_correction=0.5 --report '" +
                             file("c.json") + "'");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto written = nlohmann::json::parse(text_of(file("c.json")));
    Names names;
    add_fields(written, "", {"methods[].report", "methods[].settings"}, names);
    const Names documented = documented_fields("## Of a comparison", "no such heading");
    for (const std::string& name : names) EXPECT_TRUE(documented.count(name)) << name << " is not documented";
    names.insert("methods[].problem");  // of a method that rejects the scene
    for (const std::string& name : documented) EXPECT_TRUE(names.count(name)) << name << " is not in the reports";
}

// A taut rope passes through a ball. However often it is measured, it is inside for all of the 61 frames.
TEST_F(Cli, DeepPenetrationIsCountedInFramesNotInMeasurements)
{
    std::ofstream(file("taut.toml"))
        << "[sim]\ndt = 0.01\nframes = 60\n[body]\n[groom]\nstyle = \"rope\"\nstrands = 1\n"
           "particles = 21\nends = \"both\"\nlength = 1\n"
           "[[collider]]\nshape = \"sphere\"\na = [0.5, 0.02, 0]\nradius = 0.1\n";
    for (const char* every : {"1", "7", "10", "0"}) {
        const auto whole = report("'" + file("taut.toml") + "' --metrics-every " + every);
        ASSERT_GT(whole.at("penetration").at("max_m").get<double>(), 1e-3);
        EXPECT_EQ(whole.at("penetration").at("longest_frames_deeper_than_0.2mm"), 61) << every;
    }
    const Outcome outcome = run("sim '" + file("taut.toml") + "' --metrics-every 10");
    EXPECT_NE(outcome.out.find("deeper than 0.2 mm for at most 61 frames (measured every 10 frames)"),
              std::string::npos)
        << outcome.out;
}

}  // namespace
}  // namespace tendril::test
