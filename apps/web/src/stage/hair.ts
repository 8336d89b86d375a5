/// Draws strands as hair.
import {
    AddEquation, BufferGeometry, CustomBlending, DoubleSide, GLSL3, MaxEquation, Mesh, OneFactor, RawShaderMaterial,
    Vector3, type BufferAttribute,
} from 'three';
import type { StrandsInfo } from '../engine/types';
import type { Quality } from './draw_clock';
import { PointTexture } from './gpu_arrays';
import { hairFragment, hairVertex } from './hair_shader';
import type { Lighting, Uniforms } from './lighting';
import { opacityFragment, opacityVertex } from './opacity_shader';
import { Ribbons } from './ribbons';

const minStrandsToThin = 300; // with fewer, all strands are drawn even if that is slow
const solidShare = 0.45; // of the strands that are opaque; the others are blended over them as fine lines
const maxVertices = 1_300_000;
const maxPieces = 4;

export class Hair {
    readonly meshes: Mesh<BufferGeometry, RawShaderMaterial>[];
    readonly caster: Mesh<BufferGeometry, RawShaderMaterial>;
    private readonly ribbons: Ribbons;
    private readonly colours: PointTexture | null;
    private readonly share = { value: 1 };
    private readonly thicker = { value: 1 };
    private readonly pieces: { value: number };
    private readonly samplesPerSegment: { value: number };
    private readonly finestPieces: number;
    private readonly pointStep: number; // low quality draws only every n-th point
    private readonly indices = new Map<string, BufferAttribute>();

    constructor(
        gl: WebGL2RenderingContext, private readonly info: StrandsInfo, lighting: Lighting,
        view: Uniforms,
    ) {
        this.ribbons = new Ribbons(gl, info, 'fixed');
        this.colours = info.colours && new PointTexture(gl, info.points, 3);
        if (info.colours) this.colours!.write(info.colours);
        this.finestPieces = Math.min(maxPieces, Math.max(1, Math.floor(maxVertices / (2 * info.points + 1))));

        this.pointStep = info.points >= 16 * info.strands ? 2 : 1;
        const ribbon = this.ribbons.uniforms(this.finestPieces);
        this.pieces = ribbon.pieces;
        this.samplesPerSegment = ribbon.samplesPerSegment;
        const uniforms = {
            ...lighting.uniforms,
            ...view,
            ...ribbon,
            thicker: this.thicker,
            hairColour: { value: new Vector3(...info.look.colour) },
            colours: { value: (this.colours ?? this.ribbons.points).texture },
            coloured: { value: this.colours !== null },
        };
        this.meshes = [hairMesh(uniforms, 'solid'), hairMesh(uniforms, 'soft')];
        this.caster = new Mesh(new BufferGeometry(), opacityMaterial(this.ribbons, lighting, this.share, 1, null));
        this.caster.geometry.setIndex(this.index(1, this.pointStep)); // shadows need less detail
        this.caster.frustumCulled = false;
    }

    /// The number of segments drawn.
    get drawn() {
        return this.ribbons.segments * this.share.value;
    }

    /// `offset` is the position of the points' origin; `widths` is null if they have not changed.
    update(points: Float32Array, offset: Vector3, widths: Float32Array | null) {
        this.ribbons.points.write(points);
        this.ribbons.offset.copy(offset);
        if (widths) this.ribbons.setWidths(widths);
    }

    setQuality(quality: Quality) {
        const many = this.info.strands > minStrandsToThin, share = many ? quality.share : 1;
        this.share.value = share;
        this.thicker.value = share ** -0.75;
        this.pieces.value = quality.points === 'smooth' ? this.finestPieces : 1;
        this.samplesPerSegment.value = this.ribbons.samplesPerSegment(this.pieces.value);
        const index = this.index(this.pieces.value, quality.points === 'half' ? this.pointStep : 1);
        const end = Math.ceil(index.count / 6 * share), middle = many ? Math.ceil(end * solidShare) : 0;
        this.meshes.forEach(({ geometry }, i) => {
            if (geometry.index !== index) geometry.setIndex(index);
            geometry.setDrawRange(i === 0 ? 0 : 6 * middle, 6 * (i === 0 ? middle : end - middle));
        });
        this.caster.geometry.setDrawRange(0, 6 * Math.ceil(this.caster.geometry.index!.count * share / 6));
    }

    private index(pieces: number, step: number) {
        const key = `${pieces} ${step}`, index = this.indices.get(key) ?? this.ribbons.index(pieces, step);
        this.indices.set(key, index);
        return index;
    }

    dispose() {
        for (const mesh of [...this.meshes, this.caster]) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
        this.ribbons.dispose();
        this.colours?.dispose();
    }
}

function hairMesh(uniforms: Uniforms, kind: 'solid' | 'soft') {
    const soft = kind === 'soft';
    const mesh = new Mesh(new BufferGeometry(), new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: hairVertex,
        fragmentShader: hairFragment,
        uniforms: { ...uniforms, soft: { value: soft } },
        side: DoubleSide,
        alphaToCoverage: !soft,
        transparent: soft,
        depthWrite: !soft,
    }));
    mesh.frustumCulled = false;
    mesh.renderOrder = soft ? 2 : 0; // soft strands are drawn after the ground
    return mesh;
}

/// `opacity` is the shadow of each strand in units of one hair. `widths` are per segment, if segments can tear.
export function opacityMaterial(
    ribbons: Ribbons, lighting: Lighting, share: { value: number }, opacity: number, widths: PointTexture | null,
) {
    return new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: opacityVertex,
        fragmentShader: opacityFragment,
        uniforms: {
            ...ribbons.uniforms(1),
            texel: lighting.texel,
            share,
            opacity: { value: opacity },
            widths: { value: (widths ?? ribbons.points).texture },
            torn: { value: widths !== null },
        },
        side: DoubleSide,
        transparent: true,
        depthWrite: false,
        blending: CustomBlending,
        blendSrc: OneFactor,
        blendDst: OneFactor,
        blendEquation: AddEquation,
        blendSrcAlpha: OneFactor,
        blendDstAlpha: OneFactor,
        blendEquationAlpha: MaxEquation,
    });
}
