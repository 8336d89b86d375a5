/// Hair files: reads and writes common formats, in the unit and axes of the file. The content identifies the format;
/// the file extension decides only if the content is ambiguous.
#pragma once

#include "tendril/groom.h"
#include "tendril/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tendril {

enum class CurveFormat : uint8_t {
    kTfx1,   ///< TressFX 1, text (read only)
    kTfx2,   ///< TressFX 2, text (read only)
    kTfx3,   ///< TressFX 3, binary (read only)
    kTfx4,   ///< TressFX 4, binary; all strands must have the same number of points
    kHair,   ///< Cem Yuksel's .hair
    kData,   ///< USC hair salon .data
    kObj,    ///< Wavefront OBJ polylines
    kUsd,    ///< USD ASCII BasisCurves, with time samples
    kCache,  ///< Tendril's own format, with time samples
};

enum class UpAxis : uint8_t { kUnknown, kY, kZ };

/// How to interpret the points of a curve. Unless the basis is linear, they are control points until `to_polylines`.
enum class CurveBasis : uint8_t { kLinear, kBezier, kBspline, kCatmullRom };
enum class CurveWrap : uint8_t { kNonperiodic, kPeriodic, kPinned };
struct CurveKind {
    CurveBasis basis = CurveBasis::kLinear;
    CurveWrap wrap = CurveWrap::kNonperiodic;
};

struct CurveFile {
    CurveFormat format = CurveFormat::kCache;
    /// In the unit and axes of the file.
    GroomData data;
    std::vector<CurveKind> kinds;  ///< per group of `data`; empty: all linear

    double metres_per_unit = 0;  ///< 0 if the file does not specify it
    UpAxis up = UpAxis::kUnknown;
    uint32_t follow_hairs = 0;   ///< .tfx 2 and 3: hairs to be grown around each strand
    uint32_t pinned_points = 1;  ///< .tfx 4: number of points, counted from the root, that do not move

    /// Animation, if there is any: all points of `data` at several times.
    std::vector<double> times;  ///< [s], ascending
    std::vector<std::vector<Vec3f>> samples;
};

/// Errors state the file, the position in it, the reason and a remedy. Sizes that a file claims are checked against its
/// length before anything is allocated.
Result<CurveFile> read_curves(const std::string& file);
/// The same from memory. `name` appears in messages; its extension is used if the content is ambiguous.
Result<CurveFile> parse_curves(std::span<const std::byte> bytes, const std::string& name);

/// The whole file as bytes. Every format preserves points to the last bit; .tfx 4 returns an error unless all strands
/// have the same number of points.
Result<std::vector<std::byte>> curve_bytes(const CurveFile& curves, CurveFormat format);
/// Writes to a new file beside the old one and replaces the old one when the new one is complete.
Result<size_t> write_curves(const std::string& file, const CurveFile& curves, CurveFormat format);

/// By the extension of the name: ".tfx", ".hair", ".data", ".obj", ".usda" or ".usd", ".tendril".
Result<CurveFormat> format_of_ending(const std::string& file);
/// For example "TressFX 4 (.tfx)".
const char* format_name(CurveFormat format);

/// Replaces control points by the same number of points on the curve, in `data` and all samples.
void to_polylines(CurveFile& curves);

/// Selects strands in the given order, and resamples strands, in `data` and all samples; see groom.h.
void keep_strands(CurveFile& curves, std::span<const uint32_t> strands);
void resample_curves(CurveFile& curves, uint32_t points_per_strand);

/// The attributes of the curves that a format cannot store, such as "widths".
std::vector<std::string> left_out_by(CurveFormat format, const CurveFile& curves);

/// Scales all lengths, and rotates between up axes: a quarter turn about x takes y up to z up.
void scale_curves(CurveFile& curves, double factor);
void turn_curves(CurveFile& curves, UpAxis from, UpAxis to);

}  // namespace tendril
