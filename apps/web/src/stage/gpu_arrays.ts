/// GPU textures and buffers that receive the arrays of a frame directly. three.js only uploads arrays that it owns, but
/// a frame's arrays belong to the engine and may be shared memory. We therefore create the textures and buffers
/// ourselves and pass them to three.js as external objects.
import { ExternalTexture, InterleavedBufferAttribute, type InterleavedBuffer } from 'three';

/// A texture row holds 2^rowBits points. Shaders find point i at (i & 2047, i >> 11).
const rowBits = 11;
const row = 1 << rowBits;
export const fetchPoint = /* glsl */ `
vec4 fetch(highp sampler2D array, int i) { return texelFetch(array, ivec2(i & ${row - 1}, i >> ${rowBits}), 0); }
`;

/// Some browsers reject views of shared memory. After the first failure, arrays are copied.
let acceptsShared = true;
let copyBuffer: Float32Array<ArrayBuffer> | null = null;

function upload(elements: Float32Array, write: (elements: Float32Array<ArrayBuffer>) => void) {
    const shared = typeof SharedArrayBuffer !== 'undefined' && elements.buffer instanceof SharedArrayBuffer;
    if (acceptsShared || !shared) {
        try {
            return write(elements as Float32Array<ArrayBuffer>);
        } catch (error) {
            if (!shared) throw error;
            acceptsShared = false;
        }
    }
    if (!copyBuffer || copyBuffer.length < elements.length) copyBuffer = new Float32Array(elements.length);
    copyBuffer.set(elements);
    write(copyBuffer.subarray(0, elements.length));
}

/// A texture with one, three or four numbers per point, which vertex shaders look up by index.
export class PointTexture {
    readonly texture: ExternalTexture;
    private readonly source: WebGLTexture;
    private readonly rows: number;
    private readonly format: number;

    constructor(private readonly gl: WebGL2RenderingContext, points: number, private readonly size: 1 | 3 | 4) {
        this.rows = Math.max(1, Math.ceil(points / row));
        this.format = size === 1 ? gl.RED : size === 3 ? gl.RGB : gl.RGBA;
        this.source = gl.createTexture()!;
        gl.bindTexture(gl.TEXTURE_2D, this.source);
        gl.texStorage2D(gl.TEXTURE_2D, 1, size === 1 ? gl.R32F : size === 3 ? gl.RGB32F : gl.RGBA32F, row, this.rows);
        for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
            gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
        this.texture = new ExternalTexture(this.source);
    }

    write(elements: Float32Array) {
        const { gl, size } = this;
        const points = Math.min(elements.length / size, row * this.rows), full = Math.floor(points / row);
        const part = (x: number, y: number, width: number, height: number, first: number) =>
            upload(elements.subarray(first * size, (first + width * height) * size), (view) =>
                gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, width, height, this.format, gl.FLOAT, view));
        // three.js leaves these set for its own last texture.
        gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
        gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
        const before = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture | null;
        gl.bindTexture(gl.TEXTURE_2D, this.source);
        if (full > 0) part(0, 0, row, full, 0);
        if (points > full * row) part(0, full, points - full * row, 1, full * row);
        gl.bindTexture(gl.TEXTURE_2D, before);
    }

    dispose() {
        this.texture.dispose();
        this.gl.deleteTexture(this.source);
    }
}

/// A buffer with three numbers per vertex of a mesh.
export class VertexBuffer {
    readonly attribute: InterleavedBufferAttribute;
    private readonly buffer: WebGLBuffer;

    constructor(private readonly gl: WebGL2RenderingContext, private readonly vertices: number) {
        this.buffer = gl.createBuffer()!;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        gl.bufferData(gl.ARRAY_BUFFER, 12 * Math.max(vertices, 1), gl.DYNAMIC_DRAW);
        // The fields that three.js reads from an external buffer, see GLBufferAttribute.
        const data = {
            isGLBufferAttribute: true, buffer: this.buffer, type: gl.FLOAT, elementSize: 4, stride: 3, count: vertices,
            version: 0,
        };
        this.attribute = new InterleavedBufferAttribute(data as unknown as InterleavedBuffer, 3, 0, false);
    }

    write(elements: Float32Array) {
        const gl = this.gl;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        upload(elements.subarray(0, 3 * this.vertices), (view) => gl.bufferSubData(gl.ARRAY_BUFFER, 0, view));
    }

    dispose() {
        this.gl.deleteBuffer(this.buffer);
    }
}
