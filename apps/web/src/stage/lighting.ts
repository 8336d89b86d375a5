/// The lamps of one simulation, as uniforms shared by all of its materials.
import { Color, Matrix4, Vector3, Vector4, type IUniform, type Scene, type Texture, type WebGLRenderer } from 'three';
import type { Bounds } from './bounds';
import { LampMap } from './lamp_map';
import { lampDirections, type Studio } from './studio';

export type Uniforms = Record<string, IUniform>;

const fineMap = 1024;

export class Lighting {
    readonly texel: IUniform<number> = { value: 1 };
    readonly lampSize: IUniform<number> = { value: 1 };
    readonly uniforms = {
        keyDirection: { value: new Vector3() },
        keyColour: { value: new Color() },
        rimDirection: { value: new Vector3() },
        rimColour: { value: new Color() },
        fillDirection: { value: new Vector3() },
        fillColour: { value: new Color() },
        skyColour: { value: new Color() },
        floorColour: { value: new Color() },
        keyMatrix: { value: new Matrix4() },
        rimMatrix: { value: new Matrix4() },
        keyHair: { value: null as Texture | null },
        rimHair: { value: null as Texture | null },
        keyBody: { value: null as Texture | null },
        rimBody: { value: null as Texture | null },
        lampPixels: { value: 1 },
        lampTaps: { value: 1 },
        underHair: { value: new Vector4(0, 0, 0, 0) },
    };
    private readonly key: LampMap;
    private readonly rim: LampMap;
    private turn = 0;

    constructor(azimuth: number, size: number) {
        this.key = new LampMap(size);
        this.rim = new LampMap(size);
        const directions = lampDirections(azimuth);
        this.key.direction.copy(directions.key);
        this.rim.direction.copy(directions.rim);
        this.uniforms.keyDirection.value.copy(directions.key);
        this.uniforms.rimDirection.value.copy(directions.rim);
        this.uniforms.fillDirection.value.copy(directions.fill);
    }

    setStudio(studio: Studio) {
        const u = this.uniforms;
        u.keyColour.value.copy(studio.key);
        u.rimColour.value.copy(studio.rim);
        u.fillColour.value.copy(studio.fill);
        u.skyColour.value.copy(studio.sky);
        u.floorColour.value.copy(studio.floor);
    }

    /// Redraws the shadow maps: the key lamp's for every picture, because a moving body would otherwise be shadowed by
    /// its old position, and the rim lamp's, which is less visible, every `refresh` pictures.
    refresh(renderer: WebGLRenderer, casters: Scene, bounds: Bounds, size: number, refresh: number) {
        if (size !== this.key.size) {
            this.key.resize(size);
            this.rim.resize(size);
            this.turn = 0;
        }
        this.key.render(renderer, casters, bounds, this.texel);
        if (this.turn++ % refresh === 0) this.rim.render(renderer, casters, bounds, this.texel);
        const u = this.uniforms;
        u.keyMatrix.value.copy(this.key.matrix);
        u.rimMatrix.value.copy(this.rim.matrix);
        u.keyHair.value = this.key.hair;
        u.rimHair.value = this.rim.hair;
        u.keyBody.value = this.key.body;
        u.rimBody.value = this.rim.body;
        u.lampPixels.value = size;
        u.lampTaps.value = size >= fineMap ? 8 : 4; // coarse maps are for slow machines, where every tap counts
        this.lampSize.value = this.texel.value * size;
    }

    /// Redraws both maps with the next picture.
    renew() {
        this.turn = 0;
    }

    dispose() {
        this.key.dispose();
        this.rim.dispose();
    }
}
