/// The pictures of an unfinished film: single files in a folder, until all exist and become a film. An interrupted run
/// continues with the existing ones, and the film is the same.
#pragma once

#include "command_files.h"
#include "progress.h"
#include "tendril/detail/part_file.h"
#include "tendril/picture.h"

#include <cstdint>
#include <string>

namespace tendril::app {

/// A hash of what the pictures show: other scenes or settings have other values.
uint64_t fingerprint(const std::string& text);

class FilmPictures {
public:
    /// Removes existing pictures with another fingerprint. Returns an error if another program uses the folder.
    static Result<FilmPictures> open(const OutputPath& folder, uint64_t fingerprint);

    const std::string& folder() const { return folder_; }
    /// Pictures are counted from 0.
    std::string file(size_t number) const;
    bool has(size_t number) const;
    Result<size_t> put(size_t number, const Picture& picture);
    Result<Picture> get(size_t number) const;

    /// Makes a film of all pictures with ffmpeg.
    Result<size_t> make_film(const OutputPath& file, size_t count, double rate, Visible progress) const;
    /// Copies the pictures to FOLDER/000000.png and so on.
    Result<size_t> copy_to(const OutputPath& folder, size_t count) const;
    /// Removes the pictures and the checkpoint.
    void discard();
    /// Removes the folder with everything that belongs to the film.
    void remove();

private:
    FilmPictures(std::string folder, LockedFile lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
    std::string folder_;
    LockedFile lock_;
};

}  // namespace tendril::app
