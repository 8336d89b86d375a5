/// The speed of reading grooms and skinning meshes.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <functional>
#include <memory>

namespace tendril::bench {

/// 100,000 strands of 32 points as files, and a mesh of 100,000 vertices with four bones each [ms].
struct FileFigures {
    Samples bytes;        ///< only reading the bytes of the .hair file into memory
    Samples hair, cache;  ///< reading the curves
    Samples skinning;     ///< one pose of the mesh
};

FileFigures measure_files(int rounds, Executor& executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
