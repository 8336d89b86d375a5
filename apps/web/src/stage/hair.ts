/// Strands that are drawn as hair.
import {
    AddEquation, CustomBlending, DoubleSide, GLSL3, MaxEquation, Mesh, OneFactor, RawShaderMaterial, Vector3,
    type BufferGeometry,
} from 'three';
import type { HairLook, StrandsInfo } from '../engine/types';
import type { Quality } from './draw_clock';
import { PointTexture } from './gpu_arrays';
import { hairFragment, hairVertex } from './hair_shader';
import type { Lighting, Uniforms } from './lighting';
import { opacityFragment, opacityVertex } from './opacity_shader';
import { Ribbons } from './ribbons';

const fewStrands = 300; // below, each counts: none vanishes because it is thin or pictures are slow
const mostVertices = 1_300_000;
const mostPieces = 4;

export class Hair {
    readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>;
    readonly caster: Mesh<BufferGeometry, RawShaderMaterial>;
    private readonly ribbons: Ribbons;
    private readonly colours: PointTexture | null;
    private readonly share = { value: 1 };
    private readonly pieces: { value: number };
    private readonly places: { value: number };
    private readonly finest: number;
    private readonly geometries = new Map<number, BufferGeometry>(); // by pieces

    constructor(
        gl: WebGL2RenderingContext, private readonly info: StrandsInfo, look: HairLook, lighting: Lighting, view: Uniforms,
    ) {
        this.ribbons = new Ribbons(gl, info, 'fixed');
        this.colours = info.colours && new PointTexture(gl, info.points, 3);
        if (info.colours) this.colours!.write(info.colours);
        this.finest = Math.min(mostPieces, Math.max(1, Math.floor(mostVertices / (2 * info.points + 1))));

        const uniforms = this.ribbons.uniforms(this.finest);
        this.pieces = uniforms.pieces;
        this.places = uniforms.places;
        this.mesh = new Mesh(this.geometry(this.finest), new RawShaderMaterial({
            glslVersion: GLSL3,
            vertexShader: hairVertex,
            fragmentShader: hairFragment,
            uniforms: {
                ...lighting.uniforms,
                ...view,
                ...uniforms,
                share: this.share,
                fade: { value: info.strands > fewStrands ? 0 : 1 },
                hairColour: { value: new Vector3(...look.colour) },
                colours: { value: (this.colours ?? this.ribbons.points).texture },
                coloured: { value: this.colours !== null },
            },
            side: DoubleSide,
            alphaToCoverage: true,
        }));
        // A shadow need not be as smooth as what throws it.
        const step = info.points >= 16 * info.strands ? 2 : 1;
        this.caster = new Mesh(this.ribbons.geometry(1, step), opacityMaterial(this.ribbons, lighting, this.share, 1, null));
        this.mesh.frustumCulled = this.caster.frustumCulled = false;
    }

    /// Segments in a picture.
    get drawn() {
        return this.ribbons.segments * this.share.value;
    }

    update(points: Float32Array) {
        this.ribbons.points.write(points);
    }

    setQuality(quality: Quality) {
        this.share.value = this.info.strands > fewStrands ? quality.share : 1;
        this.pieces.value = quality.share < 1 ? 1 : this.finest;
        this.places.value = this.ribbons.places(this.pieces.value);
        this.mesh.geometry = this.geometry(this.pieces.value);
        for (const { geometry } of [this.mesh, this.caster])
            geometry.setDrawRange(0, 6 * Math.ceil(geometry.index!.count * this.share.value / 6));
    }

    dispose() {
        for (const geometry of this.geometries.values()) geometry.dispose();
        this.caster.geometry.dispose();
        this.mesh.material.dispose();
        this.caster.material.dispose();
        this.ribbons.dispose();
        this.colours?.dispose();
    }

    private geometry(pieces: number) {
        const made = this.geometries.get(pieces) ?? this.ribbons.geometry(pieces);
        this.geometries.set(pieces, made);
        return made;
    }
}

/// `opacity`: how many strands of hair each counts for. `widths`: of segments, where they change or tear.
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
