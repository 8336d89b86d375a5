// Reads the four versions of AMD TressFX .tfx files and writes version 4. Versions 1 and 2 are text; 3 and 4 are a
// header and arrays.

#include "io/curve_arrays.h"
#include "io/text_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// --- Versions 1 and 2: text

class TfxText {
public:
    TfxText(Bytes bytes, const std::string& name) : scan_(as_text(bytes)), name_(name) {}

    Result<CurveFile> parse()
    {
        curves_.format = CurveFormat::kTfx1;
        for (scan_.skip_space(","); !scan_.at_end(); scan_.skip_space(",")) {
            const std::string_view key = scan_.word(",");
            std::optional<Error> error = key == "strand" ? read_strand() : read_setting(key);
            if (error) return *error;
        }
        return finish();
    }

private:
    /// Reads up to `max_count` numbers from this line.
    size_t read_numbers(double* to, size_t max_count)
    {
        size_t count = 0;
        for (scan_.skip_blanks(","); count < max_count && !scan_.at_line_end(); scan_.skip_blanks(",")) {
            const auto number = parse_number(scan_.word(","));
            if (!number) break;
            to[count++] = *number;
        }
        return count;
    }

    std::optional<Error> read_setting(std::string_view key);
    std::optional<Error> read_strand();
    std::optional<Error> read_point();
    Result<CurveFile> finish();
    Error error_at_line(const std::string& what) const
    {
        return file_error(name_, fmt::format("line {}", scan_.line()), what);
    }

    TextScan scan_;
    const std::string& name_;
    CurveFile curves_;
    std::optional<double> announced_strands_;
    bool both_held_ = false, has_transform_ = false, any_uv_ = false;
};

/// Reads a line of the header. Unknown settings are ignored.
std::optional<Error> TfxText::read_setting(std::string_view key)
{
    if (!curves_.data.first_point.empty())
        return error_at_line(fmt::format(
            "expected a strand, not '{}'; the strand before may have more points than numVerts", key.substr(0, 40)));
    double n[3] = {};
    const size_t count = read_numbers(n, 3);
    const auto all_are = [&](double x) { return std::all_of(n, n + count, [=](double y) { return y == x; }); };
    if (key == "version") {
        if (count == 0 || !(n[0] >= 1 && n[0] < 3))
            return error_at_line("a text file must have version 1 or 2; export it again");
        curves_.format = n[0] < 2 ? CurveFormat::kTfx1 : CurveFormat::kTfx2;
    }
    if (key == "numStrands" && count > 0) announced_strands_ = n[0];
    if (key == "bothEndsImmovable") both_held_ = count > 0 && n[0] != 0;
    if (key == "numFollowHairsPerGuideHair" && n[0] >= 0 && n[0] <= static_cast<double>(kMaxPoints))
        curves_.follow_hairs = static_cast<uint32_t>(n[0]);
    if (key == "scale") has_transform_ = has_transform_ || !all_are(1);
    if (key == "rotation" || key == "translation") has_transform_ = has_transform_ || !all_are(0);
    scan_.skip_line();
    return {};
}

/// Reads `strand i numVerts n texcoord u v` and the n points that follow.
std::optional<Error> TfxText::read_strand()
{
    GroomData& data = curves_.data;
    double points = -1;
    Uv uv;
    for (scan_.skip_blanks(","); !scan_.at_line_end(); scan_.skip_blanks(",")) {
        const std::string_view key = scan_.word(",");
        double n[2] = {};
        if (key == "numVerts" && read_numbers(n, 1) == 1) points = n[0];
        if (key == "texcoord" && read_numbers(n, 2) == 2) {
            uv = {static_cast<float>(n[0]), static_cast<float>(n[1])};
            any_uv_ = true;
        }
    }
    if (!(points >= 0 && points <= static_cast<double>(kMaxPoints)) || points != std::floor(points))
        return error_at_line("numVerts is missing or invalid; fix this line");
    data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    data.root_uvs.push_back(uv);
    for (double p = 0; p < points; ++p)
        if (auto error = read_point()) return error;
    return {};
}

std::optional<Error> TfxText::read_point()
{
    float x[3];
    for (float& c : x) {
        scan_.skip_space(",");
        if (scan_.at_end()) return error_at_line("the file ends within a strand; get a complete copy");
        const std::string_view word = scan_.word(",");
        const auto number = parse_number(word);
        if (!number)
            return error_at_line(fmt::format("'{}' is not a number; the strand may have fewer points than numVerts",
                                             word.substr(0, 40)));
        c = static_cast<float>(*number);
    }
    if (curves_.data.points.size() >= kMaxPoints) return error_at_line("more than 2^32 points; split the file");
    curves_.data.points.push_back({x[0], x[1], x[2]});
    return {};
}

Result<CurveFile> TfxText::finish()
{
    GroomData& data = curves_.data;
    const size_t strands = data.first_point.size();
    if (strands == 0)
        return file_error(name_, "start", "the file has no strands; this is not a .tfx file of version 1, 2, 3 or 4");
    if (announced_strands_ && *announced_strands_ != static_cast<double>(strands))
        return error_at_line(
            fmt::format("numStrands is {}, but there are {} strands; the file may be truncated, get a complete copy",
                        *announced_strands_, strands));
    data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    if (!any_uv_) data.root_uvs.clear();
    if (both_held_) data.ends.assign(strands, Ends::kBothHeld);
    if (has_transform_) curves_.data.repairs.push_back({"transform of the file was not applied", 1});
    return std::move(curves_);
}

// --- Versions 3 and 4: binary

struct Tfx3Header {
    float version;
    uint32_t strands, points_per_strand;
    uint32_t follow_hairs;
    int32_t both_ends_held;
    uint32_t reserved[31];
    uint32_t points, thickness, strand_uv, colours, guides, vertex_uv;  ///< offsets [bytes]; 0 if absent
    uint32_t reserved2[32];
};
static_assert(sizeof(Tfx3Header) == 296);

struct Tfx4Header {
    float version;
    uint32_t strands, points_per_strand;
    uint32_t points, strand_uv, vertex_uv, thickness, colours;  ///< offsets [bytes]; 0 if absent
    uint32_t reserved[32];
};
static_assert(sizeof(Tfx4Header) == 160);

struct Float4 {
    float x, y, z, w;
};

/// Reads the arrays of versions 3 and 4, which differ only in their points.
class TfxArrays {
public:
    TfxArrays(Bytes bytes, const std::string& name, size_t header_size, uint32_t strands, uint32_t points_per_strand)
        : bytes_(bytes),
          name_(name),
          header_size_(header_size),
          strands_(strands),
          points_per_strand_(points_per_strand)
    {
    }

    uint64_t point_count() const { return uint64_t{strands_} * points_per_strand_; }

    template <class T>
    std::optional<Error> check(const char* what, uint32_t offset, uint64_t count) const
    {
        if (offset >= header_size_ && holds_array<T>(bytes_, offset, count)) return {};
        return file_error(name_, what,
                          fmt::format("{} entries at byte {} do not fit into the {} bytes of the file; "
                                      "get a complete copy",
                                      count, offset, bytes_.size()));
    }

    template <class P>
    std::optional<Error> check_points(uint32_t offset) const
    {
        if (strands_ == 0 || points_per_strand_ == 0) return file_error(name_, "header", "the file has no strands");
        if (point_count() > kMaxPoints) return file_error(name_, "header", "more than 2^32 points; split the file");
        return check<P>("points", offset, point_count());
    }

    std::optional<Error> read_uvs(uint32_t offset, GroomData& data) const;
    std::optional<Error> read_widths(uint32_t offset, GroomData& data) const;
    std::optional<Error> read_colours(uint32_t offset, GroomData& data) const;

private:
    Bytes bytes_;
    const std::string& name_;
    size_t header_size_;
    uint32_t strands_, points_per_strand_;
};

std::optional<Error> TfxArrays::read_uvs(uint32_t offset, GroomData& data) const
{
    if (offset == 0) return {};
    if (auto error = check<Uv>("texture coordinates", offset, strands_)) return error;
    data.root_uvs = array_at<Uv>(bytes_, offset, strands_);
    return {};
}

/// The file has one thickness per strand; all points of the strand get it as their width.
std::optional<Error> TfxArrays::read_widths(uint32_t offset, GroomData& data) const
{
    if (offset == 0) return {};
    if (auto error = check<float>("thickness", offset, strands_)) return error;
    data.widths.reserve(point_count());
    for (uint64_t s = 0; s < strands_; ++s)
        data.widths.insert(data.widths.end(), points_per_strand_, number_at<float>(bytes_, offset + s * sizeof(float)));
    return {};
}

std::optional<Error> TfxArrays::read_colours(uint32_t offset, GroomData& data) const
{
    if (offset == 0) return {};
    if (auto error = check<Float4>("colours", offset, point_count())) return error;
    bool all_opaque = true;
    data.colours.reserve(point_count());
    data.transparencies.reserve(point_count());
    for (uint64_t p = 0; p < point_count(); ++p) {
        const Float4 c = number_at<Float4>(bytes_, offset + p * sizeof(Float4));
        data.colours.push_back({c.x, c.y, c.z});
        data.transparencies.push_back(1 - c.w);
        all_opaque = all_opaque && c.w == 1;
    }
    if (all_opaque) data.transparencies = {};
    return {};
}

/// Version 3 mirrors z relative to the other versions. It is mirrored back, which is exact, so that all versions share
/// the same axes.
Result<CurveFile> parse_tfx3(Bytes bytes, const std::string& name)
{
    if (!holds_array<Tfx3Header>(bytes, 0, 1))
        return file_error(name, "header", "the file is shorter than its header of 296 bytes; get a complete copy");
    const auto header = number_at<Tfx3Header>(bytes, 0);
    const TfxArrays arrays(bytes, name, sizeof header, header.strands, header.points_per_strand);
    if (auto error = arrays.check_points<Vec3f>(header.points)) return *error;
    CurveFile curves;
    curves.format = CurveFormat::kTfx3;
    curves.follow_hairs = header.follow_hairs;
    GroomData& data = curves.data;
    data.points = array_at<Vec3f>(bytes, header.points, arrays.point_count());
    for (Vec3f& x : data.points) x.z = -x.z;
    data.first_point = uniform_first_points(header.strands, header.points_per_strand);
    if (header.both_ends_held != 0) data.ends.assign(header.strands, Ends::kBothHeld);
    if (auto error = arrays.read_uvs(header.strand_uv, data)) return *error;
    if (auto error = arrays.read_widths(header.thickness, data)) return *error;
    if (auto error = arrays.read_colours(header.colours, data)) return *error;
    return curves;
}

/// w = 0 marks pinned points: the first points of strands that are held at the root, and the last point of strands that
/// are held at both ends. If no strand has such a mark, the file does not use marks and strands keep the default ends.
void read_holds(const std::vector<Float4>& points, uint32_t per_strand, CurveFile& curves)
{
    const size_t strands = points.size() / per_strand;
    std::vector<Ends> ends(strands, Ends::kRootHeld);
    curves.pinned_points = 0;
    bool any_special = false;
    for (size_t s = 0; s < strands; ++s) {
        const auto* first = points.data() + s * per_strand;
        const auto* last = first + per_strand;
        const auto free = std::find_if(first, last, [](const Float4& x) { return x.w != 0; });
        const auto pinned = static_cast<uint32_t>(free - first);
        if (curves.pinned_points == 0) curves.pinned_points = pinned;
        if (pinned == 0) ends[s] = Ends::kFree;
        if (pinned > 0 && pinned < per_strand && last[-1].w == 0) ends[s] = Ends::kBothHeld;
        any_special = any_special || ends[s] != Ends::kRootHeld;
    }
    if (any_special && curves.pinned_points > 0) curves.data.ends = std::move(ends);
}

Result<CurveFile> parse_tfx4(Bytes bytes, const std::string& name)
{
    if (!holds_array<Tfx4Header>(bytes, 0, 1))
        return file_error(name, "header", "the file is shorter than its header of 160 bytes; get a complete copy");
    const auto header = number_at<Tfx4Header>(bytes, 0);
    const TfxArrays arrays(bytes, name, sizeof header, header.strands, header.points_per_strand);
    if (auto error = arrays.check_points<Float4>(header.points)) return *error;
    CurveFile curves;
    curves.format = CurveFormat::kTfx4;
    GroomData& data = curves.data;
    const std::vector<Float4> points = array_at<Float4>(bytes, header.points, arrays.point_count());
    data.points.reserve(points.size());
    for (const Float4& x : points) data.points.push_back({x.x, x.y, x.z});
    data.first_point = uniform_first_points(header.strands, header.points_per_strand);
    read_holds(points, header.points_per_strand, curves);
    if (auto error = arrays.read_uvs(header.strand_uv, data)) return *error;
    if (auto error = arrays.read_widths(header.thickness, data)) return *error;
    if (auto error = arrays.read_colours(header.colours, data)) return *error;
    return curves;
}

// --- Writing version 4

/// Whether this point is written as pinned.
bool is_pinned(const CurveFile& curves, size_t strand, uint32_t point, uint32_t per_strand)
{
    const Ends ends = curves.data.ends.empty() ? Ends::kRootHeld : curves.data.ends[strand];
    if (ends == Ends::kFree) return false;
    return point < curves.pinned_points || (ends == Ends::kBothHeld && point + 1 == per_strand);
}

/// Pads to a multiple of eight bytes, where arrays start, and returns the offset.
uint32_t start_array(std::vector<std::byte>& out)
{
    while (out.size() % 8 != 0) out.push_back(std::byte{0});
    return static_cast<uint32_t>(out.size());
}

void write_points(const CurveFile& curves, uint32_t per_strand, std::vector<std::byte>& out)
{
    const GroomData& data = curves.data;
    for (size_t s = 0; s < data.strand_count(); ++s)
        for (uint32_t p = 0; p < per_strand; ++p) {
            const Vec3f x = data.points[data.first_point[s] + p];
            const Float4 point{x.x, x.y, x.z, is_pinned(curves, s, p, per_strand) ? 0.0f : 1.0f};
            append_bytes(out, &point, 1);
        }
}

void write_colours(const GroomData& data, std::vector<std::byte>& out)
{
    for (size_t p = 0; p < data.points.size(); ++p) {
        const Vec3f c = data.colours[p];
        const Float4 colour{c.x, c.y, c.z, data.transparencies.empty() ? 1 : 1 - data.transparencies[p]};
        append_bytes(out, &colour, 1);
    }
}

}  // namespace

Result<CurveFile> parse_tfx(Bytes bytes, const std::string& name)
{
    const float version = holds_array<float>(bytes, 0, 1) ? number_at<float>(bytes, 0) : 0;
    if (version == 3) return parse_tfx3(bytes, name);
    if (version == 4) return parse_tfx4(bytes, name);
    return TfxText(bytes, name).parse();
}

ByteResult tfx4_bytes(const CurveFile& curves)
{
    const GroomData& data = curves.data;
    if (auto error = check_sizes(data, ".tfx")) return *error;
    const uint32_t per_strand = uniform_point_count(data);
    if (per_strand == 0)
        return Error{
            ".tfx: version 4 needs the same number of points in every strand; use --resample N, and "
            "--repair if strands have fewer than two points"};
    // Offsets have 32 bits. A point takes 16 bytes, its colour 16, and a strand 12.
    if (data.points.size() * uint64_t{44} + sizeof(Tfx4Header) > kMaxPoints)
        return Error{".tfx: the file would exceed 4 GB, the limit of its offsets; write .hair or .tendril"};
    Tfx4Header header{};
    header.version = 4;
    header.strands = static_cast<uint32_t>(data.strand_count());
    header.points_per_strand = per_strand;
    header.points = sizeof header;
    std::vector<std::byte> out(sizeof header);
    write_points(curves, per_strand, out);
    if (!data.root_uvs.empty()) {
        header.strand_uv = start_array(out);
        append_bytes(out, data.root_uvs.data(), data.root_uvs.size());
    }
    if (!data.widths.empty()) {
        header.thickness = start_array(out);
        for (size_t s = 0; s < data.strand_count(); ++s) append_bytes(out, &data.widths[data.first_point[s]], 1);
    }
    if (!data.colours.empty()) {
        header.colours = start_array(out);
        write_colours(data, out);
    }
    std::memcpy(out.data(), &header, sizeof header);
    return out;
}

}  // namespace tendril
