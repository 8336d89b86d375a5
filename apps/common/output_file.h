/// A file that is written under another name and renamed once it is complete, so that nobody ever sees half of it. A
/// path that cannot be written is detected before the work begins.
#pragma once

#include "tendril/result.h"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace tendril::app {

/// Whether two paths lead to the same file, which need not exist; an empty path leads to none.
bool same_file(const std::string& a, const std::string& b);

class OutputFile {
public:
    static Result<OutputFile> open(const std::string& path);

    OutputFile(OutputFile&&) noexcept = default;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();  ///< without `finish`, leaves no file behind

    /// Writes all bytes and gives the file its name. Returns false and sets `errno` if that fails.
    bool finish(std::string_view bytes);
    const std::string& path() const { return path_; }
    /// Whether it is a pipe, a device or our own output, beside which no other files can be written.
    bool is_stream() const { return written_ == path_; }

private:
    using Handle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
    OutputFile(std::string path, std::string written, Handle file);

    std::string path_;
    std::string written_;  // its name while it is being written
    Handle file_;
};

}  // namespace tendril::app
