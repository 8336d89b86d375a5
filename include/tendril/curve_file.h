/// Reads and writes hair in common file formats. Curves keep the unit and axes of their file. The content of a file
/// decides its format; the extension matters only if the content is ambiguous.
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
    kTfx4,   ///< TressFX 4, binary; all strands have the same number of points
    kHair,   ///< .hair of Cem Yuksel
    kData,   ///< .data of the USC hair salon
    kObj,    ///< Wavefront OBJ polylines
    kUsd,    ///< USD ASCII BasisCurves, with time samples
    kCache,  ///< Tendril's own format, with time samples
};

enum class UpAxis : uint8_t { kUnknown, kY, kZ };

/// How the points of a curve define it. Unless the basis is linear, they are control points until `to_polylines`.
enum class CurveBasis : uint8_t { kLinear, kBezier, kBspline, kCatmullRom };
enum class CurveWrap : uint8_t { kNonperiodic, kPeriodic, kPinned };
struct CurveKind {
    CurveBasis basis = CurveBasis::kLinear;
    CurveWrap wrap = CurveWrap::kNonperiodic;
};

/// A part of a file that was not read, such as "sublayer", and how often the file has it.
struct LeftOut {
    std::string what;
    size_t count = 0;
};

struct CurveFile {
    CurveFormat format = CurveFormat::kCache;
    /// Strands in the unit and axes of the file.
    GroomData data;
    std::vector<CurveKind> kinds;  ///< per group of `data`; empty if all curves are linear

    double metres_per_unit = 0;  ///< 0 if neither the file nor its format says
    UpAxis up = UpAxis::kUnknown;
    /// Whether the file itself states its unit and its up axis. Otherwise they are the defaults of its format.
    bool states_unit = false, states_up = false;
    uint32_t follow_hairs = 0;   ///< .tfx 2 and 3: hairs to grow around each strand
    uint32_t pinned_points = 1;  ///< .tfx 4: number of points at the root that do not move

    /// Motion, if there is any: all points of `data` at several times.
    std::vector<double> times;                ///< [s], increasing
    std::vector<std::vector<Vec3f>> samples;  ///< one per time

    std::vector<LeftOut> left_out;  ///< each part once, in the order of the file
};

/// Reads a file. Errors name the file, the position in it, the reason and the remedy. Sizes that a file claims are
/// checked against its length before anything is allocated.
Result<CurveFile> read_curves(const std::string& file);
/// The same from memory. `name` is used in messages, and its extension if the content does not identify the format.
Result<CurveFile> parse_curves(std::span<const std::byte> bytes, const std::string& name);

/// The whole file as bytes. Every format reproduces points bit for bit. Returns an error for .tfx 4 if strands have
/// different numbers of points.
Result<std::vector<std::byte>> curve_bytes(const CurveFile& curves, CurveFormat format);
/// Writes to `file`.part and renames it to `file` when it is complete. Returns the number of bytes.
Result<size_t> write_curves(const std::string& file, const CurveFile& curves, CurveFormat format);

/// The format to write for a file extension: ".tfx", ".hair", ".data", ".obj", ".usda" or ".usd", ".tendril".
Result<CurveFormat> format_of_ending(const std::string& file);
/// The name of a format, such as "TressFX 4 (.tfx)".
const char* format_name(CurveFormat format);

/// Replaces control points by the same number of points on the curve, in `data` and all samples. Adds the closing
/// segments of periodic linear curves to `left_out`.
void to_polylines(CurveFile& curves);

/// Keeps only the given strands, in this order, in `data` and all samples; see `subset` in groom.h.
void keep_strands(CurveFile& curves, std::span<const uint32_t> strands);
/// Gives every strand this number of points, in `data` and all samples; see `resampled` in groom.h.
void resample_curves(CurveFile& curves, uint32_t points_per_strand);

/// The parts of a file that were left out, such as "3 sublayers, 1 NurbsCurves prim". Empty if there are none.
std::string left_out_text(std::span<const LeftOut> left_out);

/// Names the data of the curves that a format cannot store, such as "widths".
std::vector<std::string> left_out_by(CurveFormat format, const CurveFile& curves);

/// Whether TressFX itself accepts strands of this many points: 4 to 64, and a divisor of 64.
bool tressfx_accepts(size_t points_per_strand);

/// The unit [m] in which the strands would have a plausible size for hair if they do not in metres: 0.01 or 0.001.
/// 0 if metres are plausible.
double suspected_unit(const GroomData& data);

/// Multiplies all lengths by `factor` and adapts `metres_per_unit`.
void scale_curves(CurveFile& curves, double factor);
/// Rotates the curves by a quarter turn about x from one up axis to the other. Only sets `up` if an axis is unknown.
void turn_curves(CurveFile& curves, UpAxis from, UpAxis to);

}  // namespace tendril
