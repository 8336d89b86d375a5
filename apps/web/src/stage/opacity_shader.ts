/// The opacity map of strands, drawn from the lamp in one pass without sorting.
///
/// Red, green and blue sum the number of strands on the ray, their depths and their squared depths; alpha keeps the
/// maximum of 1 - depth, which is the first strand. It is like deep opacity maps [Yuksel08], but with moments instead
/// of layers: there are no visible steps between layers, and the map can be blurred.
import { ribbonShader } from './ribbons';

export const opacityVertex = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 viewMatrix, projectionMatrix;
uniform float texel;       // [m]
uniform float share;
uniform float opacity;     // of a strand, in units of one hair
uniform highp sampler2D widths;   // per segment
uniform bool torn;         // use 'widths' instead of the strand's own widths
out float strands, depth;
${ribbonShader}
void main()
{
    gl_Position = clippedVertex;
    Spot spot = spotOf(gl_VertexID);
    float width = spot.mark.w;
    if (torn) width = fetch(widths, spot.point).x;
    if (width <= 0.0) return;   // torn or cut
    vec3 a = pointAt(spot.point), b = pointAt(spot.point + 1);
    vec2 direction = (mat3(viewMatrix) * (b - a)).xy;
    vec2 side = vec2(-direction.y, direction.x) * inversesqrt(max(dot(direction, direction), 1e-14));
    width *= min(1.0, 0.12 + 5.0 * (1.0 - spot.rank)) / share;
    vec4 position = viewMatrix * vec4(spot.along == 0.0 ? a : b, 1.0);
    position.xy += side * (0.5 * max(width, texel) * spot.side);
    gl_Position = projectionMatrix * position;
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

/// Bodies write only their depth.
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
