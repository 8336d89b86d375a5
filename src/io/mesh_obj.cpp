// Reads Wavefront OBJ meshes with the callbacks of tinyobjloader. The loader reads malformed numbers as zero, does not
// check indices and reports no lines, so the text is checked line by line before the loader sees it. Its other
// interface is not used, because it triangulates by itself and reads out of bounds on bad indices.

#include "io/mesh_formats.h"
#include "io/text_scan.h"

#include <fmt/core.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <limits>
#include <streambuf>
#include <unordered_map>

namespace tendril {
namespace {

// --- checking the text

/// The number of lines of each kind. Indices refer to the first two kinds.
struct ObjCounts {
    int64_t positions = 0, uvs = 0, faces = 0, lines = 0;
};

/// Accepts digits only, because the loader stops at the first other character and would read 0.1e1 as 0.
bool is_index(std::string_view text, int64_t count)
{
    constexpr size_t kMaxDigits = 10;
    if (!text.empty() && text[0] == '-') text.remove_prefix(1);
    if (text.empty() || text.size() > kMaxDigits) return false;
    int64_t value = 0;
    for (char c : text) {
        if (c < '0' || c > '9') return false;
        value = 10 * value + (c - '0');
    }
    return value >= 1 && value <= count;
}

/// Accepts i, i/j, i//k and i/j/k. Normals are not read, and a mesh does not need texture coordinates, so j and k may
/// be empty, as some exporters write them, or refer to missing ones. Relative indices count back from this line, so
/// they are checked against `before`. A file may list faces before their vertices, so absolute indices are checked
/// against the counts of the whole file.
bool is_corner(std::string_view corner, const ObjCounts& before, const ObjCounts& all)
{
    std::string_view parts[3];
    size_t count = 0;
    for (;; ++count) {
        if (count == 3) return false;
        const size_t slash = corner.find('/');
        parts[count] = corner.substr(0, slash);
        if (slash == std::string_view::npos) break;
        corner.remove_prefix(slash + 1);
    }
    constexpr int64_t kAny = std::numeric_limits<int32_t>::max();
    const int64_t counts_before[3] = {before.positions, kAny, kAny}, counts_total[3] = {all.positions, kAny, kAny};
    for (size_t p = 0; p < 3; ++p) {
        if (parts[p].empty() && p > 0) continue;
        const bool relative = !parts[p].empty() && parts[p][0] == '-';
        if (!is_index(parts[p], relative ? counts_before[p] : counts_total[p])) return false;
    }
    return true;
}

/// Whether the rest of the line begins with `count` numbers that a float can hold.
bool has_numbers(TextScan& scan, int count)
{
    int found = 0;
    for (scan.skip_blanks(); !scan.at_line_end() && found < count; scan.skip_blanks(), ++found) {
        const auto value = parse_number(scan.word());
        if (!value || !(std::abs(*value) <= static_cast<double>(std::numeric_limits<float>::max()))) return false;
    }
    return found == count;
}

ObjCounts count_lines(std::string_view text)
{
    ObjCounts counts;
    for (TextScan scan(text); !scan.at_end(); scan.skip_line()) {
        scan.skip_blanks();
        const std::string_view key = scan.word();
        counts.positions += key == "v";
        counts.uvs += key == "vt";
        counts.faces += key == "f";
        counts.lines += key == "l";
    }
    return counts;
}

/// Returns what is wrong with the current line of `scan`, or nullptr.
const char* line_fault(TextScan& scan, std::string_view key, ObjCounts& before, const ObjCounts& all)
{
    if (key == "v") {
        ++before.positions;
        if (!has_numbers(scan, 3)) return "a vertex needs three finite numbers";
    } else if (key == "vt") {
        if (!has_numbers(scan, 1)) return "a texture coordinate needs finite numbers";
    } else if (key == "f") {
        int corners = 0;
        for (scan.skip_blanks(); !scan.at_line_end(); scan.skip_blanks(), ++corners)
            if (!is_corner(scan.word(), before, all)) return "a corner of this face refers to a missing vertex";
        if (corners < 3) return "a face needs at least three corners";
    }
    return nullptr;
}

Result<ObjCounts> check_text(std::string_view text, const std::string& name)
{
    if (const size_t zero = text.find('\0'); zero != std::string_view::npos)
        return Error{
            fmt::format("{}: not a text file (zero byte at {}); use an OBJ, glTF or .tfxmesh file", name, zero)};
    const ObjCounts all = count_lines(text);
    if (all.faces == 0 && all.lines > 0)
        return Error{
            fmt::format("{}: the file holds curves ({} lines) and no faces; read it as a groom", name, all.lines)};
    if (all.faces == 0 || all.positions == 0)
        return Error{fmt::format("{}: the file has no faces; use an OBJ, glTF or .tfxmesh file", name)};
    if (all.positions > std::numeric_limits<int32_t>::max())
        return Error{fmt::format("{}: {} vertices are too many", name, all.positions)};
    ObjCounts before;
    for (TextScan scan(text); !scan.at_end(); scan.skip_line()) {
        const size_t line = scan.line();
        scan.skip_blanks();
        const std::string_view key = scan.word();
        if (const char* fault = line_fault(scan, key, before, all))
            return Error{fmt::format("{}:{}: {}", name, line, fault)};
    }
    return all;
}

// --- triangulating polygons

double cross_2d(const std::array<double, 2>& a, const std::array<double, 2>& b, const std::array<double, 2>& c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Projects the polygon along its mean normal (Newell's method), so that it is counterclockwise.
std::vector<std::array<double, 2>> flatten(const std::vector<Vec3d>& corners)
{
    Vec3d normal{0, 0, 0};
    for (size_t i = 0; i < corners.size(); ++i)
        normal += cross(corners[i] - corners[0], corners[(i + 1) % corners.size()] - corners[0]);
    const Vec3d helper = std::abs(normal.x) < std::abs(normal.y) ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d u = cross(helper, normal), v = cross(normal, u);
    std::vector<std::array<double, 2>> flat;
    flat.reserve(corners.size());
    for (const Vec3d& c : corners) flat.push_back({dot(u, c - corners[0]), dot(v, c - corners[0])});
    // u and v differ in length by a factor of |normal|. Only the signs of areas are used, and they do not depend on it.
    return flat;
}

bool is_ear(const std::vector<std::array<double, 2>>& flat, const std::vector<uint32_t>& left, size_t tip)
{
    const size_t n = left.size();
    const auto &a = flat[left[(tip + n - 1) % n]], &b = flat[left[tip]], &c = flat[left[(tip + 1) % n]];
    if (!(cross_2d(a, b, c) > 0)) return false;
    for (size_t k = 0; k < n; ++k) {
        if (k == tip || k == (tip + 1) % n || k == (tip + n - 1) % n) continue;
        const auto& p = flat[left[k]];
        if (cross_2d(a, b, p) >= 0 && cross_2d(b, c, p) >= 0 && cross_2d(c, a, p) >= 0) return false;
    }
    return true;
}

/// Triangulates by ear clipping and returns indices into `corners`. A remainder without ears becomes a fan.
std::vector<std::array<uint32_t, 3>> triangulate(const std::vector<Vec3d>& corners)
{
    constexpr size_t kMaxCornersForEars = 256;  // the search takes cubic time
    std::vector<std::array<uint32_t, 3>> triangles;
    std::vector<uint32_t> left(corners.size());
    for (uint32_t i = 0; i < left.size(); ++i) left[i] = i;
    if (corners.size() > 3 && corners.size() <= kMaxCornersForEars) {
        const auto flat = flatten(corners);
        for (size_t tip = 1, tries = 0; left.size() > 3 && tries < left.size(); ++tries) {
            tip %= left.size();
            if (!is_ear(flat, left, tip)) {
                ++tip;
                continue;
            }
            const size_t n = left.size();
            triangles.push_back({left[(tip + n - 1) % n], left[tip], left[(tip + 1) % n]});
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(tip));
            tries = 0;
        }
    }
    for (size_t i = 2; i < left.size(); ++i) triangles.push_back({left[0], left[i - 1], left[i]});
    return triangles;
}

// --- building

/// Receives the callbacks of the loader. Vertices keep the order of the file; a vertex with several texture coordinates
/// gets copies at the end.
class ObjBuilder {
public:
    explicit ObjBuilder(const ObjCounts& counts)
    {
        mesh_.vertices.reserve(static_cast<size_t>(counts.positions));
        uvs_.reserve(static_cast<size_t>(counts.uvs));
    }

    void add_face(const tinyobj::index_t* indices, int count)
    {
        faces_.push_back({corners_.size(), static_cast<size_t>(count), material_, group_});
        for (int i = 0; i < count; ++i)
            corners_.push_back({absolute(indices[i].vertex_index, positions_.size()),
                                absolute(indices[i].texcoord_index, uvs_.size())});
    }

    /// Lets corners whose texture coordinate does not exist have none, and counts them.
    size_t drop_missing_uvs()
    {
        size_t missing = 0;
        for (Corner& corner : corners_) {
            if (corner.uv == kNone || (corner.uv >= 0 && corner.uv < static_cast<int64_t>(uvs_.size()))) continue;
            corner.uv = kNone;
            ++missing;
        }
        return missing;
    }

    static tinyobj::callback_t callbacks()
    {
        tinyobj::callback_t calls{};
        calls.vertex_cb = [](void* user, float x, float y, float z, float) {
            of(user).positions_.push_back({x, y, z});
        };
        calls.texcoord_cb = [](void* user, float u, float v, float) { of(user).uvs_.push_back({u, v}); };
        calls.index_cb = [](void* user, tinyobj::index_t* i, int count) { of(user).add_face(i, count); };
        calls.usemtl_cb = [](void* user, const char* name, int) {
            of(user).material_ = of(user).material_names_.index(name);
        };
        calls.group_cb = [](void* user, const char** names, int count) {
            of(user).group_ = of(user).group_names_.index(count > 0 ? names[0] : "");
        };
        calls.object_cb = [](void* user, const char* name) { of(user).group_ = of(user).group_names_.index(name); };
        return calls;
    }

    /// Whether all indices that the loader has passed on are in range.
    bool is_sound() const
    {
        return std::all_of(corners_.begin(), corners_.end(), [&](const Corner& corner) {
            return corner.position >= 0 && corner.position < static_cast<int64_t>(positions_.size());
        });
    }

    Mesh finish()
    {
        mesh_.vertices = positions_;
        first_uv_.assign(positions_.size(), kUnused);
        for (const Face& face : faces_) add_triangles(face);
        if (!uvs_.empty()) mesh_.uvs = vertex_uvs();
        finish_names(material_names_, mesh_.materials, mesh_.material_names);
        finish_names(group_names_, mesh_.groups, mesh_.group_names);
        return std::move(mesh_);
    }

private:
    static constexpr int64_t kNone = -1, kUnused = -2;

    static constexpr uint32_t kUnnamed = std::numeric_limits<uint32_t>::max();

    struct Corner {
        int64_t position, uv;
    };
    struct Face {
        size_t first, count;  ///< range in `corners_`
        uint32_t material, group;
    };
    /// Names in the order of their first use.
    struct NameList {
        std::vector<std::string> names;
        std::unordered_map<std::string, uint32_t> indices;
        uint32_t index(std::string name)
        {
            while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.pop_back();
            const auto [at, is_new] = indices.try_emplace(name, static_cast<uint32_t>(names.size()));
            if (is_new) names.push_back(name);
            return at->second;
        }
    };

    static ObjBuilder& of(void* user) { return *static_cast<ObjBuilder*>(user); }

    /// Converts an OBJ index (from 1, or back from -1, 0 for none) to an index from 0, or kNone.
    static int64_t absolute(int index, size_t count)
    {
        return index > 0 ? index - 1 : index < 0 ? static_cast<int64_t>(count) + index : kNone;
    }

    /// Without names the indices are cleared; otherwise faces before the first name get an empty name.
    static void finish_names(NameList& list, std::vector<uint32_t>& indices, std::vector<std::string>& names)
    {
        if (list.names.empty()) return indices.clear();
        for (uint32_t& index : indices)
            if (index == kUnnamed) index = list.index("");
        names = std::move(list.names);
    }

    uint32_t vertex_of(const Corner& corner)
    {
        int64_t& first = first_uv_[static_cast<size_t>(corner.position)];
        if (first == kUnused) first = corner.uv;
        if (first == corner.uv) return static_cast<uint32_t>(corner.position);
        const uint64_t key = static_cast<uint64_t>(corner.position) << 32 | static_cast<uint32_t>(corner.uv + 1);
        const auto [at, is_new] = copies_.try_emplace(key, static_cast<uint32_t>(mesh_.vertices.size()));
        if (is_new) {
            mesh_.vertices.push_back(positions_[static_cast<size_t>(corner.position)]);
            copy_uv_.push_back(corner.uv);
        }
        return at->second;
    }

    void add_triangles(const Face& face)
    {
        std::vector<Vec3d> corners;
        for (size_t i = 0; i < face.count; ++i)
            corners.push_back(to_double(positions_[static_cast<size_t>(corners_[face.first + i].position)]));
        for (const auto& t : triangulate(corners)) {
            mesh_.triangles.push_back({vertex_of(corners_[face.first + t[0]]), vertex_of(corners_[face.first + t[1]]),
                                       vertex_of(corners_[face.first + t[2]])});
            mesh_.materials.push_back(face.material);
            mesh_.groups.push_back(face.group);
        }
    }

    std::vector<Uv> vertex_uvs() const
    {
        std::vector<Uv> result;
        result.reserve(mesh_.vertices.size());
        for (int64_t uv : first_uv_) result.push_back(uv >= 0 ? uvs_[static_cast<size_t>(uv)] : Uv{});
        for (int64_t uv : copy_uv_) result.push_back(uv >= 0 ? uvs_[static_cast<size_t>(uv)] : Uv{});
        return result;
    }

    std::vector<Vec3f> positions_;
    std::vector<Uv> uvs_;
    std::vector<Corner> corners_;
    std::vector<Face> faces_;
    NameList material_names_, group_names_;
    uint32_t material_ = kUnnamed, group_ = kUnnamed;

    Mesh mesh_;
    std::vector<int64_t> first_uv_, copy_uv_;
    std::unordered_map<uint64_t, uint32_t> copies_;
};

/// A stream over memory that is not copied.
struct MemoryStream : std::streambuf {
    explicit MemoryStream(std::string_view text)
    {
        char* begin = const_cast<char*>(text.data());
        setg(begin, begin, begin + text.size());
    }
};

/// Joins lines that end in a backslash with the next line, which the loader does not do.
std::string join_lines(std::string_view text)
{
    std::string joined;
    joined.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        const size_t end = i + 1 < text.size() && text[i + 1] == '\r' ? i + 2 : i + 1;
        if (text[i] == '\\' && end < text.size() && text[end] == '\n') {
            joined += ' ';
            i = end;
        } else {
            joined += text[i];
        }
    }
    return joined;
}

/// Blanks the slashes at the ends of words of faces, as in "f 1/ 2/ 3/": the loader would take the next word for what
/// follows them.
std::string without_last_slashes(std::string_view text)
{
    std::string out(text);
    for (TextScan scan(text); !scan.at_end(); scan.skip_line()) {
        scan.skip_blanks();
        if (scan.word() != "f") continue;
        for (scan.skip_blanks(); !scan.at_line_end(); scan.skip_blanks()) {
            const std::string_view corner = scan.word();
            const size_t end = static_cast<size_t>(corner.data() - text.data()) + corner.size();
            for (size_t i = end; i > 0 && out[i - 1] == '/'; --i) out[i - 1] = ' ';
        }
    }
    return out;
}

bool has_last_slash(std::string_view text)
{
    for (size_t i = text.find('/'); i != std::string_view::npos; i = text.find('/', i + 1))
        if (i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\t' || text[i + 1] == '\r' ||
            text[i + 1] == '\n')
            return true;
    return false;
}

}  // namespace

Result<Character> parse_obj_mesh(Bytes bytes, const std::string& name)
{
    std::string_view text = as_text(bytes);
    std::string joined;
    if (text.find("\\\n") != std::string_view::npos || text.find("\\\r\n") != std::string_view::npos) {
        joined = join_lines(text);
        text = joined;
    }
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.substr(0, 3) == kByteOrderMark) text.remove_prefix(3);
    while (text.ends_with('\0')) text.remove_suffix(1);  // the end of a string in C
    const auto counts = check_text(text, name);
    if (!counts) return Error{counts.error()};

    std::string unslashed;
    if (has_last_slash(text)) text = unslashed = without_last_slashes(text);
    MemoryStream buffer(text);
    std::istream stream(&buffer);
    ObjBuilder builder(*counts);
    std::string warning, error;
    if (!tinyobj::LoadObjWithCallback(stream, ObjBuilder::callbacks(), &builder, nullptr, &warning, &error))
        return Error{fmt::format("{}: {}", name, error)};
    const size_t missing_uvs = builder.drop_missing_uvs();
    if (!builder.is_sound()) return Error{fmt::format("{}: a corner of a face refers to a missing vertex", name)};
    Character character;
    character.mesh = builder.finish();
    if (missing_uvs > 0)
        character.repairs.push_back({"corners of faces whose texture coordinate does not exist", missing_uvs});
    return character;
}

}  // namespace tendril
