/// The folder with the live page. Clients can read only files inside it.
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
    /// Finds the named folder or, if the name is empty, the one that comes with the program.
    static Result<PageFolder> find(const std::string& named);

    /// Opens the file for a decoded address such as "/engine/engine.wasm". If x.gz exists beside x, it is served
    /// instead where the client accepts it.
    std::optional<ServedFile> open(const std::string& address, Compressed compressed) const;

private:
    explicit PageFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
    std::optional<ServedFile> open_inside(const std::filesystem::path& relative) const;

    std::filesystem::path folder_;  // canonical
};

}  // namespace tendril::app
