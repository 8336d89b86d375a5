/// Shader code that all surfaces share: lamps, shadows of hair and bodies, and tone mapping.

export const lampUniforms = /* glsl */ `
uniform vec3 keyDirection, keyColour, rimDirection, rimColour, fillDirection, fillColour, skyColour, floorColour;
uniform mat4 keyMatrix, rimMatrix;       // from positions to (u, v, depth) in the lamps' maps, each in [0, 1]
uniform sampler2D keyHair, rimHair;      // see opacity_shader.ts
uniform highp sampler2DShadow keyBody, rimBody;
uniform float lampPixels;                // edge length of the maps
uniform int lampTaps;                    // taps for a soft shadow edge, up to 8
`;

/// Hair between a position and a lamp, as the mean number of strands along the ray. A texel stores four values for the
/// strands on a ray from the lamp: their number, the sums of their depths and squared depths, and the nearness of the
/// first. The strands are assumed to be spread evenly over the interval with that mean and variance, but not before the
/// first. Lengths are in units of the extent of the map, so that a thread and a horse are lit alike.
export const lampFunctions = /* glsl */ `
float blurLevel(float blur) { return max(floor(log2(blur * lampPixels) + 0.5), 0.0); }
float strandsBefore(vec4 sums, float depth, float level)
{
    if (sums.r < 0.004) return 0.0;
    float mean = sums.g / sums.r;
    float half_ = 1.732 * sqrt(max(sums.b / sums.r - mean * mean, 0.0)) + 0.002;
    // Blurring with texels that contain no hair would push the first strand far back.
    float first = mix(mean - half_, max(mean - half_, 1.0 - sums.a), clamp(4.0 - level, 0.0, 1.0));
    return sums.r * clamp((depth - first) / (mean + half_ - min(first, mean)), 0.0, 1.0);
}
float hairBefore(sampler2D map, vec3 coord, float blur)
{
    float level = blurLevel(blur);
    return strandsBefore(textureLod(map, coord.xy, level), coord.z, level);
}

/// The share of a lamp that bodies do not block. 'bias' prevents a surface from shadowing itself.
float bodyVisibility(highp sampler2DShadow map, vec3 coord, float bias)
{
    return texture(map, vec3(coord.xy, min(coord.z, 1.0) - bias));
}
/// The same with a soft edge of about 'reach' in both directions, sampled on a spiral.
const vec2 spiral[8] = vec2[8](vec2(0.25, 0.0), vec2(-0.32, 0.29), vec2(0.05, -0.56), vec2(0.4, 0.53),
    vec2(-0.74, -0.13), vec2(0.7, -0.45), vec2(-0.23, 0.87), vec2(-0.45, -0.86));
float softBodyVisibility(highp sampler2DShadow map, vec3 coord, float bias, mat2 reach)
{
    vec3 spot = vec3(coord.xy, min(coord.z, 1.0) - bias - 0.4 * length(reach[0]));
    float sum = 0.0;
    for (int i = 0; i < lampTaps; ++i) sum += texture(map, spot + vec3(reach * spiral[i], 0.0));
    return sum / float(lampTaps);
}
`;

/// A filmic tone curve after [Narkowicz15], followed by the sRGB encoding. A share of the curve acts on luminance
/// alone, which preserves the hue of bright colours better.
export const film = /* glsl */ `
vec3 curve(vec3 x) { return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0); }
vec3 toScreen(vec3 c) { return mix(c * 12.92, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }
vec3 film(vec3 light)
{
    light *= 0.72;
    float grey = dot(light, vec3(0.2126, 0.7152, 0.0722));
    vec3 alone = light * (curve(vec3(grey)).r / max(grey, 1e-4));
    return toScreen(mix(curve(light), min(alone, 1.0), 0.35));
}
`;

/// Dithering by one 8-bit step, so that soft gradients show no bands.
export const dither = /* glsl */ `
float grain(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }
vec3 dithered(vec3 screen) { return screen + (grain(gl_FragCoord.xy) - 0.5) / 255.0; }
`;
