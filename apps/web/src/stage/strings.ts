/// Draws strings as tubes: threads, ropes, cables.
import { BufferGeometry, DoubleSide, GLSL3, Mesh, RawShaderMaterial, Vector3 } from 'three';
import type { StrandsInfo } from '../engine/types';
import { PointTexture } from './gpu_arrays';
import { opacityMaterial } from './hair';
import type { Lighting, Uniforms } from './lighting';
import { Ribbons } from './ribbons';
import { tubeFragment, tubeVertex } from './tube_shader';

const shadowStrength = 8; // shadow of a string in units of one hair
const maxVertices = 400_000;
const maxPieces = 6;

export class Strings {
    readonly meshes: Mesh<BufferGeometry, RawShaderMaterial>[];
    readonly caster: Mesh<BufferGeometry, RawShaderMaterial>;
    private readonly ribbons: Ribbons;
    private readonly widths: PointTexture;
    private readonly materials: PointTexture;
    private readonly tensions: PointTexture;
    private readonly maxTension = { value: 1e-6 };
    private readonly showTension = { value: 0 };

    constructor(gl: WebGL2RenderingContext, info: StrandsInfo, lighting: Lighting, view: Uniforms) {
        this.ribbons = new Ribbons(gl, info, 'tear');
        this.widths = new PointTexture(gl, info.points, 1);
        this.materials = new PointTexture(gl, info.points, 3);
        this.tensions = new PointTexture(gl, info.points, 1);

        const pieces = Math.min(maxPieces, Math.max(1, Math.floor(maxVertices / (2 * info.points + 1))));
        const mesh = new Mesh(new BufferGeometry(), new RawShaderMaterial({
            glslVersion: GLSL3,
            vertexShader: tubeVertex,
            fragmentShader: tubeFragment,
            uniforms: {
                ...lighting.uniforms,
                ...view,
                ...this.ribbons.uniforms(pieces),
                lampSize: lighting.lampSize,
                widths: { value: this.widths.texture },
                materials: { value: this.materials.texture },
                tensions: { value: this.tensions.texture },
                stringColour: { value: new Vector3(...info.look.string) },
                stripeColour: { value: new Vector3(...info.look.stripe) },
                stripes: { value: info.look.stripes },
                maxTension: this.maxTension,
                showTension: this.showTension,
            },
            side: DoubleSide,
        }));
        mesh.geometry.setIndex(this.ribbons.index(pieces));
        this.meshes = [mesh];
        this.caster = new Mesh(
            new BufferGeometry(), opacityMaterial(this.ribbons, lighting, { value: 1 }, shadowStrength, this.widths));
        this.caster.geometry.setIndex(this.ribbons.index(1));
        mesh.frustumCulled = this.caster.frustumCulled = false;
    }

    /// The number of segments drawn.
    get drawn() {
        return this.ribbons.segments;
    }

    update(
        points: Float32Array, offset: Vector3, widths: Float32Array | null, across: Float32Array | null,
        tensions: Float32Array | null,
    ) {
        this.ribbons.points.write(points);
        this.ribbons.offset.copy(offset);
        if (widths) this.widths.write(widths);
        if (across) this.materials.write(across);
        if (!tensions) return;
        this.tensions.write(tensions);
        let max = 0;
        for (const tension of tensions) if (tension > max && tension < Infinity) max = tension;
        // The colour scale grows at once and shrinks slowly.
        this.maxTension.value = Math.max(max, 0.99 * this.maxTension.value, 1e-6);
    }

    setOverlay(tension: boolean) {
        this.showTension.value = tension ? 1 : 0;
    }

    dispose() {
        for (const mesh of [...this.meshes, this.caster]) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
        this.ribbons.dispose();
        for (const texture of [this.widths, this.materials, this.tensions]) texture.dispose();
    }
}
