/// Skin, simple shapes and the ground: soft light, and the shadow of the hair above all.
import { dither, film, lampFunctions, lampUniforms } from './light_shader';

export const surfaceVertex = /* glsl */ `
precision highp float;
in vec3 position, normal;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
out vec3 place, up;
void main()
{
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xyz;
    up = mat3(modelMatrix) * normal;
    gl_Position = projectionMatrix * viewMatrix * world;
}
`;

export const surfaceFragment = /* glsl */ `
precision highp float;
in vec3 place, up;
uniform vec3 cameraPosition;
uniform vec3 surfaceColour;
uniform float softness;      // of the skin: light goes a little way around corners, red farthest
uniform vec4 underHair;      // colour that much hair gives to what it grows on, and how much it does
uniform vec4 groundFade;     // middle and radius of the ground; radius 0: not the ground
${lampUniforms}
out vec4 screen;
${lampFunctions}
${film}
${dither}

/// Of the strands on a ray, those that lie on a place.
float strandsAt(vec4 sums, float depth)
{
    float above = depth - sums.g / max(sums.r, 1e-3);
    return sums.r * smoothstep(-0.03, 0.0, above) * (1.0 - smoothstep(0.01, 0.06, above));
}

/// Turned from pixel to pixel, many taps make a smooth edge. Few would make grain: they stay side by side, a point of
/// the map apart.
mat2 tapReach(float blur)
{
    if (lampTaps < 8) return mat2(2.0 / lampPixels);
    float turn = 6.28318 * grain(gl_FragCoord.xy);
    return mat2(cos(turn), sin(turn), -sin(turn), cos(turn)) * blur;
}

vec3 around(float cosine)
{
    vec3 wrap = softness * vec3(0.42, 0.2, 0.13);
    vec3 lit = clamp((vec3(cosine) + wrap) / (1.0 + wrap), 0.0, 1.0);
    return lit * lit * (3.0 - 2.0 * lit) * 0.25 + lit * 0.75;
}

void main()
{
    vec3 toEye = normalize(cameraPosition - place), normal = normalize(up);
    if (dot(normal, toEye) < 0.0 && groundFade.w == 0.0) normal = -normal;
    bool ground = groundFade.w > 0.0;
    float blur = ground ? 0.03 : 0.012;
    mat2 reach = tapReach(blur);

    vec3 keyPlace = (keyMatrix * vec4(place, 1.0)).xyz, rimPlace = (rimMatrix * vec4(place, 1.0)).xyz;
    float keyCosine = dot(normal, keyDirection), rimCosine = dot(normal, rimDirection), level = blurLevel(blur);
    vec4 keySums = textureLod(keyHair, keyPlace.xy, level), rimSums = textureLod(rimHair, rimPlace.xy, level);
    float keyHairs = strandsBefore(keySums, keyPlace.z, level), rimHairs = strandsBefore(rimSums, rimPlace.z, level);
    float keyBias = 0.016 - 0.012 * abs(keyCosine), rimBias = 0.016 - 0.012 * abs(rimCosine);
    float keyOpen = keyCosine < -0.4 ? 0.0 : softPastBody(keyBody, keyPlace, keyBias, reach);
    float rimOpen = rimCosine < -0.4 ? 0.0 : softPastBody(rimBody, rimPlace, rimBias, reach);
    // Hair near by hides the sky; what is behind the body does not.
    float keySide = clamp(keyCosine + 0.25, 0.0, 1.0), rimSide = clamp(rimCosine, 0.0, 1.0);
    float wide = (0.25 + keySide * exp(-0.3 * hairBefore(keyHair, keyPlace, 0.05))
        + rimSide * exp(-0.3 * hairBefore(rimHair, rimPlace, 0.05))) / (0.25 + keySide + rimSide);
    float occlusion = 0.2 + 0.8 * wide;
    // Between strands that grow here one would see more of them, had all been drawn.
    float grown = keySide * strandsAt(keySums, keyPlace.z) + rimSide * strandsAt(rimSums, rimPlace.z);
    vec3 base = mix(surfaceColour, underHair.rgb, underHair.a * (1.0 - exp(-grown)));

    vec3 key = keyColour * keyOpen * exp(-0.55 * keyHairs) * around(keyCosine);
    vec3 rim = rimColour * rimOpen * exp(-0.55 * rimHairs) * around(rimCosine);
    vec3 fill = fillColour * around(dot(normal, fillDirection));
    vec3 sky = mix(floorColour, skyColour, 0.5 + 0.5 * normal.y) * occlusion;

    if (ground) {
        vec2 out_ = (place.xz - groundFade.xz) / groundFade.w;
        occlusion *= 0.75 + 0.25 * softPastBody(keyBody, keyPlace, 0.004, 3.0 * reach);
        vec3 light = surfaceColour * (key * 0.3 + rim * 0.2 + sky * occlusion);
        float fade = 1.0 - smoothstep(0.12, 1.0, length(out_));
        fade *= smoothstep(0.0, 0.12, toEye.y);
        screen = vec4(dithered(film(light)), fade);
        return;
    }
    float facing = clamp(dot(normal, toEye), 0.0, 1.0), edge = pow(1.0 - facing, 4.0);
    vec3 light = base * ((key + fill + 0.55 * rim) * 0.23 + 0.7 * sky);
    float shine = pow(max(dot(normal, normalize(toEye + keyDirection)), 0.0), 22.0);
    light += 0.045 * shine * keyColour * keyOpen * exp(-0.8 * keyHairs);
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
