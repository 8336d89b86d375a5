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
uniform float share;            // of the strands that are drawn: they are wider for those that are not
uniform float fade;             // how gradually strands thinner than a pixel vanish: 1 all together, 0 one by one
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
Lit lit(vec3 way, vec3 toEye, vec3 toLamp, vec3 dense, float shift)
{
    const float tilt = 0.05;
    float sinV = dot(way, toEye), sinL = dot(way, toLamp);
    float cosV = sqrt(max(1.0 - sinV * sinV, 1e-4)), cosL = sqrt(max(1.0 - sinL * sinL, 1e-4));
    float cosPhi = clamp((dot(toEye, toLamp) - sinV * sinL) / (cosV * cosL), -1.0, 1.0);
    float cosD = sqrt(clamp(0.5 + 0.5 * (cosV * cosL + sinV * sinL), 0.05, 1.0));
    float grazing = 1.0 - cosD, mirrored = 0.046 + 0.954 * grazing * grazing * grazing * grazing * grazing;
    float sum = sinV + sinL + shift;
    float white = lobe(sum + 2.0 * tilt, 0.11) * 0.25 * sqrt(0.5 + 0.5 * cosPhi) * mirrored;
    float inside = lobe(sum - 4.0 * tilt, 0.24) * exp(2.2 * cosPhi - 2.2) * 0.16;
    float forward = lobe(sum - tilt, 0.2) * exp(-3.65 * cosPhi - 3.98);
    Lit light;
    light.surface = vec3(1.6 * white) + inside * pow(dense, vec3(0.8 / cosD)) + dense * cosL * 0.27;
    light.through = forward * pow(dense, vec3(0.5 / cosD)) * 0.8;
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

    // At least most of a pixel wide. What is thinner becomes rarer instead, strand by strand: no sorting, no noise, and
    // many faint strands still cover what lies behind them.
    float dice = fract(random * 611.7), taper = min(1.0, 0.12 + 5.0 * (1.0 - rank));
    float width = mix(spot.mark.w, spot.next.w, spot.along) * taper / pow(share, 0.75);
    float least = 0.85 * pixel * away, present = width / least;
    float alpha = clamp((present - dice * (1.0 - fade)) / max(fade, 0.3), 0.0, 1.0);
    alpha = max(alpha, fade * 0.25);
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
    dense *= mix(0.72, 1.22, other) * mix(0.62, 1.0, smoothstep(0.0, 0.35, rank));
    dense = clamp(dense * mix(vec3(1.06, 1.0, 0.92), vec3(0.95, 1.0, 1.06), third), 0.003, 0.95);
    float shift = 0.16 * (dice - 0.5);

    vec3 keyPlace = (keyMatrix * vec4(place, 1.0)).xyz, rimPlace = (rimMatrix * vec4(place, 1.0)).xyz;
    float keyHairs = hairBefore(keyHair, keyPlace, 0.005), rimHairs = hairBefore(rimHair, rimPlace, 0.005);
    float keyOpen = pastBody(keyBody, keyPlace, 0.008), rimOpen = pastBody(rimBody, rimPlace, 0.008);

    // Light that goes on from strand to strand takes on their colour: it fades less in the colour that they have.
    vec3 hue = dense / max(max(dense.r, max(dense.g, dense.b)), 1e-3);
    vec3 fading = mix(vec3(0.34), vec3(0.13), hue);
    vec3 keyDeep = exp(-keyHairs * fading), rimDeep = exp(-rimHairs * fading);
    Lit key = lit(way, toEye, keyDirection, dense, shift), rim = lit(way, toEye, rimDirection, dense, shift);
    Lit fill = lit(way, toEye, fillDirection, dense, shift);
    float open = 0.5 * (exp(-0.11 * keyHairs) * (0.35 + 0.65 * keyOpen) + exp(-0.11 * rimHairs) * (0.35 + 0.65 * rimOpen));
    float occlusion = 0.16 + 0.84 * open;

    vec3 light = keyColour * keyOpen * (key.surface + key.through * exp(-0.3 * keyHairs)) * keyDeep
        + rimColour * rimOpen * (rim.surface + rim.through * exp(-0.3 * rimHairs)) * rimDeep
        + fillColour * fill.surface * occlusion
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
