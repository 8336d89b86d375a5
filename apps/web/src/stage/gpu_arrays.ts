/// Memory of the graphics card that frames are written into as they are. three.js uploads only arrays that it keeps
/// itself, but a frame's arrays belong to the engine and may be shared memory: so textures and buffers here are ours,
/// and three.js is told of them by the ways it has for foreign ones.
import { ExternalTexture, InterleavedBufferAttribute, type InterleavedBuffer } from 'three';

/// Points in a row of a texture: 2 to this power. Shaders find point i at (i & 2047, i >> 11).
const rowBits = 11;
const row = 1 << rowBits;
export const fetchPoint = /* glsl */ `
vec4 fetch(highp sampler2D array, int i) { return texelFetch(array, ivec2(i & ${row - 1}, i >> ${rowBits}), 0); }
`;

/// Some browsers refuse views of shared memory. Found out once, then copied.
let takesShared = true;
let copies: Float32Array<ArrayBuffer> | null = null;

function upload(elements: Float32Array, write: (elements: Float32Array<ArrayBuffer>) => void) {
    const shared = typeof SharedArrayBuffer !== 'undefined' && elements.buffer instanceof SharedArrayBuffer;
    if (takesShared || !shared) {
        try {
            return write(elements as Float32Array<ArrayBuffer>);
        } catch (error) {
            if (!shared) throw error;
            takesShared = false;
        }
    }
    if (!copies || copies.length < elements.length) copies = new Float32Array(elements.length);
    copies.set(elements);
    write(copies.subarray(0, elements.length));
}

/// One, three or four numbers for each of many points, which vertex shaders look up by number.
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
        // three.js leaves these as its last texture wanted them.
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

/// Three numbers for each vertex of a mesh.
export class VertexBuffer {
    readonly attribute: InterleavedBufferAttribute;
    private readonly buffer: WebGLBuffer;

    constructor(private readonly gl: WebGL2RenderingContext, private readonly vertices: number) {
        this.buffer = gl.createBuffer()!;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        gl.bufferData(gl.ARRAY_BUFFER, 12 * Math.max(vertices, 1), gl.DYNAMIC_DRAW);
        // All that three.js reads of a buffer that is not its own, see GLBufferAttribute.
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
