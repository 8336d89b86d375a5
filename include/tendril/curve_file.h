/// Hair as files hold it: read from and written to the formats people have, in the unit and axes of the file.
/// Files are told apart by their content; the ending decides only where the content does not.
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
    kTfx4,   ///< TressFX 4, binary: all strands have equally many points
    kHair,   ///< Cem Yuksel's .hair
    kData,   ///< USC hair salon .data
    kObj,    ///< Wavefront OBJ polylines
    kUsd,    ///< USD ASCII BasisCurves, with time samples
    kCache,  ///< Tendril's own, with time samples
};

enum class UpAxis : uint8_t { kUnknown, kY, kZ };

/// How the points of a curve are meant. Anything but linear are control points until `to_polylines`.
enum class CurveBasis : uint8_t { kLinear, kBezier, kBspline, kCatmullRom };
enum class CurveWrap : uint8_t { kNonperiodic, kPeriodic, kPinned };
struct CurveKind {
    CurveBasis basis = CurveBasis::kLinear;
    CurveWrap wrap = CurveWrap::kNonperiodic;
};

struct CurveFile {
    CurveFormat format = CurveFormat::kCache;
    /// Lengths are in the unit of the file, and axes are the file's.
    GroomData data;
    std::vector<CurveKind> kinds;  ///< per group of `data`, or empty: all linear

    double metres_per_unit = 0;  ///< 0: the file does not say
    UpAxis up = UpAxis::kUnknown;
    uint32_t follow_hairs = 0;   ///< .tfx 2 and 3: hairs to be grown around each strand
    uint32_t pinned_points = 1;  ///< .tfx 4: how many points from the root on do not move

    /// Motion, where there is any: all points of `data` at some times.
    std::vector<double> times;  ///< [s], rising
    std::vector<std::vector<Vec3f>> samples;
};

/// Errors name the file, the place, what is wrong and what to do. Sizes that a file claims are checked against its
/// length before anything is allocated.
Result<CurveFile> read_curves(const std::string& file);
/// The same from memory; `name` is for messages, and its ending for what the content does not tell.
Result<CurveFile> parse_curves(std::span<const std::byte> bytes, const std::string& name);

/// The whole file as bytes. Points come back bit by bit from every format; .tfx 4 needs equally many points in all
/// strands and is an error otherwise.
Result<std::vector<std::byte>> curve_bytes(const CurveFile& curves, CurveFormat format);
/// Writes a new file beside the old one and puts it in its place when it is whole.
Result<size_t> write_curves(const std::string& file, const CurveFile& curves, CurveFormat format);

/// By the ending of the name: ".tfx", ".hair", ".data", ".obj", ".usda" or ".usd", ".tendril".
Result<CurveFormat> format_of_ending(const std::string& file);
/// Such as "TressFX 4 (.tfx)".
const char* format_name(CurveFormat format);

/// Replaces control points by as many points on the curve, for `data` and all samples.
void to_polylines(CurveFile& curves);

/// Some of the strands in the given order, and other numbers of points: see groom.h. For `data` and all samples.
void keep_strands(CurveFile& curves, std::span<const uint32_t> strands);
void resample_curves(CurveFile& curves, uint32_t points_per_strand);

/// What the curves have and a format has no place for, such as "widths".
std::vector<std::string> left_out_by(CurveFormat format, const CurveFile& curves);

/// Multiplies all lengths, and turns from one axis to the other: y up becomes z up by a quarter turn about x.
void scale_curves(CurveFile& curves, double factor);
void turn_curves(CurveFile& curves, UpAxis from, UpAxis to);

}  // namespace tendril
