#include "program_folder.h"

namespace tendril::app {

namespace fs = std::filesystem;

std::vector<fs::path> beside_program(std::initializer_list<const char*> relative_paths)
{
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    std::vector<fs::path> paths;
    if (program.empty()) return paths;
    for (const char* path : relative_paths) paths.push_back((program / path).lexically_normal());
    return paths;
}

}  // namespace tendril::app
