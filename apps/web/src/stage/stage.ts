/// The 3D view of the live page: one simulation, or two side by side, with one camera.
import { Color, LinearSRGBColorSpace, NoToneMapping, Plane, Raycaster, Vector2, Vector3, WebGLRenderer } from 'three';
import type { Frame, Ray, SceneInfo, Vec3 } from '../engine/types';
import { OrbitCamera, type CameraState } from './camera';
import { OrbitControls } from './controls';
import { Cues } from './cues';
import { DrawClock, still, type Quality } from './draw_clock';
import { Panel } from './panel';
import { studios, type Theme } from './studio';

export type { CameraState, Theme };
export type Overlay = 'none' | 'tension';

export interface StageOptions {
    theme: Theme;
    /// Lowers the resolution and the number of strands if drawing is too slow; default true.
    adaptive?: boolean;
}
export interface StageStatistics {
    segments: number; // drawn in the last picture
    milliseconds: number; // GPU time per picture, smoothed
    pixelRatio: number;
    share: number; // share of the strands that are drawn
}

const maxPanels = 2; // panels
const dividerWidth = 1; // [CSS pixels]
const stillDelay = 300; // [ms] without a change before the picture is redrawn in best quality
const pickPixels = 10; // radius around the pointer within which strands are picked

export class Stage {
    private readonly renderer: WebGLRenderer;
    private readonly clock: DrawClock;
    private readonly orbit = new OrbitCamera();
    private readonly controls: OrbitControls;
    private readonly cues: Cues;
    private panels: Panel[] = [];
    private theme: Theme;
    private overlay: Overlay = 'none';
    private pixelRatio = 0;
    private lastDraw = 0;
    private changed = 0; // time of the last visible change [ms]
    private lastPicture: 'nothing' | 'moving' | 'still' = 'nothing';

    constructor(private readonly canvas: HTMLCanvasElement, options: StageOptions) {
        this.theme = options.theme;
        this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
        this.renderer.autoClear = false;
        this.renderer.outputColorSpace = LinearSRGBColorSpace; // shaders already write sRGB
        this.renderer.toneMapping = NoToneMapping;
        this.clock = new DrawClock(this.gl, options.adaptive ?? true);
        this.controls = new OrbitControls(canvas, this.orbit);
        this.cues = new Cues(options.theme);
        this.resize();
    }

    /// Shows one simulation or two. The camera stays where it is if the scene is the same as before.
    show(infos: SceneInfo[]) {
        const before = this.panels[0]?.info.name;
        for (const panel of this.panels) panel.dispose();
        this.panels = infos.slice(0, maxPanels).map((info) => new Panel(this.gl, info, this.clock.quality));
        for (const panel of this.panels) {
            panel.setStudio(studios[this.theme]);
            panel.setOverlay(this.overlay === 'tension');
        }
        this.lastPicture = 'nothing';
        this.change();
        if (!infos[0]) return;
        this.orbit.frame(infos[0].camera);
        if (infos[0].name !== before) this.orbit.goHome('jump');
    }

    /// Uploads a frame, which may be released afterwards.
    update(panel: number, frame: Frame) {
        this.panels[panel]?.update(frame);
        this.change();
    }

    /// Draws a picture if something has changed. Call it once per animation frame. Returns false if no picture was
    /// needed or the GPU is still busy with the last one.
    draw(): boolean {
        if (this.clock.busy) return false;
        const now = performance.now();
        if (this.orbit.moving || this.cues.moving) this.changed = now;
        if (this.changed >= this.lastDraw) this.drawPicture(this.clock.quality, 'moving');
        else if (this.lastPicture === 'moving' && now - this.changed > stillDelay && this.clock.quality !== still)
            this.drawPicture(still, 'still');
        else return false;
        return true;
    }

    private drawPicture(quality: Quality, kind: 'moving' | 'still') {
        const start = performance.now();
        this.orbit.advance(Math.min((start - this.lastDraw) / 1000, 0.1));
        this.lastDraw = start;
        this.fitPixels(quality);
        if (this.lastPicture !== kind) for (const panel of this.panels) panel.renewShadows();
        for (const panel of this.panels) panel.drawShadows(this.renderer, quality);
        this.drawPanels();
        this.clock.drawn(start, this.lastPicture === kind);
        this.lastPicture = kind;
    }

    private drawPanels() {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        this.renderer.setScissorTest(true);
        this.panels.forEach((panel, i) => {
            const { left, wide } = this.panelArea(i);
            this.renderer.setViewport(left, 0, wide, height);
            this.renderer.setScissor(left, 0, wide, height);
            this.renderer.clear();
            this.orbit.updateCamera(panel.origin, wide / Math.max(height, 1));
            const pixel = 2 * Math.tan(this.orbit.camera.fov * Math.PI / 360) / Math.max(height, 1);
            this.cues.update(this.orbit.camera, panel.origin, pixel);
            panel.scene.add(this.cues.group);
            panel.draw(this.renderer, this.orbit.camera, height * this.pixelRatio);
        });
        if (this.panels.length > 1) {
            this.renderer.setClearColor(new Color().setHex(studios[this.theme].divider, LinearSRGBColorSpace), 1);
            this.renderer.setScissor(width / 2 - dividerWidth / 2, 0, dividerWidth, height);
            this.renderer.clear();
        }
        this.renderer.setScissorTest(false);
    }

    /// Call this when the size of the canvas has changed.
    resize() {
        this.change();
    }

    setTheme(theme: Theme) {
        this.theme = theme;
        this.cues.setTheme(theme);
        for (const panel of this.panels) panel.setStudio(studios[theme]);
        this.change();
    }

    /// Colours strings by tension. It has no effect on hair.
    setOverlay(overlay: Overlay) {
        this.overlay = overlay;
        for (const panel of this.panels) panel.setOverlay(overlay === 'tension');
        this.change();
    }

    /// Disable it while a tool uses the pointer. The wheel still zooms.
    setOrbitEnabled(enabled: boolean) {
        this.controls.setEnabled(enabled);
    }
    orbitBy(azimuth: number, elevation: number) {
        this.orbit.orbitBy(azimuth, elevation);
    }
    panBy(right: number, up: number) {
        this.orbit.panBy(right, up);
    }
    zoomBy(factor: number) {
        this.orbit.zoomBy(factor);
    }
    cameraState(): CameraState {
        return this.orbit.state();
    }
    setCameraState(state: CameraState) {
        this.orbit.setState(state, 'jump');
        this.change();
    }
    /// Moves smoothly to the scene's own camera.
    frameScene() {
        this.orbit.goHome('glide');
    }
    /// Whether the camera is still moving, so that pictures are needed even if nothing else changes.
    get cameraMoves() {
        return this.orbit.moving;
    }

    /// The ray from the eye through a position on the page, in world space, and the panel at that position.
    ray(clientX: number, clientY: number): { panel: number; ray: Ray } {
        const { panel, caster } = this.cast(clientX, clientY);
        const { origin, direction } = caster.ray;
        const pixel = 2 * Math.tan(this.orbit.camera.fov * Math.PI / 360) / Math.max(this.canvas.clientHeight, 1);
        return {
            panel,
            ray: { from: origin.toArray(), along: direction.toArray(), cone: Math.atan(pickPixels * pixel) },
        };
    }

    /// The intersection of that ray with the plane through a point that faces the camera.
    planePoint(clientX: number, clientY: number, through: Vec3): Vec3 {
        const { caster } = this.cast(clientX, clientY);
        const normal = this.orbit.camera.getWorldDirection(new Vector3());
        const plane = new Plane().setFromNormalAndCoplanarPoint(normal, new Vector3(...through));
        return (caster.ray.intersectPlane(plane, new Vector3()) ?? new Vector3(...through)).toArray();
    }

    /// The position of a point on the page [CSS pixels], and whether it is in front of the camera.
    project(point: Vec3, panel = 0): { x: number; y: number; visible: boolean } {
        const box = this.canvas.getBoundingClientRect(), { left, wide } = this.panelArea(panel);
        this.orbit.updateCamera(new Vector3(), wide / Math.max(box.height, 1));
        const p = new Vector3(...point).project(this.orbit.camera);
        return {
            x: box.left + left + (0.5 + 0.5 * p.x) * wide,
            y: box.top + (0.5 - 0.5 * p.y) * box.height,
            visible: p.z > -1 && p.z < 1,
        };
    }

    showHand(position: Vec3 | null) {
        this.cues.showHand(position);
        this.change();
    }
    /// Hides the wind if `from` is null. `strength` is in m/s.
    showWind(from: Vec3 | null, direction: Vec3 = [1, 0, 0], strength = 0) {
        this.cues.showWind(from, direction, strength);
        this.change();
    }

    /// The current picture as PNG.
    snapshot(): Promise<Blob> {
        this.drawPicture(still, 'still'); // the browser discards the canvas content after presenting it
        return new Promise((resolve, reject) =>
            this.canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error('The picture could not be created.')),
                'image/png'));
    }
    captureStream(fps: number): MediaStream {
        return this.canvas.captureStream(fps);
    }

    get statistics(): StageStatistics {
        return {
            segments: this.panels.reduce((sum, panel) => sum + panel.drawn, 0),
            milliseconds: this.clock.milliseconds,
            pixelRatio: this.pixelRatio,
            share: this.clock.quality.share,
        };
    }

    dispose() {
        for (const panel of this.panels) panel.dispose();
        this.panels = [];
        this.controls.dispose();
        this.cues.dispose();
        this.renderer.dispose();
    }

    private change() {
        this.changed = performance.now();
    }

    private get gl() {
        return this.renderer.getContext() as WebGL2RenderingContext;
    }

    private fitPixels(quality: Quality) {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        const ratio = Math.min(window.devicePixelRatio || 1, quality.pixelRatio);
        const size = this.renderer.getSize(new Vector2());
        if (ratio === this.pixelRatio && size.x === width && size.y === height) return;
        this.pixelRatio = ratio;
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height, false);
    }

    /// The part of the canvas that a panel covers [CSS pixels].
    private panelArea(panel: number) {
        const wide = this.canvas.clientWidth / Math.max(this.panels.length, 1);
        return { left: panel * wide, wide };
    }

    private cast(clientX: number, clientY: number) {
        const box = this.canvas.getBoundingClientRect(), wide = box.width / Math.max(this.panels.length, 1);
        const last = Math.max(this.panels.length - 1, 0);
        const panel = Math.min(Math.max(Math.floor((clientX - box.left) / wide), 0), last);
        this.orbit.updateCamera(new Vector3(), wide / Math.max(box.height, 1));
        const x = 2 * (clientX - box.left - panel * wide) / wide - 1, y = 1 - 2 * (clientY - box.top) / box.height;
        const caster = new Raycaster();
        caster.setFromCamera(new Vector2(x, y), this.orbit.camera);
        return { panel, caster };
    }
}
