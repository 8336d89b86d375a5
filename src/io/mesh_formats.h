/// The mesh formats one by one, each in a file of its own. Every parser gives a character or an error for any bytes
/// whatsoever, and allocates no more than a small multiple of their number. What they give is not yet checked:
/// mesh_file.cpp does that for all of them.
#pragma once

#include "tendril/mesh.h"

namespace tendril {

using Bytes = std::span<const std::byte>;

// --- mesh_obj.cpp: Wavefront OBJ
Result<Character> parse_obj_mesh(Bytes bytes, const std::string& name);

// --- mesh_gltf.cpp: glTF 2.0, as text or binary. Buffers in other files are read from `folder` only; empty: never.
Result<Character> parse_gltf(Bytes bytes, const std::string& name, const std::string& folder);

// --- mesh_tfx.cpp: collision meshes of TressFX
Result<Character> parse_tfx_mesh(Bytes bytes, const std::string& name);

}  // namespace tendril
