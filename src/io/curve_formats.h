/// The parser and writer of each curve format, from and to bytes; each format has its own source file. The input is
/// untrusted: for any bytes, a parser returns curves or an error and allocates at most a small multiple of their size.
#pragma once

#include "tendril/curve_file.h"

#include <array>

namespace tendril {

using Bytes = std::span<const std::byte>;
using ByteResult = Result<std::vector<std::byte>>;

// --- tfx.cpp: TressFX 1 and 2 (text), 3 and 4 (binary)
Result<CurveFile> parse_tfx(Bytes bytes, const std::string& name);
ByteResult tfx4_bytes(const CurveFile& curves);

// --- hair.cpp: .hair files of Cem Yuksel
Result<CurveFile> parse_hair(Bytes bytes, const std::string& name);
ByteResult hair_bytes(const CurveFile& curves);

// --- usc_data.cpp: .data files of the USC hair salon
Result<CurveFile> parse_usc_data(Bytes bytes, const std::string& name);
ByteResult usc_data_bytes(const CurveFile& curves);

// --- obj_curves.cpp: polylines in Wavefront OBJ
Result<CurveFile> parse_obj_curves(Bytes bytes, const std::string& name);
ByteResult obj_curve_bytes(const CurveFile& curves);

// --- usd_curves.cpp, usd_write.cpp: BasisCurves in USD ASCII
Result<CurveFile> parse_usd(Bytes bytes, const std::string& name);
ByteResult usd_bytes(const CurveFile& curves);

// --- cache.cpp: Tendril's own format
Result<CurveFile> parse_cache(Bytes bytes, const std::string& name);
ByteResult cache_bytes(const CurveFile& curves);

/// What to tell the user if numbers that a file of this format stores are not finite; null if all are.
const char* fault_of_numbers(const CurveFile& curves, CurveFormat format);

/// The weighted bones that each strand of a groom is bound to, from a .tfxbone file.
struct StrandBones {
    struct Weight {
        uint32_t bone = 0;  ///< index into `names`
        float weight = 0;
    };
    std::vector<std::string> names;
    std::vector<std::array<Weight, 4>> strands;  ///< the weights of a strand sum to one
    std::vector<Repair> repairs;                 ///< counts the strands whose weights were normalized
};
Result<StrandBones> parse_tfxbone(Bytes bytes, const std::string& name);

}  // namespace tendril
