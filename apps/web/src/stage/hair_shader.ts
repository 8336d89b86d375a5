/// Hair as ribbons that face the camera, lit at their vertices: strands are a pixel or two wide, so light that is known
/// along them is all there is to see, and fragments, of which there are many, cost next to nothing.
///
/// [Scheuermann04] diffuse light and two highlights, shifted by the scales and by a random amount per strand
/// [Marschner03]   why the second has the colour of the hair, and the light that passes through
/// [Karis16]       how the lobes lie around the strand, and their colours
import { film, lampFunctions, lampUniforms } from './light_shader';
import { ribbonShader } from './ribbons';

export const hairVertex = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixel;            // size of a pixel in the distance 1
uniform float thicker;          // to stand for strands that are not drawn
uniform bool soft;              // blended over what is there; else solid, but for tips
uniform vec3 hairColour;
uniform highp sampler2D colours;  // by point, in place of it
uniform bool coloured;
${lampUniforms}
out vec4 colour;
out float across;
${ribbonShader}
${lampFunctions}
${film}

float lobe(float x, float width) { return exp(-0.5 * x * x / (width * width)) / (2.5066 * width); }

struct Lit { vec3 surface, through; };
/// From one lamp: light thrown back, and light that went through a strand towards the viewer.
Lit lit(vec3 way, vec3 toEye, vec3 toLamp, vec3 dense, vec3 through, float shift)
{
    const float tilt = 0.05;
    float sinV = dot(way, toEye), sinL = dot(way, toLamp);
    float cosV = sqrt(max(1.0 - sinV * sinV, 1e-4)), cosL = sqrt(max(1.0 - sinL * sinL, 1e-4));
    float cosPhi = clamp((dot(toEye, toLamp) - sinV * sinL) / (cosV * cosL), -1.0, 1.0);
    float cosD = sqrt(clamp(0.5 + 0.5 * (cosV * cosL + sinV * sinL), 0.05, 1.0));
    float grazing = 1.0 - cosD, mirrored = 0.046 + 0.954 * grazing * grazing * grazing * grazing * grazing;
    float sum = sinV + sinL + shift;
    float white = lobe(sum + 2.0 * tilt, 0.11) * 0.25 * sqrt(0.5 + 0.5 * cosPhi) * mirrored;
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
    vec3 place, way;
    curveAt(spot, beginsStrand(spot), endsStrand(spot), place, way);
    vec3 toEye = cameraPosition - place;
    float away = max(dot(toEye, vec3(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z)), 1e-5);

    // At least about a pixel wide. Soft strands that are thinner are as much fainter; solid ones, which need no order,
    // become rarer instead, strand by strand.
    float dice = fract(random * 611.7), taper = min(1.0, 0.1 + 4.0 * (1.0 - rank));
    float width = mix(spot.mark.w, spot.next.w, spot.along) * taper * thicker;
    float least = (soft ? 1.15 : 0.8) * pixel * away, present = width / least;
    float alpha = soft ? clamp(present, 0.3 * taper, 1.0) : clamp((max(present, 0.2 * taper) - dice) / 0.15, 0.0, 1.0);
    toEye = normalize(toEye);
    vec3 side = cross(way, toEye);
    side *= inversesqrt(max(dot(side, side), 1e-8));
    gl_Position = projectionMatrix * viewMatrix * vec4(place + side * (0.5 * max(width, least) * spot.side), 1.0);
    across = spot.side * clamp(0.4 * (present - 1.0), 0.0, 1.0);   // only wide ones look round
    colour = vec4(0.0);
    if (alpha <= 0.0) return;

    vec3 dense = hairColour;
    if (coloured) dense = mix(fetch(colours, spot.point).rgb, fetch(colours, spot.point + 1).rgb, spot.along);
    float other = fract(random * 171.31), third = fract(random * 57.77);
    dense *= mix(0.75, 1.3, other) * mix(0.6, 1.0, smoothstep(0.0, 0.35, rank));
    dense = clamp(dense * mix(vec3(1.06, 1.0, 0.92), vec3(0.95, 1.0, 1.06), third), 0.002, 0.93);
    // What a strand absorbs on the way through, from the colour of many [Chiang16] Eq. 9.
    vec3 root = log(dense) * 0.17, through = exp(-1.75 * root * root);
    float shift = 0.13 * (dice - 0.5);

    vec3 keyPlace = (keyMatrix * vec4(place, 1.0)).xyz, rimPlace = (rimMatrix * vec4(place, 1.0)).xyz;
    float keyHairs = hairBefore(keyHair, keyPlace, 0.005), rimHairs = hairBefore(rimHair, rimPlace, 0.005);
    float keyOpen = pastBody(keyBody, keyPlace, 0.008), rimOpen = pastBody(rimBody, rimPlace, 0.008);

    // Light that goes on from strand to strand takes on their colour: it fades less in the colour that they have.
    vec3 fading = mix(vec3(0.8), vec3(0.36), through);
    vec3 keyDeep = exp(-keyHairs * fading), rimDeep = exp(-rimHairs * fading);
    Lit key = lit(way, toEye, keyDirection, dense, through, shift);
    Lit rim = lit(way, toEye, rimDirection, dense, through, shift);
    float sinFill = dot(way, fillDirection), fill = 0.25 * sqrt(max(1.0 - sinFill * sinFill, 0.0));
    float open = exp(-0.2 * keyHairs) * (0.35 + 0.65 * keyOpen) + exp(-0.2 * rimHairs) * (0.35 + 0.65 * rimOpen);
    float occlusion = 0.07 + 0.93 * 0.5 * open;

    vec3 light = keyColour * keyOpen * (key.surface + key.through * exp(-0.3 * keyHairs)) * keyDeep
        + rimColour * rimOpen * (rim.surface + rim.through * exp(-0.3 * rimHairs)) * rimDeep
        + fillColour * dense * fill * occlusion
        + dense * mix(floorColour, skyColour, 0.5 + 0.4 * sqrt(1.0 - way.y * way.y)) * occlusion * 0.9;
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
