/// Finds the files that come with the program.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <vector>

namespace tendril::app {

/// Resolves paths relative to the folder of the program, installed or in a build. Empty if that folder is unknown.
std::vector<std::filesystem::path> beside_program(std::initializer_list<const char*> relative_paths);

}  // namespace tendril::app
