/// A file that is written under another name and gets its own when it is complete: nobody ever sees half of it, and a
/// path that cannot be written is known before the work begins.
#pragma once

#include "tendril/result.h"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace tendril::app {

/// Whether two paths lead to the same file, be it there or not; an empty path is none.
bool same_file(const std::string& a, const std::string& b);

class OutputFile {
public:
    static Result<OutputFile> open(const std::string& path);

    OutputFile(OutputFile&&) noexcept = default;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();  ///< without `finish`, nothing is left behind

    /// Writes it all and gives the file its name. False, with `errno` set, where that fails.
    bool finish(std::string_view bytes);
    const std::string& path() const { return path_; }
    /// A pipe, a device or our own output: nothing can stand beside it.
    bool is_stream() const { return written_ == path_; }

private:
    using Handle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
    OutputFile(std::string path, std::string written, Handle file);

    std::string path_;
    std::string written_;  // the name while it is written
    Handle file_;
};

}  // namespace tendril::app
