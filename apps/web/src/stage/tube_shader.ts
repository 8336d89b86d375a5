/// Draws strings as ribbons that look like tubes: every fragment computes its position around the tube. Stripes follow
/// the material and show the twist. Fragments write the depth of the tube, so that knots look tied.
import { dither, film, lampFunctions, lampUniforms } from './light_shader';
import { ribbonShader } from './ribbons';

export const tubeVertex = /* glsl */ `
precision highp float;
precision highp int;
uniform highp sampler2D widths;                        // per segment [m]; 0 if torn
uniform highp sampler2D materials;                     // material direction per segment
uniform highp sampler2D tensions;                      // [N]
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixel;
uniform float maxTension;                             // [N]
out vec3 centre, sideways, frontways;
out vec2 materialDirection;                            // in the basis (sideways, frontways)
out float across, radius, pixels, pull;
${ribbonShader}

float turnBetween(vec3 a, vec3 b, vec3 axis) { return atan(dot(cross(a, b), axis), dot(a, b)); }

void main()
{
    gl_Position = clippedVertex;
    Spot spot = spotOf(gl_VertexID);
    float own = fetch(widths, spot.point).x;
    if (own <= 0.0) return;
    float before = beginsStrand(spot) ? 0.0 : fetch(widths, spot.point - 1).x;
    float after = endsStrand(spot) ? 0.0 : fetch(widths, spot.point + 1).x;
    bool begins = before <= 0.0, ends = after <= 0.0;
    float t = spot.along;
    vec3 tangent;
    curveAt(spot, begins, ends, centre, tangent);
    float first = begins ? own : 0.5 * (before + own), last = ends ? own : 0.5 * (own + after);
    vec3 toEye = cameraPosition - centre;
    float away = max(dot(toEye, vec3(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z)), 1e-5);
    float width = max(mix(first, last, t), 1.3 * pixel * away);
    radius = 0.5 * width;
    pixels = width / (pixel * away);
    vec3 side = cross(tangent, toEye);
    sideways = side * inversesqrt(max(dot(side, side), 1e-12));
    frontways = cross(sideways, tangent);

    // The material direction is defined at the middle of segments and interpolated between them.
    vec3 material = fetch(materials, spot.point).xyz;
    float turn = 0.0;
    if (t < 0.5 && !begins) turn = (t - 0.5) * turnBetween(fetch(materials, spot.point - 1).xyz, material, tangent);
    if (t > 0.5 && !ends) turn = (t - 0.5) * turnBetween(material, fetch(materials, spot.point + 1).xyz, tangent);
    float angle = atan(dot(material, frontways), dot(material, sideways)) - turn;
    materialDirection = vec2(cos(angle), sin(angle));
    pull = clamp(fetch(tensions, spot.point).x / maxTension, -1.0, 1.0);
    across = spot.side;
    gl_Position = projectionMatrix * viewMatrix * vec4(centre + sideways * (radius * across), 1.0);
}
`;

export const tubeFragment = /* glsl */ `
precision highp float;
in vec3 centre, sideways, frontways;
in vec2 materialDirection;
in float across, radius, pixels, pull;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform vec3 stringColour, stripeColour;
uniform float stripes, showTension, lampSize;
${lampUniforms}
out vec4 screen;
${lampFunctions}
${film}
${dither}

float diffuse(vec3 normal, vec3 toLamp) { return clamp((dot(normal, toLamp) + 0.15) / 1.15, 0.0, 1.0); }

void main()
{
    float height = sqrt(max(1.0 - across * across, 0.0));
    vec3 normal = normalize(sideways * across + frontways * height), position = centre + normal * radius;
    vec3 toEye = normalize(cameraPosition - position);

    vec3 base = stringColour;
    if (stripes > 0.5) {
        float angle = atan(height, across) - atan(materialDirection.y, materialDirection.x);
        float off = abs(fract(angle * stripes / 6.28318 + 0.5) - 0.5) * 2.0;  // 0 at the centre of a stripe
        float soft = clamp(stripes * 0.64 / (pixels * max(height, 0.25)), 0.02, 1.0);
        base = mix(stripeColour, base, smoothstep(0.3 - 0.5 * soft, 0.3 + 0.5 * soft, off));
    }
    vec3 loose = vec3(0.12, 0.3, 0.75), taut = vec3(0.9, 0.14, 0.05), even = vec3(0.75, 0.74, 0.7);
    base = mix(base, pull < 0.0 ? mix(even, loose, -pull) : mix(even, taut, pull), showTension);

    vec3 keyCoord = (keyMatrix * vec4(position, 1.0)).xyz, rimCoord = (rimMatrix * vec4(position, 1.0)).xyz;
    float selfBias = 2.5 * radius / lampSize + 0.003;   // keeps the string from shadowing itself
    float keyVisible = bodyVisibility(keyBody, keyCoord, 0.008)
        * exp(-hairBefore(keyHair, keyCoord - vec3(0, 0, selfBias), 0.003));
    float rimVisible = bodyVisibility(rimBody, rimCoord, 0.008)
        * exp(-hairBefore(rimHair, rimCoord - vec3(0, 0, selfBias), 0.003));

    vec3 halfway = normalize(toEye + keyDirection), rimHalf = normalize(toEye + rimDirection);
    float edge = pow(1.0 - clamp(dot(normal, toEye), 0.0, 1.0), 3.0);
    vec3 light = base * 0.3 * (keyColour * keyVisible * diffuse(normal, keyDirection)
        + fillColour * diffuse(normal, fillDirection)
        + 0.6 * rimColour * rimVisible * diffuse(normal, rimDirection));
    light += base * mix(floorColour, skyColour, 0.5 + 0.5 * normal.y) * (0.35 + 0.55 * height);
    light += 0.05 * keyColour * keyVisible * pow(max(dot(normal, halfway), 0.0), 28.0);
    light += 0.05 * rimColour * rimVisible * pow(max(dot(normal, rimHalf), 0.0), 16.0) + 0.1 * skyColour * edge * base;
    screen = vec4(dithered(film(light)), 1.0);

    float depth = dot(vec4(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z, viewMatrix[3].z), vec4(position, 1.0));
    gl_FragDepth = 0.5 + 0.5 * (projectionMatrix[2].z * depth + projectionMatrix[3].z) / -depth;
}
`;
