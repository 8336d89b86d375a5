// The .hair format of Cem Yuksel, http://www.cemyuksel.com/research/hairmodels: a header of 128 bytes and up to five
// arrays.

#include "io/curve_arrays.h"
#include "io/text_scan.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril {
namespace {

struct HairHeader {
    char magic[4] = {'H', 'A', 'I', 'R'};
    uint32_t strands = 0;
    uint32_t points = 0;
    uint32_t arrays = 0;  ///< one bit for each array that the file has
    uint32_t default_segments = 0;
    float default_thickness = 1;
    float default_transparency = 0;
    float default_colour[3] = {1, 1, 1};
    char info[88] = {};
};
static_assert(sizeof(HairHeader) == 128);

constexpr uint32_t kSegmentArray = 1, kPointArray = 2, kThicknessArray = 4, kTransparencyArray = 8, kColourArray = 16;

// The segment count of a strand has 16 bits.
constexpr uint32_t kMaxPointsPerStrand = 65536;

// Marks that the info text may contain. The original files have none and are z up.
constexpr std::string_view kYUp = "y up", kUnknownUp = "up axis unknown";

/// Reads the arrays that the bits of the header announce, one after another.
class HairArrays {
public:
    HairArrays(Bytes bytes, uint32_t arrays) : bytes_(bytes), arrays_(arrays) {}

    /// Returns false if the file ends before the array does.
    template <class T>
    bool take(std::vector<T>& to, uint32_t which, uint64_t count)
    {
        if (!(arrays_ & which)) return true;
        if (!holds_array<T>(bytes_, at_, count)) return false;
        append_array(to, bytes_, at_, count);
        at_ += count * sizeof(T);
        return true;
    }

private:
    Bytes bytes_;
    uint32_t arrays_;
    uint64_t at_ = sizeof(HairHeader);
};

Error truncated_array(const std::string& name, const char* array)
{
    return file_error(name, array, "the file ends before this array does; get a complete copy");
}

/// The first point of each strand, and the end, from the segment counts.
std::vector<uint32_t> first_points(const std::vector<uint16_t>& segments)
{
    std::vector<uint32_t> first;
    first.reserve(segments.size() + 1);
    uint32_t at = 0;
    first.push_back(at);
    for (uint16_t n : segments) first.push_back(at += n + 1u);
    return first;
}

uint64_t points_of(const HairHeader& header, const std::vector<uint16_t>& segments)
{
    if (!(header.arrays & kSegmentArray)) return header.strands * (uint64_t{header.default_segments} + 1);
    uint64_t points = segments.size();
    for (uint16_t n : segments) points += n;
    return points;
}

UpAxis up_of(const HairHeader& header)
{
    const std::string_view info(header.info, sizeof header.info);
    if (info.find(kUnknownUp) != std::string_view::npos) return UpAxis::kUnknown;
    return info.find(kYUp) != std::string_view::npos ? UpAxis::kY : UpAxis::kZ;
}

HairHeader header_of(const CurveFile& curves)
{
    const GroomData& data = curves.data;
    HairHeader header;
    header.strands = static_cast<uint32_t>(data.strand_count());
    header.points = static_cast<uint32_t>(data.points.size());
    const uint32_t equal = uniform_point_count(data);
    if (equal > 0) header.default_segments = equal - 1;
    header.arrays = kPointArray | (equal > 0 ? 0 : kSegmentArray) | (data.widths.empty() ? 0 : kThicknessArray) |
                    (data.transparencies.empty() ? 0 : kTransparencyArray) | (data.colours.empty() ? 0 : kColourArray);
    std::string info = "Tendril";
    if (curves.up == UpAxis::kY) info += fmt::format(", {}", kYUp);
    if (curves.up == UpAxis::kUnknown) info += fmt::format(", {}", kUnknownUp);
    std::copy(info.begin(), info.end(), header.info);
    return header;
}

}  // namespace

/// Arrays that the file lacks stay empty, so that a file with only points is written again with only points. The
/// defaults in the header are meant for drawing and are ignored.
Result<CurveFile> parse_hair(Bytes bytes, const std::string& name)
{
    if (!holds_array<HairHeader>(bytes, 0, 1))
        return file_error(name, "header", "the file is shorter than its header of 128 bytes; get a complete copy");
    const HairHeader header = number_at<HairHeader>(bytes, 0);
    if (std::string_view(header.magic, 4) != "HAIR")
        return file_error(name, "header", "a .hair file starts with the letters HAIR, and this one does not");
    if (!(header.arrays & kPointArray) || header.strands == 0)
        return file_error(name, "header", "the file has no points; export the hair with its points");

    CurveFile curves;
    curves.format = CurveFormat::kHair;
    curves.up = up_of(header);
    curves.states_up = curves.up == UpAxis::kY;  // z is the convention of the format
    GroomData& data = curves.data;
    HairArrays arrays(bytes, header.arrays);
    std::vector<uint16_t> segments;
    if (!arrays.take(segments, kSegmentArray, header.strands)) return truncated_array(name, "segments");
    const uint64_t points = points_of(header, segments);
    if (points != header.points)
        return file_error(name, "header",
                          fmt::format("the {} strands have {} points in total, but the header says {}; "
                                      "export the hair again",
                                      header.strands, points, header.points));
    if (!arrays.take(data.points, kPointArray, points)) return truncated_array(name, "points");
    if (!arrays.take(data.widths, kThicknessArray, points)) return truncated_array(name, "thickness");
    if (!arrays.take(data.transparencies, kTransparencyArray, points)) return truncated_array(name, "transparency");
    if (!arrays.take(data.colours, kColourArray, points)) return truncated_array(name, "colours");
    data.first_point = segments.empty() ? uniform_first_points(header.strands, uint64_t{header.default_segments} + 1)
                                        : first_points(segments);
    return curves;
}

ByteResult hair_bytes(const CurveFile& curves)
{
    const GroomData& data = curves.data;
    if (auto error = check_sizes(data, ".hair")) return *error;
    const HairHeader header = header_of(curves);
    std::vector<uint16_t> segments;
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const uint32_t n = data.first_point[s + 1] - data.first_point[s];
        if (n == 0 || n > kMaxPointsPerStrand)
            return Error{
                fmt::format(".hair: strand {} has {} points, but the format allows 1 to {}; "
                            "write another format or use --resample",
                            s, n, kMaxPointsPerStrand)};
        if (header.arrays & kSegmentArray) segments.push_back(static_cast<uint16_t>(n - 1));
    }
    std::vector<std::byte> out;
    out.reserve(sizeof header + segments.size() * 2 + data.points.size() * sizeof(Vec3f) + data.widths.size() * 4 +
                data.transparencies.size() * 4 + data.colours.size() * sizeof(Vec3f));
    append_bytes(out, &header, 1);
    append_bytes(out, segments.data(), segments.size());
    append_bytes(out, data.points.data(), data.points.size());
    append_bytes(out, data.widths.data(), data.widths.size());
    append_bytes(out, data.transparencies.data(), data.transparencies.size());
    append_bytes(out, data.colours.data(), data.colours.size());
    return out;
}

}  // namespace tendril
