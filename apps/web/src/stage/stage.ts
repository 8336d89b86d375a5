/// The picture of the live page: one simulation, or two side by side, seen by one camera.
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
    /// Lowers resolution and the number of strands where pictures take too long; default true.
    adaptive?: boolean;
}
export interface StageStatistics {
    segments: number; // drawn in the last picture
    milliseconds: number; // that the graphics card took for a picture, smoothed
    pixelRatio: number;
    share: number; // of the strands that are drawn
}

const most = 2; // panels
const dividerWidth = 1; // [CSS pixels]
const rest = 300; // milliseconds without change after which a picture is worth more time
const pickPixels = 10; // around a pointer within which strands are hit

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
    private changed = 0; // when something to be seen did
    private shown: 'nothing' | 'moving' | 'still' = 'nothing';

    constructor(private readonly canvas: HTMLCanvasElement, options: StageOptions) {
        this.theme = options.theme;
        this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
        this.renderer.autoClear = false;
        this.renderer.outputColorSpace = LinearSRGBColorSpace; // shaders give what the screen expects
        this.renderer.toneMapping = NoToneMapping;
        this.clock = new DrawClock(this.gl, options.adaptive ?? true);
        this.controls = new OrbitControls(canvas, this.orbit);
        this.cues = new Cues(options.theme);
        this.resize();
    }

    /// One simulation or two. The camera stays where it is while the first is of the same scene as before.
    show(infos: SceneInfo[]) {
        const before = this.panels[0]?.info.name;
        for (const panel of this.panels) panel.dispose();
        this.panels = infos.slice(0, most).map((info) => new Panel(this.gl, info, this.clock.quality));
        for (const panel of this.panels) {
            panel.setStudio(studios[this.theme]);
            panel.setOverlay(this.overlay === 'tension');
        }
        this.shown = 'nothing';
        this.change();
        if (!infos[0]) return;
        this.orbit.frame(infos[0].camera);
        if (infos[0].name !== before) this.orbit.goHome('jump');
    }

    /// Takes over what a frame shows; afterwards the frame may be given back.
    update(panel: number, frame: Frame) {
        this.panels[panel]?.update(frame);
        this.change();
    }

    /// Makes one picture where there is something new to be seen; to be called for every picture of the screen. False:
    /// it was not needed, or the last one is not done yet and another would only queue up.
    draw(): boolean {
        if (this.clock.busy) return false;
        const now = performance.now();
        if (this.orbit.moving || this.cues.moving) this.changed = now;
        if (this.changed >= this.lastDraw) this.picture(this.clock.quality, 'moving');
        else if (this.shown === 'moving' && now - this.changed > rest && this.clock.quality !== still)
            this.picture(still, 'still');
        else return false;
        return true;
    }

    private picture(quality: Quality, kind: 'moving' | 'still') {
        const start = performance.now();
        this.orbit.advance(Math.min((start - this.lastDraw) / 1000, 0.1));
        this.lastDraw = start;
        this.fitPixels(quality);
        if (this.shown !== kind) for (const panel of this.panels) panel.renewShadows();
        for (const panel of this.panels) panel.drawShadows(this.renderer, quality);
        this.drawPanels();
        this.clock.drawn(start, this.shown === kind);
        this.shown = kind;
    }

    private drawPanels() {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        this.renderer.setScissorTest(true);
        this.panels.forEach((panel, i) => {
            const { left, wide } = this.place(i);
            this.renderer.setViewport(left, 0, wide, height);
            this.renderer.setScissor(left, 0, wide, height);
            this.renderer.clear();
            this.orbit.place(panel.origin, wide / Math.max(height, 1));
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

    /// To be called when the canvas has another size on the page.
    resize() {
        this.change();
    }

    setTheme(theme: Theme) {
        this.theme = theme;
        this.cues.setTheme(theme);
        for (const panel of this.panels) panel.setStudio(studios[theme]);
        this.change();
    }

    /// Colours strings by their tension; hair has none to show.
    setOverlay(overlay: Overlay) {
        this.overlay = overlay;
        for (const panel of this.panels) panel.setOverlay(overlay === 'tension');
        this.change();
    }

    /// Off while a tool has the pointer; the wheel zooms all the same.
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
    /// Glides to where the scene wants to be seen from.
    frameScene() {
        this.orbit.goHome('glide');
    }
    /// Whether the camera is still gliding: pictures are needed even where nothing else moves.
    get cameraMoves() {
        return this.orbit.moving;
    }

    /// From the eye through a place of the page, in the world of the panel there.
    ray(clientX: number, clientY: number): { panel: number; ray: Ray } {
        const { panel, caster } = this.cast(clientX, clientY);
        const { origin, direction } = caster.ray;
        const pixel = 2 * Math.tan(this.orbit.camera.fov * Math.PI / 360) / Math.max(this.canvas.clientHeight, 1);
        return {
            panel,
            ray: { from: origin.toArray(), along: direction.toArray(), cone: Math.atan(pickPixels * pixel) },
        };
    }

    /// Where that ray meets the plane through a point that faces the camera.
    planePoint(clientX: number, clientY: number, through: Vec3): Vec3 {
        const { caster } = this.cast(clientX, clientY);
        const normal = this.orbit.camera.getWorldDirection(new Vector3());
        const plane = new Plane().setFromNormalAndCoplanarPoint(normal, new Vector3(...through));
        return (caster.ray.intersectPlane(plane, new Vector3()) ?? new Vector3(...through)).toArray();
    }

    /// Place on the page [CSS pixels], and whether it is before the camera.
    project(point: Vec3, panel = 0): { x: number; y: number; visible: boolean } {
        const box = this.canvas.getBoundingClientRect(), { left, wide } = this.place(panel);
        this.orbit.place(new Vector3(), wide / Math.max(box.height, 1));
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
    /// `from` null: none. `strength` [m/s].
    showWind(from: Vec3 | null, direction: Vec3 = [1, 0, 0], strength = 0) {
        this.cues.showWind(from, direction, strength);
        this.change();
    }

    /// The picture as it is now, as PNG.
    snapshot(): Promise<Blob> {
        this.picture(still, 'still'); // what a canvas shows is gone once the browser has put it on screen
        return new Promise((resolve, reject) =>
            this.canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error('The picture could not be made.')),
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

    /// A panel's part of the canvas [CSS pixels].
    private place(panel: number) {
        const wide = this.canvas.clientWidth / Math.max(this.panels.length, 1);
        return { left: panel * wide, wide };
    }

    private cast(clientX: number, clientY: number) {
        const box = this.canvas.getBoundingClientRect(), wide = box.width / Math.max(this.panels.length, 1);
        const last = Math.max(this.panels.length - 1, 0);
        const panel = Math.min(Math.max(Math.floor((clientX - box.left) / wide), 0), last);
        this.orbit.place(new Vector3(), wide / Math.max(box.height, 1));
        const x = 2 * (clientX - box.left - panel * wide) / wide - 1, y = 1 - 2 * (clientY - box.top) / box.height;
        const caster = new Raycaster();
        caster.setFromCamera(new Vector2(x, y), this.orbit.camera);
        return { panel, caster };
    }
}
