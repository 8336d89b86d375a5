// `tendril groom`: inspects, converts and makes hair files.
#include "command_files.h"
#include "commands.h"
#include "groom_info.h"
#include "print_error.h"
#include "report.h"
#include "scene_options.h"
#include "tendril/curve_file.h"
#include "tendril/scene.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tendril::app {
namespace {

/// Writes the curves and says so.
std::optional<Error> write(const OutputPath& out, const CurveFile& curves, CurveFormat format)
{
    const auto written = write_curves(out.path(), curves, format);
    if (!written) return Error{written.error()};
    fmt::print("{}: {} strands, {} points, {} bytes, {}\n", out.path(), curves.data.strand_count(),
               curves.data.points.size(), *written, format_name(format));
    return {};
}

void print_repair(const Repair& repair)
{
    fmt::print("repaired: {}: {}\n", repair.what, repair.count);
}

// ---------------------------------------------------------------------------------------------------------------------
// info

struct InfoOptions {
    std::vector<std::string> files;
    bool json = false, strict = false;
};

int run_info(const InfoOptions& options)
{
    std::vector<GroomInfo> infos;
    for (const std::string& file : options.files) {
        const auto curves = read_curves(file);
        if (!curves) return bad_input("groom", curves.error());
        infos.push_back(describe_curves(file, *curves));
        if (options.strict && !infos.back().repairs.empty())
            return bad_input("groom", fmt::format("{}: {}: {}; without --strict this is repaired", file,
                                                  infos.back().repairs[0].what, infos.back().repairs[0].count));
    }
    fmt::print("{}", options.json ? info_json(infos) : info_text(infos));
    return kFine;
}

/// Says if TressFX itself would refuse a file, and which option helps.
void warn_of_tressfx(CurveFormat format, const GroomData& data, const char* option)
{
    if (format != CurveFormat::kTfx4 || data.strand_count() == 0) return;
    const uint32_t points = data.first_point[1];  // every strand has as many
    if (tressfx_accepts(points)) return;
    fmt::print("TressFX itself accepts only strands of 4, 8, 16, 32 or 64 points, not {}; use {} 32\n", points, option);
}

// ---------------------------------------------------------------------------------------------------------------------
// convert

struct ConvertOptions {
    std::string in, out;
    double scale = 1, subset = 1, unit = 0;
    std::string up, from_up;  ///< "y", "z" or empty
    uint32_t resample = 0, every = 1;
    bool strict = false, repair = false;
};

/// Whether the conversion needs points on the curve; only USD supports control points.
bool needs_polylines(const ConvertOptions& options, CurveFormat format)
{
    return format != CurveFormat::kUsd || options.resample > 0 || options.repair;
}

/// Leaves out an optional array with numbers that are not finite.
template <class T, class IsFinite>
void repair_array(std::vector<T>& array, const char* name, const IsFinite& finite)
{
    const auto wrong = array.size() - static_cast<size_t>(std::count_if(array.begin(), array.end(), finite));
    if (wrong == 0) return;
    print_repair({fmt::format("{} left out, as some are not finite", name), wrong});
    array.clear();
}

/// Leaves out strands that cannot be simulated or are not finite in some frame, and arrays that are not finite.
std::optional<Error> repair_strands(CurveFile& curves, const ConvertOptions& options)
{
    if (!options.strict && !options.repair) {
        for (const Repair& repair : curves.data.repairs) print_repair(repair);  // those of the reader
        return {};
    }
    const auto groom = make_groom(curves.data, options.strict ? RepairPolicy::kRefuse : RepairPolicy::kRepair);
    if (!groom) return Error{groom.error()};
    for (const Repair& repair : groom->repairs()) print_repair(repair);
    std::vector<uint32_t> kept;
    size_t not_finite = 0;
    for (size_t k = 0; k < groom->strand_count(); ++k) {
        const size_t s = groom->source(k), first = curves.data.first_point[s], end = curves.data.first_point[s + 1];
        const auto moves_finitely = [&](const std::vector<Vec3f>& frame) {
            return std::all_of(frame.begin() + static_cast<ptrdiff_t>(first),
                               frame.begin() + static_cast<ptrdiff_t>(end),
                               [](const Vec3f& p) { return is_finite(p); });
        };
        if (std::all_of(curves.samples.begin(), curves.samples.end(), moves_finitely))
            kept.push_back(static_cast<uint32_t>(s));
        else
            ++not_finite;
    }
    if (not_finite > 0) print_repair({"strands dropped: a point of a frame is not finite", not_finite});
    if (kept.empty()) return Error{"no strand is finite in all frames"};
    if (kept.size() < curves.data.strand_count()) keep_strands(curves, kept);
    const auto finite = [](float x) { return std::isfinite(x); };
    repair_array(curves.data.widths, "widths", finite);
    repair_array(curves.data.transparencies, "transparencies", finite);
    repair_array(curves.data.colours, "colours", [](const auto& c) { return is_finite(c); });
    repair_array(curves.data.root_uvs, "root UVs",
                 [](const Uv& uv) { return std::isfinite(uv.u) && std::isfinite(uv.v); });
    return {};
}

/// Keeps the first frame and every `every`-th after it.
void thin_frames(CurveFile& curves, size_t every)
{
    size_t kept = 0;
    for (size_t i = 0; i < curves.samples.size(); i += every, ++kept) {
        std::swap(curves.samples[kept], curves.samples[i]);
        curves.times[kept] = curves.times[i];
    }
    curves.samples.resize(kept);
    curves.times.resize(kept);
}

UpAxis axis_of(const std::string& word)
{
    return word == "y" ? UpAxis::kY : word == "z" ? UpAxis::kZ : UpAxis::kUnknown;
}

std::optional<Error> check_options(const ConvertOptions& options)
{
    const auto refused = [](const char* option, const char* range, double value) {
        return Error{fmt::format("{} must be {}, not {}", option, range, value)};
    };
    if (!(options.scale >= 1e-12 && options.scale <= 1e12))
        return refused("--scale", "in [1e-12, 1e12]", options.scale);
    if (!(options.subset >= 0 && options.subset <= 1)) return refused("--subset", "a share in [0, 1]", options.subset);
    if (!(options.unit >= 0 && options.unit <= 1e6)) return refused("--unit", "in [0, 1e6] m", options.unit);
    return {};
}

int run_convert(const ConvertOptions& options)
{
    if (const auto wrong = check_options(options)) return bad_input("groom", wrong->message);
    CommandFiles files;
    files.read(options.in, "the input file");
    const auto out = files.write(options.out, "the output");
    if (!out) return bad_input("groom", out.error());
    const auto format = format_of_ending(options.out);
    if (!format) return bad_input("groom", format.error());
    auto curves = read_curves(options.in);
    if (!curves) return bad_input("groom", curves.error());
    thin_frames(*curves, options.every);
    if (needs_polylines(options, *format)) to_polylines(*curves);
    if (const auto wrong = repair_strands(*curves, options))
        return bad_input("groom", fmt::format("{}: {}", options.in, wrong->message));
    if (options.subset < 1) keep_strands(*curves, choose_guides(curves->data, options.subset));
    if (options.resample > 0) resample_curves(*curves, options.resample);
    if (options.unit > 0) curves->metres_per_unit = options.unit;
    if (options.scale != 1) scale_curves(*curves, options.scale);
    if (!options.from_up.empty()) curves->up = axis_of(options.from_up);
    if (!options.up.empty()) {
        if (curves->up == UpAxis::kUnknown)
            return bad_input("groom",
                             fmt::format("{}: the file does not say which axis is up; specify --from-up", options.in));
        turn_curves(*curves, curves->up, axis_of(options.up));
    }
    if (const auto wrong = write(*out, *curves, *format)) return bad_input("groom", wrong->message);
    if (!curves->left_out.empty()) fmt::print("left out, as it is not read: {}\n", left_out_text(curves->left_out));
    if (const auto lost = left_out_by(*format, *curves); !lost.empty())
        fmt::print("left out, as the format cannot store it: {}\n", fmt::join(lost, ", "));
    warn_of_tressfx(*format, curves->data, "--resample");
    if (*format == CurveFormat::kUsd && curves->metres_per_unit <= 0)
        fmt::print("the unit is unknown and was written as 1 m; use --unit to change it\n");
    if (*format == CurveFormat::kUsd && curves->up == UpAxis::kUnknown)
        fmt::print("the up axis is unknown and was written as y; use --from-up to change it\n");
    return kFine;
}

// ---------------------------------------------------------------------------------------------------------------------
// make

struct MakeOptions {
    std::string out, mesh = "bust", style = "straight";
    int64_t strands = 10000, particles = 32;
    double length = 0.25;
    uint32_t resample = 0;
    std::vector<std::string> overrides;
};

int run_make(const MakeOptions& options)
{
    const auto format = format_of_ending(options.out);
    if (!format) return bad_input("groom", format.error());
    const auto more = overrides_of(options.overrides);
    if (!more) return bad_input("groom", more.error());
    Overrides overrides{{"body.mesh", options.mesh}};
    const auto is_file = [](const auto& override) { return override.first == "groom.file"; };
    if (std::none_of(more->begin(), more->end(), is_file))
        overrides.insert(overrides.end(), {{"groom.style", options.style},
                                           {"groom.strands", fmt::format("{}", options.strands)},
                                           {"groom.particles", fmt::format("{}", options.particles)},
                                           {"groom.length", fmt::format("{}", options.length)}});
    overrides.insert(overrides.end(), more->begin(), more->end());
    const auto scene = parse_scene("[body]\n[groom]\n", "make", overrides);
    if (!scene) return bad_input("groom", scene.error());
    print_warnings(*scene);
    CommandFiles files;
    files.read_scene("", *scene);
    const auto out = files.write(options.out, "the output");
    if (!out) return bad_input("groom", out.error());
    auto data = build_groom(*scene, 0);
    if (!data) return bad_input("groom", data.error());
    CurveFile curves;
    curves.data = std::move(*data);
    curves.metres_per_unit = 1;
    curves.up = UpAxis::kY;
    if (options.resample > 0) resample_curves(curves, options.resample);
    if (const auto wrong = write(*out, curves, *format)) return bad_input("groom", wrong->message);
    for (const Repair& repair : curves.data.repairs) print_repair(repair);
    std::fflush(stdout);  // before the messages, if both go to the same place
    print_warnings("groom", warnings_of(curves.data.repairs));
    warn_of_tressfx(*format, curves.data, "--particles");
    const auto warnings = mesh_warnings(*scene);
    if (!warnings) return bad_input("groom", warnings.error());
    print_warnings("groom", *warnings);
    return kFine;
}

constexpr const char* kInfoExamples =
    "Examples:\n"
    "  tendril groom info hair.tfx\n"
    "  tendril groom info *.hair --json\n\n"
    "Reads .tfx (TressFX 1 to 4), .hair, .data, .obj lines, .usda curves and Tendril caches, recognized by content.";
constexpr const char* kConvertExamples =
    "Examples:\n"
    "  tendril groom convert ponytail.tfx ponytail.usda --scale 0.01\n"
    "  tendril groom convert straight.hair straight.tfx --up y --resample 32\n"
    "  tendril groom convert dense.data guides.hair --subset 0.1\n"
    "  tendril groom convert out/bust/bust.tendril bust.usda --subset 0.1 --every 2\n\n"
    "Writes .tfx (TressFX 4), .hair, .data, .obj, .usda and .tendril, according to the extension of OUT.";
constexpr const char* kMakeExamples =
    "Examples:\n"
    "  tendril groom make curls.usda --style curly --strands 20000 --set groom.groups=scalp\n"
    "  tendril groom make fur.hair --mesh creature --length 0.03 --set groom.lie=0.8 --set groom.clump=0.3\n"
    "  tendril groom make beard.tfx --mesh face.glb --set groom.density_map=beard.png\n\n"
    "Every key of [groom] and [body] can be set; 'tendril sim --keys' lists them.";

void add_resample_option(CLI::App& command, uint32_t& points)
{
    command.add_option("--resample", points, "Points per strand of the file; preserves lengths")
        ->check(CLI::Range(2, 1'000'000));
}

Run add_info(CLI::App& groom)
{
    const auto options = std::make_shared<InfoOptions>();
    CLI::App* info = groom.add_subcommand("info", "Describe hair files");
    info->add_option("FILE", options->files, "Hair files")->required()->check(refuse_empty_name);
    info->add_flag("--json", options->json, "Print only JSON");
    info->add_flag("--strict", options->strict, "Fail if anything needs repair");
    info->footer(kInfoExamples);
    return [options] { return run_info(*options); };
}

Run add_convert(CLI::App& groom)
{
    const auto options = std::make_shared<ConvertOptions>();
    CLI::App* convert = groom.add_subcommand("convert", "Write a hair file in another format");
    add_path_option(*convert, "IN", options->in, "File to read")->required();
    add_path_option(*convert, "OUT", options->out, "File to write")->required();
    convert->add_option("--scale", options->scale, "Multiply all lengths; 0.01 converts centimetres to metres");
    convert->add_option("--unit", options->unit,
                        "Metres per unit of IN, overriding the file; for formats that store it");
    convert->add_option("--up", options->up, "Rotate so that this axis points up")->check(CLI::IsMember({"y", "z"}));
    convert->add_option("--from-up", options->from_up, "The axis that points up in IN, overriding the file")
        ->check(CLI::IsMember({"y", "z"}));
    add_resample_option(*convert, options->resample);
    convert->add_option("--subset", options->subset, "Share of the strands to keep, chosen evenly; at least one");
    convert->add_option("--every", options->every, "Keep every N-th frame")->check(CLI::Range(1, 1'000'000));
    convert->add_flag("--strict", options->strict, "Fail if anything needs repair");
    convert->add_flag("--repair", options->repair, "Leave out strands that cannot be simulated");
    convert->footer(kConvertExamples);
    return [options] { return run_convert(*options); };
}

Run add_make(CLI::App& groom)
{
    const auto options = std::make_shared<MakeOptions>();
    CLI::App* make = groom.add_subcommand("make", "Grow hair on a mesh");
    add_path_option(*make, "OUT", options->out, "File to write")->required();
    make->add_option("--mesh", options->mesh, "bust, creature, sphere, or a file: .glb, .gltf, .obj, .tfxmesh")
        ->capture_default_str();
    make->add_option("--style", options->style, "Style of the strands")
        ->check(CLI::IsMember({"straight", "wavy", "curly"}))
        ->capture_default_str();
    make->add_option("--strands", options->strands, "Number of strands")->capture_default_str();
    make->add_option("--particles", options->particles, "Points per strand")->capture_default_str();
    make->add_option("--length", options->length, "Length of a strand [m]")->capture_default_str();
    add_resample_option(*make, options->resample);
    make->add_option("--set", options->overrides, "Set another key, as in --set groom.frizz=0.3; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    make->footer(kMakeExamples);
    return [options] { return run_make(*options); };
}

}  // namespace

Run add_groom_command(CLI::App& program)
{
    CLI::App* groom = program.add_subcommand("groom", "Inspect, convert and make hair files");
    groom->require_subcommand(1);
    groom->footer(
        "Examples:\n"
        "  tendril groom info hair.tfx\n"
        "  tendril groom convert hair.tfx hair.usda --scale 0.01\n"
        "  tendril groom make curls.hair --style curly");
    const std::vector<std::pair<std::string, Run>> commands{
        {"info", add_info(*groom)}, {"convert", add_convert(*groom)}, {"make", add_make(*groom)}};
    return [groom, commands] {
        for (const auto& [name, run] : commands)
            if (groom->got_subcommand(name)) return run();
        return kBadInput;
    };
}

}  // namespace tendril::app
