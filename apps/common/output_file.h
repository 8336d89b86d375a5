/// A file that is written under another name and renamed once it is complete, so that nobody ever sees half of it. It
/// is locked meanwhile. A path that cannot be written is detected before the work begins.
#pragma once

#include "command_files.h"
#include "tendril/detail/part_file.h"
#include "tendril/result.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tendril::app {

class OutputFile {
public:
    /// Refuses a folder, a named pipe from which nobody reads, and whatever PartFile refuses.
    static Result<OutputFile> open(const OutputPath& path);

    OutputFile(OutputFile&&) noexcept = default;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();  ///< without `finish`, leaves no file behind

    /// Writes all bytes and gives the file its name. Returns false and sets `errno` if that fails; see `write_problem`.
    bool finish(std::string_view bytes);
    const std::string& path() const { return path_; }
    /// Whether it is a pipe, a device or our own output, beside which no other files can be written.
    bool is_stream() const { return !part_; }

private:
    using Handle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
    OutputFile(std::string path, std::optional<PartFile> part, Handle file);

    std::string path_;
    std::optional<PartFile> part_;  // none for a stream
    Handle file_;
};

}  // namespace tendril::app
