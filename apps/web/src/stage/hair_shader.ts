/// Draws hair as ribbons that face the camera, shaded per vertex. Strands are only a pixel or two wide, so light needs
/// to vary only along them, and the many fragments are cheap.
///
/// [Scheuermann04] diffuse light and two highlights, shifted by the scales and by a random amount per strand
/// [Marschner03]   the colour of the second highlight, and the transmitted light
/// [Karis16]       the azimuthal shape of the lobes and their colours
import { film, lampFunctions, lampUniforms } from './light_shader';
import { ribbonShader } from './ribbons';

export const hairVertex = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixel;            // size of a pixel at distance 1
uniform float thicker;          // width factor that makes up for strands that are not drawn
uniform bool soft;              // blended; otherwise opaque except for the tips
uniform vec3 hairColour;
uniform highp sampler2D colours;  // per point, instead of hairColour
uniform bool coloured;
${lampUniforms}
out vec4 colour;
out float across;
${ribbonShader}
${lampFunctions}
${film}

float lobe(float x, float width) { return exp(-0.5 * x * x / (width * width)) / (2.5066 * width); }

struct Lit { vec3 surface, through; };
/// The light of one lamp: reflected by a strand, and transmitted through it to the viewer.
Lit lit(vec3 tangent, vec3 toEye, vec3 toLamp, vec3 dense, vec3 through, float shift)
{
    const float tilt = 0.05;
    float sinV = dot(tangent, toEye), sinL = dot(tangent, toLamp);
    float cosV = sqrt(max(1.0 - sinV * sinV, 1e-4)), cosL = sqrt(max(1.0 - sinL * sinL, 1e-4));
    float cosPhi = clamp((dot(toEye, toLamp) - sinV * sinL) / (cosV * cosL), -1.0, 1.0);
    float cosD = sqrt(clamp(0.5 + 0.5 * (cosV * cosL + sinV * sinL), 0.05, 1.0));
    float grazing = 1.0 - cosD, reflectance = 0.046 + 0.954 * grazing * grazing * grazing * grazing * grazing;
    float sum = sinV + sinL + shift;
    float white = lobe(sum + 2.0 * tilt, 0.11) * 0.25 * sqrt(0.5 + 0.5 * cosPhi) * reflectance;
    float inside = lobe(sum - 4.0 * tilt, 0.24) * exp(2.2 * cosPhi - 2.2) * 0.03;
    float forward = lobe(sum - tilt, 0.2) * exp(-3.65 * cosPhi - 3.98);
    Lit light;
    light.surface = vec3(1.35 * white) + inside * through * through + 0.3 * cosL * dense;
    light.through = 0.6 * forward * through;
    return light;
}

void main()
{
    Spot spot = spotOf(gl_VertexID);
    float random = spot.mark.z, rank = spot.rank;
    vec3 position, tangent;
    curveAt(spot, beginsStrand(spot), endsStrand(spot), position, tangent);
    vec3 toEye = cameraPosition - position;
    float away = max(dot(toEye, vec3(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z)), 1e-5);

    // Ribbons are at least about a pixel wide. Thinner soft strands become more transparent; thinner solid strands,
    // which are not sorted, are dropped one by one instead.
    float threshold = fract(random * 611.7), taper = min(1.0, 0.1 + 4.0 * (1.0 - rank));
    float width = mix(spot.mark.w, spot.next.w, spot.along) * taper * thicker;
    float least = (soft ? 1.15 : 0.8) * pixel * away, present = width / least;
    float alpha = soft ? clamp(present, 0.3 * taper, 1.0)
        : clamp((max(present, 0.2 * taper) - threshold) / 0.15, 0.0, 1.0);
    toEye = normalize(toEye);
    vec3 side = cross(tangent, toEye);
    side *= inversesqrt(max(dot(side, side), 1e-8));
    gl_Position = projectionMatrix * viewMatrix * vec4(position + side * (0.5 * max(width, least) * spot.side), 1.0);
    across = spot.side * clamp(0.4 * (present - 1.0), 0.0, 1.0);   // only wide strands look round
    colour = vec4(0.0);
    if (alpha <= 0.0) return;

    vec3 dense = hairColour;
    if (coloured) dense = mix(fetch(colours, spot.point).rgb, fetch(colours, spot.point + 1).rgb, spot.along);
    float other = fract(random * 171.31), third = fract(random * 57.77);
    dense *= mix(0.75, 1.3, other) * mix(0.6, 1.0, smoothstep(0.0, 0.35, rank));
    dense = clamp(dense * mix(vec3(1.06, 1.0, 0.92), vec3(0.95, 1.0, 1.06), third), 0.002, 0.93);
    // The transmittance of a strand, from the colour of dense hair [Chiang16] Eq. 9.
    vec3 root = log(dense) * 0.17, through = exp(-1.75 * root * root);
    float shift = 0.13 * (threshold - 0.5);

    vec3 keyCoord = (keyMatrix * vec4(position, 1.0)).xyz, rimCoord = (rimMatrix * vec4(position, 1.0)).xyz;
    float keyHairs = hairBefore(keyHair, keyCoord, 0.005), rimHairs = hairBefore(rimHair, rimCoord, 0.005);
    float keyVisible = bodyVisibility(keyBody, keyCoord, 0.008), rimVisible = bodyVisibility(rimBody, rimCoord, 0.008);

    // Light scattered from strand to strand takes on their colour: it fades least in the hair's own colour.
    vec3 fading = mix(vec3(0.8), vec3(0.36), through);
    vec3 keyDeep = exp(-keyHairs * fading), rimDeep = exp(-rimHairs * fading);
    Lit key = lit(tangent, toEye, keyDirection, dense, through, shift);
    Lit rim = lit(tangent, toEye, rimDirection, dense, through, shift);
    float sinFill = dot(tangent, fillDirection), fill = 0.25 * sqrt(max(1.0 - sinFill * sinFill, 0.0));
    float visible = exp(-0.2 * keyHairs) * (0.35 + 0.65 * keyVisible)
        + exp(-0.2 * rimHairs) * (0.35 + 0.65 * rimVisible);
    float occlusion = 0.07 + 0.93 * 0.5 * visible;

    vec3 light = keyColour * keyVisible * (key.surface + key.through * exp(-0.3 * keyHairs)) * keyDeep
        + rimColour * rimVisible * (rim.surface + rim.through * exp(-0.3 * rimHairs)) * rimDeep
        + fillColour * dense * fill * occlusion
        + dense * mix(floorColour, skyColour, 0.5 + 0.4 * sqrt(1.0 - tangent.y * tangent.y)) * occlusion * 0.9;
    colour = vec4(film(light), alpha);
}
`;

export const hairFragment = /* glsl */ `
precision mediump float;
in vec4 colour;
in float across;
out vec4 screen;
void main() { screen = vec4(colour.rgb * (1.04 - 0.35 * min(across * across, 1.0)), colour.a); }
`;
