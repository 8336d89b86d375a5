/// The film of a comparison: a labelled panel for each method, all with the same camera.
#pragma once

#include "compare/variant.h"
#include "film_pictures.h"

#include <memory>
#include <string>
#include <vector>

namespace tendril::app {

struct Panel {
    Variant variant;
    std::string label;
};

class ComparisonFilm {
public:
    /// Call before the work begins. Returns an error if the film cannot be written.
    static Result<ComparisonFilm> open(CommandFiles& files, const std::string& file, const Scene& scene,
                                       uint64_t frames, size_t panels);
    ComparisonFilm(ComparisonFilm&&) noexcept = default;
    ComparisonFilm& operator=(ComparisonFilm&&) = delete;
    ~ComparisonFilm();  ///< without `make`, leaves no files behind

    const std::string& path() const { return film_.path(); }

    /// Simulates all panels again and draws them. Returns the path of the film, or of a folder of pictures without
    /// ffmpeg. Returns an error if interrupted.
    Result<std::string> make(const Subject& subject, const std::vector<Panel>& panels);

private:
    ComparisonFilm(OutputPath film, OutputPath folder, std::unique_ptr<FilmPictures> pictures)
        : film_(std::move(film)), folder_(std::move(folder)), pictures_(std::move(pictures))
    {
    }

    OutputPath film_, folder_;
    std::unique_ptr<FilmPictures> pictures_;  // null if moved from
};

}  // namespace tendril::app
