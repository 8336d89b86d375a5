#include "film_pictures.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

std::string stamp_file(const std::string& folder)
{
    return folder + "/fingerprint";
}

std::string stamp_in(const std::string& folder)
{
    std::ifstream in(stamp_file(folder));
    std::string text;
    std::getline(in, text);
    return text;
}

/// Other files in the folder are never touched.
bool is_part_of_film(const fs::path& path)
{
    const std::string name = path.filename().string();
    for (const char* start : {"picture_", "checkpoint", "fingerprint"})
        if (name.rfind(start, 0) == 0) return true;
    return false;
}

/// Removes the checkpoint first, because only it refers to the rest.
void clear(const std::string& folder)
{
    std::error_code ignored;
    fs::remove(folder + "/checkpoint", ignored);
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (is_part_of_film(entry.path())) fs::remove(entry.path(), ignored);
}

}  // namespace

uint64_t fingerprint(const std::string& text)
{
    uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return hash;
}

Result<FilmPictures> FilmPictures::open(const OutputPath& output, uint64_t fingerprint)
{
    const std::string& folder = output.path();
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) return Error{fmt::format("cannot make the folder '{}': {}", folder, problem.message())};
    auto lock = LockedFile::open(folder + "/lock");
    if (!lock) return Error{fmt::format("cannot write into '{}': {}", folder, lock.error())};
    FilmPictures pictures(folder, std::move(*lock));
    const std::string stamp = fmt::format("{:016x}", fingerprint);
    if (stamp_in(folder) == stamp) return pictures;
    clear(folder);
    std::ofstream out(stamp_file(folder));
    out << stamp << '\n';
    if (!out.flush()) return Error{fmt::format("cannot write into '{}': {}", folder, std::strerror(errno))};
    return pictures;
}

std::string FilmPictures::file(size_t number) const
{
    return fmt::format("{}/picture_{:06}.png", folder_, number);
}

bool FilmPictures::has(size_t number) const
{
    // A full disk may have left an incomplete file, which lacks the last chunk.
    constexpr std::string_view kEnd = "IEND";
    std::ifstream in(file(number), std::ios::binary);
    char end[8] = {};
    in.seekg(-8, std::ios::end);
    return in.read(end, sizeof end) && std::string_view(end, kEnd.size()) == kEnd;
}

Result<size_t> FilmPictures::put(size_t number, const Picture& picture)
{
    return write_png(file(number), picture);
}

Result<Picture> FilmPictures::get(size_t number) const
{
    return read_png(file(number));
}

Result<size_t> FilmPictures::make_film(const OutputPath& file, size_t count, double rate, Visible visible) const
{
    Result<Picture> picture = get(0);
    if (!picture) return Error{picture.error()};
    Result<FilmWriter> film = FilmWriter::create(file.path(), picture->width, picture->height, rate);
    if (!film) return Error{film.error()};
    Progress progress("picture", 0, count, visible);
    for (size_t n = 0; n < count; ++n) {
        if (n > 0) picture = get(n);
        if (!picture) return Error{picture.error()};
        const auto added = film->append(*picture);
        if (!added) return Error{added.error()};
        progress.update(n + 1, "to the film");
    }
    return film->finish();
}

Result<size_t> FilmPictures::copy_to(const OutputPath& output, size_t count) const
{
    const std::string& folder = output.path();
    std::error_code problem;
    fs::create_directories(folder, problem);
    for (size_t n = 0; n < count && !problem; ++n)
        fs::copy_file(file(n), fmt::format("{}/{:06}.png", folder, n), fs::copy_options::overwrite_existing, problem);
    for (size_t n = count; !problem && fs::remove(fmt::format("{}/{:06}.png", folder, n), problem); ++n) {
    }  // pictures of a longer earlier film
    if (problem) return Error{fmt::format("cannot copy the pictures to '{}': {}", folder, problem.message())};
    return count;
}

void FilmPictures::discard()
{
    const std::string stamp = stamp_in(folder_);
    clear(folder_);
    std::ofstream(stamp_file(folder_)) << stamp << '\n';
}

void FilmPictures::remove()
{
    clear(folder_);
    std::error_code ignored;
    fs::remove(folder_ + "/lock", ignored);
    fs::remove(folder_, ignored);
}

}  // namespace tendril::app
