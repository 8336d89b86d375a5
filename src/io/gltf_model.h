/// Loads glTF files as a tinygltf model and reads numbers from its buffers. tinygltf 2.7 trusts parts of its input, so
/// the bytes are checked before it sees them, and buffers are read through `read_numbers` only.
#pragma once

#include "io/mesh_formats.h"

#include <tiny_gltf.h>

namespace tendril {

/// A model, and a budget of numbers that may still be read from it. Without the budget, a small file could make the
/// reader decode one accessor over and over; real files stay far below it.
struct GltfModel {
    tinygltf::Model model;
    size_t numbers_left = 0;
};

/// Reads text or binary glTF. Buffers in other files are read only from `folder`, or not at all if it is empty. Images
/// are not read.
Result<GltfModel> load_gltf(Bytes bytes, const std::string& name, const std::string& folder);

/// The decoded values of an accessor, element after element. Normalized integers are converted to fractions.
struct Numbers {
    size_t count = 0, components = 0;
    std::vector<double> values;

    const double* at(size_t element) const { return values.data() + element * components; }
};
Result<Numbers> read_numbers(GltfModel& gltf, int accessor);

}  // namespace tendril
