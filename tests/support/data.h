/// Real files that are not part of the project: tests use them where they are there, and are skipped where not.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tendril::test {

/// The path of a file of the data folder, or an empty string. The folder is TENDRIL_TEST_DATA of the environment, or
/// shared/data beside the project.
inline std::string data_file(const std::string& name)
{
    const char* folder = std::getenv("TENDRIL_TEST_DATA");
    const std::filesystem::path path =
        (folder ? std::filesystem::path(folder) : std::filesystem::path(TENDRIL_SOURCE_DIR) / "../shared/data") / name;
    return std::filesystem::exists(path) ? path.string() : std::string();
}

}  // namespace tendril::test

#define TENDRIL_NEEDS_DATA(variable, name)                         \
    const std::string variable = ::tendril::test::data_file(name); \
    if (variable.empty()) GTEST_SKIP() << "needs " << name
