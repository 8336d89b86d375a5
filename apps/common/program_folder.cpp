#include "program_folder.h"

namespace tendril::app {

namespace fs = std::filesystem;

std::vector<fs::path> beside_program(std::initializer_list<const char*> places)
{
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    std::vector<fs::path> paths;
    if (program.empty()) return paths;
    for (const char* place : places) paths.push_back((program / place).lexically_normal());
    return paths;
}

}  // namespace tendril::app
