/// The files that a command reads and writes: no output may replace an input or another output.
#pragma once

#include "tendril/result.h"
#include "tendril/scene.h"

#include <string>
#include <vector>

namespace tendril::app {

/// A path that a command may write to. Only CommandFiles makes it, so that no output escapes the check.
class OutputPath {
public:
    const std::string& path() const { return path_; }

private:
    friend class CommandFiles;
    explicit OutputPath(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

/// Two paths are the same file if links or different spellings lead there. Name all inputs before the outputs.
class CommandFiles {
public:
    /// `what` completes "FILE is ...", as in "the state to load". An empty path is no file.
    void read(const std::string& path, const std::string& what);
    /// The file of a scene, and all files that it refers to.
    void read_scene(const std::string& file, const Scene& scene);

    /// `what` names the output in messages, as in "--report".
    Result<OutputPath> write(const std::string& path, const std::string& what);
    /// A folder for pictures, 000000.png and so on.
    Result<OutputPath> write_pictures(const std::string& folder);
    /// A folder for temporary files, in which there may be no inputs at all.
    Result<OutputPath> write_folder(const std::string& folder);

private:
    struct File {
        std::string path, what;
    };
    std::vector<File> inputs_, outputs_;
};

}  // namespace tendril::app
