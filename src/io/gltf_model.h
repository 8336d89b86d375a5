/// glTF files as tinygltf's model, and the numbers in their buffers. tinygltf 2.7 trusts what it reads in places, so
/// the bytes are looked over before it sees them, and nothing is taken from a buffer but through `read_numbers`.
#pragma once

#include "io/mesh_formats.h"

#include <tiny_gltf.h>

namespace tendril {

/// A model and how many numbers may still be taken from it. A few bytes can ask for the same accessor over and over;
/// files made by people stay far below.
struct GltfModel {
    tinygltf::Model model;
    size_t numbers_left = 0;
};

/// Text or binary. Buffers in other files are read from `folder` only; empty: never. Images are not read.
Result<GltfModel> load_gltf(Bytes bytes, const std::string& name, const std::string& folder);

/// An accessor, element after element, integers that stand for fractions already divided.
struct Numbers {
    size_t count = 0, components = 0;
    std::vector<double> values;

    const double* at(size_t element) const { return values.data() + element * components; }
};
Result<Numbers> read_numbers(GltfModel& gltf, int accessor);

}  // namespace tendril
