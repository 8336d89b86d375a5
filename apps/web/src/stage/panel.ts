/// One simulation on the stage. All positions are relative to the origin of its first strands, so that precision does
/// not suffer far from the world origin.
import { Group, Scene, Vector3, type PerspectiveCamera, type WebGLRenderer } from 'three';
import type { Frame, SceneInfo } from '../engine/types';
import { Body } from './body';
import { Bounds } from './bounds';
import type { Quality } from './draw_clock';
import { Hair } from './hair';
import { Lighting } from './lighting';
import { Colliders } from './colliders';
import { Strings } from './strings';
import type { Studio } from './studio';
import { Backdrop, Ground } from './surroundings';

const hairStain = 0.85; // how strongly dense hair tints the skin below it

export class Panel {
    readonly origin = new Vector3();
    readonly scene = new Scene();
    private readonly content = new Group(); // hidden until the first frame
    private readonly casters = new Scene();
    private readonly bounds = new Bounds();
    private readonly view = { pixel: { value: 1e-3 } };
    private readonly lighting: Lighting;
    private readonly strands: (Hair | Strings)[];
    private readonly bodies: Body[];
    private readonly colliders: Colliders;
    private readonly backdrop = new Backdrop();
    private readonly ground: Ground | null;

    constructor(gl: WebGL2RenderingContext, readonly info: SceneInfo, quality: Quality) {
        const { eye, target } = info.camera;
        this.lighting = new Lighting(Math.atan2(eye[0] - target[0], eye[2] - target[2]), quality.shadowSize);
        this.strands = info.strands.map((part) =>
            new (part.string ? Strings : Hair)(gl, part, this.lighting, this.view));
        const hair = info.strands.find((part) => !part.string);
        if (hair) this.lighting.uniforms.underHair.value.set(...hair.look.colour, hairStain);
        this.bodies = info.meshes.map((mesh) => new Body(gl, mesh, this.lighting));
        this.colliders = new Colliders(info.colliders, this.lighting);
        this.ground = info.ground === null ? null : new Ground(info.ground, this.lighting);
        for (const part of [...this.strands, ...this.bodies]) {
            this.content.add(...part.meshes);
            this.casters.add(part.caster);
        }
        this.content.add(this.colliders.meshes);
        this.casters.add(this.colliders.casters);
        if (this.ground) this.content.add(this.ground.mesh);
        this.content.visible = false;
        this.scene.add(this.backdrop.mesh, this.content);
    }

    /// The number of segments drawn.
    get drawn() {
        return Math.round(this.strands.reduce((sum, part) => sum + part.drawn, 0));
    }

    setStudio(studio: Studio) {
        this.lighting.setStudio(studio);
        this.backdrop.setStudio(studio);
        this.ground?.setStudio(studio);
    }

    setOverlay(tension: boolean) {
        for (const part of this.strands) if (part instanceof Strings) part.setOverlay(tension);
    }

    update(frame: Frame) {
        this.origin.set(...(frame.origins[0] ?? frame.meshOrigins[0] ?? [0, 0, 0]));
        const offset = new Vector3();
        this.bounds.begin();
        this.strands.forEach((part, i) => {
            const points = frame.points[i];
            if (!points) return;
            offset.set(...frame.origins[i]!).sub(this.origin);
            this.bounds.include(points, offset);
            if (part instanceof Hair) {
                part.update(points, offset, frame.widths[i] ?? null);
            } else {
                part.update(points, offset, frame.stringWidths[i] ?? null, frame.across[i] ?? null,
                    frame.tensions[i] ?? null);
            }
        });
        this.bodies.forEach((body, i) => {
            const vertices = frame.vertices[i];
            if (!vertices) return;
            offset.set(...frame.meshOrigins[i]!).sub(this.origin);
            this.bounds.include(vertices, offset);
            body.update(vertices, offset);
        });
        this.colliders.update(frame, this.origin, this.bounds);
        this.bounds.end();
        this.ground?.update(this.bounds, this.origin);
        this.content.visible = this.bounds.radius > 0;
    }

    /// `pixels` is the height of its part of the canvas.
    draw(renderer: WebGLRenderer, camera: PerspectiveCamera, pixels: number) {
        this.view.pixel.value = 2 * Math.tan(camera.fov * Math.PI / 360) / Math.max(pixels, 1);
        renderer.render(this.scene, camera);
    }

    renewShadows() {
        this.lighting.renew();
    }
    drawShadows(renderer: WebGLRenderer, quality: Quality) {
        if (!this.content.visible) return;
        for (const part of this.strands) if (part instanceof Hair) part.setQuality(quality);
        this.lighting.refresh(renderer, this.casters, this.bounds, quality.shadowSize, quality.refresh);
    }

    dispose() {
        const parts = [...this.strands, ...this.bodies, this.colliders, this.backdrop, this.lighting];
        for (const part of parts) part.dispose();
        this.ground?.dispose();
    }
}
