/// The parser of each mesh format; each has its own source file. For any bytes, a parser returns a character or an
/// error and allocates at most a small multiple of their size. mesh_file.cpp checks the characters that they return.
#pragma once

#include "tendril/mesh.h"

namespace tendril {

using Bytes = std::span<const std::byte>;

// --- mesh_obj.cpp: Wavefront OBJ
Result<Character> parse_obj_mesh(Bytes bytes, const std::string& name);

// --- mesh_gltf.cpp: glTF 2.0, text or binary. Buffers in other files are read only from `folder`, or not at all if it
// is empty.
Result<Character> parse_gltf(Bytes bytes, const std::string& name, const std::string& folder);

// --- mesh_tfx.cpp: collision meshes of TressFX
Result<Character> parse_tfx_mesh(Bytes bytes, const std::string& name);

}  // namespace tendril
