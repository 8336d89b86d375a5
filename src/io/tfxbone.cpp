// .tfxbone of TressFX 4: the names of bones, then four bones with their weights for every strand.

#include "io/curve_arrays.h"
#include "io/text_scan.h"

#include <fmt/format.h>

#include <cmath>

namespace tendril {
namespace {

// A difference of less is the rounding of exporters: it is mended without a word.
constexpr double kWeightTolerance = 1e-3;

struct BoneEntry {
    int32_t strand;
    struct {
        int32_t bone;
        float weight;
    } weights[4];
};
static_assert(sizeof(BoneEntry) == 36);

Error cut_short(const std::string& name, const std::string& place)
{
    return refusal(name, place, "the file ends here; it was cut short, get it whole");
}

/// A count that the rest of the file has room for, if every item takes at least this many bytes.
std::optional<uint32_t> take_count(Bytes& in, size_t least_bytes)
{
    int32_t count = 0;
    if (!take_bytes(in, &count, 1) || count < 0) return {};
    if (static_cast<size_t>(count) > in.size() / least_bytes) return {};
    return static_cast<uint32_t>(count);
}

/// Puts an item at the place that its index names. False where the index names none or one that is taken.
bool claim(std::vector<bool>& taken, int32_t index)
{
    if (index < 0 || static_cast<size_t>(index) >= taken.size() || taken[static_cast<size_t>(index)]) return false;
    return taken[static_cast<size_t>(index)] = true;
}

std::optional<Error> read_names(Bytes& in, const std::string& name, std::vector<std::string>& names)
{
    constexpr size_t kLeastBytes = 2 * sizeof(int32_t);
    const auto count = take_count(in, kLeastBytes);
    if (!count || *count == 0)
        return refusal(name, "start", "the number of bones is beyond the length of the file; it is no .tfxbone");
    names.resize(*count);
    std::vector<bool> taken(*count);
    for (uint32_t i = 0; i < *count; ++i) {
        const std::string place = fmt::format("bone {}", i);
        int32_t index = 0;
        if (!take_bytes(in, &index, 1)) return cut_short(name, place);
        const auto length = take_count(in, 1);
        if (!length) return cut_short(name, place);
        if (!claim(taken, index))
            return refusal(name, place, fmt::format("index {} is used twice or too large; export it again", index));
        const std::string_view text = as_text(in.first(*length));
        names[static_cast<size_t>(index)] = text.substr(0, text.find('\0'));
        in = in.subspan(*length);
    }
    return {};
}

/// Takes the weights over so that they sum to one. False if they did not.
bool normalise(const BoneEntry& entry, std::array<StrandBones::Weight, 4>& out)
{
    double sum = 0;
    bool sound = true;
    for (size_t k = 0; k < 4; ++k) {
        const float w = entry.weights[k].weight;
        const bool is_weight = std::isfinite(w) && w >= 0;
        sound = sound && is_weight;
        out[k] = {static_cast<uint32_t>(entry.weights[k].bone), is_weight ? w : 0};
        sum += static_cast<double>(out[k].weight);
    }
    if (!(sum > 0)) {
        out[0].weight = 1;
        return false;
    }
    for (StrandBones::Weight& w : out) w.weight = static_cast<float>(static_cast<double>(w.weight) / sum);
    return sound && std::abs(sum - 1) <= kWeightTolerance;
}

/// An unused place of an entry may name any bone. Gives back the first bone that is used but does not exist.
std::optional<int32_t> mend_bones(BoneEntry& entry, size_t bones)
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
        return refusal(name, "number of strands", "it is missing, none or beyond the end of the file; get it whole");
    bones.strands.resize(*count);
    std::vector<bool> taken(*count);
    size_t mended = 0;
    for (uint32_t i = 0; i < *count; ++i) {
        const std::string place = fmt::format("strand {}", i);
        BoneEntry entry{};
        if (!take_bytes(in, &entry, 1)) return cut_short(name, place);
        if (!claim(taken, entry.strand))
            return refusal(name, place,
                           fmt::format("index {} is used twice or too large; export it again", entry.strand));
        if (const auto bone = mend_bones(entry, bones.names.size()))
            return refusal(name, place,
                           fmt::format("bone {} of {} does not exist; export it again", *bone, bones.names.size()));
        mended += !normalise(entry, bones.strands[static_cast<size_t>(entry.strand)]);
    }
    if (!in.empty())
        return refusal(name, "end", "bytes follow the last strand; the counts are damaged, export it again");
    if (mended > 0) bones.repairs.push_back({"bone weights that did not sum to one", mended});
    return bones;
}

}  // namespace tendril
