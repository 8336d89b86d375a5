// Reads the collision meshes of TressFX (.tfxmesh) as its Maya exporter writes them: text with a count before each
// list.

#include "io/mesh_formats.h"
#include "io/text_scan.h"

#include <fmt/core.h>

namespace tendril {
namespace {

class TfxMeshReader {
public:
    TfxMeshReader(std::string_view text, const std::string& name) : scan_(text), size_(text.size()), name_(name) {}

    Result<Character> read()
    {
        while (next_line()) {
            const std::string_view key = scan_.word();
            const auto count = key == "numOfBones" || key == "numOfVertices" || key == "numOfTriangles"
                                   ? integer()
                                   : std::optional<int64_t>();
            // Each line of a list has at least two characters, so a count above the size of the file cannot be right.
            if (!count || *count < 0 || static_cast<size_t>(*count) > size_)
                return at_line("expected numOfBones, numOfVertices or numOfTriangles with a count");
            scan_.skip_line();
            for (int64_t i = 0; i < *count; ++i) {
                if (!next_line() || integer() != i) return at_line(fmt::format("expected entry {} of {}", i, key));
                const bool ok = key == "numOfBones" ? bone() : key == "numOfVertices" ? vertex() : triangle();
                if (!ok) return at_line(fmt::format("cannot read an entry of {}", key));
                scan_.skip_line();
            }
        }
        if (character_.bones.empty()) character_.weights.clear();
        return std::move(character_);
    }

private:
    Error at_line(const std::string& what) const { return Error{fmt::format("{}:{}: {}", name_, scan_.line(), what)}; }

    /// Skips to the next line that is neither empty nor a comment. Returns false at the end of the text.
    bool next_line()
    {
        for (;;) {
            scan_.skip_space();
            if (scan_.at_end()) return false;
            if (scan_.peek() != '#') return true;
            scan_.skip_line();
        }
    }

    std::optional<int64_t> integer()
    {
        scan_.skip_blanks();
        return parse_integer(scan_.word());
    }

    std::optional<uint32_t> index()
    {
        const auto value = integer();
        if (!value || *value < 0 || *value > UINT32_MAX) return {};
        return static_cast<uint32_t>(*value);
    }

    std::optional<float> number()
    {
        scan_.skip_blanks();
        const auto value = parse_number(scan_.word());
        if (!value) return {};
        return static_cast<float>(*value);
    }

    // The file has no bind pose, so bones rest at the identity.
    bool bone()
    {
        scan_.skip_blanks();
        const std::string_view name = scan_.word();
        if (name.empty()) return false;
        character_.bones.push_back({static_cast<uint32_t>(character_.nodes.size()), {}});
        character_.nodes.emplace_back().name = name;
        return true;
    }

    bool vertex()
    {
        std::array<float, 6> position_and_normal;
        for (float& x : position_and_normal) {
            const auto value = number();
            if (!value) return false;
            x = *value;
        }
        VertexWeights skin_weights;
        for (uint32_t& b : skin_weights.bones) {
            const auto value = index();
            if (!value) return false;
            b = *value;
        }
        for (float& w : skin_weights.weights) {
            const auto value = number();
            if (!value) return false;
            w = *value;
        }
        character_.mesh.vertices.push_back({position_and_normal[0], position_and_normal[1], position_and_normal[2]});
        character_.weights.push_back(skin_weights);
        return true;
    }

    bool triangle()
    {
        std::array<uint32_t, 3> corners;
        for (uint32_t& corner : corners) {
            const auto value = index();
            if (!value) return false;
            corner = *value;
        }
        character_.mesh.triangles.push_back(corners);
        return true;
    }

    TextScan scan_;
    size_t size_;
    const std::string& name_;
    Character character_;
};

}  // namespace

Result<Character> parse_tfx_mesh(Bytes bytes, const std::string& name)
{
    return TfxMeshReader(as_text(bytes), name).read();
}

}  // namespace tendril
