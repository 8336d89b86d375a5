// Reads .tfxbone files of TressFX 4: the names of the bones, then four bones and weights for every strand.

#include "io/curve_arrays.h"
#include "io/text_scan.h"

#include <fmt/format.h>

#include <cmath>

namespace tendril {
namespace {

// A sum of weights that differs from one by less is due to rounding in exporters and is not reported as a repair.
constexpr double kWeightTolerance = 1e-3;

struct BoneEntry {
    int32_t strand;
    struct {
        int32_t bone;
        float weight;
    } weights[4];
};
static_assert(sizeof(BoneEntry) == 36);

Error truncated_entry(const std::string& name, const std::string& where)
{
    return file_error(name, where, "the file ends here; get a complete copy");
}

/// Reads a count. Returns nothing if the rest of the file is too short for items of at least `min_bytes` bytes.
std::optional<uint32_t> take_count(Bytes& in, size_t min_bytes)
{
    int32_t count = 0;
    if (!take_bytes(in, &count, 1) || count < 0) return {};
    if (static_cast<size_t>(count) > in.size() / min_bytes) return {};
    return static_cast<uint32_t>(count);
}

/// Marks an index as taken. Returns false if it is out of range or taken already.
bool claim(std::vector<bool>& taken, int32_t index)
{
    if (index < 0 || static_cast<size_t>(index) >= taken.size() || taken[static_cast<size_t>(index)]) return false;
    return taken[static_cast<size_t>(index)] = true;
}

std::optional<Error> read_names(Bytes& in, const std::string& name, std::vector<std::string>& names)
{
    constexpr size_t kMinBytes = 2 * sizeof(int32_t);
    const auto count = take_count(in, kMinBytes);
    if (!count || *count == 0)
        return file_error(name, "start",
                          "the number of bones is zero or too large for the file; this is not a .tfxbone file");
    names.resize(*count);
    std::vector<bool> taken(*count);
    for (uint32_t i = 0; i < *count; ++i) {
        const std::string where = fmt::format("bone {}", i);
        int32_t index = 0;
        if (!take_bytes(in, &index, 1)) return truncated_entry(name, where);
        const auto length = take_count(in, 1);
        if (!length) return truncated_entry(name, where);
        if (!claim(taken, index))
            return file_error(name, where,
                              fmt::format("index {} is a duplicate or out of range; export it again", index));
        const std::string_view text = as_text(in.first(*length));
        names[static_cast<size_t>(index)] = text.substr(0, text.find('\0'));
        in = in.subspan(*length);
    }
    return {};
}

/// Copies the weights, scaled so that they sum to one. Returns false if the weights in the file were invalid.
bool normalise(const BoneEntry& entry, std::array<StrandBones::Weight, 4>& out)
{
    double sum = 0;
    bool all_valid = true;
    for (size_t k = 0; k < 4; ++k) {
        const float w = entry.weights[k].weight;
        const bool is_weight = std::isfinite(w) && w >= 0;
        all_valid = all_valid && is_weight;
        out[k] = {static_cast<uint32_t>(entry.weights[k].bone), is_weight ? w : 0};
        sum += static_cast<double>(out[k].weight);
    }
    if (!(sum > 0)) {
        out[0].weight = 1;
        return false;
    }
    for (StrandBones::Weight& w : out) w.weight = static_cast<float>(static_cast<double>(w.weight) / sum);
    return all_valid && std::abs(sum - 1) <= kWeightTolerance;
}

/// Unused slots of an entry, with zero weight, may name any bone and are reset. Returns the first bone that is used but
/// does not exist.
std::optional<int32_t> reset_unused_bones(BoneEntry& entry, size_t bones)
{
    for (auto& w : entry.weights) {
        if (w.bone >= 0 && static_cast<size_t>(w.bone) < bones) continue;
        if (w.weight != 0) return w.bone;
        w.bone = 0;
    }
    return {};
}

}  // namespace

Result<StrandBones> parse_tfxbone(Bytes bytes, const std::string& name)
{
    StrandBones bones;
    Bytes in = bytes;
    if (auto error = read_names(in, name, bones.names)) return *error;
    const auto count = take_count(in, sizeof(BoneEntry));
    if (!count || *count == 0)
        return file_error(name, "number of strands",
                          "it is missing, zero or too large for the file; get a complete copy");
    bones.strands.resize(*count);
    std::vector<bool> taken(*count);
    size_t repaired = 0;
    for (uint32_t i = 0; i < *count; ++i) {
        const std::string where = fmt::format("strand {}", i);
        BoneEntry entry{};
        if (!take_bytes(in, &entry, 1)) return truncated_entry(name, where);
        if (!claim(taken, entry.strand))
            return file_error(name, where,
                              fmt::format("index {} is a duplicate or out of range; export it again", entry.strand));
        if (const auto bone = reset_unused_bones(entry, bones.names.size()))
            return file_error(
                name, where,
                fmt::format("bone {} does not exist, there are {}; export it again", *bone, bones.names.size()));
        repaired += !normalise(entry, bones.strands[static_cast<size_t>(entry.strand)]);
    }
    if (!in.empty())
        return file_error(name, "end", "bytes follow the last strand; the counts are damaged, export it again");
    if (repaired > 0) bones.repairs.push_back({"bone weights that did not sum to one", repaired});
    return bones;
}

}  // namespace tendril
