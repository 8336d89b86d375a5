/// Strings: ribbons that look like tubes, since every fragment knows where around the tube it is. Stripes follow the
/// material, so that twist can be seen. Depth is that of the tube, and knots look tied.
import { dither, film, lampFunctions, lampUniforms } from './light_shader';
import { ribbonShader } from './ribbons';

export const tubeVertex = /* glsl */ `
precision highp float;
precision highp int;
uniform highp sampler2D widths;                        // by segment [m]; 0: torn
uniform highp sampler2D materials;                     // where its material points
uniform highp sampler2D tensions;                      // [N]
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixel;
uniform float tensionMost;                             // [N]
out vec3 middle, sideways, frontways;
out vec2 turned;                                       // where the material points, seen in sideways and frontways
out float across, radius, pixels, pull;
${ribbonShader}

float turnBetween(vec3 a, vec3 b, vec3 axis) { return atan(dot(cross(a, b), axis), dot(a, b)); }

void main()
{
    gl_Position = nowhere;
    Spot spot = spotOf(gl_VertexID);
    float own = fetch(widths, spot.point).x;
    if (own <= 0.0) return;
    float before = beginsStrand(spot) ? 0.0 : fetch(widths, spot.point - 1).x;
    float after = endsStrand(spot) ? 0.0 : fetch(widths, spot.point + 1).x;
    bool begins = before <= 0.0, ends = after <= 0.0;
    float t = spot.along;
    vec3 way;
    curveAt(spot, begins, ends, middle, way);
    float first = begins ? own : 0.5 * (before + own), last = ends ? own : 0.5 * (own + after);
    vec3 toEye = cameraPosition - middle;
    float away = max(dot(toEye, vec3(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z)), 1e-5);
    float width = max(mix(first, last, t), 1.3 * pixel * away);
    radius = 0.5 * width;
    pixels = width / (pixel * away);
    vec3 side = cross(way, toEye);
    sideways = side * inversesqrt(max(dot(side, side), 1e-12));
    frontways = cross(sideways, way);

    // The material is known at the middle of segments; from there it turns to the next.
    vec3 material = fetch(materials, spot.point).xyz;
    float turn = 0.0;
    if (t < 0.5 && !begins) turn = (t - 0.5) * turnBetween(fetch(materials, spot.point - 1).xyz, material, way);
    if (t > 0.5 && !ends) turn = (t - 0.5) * turnBetween(material, fetch(materials, spot.point + 1).xyz, way);
    float angle = atan(dot(material, frontways), dot(material, sideways)) - turn;
    turned = vec2(cos(angle), sin(angle));
    pull = clamp(fetch(tensions, spot.point).x / tensionMost, -1.0, 1.0);
    across = spot.side;
    gl_Position = projectionMatrix * viewMatrix * vec4(middle + sideways * (radius * across), 1.0);
}
`;

export const tubeFragment = /* glsl */ `
precision highp float;
in vec3 middle, sideways, frontways;
in vec2 turned;
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

float seen(vec3 normal, vec3 toLamp) { return clamp((dot(normal, toLamp) + 0.15) / 1.15, 0.0, 1.0); }

void main()
{
    float high = sqrt(max(1.0 - across * across, 0.0));
    vec3 normal = normalize(sideways * across + frontways * high), place = middle + normal * radius;
    vec3 toEye = normalize(cameraPosition - place);

    vec3 base = stringColour;
    if (stripes > 0.5) {
        float angle = atan(high, across) - atan(turned.y, turned.x);
        float off = abs(fract(angle * stripes / 6.28318 + 0.5) - 0.5) * 2.0;  // 0 in the middle of a stripe
        float soft = clamp(stripes * 0.64 / (pixels * max(high, 0.25)), 0.02, 1.0);
        base = mix(stripeColour, base, smoothstep(0.3 - 0.5 * soft, 0.3 + 0.5 * soft, off));
    }
    vec3 loose = vec3(0.12, 0.3, 0.75), taut = vec3(0.9, 0.14, 0.05), even = vec3(0.75, 0.74, 0.7);
    base = mix(base, pull < 0.0 ? mix(even, loose, -pull) : mix(even, taut, pull), showTension);

    vec3 keyPlace = (keyMatrix * vec4(place, 1.0)).xyz, rimPlace = (rimMatrix * vec4(place, 1.0)).xyz;
    float self = 2.5 * radius / lampSize + 0.003;   // the string itself is no shadow on it
    float keyOpen = pastBody(keyBody, keyPlace, 0.008) * exp(-hairBefore(keyHair, keyPlace - vec3(0, 0, self), 0.003));
    float rimOpen = pastBody(rimBody, rimPlace, 0.008) * exp(-hairBefore(rimHair, rimPlace - vec3(0, 0, self), 0.003));

    vec3 halfway = normalize(toEye + keyDirection), rimHalf = normalize(toEye + rimDirection);
    float edge = pow(1.0 - clamp(dot(normal, toEye), 0.0, 1.0), 3.0);
    vec3 light = base * 0.3 * (keyColour * keyOpen * seen(normal, keyDirection)
        + fillColour * seen(normal, fillDirection)
        + 0.6 * rimColour * rimOpen * seen(normal, rimDirection));
    light += base * mix(floorColour, skyColour, 0.5 + 0.5 * normal.y) * (0.35 + 0.55 * high);
    light += 0.05 * keyColour * keyOpen * pow(max(dot(normal, halfway), 0.0), 28.0);
    light += 0.05 * rimColour * rimOpen * pow(max(dot(normal, rimHalf), 0.0), 16.0) + 0.1 * skyColour * edge * base;
    screen = vec4(dithered(film(light)), 1.0);

    float depth = dot(vec4(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z, viewMatrix[3].z), vec4(place, 1.0));
    gl_FragDepth = 0.5 + 0.5 * (projectionMatrix[2].z * depth + projectionMatrix[3].z) / -depth;
}
`;
