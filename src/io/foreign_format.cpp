#include "io/foreign_format.h"

#include "io/text_scan.h"

namespace tendril {

std::string alembic_format(std::span<const std::byte> bytes)
{
    if (starts_with(bytes, "Ogawa")) return "an Alembic file (.abc)";
    if (starts_with(bytes, "\x89HDF\r\n\x1a\n")) return "an HDF5 file, such as an Alembic file (.abc) of the old kind";
    return {};
}

std::string usd_format(std::span<const std::byte> bytes)
{
    if (starts_with(bytes, "#usda")) return "a USD file";
    if (starts_with(bytes, "PXR-USDC")) return "a binary USD file";
    if (starts_with(bytes, "PK\x03\x04")) return "a ZIP archive, such as a zipped USD file";
    return {};
}

std::string fbx_format(std::span<const std::byte> bytes)
{
    if (starts_with(bytes, "Kaydara FBX Binary")) return "an FBX file";
    // The text form starts with a comment, as in "; FBX 7.3.0 project file".
    return starts_with(bytes, "; FBX") ? "an FBX file in text form" : "";
}

}  // namespace tendril
