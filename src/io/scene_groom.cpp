#include "io/scene_groom.h"

#include "io/curve_formats.h"
#include "io/file_bytes.h"
#include "io/scene_check.h"
#include "math/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tendril {
namespace {

namespace fs = std::filesystem;

/// Strands before `make_groom` has checked them. The binding refers to these strands, before any are dropped.
struct RawStrands {
    GroomData data;
    RootBinding binding = OneBoneBinding{};
};

std::vector<std::string> split_names(const std::string& list)
{
    std::vector<std::string> names;
    for (size_t begin = 0; begin < list.size();) {
        const size_t end = std::min(list.find(',', begin), list.size());
        std::string name = list.substr(begin, end - begin);
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
        if (!name.empty()) names.push_back(std::move(name));
        begin = end + 1;
    }
    return names;
}

Result<GroomData> make_plain_style(const Scene& scene, const SceneGroom& groom, size_t index)
{
    const auto strands = static_cast<uint32_t>(groom.strands);
    const auto particles = static_cast<uint32_t>(groom.particles);
    const auto length = static_cast<float>(groom.length);
    if (groom.style == StyleType::kRope) {
        RopeStyle style;
        style.width = static_cast<float>(groom.rope_width);
        style.strands = strands;
        style.particles = particles;
        style.length = length;
        style.spacing = static_cast<float>(groom.spacing);
        style.direction = to_float(groom.direction);
        style.ends = groom.ends;
        style.span = static_cast<float>(groom.span);
        style.tip_width = static_cast<float>(groom.tip_width);
        return make_ropes(style);
    }
    SphereStyle style;
    style.strands = strands;
    style.particles = particles;
    style.length = length;
    style.radius = scene.bodies[body_index(scene, groom.body)].radius;
    style.coverage = static_cast<float>(groom.coverage);
    style.length_spread = static_cast<float>(groom.length_spread);
    style.seed = scene.seed + index;
    return make_sphere_hair(style);
}

/// Reads an image. The result is null if there is no file name.
Result<std::shared_ptr<const Map>> load_map(const Scene& scene, const std::string& file)
{
    if (file.empty()) return std::shared_ptr<const Map>();
    auto map = read_map(scene_path(scene, file));
    if (!map) return Error{map.error()};
    return std::make_shared<const Map>(std::move(*map));
}

Result<RawStrands> grow_on_mesh(const Scene& scene, const SceneGroom& groom, size_t index, const Mesh& mesh)
{
    const auto density = load_map(scene, groom.density_map), lengths = load_map(scene, groom.length_map);
    if (!density) return Error{density.error()};
    if (!lengths) return Error{lengths.error()};
    ScatterSettings scatter = groom.scatter;
    scatter.count = static_cast<uint32_t>(groom.strands);
    scatter.seed = scene.seed + index;
    scatter.density = *density;
    scatter.materials = split_names(groom.materials);
    scatter.groups = split_names(groom.groups);
    const auto roots = scatter_roots(mesh, scatter);
    if (!roots) return Error{roots.error()};
    HairStyle style = groom.hair;
    style.curl = groom.style == StyleType::kCurly  ? CurlPattern::kCurly
                 : groom.style == StyleType::kWavy ? CurlPattern::kWavy
                                                   : CurlPattern::kStraight;
    style.particles = static_cast<uint32_t>(groom.particles);
    style.length = static_cast<float>(groom.length);
    style.length_spread = static_cast<float>(groom.length_spread);
    style.length_map = *lengths;
    style.seed = scene.seed + index;
    auto hair = grow_hair(mesh, *roots, style);
    if (!hair) return Error{hair.error()};
    return RawStrands{std::move(hair->data), std::move(hair->binding)};
}

/// Metres per unit that the size of a body suggests, with strands of this median length: 0.01 or 0.001; 0 if its size
/// is plausible. Short fur alone does not tell a mouse in centimetres from a mammoth in metres.
double suspected_unit_of_body(const SceneBody& body, const Mesh& mesh, double strand_length)
{
    constexpr double kLargeBody = 10, kLongFur = 0.3, kCentimetre = 0.01, kMillimetre = 0.001;  // [m]
    const bool built_in =
        body.mesh == "none" || body.mesh == "sphere" || body.mesh == "bust" || body.mesh == "creature";
    const double size = box_diagonal(mesh.vertices);
    if (built_in || body.unit_scale != 1 || size < kLargeBody || strand_length < kLongFur) return 0;
    return size * kCentimetre < kLargeBody && strand_length * kCentimetre < kLongFur ? kCentimetre : kMillimetre;
}

double median_length(const GroomData& data)
{
    std::vector<double> lengths = strand_lengths(data);
    std::erase_if(lengths, [](double length) { return !std::isfinite(length); });
    if (lengths.empty()) return 0;
    const auto median = lengths.begin() + static_cast<ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), median, lengths.end());
    return *median;
}

/// What a user should know about strands that seem to be in another unit than metres, although neither the file nor the
/// scene names one. Empty if their size and that of their body are plausible.
std::string unit_warning(const Scene& scene, size_t index, const CurveFile& curves, const Mesh& mesh)
{
    const SceneGroom& groom = scene.grooms[index];
    if (groom.unit_scale > 0 || curves.metres_per_unit > 0 || has_strings(scene, index)) return {};
    const double of_strands = suspected_unit(curves.data);
    const SceneBody* body = scene.bodies.empty() ? nullptr : &scene.bodies[body_index(scene, groom.body)];
    const double of_body = body ? suspected_unit_of_body(*body, mesh, median_length(curves.data)) : 0;
    const double unit = of_strands > 0 ? of_strands : of_body;
    if (!(unit > 0)) return {};
    constexpr double kLargeBody = 5;  // beside strands that are too large themselves [m]
    const bool body_too = body && body->unit_scale == 1 && box_diagonal(mesh.vertices) >= kLargeBody;
    return fmt::format(
        "{}: the strands are taken to be in metres, but {} size suggests {}; set groom.unit_scale = {}{}", groom.file,
        of_strands > 0 ? "their" : "their body's", unit == 0.01 ? "centimetres" : "millimetres", unit,
        body_too ? fmt::format(", and body.unit_scale = {} for the body", unit) : "");
}

/// What a user should know about the parts of a file that a simulation does not use.
std::vector<std::string> file_warnings(const std::string& file, const CurveFile& curves)
{
    std::vector<std::string> warnings;
    if (!curves.left_out.empty())
        warnings.push_back(fmt::format("{}: left out: {}", file, left_out_text(curves.left_out)));
    if (curves.samples.size() > 1)
        warnings.push_back(fmt::format(
            "{}: its motion is not played; of its {} time samples only the first, or else its rest pose, is "
            "used",
            file, curves.samples.size()));
    return warnings;
}

/// Reads the curves of a file and converts them to metres, y up, and the number of particles that the scene asks for.
Result<GroomData> read_groom_file(const Scene& scene, const SceneGroom& groom, size_t index, const Mesh& body)
{
    auto curves = read_curves(scene_path(scene, groom.file));
    if (!curves) return Error{curves.error()};
    to_polylines(*curves);
    curves->data.warnings = file_warnings(groom.file, *curves);
    if (std::string warning = unit_warning(scene, index, *curves, body); !warning.empty())
        curves->data.warnings.push_back(std::move(warning));
    turn_curves(*curves, groom.up != UpAxis::kUnknown ? groom.up : curves->up, UpAxis::kY);
    const double scale = groom.unit_scale > 0          ? groom.unit_scale
                         : curves->metres_per_unit > 0 ? curves->metres_per_unit
                                                       : 1.0;
    if (scale != 1.0) scale_curves(*curves, scale);
    GroomData data = std::move(curves->data);
    if (groom.resample >= 2) data = resampled(data, static_cast<uint32_t>(groom.resample));
    if (groom.follow_hairs > 0) {
        if (!groom.bones.empty()) return Error{"groom.follow_hairs and groom.bones cannot be combined"};
        data = with_follow_hairs(data, static_cast<uint32_t>(groom.follow_hairs),
                                 static_cast<float>(groom.follow_radius), scene.seed + index);
    }
    return data;
}

/// Binds each strand to the bones that its .tfxbone file lists. Bone 0 of the body is the body as a whole.
Result<WeightedBoneBinding> bind_to_bones(const Scene& scene, const SceneGroom& groom, const BodyMesh& body,
                                          GroomData& data)
{
    const std::string file = scene_path(scene, groom.bones);
    const auto opened = open_file(file);
    if (!opened) return Error{opened.error()};
    const auto bones = parse_tfxbone(opened->bytes(), file);
    if (!bones) return Error{bones.error()};
    if (bones->strands.size() != data.strand_count())
        return Error{fmt::format("{}: bones for {} strands, but the groom has {}", file, bones->strands.size(),
                                 data.strand_count())};
    data.repairs.insert(data.repairs.end(), bones->repairs.begin(), bones->repairs.end());
    std::vector<std::string> names;
    if (body.character)
        for (const Bone& bone : body.character->bones) names.push_back(body.character->nodes[bone.node].name);
    WeightedBoneBinding binding;
    binding.rest.resize(names.size() + 1);
    for (const auto& strand : bones->strands) {
        auto& weights = binding.weights.emplace_back();
        for (size_t k = 0; k < 4; ++k) {
            if (!(strand[k].weight > 0)) continue;
            const std::string& name = bones->names[strand[k].bone];
            const auto found = std::find(names.begin(), names.end(), name);
            if (found == names.end() && !names.empty())
                return Error{fmt::format("{}: the body has no bone '{}'; is it the right mesh?", file, name)};
            const auto bone = names.empty() ? 0 : static_cast<uint32_t>(found - names.begin() + 1);
            weights[k] = {bone, strand[k].weight};
        }
    }
    return binding;
}

Result<RawStrands> load_file_groom(const Scene& scene, const SceneGroom& groom, size_t index, const BodyMesh& body)
{
    auto data = read_groom_file(scene, groom, index, body.rest);
    if (!data) return Error{data.error()};
    RawStrands raw{std::move(*data)};
    if (groom.bones.empty() || groom.bind != BindType::kAuto) return raw;
    auto binding = bind_to_bones(scene, groom, body, raw.data);
    if (!binding) return Error{binding.error()};
    raw.binding = std::move(*binding);
    return raw;
}

/// Counts roots that are far from their body: the file may have another unit or another up axis.
void note_far_roots(GroomData& data, const Mesh& body)
{
    constexpr double kNear = 0.2;  // in units of the size of the body
    if (body.vertices.empty()) return;
    Vec3d low = to_double(body.vertices[0]), high = low;
    for (const Vec3f& v : body.vertices) {
        low = component_min(low, to_double(v));
        high = component_max(high, to_double(v));
    }
    const double reach = kNear * length(high - low);
    size_t far = 0;
    for (size_t s = 0; s < data.strand_count(); ++s) {
        if (data.first_point[s] == data.first_point[s + 1]) continue;
        const Vec3d root = to_double(data.points[data.first_point[s]]);
        far += length(root - component_min(component_max(root, low), high)) > reach;
    }
    if (far > 0) data.repairs.push_back({"roots far from their body (see groom.unit_scale and groom.up)", far});
}

/// The stiffness factor of every strand from an image. The result is empty if there is no image.
Result<std::vector<float>> read_stiffness(const Scene& scene, const SceneGroom& groom, std::span<const Uv> roots)
{
    const auto map = load_map(scene, groom.stiffness_map);
    if (!map) return Error{map.error()};
    if (!*map) return std::vector<float>{};
    if (roots.empty()) return Error{"groom.stiffness_map: the strands have no UVs to look it up with"};
    std::vector<float> stiffness;
    for (const Uv& uv : roots) stiffness.push_back((*map)->at(uv));
    return stiffness;
}

/// Keeps the entries of the strands that the groom has kept.
template <class T>
void keep(std::vector<T>& list, const Groom& groom)
{
    for (size_t s = 0; s < groom.strand_count(); ++s) list[s] = list[groom.source(s)];
    list.resize(groom.strand_count());
}

void keep_bindings(RootBinding& binding, const Groom& groom)
{
    if (auto* bones = std::get_if<WeightedBoneBinding>(&binding)) keep(bones->weights, groom);
    if (auto* faces = std::get_if<TriangleBinding>(&binding)) {
        keep(faces->triangles, groom);
        keep(faces->weights, groom);
    }
}

}  // namespace

std::string scene_path(const Scene& scene, const std::string& file)
{
    std::error_code ignored;
    const fs::path beside = fs::path(scene.folder) / file;
    return fs::exists(beside, ignored) ? beside.string() : file;
}

Result<BodyMesh> load_body(const Scene& scene, const SceneBody& body)
{
    BodyMesh mesh;
    if (body.mesh == "none") return mesh;
    Character character;
    if (body.mesh == "sphere") {
        character.mesh = make_sphere_mesh(body.radius);
    } else if (body.mesh == "bust") {
        character = make_bust();
    } else if (body.mesh == "creature") {
        character = make_creature();
    } else {
        auto read = read_character(scene_path(scene, body.mesh), {body.unit_scale, body.up == UpAxis::kZ});
        if (!read) return Error{read.error()};
        character = std::move(*read);
    }
    std::vector<Affine> bones(character.bones.size());
    pose_bones(character, {}, 0, bones);
    mesh.rest = character.mesh;
    skin(character, bones, mesh.rest.vertices, *make_serial_executor());
    mesh.character = std::make_shared<const Character>(std::move(character));
    return mesh;
}

Result<SceneStrands> load_groom(const Scene& scene, size_t index, const BodyMesh& body)
{
    const SceneGroom& description = scene.grooms[index];
    Result<RawStrands> raw = RawStrands{};
    if (!description.file.empty()) {
        raw = load_file_groom(scene, description, index, body);
    } else if (description.style == StyleType::kRope || description.style == StyleType::kSphere) {
        auto data = make_plain_style(scene, description, index);
        if (!data) return Error{data.error()};
        raw->data = std::move(*data);
    } else {
        raw = grow_on_mesh(scene, description, index, body.rest);
    }
    if (!raw) return Error{raw.error()};
    if (body.character)
        raw->data.repairs.insert(raw->data.repairs.end(), body.character->repairs.begin(),
                                 body.character->repairs.end());
    if (!description.file.empty()) note_far_roots(raw->data, body.rest);
    if (!description.file.empty() && has_strings(scene, index)) {
        if (raw->data.widths.empty())
            raw->data.widths.assign(raw->data.points.size(), static_cast<float>(description.rope_width));
        raw->data.ends.assign(raw->data.strand_count(), description.ends);
    }
    auto groom = make_groom(std::move(raw->data), description.strict ? RepairPolicy::kRefuse : RepairPolicy::kRepair);
    if (!groom) return Error{groom.error()};
    const bool nearest = !description.file.empty() && std::holds_alternative<OneBoneBinding>(raw->binding) &&
                         (description.bind == BindType::kNearest ||
                          (description.bind == BindType::kAuto && !body.rest.triangles.empty()));
    if (nearest) {
        auto binding = bind_to_nearest(groom->data(), body.rest);
        if (!binding) return Error{binding.error()};
        raw->binding = std::move(*binding);
    } else {
        keep_bindings(raw->binding, *groom);
    }
    auto stiffness = read_stiffness(scene, description, groom->data().root_uvs);
    if (!stiffness) return Error{stiffness.error()};
    SceneStrands strands{std::move(*groom), std::move(raw->binding), {}, std::move(*stiffness)};
    if (description.guides < 1) strands.guides = choose_guides(strands.groom.data(), description.guides);
    return strands;
}

Result<GroomData> build_groom(const Scene& scene, size_t groom)
{
    const std::string name = scene.name.empty() ? "scene" : scene.name;
    if (auto wrong = check_scene(scene, [&](const std::string&) { return std::string(name); })) return *wrong;
    const auto body = scene.bodies.empty()
                          ? Result<BodyMesh>(BodyMesh{})
                          : load_body(scene, scene.bodies[body_index(scene, scene.grooms[groom].body)]);
    if (!body) return Error{body.error()};
    auto strands = load_groom(scene, groom, *body);
    if (!strands) return Error{strands.error()};
    GroomData data = strands->groom.data();
    data.repairs = strands->groom.repairs();
    data.warnings = strands->groom.warnings();
    return data;
}

}  // namespace tendril
