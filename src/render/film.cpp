// Films: pictures are piped to the standard input of ffmpeg.
#include "tendril/detail/part_file.h"
#include "tendril/picture.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <optional>
#include <poll.h>
#include <span>
#include <spawn.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

namespace tendril {
namespace {

// How much of ffmpeg's error output is kept [bytes]; errors show its last line.
constexpr size_t kMaxErrorOutput = 4096;
// No player handles more than this [pictures per second, pixels].
constexpr double kMaxFilmRate = 1000;
constexpr uint32_t kMaxFilmSize = 16384;

/// Owns a file descriptor.
class Descriptor {
public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(fd_, other.fd_);
        return *this;
    }
    int get() const { return fd_; }
    void reset()
    {
        if (fd_ >= 0) close(std::exchange(fd_, -1));
    }

private:
    int fd_;
};

/// A running ffmpeg process with our ends of its standard input and error streams. The destructor kills it.
class Encoder {
public:
    static Result<Encoder> start(const std::vector<std::string>& arguments);
    Encoder(Encoder&& other) noexcept
        : pid_(std::exchange(other.pid_, -1)),
          input_(std::move(other.input_)),
          errors_(std::move(other.errors_)),
          error_output_(std::move(other.error_output_))
    {
    }
    Encoder& operator=(Encoder&&) = delete;
    ~Encoder()
    {
        if (pid_ > 0) kill(pid_, SIGKILL);
        wait();
    }

    /// Returns false if ffmpeg no longer accepts input.
    bool send(std::span<const uint8_t> bytes);
    /// Closes ffmpeg's input and waits for it to exit. Returns whether it succeeded.
    bool finish();
    /// The last line of ffmpeg's error output.
    std::string last_error() const;

private:
    Encoder(pid_t pid, Descriptor input, Descriptor errors)
        : pid_(pid), input_(std::move(input)), errors_(std::move(errors))
    {
    }
    bool read_errors();
    int wait();

    pid_t pid_ = -1;
    Descriptor input_, errors_;
    std::string error_output_;
};

/// Owns the file actions and attributes for posix_spawn.
struct SpawnSetup {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    SpawnSetup()
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    SpawnSetup(const SpawnSetup&) = delete;
    ~SpawnSetup()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
};

/// Starts ffmpeg without a shell, because file names may contain blanks and quotes. It gets its own process group, so
/// that Ctrl-C reaches only us and we can still finish the film. The order of the file actions is safe even if our
/// descriptors 0, 1 or 2 were closed and `input` is one of them; `errors` cannot be, as it is the fourth descriptor
/// opened.
int spawn(const std::vector<std::string>& arguments, int input, int errors, pid_t& pid)
{
    SpawnSetup setup;
    posix_spawn_file_actions_adddup2(&setup.actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&setup.actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&setup.actions, errors, STDERR_FILENO);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigmask(&setup.attributes, &none);
    posix_spawnattr_setsigdefault(&setup.attributes, &defaults);
    posix_spawnattr_setpgroup(&setup.attributes, 0);
    posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    return posix_spawnp(&pid, argv[0], &setup.actions, &setup.attributes, argv.data(), environ);
}

Result<Encoder> Encoder::start(const std::vector<std::string>& arguments)
{
    // A socket instead of a pipe, because `send` can suppress SIGPIPE, which would terminate the program.
    int sockets[2], pipes[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return Error{fmt::format("ffmpeg cannot be started: {}", std::strerror(errno))};
    Descriptor input(sockets[0]), child_input(sockets[1]);
    if (pipe2(pipes, O_CLOEXEC) != 0) return Error{fmt::format("ffmpeg cannot be started: {}", std::strerror(errno))};
    Descriptor errors(pipes[0]), child_errors(pipes[1]);
    pid_t pid = -1;
    const int problem = spawn(arguments, child_input.get(), child_errors.get(), pid);
    if (problem == ENOENT) return Error{"films need ffmpeg; install it, on Debian with 'apt install ffmpeg'"};
    if (problem != 0) return Error{fmt::format("ffmpeg cannot be started: {}", std::strerror(problem))};
    return Encoder(pid, std::move(input), std::move(errors));
}

/// Reads available error output and keeps the end of it. Returns false at the end of the stream.
bool Encoder::read_errors()
{
    char buffer[1024];
    const ssize_t count = read(errors_.get(), buffer, sizeof buffer);
    if (count < 0) return errno == EINTR;
    error_output_.append(buffer, static_cast<size_t>(count));
    if (error_output_.size() > kMaxErrorOutput) error_output_.erase(0, error_output_.size() - kMaxErrorOutput);
    return count > 0;
}

bool Encoder::send(std::span<const uint8_t> bytes)
{
    while (!bytes.empty()) {
        // Poll both streams: if ffmpeg filled its error pipe while we waited for its input, both would block forever.
        pollfd ready[] = {{input_.get(), POLLOUT, 0}, {errors_.get(), POLLIN, 0}};
        if (poll(ready, 2, -1) < 0 && errno != EINTR) return false;
        if ((ready[1].revents & POLLIN) != 0) read_errors();
        if (ready[0].revents == 0) continue;
        const ssize_t sent = ::send(input_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return false;
        if (sent > 0) bytes = bytes.subspan(static_cast<size_t>(sent));
    }
    return true;
}

int Encoder::wait()
{
    int status = -1;
    while (pid_ > 0 && waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
}

bool Encoder::finish()
{
    input_.reset();
    while (read_errors()) {
    }
    const int status = wait();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string Encoder::last_error() const
{
    std::string_view text = error_output_;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    const size_t line_end = text.find_last_of("\r\n");
    if (line_end != std::string_view::npos) text.remove_prefix(line_end + 1);
    return text.empty() ? "it failed without an error message" : std::string(text);
}

struct Rational {
    int64_t numerator, denominator;
};

/// The exact fraction for a rate. Broadcast rates such as 29.97 stand for n * 1000 / 1001. For all others, continued
/// fractions find the simplest fraction nearby.
Rational rate_as_fraction(double rate)
{
    const double nominal = std::round(rate * 1.001);
    if (std::abs(rate - nominal / 1.001) < 5e-6 * rate) return {static_cast<int64_t>(nominal) * 1000, 1001};
    constexpr double kTolerance = 1e-9;    // relative error; at 1 picture per second, one picture in thirty years
    constexpr int64_t kMaxTerm = 1 << 24;  // MP4 stores time in 32 bits
    Rational previous{1, 0}, current{static_cast<int64_t>(rate), 1};
    double fraction = rate - std::floor(rate);
    while (std::abs(static_cast<double>(current.numerator) / static_cast<double>(current.denominator) - rate) >
           kTolerance * rate) {
        const double reciprocal = 1 / fraction;
        const double whole = std::floor(reciprocal);
        if (!(whole * static_cast<double>(std::max(current.numerator, current.denominator)) <
              static_cast<double>(kMaxTerm)))
            break;
        const auto term = static_cast<int64_t>(whole);
        previous = std::exchange(current, {term * current.numerator + previous.numerator,
                                           term * current.denominator + previous.denominator});
        fraction = reciprocal - whole;
    }
    return current;
}

/// Splits `words` at blanks and appends them.
void add_words(std::vector<std::string>& arguments, std::string_view words)
{
    while (!words.empty()) {
        const size_t end = std::min(words.find(' '), words.size());
        arguments.emplace_back(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
}

std::vector<std::string> film_arguments(const std::string& part, uint32_t width, uint32_t height, Rational rate)
{
    std::vector<std::string> out;
    add_words(out, "ffmpeg -nostdin -hide_banner -loglevel error -y");
    add_words(out, fmt::format("-f rawvideo -pixel_format rgb24 -video_size {}x{} -framerate {}/{} -i pipe:0", width,
                               height, rate.numerator, rate.denominator));
    // H.264 stores colour per block of 2 x 2 pixels, so an odd last row or column is cropped. Padding would be visible.
    // From version 7 on, ffmpeg takes the tags below from the pictures if they have any, so they are set here too.
    add_words(out, fmt::format("-an -filter_threads 1 -vf crop={}:{}:0:0,scale=out_color_matrix=bt709:out_range=tv:"
                               "flags=bicubic+accurate_rnd+full_chroma_int+bitexact,format=yuv420p,"
                               "setparams=color_primaries=bt709:color_trc=iec61966-2-1",
                               width & ~1u, height & ~1u));
    // The number of threads changes the encoded film, so it is fixed.
    add_words(out, "-c:v libx264 -threads 4 -crf 18");
    // Without these tags, players guess the colour space, and each guesses differently.
    add_words(out, "-colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1 -color_range tv");
    // No metadata about the time or the machine. The index comes first, so that web pages can stream the film.
    add_words(out, "-map_metadata -1 -fflags +bitexact -flags:v +bitexact -movflags +faststart -f mp4");
    out.push_back("file:" + part);  // the prefix stops ffmpeg from reading the name as a URL or an option
    return out;
}

}  // namespace

struct FilmWriter::State {
    PartFile part;
    uint32_t width, height;
    size_t pictures = 0;
    std::optional<Encoder> encoder;  // empty once the film is finished or has failed

    /// Stops ffmpeg and removes its unfinished file.
    ~State()
    {
        if (!encoder) return;
        encoder.reset();
        part.remove();
    }
    Error failed()
    {
        encoder->finish();
        Error error{fmt::format("{}: ffmpeg: {}", part.file(), encoder->last_error())};
        encoder.reset();
        part.remove();
        return error;
    }
};

FilmWriter::FilmWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FilmWriter::~FilmWriter() = default;
FilmWriter::FilmWriter(FilmWriter&&) noexcept = default;
FilmWriter& FilmWriter::operator=(FilmWriter&&) noexcept = default;

bool have_ffmpeg()
{
    // ffmpeg may have been built without the encoder, so try it on one small picture.
    std::vector<std::string> arguments;
    add_words(arguments, "ffmpeg -nostdin -loglevel error -f lavfi -i color=size=16x16:rate=1:duration=1");
    add_words(arguments, "-c:v libx264 -f null -");
    auto trial = Encoder::start(arguments);
    return trial && trial->finish();
}

std::optional<Error> FilmWriter::check(uint32_t width, uint32_t height, double rate)
{
    if (width < 2 || height < 2 || width > kMaxFilmSize || height > kMaxFilmSize)
        return Error{fmt::format("a film of {} x {} pixels cannot be made; both must be in [2, {}]", width, height,
                                 kMaxFilmSize)};
    if (!(rate >= 0.01 && rate <= kMaxFilmRate))
        return Error{fmt::format("a film cannot have {} pictures per second; the rate must be in [0.01, {}]", rate,
                                 kMaxFilmRate)};
    return {};
}

Result<FilmWriter> FilmWriter::create(const std::string& file, uint32_t width, uint32_t height, double rate)
{
    if (const auto wrong = check(width, height, rate)) return Error{fmt::format("{}: {}", file, wrong->message)};
    // Reports an unwritable file now, not after the first picture has been rendered. ffmpeg writes into the locked
    // file.
    auto part = PartFile::open(file);
    if (!part) return Error{part.error()};
    auto encoder = Encoder::start(film_arguments(part->part(), width, height, rate_as_fraction(rate)));
    if (!encoder) {
        part->remove();
        return Error{fmt::format("{}: {}", file, encoder.error())};
    }
    auto state = std::unique_ptr<State>(new State{std::move(*part), width, height, 0, {}});
    state->encoder.emplace(std::move(*encoder));
    return FilmWriter(std::move(state));
}

Result<size_t> FilmWriter::append(const Picture& picture)
{
    if (!state_ || !state_->encoder) return Error{"the film is already finished; create another writer"};
    State& film = *state_;
    if (picture.width != film.width || picture.height != film.height ||
        picture.bytes.size() != size_t{3} * film.width * film.height)
        return Error{fmt::format("{}: a picture of {} x {} pixels does not fit a film of {} x {}", film.part.file(),
                                 picture.width, picture.height, film.width, film.height)};
    if (!film.encoder->send(picture.bytes)) return film.failed();
    return ++film.pictures;
}

Result<size_t> FilmWriter::finish()
{
    if (!state_ || !state_->encoder) return Error{"the film is already finished"};
    State& film = *state_;
    if (film.pictures == 0) {
        film.encoder.reset();
        film.part.remove();
        return Error{fmt::format("{}: a film needs at least one picture", film.part.file())};
    }
    if (!film.encoder->finish()) return film.failed();
    film.encoder.reset();
    if (!film.part.rename()) {
        const Error error{fmt::format("{}: cannot be written: {}", film.part.file(), write_problem())};
        film.part.remove();
        return error;
    }
    std::error_code ignored;
    return static_cast<size_t>(std::filesystem::file_size(film.part.file(), ignored));
}

}  // namespace tendril
