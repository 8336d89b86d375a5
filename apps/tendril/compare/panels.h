/// The film of a comparison: a panel for each method, with its name, all seen by the same camera.
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
    /// Before the work begins: an error where the film could not be written.
    static Result<ComparisonFilm> open(const std::string& file, const Scene& scene, uint64_t frames, size_t panels);
    ComparisonFilm(ComparisonFilm&&) noexcept = default;
    ComparisonFilm& operator=(ComparisonFilm&&) = delete;
    ~ComparisonFilm();  ///< without `make`, nothing is left behind

    const std::string& path() const { return file_; }

    /// Simulates all panels once more and draws them. Where it is: a film, or a folder of pictures without ffmpeg. An
    /// error where it was interrupted.
    Result<std::string> make(const Subject& subject, const std::vector<Panel>& panels);

private:
    ComparisonFilm(std::string file, std::unique_ptr<FilmPictures> pictures)
        : file_(std::move(file)), pictures_(std::move(pictures))
    {
    }

    std::string file_;
    std::unique_ptr<FilmPictures> pictures_;  // none where it has been moved from
};

}  // namespace tendril::app
