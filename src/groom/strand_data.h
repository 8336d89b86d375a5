/// Access to curves of which only the offsets have been checked.
#pragma once

#include "tendril/groom.h"

#include <optional>

namespace tendril {

inline std::span<const Vec3f> strand_points(const GroomData& data, size_t strand)
{
    return {data.points.data() + data.first_point[strand], data.points.data() + data.first_point[strand + 1]};
}

/// Checks that offsets and the numbers of entries are consistent. Returns nothing if they are.
std::optional<Error> check_shape(const GroomData& data);

}  // namespace tendril
