/// Helpers that the curve formats share: arrays at an offset of a file, errors, and a check of curves before they are
/// written.
#pragma once

#include "groom/strand_data.h"
#include "io/curve_formats.h"
#include "math/bytes.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <optional>

namespace tendril {

/// Points are counted with 32 bits.
inline constexpr uint64_t kMaxPoints = std::numeric_limits<uint32_t>::max();

/// An error that names the file and the part of it that is wrong.
inline Error file_error(const std::string& name, const std::string& where, const std::string& what)
{
    return Error{fmt::format("{}: {}: {}", name, where, what)};
}

/// Whether `count` elements at `offset` lie within the bytes.
template <class T>
bool holds_array(Bytes bytes, uint64_t offset, uint64_t count)
{
    return offset <= bytes.size() && count <= (bytes.size() - offset) / sizeof(T);
}

/// The value at `offset`. The caller has checked it with `holds_array`.
template <class T>
T number_at(Bytes bytes, uint64_t offset)
{
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// Appends an array of the file. Aligned data is inserted rather than copied into a resized vector, because filling the
/// vector with zeros first takes as long as the copy itself.
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

/// The first point of each strand, and the end, for strands that all have the same number of points.
inline std::vector<uint32_t> uniform_first_points(uint64_t strands, uint64_t points_per_strand)
{
    std::vector<uint32_t> first(strands + 1);
    for (size_t s = 0; s <= strands; ++s) first[s] = static_cast<uint32_t>(s * points_per_strand);
    return first;
}

/// The number of points of every strand, or 0 if it differs between strands or there are none.
inline uint32_t uniform_point_count(const GroomData& data)
{
    const size_t strands = data.strand_count();
    const uint32_t points = strands > 0 ? data.first_point[1] : 0;
    for (size_t s = 0; s < strands; ++s)
        if (data.first_point[s + 1] - data.first_point[s] != points) return 0;
    return points;
}

/// Checks that the sizes of the arrays match. Writers rely on this, and their callers have not checked it.
inline std::optional<Error> check_sizes(const GroomData& data, const char* extension)
{
    if (const auto wrong = check_shape(data)) return Error{std::string(extension) + ": " + wrong->message};
    return {};
}

}  // namespace tendril
