// Reads and writes .data files of the USC hair salon: the number of strands, then for each strand its number of points
// and the points. The format has no magic number, so a file is accepted only if it ends with its last strand.

#include "io/curve_arrays.h"

#include <fmt/format.h>

namespace tendril {
namespace {

}  // namespace

/// Strands of one point stand for hairs that were not grown. They are kept here; `make_groom` drops them.
Result<CurveFile> parse_usc_data(Bytes bytes, const std::string& name)
{
    constexpr uint64_t kCount = sizeof(int32_t);
    if (!holds_array<int32_t>(bytes, 0, 1))
        return file_error(name, "start", "the file is too short; get a complete copy");
    const auto strands = number_at<int32_t>(bytes, 0);
    if (strands <= 0 || !holds_array<int32_t>(bytes, kCount, static_cast<uint64_t>(strands)))
        return file_error(name, "start",
                          "the number of strands is zero or too large for the file; this is not a .data hair file");
    CurveFile curves;
    curves.format = CurveFormat::kData;
    GroomData& data = curves.data;
    const uint64_t count = static_cast<uint64_t>(strands);
    data.first_point.reserve(count + 1);
    data.first_point.push_back(0);
    data.points.reserve((bytes.size() - kCount * (1 + count)) / sizeof(Vec3f));
    uint64_t at = kCount;
    for (uint64_t s = 0; s < count; ++s) {
        if (!holds_array<int32_t>(bytes, at, 1))
            return file_error(name, fmt::format("strand {}", s), "the file ends here; get a complete copy");
        const auto points = number_at<int32_t>(bytes, at);
        at += kCount;
        if (points < 0 || !holds_array<Vec3f>(bytes, at, static_cast<uint64_t>(points)))
            return file_error(name, fmt::format("strand {}", s),
                              "its points extend beyond the end of the file; get a complete copy");
        append_array(data.points, bytes, at, static_cast<uint64_t>(points));
        at += static_cast<uint64_t>(points) * sizeof(Vec3f);
        if (data.points.size() > kMaxPoints)
            return file_error(name, fmt::format("strand {}", s), "more than 2^32 points; split the file");
        data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    }
    if (at != bytes.size())
        return file_error(name, "end",
                          "bytes follow the last strand; the counts are damaged or this is not a .data hair file");
    return curves;
}

ByteResult usc_data_bytes(const CurveFile& curves)
{
    const GroomData& data = curves.data;
    if (auto error = check_sizes(data, ".data")) return *error;
    if (data.strand_count() > std::numeric_limits<int32_t>::max() ||
        data.points.size() > std::numeric_limits<int32_t>::max())
        return Error{".data: the counts exceed the limit of 2^31 of this format; write .tendril or split the hair"};
    std::vector<std::byte> out;
    out.reserve((1 + data.strand_count()) * sizeof(int32_t) + data.points.size() * sizeof(Vec3f));
    const auto strands = static_cast<int32_t>(data.strand_count());
    append_bytes(out, &strands, 1);
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const uint32_t first = data.first_point[s];
        const auto points = static_cast<int32_t>(data.first_point[s + 1] - first);
        append_bytes(out, &points, 1);
        append_bytes(out, data.points.data() + first, static_cast<size_t>(points));
    }
    return out;
}

}  // namespace tendril
