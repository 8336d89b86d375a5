/// Deforming meshes of bodies.
import {
    BufferAttribute, BufferGeometry, DoubleSide, GLSL3, Mesh, RawShaderMaterial, Sphere, Vector3, Vector4,
} from 'three';
import type { MeshInfo, Vec3 } from '../engine/types';
import { VertexBuffer } from './gpu_arrays';
import type { Lighting } from './lighting';
import { depthFragment, depthVertex } from './opacity_shader';
import { surfaceFragment, surfaceVertex } from './surface_shader';

const largeMesh = 60_000; // vertices; the normals of larger meshes are updated only every fourth frame

export class Body {
    readonly meshes: Mesh<BufferGeometry, RawShaderMaterial>[];
    readonly caster: Mesh<BufferGeometry, RawShaderMaterial>;
    private readonly positions: VertexBuffer;
    private readonly normals: VertexBuffer;
    private readonly normalValues: Float32Array;
    private updates = 0;

    constructor(gl: WebGL2RenderingContext, private readonly info: MeshInfo, lighting: Lighting) {
        this.positions = new VertexBuffer(gl, info.vertices);
        this.normals = new VertexBuffer(gl, info.vertices);
        this.normalValues = new Float32Array(3 * info.vertices);
        const geometry = new BufferGeometry();
        geometry.setIndex(new BufferAttribute(new Uint32Array(info.triangles), 1));
        geometry.setAttribute('position', this.positions.attribute);
        geometry.setAttribute('normal', this.normals.attribute);
        geometry.boundingSphere = new Sphere(); // three.js cannot read the buffer, and uses the sphere only for sorting
        const mesh = new Mesh(geometry, surfaceMaterial(lighting, info.colour, 1));
        this.caster = new Mesh(geometry, casterMaterial());
        this.meshes = [mesh];
        mesh.frustumCulled = this.caster.frustumCulled = false;
    }

    /// `offset` is the position of the vertices' origin.
    update(vertices: Float32Array, offset: Vector3) {
        this.positions.write(vertices);
        for (const mesh of [...this.meshes, this.caster]) mesh.position.copy(offset);
        const due = this.info.vertices < largeMesh || this.updates % 4 === 0;
        ++this.updates;
        if (!due) return;
        smoothNormals(vertices, this.info.triangles, this.normalValues);
        this.normals.write(this.normalValues);
    }

    dispose() {
        for (const mesh of this.meshes) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
        this.caster.material.dispose();
        this.positions.dispose();
        this.normals.dispose();
    }
}

/// `softness` is 1 for skin and 0 for matte surfaces.
export function surfaceMaterial(lighting: Lighting, colour: Vec3, softness: number) {
    return new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: surfaceVertex,
        fragmentShader: surfaceFragment,
        uniforms: {
            ...lighting.uniforms,
            surfaceColour: { value: new Vector3(...colour) },
            softness: { value: softness },
            groundFade: { value: new Vector4(0, 0, 0, 0) },
        },
        side: DoubleSide,
    });
}

export function casterMaterial() {
    return new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: depthVertex,
        fragmentShader: depthFragment,
        colorWrite: false,
        side: DoubleSide,
    });
}

/// Sums the triangles' normals, weighted by area.
function smoothNormals(vertices: Float32Array, triangles: Uint32Array, normals: Float32Array) {
    normals.fill(0);
    for (let i = 0; i + 2 < triangles.length; i += 3) {
        const a = 3 * triangles[i]!, b = 3 * triangles[i + 1]!, c = 3 * triangles[i + 2]!;
        const x = vertices[a]!, y = vertices[a + 1]!, z = vertices[a + 2]!;
        const ux = vertices[b]! - x, uy = vertices[b + 1]! - y, uz = vertices[b + 2]! - z;
        const vx = vertices[c]! - x, vy = vertices[c + 1]! - y, vz = vertices[c + 2]! - z;
        const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        normals[a]! += nx, normals[a + 1]! += ny, normals[a + 2]! += nz;
        normals[b]! += nx, normals[b + 1]! += ny, normals[b + 2]! += nz;
        normals[c]! += nx, normals[c + 1]! += ny, normals[c + 2]! += nz;
    }
    // Normalize, because the tiny normals of tiny triangles would be lost when interpolated in half precision.
    for (let i = 0; i + 2 < normals.length; i += 3) {
        const x = normals[i]!, y = normals[i + 1]!, z = normals[i + 2]!;
        const scale = 1 / Math.max(Math.sqrt(x * x + y * y + z * z), 1e-30);
        normals[i] = x * scale, normals[i + 1] = y * scale, normals[i + 2] = z * scale;
    }
}
