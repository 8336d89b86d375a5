// Reads and writes polylines in Wavefront OBJ: `v x y z [r g b]`, `vt u v`, `l i j k`, and `o` or `g` for groups.

#include "io/curve_arrays.h"
#include "io/text_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace tendril {
namespace {

struct FileLine {
    const std::string& name;
    size_t line;
};

Error line_error(const FileLine& at, const std::string& what)
{
    return Error{fmt::format("{}: line {}: {}", at.name, at.line, what)};
}

/// The contents of a file. Strands are lists of vertex indices.
struct ObjLines {
    std::vector<Vec3f> vertices;
    std::vector<Vec3f> colours;  ///< per vertex; empty until the first vertex that has one
    std::vector<Uv> uvs;
    std::vector<uint32_t> corners;          ///< vertex indices of all strands, one strand after another
    std::vector<uint32_t> first_corner;     ///< per strand, index into `corners`
    std::vector<Uv> root_uvs;               ///< per strand
    std::vector<uint32_t> groups;           ///< per strand
    std::vector<std::string> group_names;   ///< only of groups that have strands
    std::string_view current_name;          ///< group of the strands that follow
    std::optional<uint32_t> current_index;  ///< index of that group, assigned by its first strand
    std::unordered_map<std::string_view, uint32_t> index_of_name;
    bool any_name = false, any_uv = false, any_face = false;
    bool may_continue = false;  ///< the last strand consists of single segments, and the next segment may continue it
};

constexpr Vec3f kNoColour{1, 1, 1};

/// Reads up to `max_count` numbers from the rest of the line. Returns nothing if a word is not a number.
std::optional<size_t> read_numbers(TextScan& scan, float* to, size_t max_count)
{
    size_t count = 0;
    for (scan.skip_blanks(); count < max_count && !scan.at_line_end(); scan.skip_blanks()) {
        const auto number = parse_number(scan.word());
        if (!number) return {};
        to[count++] = static_cast<float>(*number);
    }
    return count;
}

std::optional<Error> read_vertex(TextScan& scan, const FileLine& at, ObjLines& obj)
{
    float n[6] = {};
    const auto count = read_numbers(scan, n, 6);
    if (!count || *count < 3) return line_error(at, "a vertex needs three numbers; fix this line");
    obj.vertices.push_back({n[0], n[1], n[2]});
    if (*count == 6 && obj.colours.empty()) obj.colours.assign(obj.vertices.size() - 1, kNoColour);
    if (*count == 6 || !obj.colours.empty()) obj.colours.push_back(*count == 6 ? Vec3f{n[3], n[4], n[5]} : kNoColour);
    return {};
}

std::optional<Error> read_uv(TextScan& scan, const FileLine& at, ObjLines& obj)
{
    float n[2] = {};
    const auto count = read_numbers(scan, n, 2);
    if (!count || *count < 1) return line_error(at, "a texture coordinate needs one or two numbers; fix this line");
    obj.uvs.push_back({n[0], n[1]});
    return {};
}

/// Converts an OBJ index, which counts from 1, or back from the end if it is negative.
std::optional<uint32_t> resolve(std::string_view text, size_t count)
{
    const auto index = parse_integer(text);
    if (!index) return {};
    const int64_t i = *index < 0 ? static_cast<int64_t>(count) + *index : *index - 1;
    if (i < 0 || i >= static_cast<int64_t>(std::min<uint64_t>(count, kMaxPoints))) return {};
    return static_cast<uint32_t>(i);
}

uint32_t current_group(ObjLines& obj)
{
    if (!obj.current_index) {
        const auto next = static_cast<uint32_t>(obj.group_names.size());
        const auto [entry, is_new] = obj.index_of_name.try_emplace(obj.current_name, next);
        if (is_new) obj.group_names.emplace_back(obj.current_name);
        obj.current_index = entry->second;
    }
    return *obj.current_index;
}

/// Ends an `l` element. Some exporters write a strand as single segments, `l 1 2` and `l 2 3`; these are joined again.
void end_element(ObjLines& obj, size_t begin, std::optional<Uv> uv)
{
    const bool is_segment = obj.corners.size() - begin == 2;
    if (is_segment && obj.may_continue && obj.corners[begin - 1] == obj.corners[begin]) {
        obj.corners.erase(obj.corners.end() - 2);
        return;
    }
    obj.may_continue = is_segment;
    obj.first_corner.push_back(static_cast<uint32_t>(begin));
    obj.groups.push_back(current_group(obj));
    obj.root_uvs.push_back(uv.value_or(Uv{}));
    obj.any_uv = obj.any_uv || uv.has_value();
}

std::optional<Error> read_element(TextScan& scan, const FileLine& at, ObjLines& obj)
{
    const size_t begin = obj.corners.size();
    std::optional<Uv> root_uv;
    for (scan.skip_blanks(); !scan.at_line_end(); scan.skip_blanks()) {
        const std::string_view word = scan.word();
        if (word == "\\") {  // the element continues on the next line
            scan.skip_line();
            continue;
        }
        const size_t slash = std::min(word.find('/'), word.size());
        const auto vertex = resolve(word.substr(0, slash), obj.vertices.size());
        if (!vertex)
            return line_error(at, fmt::format("'{}' does not refer to one of the {} vertices above; fix the index",
                                              word.substr(0, 40), obj.vertices.size()));
        if (obj.corners.size() >= kMaxPoints) return line_error(at, "more than 2^32 points; split the file");
        const std::string_view texture = word.substr(std::min(slash + 1, word.size()));
        if (obj.corners.size() == begin && !texture.empty())
            if (const auto uv = resolve(texture.substr(0, texture.find('/')), obj.uvs.size())) root_uv = obj.uvs[*uv];
        obj.corners.push_back(*vertex);
    }
    if (obj.corners.size() == begin) return line_error(at, "this `l` element has no points; remove it");
    end_element(obj, begin, root_uv);
    return {};
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

void start_group(ObjLines& obj, std::string_view name)
{
    obj.current_name = name;
    obj.current_index.reset();
    obj.any_name = true;
    obj.may_continue = false;
}

/// Reads one line, from its start to the start of the next one.
std::optional<Error> read_line(TextScan& scan, const FileLine& at, ObjLines& obj)
{
    scan.skip_blanks();
    const std::string_view key = scan.word();
    std::optional<Error> error;
    if (key == "g" || key == "o") {
        scan.skip_blanks();
        start_group(obj, trimmed(scan.rest_of_line()));
        return error;
    }
    if (key == "v") error = read_vertex(scan, at, obj);
    if (key == "vt") error = read_uv(scan, at, obj);
    if (key == "l") error = read_element(scan, at, obj);
    if (key == "f") obj.any_face = true;
    scan.skip_line();
    return error;
}

/// Replaces the indices by points.
CurveFile curves_of(ObjLines&& obj)
{
    CurveFile curves;
    curves.format = CurveFormat::kObj;
    GroomData& data = curves.data;
    data.first_point = std::move(obj.first_corner);
    data.first_point.push_back(static_cast<uint32_t>(obj.corners.size()));
    data.points.reserve(obj.corners.size());
    for (uint32_t i : obj.corners) data.points.push_back(obj.vertices[i]);
    if (!obj.colours.empty()) data.colours.reserve(obj.corners.size());
    for (size_t k = 0; k < obj.corners.size() && !obj.colours.empty(); ++k)
        data.colours.push_back(obj.colours[obj.corners[k]]);
    if (obj.any_uv) data.root_uvs = std::move(obj.root_uvs);
    if (!obj.any_name) return curves;
    data.groups = std::move(obj.groups);
    data.group_names = std::move(obj.group_names);
    return curves;
}

/// Replaces line breaks by spaces, because a name ends with its line.
std::string without_line_breaks(std::string text)
{
    for (char& c : text)
        if (c == '\n' || c == '\r') c = ' ';
    return text;
}

void write_vertices(const GroomData& data, fmt::memory_buffer& out)
{
    for (size_t p = 0; p < data.points.size(); ++p) {
        const Vec3f x = data.points[p];
        fmt::format_to(std::back_inserter(out), "v {} {} {}", x.x, x.y, x.z);
        if (!data.colours.empty()) {
            const Vec3f c = data.colours[p];
            fmt::format_to(std::back_inserter(out), " {} {} {}", c.x, c.y, c.z);
        }
        out.push_back('\n');
    }
    for (const Uv& uv : data.root_uvs) fmt::format_to(std::back_inserter(out), "vt {} {}\n", uv.u, uv.v);
}

void write_element(const GroomData& data, size_t strand, fmt::memory_buffer& out)
{
    out.push_back('l');
    for (uint64_t p = data.first_point[strand]; p < data.first_point[strand + 1]; ++p) {
        fmt::format_to(std::back_inserter(out), " {}", p + 1);
        if (!data.root_uvs.empty()) fmt::format_to(std::back_inserter(out), "/{}", strand + 1);
    }
    out.push_back('\n');
}

}  // namespace

Result<CurveFile> parse_obj_curves(Bytes bytes, const std::string& name)
{
    ObjLines obj;
    TextScan scan(as_text(bytes));
    while (!scan.at_end())
        if (auto error = read_line(scan, {name, scan.line()}, obj)) return *error;
    if (!obj.groups.empty()) return curves_of(std::move(obj));
    const FileLine end{name, scan.line()};
    if (obj.any_face)
        return line_error(end, "this is a mesh: it has faces but no lines; export the curves as `l` elements");
    return line_error(end, "the file has no lines; export the curves as `l` elements");
}

/// Writes the shortest numbers that read back bit for bit. Strands without points are left out.
ByteResult obj_curve_bytes(const CurveFile& curves)
{
    const GroomData& data = curves.data;
    if (auto error = check_sizes(data, ".obj")) return *error;
    if (data.points.empty()) return Error{".obj: there are no points to write"};
    fmt::memory_buffer out;
    fmt::format_to(std::back_inserter(out), "# Tendril\n");
    write_vertices(data, out);
    for (size_t s = 0; s < data.strand_count(); ++s) {
        if (!data.groups.empty() && (s == 0 || data.groups[s] != data.groups[s - 1]))
            fmt::format_to(std::back_inserter(out), "g {}\n", without_line_breaks(data.group_names[data.groups[s]]));
        if (data.first_point[s] < data.first_point[s + 1]) write_element(data, s, out);
    }
    const auto* first = reinterpret_cast<const std::byte*>(out.data());
    return std::vector<std::byte>(first, first + out.size());
}

}  // namespace tendril
