/// The folder with the live page. Whatever a client asks for, it gets nothing that is not in there.
#pragma once

#include "tendril/result.h"
#include "view/served_file.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tendril::app {

enum class Compressed { kRefused, kAccepted };

class PageFolder {
public:
    /// The folder that is named, or where there is none the one that comes with the program.
    static Result<PageFolder> find(const std::string& named);

    /// What an address such as "/engine/engine.wasm" stands for, its percent signs decoded. Beside x may lie x.gz,
    /// which is taken for it where that is accepted.
    std::optional<ServedFile> open(const std::string& address, Compressed compressed) const;

private:
    explicit PageFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
    std::optional<ServedFile> open_inside(const std::filesystem::path& relative) const;

    std::filesystem::path folder_;  // without links
};

}  // namespace tendril::app
