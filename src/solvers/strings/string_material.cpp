#include "tendril/string_material.h"

namespace tendril {
namespace {

constexpr NamedMaterial kMaterials[] = {
    {"cotton_thread", {1520, 6e9, 1.5e8, 1.5e9, 3e8, 5e7, 2e7}, "spun: barely stretches, tears easily"},
    {"nylon", {1140, 2.7e9, 6e7, 2e8, 9e7, 8e8, 3e8}, "one solid fibre, as a fishing line"},
    {"rubber", {1100, 3e6, 1e9, 1e6, 1.5e7, 3e6, 1e6}, "stretches to several times its length and comes back"},
    {"steel_cable", {6500, 1e11, 9e8, 5e9, 1.4e9, 4e9, 1.5e9}, "laid from wires"},
    {"hair", {1320, 4e9, 8e7, 3e8, 2e8, 4e9, 1.2e9}, "of a human head, dry"},
};

}  // namespace

std::span<const NamedMaterial> string_materials()
{
    return kMaterials;
}

std::optional<StringMaterial> string_material(std::string_view name)
{
    for (const NamedMaterial& m : kMaterials)
        if (m.name == name) return m.material;
    return std::nullopt;
}

}  // namespace tendril
