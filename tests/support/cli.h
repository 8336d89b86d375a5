/// Runs the program on the command line. Needs TENDRIL_SOURCE_DIR and TENDRIL_PROGRAM.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tendril::test {

namespace fs = std::filesystem;

struct Outcome {
    int code = -1;
    std::string out, err;
};

inline std::string text_of(const fs::path& file)
{
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// A fixture that gives each test its own temporary folder.
class Cli : public testing::Test {
protected:
    Cli()
    {
        const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
        folder_ = fs::temp_directory_path() / ("tendril_cli_" + test + "_" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    ~Cli() override { fs::remove_all(folder_); }

    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    static std::string scene(const std::string& name)
    {
        return std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + name + ".toml";
    }

    /// Runs the program with these arguments. `before` is the start of the command line, such as `timeout 1`.
    Outcome run(const std::string& arguments, const std::string& before = "") const
    {
        const std::string command = before + " '" + TENDRIL_PROGRAM + "' " + arguments + " >'" + file("out") + "' 2>'" +
                                    file("err") + "' </dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(file("out")), text_of(file("err"))};
    }

    /// Runs a line of shell in the temporary folder; $TENDRIL is the program. Unlike in `run`, the line can redirect
    /// the streams of the program.
    Outcome shell(const std::string& line) const
    {
        const std::string command = "cd '" + folder_.string() + "' && TENDRIL='" + TENDRIL_PROGRAM +
                                    "' && export TENDRIL && { " + line + "\n} >out 2>err </dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(file("out")), text_of(file("err"))};
    }

    /// Expects that the input is refused: exit code 2, nothing on stdout, one line on stderr that contains `part`.
    void expect_refused(const std::string& arguments, const std::string& part) const
    {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_EQ(outcome.out, "") << arguments;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_NE(outcome.err.find(part), std::string::npos) << arguments << ": " << outcome.err;
    }

    /// Returns the report of a simulation, which must succeed without output.
    nlohmann::json report(const std::string& arguments) const
    {
        const Outcome outcome = run("sim " + arguments + " --quiet --report '" + file("report.json") + "'");
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(outcome.err, "");
        return nlohmann::json::parse(text_of(file("report.json")));
    }

    /// Returns the warnings in the report of a simulation.
    std::vector<std::string> warnings_of(const std::string& arguments) const
    {
        const Outcome outcome = run("sim " + arguments + " --quiet --report '" + file("report.json") + "'");
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(text_of(file("report.json"))).at("warnings").get<std::vector<std::string>>();
    }

    fs::path folder_;
};

}  // namespace tendril::test
