// Tendril's own cache format, little-endian:
//   "TENDRILC", u32 version (2), u32 parts (one bit per optional array), u64 strands, u64 points, u64 bytes of group
//   names, f64 metres per unit, u32 up axis, u32 header size (72), u64 frames (0 while the file is being written),
//   u64 checksum of everything before the frames, computed with a checksum of 0;
//   zero-terminated group names, zero-padded to a multiple of 8; u32 point count of each strand; f32x3 rest points;
//   the optional arrays in the order of their bits, zero-padded to a multiple of 8, as is the first one, `ends`;
//   frames until the end of the file: f64 time, f64x3 origin, f32x3 points relative to the origin, zero-padded to a
//   multiple of 8, u64 checksum of the frame.
// In version 1 there are no checksums: the header has 64 bytes and ends with u64 0 instead of the number of frames.
#include "tendril/cache.h"

#include "io/curve_arrays.h"
#include "tendril/detail/part_file.h"

#include <fmt/core.h>

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <unistd.h>
#include <utility>

namespace tendril {
namespace {

constexpr char kCacheMagic[8] = {'T', 'E', 'N', 'D', 'R', 'I', 'L', 'C'};
constexpr uint32_t kCacheVersion = 2, kUncheckedVersion = 1;

// One bit for each optional array.
constexpr uint32_t kEnds = 1, kRootUvs = 2, kGroups = 4, kWidths = 8, kColours = 16, kTransparencies = 32,
                   kAllParts = 63;

struct CacheHeader {
    char magic[8];
    uint32_t version, parts;
    uint64_t strands, points, name_bytes;
    double metres_per_unit;
    uint32_t up, header_bytes;
    uint64_t frames;
    uint64_t checksum;
};
static_assert(sizeof(CacheHeader) == 72);
constexpr size_t kUncheckedHeaderBytes = offsetof(CacheHeader, checksum);

struct FrameHeader {
    double time;
    Vec3d origin;
};
static_assert(sizeof(FrameHeader) == 32);

size_t padding(size_t bytes)
{
    return (8 - bytes % 8) % 8;
}

/// Without its checksum.
size_t unchecked_frame_bytes(size_t points)
{
    const size_t bytes = points * sizeof(Vec3f);
    return sizeof(FrameHeader) + bytes + padding(bytes);
}

size_t frame_bytes(size_t points)
{
    return unchecked_frame_bytes(points) + sizeof(uint64_t);
}

/// Every change of a byte changes the checksum. Eight sums side by side hide the latency of the multiplication.
uint64_t checksum_of(Bytes bytes)
{
    constexpr size_t kSums = 8, kStripe = kSums * sizeof(uint64_t);
    uint64_t sums[kSums] = {1, 2, 3, 4, 5, 6, 7, 8}, words[kSums];
    size_t at = 0;
    for (; at + kStripe <= bytes.size(); at += kStripe) {
        std::memcpy(words, bytes.data() + at, kStripe);
        for (size_t k = 0; k < kSums; ++k) {
            sums[k] = (sums[k] ^ words[k]) * 0x9e3779b97f4a7c15ull;
            sums[k] ^= sums[k] >> 29;
        }
    }
    const uint64_t rest = hash_bytes(bytes.data() + at, bytes.size() - at);
    return mix_bits(rest ^ hash_bytes(sums, sizeof sums));
}

/// Whether a frame matches the checksum at its end.
bool is_sound(Bytes frame)
{
    const size_t size = frame.size() - sizeof(uint64_t);
    return number_at<uint64_t>(frame, size) == checksum_of(frame.first(size));
}

/// Of the part of a file before the frames, without the checksum in it.
uint64_t checksum_of_head(Bytes head)
{
    return mix_bits(checksum_of(head.first(offsetof(CacheHeader, checksum))) ^
                    checksum_of(head.subspan(sizeof(CacheHeader))));
}

/// Sets the number of frames, and the checksum of the part of the file before them.
void seal(std::vector<std::byte>& head, uint64_t frames)
{
    std::memcpy(head.data() + offsetof(CacheHeader, frames), &frames, sizeof frames);
    const uint64_t checksum = checksum_of_head(head);
    std::memcpy(head.data() + offsetof(CacheHeader, checksum), &checksum, sizeof checksum);
}

void pad(std::vector<std::byte>& out)
{
    out.resize(out.size() + padding(out.size()));
}

/// The part of the file before the frames, of which there are none yet.
std::vector<std::byte> header_and_groom_bytes(const CurveFile& curves)
{
    const GroomData& data = curves.data;
    std::string names;
    for (const std::string& name : data.group_names) names += name.substr(0, name.find('\0')) + '\0';
    CacheHeader header{};
    std::memcpy(header.magic, kCacheMagic, sizeof kCacheMagic);
    header.version = kCacheVersion;
    header.parts = (data.ends.empty() ? 0 : kEnds) | (data.root_uvs.empty() ? 0 : kRootUvs) |
                   (data.groups.empty() ? 0 : kGroups) | (data.widths.empty() ? 0 : kWidths) |
                   (data.colours.empty() ? 0 : kColours) | (data.transparencies.empty() ? 0 : kTransparencies);
    header.strands = data.strand_count();
    header.points = data.points.size();
    header.name_bytes = names.size();
    header.metres_per_unit = curves.metres_per_unit;
    header.up = static_cast<uint32_t>(curves.up);
    header.header_bytes = sizeof header;

    std::vector<std::byte> out;
    append_bytes(out, &header, 1);
    append_bytes(out, names.data(), names.size());
    pad(out);
    std::vector<uint32_t> counts;
    for (size_t s = 0; s < data.strand_count(); ++s) counts.push_back(data.first_point[s + 1] - data.first_point[s]);
    append_bytes(out, counts.data(), counts.size());
    append_bytes(out, data.points.data(), data.points.size());
    append_bytes(out, data.ends.data(), data.ends.size());
    pad(out);
    append_bytes(out, data.root_uvs.data(), data.root_uvs.size());
    append_bytes(out, data.groups.data(), data.groups.size());
    append_bytes(out, data.widths.data(), data.widths.size());
    append_bytes(out, data.colours.data(), data.colours.size());
    append_bytes(out, data.transparencies.data(), data.transparencies.size());
    pad(out);
    seal(out, 0);
    return out;
}

void append_frame(std::vector<std::byte>& out, double time, const Vec3d& origin, std::span<const Vec3f> points)
{
    const size_t start = out.size();
    const FrameHeader header{time, origin};
    append_bytes(out, &header, 1);
    append_bytes(out, points.data(), points.size());
    pad(out);
    const uint64_t checksum = checksum_of(Bytes(out).subspan(start));
    append_bytes(out, &checksum, 1);
}

template <class T>
[[nodiscard]] bool take_vector(Bytes& in, std::vector<T>& data, uint64_t count)
{
    if (!holds_array<T>(in, 0, count)) return false;
    append_array(data, in, 0, count);
    in = in.subspan(count * sizeof(T));
    return true;
}

/// Reads the arrays of a cache one after another.
class CacheParser {
public:
    CacheParser(Bytes bytes, const std::string& name) : all_(bytes), left_(bytes), name_(name) {}

    Result<CurveFile> parse()
    {
        if (!take_header()) return error("not a Tendril cache");
        const bool unchecked = header_.version == kUncheckedVersion;
        if (!unchecked && header_.version != kCacheVersion)
            return error(fmt::format("unknown version {}; this program reads versions {} and {}", header_.version,
                                     kUncheckedVersion, kCacheVersion));
        if (header_.header_bytes != (unchecked ? kUncheckedHeaderBytes : sizeof header_) ||
            (header_.parts & ~kAllParts) != 0 || header_.up > 2 || !(std::abs(header_.metres_per_unit) < 1e300) ||
            (unchecked && header_.frames != 0))
            return error("the header is damaged");
        // Every strand and point takes bytes of the file, so counts that do not fit are refused before anything is
        // allocated.
        if (header_.strands > all_.size() / 4 || header_.points > all_.size() / sizeof(Vec3f) ||
            header_.points > 0xffffffffu || header_.name_bytes > left_.size())
            return error("the file is truncated");
        CurveFile curves;
        curves.format = CurveFormat::kCache;
        curves.metres_per_unit = header_.metres_per_unit;
        curves.up = static_cast<UpAxis>(header_.up);
        curves.states_unit = curves.metres_per_unit > 0;
        curves.states_up = curves.up != UpAxis::kUnknown;
        if (!take_strands(curves.data) || !take_parts(curves.data)) return error("the file is truncated");
        if (!unchecked && header_.checksum != checksum_of_head(all_.first(all_.size() - left_.size())))
            return error("the header or the rest pose is damaged: its checksum does not match");
        if (curves.data.first_point.back() != header_.points)
            return error("the point counts of its strands do not add up to its number of points");
        if (auto wrong = take_frames(curves)) return *wrong;
        return curves;
    }

private:
    Error error(const std::string& what) const
    {
        return Error{fmt::format("{}: byte {}: {}; write it again", name_, all_.size() - left_.size(), what)};
    }
    /// The shorter header of version 1 is taken whole; the checksum of a longer one follows.
    bool take_header()
    {
        header_ = {};
        if (!take_bytes(left_, reinterpret_cast<std::byte*>(&header_), kUncheckedHeaderBytes) ||
            std::memcmp(header_.magic, kCacheMagic, sizeof kCacheMagic) != 0)
            return false;
        return header_.version == kUncheckedVersion || take_bytes(left_, &header_.checksum, 1);
    }
    bool skip_padding()
    {
        const size_t bytes = padding(all_.size() - left_.size());
        if (left_.size() < bytes) return false;
        left_ = left_.subspan(bytes);
        return true;
    }
    bool take_strands(GroomData& data)
    {
        std::string name;
        for (std::byte b : left_.first(header_.name_bytes)) {
            if (b != std::byte{0}) {
                name += static_cast<char>(b);
                continue;
            }
            data.group_names.push_back(std::move(name));
            name.clear();
        }
        left_ = left_.subspan(header_.name_bytes);
        std::vector<uint32_t> counts;
        if (!skip_padding() || !take_vector(left_, counts, header_.strands)) return false;
        data.first_point.reserve(counts.size() + 1);
        uint64_t sum = 0;
        data.first_point.push_back(0);
        for (uint32_t count : counts) {
            sum = std::min<uint64_t>(sum + count, 0xffffffffu);
            data.first_point.push_back(static_cast<uint32_t>(sum));
        }
        return take_vector(left_, data.points, header_.points);
    }
    bool take_parts(GroomData& data)
    {
        const auto part = [&](uint32_t bit, auto& array, uint64_t count) {
            return (header_.parts & bit) == 0 || take_vector(left_, array, count);
        };
        if (!part(kEnds, data.ends, header_.strands) || !skip_padding()) return false;
        for (Ends& ends : data.ends)
            if (ends > Ends::kBothHeld) ends = Ends::kRootHeld;
        if (!part(kRootUvs, data.root_uvs, header_.strands) || !part(kGroups, data.groups, header_.strands) ||
            !part(kWidths, data.widths, header_.points) || !part(kColours, data.colours, header_.points) ||
            !part(kTransparencies, data.transparencies, header_.points))
            return false;
        for (uint32_t& group : data.groups)
            if (group >= data.group_names.size()) group = 0;
        if (data.group_names.empty()) data.groups.clear();
        return skip_padding();
    }
    /// A writer that is interrupted leaves an incomplete last frame behind, which is ignored.
    std::optional<Error> take_frames(CurveFile& curves)
    {
        const bool unchecked = header_.version == kUncheckedVersion;
        const size_t points = curves.data.points.size();
        const size_t size = unchecked ? unchecked_frame_bytes(points) : frame_bytes(points);
        for (; left_.size() >= size; left_ = left_.subspan(size)) {
            const auto damaged = [&](const char* how) {
                return error(fmt::format("frame {} is damaged: {}", curves.times.size() + 1, how));
            };
            if (!unchecked && !is_sound(left_.first(size))) return damaged("its checksum does not match");
            Bytes frame = left_;
            FrameHeader header;
            std::vector<Vec3f> sample;
            if (!take_bytes(frame, &header, 1) || !take_vector(frame, sample, points)) return damaged("it is cut off");
            if (!std::isfinite(header.time) || !is_finite(header.origin))
                return damaged("its time or origin is not finite");
            if (!(header.origin == Vec3d{0, 0, 0}))
                for (Vec3f& p : sample) p = to_float(header.origin + to_double(p));
            curves.times.push_back(header.time);
            curves.samples.push_back(std::move(sample));
        }
        if (header_.frames == 0) return {};
        if (curves.times.size() < header_.frames)
            return error(
                fmt::format("the file is cut off: it has {} of {} frames", curves.times.size(), header_.frames));
        if (curves.times.size() > header_.frames || !left_.empty())
            return error(fmt::format("the file continues after its {} frames", header_.frames));
        return {};
    }

    Bytes all_, left_;
    const std::string& name_;
    CacheHeader header_;
};

}  // namespace

Result<CurveFile> parse_cache(Bytes bytes, const std::string& name)
{
    return CacheParser(bytes, name).parse();
}

ByteResult cache_bytes(const CurveFile& curves)
{
    std::vector<std::byte> out = header_and_groom_bytes(curves);
    out.reserve(out.size() + curves.times.size() * frame_bytes(curves.data.points.size()));
    seal(out, curves.times.size());
    for (size_t f = 0; f < curves.times.size(); ++f) append_frame(out, curves.times[f], {0, 0, 0}, curves.samples[f]);
    return out;
}

struct CacheWriter::State {
    PartFile part;
    std::vector<std::byte> head;
    size_t points;
    std::FILE* out = nullptr;
    size_t frames = 0;
    std::vector<std::byte> frame = {};

    State(PartFile file, const CurveFile& curves)
        : part(std::move(file)), head(header_and_groom_bytes(curves)), points(curves.data.points.size())
    {
    }
    ~State()
    {
        if (!out) return;
        std::fclose(out);
        if (frames == 0) part.remove();
    }
    Error failed() const { return Error{fmt::format("{}: cannot be written: {}", part.file(), write_problem())}; }
    bool write(std::span<const std::byte> bytes)
    {
        return std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
    }
    bool start() { return part.clear() && fseeko(out, 0, SEEK_SET) == 0 && write(head); }
    /// Continues after the last frame that is complete and sound. Returns false if the file has another head.
    bool continue_after_frames()
    {
        if (fseeko(out, 0, SEEK_SET) != 0) return false;
        std::vector<std::byte> found(head.size());
        if (std::fread(found.data(), 1, found.size(), out) != found.size() || found != head) return false;
        frame.resize(frame_bytes(points));
        while (std::fread(frame.data(), 1, frame.size(), out) == frame.size() && is_sound(frame)) ++frames;
        const auto sound = static_cast<off_t>(head.size() + frames * frame.size());
        return ftruncate(part.descriptor(), sound) == 0 && fseeko(out, sound, SEEK_SET) == 0;
    }
    /// The number of frames tells a finished file that was cut off later from one whose writer was interrupted.
    bool finish()
    {
        seal(head, frames);
        const bool written = fseeko(out, 0, SEEK_SET) == 0 && write(std::span(head).first(sizeof(CacheHeader)));
        const bool closed = std::fclose(std::exchange(out, nullptr)) == 0;
        return written && closed && part.rename();
    }
};

CacheWriter::CacheWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
CacheWriter::~CacheWriter() = default;
CacheWriter::CacheWriter(CacheWriter&&) noexcept = default;
CacheWriter& CacheWriter::operator=(CacheWriter&&) noexcept = default;

Result<CacheWriter> CacheWriter::open(const std::string& file, const CurveFile& curves, Start start)
{
    auto part = PartFile::open(file);
    if (!part) return Error{part.error()};
    auto state = std::make_unique<State>(std::move(*part), curves);
    state->out = state->part.stream();
    if (!state->out) return state->failed();
    if (start == Start::kContinue && state->continue_after_frames()) return CacheWriter(std::move(state));
    state->frames = 0;
    if (!state->start()) return state->failed();
    return CacheWriter(std::move(state));
}

Result<CacheWriter> CacheWriter::create(const std::string& file, const CurveFile& curves)
{
    return open(file, curves, Start::kNew);
}

Result<CacheWriter> CacheWriter::resume(const std::string& file, const CurveFile& curves)
{
    return open(file, curves, Start::kContinue);
}

size_t CacheWriter::frames() const
{
    return state_->frames;
}

Result<size_t> CacheWriter::append(double time, const Vec3d& origin, std::span<const Vec3f> points)
{
    if (points.size() != state_->points)
        return Error{fmt::format("{}: the frame has {} points, but the cache has {}", state_->part.file(),
                                 points.size(), state_->points)};
    state_->frame.clear();
    append_frame(state_->frame, time, origin, points);
    if (!state_->write(state_->frame) || std::fflush(state_->out) != 0) return state_->failed();
    return ++state_->frames;
}

Result<size_t> CacheWriter::finish()
{
    if (!state_->finish()) return state_->failed();
    return state_->frames;
}

}  // namespace tendril
