/// Small meshes with known properties.
#pragma once

#include "tendril/mesh.h"

namespace tendril::test {

/// The unit square in the plane y = 0, facing up, with 2 n x n triangles. The UVs are x and z. The half with x < 0.5
/// has the group "left" and the material "skin", the other half "right" and "cloth".
inline Mesh make_square(uint32_t n)
{
    Mesh mesh;
    const float step = 1.0f / static_cast<float>(n);
    for (uint32_t i = 0; i <= n; ++i)
        for (uint32_t k = 0; k <= n; ++k) {
            const Uv uv{static_cast<float>(i) * step, static_cast<float>(k) * step};
            mesh.vertices.push_back({uv.u, 0, uv.v});
            mesh.uvs.push_back(uv);
        }
    mesh.group_names = {"left", "right"};
    mesh.material_names = {"skin", "cloth"};
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t k = 0; k < n; ++k) {
            const uint32_t a = i * (n + 1) + k, b = a + 1, c = a + n + 1, d = c + 1;
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({c, b, d});
            for (int t = 0; t < 2; ++t) {
                mesh.groups.push_back(2 * i < n ? 0 : 1);
                mesh.materials.push_back(2 * i < n ? 0 : 1);
            }
        }
    return mesh;
}

}  // namespace tendril::test
