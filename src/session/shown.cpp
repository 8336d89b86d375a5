#include "session/shown.h"

#include "tendril/staging.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril::session {

const Groom& Shown::groom_of(const World& world, size_t part) const
{
    return part < grooms_ ? world.groom({static_cast<uint32_t>(part)})
                          : world.children({static_cast<uint32_t>(part - grooms_)});
}

Result<Shown> Shown::create(const Scene& scene, World& world, size_t bodies)
{
    Shown shown;
    shown.grooms_ = world.groom_count();
    for (uint32_t g = 0; g < world.groom_count(); ++g) {
        StrandsPart part;
        part.groom = g;
        part.string = has_strings(scene, g);
        part.first_point = world.groom({g}).first_points();
        shown.parts_.push_back(part);
        add_expected_positions(world.curves(GroomId{g}), shown.positions_);
    }
    for (uint32_t c = 0; c < world.children_count(); ++c) {
        StrandsPart part;
        part.groom = world.guides_of({c}).index;
        part.follow = true;
        part.first_point = world.children({c}).first_points();
        shown.parts_.push_back(part);
        add_expected_positions(world.curves(ChildrenId{c}), shown.positions_);
    }
    shown.widths_.resize(shown.parts_.size());
    for (uint32_t b = 0; b < bodies; ++b) {
        const MeshView mesh = world.mesh({b}, world.time());
        if (mesh.triangles.empty()) continue;
        shown.meshes_.push_back({{mesh.triangles.front().data(), 3 * mesh.triangles.size()}, b, mesh.vertices.size()});
    }
    add_expected_positions(world, static_cast<double>(scene.frames) * scene.world.dt, shown.positions_);
    if (const auto wrong = shown.look_like(scene, world)) return *wrong;
    return shown;
}

std::optional<Error> Shown::look_like(const Scene& scene, const World& world)
{
    camera_ = scene_camera(scene.render, positions_);
    ground_ = scene_ground(scene, positions_);
    size_t strands = 0;
    for (const StrandsPart& part : parts_) strands += part.first_point.size() - 1;
    for (size_t k = 0; k < parts_.size(); ++k) {
        const GroomData& data = groom_of(world, k).data();
        const SceneLook own = look_of(scene, parts_[k].groom);
        const auto look = hair_look_of(own);
        if (!look) return Error{look.error()};
        parts_[k].colour = colour_of_absorption(absorption_of(*look), look->side_roughness);
        parts_[k].look = own;
        Widths& widths = widths_[k];
        widths.scale = drawn_width_scale(scene.render, own, camera_, strands, data.widths);
        std::vector<float> whole(data.points.size(), StageStrands{}.width * widths.scale);
        for (size_t i = 0; i < data.widths.size(); ++i) whole[i] = data.widths[i] * widths.scale;
        // Strands that were cut stay cut.
        for (size_t i = 0; i < widths.whole.size(); ++i)
            widths.drawn[i] = widths.drawn[i] == 0 && widths.whole[i] != 0 ? 0.0f : whole[i];
        if (widths.drawn.empty()) widths.drawn = whole;
        widths.whole = std::move(whole);
        parts_[k].widths = widths.drawn;
        ++parts_[k].widths_version;
        parts_[k].colours = {};
        if (own.hair == "groom") parts_[k].colours = data.colours;
    }
    return {};
}

void Shown::look(World& world, double time, Frame& frame)
{
    frame.strands.resize(parts_.size());
    frame.meshes.resize(meshes_.size());
    for (size_t k = 0; k < parts_.size(); ++k) {
        const auto index = static_cast<uint32_t>(k < grooms_ ? k : k - grooms_);
        const CurvesView curves = k < grooms_ ? world.curves(GroomId{index}) : world.curves(ChildrenId{index});
        StrandsFrame& strands = frame.strands[k];
        strands = {curves.points, curves.origin, {}};
        if (!parts_[k].string) continue;
        strands.string = world.segments(GroomId{index});
        Widths& widths = widths_[k];
        if (widths.scale == 1) continue;
        widths.string.assign(strands.string.widths.begin(), strands.string.widths.end());
        for (float& width : widths.string) width *= widths.scale;
        strands.string.widths = widths.string;
    }
    for (size_t m = 0; m < meshes_.size(); ++m) {
        const MeshView mesh = world.mesh({meshes_[m].body}, time);
        frame.meshes[m] = {mesh.vertices, mesh.origin};
    }
}

bool Shown::hide_behind(size_t part, uint32_t strand, uint32_t segment)
{
    std::vector<float>& drawn = widths_[part].drawn;
    const uint32_t begin = parts_[part].first_point[strand] + segment + 1, end = parts_[part].first_point[strand + 1];
    if (std::all_of(drawn.begin() + begin, drawn.begin() + end, [](float w) { return w == 0; })) return false;
    std::fill(drawn.begin() + begin, drawn.begin() + end, 0.0f);
    ++parts_[part].widths_version;
    return true;
}

void Shown::show_all()
{
    for (size_t k = 0; k < parts_.size(); ++k) {
        if (widths_[k].drawn == widths_[k].whole) continue;
        std::copy(widths_[k].whole.begin(), widths_[k].whole.end(), widths_[k].drawn.begin());
        ++parts_[k].widths_version;
    }
}

}  // namespace tendril::session
