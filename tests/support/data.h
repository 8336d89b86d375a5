/// Third-party data files that are not part of the project. Tests whose file is missing are skipped.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tendril::test {

/// Returns the path of a file in the data folder, or an empty string if it does not exist. The folder is given by the
/// environment variable TENDRIL_TEST_DATA; the default is ../shared/data relative to the project.
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
