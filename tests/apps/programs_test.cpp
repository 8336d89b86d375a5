// `tendril lab` and `tendril bench` start separate programs, which users do not notice.
#include "support/cli.h"

namespace tendril::test {
namespace {

class Programs : public Cli {};

TEST_F(Programs, PrintTheHelpOfTheCommand)
{
    for (const std::string name : {"lab", "bench"}) {
        const Outcome outcome = run(name + " --help");
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_NE(outcome.out.find("Usage: tendril " + name + " [OPTIONS]"), std::string::npos) << outcome.out;
        EXPECT_NE(run("--help").out.find("  " + name + " "), std::string::npos);
    }
}

TEST_F(Programs, ArgumentsAndExitCodesArePassedOn)
{
    expect_refused("bench --threads 0", "see 'tendril bench --help'");
    expect_refused("lab --threads", "see 'tendril lab --help'");
    expect_refused("lab 'no such claim'", "tendril lab: there is no claim 'no such claim'");
    const Outcome listed = run("lab --list zappe20");
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_EQ(listed.out.rfind("zappe20/", 0), 0u) << listed.out;
}

// `tendril` looks for the programs in its own folder, so a copy of it alone finds none.
TEST_F(Programs, AMissingProgramIsReportedWithARemedy)
{
    const fs::path alone = folder_ / "tendril";
    fs::copy_file(TENDRIL_PROGRAM, alone);
    for (const std::string name : {"lab", "bench"}) {
        const std::string command =
            "'" + alone.string() + "' " + name + " >'" + file("out") + "' 2>'" + file("err") + "' </dev/null";
        const int status = std::system(command.c_str());
        EXPECT_EQ(WEXITSTATUS(status), 2);
        EXPECT_EQ(text_of(file("out")), "");
        const std::string message = text_of(file("err"));
        EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << message;
        EXPECT_NE(message.find("tendril " + name + ": there is no '" + (folder_ / ("tendril-" + name)).string() + "'"),
                  std::string::npos)
            << message;
        EXPECT_NE(message.find("--target tendril_" + name), std::string::npos) << message;
    }
}

}  // namespace
}  // namespace tendril::test
