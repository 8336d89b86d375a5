// Tendril's own cache format, little-endian:
//   "TENDRILC", u32 version, u32 parts (one bit per optional array), u64 strands, u64 points, u64 bytes of group names,
//   f64 metres per unit, u32 up axis, u32 header size (64), u64 reserved;
//   zero-terminated group names, zero-padded to a multiple of 8; u32 point count of each strand; f32x3 rest points;
//   the optional arrays in the order of their bits, zero-padded to a multiple of 8, as is the first one, `ends`;
//   frames until the end of the file: f64 time, f64x3 origin, f32x3 points relative to the origin, zero-padded to a
//   multiple of 8.
#include "tendril/cache.h"

#include "io/curve_arrays.h"
#include "io/file_bytes.h"

#include <fmt/core.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tendril {
namespace {

constexpr char kCacheMagic[8] = {'T', 'E', 'N', 'D', 'R', 'I', 'L', 'C'};
constexpr uint32_t kCacheVersion = 1;

// One bit for each optional array.
constexpr uint32_t kEnds = 1, kRootUvs = 2, kGroups = 4, kWidths = 8, kColours = 16, kTransparencies = 32,
                   kAllParts = 63;

struct CacheHeader {
    char magic[8];
    uint32_t version, parts;
    uint64_t strands, points, name_bytes;
    double metres_per_unit;
    uint32_t up, header_bytes;
    uint64_t reserved;
};
static_assert(sizeof(CacheHeader) == 64);

struct FrameHeader {
    double time;
    Vec3d origin;
};
static_assert(sizeof(FrameHeader) == 32);

size_t padding(size_t bytes)
{
    return (8 - bytes % 8) % 8;
}

size_t frame_bytes(size_t points)
{
    const size_t bytes = points * sizeof(Vec3f);
    return sizeof(FrameHeader) + bytes + padding(bytes);
}

void pad(std::vector<std::byte>& out)
{
    out.resize(out.size() + padding(out.size()));
}

/// The part of the file before the frames.
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
    return out;
}

void append_frame(std::vector<std::byte>& out, double time, const Vec3d& origin, std::span<const Vec3f> points)
{
    const FrameHeader header{time, origin};
    append_bytes(out, &header, 1);
    append_bytes(out, points.data(), points.size());
    pad(out);
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
        CacheHeader header;
        if (!take_bytes(left_, &header, 1) || std::memcmp(header.magic, kCacheMagic, sizeof kCacheMagic) != 0)
            return error("not a Tendril cache");
        if (header.version != kCacheVersion || header.header_bytes != sizeof header)
            return error(
                fmt::format("unknown version {}; this program reads version {}", header.version, kCacheVersion));
        if ((header.parts & ~kAllParts) != 0 || header.up > 2 || !(std::abs(header.metres_per_unit) < 1e300))
            return error("the header is damaged");
        // Every strand and point takes bytes of the file, so counts that do not fit are refused before anything is
        // allocated.
        if (header.strands > all_.size() / 4 || header.points > all_.size() / sizeof(Vec3f) ||
            header.points > 0xffffffffu || header.name_bytes > left_.size())
            return error("the file is truncated");
        CurveFile curves;
        curves.format = CurveFormat::kCache;
        curves.metres_per_unit = header.metres_per_unit;
        curves.up = static_cast<UpAxis>(header.up);
        curves.states_unit = curves.metres_per_unit > 0;
        curves.states_up = curves.up != UpAxis::kUnknown;
        if (!take_strands(header, curves.data) || !take_parts(header, curves.data))
            return error("the file is truncated");
        if (curves.data.first_point.back() != header.points)
            return error("the point counts of its strands do not add up to its number of points");
        if (!take_frames(curves)) return error("the time or origin of a frame is not finite");
        return curves;
    }

private:
    Error error(const std::string& what) const
    {
        return Error{fmt::format("{}: byte {}: {}; write it again", name_, all_.size() - left_.size(), what)};
    }
    bool skip_padding()
    {
        const size_t bytes = padding(all_.size() - left_.size());
        if (left_.size() < bytes) return false;
        left_ = left_.subspan(bytes);
        return true;
    }
    bool take_strands(const CacheHeader& header, GroomData& data)
    {
        std::string name;
        for (std::byte b : left_.first(header.name_bytes)) {
            if (b != std::byte{0}) {
                name += static_cast<char>(b);
                continue;
            }
            data.group_names.push_back(std::move(name));
            name.clear();
        }
        left_ = left_.subspan(header.name_bytes);
        std::vector<uint32_t> counts;
        if (!skip_padding() || !take_vector(left_, counts, header.strands)) return false;
        data.first_point.reserve(counts.size() + 1);
        uint64_t sum = 0;
        data.first_point.push_back(0);
        for (uint32_t count : counts) {
            sum = std::min<uint64_t>(sum + count, 0xffffffffu);
            data.first_point.push_back(static_cast<uint32_t>(sum));
        }
        return take_vector(left_, data.points, header.points);
    }
    bool take_parts(const CacheHeader& header, GroomData& data)
    {
        const auto part = [&](uint32_t bit, auto& array, uint64_t count) {
            return (header.parts & bit) == 0 || take_vector(left_, array, count);
        };
        if (!part(kEnds, data.ends, header.strands) || !skip_padding()) return false;
        for (Ends& ends : data.ends)
            if (ends > Ends::kBothHeld) ends = Ends::kRootHeld;
        if (!part(kRootUvs, data.root_uvs, header.strands) || !part(kGroups, data.groups, header.strands) ||
            !part(kWidths, data.widths, header.points) || !part(kColours, data.colours, header.points) ||
            !part(kTransparencies, data.transparencies, header.points))
            return false;
        for (uint32_t& group : data.groups)
            if (group >= data.group_names.size()) group = 0;
        if (data.group_names.empty()) data.groups.clear();
        return skip_padding();
    }
    /// Ignores an incomplete last frame, which a writer leaves behind when it is interrupted.
    bool take_frames(CurveFile& curves)
    {
        const size_t size = frame_bytes(curves.data.points.size());
        for (; left_.size() >= size; left_ = left_.subspan(size)) {
            Bytes frame = left_;
            FrameHeader header;
            std::vector<Vec3f> points;
            if (!take_bytes(frame, &header, 1) || !take_vector(frame, points, curves.data.points.size())) return false;
            if (!std::isfinite(header.time) || !is_finite(header.origin)) return false;
            if (!(header.origin == Vec3d{0, 0, 0}))
                for (Vec3f& p : points) p = to_float(header.origin + to_double(p));
            curves.times.push_back(header.time);
            curves.samples.push_back(std::move(points));
        }
        return true;
    }

    Bytes all_, left_;
    const std::string& name_;
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
    for (size_t f = 0; f < curves.times.size(); ++f) append_frame(out, curves.times[f], {0, 0, 0}, curves.samples[f]);
    return out;
}

struct CacheWriter::State {
    std::string file;
    std::FILE* out = nullptr;
    size_t points = 0, frames = 0;
    std::vector<std::byte> frame;

    ~State()
    {
        if (out) std::fclose(out);
    }
    std::string part_file() const { return file + ".part"; }
    Error failed() const { return Error{fmt::format("{}: cannot be written: {}", file, std::strerror(errno))}; }
    bool write(std::span<const std::byte> bytes)
    {
        return std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
    }
};

CacheWriter::CacheWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
CacheWriter::~CacheWriter() = default;
CacheWriter::CacheWriter(CacheWriter&&) noexcept = default;
CacheWriter& CacheWriter::operator=(CacheWriter&&) noexcept = default;

Result<CacheWriter> CacheWriter::create(const std::string& file, const CurveFile& curves)
{
    const auto target = target_file(file);
    if (!target) return Error{target.error()};
    auto state = std::make_unique<State>();
    state->file = *target;
    state->points = curves.data.points.size();
    state->out = std::fopen(state->part_file().c_str(), "wb");
    if (!state->out) return state->failed();
    if (!state->write(header_and_groom_bytes(curves))) {
        const Error failed = state->failed();
        std::remove(state->part_file().c_str());
        return failed;
    }
    return CacheWriter(std::move(state));
}

Result<CacheWriter> CacheWriter::resume(const std::string& file, const CurveFile& curves)
{
    const auto target = target_file(file);
    if (!target) return Error{target.error()};
    auto state = std::make_unique<State>();
    state->file = *target;
    state->points = curves.data.points.size();
    const std::vector<std::byte> header = header_and_groom_bytes(curves);
    state->out = std::fopen(state->part_file().c_str(), "r+b");
    std::vector<std::byte> found(header.size());
    if (!state->out || std::fread(found.data(), 1, found.size(), state->out) != found.size() || found != header)
        return create(file, curves);
    // An incomplete last frame is cut off and written again.
    std::error_code error;
    const uintmax_t size = std::filesystem::file_size(state->part_file(), error);
    if (error) return create(file, curves);
    state->frames = (size - header.size()) / frame_bytes(state->points);
    const uintmax_t complete_size = header.size() + state->frames * frame_bytes(state->points);
    std::filesystem::resize_file(state->part_file(), complete_size, error);
    if (error || std::fseek(state->out, 0, SEEK_END) != 0) return create(file, curves);
    return CacheWriter(std::move(state));
}

size_t CacheWriter::frames() const
{
    return state_->frames;
}

Result<size_t> CacheWriter::append(double time, const Vec3d& origin, std::span<const Vec3f> points)
{
    if (points.size() != state_->points)
        return Error{fmt::format("{}: the frame has {} points, but the cache has {}", state_->file, points.size(),
                                 state_->points)};
    state_->frame.clear();
    append_frame(state_->frame, time, origin, points);
    if (!state_->write(state_->frame) || std::fflush(state_->out) != 0) return state_->failed();
    return ++state_->frames;
}

Result<size_t> CacheWriter::finish()
{
    std::FILE* out = std::exchange(state_->out, nullptr);
    if (std::fclose(out) != 0 || std::rename(state_->part_file().c_str(), state_->file.c_str()) != 0)
        return state_->failed();
    return state_->frames;
}

}  // namespace tendril
