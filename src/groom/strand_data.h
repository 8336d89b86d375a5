/// Looking into curves that have not been checked beyond their offsets.
#pragma once

#include "tendril/groom.h"

#include <optional>

namespace tendril {

inline std::span<const Vec3f> strand_points(const GroomData& data, size_t strand)
{
    return {data.points.data() + data.first_point[strand], data.points.data() + data.first_point[strand + 1]};
}

/// Whether offsets and the numbers of entries fit together. Nothing where they do.
std::optional<Error> check_shape(const GroomData& data);

}  // namespace tendril
