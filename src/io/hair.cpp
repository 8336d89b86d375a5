// Cem Yuksel's .hair, http://www.cemyuksel.com/research/hairmodels: a header of 128 bytes and up to five arrays.

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
    uint32_t arrays = 0;  ///< bits, see below
    uint32_t default_segments = 0;
    float default_thickness = 1;
    float default_transparency = 0;
    float default_colour[3] = {1, 1, 1};
    char info[88] = {};
};
static_assert(sizeof(HairHeader) == 128);

constexpr uint32_t kSegmentArray = 1, kPointArray = 2, kThicknessArray = 4, kTransparencyArray = 8, kColourArray = 16;

// Segments are counted in 16 bits.
constexpr uint32_t kMostPointsOfStrand = 65536;

// What the info text says about axes. Yuksel's own files say nothing and are z up.
constexpr std::string_view kYUp = "y up", kUnknownUp = "up axis unknown";

/// Takes one array after another, as the bits of the header announce them.
class HairArrays {
public:
    HairArrays(Bytes bytes, uint32_t arrays) : bytes_(bytes), arrays_(arrays) {}

    /// False where the file ends before the array does.
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

Error cut_short(const std::string& name, const char* array)
{
    return refusal(name, array, "the file ends before this array does; it was cut short, get it whole");
}

/// Where the strands start, from their numbers of segments.
std::vector<uint32_t> starts_of(const std::vector<uint16_t>& segments)
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
    const uint32_t equal = points_of_all(data);
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

/// Arrays that are not there stay empty: the defaults of the header are for drawing, and a file of points only shall
/// remain one.
Result<CurveFile> parse_hair(Bytes bytes, const std::string& name)
{
    if (!holds_array<HairHeader>(bytes, 0, 1))
        return refusal(name, "header", "the file is shorter than the 128 bytes of its header; get it whole");
    const HairHeader header = number_at<HairHeader>(bytes, 0);
    if (std::string_view(header.magic, 4) != "HAIR")
        return refusal(name, "header", "a .hair file starts with the letters HAIR; give one that does");
    if (!(header.arrays & kPointArray) || header.strands == 0)
        return refusal(name, "header", "the file has no points; export the hair with its points");

    CurveFile curves;
    curves.format = CurveFormat::kHair;
    curves.up = up_of(header);
    GroomData& data = curves.data;
    HairArrays arrays(bytes, header.arrays);
    std::vector<uint16_t> segments;
    if (!arrays.take(segments, kSegmentArray, header.strands)) return cut_short(name, "segments");
    const uint64_t points = points_of(header, segments);
    if (points != header.points)
        return refusal(name, "header",
                       fmt::format("{} strands have {} points together, but {} points are announced; "
                                   "the header is damaged, export the hair again",
                                   header.strands, points, header.points));
    if (!arrays.take(data.points, kPointArray, points)) return cut_short(name, "points");
    if (!arrays.take(data.widths, kThicknessArray, points)) return cut_short(name, "thickness");
    if (!arrays.take(data.transparencies, kTransparencyArray, points)) return cut_short(name, "transparency");
    if (!arrays.take(data.colours, kColourArray, points)) return cut_short(name, "colours");
    data.first_point =
        segments.empty() ? equal_strands(header.strands, uint64_t{header.default_segments} + 1) : starts_of(segments);
    return curves;
}

ByteResult hair_bytes(const CurveFile& curves)
{
    const GroomData& data = curves.data;
    if (auto error = refuse_unsound(data, ".hair")) return *error;
    const HairHeader header = header_of(curves);
    std::vector<uint16_t> segments;
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const uint32_t n = data.first_point[s + 1] - data.first_point[s];
        if (n == 0 || n > kMostPointsOfStrand)
            return Error{
                fmt::format(".hair: strand {}: it has {} points, and this format holds 1 to {}; "
                            "write another format or give --resample",
                            s, n, kMostPointsOfStrand)};
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
