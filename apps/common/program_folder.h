/// Where the program is, and so what comes with it.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <vector>

namespace tendril::app {

/// Paths as seen from the folder of the program, installed or in a build; none where that folder is not known.
std::vector<std::filesystem::path> beside_program(std::initializer_list<const char*> places);

}  // namespace tendril::app
