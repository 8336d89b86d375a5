/// Recognizes common formats that a reader does not read, so that it can say what to do instead.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tendril {

/// What the file is if it is an Alembic file, such as "an Alembic file (.abc)"; otherwise empty.
std::string alembic_format(std::span<const std::byte> bytes);
/// The same for USD in all its forms.
std::string usd_format(std::span<const std::byte> bytes);

/// The same for FBX, binary or text.
std::string fbx_format(std::span<const std::byte> bytes);

}  // namespace tendril
