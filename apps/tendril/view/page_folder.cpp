#include "view/page_folder.h"

#include "program_folder.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

bool has_page(const fs::path& folder)
{
    std::error_code ignored;
    return fs::is_regular_file(folder / "index.html", ignored);
}

/// Whether a name is a plain, visible file name; rejects "..", for example.
bool is_plain(const std::string& name)
{
    const auto is_odd = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\'; };
    return !name.empty() && name[0] != '.' && std::none_of(name.begin(), name.end(), is_odd);
}

/// "/a/b" is a/b in the folder, and "/a/" is a/index.html.
std::optional<fs::path> relative_path(const std::string& address)
{
    if (address.empty() || address[0] != '/') return {};
    fs::path path;
    for (size_t begin = 1; begin <= address.size();) {
        const size_t end = std::min(address.find('/', begin), address.size());
        const std::string name = address.substr(begin, end - begin);
        const bool is_folder = name.empty() && end == address.size();
        if (!is_folder && !is_plain(name)) return {};
        path /= is_folder ? "index.html" : name;
        begin = end + 1;
    }
    return path;
}

bool is_inside(const fs::path& folder, const fs::path& path)
{
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

Result<PageFolder> PageFolder::find(const std::string& named)
{
    std::error_code error;
    if (!named.empty() && !fs::is_directory(named, error)) return Error{fmt::format("there is no folder '{}'", named)};
    if (!named.empty() && !has_page(named))
        return Error{fmt::format("there is no page in '{}': './dev web' builds it into build/web/page", named)};
    std::vector<fs::path> folders = beside_program({"../share/tendril/web", "../../web/page"});
    if (!named.empty()) folders = {named};
    const auto found = std::find_if(folders.begin(), folders.end(), has_page);
    if (found == folders.end())
        return Error{"there is no page to show: './dev web' builds it; or name its folder with --page"};
    const fs::path folder = fs::canonical(*found, error);
    if (error) return Error{fmt::format("cannot open '{}': {}", found->string(), error.message())};
    return PageFolder(folder);
}

std::optional<ServedFile> PageFolder::open(const std::string& address, Compressed compressed) const
{
    const auto relative = relative_path(address);
    if (!relative) return {};
    auto plain = open_inside(*relative);
    if (!plain || compressed == Compressed::kRefused) return plain;
    fs::path beside = *relative;
    auto small = open_inside(beside += ".gz");
    if (!small) return plain;
    small->type = plain->type;
    small->gzip = true;
    return small;
}

/// Follows links as long as they stay inside the folder.
std::optional<ServedFile> PageFolder::open_inside(const fs::path& relative) const
{
    std::error_code error;
    const fs::path path = fs::canonical(folder_ / relative, error);
    if (error || !is_inside(folder_, path)) return {};
    return open_served(path.string());
}

}  // namespace tendril::app
