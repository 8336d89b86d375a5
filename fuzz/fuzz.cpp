// Runs one reader, TENDRIL_FUZZ_READER, under libFuzzer. For any input, it must return a usable value or an error with
// a message.
#include "io/curve_formats.h"
#include "render/png.h"
#include "tendril/hair_style.h"
#include "tendril/mesh.h"
#include "tendril/scene.h"

#include <cstdint>
#include <cstdlib>

namespace tendril {
namespace {

void require(bool condition)
{
    if (!condition) std::abort();
}

/// Checks the curves, writes them in every format, evaluates and resamples them.
void use(CurveFile curves)
{
    (void)make_groom(curves.data);
    for (CurveFormat format : {CurveFormat::kTfx4, CurveFormat::kHair, CurveFormat::kData, CurveFormat::kObj,
                               CurveFormat::kUsd, CurveFormat::kCache})
        (void)curve_bytes(curves, format);
    to_polylines(curves);
    if (curves.data.strand_count() > 0 && curves.data.strand_count() < 1000) (void)resampled(curves.data, 3);
}

void use(const StrandBones& bones)
{
    for (const auto& strand : bones.strands)
        for (const auto& weight : strand) require(weight.bone < bones.names.size() || weight.weight == 0);
}

void use(const Character& character)
{
    for (const auto& triangle : character.mesh.triangles)
        for (uint32_t v : triangle) require(v < character.mesh.vertices.size());
    std::vector<Affine> bones(character.bones.size());
    std::vector<Vec3f> out(character.mesh.vertices.size());
    for (int clip = -1; clip < static_cast<int>(character.clips.size()); ++clip) {
        pose_bones(character, {clip, true, 1.0}, 0.3, bones);
        skin(character, bones, out, *make_serial_executor());
    }
}

void use(const Map& map)
{
    require(map.values.size() == static_cast<size_t>(map.width) * map.height);
    (void)map.at({0.3f, 0.7f});
}

void use(const Picture& picture)
{
    require(picture.bytes.size() == size_t{3} * picture.width * picture.height);
}

void use(const Scene&) {}

[[maybe_unused]] Result<Character> fuzz_mesh(Bytes bytes, const std::string& name)
{
    return parse_character(bytes, name);
}
[[maybe_unused]] Result<Scene> fuzz_scene(Bytes bytes, const std::string& name)
{
    return parse_scene({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name);
}

}  // namespace
}  // namespace tendril

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    using namespace tendril;
    const auto read = TENDRIL_FUZZ_READER(std::as_bytes(std::span(data, size)), "fuzz");
    if (read)
        use(*read);
    else
        require(!read.error().empty());
    return 0;
}
