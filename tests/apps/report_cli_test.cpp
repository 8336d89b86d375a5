// The fields of the report: all are documented, and what they count is true.
#include "support/cli.h"
#include "support/json_schema.h"

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
    for (const std::string& of : {scene("bust") + few + " --set groom.strands=10", scene("twist_loop") + few}) {
        const auto written = report(of);
        add_fields(written, "", {}, names);
        EXPECT_EQ(JsonSchema("report").faults(written), std::vector<std::string>()) << of;
    }
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
    EXPECT_EQ(JsonSchema("report").faults(comparison), std::vector<std::string>());
}

/// The names of the fields in a schema, as docs/report.md writes them.
void add_fields_of_schema(const nlohmann::json& root, const nlohmann::json& schema, const std::string& path,
                          Names& names)
{
    const std::string ref = schema.value("$ref", "");
    if (!ref.empty() && ref != "#/$defs/report")
        return add_fields_of_schema(root, root.at(nlohmann::json::json_pointer(ref.substr(1))), path, names);
    if (schema.contains("anyOf"))
        for (const auto& variant : schema["anyOf"]) add_fields_of_schema(root, variant, path, names);
    else if (schema.contains("properties"))
        for (const auto& [name, inner] : schema["properties"].items())
            add_fields_of_schema(root, inner, path.empty() ? name : path + "." + name, names);
    else if (schema.contains("items") && !schema["items"].contains("type"))
        add_fields_of_schema(root, schema["items"], path + "[]", names);
    else if (schema.contains("items") && schema["items"]["type"] == "object")
        add_fields_of_schema(root, schema["items"], path + "[]", names);
    else
        names.insert(path);
}

TEST(ReportSchema, HasTheDocumentedFields)
{
    const auto schema = nlohmann::json::parse(text_of(std::string(TENDRIL_SOURCE_DIR) + "/docs/report.schema.json"));
    const auto fields_of = [&](const char* part) {
        Names names;
        add_fields_of_schema(schema, schema["$defs"][part], "", names);
        return names;
    };
    EXPECT_EQ(fields_of("report"), documented_fields("## The run", "## Of a comparison"));
    EXPECT_EQ(fields_of("comparison"), documented_fields("## Of a comparison", "no such heading"));
}

TEST(ReportSchema, RefusesWhatDoesNotFit)
{
    const JsonSchema schema("report");
    const nlohmann::json stretch = {{"max", 0.5}, {"mean", nullptr}};
    const std::string part = "/$defs/report/properties/stretch";
    EXPECT_EQ(schema.faults(stretch, part), std::vector<std::string>());
    for (const char* broken :
         {R"({"max": 0.5})", R"({"max": "0.5", "mean": 0})", R"({"max": 0, "mean": 0, "min": 0})", R"([0.5, 0])"})
        EXPECT_FALSE(schema.faults(nlohmann::json::parse(broken), part).empty()) << broken;
    EXPECT_FALSE(schema.faults("1234", "/$defs/report/properties/state_hash").empty());
    EXPECT_FALSE(schema.faults(-1, "/$defs/report/properties/strands").empty());
}

TEST_F(Cli, ReportsOfPrintedFormsAndOfRigidBodiesFitTheSchema)
{
    const JsonSchema schema("report");
    const std::string few = " --frames 2 --set sim.settle=0";
    const auto printed = report(scene("papers/sanchez15_ball") + few + " --set solver.form=paper"),
               rigid = report(scene("mobile") + few);
    EXPECT_EQ(schema.faults(printed), std::vector<std::string>());
    EXPECT_EQ(schema.faults(rigid), std::vector<std::string>());
    EXPECT_EQ(printed.at("grooms")[0].at("form"), "paper");
    EXPECT_EQ(rigid.at("grooms")[0].at("form"), "stable");
    const Outcome outcome = run("sim " + scene("hello") + few + " --set solver.form=paper");
    EXPECT_NE(outcome.out.find("dftl as printed\n"), std::string::npos) << outcome.out;
    for (const auto& list : rigid.at("series")) EXPECT_EQ(list.size(), 3u);
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
    EXPECT_EQ(JsonSchema("report").faults(written), std::vector<std::string>());
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
