/// Strands as ribbons. Points are uploaded unchanged and the vertex shader looks them up by gl_VertexID. The CPU
/// therefore does no work per point, and there are no vertex buffers, only an index that is built once.
import { BufferAttribute, Vector3 } from 'three';
import type { StrandsInfo } from '../engine/types';
import { fetchPoint, PointTexture } from './gpu_arrays';

/// Maps a vertex to its position on a strand. Every segment has several sample positions, the first at its point, with
/// one vertex on each side. A segment ends at the first sample of the next one, or at a sample of its own if segments
/// can tear.
export const ribbonShader = /* glsl */ `
uniform highp sampler2D points;   // x, y, z
uniform highp sampler2D marks;    // index along the strand, index of its last point, a random number, width
uniform int pieces, samplesPerSegment;       // pieces and sample positions per segment
uniform vec3 offset;              // position of the points' origin
${fetchPoint}
vec3 pointAt(int number) { return fetch(points, number).xyz + offset; }

struct Spot {
    int point;       // where the segment starts
    float along;     // position along the segment, [0, 1]
    float side;      // -1 or 1
    vec4 mark, next; // of both points
    float rank;      // position along the strand, [0, 1]
};
Spot spotOf(int vertex)
{
    Spot s;
    int sampleIndex = vertex >> 1;
    s.side = float(vertex & 1) * 2.0 - 1.0;
    s.point = sampleIndex / samplesPerSegment;
    s.along = float(sampleIndex - s.point * samplesPerSegment) / float(pieces);
    s.mark = fetch(marks, s.point);
    if (s.mark.x >= s.mark.y && s.mark.y > 0.0) {   // the last point belongs to the previous segment
        s.point -= 1;
        s.along = 1.0;
        s.mark = fetch(marks, s.point);
    }
    s.next = fetch(marks, s.point + 1);
    s.rank = (s.mark.x + s.along) / s.mark.y;
    return s;
}

/// Evaluates a smooth curve through the points: position and unit tangent at a spot. 'begins' and 'ends': there is no
/// segment before or after this one.
void curveAt(Spot s, bool begins, bool ends, out vec3 position, out vec3 tangent)
{
    vec3 p1 = pointAt(s.point), p2 = pointAt(s.point + 1);
    vec3 p0 = begins ? 2.0 * p1 - p2 : pointAt(s.point - 1);
    vec3 p3 = ends ? 2.0 * p2 - p1 : pointAt(s.point + 2);
    vec3 m1 = 0.5 * (p2 - p0), m2 = 0.5 * (p3 - p1);
    vec3 c = p2 - p1, a = m1 + m2 - 2.0 * c, b = 3.0 * c - 2.0 * m1 - m2;
    float t = s.along;
    position = p1 + t * (m1 + t * (b + t * a));
    tangent = m1 + t * (2.0 * b + 3.0 * t * a);
    tangent *= inversesqrt(max(dot(tangent, tangent), 1e-20));
}
bool beginsStrand(Spot s) { return s.mark.x <= 0.0; }
bool endsStrand(Spot s) { return s.mark.x + 1.0 >= s.mark.y; }
const vec4 clippedVertex = vec4(2.0, 2.0, 2.0, 1.0);
`;

export class Ribbons {
    readonly points: PointTexture;
    readonly marks: PointTexture;
    readonly offset = new Vector3();
    private readonly order: Uint32Array;

    constructor(
        gl: WebGL2RenderingContext, private readonly info: StrandsInfo, private readonly joints: 'fixed' | 'tear',
    ) {
        this.order = shuffled(info.strands);
        this.points = new PointTexture(gl, info.points, 3);
        this.marks = new PointTexture(gl, info.points, 4);
        this.setWidths(info.widths);
    }

    setWidths(widths: Float32Array) {
        this.marks.write(marksOf(this.info, this.order, widths));
    }

    get segments() {
        return this.info.points - this.info.strands;
    }

    /// With `step` n, segments join every n-th point. Strands are in random order, so that the beginning of the index
    /// is a fair sample of them.
    index(pieces: number, step = 1) {
        const { info } = this, samplesPerSegment = this.samplesPerSegment(pieces);
        const index = new Uint32Array(6 * pieces * this.segments);
        let end = 0;
        const piece = (a: number, b: number) => {
            index[end] = 2 * a, index[end + 1] = index[end + 4] = 2 * a + 1;
            index[end + 2] = index[end + 3] = 2 * b, index[end + 5] = 2 * b + 1;
            end += 6;
        };
        for (const strand of this.order) {
            const last = info.firstPoint[strand + 1]! - 1;
            for (let p = info.firstPoint[strand]!; p < last; p += step) {
                const begin = samplesPerSegment * p;
                const far = this.joints === 'fixed' ? samplesPerSegment * Math.min(p + step, last) : begin + pieces;
                for (let i = 0; i + 1 < pieces; ++i) piece(begin + i, begin + i + 1);
                piece(begin + pieces - 1, far);
            }
        }
        return new BufferAttribute(index.subarray(0, end), 1);
    }

    uniforms(pieces: number) {
        return {
            points: { value: this.points.texture },
            marks: { value: this.marks.texture },
            pieces: { value: pieces },
            samplesPerSegment: { value: this.samplesPerSegment(pieces) },
            offset: { value: this.offset },
        };
    }
    samplesPerSegment(pieces: number) {
        return this.joints === 'fixed' ? pieces : pieces + 1;
    }

    dispose() {
        this.points.dispose();
        this.marks.dispose();
    }
}

/// A fixed pseudo-random permutation of the numbers below `count`.
function shuffled(count: number) {
    const keys = Float64Array.from({ length: count }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0);
    return Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]!);
}

function marksOf(info: StrandsInfo, order: Uint32Array, widths: Float32Array) {
    const marks = new Float32Array(4 * info.points);
    order.forEach((strand, index) => {
        const begin = info.firstPoint[strand]!, last = info.firstPoint[strand + 1]! - 1;
        const random = (index + 0.5) / order.length;
        for (let p = begin; p <= last; ++p) marks.set([p - begin, last - begin, random, widths[p]!], 4 * p);
    });
    return marks;
}
