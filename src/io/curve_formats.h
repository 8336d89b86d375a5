/// The curve formats one by one: each is read from bytes and written to bytes in a file of its own. Who reads untrusted
/// files relies on this: every parser gives curves or an error for any bytes whatsoever, and allocates no more than a
/// small multiple of their number.
#pragma once

#include "tendril/curve_file.h"

#include <array>

namespace tendril {

using Bytes = std::span<const std::byte>;
using ByteResult = Result<std::vector<std::byte>>;

// --- tfx.cpp: TressFX 1 and 2 (text), 3 and 4 (binary)
Result<CurveFile> parse_tfx(Bytes bytes, const std::string& name);
ByteResult tfx4_bytes(const CurveFile& curves);

// --- hair.cpp: Cem Yuksel's .hair
Result<CurveFile> parse_hair(Bytes bytes, const std::string& name);
ByteResult hair_bytes(const CurveFile& curves);

// --- usc_data.cpp: USC hair salon .data
Result<CurveFile> parse_usc_data(Bytes bytes, const std::string& name);
ByteResult usc_data_bytes(const CurveFile& curves);

// --- obj_curves.cpp: polylines of Wavefront OBJ
Result<CurveFile> parse_obj_curves(Bytes bytes, const std::string& name);
ByteResult obj_curve_bytes(const CurveFile& curves);

// --- usd_curves.cpp: BasisCurves of USD ASCII
Result<CurveFile> parse_usd(Bytes bytes, const std::string& name);
ByteResult usd_bytes(const CurveFile& curves);

// --- cache.cpp: Tendril's own
Result<CurveFile> parse_cache(Bytes bytes, const std::string& name);
ByteResult cache_bytes(const CurveFile& curves);

/// The bones that carry each strand of a groom, from a .tfxbone file.
struct StrandBones {
    struct Weight {
        uint32_t bone = 0;  ///< index into `names`
        float weight = 0;
    };
    std::vector<std::string> names;
    std::vector<std::array<Weight, 4>> strands;  ///< weights sum to one
    std::vector<Repair> repairs;                 ///< strands whose weights did not
};
Result<StrandBones> parse_tfxbone(Bytes bytes, const std::string& name);

}  // namespace tendril
