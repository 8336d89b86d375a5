/// The pictures of a film in the making: single files in a folder, until all are there and become a film. A film that
/// was interrupted goes on with those it has, and comes out the same.
#pragma once

#include "progress.h"
#include "tendril/picture.h"

#include <cstdint>
#include <string>

namespace tendril::app {

/// What the pictures show, as a number: another scene or other settings give another.
uint64_t fingerprint(const std::string& text);

class FilmPictures {
public:
    /// Those of something else, by their fingerprint, are thrown away. An error where another program is at work there.
    static Result<FilmPictures> open(const std::string& folder, uint64_t fingerprint);
    ~FilmPictures();
    FilmPictures(FilmPictures&&) noexcept;
    FilmPictures& operator=(FilmPictures&&) = delete;

    const std::string& folder() const { return folder_; }
    /// Pictures are counted from 0.
    std::string file(size_t number) const;
    bool has(size_t number) const;
    Result<size_t> put(size_t number, const Picture& picture);
    Result<Picture> get(size_t number) const;

    /// All of them as a film, through ffmpeg.
    Result<size_t> make_film(const std::string& file, size_t count, double rate, Visible progress) const;
    /// As FOLDER/000000.png and so on.
    Result<size_t> copy_to(const std::string& folder, size_t count) const;
    /// Forgets the pictures and where to go on from.
    void start_anew();
    /// The folder and all that is in it.
    void remove();

private:
    FilmPictures(std::string folder, int lock) : folder_(std::move(folder)), lock_(lock) {}
    std::string folder_;
    int lock_;  // a file that only one program can hold
};

}  // namespace tendril::app
