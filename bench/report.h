/// The results of `tendril bench`, as a table or as JSON.
#pragma once

#include "field_bench.h"
#include "files_bench.h"
#include "grid_bench.h"
#include "layout_bench.h"
#include "methods_bench.h"
#include "peers.h"
#include "pictures_bench.h"
#include "rounds.h"
#include "shape_bench.h"
#include "sph_bench.h"
#include "strings_bench.h"
#include "tractrix_bench.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tendril::bench {

/// The step, its limit and its baseline for one size of hair. Times are per particle and step [ns].
struct SizeFigures {
    uint32_t strands = 0, particles = 0;  ///< particles per strand
    Samples memory;                       ///< only reading the bytes of a particle and writing them back
    Samples baseline, baseline_threads;   ///< plain code on one thread, and on all
    Samples step;
    Samples substeps;  ///< a step of kManySubsteps substeps
};
inline constexpr int kManySubsteps = 8;
/// A particle is read and written once per step: three floats of edge, three of motion.
inline constexpr double kBytesPerParticle = 2 * 6 * sizeof(float);

/// A variant of the plain step, at the larger size.
struct VariantFigures {
    std::string name;
    Samples step;   ///< per particle [ns]
    Samples plain;  ///< the plain step in the same rounds, per particle [ns]
};

struct Figures {
    std::string cpu, simd;
    int threads = 0, rounds = 0;
    std::vector<SizeFigures> sizes;  ///< the targets refer to the last one
    std::vector<VariantFigures> variants;
    Samples world;          ///< World::step, per particle [ns]
    double difference = 0;  ///< between engine and baseline [m]
    double bytes_per_particle = 0;
    std::optional<uint64_t> allocations;       ///< in kCountedSteps steps; empty if this build cannot count
    std::optional<uint64_t> grid_allocations;  ///< the same with interaction, once the hair has come to rest
    ShapeFigures shapes;
    std::vector<LayoutFigures> layouts;
    FileFigures files;
    FieldFigures fields;
    GridFigures grid;
    SphFigures sph;
    std::vector<MethodFigures> methods;
    Samples pbd_world;  ///< a step of 500 strands of 30 particles, position based, on a head [ms]
    TractrixFigures tractrix;
    StringFigures strings;
    PictureFigures pictures;
    std::vector<PeerFigures> peers;
};
inline constexpr int kCountedSteps = 100;

void print_table(const Figures& figures);
nlohmann::ordered_json to_json(const Figures& figures);

}  // namespace tendril::bench
