/// What strands leave of a lamp's light, drawn from the lamp in one pass without order.
///
/// Red, green and blue add up the number of strands on the ray, their depths and the squares of those; alpha keeps the
/// greatest nearness, so the first strand. Like deep opacity maps [Yuksel08], with moments in place of layers: there
/// are no steps to be seen between layers, and the map can be blurred.
import { ribbonShader } from './ribbons';

export const opacityVertex = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 viewMatrix, projectionMatrix;
uniform float texel;       // [m]
uniform float share;
uniform float opacity;     // of a strand, in strands
uniform highp sampler2D widths;   // by segment
uniform bool torn;         // those count, in place of the strand's own
out float strands, depth;
${ribbonShader}
void main()
{
    gl_Position = nowhere;
    Spot spot = spotOf(gl_VertexID);
    float width = spot.mark.w;
    if (torn) width = fetch(widths, spot.point).x;
    if (width <= 0.0) return;   // torn or cut
    vec3 a = pointAt(spot.point), b = pointAt(spot.point + 1);
    vec2 way = (mat3(viewMatrix) * (b - a)).xy;
    vec2 side = vec2(-way.y, way.x) * inversesqrt(max(dot(way, way), 1e-14));
    width *= min(1.0, 0.12 + 5.0 * (1.0 - spot.rank)) / share;
    vec4 place = viewMatrix * vec4(spot.along == 0.0 ? a : b, 1.0);
    place.xy += side * (0.5 * max(width, texel) * spot.side);
    gl_Position = projectionMatrix * place;
    strands = opacity * min(width / texel, 1.0);
    depth = 0.5 + 0.5 * gl_Position.z;
}
`;

export const opacityFragment = /* glsl */ `
precision highp float;
in float strands, depth;
out vec4 sums;
void main() { sums = vec4(strands, strands * depth, strands * depth * depth, 1.0 - depth); }
`;

/// Bodies: depth alone.
export const depthVertex = /* glsl */ `
precision highp float;
in vec3 position;
uniform mat4 modelViewMatrix, projectionMatrix;
void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }
`;
export const depthFragment = /* glsl */ `
precision mediump float;
out vec4 nothing;
void main() { nothing = vec4(0.0); }
`;
