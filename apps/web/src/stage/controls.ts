/// Camera controls: one finger or the left button orbits, the right or middle button or Shift pans, two fingers pan and
/// zoom, the wheel zooms.
import type { OrbitCamera } from './camera';

const orbitSpeed = 3.2; // [rad] per canvas height
const swingTimeout = 60; // a pointer that rested longer than this before its release does not swing the camera [ms]

interface Pointer {
    x: number;
    y: number;
}

export class OrbitControls {
    enabled = true;
    private readonly pointers = new Map<number, Pointer>();
    private readonly listening = new AbortController();
    private panning = false;
    private last = 0;
    private speed = { x: 0, y: 0 }; // [rad/s]

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly camera: OrbitCamera,
    ) {
        const options = { signal: this.listening.signal };
        canvas.style.touchAction = 'none';
        canvas.addEventListener('pointerdown', (event) => this.down(event), options);
        canvas.addEventListener('pointermove', (event) => this.move(event), options);
        for (const kind of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
            canvas.addEventListener(kind, (event) => this.up(event), options);
        canvas.addEventListener('wheel', (event) => this.wheel(event), { ...options, passive: false });
        canvas.addEventListener('contextmenu', (event) => event.preventDefault(), options);
    }

    setEnabled(enabled: boolean) {
        this.enabled = enabled;
        if (!enabled) this.pointers.clear();
    }

    dispose() {
        this.listening.abort();
    }

    private down(event: PointerEvent) {
        if (!this.enabled) return;
        this.canvas.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        this.panning = event.button === 2 || event.button === 1 || event.shiftKey;
        this.camera.swingOn(0, 0);
        this.speed = { x: 0, y: 0 };
        this.last = event.timeStamp;
    }

    private move(event: PointerEvent) {
        const pointer = this.pointers.get(event.pointerId);
        if (!pointer || !this.enabled) return;
        const height = Math.max(this.canvas.clientHeight, 1);
        const dx = (event.clientX - pointer.x) / height, dy = (event.clientY - pointer.y) / height;
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (other) {
            const before = Math.hypot(pointer.x - other.x, pointer.y - other.y);
            const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
            if (before > 1 && after > 1) this.camera.zoomBy(after / before);
            this.camera.panBy(0.5 * dx, -0.5 * dy); // each finger contributes half
        } else if (this.panning) {
            this.camera.panBy(dx, -dy);
        } else {
            const x = -orbitSpeed * dx, y = orbitSpeed * dy;
            this.camera.orbitBy(x, y);
            const seconds = Math.max(event.timeStamp - this.last, 4) / 1000;
            this.speed.x += 0.4 * (x / seconds - this.speed.x);
            this.speed.y += 0.4 * (y / seconds - this.speed.y);
        }
        this.last = event.timeStamp;
        pointer.x = event.clientX;
        pointer.y = event.clientY;
    }

    private up(event: PointerEvent) {
        if (!this.pointers.delete(event.pointerId) || !this.enabled || this.pointers.size > 0) return;
        const swings = !this.panning && event.timeStamp - this.last < swingTimeout;
        if (swings) this.camera.swingOn(this.speed.x, this.speed.y);
        this.speed = { x: 0, y: 0 };
    }

    private wheel(event: WheelEvent) {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        this.camera.zoomBy(Math.exp(-Math.min(Math.max(event.deltaY * lines, -240), 240) * 0.0016));
    }
}
