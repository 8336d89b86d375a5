/// Loads glTF files as a tinygltf model and reads numbers from its buffers. tinygltf 2.7 trusts parts of its input, so
/// the bytes are checked before it sees them, and buffers are read through `read_numbers` only.
#pragma once

#include "io/mesh_formats.h"

#include <tiny_gltf.h>

#include <memory>
#include <unordered_map>

namespace tendril {

/// The decoded values of an accessor, element after element. Normalized integers are converted to fractions.
struct Numbers {
    size_t count = 0, components = 0;
    std::vector<double> values;

    const double* at(size_t element) const { return values.data() + element * components; }
};
using SharedNumbers = std::shared_ptr<const Numbers>;

/// A model, and what may still be taken from it. Without limits, a small file could fill the memory with accessors that
/// overlap, or with instances of one mesh; real files stay far below them.
struct GltfModel {
    tinygltf::Model model;
    std::string compression;   ///< the extension that compresses parts of the file, or empty
    size_t numbers_left = 0;   ///< numbers that may still be decoded
    size_t elements_left = 0;  ///< vertices and corners that all instances of meshes may still have
    std::unordered_map<int, SharedNumbers> decoded;  ///< by accessor
};

/// What to tell the user if an extension compresses the meshes.
std::string compression_fault(const std::string& extension);

/// Reads text or binary glTF. Buffers in other files are read only from `folder`, or not at all if it is empty. Images
/// are not read.
Result<GltfModel> load_gltf(Bytes bytes, const std::string& name, const std::string& folder);

/// Decodes an accessor the first time it is asked for.
Result<SharedNumbers> read_numbers(GltfModel& gltf, int accessor);

}  // namespace tendril
