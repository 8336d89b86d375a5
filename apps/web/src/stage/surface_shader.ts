/// Shading of skin, colliders and the ground: soft light and, above all, the shadow of the hair.
import { dither, film, lampFunctions, lampUniforms } from './light_shader';

export const surfaceVertex = /* glsl */ `
precision highp float;
in vec3 position, normal;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
out vec3 worldPosition, up;
void main()
{
    vec4 world = modelMatrix * vec4(position, 1.0);
    worldPosition = world.xyz;
    up = mat3(modelMatrix) * normal;
    gl_Position = projectionMatrix * viewMatrix * world;
}
`;

export const surfaceFragment = /* glsl */ `
precision highp float;
in vec3 worldPosition, up;
uniform vec3 cameraPosition;
uniform vec3 surfaceColour;
uniform float softness;      // of the skin: light wraps around the terminator, red most
uniform vec4 underHair;      // rgb: colour of skin under dense hair; a: strength
uniform vec4 groundFade;     // xyz: centre of the ground; w: its radius, 0 if this is not the ground
${lampUniforms}
out vec4 screen;
${lampFunctions}
${film}
${dither}

/// The number of strands on a lamp's ray that lie close to the surface.
float strandsAt(vec4 sums, float depth)
{
    float above = depth - sums.g / max(sums.r, 1e-3);
    return sums.r * smoothstep(-0.03, 0.0, above) * (1.0 - smoothstep(0.01, 0.06, above));
}

/// The scale and rotation of the taps. Many taps are rotated per pixel for a smooth edge. Few taps would show grain, so
/// they keep a fixed pattern about one texel apart.
mat2 tapReach(float blur)
{
    if (lampTaps < 8) return mat2(2.0 / lampPixels);
    float turn = 6.28318 * grain(gl_FragCoord.xy);
    return mat2(cos(turn), sin(turn), -sin(turn), cos(turn)) * blur;
}

vec3 wrappedDiffuse(float cosine)
{
    vec3 wrap = softness * vec3(0.42, 0.2, 0.13);
    vec3 lit = clamp((vec3(cosine) + wrap) / (1.0 + wrap), 0.0, 1.0);
    return lit * lit * (3.0 - 2.0 * lit) * 0.25 + lit * 0.75;
}

void main()
{
    vec3 toEye = normalize(cameraPosition - worldPosition), normal = normalize(up);
    if (dot(normal, toEye) < 0.0 && groundFade.w == 0.0) normal = -normal;
    bool ground = groundFade.w > 0.0;
    float blur = ground ? 0.03 : 0.012;
    mat2 reach = tapReach(blur);

    vec3 keyCoord = (keyMatrix * vec4(worldPosition, 1.0)).xyz, rimCoord = (rimMatrix * vec4(worldPosition, 1.0)).xyz;
    float keyCosine = dot(normal, keyDirection), rimCosine = dot(normal, rimDirection), level = blurLevel(blur);
    vec4 keySums = textureLod(keyHair, keyCoord.xy, level), rimSums = textureLod(rimHair, rimCoord.xy, level);
    float keyHairs = strandsBefore(keySums, keyCoord.z, level), rimHairs = strandsBefore(rimSums, rimCoord.z, level);
    float keyBias = 0.016 - 0.012 * abs(keyCosine), rimBias = 0.016 - 0.012 * abs(rimCosine);
    float keyVisible = keyCosine < -0.4 ? 0.0 : softBodyVisibility(keyBody, keyCoord, keyBias, reach);
    float rimVisible = rimCosine < -0.4 ? 0.0 : softBodyVisibility(rimBody, rimCoord, rimBias, reach);
    // Nearby hair occludes the sky; hair behind the body does not.
    float keySide = clamp(keyCosine + 0.25, 0.0, 1.0), rimSide = clamp(rimCosine, 0.0, 1.0);
    float wide = (0.25 + keySide * exp(-0.3 * hairBefore(keyHair, keyCoord, 0.05))
        + rimSide * exp(-0.3 * hairBefore(rimHair, rimCoord, 0.05))) / (0.25 + keySide + rimSide);
    float occlusion = 0.2 + 0.8 * wide;
    // Not all strands are drawn. Tint the skin where the missing ones would be visible.
    float grown = keySide * strandsAt(keySums, keyCoord.z) + rimSide * strandsAt(rimSums, rimCoord.z);
    vec3 base = mix(surfaceColour, underHair.rgb, underHair.a * (1.0 - exp(-grown)));

    vec3 key = keyColour * keyVisible * exp(-0.55 * keyHairs) * wrappedDiffuse(keyCosine);
    vec3 rim = rimColour * rimVisible * exp(-0.55 * rimHairs) * wrappedDiffuse(rimCosine);
    vec3 fill = fillColour * wrappedDiffuse(dot(normal, fillDirection));
    vec3 sky = mix(floorColour, skyColour, 0.5 + 0.5 * normal.y) * occlusion;

    if (ground) {
        vec2 out_ = (worldPosition.xz - groundFade.xz) / groundFade.w;
        occlusion *= 0.75 + 0.25 * softBodyVisibility(keyBody, keyCoord, 0.004, 3.0 * reach);
        vec3 light = surfaceColour * (key * 0.3 + rim * 0.2 + sky * occlusion);
        float fade = 1.0 - smoothstep(0.12, 1.0, length(out_));
        fade *= smoothstep(0.0, 0.12, toEye.y);
        screen = vec4(dithered(film(light)), fade);
        return;
    }
    float facing = clamp(dot(normal, toEye), 0.0, 1.0), edge = pow(1.0 - facing, 4.0);
    vec3 light = base * ((key + fill + 0.55 * rim) * 0.23 + 0.7 * sky);
    float shine = pow(max(dot(normal, normalize(toEye + keyDirection)), 0.0), 22.0);
    light += 0.045 * shine * keyColour * keyVisible * exp(-0.8 * keyHairs);
    light += edge * (0.22 * rim + 0.12 * sky);
    screen = vec4(dithered(film(light)), 1.0);
}
`;

export const backdropVertex = /* glsl */ `
precision highp float;
in vec3 position;
out vec2 at;
void main() { at = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }
`;
export const backdropFragment = /* glsl */ `
precision highp float;
in vec2 at;
uniform vec3 top, bottom;
out vec4 screen;
${film}
${dither}
void main()
{
    float height = smoothstep(-1.1, 1.1, at.y), corner = dot(at, at) * 0.5;
    screen = vec4(dithered(toScreen(mix(bottom, top, height) * (1.0 - 0.18 * corner * corner))), 1.0);
}
`;
