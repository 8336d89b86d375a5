/// What the binary curve formats share: arrays at some place of a file, and the soundness of what is to be written.
#pragma once

#include "groom/strand_data.h"
#include "io/curve_formats.h"
#include "math/bytes.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <optional>

namespace tendril {

/// Points are counted in 32 bits.
inline constexpr uint64_t kMostPoints = std::numeric_limits<uint32_t>::max();

/// What is wrong with a file, and where.
inline Error refusal(const std::string& name, const std::string& place, const std::string& what)
{
    return Error{fmt::format("{}: {}: {}", name, place, what)};
}

template <class T>
bool holds_array(Bytes bytes, uint64_t offset, uint64_t count)
{
    return offset <= bytes.size() && count <= (bytes.size() - offset) / sizeof(T);
}

/// The caller has asked `holds_array`.
template <class T>
T number_at(Bytes bytes, uint64_t offset)
{
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// Appends an array of the file. Memory is written once: a vector that is resized first would be filled with zeros, and
/// that takes as long as the copy itself.
template <class T>
void append_array(std::vector<T>& to, Bytes bytes, uint64_t offset, uint64_t count)
{
    static_assert(std::is_trivially_copyable_v<T>);
    if (count == 0) return;
    const std::byte* from = bytes.data() + offset;
    if (reinterpret_cast<uintptr_t>(from) % alignof(T) == 0) {
        const T* first = reinterpret_cast<const T*>(from);
        to.insert(to.end(), first, first + count);
    } else {
        const size_t at = to.size();
        to.resize(at + count);
        std::memcpy(to.data() + at, from, count * sizeof(T));
    }
}

template <class T>
std::vector<T> array_at(Bytes bytes, uint64_t offset, uint64_t count)
{
    std::vector<T> array;
    append_array(array, bytes, offset, count);
    return array;
}

/// Where strands of equally many points start.
inline std::vector<uint32_t> equal_strands(uint64_t strands, uint64_t points_per_strand)
{
    std::vector<uint32_t> first(strands + 1);
    for (size_t s = 0; s <= strands; ++s) first[s] = static_cast<uint32_t>(s * points_per_strand);
    return first;
}

/// How many points every strand has, or 0 where they differ or there is none.
inline uint32_t points_of_all(const GroomData& data)
{
    const size_t strands = data.strand_count();
    const uint32_t points = strands > 0 ? data.first_point[1] : 0;
    for (size_t s = 0; s < strands; ++s)
        if (data.first_point[s + 1] - data.first_point[s] != points) return 0;
    return points;
}

/// Who writes a file relies on sizes that fit together, and nothing has checked them before.
inline std::optional<Error> refuse_unsound(const GroomData& data, const char* ending)
{
    if (const auto wrong = check_shape(data)) return Error{std::string(ending) + ": " + wrong->message};
    return {};
}

}  // namespace tendril
