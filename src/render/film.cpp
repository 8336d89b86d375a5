// Films: pictures go to ffmpeg through its standard input.
#include "io/file_bytes.h"
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

// What is kept of ffmpeg's complaints; the last line is shown [bytes].
constexpr size_t kMostComplaint = 4096;
// Beyond these no player follows [pictures per second, pixels].
constexpr double kFastest = 1000;
constexpr uint32_t kLargestFilm = 16384;

/// Closes at the end of its life, or before.
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

/// A running ffmpeg, with our ends of its standard input and of its errors. Ends with this object.
class Encoder {
public:
    static Result<Encoder> start(const std::vector<std::string>& arguments);
    Encoder(Encoder&& other) noexcept
        : pid_(std::exchange(other.pid_, -1)),
          input_(std::move(other.input_)),
          errors_(std::move(other.errors_)),
          complaint_(std::move(other.complaint_))
    {
    }
    Encoder& operator=(Encoder&&) = delete;
    ~Encoder()
    {
        if (pid_ > 0) kill(pid_, SIGKILL);
        wait();
    }

    /// False where ffmpeg takes no more.
    bool send(std::span<const uint8_t> bytes);
    /// Says that nothing follows, and waits. Whether all went well.
    bool finish();
    /// What ffmpeg said last, for an error.
    std::string complaint() const;

private:
    Encoder(pid_t pid, Descriptor input, Descriptor errors)
        : pid_(pid), input_(std::move(input)), errors_(std::move(errors))
    {
    }
    bool read_errors();
    int wait();

    pid_t pid_ = -1;
    Descriptor input_, errors_;
    std::string complaint_;
};

/// The actions between fork and exec, and the attributes; freed at the end.
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

/// No shell: names may have blanks and quotes. A process group of its own: Ctrl-C is for us, and the film is finished
/// as far as it came. The order of the actions is safe also where our own 0, 1 or 2 were closed and `input` is one of
/// them; `errors` never is, being the fourth descriptor made.
int spawn(const std::vector<std::string>& arguments, int input, int errors, pid_t& pid)
{
    SpawnSetup setup;
    posix_spawn_file_actions_adddup2(&setup.actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&setup.actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&setup.actions, errors, STDERR_FILENO);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&setup.attributes, &none);
    posix_spawnattr_setsigdefault(&setup.attributes, &usual);
    posix_spawnattr_setpgroup(&setup.attributes, 0);
    posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<char*> words;
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    return posix_spawnp(&pid, words[0], &setup.actions, &setup.attributes, words.data(), environ);
}

Result<Encoder> Encoder::start(const std::vector<std::string>& arguments)
{
    // A socket and not a pipe, because `send` can be told to raise no SIGPIPE, which would end the program.
    int sockets[2], pipes[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return Error{fmt::format("ffmpeg cannot be started: {}", std::strerror(errno))};
    Descriptor input(sockets[0]), its_input(sockets[1]);
    if (pipe2(pipes, O_CLOEXEC) != 0) return Error{fmt::format("ffmpeg cannot be started: {}", std::strerror(errno))};
    Descriptor errors(pipes[0]), its_errors(pipes[1]);
    pid_t pid = -1;
    const int problem = spawn(arguments, its_input.get(), its_errors.get(), pid);
    if (problem == ENOENT) return Error{"films need ffmpeg; install it, on Debian with 'apt install ffmpeg'"};
    if (problem != 0) return Error{fmt::format("ffmpeg cannot be started: {}", std::strerror(problem))};
    return Encoder(pid, std::move(input), std::move(errors));
}

/// What there is, without loss of the end. False at the end of the stream.
bool Encoder::read_errors()
{
    char piece[1024];
    const ssize_t got = read(errors_.get(), piece, sizeof piece);
    if (got < 0) return errno == EINTR;
    complaint_.append(piece, static_cast<size_t>(got));
    if (complaint_.size() > kMostComplaint) complaint_.erase(0, complaint_.size() - kMostComplaint);
    return got > 0;
}

bool Encoder::send(std::span<const uint8_t> bytes)
{
    while (!bytes.empty()) {
        // Both at once: an ffmpeg that complains at length must not wait for us while we wait for it.
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

std::string Encoder::complaint() const
{
    std::string_view text = complaint_;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    const size_t before = text.find_last_of("\r\n");
    if (before != std::string_view::npos) text.remove_prefix(before + 1);
    return text.empty() ? "it ended without a word" : std::string(text);
}

struct Rational {
    int64_t top, bottom;
};

/// The fraction that a rate stands for. The rates of television, such as 29.97, are short for n * 1000 / 1001; others
/// become the simplest fraction nearby, which continued fractions find.
Rational rate_as_fraction(double rate)
{
    const double television = std::round(rate * 1.001);
    if (std::abs(rate - television / 1.001) < 5e-6 * rate) return {static_cast<int64_t>(television) * 1000, 1001};
    constexpr double kClose = 1e-9;        // a picture in thirty years at 1 per second
    constexpr int64_t kMostTop = 1 << 24;  // MP4 counts time in 32 bits
    Rational before{1, 0}, now{static_cast<int64_t>(rate), 1};
    double rest = rate - std::floor(rate);
    while (std::abs(static_cast<double>(now.top) / static_cast<double>(now.bottom) - rate) > kClose * rate) {
        const double turned = 1 / rest;
        const double whole = std::floor(turned);
        if (!(whole * static_cast<double>(std::max(now.top, now.bottom)) < static_cast<double>(kMostTop))) break;
        const auto digit = static_cast<int64_t>(whole);
        before = std::exchange(now, {digit * now.top + before.top, digit * now.bottom + before.bottom});
        rest = turned - whole;
    }
    return now;
}

/// Adds words that have no blanks in them.
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
                               height, rate.top, rate.bottom));
    // H.264 stores colour for blocks of 2 x 2: an odd last row or column is left out. A black one would show.
    // From version 7 on ffmpeg takes the tags below from the pictures if these have any, so they get them here too.
    add_words(out, fmt::format("-an -filter_threads 1 -vf crop={}:{}:0:0,scale=out_color_matrix=bt709:out_range=tv:"
                               "flags=bicubic+accurate_rnd+full_chroma_int+bitexact,format=yuv420p,"
                               "setparams=color_primaries=bt709:color_trc=iec61966-2-1",
                               width & ~1u, height & ~1u));
    // The number of threads changes the film, so it is four whatever the machine has.
    add_words(out, "-c:v libx264 -threads 4 -crf 18");
    // Without these tags players guess the colours, and guess differently.
    add_words(out, "-colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1 -color_range tv");
    // Nothing of the time or the machine; the table of contents first, for films on web pages.
    add_words(out, "-map_metadata -1 -fflags +bitexact -flags:v +bitexact -movflags +faststart -f mp4");
    out.push_back("file:" + part);  // whatever the name looks like, it is a file
    return out;
}

}  // namespace

struct FilmWriter::State {
    std::string file, part;
    uint32_t width, height;
    size_t pictures = 0;
    std::optional<Encoder> encoder;  // gone when finished or failed

    /// Ends ffmpeg, then removes what it wrote.
    ~State()
    {
        if (!encoder) return;
        encoder.reset();
        unlink(part.c_str());
    }
    Error failed()
    {
        encoder->finish();
        Error error{fmt::format("{}: ffmpeg: {}", file, encoder->complaint())};
        encoder.reset();
        unlink(part.c_str());
        return error;
    }
};

FilmWriter::FilmWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FilmWriter::~FilmWriter() = default;
FilmWriter::FilmWriter(FilmWriter&&) noexcept = default;
FilmWriter& FilmWriter::operator=(FilmWriter&&) noexcept = default;

bool have_ffmpeg()
{
    // An ffmpeg may be built without the encoder, so it is tried on one small picture.
    std::vector<std::string> arguments;
    add_words(arguments, "ffmpeg -nostdin -loglevel error -f lavfi -i color=size=16x16:rate=1:duration=1");
    add_words(arguments, "-c:v libx264 -f null -");
    auto trial = Encoder::start(arguments);
    return trial && trial->finish();
}

std::optional<Error> FilmWriter::check(uint32_t width, uint32_t height, double rate)
{
    if (width < 2 || height < 2 || width > kLargestFilm || height > kLargestFilm)
        return Error{fmt::format("a film of {} x {} pixels cannot be made; both must be in [2, {}]", width, height,
                                 kLargestFilm)};
    if (!(rate >= 0.01 && rate <= kFastest))
        return Error{
            fmt::format("{} pictures per second cannot be a film; it takes a rate in [0.01, {}]", rate, kFastest)};
    return {};
}

Result<FilmWriter> FilmWriter::create(const std::string& file, uint32_t width, uint32_t height, double rate)
{
    if (const auto wrong = check(width, height, rate)) return Error{fmt::format("{}: {}", file, wrong->message)};
    const auto target = target_file(file);
    if (!target) return Error{target.error()};
    const std::string part = fmt::format("{}.part{}.mp4", *target, getpid());
    // Known now, not after the first picture has been rendered.
    const Descriptor probe(open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (probe.get() < 0) return Error{fmt::format("{}: cannot be written: {}", file, std::strerror(errno))};
    auto encoder = Encoder::start(film_arguments(part, width, height, rate_as_fraction(rate)));
    if (!encoder) {
        unlink(part.c_str());
        return Error{fmt::format("{}: {}", file, encoder.error())};
    }
    auto state = std::make_unique<State>();
    state->file = *target;
    state->part = part;
    state->width = width;
    state->height = height;
    state->encoder.emplace(std::move(*encoder));
    return FilmWriter(std::move(state));
}

Result<size_t> FilmWriter::append(const Picture& picture)
{
    if (!state_ || !state_->encoder) return Error{"the film is finished; start another"};
    State& film = *state_;
    if (picture.width != film.width || picture.height != film.height ||
        picture.bytes.size() != size_t{3} * film.width * film.height)
        return Error{fmt::format("{}: a picture of {} x {} pixels does not fit a film of {} x {}", film.file,
                                 picture.width, picture.height, film.width, film.height)};
    if (!film.encoder->send(picture.bytes)) return film.failed();
    return ++film.pictures;
}

Result<size_t> FilmWriter::finish()
{
    if (!state_ || !state_->encoder) return Error{"the film is finished already"};
    State& film = *state_;
    if (film.pictures == 0) {
        film.encoder.reset();
        unlink(film.part.c_str());
        return Error{fmt::format("{}: a film needs a picture", film.file)};
    }
    if (!film.encoder->finish()) return film.failed();
    film.encoder.reset();
    std::error_code problem;
    const uintmax_t size = std::filesystem::file_size(film.part, problem);
    if (problem || std::rename(film.part.c_str(), film.file.c_str()) != 0) {
        const Error error{fmt::format("{}: cannot be written: {}", film.file, std::strerror(errno))};
        unlink(film.part.c_str());
        return error;
    }
    return static_cast<size_t>(size);
}

}  // namespace tendril
