/// What the JSON of a glTF file says about itself, checked before tinygltf reads it: its version, the extensions that
/// it requires, its offsets, and the files of its buffers.
#pragma once

#include "tendril/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendril {

/// A buffer that is stored in a file of its own.
struct GltfBufferFile {
    size_t buffer = 0;  ///< its index
    std::string path;   ///< relative to the folder of the glTF file, without escapes
    uint64_t bytes = 0;
};

/// The buffers in files of their own, in order. Text that is not JSON has none, and tinygltf says where it is wrong.
Result<std::vector<GltfBufferFile>> check_gltf_json(const std::string& json, const std::string& name);

}  // namespace tendril
