/// Passes pointer input on the picture to the active tool. Input that the tool does not use moves the camera.

import type { Press, Tool, Workbench } from './tool';

const wheelNotch = 100; // [px]
const orbitSpeed = 3.2; // [rad] per picture height
const keyPointer = -1; // id of the pointer that keys move

export class Pointers {
    tool: Tool;
    private readonly presses = new Map<number, Press>();
    /// Whether the tool uses the current press; null while it has not decided.
    private takes: boolean | null = false;

    constructor(
        private readonly bench: Workbench,
        tool: Tool,
    ) {
        this.tool = tool;
        const { canvas, loop } = bench;
        canvas.addEventListener('pointerdown', (event) => void this.down(event));
        canvas.addEventListener('pointermove', (event) => this.move(event));
        canvas.addEventListener('pointerup', (event) => this.up(event));
        canvas.addEventListener('pointercancel', (event) => this.up(event));
        canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false, capture: true });
        canvas.addEventListener('contextmenu', (event) => event.preventDefault());
        loop.ticks.on((seconds) => this.tool.tick?.(seconds));
    }

    use(tool: Tool): void {
        if (tool === this.tool) return;
        this.presses.clear();
        this.tool.leave?.();
        this.tool = tool;
        this.bench.stage.setOrbitEnabled(tool.name === 'orbit');
        this.bench.loop.wake();
    }

    /// Presses the tool at the centre of the picture by keyboard, or releases it.
    keyPress(): void {
        if (this.keyLift() || this.tool.name === 'orbit') return;
        const { left, top, width, height } = this.bench.canvas.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const press: Press = { id: keyPointer, x, y, dx: 0, dy: 0, turning: false, lifted: false };
        this.presses.set(keyPointer, press);
        this.bench.overlay.showCross(x, y);
        void this.begin(press).then(() => {
            if (this.takes === false) this.keyLift();
        });
    }

    /// Drags with the tool if it was pressed by keyboard, otherwise moves the camera.
    keyMove(dx: number, dy: number, turning: boolean): void {
        const press = this.presses.get(keyPointer);
        if (!press) return turning ? this.pan(-dx, -dy) : this.orbit(-dx, -dy);
        Object.assign(press, { x: press.x + dx, y: press.y + dy, dx, dy, turning });
        this.bench.overlay.showCross(press.x, press.y);
        if (this.takes) this.tool.drag(press);
    }

    keyLift(): boolean {
        const press = this.presses.get(keyPointer);
        if (!press) return false;
        this.presses.delete(keyPointer);
        this.bench.overlay.hideCross();
        press.lifted = true;
        if (this.takes) this.tool.lift(press);
        return true;
    }

    twist(notches: number): void {
        this.tool.turnWheel?.(notches);
    }

    private async down(event: PointerEvent): Promise<void> {
        this.bench.loop.wake();
        if (this.tool.name === 'orbit') return;
        const turning = event.shiftKey || event.button === 2 || this.presses.size > 0;
        const { clientX: x, clientY: y, pointerId: id } = event;
        const press: Press = { id, x, y, dx: 0, dy: 0, turning, lifted: false };
        this.presses.set(id, press);
        try {
            this.bench.canvas.setPointerCapture(id);
        } catch {
            // The pointer no longer exists, or a test has synthesized it.
        }
        if (this.presses.size > 1) return; // a second finger only modifies the first
        await this.begin(press);
    }

    private async begin(press: Press): Promise<void> {
        this.takes = null;
        try {
            this.takes = await this.tool.press(press);
        } catch (reason) {
            this.takes = false;
            this.bench.messages.fail(reason);
        }
        if (press.lifted && this.takes) this.tool.lift(press);
    }

    private move(event: PointerEvent): void {
        const press = this.presses.get(event.pointerId);
        if (!press) {
            if (event.buttons) this.bench.loop.wake();
            return;
        }
        press.dx = event.clientX - press.x;
        press.dy = event.clientY - press.y;
        press.x = event.clientX;
        press.y = event.clientY;
        press.turning = event.shiftKey || (event.buttons & 2) !== 0 || this.presses.size > 1;
        this.bench.loop.wake();
        if (this.takes === true) this.tool.drag(press);
        else if (this.takes === false) this.moveCamera(press);
    }

    private up(event: PointerEvent): void {
        const press = this.presses.get(event.pointerId);
        this.presses.delete(event.pointerId);
        if (!press) return;
        press.lifted = true;
        if (this.takes && this.presses.size === 0) this.tool.lift(press);
    }

    private moveCamera(press: Press): void {
        const { stage } = this.bench;
        const other = [...this.presses.values()].find((candidate) => candidate !== press);
        if (other) {
            const now = Math.hypot(press.x - other.x, press.y - other.y);
            const before = Math.hypot(press.x - press.dx - other.x, press.y - press.dy - other.y);
            if (now > 0 && before > 0) stage.zoomBy(now / before);
            this.pan(press.dx / 2, press.dy / 2);
        } else if (press.turning) {
            this.pan(press.dx, press.dy);
        } else {
            this.orbit(press.dx, press.dy);
        }
    }

    private pan(dx: number, dy: number): void {
        const { clientHeight } = this.bench.canvas;
        this.bench.stage.panBy(dx / clientHeight, -dy / clientHeight);
    }

    private orbit(dx: number, dy: number): void {
        const perPixel = orbitSpeed / this.bench.canvas.clientHeight;
        this.bench.stage.orbitBy(-dx * perPixel, dy * perPixel);
    }

    /// The stage zooms with the wheel unless the tool uses it.
    private wheel(event: WheelEvent): void {
        this.bench.loop.wake();
        if (!this.tool.turnWheel?.(event.deltaY / wheelNotch)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
    }
}
